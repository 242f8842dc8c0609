/* list_share.h -- what few ranks have to say in few words, every rank hears.
 *
 *      each rank      says at most `room` words, all ranks together no more: whoever calls knows that
 *      of a host      all see each other's in memory that they share
 *      of hosts       the lowest ranks join lists by doubling (doubling.h), and show theirs the rest
 *
 * Where there is little to send, what a message costs counts and what is in it does not: this takes
 * log2 of the hosts messages a host, while an exchange of batches closes a port to each peer of each
 * rank.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LIST_SHARE_H
#define MW_LIST_SHARE_H

#include "base/sizes.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

/* Transparent: kernels say and hear. */
struct mw_list_share {
    struct mw_comm *comm; /* borrowed */
    uint64_t room;
    uint32_t *
        slot; /* [host_size + 1] of room and a head, shared by the host; in the last one is what
                       all hosts have said */
    uint32_t *got;                /* [room] from another host; the lowest rank's */
    uint64_t n_bytes, n_messages; /* that this rank has sent to other hosts, so far */
};

/* Collective. */
int mw_list_share_new(struct mw_comm *comm, uint64_t room, struct mw_list_share **out)
    MW_NODISCARD;
void mw_list_share_free(struct mw_list_share *x); /* collective; NULL is legal */

/* What mw_list_share_new() takes. Local. */
void mw_list_share_sizes(uint32_t n_hosts, uint32_t host_ranks, uint64_t room,
                         struct mw_sizes *out);

enum { MW_LIST_HEAD = MW_CACHE_LINE / sizeof(uint32_t) };

/* Of a slot the number of its words, a line for itself, then they. */
MW_FN uint32_t *mw_list_slot(const struct mw_list_share *x, uint32_t k)
{
    return x->slot + k * (x->room + MW_LIST_HEAD);
}

/* Local: nothing is said yet; and a word. Nobody may hear any more what was said the last time. */
MW_FN void mw_list_begin(struct mw_list_share *x)
{
    *mw_list_slot(x, x->comm->host_rank) = 0;
}
MW_FN void mw_list_say(struct mw_list_share *x, uint32_t word)
{
    uint32_t *const mine = mw_list_slot(x, x->comm->host_rank);
    mine[MW_LIST_HEAD + mine[0]++] = word;
}

/* Collective: all that ranks have said since they began is there to be heard. */
int mw_list_share(struct mw_list_share *x) MW_NODISCARD;

/* Local: that stands in so many parts; part k, of *n words: what one rank has said, or
 * several one after the other. */
MW_FN uint32_t mw_list_parts(const struct mw_list_share *x)
{
    return x->comm->n_hosts == 1 ? x->comm->host_size : 1;
}
MW_FN const uint32_t *mw_list_part(const struct mw_list_share *x, uint32_t k, uint64_t *n)
{
    const uint32_t *const slot =
        mw_list_slot(x, x->comm->n_hosts == 1 ? k : x->comm->host_size);
    *n = slot[0];
    return slot + MW_LIST_HEAD;
}

MW_END_DECLS
#endif
