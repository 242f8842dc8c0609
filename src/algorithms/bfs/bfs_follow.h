/* bfs_follow.h -- bottom-up by messages: a bit of each row's next neighbour, before anybody asks.
 *
 * Who finds no parent among hubs and own vertices asks the owners of its other neighbours, the one of the
 * highest degree first; nearly always that one is visited, and the question and its answer are two records on two hops
 * each. But whom a row will ask first is known when the search is set up. So the row *follows* that
 * neighbour: its owner keeps a list of those that are followed, in the order in which the other rank
 * has its rows, and tells it which of them are visited, a bit each:
 *
 *      rank r            rows        | 7 12 40 |  31 |  2 90 ...      by owner of the neighbour, rising
 *                        places      | .  .  . |  .  |  .  .          the neighbour's there: the parent's name
 *      its owner o       labels      | 5  3  9 |   of rank r's rows 7, 12, 40
 *      a level           record      o -> r: word 0 of what r follows here, bits 1 0 1
 *
 * A row whose bit comes is done; one whose neighbour is not visited asks for the others, as before. What is told
 * is new since it was last told, a record carries 32 rows, and memory is 12 bytes a row. (Lists of what a
 * neighbour will need, made once, are how distributed solvers exchange their borders.)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_FOLLOW_H
#define BFS_FOLLOW_H

#include "algorithms/bfs/direction.h"
#include "mpe/mail.h"
#include "traversal/algorithm.h"

MW_BEGIN_DECLS

struct bfs_follow {
    uint64_t n_all_words; /* of all ranks; 0: nobody follows */
    uint32_t n_bits;      /* rows of a word: what a record has room for */
    bool misled;          /* a word came that no row stands for */
    /* Of mine, by owner of whom they follow: mail.start[]. Those of mine that are followed, by the
     * rank of who follows: mail.from[]. */
    struct mw_mail mail;
    uint32_t *row;        /* labels of mine */
    uint32_t *place;      /* of whom they follow, at its owner */
    uint32_t *label;      /* who is followed */
    uint64_t *first_word; /* [n_ranks + 1] of `told` */
    uint32_t *told;       /* bits that have been told */
};

struct mw_bfs;

void bfs_follow_sizes(const struct mw_algorithm_shape *shape,
                      const struct mw_world_shape *world, const struct mw_means *means,
                      struct mw_sizes *out);
int bfs_follow_init(struct mw_bfs *b)
    MW_NODISCARD; /* collective; may be without effect */
void bfs_follow_fini(struct mw_bfs *b);

/* Local: words that may be told, the work of a source. */
uint64_t bfs_follow_words(void *state);

/* Collective, after the sweep `lookup`: tells bits if that is less than asking. *told: it
 * was, and who still asks need not ask for its first neighbour. */
int bfs_follow_tell(struct mw_bfs *b, bool *told) MW_NODISCARD;

MW_END_DECLS
#endif
