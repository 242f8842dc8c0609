/* pipeline_trade.c -- a run in rounds, where cores trade records themselves (cpe/memory.h).
 *
 *      source --job--> records, by rank, where cores have them
 *             --counts of all ranks--> trade --> handler --job--> records ... until a handler makes none
 *
 * and the next round, for as long as any rank has units left. All ranks go through the same rounds, since all know
 * what all have told; the counts are the only thing that the management cores exchange.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/pipeline_state.h"

#include "base/clock.h"
#include "base/mem.h"

void mw_pipeline_trades(struct mw_pipeline *p, struct mw_trade *trade)
{
    p->trade = p->at.width == 1 ? trade : NULL;
}

/* Local. Fails if it was given records that nobody may have sent. */
static int run_job(struct mw_pipeline *p, uint32_t module, uint64_t first, uint64_t last)
{
    const double start = mw_now();
    struct mw_job_fault fault = {.found = false};
    struct mw_job job = {.state = p->state,
                         .at = &p->at,
                         .limit = p->n_children,
                         .fault = &fault,
                         .first = first,
                         .last = last,
                         .wide = p->wide,
                         .trade = p->trade};
    for (uint32_t r = 0; r < p->at.n_ranks; r++) /* a job that makes none says nothing */
        p->trade->n_out[r] = 0;
    if (pipeline_is_source(&p->module[module]) && first == last)
        return MW_OK;
    mw_comm_wait(p->world->comm, MW_AT_WORK);
    p->world->backend->launch(p->world->cluster[0], p->module[module].cores_kernel, &job);
    p->traffic.jobs.all++;
    p->traffic.spent_s[module] += mw_now() - start;
    return fault.found ? pipeline_refuse(&fault, job.limit) : MW_OK;
}

static void count_sent(struct mw_pipeline *p)
{
    for (uint32_t r = 0; r < p->at.n_ranks; r++) {
        const uint64_t n = p->trade->n_out[r], bytes = n * p->record_bytes;
        if (n == 0 || r == p->at.rank)
            continue;
        p->traffic.records += n;
        p->traffic.batches++;
        p->traffic.bytes += bytes;
        p->traffic.size[mw_size_class(bytes)]++;
        p->met[r / 64] |= UINT64_C(1) << (r % 64);
        if (p->world->sent == NULL)
            continue;
        p->world->sent[r].messages++;
        p->world->sent[r].bytes += bytes;
    }
}

/* What all have made goes where it belongs. *n: records of all ranks; *left: does any
 * have units left? all: [n_ranks] of n_ranks + 1 numbers. */
static int trade(struct mw_pipeline *p, bool mine_left, uint64_t *all, uint64_t *n,
                 bool *left)
{
    struct mw_trade *const t = p->trade;
    const uint32_t n_ranks = p->at.n_ranks;
    *n = 0;
    *left = false;
    t->n_out[n_ranks] = mine_left;
    MW_NEED(mw_comm_gather(p->world->comm, t->n_out, (n_ranks + 1) * sizeof *all, all));
    for (uint32_t r = 0; r < n_ranks; r++) {
        const uint64_t *const of = all + (uint64_t)r * (n_ranks + 1);
        t->n_in[r] = of[p->at.rank];
        *left = *left || of[n_ranks] != 0;
        for (uint32_t k = 0; k < n_ranks; k++)
            *n += of[k];
    }
    if (*n == 0)
        return MW_OK;
    count_sent(p);
    return mw_comm_agree(p->world->comm,
                         p->world->backend->memory->trading->trade(t, p->record_bytes));
}

static uint32_t taker_of(const struct mw_pipeline *p, uint32_t module)
{
    const uint32_t port = pipeline_port_of(p->module[module].emits);
    uint32_t i = 0;
    while (!pipeline_is_on(p, i) || pipeline_is_source(&p->module[i]) ||
           pipeline_port_of(p->module[i].takes) != port)
        i++;
    return i;
}

/* One after another, what a source's job has led to. */
static int follow(struct mw_pipeline *p, uint32_t module, bool mine_left, uint64_t *all,
                  bool *left)
{
    uint64_t n = 0;
    bool ignored;
    while (pipeline_emits(&p->module[module])) {
        MW_NEED(trade(p, mine_left, all, &n, left));
        left = &ignored;
        if (n == 0)
            break;
        module = taker_of(p, module);
        MW_NEED(mw_comm_agree(p->world->comm, run_job(p, module, 0, 0)));
    }
    return MW_OK;
}

int pipeline_trade(struct mw_pipeline *p)
{
    const uint32_t n_ranks = p->at.n_ranks;
    uint64_t *all;
    bool left;
    int rc = MW_OK;
    all = mw_alloc("counts of a trade", (uint64_t)n_ranks * (n_ranks + 1), sizeof *all);
    MW_TRY(rc, mw_comm_agree(p->world->comm, all != NULL ? MW_OK : MW_ERR_NOMEM));
    for (uint32_t i = 0; i < p->n_modules; i++) {
        if (!pipeline_is_on(p, i) || !pipeline_is_source(&p->module[i]))
            continue;
        do {
            const uint64_t first = p->next[i];
            p->next[i] +=
                mw_min(p->units[i] - first, MW_TRADE_BATCHES * (uint64_t)p->capacity);
            MW_TRY(rc, run_job(p, i, first, p->next[i]));
            MW_TRY(rc, follow(p, i, p->next[i] < p->units[i], all, &left));
        } while (left);
    }
end:
    mw_free(all);
    return rc;
}
