/* bfs_async_kernels.c -- elements of bfs_async.h in patterns.
 *
 * Compiled once per kind of core: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/bfs/bfs_async.h"
#include "traversal/common_elements.h"

enum { ENTRIES_AHEAD = 12 };

/* Entry k of row i of the list: the neighbour is at most one level further. */
MW_FN void relax(const struct bfs_async *s, const struct mw_graph *g, uint64_t i,
                 uint64_t k, struct mw_emitter *e)
{
    const uint32_t u = s->work.list[i];
    const uint64_t entry = g->row[u] + k;
    const uint64_t column = mw_number(g->column, entry, g->wide);
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    const uint32_t label = mw_column_label(column, g->label_bits);
    const uint64_t level = (MW_LOAD_RELAXED(&s->word[u]) >> 32) + 1;
    if (entry + ENTRIES_AHEAD < g->row[g->n_labels])
        mw_prefetch(s->word +
                    mw_column_label(mw_number(g->column, entry + ENTRIES_AHEAD, g->wide),
                                    g->label_bits));
    if (mw_here(e, owner) && MW_LOAD_RELAXED(&s->word[label]) >> 32 <= level)
        return;
    const uint64_t word =
        level << 32 | (uint32_t)mw_vertex_at(g, g->partition.rank, g->place_of[u]);
    if (mw_here(e, owner))
        mw_worklist_lower(&s->work, s->word, label, word);
    else
        mw_emit(e, owner, label, word);
}

MW_FN void settle(const struct bfs_async *s, const struct mw_graph *g,
                  const struct mw_visit *m)
{
    (void)g;
    mw_worklist_lower(&s->work, s->word, m->child, m->value);
}

MW_FN void forget(const struct bfs_async *s, const struct mw_graph *g, uint64_t i)
{
    (void)g;
    s->word[i] = BFS_NO_WORD;
}

/* An isolated root has no label, and is all that it reaches. Says whether the vertex is reached. */
MW_FN uint64_t answer(const struct bfs_async *s, const struct mw_graph *g, uint64_t place)
{
    const uint64_t word = s->word[mw_min(g->label_of[place], g->n_labels)];
    const bool is_root = place == s->root_place, reached = is_root || word != BFS_NO_WORD;
    const mw_vid parent = is_root ? s->root : (uint32_t)word;
    mw_set_number(s->parent, place, reached ? parent : UINT64_MAX, g->wide);
    return reached;
}

MW_FN uint64_t ends(const struct bfs_async *s, const struct mw_graph *g, uint64_t place)
{
    const uint64_t none = g->wide ? UINT64_MAX : UINT32_MAX;
    return mw_number(s->parent, place, g->wide) == none ? 0 : g->degree[place];
}

MW_ENTRIES(relaxer, bfs_async, s->work.list_end, s->work.n_listed, mw_any, relax)
MW_UPDATES(settler, bfs_async, settle)
MW_EACH(forgetter, bfs_async, 64 * s->work.n_words, forget)
MW_SUM(answerer, bfs_async, g->n_places, answer, &s->counts->n_reached)
MW_SUM(end_counter, bfs_async, g->n_places, ends, &s->counts->n_ends)

MW_KERNEL_TABLE(bfs_async_kernels, relaxer, settler, forgetter, answerer, end_counter)
