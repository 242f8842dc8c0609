/* crew.h -- cores of a host that meet by themselves, without a team's start and join: for work of which there is
 * little at a time, and much one after the other.
 *
 *      the lead    rank 0's management core: gives one order after the other, works itself, waits for who works
 *      an order    one word: the phase, what to do in it, how many cores of each rank do it, and how many had made
 *                  what they read. Nobody sees half of one; who takes no part in a phase may miss it
 *      a post      a core's own line: the last phase that it has done, and what the algorithm has it say
 *
 * How many cores work, and when one goes on alone, follows from measurements: pace.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CREW_H
#define MW_CREW_H

#include "base/sizes.h"
#include "base/wait.h"
#include "cpe/cluster.h"
#include "mpe/world.h"
#include "traversal/pace.h"

MW_BEGIN_DECLS

enum { MW_CREW_CORES = 1024 }; /* of all ranks, at most */
enum {
    MW_CREW_GO_HOME = 7
}; /* what the last order says; an algorithm has 0 to 6 for its own */

struct mw_crew {
    struct mw_comm *comm;      /* borrowed */
    uint64_t *order;           /* shared by the ranks of the host, in a line of its own */
    uint32_t n_cores, n_lanes; /* of each rank: that work; that there is memory for */
    uint32_t n_ranks, rank;
    bool crowded;        /* who waits gives up its core */
    struct mw_pace pace; /* the lead's, of one rank */
};

/* Collective. `is`: this rank could have one. *there: all could, and have as many cores; then *c is filled in but for
 * `order`, the same at all ranks. */
int mw_crew_agree(struct mw_crew *c, const struct mw_world *world, bool is, bool *there)
    MW_NODISCARD;

/* Collective over the host: memory that its ranks share, as a row of the sizes says; *out stays where there is none.
 * All ranks get it, or none does. */
int mw_crew_alloc(const struct mw_crew *c, const struct mw_sizes *sizes, const char *what,
                  void **out) MW_NODISCARD;

/* The same for a pointer, from a function that says MW_OK or an error: all ranks leave it, or none does. */
#define MW_NEED_SHARED(at, crew, sizes, what)                                            \
    do {                                                                                 \
        void *shared_ = NULL;                                                            \
        MW_NEED(mw_crew_alloc((crew), (sizes), (what), &shared_));                       \
        (at) = shared_;                                                                  \
    } while (0)

/* 32-bit counters of a core, in lines of their own. */
MW_FN uint64_t mw_crew_counters(uint64_t n)
{
    return mw_round_up(n, MW_CACHE_LINE / sizeof(uint32_t));
}

/* The share of core i of n, of so many things. */
MW_FN void mw_crew_share(uint32_t i, uint32_t n, uint64_t n_things, uint64_t *from,
                         uint64_t *to)
{
    *from = n_things * i / n;
    *to = n_things * (i + 1) / n;
}

MW_FN uint64_t mw_crew_phase(uint64_t order)
{
    return order >> 25;
}
MW_FN uint32_t mw_crew_what(uint64_t order)
{
    return (uint32_t)(order >> 22 & 7);
}
MW_FN uint32_t mw_crew_working(uint64_t order)
{
    return (uint32_t)(order >> 11 & 2047);
}
MW_FN uint32_t mw_crew_before(uint64_t order)
{
    return (uint32_t)(order & 2047);
}
MW_STATIC_ASSERT(MW_CREW_CORES < 2048, "an order names them");

/* Of a core: the management core joins a team as the last one, and is core 0 here. */
MW_FN uint32_t mw_crew_core(const struct mw_cpe *self)
{
    return self->id + 1 == self->n ? 0 : self->id + 1;
}

/* Who waits, and whether that is a management core, which its watchdog looks at. Starts with the first two. */
struct mw_crew_waiter {
    const struct mw_crew *crew;
    bool of_rank, told;
    struct mw_waiting waiting; /* after it has given up its core */
    uint32_t looks;
    double since; /* the first look at the clock */
    bool gives_up;
};
void mw_crew_wait(struct mw_crew_waiter *w);
void mw_crew_end_waiting(const struct mw_crew_waiter *w);

/* The lead's: the next order, which it returns. What it has written before is seen by who sees the order. */
uint64_t mw_crew_give(struct mw_crew *c, uint32_t what, uint32_t n, uint32_t n_before);
/* Until a core has done this phase; what it has written before is seen then. */
void mw_crew_await(const uint64_t *done, uint64_t order, struct mw_crew_waiter *w);
/* A core's: it has done this phase. */
void mw_crew_post(uint64_t *done, uint64_t order);

/* A core's part of a phase, which posts it. */
typedef void mw_crew_part(void *state, const struct mw_cpe *self, uint64_t order);
/* Who is not the lead: takes its part in phases until all go home. `done` is its own post's. */
void mw_crew_follow(struct mw_crew *c, uint64_t *done, mw_crew_part *part, void *state,
                    const struct mw_cpe *self);

MW_END_DECLS
#endif
