/* bfs_state.h -- what the kernels of one traversal share.
 *
 *      known      bitmap over the columns of all ranks: visited, as of the start of the
 *                 level. One per host, in shared memory; a rank writes its own slice, and
 *                 never while anybody searches bottom-up: then it is the whole truth. In a
 *                 top-down level the slices of others may be older or newer; both are right,
 *                 a bit says that there is no use in sending.
 *      seen       the same per lane, private: what this core has already dealt with. It
 *                 saves work and is never trusted: a stale bit only costs a look at
 *                 parent[], which decides.
 *      parent     by place, in the input's numbering.
 *      waiting    bitmap over places: perhaps still without a parent.
 *      todo       per lane, over labels: heads found nothing, rows must look.
 *      fresh      over labels: reached in this level.
 *
 * A vertex whose parent was in an earlier level would have been reached then, so in a
 * bottom-up level any visited neighbour is a parent: no frontier bitmap is needed.
 *
 * Two cores may claim the same vertex in one top-down level; both parents are right, the
 * later store wins, and the duplicate is dropped when the lists are joined. So no update
 * needs an atomic, only stores that do not tear.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_STATE_H
#define BFS_STATE_H

#include "algorithms/heads.h"
#include "graph/graph.h"
#include "shuffle/job.h"

MW_BEGIN_DECLS

struct bfs_lane {
    uint64_t *seen;            /* [n_columns / 64] */
    uint64_t *todo;            /* [n_words], all 0 between levels */
    uint32_t *next;            /* [next_room] labels claimed by this lane */
    uint64_t n_next;           /* may exceed next_room: then `next` is incomplete */
    uint64_t n_found, n_edges; /* counted by the bitmap sweeps */
    char fill[64];
};

struct bfs_state {
    const struct mw_graph *g;
    void *parent;      /* [n_places], 32 or 64 bits; all ones: none */
    uint64_t *known;   /* [n_columns / 64], shared by the host */
    uint64_t *waiting; /* [n_places / 64 + 1] */
    uint64_t *fresh;   /* [n_words] */
    uint64_t n_words;  /* of a bitmap over my labels */
    uint32_t
        *word_degree; /* [n_words] degree of all 64 vertices of a word; MIXED_DEGREES */
    struct bfs_lane *lane;
    uint32_t n_lanes;
    uint64_t next_room;
    uint32_t *list;     /* [n_labels] the frontier as labels, while it is one */
    uint64_t *list_end; /* [n_labels] edges of list[0..i] */
    uint64_t n_list;
    uint64_t chunk;           /* work is dealt to cores as they come */
    bool waiting_valid;       /* false: `connected` stands for it */
    bool heads_first;         /* this bottom-up level reads the heads before the rows */
    mw_heads *heads;          /* the fastest this processor has */
    struct mw_hub_table hubs; /* of `known`, for this level */
};

enum {
    BFS_CHUNK_WORDS = 64 /* words of a bitmap that a core takes at a time */
};
#define BFS_MIXED_DEGREES UINT32_MAX

MW_FN bool mw_bit(const uint64_t *bitmap, uint64_t i)
{
    return bitmap[i / 64] >> (i % 64) & 1;
}

MW_FN void mw_mark(uint64_t *bitmap, uint64_t i)
{
    bitmap[i / 64] |= UINT64_C(1) << (i % 64);
}

/* The labels of word w that exist. */
MW_FN uint64_t bfs_valid(const struct bfs_state *s, uint64_t w)
{
    const uint64_t left = s->g->n_labels - 64 * w;
    return left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
}

MW_FN bool bfs_has_parent(const struct bfs_state *s, uint64_t place, bool wide)
{
    return wide ? __atomic_load_n((uint64_t *)s->parent + place, __ATOMIC_RELAXED) !=
                      UINT64_MAX
                : __atomic_load_n((uint32_t *)s->parent + place, __ATOMIC_RELAXED) !=
                      UINT32_MAX;
}

MW_FN void bfs_set_parent(struct bfs_state *s, uint64_t place, mw_vid parent, bool wide)
{
    if (wide)
        __atomic_store_n((uint64_t *)s->parent + place, parent, __ATOMIC_RELAXED);
    else
        __atomic_store_n((uint32_t *)s->parent + place, (uint32_t)parent,
                         __ATOMIC_RELAXED);
}

struct bfs_kernels {
    mw_kernel *generate[2], *handle[2]; /* narrow, wide columns */
};
extern const struct bfs_kernels bfs_kernels_serial, bfs_kernels_host;

/* Sweeps over this rank's own data, the same for every backend. */
mw_kernel bfs_heads_kernel, bfs_rows_kernel, bfs_fresh_kernel, bfs_refresh_kernel;

MW_END_DECLS
#endif
