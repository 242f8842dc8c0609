/* progress.h -- what a running benchmark shows on stderr, on rank 0.
 *
 * On a terminal one line that is redrawn at most twice a second: phase, searches done,
 * time left. Elsewhere nothing, or with --verbose one line per search; with json one
 * object per line, for programs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PROGRESS_H
#define MW_PROGRESS_H

#include "graph500/benchmark.h"

#include <stdio.h>

MW_BEGIN_DECLS

/* In the order of the option's words. */
enum mw_progress_mode { MW_PROGRESS_AUTO, MW_PROGRESS_JSON, MW_PROGRESS_NONE };

struct mw_progress_view {
    FILE *file;
    enum mw_progress_mode mode;
    bool terminal, verbose;
    enum mw_phase phase;
    double started, phase_started, drawn, first_search;
    const struct mw_names *names; /* for roots; NULL: counted from 0 */
    int line_length;              /* what stands on the terminal now */
};

void mw_progress_init(struct mw_progress_view *v, FILE *file, enum mw_progress_mode mode,
                      bool verbose);

/* For mw_benchmark_conf.progress; borrows `v`. */
struct mw_progress mw_progress_callbacks(struct mw_progress_view *v);

/* Removes the line, so that other output can follow. */
void mw_progress_clear(struct mw_progress_view *v);

/* "generation" and the like. */
const char *mw_phase_name(enum mw_phase phase);

MW_END_DECLS
#endif
