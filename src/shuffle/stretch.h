/* stretch.h -- the records of a job's batches, as a core of a host takes them.
 *
 *      batch 0            batch 1                        batch 2
 *      | sender a  | b   | a               | c          | a       |
 *      |---- core 0 ----------|------ core 1 ------|---- core 2 ---|
 *
 * Cores get equal shares of all records together; within a share a stretch ends where the batch
 * or the sender changes. A core looks at the children of a stretch before it uses them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_STRETCH_H
#define MW_STRETCH_H

#include "shuffle/job.h"
#include "shuffle/segments.h"

#include <string.h>

struct mw_stretch {
    const struct mw_batch *batch; /* of the next stretch */
    uint32_t segment, in_batch;   /* the next segment, and the records before it */
    uint64_t at, from, to; /* records before it in all batches; this core's share */
    /* The stretch at hand. */
    const void *record;
    uint32_t i, end, sender;
};

MW_FN struct mw_stretch mw_stretch_begin(const struct mw_cpe *self,
                                         const struct mw_job *job)
{
    struct mw_stretch s;
    uint64_t n = 0;
    for (const struct mw_batch *b = job->in; b != NULL; b = b->next)
        n += b->head->n_records;
    memset(&s, 0, sizeof s);
    s.batch = job->in;
    mw_share(self, 0, n, &s.from, &s.to);
    return s;
}

/* A number that no vertex has would be written to: bugs look like attacks. */
MW_FN bool mw_stretch_holds(const struct mw_stretch *s, const struct mw_job *job,
                            uint32_t peer, bool wide)
{
    uint32_t largest = 0;
    if (job->limit > UINT32_MAX)
        return true;
    for (uint32_t i = s->i; i < s->end; i++)
        largest = (uint32_t)mw_max(largest, mw_visit_at(s->record, i, 0, wide).child);
    if (largest < job->limit)
        return true;
    __atomic_store_n(&job->fault->peer, peer, __ATOMIC_RELAXED);
    __atomic_store_n(&job->fault->child, largest, __ATOMIC_RELAXED);
    __atomic_store_n(&job->fault->found, true, __ATOMIC_RELAXED);
    return false;
}

/* Moves on to the next stretch; false: there is none. One with a corrupt record is left out. */
MW_FN bool mw_stretch_next(struct mw_stretch *s, const struct mw_job *job, bool wide)
{
    while (s->batch != NULL && s->at < s->to) {
        const struct mw_batch *b = s->batch;
        const uint32_t n = mw_segment_count(b, s->segment);
        const uint64_t first = mw_max(s->at, s->from), last = mw_min(s->at + n, s->to);
        s->record = b->record;
        s->sender = mw_segment_sender(b, s->segment);
        s->i = s->in_batch + (uint32_t)(first - s->at);
        s->end = s->in_batch + (uint32_t)(last - s->at);
        s->at += n;
        s->in_batch += n;
        if (++s->segment >= b->head->n_segments) {
            s->batch = b->next;
            s->segment = s->in_batch = 0;
        }
        if (first < last && mw_stretch_holds(s, job, b->head->sender, wide))
            return true;
    }
    return false;
}

#endif
