/* timeline.h -- who did what when: the jobs of a rank's clusters and management cores, as a
 * Chrome trace (chrome://tracing, Perfetto) shows them.
 *
 *      M0      send  send       send           batches handed to the transport
 *      M1      receive  [small job]            batches that came; jobs run in place
 *      C0..C3  [generator  ] [handler ]        jobs of the clusters
 *
 * Off unless the world is asked for one: then a job costs two readings of the clock. Nothing
 * is allocated while it runs; what no longer fits is counted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TIMELINE_H
#define MW_TIMELINE_H

#include "base/sizes.h"
#include "mpe/comm.h"

#include <stdio.h>

MW_BEGIN_DECLS

enum { MW_TRACK_SEND, MW_TRACK_RECEIVE, MW_TRACK_CLUSTER }; /* + number of the cluster */

struct mw_timeline_event {
    const char *name; /* a constant: the module's, "send", "receive" */
    double start, end;
    uint64_t n; /* records of a job's input or units of a source; batches */
    uint32_t level;
    uint8_t track;
};

struct mw_timeline {
    struct mw_timeline_event *event; /* [room], owned; ordered by end */
    uint64_t n, room, n_lost;
};

int mw_timeline_new(uint64_t room, struct mw_timeline **out) MW_NODISCARD;
/* What it takes. */
void mw_timeline_sizes(uint64_t room, struct mw_sizes *out);
void mw_timeline_free(struct mw_timeline *t); /* NULL is legal */

/* Local. t NULL: nothing. */
void mw_timeline_add(struct mw_timeline *t, const struct mw_timeline_event *e);

/* Collective. Rank 0 writes the events of all ranks to `out` (NULL elsewhere): one process per
 * rank, one track per management core and cluster. Times are those of each rank's clock, or
 * of its backend's own (mw_world_now()). */
int mw_timeline_write(const struct mw_timeline *t, uint32_t n_clusters,
                      struct mw_comm *comm, FILE *out) MW_NODISCARD;

MW_END_DECLS
#endif
