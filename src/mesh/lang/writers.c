/* writers.c -- buckets that several cores write.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/layout.h"

#include "base/mem.h"

#include <stdlib.h>

struct write { /* a flow that names its bucket */
    int64_t bucket;
    mw_core core;
    uint64_t flow;
};

static int by_bucket_and_core(const void *a, const void *b)
{
    const struct write *x = a, *y = b;
    if (x->bucket != y->bucket)
        return x->bucket < y->bucket ? -1 : 1;
    if (x->core != y->core)
        return x->core < y->core ? -1 : 1;
    return (x->flow > y->flow) - (x->flow < y->flow);
}

static uint64_t list_writes(const struct mw_layout *l, struct write *write)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < l->n_listed; i++)
        if (l->listed_bucket[i] >= 0)
            write[n++] = (struct write){l->listed_bucket[i],
                                        l->listed_core[l->listed_first[i + 1] - 1], i};
    qsort(write, n, sizeof *write, by_bucket_and_core);
    return n;
}

/* The writes of one bucket, from *i on, which moves behind them. */
static struct mw_writers take_bucket(const struct write *write, uint64_t n, uint64_t *i)
{
    struct mw_writers w = {.bucket = write[*i].bucket, .second = UINT64_MAX};
    uint64_t earliest = UINT64_MAX;
    for (uint64_t first = *i; *i < n && write[*i].bucket == w.bucket; ++*i) {
        const uint64_t flow = write[*i].flow;
        if (*i > first && write[*i].core == write[*i - 1].core)
            continue;
        if (w.n < MW_WRITERS_SHOWN)
            w.core[w.n] = write[*i].core;
        w.n++;
        w.second = mw_min(w.second, mw_max(earliest, flow));
        earliest = mw_min(earliest, flow);
    }
    return w;
}

int mw_layout_writers(const struct mw_layout *l, struct mw_writers *out, uint32_t room,
                      uint64_t *n_shared)
{
    struct write *write;
    *n_shared = 0;
    MW_NEED_NEW(write, "writers of buckets", l->n_listed);
    const uint64_t n = list_writes(l, write);
    for (uint64_t i = 0; i < n;) {
        const struct mw_writers w = take_bucket(write, n, &i);
        if (w.n < 2)
            continue;
        if (*n_shared < room)
            out[*n_shared] = w;
        ++*n_shared;
    }
    mw_free(write);
    return MW_OK;
}
