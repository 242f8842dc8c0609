/* graph_there.c -- see graph_there.h, and building.h for the order of phases.
 *
 * What is taken while a phase runs and what stays is in one table; blocks are of cores, but for the graph's
 * own struct.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "devices/graph_there.h"

#include "base/clock.h"
#include "base/stop.h"
#include "devices/pieces.h"

const char *const mw_built_names[MW_BUILT_PHASES] = {
    [MW_BUILT_DEGREES] = "degrees", [MW_BUILT_LABELS] = "labels",
    [MW_BUILT_ENTRIES] = "entries", [MW_BUILT_SORTED] = "sort",
    [MW_BUILT_MERGED] = "merge",    [MW_BUILT_PACKED] = "pack",
    [MW_BUILT_HEADS] = "heads",     [MW_BUILT_PIECES] = "pieces",
};

static void give_block(struct mw_builder *b, void **p)
{
    mw_unplace(b->world, MW_OF_CORES, *p);
    *p = NULL;
}
#define GIVE(ptr) give_block(b, (void **)&(ptr))

/* Collective: a sweep over all tuples of all ranks, which are two words each. */
static int sweep_tuples(struct mw_builder *b, enum mw_building_row row)
{
    const struct mw_telling tuples = {
        .source = b->edges->of_cores,
        .words = 2,
        .weight = row == MW_BUILDING_ENTER ? b->s.tuple_weight : NULL,
        .n = b->edges->n};
    if (!mw_builder_alone(b))
        return mw_builder_tell(b, &tuples, row);
    mw_builder_sweep(b, row);
    return MW_OK;
}

/* ---- phases ---------------------------------------------------------------------------------- */

static int take_first(struct mw_builder *b)
{
    struct mw_building *s = &b->s;
    struct mw_graph *t = b->there;
    int rc = MW_OK;
    MW_BUILDER_TAKE(s->told, "what building tells");
    MW_BUILDER_TAKE(t->degree, "degrees, of cores");
    MW_BUILDER_TAKE(t->label_of, "label of each place, of cores");
    MW_BUILDER_TAKE(t->connected, "connected places, of cores");
    MW_TRY(rc, mw_builder_take_entries(b, "entries", &s->entry));
    s->degree = t->degree;
    s->label_of = t->label_of;
    s->connected = t->connected;
end:
    return rc;
}

/* Collective: as split_columns() of construction does it. */
static int count_labels(struct mw_builder *b)
{
    struct mw_graph *g = b->g;
    struct mw_comm *const comm = b->world->comm;
    uint64_t most = b->s.n_labels, connected = b->s.n_labels;
    int rc;
    MW_TRY(rc, mw_comm_max(comm, &most, 1));
    MW_TRY(rc, mw_comm_sum(comm, &connected, 1));
    g->n_labels = (uint32_t)b->s.n_labels;
    g->n_connected = connected;
    g->label_bits = mw_label_bits(most);
    g->no_column = mw_columns_of(comm->size, g->label_bits);
    g->n_columns = g->no_column + 64;
    b->s.no_column = g->no_column;
    b->s.label_bits = g->label_bits;
    b->s.owner_bits = mw_building_owner_bits(comm->size);
end:
    return rc;
}

static int take_rows(struct mw_builder *b)
{
    struct mw_building *s = &b->s;
    struct mw_graph *t = b->there;
    int rc = MW_OK;
    MW_BUILDER_TAKE(t->place_of, "place of each label, of cores");
    MW_BUILDER_TAKE(t->row, "row starts, of cores");
    s->place_of = t->place_of;
    s->row = t->row;
    mw_builder_sweep(b, MW_BUILDING_LABELS);
    if (mw_builder_alone(b)) {
        s->column_of = s->label_of;
        return MW_OK;
    }
    GIVE(s->entry); /* it had places in order */
    MW_TRY(rc, mw_builder_take_entries(b, "entries", &s->entry));
    MW_BUILDER_TAKE(s->column_of, "columns of all vertices, of cores");
end:
    return rc;
}

/* Collective. */
static int make_labels(struct mw_builder *b)
{
    struct mw_building *s = &b->s;
    int rc;
    mw_builder_sweep(b, MW_BUILDING_ORDER);
    MW_TRY(rc, count_labels(b));
    MW_TRY(rc, mw_comm_agree(b->world->comm, take_rows(b)));
    const struct mw_telling labels = {.source = s->label_of, .words = 1, .n = s->n};
    if (!mw_builder_alone(b))
        rc = mw_builder_tell(b, &labels, MW_BUILDING_GATHER);
end:
    return rc;
}

static int merge_rows(struct mw_builder *b)
{
    int rc = MW_OK;
    if (b->s.n_long > 0)
        MW_TRY(rc, mw_builder_take_entries(b, "merged entries", &b->s.merged));
    mw_builder_sweep(b, MW_BUILDING_MERGE);
    GIVE(b->s.merged);
end:
    return rc;
}

static int pack_rows(struct mw_builder *b)
{
    struct mw_building *s = &b->s;
    int rc = MW_OK;
    MW_BUILDER_TAKE(s->keep, "kept entries");
    MW_BUILDER_TAKE(s->sum, "sums of kept entries");
    mw_builder_sweep(b, MW_BUILDING_KEEP);
    b->there->column = mw_place(b->world, MW_OF_CORES, mw_builder_sizes(b),
                                "columns, of cores", sizeof *s->column);
    if (b->there->column == NULL)
        return MW_ERR_NOMEM;
    s->column = b->there->column;
    MW_BUILDER_TAKE(b->there->weight, "weights, of cores");
    s->weight = b->there->weight;
    mw_builder_sweep(b, MW_BUILDING_PACK);
    b->g->first_leaf = (uint32_t)s->first_leaf;
    b->g->n_ends = s->n_entries;
    GIVE(s->keep);
    GIVE(s->sum);
    GIVE(s->entry);
end:
    return rc;
}

static int make_names(struct mw_builder *b)
{
    struct mw_building *s = &b->s;
    int rc = MW_OK;
    MW_BUILDER_TAKE(s->name, "names of the columns, of cores");
    b->there->name = s->name;
    mw_builder_sweep(b, MW_BUILDING_NAMES);
end:
    return rc;
}

/* Collective. Rows are packed when they need most; so several ranks have names by then, and no more
 * what those come from. */
static int make_rows(struct mw_builder *b)
{
    int rc = MW_OK;
    if (!mw_builder_alone(b)) {
        rc = make_names(b);
        GIVE(b->s.column_of);
    }
    if (rc == MW_OK)
        rc = pack_rows(b);
    MW_TRY(rc, mw_comm_agree(b->world->comm, rc));
    b->g->n_entries = b->s.n_kept;
    rc = mw_comm_sum(b->world->comm, &b->g->n_entries, 1);
end:
    return rc;
}

static int make_heads(struct mw_builder *b)
{
    struct mw_graph *const t = b->there;
    struct mw_building *s = &b->s;
    int rc = MW_OK;
    if (mw_builder_alone(b))
        MW_TRY(rc, make_names(b));
    MW_BUILDER_TAKE(s->head, "heads, of cores");
    t->head = s->head;
    MW_BUILDER_TAKE(s->head_name, "names of the heads, of cores");
    t->head_name = s->head_name;
    mw_builder_sweep(b, MW_BUILDING_HEADS);
end:
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Collective. All go on, or none does. */
static int done(struct mw_builder *b, enum mw_built phase, int rc)
{
    const double now = mw_now();
    b->seconds[phase] = now - b->start;
    b->start = now;
    if (rc == MW_OK)
        rc = mw_stop_check("building", "the graph");
    return mw_comm_agree(b->world->comm, rc);
}

static int build(struct mw_builder *b, const struct mw_building_rule *rule)
{
    int rc;
    MW_TRY(rc, mw_comm_agree(b->world->comm, take_first(b)));
    MW_TRY(rc, mw_builder_open_told(b, rule->piece_words));
    MW_TRY(rc, done(b, MW_BUILT_DEGREES, sweep_tuples(b, MW_BUILDING_DEGREES)));
    MW_TRY(rc, done(b, MW_BUILT_LABELS, make_labels(b)));
    MW_TRY(rc, done(b, MW_BUILT_ENTRIES, sweep_tuples(b, MW_BUILDING_ENTER)));
    mw_builder_sweep(b, MW_BUILDING_SORT);
    MW_TRY(rc, done(b, MW_BUILT_SORTED, MW_OK));
    MW_TRY(rc, done(b, MW_BUILT_MERGED, merge_rows(b)));
    MW_TRY(rc, done(b, MW_BUILT_PACKED, make_rows(b)));
    MW_TRY(rc, done(b, MW_BUILT_HEADS, make_heads(b)));
    MW_TRY(rc, done(b, MW_BUILT_PIECES, mw_pieces_deal(b, rule->delegate)));
end:
    return rc;
}

/* What the host has of it, from the beginning; and the cores' copy of that, with arrays,
 * at the end. */
static int open_graph(struct mw_builder *b)
{
    const struct mw_edges *const e = b->edges;
    struct mw_comm *const comm = b->world->comm;
    int rc = MW_OK;
    MW_NEW(rc, b->g, "graph", 1);
    MW_TRY(rc, mw_graph_open_placed(&b->there, &b->there_dealt));
    struct mw_graph *g = b->g;
    g->comm = comm;
    g->n_vertices = e->n_vertices;
    g->n_edges = e->n;
    g->partition = mw_edges_partition(e, comm->rank, comm->size);
    g->n_places = mw_my_places(&g->partition);
    g->place_bits = mw_bits_for(mw_most_places(&g->partition));
    g->of_cores = b->there;
    b->s.n = g->n_places;
    b->s.n_vertices = g->n_vertices;
    b->s.partition = g->partition;
end:
    rc = mw_comm_agree(comm, rc);
    return rc == MW_OK ? mw_comm_sum(comm, &b->g->n_edges, 1) : rc;
}

/* All that is known of the graph by now, with its arrays. */
static void close_graph(struct mw_builder *b)
{
    const struct mw_graph arrays = *b->there;
    struct mw_graph *t = b->there;
    *t = *b->g;
    t->of_cores = NULL;
    t->delegates = b->g->delegates != NULL ? b->there_dealt : NULL;
    t->degree = arrays.degree;
    t->label_of = arrays.label_of;
    t->connected = arrays.connected;
    t->place_of = arrays.place_of;
    t->row = t->in_row = arrays.row;
    t->column = t->in_column = arrays.column;
    t->weight = t->in_weight = arrays.weight;
    t->head = arrays.head;
    t->head_name = arrays.head_name;
    t->name = arrays.name;
}

int mw_graph_build_there(struct mw_world *world, const struct mw_edges *e,
                         const struct mw_building_rule *rule,
                         double seconds[MW_BUILT_PHASES], struct mw_graph **out)
{
    int rc;
    struct mw_builder b = {.world = world,
                           .edges = e,
                           .s = {.n_tuples = e->n,
                                 .tuple = e->of_cores,
                                 .tuple_weight = e->weight_of_cores,
                                 .weighted = rule->weights != MW_WEIGHTS_NONE},
                           .seconds = seconds,
                           .start = mw_now()};
    *out = NULL;
    rc = open_graph(&b);
    if (rc == MW_OK)
        rc = build(&b, rule);
    void *const of_building[] = {b.s.told,
                                 b.s.entry,
                                 b.s.merged,
                                 b.s.keep,
                                 b.s.sum,
                                 b.s.its_row,
                                 mw_builder_alone(&b) ? NULL : b.s.column_of};
    for (uint32_t i = 0; i < sizeof of_building / sizeof *of_building; i++)
        mw_unplace(world, MW_OF_CORES, of_building[i]);
    mw_parts_close(&b.told);
    mw_delegates_free(b.dealt);
    if (b.g != NULL && b.there != NULL)
        close_graph(&b);
    if (rc != MW_OK) {
        mw_graph_forget_there(world, b.g);
        mw_graph_free(b.g);
        return rc;
    }
    *out = b.g;
    return MW_OK;
}

void mw_graph_forget_there(struct mw_world *world, struct mw_graph *g)
{
    if (g == NULL || g->of_cores == NULL)
        return;
    mw_graph_give_placed(world, (struct mw_graph *)(uintptr_t)g->of_cores);
    g->of_cores = NULL;
}
