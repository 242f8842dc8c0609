/* plan_shares.c -- see plan_shares.h: estimates, for what only the data can tell.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/plan_shares.h"

#include "devices/building.h"
#include "graph/construct.h"
#include "traversal/traversal.h"

uint32_t mw_plan_threads(const struct mw_plan_conf *c, uint32_t way)
{
    const uint32_t asked = mw_world_threads_asked(c->way[way].world);
    return asked > 0 ? asked : c->n_threads;
}

/* Which rows are dealt out, for all ways. */
static int64_t delegate_of(const struct mw_plan_conf *c)
{
    int64_t delegate = MW_DELEGATE_OFF;
    for (uint32_t w = 0; w < c->n_ways; w++) {
        const int64_t rule =
            mw_algorithm_delegate(c->way[w].algorithm, c->way[w].options);
        delegate = rule != MW_DELEGATE_OFF ? rule : delegate;
    }
    return delegate;
}

static uint64_t over(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static uint32_t scale_of(uint64_t n_vertices)
{
    uint32_t scale = 0;
    while (scale < 63 && UINT64_C(1) << scale < n_vertices)
        scale++;
    return scale;
}

/* Vertices with an edge, per thousand, of the Graph500 graph with edge factor 16: counted
 * at SCALE 10, 16, 20, 22, 26, 28 (878, 714, 616, 571, 489, 452), two lines through them
 * elsewhere. */
static uint64_t connected_share(uint64_t n_vertices)
{
    const uint64_t scale = scale_of(n_vertices), bend = mw_min(scale, 22);
    const uint64_t less = 26 * (bend > 10 ? bend - 10 : 0) + 20 * (scale - bend);
    return less < 684 ? 884 - less : 200;
}

/* Tuples of which a thin graph has rows. Those of what is left are 1.4 to 2.2 a vertex, at SCALE 10 to 22 and of edge
 * factors 4 to 32 (counted); those of light ones are a tenth of the list, and a few more. */
enum { THIN_TUPLES = 2, LIGHT_PART = 9 };

/* Entries that are no duplicates, per thousand: counted at SCALE 20, 26, 28 (936, 980,
 * 986); of what is lost at 20 a share of 0.83 is for each SCALE more. */
static uint64_t kept_share(uint64_t n_vertices)
{
    uint64_t lost = 64000;
    for (uint32_t scale = 20; scale < scale_of(n_vertices); scale++)
        lost = lost / 100 * 83;
    return scale_of(n_vertices) < 22 ? 950 : 1000 - lost / 1000;
}

/* Tuples at the vertex that has most of them, estimated: 2.43 % at SCALE 16, and by what
 * was counted at SCALE 4, 10, 16 a share of 0.766 of that for each SCALE more. */
uint64_t mw_plan_largest_degree(uint64_t n_vertices, uint64_t n_edges)
{
    uint64_t degree = n_edges / 1000 * 24;
    for (uint64_t n = 1 << 16; n < n_vertices && degree > 0; n *= 2)
        degree = degree / 1000 * 766;
    return degree;
}

/* Entries that the largest bins of all cores hold together: a bin's usual ones each, and the hub
 * that is in it. One has the largest hub of all; as many as SCALE have about a third of its degree
 * (one bit of the number set), and others a tenth. A sorter has room for a quarter more. */
static uint64_t sorting(const struct mw_plan_conf *c)
{
    const uint64_t hub =
        c->kronecker ? mw_plan_largest_degree(c->n_vertices, c->n_edges) : 0;
    const uint64_t n_cores = mw_plan_threads(c, 0);
    const uint64_t second = mw_min(n_cores - 1, scale_of(c->n_vertices));
    const uint64_t rest = n_cores - 1 - second;
    const uint64_t n =
        n_cores * (UINT64_C(1) << 15) + hub + second * (hub / 3) + rest * (hub / 10);
    return mw_min(n + n / 4, n_cores * MW_PIECE_ENTRIES);
}

/* Delegated vertices and their rows' entries, of all ranks. A Kronecker graph has C(SCALE, k)
 * vertices with k bits set, and each tuple has an end at a certain one of them with probability
 * 0.76^(SCALE - k) 0.24^k; duplicates and the noise are left out. Of a file nothing is known: the
 * whole share, in the shortest rows that may have it. */
static void estimate_delegates(const struct mw_plan_conf *c, double n_entries,
                               double *n_vertices, double *n_delegated, double *heavy)
{
    const uint64_t bound = (uint64_t)delegate_of(c);
    const double share = bound == 0 ? n_entries / MW_DELEGATE_SHARE : n_entries;
    const double least =
        bound > 0 ? (double)bound : (double)mw_delegates_least(c->n_ranks);
    const uint32_t scale = scale_of(c->n_vertices);
    double n = 1, degree = n_entries;
    *n_vertices = *n_delegated = *heavy = 0;
    if (!c->kronecker) {
        *n_delegated = n_entries / MW_DELEGATE_SHARE;
        *n_vertices = *n_delegated / least;
        *heavy = least;
        return;
    }
    for (uint32_t k = 0; k < scale; k++)
        degree *= 0.76;
    for (uint32_t k = 0; k <= scale && degree >= least; k++) {
        if (*n_delegated + n * degree > share)
            return;
        *n_delegated += n * degree;
        *n_vertices += n;
        *heavy = degree;
        n = n * (scale - k) / (k + 1);
        degree *= 0.24 / 0.76;
    }
}

/* Entries of rows longer than that of all vertices, in the same way; of a file all may be
 * in such rows. */
static uint64_t estimate_long(const struct mw_plan_conf *c, double n_entries,
                              double longer)
{
    const uint32_t scale = scale_of(c->n_vertices);
    double n = 1, degree = n_entries, sum = 0;
    if (!c->kronecker)
        return (uint64_t)n_entries;
    for (uint32_t k = 0; k < scale; k++)
        degree *= 0.76;
    for (uint32_t k = 0; k <= scale && degree > longer; k++) {
        sum += n * degree;
        n = n * (scale - k) / (k + 1);
        degree *= 0.24 / 0.76;
    }
    return (uint64_t)sum;
}

/* By all ways, or by none. */
static bool is_built_there(const struct mw_plan_conf *c)
{
    for (uint32_t i = 0; i < c->n_ways; i++) {
        const struct mw_backend *b;
        if (mw_backend_find(c->way[i].world->backend, &b) != MW_OK) {
            mw_error_clear(); /* others say it */
            return false;
        }
        const struct mw_world_shape shape = {.backend = b,
                                             .groups.n_ranks = c->n_ranks,
                                             .n_hosts = c->n_hosts,
                                             .exchange = c->way[i].world->exchange};
        const struct mw_algorithm *const a = c->way[i].algorithm;
        const bool stays = a->stays != NULL && a->stays(c->way[i].options, b);
        if (!mw_cores_build(&c->graph_rule, &shape, stays, c->n_vertices, c->directed))
            return false;
    }
    return true;
}

/* Of a file nothing is known. */
bool mw_plan_is_thin(const struct mw_plan_conf *c, uint32_t way)
{
    const struct mw_algorithm *const a = c->way[way].algorithm;
    const struct mw_graph_shape list = {
        .n_vertices = c->n_vertices,
        .n_edges = c->n_edges,
        .directed = c->directed,
        .weights = c->graph_rule.weights,
        .asks_columns = mw_owners_are_asked(c->graph_rule.columns, c->n_vertices,
                                            c->n_edges, c->n_ranks, c->n_hosts)};
    const struct mw_backend *b;
    if (!c->kronecker || a->thins == NULL || is_built_there(c))
        return false;
    if (mw_backend_find(c->way[way].world->backend, &b) != MW_OK) {
        mw_error_clear(); /* others say it */
        return false;
    }
    return mw_algorithm_builds(a, b) && a->thins(&list, c->n_hosts, c->way[way].options);
}

bool mw_plan_are_thin(const struct mw_plan_conf *c, enum mw_weights *of_others)
{
    bool all = true;
    *of_others = MW_WEIGHTS_NONE;
    for (uint32_t w = 0; w < c->n_ways; w++)
        if (!mw_plan_is_thin(c, w)) {
            all = false;
            if (c->way[w].algorithm->weights != MW_WEIGHTS_NONE)
                *of_others = c->graph_rule.weights;
        }
    return all;
}

static struct mw_delegates_shape delegates_of(const struct mw_plan_conf *c,
                                              struct mw_plan_shares *s)
{
    double n_vertices, n_entries;
    if (c->n_ranks == 1 || delegate_of(c) == MW_DELEGATE_OFF)
        return (struct mw_delegates_shape){0};
    estimate_delegates(c, (double)s->graph.n_kept * c->n_ranks, &n_vertices, &n_entries,
                       &s->heavy);
    if (n_vertices < 1)
        return (struct mw_delegates_shape){0};
    s->heavy_vertices = n_vertices;
    s->heavy_entries = n_entries;
    return (struct mw_delegates_shape){
        .n_ranks = c->n_ranks,
        .n_vertices = (uint64_t)n_vertices,
        .most = (uint64_t)(n_vertices / c->n_ranks) + 1,
        .n_entries = (uint64_t)(n_entries / c->n_ranks),
        .weighted = s->graph.weights != MW_WEIGHTS_NONE,
        .named = s->graph.asks_names,
        .wide = s->graph.wide,
    };
}

struct mw_plan_shares mw_plan_shares_of(const struct mw_plan_conf *c, bool thin,
                                        enum mw_weights weights)
{
    struct mw_plan_shares s = {.graph.n_vertices = c->n_vertices};
    s.graph.n_places = s.graph.most_places = over(c->n_vertices, c->n_ranks);
    s.graph.n_tuples = over(c->n_edges, c->n_ranks);
    s.graph.n_labels = c->kronecker
                           ? s.graph.n_places / 1000 * connected_share(c->n_vertices)
                           : s.graph.n_places;
    s.graph.directed = c->directed;
    s.graph.thin = thin;
    s.graph.weights = weights;
    s.graph.n_edges = c->n_edges;
    s.of_file = !c->kronecker;
    s.weighted = c->graph_rule.weights != MW_WEIGHTS_NONE;
    s.built_there =
        is_built_there(c); /* from a table of all columns, and nobody is asked */
    s.graph.asks_columns =
        !s.built_there && mw_owners_are_asked(c->graph_rule.columns, c->n_vertices,
                                              c->n_edges, c->n_ranks, c->n_hosts);
    s.graph.asks_names = s.graph.asks_columns;
    for (uint32_t w = 0; w < c->n_ways; w++)
        s.graph.asks_names &= c->way[w].algorithm->asks_names;
    s.graph.n_entries = mw_saturating_times(c->directed ? 1 : 2, s.graph.n_tuples);
    if (s.graph.thin)
        s.graph.n_entries =
            mw_min(s.graph.n_entries, 2 * mw_max(THIN_TUPLES * s.graph.n_places,
                                                 s.graph.n_tuples / LIGHT_PART));
    s.graph.n_in_entries = s.graph.n_in_kept = c->directed ? s.graph.n_tuples : 0;
    s.graph.n_kept = c->kronecker ? s.graph.n_entries / 1000 * kept_share(c->n_vertices)
                                  : s.graph.n_entries;
    s.graph.n_sorting = sorting(c);
    s.label_bits = (uint32_t)mw_min(40, mw_label_bits(s.graph.n_labels));
    s.graph.n_columns =
        mw_graph_columns(s.graph.n_vertices, c->n_ranks, s.label_bits, &s.graph.wide);
    s.delegates = delegates_of(c, &s);
    /* The rank of the largest hub has its whole row, in one round, beside a share of the others. */
    const uint64_t hub = c->kronecker && c->n_ranks > 1
                             ? mw_plan_largest_degree(c->n_vertices, c->n_edges)
                             : 0;
    if (s.built_there) /* rows are of all entries, and dealt to ranks */
        s.n_long = estimate_long(
                       c, (double)s.graph.n_entries * c->n_ranks,
                       1 << mw_building_sorted_log2(s.graph.weights != MW_WEIGHTS_NONE)) /
                       c->n_ranks +
                   hub;
    s.graph.n_mean_round = s.graph.n_entries / MW_CONSTRUCTION_ROUNDS;
    s.graph.n_round = s.graph.n_mean_round + hub;
    s.graph.n_entries = mw_saturating_plus(s.graph.n_entries, hub);
    s.graph.n_kept = mw_saturating_plus(s.graph.n_kept, hub);
    return s;
}
