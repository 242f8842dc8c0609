/* pulse.h -- what a rank shows to the others of its host: that it lives, that it moves, and what
 * it waits for.
 *
 *      management core   beats once per step of progress; says what it waits for
 *      watchdog          ticks as long as the process runs, and looks at all of the host
 *
 * Who waits for nothing is at work, and moves as long as it ticks: being slow is no alarm. Each
 * rank writes its own line, all words are relaxed atomics, and none is read for a result.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PULSE_H
#define MW_PULSE_H

#include "base/base.h"

MW_BEGIN_DECLS

enum mw_wait {
    MW_AT_WORK,
    MW_IN_PIPELINE, /* moves when it beats */
    MW_ON_DEVICE,   /* the same */
    MW_IN_BARRIER,  /* from here on: a collective, which beats when it is over */
    MW_IN_REDUCTION,
    MW_IN_GATHER,
    MW_IN_BROADCAST,
    MW_IN_EXCHANGE,
    MW_IN_SETUP,
    MW_N_WAITS
};
extern const char *const mw_wait_names[MW_N_WAITS]; /* "works", "waits in a barrier" */

struct mw_pulse {
    uint64_t beats, ticks;
    uint32_t wait;  /* enum mw_wait */
    uint32_t level; /* of the search, 1 for the root's; 0: none */
    uint32_t alarm; /* why this rank ends all; 0: it does not */
    uint32_t ready; /* it has said and saved what it knows */
    int64_t process;
    double waited_s, since_s; /* in collectives that are over; when this one began */
    uint64_t starved_ms;      /* its threads stood in line for a core while it waited */
};
MW_STATIC_ASSERT(sizeof(struct mw_pulse) == MW_CACHE_LINE, "one line a rank");

/* What the watchdog of a process wants to know of its management core, which looks now and then
 * while it waits in a pipeline. */
struct mw_inquiry {
    uint32_t asked, answered;
    char answer[640];
};

MW_END_DECLS
#endif
