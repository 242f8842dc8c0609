/* stillness.h -- since when a rank has not moved, as the watchdogs of its host judge it.
 *
 * Who works moves as long as its process ticks, and who waits moves when it beats (pulse.h): slow
 * progress is no hang. Where programs share cores, a rank may wait because another one has no turn.
 * So each rank says how long its threads have stood in line for a core, and of that time only a part
 * counts as waiting: a rank that is never served is found out at last.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_STILLNESS_H
#define MW_STILLNESS_H

#include "mpe/pulse.h"

MW_BEGIN_DECLS

/* What one watchdog has seen of a rank of its host, by its own time. Starts zeroed. */
struct mw_stillness {
    uint64_t beats, ticks;
    double beat_s, tick_s; /* when they changed last */
    uint64_t starved_ms;   /* of the rank, at its last beat */
};

/* Looks at a rank, and returns when it has moved last. */
double mw_stillness_look(struct mw_stillness *s, const struct mw_pulse *rank, double now);

/* What a rank has stood in line so far, by its own watchdog. Starts zeroed. */
struct mw_core_line {
    double line_s, now;
    uint64_t beats;
};

/* Adds to the rank's own pulse what its threads have stood in line since the last call, if it has not
 * beaten since; line_s: all of that, mw_core_line_s(). */
void mw_core_line_add(struct mw_core_line *l, struct mw_pulse *mine, double line_s,
                      double now);

/* Seconds that the threads of this process have stood in line for a core so far, all together; 0 where
 * the kernel does not say. */
double mw_core_line_s(void);

MW_END_DECLS
#endif
