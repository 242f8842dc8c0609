/* cluster_athread.c -- backend "athread": one core group per cluster, all of one process.
 *
 * A thread has one group (athread_group.h), so the first cluster that a thread opens is its
 * own, and each further one gets a thread of its own: the management core of that group,
 * which does nothing but pass orders on.
 *
 *      thread of the rank                     owner
 *
 *      kernel, job, ORDERED --- `turn` --->   launch, poll until it is done
 *      poll: IDLE?          <-- `turn` ---    IDLE, with what poll() said
 *
 * The invariant: kernel and job are the rank's while the state is IDLE, the owner's while it is
 * ORDERED; `lock` guards the state and makes what either has written the other's to read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "cpe/athread_control.h"
#include "cpe/athread_group.h"
#include "cpe/cluster_backends.h"
#include "cpe/cpe_types.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum state { IDLE, ORDERED };

struct owner {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t turn;
    enum state state;
    bool close;
    uint32_t first_lane;
    mw_kernel *kernel;
    void *job;
    int rc; /* of the last order; the first one is to open the group */
    char text[1024];
};

struct mw_cluster {
    struct mw_athread_group *group; /* this thread's; or NULL, and */
    struct owner *owner;            /* that of another one */
};

static MW_THREAD_LOCAL bool taken; /* this thread's group */

/* ---- the owner's side ---- */

static void answer_owner(struct owner *o, int rc)
{
    pthread_mutex_lock(&o->lock);
    o->rc = rc;
    snprintf(o->text, sizeof o->text, "%s", rc < MW_OK ? mw_error_text() : "");
    o->state = IDLE;
    pthread_cond_broadcast(&o->turn);
    pthread_mutex_unlock(&o->lock);
}

/* False: there will be no more. */
static bool await_order(struct owner *o)
{
    pthread_mutex_lock(&o->lock);
    while (o->state == IDLE && !o->close)
        pthread_cond_wait(&o->turn, &o->lock);
    const bool ordered = o->state == ORDERED;
    pthread_mutex_unlock(&o->lock);
    return ordered;
}

static void *serve(void *arg)
{
    struct owner *const o = arg;
    struct mw_athread_group *group = NULL;
    answer_owner(o, mw_athread_group_open(o->first_lane, &group));
    while (await_order(o)) {
        int rc;
        mw_athread_group_launch(group, o->kernel, o->job);
        while ((rc = mw_athread_group_poll(group)) == MW_AGAIN)
            continue;
        answer_owner(o, rc);
    }
    mw_athread_group_close(group);
    return NULL;
}

/* ---- the rank's side ---- */

static void give_order(struct owner *o, mw_kernel *kernel, void *job)
{
    pthread_mutex_lock(&o->lock);
    if (o->rc == MW_OK) {
        o->kernel = kernel;
        o->job = job;
        o->state = ORDERED;
        pthread_cond_broadcast(&o->turn);
    }
    pthread_mutex_unlock(&o->lock);
}

/* What was said to the last order, or MW_AGAIN. */
static int answer_of(struct owner *o, bool wait)
{
    pthread_mutex_lock(&o->lock);
    while (wait && o->state == ORDERED)
        pthread_cond_wait(&o->turn, &o->lock);
    const int rc = o->state == ORDERED ? MW_AGAIN : o->rc;
    pthread_mutex_unlock(&o->lock);
    return rc < MW_OK ? mw_fail(rc, "%s", o->text) : rc;
}

static void dismiss(struct owner *o)
{
    pthread_mutex_lock(&o->lock);
    o->close = true;
    pthread_cond_broadcast(&o->turn);
    pthread_mutex_unlock(&o->lock);
    pthread_join(o->thread, NULL);
    pthread_cond_destroy(&o->turn);
    pthread_mutex_destroy(&o->lock);
    mw_free(o);
}

static int hire(uint32_t first_lane, struct owner **out)
{
    int rc, error;
    struct owner *o;
    MW_NEW(rc, o, "owner of a core group", 1);
    o->first_lane = first_lane;
    o->state = ORDERED;
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->turn, NULL);
    error = pthread_create(&o->thread, NULL, serve, o);
    if (error != 0) {
        pthread_cond_destroy(&o->turn);
        pthread_mutex_destroy(&o->lock);
        mw_free(o);
        return mw_fail(MW_ERR_UNAVAILABLE, "athread: no thread for a core group: %s",
                       strerror(error));
    }
    rc = answer_of(o, true);
    if (rc == MW_OK)
        *out = o;
    else
        dismiss(o);
end:
    return rc;
}

/* ---- the backend ---- */

static int athread_open(const struct mw_cluster_conf *conf, struct mw_cluster **out)
{
    int rc;
    struct mw_cluster *c;
    MW_NEW(rc, c, "athread cluster", 1);
    if (taken)
        MW_TRY(rc, hire(conf->first_lane, &c->owner));
    else
        MW_TRY(rc, mw_athread_group_open(conf->first_lane, &c->group));
    taken = taken || c->group != NULL;
    *out = c;
    return MW_OK;
end:
    mw_free(c);
    return rc;
}

static void athread_launch(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    if (c->group != NULL)
        mw_athread_group_launch(c->group, kernel, job);
    else
        give_order(c->owner, kernel, job);
}

static int athread_poll(struct mw_cluster *c)
{
    return c->group != NULL ? mw_athread_group_poll(c->group)
                            : answer_of(c->owner, false);
}

static void athread_run(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    athread_launch(c, kernel, job);
    if (c->group == NULL)
        (void)answer_of(c->owner, true);
    else
        while (mw_athread_group_poll(c->group) == MW_AGAIN)
            continue;
}

static void athread_close(struct mw_cluster *c)
{
    if (c == NULL)
        return;
    if (c->group != NULL) {
        mw_athread_group_close(c->group);
        taken = false;
    } else {
        dismiss(c->owner);
    }
    mw_free(c);
}

static uint32_t athread_n_cores(const struct mw_cluster *c)
{
    (void)c;
    return MW_MESH_CORES;
}

/* How large the store is, a layout says: chips differ. */
static void athread_store(uint64_t *bytes, uint64_t *stack)
{
    (void)bytes;
    *stack = MW_ATHREAD_STACK;
}

const struct mw_backend mw_backend_athread = {
    .name = "athread",
    .priority = 20,
    .one_thread = true,
    .mesh = true,
    .kernels = "mesh",
    .delegate = "serial",
    .open = athread_open,
    .launch = athread_launch,
    .poll = athread_poll,
    .run = athread_run,
    .close = athread_close,
    .n_cores = athread_n_cores,
    .n_team = athread_n_cores,
    .store = athread_store,
};
