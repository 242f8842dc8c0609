/* sssp_check.c -- who judges shortest paths, for the harness (judges.h): a device by sssp_inspect.h, the host by
 * sssp_validate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_inspect.h"

#include "base/mem.h"
#include "traversal/judges.h"

static int by_host(void *judge, const struct mw_traversal *t, mw_vid key,
                   struct mw_verdict *out)
{
    return mw_sssp_validate(judge, key, mw_traversal_values(t, 0), t->graph->wide,
                            mw_traversal_values(t, 1), out);
}

static int by_cores(void *judge, const struct mw_traversal *t, mw_vid key,
                    struct mw_verdict *out)
{
    return sssp_inspect(judge, key, mw_traversal_values_there(t, 0), t->graph->wide,
                        mw_traversal_values_there(t, 1), out);
}

static void check_close(void *check)
{
    struct mw_judges *j = check;
    if (j == NULL)
        return;
    sssp_inspector_free(j->cores);
    mw_sssp_validator_free(j->host);
    mw_free(j);
}

static int check_open(struct mw_world *world, struct mw_edges *edges, void **out)
{
    struct mw_sssp_validator *host = NULL;
    struct sssp_inspector *cores = NULL;
    struct mw_judges *j;
    int rc = MW_OK;
    *out = NULL;
    MW_NEW(rc, j, "check of paths", 1);
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = mw_sssp_validator_new(mw_world_host_side(world), edges, &host);
    if (rc == MW_OK && mw_cores_judge(world->backend, world->comm->size))
        rc = sssp_inspector_new(world, edges, &cores);
    if (j != NULL)
        *j = (struct mw_judges){world, edges, host, cores, by_host, by_cores};
    if (rc == MW_OK)
        *out = j;
    else
        check_close(j);
    return rc;
}

static void check_sizes(const struct mw_check_shape *shape,
                        const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct mw_world_shape host = mw_world_shape_host_side(world);
    mw_sizes_add(out, MW_SEARCHING, "check of paths", 1, sizeof(struct mw_judges));
    mw_sssp_validator_sizes(shape, &host, out);
    if (mw_cores_judge(world->backend, world->groups.n_ranks))
        sssp_inspector_sizes(shape, world, out);
}

const struct mw_check mw_check_sssp = {.open = check_open,
                                       .close = check_close,
                                       .run = mw_judges_run,
                                       .confirm = mw_judges_confirm,
                                       .alone_judges = true,
                                       .room = mw_inspection_room,
                                       .sizes = check_sizes};
