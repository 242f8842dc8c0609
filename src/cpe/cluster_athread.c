/* cluster_athread.c -- backend "athread": the 64 cores beside this thread's management core,
 * on Sunway through the vendor's thread library, elsewhere through athread_on_emul.c.
 *
 * The cores are started once and wait for orders (athread_control.h): a launch is two words
 * and a flag, poll() a look at another word. With MW_ATHREAD_PERSISTENT 0 each launch spawns
 * and joins instead.
 *
 *      closed --open--> idle --launch--> running --poll() sees done--> idle --close--> closed
 *      (cores:  spawned at the first launch; they end at close)
 *
 * A management core has one cluster: a process that uses all four core groups has four
 * threads, each with a cluster of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "cpe/athread_control.h"
#include "cpe/cluster_backends.h"

#include <athread.h>
#include <sw_host.h>

/* The cores' side; never called from here. */
extern void SLAVE_FUN(mw_athread_live)(void *control);
extern void SLAVE_FUN(mw_athread_once)(void *control);

enum { PERSISTENT = MW_ATHREAD_PERSISTENT };

struct mw_cluster {
    struct mw_athread_control *control; /* of its own lines, in main memory */
    bool alive;                         /* the cores have been spawned, and not joined */
    int failed;                         /* the error that ended it */
};

static MW_THREAD_LOCAL bool initialised, taken;

static int athread_open(const struct mw_cluster_conf *conf, struct mw_cluster **out)
{
    int rc;
    struct mw_cluster *c = NULL;
    if (taken)
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "athread: a management core has one cluster of "
                       "64 cores; use one rank per core group");
    if (!initialised && athread_init() != 0)
        return mw_fail(MW_ERR_UNAVAILABLE, "athread_init: no cores");
    initialised = true;
    MW_NEW(rc, c, "athread cluster", 1);
    MW_NEW(rc, c->control, "athread control", 1);
    c->control->first_lane = conf->first_lane;
    taken = true;
    *out = c;
    return MW_OK;
fail:
    mw_free(c);
    return rc;
}

static void order(struct mw_cluster *c, uint64_t kernel, void *job)
{
    struct mw_athread_control *const control = c->control;
    control->kernel = kernel;
    control->job = (uint64_t)(uintptr_t)job;
    sw_host_memb(); /* and all that the job points to */
    control->order++;
    sw_host_memb();
}

static int spawn_failed(struct mw_cluster *c)
{
    return c->failed = mw_fail(MW_ERR_UNAVAILABLE, "athread_spawn: the cores are busy");
}

static void athread_launch(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    const int number = mw_athread_number(kernel);
    if (c->failed != MW_OK)
        return;
    if (number < 0) {
        c->failed = mw_fail(MW_ERR_INTERNAL,
                            "athread: the cores have no such kernel; the list of this "
                            "build (MW_ATHREAD_LIST) lacks it");
        return;
    }
    if (PERSISTENT && !c->alive) {
        if (athread_spawn(mw_athread_live, c->control) != 0) {
            spawn_failed(c);
            return;
        }
        c->alive = true;
    }
    order(c, (uint64_t)number, job);
    if (!PERSISTENT) {
        if (athread_spawn(mw_athread_once, c->control) != 0)
            spawn_failed(c);
        c->alive = true;
    }
}

static int refused(struct mw_cluster *c, uint64_t word)
{
    const uint32_t core = (uint32_t)((word - 1) & 0xFF);
    return c->failed = mw_fail(MW_ERR_INTERNAL,
                               "athread: core (%u,%u) wanted %llu bytes, and its local "
                               "store has no room for them",
                               core / MW_MESH_SIDE, core % MW_MESH_SIDE,
                               (unsigned long long)(((word - 1) >> 8)));
}

/* Spawned for this launch alone: they have ended, or are about to. */
static int join_launch(struct mw_cluster *c)
{
    c->alive = false;
    if (athread_join() != 0)
        c->failed = mw_fail(MW_ERR_INTERNAL, "athread_join");
    return c->failed;
}

static bool is_done(const struct mw_cluster *c)
{
    return c->control->done == c->control->order;
}

static int athread_poll(struct mw_cluster *c)
{
    if (c->failed == MW_OK && !is_done(c))
        c->failed = sw_host_spin();
    if (c->failed != MW_OK)
        return c->failed;
    if (c->control->refused != 0)
        return refused(c, c->control->refused);
    if (!is_done(c))
        return MW_AGAIN;
    return !PERSISTENT && c->alive ? join_launch(c) : MW_OK;
}

static void athread_run(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    athread_launch(c, kernel, job);
    while (athread_poll(c) == MW_AGAIN)
        continue;
}

/* After a failure some cores will never come back: nobody waits for them. */
static void athread_close(struct mw_cluster *c)
{
    if (c == NULL)
        return;
    if (c->alive && c->failed == MW_OK) {
        if (PERSISTENT)
            order(c, MW_ATHREAD_STOP, NULL);
        (void)athread_join();
    }
    sw_host_release();
    taken = false;
    mw_free(c->control);
    mw_free(c);
}

static uint32_t athread_n_cores(const struct mw_cluster *c)
{
    (void)c;
    return MW_MESH_CORES;
}

const struct mw_backend mw_backend_athread = {
    .name = "athread",
    .priority = 20,
    .mesh = true,
    .open = athread_open,
    .launch = athread_launch,
    .poll = athread_poll,
    .run = athread_run,
    .close = athread_close,
    .n_cores = athread_n_cores,
    .n_team = athread_n_cores,
};
