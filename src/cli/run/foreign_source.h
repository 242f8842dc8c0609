/* foreign_source.h -- graphs in files of Python's world (GraphML, NumPy, SciPy, Parquet, GBBS), which
 * tools/meshway_read.py reads and writes into a pipe as text.
 *
 * All functions are local: one process reads, and gives the text to the others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FOREIGN_SOURCE_H
#define MW_FOREIGN_SOURCE_H

#include "base/status.h"

#include <stdio.h>
#include <sys/types.h>

MW_BEGIN_DECLS

/* A Python that reads a file; pid 0: none. */
struct mw_foreign_source {
    pid_t pid;
    FILE *messages; /* its standard error */
};

/* Starts it, for a file of a kind (io/foreign.h); *text is where the text comes from, for the caller to close. MW_ERR_UNAVAILABLE: there is no
 * python3, or no tools beside the program. */
int mw_foreign_start(struct mw_foreign_source *f, const char *kind, const char *path,
                     int *text) MW_NODISCARD;

/* At the end of the text: what became of it; notes go to stderr. */
int mw_foreign_end(struct mw_foreign_source *f, const char *path) MW_NODISCARD;

/* Of one that is not wanted any more. pid 0 is legal. */
void mw_foreign_stop(struct mw_foreign_source *f);

MW_END_DECLS
#endif
