/* active.h -- the active vertices of a rank as a list, with the entries of their rows: a source's work.
 *
 *      list     a sweep (MW_LIST_BITS) lists who is active: the slice
 *      sum      slices of all ranks are what the next step starts from
 *
 * Whoever has to go back keeps slices, one behind the other; the list is long enough for all labels once.
 *
 *      keep     the slice is a level; the next one comes behind it
 *      choose   the last level is the slice again, if it is of that depth
 *      drop     the slice is forgotten
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ACTIVE_H
#define MW_ACTIVE_H

#include "graph/graph.h"

MW_BEGIN_DECLS

struct mw_traversal;

struct mw_active_counts {
    uint64_t n, n_entries; /* of the slice */
};

/* A level that has a vertex here. */
struct mw_active_level {
    uint32_t depth, begin;
};

struct mw_active {
    uint32_t *label; /* [n_labels] */
    uint64_t *end;   /* [n_labels] entries of a slice up to each */
    struct mw_active_counts *counts;
    uint64_t first;                /* of the slice */
    uint64_t n_kept, n_levels;     /* that are kept: vertices, of so many levels */
    struct mw_active_level *level; /* [n_labels] of the host; NULL: none is kept */
};

/* A state that lists begins so. */
struct mw_active_state {
    const struct mw_graph *g;
    struct mw_active listed;
};

/* Kernels of such a state (shuffle/patterns.h): a source that sees an entry of the slice, and the sweep that
 * makes one of bits, size(s, g, i) being the entries of a row. */
#define MW_ACTIVE_ENTRIES(name, type, element)                                           \
    MW_ENTRIES(name, type, s->listed.end + s->listed.first, s->listed.counts->n, mw_any, \
               element)
#define MW_ACTIVE_BITS(name, type, n_words, bits, size)                                  \
    MW_LIST_BITS(name, type, n_words, bits, size, s->listed.label + s->listed.first,     \
                 s->listed.end + s->listed.first, &s->listed.counts->n,                  \
                 &s->listed.counts->n_entries)

/* Rows of a table of blocks, for `listed` of a state. */
/* clang-format off */
#define MW_ACTIVE_BLOCKS(type, name, name_of_ends, name_of_counts)                                  \
    {name, offsetof(struct type, listed.label), MW_OF_CORES, MW_PER_LABEL, sizeof(uint32_t), 0},    \
    {name_of_ends, offsetof(struct type, listed.end), MW_OF_CORES, MW_PER_LABEL, sizeof(uint64_t), 0}, \
    {name_of_counts, offsetof(struct type, listed.counts), MW_OF_BOTH, MW_PER_RANK, sizeof(struct mw_active_counts), 0}
#define MW_ACTIVE_LEVELS(type, name)                                                                \
    {name, offsetof(struct type, listed.level), MW_OF_HOST, MW_PER_LABEL, sizeof(struct mw_active_level), 0}
/* clang-format on */

/* Local, as all but the sum: the work of a source, of a state that lists. */
MW_SHOWN uint64_t mw_active_entries(void *state);

/* The sweep `row` lists behind what is kept. */
MW_SHOWN void mw_active_list(struct mw_traversal *t, uint32_t row);
/* Collective. `rc` is how this rank's step ended; after an error numbers are this rank's alone. */
MW_SHOWN int mw_active_sum(struct mw_traversal *t, int rc) MW_NODISCARD;
/* A sweep over the slice, if that has anybody. */
MW_SHOWN void mw_active_sweep(struct mw_traversal *t, uint32_t row);

MW_SHOWN void mw_active_keep(struct mw_traversal *t, uint32_t depth);
MW_SHOWN void mw_active_choose(struct mw_traversal *t, uint32_t depth);
MW_SHOWN void mw_active_drop(struct mw_traversal *t);

MW_END_DECLS
#endif
