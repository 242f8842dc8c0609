/* mesh_plan.h -- what the cores of a cluster execute: a layout that has been proved.
 *
 * The mesh skeleton takes its roles, its next hops, its buckets and the number of end markers
 * each core waits for from here, and from nowhere else. There is no way to get a plan of a
 * layout that could deadlock, that has two writers for a bucket, or whose buckets do not fit
 * the consumers' local store, by the layout's own reckoning and by what the cores' programs
 * take (mesh_store.h): such a layout is refused, with the reason.
 *
 *      layout file --parse, expand--> layout --proof--> plan --> skeleton
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MESH_PLAN_H
#define MW_MESH_PLAN_H

#include "cpe/cluster.h"
#include "mesh/lang/layout.h"
#include "shuffle/mesh_role.h"

MW_BEGIN_DECLS

struct mw_mesh_plan {
    struct mw_layout *layout; /* owned; expanded, routed, proved free */
    uint32_t n_cores;
    uint8_t *duty;             /* [n_cores], owned: enum mw_core_duty */
    uint32_t *markers;         /* [n_cores], owned: end-of-stream markers to wait for */
    uint32_t *successor_first; /* [n_cores + 1], owned: into successor */
    mw_core *successor;        /* owned: whom a core sends its own marker to, ascending */
    uint32_t n_consumers;
    mw_core *consumer;       /* [n_consumers], owned, row-major: owners of the buckets */
    uint32_t *consumer_sink; /* [n_consumers], owned: their rows of layout->next */
    struct mw_mesh_role
        *role;         /* [n_cores], owned: the same for the cores themselves; NULL
                                * if the mesh is not 8 x 8 */
    uint32_t max_rank; /* of the proof: hops until a message is gone, at most */
};

/* Local. path NULL: the paper's 8x8 layout. n_buckets > 0 takes the place of the layout's
 * number. Errors: MW_ERR_NOINPUT, MW_ERR_DATA ("file:line:col: error: ..."), MW_ERR_REFUSED
 * with the shortest cycle, the bucket or the budget in the message, MW_ERR_NOMEM. */
int mw_mesh_plan_open(const char *path, uint32_t n_buckets, struct mw_mesh_plan **out)
    MW_NODISCARD;

/* The same of a layout at hand, which is the plan's from now on, also after an error; `name`
 * stands in messages. */
int mw_mesh_plan_take(struct mw_layout *l, const char *name, uint32_t n_buckets,
                      struct mw_mesh_plan **out) MW_NODISCARD;
void mw_mesh_plan_free(struct mw_mesh_plan *p); /* NULL is legal */

/* Local. Do the cores of this backend have the store, and the stack, for it? MW_ERR_REFUSED with
 * the numbers if not. */
int mw_mesh_plan_fits(const struct mw_mesh_plan *p, const struct mw_backend *on)
    MW_NODISCARD;

/* Where core `at` puts a message for that consumer next; `at` itself at the end. */
MW_FN mw_core mw_mesh_plan_next(const struct mw_mesh_plan *p, uint32_t consumer,
                                mw_core at)
{
    return p->layout->next[(size_t)p->consumer_sink[consumer] * p->n_cores + at];
}

MW_END_DECLS
#endif
