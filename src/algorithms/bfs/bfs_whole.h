/* bfs_whole.h -- a whole search at once: where all cores of a rank can wait for each other within
 * one kernel, that kernel runs every level, and the management core hands out afterwards what
 * it has noted of each.
 *
 *      whole      from the root to the last level, and the answer in its places
 *      recount    after the clock: the edges of the one level that would have cost the search more to count
 *
 * Columns of 32 bits, a graph that is undirected, a direction that turns once (of one rank, back after long). The
 * kernel takes the graph and the room below, and nothing else of the search's state but
 * `parent`: no frontier, no `seen`.
 *
 * Several ranks have a kernel each, and all run at once. What they tell each other they store in blocks that
 * all reach (devices/peers.h), struct bfs_whole_block.
 *
 * Devices that do not reach each other's memory are *linked*: a phase is a kernel, and between two of them parts
 * of the blocks go from device to device by their library (mpe/world.h, mw_world_trade()). Where there is none, the
 * levels of several ranks are the host's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_WHOLE_H
#define BFS_WHOLE_H

#include "devices/peers.h"
#include "graph/partition.h"
#include "traversal/level.h"

MW_BEGIN_DECLS

enum {
    BFS_WHOLE_LEVELS = 256, /* whose figures are noted */
    BFS_WHOLE_COUNTS = 16,  /* of a letter; behind them, the records to each rank */
    BFS_WHOLE_HEAD = BFS_WHOLE_COUNTS + MW_LINKED_MAX /* words */
};

/* Of one level, as it began; but how long it took, in nanoseconds by the device's clock. */
struct bfs_whole_level {
    uint64_t n_active, n_unvisited_edges, ns;
    uint32_t up; /* 1: bottom-up */
};

/* Where rows are no longer than those before them, and have few entries: rows from label first[k] on have k entries or
 * fewer, and a row of k begins at entry start[k] + k * label, so that nobody need read where. first[k] all ones: they are not so. */
enum { BFS_WHOLE_LADDER = 8 };
struct bfs_whole_ladder {
    uint32_t first[BFS_WHOLE_LADDER + 1], is_broken;
    uint64_t start[BFS_WHOLE_LADDER + 1];
};

enum bfs_whole_pause {
    BFS_WHOLE_GOES_ON,
    BFS_WHOLE_STAYS_SMALL, /* for a team of blocks */
    BFS_WHOLE_TURNS_BACK   /* top-down again */
};

/* What it keeps beside the state, and what it tells. Of both. */
struct bfs_whole {
    uint32_t
        *room; /* [bfs_whole_words()] of cores: what is in it, the kernel knows alone */
    double
        alpha; /* bottom-up, when the frontier's edges * this exceed the unvisited ones */
    uint32_t most_levels;  /* after so many levels a search ends, whatever is left */
    uint32_t reached_only; /* 1: nobody asks for parents */
    uint32_t
        writes_all;    /* 1, by the kernel: parents come to all places, if anybody asks */
    uint32_t n_blocks; /* of cores, that run at once; 0: the room is not prepared yet */
    uint32_t small_edges; /* as the kernel has found: levels of no more are small */
    struct bfs_whole_ladder ladder; /* one rank */
    uint64_t n_entries;             /* of my rows */
    /* Several ranks: blocks of all, and how long one waits for another. */
    uint32_t n_ranks;
    uint32_t *block[MW_PEERS_MAX]; /* by rank; linked: mine, the first */
    /* Linked; else NULL. The heads of the last letters, and how many times there were any. */
    struct mw_trade *trade;
    bool far; /* some are on other hosts */
    uint32_t head[MW_LINKED_MAX][BFS_WHOLE_HEAD], n_heard;
    uint64_t patience_ns; /* 0: for ever */
    uint32_t lost;        /* 1 + a rank that was waited for longer */
    /* Delegated vertices (graph/delegates.h) are numbered by rank, then by label: mine
     * begin at first_delegate. */
    uint32_t first_delegate, n_my_delegates, n_delegates, most_delegates;
    uint64_t n_delegated_entries; /* of my pieces */
    /* Of the last search. */
    uint32_t
        paused; /* enum bfs_whole_pause: before a level from which another kernel goes on */
    uint32_t *visited
        [2]; /* then: bitmaps of labels visited by now, and before the last level; of cores */
    uint32_t n_levels;
    uint32_t
        is_cut; /* 1: it has ended by most_levels, and vertices were left to go on from */
    uint32_t
        recounts; /* a level whose unvisited edges nobody has counted; UINT32_MAX: none */
    uint32_t *before;   /* bitmap of my labels that were visited before it, of cores */
    uint32_t *reached;  /* bitmap of my labels that were visited; NULL: parents say it */
    uint64_t recounted; /* edges of those */
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

/* Pieces that a level's rows are cut into: BFS_WHOLE_PIECE edges. Of delegated vertices
 * all may be listed at once. */
enum { BFS_WHOLE_PIECE = 256 };
MW_FN uint64_t bfs_whole_delegated_pieces(uint64_t n_delegates, uint64_t n_entries)
{
    return n_entries / BFS_WHOLE_PIECE + n_delegates;
}

/* What delegated vertices take beside: where pieces begin, names, and both lists. */
MW_FN uint64_t bfs_whole_delegated_words(uint64_t n_delegates, uint64_t n_entries)
{
    enum { ALIGNMENT = 4 * 64 };
    return n_delegates == 0
               ? 0
               : 3 * n_delegates + 1 +
                     2 * bfs_whole_delegated_pieces(n_delegates, n_entries) + ALIGNMENT;
}

/* The block of a rank that all ranks reach: where each part begins, in words of 32 bits. It is the same at all ranks.
 *
 *      visited   three bitmaps of the labels of all ranks, by columns. Each rank stores the words
 *                of its own labels into everybody's
 *      own       nobody else's: enum bfs_whole_own
 *      mail      [2][MW_PEERS_MAX][BFS_WHOLE_MAIL] of 64 bits: in the upper half the counts of each rank, this one
 *                too, as it came to a meeting; in the lower half the meeting's number, whose parity says which half of the mail
 *      records   [n_ranks - 1][columns of a rank] of two words, label and parent: what another rank has found of my labels;
 *                the rank before this one is the last, and the one behind it the first
 *      told      [n_ranks][most_delegates] numbers of the delegated vertices that each rank has reached, in their order
 *
 * Linked, what others store elsewhere comes to the same places, and there are also
 *
 *      out       [n_ranks - 1][columns of a rank] of two words: records to the others, as they go round; bottom-up,
 *                words of mine that have changed, and their numbers
 *      letter    [n_ranks][bfs_whole_letter()] what each rank says when a phase is over */
struct bfs_whole_block {
    uint64_t visited[3], own, mail, records, told, out, letter, n_words;
};
enum {
    BFS_WHOLE_MAIL = 8,
    BFS_WHOLE_LABEL_BITS = 12 /* whole lines of bitmaps, at least */
};
enum bfs_whole_own {
    BFS_WHOLE_MET,          /* meetings so far, of all searches */
    BFS_WHOLE_ARRIVED,      /* blocks of threads that have come to them */
    BFS_WHOLE_REACHED = 32, /* delegated vertices of mine, by this search */
    BFS_WHOLE_CHANGED,      /* linked: words that this level has changed */
    BFS_WHOLE_SENT = 64,    /* [MW_LINKED_MAX] records of this level to each other rank */
    BFS_WHOLE_GOT =
        BFS_WHOLE_SENT +
        MW_LINKED_MAX, /* [MW_LINKED_MAX] linked: records from each rank that came by letter */
    BFS_WHOLE_OWN = BFS_WHOLE_GOT + MW_LINKED_MAX + 64
};

/* Words of a letter: 32 KiB, which all ranks gather as fast as one word. Letters of more than 16
 * ranks are as long together as those of 16. */
MW_FN uint32_t bfs_whole_letter(uint32_t n_ranks)
{
    const uint32_t words = 8192, full = 16, alignment = 64;
    return n_ranks <= full ? words : words * full / n_ranks / alignment * alignment;
}

MW_FN struct bfs_whole_block bfs_whole_block_of(uint32_t n_ranks, uint32_t label_bits,
                                                uint64_t most_delegates, bool linked)
{
    enum { ALIGNMENT = 64 };
    const uint64_t labels = mw_columns_of(1, label_bits), bitmap = n_ranks * labels / 32;
    struct bfs_whole_block b;
    for (uint32_t i = 0; i < 3; i++)
        b.visited[i] = i * bitmap;
    b.own = 3 * bitmap;
    b.mail = b.own + BFS_WHOLE_OWN;
    b.records = b.mail + UINT64_C(4) * MW_PEERS_MAX * BFS_WHOLE_MAIL;
    b.told = b.records + (n_ranks - 1) * labels * 2;
    b.out = mw_round_up(b.told + n_ranks * most_delegates, ALIGNMENT);
    b.letter = b.out + (linked ? (n_ranks - 1) * labels * 2 : 0);
    b.n_words = b.letter + (linked ? (uint64_t)n_ranks * bfs_whole_letter(n_ranks) : 0);
    return b;
}
/* Others of a rank go round: the i-th behind it, and what it is to that one. */
MW_FN uint32_t bfs_whole_other(uint32_t rank, uint32_t i, uint32_t n_ranks)
{
    const uint32_t behind = rank + 1 + i;
    return behind < n_ranks ? behind : behind - n_ranks;
}
MW_FN uint32_t bfs_whole_back(uint32_t i, uint32_t n_ranks)
{
    return n_ranks - 2 - i;
}

struct mw_algorithm_shape;
struct mw_bfs;
struct mw_delegates_shape;
struct mw_traversal;
struct mw_world_shape;

void bfs_whole_sizes(const struct mw_algorithm_shape *shape,
                     const struct mw_delegates_shape *delegates,
                     const struct mw_world_shape *world, struct mw_sizes *out);
int bfs_whole_init(struct mw_bfs *b, struct mw_sizes *sizes)
    MW_NODISCARD;                      /* collective */
void bfs_whole_fini(struct mw_bfs *b); /* collective */

/* As mw_algorithm has it. */
bool bfs_stays(const void *options, const struct mw_backend *backend);

/* Local, and the same at all ranks. Why searches are not whole: it cannot be, or somebody
 * wants to know more, or other, than the answer. NULL: they are. */
const char *bfs_whole_why_not(const struct mw_bfs *b);

/* Local. The whole search, then what its levels did, one a call: MW_DONE after the last. */
void bfs_whole_start(struct mw_bfs *b);
int bfs_whole_step(struct mw_bfs *b, struct mw_level *level) MW_NODISCARD;

/* Collective, when levels are asked for. Edges of levels, which the kernel knows when all
 * is over. */
int bfs_whole_complete(struct mw_traversal *t) MW_NODISCARD;

MW_END_DECLS
#endif
