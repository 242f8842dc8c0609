/* oracle.h -- a check for algorithms that say in a function of their own what every answer should be:
 * from the tuples as read, with the answers of all vertices on each rank. It takes 16 bytes a
 * vertex there, and compares: numbers as they are, reals, which the function says as the bits of
 * doubles, by mw_value_agrees().
 *
 *      static const struct mw_check check = MW_CHECK_BY(expect_labels);
 *      static const struct mw_check check = MW_CHECK_OF(expect_ranks, .with_rows = true);
 *
 * What such a function goes over, and needs room for, its check says; the oracle makes it and gives it back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ORACLE_H
#define MW_ORACLE_H

#include "traversal/traversal.h"

MW_BEGIN_DECLS

#define MW_CHECK_BY(function) MW_CHECK_BY_VALUES(function, 1)
/* Of n values: is[] has an array of answers for each, one behind the other. */
#define MW_CHECK_BY_VALUES(function, n) MW_CHECK_OF(function, .n_expected = n)
/* Which is given what struct mw_check says at the end. */
#define MW_CHECK_OF(function, ...)                                                       \
    {                                                                                    \
        .open = mw_oracle_open, .close = mw_oracle_close, .run = mw_oracle_run,          \
        .sizes = mw_oracle_sizes, .expect = function, __VA_ARGS__                        \
    }

/* The tuples as a simple graph: without duplicates and self-loops, and both ways where edges have no
 * directions. A rank has the rows of the vertices that are its places by `deal`. */
struct mw_oracle_rows {
    struct mw_partition deal;
    uint64_t n;      /* rows */
    uint64_t *first; /* [n + 1] */
    mw_vid *to;      /* [first[n]], in no order */
};

/* What a function that expects answers gets, borrowed. */
struct mw_expected {
    const struct mw_edges *edges;
    const struct mw_traversal *t; /* after its run */
    struct mw_comm *comm;
    mw_vid key;
    uint64_t n;    /* vertices of the graph */
    uint64_t *is;  /* [n] for each value, one after the other: the answers */
    uint64_t *was; /* [n] for use while they are found */
    /* As the check asks for them. Edges without directions have the same rows both ways. */
    struct mw_oracle_rows rows, in_rows;
    uint64_t
        *room; /* zeroed: the words for each vertex, then those for each of the rank's */
};

/* The vertex whose row is at a place. */
static inline mw_vid mw_expected_vertex(const struct mw_oracle_rows *rows, uint64_t place)
{
    return mw_vertex(&rows->deal, rows->deal.rank, place);
}

/* Collective, of numbers of all vertices: what each rank says in said[] of its own, others being 0, is known
 * to all in known[], and nothing is said any more. *any: all bits of that. */
MW_SHOWN int mw_expected_share(const struct mw_expected *e, uint64_t *said,
                               uint64_t *known, uint64_t *any) MW_NODISCARD;

/* The rows of all vertices, at the first rank; elsewhere, and of a rank that is alone, `to` is borrowed. */
struct mw_gathered_rows {
    uint64_t *begin, *end; /* [n] of the row of each vertex, in to[] */
    mw_vid *to;
    void *own; /* what is given back */
};

/* Collective, and local. */
int mw_expected_gather(const struct mw_expected *e, const struct mw_oracle_rows *rows,
                       struct mw_gathered_rows *out) MW_NODISCARD;
void mw_gathered_free(struct mw_gathered_rows *rows);
/* What that takes, once for each kind of rows that the check asks for: its more_sizes. */
void mw_gathered_sizes(const struct mw_check_shape *shape,
                       const struct mw_world_shape *world, struct mw_sizes *out);

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
