/* emul_events.c -- the executor of discrete events: all cores of up to four clusters on the
 * calling thread, each on a stack of its own, in the order of virtual time.
 *
 *      heap[]  of time << 8 | core   who goes on when, ties by number
 *      done[]  per cluster           when which DMA completes; before cores of that time
 *
 * A core runs ahead of the clock until it makes a call that others can notice; then it
 * waits until it is the earliest, so every call sees exactly what came before it. Most
 * calls find that nobody is earlier, and cost no switch.
 *
 * The management core stands outside: while it polls, the machine runs for poll_cycles of
 * virtual time or until the cluster is done.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

/* ---- the heap ---- */

static void push(struct emul_machine *m, uint64_t at, const struct emul_core *core)
{
    const uint64_t key = at << 8 | core->number;
    uint32_t i = m->n_heap++;
    while (i > 0 && m->heap[(i - 1) / 2] > key) {
        m->heap[i] = m->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    m->heap[i] = key;
}

static uint64_t pop(struct emul_machine *m)
{
    const uint64_t first = m->heap[0], key = m->heap[--m->n_heap];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= m->n_heap)
            break;
        if (child + 1 < m->n_heap && m->heap[child + 1] < m->heap[child])
            child++;
        if (m->heap[child] >= key)
            break;
        m->heap[i] = m->heap[child];
        i = child;
    }
    m->heap[i] = key;
    return first;
}

/* ---- on a core's stack ---- */

static void to_host(struct emul_core *core)
{
    emul_fiber_switch(&core->fiber, &core->cluster->machine->host);
}

static void events_enter(struct emul_core *core)
{
    struct emul_machine *const m = core->cluster->machine;
    const uint64_t now = core->self.now;
    if (MW_LIKELY((m->n_heap == 0 || (now << 8 | core->number) < m->heap[0]) &&
                  now < m->next_done && now <= m->limit)) {
        m->now = now;
        return;
    }
    push(m, now, core);
    to_host(core);
}

static void events_leave(struct emul_core *core)
{
    if (MW_UNLIKELY(core->cluster->machine->failed))
        to_host(core); /* for good */
}

static void events_block(struct emul_core *core)
{
    to_host(core);
}

static void events_wake(struct emul_core *core, uint64_t at)
{
    push(core->cluster->machine, at, core);
}

static void events_sleep(struct emul_core *core, uint64_t until)
{
    push(core->cluster->machine, until, core);
    to_host(core);
}

static void nothing(struct emul_core *core)
{
    (void)core;
}

static void live(void *arg)
{
    struct emul_core *const core = arg;
    core->cluster->kernel(&core->self.cpe, core->cluster->job);
    emul_end(core);
    to_host(core); /* for good */
}

static const struct emul_executor events = {
    .enter = events_enter,
    .leave = events_leave,
    .block = events_block,
    .wake = events_wake,
    .doze = events_sleep,
    .relax = nothing,
    .dma_start = emul_dma_start,
    .dma_settle = nothing,
};

/* ---- the management core ---- */

static struct mw_cluster *first_done(struct emul_machine *m)
{
    struct mw_cluster *first = NULL;
    for (uint32_t i = 0; i < MW_EMUL_CLUSTERS_MAX; i++) {
        struct mw_cluster *const c = m->cluster[i];
        if (c != NULL && c->done_n > 0 &&
            (first == NULL ||
             c->done[c->done_first].at < first->done[first->done_first].at))
            first = c;
    }
    return first;
}

static void complete_next(struct emul_machine *m)
{
    struct mw_cluster *c = first_done(m);
    const struct emul_done done = c->done[c->done_first];
    c->done_first = (c->done_first + 1) % (MW_MESH_CORES * EMUL_DMA_MAX);
    c->done_n--;
    m->now = done.at;
    if (emul_dma_may(done.core)) {
        emul_dma_copy(done.core);
        emul_dma_finish(done.core, done.at);
    }
    c = first_done(m);
    m->next_done = c == NULL ? UINT64_MAX : c->done[c->done_first].at;
}

static void resume_next(struct emul_machine *m)
{
    const uint64_t key = pop(m);
    struct emul_core *const core = m->numbered[key & 0xff];
    core->self.now = m->now = key >> 8;
    core->count.switches++;
    mw_meter = &core->meter;
    emul_fiber_switch(&m->host, &core->fiber);
    mw_meter = NULL;
}

/* Until the cluster is done, or nothing is left before `limit`. */
static void advance(struct mw_cluster *c, uint64_t limit)
{
    struct emul_machine *const m = c->machine;
    m->limit = limit;
    while (c->n_alive > 0 && !m->failed) {
        const uint64_t next = m->n_heap > 0 ? m->heap[0] >> 8 : UINT64_MAX;
        if (mw_min(next, m->next_done) > limit)
            break;
        if (m->next_done <= next)
            complete_next(m);
        else
            resume_next(m);
    }
    if (c->n_alive > 0 && limit != UINT64_MAX)
        m->now = mw_max(m->now, limit);
}

static void drop_fibers(struct mw_cluster *c)
{
    for (uint32_t i = 0; i < MW_MESH_CORES; i++)
        emul_fiber_drop(&c->core[i].fiber);
}

static int verdict(struct mw_cluster *c)
{
    if (c->machine->failed)
        return emul_failure(c);
    return c->n_alive == 0 ? MW_OK : MW_AGAIN;
}

/* Of a core that reads a line after the other, as all of its cluster do. */
static uint64_t line_cycles(const struct mw_emul_params *p)
{
    return (uint64_t)((double)MW_METER_LINE * MW_MESH_CORES * (double)p->clock_hz /
                      (double)p->dma_bytes_s);
}

static int events_poll(struct mw_cluster *c)
{
    if (c->n_alive > 0 && !c->machine->failed)
        advance(c, c->machine->now + c->machine->params.poll_cycles);
    return verdict(c);
}

static void events_launch(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    struct emul_machine *const m = c->machine;
    if (m->failed)
        return;
    drop_fibers(c);
    emul_begin(c, kernel, job);
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        struct emul_core *const core = c->core + i;
        core->meter = (struct mw_meter){.clock = &core->self.now,
                                        .line_cycles = line_cycles(&m->params),
                                        .word_cycles = m->params.mem_lat_cycles};
        emul_fiber_make(&core->fiber, &m->host, core->store, m->params.ldm_bytes, live,
                        core);
        push(m, c->launched_at, core);
    }
}

static void events_run(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    events_launch(c, kernel, job);
    advance(c, UINT64_MAX);
    if (verdict(c) == MW_OK)
        mw_error_clear();
}

void mw_emul_pass(struct mw_cluster *c, uint64_t cycles)
{
    struct emul_machine *const m = c->machine;
    const uint64_t until = m->now + cycles;
    if (m->executor != &events)
        return;
    for (uint32_t i = 0; i < MW_EMUL_CLUSTERS_MAX; i++)
        while (m->cluster[i] != NULL && m->cluster[i]->n_alive > 0 && m->now < until &&
               !m->failed)
            advance(m->cluster[i], until);
    m->now = mw_max(m->now, until);
}

static double seconds_of(const struct mw_cluster *c, uint64_t cycles)
{
    return (double)cycles / (double)c->machine->params.clock_hz;
}

static void wait_until(struct mw_cluster *c, uint64_t until)
{
    const uint64_t now = c->machine->now;
    if (until > now)
        mw_emul_pass(c, until - now);
}

static void count_touches(struct mw_cluster *c, uint32_t n_clusters)
{
    struct emul_machine *const m = c->machine;
    const struct mw_emul_params *p = &m->params;
    const double of_mpe = MW_METER_LINE * (double)p->clock_hz / (double)p->mpe_bytes_s;
    m->meter = (struct mw_meter){.clock = &m->touched,
                                 .line_cycles =
                                     n_clusters > 0 ? line_cycles(p) : (uint64_t)of_mpe,
                                 .word_cycles = p->mem_lat_cycles};
    m->touched = 0;
    mw_meter = &m->meter;
}

static void pay_touches(struct mw_cluster *c, uint32_t n_clusters)
{
    const struct emul_machine *const m = c->machine;
    mw_meter = NULL;
    mw_emul_pass(c, n_clusters == 0 ? m->touched
                                    : m->params.launch_cycles +
                                          m->touched / (MW_MESH_CORES * n_clusters));
}

static void network_of(const struct mw_cluster *c, struct mw_virtual_wires *out)
{
    const struct mw_emul_params *p = &c->machine->params;
    *out = (struct mw_virtual_wires){
        .overhead = p->mpe_message_cycles,
        .latency = p->net_lat_cycles,
        .byte = (double)p->clock_hz / (double)p->net_bytes_s,
        .far_byte = (double)p->clock_hz * (double)p->net_over / (double)p->net_bytes_s,
        .super_node = (uint32_t)p->net_super_node};
}

/* The management core streams what it moves, and waits for memory once. */
static void events_spend(struct mw_cluster *c, const struct mw_mpe_work *work)
{
    const struct mw_emul_params *p = &c->machine->params;
    const double moving =
        (double)work->bytes * (double)p->clock_hz / (double)p->mpe_bytes_s;
    mw_emul_pass(c, p->mem_lat_cycles + (uint64_t)moving +
                        work->records * p->mpe_record_cycles +
                        work->messages * p->mpe_message_cycles);
}

static const struct mw_virtual_time virtual_time = {.now = mw_emul_now,
                                                    .seconds = seconds_of,
                                                    .spend = events_spend,
                                                    .wait = wait_until,
                                                    .count = count_touches,
                                                    .pay = pay_touches,
                                                    .network = network_of};

/* The clusters of one thread are those of one node. */
static MW_THREAD_LOCAL struct emul_machine *node;

static void events_close(struct mw_cluster *c)
{
    if (c == NULL)
        return;
    struct emul_machine *const m = c->machine;
    drop_fibers(c);
    emul_cluster_free(c);
    if (m->n_clusters > 0)
        return;
    if (node == m)
        node = NULL;
    mw_free(m);
}

static int events_open(const struct mw_cluster_conf *conf, struct mw_cluster **out)
{
    int rc;
    if (node != NULL && node->n_clusters == MW_EMUL_CLUSTERS_MAX)
        return mw_fail(MW_ERR_USAGE, "emulation: a node has %d clusters",
                       MW_EMUL_CLUSTERS_MAX);
    if (node == NULL)
        MW_TRY(rc, emul_machine_new(&events, &node));
    emul_fiber_self(&node->host, false);
    MW_TRY(rc, emul_cluster_new(node, out));
    emul_number_lanes(*out, conf);
    return MW_OK;
end:
    if (node != NULL && node->n_clusters == 0) {
        mw_free(node);
        node = NULL;
    }
    return rc;
}

const struct mw_backend mw_backend_emul = {
    .name = "emul",
    .priority = -10,
    .open = events_open,
    .launch = events_launch,
    .poll = events_poll,
    .run = events_run,
    .close = events_close,
    .n_cores = emul_n_cores,
    .n_team = emul_n_cores,
    .sizes = emul_sizes,
    .store = emul_store,
    .one_thread = true,
    .mesh = true,
    .kernels = "mesh",
    .delegate = "counted",
    .stand_in = "serial",
    .time = &virtual_time,
};
