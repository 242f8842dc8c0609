/* emul_threads.c -- the executor with a thread per core: no time, no order, for sanitizers.
 *
 * One lock guards the mesh of a cluster. A kernel still runs on a stack in the core's local
 * store; where it has to wait, its thread does so on its own stack:
 *
 *      thread:  home --> on_store --> kernel --block--> thread: cond_wait --> kernel ...
 *
 * DMA is a copy by the core itself, outside the lock, when it waits for the reply or spins:
 * as late as can be. Deadlock is exact here as well: under the lock every core is ready,
 * parked or ended, and nobody can change anything once nobody is ready.
 *
 * The race detector sees the kernels and the copies, and not the lock: what orders two
 * cores is a message, a sync, the atomic or a word of memory, and nothing else.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

#include <sched.h>
#include <string.h>

/* ---- on a core's stack ---- */

static void threads_enter(struct emul_core *core)
{
    emul_race_hide();
    pthread_mutex_lock(&core->cluster->machine->lock);
    core->self.now = 0;
    if (core->cluster->machine->failed)
        emul_leave(core);
}

static void go_home(struct emul_core *core)
{
    core->home = true;
    emul_fiber_switch(&core->fiber, &core->host);
}

static void threads_leave(struct emul_core *core)
{
    struct emul_machine *const m = core->cluster->machine;
    const bool failed = m->failed;
    if (failed) /* nobody is to wait for this core */
        for (uint32_t i = 0; i < MW_MESH_CORES; i++)
            pthread_cond_signal(&core->cluster->core[i].woken);
    pthread_mutex_unlock(&m->lock);
    emul_race_show();
    if (failed)
        go_home(core);
}

static void threads_block(struct emul_core *core)
{
    if (core->cluster->machine->failed)
        threads_leave(core);
    emul_fiber_switch(&core->fiber, &core->host); /* with the lock: see serve() */
    if (core->cluster->machine->failed)
        threads_leave(core);
}

static void threads_wake(struct emul_core *core, uint64_t at)
{
    (void)at;
    pthread_cond_signal(&core->woken);
}

static void threads_sleep(struct emul_core *core, uint64_t until)
{
    (void)core;
    (void)until;
}

static void threads_dma_start(struct emul_core *core)
{
    core->dma_started = core->dma_n;
}

/* Inside enter and leave. The copy is made without the lock, in the race detector's sight. */
static void threads_settle(struct emul_core *core)
{
    struct emul_machine *const m = core->cluster->machine;
    while (core->dma_n > 0 && (core->reply == NULL || !emul_dma_reached(core)) &&
           emul_dma_may(core)) {
        pthread_mutex_unlock(&m->lock);
        emul_race_show();
        emul_dma_copy(core);
        emul_race_hide();
        pthread_mutex_lock(&m->lock);
        emul_dma_finish(core, 0);
    }
}

static void threads_relax(struct emul_core *core)
{
    if (core->dma_n > 0) {
        threads_enter(core);
        threads_settle(core);
        threads_leave(core);
    }
    sched_yield();
}

static const struct emul_executor threads = {
    .enter = threads_enter,
    .leave = threads_leave,
    .block = threads_block,
    .wake = threads_wake,
    .doze = threads_sleep,
    .relax = threads_relax,
    .dma_start = threads_dma_start,
    .dma_settle = threads_settle,
};

static void live(void *arg)
{
    struct emul_core *const core = arg;
    core->cluster->kernel(&core->self.cpe, core->cluster->job);
    emul_end(core);
    go_home(core);
}

/* ---- on a thread's own stack ---- */

static void live_once(struct emul_core *core)
{
    struct emul_machine *const m = core->cluster->machine;
    emul_fiber_self(&core->host, true);
    emul_fiber_make(&core->fiber, &core->host, core->store, m->params.ldm_bytes, live,
                    core);
    core->home = false;
    emul_fiber_switch(&core->host, &core->fiber);
    while (!core->home) { /* it blocks, and holds the lock */
        while (core->parked && !m->failed)
            pthread_cond_wait(&core->woken, &m->lock);
        emul_fiber_switch(&core->host, &core->fiber);
    }
}

static void *serve(void *arg)
{
    struct emul_core *const core = arg;
    struct emul_machine *const m = core->cluster->machine;
    uint64_t epoch = 0;
    pthread_mutex_lock(&m->lock);
    for (;;) {
        while (m->epoch == epoch)
            pthread_cond_wait(&m->started, &m->lock);
        epoch = m->epoch;
        if (m->close)
            break;
        pthread_mutex_unlock(&m->lock);
        live_once(core);
        pthread_mutex_lock(&m->lock);
        if (++m->n_home == MW_MESH_CORES)
            pthread_cond_signal(&m->all_home);
    }
    pthread_mutex_unlock(&m->lock);
    return NULL;
}

/* ---- the management core ---- */

static void wait_until_home(struct emul_machine *m)
{
    while (m->n_home < MW_MESH_CORES)
        pthread_cond_wait(&m->all_home, &m->lock);
}

static int verdict(struct mw_cluster *c)
{
    if (c->machine->n_home < MW_MESH_CORES)
        return MW_AGAIN;
    return c->machine->failed ? emul_failure(c) : MW_OK;
}

static int threads_poll(struct mw_cluster *c)
{
    pthread_mutex_lock(&c->machine->lock);
    const int rc = verdict(c);
    pthread_mutex_unlock(&c->machine->lock);
    if (rc == MW_AGAIN)
        sched_yield();
    return rc;
}

static void threads_launch(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    struct emul_machine *const m = c->machine;
    pthread_mutex_lock(&m->lock);
    if (!m->failed) {
        emul_begin(c, kernel, job);
        m->n_home = 0;
        m->epoch++;
        pthread_cond_broadcast(&m->started);
    }
    pthread_mutex_unlock(&m->lock);
}

static void threads_run(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    threads_launch(c, kernel, job);
    pthread_mutex_lock(&c->machine->lock);
    wait_until_home(c->machine);
    (void)verdict(c); /* records the text */
    pthread_mutex_unlock(&c->machine->lock);
}

/* `n` of the threads are there. */
static void stop(struct mw_cluster *c, uint32_t n)
{
    struct emul_machine *const m = c->machine;
    pthread_mutex_lock(&m->lock);
    wait_until_home(m);
    m->close = true;
    m->epoch++;
    pthread_cond_broadcast(&m->started);
    pthread_mutex_unlock(&m->lock);
    for (uint32_t i = 0; i < n; i++)
        pthread_join(c->core[i].thread, NULL);
    for (uint32_t i = 0; i < MW_MESH_CORES; i++)
        pthread_cond_destroy(&c->core[i].woken);
    pthread_cond_destroy(&m->started);
    pthread_cond_destroy(&m->all_home);
    pthread_mutex_destroy(&m->lock);
    emul_cluster_free(c);
    mw_free(m);
}

static void threads_close(struct mw_cluster *c)
{
    if (c != NULL)
        stop(c, MW_MESH_CORES);
}

/* What has no meaning without time costs none. */
static void forget_time(struct mw_emul_params *p)
{
    p->rlc_near_cycles = p->rlc_far_cycles = p->launch_cycles = p->sync_cycles = 0;
}

static int threads_open(const struct mw_cluster_conf *conf, struct mw_cluster **out)
{
    int rc;
    struct emul_machine *m = NULL;
    struct mw_cluster *c;
    MW_TRY(rc, emul_machine_new(&threads, &m));
    forget_time(&m->params);
    MW_TRY(rc, emul_cluster_new(m, &c));
    emul_number_lanes(c, conf);
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->started, NULL);
    pthread_cond_init(&m->all_home, NULL);
    m->n_home = MW_MESH_CORES;
    for (uint32_t i = 0; i < MW_MESH_CORES; i++)
        pthread_cond_init(&c->core[i].woken, NULL);
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        const int error = pthread_create(&c->core[i].thread, NULL, serve, c->core + i);
        if (error == 0)
            continue;
        stop(c, i);
        return mw_fail(MW_ERR_UNAVAILABLE, "emulation: no thread for core %u: %s", i,
                       strerror(error));
    }
    *out = c;
    return MW_OK;
end:
    mw_free(m);
    return rc;
}

static void threads_sizes(uint32_t n_team, struct mw_sizes *out)
{
    emul_sizes(n_team, out);
    mw_sizes_add_stacks(n_team, out);
}

const struct mw_backend mw_backend_emul_threads = {
    .name = "emul-threads",
    .priority = -20,
    .open = threads_open,
    .launch = threads_launch,
    .poll = threads_poll,
    .run = threads_run,
    .close = threads_close,
    .n_cores = emul_n_cores,
    .n_team = emul_n_cores,
    .sizes = threads_sizes,
    .store = emul_store,
    .one_thread = true,
    .mesh = true,
    .kernels = "mesh",
    .delegate = "serial",
};
