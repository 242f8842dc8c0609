/* oracle.c -- see oracle.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/oracle.h"

#include "base/mem.h"
#include "devices/list_there.h"
#include "io/names.h"

#include <inttypes.h>

int mw_oracle_open(struct mw_world *world, struct mw_edges *edges, void **out)
{
    *out = edges;
    return mw_list_come_home(world, edges);
}

void mw_oracle_close(void *check)
{
    (void)check;
}

void mw_oracle_sizes(const struct mw_check_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out)
{
    (void)world;
    mw_sizes_add(out, MW_SEARCHING, "expected answers", 2 * shape->n_vertices,
                 sizeof(uint64_t));
}

/* Self-loops, and other tuples: here. */
static void count_tuples(const struct mw_edges *list, struct mw_verdict *out)
{
    for (uint64_t i = 0; i < list->n; i++) {
        mw_vid u, v;
        mw_edges_get(list, i, &u, &v);
        out->n_self_loops += u == v;
    }
    out->n_edges = list->n - out->n_self_loops;
}

/* Local: this rank's first wrong answer is the error. */
static int compare(const struct mw_edges *list, const struct mw_traversal *t,
                   const uint64_t *is, struct mw_verdict *out)
{
    char name[MW_NAME_ROOM];
    int rc = MW_OK;
    for (uint64_t p = 0; p < t->graph->n_places; p++) {
        const mw_vid v = mw_vertex_at(t->graph, t->world->comm->rank, p);
        const uint64_t said = mw_traversal_number(t, p);
        out->n_reached += said != MW_NO_VERTEX;
        out->n_wrong[0] += said != is[v];
        if (said != is[v] && rc == MW_OK)
            rc = mw_fail(MW_ERR_INVALID,
                         "validation failed: rule 1, the %s of vertex %s is said to be "
                         "%" PRId64 ", and is %" PRId64,
                         t->algorithm->value->name, mw_names_text(list->names, v, name),
                         (int64_t)said, (int64_t)is[v]);
    }
    return rc;
}

int mw_oracle_run(void *check, const struct mw_traversal *t, mw_vid key,
                  struct mw_verdict *out)
{
    const struct mw_edges *const list = check;
    struct mw_comm *const comm = t->world->comm;
    const uint64_t n = list->n_vertices;
    uint64_t *const is = mw_alloc("expected answers", 2 * n, sizeof *is);
    int rc = mw_comm_agree(comm, is != NULL ? MW_OK : MW_ERR_NOMEM);
    *out = (struct mw_verdict){.by = MW_BY_HOST};
    if (rc == MW_OK)
        rc = mw_comm_agree(comm, t->algorithm->check->expect(list, t, key, is, is + n));
    if (rc == MW_OK) {
        count_tuples(list, out);
        rc = compare(list, t, is, out);
        const int summed = mw_verdict_sum(out, comm);
        rc = mw_comm_agree(comm, rc == MW_OK ? summed : rc);
    }
    mw_free(is);
    return rc;
}
