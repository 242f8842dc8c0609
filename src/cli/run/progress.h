/* progress.h -- what a running benchmark shows on stderr, on rank 0.
 *
 *      auto    on a terminal one line that is redrawn: phase, searches done, time left. Under a
 *              launcher, whose ranks never see a terminal, plain lines: the first after a second,
 *              so that short runs have none, then every ten seconds and at each new phase.
 *              Into a file: nothing. With --verbose anywhere: one line per phase and search
 *      text    the plain lines anywhere, from the first phase on, and the last search
 *      json    one object per line, for programs
 *
 * A thread looks at the clock, because a phase may last for minutes without saying anything. It
 * sleeps nearly always, and never calls MPI.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PROGRESS_H
#define MW_PROGRESS_H

#include "graph500/benchmark.h"

#include <pthread.h>
#include <stdio.h>

MW_BEGIN_DECLS

/* In the order of the option's words. */
enum mw_progress_mode {
    MW_PROGRESS_AUTO,
    MW_PROGRESS_TEXT,
    MW_PROGRESS_JSON,
    MW_PROGRESS_NONE
};

struct mw_progress_conf {
    FILE *file;
    enum mw_progress_mode mode;
    bool verbose;
    bool launched;   /* by mpiexec or the like */
    bool one_thread; /* there may be no second one: lines come late */
};

enum mw_progress_look {
    MW_LOOK_NOTHING,
    MW_LOOK_REDRAW,
    MW_LOOK_LINES,
    MW_LOOK_VERBOSE,
    MW_LOOK_JSON
};

struct mw_progress_view {
    FILE *file;
    enum mw_progress_look look;
    bool at_once; /* lines from the first second on */
    enum mw_phase phase;
    const struct mw_names *names; /* for roots; NULL: counted from 0 */
    uint32_t done, of;            /* searches; of 0: not there yet */
    uint32_t kept;                /* of them, an earlier run's: they took no time */
    double started, phase_started;
    double due;      /* when the next line, or redrawing, is */
    int line_length; /* what stands on the terminal now */

    pthread_t ticker;
    bool ticks; /* there is that thread */
    bool ended;
    pthread_mutex_t lock; /* of all above, while it ticks */
    pthread_cond_t end;
};

/* Starts the clock; mw_progress_fini() stops it, and may be called again, or on zeros. */
void mw_progress_init(struct mw_progress_view *v, const struct mw_progress_conf *conf);
/* Removes the line, so that other output can follow. */
void mw_progress_fini(struct mw_progress_view *v);

/* For mw_benchmark_conf.progress; borrows `v`. */
struct mw_progress mw_progress_callbacks(struct mw_progress_view *v);

/* Says what is due at this time of mw_now(); what the thread does. */
void mw_progress_tick(struct mw_progress_view *v, double now);

/* "generation" and the like. */
const char *mw_phase_name(enum mw_phase phase);

MW_END_DECLS
#endif
