/* plan.c -- see plan.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/plan_shares.h"

#include "base/resident.h"
#include "devices/building.h"
#include "devices/list_there.h"
#include "devices/placed.h"
#include "graph/edges.h"
#include "traversal/traversal.h"

#include <string.h>

const char *mw_when_name(enum mw_when when)
{
    static const char *const names[MW_WHENS] = {"always", "count", "build", "search"};
    return names[when];
}

/* What kernels with memory of their own keep from one to the next, and enlarge as they need it: the
 * lists of a frontier, and records on their way. One rank has neither, nor have whole searches. */
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
    /* Who keeps levels or seeks a target builds on hosts, and makes records. */
    row->copies = world->groups.n_ranks > 1 && !(s->built_there && out->no_records);
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
    out->no_records = false;
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
                                mw_plan_threads(conf, index), &world));
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
        if (mw_plan_threads(conf, w) == 0)
            return mw_fail(MW_ERR_INTERNAL, "plan: for how many threads?");
    MW_NEED(mw_world_shape_plan(conf->way[0].world, conf->n_ranks, conf->n_hosts,
                                mw_plan_threads(conf, 0), &out->world));
    enum mw_weights weights;
    const bool all_thin = mw_plan_are_thin(conf, &weights);
    const struct mw_plan_shares thin =
        mw_plan_shares_of(conf, true, conf->graph_rule.weights);
    const struct mw_plan_shares shares =
        all_thin ? thin : mw_plan_shares_of(conf, false, weights);
    out->wide = shares.graph.wide;
    out->most_edges =
        conf->kronecker ? mw_plan_largest_degree(conf->n_vertices, conf->n_edges) : 0;
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
        MW_NEED(add_way(conf, w, mw_plan_is_thin(conf, w) ? &thin : &shares, out));
    for (uint32_t w = 0; w < conf->n_ways && !all_thin; w++)
        if (mw_plan_is_thin(conf, w)) { /* one serves all of them */
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
