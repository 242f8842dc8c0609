/* construct.c -- kernel 1: edges -> degrees -> labels -> rows.
 *
 *      1  count    how often each vertex occurs, at its owner
 *      2  label    by falling degree; the largest label decides how columns are split
 *                  (the columns of all vertices, one table per host, or nothing: ask)
 *      3  build    rows, in rounds of places, into room for all entries of the row
 *      4  pack     duplicates have left gaps: rows move together
 *      5  name     the input's number of each column, one table per host, or nothing: ask
 *
 * Of a directed graph 1, 3 and 4 are done once for the edges that leave, once for those that
 * enter; the columns of all vertices serve both.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/construct.h"

#include "base/stop.h"
#include "graph/delegates.h"
#include "mpe/prefix.h"

#include <string.h>

enum {
    ROUNDS = MW_CONSTRUCTION_ROUNDS,
    COUNT_BIN_PLACES = 1 << 15, /* 128 KB of degrees: half of a small L2 */
    BIN_ENTRIES = 1 << 15,      /* 256 KB of keys, twice, while a bin is sorted */
    SLICES_MOST = 256
};

const char *const mw_lap_names[MW_N_LAPS] = {"room", "count", "label", "columns", "enter",
                                             "sort", "pack",  "name",  "delegate"};

static uint64_t number_of(const struct mw_graph *g)
{
    return g->wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* ---- Table or owners? -------------------------------------------------------------------- */

bool mw_owners_are_asked(enum mw_look_up rule, uint64_t n_vertices, uint64_t n_edges,
                         uint32_t n_ranks, uint32_t n_hosts)
{
    const uint64_t number = mw_number_bytes(n_vertices > MW_NARROW_VERTICES);
    const uint64_t table = mw_saturating_times(n_vertices, number);
    const uint64_t edges = mw_saturating_times(n_edges / n_hosts, 2 * number);
    if (n_ranks == 1 || rule == MW_LOOK_UP_TABLE)
        return false;
    return rule == MW_LOOK_UP_ASK ||
           (n_hosts > 1 && table > MW_TABLE_BYTES && table > edges);
}

/* ---- The table of sizes ------------------------------------------------------------------ */

/* What the blocks of bins are cut by: the ends that a round of counting brings. */
static uint64_t first_bins_bytes(uint64_t n_tuples)
{
    return 2 * n_tuples / ROUNDS * sizeof(uint32_t);
}

/* Bins of a size to sort in cache: fewer places where rows are long. */
static uint32_t build_bin_shift(uint64_t n_places, uint64_t n_ends)
{
    const uint64_t entries = mw_max(1, n_ends / ROUNDS);
    const uint64_t places = n_places / ROUNDS + 1;
    return mw_bits_for(mw_min(1 << 16, places * BIN_ENTRIES / entries) / 2 + 1);
}

static uint64_t build_bins(uint64_t n_places, uint32_t shift)
{
    return ((n_places / ROUNDS + 1) >> shift) + 2;
}

static uint64_t count_bins(uint64_t n_places)
{
    return (n_places >> mw_bits_for(COUNT_BIN_PLACES)) + 1;
}

static uint32_t entry_bytes(bool wide)
{
    return wide ? sizeof(struct mw_wide_entry) : sizeof(struct mw_entry);
}

/* Ends that a pass over so many tuples looks at. */
static uint64_t ends_of(uint64_t n_tuples, bool directed)
{
    return (directed ? 1 : 2) * n_tuples;
}

/* What a rank puts aside in a round of counting and of building for the ranks of its host, who
 * own their share of all ends. */
enum { COUNT, BUILD, LOADS };

static void shelf_loads(uint64_t most_places, uint64_t n_ends, bool wide, uint32_t n_near,
                        uint32_t n_ranks, struct mw_shelf_load load[LOADS])
{
    const uint32_t shift = build_bin_shift(most_places, n_ends);
    const uint64_t n_records =
        (uint64_t)((double)(n_ends / ROUNDS + 1) * n_near / n_ranks) + 1;
    load[COUNT] =
        (struct mw_shelf_load){count_bins(most_places), n_records, sizeof(uint32_t)};
    load[BUILD] = (struct mw_shelf_load){build_bins(most_places, shift), n_records,
                                         entry_bytes(wide)};
}

/* Bytes of a rank's part of the shelf; 0: there is none. */
static uint64_t shelf_bytes(const struct mw_world_shape *world, uint64_t most_places,
                            uint64_t n_ends, bool wide)
{
    struct mw_shelf_load load[LOADS];
    if (world->host_ranks == 1 || !world->backend->short_circuit)
        return 0;
    shelf_loads(most_places, n_ends, wide, world->host_ranks, world->groups.n_ranks,
                load);
    return mw_shelf_bytes(load, LOADS, world->host_ranks, world->n_lanes);
}

/* Duplicates have left gaps, and the end of the block went back. */
static void add_packed(const char *what, uint64_t n_entries, uint64_t n_kept,
                       uint64_t number, struct mw_sizes *out)
{
    const uint64_t left = mw_block_left(n_entries * number, n_kept * number);
    mw_sizes_add(out, MW_SEARCHING, what, left, 1)->folded = true;
}

static const char *columns_of(const struct mw_construction *c)
{
    return c->ends == MW_SECOND_ENDS ? "columns inwards" : "columns";
}

/* Blocks that this file takes by their names here. */
static void graph_sizes(const struct mw_graph_shape *s,
                        const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct mw_graph *g = NULL;
    const uint64_t number = s->wide ? sizeof(uint64_t) : sizeof(uint32_t);
    const uint32_t n_ranks = world->groups.n_ranks;
    struct mw_size *row;

    mw_sizes_add(out, MW_ALWAYS, "degrees", s->n_places, sizeof *g->degree);
    mw_sizes_add(out, MW_ALWAYS, "place of each label", s->n_labels, sizeof *g->place_of);
    mw_sizes_add(out, MW_ALWAYS, "label of each place", s->n_places, sizeof *g->label_of);
    mw_sizes_add(out, MW_ALWAYS, "connected places", s->n_places / 64 + 1,
                 sizeof *g->connected);
    mw_sizes_add(out, MW_ALWAYS, "connected places before", s->n_places / 64 + 1,
                 sizeof *g->n_before);
    mw_sizes_add(out, MW_ALWAYS, "row starts", s->n_labels + 1, sizeof *g->row)->copies =
        s->directed ? 2 : 1;
    mw_sizes_add(out, MW_ALWAYS, "heads", s->n_labels, number);
    mw_sizes_add(out, MW_COUNTING, "places by degree", s->n_places, sizeof(uint32_t))
        ->copies = 2;
    mw_sizes_add(out, MW_COUNTING, "counts of digits", world->n_lanes,
                 sizeof(uint64_t) << MW_LABEL_DIGIT);
    for (int w = MW_COUNTING; w <= MW_BUILDING; w++)
        mw_sizes_add(out, (enum mw_when)w, "degrees inwards", s->n_places,
                     sizeof(uint32_t))
            ->copies = s->directed;
    mw_sizes_add(out, MW_COUNTING, "degrees, in and out", s->n_places, sizeof(uint32_t))
        ->copies = s->directed;
    mw_sizes_add(out, MW_BUILDING, "columns", s->n_entries, number);
    mw_sizes_add(out, MW_BUILDING, "columns inwards", s->n_in_entries, number)->copies =
        s->directed;
    mw_sizes_add(out, MW_BUILDING, "row lengths", s->n_labels, sizeof(uint32_t));
    row = mw_sizes_add(out, MW_BUILDING, "columns of all vertices",
                       n_ranks * s->most_places, number);
    row->of_host = true;
    /* With one rank label_of is the same. */
    row->copies = (n_ranks > 1 || s->wide) && !s->asks_columns;
    mw_sizes_add(out, MW_BUILDING, "sorters", world->n_lanes, sizeof(struct mw_sorter));
    mw_sizes_add(out, s->asks_names ? MW_ALWAYS : MW_SEARCHING, "names of the heads",
                 s->n_labels, number);
    row = mw_sizes_add(out, MW_SEARCHING, "names of the columns", s->n_columns, number);
    row->of_host = true;
    row->copies = !s->asks_names;
}

/* As far as it is known by now. */
static struct mw_graph_shape shape_of(const struct mw_construction *c)
{
    const struct mw_graph *g = c->g;
    const uint64_t *row = c->to != NULL ? c->to->row : NULL; /* of the rows being built */
    const uint64_t n_entries = row != NULL ? row[g->n_labels] : 0;
    return (struct mw_graph_shape){
        .n_vertices = g->n_vertices,
        .n_places = g->n_places,
        .most_places = mw_most_places(&g->partition),
        .n_tuples = c->edges->n,
        .n_labels = g->n_labels,
        .n_columns = g->n_columns,
        .n_entries = n_entries,
        .n_in_entries = n_entries,
        .wide = g->wide,
        .directed = g->directed,
        .asks_columns = c->asks,
        .asks_names = c->asks_names,
    };
}

void mw_construction_sizes(const struct mw_construction *c, struct mw_sizes *out)
{
    const struct mw_graph_shape shape = shape_of(c);
    struct mw_world_shape world;
    mw_world_shape_of(c->world, &world);
    out->n = 0;
    graph_sizes(&shape, &world, out);
}

/* Collective, between two phases: MW_ERR_INTERRUPTED on all ranks when one was asked to end. */
static int go_on(struct mw_construction *c)
{
    return mw_comm_agree(c->world->comm, mw_stop_check("building", "the graph"));
}

/* ---- 1 count --------------------------------------------------------------------------- */

/* A record of counting is all said by its child. */
static struct mw_record_bits count_bits(uint64_t most_places)
{
    return (struct mw_record_bits){mw_bits_for(most_places), 0};
}

/* ---- Bins: this rank's, and those on the shelf ------------------------------------------ */

static int bins_shape(struct mw_construction *c, int which)
{
    int rc;
    const struct mw_graph *g = c->g;
    const uint64_t most = mw_most_places(&g->partition);
    const uint64_t n_ends = ends_of(c->most_tuples, g->directed);
    struct mw_shelf_load load[LOADS];
    shelf_loads(most, n_ends, g->wide, c->world->comm->host_size, c->world->comm->size,
                load);
    c->bin_shift =
        which == COUNT ? mw_bits_for(COUNT_BIN_PLACES) : build_bin_shift(most, n_ends);
    MW_TRY(rc, mw_bins_reshape(&c->bins, load[which].n_bins, load[which].record_bytes));
    MW_TRY(rc, mw_shelf_shape(&c->shelf, &load[which]));
end:
    return rc;
}

/* Collective. */
static int bins_init(struct mw_construction *c)
{
    int rc;
    const struct mw_graph *g = c->g;
    struct mw_world_shape world;
    mw_world_shape_of(c->world, &world);
    const uint32_t n_lanes = world.n_lanes;
    uint64_t most[2] = {c->edges->n, n_lanes};
    MW_TRY(rc, mw_comm_max(c->world->comm, most, 2));
    c->most_tuples = most[0];
    world.n_lanes = (uint32_t)most[1];
    rc = mw_bins_init(&c->bins, n_lanes, 1, sizeof(uint32_t),
                      first_bins_bytes(c->edges->n));
    MW_TRY(rc, mw_comm_agree(c->world->comm, rc));
    const uint64_t bytes = shelf_bytes(&world, mw_most_places(&g->partition),
                                       ends_of(c->most_tuples, g->directed),
                                       g->n_vertices > MW_NARROW_VERTICES);
    if (world.backend->short_circuit)
        rc = mw_shelf_init(&c->shelf, c->world->comm, n_lanes, world.n_lanes, bytes);
end:
    return rc;
}

/* Whether the generators put nearly all of it aside where its owner finds it. */
static bool is_all_near(const struct mw_construction *c)
{
    return c->world->comm->size == 1 ||
           (c->world->comm->n_hosts == 1 && c->shelf.of != NULL && !c->asks);
}

/* After a run that put records aside: works on all bins, when all ranks of the host have filled
 * theirs. Collective; afterwards they may be filled again. */
static int bins_work(struct mw_construction *c, int rc, enum mw_construction_rows work)
{
    if (rc == MW_OK)
        rc = mw_bins_status(&c->bins);
    c->next_bin = 0;
    mw_bins_seal(&c->bins);
    mw_shelf_publish(&c->shelf);
    if (c->shelf.of != NULL && mw_comm_host_barrier(c->world->comm) < MW_OK &&
        rc == MW_OK)
        rc = MW_ERR_INTERNAL;
    if (rc == MW_OK)
        mw_construction_sweep(c, work);
    if (rc == MW_OK)
        rc = mw_bins_status(&c->bins);
    mw_bins_clear(&c->bins);
    mw_shelf_clear(&c->shelf);
    return mw_comm_agree(c->world->comm, rc);
}

static void lap(struct mw_construction *c, enum mw_lap is)
{
    mw_lap(&c->g->laps, c->world->comm, is);
}

/* One run of a pipeline that fills bins. */
static int fill_bins(struct mw_construction *c, struct mw_pipeline *p)
{
    struct mw_traffic traffic;
    const int rc = mw_pipeline_run(p, mw_modules_all(p));
    mw_pipeline_traffic(p, &traffic);
    c->g->laps.in_pipelines_s += traffic.waited_s;
    return rc;
}

static int count_degrees(struct mw_construction *c, struct mw_row_set *to,
                         enum mw_ends ends)
{
    struct mw_modules modules;
    struct mw_pipeline *p = NULL;
    int rc;

    mw_modules_find(&mw_construction_table, MW_CONSTRUCTION_COUNT, c->world->backend,
                    &c->world->groups, &modules);
    c->to = to;
    c->ends = ends;
    rc = mw_comm_agree(c->world->comm, bins_shape(c, COUNT));
    if (rc == MW_OK)
        rc = mw_modules_new(modules.row, modules.n, c,
                            count_bits(mw_most_places(&c->g->partition)), c->world, &p);
    if (rc == MW_OK) {
        mw_pipeline_bound(p, c->g->n_places);
        mw_pipeline_reaches(p, is_all_near(c));
    }
    for (uint64_t round = 0; rc == MW_OK && round < ROUNDS; round++) {
        c->first_edge = c->edges->n * round / ROUNDS;
        c->last_edge = c->edges->n * (round + 1) / ROUNDS;
        rc = fill_bins(c, p);
        rc = bins_work(c, rc, MW_CONSTRUCTION_COUNT_BINS);
    }
    mw_pipeline_free(p);
    lap(c, MW_LAP_COUNT);
    return rc;
}

/* ---- 2 label --------------------------------------------------------------------------- */

/* Columns are split so that every rank's labels fit, on whole cache lines of bitmaps. */
static int split_columns(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    uint64_t most = g->n_labels, connected = g->n_labels;
    int rc;
    MW_TRY(rc, mw_comm_max(c->world->comm, &most, 1));
    MW_TRY(rc, mw_comm_sum(c->world->comm, &connected, 1));
    g->n_connected = connected;
    g->label_bits = mw_bits_for(mw_max(most, 8 * MW_CACHE_LINE));
    g->no_column = (uint64_t)c->world->comm->size << g->label_bits;
    g->n_columns = g->no_column + 64;
    g->wide = g->n_vertices > MW_NARROW_VERTICES || g->n_columns > UINT32_MAX;
end:
    return rc;
}

/* ---- 3 build --------------------------------------------------------------------------- */

/* The column of every vertex of every rank, owner by owner: what the edge generators name
 * neighbours by. With one rank and narrow columns that is label_of itself. */
static int name_vertices(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_comm *comm = c->world->comm;
    struct mw_sizes sizes;
    int rc;

    c->most_places = mw_most_places(&g->partition);
    mw_construction_sizes(c, &sizes);
    const struct mw_size *table = mw_sizes_find(&sizes, "columns of all vertices");
    if (table->copies == 0) {
        c->column_of = c->asks ? NULL : g->label_of;
        return MW_OK;
    }
    MW_TRY(rc,
           mw_comm_host_alloc(comm, table->what, table->n * table->bytes, &c->column_of));
    mw_construction_sweep(c, MW_CONSTRUCTION_COLUMNS);
    MW_TRY(rc, mw_comm_share(comm, c->column_of, c->most_places * table->bytes));
end:
    return rc;
}

static void forget_vertices(struct mw_construction *c)
{
    if (c->column_of != c->g->label_of)
        mw_comm_host_free(c->world->comm, c->column_of);
    c->column_of = NULL;
}

/* Row starts with room for every entry, duplicates included. */
static int make_rows(struct mw_construction *c)
{
    int rc = MW_OK;
    struct mw_graph *g = c->g;
    struct mw_row_set *to = c->to;
    struct mw_sizes sizes;

    mw_construction_sizes(c, &sizes);
    MW_TAKE(rc, to->row, &sizes, "row starts");
    mw_construction_sweep(c, MW_CONSTRUCTION_LENGTHS);
    mw_prefix_sum(c->world, to->row + 1, g->n_labels);
    g->n_ends += to->row[g->n_labels];
    mw_construction_sizes(c, &sizes); /* with the number of entries */
    if (c->n_kept == NULL)
        MW_TAKE(rc, c->n_kept, &sizes, "row lengths");
    else
        memset(c->n_kept, 0, g->n_labels * sizeof *c->n_kept);
    to->column = mw_sizes_take(&sizes, columns_of(c), number_of(g));
    if (to->column == NULL)
        return MW_ERR_NOMEM;
end:
    return rc;
}

static int make_heads(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_sizes sizes;
    mw_construction_sizes(c, &sizes);
    g->head = mw_sizes_take(&sizes, "heads", number_of(g));
    if (c->asks_names)
        g->head_name = mw_sizes_take(&sizes, "names of the heads", number_of(g));
    if (g->head == NULL || (c->asks_names && g->head_name == NULL))
        return MW_ERR_NOMEM;
    if (g->directed) /* else all that are connected find one */
        mw_construction_sweep(c, MW_CONSTRUCTION_HEADS);
    return MW_OK;
}

/* As many as keep a slice below twice what a rank gets in a round on average. */
static uint32_t slices_of(uint64_t n_round, uint64_t mean, uint64_t piece_entries)
{
    const uint64_t fair = mw_max(2 * mean, piece_entries);
    return n_round > fair ? (uint32_t)mw_min((n_round + fair - 1) / fair, SLICES_MOST)
                          : 1;
}

/* Collective: n_slices, from the rank that gets most. Alone a rank has all rounds to itself, and
 * all hubs. */
static int find_slices(struct mw_construction *c)
{
    const struct mw_graph *g = c->g;
    const uint64_t most = mw_most_places(&g->partition);
    uint64_t n_round = 0, sum = 0;
    int rc = MW_OK;
    c->n_slices = 1;
    if (g->comm->size == 1)
        return MW_OK;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const uint64_t end = mw_min(most * (round + 1) / ROUNDS, g->n_places);
        uint64_t n = 0;
        for (uint64_t p = most * round / ROUNDS; p < end; p++)
            n += c->to->degree[p];
        n_round = mw_max(n_round, n);
        sum += n;
    }
    MW_TRY(rc, mw_comm_max(g->comm, &n_round, 1));
    MW_TRY(rc, mw_comm_sum(g->comm, &sum, 1));
    c->n_slices = slices_of(n_round, sum / g->comm->size / ROUNDS, c->piece_entries);
end:
    return rc;
}

static int build_round(struct mw_construction *c, struct mw_pipeline *p, uint64_t round)
{
    const uint64_t most = mw_most_places(&c->g->partition), n = c->n_slices;
    const enum mw_construction_rows work =
        n > 1 ? MW_CONSTRUCTION_STORE_BINS : MW_CONSTRUCTION_SORT_BINS;
    int rc = MW_OK;
    c->first_place = most * round / ROUNDS;
    c->last_place = most * (round + 1) / ROUNDS;
    for (uint64_t k = 0; rc == MW_OK && k < n; k++) {
        c->first_edge = c->edges->n * k / n;
        c->last_edge = c->edges->n * (k + 1) / n;
        rc = fill_bins(c, p);
        lap(c, MW_LAP_ENTER);
        rc = bins_work(c, rc, work);
        lap(c, MW_LAP_SORT);
    }
    c->first_edge = c->last_edge = 0;
    if (n > 1 && rc == MW_OK)
        rc = bins_work(c, rc, MW_CONSTRUCTION_SORT_BINS);
    lap(c, MW_LAP_SORT);
    return rc;
}

static uint32_t build_exchange(bool asks)
{
    return asks ? MW_CONSTRUCTION_ASK : MW_CONSTRUCTION_BUILD;
}

/* Columns, and on the way to who tells them vertices. */
static struct mw_record_bits build_bits(const struct mw_graph_shape *s)
{
    const uint64_t n =
        s->asks_columns ? mw_max(s->n_vertices, s->n_columns) : s->n_columns;
    return (struct mw_record_bits){mw_bits_for(s->most_places),
                                   (uint32_t)mw_max(s->wide ? 33 : 0, mw_bits_for(n))};
}

/* Of the heads, where no table will say them. */
static int ask_for_names(struct mw_construction *c, struct mw_pipeline *p)
{
    c->naming = true;
    const int rc = mw_pipeline_run(p, mw_modules_all(p));
    c->naming = false;
    return mw_comm_agree(c->world->comm, rc);
}

static int build_rows(struct mw_construction *c, struct mw_row_set *to, enum mw_ends ends)
{
    struct mw_graph *g = c->g;
    struct mw_modules modules;
    struct mw_pipeline *p = NULL;
    struct mw_sizes sizes;
    int rc;

    const struct mw_graph_shape shape = shape_of(c);
    mw_modules_find(&mw_construction_table, build_exchange(c->asks), c->world->backend,
                    &c->world->groups, &modules);
    c->to = to;
    c->ends = ends;
    MW_TRY(rc, make_rows(c));
    if (to->heads)
        MW_TRY(rc, make_heads(c));
    MW_TRY(rc, bins_shape(c, BUILD));
    mw_construction_sizes(c, &sizes);
    MW_TAKE(rc, c->sorter, &sizes, "sorters");
end:
    rc = mw_comm_agree(c->world->comm, rc);
    if (rc == MW_OK)
        rc = find_slices(c);
    if (rc == MW_OK)
        rc = mw_modules_new(modules.row, modules.n, c, build_bits(&shape), c->world, &p);
    if (rc == MW_OK) {
        mw_pipeline_bound(p, g->n_places);
        mw_pipeline_reaches(p, is_all_near(c));
    }
    for (uint64_t round = 0; rc == MW_OK && round < ROUNDS; round++) {
        rc = go_on(c);
        if (rc == MW_OK)
            rc = build_round(c, p, round);
    }
    if (rc == MW_OK && to->heads && c->asks_names)
        rc = ask_for_names(c, p);
    mw_pipeline_free(p);
    for (uint32_t i = 0; c->sorter != NULL && i < mw_world_lanes(c->world); i++)
        for (int b = 0; b < 2; b++)
            mw_free(c->sorter[i].key[b]);
    mw_free(c->sorter);
    c->sorter = NULL;
    return rc;
}

/* ---- 4 pack ---------------------------------------------------------------------------- */

static int pack_rows(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    g->n_entries = mw_construction_pack(c);
    mw_shrink(c->to->column, g->n_entries * number_of(g));
    return mw_comm_sum(c->world->comm, &g->n_entries, 1);
}

/* ---- 5 name ---------------------------------------------------------------------------- */

static int name_columns(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_comm *comm = c->world->comm;
    struct mw_sizes sizes;
    int rc;

    mw_construction_sizes(c, &sizes);
    const struct mw_size *table = mw_sizes_find(&sizes, "names of the columns");
    MW_TRY(rc, mw_comm_host_alloc(comm, table->what, table->n * table->bytes, &g->name));
    mw_construction_sweep(c, MW_CONSTRUCTION_NAMES);
    rc = mw_comm_share(comm, g->name, table->bytes << g->label_bits);
    g->head_name = mw_sizes_take(&sizes, "names of the heads", number_of(g));
    if (g->head_name == NULL)
        rc = MW_ERR_NOMEM;
end:
    return rc;
}

/* Both ends of each tuple: one set of rows, which is the way out and in. */
static int build_undirected(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_row_set rows = {.degree = g->degree, .heads = true};
    int rc;

    MW_TRY(rc, count_degrees(c, &rows, MW_BOTH_ENDS));
    MW_TRY(rc, mw_comm_agree(g->comm, mw_construction_label(c, rows.degree)));
    MW_TRY(rc, split_columns(c));
    lap(c, MW_LAP_LABEL);
    MW_TRY(rc, mw_comm_agree(g->comm, name_vertices(c)));
    lap(c, MW_LAP_COLUMNS);
    MW_TRY(rc, build_rows(c, &rows, MW_BOTH_ENDS));
    MW_TRY(rc, pack_rows(c));
    lap(c, MW_LAP_PACK);
end:
    g->row = g->in_row = rows.row;
    g->column = g->in_column = rows.column;
    return rc;
}

/* Labels by the sum of both degrees: who has many edges is looked for often, and looks. */
static int label_by_both(struct mw_construction *c, const uint32_t *in_degree)
{
    int rc = MW_OK;
    const struct mw_graph *g = c->g;
    struct mw_sizes sizes;
    uint32_t *sum;
    mw_construction_sizes(c, &sizes);
    MW_TAKE(rc, sum, &sizes, "degrees, in and out");
    for (uint64_t p = 0; p < g->n_places; p++)
        sum[p] = (uint32_t)mw_min((uint64_t)g->degree[p] + in_degree[p], UINT32_MAX);
    rc = mw_construction_label(c, sum);
    mw_free(sum);
end:
    return rc;
}

static int build_directed(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_row_set out = {.degree = g->degree}, in = {.heads = true};
    struct mw_sizes sizes;
    int rc = MW_OK;

    mw_construction_sizes(c, &sizes);
    MW_TAKE(rc, in.degree, &sizes, "degrees inwards");
end:
    rc = mw_comm_agree(g->comm, rc);
    if (rc == MW_OK)
        rc = count_degrees(c, &out, MW_FIRST_ENDS);
    if (rc == MW_OK)
        rc = count_degrees(c, &in, MW_SECOND_ENDS);
    if (rc == MW_OK)
        rc = mw_comm_agree(g->comm, label_by_both(c, in.degree));
    if (rc == MW_OK)
        rc = split_columns(c);
    lap(c, MW_LAP_LABEL);
    if (rc == MW_OK)
        rc = mw_comm_agree(g->comm, name_vertices(c));
    lap(c, MW_LAP_COLUMNS);
    if (rc == MW_OK)
        rc = build_rows(c, &in, MW_SECOND_ENDS);
    if (rc == MW_OK)
        rc = pack_rows(c);
    lap(c, MW_LAP_PACK);
    if (rc == MW_OK)
        rc = build_rows(c, &out, MW_FIRST_ENDS);
    if (rc == MW_OK)
        rc = pack_rows(c);
    lap(c, MW_LAP_PACK);
    mw_free(in.degree);
    g->row = out.row;
    g->column = out.column;
    g->in_row = in.row;
    g->in_column = in.column;
    return rc;
}

static void find_leaves(struct mw_graph *g)
{
    for (g->first_leaf = g->n_labels; g->first_leaf > 0; g->first_leaf--)
        if (g->in_row[g->first_leaf] - g->in_row[g->first_leaf - 1] > 1)
            break;
}

/* Bins are there while counting and building, with chunks for the larger of the two. What this
 * host's ranks say to each other is on the shelf instead. */
static void bins_sizes(const struct mw_graph_shape *s, const struct mw_world_shape *world,
                       struct mw_sizes *out)
{
    const uint32_t n_lanes = world->n_lanes, n_ranks = world->groups.n_ranks;
    const uint64_t expected = first_bins_bytes(s->n_tuples);
    const uint64_t n_ends = ends_of(s->n_tuples, s->directed);
    const uint64_t part = shelf_bytes(world, s->most_places, n_ends, s->wide);
    const uint32_t far = part > 0 ? n_ranks - world->host_ranks : n_ranks;
    const uint64_t own = mw_max(s->n_entries, s->n_in_entries) / ROUNDS;
    const uint64_t mean = s->n_mean_round > 0 ? s->n_mean_round : own;
    const uint64_t most = mw_max(mean, s->n_round);
    const uint64_t round = most / slices_of(most, mean, MW_PIECE_ENTRIES) / n_ranks * far;
    struct mw_shelf_load load[LOADS];
    struct mw_size *row;
    shelf_loads(s->most_places, n_ends, s->wide, world->host_ranks, n_ranks, load);
    for (int i = 0; i < LOADS; i++) {
        const enum mw_when when = i == COUNT ? MW_COUNTING : MW_BUILDING;
        mw_bins_sizes(n_lanes, load[i].n_bins, 1 + (part > 0 ? world->host_ranks : 0),
                      when, out);
        mw_bins_estimate(n_lanes, load[i].n_bins, load[i].record_bytes, expected, round,
                         when, out);
        mw_shelf_sizes(part, world->host_ranks, when, out);
    }
    row = mw_sizes_add(out, MW_BUILDING, "sorting a bin", s->n_sorting / n_lanes,
                       sizeof(uint64_t));
    row->copies = 2 * (uint64_t)n_lanes;
    row->estimated = true;
}

void mw_graph_sizes(const struct mw_graph_shape *shape,
                    const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint64_t number = shape->wide ? sizeof(uint64_t) : sizeof(uint32_t);
    struct mw_modules m;
    struct mw_sizes parts = {0};

    graph_sizes(shape, world, out);
    bins_sizes(shape, world, out);
    add_packed("columns", shape->n_entries, shape->n_kept, number, out);
    if (shape->directed)
        add_packed("columns inwards", shape->n_in_entries, shape->n_in_kept, number, out);
    mw_modules_find(&mw_construction_table, MW_CONSTRUCTION_COUNT, world->backend,
                    &world->groups, &m);
    mw_modules_sizes(m.row, m.n, count_bits(shape->most_places), world, MW_COUNTING,
                     &parts);
    mw_sizes_fold(out, MW_COUNTING, "batches to count", &parts);
    parts.n = 0;
    mw_modules_find(&mw_construction_table, build_exchange(shape->asks_columns),
                    world->backend, &world->groups, &m);
    mw_modules_sizes(m.row, m.n, build_bits(shape), world, MW_BUILDING, &parts);
    mw_sizes_fold(out, MW_BUILDING, "batches to build", &parts);
}

int mw_graph_build(struct mw_world *world, const struct mw_edges *edges,
                   struct mw_graph **out)
{
    return mw_graph_build_by(world, edges, NULL, out);
}

int mw_graph_build_by(struct mw_world *world, const struct mw_edges *edges,
                      const struct mw_graph_rule *rule, struct mw_graph **out)
{
    int rc = MW_OK;
    const struct mw_graph_rule automatic = {MW_LOOK_UP_AUTO};
    struct mw_comm *comm = world->comm;
    struct mw_graph *g;
    struct mw_construction c = {.world = world, .edges = edges};

    *out = NULL;
    struct mw_sizes sizes;

    MW_NEW(rc, g, "graph", 1);
    c.g = g;
    g->comm = comm;
    mw_laps_begin(&g->laps, comm);
    g->directed = edges->directed;
    g->n_vertices = edges->n_vertices;
    g->n_edges = edges->n;
    g->partition = mw_edges_partition(edges, comm->rank, comm->size);
    g->n_places = mw_my_places(&g->partition);
    g->place_bits = mw_bits_for(mw_most_places(&g->partition));
    mw_construction_sizes(&c, &sizes);
    MW_TAKE(rc, g->degree, &sizes, "degrees");
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_sum(comm, &g->n_edges, 1);
    if (rc == MW_OK) {
        rule = rule != NULL ? rule : &automatic;
        c.asks = mw_owners_are_asked(rule->columns, g->n_vertices, g->n_edges, comm->size,
                                     comm->n_hosts);
        c.asks_names = c.asks && rule->without_names;
        c.piece_entries =
            rule->piece_entries > 0 ? rule->piece_entries : MW_PIECE_ENTRIES;
        g->asked_columns = c.asks;
        rc = bins_init(&c);
        lap(&c, MW_LAP_ROOM);
    }
    if (rc == MW_OK)
        rc = g->directed ? build_directed(&c) : build_undirected(&c);
    if (rc == MW_OK)
        find_leaves(g);
    c.to = NULL;
    if (rc == MW_OK)
        rc = go_on(&c);
    if (g != NULL)
        forget_vertices(&c);
    mw_free(c.n_kept);
    mw_bins_fini(&c.bins);
    mw_shelf_fini(&c.shelf);
    if (rc == MW_OK && !c.asks_names)
        rc = mw_comm_agree(comm, name_columns(&c));
    if (rc == MW_OK && !c.asks_names)
        mw_construction_sweep(&c, MW_CONSTRUCTION_HEAD_NAMES);
    if (rc == MW_OK)
        lap(&c, MW_LAP_NAME);
    if (rc != MW_OK) {
        mw_graph_free(g);
        return rc;
    }
    *out = g;
    return MW_OK;
}

void mw_graph_free(struct mw_graph *g)
{
    if (g == NULL)
        return;
    mw_comm_host_free(g->comm, g->name);
    mw_delegates_free(g->delegates);
    mw_free(g->row);
    mw_free(g->column);
    if (g->in_row != g->row)
        mw_free(g->in_row);
    if (g->in_column != g->column)
        mw_free(g->in_column);
    mw_free(g->head);
    mw_free(g->head_name);
    mw_free(g->label_of);
    mw_free(g->place_of);
    mw_free(g->degree);
    mw_free(g->connected);
    mw_free(g->n_before);
    mw_free(g);
}

int mw_graph_is_connected(const struct mw_graph *g, mw_vid v, bool *out)
{
    uint64_t has = 0;
    uint64_t place;
    if (mw_is_mine(&g->partition, v, &place))
        has = g->degree[place] > 0; /* a self-loop counts for nothing */
    const int rc = mw_comm_max(g->comm, &has, 1);
    *out = has != 0;
    return rc;
}
