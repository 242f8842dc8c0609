/* emul_dma.c -- DMA between main memory and a core's local store, its cost and its traps.
 *
 * One memory controller serves a cluster's requests in the order of their issue:
 *
 *      issue --(<= dma_outstanding of a core)--> controller: cost --> + latency --> done
 *      cost, aligned:    max(dma_req_cycles, bytes in whole lines / bandwidth)
 *      cost, off a line: dma_misaligned_req_cycles + bytes / misaligned bandwidth, and for
 *                        a put no less than dma_put_misaligned_factor x dma_req_cycles on
 *                        top of the lines
 *
 * so requests complete in the order in which they were issued, which is why a ring per core
 * and one per cluster suffice. Data move at completion, in both directions: a get's target
 * is poison until then, and a put reads its source as late as a real one may (the machine
 * says "done" when the source has been read out), so a buffer that is used too early gives
 * wrong data here as well.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

#include <string.h>

static struct emul_request *request_at(struct emul_core *core, uint32_t i)
{
    return core->dma + (core->dma_first + i) % EMUL_DMA_MAX;
}

static uint64_t blocks_of(const struct mw_emul_dma *d)
{
    return d->block == 0 ? 1 : d->bytes / d->block;
}

/* ---- the model ---- */

static bool misaligned(const struct mw_emul_dma *d, uint64_t line)
{
    return ((uintptr_t)d->mem & (line - 1)) != 0 ||
           (blocks_of(d) > 1 && (d->block + d->gap) % line != 0);
}

static uint64_t lines_of(const struct mw_emul_dma *d, uint64_t line)
{
    const uint64_t n = blocks_of(d), bytes = d->bytes / n;
    uint64_t lines = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t at = ((uintptr_t)d->mem + i * (d->block + d->gap)) & (line - 1);
        lines += (at + bytes + line - 1) / line;
    }
    return lines;
}

static uint64_t cost_of(struct emul_core *core, const struct mw_emul_dma *d)
{
    const struct emul_machine *const m = core->cluster->machine;
    const struct mw_emul_params *const p = &m->params;
    const uint64_t lines = lines_of(d, p->dma_line_bytes) * m->line_cost;
    if (!misaligned(d, p->dma_line_bytes))
        return mw_max(1024 * p->dma_req_cycles, lines);
    const uint64_t bytes =
        blocks_of(d) > 1 ? mw_max(d->bytes, blocks_of(d) * 64) : d->bytes;
    const uint64_t cost =
        1024 * p->dma_misaligned_req_cycles + bytes * m->misaligned_byte_cost;
    core->count.dma_misaligned++;
    if (!d->put)
        return cost;
    return mw_max(cost, 1024 * p->dma_put_misaligned_factor * p->dma_req_cycles + lines);
}

void emul_dma_start(struct emul_core *core)
{
    struct mw_cluster *const c = core->cluster;
    struct emul_machine *const m = c->machine;
    const struct mw_emul_params *const p = &m->params;
    while (core->dma_started < core->dma_n && core->dma_started < p->dma_outstanding) {
        struct emul_request *const r = request_at(core, core->dma_started++);
        c->free_at = mw_max(c->free_at, 1024 * m->now) + cost_of(core, &r->d);
        r->done_at = c->free_at / 1024 + p->dma_lat_cycles - p->dma_req_cycles;
        c->done[(c->done_first + c->done_n++) % (MW_MESH_CORES * EMUL_DMA_MAX)] =
            (struct emul_done){r->done_at, core};
        m->next_done = mw_min(m->next_done, r->done_at);
    }
}

/* ---- completion ---- */

void emul_dma_copy(struct emul_core *core)
{
    const struct mw_emul_dma *const d = &request_at(core, 0)->d;
    const uint64_t n = blocks_of(d), bytes = d->bytes / n;
    for (uint64_t i = 0; i < n; i++) {
        char *const ldm = (char *)d->ldm + i * bytes;
        char *const mem = (char *)d->mem + i * (d->block + d->gap);
        memcpy(d->put ? mem : ldm, d->put ? ldm : mem, bytes);
    }
}

static struct emul_reply *reply_of(struct emul_core *core, mw_dma_reply *word)
{
    for (uint32_t i = 0; i < core->n_answered; i++)
        if (core->answered[i].word == word)
            return core->answered + i;
    if (core->n_answered == EMUL_REPLIES_MAX)
        return NULL;
    core->answered[core->n_answered] = (struct emul_reply){.word = word};
    return core->answered + core->n_answered++;
}

static void forget_reply(struct emul_core *core, mw_dma_reply *word)
{
    for (uint32_t i = 0; i < core->n_answered; i++)
        if (core->answered[i].word == word) {
            core->answered[i] = core->answered[--core->n_answered];
            return;
        }
}

/* What held them must still be there: no reset, no return from the function. */
bool emul_dma_may(struct emul_core *core)
{
    const struct emul_request *const r = request_at(core, 0);
    const bool word = emul_store_has(core, r->d.reply, sizeof *r->d.reply);
    const bool data = emul_store_has(core, r->d.ldm, r->d.bytes);
    if (word && data)
        return true;
    emul_mistake(
        core, word ? MW_EMUL_DMA_OUTSIDE : MW_EMUL_REPLY_OUTSIDE, r->where,
        "%s is no longer there: the function has returned, or the heap was reset",
        word ? "the buffer of a DMA" : "the reply of a DMA");
    return false;
}

static bool on_stack(const struct emul_core *core, const volatile void *at)
{
    return (uintptr_t)at >= (uintptr_t)core->store + core->statics + core->heap;
}

/* The lowest place on the stack that a request needs. */
static uintptr_t held_by(const struct emul_core *core, const struct mw_emul_dma *d)
{
    const uintptr_t data = on_stack(core, d->ldm) ? (uintptr_t)d->ldm : UINTPTR_MAX;
    const uintptr_t word = on_stack(core, d->reply) ? (uintptr_t)d->reply : UINTPTR_MAX;
    return mw_min(data, word);
}

static void hold(struct emul_core *core)
{
    core->held = UINTPTR_MAX;
    for (uint32_t i = 0; i < core->dma_n; i++)
        core->held = mw_min(core->held, held_by(core, &request_at(core, i)->d));
}

void emul_dma_left(struct emul_core *core)
{
    for (uint32_t i = 0; i < core->dma_n; i++) {
        const struct emul_request *const r = request_at(core, i);
        if (held_by(core, &r->d) >= core->frame)
            continue;
        const bool word =
            on_stack(core, r->d.reply) && (uintptr_t)r->d.reply < core->frame;
        emul_mistake(core, word ? MW_EMUL_REPLY_OUTSIDE : MW_EMUL_DMA_OUTSIDE, r->where,
                     "%s was a local variable of a function that has returned, and it is "
                     "still under way",
                     word ? "the reply of a DMA" : "the buffer of a DMA");
    }
}

bool emul_dma_reached(const struct emul_core *core)
{
    const int value = *core->reply;
    return emul_params(core)->reply_at_least ? value >= core->goal : value == core->goal;
}

void emul_dma_finish(struct emul_core *core, uint64_t at)
{
    struct emul_request *const r = request_at(core, 0);
    *r->d.reply = *r->d.reply + 1;
    struct emul_reply *const answered = reply_of(core, r->d.reply);
    if (answered != NULL) {
        answered->n_unwaited++;
        answered->where = r->where;
    }
    core->dma_first = (core->dma_first + 1) % EMUL_DMA_MAX;
    core->dma_n--;
    core->dma_started--;
    hold(core);
    emul_happened(core);
    emul_executor(core)->dma_start(core);
    if (core->parked && core->state == EMUL_DMA && emul_dma_reached(core))
        emul_wake(core, at);
    if (core->parked && core->state == EMUL_DMA_FULL)
        emul_wake(core, at);
}

static void note_writes(struct emul_core *core, const struct mw_emul_dma *d,
                        const char *here)
{
    const uint64_t n = blocks_of(d);
    for (uint64_t i = 0; i < n; i++)
        emul_writers_note(core, (const char *)d->mem + i * (d->block + d->gap),
                          d->bytes / n, here);
}

/* ---- the calls ---- */

static bool in_a_store(const struct mw_cluster *c, const void *at)
{
    const uintptr_t first = (uintptr_t)c->core[0].store;
    return (uintptr_t)at >= first &&
           (uintptr_t)at < first + MW_MESH_CORES * c->machine->params.ldm_bytes;
}

static bool check(struct emul_core *core, const struct mw_emul_dma *d, const char *here)
{
    const uintptr_t together = (uintptr_t)d->ldm | (uintptr_t)d->mem |
                               (uintptr_t)d->bytes | (uintptr_t)d->block |
                               (uintptr_t)d->gap;
    const char *const what = d->put ? "put" : "get";
    if (!emul_store_has(core, d->ldm, d->bytes))
        emul_mistake(core, MW_EMUL_DMA_OUTSIDE, here,
                     "a %s of %llu bytes whose local side is %s", what,
                     (unsigned long long)d->bytes,
                     in_a_store(core->cluster, d->ldm)
                         ? "not in this core's statics, heap or stack"
                         : "not in the local store");
    else if (in_a_store(core->cluster, d->mem))
        emul_mistake(core, MW_EMUL_DMA_OUTSIDE, here,
                     "a %s whose main memory side is in a local store", what);
    else if (together % 4 != 0)
        emul_mistake(core, MW_EMUL_DMA_ALIGN, here,
                     "a %s of %llu bytes, local offset %llu, main memory %p, block %llu, "
                     "gap %llu: all must be multiples of 4",
                     what, (unsigned long long)d->bytes,
                     (unsigned long long)((char *)d->ldm - core->store), d->mem,
                     (unsigned long long)d->block, (unsigned long long)d->gap);
    else if (d->bytes == 0 || (d->block != 0 && d->bytes % d->block != 0))
        emul_mistake(core, MW_EMUL_DMA_ALIGN, here,
                     "a %s of %llu bytes in blocks of %llu", what,
                     (unsigned long long)d->bytes, (unsigned long long)d->block);
    else if (!emul_store_has(core, d->reply, sizeof *d->reply) ||
             (uintptr_t)d->reply % 4 != 0)
        emul_mistake(
            core, MW_EMUL_REPLY_OUTSIDE, here,
            "the reply word of a %s is not in the local store, at a multiple of 4", what);
    else
        return true;
    return false;
}

static void count(struct emul_core *core, const struct mw_emul_dma *d)
{
    if (d->put) {
        core->count.dma_puts++;
        core->count.dma_put_bytes += d->bytes;
    } else {
        core->count.dma_gets++;
        core->count.dma_get_bytes += d->bytes;
    }
}

void mw_emul_dma(struct mw_cpe *self, const struct mw_emul_dma *d, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    emul_enter(core, here);
    if (check(core, d, here)) {
        const uint64_t came = core->self.now;
        if (core->dma_n == EMUL_DMA_MAX)
            emul_executor(core)->dma_settle(core);
        if (core->dma_n == EMUL_DMA_MAX)
            emul_block(core, EMUL_DMA_FULL);
        core->count.blocked_dma += core->self.now - came;
        count(core, d);
        if (d->put)
            note_writes(core, d, here);
        else
            memset(d->ldm, EMUL_POISON, d->bytes);
        *request_at(core, core->dma_n++) = (struct emul_request){.d = *d, .where = here};
        core->held = mw_min(core->held, held_by(core, d));
        emul_executor(core)->dma_start(core);
        core->self.now += emul_params(core)->dma_issue_cycles;
    }
    emul_leave(core);
}

static int pending(struct emul_core *core, const mw_dma_reply *reply)
{
    int n = 0;
    for (uint32_t i = 0; i < core->dma_n; i++)
        n += request_at(core, i)->d.reply == reply;
    return n;
}

/* A word with more to come than is waited for may pass the goal between two looks. */
static bool can_be_waited_for(struct emul_core *core, mw_dma_reply *reply, int n,
                              const char *here)
{
    if (!emul_store_has(core, reply, sizeof *reply)) {
        emul_mistake(core, MW_EMUL_REPLY_OUTSIDE, here,
                     "a wait for a word that is not in the local store");
        return false;
    }
    const int value = *reply, more = pending(core, reply);
    if (value + more < n) {
        emul_mistake(core, MW_EMUL_REPLY_SHORT, here,
                     "a wait for %d: the count is %d, and %d requests are under way", n,
                     value, more);
        return false;
    }
    if (value + more > n && !emul_params(core)->reply_at_least) {
        emul_mistake(core, MW_EMUL_REPLY_PASSED, here,
                     "a wait for exactly %d: the count is %d, and %d requests are under "
                     "way",
                     n, value, more);
        return false;
    }
    return true;
}

void mw_emul_dma_wait(struct mw_cpe *self, mw_dma_reply *reply, int n, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    emul_enter(core, here);
    const uint64_t came = core->self.now;
    if (can_be_waited_for(core, reply, n, here)) {
        core->reply = reply;
        core->goal = n;
        emul_executor(core)->dma_settle(core);
        if (!emul_dma_reached(core))
            emul_block(core, EMUL_DMA);
        core->reply = NULL;
        core->count.blocked_dma += core->self.now - came;
        forget_reply(core, reply);
    }
    emul_leave(core);
}

void emul_dma_end(struct emul_core *core)
{
    if (core->dma_n > 0) {
        const struct emul_request *const r = request_at(core, 0);
        emul_mistake(
            core, MW_EMUL_DMA_UNWAITED, r->where,
            "the kernel has ended, and %u requests are under way, this one first",
            core->dma_n);
    } else if (core->n_answered > 0) {
        emul_mistake(core, MW_EMUL_DMA_UNWAITED, core->answered[0].where,
                     "the kernel has ended, and nobody has waited for this DMA");
    }
}
