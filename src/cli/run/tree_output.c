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

typedef int64_t number_at(const struct mw_traversal *t, uint64_t place);

static int64_t answer_at(const struct mw_traversal *t, uint64_t place)
{
    const mw_vid number = mw_traversal_number(t, place);
    return number == MW_NO_VERTEX ? -1 : (int64_t)number;
}

static int64_t level_at(const struct mw_traversal *t, uint64_t place)
{
    const uint32_t level = mw_traversal_level(t, place);
    return level == MW_NO_LEVEL ? -1 : (int64_t)level;
}

/* Of a stretch of vertices, in their order, the numbers of all ranks: each adds its own. */
static int sum_of_stretch(const struct mw_traversal *of, number_at *number,
                          struct mw_comm *comm, uint64_t first, int64_t *stretch,
                          uint32_t n)
{
    const struct mw_partition *partition = &of->graph->partition;
    uint64_t place;
    for (uint32_t i = 0; i < n; i++)
        stretch[i] = mw_is_mine(partition, first + i, &place) ? number(of, place) + 1 : 0;
    const int rc = mw_comm_sum(comm, (uint64_t *)stretch, n);
    for (uint32_t i = 0; i < n; i++)
        stretch[i]--;
    return rc;
}

/* Where vertices are shuffled, no stretch of places is one of vertices. */
static int collect_shuffled(const struct mw_tree_output *t, const struct mw_traversal *of,
                            number_at *number, struct mw_tree_writer *writer)
{
    int rc = MW_OK, put = MW_OK;
    const uint64_t n_vertices = t->names->n_vertices, room = STRETCH_BYTES / 8;
    int64_t *stretch;
    MW_NEW(rc, stretch, "stretch of numbers", room);
end:
    rc = mw_comm_agree(t->comm, rc);
    for (uint64_t first = 0; rc == MW_OK && first < n_vertices; first += room) {
        const uint32_t n = (uint32_t)mw_min(room, n_vertices - first);
        rc = sum_of_stretch(of, number, t->comm, first, stretch, n);
        if (rc == MW_OK && put == MW_OK && writer != NULL)
            put = mw_tree_put(writer, stretch, n);
    }
    mw_free(stretch);
    return rc != MW_OK ? rc : put;
}

/* One pass over the numbers of all ranks, stretch by stretch, to rank 0's writer. */
static int collect(const struct mw_tree_output *t, const struct mw_traversal *of,
                   number_at *number, struct mw_tree_writer *writer)
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
            mine[i] = first + i < n_mine ? number(of, first + i) : -1;
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
    mw_free(mine);
    mw_free(all);
    mw_free(sorted);
    return rc != MW_OK ? rc : put;
}

static int write_one(const struct mw_tree_output *t, const struct mw_traversal *of,
                     const char *path, enum mw_tree_kind kind, const char *what,
                     number_at *number)
{
    int rc = MW_OK;
    struct mw_tree_writer *w = NULL;
    if (t->comm->rank == 0)
        rc = mw_tree_begin(path, t->force, kind, what, t->names, &w);
    rc = mw_comm_agree(t->comm, rc);
    if (rc == MW_OK)
        rc = of->graph->partition.bits > 0 ? collect_shuffled(t, of, number, w)
                                           : collect(t, of, number, w);
    if (rc == MW_OK && w != NULL) {
        rc = mw_tree_end(w);
        w = NULL;
    }
    mw_tree_abandon(w);
    return mw_comm_agree(t->comm, rc);
}

int mw_tree_output_write(const struct mw_tree_output *t, const struct mw_traversal *of)
{
    int rc = MW_OK;
    const enum mw_tree_kind kind =
        of->algorithm->answers_vertices ? MW_TREE_VERTICES : MW_TREE_COUNTS;
    if (t->tree != NULL)
        MW_TRY(rc, write_one(t, of, t->tree, kind, of->algorithm->answer, answer_at));
    if (t->levels != NULL)
        rc = write_one(t, of, t->levels, MW_TREE_COUNTS, "level", level_at);
end:
    return rc;
}
