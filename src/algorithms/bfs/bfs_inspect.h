/* bfs_inspect.h -- the five rules (bfs_validate.h) where the tree lies: by the cores that have
 * searched, beside a device by the device.
 *
 * It reads the list of tuples and nothing that construction has made: every tuple of the input is there once, in
 * another order and with numbers of its own.
 *
 *      numbers   by falling count of tuples, as powers of two with eighths; without tuples last
 *      tuples    sorted by the end with the higher number, the less connected one. So neighbouring
 *                cores read the level of that end together, and of the other end, which is a hub's
 *                as a rule, it is in a cache
 *
 *      once      degrees -> numbers -> rows -> starts -> tuples -> digest, which must be the input's
 *      a tree    parents -> climb (until all are at the root) -> levels -> judge -> tally
 *
 * *Climb.* up[x] is an ancestor of x and how many steps it is away; a step there takes x as much further as its
 * ancestor has come, so a tree of depth d takes log d rounds, and what has not come to the root when
 * any tree would have is on a cycle. *Judge.* A tuple's two levels are read out of words that hold as many
 * levels as fit: eight where the tree has no more than fifteen.
 *
 * *Several ranks* have the whole tree each, and judge their own tuples: what a vertex costs is done at all of them, what
 * a tuple costs at one. Each numbers the vertices by its own tuples. Two things they tell each other (devices/parts.h):
 *
 *      tell parents -> gather        parents of my places, which become those of all vertices
 *      judge -> doubt -> settle      a bit for each vertex whose parent no tuple of mine has as a neighbour.
 *                                    A rank has a share of the vertices whose bits of all it looks at: what
 *                                    is set at all ranks is a fault of rule 5
 *
 * Up to 2^31 vertices, and 128 ranks, for what a host keeps of doubts grows with both. Others are validated by
 * bfs_validate.c alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_INSPECT_H
#define BFS_INSPECT_H

#include "algorithms/bfs/bfs_validate.h"
#include "devices/parts.h"
#include "graph/digest.h"
#include "traversal/rows.h"

MW_BEGIN_DECLS

struct bfs_inspector;

/* Local: what it takes of the memory of cores. */
void bfs_inspector_sizes(const struct mw_check_shape *shape,
                         const struct mw_world_shape *world, struct mw_sizes *out);

/* Collective. Borrows world and edges, whose list goes home where cores have no room for it and
 * for what judges as well. *out is NULL at all ranks, and all is well, where the
 * backend has no such kernels or some rank not the memory, and with more of either. */
int bfs_inspector_new(struct mw_world *world, struct mw_edges *edges,
                      struct bfs_inspector **out) MW_NODISCARD;
void bfs_inspector_free(struct bfs_inspector *k); /* collective; NULL is legal */

/* Collective. As mw_validate(), of parents by place that the world's cores reach. `last` as
 * in mw_validator_end_at(). */
int bfs_inspect(struct bfs_inspector *k, mw_vid root, const void *parent, bool wide,
                uint32_t last, struct mw_verdict *out) MW_NODISCARD;

/* ---- for its kernels --------------------------------------------------------------------- */

/* In place of a number: of a vertex without a parent; of one whose parents do not lead to
 * the root; and of a parent that was seen as a neighbour. */
#define BFS_NOBODY    UINT32_C(0xFFFFFFFD)
#define BFS_LOST      UINT32_C(0xFFFFFFFE)
#define BFS_CONFIRMED UINT32_C(0xFFFFFFFF)
#define BFS_NUMBERS   (UINT64_C(1) << 31) /* of vertices: the top bit is a tuple's */

enum {
    BFS_JUDGES = 128, /* ranks, at most */
    BFS_HOPS = 8,     /* of a climb between two looks at whether all are there */
    /* Of counts of tuples: powers of two with eighths, and none. */
    BFS_CLASSES = 8 * 64 + 1,
    BFS_CLASS_PLACES = 4096, /* that are counted together */
    BFS_DIGESTS = 1 << 16    /* at most, made side by side */
};

/* Of cores; the host gets a copy. */
struct bfs_found {
    uint64_t n_wrong[MW_RULE_EDGES + 1];
    uint64_t n_self_loops; /* that were reached */
    uint32_t n_first;      /* who comes first says ... */
    struct mw_fault first; /* ... what is wrong, by places */
};

struct bfs_inspection {
    uint64_t n, n_tuples; /* vertices; tuples of mine */
    bool directed;
    struct mw_partition partition;
    uint32_t *number_of, *place_of; /* [n] each */
    /* [n_tuples] the higher number in the upper half, the other in the lower one, whose
     * top bit says that the tuple goes from it to the higher one. */
    uint64_t *tuple;
    /* Before there is a tree, up and level are room to arrange in: degrees, starts and
     * digests; counts of classes. */
    uint64_t *up;            /* [n + 3] steps << 32 | ancestor */
    uint32_t *parent_number; /* [n] */
    uint32_t *level;         /* [n + BFS_CLASSES] words, of 32 / bits levels each */
    struct bfs_found *found; /* [1] */

    /* A piece of the list while it is arranged. */
    const void *piece;
    uint64_t n_piece;
    bool wide_piece;

    /* What several ranks tell each other. Mine: parents of my places, and bits of all vertices. */
    uint32_t *told_parent, *doubt;
    const void *own_parent; /* as the search has left them */
    bool own_wide;
    uint32_t *all; /* [n] the parents of all vertices */
    /* A rank's, while they are read: all its parents, and doubts of my share of the words. */
    uint32_t teller;
    const uint32_t *its_parent, *its_doubt;
    uint64_t first_word, n_words;
    uint32_t *unsettled; /* [n_words] what all doubt who have been read; in `up` */

    /* A tree, by vertex: what the search has left, or all. */
    const void *parent;
    bool wide;
    mw_vid root;
    uint32_t last;

    /* What kernels tell, of the host. */
    struct mw_digest digest;
    uint32_t root_number;
    uint64_t n_reached, n_climbing;
    bool rooted;      /* the root is its own parent; else nobody has a level */
    uint32_t deepest; /* level */
    uint32_t bits;    /* of a level */
    uint64_t n_edges; /* tuples judged that count */
    struct bfs_found told;
};

enum bfs_inspect_row {
    BFS_INSPECT_DEGREES,
    BFS_INSPECT_NUMBERS,
    BFS_INSPECT_ROWS,
    BFS_INSPECT_STARTS,
    BFS_INSPECT_TUPLES,
    BFS_INSPECT_DIGEST,
    BFS_INSPECT_TELL,
    BFS_INSPECT_GATHER,
    BFS_INSPECT_PARENTS,
    BFS_INSPECT_CLIMB,
    BFS_INSPECT_LEVELS,
    BFS_INSPECT_JUDGE,
    BFS_INSPECT_DOUBT,
    BFS_INSPECT_SETTLE,
    BFS_INSPECT_TALLY,
    BFS_INSPECT_N_ROWS
};
extern const struct mw_row bfs_inspect_row[BFS_INSPECT_N_ROWS];

struct bfs_inspect_sweeps {
    mw_kernel *degrees, *numbers, *rows, *starts, *tuples, *digest;
    mw_kernel *tell, *gather, *parents, *climb, *levels, *judge, *doubt, *settle, *tally;
};

MW_END_DECLS
#endif
