/* fuzz_layout.c -- any bytes, read as a layout. What must hold besides not crashing: all
 * memory comes home; a refusal has a message; every flow of what is accepted ends at its
 * sink by legal hops; print and format give the same layout again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"

#include "base/mem.h"
#include "mesh/lang/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOWS_LOOKED_AT = 2000 };

static void demand(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz_layout: %s; last error: %s\n", what, mw_error_text());
    abort();
}

struct text {
    char *at;
    size_t bytes;
};

static struct text print(const struct mw_layout *l)
{
    struct text t;
    FILE *f = open_memstream(&t.at, &t.bytes);
    demand(f != NULL, "no stream");
    mw_layout_print(l, f);
    fclose(f);
    return t;
}

static struct text format(const char *from, size_t bytes)
{
    struct text t;
    FILE *f = open_memstream(&t.at, &t.bytes);
    demand(f != NULL, "no stream");
    mw_layout_format(from, bytes, f);
    fclose(f);
    return t;
}

static bool same(struct text a, struct text b)
{
    return a.bytes == b.bytes && memcmp(a.at, b.at, a.bytes) == 0;
}

static void check_flows(const struct mw_layout *l)
{
    mw_core *core = malloc(l->longest * sizeof *core);
    demand(core != NULL && l->longest >= 2, "no longest flow");
    for (uint64_t i = 0; i < l->n_flows && i < FLOWS_LOOKED_AT; i++) {
        const uint32_t n = mw_layout_flow(l, i, core);
        demand(n >= 2 && n <= l->longest, "length of a flow");
        for (uint32_t k = 0; k + 1 < n; k++)
            demand(core[k + 1] < mw_mesh_cores(l) &&
                       mw_hop_legal(l, core[k], core[k + 1]),
                   "illegal hop");
    }
    free(core);
}

/* The layout that a text of ours makes prints like the one it came from. */
static void must_return(struct text printed, struct text t, const char *what)
{
    struct mw_diagnostics d = {0};
    struct mw_layout *l;
    demand(mw_layout_parse(t.at, t.bytes, &l, &d) == MW_OK, what);
    const struct text again = print(l);
    demand(same(printed, again), what);
    free(again.at);
    mw_layout_free(l);
}

static void check_texts(const struct mw_layout *l, const char *data, size_t bytes)
{
    const struct text printed = print(l), formatted = format(data, bytes);
    const struct text twice = format(formatted.at, formatted.bytes);
    demand(same(formatted, twice), "formatting twice");
    must_return(printed, printed, "printed");
    must_return(printed, formatted, "formatted");
    free(printed.at);
    free(formatted.at);
    free(twice.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct mw_diagnostics d = {0};
    struct mw_layout *l;
    const int rc = mw_layout_parse((const char *)data, bytes, &l, &d);
    demand(rc == MW_OK || rc == MW_ERR_DATA, "code");
    demand((rc == MW_OK) == (d.n_errors == 0) && (rc == MW_OK) == (l != NULL), "result");
    for (uint32_t i = 0; i < d.n_kept; i++)
        demand(d.kept[i].line >= 1 && d.kept[i].column >= 1 && d.kept[i].text[0] != '\0',
               "a message without its place");
    if (rc == MW_OK) {
        check_flows(l);
        check_texts(l, (const char *)data, bytes);
    }
    mw_layout_free(l);
    demand(mw_mem_in_use() == 0, "memory lost");
    return 0;
}
