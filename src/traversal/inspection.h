/* inspection.h -- the tuples and an answer where the cores that have searched reach both, for a check by
 * sweeps: beside a device neither comes home.
 *
 * An algorithm's check has sweeps of its own over tuples and vertices (sssp_inspect.h, cc_inspect.h), which
 * count what is wrong, by rule; what it is called is found by the host's cores, by the check that they
 * have anyway. Of the answer each rank has all ranks' values, by vertex, and judges its own tuples.
 * Two things ranks tell each other (devices/parts.h):
 *
 *      tell answer -> gather answers     values of my places, which become those of all vertices
 *      doubt -> settle                   a bit for each vertex whose first value no tuple of mine has confirmed.
 *                                        A rank has a share of the vertices whose bits of all it looks
 *                                        at: what is set at all ranks is in doubt
 *
 * Breadth-first trees are judged by kernels tuned by hand (bfs_inspect.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_INSPECTION_H
#define MW_INSPECTION_H

#include "devices/parts.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

enum {
    MW_INSPECTED_VALUES = 2,  /* of an answer, at most */
    MW_INSPECTING_RANKS = 128 /* at most: what a host keeps of doubts grows with them */
};

/* In place of a value: there is none; and a first one that some tuple has confirmed. */
#define MW_NOT_SAID  UINT32_C(0xFFFFFFFF)
#define MW_CONFIRMED UINT32_C(0xFFFFFFFE)

/* What sweeps count, of cores. */
struct mw_found {
    uint64_t n_wrong[MW_CHECK_RULES];
    uint64_t n_self_loops; /* that the answer is about */
};

/* Values of my places where the cores reach them, of 32 or 64 bits. */
struct mw_own_values {
    const void *value;
    bool wide;
};

/* What sweeps get; in an algorithm's state it stands behind the graph. */
struct mw_inspection {
    const struct mw_graph *g; /* an empty one, for patterns */
    uint64_t n, n_tuples;     /* vertices of all ranks; tuples of mine */
    struct mw_partition partition;
    bool directed;
    uint32_t n_values;
    const uint32_t *tuple;  /* [2 * n_tuples] */
    const float *weight;    /* [n_tuples]; NULL: all are 1 */
    uint32_t *answer;       /* [n * n_values] those of a vertex side by side */
    struct mw_found *found; /* [1] */

    /* Mine, as the search has left them, by place; and as others read them, one value of all places after
     * the other, `stride` apart. */
    struct mw_own_values own[MW_INSPECTED_VALUES];
    uint32_t *told;
    uint64_t stride;
    uint32_t teller; /* whose values are gathered, or doubts settled */
    const uint32_t *its;
    /* Bits of all vertices; then the words of my share: the teller's, and what all doubt who were read. */
    uint64_t *doubt;
    uint64_t n_words, first_word, n_my_words;
    const uint64_t *its_doubt;
    uint64_t *unsettled;
    uint64_t *sum; /* of the host: sweeps that add up add to it */
};

/* Local, the same at all ranks: can they judge, if there is room? */
bool mw_inspection_possible(const struct mw_backend *backend, uint32_t n_ranks,
                            uint64_t n_vertices);
/* Local: what mw_inspector_open() takes. */
void mw_inspection_sizes(const struct mw_check_shape *shape,
                         const struct mw_world_shape *world, uint32_t n_values,
                         bool weighted, struct mw_sizes *out);
/* Local: the room that has to be left on a device, beside what searches take, so that it validates
 * as well, for which it takes so many bytes. */
uint64_t mw_inspection_room(uint64_t bytes, uint32_t n_ranks);
/* Local: has the device, of several ranks, that room for blocks of these sizes? */
bool mw_inspection_fits(const struct mw_world *w, const struct mw_sizes *sizes);

struct mw_inspector {
    struct mw_inspection *s;
    struct mw_world *world;
    struct mw_edges *edges;
    struct mw_parts parts; /* values, and doubts behind them */
    bool weighted;         /* sweeps read weights */
    struct mw_edges own;   /* of_cores: a list of my own; the rest is borrowed */
    uint64_t sum;
};

/* What an algorithm's check needs. */
struct mw_inspector_need {
    uint32_t n_values;
    bool weighted;
    uint64_t
        more_bytes; /* of cores, that the algorithm takes beside what an inspection does */
};

/* Collective. Borrows world, edges and `s`, of which it fills in all but what a run brings. *here is
 * false at all ranks, and all is well, where it is not possible or some rank has no room. */
int mw_inspector_open(struct mw_inspector *k, struct mw_inspection *s,
                      struct mw_world *world, struct mw_edges *edges,
                      const struct mw_inspector_need *need, bool *here) MW_NODISCARD;
/* Collective; all zero is legal. */
void mw_inspector_close(struct mw_inspector *k);

/* Collective: the answer of all ranks, of which this is mine, is in `answer`, and nothing has been found.
 * MW_ERR_NOMEM at all ranks where one lacks room for the list, which has gone home meanwhile. */
int mw_inspector_gather(struct mw_inspector *k, const struct mw_own_values *own)
    MW_NODISCARD;
/* Collective, after the tuples: *n vertices of my share have a first value that is not confirmed. */
int mw_inspector_settle(struct mw_inspector *k, uint64_t *n) MW_NODISCARD;
/* Collective: what ranks have found, added to *out, which becomes the sum over them. */
int mw_inspector_sum(struct mw_inspector *k, struct mw_verdict *out) MW_NODISCARD;

/* ---- for its kernels --------------------------------------------------------------------- */

enum mw_inspection_sweep {
    MW_INSPECTION_TELL,
    MW_INSPECTION_GATHER,
    MW_INSPECTION_DOUBT,
    MW_INSPECTION_SETTLE,
    MW_INSPECTION_COUNT,
    MW_INSPECTION_ROWS
};
extern const struct mw_row mw_inspection_row[MW_INSPECTION_ROWS];

struct mw_inspection_sweeps {
    mw_kernel *tell, *gather, *doubt, *settle, *count;
};

MW_END_DECLS
#endif
