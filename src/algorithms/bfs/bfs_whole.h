/* bfs_whole.h -- a whole search at once: where all cores of a rank can wait for each other within
 * one kernel, that kernel runs every level, and the management core hands out afterwards what
 * it has noted of each.
 *
 *      whole      from the root to the last level, and the answer in its places
 *      recount    after the clock: the edges of the one level that would have cost the search more to count
 *
 * One rank, columns of 32 bits that are labels, a graph that is undirected, a direction that turns once. The
 * kernel takes the graph and the room below, and nothing else of the search's state but
 * `parent`: no frontier, no `seen`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_WHOLE_H
#define BFS_WHOLE_H

#include "traversal/level.h"

MW_BEGIN_DECLS

enum { BFS_WHOLE_LEVELS = 256 }; /* whose figures are noted */

/* Of one level, as it began; but how long it took, in nanoseconds by the device's clock. */
struct bfs_whole_level {
    uint64_t n_active, n_unvisited_edges, ns;
    uint32_t up; /* 1: bottom-up */
};

/* What it keeps beside the state, and what it tells. Of both. */
struct bfs_whole {
    uint32_t
        *room; /* [bfs_whole_words()] of cores: what is in it, the kernel knows alone */
    double
        alpha; /* bottom-up, when the frontier's edges * this exceed the unvisited ones */
    uint32_t n_blocks; /* of cores, that run at once; 0: the room is not prepared yet */
    /* Of the last search. */
    uint32_t n_levels;
    uint32_t
        recounts; /* a level whose unvisited edges nobody has counted; UINT32_MAX: none */
    uint32_t *before; /* bitmap of what was visited before it, of cores */
    struct bfs_whole_level level[BFS_WHOLE_LEVELS + 1];
};

/* Labels, in whole lines of a bitmap. */
MW_FN uint64_t bfs_whole_labels(uint64_t n_labels)
{
    return (n_labels + 4095) / 4096 * 4096;
}

/* Pieces of long rows that a level may list: a share of the labels, since long rows are few. */
MW_FN uint64_t bfs_whole_pieces(uint64_t n_labels)
{
    return mw_max(n_labels / 16, UINT64_C(1) << 20);
}

/* Of 32 bits: six or seven for a label, its bits, and two lists of pieces. */
MW_FN uint64_t bfs_whole_words(uint64_t n_labels)
{
    enum { SMALL = 1 << 15, ALIGNMENT = 32 * 64 };
    const uint64_t n = bfs_whole_labels(n_labels);
    return 7 * n + 3 * n / 32 + n / 64 + 4 * bfs_whole_pieces(n_labels) + SMALL +
           ALIGNMENT;
}

struct mw_algorithm_shape;
struct mw_bfs;
struct mw_traversal;
struct mw_world_shape;

void bfs_whole_sizes(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out);
int bfs_whole_init(struct mw_bfs *b, const struct mw_sizes *sizes)
    MW_NODISCARD;                      /* local */
void bfs_whole_fini(struct mw_bfs *b); /* local */

/* Local. False where it cannot be, or where somebody wants to know more, or other, than the answer. */
bool bfs_whole_can(const struct mw_bfs *b);

/* Local. The whole search, then what its levels did, one a call: MW_DONE after the last. */
void bfs_whole_start(struct mw_bfs *b);
int bfs_whole_step(struct mw_bfs *b, struct mw_level *level) MW_NODISCARD;

/* Local, when levels are asked for. Edges of levels, which the kernel knows when all is over. */
void bfs_whole_complete(struct mw_traversal *t);

MW_END_DECLS
#endif
