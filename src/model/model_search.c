/* model_search.c -- see model_search.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "model/model_search.h"

#include "model/model_emulated.h"

#include <math.h>

const char *const mw_traffic_names[MW_N_TRAFFICS] = {"hubs", "run", "all"};

/* What a level asks of a node; entries and records are numbers, not shares. */
struct load {
    double reads, backward, forward;
    double bitmap_bytes; /* of a node; 0: none */
    double hub_bytes;
    double n_streams;
};

struct setting {
    const struct mw_model *m;
    enum mw_variant variant;
    struct mw_model_shape shape;
    double vertices; /* of a node */
};

/* ---- what a level sends ----------------------------------------------------------------- */

static double between(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* The count for `hubs` of a node's vertices, between the two shares around it. */
static struct mw_hub_count count_for(const struct mw_profile_level *l, double share)
{
    const double at = fmin(fmax(-log2(share), MW_HUB_FIRST), MW_HUB_LAST) - MW_HUB_FIRST;
    const int low = (int)fmin(floor(at), MW_N_HUB_SHARES - 2);
    const struct mw_hub_count *a = &l->hub[low], *b = a + 1;
    const double t = at - low;
    return (struct mw_hub_count){
        between(a->reads, b->reads, t), between(a->records, b->records, t),
        between(a->hits, b->hits, t), t < 0.5 ? a->active : b->active};
}

static void load_with_hubs(const struct setting *p, const struct mw_profile_level *l,
                           double entries, struct load *out)
{
    const struct mw_model_constants *c = &p->m->c;
    const double hubs =
        l->direction == MW_TOP_DOWN ? c->hubs_top_down : c->hubs_bottom_up;
    const struct mw_hub_count h = count_for(l, fmin(1, hubs / p->vertices));
    out->reads = entries * h.reads;
    out->hub_bytes = h.active ? hubs / 8 : 0;
    if (l->direction == MW_TOP_DOWN) {
        out->forward = entries * h.records;
    } else {
        out->backward = entries * h.records;
        out->forward = entries * h.hits;
    }
}

/* Algorithm 2: questions of all that is not reached, answers by at most what is active. */
static void load_of_all(const struct mw_profile_level *l, double entries,
                        struct load *out)
{
    if (l->direction == MW_TOP_DOWN) {
        out->reads = out->forward = entries * l->active;
    } else {
        out->reads = out->backward = entries * l->unvisited;
        out->forward = entries * fmin(l->active, l->unvisited);
    }
}

static void load_of_run(const struct setting *p, const struct mw_profile_level *l,
                        double entries, struct load *out)
{
    const bool down = l->direction == MW_TOP_DOWN;
    out->reads = entries * (down ? l->active : l->unvisited);
    if (down)
        out->forward = entries * l->records;
    else if (l->sent)
        out->backward = entries * l->records;
    else
        out->bitmap_bytes = p->vertices * p->m->profile->connected / 8;
}

static struct load load_of(const struct setting *p, const struct mw_profile_level *l)
{
    struct load out = {0};
    const double entries = p->vertices * p->m->profile->entries_per_vertex;
    if (p->m->traffic == MW_TRAFFIC_HUBS)
        load_with_hubs(p, l, entries, &out);
    else if (p->m->traffic == MW_TRAFFIC_ALL)
        load_of_all(l, entries, &out);
    else
        load_of_run(p, l, entries, &out);
    out.n_streams = out.bitmap_bytes > 0 ? 0 : l->direction == MW_TOP_DOWN ? 1 : 2;
    return out;
}

/* ---- what it costs ---------------------------------------------------------------------- */

/* Seconds of a module: entries read from rows, records shuffled or handled. An MPE reads and
 * writes at its one rate; so does whoever gets inputs below small_bytes. */
static double module_time(const struct setting *p, double reads, double records,
                          double input_bytes)
{
    const struct mw_model_constants *c = &p->m->c;
    const double rows = reads * c->column_bytes, bytes = records * c->record_bytes;
    if (!mw_variant_clusters(p->variant) || input_bytes < c->small_bytes)
        return (rows + 2 * bytes) / c->mpe_bw +
               records * c->mpe_record_cycles / c->clock_hz;
    return rows / c->dma_bw + bytes / c->shuffle_bw;
}

/* All modules of a level: at most one executor each, on so many clusters or MPEs. */
static double modules_time(const struct setting *p, const struct load *l)
{
    const struct mw_model_constants *c = &p->m->c;
    const bool relay = mw_variant_relays(p->variant),
               cpe = mw_variant_clusters(p->variant);
    const double peers1 = relay ? p->shape.n_groups : p->shape.nodes;
    const double peers2 = relay ? p->shape.width : p->shape.nodes;
    const double stream[2] = {l->backward, l->forward};
    double sum, longest;
    sum = longest =
        module_time(p, l->reads, l->backward > 0 ? l->backward : l->forward, INFINITY);
    for (int i = 0; i < 2; i++) {
        const double bytes = stream[i] * c->record_bytes;
        const double relayed = relay ? module_time(p, 0, stream[i], bytes / peers1) : 0;
        const double handled = module_time(p, 0, stream[i], bytes / peers2);
        sum += relayed + handled;
        longest = fmax(longest, fmax(relayed, handled));
    }
    return fmax(longest, sum / (cpe ? c->mpes : c->mpe_workers));
}

static void add_level(const struct setting *p, const struct load *l,
                      struct mw_model_time *out)
{
    const struct mw_model_constants *c = &p->m->c;
    const bool relay = mw_variant_relays(p->variant);
    const double bytes = (l->backward + l->forward) * c->record_bytes;
    const double hops = relay ? 2 : 1;
    const double messages = l->n_streams * mw_model_peers(&p->shape, relay) +
                            floor(hops * bytes / c->mpi_batch_bytes);
    const double modules = modules_time(p, l);
    const double network = mw_model_exchange(c, &p->shape, relay, bytes) +
                           mw_model_gather(c, &p->shape, l->bitmap_bytes);
    out->modules += modules;
    out->network += network;
    out->work += fmax(modules, network);
    out->messages += messages * c->net_lat_s;
    out->hubs += mw_model_gather(c, &p->shape, l->hub_bytes);
    out->ending += 2 * ceil(log2(p->shape.nodes)) * c->net_lat_s;
    out->n_streams += l->n_streams;
    out->n_messages += messages;
    out->bytes += bytes;
}

/* ---- public ----------------------------------------------------------------------------- */

void mw_model_init(struct mw_model *m, const struct mw_profile *profile)
{
    *m = (struct mw_model){mw_model_constants_fixed, profile,
                           profile->counted ? MW_TRAFFIC_HUBS : MW_TRAFFIC_RUN};
}

void mw_model_use_emulation(struct mw_model *m)
{
    size_t n;
    const struct mw_emulated_shuffle *s = mw_emulated_shuffles(&n);
    for (size_t i = 0; i < n; i++)
        if (s[i].record_bytes == m->c.record_bytes)
            m->c.shuffle_bw =
                (double)s[i].payload_bytes / (double)s[i].cycles * m->c.clock_hz;
    m->c.mpe_record_cycles = MW_EMULATED_MPE_RECORD_CYCLES;
}

void mw_model_search_time(const struct mw_model *m, enum mw_variant v, double nodes,
                          double vertices, const struct mw_profile_search *s,
                          struct mw_model_time *out)
{
    const struct setting p = {m, v, mw_model_shape_of(&m->c, nodes), vertices};
    *out = (struct mw_model_time){0};
    for (uint32_t i = 0; i < s->n_levels; i++) {
        const struct load l = load_of(&p, &s->level[i]);
        add_level(&p, &l, out);
    }
    out->total = out->work + out->messages + out->hubs + out->ending;
}

static void accumulate(struct mw_model_time *sum, const struct mw_model_time *t, double w)
{
    sum->modules += w * t->modules;
    sum->network += w * t->network;
    sum->work += w * t->work;
    sum->messages += w * t->messages;
    sum->hubs += w * t->hubs;
    sum->ending += w * t->ending;
    sum->total += w * t->total;
    sum->n_streams += w * t->n_streams;
    sum->n_messages += w * t->n_messages;
    sum->bytes += w * t->bytes;
}

void mw_model_time_of(const struct mw_model *m, enum mw_variant v, double nodes,
                      double vertices, struct mw_model_time *out, double *teps)
{
    const struct mw_profile *p = m->profile;
    const double tuples = m->c.edgefactor * vertices * nodes;
    double seconds_per_edge = 0;
    *out = (struct mw_model_time){0};
    for (uint32_t i = 0; i < p->n_searches; i++) {
        struct mw_model_time t;
        mw_model_search_time(m, v, nodes, vertices, &p->search[i], &t);
        accumulate(out, &t, 1.0 / p->n_searches);
        seconds_per_edge += t.total / (p->search[i].n_edges * tuples) / p->n_searches;
    }
    *teps = 1 / seconds_per_edge;
}

double mw_model_knee(const struct mw_model *m, enum mw_variant v, double nodes,
                     double vertices)
{
    struct mw_model_time t;
    double teps;
    mw_model_time_of(m, v, nodes, vertices, &t, &teps);
    return t.work / (t.n_streams * m->c.net_lat_s);
}
