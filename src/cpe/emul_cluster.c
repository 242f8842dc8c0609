/* emul_cluster.c -- what both executors do at the same places: making clusters, starting
 * and ending kernels, and the steps around every call of a kernel.
 *
 * n_ready counts the cores that can go on without another's help. When it is 0 and no DMA
 * is under way, nothing will ever change again: that is the exact test for deadlock, made
 * whenever a core blocks or ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

#include <string.h>

static pthread_mutex_t configured_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mw_emul_params configured;
static bool is_configured;

int mw_emul_configure(const struct mw_emul_params *p)
{
    struct mw_emul_params usual;
    mw_emul_params_sw26010(&usual);
    const int rc = p == NULL ? MW_OK : mw_emul_params_check(p);
    if (rc != MW_OK)
        return rc;
    pthread_mutex_lock(&configured_lock);
    configured = p == NULL ? usual : *p;
    is_configured = true;
    pthread_mutex_unlock(&configured_lock);
    return MW_OK;
}

static void params_now(struct mw_emul_params *out)
{
    pthread_mutex_lock(&configured_lock);
    if (!is_configured)
        mw_emul_params_sw26010(&configured);
    is_configured = true;
    *out = configured;
    pthread_mutex_unlock(&configured_lock);
}

void mw_emul_params_of(const struct mw_cluster *c, struct mw_emul_params *out)
{
    *out = c->machine->params;
}

/* ---- making ---- */

int emul_machine_new(const struct emul_executor *executor, struct emul_machine **out)
{
    struct emul_machine *m;
    MW_NEED_NEW(m, "emulated machine", 1);
    params_now(&m->params);
    const struct mw_emul_params *const p = &m->params;
    m->executor = executor;
    m->line_cost =
        (p->dma_line_bytes * 1024 * p->clock_hz + p->dma_bytes_s / 2) / p->dma_bytes_s;
    m->misaligned_byte_cost =
        (1024 * p->clock_hz + p->dma_misaligned_bytes_s / 2) / p->dma_misaligned_bytes_s;
    m->next_done = UINT64_MAX;
    *out = m;
    return MW_OK;
}

/* A core's number decides who goes first at equal times: a permutation of the machine's. */
static uint32_t arbitrate(uint64_t arbitration, uint32_t n)
{
    enum { CORES = MW_MESH_CORES * MW_EMUL_CLUSTERS_MAX };
    if (arbitration < 2)
        return arbitration == 0 ? n : CORES - 1 - n;
    const uint32_t factor =
        2 * (uint32_t)(arbitration % CORES) + 1; /* odd: a bijection */
    return (n * factor + 97 * (uint32_t)(arbitration % CORES)) % CORES;
}

static void place_core(struct mw_cluster *c, uint32_t id)
{
    const struct mw_emul_params *const p = &c->machine->params;
    const uint64_t in = mw_max(p->recv_depth, 1), out = p->send_depth + 1;
    struct emul_core *const core = c->core + id;
    struct emul_message *const slots = c->slots + id * (2 * in + out);
    const uintptr_t first = mw_round_up((uintptr_t)c->stores, p->ldm_bytes);
    core->self.cpe = (struct mw_cpe){id, MW_MESH_CORES, id};
    core->cluster = c;
    core->number = arbitrate(p->arbitration, c->number * MW_MESH_CORES + id);
    core->in[MW_BUS_ROW].slot = slots;
    core->in[MW_BUS_COL].slot = slots + in;
    core->out = slots + 2 * in;
    core->where = "nowhere";
    core->store = c->stores + (first - (uintptr_t)c->stores) + (1 + id) * p->ldm_bytes;
    memset(core->store, EMUL_POISON, p->ldm_bytes);
}

/* A store more below the first core's: what an overflowing stack hits there. */
static void sizes_of(const struct mw_emul_params *p, struct mw_sizes *out)
{
    const struct mw_cluster *c = NULL;
    const uint64_t slots = 2 * mw_max(p->recv_depth, 1) + p->send_depth + 1;
    mw_sizes_add(out, MW_ALWAYS, "emulated cluster", 1, sizeof *c);
    mw_sizes_add(out, MW_ALWAYS, "emulated cores", MW_MESH_CORES, sizeof *c->core);
    mw_sizes_add(out, MW_ALWAYS, "emulated FIFOs", MW_MESH_CORES * slots,
                 sizeof *c->slots);
    mw_sizes_add(out, MW_ALWAYS, "emulated local stores",
                 (MW_MESH_CORES + 2) * p->ldm_bytes, sizeof *c->stores);
    mw_sizes_add(out, MW_ALWAYS, "emulated DMA", MW_MESH_CORES * EMUL_DMA_MAX,
                 sizeof *c->done);
    mw_sizes_add(out, MW_ALWAYS, "emulated writers", EMUL_WRITTEN_LEAST,
                 sizeof *c->written);
}

void emul_store(uint64_t *bytes, uint64_t *stack)
{
    struct mw_emul_params p;
    params_now(&p);
    *bytes = p.ldm_bytes;
    *stack = p.stack_bytes;
}

void emul_sizes(uint32_t n_team, struct mw_sizes *out)
{
    struct mw_emul_params p;
    (void)n_team;
    params_now(&p);
    sizes_of(&p, out);
}

int emul_cluster_new(struct emul_machine *m, struct mw_cluster **out)
{
    int rc;
    struct mw_cluster *c;
    struct mw_sizes sizes = {0};
    sizes_of(&m->params, &sizes);
    MW_TAKE(rc, c, &sizes, "emulated cluster");
    c->machine = m;
    while (c->number < MW_EMUL_CLUSTERS_MAX && m->cluster[c->number] != NULL)
        c->number++;
    MW_TAKE(rc, c->core, &sizes, "emulated cores");
    MW_TAKE(rc, c->slots, &sizes, "emulated FIFOs");
    MW_TAKE(rc, c->stores, &sizes, "emulated local stores");
    MW_TAKE(rc, c->done, &sizes, "emulated DMA");
    MW_TAKE(rc, c->written, &sizes, "emulated writers");
    c->n_written_room = EMUL_WRITTEN_LEAST;
    emul_traffic_new(c);
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        place_core(c, i);
        m->numbered[c->core[i].number] = c->core + i;
    }
    m->cluster[c->number] = c;
    m->n_clusters++;
    *out = c;
    return MW_OK;
end:
    emul_cluster_free(c);
    return rc;
}

void emul_cluster_free(struct mw_cluster *c)
{
    if (c == NULL)
        return;
    if (c->machine->cluster[c->number] == c) {
        c->machine->cluster[c->number] = NULL;
        c->machine->n_clusters--;
    }
    if (c->stores != NULL)
        emul_fiber_unpoison(c->stores,
                            (MW_MESH_CORES + 2) * c->machine->params.ldm_bytes);
    emul_traffic_free(c);
    MW_FREE_ALL(c->written, c->done, c->stores, c->slots, c->core, c);
}

void emul_number_lanes(struct mw_cluster *c, const struct mw_cluster_conf *conf)
{
    for (uint32_t i = 0; i < MW_MESH_CORES; i++)
        c->core[i].self.cpe.lane = conf->first_lane + i;
}

uint32_t emul_n_cores(const struct mw_cluster *c)
{
    (void)c;
    return MW_MESH_CORES;
}

/* ---- a kernel's life ---- */

void emul_begin(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    struct emul_machine *const m = c->machine;
    c->kernel = kernel;
    c->job = job;
    emul_writers_begin(c);
    emul_traffic_begin(c);
    c->n_alive = c->n_ready = MW_MESH_CORES;
    c->launched_at = c->progress = m->now + m->params.launch_cycles;
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        struct emul_core *const core = c->core + i;
        core->state = EMUL_READY;
        core->parked = core->spins = false;
        core->reply = NULL;
        core->where = "the kernel's start";
        core->self.now = c->launched_at;
        emul_hops_begin(core);
        core->left_at = c->launched_at;
        core->served = MW_BUS_COL;
        emul_store_begin(core);
    }
}

void emul_enter_at(struct emul_core *core, const char *here, uintptr_t frame)
{
    core->where = here;
    core->frame = frame;
    emul_executor(core)->enter(core);
    if (MW_UNLIKELY(frame < core->lowest))
        core->lowest = frame;
    if (MW_UNLIKELY(core->held < frame))
        emul_dma_left(core);
    emul_store_check(core, frame);
}

void emul_leave(struct emul_core *core)
{
    core->left_at = core->self.now;
    emul_executor(core)->leave(core);
}

void emul_block(struct emul_core *core, enum emul_state state)
{
    struct mw_cluster *const c = core->cluster;
    core->state = state;
    core->parked = true;
    c->n_ready--;
    if (c->n_ready == 0 && c->done_n == 0)
        emul_deadlock(core);
    emul_executor(core)->block(core);
    core->state = EMUL_READY;
}

void emul_wake(struct emul_core *core, uint64_t at)
{
    core->parked = false;
    core->cluster->n_ready++;
    emul_executor(core)->wake(core, at);
}

static void all_ended(struct mw_cluster *c)
{
    c->ended_at = c->machine->now;
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        emul_words_fence(c->core + i);
        c->core[i].count.idle += c->ended_at - c->core[i].ended_at;
    }
    emul_traffic_end(c);
}

static struct emul_core *some_stuck(struct mw_cluster *c)
{
    struct emul_core *core = c->core;
    while (!core->parked)
        core++;
    return core;
}

void emul_end(struct emul_core *core)
{
    struct mw_cluster *const c = core->cluster;
    emul_enter_at(core, "the kernel's end", mw_min(core->frame, core->lowest));
    core->state = EMUL_ENDED;
    core->ended_at = core->self.now;
    core->count.busy += core->ended_at - c->launched_at;
    emul_dma_end(core);
    emul_mesh_end(core);
    emul_sync_end(core);
    emul_store_end(core);
    emul_happened(core);
    c->n_ready--;
    if (--c->n_alive == 0)
        all_ended(c);
    else if (c->n_ready == 0 && c->done_n == 0)
        emul_deadlock(some_stuck(c));
    emul_leave(core);
}

/* ---- what the management core asks ---- */

uint64_t mw_emul_now(const struct mw_cluster *c)
{
    return c->machine->now;
}

void mw_emul_count(const struct mw_cluster *c, uint32_t core,
                   struct mw_emul_counters *out)
{
    const struct emul_core *const k = c->core + core;
    *out = k->count;
    if (k->state != EMUL_IDLE && k->state != EMUL_ENDED)
        out->busy += mw_max(k->self.now, c->launched_at) - c->launched_at;
    out->busy -= mw_min(out->busy, out->blocked_put + out->blocked_get +
                                       out->blocked_sync + out->blocked_dma);
}

void mw_emul_count_all(const struct mw_cluster *c, struct mw_emul_counters *out)
{
    memset(out, 0, sizeof *out);
    uint64_t *const sum = (uint64_t *)(void *)out;
    const size_t n_sums = offsetof(struct mw_emul_counters, statics_bytes) / sizeof *sum;
    const size_t n_words = sizeof *out / sizeof *sum;
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        struct mw_emul_counters one;
        mw_emul_count(c, i, &one);
        const uint64_t *const word = (const uint64_t *)(const void *)&one;
        for (size_t j = 0; j < n_words; j++)
            sum[j] = j < n_sums ? sum[j] + word[j] : mw_max(sum[j], word[j]);
    }
}
