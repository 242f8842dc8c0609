/* bfs_check.c -- who judges a tree, for the harness: the cores that have searched, where they can
 * (bfs_inspect.h); else the host's (bfs_validate.h), who confirm what the others find.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_inspect.h"

#include "base/mem.h"
#include "devices/list_there.h"

struct checking {
    struct mw_world *world; /* that searches */
    struct mw_edges *edges;
    struct mw_validator *validator;
    struct bfs_inspector *inspector; /* NULL: the host does it all */
};

static void check_close(void *check)
{
    struct checking *c = check;
    if (c == NULL)
        return;
    bfs_inspector_free(c->inspector);
    mw_validator_free(c->validator);
    mw_free(c);
}

static int check_open(struct mw_world *world, struct mw_edges *edges, void **out)
{
    struct checking *c;
    int rc = MW_OK;
    *out = NULL;
    MW_NEW(rc, c, "check of trees", 1);
    c->world = world;
    c->edges = edges;
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = mw_validator_new(mw_world_host_side(world), edges, &c->validator);
    if (rc == MW_OK)
        rc = bfs_inspector_new(world, edges, &c->inspector);
    if (rc != MW_OK) {
        check_close(c);
        return rc;
    }
    *out = c;
    return MW_OK;
}

static int by_host(const struct checking *c, const struct mw_traversal *t, mw_vid key,
                   struct mw_verdict *out)
{
    int rc;
    MW_TRY(rc, mw_comm_agree(c->world->comm, mw_list_come_home(c->world, c->edges)));
    mw_validator_end_at(c->validator, mw_traversal_last_level(t));
    rc = mw_validate(c->validator, key, mw_traversal_numbers(t), t->graph->wide, out);
    out->by = MW_BY_HOST;
end:
    return rc;
}

static int check_run(void *check, const struct mw_traversal *t, mw_vid key,
                     struct mw_verdict *out)
{
    const struct checking *c = check;
    if (c->inspector == NULL || t->world->backend != c->world->backend)
        return by_host(c, t, key, out);
    const int rc = bfs_inspect(c->inspector, key, t->algorithm->value->at(t),
                               t->graph->wide, mw_traversal_last_level(t), out);
    out->by = MW_BY_CORES;
    return rc;
}

static int check_confirm(void *check, const struct mw_traversal *t, mw_vid key,
                         struct mw_verdict *out)
{
    const struct checking *c = check;
    struct mw_verdict host;
    if (out->by == MW_BY_HOST)
        return MW_OK;
    const int rc = by_host(c, t, key, &host);
    if (rc != MW_OK)
        return rc;
    out->by |= MW_BY_HOST;
    if (host.n_reached == out->n_reached && host.n_edges == out->n_edges &&
        host.n_self_loops == out->n_self_loops && host.n_levels == out->n_levels)
        return MW_OK;
    return mw_fail(
        MW_ERR_INVALID,
        "validation failed: of root %llu the host's cores find %llu vertices "
        "on %u levels, %llu edges and %llu self-loops, those of backend '%s' "
        "%llu on %u, %llu and %llu",
        (unsigned long long)key, (unsigned long long)host.n_reached, host.n_levels,
        (unsigned long long)host.n_edges, (unsigned long long)host.n_self_loops,
        c->world->backend->name, (unsigned long long)out->n_reached, out->n_levels,
        (unsigned long long)out->n_edges, (unsigned long long)out->n_self_loops);
}

static void check_sizes(const struct mw_check_shape *shape,
                        const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct mw_world_shape host = mw_world_shape_host_side(world);
    mw_sizes_add(out, MW_SEARCHING, "check of trees", 1, sizeof(struct checking));
    mw_validator_sizes(shape, &host, out);
    bfs_inspector_sizes(shape, world, out);
}

const struct mw_check mw_check_bfs = {.open = check_open,
                                      .close = check_close,
                                      .run = check_run,
                                      .confirm = check_confirm,
                                      .room = bfs_inspection_room,
                                      .sizes = check_sizes};
