/* cc_check.c -- who judges components, for the harness (judges.h): a device by cc_inspect.h, the host by
 * cc_validate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc_inspect.h"

#include "base/mem.h"
#include "traversal/judges.h"

static int by_host(void *judge, const struct mw_traversal *t, mw_vid key,
                   struct mw_verdict *out)
{
    (void)key;
    return mw_cc_validate(judge, mw_traversal_numbers(t), t->graph->wide, out);
}

static int by_cores(void *judge, const struct mw_traversal *t, mw_vid key,
                    struct mw_verdict *out)
{
    (void)key;
    return cc_inspect(judge, mw_traversal_values_there(t, 0), t->graph->wide, out);
}

struct check {
    struct mw_judges judges; /* first */
    struct mw_cc_validator host;
};

static void check_close(void *check)
{
    struct check *k = check;
    if (k == NULL)
        return;
    cc_inspector_free(k->judges.cores);
    mw_free(k);
}

static int check_open(struct mw_world *world, struct mw_edges *edges, void **out)
{
    struct cc_inspector *cores = NULL;
    struct check *k;
    int rc = MW_OK;
    *out = NULL;
    MW_NEW(rc, k, "check of components", 1);
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK && mw_cores_judge(world->backend, world->comm->size))
        rc = cc_inspector_new(world, edges, &cores);
    if (k != NULL) {
        k->host = mw_cc_validator_of(mw_world_host_side(world), edges);
        k->judges = (struct mw_judges){world, edges, &k->host, cores, by_host, by_cores};
    }
    if (rc == MW_OK)
        *out = k;
    else
        check_close(k);
    return rc;
}

static void check_sizes(const struct mw_check_shape *shape,
                        const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct mw_world_shape host = mw_world_shape_host_side(world);
    mw_sizes_add(out, MW_SEARCHING, "check of components", 1, sizeof(struct check));
    mw_cc_validator_sizes(shape, &host, out);
    if (mw_cores_judge(world->backend, world->groups.n_ranks))
        cc_inspector_sizes(shape, world, out);
}

const struct mw_check mw_check_cc = {.open = check_open,
                                     .close = check_close,
                                     .run = mw_judges_run,
                                     .confirm = mw_judges_confirm,
                                     .alone_judges = true,
                                     .room = mw_inspection_room,
                                     .sizes = check_sizes};
