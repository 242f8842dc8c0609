/* records.h -- how kernels of the backend "omptarget" exchange records: batches are the host's
 * (shuffle/batch.h).
 *
 *      out   each unit of a job has a place for its record, of which most stay empty. All of them come
 *            to the host, which puts the records into the lane's batches.
 *      in    the host takes the batches apart, and all their visits go to the device in one copy.
 *
 * On one rank no record is made, and nothing of this is used.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWO_RECORDS_H
#define MWO_RECORDS_H

#include "omptarget/region.h"
#include "shuffle/stretch.h"

MW_BEGIN_DECLS

struct mwo_draft {
    uint32_t owner, child; /* owner UINT32_MAX: there is none */
    uint64_t value;
};

/* What cores of a job need to write drafts, by value. */
struct mwo_drafts {
    struct mwo_draft *at; /* [last - first]; NULL: one rank */
    uint64_t first;
};

MW_FN void mwo_emit(const struct mwo_drafts *d, uint64_t unit, uint32_t owner,
                    uint32_t child, uint64_t value)
{
    const struct mwo_draft draft = {owner, child, value};
    d->at[unit - d->first] = draft;
}

/* Places for the records of units first .. last - 1. */
MW_SHOWN struct mwo_drafts mwo_drafts_of(const struct mw_job *job, uint64_t first,
                                         uint64_t last);
/* The job's output holds what cores have drafted. Returns how many. */
MW_SHOWN uint64_t mwo_drafts_send(const struct mw_cpe *self, const struct mw_job *job,
                                  const struct mwo_drafts *d, uint64_t n);

/* The records of a job's batches, where cores reach them; *n of them. */
MW_SHOWN const struct mw_visit *mwo_visits_of(const struct mw_job *job, uint64_t *n);

MW_END_DECLS
#endif
