/* graph.h -- one rank's share of the graph. Immutable once built, and filled.
 *
 * Vertices are dealt to ranks (partition.h). At its owner a vertex has two numbers:
 *
 *      place   the order of the input. Parents are stored by place, so the answer
 *              is in the input's numbering as soon as the search ends.
 *      label   its rank by falling degree. Rows, frontiers and records use labels: the
 *              hubs of a rank are its first bits, isolated vertices have no label and
 *              are outside every loop, and a row's likely parents come first in it.
 *
 * A column (partition.h) names a neighbour of any rank, by its owner and its label there. Rows are sorted
 * by label, so the first entry of a row is the neighbour that stands highest at its owner: with
 * hubs dealt evenly, one of the highest degrees. It also
 * stands in head[], one number per vertex that has one in the order of the input, and its name
 * in head_name[]: bottom-up settles most vertices by reading these two as streams.
 *
 * In a directed graph a search goes along its edges: top-down over the rows of the edges that
 * leave a vertex (row, column), bottom-up over those of the edges that enter it (in_row,
 * in_column). Labels are in the order of both together. Without directions both are one.
 *
 * Where an algorithm asks for weights (mw_graph_rule), each entry of a row has one.
 *
 * A *thin* graph has all vertices of the list, with their degrees, labels and names, but rows of those tuples alone that
 * an algorithm fills it with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_GRAPH_H
#define MW_GRAPH_H

#include "graph/edges.h"
#include "graph/laps.h"
#include "graph/partition.h"
#include "mpe/world.h"
#include "shuffle/address.h"
#include "shuffle/touch.h"

MW_BEGIN_DECLS

#define MW_NO_VERTEX UINT64_MAX
#define MW_NO_LABEL  UINT32_MAX

struct mw_graph {
    struct mw_comm *comm; /* borrowed */
    struct mw_partition partition;
    uint64_t n_vertices;  /* of the input, isolated ones included; all ranks */
    uint64_t n_edges;     /* of the input: all tuples; all ranks */
    uint64_t n_connected; /* vertices with an edge to another; all ranks */
    bool directed;
    bool thin;           /* rows are of what it was filled with; there are no heads */
    float mean_weight;   /* of all tuples, where it is thin */
    uint64_t n_entries;  /* of all rows of all ranks: twice the distinct edges, or once */
    uint64_t n_places;   /* mine, isolated ones included */
    uint64_t n_ends;     /* that tuples have at mine, self-loops not counted */
    uint32_t n_labels;   /* mine that have an edge: the range of every scan */
    uint32_t first_leaf; /* mine from this label on have one neighbour inwards at most */
    uint32_t label_bits; /* of a column */
    uint32_t place_bits; /* enough for the places of any rank */
    bool wide;           /* columns and parents are 64 bits */

    uint64_t *row;    /* [n_labels + 1] */
    void *column;     /* [row[n_labels]], 32 or 64 bits each */
    uint64_t *in_row; /* the same where the edges come from; not directed: row ... */
    void *in_column;  /* ... and column themselves */
    float *weight;    /* [row[n_labels]] of each entry; NULL: nobody asked */
    float *in_weight; /* the same of in_column */
    /* [n_labels], by mw_head_index(): a column as in in_column, none: itself; and its
     * number in the input. */
    void *head, *head_name;
    uint64_t *
        n_before; /* [n_places / 64 + 1] connected places before each 64. NULL, as devices have it:
                           heads of all places, where isolated ones have no_column */
    uint32_t *label_of;  /* [n_places], MW_NO_LABEL for isolated vertices */
    uint32_t *place_of;  /* [n_labels] */
    uint32_t *degree;    /* [n_places] tuples that touch it, or leave it, no self-loops */
    uint64_t *connected; /* bitmap [n_places]: has a label */

    /* The input's number of every column of every rank, 32 or 64 bits; one copy a host.
     * Columns beyond a rank's labels are 0. NULL: who needs one asks its owner. */
    void *name;
    uint64_t n_columns; /* of all ranks, plus 64: a bit that is never set */
    uint64_t no_column; /* that bit */

    struct mw_delegates *delegates; /* delegates.h; NULL: none */
    /* The cores of devices have built it (devices/graph_there.h): the arrays are in this one, and
     * those above are NULL until they come home (devices/placed.h). */
    const struct mw_graph *of_cores;
    bool asked_columns;  /* how it was built */
    struct mw_laps laps; /* and in which time, by this host */
};

/* Where the head of a place that is not isolated stands. */
MW_FN uint64_t mw_head_index(const struct mw_graph *g, uint64_t place)
{
    const uint64_t before = (UINT64_C(1) << (place % 64)) - 1;
    return g->n_before == NULL
               ? place
               : g->n_before[place / 64] +
                     (uint64_t)__builtin_popcountll(g->connected[place / 64] & before);
}

/* What a rank's own memory does not say of vertices of others: a table of all says it, one a
 * host; or their owners are asked. */
enum mw_look_up { MW_LOOK_UP_AUTO, MW_LOOK_UP_TABLE, MW_LOOK_UP_ASK };

struct mw_graph_rule {
    enum mw_look_up columns; /* of the vertices, while rows are built */
    bool without_names;      /* where columns are asked for: their names as well, later */
    bool by_host;            /* even where the cores of a device could build it */
    enum mw_weights
        weights; /* of entries, whether the list has any (else all are 1) or not */
    bool
        shuffles; /* vertices are dealt by shuffled numbers; of the list, not of building */
    uint64_t deal; /* else so many at a time; 0: dealing.h chooses */
    uint64_t
        piece_entries; /* of rows, sorted at a time by a core, at most; 0: MW_PIECE_ENTRIES */
    bool thin;         /* without directions: mw_graph_fill() makes the rows */
};

/* 16 MiB a core, or 32 with wide numbers: all bins fit up to SCALE 24, but for no hub's beyond. */
enum { MW_PIECE_ENTRIES = 1 << 20 };

/* A table that is not larger is taken anyhow. */
enum { MW_TABLE_BYTES = 1 << 30 };

/* Local, and the same at all ranks. Auto: ask where the table would be larger than that, and than
 * the host's share of the list of edges; so a rank's memory does not grow with the machine. Never
 * with one rank, nor unasked on one host. */
bool mw_owners_are_asked(enum mw_look_up rule, uint64_t n_vertices, uint64_t n_edges,
                         uint32_t n_ranks, uint32_t n_hosts);

/* Columns of all ranks with a bit behind them that is never set; and whether numbers of vertices or of columns need 64
 * bits. */
MW_FN uint64_t mw_graph_columns(uint64_t n_vertices, uint64_t n_ranks,
                                uint32_t label_bits, bool *wide)
{
    const uint64_t n = mw_columns_of(n_ranks, label_bits) + 64;
    *wide = n_vertices > MW_NARROW_VERTICES || n > UINT32_MAX;
    return n;
}

/* What its memory, and that of its construction, follows from. */
struct mw_graph_shape {
    uint64_t n_vertices;            /* of the whole graph */
    uint64_t n_places, most_places; /* mine, and of the rank that has most */
    uint64_t n_tuples;              /* here, whatever they touch */
    uint64_t n_labels, n_columns;
    uint64_t n_entries, n_kept;       /* of my rows, with duplicates and without */
    uint64_t n_in_entries, n_in_kept; /* directed: of those inwards */
    uint64_t
        n_mean_round; /* entries that ranks get in a round of building, on average ... */
    uint64_t n_round; /* ... and at most. 0: as this one gets */
    uint64_t n_sorting; /* entries that the cores' largest bins hold together */
    bool wide, directed;
    enum mw_weights weights;
    uint64_t n_edges;  /* tuples of all ranks; of use with MW_WEIGHTS_FIRST */
    bool asks_columns; /* mw_owners_are_asked() */
    bool asks_names;   /* and there is no table of them for searches either */
    bool thin;
};

/* Local: what mw_graph_build() takes for itself and keeps. */
void mw_graph_sizes(const struct mw_graph_shape *shape,
                    const struct mw_world_shape *world, struct mw_sizes *out);

/* Collective. Borrows world; `edges` may be freed or kept by the caller. Without weights. */
int mw_graph_build(struct mw_world *world, const struct mw_edges *edges,
                   struct mw_graph **out) MW_NODISCARD;
/* The same by a rule; NULL: all automatic. It is the same graph by any. MW_ERR_REFUSED: the rule
 * MW_WEIGHTS_FIRST, for so many vertices and tuples that 64 bits do not hold numbers of both. */
int mw_graph_build_by(struct mw_world *world, const struct mw_edges *edges,
                      const struct mw_graph_rule *rule, struct mw_graph **out)
    MW_NODISCARD;
/* Collective: rows of these tuples, in place of those that a thin graph had, if any. They are some of the list that it
 * was built of, dealt to ranks as one likes. */
int mw_graph_fill(struct mw_world *world, const struct mw_edges *part,
                  const struct mw_graph_rule *rule, struct mw_graph *g) MW_NODISCARD;
void mw_graph_free(struct mw_graph *g); /* collective */

/* Of records whose children are places of any rank, and whose values are below n_values, or one of
 * 32 bits that says there is none. */
MW_FN struct mw_record_bits mw_place_records(uint64_t n_vertices, uint32_t n_ranks,
                                             uint64_t n_values)
{
    const struct mw_partition p = mw_partition_of(n_vertices, 0, n_ranks);
    const struct mw_record_bits bits = {
        mw_bits_for(mw_most_places(&p)),
        n_values > MW_NARROW_VERTICES ? (uint32_t)mw_max(33, mw_bits_for(n_values)) : 32,
        0};
    return bits;
}

MW_FN uint32_t mw_owner_of(const struct mw_graph *g, mw_vid v)
{
    return mw_owner(&g->partition, v);
}

MW_FN uint64_t mw_place_of(const struct mw_graph *g, mw_vid v)
{
    uint32_t owner;
    return mw_locate(&g->partition, v, &owner);
}

MW_FN mw_vid mw_vertex_at(const struct mw_graph *g, uint32_t owner, uint64_t place)
{
    return mw_vertex(&g->partition, owner, place);
}

/* Is there no table of the names of all columns? */
MW_FN bool mw_graph_asks_names(const struct mw_graph *g)
{
    return g->name == NULL && g->of_cores == NULL;
}

/* Wherever its arrays are. */
MW_FN bool mw_graph_is_weighted(const struct mw_graph *g)
{
    return g->weight != NULL || (g->of_cores != NULL && g->of_cores->weight != NULL);
}

/* Tables of numbers are as wide as the graph is. */
MW_FN uint64_t mw_number(const void *table, uint64_t i, bool wide)
{
    MW_TOUCH(table, i * (wide ? 8 : 4));
    return wide ? ((const uint64_t *)table)[i] : ((const uint32_t *)table)[i];
}

MW_FN void mw_set_number(void *table, uint64_t i, uint64_t x, bool wide)
{
    MW_TOUCH(table, i * (wide ? 8 : 4));
    if (wide)
        ((uint64_t *)table)[i] = x;
    else
        ((uint32_t *)table)[i] = (uint32_t)x;
}

MW_FN uint64_t mw_number_bytes(bool wide)
{
    return wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* The part of the columns' bitmaps that is this rank's starts at this word. */
MW_FN uint64_t mw_first_word(const struct mw_graph *g)
{
    return mw_columns_of(g->comm->rank, g->label_bits) / 64;
}

/* The distinct edges of the input. */
MW_FN uint64_t mw_graph_n_distinct(const struct mw_graph *g)
{
    return g->directed ? g->n_entries : g->n_entries / 2;
}

MW_END_DECLS
#endif
