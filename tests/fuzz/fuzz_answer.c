/* fuzz_answer.c -- any bytes as two answers of LDBC Graphalytics. What must hold besides not crashing: an
 * answer that can be read equals itself by each rule; what is the same integers is the same sets; and
 * sets that are the same are so both ways round.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"

#include "io/graphalytics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[2][64];

static void make_files(void)
{
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "/tmp/meshway-fuzz-XXXXXX");
        const int fd = mkstemp(path[i]);
        if (fd < 0)
            abort();
        close(fd);
    }
}

static void remove_files(void)
{
    for (int i = 0; i < 2; i++)
        unlink(path[i]);
}

static void write_file(int i, const uint8_t *data, size_t bytes)
{
    FILE *f = fopen(path[i], "wb");
    if (f == NULL || fwrite(data, 1, bytes, f) != bytes || fclose(f) != 0)
        abort();
}

static int compare(int a, int b, enum mw_graphalytics_rule rule)
{
    uint64_t n;
    return mw_graphalytics_compare(path[a], path[b], &rule, &n);
}

static void demand(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz_answer: %s; last error: %s\n", what, mw_error_text());
    abort();
}

/* The first zero byte, or else the middle, parts the two. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (path[0][0] == '\0') {
        make_files();
        atexit(remove_files);
    }
    const uint8_t *const zero = bytes > 0 ? memchr(data, 0, bytes) : NULL;
    const size_t first = zero != NULL ? (size_t)(zero - data) : bytes / 2;
    const size_t second = first + (zero != NULL);
    write_file(0, data, first);
    write_file(1, data + second, bytes - second);
    for (enum mw_graphalytics_rule rule = MW_MATCH_EXACT; rule <= MW_MATCH_EQUIVALENCE;
         rule++)
        for (int i = 0; i < 2; i++) {
            const int rc = compare(i, i, rule);
            demand(rc == MW_OK || rc == MW_ERR_DATA, "an answer differs from itself");
        }
    const int exact = compare(0, 1, MW_MATCH_EXACT);
    const int sets = compare(0, 1, MW_MATCH_EQUIVALENCE);
    demand(exact != MW_OK || sets == MW_OK, "the same answers are other sets");
    demand(sets == compare(1, 0, MW_MATCH_EQUIVALENCE), "sets are the same one way only");
    return 0;
}
