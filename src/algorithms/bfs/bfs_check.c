/* bfs_check.c -- who judges a tree, for the harness (judges.h): the cores that have searched by bfs_inspect.h,
 * the host's by bfs_validate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_inspect.h"

#include "base/mem.h"
#include "traversal/inspection.h"
#include "traversal/judges.h"

static int by_host(void *judge, const struct mw_traversal *t, mw_vid key,
                   struct mw_verdict *out)
{
    mw_validator_end_at(judge, mw_traversal_last_level(t));
    return mw_validate(judge, key, mw_traversal_numbers(t), t->graph->wide, out);
}

static int by_cores(void *judge, const struct mw_traversal *t, mw_vid key,
                    struct mw_verdict *out)
{
    return bfs_inspect(judge, key, mw_traversal_values_there(t, 0), t->graph->wide,
                       mw_traversal_last_level(t), out);
}

static void check_close(void *check)
{
    struct mw_judges *j = check;
    if (j == NULL)
        return;
    bfs_inspector_free(j->cores);
    mw_validator_free(j->host);
    mw_free(j);
}

static int check_open(struct mw_world *world, struct mw_edges *edges, void **out)
{
    struct mw_validator *host = NULL;
    struct bfs_inspector *cores = NULL;
    struct mw_judges *j;
    int rc = MW_OK;
    *out = NULL;
    MW_NEW(rc, j, "check of trees", 1);
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = mw_validator_new(mw_world_host_side(world), edges, &host);
    if (rc == MW_OK)
        rc = bfs_inspector_new(world, edges, &cores);
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
    mw_sizes_add(out, MW_SEARCHING, "check of trees", 1, sizeof(struct mw_judges));
    mw_validator_sizes(shape, &host, out);
    bfs_inspector_sizes(shape, world, out);
}

const struct mw_check mw_check_bfs = {.open = check_open,
                                      .close = check_close,
                                      .run = mw_judges_run,
                                      .confirm = mw_judges_confirm,
                                      .room = mw_inspection_room,
                                      .sizes = check_sizes};
