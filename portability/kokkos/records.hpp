/* records.hpp -- how kernels on Kokkos exchange records: batches are the host's (shuffle/batch.h).
 *
 *      out   each unit of a job has a place for its record, of which most stay empty. They are
 *            sorted by bucket there, come to the host in one copy and go to the lane's batches.
 *      in    the host takes the batches apart, and all their visits go to the device in one copy.
 *
 * On one rank no record is made, and nothing of this is used.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_RECORDS_HPP
#define MWK_RECORDS_HPP

#include "kokkos/space.hpp"
#include "shuffle/stretch.h"

namespace mwk
{

struct draft {
    uint32_t bucket, child; /* bucket UINT32_MAX: there is none */
    uint64_t value;
};

/* What cores of a job need to write drafts, by value. */
struct drafts {
    draft *at; /* [last - first] */
    uint64_t first;
    mw_address to; /* its tables are where cores reach them */

    KOKKOS_INLINE_FUNCTION void emit(uint64_t unit, uint32_t owner, uint32_t child,
                                     uint64_t value) const
    {
        at[unit - first] =
            to.width == 1 ? draft{owner, child, value}
                          : draft{to.bucket[owner], to.above[owner] | child,
                                  to.split ? value | mw_rest_for(&to, owner) : value};
    }
};

/* Places for the records of units first .. last - 1. */
MW_SHOWN drafts drafts_of(turn &t, const mw_job *job, uint64_t first, uint64_t last);
/* Waits for the cores; the job's output holds what they have drafted. Returns how many. */
MW_SHOWN uint64_t drafts_send(turn &t, const mw_cpe *self, const mw_job *job,
                              const drafts &d, uint64_t n);

/* The records of a job's batches, where cores reach them; *n of them. */
MW_SHOWN const mw_visit *visits_of(turn &t, const mw_job *job, uint64_t *n);

} // namespace mwk

#endif
