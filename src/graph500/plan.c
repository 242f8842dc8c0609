/* plan.c -- see plan.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/plan.h"

#include "base/resident.h"
#include "devices/building.h"
#include "devices/list_there.h"
#include "devices/placed.h"
#include "graph/construct.h"
#include "graph/edges.h"
#include "traversal/traversal.h"

#include <string.h>

static uint32_t threads_of(const struct mw_plan_conf *c, uint32_t way)
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

const char *mw_when_name(enum mw_when when)
{
    static const char *const names[MW_WHENS] = {"always", "count", "build", "search"};
    return names[when];
}

/* ---- Estimates ---------------------------------------------------------------------------- */

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

/* Tuples a vertex of which a thin graph has rows: counted are 1.4 to 2.2, at SCALE 10 to 22 and of edge factors 4 to 32. */
enum { THIN_TUPLES = 2 };

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
static uint64_t largest_degree(uint64_t n_vertices, uint64_t n_edges)
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
    const uint64_t hub = c->kronecker ? largest_degree(c->n_vertices, c->n_edges) : 0;
    const uint64_t n_cores = threads_of(c, 0);
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

/* Does a way's algorithm build a thin graph? Of a file nothing is known. */
static bool is_thin(const struct mw_plan_conf *c, uint32_t way)
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

/* Do all? And with which weights do the others search all rows? */
static bool are_thin(const struct mw_plan_conf *c, enum mw_weights *of_others)
{
    bool all = true;
    *of_others = MW_WEIGHTS_NONE;
    for (uint32_t w = 0; w < c->n_ways; w++)
        if (!is_thin(c, w)) {
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

/* Of a thin graph, or of one of all rows. */
static struct mw_plan_shares shares_of(const struct mw_plan_conf *c, bool thin,
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
        s.graph.n_entries = mw_min(s.graph.n_entries, 2 * THIN_TUPLES * s.graph.n_places);
    s.graph.n_in_entries = s.graph.n_in_kept = c->directed ? s.graph.n_tuples : 0;
    s.graph.n_kept = c->kronecker ? s.graph.n_entries / 1000 * kept_share(c->n_vertices)
                                  : s.graph.n_entries;
    s.graph.n_sorting = sorting(c);
    s.label_bits = (uint32_t)mw_min(40, mw_label_bits(s.graph.n_labels));
    s.graph.n_columns =
        mw_graph_columns(s.graph.n_vertices, c->n_ranks, s.label_bits, &s.graph.wide);
    s.delegates = delegates_of(c, &s);
    /* The rank of the largest hub has its whole row, in one round, beside a share of the others. */
    const uint64_t hub =
        c->kronecker && c->n_ranks > 1 ? largest_degree(c->n_vertices, c->n_edges) : 0;
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

/* What kernels with memory of their own keep from one to the next, and enlarge as they need it: the
 * lists of a frontier, and records on their way. One rank has neither. */
static void add_rooms(const struct mw_plan_shares *s, const struct mw_world_shape *world,
                      struct mw_sizes *out)
{
    const uint64_t batches = mw_size_taken(mw_sizes_find(out, "batches to search"), 1);
    const uint64_t lists =
        mw_saturating_times(s->graph.n_labels, 18); /* of 4 + 8, and a half */
    const struct mw_memory *const m = world->backend->memory;
    const bool trades = m != NULL && m->trading != NULL && world->groups.width == 1 &&
                        world->exchange != MW_EXCHANGE_MPI;
    /* Drafts, sorted records and visits, and a half. */
    const uint64_t units =
        mw_min(s->graph.n_entries, (uint64_t)MW_TRADE_BATCHES * world->batch_bytes / 8);
    struct mw_size *row = mw_sizes_add_of(
        out, MW_OF_CORES, MW_SEARCHING, "rooms of kernels",
        mw_saturating_plus(mw_saturating_plus(lists, mw_saturating_times(batches, 4)),
                           mw_saturating_times(trades * units, 60)),
        1);
    row->copies = world->groups.n_ranks > 1;
    row->estimated = true;
}

/* ---- Tables ------------------------------------------------------------------------------- */

/* Of one way to search. */
static void search_sizes(const struct mw_plan_shares *s,
                         const struct mw_world_shape *world,
                         const struct mw_algorithm *algorithm, const void *options,
                         struct mw_sizes *out)
{
    const struct mw_algorithm_shape search = {
        .n_places = s->graph.n_places,
        .n_labels = s->graph.n_labels,
        .n_entries = mw_saturating_plus(s->graph.n_kept,
                                        s->graph.directed ? s->graph.n_in_kept : 0),
        .label_bits = s->label_bits,
        .place_bits = mw_bits_for(s->graph.most_places),
        .wide = s->graph.wide,
        .directed = s->graph.directed,
        .thin = s->graph.thin,
        .asks_names = s->graph.asks_names,
        .options = options,
        .delegates = s->delegates};
    if (!s->built_there)
        mw_graph_place_sizes(&s->graph, &s->delegates, world, out);
    mw_traversal_sizes(algorithm, &search, world, out);
    if (world->apart)
        add_rooms(s, world, out);
}

/* Where the cores have it; at home to be validated by, if somebody does. */
static void list_sizes(const struct mw_plan_shares *s, bool validate,
                       struct mw_sizes *out)
{
    struct mw_sizes home = {0};
    const bool weighted = s->weighted;
    mw_list_sizes(s->graph.n_tuples, weighted, out);
    mw_edges_sizes(s->graph.n_vertices, s->graph.n_tuples, weighted, &home);
    for (uint32_t i = 0; i < home.n; i++) {
        home.row[i].when = s->of_file ? MW_ALWAYS : MW_SEARCHING;
        home.row[i].copies *= s->of_file || validate;
        out->row[out->n++] = home.row[i];
    }
}

/* Checks belong to the world of the first way. */
static void check_sizes(const struct mw_plan_shares *s,
                        const struct mw_world_shape *world, const struct mw_check *check,
                        struct mw_sizes *out)
{
    const struct mw_check_shape shape = {
        s->graph.n_vertices, s->graph.n_places, s->graph.n_labels, s->graph.n_tuples,
        s->graph.wide,       s->graph.directed, s->built_there,    check};
    check->sizes(&shape, world, out);
}

void mw_plan_sizes(const struct mw_plan_shares *s, const struct mw_world_shape *world,
                   const struct mw_algorithm *algorithm, const void *options,
                   bool validate, struct mw_sizes *out)
{
    const bool checks = validate && algorithm->check != NULL;
    const struct mw_world_shape host = mw_world_shape_host_side(world);
    mw_world_sizes(world, out);
    if (s->built_there) {
        list_sizes(s, checks, out);
        mw_building_sizes(&s->graph, &s->delegates, s->n_long, world, out);
    } else {
        mw_edges_sizes(s->graph.n_vertices, s->graph.n_tuples, s->weighted, out);
        mw_graph_sizes(&s->graph, &host, out);
        mw_delegates_sizes(&s->delegates, host.n_lanes, out);
    }
    search_sizes(s, world, algorithm, options, out);
    if (checks)
        check_sizes(s, world, algorithm->check, out);
    if (!world->apart)
        mw_sizes_of_host(out);
}

/* ---- Sums --------------------------------------------------------------------------------- */

typedef uint64_t measure(const struct mw_size *size, uint64_t host_ranks);

/* A process maps all of what its host shares. */
static uint64_t mapped(const struct mw_size *size, uint64_t host_ranks)
{
    return mw_saturating_times(mw_size_taken(size, host_ranks),
                               size->of_host ? host_ranks : 1);
}

/* Without what nobody has to have. */
static uint64_t needed(const struct mw_size *size, uint64_t host_ranks)
{
    return size->spare ? 0 : mw_size_taken(size, host_ranks);
}

/* What a host's ranks share and have to have: all of it, not a rank's part. */
static uint64_t shared(const struct mw_size *size, uint64_t host_ranks)
{
    return size->of_host && !size->spare ? mapped(size, host_ranks) : 0;
}

/* Of the host's memory, or of that of cores which is apart from it. */
static uint64_t peak(const struct mw_plan *p, bool of_cores, measure *of)
{
    uint64_t sum[MW_WHENS] = {0}, most = 0;
    for (uint32_t i = 0; i < p->sizes.n; i++) {
        const struct mw_size *row = &p->sizes.row[i];
        if ((row->kind == MW_OF_CORES) == of_cores)
            sum[row->when] =
                mw_saturating_plus(sum[row->when], of(row, p->world.host_ranks));
    }
    for (int w = MW_ALWAYS + 1; w < MW_WHENS; w++)
        most = mw_max(most, sum[w]);
    return mw_saturating_plus(sum[MW_ALWAYS], most);
}

/* The list of tuples, where cores have it. */
static uint64_t list_bytes(const struct mw_plan_shares *s)
{
    struct mw_sizes list = {0};
    uint64_t bytes = 0;
    if (s->built_there)
        mw_list_sizes(s->graph.n_tuples, s->weighted, &list);
    for (uint32_t i = 0; i < list.n; i++)
        bytes = mw_saturating_plus(bytes, mw_size_taken(&list.row[i], 1));
    return bytes;
}

/* Ways of one check share it. */
static bool brings_a_check(const struct mw_plan_conf *c, uint32_t way)
{
    const struct mw_check *const check = c->way[way].algorithm->check;
    bool is_new = c->validate && check != NULL;
    for (uint32_t k = 0; k < way; k++)
        is_new = is_new && c->way[k].algorithm->check != check;
    return is_new;
}

/* Another way's search and check, as two rows: its own and what the ranks of a host share. */
static int add_way(const struct mw_plan_conf *conf, uint32_t index,
                   const struct mw_plan_shares *shares, struct mw_plan *p)
{
    const struct mw_plan_way *way = &conf->way[index];
    struct mw_sizes all = {0}, own = {0}, of_cores = {0};
    struct mw_world_shape world;
    uint64_t of_host = 0;
    MW_NEED(mw_world_shape_plan(way->world, conf->n_ranks, conf->n_hosts,
                                threads_of(conf, index), &world));
    search_sizes(shares, &world, way->algorithm, way->options, &all);
    if (brings_a_check(conf, index))
        check_sizes(shares, &p->world, way->algorithm->check, &all);
    if (!world.apart)
        mw_sizes_of_host(&all);
    for (uint32_t i = 0; i < all.n; i++)
        if (all.row[i].kind == MW_OF_CORES)
            of_cores.row[of_cores.n++] = all.row[i];
        else if (!all.row[i].of_host)
            own.row[own.n++] = all.row[i];
        else
            of_host = mw_saturating_plus(
                of_host,
                mw_saturating_times(all.row[i].n * all.row[i].bytes, all.row[i].copies));
    mw_sizes_fold(&p->sizes, MW_SEARCHING, "another way's search and check", &own)->kind =
        MW_OF_HOST;
    if (of_cores.n > 0)
        mw_sizes_fold(&p->sizes, MW_SEARCHING, "another way's search, of cores",
                      &of_cores);
    mw_sizes_add(&p->sizes, MW_SEARCHING, "another way's bitmaps", of_host, 1)->of_host =
        true;
    return MW_OK;
}

/* What stays of it, beside the graph of all rows that is built later. */
static void add_thin_graph(const struct mw_plan_shares *thin, struct mw_plan *p)
{
    const struct mw_world_shape host = mw_world_shape_host_side(&p->world);
    struct mw_sizes all = {0}, own = {0};
    uint64_t of_host = 0;
    mw_graph_sizes(&thin->graph, &host, &all);
    for (uint32_t i = 0; i < all.n; i++) {
        const struct mw_size *const row = &all.row[i];
        if (row->when != MW_ALWAYS && row->when != MW_SEARCHING)
            continue;
        if (row->of_host)
            of_host = mw_saturating_plus(
                of_host, mw_saturating_times(row->n * row->bytes, row->copies));
        else
            own.row[own.n++] = *row;
    }
    mw_sizes_fold(&p->sizes, MW_ALWAYS, "another way's graph", &own)->kind = MW_OF_HOST;
    mw_sizes_add(&p->sizes, MW_ALWAYS, "names of its columns", of_host, 1)->of_host =
        true;
}

int mw_plan_make(const struct mw_plan_conf *conf, struct mw_plan *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t w = 0; w < conf->n_ways; w++) {
        MW_NEED(mw_algorithm_check(conf->way[w].algorithm));
        MW_NEED(
            mw_algorithm_takes(conf->way[w].algorithm, false, conf->graph_rule.shuffles));
    }
    for (uint32_t w = 0; w < conf->n_ways; w++)
        if (threads_of(conf, w) == 0)
            return mw_fail(MW_ERR_INTERNAL, "plan: for how many threads?");
    MW_NEED(mw_world_shape_plan(conf->way[0].world, conf->n_ranks, conf->n_hosts,
                                threads_of(conf, 0), &out->world));
    enum mw_weights weights;
    const bool all_thin = are_thin(conf, &weights);
    const struct mw_plan_shares thin = shares_of(conf, true, conf->graph_rule.weights);
    const struct mw_plan_shares shares =
        all_thin ? thin : shares_of(conf, false, weights);
    out->wide = shares.graph.wide;
    out->most_edges =
        conf->kronecker ? largest_degree(conf->n_vertices, conf->n_edges) : 0;
    out->built_there = shares.built_there;
    if (shares.delegates.n_vertices > 0) {
        out->label_bits = shares.label_bits;
        out->heavy = shares.heavy;
        out->heavy_vertices = shares.heavy_vertices;
        out->heavy_entries = shares.heavy_entries;
    }
    mw_plan_sizes(&shares, &out->world, conf->way[0].algorithm, conf->way[0].options,
                  conf->validate, &out->sizes);
    for (uint32_t w = 1; w < conf->n_ways; w++)
        MW_NEED(add_way(conf, w, is_thin(conf, w) ? &thin : &shares, out));
    for (uint32_t w = 0; w < conf->n_ways && !all_thin; w++)
        if (is_thin(conf, w)) { /* one serves all of them */
            add_thin_graph(&thin, out);
            break;
        }
    out->mapped_bytes = peak(out, false, mapped);
    out->shared_bytes = out->world.host_ranks > 1 ? peak(out, false, shared) : 0;
    out->device_bytes = peak(out, true, needed);
    out->device_most_bytes = peak(out, true, mw_size_taken);
    for (uint32_t i = 0; i < out->sizes.n; i++)
        out->device_judges |=
            out->sizes.row[i].kind == MW_OF_CORES && out->sizes.row[i].spare;
    out->device_list_bytes = list_bytes(&shares);
    struct mw_size *row =
        mw_sizes_add(&out->sizes, MW_ALWAYS, "program, MPI and libraries (measured now)",
                     mw_resident_peak(), 1);
    row->folded = true;
    out->peak_bytes = peak(out, false, mw_size_touched);
    return MW_OK;
}
