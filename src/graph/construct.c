/* construct.c -- kernel 1: edges -> degrees -> labels -> rows.
 *
 *      1  count    how often each vertex occurs, at its owner
 *      2  label    by falling degree; the largest label decides how columns are split
 *                  (the columns of all vertices, one table per host)
 *      3  build    rows, in rounds of places, into room for all entries of the row
 *      4  pack     duplicates have left gaps: rows move together
 *      5  name     the input's number of each column, one table per host
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
    MODULES = 3                 /* of both tables */
};

static const struct mw_construction_kernels none;
static const struct mw_kernel_table kernels[] = {
    {"serial", &mw_construction_serial}, {"host", &mw_construction_host}, {NULL, &none}};

static uint64_t number_of(const struct mw_graph *g)
{
    return g->wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* ---- The table of sizes ------------------------------------------------------------------ */

/* What the blocks of bins are cut by: the ends that a round of counting brings. */
static uint64_t first_bins_bytes(uint64_t n_tuples)
{
    return 2 * n_tuples / ROUNDS * sizeof(uint32_t);
}

/* Bins of a size to sort in cache: fewer places where rows are long. */
static uint32_t build_bin_shift(uint64_t n_places, uint64_t n_entries)
{
    const uint64_t entries = mw_max(1, n_entries / ROUNDS);
    const uint64_t places = n_places / ROUNDS + 1;
    return mw_bits_for(mw_min(1 << 16, places * BIN_ENTRIES / entries) / 2 + 1);
}

static uint64_t build_bins(uint64_t n_places, uint32_t shift)
{
    return ((n_places / ROUNDS + 1) >> shift) + 2;
}

static uint32_t entry_bytes(bool wide)
{
    return wide ? sizeof(struct mw_wide_entry) : sizeof(struct mw_entry);
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
    mw_sizes_add(out, MW_ALWAYS, "row starts", s->n_labels + 1, sizeof *g->row)->copies =
        s->directed ? 2 : 1;
    mw_sizes_add(out, MW_ALWAYS, "heads", s->n_places, number);
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
    row->copies = n_ranks > 1 || s->wide; /* else label_of is the same */
    mw_sizes_add(out, MW_BUILDING, "sorters", world->n_lanes, sizeof(struct mw_sorter));
    mw_sizes_add(out, MW_SEARCHING, "names of the heads", s->n_places, number);
    mw_sizes_add(out, MW_SEARCHING, "names of the columns", s->n_columns, number)
        ->of_host = true;
}

/* As far as it is known by now. */
void mw_construction_sizes(const struct mw_construction *c, struct mw_sizes *out)
{
    const struct mw_graph *g = c->g;
    const uint64_t *row = c->to != NULL ? c->to->row : NULL; /* of the rows being built */
    const uint64_t n_entries = row != NULL ? row[g->n_labels] : 0;
    const struct mw_graph_shape shape = {
        .n_places = g->n_places,
        .most_places = c->most_places,
        .n_tuples = c->edges->n,
        .n_labels = g->n_labels,
        .n_columns = g->n_columns,
        .n_entries = n_entries,
        .n_in_entries = n_entries,
        .wide = g->wide,
        .directed = g->directed,
    };
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

static uint64_t count_units(void *state)
{
    const struct mw_construction *c = state;
    return c->last_edge - c->first_edge;
}

static void count_modules(const struct mw_backend *backend,
                          const struct mw_groups *groups, struct mw_module *table)
{
    const struct mw_construction_kernels *mpe = mw_kernels_of_mpe(kernels, backend);
    const struct mw_construction_kernels *cores = mw_kernels_of_cores(kernels, backend);
    mw_kernel *const relay_mpe = mw_relay_of_mpe(backend);
    mw_kernel *const relay_cores = cores == &none ? NULL : mw_relay_of_cores(backend);
    const uint8_t first = (uint8_t)mw_first_hop(groups);
    /* clang-format off */
    const struct mw_module row[MODULES] = {
        {"degree generator", {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, first},       mpe->count_generate, count_units, 2, cores->count_generate},
        {"degree relay",     {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, relay_mpe,           NULL,        0, relay_cores},
        {"degree handler",   {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  mpe->count_handle,   NULL,        0, cores->count_handle},
    };
    /* clang-format on */
    memcpy(table, row, sizeof row);
}

static int count_degrees(struct mw_construction *c, struct mw_rows *to, enum mw_ends ends)
{
    struct mw_module table[MODULES];
    struct mw_pipeline *p = NULL;
    int rc;

    count_modules(c->world->backend, &c->world->groups, table);
    c->to = to;
    c->ends = ends;
    c->bin_shift = mw_bits_for(COUNT_BIN_PLACES);
    const uint64_t n_bins = (c->g->n_places >> c->bin_shift) + 1;
    if (c->bins.lane != NULL)
        rc = mw_bins_reshape(&c->bins, n_bins, sizeof(uint32_t));
    else
        rc = mw_bins_init(&c->bins, mw_world_lanes(c->world), n_bins, sizeof(uint32_t),
                          first_bins_bytes(c->edges->n));
    rc = mw_comm_agree(c->world->comm, rc);
    if (rc == MW_OK)
        rc = mw_modules_new(table, MODULES, c, c->g->place_bits, false, c->world, &p);
    if (rc == MW_OK)
        mw_pipeline_bound(p, c->g->n_places);
    for (uint64_t round = 0; rc == MW_OK && round < ROUNDS; round++) {
        c->first_edge = c->edges->n * round / ROUNDS;
        c->last_edge = c->edges->n * (round + 1) / ROUNDS;
        rc = mw_pipeline_run(p, mw_modules_all(p));
        if (rc == MW_OK)
            rc = mw_bins_status(&c->bins);
        c->next_bin = 0;
        mw_bins_seal(&c->bins);
        if (rc == MW_OK)
            mw_pipeline_scan(p, mw_construction_count_bins, 0);
        mw_bins_clear(&c->bins);
        rc = mw_comm_agree(c->world->comm, rc);
    }
    mw_pipeline_free(p);
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

static uint64_t build_units(void *state)
{
    const struct mw_construction *c = state;
    return c->edges->n;
}

static void write_columns(struct mw_cpe *self, void *arg)
{
    const struct mw_construction *c = arg;
    const struct mw_graph *g = c->g;
    const uint64_t mine = (uint64_t)g->comm->rank << g->label_bits;
    const uint64_t base = g->comm->rank * c->most_places;
    uint64_t from, to;
    mw_share(self, 0, g->n_places, &from, &to);
    for (uint64_t p = from; p < to; p++)
        mw_set_number(c->column_of, base + p, mine | g->label_of[p], g->wide);
}

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
        c->column_of = g->label_of;
        return MW_OK;
    }
    MW_TRY(rc,
           mw_comm_host_alloc(comm, table->what, table->n * table->bytes, &c->column_of));
    mw_world_run(c->world, write_columns, c);
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

static void write_lengths(struct mw_cpe *self, void *arg)
{
    const struct mw_construction *c = arg;
    uint64_t from, to;
    mw_share(self, 0, c->g->n_labels, &from, &to);
    for (uint64_t l = from; l < to; l++)
        c->to->row[l + 1] = c->to->degree[c->g->place_of[l]];
}

/* Row starts with room for every entry, duplicates included. */
static int make_rows(struct mw_construction *c)
{
    int rc = MW_OK;
    struct mw_graph *g = c->g;
    struct mw_rows *to = c->to;
    struct mw_sizes sizes;

    mw_construction_sizes(c, &sizes);
    MW_TAKE(rc, to->row, &sizes, "row starts");
    mw_world_run(c->world, write_lengths, c);
    mw_prefix_sum(c->world, to->row + 1, g->n_labels);
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

/* A vertex that no edge enters gets itself as its head: not visited while it looks. */
static void write_heads(struct mw_cpe *self, void *arg)
{
    struct mw_graph *g = arg;
    const uint64_t mine = (uint64_t)g->comm->rank << g->label_bits;
    uint64_t from, to;
    mw_share(self, 0, g->n_places, &from, &to);
    for (uint64_t i = from; i < to; i++) {
        const bool itself = g->directed && g->label_of[i] != MW_NO_LABEL;
        mw_set_number(g->head, i, itself ? mine | g->label_of[i] : g->no_column, g->wide);
    }
}

static int make_heads(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_sizes sizes;
    mw_construction_sizes(c, &sizes);
    g->head = mw_sizes_take(&sizes, "heads", number_of(g));
    if (g->head == NULL)
        return MW_ERR_NOMEM;
    mw_world_run(c->world, write_heads, g);
    return MW_OK;
}

static int build_round(struct mw_construction *c, struct mw_pipeline *p, uint64_t round)
{
    const uint64_t most = mw_most_places(&c->g->partition);
    int rc;

    c->first_place = most * round / ROUNDS;
    c->last_place = most * (round + 1) / ROUNDS;
    rc = mw_pipeline_run(p, mw_modules_all(p));
    if (rc == MW_OK)
        rc = mw_bins_status(&c->bins);
    c->next_bin = 0;
    mw_bins_seal(&c->bins);
    if (rc == MW_OK)
        mw_pipeline_scan(p, mw_construction_sort_bins, 0);
    if (rc == MW_OK)
        rc = mw_bins_status(&c->bins);
    mw_bins_clear(&c->bins);
    return mw_comm_agree(c->world->comm, rc);
}

static void build_modules(const struct mw_backend *backend,
                          const struct mw_groups *groups, struct mw_module *table)
{
    const struct mw_construction_kernels *mpe = mw_kernels_of_mpe(kernels, backend);
    const struct mw_construction_kernels *cores = mw_kernels_of_cores(kernels, backend);
    mw_kernel *const relay_mpe = mw_relay_of_mpe(backend);
    mw_kernel *const relay_cores = cores == &none ? NULL : mw_relay_of_cores(backend);
    const uint8_t first = (uint8_t)mw_first_hop(groups);
    /* clang-format off */
    const struct mw_module row[MODULES] = {
        {"edge generator", {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, first},       mpe->build_generate, build_units, 2, cores->build_generate},
        {"edge relay",     {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, relay_mpe,           NULL,        0, relay_cores},
        {"row handler",    {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  mpe->build_row,      NULL,        0, cores->build_row},
    };
    /* clang-format on */
    memcpy(table, row, sizeof row);
}

static int build_rows(struct mw_construction *c, struct mw_rows *to, enum mw_ends ends)
{
    struct mw_graph *g = c->g;
    struct mw_module table[MODULES];
    struct mw_pipeline *p = NULL;
    struct mw_sizes sizes;
    int rc;

    build_modules(c->world->backend, &c->world->groups, table);
    c->to = to;
    c->ends = ends;
    MW_TRY(rc, make_rows(c));
    if (to->heads)
        MW_TRY(rc, make_heads(c));
    c->bin_shift = build_bin_shift(g->n_places, to->row[g->n_labels]);
    MW_TRY(rc, mw_bins_reshape(&c->bins, build_bins(g->n_places, c->bin_shift),
                               entry_bytes(g->wide)));
    mw_construction_sizes(c, &sizes);
    MW_TAKE(rc, c->sorter, &sizes, "sorters");
end:
    rc = mw_comm_agree(c->world->comm, rc);
    if (rc == MW_OK)
        rc = mw_modules_new(table, MODULES, c, g->place_bits, g->wide, c->world, &p);
    if (rc == MW_OK)
        mw_pipeline_bound(p, g->n_places);
    for (uint64_t round = 0; rc == MW_OK && round < ROUNDS; round++) {
        rc = go_on(c);
        if (rc == MW_OK)
            rc = build_round(c, p, round);
    }
    mw_pipeline_free(p);
    for (uint32_t i = 0; c->sorter != NULL && i < mw_world_lanes(c->world); i++)
        for (int b = 0; b < 2; b++) {
            mw_free(c->sorter[i].key[b]);
            mw_free(c->sorter[i].place[b]);
        }
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

static void write_names(struct mw_cpe *self, void *arg)
{
    const struct mw_graph *g = arg;
    const uint64_t base = (uint64_t)g->comm->rank << g->label_bits;
    uint64_t from, to;
    mw_share(self, 0, g->n_labels, &from, &to);
    for (uint64_t l = from; l < to; l++)
        mw_set_number(g->name, base + l, mw_vertex_at(g, g->comm->rank, g->place_of[l]),
                      g->wide);
}

static int name_columns(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_comm *comm = c->world->comm;
    struct mw_sizes sizes;
    int rc;

    mw_construction_sizes(c, &sizes);
    const struct mw_size *table = mw_sizes_find(&sizes, "names of the columns");
    MW_TRY(rc, mw_comm_host_alloc(comm, table->what, table->n * table->bytes, &g->name));
    mw_world_run(c->world, write_names, g);
    rc = mw_comm_share(comm, g->name, table->bytes << g->label_bits);
    g->head_name = mw_sizes_take(&sizes, "names of the heads", number_of(g));
    if (g->head_name == NULL)
        rc = MW_ERR_NOMEM;
end:
    return rc;
}

static void name_heads(struct mw_cpe *self, void *arg)
{
    const struct mw_graph *g = arg;
    uint64_t from, to;
    mw_share(self, 0, g->n_places, &from, &to);
    for (uint64_t p = from; p < to; p++)
        mw_set_number(g->head_name, p,
                      mw_number(g->name, mw_number(g->head, p, g->wide), g->wide),
                      g->wide);
}

/* Both ends of each tuple: one set of rows, which is the way out and in. */
static int build_undirected(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_rows rows = {.degree = g->degree, .heads = true};
    int rc;

    MW_TRY(rc, count_degrees(c, &rows, MW_BOTH_ENDS));
    MW_TRY(rc, mw_comm_agree(g->comm, mw_construction_label(c, rows.degree)));
    MW_TRY(rc, split_columns(c));
    MW_TRY(rc, mw_comm_agree(g->comm, name_vertices(c)));
    MW_TRY(rc, build_rows(c, &rows, MW_BOTH_ENDS));
    MW_TRY(rc, pack_rows(c));
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
    struct mw_rows out = {.degree = g->degree}, in = {.heads = true};
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
    if (rc == MW_OK)
        rc = mw_comm_agree(g->comm, name_vertices(c));
    if (rc == MW_OK)
        rc = build_rows(c, &in, MW_SECOND_ENDS);
    if (rc == MW_OK)
        rc = pack_rows(c);
    if (rc == MW_OK)
        rc = build_rows(c, &out, MW_FIRST_ENDS);
    if (rc == MW_OK)
        rc = pack_rows(c);
    mw_free(in.degree);
    g->row = out.row;
    g->column = out.column;
    g->in_row = in.row;
    g->in_column = in.column;
    return rc;
}

/* Bins are there while counting and building, with chunks for the larger of the two. */
static void bins_sizes(const struct mw_graph_shape *s, uint32_t n_lanes,
                       struct mw_sizes *out)
{
    const uint64_t expected = first_bins_bytes(s->n_tuples),
                   round = mw_max(s->n_entries, s->n_in_entries) / ROUNDS;
    const uint32_t shift = build_bin_shift(s->n_places, s->n_entries);
    const uint32_t shift_in = build_bin_shift(s->n_places, s->n_in_entries);
    const uint64_t bins[2] = {
        (s->n_places >> mw_bits_for(COUNT_BIN_PLACES)) + 1,
        build_bins(s->n_places, s->directed ? (uint32_t)mw_min(shift, shift_in) : shift)};
    struct mw_size *row;
    mw_bins_sizes(n_lanes, bins[0], MW_COUNTING, out);
    mw_bins_estimate(n_lanes, bins[0], sizeof(uint32_t), expected, round, MW_COUNTING,
                     out);
    mw_bins_sizes(n_lanes, bins[1], MW_BUILDING, out);
    mw_bins_estimate(n_lanes, bins[1], entry_bytes(s->wide), expected, round, MW_BUILDING,
                     out);
    row = mw_sizes_add(out, MW_BUILDING, "sorting a bin", s->n_sorting / n_lanes,
                       sizeof(uint64_t));
    row->copies = (s->wide ? 4 : 2) * (uint64_t)n_lanes;
    row->estimated = true;
}

void mw_graph_sizes(const struct mw_graph_shape *shape,
                    const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint64_t number = shape->wide ? sizeof(uint64_t) : sizeof(uint32_t);
    struct mw_module table[MODULES];
    struct mw_sizes parts = {0};

    graph_sizes(shape, world, out);
    bins_sizes(shape, world->n_lanes, out);
    add_packed("columns", shape->n_entries, shape->n_kept, number, out);
    if (shape->directed)
        add_packed("columns inwards", shape->n_in_entries, shape->n_in_kept, number, out);
    count_modules(world->backend, &world->groups, table);
    mw_modules_sizes(table, MODULES, false, world, MW_COUNTING, &parts);
    mw_sizes_fold(out, MW_COUNTING, "batches to count", &parts);
    parts.n = 0;
    build_modules(world->backend, &world->groups, table);
    mw_modules_sizes(table, MODULES, shape->wide, world, MW_BUILDING, &parts);
    mw_sizes_fold(out, MW_BUILDING, "batches to build", &parts);
}

int mw_graph_build(struct mw_world *world, const struct mw_edges *edges,
                   struct mw_graph **out)
{
    int rc = MW_OK;
    struct mw_comm *comm = world->comm;
    struct mw_graph *g;
    struct mw_construction c = {.world = world, .edges = edges};

    *out = NULL;
    struct mw_sizes sizes;

    MW_NEW(rc, g, "graph", 1);
    c.g = g;
    g->comm = comm;
    g->directed = edges->directed;
    g->n_vertices = edges->n_vertices;
    g->n_edges = edges->n;
    g->partition = mw_partition_of(g->n_vertices, comm->rank, comm->size);
    g->n_places = mw_my_places(&g->partition);
    g->place_bits = mw_bits_for(mw_most_places(&g->partition));
    mw_construction_sizes(&c, &sizes);
    MW_TAKE(rc, g->degree, &sizes, "degrees");
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_sum(comm, &g->n_edges, 1);
    if (rc == MW_OK)
        rc = g->directed ? build_directed(&c) : build_undirected(&c);
    c.to = NULL;
    if (rc == MW_OK)
        rc = go_on(&c);
    if (g != NULL)
        forget_vertices(&c);
    mw_free(c.n_kept);
    mw_bins_fini(&c.bins);
    if (rc == MW_OK)
        rc = mw_comm_agree(comm, name_columns(&c));
    if (rc == MW_OK)
        mw_world_run(world, name_heads, g);
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
