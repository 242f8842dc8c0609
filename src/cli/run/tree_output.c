/* tree_output.c -- see tree_output.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/tree_output.h"

#include "base/mem.h"
#include "graph/graph.h"
#include "graph/treefile.h"

#include <stdio.h>

enum { STRETCH_BYTES = 8 << 20, UNKNOWN_LEVEL = -2 };

void mw_levels_of(const int64_t *parent, uint64_t n_vertices, int64_t *level)
{
    for (uint64_t v = 0; v < n_vertices; v++)
        level[v] = parent[v] < 0 ? -1 : (uint64_t)parent[v] == v ? 0 : UNKNOWN_LEVEL;
    for (uint64_t v = 0; v < n_vertices; v++) {
        /* Up to the first vertex whose level is known, then down again the same way. */
        uint64_t top = v;
        int64_t steps = 0;
        for (; level[top] == UNKNOWN_LEVEL; steps++)
            top = (uint64_t)parent[top];
        const int64_t known = level[top];
        for (uint64_t u = v; u != top; u = (uint64_t)parent[u])
            level[u] = known + steps--;
    }
}

/* One pass over all parents: to the file `writer` and into whole[], either may be NULL. */
static int collect(const struct mw_tree_output *t, const struct mw_traversal *of,
                   struct mw_tree_writer *writer, int64_t *whole)
{
    int rc = MW_OK, put = MW_OK;
    const uint64_t n_ranks = t->comm->size;
    const struct mw_partition partition =
        mw_partition_of(t->names->n_vertices, t->comm->rank, t->comm->size);
    const uint64_t n_mine = mw_my_places(&partition), n_most = mw_most_places(&partition);
    const uint64_t room = mw_max(STRETCH_BYTES / 8 / n_ranks, 1);
    int64_t *mine, *all = NULL, *sorted = NULL;
    MW_NEW(rc, mine, "stretch of parents", room);
    MW_NEW(rc, all, "stretch of all ranks' parents", room * n_ranks);
    MW_NEW(rc, sorted, "stretch of parents in order", room * n_ranks);
end:
    rc = mw_comm_agree(t->comm, rc);
    for (uint64_t first = 0; rc == MW_OK && first < n_most; first += room) {
        const uint64_t n = mw_min(room, n_most - first);
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t place = first + i;
            const mw_vid p =
                place < n_mine ? mw_traversal_number(of, place) : MW_NO_VERTEX;
            mine[i] = p == MW_NO_VERTEX ? -1 : (int64_t)p;
        }
        rc = mw_comm_gather(t->comm, mine, n * sizeof *mine, all);
        if (rc != MW_OK || t->comm->rank != 0)
            continue;
        /* The same stretch of places at all ranks is a stretch of vertices. */
        for (uint32_t r = 0; r < n_ranks; r++)
            for (uint64_t i = 0; i < n; i++)
                sorted[mw_vertex(&partition, r, i)] = all[r * n + i];
        const uint64_t n_here =
            mw_min(n * n_ranks, t->names->n_vertices - first * n_ranks);
        for (uint64_t i = 0; whole != NULL && i < n_here; i++)
            whole[first * n_ranks + i] = sorted[i];
        /* An error is remembered; the other ranks wait in the next gather. */
        if (writer != NULL && put == MW_OK)
            put = mw_tree_put(writer, sorted, n_here);
    }
    mw_free(mine);
    mw_free(all);
    mw_free(sorted);
    return rc != MW_OK ? rc : put;
}

static int write_levels(const struct mw_tree_output *t, const int64_t *parent,
                        int64_t *level)
{
    struct mw_tree_writer *w;
    mw_levels_of(parent, t->names->n_vertices, level);
    int rc = mw_tree_begin(t->levels, t->force, MW_TREE_LEVELS, t->names, &w);
    if (rc < MW_OK)
        return rc;
    rc = mw_tree_put(w, level, t->names->n_vertices);
    if (rc < MW_OK) {
        mw_tree_abandon(w);
        return rc;
    }
    return mw_tree_end(w);
}

int mw_tree_output_write(const struct mw_tree_output *t, const struct mw_traversal *of)
{
    int rc = MW_OK;
    const bool writes = t->comm->rank == 0;
    struct mw_tree_writer *w = NULL;
    int64_t *whole = NULL, *level = NULL;
    if (t->tree == NULL && t->levels == NULL)
        return MW_OK;
    if (writes && t->tree != NULL)
        MW_TRY(rc, mw_tree_begin(t->tree, t->force, MW_TREE_PARENTS, t->names, &w));
    if (writes && t->levels != NULL) {
        MW_NEW(rc, whole, "parents of all vertices", t->names->n_vertices);
        MW_NEW(rc, level, "levels of all vertices", t->names->n_vertices);
    }
end:
    rc = mw_comm_agree(t->comm, rc);
    if (rc == MW_OK)
        rc = collect(t, of, w, whole);
    if (rc == MW_OK && w != NULL) {
        rc = mw_tree_end(w);
        w = NULL;
    }
    if (rc == MW_OK && whole != NULL)
        rc = write_levels(t, whole, level);
    mw_tree_abandon(w);
    mw_free(whole);
    mw_free(level);
    return mw_comm_agree(t->comm, rc);
}
