/* records_omptarget.c -- see records.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "omptarget/records.h"

enum { AT_A_TIME = 1024 }; /* that the host has on its stack */

struct mwo_drafts mwo_drafts_of(const struct mw_job *job, uint64_t first, uint64_t last)
{
    struct mwo_drafts d = {NULL, first};
    if (job->at->n_ranks == 1)
        return d;
    struct mwo_draft *const at = mwo_room(MWO_DRAFTS, (last - first) * sizeof *at);
    MWO_ALL(i, 0, last - first)
    at[i].owner = UINT32_MAX;
    d.at = at;
    return d;
}

static void send(const struct mw_job *job, struct mw_lane *lane, struct mwo_draft d)
{
    const struct mw_address *const a = job->at;
    const bool direct = a->width == 1;
    const uint32_t bucket = direct ? d.owner : a->bucket[d.owner];
    const uint32_t child = direct ? d.child : a->above[d.owner] | d.child;
    const uint64_t value =
        !direct && a->split ? d.value | mw_rest_for(a, d.owner) : d.value;
    const struct mw_wide_record wide = {value, child, 0};
    const struct mw_record narrow = {child, (uint32_t)value};
    mw_lane_append(job->out, lane, bucket,
                   job->wide ? (const void *)&wide : (const void *)&narrow, 1);
}

uint64_t mwo_drafts_send(const struct mw_cpe *self, const struct mw_job *job,
                         const struct mwo_drafts *d, uint64_t n)
{
    uint64_t n_sent = 0;
    if (d->at == NULL || n == 0)
        return 0;
    struct mw_lane *const lane = &job->out->lane[self->lane];
    mw_lane_begin(job->out, lane, mw_job_sender(job));
    for (uint64_t first = 0; first < n; first += AT_A_TIME) {
        struct mwo_draft draft[AT_A_TIME];
        const uint64_t n_now = mw_min(AT_A_TIME, n - first);
        mwo_get(draft, d->at + first, n_now * sizeof *draft);
        for (uint64_t i = 0; i < n_now; i++)
            if (draft[i].owner != UINT32_MAX) {
                send(job, lane, draft[i]);
                n_sent++;
            }
    }
    mw_lane_end(job->out, lane);
    return n_sent;
}

static uint64_t n_visits(const struct mw_job *job)
{
    uint64_t n = 0;
    for (const struct mw_batch *b = job->in; b != NULL; b = b->next)
        n += b->head->n_records;
    return n;
}

const struct mw_visit *mwo_visits_of(const struct mw_job *job, uint64_t *n)
{
    const struct mw_cpe alone = {0, 1, 0};
    struct mw_visit visit[AT_A_TIME];
    struct mw_visit *const at = mwo_room(MWO_VISITS, n_visits(job) * sizeof *at);
    uint64_t sent = 0, here = 0;
    for (struct mw_stretch s = mw_stretch_begin(&alone, job);
         mw_stretch_next(&s, job, job->wide);)
        for (uint32_t i = s.i; i < s.end; i++) {
            visit[here++] = mw_visit_at(s.record, i, s.sender, job->wide);
            if (here < AT_A_TIME)
                continue;
            mwo_put(at + sent, visit, here * sizeof *visit);
            sent += here;
            here = 0;
        }
    if (here > 0)
        mwo_put(at + sent, visit, here * sizeof *visit);
    *n = sent + here;
    return at;
}

uint64_t mwo_sum_up(uint64_t *sum, uint64_t n)
{
    uint64_t all = 0, here[AT_A_TIME];
    for (uint64_t first = 0; first < n; first += AT_A_TIME) {
        const uint64_t n_now = mw_min(AT_A_TIME, n - first);
        mwo_get(here, sum + first, n_now * sizeof *here);
        for (uint64_t i = 0; i < n_now; i++) {
            const uint64_t is = here[i];
            here[i] = all;
            all += is;
        }
        mwo_put(sum + first, here, n_now * sizeof *here);
    }
    return all;
}
