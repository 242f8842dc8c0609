/* hubs.h -- which of every rank's first labels are visited, at every rank.
 *
 * Labels are in the order of degrees, so the hubs of a rank are a prefix of its labels and
 * their state a prefix of its bitmap. All ranks' prefixes lie in one window of each host. Before a
 * level each rank enters its own, and hosts tell each other what is new as sets (mpe/set_share.h): of
 * a rank that has nothing new nothing travels, which is the paper's empty flag (Lin et al. 2017,
 * section 5). Where every level is preceded by an exchange, "new since the last one" is "reached
 * by the last level": the frontier's hubs, whose bitmap the paper sends.
 *
 * Invariant: after an exchange of the first n labels, `visited` agrees on them with every
 * rank's own bitmap as it was in the exchange; of later labels it holds what was told
 * before. A set bit is always true.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_HUBS_H
#define MW_HUBS_H

#include "base/sizes.h"
#include "mpe/set_share.h"

MW_BEGIN_DECLS

/* Transparent: kernels look into it. */
struct mw_hubs {
    struct mw_comm *comm; /* borrowed */
    uint32_t n_hubs;      /* per rank: the longest prefix that is exchanged */
    uint32_t n_words;     /* of a bitmap of so many */
    uint32_t n_here;      /* hubs that this rank really has */
    uint64_t *visited;    /* [n_ranks * n_words] one copy per host */
    uint32_t *place;      /* [n_ranks * n_hubs] likewise: hubs as parents */
    uint64_t *heard;      /* [n_ranks] likewise; 0: nothing new in the last exchange */
    uint64_t *told; /* [host_size * n_words] of `visited`; the lowest rank's of a host */
};

/* What an exchange cost. */
struct mw_hub_news {
    uint64_t n_bytes; /* that this rank has sent to other hosts */
    uint32_t n_flags; /* ranks that had nothing new */
};

/* Collective. The same n_hubs (1 .. 2^16) at all ranks; place_of[n_labels] of this rank. */
int mw_hubs_new(struct mw_comm *comm, uint32_t n_hubs, const uint32_t *place_of,
                uint32_t n_labels, struct mw_hubs **out) MW_NODISCARD;
void mw_hubs_free(struct mw_hubs *h); /* collective */

/* Nothing is visited, and everybody knows: between two barriers of the host's ranks. */
void mw_hubs_reset(struct mw_hubs *h);

/* Collective: of the first n_prefix labels (at most n_hubs) of every rank everybody hears
 * which are visited. `own` is this rank's bitmap over its labels; nobody reads any more what the
 * last exchange told. */
int mw_hubs_exchange(struct mw_hubs *h, struct mw_set_share *share, const uint64_t *own,
                     uint32_t n_prefix, struct mw_hub_news *news) MW_NODISCARD;

/* Words of a prefix of so many hubs: what `share` must be for. */
MW_FN uint32_t mw_hubs_words(uint32_t n_hubs)
{
    return n_hubs / 64 + (n_hubs % 64 != 0);
}

/* What mw_hubs_new() takes. Local. */
void mw_hubs_sizes(uint32_t n_hubs, uint32_t n_ranks, uint32_t n_hosts,
                   uint32_t host_ranks, struct mw_sizes *out);

MW_FN bool mw_hub_is_visited(const struct mw_hubs *h, uint32_t owner, uint32_t label)
{
    return h->visited[(uint64_t)owner * h->n_words + label / 64] >> (label % 64) & 1;
}

MW_END_DECLS
#endif
