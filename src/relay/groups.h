/* groups.h -- the two-hop route, as pure functions.
 *
 * Ranks form groups of at most `width` consecutive ranks (one super node, one
 * switch, one host). A group is a row of the paper's N x M matrix, a rank's
 * number in its group is its column. A record for (group gd, column cd) first
 * goes to the rank that sits in the destination's row and the sender's column,
 * then along the row:
 *
 *      sender (gs, cs) --hop 1--> relay (gd, cs) --hop 2--> owner (gd, cd)
 *
 * so a rank talks to n_groups + width - 1 ranks, itself included, instead of
 * n_ranks. Direct routing is the shape with width 1: every group is one rank,
 * hop 1 ends at the owner, and there is no hop 2. The last group may be short;
 * senders whose column it lacks share the columns it has. Only these functions
 * know the shape, and how many closing batches a port awaits is counted from
 * them, not derived by hand. (Lin et al. 2017, section 4.4.)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_GROUPS_H
#define MW_GROUPS_H

#include "shuffle/batch.h"

struct mw_groups {
    uint32_t n_ranks, width, n_groups; /* n_groups == ceil(n_ranks / width) */
};

static inline uint32_t mw_group_of(const struct mw_groups *s, uint32_t rank)
{
    return rank / s->width;
}

static inline uint32_t mw_group_size(const struct mw_groups *s, uint32_t group)
{
    const uint32_t left = s->n_ranks - group * s->width;
    return left < s->width ? left : s->width;
}

/* The rank that relays for `sender` into `group`. */
static inline uint32_t mw_relay_of(const struct mw_groups *s, uint32_t sender,
                                   uint32_t group)
{
    const uint32_t column = sender % s->width;
    return group * s->width + column % mw_group_size(s, group);
}

static inline enum mw_hop mw_first_hop(const struct mw_groups *s)
{
    return s->width == 1 ? MW_TO_OWNER : MW_TO_RELAY;
}

/* A port's buckets, the rank each goes to, and how many ranks fill it. */
static inline uint32_t mw_port_buckets(const struct mw_groups *s, uint32_t me,
                                       enum mw_hop hop)
{
    return hop == mw_first_hop(s) ? s->n_groups : mw_group_size(s, mw_group_of(s, me));
}

static inline uint32_t mw_port_peer(const struct mw_groups *s, uint32_t me,
                                    enum mw_hop hop, uint32_t bucket)
{
    return hop == mw_first_hop(s) ? mw_relay_of(s, me, bucket)
                                  : mw_group_of(s, me) * s->width + bucket;
}

static inline uint32_t mw_port_fan_in(const struct mw_groups *s, uint32_t me,
                                      enum mw_hop hop)
{
    const uint32_t group = mw_group_of(s, me);
    uint32_t n = 0;
    if (hop != mw_first_hop(s))
        return mw_group_size(s, group);
    for (uint32_t r = 0; r < s->n_ranks; r++)
        n += mw_relay_of(s, r, group) == me;
    return n;
}

#endif
