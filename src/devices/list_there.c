/* list_there.c -- see list_there.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "devices/list_there.h"

#include "devices/building.h"
#include "devices/placed.h"

#include <string.h>

void mw_list_sizes(uint64_t n_tuples, bool weighted, struct mw_sizes *out)
{
    mw_sizes_add_of(out, MW_OF_CORES, MW_ALWAYS, "list of cores", n_tuples,
                    sizeof(uint64_t));
    mw_sizes_add_of(out, MW_OF_CORES, MW_ALWAYS, "weights of the list, of cores",
                    n_tuples, sizeof(float))
        ->copies = weighted;
}

int mw_list_place(struct mw_world *world, struct mw_edges *e, bool weighted)
{
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    mw_list_sizes(e->n, weighted, &sizes);
    e->of_cores = mw_place(world, MW_OF_CORES, &sizes, "list of cores", sizeof(uint64_t));
    if (e->of_cores == NULL)
        rc = MW_ERR_NOMEM;
    else
        MW_PLACE(rc, e->weight_of_cores, world, MW_OF_CORES, &sizes,
                 "weights of the list, of cores");
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc != MW_OK)
        mw_list_unplace(world, e);
    else if (e->narrow != NULL)
        mw_put(world, e->of_cores, e->narrow, e->n * sizeof(uint64_t));
    if (e->weight_of_cores != NULL && e->weight != NULL)
        mw_put(world, e->weight_of_cores, e->weight, e->n * sizeof *e->weight);
    return rc;
}

void mw_list_unplace(struct mw_world *world, struct mw_edges *e)
{
    mw_unplace(world, MW_OF_CORES, e->of_cores);
    mw_unplace(world, MW_OF_CORES, e->weight_of_cores);
    e->of_cores = NULL;
    e->weight_of_cores = NULL;
}

/* Collective. */
static int digest_there(struct mw_world *w, const struct mw_edges *e,
                        struct mw_digest *out)
{
    struct mw_building s = {.n_tuples = e->n,
                            .n_digests =
                                mw_min(e->n / MW_DIGEST_TUPLES + 1, MW_LIST_DIGESTS),
                            .tuple = e->of_cores,
                            .tuple_weight = e->weight_of_cores};
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_COUNTING, "digests of the list", s.n_digests,
                    sizeof *s.digests);
    MW_PLACE(rc, s.digests, w, MW_OF_CORES, &sizes, "digests of the list");
    mw_building_sweep(w, MW_BUILDING_DIGEST, &s);
    *out = s.digest;
    mw_unplace(w, MW_OF_CORES, s.digests);
end:
    rc = mw_comm_agree(w->comm, rc);
    return rc == MW_OK ? mw_digest_of_all(w->comm, out) : rc;
}

int mw_list_digest(struct mw_world *world, const struct mw_edges *e,
                   struct mw_digest *out)
{
    return e->of_cores != NULL ? digest_there(world, e, out)
                               : mw_digest_of(mw_world_host_side(world), e, out);
}

int mw_list_come_home(struct mw_world *world, struct mw_edges *e)
{
    struct mw_digest there, here;
    struct mw_edges home = {0};
    int rc;
    if (e->of_cores == NULL || e->narrow != NULL)
        return MW_OK;
    MW_TRY(rc, digest_there(world, e, &there));
    rc = mw_edges_init(&home, e->n_vertices, mw_max(e->n, 1));
    if (rc == MW_OK && e->weight_of_cores != NULL)
        rc = mw_edges_weigh(&home);
    rc = mw_comm_agree(world->comm, rc);
    if (rc != MW_OK) {
        mw_edges_fini(&home);
        return rc;
    }
    e->narrow = home.narrow;
    e->weight = home.weight;
    e->room = home.room;
    mw_fetch(world, e->narrow, e->of_cores, e->n * sizeof(uint64_t));
    if (e->weight != NULL)
        mw_fetch(world, e->weight, e->weight_of_cores, e->n * sizeof *e->weight);
    MW_TRY(rc, mw_digest_of(mw_world_host_side(world), e, &here));
    if (memcmp(&there, &here, sizeof here) != 0)
        rc = mw_fail(MW_ERR_INTERNAL,
                     "the tuples that came from backend '%s' are not those it has: their "
                     "first ends add up to %llu and %llu",
                     world->backend->name, (unsigned long long)here.sum_u,
                     (unsigned long long)there.sum_u);
end:
    return rc;
}
