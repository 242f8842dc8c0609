/* laps.h -- how long each part of kernel 1 took, at this rank.
 *
 * A lap ends where the next begins, so that the parts add up to the whole. What a rank waits for others meanwhile is
 * told apart: all leave a part together, and who had the most to do shows in the work alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAPS_H
#define MW_LAPS_H

#include "mpe/comm.h"

MW_BEGIN_DECLS

enum mw_lap {
    MW_LAP_ROOM,     /* what is taken at once: bins, the shelf */
    MW_LAP_COUNT,    /* ends of edges */
    MW_LAP_LABEL,    /* by degree */
    MW_LAP_COLUMNS,  /* of all vertices, in a table */
    MW_LAP_ENTER,    /* entries go to bins, or to their owners */
    MW_LAP_SORT,     /* bins become rows */
    MW_LAP_PACK,     /* rows move together */
    MW_LAP_NAME,     /* a table of the columns' names */
    MW_LAP_CHOOSE,   /* which tuples a thin graph has rows of */
    MW_LAP_DELEGATE, /* long rows are dealt out */
    MW_N_LAPS
};
extern const char *const mw_lap_names[MW_N_LAPS];

struct mw_laps {
    double at,
        waited_s; /* when the lap began, and for how long the rank had waited by then */
    double
        in_pipelines_s; /* waited in runs of pipelines, which a communicator does not see */
    double s[MW_N_LAPS], work_s[MW_N_LAPS];
};

static inline void mw_laps_begin(struct mw_laps *l, const struct mw_comm *comm)
{
    l->at = mw_now();
    l->waited_s = mw_comm_waited(comm) + l->in_pipelines_s;
}

/* What has passed since then, or since the last lap, was this. */
static inline void mw_lap(struct mw_laps *l, const struct mw_comm *comm, enum mw_lap is)
{
    const struct mw_laps before = *l;
    mw_laps_begin(l, comm);
    const double took = l->at - before.at, waited = l->waited_s - before.waited_s;
    l->s[is] += took;
    l->work_s[is] += took > waited ? took - waited : 0;
}

MW_END_DECLS
#endif
