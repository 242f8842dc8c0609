/* set_share.h -- every host gets the bits that the others have found.
 *
 * `window` is a host's, as mw_comm_share() has it: one portion of a bitmap per rank, of which each
 * rank has written its own. The lowest rank of each host makes one set (set.h) of what is new in
 * the portions of its host; the hosts' sets are united by recursive doubling (doubling.h), and each puts the
 * union into its window.
 *
 * A set that is empty costs a message of no bytes. Large portions go in several goes, so that memory
 * does not grow with them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SET_SHARE_H
#define MW_SET_SHARE_H

#include "base/sizes.h"
#include "mpe/comm.h"
#include "mpe/set.h"

MW_BEGIN_DECLS

/* A part of a bitmap for every rank, in memory that a host shares. */
struct mw_portions {
    uint64_t *window;
    uint64_t stride, n_words; /* from one portion to the next; of each, that are shared */
    /* [host_size * stride] of the lowest rank of a host: what of its host's portions the
     * others have been told; only the rest is sent, and no portion may ever lose a bit
     * but in all windows and here. NULL: portions are sent whole. */
    uint64_t *told;
    uint64_t
        *heard; /* [n_ranks] shared by the host: see mw_set_share(). NULL: nobody asks */
};

struct mw_set_share {
    struct mw_comm *comm;          /* borrowed */
    uint64_t n_words;              /* of a portion, at most, in one go */
    char *pieces;                  /* the three's; the lowest rank's of a host */
    struct mw_set have, got, both; /* so far, from another host, and joined */
    uint64_t n_bytes, n_messages;  /* that this rank has sent to other hosts, so far */
};

/* Collective. For portions of at most so many words. On one host it takes nothing. */
int mw_set_share_new(struct mw_comm *comm, uint64_t portion_words,
                     struct mw_set_share **out) MW_NODISCARD;
void mw_set_share_free(struct mw_set_share *x);

/* What mw_set_share_new() takes. Local. */
void mw_set_share_sizes(uint64_t n_ranks, uint32_t n_hosts, uint64_t portion_words,
                        struct mw_sizes *out);

/* Collective. Afterwards every host's window holds all portions, and every rank sees
 * them; `heard` is 0 for each rank of another host of whose portion nothing came. Those
 * of its own host are the caller's. */
int mw_set_share(struct mw_set_share *x, const struct mw_portions *s) MW_NODISCARD;

MW_END_DECLS
#endif
