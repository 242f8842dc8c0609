/* play.h -- the packets of a network, step by step: the shortest way into a deadlock.
 *
 * A step: a packet takes the next place of its trail; from a thread's last buffer it goes
 * into the thread, which passes it on along one of the trails that begin there. A packet that
 * goes into a store gives up all places behind. Places that one trail alone uses, and holds,
 * are passed over: nobody else ever waits for them.
 *
 * Each packet in front waits for exactly one place, and a full place for its front packet. So
 * a deadlock is a cycle of pointers, found exactly.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NETWORK_PLAY_H
#define MW_NETWORK_PLAY_H

#include "layouts/explore/explore.h"
#include "layouts/routes/network.h"

MW_BEGIN_DECLS

struct mw_play_conf {
    const uint32_t *trail; /* those that are played; NULL: all */
    uint32_t n_trails;
    uint32_t depth; /* of every store; 0: its own */
    /* [n_places] or NULL: where packets may rest besides where trails meet. Else they pass over
     * stores of one trail, which is fewer steps, and as legal. */
    const bool *rest;
    uint64_t limit; /* states; 0: 1,000,000 */
};

struct mw_play_step {
    uint32_t trail, at; /* the number of the place in the trail; its length: it leaves */
    uint32_t was; /* the trail that brought it into a thread; MW_NO_PLACE: none did */
};

struct mw_play {
    enum mw_explore_verdict
        verdict; /* bounded: also where a state is too large to be kept */
    uint64_t n_states;
    uint32_t n_steps, n_cycle;
    uint64_t in_flight;        /* packets in the deadlock */
    struct mw_play_step *step; /* owned */
    uint32_t *cycle;           /* owned; its places */
};

int mw_network_play(const struct mw_trails *t, const struct mw_play_conf *conf,
                    struct mw_play *out) MW_NODISCARD;
void mw_play_fini(struct mw_play *p);

/* A witness by its causes and what feeds them. First every place counts; where that is too much,
 * the stores of one trail that are not on the cycle are passed over (*passed), and then all stores
 * have depth 1 (*shallow). */
struct mw_waits;
int mw_waits_realise(const struct mw_trails *t, const struct mw_waits *w, uint64_t limit,
                     struct mw_play *out, bool *passed, bool *shallow) MW_NODISCARD;

MW_END_DECLS
#endif
