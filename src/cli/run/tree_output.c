/* tree_output.c -- see tree_output.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/tree_output.h"

#include "base/mem.h"
#include "graph/graph.h"
#include "io/treefile.h"

#include <stdio.h>

enum { STRETCH_BYTES = 8 << 20 };

/* What Graphalytics asks for: reals, such as distances; levels, where there are any; or else the
 * answer itself. */
static uint32_t asked_by_graphalytics(const struct mw_algorithm *a)
{
    for (uint32_t i = 0; i < a->n_values; i++)
        if (a->value[i].type == MW_VALUE_REAL)
            return i;
    return a->visited != NULL ? MW_LEVELS_FILE : 0;
}

/* Of a value, or of the levels: as a file has it (treefile.h). */
static int64_t number_at(const struct mw_traversal *t, uint32_t which, uint64_t place)
{
    if (which == MW_LEVELS_FILE) {
        const uint32_t level = mw_traversal_level(t, place);
        return level == MW_NO_LEVEL ? -1 : (int64_t)level;
    }
    if (t->algorithm->value[which].type == MW_VALUE_REAL)
        return (int64_t)mw_bits_of_double((double)mw_traversal_real(t, which, place));
    const mw_vid number = mw_traversal_value(t, which, place);
    return number == MW_NO_VERTEX ? -1 : (int64_t)number;
}

/* Of a stretch of vertices, in their order, the numbers of all ranks: each adds its own. */
static int sum_of_stretch(const struct mw_traversal *of, uint32_t which,
                          struct mw_comm *comm, uint64_t first, int64_t *stretch,
                          uint32_t n)
{
    const struct mw_partition *partition = &of->graph->partition;
    uint64_t place;
    for (uint32_t i = 0; i < n; i++)
        stretch[i] = mw_is_mine(partition, first + i, &place)
                         ? number_at(of, which, place) + 1
                         : 0;
    const int rc = mw_comm_sum(comm, (uint64_t *)stretch, n);
    for (uint32_t i = 0; i < n; i++)
        stretch[i]--;
    return rc;
}

/* Where vertices are shuffled or dealt in blocks, no stretch of places is one of vertices. */
static int collect_stretches(const struct mw_tree_output *t,
                             const struct mw_traversal *of, uint32_t which,
                             struct mw_tree_writer *writer)
{
    int rc = MW_OK, put = MW_OK;
    const uint64_t n_vertices = t->names->n_vertices, room = STRETCH_BYTES / 8;
    int64_t *stretch;
    MW_NEW(rc, stretch, "stretch of numbers", room);
end:
    rc = mw_comm_agree(t->comm, rc);
    for (uint64_t first = 0; rc == MW_OK && first < n_vertices; first += room) {
        const uint32_t n = (uint32_t)mw_min(room, n_vertices - first);
        rc = sum_of_stretch(of, which, t->comm, first, stretch, n);
        if (rc == MW_OK && put == MW_OK && writer != NULL)
            put = mw_tree_put(writer, stretch, n);
    }
    mw_free(stretch);
    return rc != MW_OK ? rc : put;
}

/* One pass over the numbers of all ranks, stretch by stretch, to rank 0's writer. */
static int collect(const struct mw_tree_output *t, const struct mw_traversal *of,
                   uint32_t which, struct mw_tree_writer *writer)
{
    int rc = MW_OK, put = MW_OK;
    const uint64_t n_ranks = t->comm->size;
    const struct mw_partition *partition = &of->graph->partition;
    const uint64_t n_mine = mw_my_places(partition), n_most = mw_most_places(partition);
    const uint64_t room = mw_max(STRETCH_BYTES / 8 / n_ranks, 1);
    int64_t *mine, *all = NULL, *sorted = NULL;
    MW_NEW(rc, mine, "stretch of numbers", room);
    MW_NEW(rc, all, "stretch of all ranks' numbers", room * n_ranks);
    MW_NEW(rc, sorted, "stretch of numbers in order", room * n_ranks);
end:
    rc = mw_comm_agree(t->comm, rc);
    for (uint64_t first = 0; rc == MW_OK && first < n_most; first += room) {
        const uint64_t n = mw_min(room, n_most - first);
        for (uint64_t i = 0; i < n; i++)
            mine[i] = first + i < n_mine ? number_at(of, which, first + i) : -1;
        rc = mw_comm_gather(t->comm, mine, n * sizeof *mine, all);
        if (rc != MW_OK || writer == NULL)
            continue;
        /* The same stretch of places at all ranks is a stretch of vertices. */
        for (uint32_t r = 0; r < n_ranks; r++)
            for (uint64_t i = 0; i < n; i++)
                sorted[mw_vertex(partition, r, i)] = all[r * n + i];
        /* An error is remembered; the other ranks wait in the next gather. */
        if (put == MW_OK)
            put =
                mw_tree_put(writer, sorted,
                            mw_min(n * n_ranks, t->names->n_vertices - first * n_ranks));
    }
    MW_FREE_ALL(mine, all, sorted);
    return rc != MW_OK ? rc : put;
}

static int write_one(const struct mw_tree_output *t, const struct mw_traversal *of,
                     uint32_t which)
{
    static const enum mw_tree_kind kinds[] = {[MW_VALUE_VERTEX] = MW_TREE_VERTICES,
                                              [MW_VALUE_COUNT] = MW_TREE_COUNTS,
                                              [MW_VALUE_REAL] = MW_TREE_REALS};
    static const struct mw_value level = {.name = "level", .type = MW_VALUE_COUNT};
    int rc = MW_OK;
    struct mw_tree_writer *w = NULL;
    const char *const path = t->path[which];
    const bool foreign = which == MW_GRAPHALYTICS_FILE;
    which = foreign ? asked_by_graphalytics(of->algorithm) : which;
    const struct mw_value *const v =
        which == MW_LEVELS_FILE ? &level : &of->algorithm->value[which];
    if (t->comm->rank == 0)
        rc = mw_tree_begin(path, t->force, kinds[v->type], foreign ? NULL : v->name,
                           t->names, &w);
    rc = mw_comm_agree(t->comm, rc);
    if (rc == MW_OK)
        rc = mw_deals_singly(&of->graph->partition) ? collect(t, of, which, w)
                                                    : collect_stretches(t, of, which, w);
    if (rc == MW_OK && w != NULL) {
        rc = mw_tree_end(w);
        w = NULL;
    }
    mw_tree_abandon(w);
    return mw_comm_agree(t->comm, rc);
}

bool mw_tree_output_any(const struct mw_tree_output *t)
{
    for (uint32_t i = 0; i < MW_TREE_FILES; i++)
        if (t->path[i] != NULL)
            return true;
    return false;
}

bool mw_tree_output_levels(const struct mw_tree_output *t, const struct mw_algorithm *a)
{
    return t->path[MW_LEVELS_FILE] != NULL ||
           (t->path[MW_GRAPHALYTICS_FILE] != NULL &&
            asked_by_graphalytics(a) == MW_LEVELS_FILE);
}

int mw_tree_output_write(const struct mw_tree_output *t, const struct mw_traversal *of)
{
    int rc = MW_OK;
    for (uint32_t i = 0; i < MW_TREE_FILES && rc == MW_OK; i++)
        if (t->path[i] != NULL)
            rc = write_one(t, of, i);
    return rc;
}
