/* active.c -- see active.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/active.h"

#include "devices/placed.h"
#include "traversal/traversal.h"

static struct mw_active *listed_of(const struct mw_traversal *t)
{
    return &((struct mw_active_state *)t->state)->listed;
}

uint64_t mw_active_entries(void *state)
{
    return ((const struct mw_active_state *)state)->listed.counts->n_entries;
}

void mw_active_list(struct mw_traversal *t, uint32_t row)
{
    struct mw_active *const l = listed_of(t);
    l->first = l->n_kept;
    l->counts->n = l->counts->n_entries = 0;
    mw_traversal_sweep(t, row);
}

int mw_active_sum(struct mw_traversal *t, int rc)
{
    const struct mw_active_counts *const counts = listed_of(t)->counts;
    uint64_t sum[2] = {counts->n, counts->n_entries};
    rc = mw_comm_sum_or_fail(t->world->comm, sum, 2, rc);
    t->now.n_active = sum[0];
    t->now.n_active_edges = sum[1];
    return rc;
}

void mw_active_sweep(struct mw_traversal *t, uint32_t row)
{
    if (listed_of(t)->counts->n > 0)
        mw_traversal_sweep(t, row);
}

void mw_active_keep(struct mw_traversal *t, uint32_t depth)
{
    struct mw_active *const l = listed_of(t);
    if (l->counts->n > 0)
        l->level[l->n_levels++] = (struct mw_active_level){depth, (uint32_t)l->first};
    l->n_kept += l->counts->n;
}

void mw_active_choose(struct mw_traversal *t, uint32_t depth)
{
    struct mw_active *const l = listed_of(t);
    const struct mw_active_level *const last =
        l->n_levels > 0 ? &l->level[l->n_levels - 1] : NULL;
    l->first = last != NULL && last->depth == depth ? last->begin : l->n_kept;
    const uint64_t n = l->n_kept - l->first;
    uint64_t n_entries = 0;
    if (n > 0)
        mw_fetch(t->world, &n_entries, l->end + l->first + n - 1, sizeof n_entries);
    *l->counts = (struct mw_active_counts){n, n_entries};
}

void mw_active_drop(struct mw_traversal *t)
{
    struct mw_active *const l = listed_of(t);
    l->n_levels -= l->first < l->n_kept;
    l->n_kept = l->first;
}
