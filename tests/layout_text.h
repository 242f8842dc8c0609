/* layout_text.h -- layouts from text, for the suites about them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef LAYOUT_TEXT_H
#define LAYOUT_TEXT_H

#include "base/mem.h"
#include "mesh/lang/layout.h"
#include "suite.h"

static inline uint32_t letter(char role)
{
    return UINT32_C(1) << (role - 'A');
}

/* splitmix64 */
static inline uint64_t roll(uint64_t *dice, uint64_t below)
{
    uint64_t x = *dice += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return (x ^ x >> 31) % below;
}

/* "line:column: error: text" of everything said, each with a newline. */
static inline char *said(const struct mw_diagnostics *d)
{
    static char text[2 * MW_DIAGNOSTICS_MAX * 256];
    FILE *f = fmemopen(text, sizeof text, "w");
    MUST(f != NULL);
    mw_diagnostics_show(d, "x.layout", NULL, 0, f);
    fclose(f);
    return text;
}

/* In memory of exactly its size, so that a sanitizer sees a read beyond it. */
static inline int parse(const char *text, size_t bytes, struct mw_layout **out,
                        struct mw_diagnostics *d)
{
    char *copy = malloc(bytes > 0 ? bytes : 1);
    MUST(copy != NULL);
    memcpy(copy, text, bytes);
    memset(d, 0, sizeof *d);
    const int rc = mw_layout_parse(copy, bytes, out, d);
    free(copy);
    return rc;
}

/* A layout without errors and warnings. */
static inline struct mw_layout *good(const char *text)
{
    struct mw_diagnostics d;
    struct mw_layout *l;
    if (parse(text, strlen(text), &l, &d) != MW_OK || d.n_kept > 0)
        ck_abort_msg("%s\n%s", text, said(&d));
    return l;
}

/* What the text makes the parser say. */
static inline const char *refusal(const char *text)
{
    struct mw_diagnostics d;
    struct mw_layout *l;
    const int rc = parse(text, strlen(text), &l, &d);
    MUST((rc == MW_ERR_DATA) == (d.n_errors > 0) && (rc == MW_OK) == (l != NULL));
    mw_layout_free(l);
    MUST(mw_mem_in_use() == 0);
    return said(&d);
}

#endif
