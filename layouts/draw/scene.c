/* scene.c -- counts flows over hops without listing them.
 *
 * The routed flows to one sink form a tree. Each source walks towards the sink until it meets
 * a core that an earlier source has been at; so every walk runs into an older one, and
 * adding up the walks from the youngest to the oldest visits each core once, after all that
 * flows into it. Cost: sinks x cores, whatever the number of flows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/draw/scene.h"

#include "base/mem.h"
#include "layouts/ways/stages.h"

#include <inttypes.h>
#include <string.h>

/* ---- routed flows ------------------------------------------------------------------- */

struct walks {
    uint32_t n, n_cores;
    uint32_t *first; /* [sources + 1] into core */
    mw_core *core;
    bool *seen;
    uint32_t *flows; /* sources behind the core, itself included */
};

static int walks_init(const struct mw_layout *l, struct walks *w)
{
    memset(w, 0, sizeof *w);
    MW_NEED_NEW(w->first, "walks", l->n_sources + 1);
    MW_NEED_NEW(w->core, "walks", mw_mesh_cores(l));
    MW_NEED_NEW(w->seen, "walks", mw_mesh_cores(l));
    MW_NEED_NEW(w->flows, "walks", mw_mesh_cores(l));
    return MW_OK;
}

static void walks_fini(struct walks *w)
{
    MW_FREE_ALL(w->first, w->core, w->seen, w->flows);
}

static void walk_from(struct walks *w, const mw_core *next, mw_core at)
{
    w->first[w->n++] = w->n_cores;
    for (; at != MW_NO_CORE && !w->seen[at]; at = next[at]) {
        w->seen[at] = true;
        w->core[w->n_cores++] = at;
    }
    w->first[w->n] = w->n_cores;
}

static void count_sink(struct mw_scene *s, struct walks *w, uint32_t i_sink)
{
    const struct mw_layout *l = s->layout;
    const mw_core sink = l->sink[i_sink];
    const mw_core *next = l->next + (size_t)i_sink * mw_mesh_cores(l);
    w->n = w->n_cores = 0;
    memset(w->seen, 0, mw_mesh_cores(l) * sizeof *w->seen);
    memset(w->flows, 0, mw_mesh_cores(l) * sizeof *w->flows);
    w->seen[sink] = true;
    for (uint32_t i = 0; i < l->n_sources; i++)
        if (l->source[i] != sink) {
            walk_from(w, next, l->source[i]);
            w->flows[l->source[i]]++;
            s->starts[l->source[i]]++;
            s->passes[l->source[i]]--; /* counted below as if it came from elsewhere */
        }
    for (uint32_t k = w->n; k-- > 0;)
        for (uint32_t i = w->first[k]; i < w->first[k + 1]; i++) {
            const mw_core v = w->core[i];
            s->passes[v] += w->flows[v];
            if (next[v] == MW_NO_CORE)
                continue;
            s->hop_flows[mw_hop_node(l, MW_LINK, v, next[v])] += w->flows[v];
            w->flows[next[v]] += w->flows[v];
        }
    s->ends[sink] += w->flows[sink];
}

static int count_routed(struct mw_scene *s)
{
    struct walks w;
    const int rc = walks_init(s->layout, &w);
    for (uint32_t i = 0; rc == MW_OK && i < s->layout->n_sinks; i++)
        count_sink(s, &w, i);
    walks_fini(&w);
    return rc;
}

/* ---- listed flows, and the sum ------------------------------------------------------- */

static void count_listed(struct mw_scene *s)
{
    const struct mw_layout *l = s->layout;
    for (uint64_t i = 0; i < l->n_listed; i++) {
        const uint64_t first = l->listed_first[i], last = l->listed_first[i + 1] - 1;
        s->starts[l->listed_core[first]]++;
        s->ends[l->listed_core[last]]++;
        for (uint64_t k = first; k < last; k++) {
            const mw_core from = l->listed_core[k], to = l->listed_core[k + 1];
            s->hop_flows[mw_hop_node(l, MW_LINK, from, to)]++;
            s->passes[from] += k > first;
        }
    }
}

/* Of messages with several ways: the ways over each hop. */
static int count_ways(struct mw_scene *s)
{
    int rc;
    struct mw_stages x;
    MW_TRY(rc, mw_stages_make(s->layout, NULL, 0, &x));
    for (uint32_t i = 0; i < x.n_starts; i++)
        s->starts[x.stage[x.start[i]].core]++;
    for (uint32_t i = 0; i < x.n; i++) {
        const struct mw_stage *at = &x.stage[i];
        for (uint32_t t = x.first_target[at->first_way];
             t < x.first_target[at->first_way + at->n_ways]; t++) {
            const struct mw_stage *to = &x.stage[x.target[t].stage];
            s->hop_flows[mw_hop_node(s->layout, MW_LINK, at->core, to->core)]++;
            (to->n_ways > 0 ? s->passes : s->ends)[to->core]++;
        }
    }
end:
    mw_stages_fini(&x);
    return rc;
}

static void sum_up(struct mw_scene *s)
{
    for (uint32_t i = 0; i < mw_mesh_nodes(s->layout, MW_LINK); i++) {
        s->n_hops += s->hop_flows[i] > 0;
        s->most_flows = mw_max(s->most_flows, s->hop_flows[i]);
    }
}

/* ---- the cycle ------------------------------------------------------------------------ */

/* Of a knot's cores the place of one that core i needs. */
static uint32_t needed_by(const struct mw_scene *s, uint32_t i)
{
    const struct mw_sim_result *sim = s->picture->sim;
    uint32_t k = 0;
    if (!s->met)
        return s->picture->proof->why[i].hop;
    while (sim->cycle_core[k] != sim->blocked[i].next)
        k++;
    return k;
}

/* Each of a knot needs another one of it, so a cycle lies in it, which is what can be drawn. */
static int find_cycle(struct mw_scene *s)
{
    const struct mw_sim_result *sim = s->picture->sim;
    const struct mw_proof *proof = s->picture->proof;
    const struct mw_rma *puts = s->picture->puts;
    s->met = sim != NULL && sim->deadlock;
    s->n_cycle = s->met                          ? sim->n_cycle
                 : puts != NULL                  ? puts->n_circle
                 : proof != NULL && !proof->free ? proof->n_cycle
                                                 : 0;
    if (s->n_cycle == 0)
        return MW_OK;
    MW_NEED_NEW(s->cycle, "cycle", s->n_cycle);
    const bool knot = mw_layout_has_ways(s->layout) && puts == NULL;
    uint32_t at = 0, first = 0;
    for (uint32_t i = 0; knot && i < s->n_cycle; i++)
        first = needed_by(s, first); /* on the cycle by now */
    at = first;
    for (uint32_t i = 0; i < s->n_cycle; i++) {
        s->cycle[i] = s->met ? sim->cycle_core[at]
                      : puts != NULL
                          ? puts->circle[at]
                          : mw_node_core(s->layout, proof->model, proof->node[at]);
        at = knot ? needed_by(s, at) : at + 1;
        s->n_cycle = knot && at == first ? i + 1 : s->n_cycle;
        if (s->mark[s->cycle[i]] == 0)
            s->mark[s->cycle[i]] = i + 1;
    }
    return MW_OK;
}

mw_core mw_scene_cycle_next(const struct mw_scene *s, uint32_t i)
{
    return s->cycle[i + 1 < s->n_cycle ? i + 1 : 0];
}

/* ---- reading ---------------------------------------------------------------------------- */

uint64_t mw_scene_flows(const struct mw_scene *s, mw_core from, mw_core to)
{
    return s->hop_flows[mw_hop_node(s->layout, MW_LINK, from, to)];
}

mw_core mw_scene_next_hop(const struct mw_scene *s, mw_core from, mw_core after)
{
    const struct mw_layout *l = s->layout;
    const uint32_t n_slots = l->rows + l->cols;
    uint32_t slot = 0;
    if (after != MW_NO_CORE)
        slot = mw_hop_node(l, MW_LINK, from, after) % n_slots + 1;
    for (; slot < n_slots; slot++)
        if (s->hop_flows[from * n_slots + slot] > 0)
            return mw_node_core(l, MW_LINK, from * n_slots + slot);
    return MW_NO_CORE;
}

void mw_scene_shares(const struct mw_scene *s, mw_core v, double share[MW_N_CORE_STATES])
{
    uint64_t sum = 0;
    for (int k = 0; k < MW_N_CORE_STATES; k++)
        sum += s->picture->sim == NULL ? 0 : s->picture->sim->core[v].cycles[k];
    for (int k = 0; k < MW_N_CORE_STATES; k++)
        share[k] =
            sum == 0 ? 0 : (double)s->picture->sim->core[v].cycles[k] / (double)sum;
}

enum mw_core_state mw_scene_state(const struct mw_scene *s, mw_core v)
{
    double share[MW_N_CORE_STATES];
    int most = 0;
    if (s->met)
        return s->picture->sim->core[v].end;
    mw_scene_shares(s, v, share);
    for (int k = 1; k < MW_N_CORE_STATES; k++)
        if (share[k] > share[most])
            most = k;
    return share[most] > 0 ? (enum mw_core_state)most : MW_N_CORE_STATES;
}

const struct mw_proof *mw_scene_proof(const struct mw_scene *s, enum mw_mesh_model m)
{
    const struct mw_picture *p = s->picture;
    if (p->proof != NULL && p->proof->model == m)
        return p->proof;
    for (int i = 0; i < MW_N_MODELS; i++)
        if (p->others[i] != NULL && p->others[i]->model == m)
            return p->others[i];
    return NULL;
}

static struct mw_scene_verdict simulated(const struct mw_sim_result *r)
{
    struct mw_scene_verdict v = {.kind = r->deadlock ? MW_VERDICT_BAD : MW_VERDICT_OPEN};
    if (r->deadlock)
        snprintf(v.text, sizeof v.text,
                 "simulated: DEADLOCK, seen at cycle %" PRIu64 " (%s%slocal)",
                 r->deadlock_cycle, r->global ? "global " : "", r->weak ? "weak " : "");
    else
        snprintf(v.text, sizeof v.text,
                 "simulated: no deadlock met in %" PRIu64 " cycles", r->cycles);
    return v;
}

uint32_t mw_scene_verdicts(const struct mw_scene *s,
                           struct mw_scene_verdict out[MW_SCENE_VERDICTS])
{
    uint32_t n = 0;
    for (int m = 0; m < MW_N_MODELS; m++) {
        const struct mw_proof *p = mw_scene_proof(s, (enum mw_mesh_model)m);
        if (p == NULL)
            continue;
        out[n].kind = p->free ? MW_VERDICT_GOOD : MW_VERDICT_BAD;
        snprintf(out[n].text, sizeof out[n].text, "%s: %s", mw_mesh_model_names[m],
                 p->free ? "free" : "can deadlock");
        n++;
    }
    if (s->picture->puts != NULL) {
        const bool is_free = s->picture->puts->n_circle == 0;
        out[n].kind = is_free ? MW_VERDICT_GOOD : MW_VERDICT_BAD;
        snprintf(out[n++].text, sizeof out->text, "rma: %s",
                 is_free ? "free" : "can deadlock");
    }
    if (s->picture->sim != NULL)
        out[n++] = simulated(s->picture->sim);
    return n;
}

uint32_t mw_scene_letters(const struct mw_scene *s, char letter[MW_N_LETTERS + 1])
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < mw_mesh_cores(s->layout); v++)
        if (memchr(letter, s->layout->role[v], n) == NULL)
            letter[n++] = s->layout->role[v];
    return n;
}

/* ---- life ------------------------------------------------------------------------------- */

void mw_scene_fini(struct mw_scene *s)
{
    MW_FREE_ALL(s->hop_flows, s->starts, s->passes, s->ends, s->cycle, s->mark);
    memset(s, 0, sizeof *s);
}

int mw_scene_init(const struct mw_picture *p, struct mw_scene *s)
{
    int rc = MW_OK;
    const uint32_t n_cores = mw_mesh_cores(p->layout);
    memset(s, 0, sizeof *s);
    s->picture = p;
    s->layout = p->layout;
    MW_NEW(rc, s->hop_flows, "hops", mw_mesh_nodes(p->layout, MW_LINK));
    MW_NEW(rc, s->starts, "flows of cores", n_cores);
    MW_NEW(rc, s->passes, "flows of cores", n_cores);
    MW_NEW(rc, s->ends, "flows of cores", n_cores);
    MW_NEW(rc, s->mark, "cycle", n_cores);
    const bool ways = mw_layout_has_ways(p->layout);
    MW_TRY(rc, ways ? count_ways(s) : count_routed(s));
    if (!ways)
        count_listed(s);
    if (p->puts != NULL) { /* who starts and ends is the same, and nobody passes on */
        memset(s->hop_flows, 0, mw_mesh_nodes(p->layout, MW_LINK) * sizeof *s->hop_flows);
        memset(s->passes, 0, n_cores * sizeof *s->passes);
    }
    sum_up(s);
    MW_TRY(rc, find_cycle(s));
    return MW_OK;
end:
    mw_scene_fini(s);
    return rc;
}

/* ---- bundles ---------------------------------------------------------------------------- */

bool mw_scene_is_bundled(const struct mw_scene *s)
{
    return s->n_hops > 4 * (uint64_t)mw_mesh_cores(s->layout);
}

uint64_t *mw_scene_bundles(const struct mw_scene *s)
{
    const struct mw_layout *l = s->layout;
    const uint32_t n = mw_mesh_cores(l);
    uint64_t *flows = mw_alloc("bundles of hops", (uint64_t)n * MW_N_WAYS, sizeof *flows);
    for (uint32_t v = 0; flows != NULL && v < n; v++) {
        const mw_core from = (mw_core)v;
        mw_core to = mw_scene_next_hop(s, from, MW_NO_CORE);
        for (; to != MW_NO_CORE; to = mw_scene_next_hop(s, from, to)) {
            const bool in_row = mw_hop_class(l, from, to) == MW_ROW;
            const uint32_t step = in_row ? 1 : l->cols;
            const enum mw_compass way = in_row ? (to > from ? MW_EAST : MW_WEST)
                                               : (to > from ? MW_SOUTH : MW_NORTH);
            for (uint32_t u = v; u != to; u = to > from ? u + step : u - step)
                flows[u * MW_N_WAYS + way] += mw_scene_flows(s, from, to);
        }
    }
    return flows;
}
