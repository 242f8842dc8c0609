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
#include "graph/construct_sizes.h"

#include "base/stop.h"
#include "mpe/prefix.h"

#include <string.h>

const char *const mw_lap_names[MW_N_LAPS] = {"room",   "count",   "label", "columns",
                                             "enter",  "sort",    "pack",  "name",
                                             "choose", "delegate"};

int mw_construction_go_on(const struct mw_construction *c)
{
    return mw_comm_agree(c->world->comm, mw_stop_check("building", "the graph"));
}

/* ---- 1 count --------------------------------------------------------------------------- */

static int count_degrees(struct mw_construction *c, struct mw_row_set *to,
                         enum mw_ends ends)
{
    c->to = to;
    c->ends = ends;
    return mw_construction_count(c);
}

/* ---- 2 label --------------------------------------------------------------------------- */

/* Columns are split so that every rank's labels fit, on whole cache lines of bitmaps. */
static int split_columns(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    uint64_t most = g->n_labels, connected = g->n_labels;
    MW_NEED(mw_comm_max(c->world->comm, &most, 1));
    MW_NEED(mw_comm_sum(c->world->comm, &connected, 1));
    g->n_connected = connected;
    g->label_bits = mw_label_bits(most);
    g->n_columns =
        mw_graph_columns(g->n_vertices, c->world->comm->size, g->label_bits, &g->wide);
    g->no_column = g->n_columns - 64;
    return MW_OK;
}

/* The column of every vertex of every rank, owner by owner: what the edge generators name
 * neighbours by. With one rank and narrow columns that is label_of itself. */
static int name_vertices(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_comm *comm = c->world->comm;
    struct mw_sizes sizes;

    c->most_places = mw_most_places(&g->partition);
    mw_construction_sizes(c, &sizes);
    const struct mw_size *table = mw_sizes_find(&sizes, "columns of all vertices");
    if (table->copies == 0) {
        c->column_of = c->asks ? NULL : g->label_of;
        return MW_OK;
    }
    MW_NEED(
        mw_comm_hosts_alloc(comm, table->what, table->n * table->bytes, &c->column_of));
    mw_construction_sweep(c, MW_CONSTRUCTION_COLUMNS);
    return mw_comm_share(comm, c->column_of, c->most_places * table->bytes);
}

static void forget_vertices(struct mw_construction *c)
{
    if (c->column_of != c->g->label_of)
        mw_comm_host_free(c->world->comm, c->column_of);
    c->column_of = NULL;
}

/* Collective, when all have labels. */
static int make_columns(struct mw_construction *c)
{
    MW_NEED(split_columns(c));
    mw_construction_lap(c, MW_LAP_LABEL);
    MW_NEED(mw_comm_agree(c->world->comm, name_vertices(c)));
    mw_construction_lap(c, MW_LAP_COLUMNS);
    return MW_OK;
}

/* ---- 3 build --------------------------------------------------------------------------- */

static const char *columns_of(const struct mw_construction *c)
{
    return c->ends == MW_SECOND_ENDS ? "columns inwards" : "columns";
}

static const char *weights_of(const struct mw_construction *c)
{
    return c->ends == MW_SECOND_ENDS ? "weights inwards" : "weights";
}

/* Row starts with room for every entry, duplicates included. */
static int make_rows(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_row_set *to = c->to;
    struct mw_sizes sizes;

    mw_construction_sizes(c, &sizes);
    MW_NEED_TAKE(to->row, &sizes, "row starts");
    mw_construction_sweep(c, MW_CONSTRUCTION_LENGTHS);
    mw_prefix_sum(c->world, to->row + 1, g->n_labels);
    if (!g->thin)
        g->n_ends += to->row[g->n_labels];
    mw_construction_sizes(c, &sizes); /* with the number of entries */
    if (c->n_kept == NULL)
        MW_NEED_TAKE(c->n_kept, &sizes, "row lengths");
    else
        memset(c->n_kept, 0, g->n_labels * sizeof *c->n_kept);
    to->column = mw_sizes_take(&sizes, columns_of(c), mw_number_bytes(g->wide));
    if (to->column == NULL)
        return MW_ERR_NOMEM;
    if (c->weights != MW_WEIGHTS_NONE)
        MW_NEED_TAKE(to->tags.weight, &sizes, weights_of(c));
    if (c->weights == MW_WEIGHTS_FIRST)
        MW_NEED_TAKE(to->tags.order, &sizes, "orders of weights");
    return MW_OK;
}

static int make_heads(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_sizes sizes;
    mw_construction_sizes(c, &sizes);
    g->head = mw_sizes_take(&sizes, "heads", mw_number_bytes(g->wide));
    if (c->asks_names)
        g->head_name =
            mw_sizes_take(&sizes, "names of the heads", mw_number_bytes(g->wide));
    if (g->head == NULL || (c->asks_names && g->head_name == NULL))
        return MW_ERR_NOMEM;
    if (g->directed) /* else all that are connected find one */
        mw_construction_sweep(c, MW_CONSTRUCTION_HEADS);
    return MW_OK;
}

static int make_room(struct mw_construction *c)
{
    const int rc = make_rows(c);
    return rc == MW_OK && c->to->heads ? make_heads(c) : rc;
}

/* ---- 4 pack ---------------------------------------------------------------------------- */

static int pack_rows(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    g->n_entries = mw_construction_pack(c);
    mw_shrink(c->to->column, g->n_entries * mw_number_bytes(g->wide));
    if (c->to->tags.weight != NULL)
        mw_shrink(c->to->tags.weight, g->n_entries * sizeof *c->to->tags.weight);
    return mw_comm_sum(c->world->comm, &g->n_entries, 1);
}

static int build_rows(struct mw_construction *c, struct mw_row_set *to, enum mw_ends ends)
{
    int rc;
    c->to = to;
    c->ends = ends;
    MW_TRY(rc, mw_comm_agree(c->world->comm, make_room(c)));
    rc = mw_construction_build(c);
    mw_free(to->tags.order);
    to->tags.order = NULL;
    MW_TRY(rc, rc);
    MW_TRY(rc, pack_rows(c));
    mw_construction_lap(c, MW_LAP_PACK);
end:
    return rc;
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
    MW_TRY(rc, mw_comm_hosts_alloc(comm, table->what, table->n * table->bytes, &g->name));
    mw_construction_sweep(c, MW_CONSTRUCTION_NAMES);
    rc = mw_comm_share(comm, g->name, table->bytes * mw_columns_of(1, g->label_bits));
    if (g->thin)
        goto end;
    g->head_name = mw_sizes_take(&sizes, "names of the heads", mw_number_bytes(g->wide));
    if (g->head_name == NULL)
        rc = MW_ERR_NOMEM;
end:
    return rc;
}

/* ---- All of it ------------------------------------------------------------------------- */

/* One set of rows, which is the way out and in. */
static void take_rows(struct mw_graph *g, const struct mw_row_set *rows)
{
    g->row = g->in_row = rows->row;
    g->column = g->in_column = rows->column;
    g->weight = g->in_weight = rows->tags.weight;
}

/* Both ends of each tuple. */
static int build_undirected(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_row_set rows = {.degree = g->degree, .heads = true};
    int rc;

    MW_TRY(rc, count_degrees(c, &rows, MW_BOTH_ENDS));
    MW_TRY(rc, mw_comm_agree(g->comm, mw_construction_label(c, rows.degree)));
    for (uint64_t p = 0; g->thin && p < g->n_places; p++)
        g->n_ends += g->degree[p];
    MW_TRY(rc, make_columns(c));
    if (!g->thin)
        MW_TRY(rc, build_rows(c, &rows, MW_BOTH_ENDS));
end:
    take_rows(g, &rows);
    return rc;
}

/* Of vertices that have labels. */
static int build_part(struct mw_construction *c)
{
    struct mw_graph *g = c->g;
    struct mw_row_set rows = {NULL};
    struct mw_sizes sizes;
    int rc;

    mw_construction_sizes(c, &sizes);
    rows.degree = mw_sizes_take(&sizes, "degrees of a part", sizeof *rows.degree);
    MW_TRY(rc, mw_comm_agree(g->comm, rows.degree != NULL ? MW_OK : MW_ERR_NOMEM));
    MW_TRY(rc, count_degrees(c, &rows, MW_BOTH_ENDS));
    MW_TRY(rc, mw_comm_agree(g->comm, name_vertices(c)));
    mw_construction_lap(c, MW_LAP_COLUMNS);
    MW_TRY(rc, build_rows(c, &rows, MW_BOTH_ENDS));
end:
    mw_free(rows.degree);
    take_rows(g, &rows);
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
    int rc;

    mw_construction_sizes(c, &sizes);
    in.degree = mw_sizes_take(&sizes, "degrees inwards", sizeof *in.degree);
    MW_TRY(rc, mw_comm_agree(g->comm, in.degree != NULL ? MW_OK : MW_ERR_NOMEM));
    MW_TRY(rc, count_degrees(c, &out, MW_FIRST_ENDS));
    MW_TRY(rc, count_degrees(c, &in, MW_SECOND_ENDS));
    MW_TRY(rc, mw_comm_agree(g->comm, label_by_both(c, in.degree)));
    MW_TRY(rc, make_columns(c));
    MW_TRY(rc, build_rows(c, &in, MW_SECOND_ENDS));
    MW_TRY(rc, build_rows(c, &out, MW_FIRST_ENDS));
end:
    mw_free(in.degree);
    g->row = out.row;
    g->column = out.column;
    g->in_row = in.row;
    g->in_column = in.column;
    g->weight = out.tags.weight;
    g->in_weight = in.tags.weight;
    return rc;
}

static void find_leaves(struct mw_graph *g)
{
    for (g->first_leaf = g->n_labels; g->first_leaf > 0; g->first_leaf--)
        if (g->in_row[g->first_leaf] - g->in_row[g->first_leaf - 1] > 1)
            break;
}

static void set_rule(struct mw_construction *c, const struct mw_graph_rule *rule)
{
    static const struct mw_graph_rule automatic = {MW_LOOK_UP_AUTO};
    struct mw_graph *g = c->g;
    rule = rule != NULL ? rule : &automatic;
    c->asks = mw_owners_are_asked(rule->columns, g->n_vertices, g->n_edges, g->comm->size,
                                  g->comm->n_hosts);
    c->asks_names = c->asks && rule->without_names;
    c->weights = rule->weights;
    c->piece_entries = rule->piece_entries > 0 ? rule->piece_entries : MW_PIECE_ENTRIES;
    g->asked_columns = c->asks;
    g->thin = rule->thin && !g->directed;
}

static int take_degrees(struct mw_construction *c)
{
    struct mw_sizes sizes;
    mw_construction_sizes(c, &sizes);
    MW_NEED_TAKE(c->g->degree, &sizes, "degrees");
    return MW_OK;
}

/* All but names; what only this needs is given back. */
static int build(struct mw_construction *c, bool part)
{
    struct mw_graph *g = c->g;
    int rc = MW_OK;
    if (!part)
        MW_TRY(rc, mw_comm_agree(g->comm, take_degrees(c)));
    MW_TRY(rc, mw_construction_bins(c));
    mw_construction_lap(c, MW_LAP_ROOM);
    MW_TRY(rc, part          ? build_part(c)
               : g->directed ? build_directed(c)
                             : build_undirected(c));
    if (!g->thin)
        find_leaves(g);
    MW_TRY(rc, mw_construction_go_on(c));
end:
    c->to = NULL;
    forget_vertices(c);
    mw_free(c->n_kept);
    mw_bins_fini(&c->bins);
    mw_shelf_fini(&c->shelf);
    return rc;
}

int mw_construct(struct mw_world *world, const struct mw_edges *edges,
                 const struct mw_graph_rule *rule, struct mw_graph *g)
{
    struct mw_construction c = {.world = world, .edges = edges, .g = g};
    set_rule(&c, rule);
    MW_NEED(build(&c, false));
    if (!c.asks_names) {
        MW_NEED(mw_comm_agree(g->comm, name_columns(&c)));
        if (!g->thin)
            mw_construction_sweep(&c, MW_CONSTRUCTION_HEAD_NAMES);
    }
    mw_construction_lap(&c, MW_LAP_NAME);
    return MW_OK;
}

int mw_construct_part(struct mw_world *world, const struct mw_edges *part,
                      const struct mw_graph_rule *rule, struct mw_graph *g)
{
    struct mw_construction c = {.world = world, .edges = part, .g = g};
    set_rule(&c, rule);
    return build(&c, true);
}
