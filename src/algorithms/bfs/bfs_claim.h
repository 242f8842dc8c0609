/* bfs_claim.h -- how a core takes vertices of its rank for the next frontier.
 *
 * Claims are settled a block at a time: where their parents lie is fetched ahead, for each is a
 * cache miss of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_CLAIM_H
#define BFS_CLAIM_H

#include "algorithms/bfs/bfs_state.h"

enum { BFS_BLOCK = 128 }; /* a few kilobytes of stack; other sizes were not tried */

struct bfs_block {
    uint32_t n;
    uint32_t label[BFS_BLOCK], place[BFS_BLOCK];
    mw_vid parent[BFS_BLOCK];
};

/* Claims what the block holds: labels of this rank that are neighbours of `parent`. */
static inline void bfs_settle(struct bfs_state *s, uint32_t lane, struct bfs_block *b,
                              bool wide)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const uint32_t label = b->label[i];
        if (mw_frontier_is_marked(&s->f, label))
            continue; /* claimed by another lane */
        MW_TOUCH(s->g->place_of, 4 * (uint64_t)label);
        b->place[n] = s->g->place_of[label];
        b->label[n] = label;
        b->parent[n] = b->parent[i];
        __builtin_prefetch(
            (const char *)s->parent + (uint64_t)b->place[n++] * (wide ? 8 : 4), 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (bfs_has_parent(s, b->place[i], wide))
            continue;
        bfs_set_parent(s, b->place[i], b->parent[i], wide);
        mw_frontier_claim(&s->f, lane, b->label[i]);
    }
    b->n = 0;
}

MW_FN void bfs_claim(struct bfs_state *s, uint32_t lane, struct bfs_block *b,
                     uint32_t label, mw_vid parent, bool wide)
{
    mw_frontier_ahead(&s->f, label);
    __builtin_prefetch(&s->g->place_of[label]);
    b->label[b->n] = label;
    b->parent[b->n++] = parent;
    if (b->n == BFS_BLOCK)
        bfs_settle(s, lane, b, wide);
}

/* True the first time this lane meets a column that it does not know to be visited. */
MW_FN bool bfs_first_sight(struct bfs_lane *l, uint64_t column)
{
    const uint64_t word = l->seen[column / 64], shift = column % 64;
    MW_TOUCH(l->seen, column / 64 * 8);
    l->seen[column / 64] = word | UINT64_C(1) << shift;
    return !(word >> shift & 1);
}

#endif
