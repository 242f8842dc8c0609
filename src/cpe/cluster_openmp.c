/* cluster_openmp.c -- a cluster as a persistent OpenMP team.
 *
 * A helper thread opens one parallel region and the team lives in it until close();
 * a launch is one store, not a fork and a join. The management core stays outside
 * and is free to move messages; with one core there is no team and no thread at all.
 *
 *      management core                    team core i = 0 .. n - 2
 *
 *      order.kernel, job, n
 *      order.epoch = e     --- R1/A1 -->  wait for an epoch other than the last one
 *                                         kernel({i, n}, job)
 *      poll: all done == e <-- R2/A2 ---  core[i].done = e
 *
 * The invariant: `order` is written only while every core's done equals the epoch,
 * so nobody reads it then. Team core i has the same number and lane under launch() and
 * run(), and the caller joins run() as the last one, with the management core's lane 0.
 *
 * Waiting goes from cheap and quick to slow and polite: pause, yield, short sleeps. Where threads
 * outnumber cores a team core sleeps until it is woken: naps of 20 teams alone would fill two cores.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/pause.h"
#include "base/wait.h"
#include "cpe/cluster_backends.h"
#include "cpe/mask.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

enum {
    PAUSES_PER_LOOK = 4, /* the word is looked at between them */
    LOOKS_PER_CLOCK = 64,
    SLEEP_NS = 20000,
};
static const double SPIN_S = 50e-6, SLEEP_AFTER_S = 1e-3;

struct order {
    uint64_t epoch;
    mw_kernel *kernel; /* NULL: go home */
    void *job;
    uint32_t n; /* cores that take part */
    char fill[MW_CACHE_LINE - 28];
};
MW_STATIC_ASSERT(sizeof(struct order) == MW_CACHE_LINE, "a launch moves one line");

struct core {
    uint64_t done; /* the last epoch this core has finished; 1: it is there */
    char fill[MW_CACHE_LINE - 8];
};
MW_STATIC_ASSERT(sizeof(struct core) == MW_CACHE_LINE, "one line per core");

struct mw_cluster {
    struct order order;
    struct core *core; /* [n_team] */
    /* The management core's own from here on. */
    uint64_t epoch;
    uint32_t n_team; /* n_cores - 1 */
    uint32_t first_lane;
    uint32_t n_checked; /* cores known to be done with this epoch */
    bool oversubscribed, bound, started;
    const int *cpu; /* the caller's; read while open() lasts */
    pthread_t helper;
    pthread_mutex_t lock; /* of order.epoch where team cores sleep */
    pthread_cond_t ordered;
    struct mw_mask before; /* where the caller could run before open() */
};

struct patience {
    uint32_t looks;
    bool yields; /* past the spinning */
    bool sleeps;
    double since;
};

/* Between two looks at a word: see the top. */
static void wait_a_little(struct patience *p, bool may_sleep)
{
    if (p->sleeps) {
        const struct timespec nap = {0, SLEEP_NS};
        nanosleep(&nap, NULL);
        return;
    }
    if (p->yields)
        sched_yield();
    else
        for (int i = 0; i < PAUSES_PER_LOOK; i++)
            mw_pause();
    if (++p->looks % LOOKS_PER_CLOCK != 0)
        return;
    const double now = mw_now();
    if (p->since == 0.0)
        p->since = now;
    p->yields = p->yields || now - p->since > SPIN_S;
    p->sleeps = may_sleep && now - p->since > SLEEP_AFTER_S;
}

/* ---- the team ---- */

static void sleep_until_ordered(struct mw_cluster *c, uint64_t epoch)
{
    pthread_mutex_lock(&c->lock);
    while (c->order.epoch == epoch)
        pthread_cond_wait(&c->ordered, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

/* A1: kernel, job and n are seen whole; pairs with R1. */
static void wait_for_order(struct mw_cluster *c, uint64_t epoch)
{
    struct patience p = {0};
    if (c->oversubscribed)
        sleep_until_ordered(c, epoch);
    while (MW_LOAD_ACQUIRE(&c->order.epoch) == epoch)
        wait_a_little(&p, true);
}

static void serve(struct mw_cluster *c, uint32_t id)
{
    uint64_t epoch = 1;
    /* R0: this core's number of colleagues and its binding are done; pairs with A2. */
    MW_STORE_RELEASE(&c->core[id].done, epoch);
    for (;;) {
        wait_for_order(c, epoch);
        epoch++;
        mw_kernel *const kernel = c->order.kernel;
        if (kernel != NULL) {
            struct mw_cpe self = {id, c->order.n, c->first_lane + id};
            kernel(&self, c->order.job);
        }
        /* R2: the kernel's writes are seen with the epoch; pairs with A2. The core's
         * last touch of the cluster, so close() may free it. */
        MW_STORE_RELEASE(&c->core[id].done, epoch);
        if (kernel == NULL)
            return;
    }
}

static void *team(void *arg)
{
    struct mw_cluster *const c = arg;
    omp_set_dynamic(0);
#pragma omp parallel num_threads((int)c->n_team) default(none) firstprivate(c)
    {
        const uint32_t id = (uint32_t)omp_get_thread_num();
        if (id == 0)
            c->n_team = (uint32_t)omp_get_num_threads();
        if (c->cpu != NULL && mw_mask_bind_self_to(c->cpu[id + 1]) != MW_OK)
            mw_note("%s; it runs unbound", mw_error_text());
        serve(c, id);
    }
    return NULL;
}

/* ---- the management core ---- */

static bool core_is_done(struct mw_cluster *c, uint32_t i)
{
    /* A2: pairs with R2 of the core, and with R0 while open() waits. */
    return MW_LOAD_ACQUIRE(&c->core[i].done) == c->epoch;
}

static int openmp_poll(struct mw_cluster *c)
{
    while (c->n_checked < c->n_team && core_is_done(c, c->n_checked))
        c->n_checked++;
    return c->n_checked == c->n_team ? MW_OK : MW_AGAIN;
}

static void wait_for_team(struct mw_cluster *c)
{
    struct patience p = {0};
    struct mw_waiting waiting = {0};
    while (openmp_poll(c) != MW_OK)
        if (c->oversubscribed)
            mw_wait_a_little(&waiting);
        else
            wait_a_little(&p, false);
}

static void publish(struct mw_cluster *c, mw_kernel *kernel, void *job, uint32_t n)
{
    c->order.kernel = kernel;
    c->order.job = job;
    c->order.n = n;
    c->n_checked = 0;
    c->epoch++;
    if (c->oversubscribed)
        pthread_mutex_lock(&c->lock);
    /* R1: the order is written before its epoch is seen; pairs with A1. */
    MW_STORE_RELEASE(&c->order.epoch, c->epoch);
    if (c->oversubscribed) {
        pthread_cond_broadcast(&c->ordered);
        pthread_mutex_unlock(&c->lock);
    }
}

static void openmp_launch(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    if (c->n_team > 0) {
        publish(c, kernel, job, c->n_team);
    } else {
        struct mw_cpe self = {0, 1, 0};
        kernel(&self, job);
    }
}

static void openmp_run(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    struct mw_cpe self = {c->n_team, c->n_team + 1, 0};
    if (c->n_team > 0)
        publish(c, kernel, job, self.n);
    kernel(&self, job);
    wait_for_team(c);
}

static void openmp_close(struct mw_cluster *c)
{
    if (c == NULL)
        return;
    if (c->started) {
        wait_for_team(c);
        publish(c, NULL, NULL, 0);
        wait_for_team(c);
        pthread_join(c->helper, NULL);
    }
    if (c->bound && mw_mask_bind_self(&c->before) != MW_OK)
        mw_error_clear(); /* the processors went offline meanwhile */
    pthread_cond_destroy(&c->ordered);
    pthread_mutex_destroy(&c->lock);
    MW_FREE_ALL(c->core, c);
}

static int start_team(struct mw_cluster *c)
{
    const uint32_t asked = c->n_team;
    struct mw_waiting waiting = {0};
    const int error = pthread_create(&c->helper, NULL, team, c);
    if (error != 0)
        return mw_fail(MW_ERR_UNAVAILABLE, "openmp cluster: no thread for %u cores: %s",
                       asked + 1, strerror(error));
    c->started = true;
    while (!core_is_done(c, 0))
        mw_wait_a_little(&waiting);
    wait_for_team(c); /* of the size that core 0 has found */
    if (c->n_team < asked)
        mw_note("openmp cluster: OpenMP gives %u of %u threads (OMP_THREAD_LIMIT?)",
                c->n_team, asked);
    return MW_OK;
}

static int openmp_open(const struct mw_cluster_conf *conf, struct mw_cluster **out)
{
    int rc;
    struct mw_cluster *c;
    MW_NEW(rc, c, "openmp cluster", 1);
    c->oversubscribed = conf->oversubscribed;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->ordered, NULL);
    c->n_team = conf->n_cores > 1 ? conf->n_cores - 1 : 0;
    c->cpu = conf->cpu;
    c->first_lane = conf->first_lane;
    c->epoch = 1;
    c->order.epoch = 1;
    MW_NEW(rc, c->core, "openmp cluster's cores", c->n_team);
    mw_mask_of_self(&c->before);
    if (c->n_team > 0)
        MW_TRY(rc, start_team(c));
    if (conf->cpu != NULL) {
        MW_TRY(rc, mw_mask_bind_self_to(conf->cpu[0]));
        c->bound = true;
    }
    c->cpu = NULL;
    *out = c;
    return MW_OK;
end:
    openmp_close(c);
    return rc;
}

static uint32_t openmp_n_cores(const struct mw_cluster *c)
{
    return c->n_team + 1;
}

static uint32_t openmp_n_team(const struct mw_cluster *c)
{
    return c->n_team;
}

const struct mw_backend mw_backend_openmp = {
    .name = "openmp",
    .kernels = "host",
    .delegate = "host",
    .short_circuit = true,
    .priority = 10,
    .open = openmp_open,
    .launch = openmp_launch,
    .poll = openmp_poll,
    .run = openmp_run,
    .close = openmp_close,
    .n_cores = openmp_n_cores,
    .n_team = openmp_n_team,
    .sizes = mw_sizes_add_stacks,
};
