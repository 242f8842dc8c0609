/* digest.c -- see digest.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/digest.h"

#include "shuffle/job.h"

#include <inttypes.h>
#include <stdio.h>

struct digesting {
    const struct mw_edges *edges;
    struct mw_digest sum;
};

static void digest_kernel(struct mw_cpe *self, void *arg)
{
    struct digesting *d = ((struct mw_job *)arg)->state;
    struct mw_digest mine = {0, 0, 0, 0};
    uint64_t from, to;
    mw_share(self, 0, d->edges->n, &from, &to);
    for (uint64_t i = from; i < to; i++) {
        mw_vid u, v;
        mw_edges_get(d->edges, i, &u, &v);
        mw_digest_add(&mine, u, v);
    }
    for (uint64_t i = from; d->edges->weight != NULL && i < to; i++) {
        mw_vid u, v;
        mw_edges_get(d->edges, i, &u, &v);
        mw_digest_add_weight(&mine, u, v, d->edges->weight[i]);
    }
    MW_ADD_RELAXED(&d->sum.sum_weights, mine.sum_weights);
    MW_ADD_RELAXED(&d->sum.sum_u, mine.sum_u);
    MW_ADD_RELAXED(&d->sum.sum_v, mine.sum_v);
    MW_XOR_RELAXED(&d->sum.xor_mix, mine.xor_mix);
}

struct sweeps {
    mw_kernel *digest;
};
static const struct sweeps none, host = {digest_kernel};
static const struct mw_kernel_table sweeps[] = {
    {"serial", &host}, {"host", &host}, {NULL, &none}};

const struct mw_row mw_digest_row = {
    .name = "digest",
    .kernel = MW_ENTRY(sweeps, digest),
    .reads = "tuples",
    .writes = "digest",
    .unit = "an equal share",
};
static const struct mw_row_table table = {
    .row = &mw_digest_row, .n_rows = 1, .sweeps = sweeps};

void mw_digest_text(const struct mw_digest *d, char text[MW_DIGEST_TEXT])
{
    const int n =
        snprintf(text, MW_DIGEST_TEXT, "%016" PRIx64 "-%016" PRIx64 "-%016" PRIx64,
                 d->sum_u, d->sum_v, d->xor_mix);
    if (d->sum_weights != 0)
        snprintf(text + n, MW_DIGEST_TEXT - (size_t)n, "-%016" PRIx64, d->sum_weights);
}

int mw_digest_of_all(struct mw_comm *comm, struct mw_digest *d)
{
    const struct mw_digest mine = *d;
    struct mw_digest *all = NULL;
    int rc = MW_OK;

    MW_NEW(rc, all, "digests", comm->size);
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_gather(comm, &mine, sizeof mine, all);
    *d = (struct mw_digest){0, 0, 0, 0};
    for (uint32_t r = 0; rc == MW_OK && r < comm->size; r++)
        mw_digest_join(d, &all[r]);
    mw_free(all);
    return rc;
}

int mw_digest_of(struct mw_world *world, const struct mw_edges *edges,
                 struct mw_digest *out)
{
    struct digesting d = {.edges = edges};
    mw_row_sweep(&table, 0, world, &d);
    *out = d.sum;
    return mw_digest_of_all(world->comm, out);
}
