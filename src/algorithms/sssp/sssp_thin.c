/* sssp_thin.c -- see sssp_thin.h.
 *
 * The margin here is for all that pruning may find afterwards: who is reached in so many rounds has a way of as many
 * edges more than any has so far (sssp_prune.c). Where rounds are not enough, there is no thin graph.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_thin.h"

#include "algorithms/sssp/sssp.h"
#include "algorithms/sssp/sssp_state.h"
#include "base/mem.h"
#include "devices/placed.h"
#include "shuffle/numbers.h"
#include "traversal/rows.h"

#include <stdlib.h>
#include <string.h>

enum { REACH_ROUNDS = 8 };
/* How much more often two ends are alike: once of uniform graphs; counted of Kronecker graphs 4, 18 and 55 times at SCALE
 * 10, 16 and 20. And how many at least are no chance. */
#define HUBS 4.0
enum { LEAST_PAIRS = 16 };

/* ---- Kernels, of hosts ------------------------------------------------------------------- */

static struct sssp_thinning *thinning_of(void *job)
{
    return ((struct mw_job *)job)->state;
}

static uint64_t n_chunks(const struct mw_edges *e)
{
    return (e->n + SSSP_THIN_CHUNK - 1) / SSSP_THIN_CHUNK;
}

MW_FN uint64_t way_at(const struct sssp_thinning *s, mw_vid v)
{
    uint32_t owner;
    const uint64_t place = mw_locate(&s->partition, v, &owner);
    return owner * s->most_places + place;
}

/* No comparison with NaN holds: who has no way keeps all tuples. */
MW_FN bool is_chosen(const struct sssp_thinning *s, uint64_t i)
{
    const float weight = s->edges->weight[i];
    mw_vid u, v;
    mw_edges_get(s->edges, i, &u, &v);
    const float by = mw_float_of_bits(s->way[way_at(s, u)]) +
                     mw_float_of_bits(s->way[way_at(s, v)]) + s->margin;
    return (int)(u != v) & (int)!(weight > by);
}

MW_FN void choose_chunk(struct sssp_thinning *s, uint64_t c, bool by_way)
{
    struct sssp_chunk *const chunk = &s->chunk[c];
    const uint64_t first = c * SSSP_THIN_CHUNK,
                   last = mw_min(first + SSSP_THIN_CHUNK, s->edges->n);
    chunk->n = 0;
    chunk->heaviest = 0;
    for (uint64_t at = first; at < last; at += 64) {
        uint64_t bits = 0;
        for (uint64_t i = at, end = mw_min(at + 64, last); i < end; i++) {
            const float weight = s->edges->weight[i];
            const bool yes = by_way ? is_chosen(s, i) : weight < s->limit;
            chunk->heaviest = weight > chunk->heaviest ? weight : chunk->heaviest;
            bits |= (uint64_t)yes << (i - at);
        }
        s->chosen[at / 64] = bits;
        chunk->n += (uint64_t)__builtin_popcountll(bits);
    }
}

static void choose(struct mw_cpe *self, void *arg)
{
    struct sssp_thinning *const s = thinning_of(arg);
    uint64_t from, to;
    mw_share(self, 0, n_chunks(s->edges), &from, &to);
    for (uint64_t c = from; c < to; c++)
        if (s->way != NULL)
            choose_chunk(s, c, true);
        else
            choose_chunk(s, c, false);
}

static void copy(struct mw_cpe *self, void *arg)
{
    struct sssp_thinning *const s = thinning_of(arg);
    uint64_t from, to;
    mw_share(self, 0, n_chunks(s->edges), &from, &to);
    for (uint64_t c = from; c < to; c++) {
        const uint64_t first = c * SSSP_THIN_CHUNK,
                       last = mw_min(first + SSSP_THIN_CHUNK, s->edges->n);
        uint64_t k = s->chunk[c].first;
        for (uint64_t at = first; at < last; at += 64)
            for (uint64_t bits = s->chosen[at / 64]; bits != 0; bits &= bits - 1, k++) {
                const uint64_t i = at + (uint64_t)__builtin_ctzll(bits);
                s->part.narrow[2 * k] = s->edges->narrow[2 * i];
                s->part.narrow[2 * k + 1] = s->edges->narrow[2 * i + 1];
                s->part.weight[k] = s->edges->weight[i];
            }
    }
}

/* Of those whom the search has reached. The landmark's number is its own. */
static void take(struct mw_cpe *self, void *arg)
{
    struct sssp_thinning *const s = thinning_of(arg);
    uint32_t *const mine = s->way + s->partition.rank * s->most_places;
    uint64_t from, to, hops = 0, most = 0;
    mw_share(self, 0, mw_my_places(&s->partition), &from, &to);
    for (uint64_t p = from; p < to; p++) {
        const uint32_t bits = mw_bits_of_float(s->distance[p]);
        mine[p] = bits < MW_BITS_OF_INFINITY ? bits : SSSP_NO_WAY;
        if (mine[p] == SSSP_NO_WAY || bits == 0)
            continue;
        hops = mw_max(hops, mw_number(s->n_hops, p, s->wide));
        most = mw_max(most, bits);
    }
    mw_lower(&s->hops_left, 0, UINT64_MAX - hops, true);
    mw_lower(&s->bits_left, 0, UINT64_MAX - most, true);
}

/* Who has no way yet takes one by a neighbour who had one before this round. */
MW_FN void reach_by(const struct sssp_thinning *s, uint32_t from, uint64_t to,
                    float weight)
{
    if (from < SSSP_NEWS)
        mw_lower(s->way, to,
                 SSSP_NEWS | mw_bits_of_float(mw_float_of_bits(from) + weight), false);
}

static void reach(struct mw_cpe *self, void *arg)
{
    const struct sssp_thinning *const s = thinning_of(arg);
    uint64_t from, to;
    mw_share(self, 0, s->part.n, &from, &to);
    for (uint64_t i = from; i < to; i++) {
        mw_vid u, v;
        mw_edges_get(&s->part, i, &u, &v);
        const uint64_t at_u = way_at(s, u), at_v = way_at(s, v);
        const uint32_t is_u = (uint32_t)mw_load(s->way, at_u, false),
                       is_v = (uint32_t)mw_load(s->way, at_v, false);
        if (is_v >= SSSP_NEWS)
            reach_by(s, is_u, at_v, s->part.weight[i]);
        if (is_u >= SSSP_NEWS)
            reach_by(s, is_v, at_u, s->part.weight[i]);
    }
}

/* News are old when the round is over. */
static void settle(struct mw_cpe *self, void *arg)
{
    struct sssp_thinning *const s = thinning_of(arg);
    uint32_t *const mine = s->way + s->partition.rank * s->most_places;
    uint64_t from, to, n = 0;
    mw_share(self, 0, mw_my_places(&s->partition), &from, &to);
    for (uint64_t p = from; p < to; p++)
        if (mine[p] >= SSSP_NEWS && mine[p] != SSSP_NO_WAY) {
            mine[p] &= ~SSSP_NEWS;
            n++;
        }
    mw_add(&s->n_reached, n);
}

/* ---- The table ------------------------------------------------------------------------------ */

struct thin_sweeps {
    mw_kernel *choose, *copy, *take, *reach, *settle;
};
static const struct thin_sweeps none, hosts = {choose, copy, take, reach, settle};
static const struct mw_kernel_table sweeps[] = {
    {"serial", &hosts}, {"host", &hosts}, {NULL, &none}};
enum { CHOOSE, COPY, TAKE, REACH, SETTLE, N_ROWS };

#define SWEEP(member) .kernel = MW_ENTRY(thin_sweeps, member)

/* clang-format off */
static const struct mw_row rows[N_ROWS] = {
    [CHOOSE] = {.name = "choose tuples", SWEEP(choose), .reads = "tuples, weights, ways to the landmark", .writes = "chosen tuples, as bits; how many of a chunk", .unit = "65536 tuples"},
    [COPY]   = {.name = "copy chosen",   SWEEP(copy),   .reads = "chosen tuples, as bits; tuples, weights", .writes = "a part of the list", .unit = "65536 tuples"},
    [TAKE]   = {.name = "take ways",     SWEEP(take),   .reads = "parent, distance", .writes = "ways to the landmark; the most hops, the greatest distance", .unit = "a place"},
    [REACH]  = {.name = "reach by tuple", SWEEP(reach), .reads = "a part of the list, ways to the landmark", .writes = "ways to the landmark", .unit = "a tuple"},
    [SETTLE] = {.name = "settle ways",   SWEEP(settle), .reads = "ways to the landmark", .writes = "ways to the landmark; a sum", .unit = "a place"},
};
/* clang-format on */

const struct mw_row_table sssp_thin_table = {rows, N_ROWS, NULL, sweeps};

/* ---- Whether it pays -------------------------------------------------------------------------- */

bool sssp_thins(const struct mw_graph_shape *list, uint32_t n_hosts, const void *options)
{
    const struct mw_sssp_rule *const rule = options;
    const bool asked =
        rule == NULL || (!rule->unpruned && !rule->alone && !rule->counts_hops);
    return asked && list->weights == MW_WEIGHTS_MINIMUM && !list->directed &&
           !list->asks_columns && n_hosts == 1 &&
           list->n_vertices <= MW_NARROW_VERTICES &&
           (double)list->n_edges >= SSSP_LONG_ROW / 2 * (double)list->n_vertices;
}

/* Collective: and there are weights to choose by. */
static int may_thin(const struct mw_world *w, const struct mw_edges *e,
                    const struct mw_graph_rule *rule, const void *options, bool *out)
{
    const struct mw_comm *const comm = w->comm;
    uint64_t lacks = e->n > 0 && (e->weight == NULL || e->narrow == NULL);
    struct mw_graph_shape list = {.n_vertices = e->n_vertices,
                                  .n_edges = e->n,
                                  .directed = e->directed,
                                  .weights = rule->weights};
    MW_NEED(mw_comm_max(w->comm, &lacks, 1));
    MW_NEED(mw_comm_sum(w->comm, &list.n_edges, 1));
    list.asks_columns = mw_owners_are_asked(rule->columns, list.n_vertices, list.n_edges,
                                            comm->size, comm->n_hosts);
    *out = lacks == 0 && sssp_thins(&list, comm->n_hosts, options);
    return MW_OK;
}

static int compare_ends(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Collective: are there hubs, so that ways by one of them are short? The first end of a tuple and the second one of another
 * are the same vertex so much more often than if all had as many. */
static int has_hubs(const struct mw_world *w, const struct mw_edges *e, bool *out)
{
    const uint64_t step = e->n / SSSP_SAMPLES + 1;
    uint32_t first[SSSP_SAMPLES], second[SSSP_SAMPLES];
    uint64_t n = 0, sum[2] = {0, 0}; /* pairs of ends; those of the same vertex */
    for (uint64_t i = 0; i < e->n; i += step) {
        first[n] = e->narrow[2 * i];
        second[n] = e->narrow[2 * i + 1];
        n += first[n] != second[n];
    }
    qsort(first, n, sizeof *first, compare_ends);
    qsort(second, n, sizeof *second, compare_ends);
    for (uint64_t i = 0, from = 0, to = 0; i < n; i++) {
        if (i == 0 || first[i] != first[i - 1])
            for (from = to; from < n && second[from] < first[i]; from++)
                ;
        for (to = mw_max(from, to); to < n && second[to] == first[i]; to++)
            ;
        sum[1] += to - from;
    }
    sum[0] = n * n;
    MW_NEED(mw_comm_sum(w->comm, sum, 2));
    *out = sum[1] >= LEAST_PAIRS &&
           (double)sum[1] * (double)e->n_vertices > HUBS * (double)sum[0];
    return MW_OK;
}

/* Collective. */
static int mean_weight(const struct mw_world *w, const struct mw_edges *e, double *out)
{
    const uint64_t step = e->n / SSSP_SAMPLES + 1;
    float sample[SSSP_SAMPLES];
    uint64_t n = 0, most;
    for (uint64_t i = 0; i < e->n; i += step)
        sample[n++] = e->weight[i];
    return sssp_mean_weight(w->comm, sample, n, out, &most);
}

/* ---- A part of the list ---------------------------------------------------------------------- */

static void forget_part(struct sssp_thinning *s)
{
    MW_FREE_ALL(s->chosen, s->chunk);
    s->chosen = NULL;
    s->chunk = NULL;
    mw_edges_fini(&s->part);
}

static int take_marks(struct sssp_thinning *s)
{
    MW_NEED_NEW(s->chosen, "chosen tuples", s->edges->n / 64 + 1);
    MW_NEED_NEW(s->chunk, "chunks of tuples", n_chunks(s->edges) + 1);
    return MW_OK;
}

static int take_part(struct sssp_thinning *s, uint64_t n)
{
    MW_NEED(mw_edges_init(&s->part, s->edges->n_vertices, n));
    MW_NEED(mw_edges_weigh(&s->part));
    s->part.n = n;
    s->part.names = s->edges->names;
    return MW_OK;
}

/* Collective: the tuples that are chosen become the part, if those are *few; *heaviest of all. Afterwards
 * nobody reads ways. */
static int choose_part(struct mw_world *w, struct sssp_thinning *s, float *heaviest,
                       bool *few)
{
    uint64_t n = 0, most = 0;
    forget_part(s);
    MW_NEED(mw_comm_agree(w->comm, take_marks(s)));
    mw_row_sweep(&sssp_thin_table, CHOOSE, w, s);
    for (uint64_t c = 0; c < n_chunks(s->edges); c++) {
        s->chunk[c].first = n;
        n += s->chunk[c].n;
        most = mw_max(most, mw_bits_of_float(s->chunk[c].heaviest));
    }
    uint64_t sum[] = {n, s->edges->n};
    MW_NEED(mw_comm_max(w->comm, &most, 1));
    MW_NEED(mw_comm_sum(w->comm, sum, 2));
    *heaviest = mw_float_of_bits((uint32_t)most);
    *few = sum[0] > 0 && sum[0] <= sum[1] / 2;
    if (!*few)
        return MW_OK;
    MW_NEED(mw_comm_agree(w->comm, take_part(s, n)));
    mw_row_sweep(&sssp_thin_table, COPY, w, s);
    return MW_OK;
}

/* ---- Ways to a landmark ------------------------------------------------------------------------ */

/* Collective: *hops and *greatest of any. */
static int take_ways(struct mw_traversal *t, struct sssp_thinning *s, uint64_t *hops,
                     float *greatest)
{
    s->n_hops = mw_traversal_values(t, 0);
    s->distance = mw_traversal_values(t, 1);
    s->wide = t->graph->wide;
    s->hops_left = s->bits_left = UINT64_MAX;
    mw_row_sweep(&sssp_thin_table, TAKE, t->world, s);
    uint64_t most[] = {UINT64_MAX - s->hops_left, UINT64_MAX - s->bits_left};
    MW_NEED(mw_comm_max(t->world->comm, most, 2));
    *hops = most[0];
    *greatest = mw_float_of_bits((uint32_t)most[1]);
    return mw_comm_share(t->world->comm, s->way, s->most_places * sizeof *s->way);
}

/* Collective. */
static int find_ways(struct mw_world *w, const struct mw_graph *g,
                     struct sssp_thinning *s, mw_vid landmark, uint64_t *hops,
                     float *greatest)
{
    static const struct mw_sssp_rule by_light = {.unpruned = true, .counts_hops = true};
    struct mw_traversal *t = NULL;
    void *window = NULL;
    int rc;
    MW_TRY(rc,
           mw_comm_hosts_alloc(w->comm, "ways to a landmark",
                               w->comm->size * s->most_places * sizeof *s->way, &window));
    s->way = window;
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_sssp, &by_light, w, g, &t));
    MW_TRY(rc, mw_traversal_reset(t));
    MW_TRY(rc, mw_traversal_run(t, landmark));
    rc = take_ways(t, s, hops, greatest);
end:
    mw_traversal_free(t);
    return rc;
}

/* Collective: *all: who is not reached now is of another component. */
static int reach_all(struct mw_world *w, struct sssp_thinning *s, bool *all)
{
    *all = false;
    for (uint32_t round = 0; round < REACH_ROUNDS && !*all; round++) {
        s->n_reached = 0;
        mw_row_sweep(&sssp_thin_table, REACH, w, s);
        MW_NEED(mw_comm_host_barrier(w->comm));
        mw_row_sweep(&sssp_thin_table, SETTLE, w, s);
        uint64_t n = s->n_reached;
        MW_NEED(mw_comm_sum(w->comm, &n, 1));
        *all = n == 0;
    }
    return MW_OK;
}

/* ---- All of it ---------------------------------------------------------------------------------- */

/* Collective: *part: the part is what rows have to be made of; else it is all tuples. */
static int choose_by_ways(struct mw_world *w, struct sssp_thinning *s,
                          const struct mw_graph *g, float heaviest, bool *part)
{
    mw_vid landmark;
    float greatest;
    uint64_t hops;
    MW_NEED(mw_placed_hub(w, g, &landmark));
    *part = landmark != MW_NO_VERTEX; /* it may have no light ones */
    if (!*part)
        return MW_OK;
    MW_NEED(find_ways(w, g, s, landmark, &hops, &greatest));
    s->margin = (float)(hops + REACH_ROUNDS) * 0x1p-19f *
                (greatest + (float)REACH_ROUNDS * heaviest);
    MW_NEED(choose_part(w, s, &heaviest, part));
    return *part ? reach_all(w, s, part) : MW_OK;
}

/* Collective: rows of a thin graph. *part: they are there; else all tuples have to have some. */
static int fill(struct mw_world *w, struct sssp_thinning *s,
                const struct mw_graph_rule *rule, struct mw_graph *g, bool *part)
{
    float heaviest;
    MW_NEED(choose_part(w, s, &heaviest, part));
    mw_lap(&g->laps, w->comm, MW_LAP_CHOOSE);
    if (!*part)
        return MW_OK;
    MW_NEED(mw_graph_fill(w, &s->part, rule, g));
    forget_part(s);
    MW_NEED(choose_by_ways(w, s, g, heaviest, part));
    mw_comm_host_free(w->comm, s->way);
    s->way = NULL;
    mw_lap(&g->laps, w->comm, MW_LAP_CHOOSE);
    return *part ? mw_graph_fill(w, &s->part, rule, g) : MW_OK;
}

int sssp_build(struct mw_world *world, const struct mw_edges *edges,
               const struct mw_graph_rule *rule, const void *options,
               struct mw_graph **out)
{
    struct sssp_thinning s = {.edges = edges};
    struct mw_graph_rule thin = *rule;
    struct mw_graph *g = NULL;
    double mean = 0;
    bool may, part = false;
    int rc;
    *out = NULL;
    MW_NEED(may_thin(world, edges, rule, options, &may));
    if (may)
        MW_NEED(has_hubs(world, edges, &may));
    if (may)
        MW_NEED(mean_weight(world, edges, &mean));
    if (!may || !(mean > 0))
        return MW_OK;
    thin.thin = true;
    thin.without_names = false;
    s.partition = mw_edges_partition(edges, world->comm->rank, world->comm->size);
    s.most_places = mw_most_places(&s.partition);
    s.limit = SSSP_LIGHT_WEIGHT * (float)mean;
    MW_TRY(rc, mw_graph_build_by(world, edges, &thin, &g));
    g->mean_weight = (float)mean;
    rc = fill(world, &s, &thin, g, &part);
end:
    forget_part(&s);
    mw_comm_host_free(world->comm, s.way);
    if (rc == MW_OK && part)
        *out = g;
    else
        mw_graph_free(g);
    return rc;
}
