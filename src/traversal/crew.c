/* crew.c -- see crew.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/crew.h"

#include "base/clock.h"
#include "base/pause.h"

enum { LOOKS = 64 /* between looks at the clock */ };
/* Before who waits gives up its core, where there are cores for all: longer than it takes to wake those who waited for it,
 * when another program has held its core. Else it gives the core to that program at each meeting. */
static const double SPIN_S = 2e-4;
static const double TELL_S = 1e-3; /* who waits longer says so to the watchdog */

int mw_crew_agree(struct mw_crew *c, const struct mw_world *world, bool is, bool *there)
{
    struct mw_comm *const comm = world->comm;
    const uint64_t n_cores = mw_world_idle_lanes(world), n_lanes = mw_world_lanes(world);
    /* Kernels of all ranks have to run at a time. */
    is = is && !(comm->size > 1 && comm->of_threads && world->backend->takes_turns);
    uint64_t most[] = {!is, n_cores, UINT64_MAX - n_cores, n_lanes, UINT64_MAX - n_lanes};
    MW_NEED(mw_comm_max(comm, most, sizeof most / sizeof *most));
    *there = most[0] == 0 && most[1] == UINT64_MAX - most[2] &&
             most[3] == UINT64_MAX - most[4];
    *c = (struct mw_crew){
        .comm = comm,
        .rank = comm->rank,
        .n_ranks = comm->size,
        .n_cores = (uint32_t)n_cores,
        .n_lanes = (uint32_t)n_lanes,
        .crowded = comm->crowded || world->oversubscribed,
        .pace = {.n_cores = (uint32_t)n_cores, .trial = world->conf.crew_trial}};
    return MW_OK;
}

int mw_crew_alloc(const struct mw_crew *c, const struct mw_sizes *sizes, const char *what,
                  void **out)
{
    const struct mw_size *const row = mw_sizes_find(sizes, what);
    return row->copies == 0
               ? MW_OK
               : mw_comm_host_alloc(c->comm, row->what, row->n * row->bytes, out);
}

static bool gives_up(struct mw_crew_waiter *w)
{
    if (w->gives_up || ++w->looks % LOOKS != 0)
        return w->gives_up;
    const double now = mw_now();
    if (w->looks == LOOKS)
        w->since = now;
    w->gives_up = now - w->since > SPIN_S;
    return w->gives_up;
}

void mw_crew_wait(struct mw_crew_waiter *w)
{
    if (!w->crew->crowded && !gives_up(w)) {
        mw_pause();
        return;
    }
    mw_wait_a_little(&w->waiting);
    if (w->of_rank && !w->told && mw_now() - w->waiting.since > TELL_S) {
        mw_comm_wait(w->crew->comm, MW_IN_BARRIER);
        w->told = true;
    }
}

void mw_crew_end_waiting(const struct mw_crew_waiter *w)
{
    if (w->told)
        mw_comm_work(w->crew->comm);
}

uint64_t mw_crew_give(struct mw_crew *c, uint32_t what, uint32_t n, uint32_t n_before)
{
    const uint64_t order = (mw_crew_phase(*c->order) + 1) << 25 | (uint64_t)what << 22 |
                           (uint64_t)n << 11 | n_before;
    MW_STORE_RELEASE(c->order, order);
    return order;
}

void mw_crew_await(const uint64_t *done, uint64_t order, struct mw_crew_waiter *w)
{
    while (MW_LOAD_ACQUIRE(done) < mw_crew_phase(order))
        mw_crew_wait(w);
}

void mw_crew_post(uint64_t *done, uint64_t order)
{
    MW_STORE_RELEASE(done, mw_crew_phase(order));
}

void mw_crew_follow(struct mw_crew *c, uint64_t *done, mw_crew_part *part, void *state,
                    const struct mw_cpe *self)
{
    const uint32_t core = mw_crew_core(self);
    uint64_t last = *done;
    for (;;) {
        struct mw_crew_waiter w = {.crew = c, .of_rank = core == 0};
        uint64_t order;
        /* What the lead wrote before it gave the order. */
        while (mw_crew_phase(order = MW_LOAD_ACQUIRE(c->order)) <= last)
            mw_crew_wait(&w);
        mw_crew_end_waiting(&w);
        last = mw_crew_phase(order);
        if (mw_crew_what(order) == MW_CREW_GO_HOME)
            break;
        if (core < mw_crew_working(order))
            part(state, self, order);
    }
    /* All begin the next call with what they have missed. */
    MW_STORE_RELEASE(done, last);
}
