/* segments.h -- reading a batch: whose records stand where. Shared by the skeletons.
 *
 * C99 plus base.h: slave compilers see it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SEGMENTS_H
#define MW_SEGMENTS_H

#include "shuffle/job.h"

MW_FN struct mw_visit mw_visit_at(const void *records, uint64_t i, uint32_t sender,
                                  bool wide)
{
    struct mw_visit m;
    if (wide) {
        const struct mw_wide_record r = ((const struct mw_wide_record *)records)[i];
        m.value = r.value;
        m.child = r.child;
        m.extra = r.extra;
    } else {
        const struct mw_record r = ((const struct mw_record *)records)[i];
        m.value = r.value;
        m.child = r.child;
        m.extra = 0;
    }
    m.sender = sender;
    return m;
}

MW_FN const struct mw_segment *mw_segments(const struct mw_batch *b)
{
    return (const struct mw_segment *)(const void *)((const char *)b->record +
                                                     (uint64_t)b->head->n_records *
                                                         b->head->record_bytes);
}

MW_FN uint32_t mw_segment_count(const struct mw_batch *b, uint32_t s)
{
    if (b->head->n_segments == 0)
        return s == 0 ? b->head->n_records : 0;
    return s < b->head->n_segments ? mw_segments(b)[s].count : 0;
}

MW_FN uint32_t mw_segment_sender(const struct mw_batch *b, uint32_t s)
{
    return b->head->n_segments == 0 ? b->head->sender : mw_segments(b)[s].sender;
}

/* Who makes the records of a job's output. */
MW_FN uint32_t mw_job_sender(const struct mw_job *job)
{
    return job->in != NULL && job->in->head->port % 2 == 0
               ? job->in->head->sender /* a relay keeps the sender */
               : job->at->rank;
}

/* Chooses the specialisation for the record in use. */
#define MW_BY_RECORD(job, call, ...)                                                     \
    do {                                                                                 \
        if ((job)->wide)                                                                 \
            call(__VA_ARGS__, true);                                                     \
        else                                                                             \
            call(__VA_ARGS__, false);                                                    \
    } while (0)

/* A kernel of one loop, mw_run_expand and the like, around an algorithm's functions. */
#define MW_KERNEL(name, run, ...)                                                        \
    static void name(struct mw_cpe *self, void *arg)                                     \
    {                                                                                    \
        const struct mw_job *job = arg;                                                  \
        MW_BY_RECORD(job, run, self, job, __VA_ARGS__);                                  \
    }

#endif
