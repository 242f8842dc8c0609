/* oracle.h -- a check for algorithms that say in a function of their own what every answer should be:
 * from the tuples as read, with the answers of all vertices on each rank. It takes 16 bytes a
 * vertex there, and compares: numbers as they are, reals, which the function says as the bits of
 * doubles, by mw_value_agrees().
 *
 *      static const struct mw_check check = MW_CHECK_BY(expect_labels);
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ORACLE_H
#define MW_ORACLE_H

#include "traversal/traversal.h"

MW_BEGIN_DECLS

#define MW_CHECK_BY(function) MW_CHECK_BY_VALUES(function, 1)
/* Of n values: is[] has an array of answers for each, one behind the other. */
#define MW_CHECK_BY_VALUES(function, n)                                                  \
    {                                                                                    \
        .open = mw_oracle_open, .close = mw_oracle_close, .run = mw_oracle_run,          \
        .sizes = mw_oracle_sizes, .expect = function, .n_expected = n                    \
    }

/* The tuples as a simple graph: without duplicates and self-loops, and both ways where edges have no
 * directions. A rank has the rows of the vertices that are its places by `deal`. */
struct mw_oracle_rows {
    struct mw_partition deal;
    uint64_t n;      /* rows */
    uint64_t *first; /* [n + 1] */
    mw_vid *to;      /* [first[n]], in no order */
};
/* Collective. Borrows `mark` for the call: a number for each vertex of the graph. */
MW_SHOWN int mw_oracle_rows_new(const struct mw_edges *list, struct mw_comm *comm,
                                uint64_t *mark, struct mw_oracle_rows *out) MW_NODISCARD;
/* The same of edges turned round: the neighbours that they come from. */
MW_SHOWN int mw_oracle_rows_inwards_new(const struct mw_edges *list, struct mw_comm *comm,
                                        uint64_t *mark, struct mw_oracle_rows *out)
    MW_NODISCARD;
MW_SHOWN void
mw_oracle_rows_free(struct mw_oracle_rows *rows); /* local; also after a failure */
/* Local: what they take while they are made, if ranks have alike many. */
MW_SHOWN void mw_oracle_rows_sizes(const struct mw_check_shape *shape,
                                   const struct mw_world_shape *world,
                                   struct mw_sizes *out);

/* As struct mw_check has them. */
MW_SHOWN int mw_oracle_open(struct mw_world *world, struct mw_edges *edges, void **out)
    MW_NODISCARD;
MW_SHOWN void mw_oracle_close(void *check);
MW_SHOWN int mw_oracle_run(void *check, const struct mw_traversal *t, mw_vid key,
                           struct mw_verdict *out) MW_NODISCARD;
MW_SHOWN void mw_oracle_sizes(const struct mw_check_shape *shape,
                              const struct mw_world_shape *world, struct mw_sizes *out);

MW_END_DECLS
#endif
