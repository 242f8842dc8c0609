/* bfs_validate_sweeps.c -- what the validator does to a rank's own data. The table in bfs_validate.c says
 * what each reads and writes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_validate.h"

#include "shuffle/job.h"

#include <string.h>

/* Of this core's share: nothing is known yet but the parents, which the others may look at. */
void mw_validation_forget(struct mw_cpe *self, void *arg)
{
    struct mw_validation *s = ((struct mw_job *)arg)->state;
    uint64_t from, to;
    mw_share(self, 0, s->n_places, &from, &to);
    memset(s->confirmed + from, 0, (to - from) * sizeof *s->confirmed);
    memset(s->level + from, 0xFF, (to - from) * sizeof *s->level);
    if (s->parents != NULL) {
        const uint64_t number = mw_number_bytes(s->wide);
        memcpy((char *)s->parents + (s->comm->host_rank * s->stride + from) * number,
               (const char *)s->parent + from * number, (to - from) * number);
    }
    mw_share(self, 0, s->n_places + 2, &from, &to);
    memset(s->first_child + from, 0, (to - from) * sizeof *s->first_child);
}

/* What a lane has found goes to its part of the list, with how many children each has. */
void mw_validation_list(struct mw_cpe *self, void *arg)
{
    struct mw_validation *s = ((struct mw_job *)arg)->state;
    for (uint32_t i = self->id; i < s->n_lanes; i += self->n) {
        const struct mw_validation_lane *l = &s->lane[i];
        for (uint64_t k = 0; k < l->n_next; k++) {
            const uint32_t place = l->next[k];
            s->list[l->at + k] = place;
            s->list_end[l->at + k] = s->first_child[place + 1] - s->first_child[place];
        }
    }
}

void mw_validation_tally(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    struct mw_validation *s = job->state;
    struct mw_validation_lane *l = &s->lane[self->lane];
    uint64_t from, to;
    mw_share(self, 0, s->n_places, &from, &to);
    for (uint64_t p = from; p < to; p++) {
        const mw_vid parent = mw_parent_at(s, p);
        const mw_vid v = mw_vertex(&s->partition, s->comm->rank, p);
        if (parent == MW_NO_VERTEX)
            continue;
        l->n_next++; /* reached */
        if (parent >= s->edges->n_vertices)
            continue; /* counted already */
        if (s->level[p] == MW_NO_LEVEL)
            mw_wrong(l, MW_RULE_TREE, v, parent, 0, 0);
        else if (s->level[p] > 0 && !s->confirmed[p])
            mw_wrong(l, MW_RULE_EDGES, v, parent, s->level[p], s->level[p] - 1);
    }
}
