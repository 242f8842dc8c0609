/* bfs_delegates.h -- top-down for vertices whose rows are dealt out (graph/delegates.h).
 *
 *      tell     after a level: which delegated vertices of mine has it reached? Their number is
 *               part of the sum that ends the level, so where there are none nothing follows
 *      share    before a top-down level: the bits of all ranks, a word or a few from each
 *      list     the pieces of those that are active, and their entries: the work
 *      drop     the owner takes its own ones off its list
 *      sweep    all cores go along the pieces, cut anywhere: vertices of this rank are claimed
 *
 * A vertex is told once, when it is reached; a level that turns out to go bottom-up has no use
 * for it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_DELEGATES_H
#define BFS_DELEGATES_H

#include "cpe/cluster.h"
#include "graph/delegates.h"
#include "traversal/level.h"

MW_BEGIN_DECLS

/* An active piece. */
struct bfs_piece {
    mw_vid parent;
    uint64_t start; /* of d->label */
};

struct bfs_delegates {
    const struct mw_delegates
        *d;                /* borrowed, the kernels'; NULL: none, and nothing below is */
    uint64_t n_words;      /* of a bitmap over the delegated vertices of any rank */
    uint64_t n_here;       /* delegated vertices of mine */
    const uint32_t *label; /* the pieces' entries */
    uint64_t *told, *news; /* [n_words] mine, that were reached; the last level's */
    uint64_t *mirror;      /* [n_words] of `news`, where the host does not reach it */
    const uint64_t *seen_news;  /* one of both: what the host reads */
    uint64_t *active;           /* [n_ranks * n_words] one per host; shared */
    struct bfs_piece *piece;    /* [delegated], n_pieces of them in use */
    uint64_t *piece_end;        /* [delegated] entries of piece[0..i] */
    uint64_t n_pieces, n_units; /* and entries of them all */
    struct {
        struct bfs_piece *piece;
        uint64_t *piece_end;
    } of_cores; /* the same tables, or where the host's are not reached copies */
};

struct bfs_state;
struct bfs_tally;
struct mw_bfs;

void bfs_delegates_sizes(const struct mw_delegates_shape *shape, bool apart,
                         struct mw_sizes *out);
int bfs_delegates_init(struct mw_bfs *b) MW_NODISCARD; /* collective */
void bfs_delegates_fini(struct mw_bfs *b);             /* collective */

/* Local, before the sum that ends a level: adds those of mine that were reached by it. */
void bfs_delegates_tell(struct mw_bfs *b, struct bfs_tally *tally);

/* Collective, in a top-down level, when some rank has told of one. The frontier is a list. */
int bfs_delegates_expand(struct mw_bfs *b, struct mw_level *level) MW_NODISCARD;

/* Local: one piece more of those that are active; and along all of them. */
void bfs_delegates_add(struct bfs_state *s, uint64_t rank, uint64_t label);
void bfs_delegates_along(struct mw_bfs *b, struct mw_level *level);

/* The sweep of the table in bfs_table.c. */
mw_kernel bfs_pieces_kernel;

MW_END_DECLS
#endif
