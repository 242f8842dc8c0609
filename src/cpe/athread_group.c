/* athread_group.c -- see athread_group.h: on Sunway through the vendor's thread library,
 * elsewhere through athread_on_emul.c.
 *
 * The cores are started once and wait for orders (athread_control.h): a launch is two words
 * and a flag, poll() a look at another word. With MW_ATHREAD_PERSISTENT 0 each launch spawns
 * and joins instead.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/athread_group.h"

#include "base/mem.h"
#include "cpe/athread_control.h"

#include <athread.h>
#include <sw_host.h>

/* The cores' side; never called from here. */
extern void SLAVE_FUN(mw_athread_live)(void *control);
extern void SLAVE_FUN(mw_athread_once)(void *control);

enum { PERSISTENT = MW_ATHREAD_PERSISTENT };

struct mw_athread_group {
    struct mw_athread_control *control; /* of its own lines, in main memory */
    bool alive;                         /* the cores have been spawned, and not joined */
    int failed;                         /* the error that ended it */
};

static MW_THREAD_LOCAL bool initialised;

int mw_athread_group_open(uint32_t first_lane, struct mw_athread_group **out)
{
    int rc;
    struct mw_athread_group *g = NULL;
    if (!initialised && athread_init() != 0)
        return mw_fail(MW_ERR_UNAVAILABLE, "athread_init: no cores");
    initialised = true;
    MW_NEW(rc, g, "core group", 1);
    MW_NEW(rc, g->control, "athread control", 1);
    g->control->first_lane = first_lane;
    *out = g;
    return MW_OK;
end:
    mw_free(g);
    return rc;
}

static void order(struct mw_athread_group *g, uint64_t kernel, void *job)
{
    struct mw_athread_control *const control = g->control;
    control->kernel = kernel;
    control->job = (uint64_t)(uintptr_t)job;
    sw_host_memb(); /* and all that the job points to */
    control->order++;
    sw_host_memb();
}

static int spawn(struct mw_athread_group *g)
{
    const int error = PERSISTENT ? athread_spawn(mw_athread_live, g->control)
                                 : athread_spawn(mw_athread_once, g->control);
    if (error != 0)
        return g->failed = mw_fail(MW_ERR_UNAVAILABLE, "athread_spawn: error %d", error);
    g->alive = true;
    return MW_OK;
}

void mw_athread_group_launch(struct mw_athread_group *g, mw_kernel *kernel, void *job)
{
    const int number = mw_athread_number(kernel);
    if (g->failed != MW_OK)
        return;
    if (number < 0) {
        g->failed = mw_fail(MW_ERR_INTERNAL,
                            "athread: the cores have no such kernel; the list of this "
                            "build (MW_ATHREAD_LIST) lacks it");
        return;
    }
    if (PERSISTENT && !g->alive && spawn(g) != MW_OK)
        return;
    order(g, (uint64_t)number, job);
    if (!PERSISTENT)
        (void)spawn(g);
}

static int refused(struct mw_athread_group *g, uint64_t word)
{
    const uint32_t core = (uint32_t)((word - 1) & 0xFF);
    return g->failed = mw_fail(MW_ERR_INTERNAL,
                               "athread: core (%u,%u) wanted %llu bytes, and its local "
                               "store has no room for them",
                               core / MW_MESH_SIDE, core % MW_MESH_SIDE,
                               (unsigned long long)(((word - 1) >> 8)));
}

/* Spawned for this launch alone: they have ended, or are about to. */
static int join_launch(struct mw_athread_group *g)
{
    g->alive = false;
    if (athread_join() != 0)
        g->failed = mw_fail(MW_ERR_INTERNAL, "athread_join");
    return g->failed;
}

static bool is_done(const struct mw_athread_group *g)
{
    return g->control->done == g->control->order;
}

int mw_athread_group_poll(struct mw_athread_group *g)
{
    if (g->failed == MW_OK && !is_done(g))
        g->failed = sw_host_spin();
    if (g->failed != MW_OK)
        return g->failed;
    if (g->control->refused != 0)
        return refused(g, g->control->refused);
    if (!is_done(g))
        return MW_AGAIN;
    sw_host_memb(); /* what the cores have written before they said so */
    return !PERSISTENT && g->alive ? join_launch(g) : MW_OK;
}

/* After a failure some cores will never come back: nobody waits for them. */
void mw_athread_group_close(struct mw_athread_group *g)
{
    if (g == NULL)
        return;
    if (g->alive && g->failed == MW_OK) {
        if (PERSISTENT)
            order(g, MW_ATHREAD_STOP, NULL);
        (void)athread_join();
    }
    sw_host_release();
    MW_FREE_ALL(g->control, g);
}
