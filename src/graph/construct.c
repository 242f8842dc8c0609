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

#include <string.h>

enum {
    ROUNDS = MW_CONSTRUCTION_ROUNDS,
    COUNT_BIN_PLACES = 1 << 15, /* 128 KB of degrees: half of a small L2 */
    BIN_ENTRIES = 1 << 15       /* 256 KB of keys, twice, while a bin is sorted */
};

static const struct mw_construction_kernels *kernels_for(const struct mw_world *w)
{
    return w->backend->short_circuit ? &mw_construction_host : &mw_construction_serial;
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

static int count_degrees(struct mw_construction *c, struct mw_rows *to, enum mw_ends ends)
{
    const struct mw_construction_kernels *k = kernels_for(c->world);
    const uint8_t first = (uint8_t)mw_first_hop(&c->world->groups);
    const struct mw_module table[] = {
        {"degree generator",
         {MW_FORWARD, MW_SOURCE},
         {MW_FORWARD, first},
         k->count_generate,
         count_units,
         2,
         NULL},
        {"degree relay",
         {MW_FORWARD, MW_TO_RELAY},
         {MW_FORWARD, MW_TO_OWNER},
         mw_relay_pass_on,
         NULL,
         0,
         NULL},
        {"degree handler",
         {MW_FORWARD, MW_TO_OWNER},
         {MW_FORWARD, MW_NOWHERE},
         k->count_handle,
         NULL,
         0,
         NULL},
    };
    struct mw_pipeline *p = NULL;
    int rc;

    c->to = to;
    c->ends = ends;
    c->bin_shift = mw_bits_for(COUNT_BIN_PLACES);
    const uint64_t n_bins = (c->g->n_places >> c->bin_shift) + 1;
    if (c->bins.lane != NULL)
        rc = mw_bins_reshape(&c->bins, n_bins, sizeof(uint32_t));
    else
        rc = mw_bins_init(&c->bins, mw_world_lanes(c->world), n_bins, sizeof(uint32_t),
                          2 * c->edges->n / ROUNDS);
    rc = mw_comm_agree(c->world->comm, rc);
    if (rc == MW_OK)
        rc = mw_modules_new(table, 3, c, c->g->place_bits, false, c->world, &p);
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

/* Places by falling degree, equal degrees in the order of the input: least significant
 * digit first over the complement of the degree. */
static int label_places(struct mw_graph *g, const uint32_t *degree)
{
    enum { DIGIT = 11, DIGITS = 1 << DIGIT };
    int rc = MW_OK;
    uint32_t most = 0, *order[2] = {NULL, NULL};
    uint64_t n = 0;
    int from = 0;

    MW_NEW(rc, order[0], "places by degree", g->n_places);
    MW_NEW(rc, order[1], "places by degree", g->n_places);
    for (uint64_t i = 0; i < g->n_places; i++)
        if (degree[i] > 0) {
            order[0][n++] = (uint32_t)i;
            most = (uint32_t)mw_max(most, degree[i]);
        }
    for (uint32_t shift = 0; shift < mw_bits_for((uint64_t)most + 1); shift += DIGIT) {
        uint64_t start[DIGITS + 1] = {0};
        for (uint64_t i = 0; i < n; i++)
            start[((most - degree[order[from][i]]) >> shift) % DIGITS + 1]++;
        for (uint32_t d = 0; d < DIGITS; d++)
            start[d + 1] += start[d];
        for (uint64_t i = 0; i < n; i++) {
            const uint32_t place = order[from][i];
            order[1 - from][start[((most - degree[place]) >> shift) % DIGITS]++] = place;
        }
        from = 1 - from;
    }
    g->n_labels = (uint32_t)n;
    g->place_of = order[from];
    order[from] = NULL;
    mw_shrink(g->place_of, n * sizeof *g->place_of);
    MW_NEW(rc, g->label_of, "label of each place", g->n_places);
    MW_NEW(rc, g->connected, "connected places", g->n_places / 64 + 1);
    memset(g->label_of, 0xFF, g->n_places * sizeof *g->label_of);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t place = g->place_of[i];
        g->label_of[place] = (uint32_t)i;
        g->connected[place / 64] |= UINT64_C(1) << (place % 64);
    }
fail:
    mw_free(order[0]);
    mw_free(order[1]);
    return rc;
}

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
fail:
    return rc;
}

/* ---- 3 build --------------------------------------------------------------------------- */

static uint64_t build_units(void *state)
{
    const struct mw_construction *c = state;
    return c->edges->n;
}

/* The column of every vertex of every rank, owner by owner: what the edge generators name
 * neighbours by. With one rank and narrow columns that is label_of itself. */
static int name_vertices(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_comm *comm = c->world->comm;
    const uint64_t number = g->wide ? sizeof(uint64_t) : sizeof(uint32_t);
    int rc;

    c->most_places = (g->n_vertices + comm->size - 1) / comm->size;
    if (comm->size == 1 && !g->wide) {
        c->column_of = g->label_of;
        return MW_OK;
    }
    MW_TRY(rc, mw_comm_host_alloc(comm, "columns of all vertices",
                                  comm->size * c->most_places * number, &c->column_of));
    const uint64_t mine = (uint64_t)comm->rank << g->label_bits;
    const uint64_t base = comm->rank * c->most_places;
    for (uint64_t p = 0; p < g->n_places; p++)
        if (g->wide)
            ((uint64_t *)c->column_of)[base + p] = mine | g->label_of[p];
        else
            ((uint32_t *)c->column_of)[base + p] = (uint32_t)mine | g->label_of[p];
    MW_TRY(rc, mw_comm_share(comm, c->column_of, c->most_places * number));
fail:
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
    struct mw_rows *to = c->to;
    const uint64_t number = g->wide ? sizeof(uint64_t) : sizeof(uint32_t);

    MW_NEW(rc, to->row, "row starts", (uint64_t)g->n_labels + 1);
    for (uint64_t l = 0; l < g->n_labels; l++)
        to->row[l + 1] = to->row[l] + to->degree[g->place_of[l]];
    if (c->n_kept == NULL)
        MW_NEW(rc, c->n_kept, "row lengths", g->n_labels);
    else
        memset(c->n_kept, 0, g->n_labels * sizeof *c->n_kept);
    to->column = mw_alloc("columns", to->row[g->n_labels], number);
    if (to->column == NULL)
        return MW_ERR_NOMEM;
fail:
    return rc;
}

/* A vertex that no edge enters gets itself as its head: not visited while it looks. */
static int make_heads(struct mw_graph *g)
{
    const uint64_t number = g->wide ? sizeof(uint64_t) : sizeof(uint32_t);
    const uint64_t mine = (uint64_t)g->comm->rank << g->label_bits;
    g->head = mw_alloc("heads", g->n_places, number);
    if (g->head == NULL)
        return MW_ERR_NOMEM;
    for (uint64_t i = 0; i < g->n_places; i++) {
        const bool itself = g->directed && g->label_of[i] != MW_NO_LABEL;
        const uint64_t head = itself ? mine | g->label_of[i] : g->no_column;
        if (g->wide)
            ((uint64_t *)g->head)[i] = head;
        else
            ((uint32_t *)g->head)[i] = (uint32_t)head;
    }
    return MW_OK;
}

static int build_round(struct mw_construction *c, struct mw_pipeline *p, uint64_t round)
{
    const uint64_t most =
        (c->g->n_vertices + c->world->comm->size - 1) / c->world->comm->size;
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

static int build_rows(struct mw_construction *c, struct mw_rows *to, enum mw_ends ends)
{
    const struct mw_construction_kernels *k = kernels_for(c->world);
    const uint8_t first = (uint8_t)mw_first_hop(&c->world->groups);
    const struct mw_module table[] = {
        {"edge generator",
         {MW_FORWARD, MW_SOURCE},
         {MW_FORWARD, first},
         k->build_generate,
         build_units,
         2,
         NULL},
        {"edge relay",
         {MW_FORWARD, MW_TO_RELAY},
         {MW_FORWARD, MW_TO_OWNER},
         mw_relay_pass_on,
         NULL,
         0,
         NULL},
        {"row handler",
         {MW_FORWARD, MW_TO_OWNER},
         {MW_FORWARD, MW_NOWHERE},
         k->build_row,
         NULL,
         0,
         NULL},
    };
    struct mw_graph *g = c->g;
    struct mw_pipeline *p = NULL;
    uint64_t entries, places;
    int rc;

    c->to = to;
    c->ends = ends;
    MW_TRY(rc, make_rows(c));
    if (to->heads)
        MW_TRY(rc, make_heads(g));
    /* Bins of a size to sort in cache: fewer places where rows are long. */
    entries = mw_max(1, to->row[g->n_labels] / ROUNDS);
    places = g->n_places / ROUNDS + 1;
    c->bin_shift = mw_bits_for(mw_min(1 << 16, places * BIN_ENTRIES / entries) / 2 + 1);
    MW_TRY(rc, mw_bins_reshape(&c->bins, (places >> c->bin_shift) + 2,
                               g->wide ? sizeof(struct mw_wide_entry)
                                       : sizeof(struct mw_entry)));
    MW_NEW(rc, c->sorter, "sorters", mw_world_lanes(c->world));
fail:
    rc = mw_comm_agree(c->world->comm, rc);
    if (rc == MW_OK)
        rc = mw_modules_new(table, 3, c, g->place_bits, g->wide, c->world, &p);
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
    const uint64_t number = g->wide ? sizeof(uint64_t) : sizeof(uint32_t);
    uint64_t *row = c->to->row;
    char *column = c->to->column;
    uint64_t to = 0;

    for (uint64_t l = 0; l < g->n_labels; l++) {
        if (to != row[l])
            memmove(column + to * number, column + row[l] * number,
                    c->n_kept[l] * number);
        row[l] = to;
        to += c->n_kept[l];
    }
    row[g->n_labels] = to;
    mw_shrink(column, to * number);
    g->n_entries = to;
    return mw_comm_sum(c->world->comm, &g->n_entries, 1);
}

/* ---- 5 name ---------------------------------------------------------------------------- */

static int name_columns(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_comm *comm = c->world->comm;
    const uint64_t number = g->wide ? sizeof(uint64_t) : sizeof(uint32_t);
    const uint64_t slice = number << g->label_bits;
    int rc;

    MW_TRY(rc, mw_comm_host_alloc(comm, "names of the columns", g->n_columns * number,
                                  &g->name));
    const uint64_t base = (uint64_t)comm->rank << g->label_bits;
    for (uint64_t l = 0; l < g->n_labels; l++) {
        const mw_vid v = mw_vertex_at(g, comm->rank, g->place_of[l]);
        if (g->wide)
            ((uint64_t *)g->name)[base + l] = v;
        else
            ((uint32_t *)g->name)[base + l] = (uint32_t)v;
    }
    rc = mw_comm_share(comm, g->name, slice);
    g->head_name = mw_alloc("names of the heads", g->n_places, number);
    if (g->head_name == NULL)
        rc = MW_ERR_NOMEM;
fail:
    return rc;
}

static void name_heads(struct mw_cpe *self, void *arg)
{
    const struct mw_graph *g = arg;
    uint64_t from, to;
    mw_share(self, 0, g->n_places, &from, &to);
    for (uint64_t p = from; p < to; p++)
        if (g->wide)
            ((uint64_t *)g->head_name)[p] =
                ((const uint64_t *)g->name)[((const uint64_t *)g->head)[p]];
        else
            ((uint32_t *)g->head_name)[p] =
                ((const uint32_t *)g->name)[((const uint32_t *)g->head)[p]];
}

/* Both ends of each tuple: one set of rows, which is the way out and in. */
static int build_undirected(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_rows rows = {.degree = g->degree, .heads = true};
    int rc;

    MW_TRY(rc, count_degrees(c, &rows, MW_BOTH_ENDS));
    MW_TRY(rc, mw_comm_agree(g->comm, label_places(g, rows.degree)));
    MW_TRY(rc, split_columns(c));
    MW_TRY(rc, mw_comm_agree(g->comm, name_vertices(c)));
    MW_TRY(rc, build_rows(c, &rows, MW_BOTH_ENDS));
    MW_TRY(rc, pack_rows(c));
fail:
    g->row = g->in_row = rows.row;
    g->column = g->in_column = rows.column;
    return rc;
}

/* Labels by the sum of both degrees: who has many edges is looked for often, and looks. */
static int label_by_both(struct mw_graph *g, const uint32_t *in_degree)
{
    int rc = MW_OK;
    uint32_t *sum;
    MW_NEW(rc, sum, "degrees, in and out", g->n_places);
    for (uint64_t p = 0; p < g->n_places; p++)
        sum[p] = (uint32_t)mw_min((uint64_t)g->degree[p] + in_degree[p], UINT32_MAX);
    rc = label_places(g, sum);
    mw_free(sum);
fail:
    return rc;
}

static int build_directed(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_rows out = {.degree = g->degree}, in = {.heads = true};
    int rc = MW_OK;

    MW_NEW(rc, in.degree, "degrees inwards", g->n_places);
fail:
    rc = mw_comm_agree(g->comm, rc);
    if (rc == MW_OK)
        rc = count_degrees(c, &out, MW_FIRST_ENDS);
    if (rc == MW_OK)
        rc = count_degrees(c, &in, MW_SECOND_ENDS);
    if (rc == MW_OK)
        rc = mw_comm_agree(g->comm, label_by_both(g, in.degree));
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

int mw_graph_build(struct mw_world *world, const struct mw_edges *edges,
                   struct mw_graph **out)
{
    int rc = MW_OK;
    struct mw_comm *comm = world->comm;
    struct mw_graph *g;
    struct mw_construction c = {
        .world = world, .edges = edges, .deal = mw_divider_of(comm->size)};

    *out = NULL;
    MW_NEW(rc, g, "graph", 1);
    c.g = g;
    g->comm = comm;
    g->directed = edges->directed;
    g->n_vertices = edges->n_vertices;
    g->n_edges = edges->n;
    g->n_places = mw_places_of(g->n_vertices, comm->rank, comm->size);
    g->place_bits = mw_bits_for((g->n_vertices + comm->size - 1) / comm->size);
    MW_NEW(rc, g->degree, "degrees", g->n_places);
fail:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_sum(comm, &g->n_edges, 1);
    if (rc == MW_OK)
        rc = g->directed ? build_directed(&c) : build_undirected(&c);
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
    if (mw_owner_of(g, v) == g->comm->rank) /* a self-loop counts for nothing */
        has = g->degree[mw_place_of(g, v)] > 0;
    const int rc = mw_comm_max(g->comm, &has, 1);
    *out = has != 0;
    return rc;
}
