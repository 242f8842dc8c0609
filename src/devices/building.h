/* building.h -- a graph is built where the cores are that will search it, from a list of tuples that lies there as
 * well: beside a device neither comes home.
 *
 * It is the graph that construction on the host's cores (graph/construct.h) makes of the list, array by array:
 *
 *      degrees -> order -> labels    what a vertex has, and its number by falling degree
 *              -> enter              each end of a tuple goes to its row, by an atomic cursor; rows have room for
 *                                    duplicates
 *              -> sort -> merge      rows that fit the memory of a team, in classes of powers of two; of longer ones
 *                                    pieces of that size, which are merged
 *              -> keep -> pack       a bit for each entry that is no duplicate; where it goes is a sum of bits
 *              -> heads              what searches read beside the rows
 *
 * Labels are in the order of degrees, so rows of a class are neighbours and the long ones come first.
 *
 * *Several ranks* tell each other (devices/parts.h), a piece at a time, what only one has:
 *
 *      tuples        each counts, and later enters, the ends that are its own
 *      labels        which become the columns of all vertices, and at last their names
 *      long rows     of delegated vertices (graph/delegates.h): each keeps of them what leads to its own labels
 *
 * so nothing is sent that is not read where it lies, and there are no records. A row is sorted by label and
 * then by owner: an entry is that, with the owner's bits below, until rows are packed.
 *
 * *With weights* an entry is 64 bits, and has the bits of its weight below: they rise with it. So of
 * duplicates the least comes first, and is kept: rule MW_WEIGHTS_MINIMUM.
 *
 * No directions, numbers of 31 bits, no other rule for weights; else the host builds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BUILDING_H
#define MW_BUILDING_H

#include "devices/parts.h"
#include "graph/delegates.h"
#include "graph/digest.h"
#include "graph/graph.h"
#include "mpe/row.h"

MW_BEGIN_DECLS

/* Local, and the same at all ranks: nothing else decides. Not asked is whether there is room. Of
 * several ranks it is worth it where searches do without the host's graph, which is their
 * algorithm's affair: `stays`. */
bool mw_cores_build(const struct mw_graph_rule *rule, const struct mw_world_shape *world,
                    bool stays, uint64_t n_vertices, bool directed);

/* Local: of the graph and of building it, of cores and beside; n_long: entries of rows
 * that are merged. */
void mw_building_sizes(const struct mw_graph_shape *shape,
                       const struct mw_delegates_shape *delegates, uint64_t n_long,
                       const struct mw_world_shape *world, struct mw_sizes *out);

/* ---- for its kernels ----------------------------------------------------------------------- */

enum {
    MW_SORTED_LOG2 = 13, /* entries that a team sorts: 32 KiB of its memory ... */
    MW_SORTED_WEIGHTED_LOG2 = 12, /* ... which have weights */
    MW_BUILDING_CLASSES = 33,
    MW_ORDER_DIGIT = 8,         /* bits of a degree at a time ... */
    MW_ORDER_STRETCH = 1 << 10, /* ... by a core, of so many places */
    MW_BUILDING_TOLD = MW_DELEGATES_CLASSES,
    MW_TOLD_WORDS =
        1 << 25, /* 128 MiB twice: while one half is read the other is stored */
    MW_LIST_DIGESTS = 1 << 16, /* at most, made side by side ... */
    MW_DIGEST_TUPLES = 64      /* ... of so many tuples each, at least */
};

struct mw_building {
    uint64_t n, n_vertices; /* places of mine, and vertices of all ranks */
    uint64_t n_tuples, n_digests, no_column;
    bool weighted; /* the graph is to be */
    struct mw_partition partition;
    uint32_t label_bits, owner_bits; /* of columns; 0 of owners with one rank */
    const uint64_t
        *tuple; /* [n_tuples] first vertex in the lower half; while they are counted and
                              entered, a piece of somebody's */
    const float *tuple_weight; /* [n_tuples] NULL: all are 1 */
    uint64_t *told;            /* [MW_BUILDING_TOLD] */

    /* Several ranks: of all vertices; MW_NO_LABEL: isolated. One rank: label_of. */
    uint32_t *column_of; /* [n_vertices] */
    /* What I tell, and where to; then what somebody does, items first .. first + n_items - 1 of `width`
     * words: those of `source`, and the bits of one of `beside` unless that is NULL. */
    const uint32_t *source, *its;
    const float *beside;
    uint32_t *mine;
    uint32_t teller, width;
    uint64_t first, n_items;
    /* Of delegated vertices, as in struct mw_delegates; where the rows of the teller's begin; and pieces so far. */
    const uint64_t *delegates;
    uint64_t *piece_start, *its_row; /* its_row: [its delegated vertices] */
    uint32_t *piece;
    float *piece_weight;
    uint64_t n_pieces, least, n_here;

    uint32_t *degree, *label_of; /* [n], as in the graph */
    uint64_t *connected;
    uint32_t *place_of; /* [n_labels] */
    uint64_t *
        row; /* [n_labels + 1]; of label l, while it is filled, its cursor is row[l + 1] */
    /* [mw_building_entries()] rows with duplicates, 32 or 64 bits each; before that, room for places by
     * degree and counts of digits, 32 bits each. */
    void *entry;
    void *merged;     /* [n_long] the other half of the merge */
    uint64_t *keep;   /* [n_entries / 64 + 1] bits: no duplicate */
    uint64_t *sum;    /* [n_entries / 64 + 1] kept ones before these 64 */
    uint32_t *column; /* [n_kept] */
    float *weight;    /* [n_kept] */
    uint32_t *head, *head_name, *name;

    /* What kernels tell, of the host. */
    uint64_t n_labels, n_entries, n_kept;
    const uint32_t *order; /* [n_labels] places by falling degree, in `entry` */
    /* Labels that have more than 2^k tuples, for each k. */
    uint64_t longer[MW_BUILDING_CLASSES];
    uint64_t n_long;  /* entries of those with more than 2^mw_building_sorted_log2() */
    uint64_t longest; /* row */
    uint64_t first_leaf;
    uint64_t
        *in; /* [MW_DELEGATES_CLASSES] of the host: entries of rows, by their length */
    struct mw_digest *digests, digest;
};

enum mw_building_row {
    MW_BUILDING_DIGEST,
    MW_BUILDING_DEGREES,
    MW_BUILDING_ORDER,
    MW_BUILDING_LABELS,
    MW_BUILDING_ENTER,
    MW_BUILDING_SORT,
    MW_BUILDING_MERGE,
    MW_BUILDING_KEEP,
    MW_BUILDING_PACK,
    MW_BUILDING_HEADS,
    MW_BUILDING_TELL,
    MW_BUILDING_GATHER,
    MW_BUILDING_NAMES,
    MW_BUILDING_LENGTHS,
    MW_BUILDING_BOUND,
    MW_BUILDING_COUNT_PIECES,
    MW_BUILDING_DEAL,
    MW_BUILDING_ROWS
};
extern const struct mw_row mw_building_row[MW_BUILDING_ROWS];

struct mw_building_sweeps {
    mw_kernel *digest, *degrees, *order, *labels, *enter, *sort, *merge, *keep, *pack,
        *heads;
    mw_kernel *tell, *gather, *names, *lengths, *bound, *count_pieces, *deal;
};

/* Local. One of its sweeps; the state as below. */
void mw_building_sweep(struct mw_world *w, enum mw_building_row row,
                       struct mw_building *s);

MW_FN uint32_t mw_building_sorted_log2(bool weighted)
{
    return weighted ? MW_SORTED_WEIGHTED_LOG2 : MW_SORTED_LOG2;
}
MW_FN uint64_t mw_building_entry_bytes(bool weighted)
{
    return weighted ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* Of a column while rows are sorted: 31 bits hold it, for sorting has the highest one. */
MW_FN uint32_t mw_building_owner_bits(uint32_t n_ranks)
{
    return mw_bits_for(n_ranks);
}

/* A half of what a rank tells at a time; less where its list is shorter. `most`: 0, or what is
 * asked for. */
MW_FN uint64_t mw_building_told_words(uint64_t n_tuples, uint64_t most)
{
    const uint64_t least = 1 << 10;
    return mw_min(mw_max(2 * n_tuples, least), most > 0 ? most : (uint64_t)MW_TOLD_WORDS);
}

/* An entry while rows are sorted, and the column that it is. */
MW_FN uint32_t mw_building_entry(const struct mw_building *s, uint32_t column)
{
    const uint32_t label = (uint32_t)mw_column_label(column, s->label_bits);
    return label << s->owner_bits | mw_column_owner(column, s->label_bits);
}
MW_FN uint32_t mw_building_column(const struct mw_building *s, uint32_t entry)
{
    const uint32_t owner = entry & ((UINT32_C(1) << s->owner_bits) - 1);
    return (uint32_t)mw_column(owner, entry >> s->owner_bits, s->label_bits);
}

/* Rows with duplicates; or all that ordering takes. */
MW_FN uint64_t mw_building_entries(uint64_t n, uint64_t n_entries)
{
    const uint64_t stretches = (n + MW_ORDER_STRETCH - 1) / MW_ORDER_STRETCH;
    return mw_max(n_entries, 2 * n + (stretches << MW_ORDER_DIGIT));
}

MW_END_DECLS
#endif
