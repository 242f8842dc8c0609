/* hubs.h -- which of every rank's first labels are visited, at every rank.
 *
 * Labels are in the order of degrees, so the hubs of a rank are a prefix of its labels and
 * their state a prefix of its bitmap. Before a level each rank tells what is new in its
 * prefix since it last told: one small gather of sizes, then one of the pieces. A piece is
 * the least of
 *
 *      list    the labels that are new, 16 bits each
 *      words   the prefix of the bitmap
 *      rest    the labels that are not visited yet, 16 bits each
 *
 * A size of 0 is the paper's empty flag (Lin et al. 2017, section 5): nothing is new. Where
 * every level is preceded by an exchange, "new since the last one" is "reached by the last
 * level": the frontier's hubs, whose bitmap the paper sends. When all sizes are 0 there is
 * no second gather.
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
#include "mpe/comm.h"

MW_BEGIN_DECLS

/* Transparent: kernels look into it. */
struct mw_hubs {
    struct mw_comm *comm; /* borrowed */
    uint32_t n_hubs;      /* per rank: the longest prefix that is exchanged */
    uint32_t n_words;     /* of a bitmap of so many */
    uint64_t *visited;    /* [n_ranks * n_words] */
    uint32_t *place;      /* [n_ranks * n_hubs] one copy per host: hubs as parents */
    uint32_t *n_here;     /* [n_ranks] hubs that the rank really has */
    uint64_t *size;       /* [n_ranks] of the last exchange: form | bytes << 2 */
    char *mine, *all;     /* pieces */
};

/* What an exchange cost. */
struct mw_hub_news {
    uint64_t n_bytes; /* that this rank's size and piece are worth at all other ranks */
    uint32_t n_flags; /* ranks whose size was the empty flag */
};

/* Collective. The same n_hubs (1 .. 2^16) at all ranks; place_of[n_labels] of this rank. */
int mw_hubs_new(struct mw_comm *comm, uint32_t n_hubs, const uint32_t *place_of,
                uint32_t n_labels, struct mw_hubs **out) MW_NODISCARD;
void mw_hubs_free(struct mw_hubs *h); /* collective */

/* Local: nothing is visited, and everybody knows. */
void mw_hubs_reset(struct mw_hubs *h);

/* Collective: of the first n_prefix labels (at most n_hubs) of every rank everybody hears
 * which are visited. `own` is this rank's bitmap over its labels. */
int mw_hubs_exchange(struct mw_hubs *h, const uint64_t *own, uint32_t n_prefix,
                     struct mw_hub_news *news) MW_NODISCARD;

/* What mw_hubs_new() takes. Local. */
void mw_hubs_sizes(uint32_t n_hubs, uint64_t n_ranks, struct mw_sizes *out);

MW_FN bool mw_hub_is_visited(const struct mw_hubs *h, uint32_t owner, uint32_t label)
{
    return h->visited[(uint64_t)owner * h->n_words + label / 64] >> (label % 64) & 1;
}

MW_END_DECLS
#endif
