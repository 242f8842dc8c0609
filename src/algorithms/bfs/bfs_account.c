/* bfs_account.c -- see bfs_account.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_account.h"
#include "shuffle/kernel_lists.h"

static void account(struct mw_cpe *self, void *job)
{
    struct bfs_account *a = ((struct mw_job *)job)->state;
    const struct mw_graph *g = a->g;
    const uint64_t none = g->wide ? UINT64_MAX : UINT32_MAX;
    uint64_t from, to, n_reached = 0, n_touching = 0;
    mw_share(self, 0, g->n_places, &from, &to);
    for (uint64_t p = from; p < to; p++)
        if (mw_number(a->parent, p, g->wide) != none) {
            n_reached++;
            n_touching += g->degree[p];
        }
    MW_ADD_RELAXED(&a->n_reached, n_reached);
    MW_ADD_RELAXED(&a->n_touching, n_touching);
}

static const struct bfs_account_sweeps host = {account};
MW_KERNELS_BESIDE(sweeps, bfs_account_sweeps, &host, MW_KINDS_THAT_BUILD)

const struct mw_row bfs_account_row = {
    .name = "account",
    .reads = "parent, degree",
    .writes = "sums",
    .unit = "an equal share",
    .kernel = MW_ENTRY(bfs_account_sweeps, account),
};

void bfs_account_make(const struct mw_traversal *t, struct bfs_account *out)
{
    const struct mw_sweep_row row =
        mw_sweep_find(&bfs_account_row, sweeps, t->world->backend);
    *out = (struct bfs_account){.g = t->placed};
    if (row.reached || row.cores != NULL) {
        out->parent = t->algorithm->value->at(t);
        mw_sweep_run(&row, t->world, out);
    } else { /* the answer comes to the host's cores */
        struct mw_world *const host_side = mw_world_host_side(t->world);
        const struct mw_sweep_row there =
            mw_sweep_find(&bfs_account_row, sweeps, host_side->backend);
        out->g = t->graph;
        out->parent = mw_traversal_numbers(t);
        mw_sweep_run(&there, host_side, out);
    }
}
