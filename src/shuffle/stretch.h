/* stretch.h -- the records of a job's batches, as a core takes them.
 *
 *      batch 0            batch 1                        batch 2
 *      | sender a  | b   | a               | c          | a       |
 *      |---- core 0 ----------|------ core 1 ------|---- core 2 ---|
 *
 * Cores get equal shares of all records together; within a share a stretch ends where the batch
 * or the sender changes. A core looks at the children of a stretch, on a mesh of the piece of it
 * that is in its store, before it uses them.
 *
 * C99 plus base.h: slave compilers see it.
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
    uint32_t n_segments;   /* before it in all batches; a batch without counts as one */
    uint64_t at, from, to; /* records before it in all batches; this core's share */
    /* The stretch at hand. */
    const void *record;
    uint32_t i, end, sender;
    uint32_t peer, number; /* who sent its batch, and which one it is of all batches' */
};

MW_FN struct mw_stretch mw_stretch_begin(const struct mw_cpe *self,
                                         const struct mw_job *job)
{
    struct mw_stretch s;
    const struct mw_batch *b;
    uint64_t n = 0;
    for (b = job->in; b != NULL; b = b->next)
        n += b->head->n_records;
    memset(&s, 0, sizeof s);
    s.batch = job->in;
    mw_share(self, 0, n, &s.from, &s.to);
    return s;
}

MW_FN void mw_job_blame(const struct mw_job *job, uint32_t peer, uint32_t child)
{
    MW_STORE_RELAXED(&job->fault->peer, peer);
    MW_STORE_RELAXED(&job->fault->child, child);
    MW_STORE_RELAXED(&job->fault->found, true);
}

/* A number that no vertex has would be written to: bugs look like attacks. False, and noted in
 * the job, if one of records first .. last - 1 has such a child. */
MW_FN bool mw_children_hold(const struct mw_job *job, const void *record, uint32_t first,
                            uint32_t last, uint32_t peer, bool wide)
{
    uint32_t largest = 0, i;
    if (job->limit > UINT32_MAX)
        return true;
    for (i = first; i < last; i++)
        largest = (uint32_t)mw_max(largest, mw_visit_at(record, i, 0, wide).child);
    if (largest < job->limit)
        return true;
    mw_job_blame(job, peer, largest);
    return false;
}

/* The same for a relay's records where columns are split, so that children alone do not tell:
 * false, and noted, if the group has no such column. */
MW_FN bool mw_column_holds(const struct mw_job *job, uint32_t column, uint32_t peer,
                           uint32_t child)
{
    if (!job->at->split || column < job->out->n_buckets)
        return true;
    mw_job_blame(job, peer, child);
    return false;
}

/* Moves on to the next stretch, of which nothing has been looked at; false: there is none. */
MW_FN bool mw_stretch_move(struct mw_stretch *s)
{
    while (s->batch != NULL && s->at < s->to) {
        const struct mw_batch *b = s->batch;
        const uint32_t n = mw_segment_count(b, s->segment);
        const uint64_t first = mw_max(s->at, s->from), last = mw_min(s->at + n, s->to);
        s->record = b->record;
        s->sender = mw_segment_sender(b, s->segment);
        s->peer = b->head->sender;
        s->number = s->n_segments++;
        s->i = s->in_batch + (uint32_t)(first - s->at);
        s->end = s->in_batch + (uint32_t)(last - s->at);
        s->at += n;
        s->in_batch += n;
        if (++s->segment >= b->head->n_segments) {
            s->batch = b->next;
            s->segment = s->in_batch = 0;
        }
        if (first < last)
            return true;
    }
    return false;
}

/* The same for cores that read records where they lie. One with a corrupt record is left out. */
MW_FN bool mw_stretch_next(struct mw_stretch *s, const struct mw_job *job, bool wide)
{
    while (mw_stretch_move(s))
        if (mw_children_hold(job, s->record, s->i, s->end, s->peer, wide))
            return true;
    return false;
}

#endif
