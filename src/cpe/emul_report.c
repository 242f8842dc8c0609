/* emul_report.c -- the first mistake of a run, as a class, a place and a sentence.
 *
 * Only the first counts: what follows is its consequence.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

#include <stdarg.h>
#include <string.h>

static const char *const names[] = {
    [MW_EMUL_NONE] = "no mistake",
    [MW_EMUL_STATICS] = "local store overflow (statics)",
    [MW_EMUL_STACK] = "local store overflow (stack)",
    [MW_EMUL_HEAP] = "local store overflow (heap)",
    [MW_EMUL_DMA_OUTSIDE] = "DMA outside the local store",
    [MW_EMUL_DMA_ALIGN] = "DMA misaligned (UNALIGN)",
    [MW_EMUL_REPLY_OUTSIDE] = "reply outside the local store",
    [MW_EMUL_REPLY_PASSED] = "reply count passed",
    [MW_EMUL_REPLY_SHORT] = "reply count never reached",
    [MW_EMUL_DMA_UNWAITED] = "missing DMA wait",
    [MW_EMUL_PEER_ENDED] = "peer has ended",
    [MW_EMUL_LEFT] = "messages left in a FIFO",
    [MW_EMUL_RCE] = "put outside row or column (RCE)",
    [MW_EMUL_SYNE1] = "sync mask without the core itself (SYNE1)",
    [MW_EMUL_SYNC_MISMATCH] = "sync masks that do not match",
    [MW_EMUL_DEADLOCK] = "deadlock",
    [MW_EMUL_NO_PROGRESS] = "no progress",
    [MW_EMUL_TWO_WRITERS] = "two writers",
    [MW_EMUL_ATOMIC] = "atomic operation",
};

const char *emul_file(const char *where)
{
    const char *const slash = strrchr(where, '/');
    return slash != NULL ? slash + 1 : where;
}

void emul_mistake(struct emul_core *core, enum mw_emul_mistake mistake, const char *where,
                  const char *fmt, ...)
{
    struct emul_machine *const m = core->cluster->machine;
    struct mw_emul_report *const r = &m->report;
    const uint32_t id = core->self.cpe.id;
    char detail[700];
    va_list args;
    if (m->failed)
        return;
    va_start(args, fmt);
    vsnprintf(detail, sizeof detail, fmt, args);
    va_end(args);
    r->mistake = mistake;
    r->name = names[mistake];
    r->core = id;
    r->cycle = m->now;
    snprintf(r->where, sizeof r->where, "%s", emul_file(where));
    snprintf(r->text, sizeof r->text,
             "emulation: %s: core (%u,%u) of cluster %u at %s, cycle %llu: %s", r->name,
             id / MW_MESH_SIDE, id % MW_MESH_SIDE, core->cluster->number, r->where,
             (unsigned long long)r->cycle, detail);
    m->culprit = core->cluster;
    m->failed = true;
}

const struct mw_emul_report *mw_emul_report(const struct mw_cluster *c)
{
    return c->machine->failed ? &c->machine->report : NULL;
}

const struct mw_cluster *mw_emul_culprit(const struct mw_cluster *c)
{
    return c->machine->failed ? c->machine->culprit : NULL;
}

static struct {
    mw_emul_listener *call;
    void *arg;
} listener;

void mw_emul_listen(mw_emul_listener *call, void *arg)
{
    listener.call = call;
    listener.arg = arg;
}

int emul_failure(struct mw_cluster *c)
{
    struct emul_machine *const m = c->machine;
    if (!m->told && listener.call != NULL) {
        m->told = true;
        listener.call(c, listener.arg);
    }
    return mw_fail(MW_ERR_INTERNAL, "%s", m->report.text);
}
