/* pipeline_async.c -- runs without levels: sources that are refilled while batches travel, and an end that is
 * found by counting.
 *
 *      source --units--> jobs ... sinks activate --refill--> units --> ...      ports never close
 *
 * A source whose units are used up is refilled: the algorithm turns what has been activated since into
 * units, on this rank, asking nobody. Then open batches leave, full or not, for others would go on without
 * them. Ports and batches are those of ordinary runs; LAST is never sent.
 *
 * The end (Mattern 1987, four counters): each rank counts the batches that it has posted to others, and those
 * that it has taken from others. Whoever has nothing to do joins a sum of both over all ranks, which nobody
 * waits in: batches that come meanwhile are worked on. A sum is no picture of one moment, but if two in
 * succession are equal, nothing was sent or taken between the last rank's joining of the first and the first
 * rank's joining of the second; and if as many were sent as taken, none was on its way. All ranks see the
 * same sums, and leave after the same one. tests/end.pml is the model.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/pipeline_state.h"

#include <string.h>

bool pipeline_refill(struct mw_pipeline *p)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < p->n_modules; i++)
        if (pipeline_is_on(p, i) && pipeline_is_source(&p->module[i]) &&
            !pipeline_exhausted(p, i))
            return false;
    p->async.refill(p->async.arg);
    for (uint32_t i = 0; i < p->n_modules; i++)
        if (pipeline_is_on(p, i) && pipeline_is_source(&p->module[i])) {
            p->next[i] = 0;
            p->units[i] = p->module[i].units(p->state);
            n += p->units[i];
        }
    p->async.n_rounds += n > 0;
    p->async.flushes = n > 0;
    return n > 0;
}

/* Whether a job fills lanes of this port. */
static bool is_filled(const struct mw_pipeline *p, const struct mw_port_state *q)
{
    for (uint32_t c = 0; c < p->n_clusters; c++) {
        const struct mw_module *m = &p->module[p->cluster[c].module];
        if (p->cluster[c].busy && pipeline_emits(m) &&
            pipeline_port_of(m->emits) == q->out.port)
            return true;
    }
    return false;
}

bool pipeline_flush(struct mw_pipeline *p, struct mw_port_state *q)
{
    return !is_filled(p, q) && mw_port_flush(q, pipeline_post, p);
}

/* Nothing to run and nothing to send. The turn before has tried to refill. */
static bool is_passive(struct mw_pipeline *p)
{
    if (pipeline_any_busy(p))
        return false;
    for (uint32_t i = 0; i < p->n_modules; i++)
        if (pipeline_is_on(p, i) && p->next[i] < p->units[i])
            return false;
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++) {
        struct mw_port_state *q = &p->port[i];
        if (q->active &&
            (pipeline_flush(p, q) || q->outbox.first != NULL || q->in.first != NULL))
            return false;
    }
    return true;
}

int pipeline_find_end(struct mw_pipeline *p)
{
    struct pipeline_async *a = &p->async;
    uint64_t sum[2] = {a->n_sent, a->n_taken};
    if (!a->joined) {
        if (!is_passive(p))
            return MW_AGAIN;
        if (p->at.n_ranks == 1)
            return MW_OK;
        a->joined = true;
        const int begun = mw_comm_sum_begin(p->world->comm, sum, 2);
        return begun == MW_OK ? MW_AGAIN : begun;
    }
    const int rc = mw_comm_sum_test(p->world->comm, sum, 2);
    if (rc != MW_OK)
        return rc;
    const bool same = memcmp(sum, a->last, sizeof sum) == 0;
    memcpy(a->last, sum, sizeof sum);
    a->joined = false;
    return same && sum[0] == sum[1] ? MW_OK : MW_AGAIN;
}

int mw_pipeline_run_async(struct mw_pipeline *p, uint32_t active, mw_refill *refill,
                          void *arg, uint64_t *n_rounds)
{
    p->async = (struct pipeline_async){
        .refill = refill, .arg = arg, .last = {UINT64_MAX, UINT64_MAX}};
    const int rc = mw_pipeline_run(p, active);
    *n_rounds = p->async.n_rounds;
    p->async.refill = NULL;
    return rc;
}
