/* frontier_omptarget.c -- sweeps of traversal/frontier.h that are tuned for a device of OpenMP, and
 * that of traversal.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "omptarget/frontier.h"
#include "traversal/traversal.h"

static struct mw_frontier *frontier_of(void *job)
{
    return ((struct mw_job *)job)->state;
}

MW_FN uint64_t degree_of(const uint64_t *row, uint64_t label)
{
    return row[label + 1] - row[label];
}

/* Edges out of the labels in `bits` of word w. */
MW_FN uint64_t edges_of(const struct mw_frontier *f, uint64_t w, uint64_t bits)
{
    uint64_t n = 0;
    if (f->word_degree[w] != MW_MIXED_DEGREES)
        return (uint64_t)__builtin_popcountll(bits) * f->word_degree[w];
    for (; bits != 0; bits &= bits - 1)
        n += degree_of(f->row, 64 * w + (uint64_t)__builtin_ctzll(bits));
    return n;
}

void mwo_frontier_put(const struct mw_frontier *state, uint32_t lane)
{
    const struct mw_frontier f = *state;
    const uint64_t bytes = f.n_parts * sizeof *f.part;
    struct mw_frontier_part *const part = mwo_room(MWO_PARTS, bytes);
    if (f.n_parts == 0)
        return;
    MWO_EACH(p, f.n_parts)
    {
        const uint64_t last = mw_min((p + 1) * MW_PART_WORDS, f.n_words);
        uint64_t n_found = 0, n_edges = 0;
        MWO_LANES((+ : n_found, n_edges))
        for (uint64_t w = p * MW_PART_WORDS; w < last; w++) {
            const uint64_t bits = f.bits[w];
            n_found += (uint64_t)__builtin_popcountll(bits);
            n_edges += bits != 0 ? edges_of(&f, w, bits) : 0;
        }
        part[p].n_found = n_found;
        part[p].n_edges = n_edges;
    }
    mwo_get(f.part, part, bytes);
    for (uint64_t p = 0; p < f.n_parts; p++) {
        state->lane[lane].n_found += f.part[p].n_found;
        state->lane[lane].n_edges += f.part[p].n_edges;
    }
}

/* Whoever claims says that lists are incomplete, so few are none. */
static void join_none(struct mw_cpe *self, void *job)
{
    (void)self;
    mw_frontier_list_none(frontier_of(job));
}

/* A part is a lane's; what is before it in the list says part[]. */
static void list(struct mw_cpe *self, void *job)
{
    const struct mw_frontier f = *frontier_of(job);
    const struct mw_frontier_part *const part =
        mwo_sent(MWO_PARTS, f.part, f.n_parts * sizeof *f.part);
    (void)self;
    MWO_ALL(p, 0, f.n_parts)
    {
        uint64_t n = part[p].n_found, n_edges = part[p].n_edges;
        const uint64_t last = mw_min((p + 1) * MW_PART_WORDS, f.n_words);
        for (uint64_t w = p * MW_PART_WORDS; w < last; w++)
            for (uint64_t bits = f.bits[w]; bits != 0; bits &= bits - 1) {
                const uint64_t label = 64 * w + (uint64_t)__builtin_ctzll(bits);
                n_edges += degree_of(f.row, label);
                f.list[n] = (uint32_t)label;
                f.list_end[n++] = n_edges;
            }
    }
}

/* Levels are the host's, and kept for who asks: so is the walk that notes them. */
static void note_levels(const struct mw_traversal *t, uint64_t first, uint64_t n,
                        const uint64_t *visited)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t w = first + i;
        uint64_t fresh = visited[i] & ~t->has_level[w];
        t->has_level[w] |= fresh;
        for (; fresh != 0; fresh &= fresh - 1)
            t->level_at[t->graph->place_of[64 * w + (uint64_t)__builtin_ctzll(fresh)]] =
                t->n_levels;
    }
}

static void levels(struct mw_cpe *self, void *job)
{
    enum { WORDS = 4096 };
    const struct mw_traversal *const t = ((struct mw_job *)job)->state;
    const uint64_t *const from = t->algorithm->visited(t);
    const uint64_t n_words = (t->graph->n_labels + UINT64_C(63)) / 64;
    uint64_t visited[WORDS];
    (void)self;
    for (uint64_t w = 0; w < n_words; w += WORDS) {
        const uint64_t n = mw_min(WORDS, n_words - w);
        mwo_get(visited, from + w, n * sizeof *visited);
        note_levels(t, w, n, visited);
    }
}

const struct mw_frontier_sweeps mw_frontier_sweeps_tuned_omptarget = {
    .join_few = join_none,
    .list = list,
    .list_few = list,
};
const struct mw_traversal_sweeps mw_traversal_sweeps_omptarget = {levels};
