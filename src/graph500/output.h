/* output.h -- the result block as the official program prints it, byte for byte:
 * scripts of computing centres read it by column and by name.
 *
 * Each line is "key:", blanks up to column 32, and the value. Lines of our own
 * follow the block in the same form, so that every line has a colon.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_OUTPUT_H
#define MW_OUTPUT_H

#include "base/status.h"

#include <stdio.h>

MW_BEGIN_DECLS

/* Searches of one kernel; arrays are borrowed. */
struct mw_official_kernel {
    const char *algorithm;    /* NULL: "bfs" */
    uint32_t n_searches;      /* 1 at least; the length of the three arrays */
    const double *time_s;     /* of each search */
    const double *n_edges;    /* ... input tuples reached, without self-loops */
    const double *validate_s; /* ... or NULL: validation was skipped, printed as -1 */
};

enum { MW_OFFICIAL_KERNELS = 2 };
struct mw_official {
    uint32_t scale, edgefactor;
    uint32_t n_ranks;
    double generation_s, construction_s;
    struct mw_official_kernel kernel[MW_OFFICIAL_KERNELS];
    uint32_t n_kernels; /* the first one counts searches and edges */
};

/* The 34 lines, or 55 of two kernels. MW_ERR_IO when not all could be written. */
int mw_official_print(FILE *file, const struct mw_official *o) MW_NODISCARD;

/* All that may be printed when a search failed validation. */
int mw_official_print_invalid(FILE *file) MW_NODISCARD;

/* Where further lines go. The first that cannot be written is the last one, and `rc` says why. */
struct mw_official_lines {
    FILE *file;
    int rc;
};

/* One more line; fmt without a newline. `!` stays out of it, for a parser's sake. */
void mw_official_extra(struct mw_official_lines *to, const char *key, const char *fmt,
                       ...) MW_PRINTF(3, 4);

MW_END_DECLS
#endif
