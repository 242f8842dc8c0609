/* construct.h -- kernel 1 from the inside: the state that its kernels share.
 *
 * A directed graph has rows of the edges that leave a vertex and rows of those that enter it:
 * each tuple is looked at for one end at a time, in two passes over the tables below.
 *
 * Two module tables over the same pipeline that BFS uses:
 *
 *      count   degree generator --forward--> [relay] --> degree handler
 *      build   edge generator   --forward--> [relay] --> row handler
 *
 * The edge generator of `build` says "v has the neighbour u" to the owner of v, and names u
 * by its column at once: between the two runs the columns of all vertices are put in one
 * table per host. So no rank ever holds more than its share of the edges, an end travels
 * once, and rows arrive with final columns. Places are built in rounds, to keep the
 * records in flight few.
 *
 * A hub's row may be larger than all other rows of a rank. So a round has as many *slices* of the
 * list of edges as keep what arrives in one near the mean; where there are several, bins are
 * stored in their rows after each, and the rows sorted where they stand in the end. A core sorts
 * `piece_entries` at a time: a longer row is dealt out by its upper digits first, in place.
 *
 * That table grows with the machine. Where it is too large (mw_owners_are_asked()) an end goes by
 * way of u's owner, who knows the column, and no rank holds anything for it:
 *
 *      build   edge asker --backward--> [relay] --> column teller
 *                         --forward--> [relay] --> row handler
 *
 * and if there is to be no table of names, it runs once more for those of the heads.
 *
 * Where weights are asked for, a record is wide and has the tuple's weight beside the column. Each
 * entry keeps its weight until the row is sorted, and duplicates become one there. For the rule
 * MW_WEIGHTS_FIRST the tuple's number in the input, its *order*, travels above the column.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CONSTRUCT_H
#define MW_CONSTRUCT_H

#include "graph/bins.h"
#include "graph/graph.h"
#include "graph/shelf.h"
#include "mpe/row.h"
#include "shuffle/reals.h"

MW_BEGIN_DECLS

enum { MW_CONSTRUCTION_ROUNDS = 4 }; /* places are built in so many parts */

/* "place has this neighbour", as it lies in a bin. */
struct mw_entry {
    uint32_t place, column;
};
struct mw_wide_entry {
    uint64_t column; /* or above it the order, too */
    uint32_t place;
    float weight; /* 0 where nobody asked for it */
};
struct mw_weighted_entry {
    uint32_t place, column;
    float weight;
};

/* What keys or entries have beside them. */
struct mw_tags {
    float *weight;   /* NULL: nobody asked */
    uint64_t *order; /* of MW_WEIGHTS_FIRST; else NULL */
};

/* A core's buffers for sorting one bin. A key is a place of the bin above a column. */
enum { MW_SORT_DIGIT = 12, MW_SORT_DIGITS = 6 }; /* bits, and how many make 64 */
struct mw_sorter {
    uint64_t *key[2]; /* [room] */
    uint64_t room;
    uint64_t n_entries;     /* written by this core */
    struct mw_tags tags[2]; /* [room] */
    uint32_t count[MW_SORT_DIGITS][1 << MW_SORT_DIGIT];
};

/* Which ends of a tuple (u, v) get an entry in this pass: u for v, v for u, or both. */
enum mw_ends { MW_BOTH_ENDS, MW_FIRST_ENDS, MW_SECOND_ENDS };

/* The rows that are being built; they become the graph's. */
struct mw_row_set {
    uint32_t *degree; /* [n_places] entries, duplicates included */
    uint64_t *row;
    void *column;
    struct mw_tags tags; /* of the entries */
    bool heads;          /* the first entries become the graph's heads */
};

struct mw_construction {
    struct mw_world *world;
    const struct mw_edges *edges;
    struct mw_graph *g;
    enum mw_ends ends;
    struct mw_row_set *to;
    bool asks; /* owners for columns: there is no table */
    bool asks_names,
        naming; /* and for the names of heads: the next run of the pipeline does */
    struct mw_bins
        bins; /* of what has arrived, and where there is no shelf of what is here */
    struct mw_shelf shelf; /* what the ranks of this host have for each other */
    uint64_t most_tuples;  /* of any rank */
    uint32_t bin_shift;    /* place - first_place >> bin_shift is the bin */
    uint64_t first_place, last_place; /* of this round, at every rank */
    uint64_t first_edge, last_edge;   /* of this round, or slice of it */
    uint64_t piece_entries;
    enum mw_weights weights;
    uint64_t first_order; /* of this rank's first tuple */
    uint32_t
        value_bits; /* of a column, or of a vertex on its way; the order is above them */
    uint32_t n_slices;        /* of a round of building */
    uint64_t next_bin;        /* work is dealt to cores as they come */
    uint32_t *n_kept;         /* [n_labels] entries of each row without duplicates */
    void *column_of;          /* [n_ranks * most_places] of every vertex; one per host */
    uint64_t most_places;     /* of any rank */
    struct mw_sorter *sorter; /* [n_lanes] */
};

/* What arrives with a column's record, or with a vertex's, or lies in an entry: the column or the
 * vertex, and the order. */
MW_FN uint64_t mw_value_without_order(const struct mw_construction *c, uint64_t value)
{
    return c->weights == MW_WEIGHTS_FIRST ? value & ((UINT64_C(1) << c->value_bits) - 1)
                                          : value;
}
MW_FN uint64_t mw_order_of(const struct mw_construction *c, uint64_t value)
{
    return c->weights == MW_WEIGHTS_FIRST ? value >> c->value_bits : 0;
}
MW_FN uint64_t mw_value_with_order(const struct mw_construction *c, uint64_t value,
                                   uint64_t order)
{
    return c->weights == MW_WEIGHTS_FIRST ? value | order << c->value_bits : value;
}

/* How entries lie in bins. */
enum mw_entry_form {
    MW_ENTRY_NARROW,
    MW_ENTRY_WIDE,
    MW_ENTRY_WEIGHTED,
    MW_ENTRY_WIDE_WEIGHTED,
    MW_ENTRY_FORMS
};
MW_FN enum mw_entry_form mw_entry_form_of(bool wide, enum mw_weights weights)
{
    if (weights == MW_WEIGHTS_NONE)
        return wide ? MW_ENTRY_WIDE : MW_ENTRY_NARROW;
    return wide || weights == MW_WEIGHTS_FIRST ? MW_ENTRY_WIDE_WEIGHTED
                                               : MW_ENTRY_WEIGHTED;
}

struct mw_construction_kernels {
    mw_kernel *count_generate, *count_handle;
    mw_kernel *build_generate, *build_row;
    mw_kernel *build_ask, *build_tell;
};
extern const struct mw_construction_kernels mw_construction_serial, mw_construction_host;

/* ---- the table: construct_rows.c --------------------------------------------------------- */

/* Its exchanges, as bits. */
enum {
    MW_CONSTRUCTION_COUNT = 1,
    MW_CONSTRUCTION_BUILD = 2,
    MW_CONSTRUCTION_ASK = 4 /* to build, too */
};
MW_FN uint32_t mw_construction_exchange(bool asks)
{
    return asks ? MW_CONSTRUCTION_ASK : MW_CONSTRUCTION_BUILD;
}

enum { MW_CONSTRUCTION_MODULES = 9 };
enum mw_construction_rows {
    MW_CONSTRUCTION_COUNT_BINS = MW_CONSTRUCTION_MODULES,
    MW_CONSTRUCTION_MOST,
    MW_CONSTRUCTION_COUNT_DIGITS,
    MW_CONSTRUCTION_DEAL_OUT,
    MW_CONSTRUCTION_LABELS,
    MW_CONSTRUCTION_COLUMNS,
    MW_CONSTRUCTION_LENGTHS,
    MW_CONSTRUCTION_HEADS,
    MW_CONSTRUCTION_STORE_BINS,
    MW_CONSTRUCTION_SORT_BINS,
    MW_CONSTRUCTION_MEASURE,
    MW_CONSTRUCTION_MOVE,
    MW_CONSTRUCTION_NAMES,
    MW_CONSTRUCTION_HEAD_NAMES,
    MW_CONSTRUCTION_ROWS
};
extern const struct mw_row_table mw_construction_table;

/* Local. A sweep whose state is c. */
MW_FN void mw_construction_sweep(struct mw_construction *c, enum mw_construction_rows row)
{
    mw_row_sweep(&mw_construction_table, row, c->world, c);
}

/* The sweeps' kernels, which are any host core's. */
mw_kernel mw_construction_count_bins, mw_construction_store_bins,
    mw_construction_sort_bins; /* construct_bins.c */
mw_kernel mw_construction_most, mw_construction_count_digits, mw_construction_deal_out,
    mw_construction_labels;                              /* construct_labels.c */
mw_kernel mw_construction_measure, mw_construction_move; /* construct_pack.c */
mw_kernel mw_construction_columns, mw_construction_lengths, mw_construction_heads,
    mw_construction_names, mw_construction_head_names; /* construct_sweeps.c */

/* Collective. Of a graph of which is known whose its vertices are: all the rest, but the rows of a thin one. And those. */
int mw_construct(struct mw_world *world, const struct mw_edges *edges,
                 const struct mw_graph_rule *rule, struct mw_graph *g) MW_NODISCARD;
int mw_construct_part(struct mw_world *world, const struct mw_edges *part,
                      const struct mw_graph_rule *rule, struct mw_graph *g) MW_NODISCARD;

/* Collective, between two steps: MW_ERR_INTERRUPTED on all ranks when one was asked to end. */
int mw_construction_go_on(const struct mw_construction *c) MW_NODISCARD;

/* Local. What has passed since the last lap. */
MW_FN void mw_construction_lap(struct mw_construction *c, enum mw_lap is)
{
    mw_lap(&c->g->laps, c->world->comm, is);
}

/* ---- passes over the edges: construct_passes.c -------------------------------------------- */

/* Collective. Takes the bins of all passes. */
int mw_construction_bins(struct mw_construction *c) MW_NODISCARD;

/* Collective. The degrees of c->to from the edges' c->ends; then, into the room there, its rows. */
int mw_construction_count(struct mw_construction *c) MW_NODISCARD;
int mw_construction_build(struct mw_construction *c) MW_NODISCARD;

/* ---- what stands between them ------------------------------------------------------------- */

/* Local. Labels for all places that have a degree: n_labels, label_of, place_of, connected. */
enum { MW_LABEL_DIGIT = 11 };
int mw_construction_label(struct mw_construction *c, const uint32_t *degree) MW_NODISCARD;

/* Local. Closes the gaps between the rows of c->to; returns how many entries they have. */
uint64_t mw_construction_pack(struct mw_construction *c);

/* Where one lane, of this rank or of another one of its host, has put aside records of a bin;
 * NULL: nowhere. `source` is below mw_construction_sources(). */
MW_FN uint32_t mw_construction_sources(const struct mw_construction *c)
{
    return c->bins.n_lanes + mw_shelf_sources(&c->shelf);
}
MW_FN const struct mw_chunk *mw_construction_chunk(const struct mw_construction *c,
                                                   uint32_t source, uint64_t bin)
{
    return source < c->bins.n_lanes
               ? c->bins.lane[source].bin[bin]
               : mw_shelf_chunk(&c->shelf, source - c->bins.n_lanes, bin);
}

MW_END_DECLS
#endif
