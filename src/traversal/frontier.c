/* frontier.c -- see frontier.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/frontier.h"

#include "devices/placed.h"
#include "shuffle/kernel_lists.h"

enum {
    LEAST_ROOM = 1024, /* of a lane's list */
    /* Labels for each entry that the lists may have together: one core joins lists at some 8 ns an
     * entry, all of them walk over the marks at 0.1 ns a label. */
    LABELS_PER_ENTRY = 64,
    SHORT_LIST = 4096 /* one core makes it sooner than a team begins */
};

/* ---- memory ------------------------------------------------------------------------------ */

static uint64_t words_of(uint64_t n_labels)
{
    return (n_labels + 63) / 64;
}

static uint64_t parts_of(uint64_t n_labels)
{
    return (words_of(n_labels) + MW_PART_WORDS - 1) / MW_PART_WORDS;
}

static uint64_t room_of(uint64_t n_labels, uint32_t n_lanes)
{
    return mw_max(LEAST_ROOM, n_labels / LABELS_PER_ENTRY / n_lanes);
}

void mw_frontier_sizes(uint64_t n_labels, uint32_t n_lanes, bool whole,
                       struct mw_sizes *out)
{
    const struct mw_frontier *f = NULL;
    const uint64_t n_words = words_of(n_labels);
    const uint32_t listed = whole ? 1000 : 125; /* an eighth at most, else it is bits */
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "reached labels", n_words,
                    sizeof *f->bits);
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "marks of labels", 64 * n_words,
                    sizeof *f->mark)
        ->copies = n_lanes > 1;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "marks of labels, as bits", n_words,
                    sizeof *f->mark_bit)
        ->copies = n_lanes == 1;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "degrees of words", n_words,
                    sizeof *f->word_degree);
    mw_sizes_add_of(out, MW_OF_BOTH, MW_SEARCHING, "parts of the frontier",
                    parts_of(n_labels) + 1, sizeof *f->part);
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "frontier", n_labels + 1,
                    sizeof *f->list)
        ->touched = listed;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "frontier's edges", n_labels + 1,
                    sizeof *f->list_end)
        ->touched = listed;
    mw_sizes_add_of(out, MW_OF_BOTH, MW_SEARCHING, "lanes of the frontier", n_lanes,
                    sizeof *f->lane);
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "next frontier",
                    room_of(n_labels, n_lanes), sizeof *f->lane->next)
        ->copies = n_lanes;
}

/* ---- words ------------------------------------------------------------------------------- */

/* Edges out of the labels in `bits` of word w. */
MW_FN uint64_t edges_of(const struct mw_frontier *f, uint64_t w, uint64_t bits)
{
    uint64_t n = 0;
    if (f->word_degree[w] != MW_MIXED_DEGREES)
        return (uint64_t)__builtin_popcountll(bits) * f->word_degree[w];
    for (; bits != 0; bits &= bits - 1) {
        const uint64_t l = 64 * w + (uint64_t)__builtin_ctzll(bits);
        n += f->row[l + 1] - f->row[l];
    }
    return n;
}

/* Cloned functions are static: the choice between clones would be an exported symbol. */
MW_CLONES static struct mw_frontier_part put(const struct mw_frontier *f, uint64_t first,
                                             const uint64_t *bits, uint64_t n)
{
    struct mw_frontier_part found = {0, 0};
    for (uint64_t i = 0; i < n; i++) {
        f->bits[first + i] = bits[i];
        if (bits[i] == 0)
            continue;
        found.n_found += (uint64_t)__builtin_popcountll(bits[i]);
        found.n_edges += edges_of(f, first + i, bits[i]);
    }
    return found;
}

void mw_frontier_put(const struct mw_frontier *f, uint32_t lane, uint64_t part,
                     const uint64_t *bits, uint64_t n)
{
    const struct mw_frontier_part found = put(f, part * MW_PART_WORDS, bits, n);
    f->part[part] = found;
    f->lane[lane].n_found += found.n_found;
    f->lane[lane].n_edges += found.n_edges;
}

/* ---- the table --------------------------------------------------------------------------- */

/* Of the host's cores, serial or not: frontier_lists.c; of devices frontier_sweeps.c. */
extern const struct mw_frontier_sweeps mw_frontier_sweeps_host;
MW_KERNELS_OVER(sweeps, mw_frontier_sweeps, &mw_frontier_sweeps_host,
                &mw_frontier_sweeps_host, MW_KINDS_OF_DEVICES_COUNTED)

#define SWEEP(member) .kernel = MW_ENTRY(mw_frontier_sweeps, member)
#define PARTS         .unit = "every n-th 4096 labels"

/* clang-format off */
const struct mw_row mw_frontier_row[MW_FRONTIER_SWEEPS] = {
    [MW_FRONTIER_DEGREES]  = {.name = "degrees of words",  SWEEP(degrees),  .reads = "row", .writes = "degree of each 64 labels", .unit = "an equal share"},
    [MW_FRONTIER_JOIN]     = {.name = "join frontier",     SWEEP(join),     .reads = "marks", .writes = "marks, bits, counts", PARTS},
    [MW_FRONTIER_JOIN_FEW] = {.name = "join few",          SWEEP(join_few), .reads = "lists of lanes, marks", .writes = "marks, list, visited", .unit = "one core", .few = true},
    [MW_FRONTIER_VISIT]    = {.name = "visit",             SWEEP(visit),    .reads = "bits", .writes = "visited", PARTS},
    [MW_FRONTIER_LIST]     = {.name = "list",              SWEEP(list),     .reads = "bits, counts", .writes = "list", PARTS},
    [MW_FRONTIER_LIST_FEW] = {.name = "list few",          SWEEP(list_few), .reads = "bits, counts", .writes = "list", .unit = "one core", .few = true},
};
/* clang-format on */
MW_STATIC_ASSERT(MW_PART_WORDS * 64 == 4096, "the table says so");

static void find_sweeps(struct mw_frontier *f)
{
    for (uint32_t i = 0; i < MW_FRONTIER_SWEEPS; i++)
        f->sweep[i] = mw_sweep_find(&mw_frontier_row[i], sweeps, f->world->backend);
}

static void sweep(struct mw_frontier *f, enum mw_frontier_sweep row)
{
    mw_sweep_run(&f->sweep[row], f->world, f);
}

/* ---- new and free ------------------------------------------------------------------------ */

int mw_frontier_init(struct mw_frontier *f, struct mw_world *world,
                     const struct mw_sizes *sizes, const struct mw_graph *g)
{
    const uint32_t n_lanes = mw_world_lanes(world);
    int rc = MW_OK;
    f->world = world;
    find_sweeps(f);
    f->g = g;
    f->n_labels = g->n_labels;
    f->n_words = words_of(g->n_labels);
    f->n_parts = parts_of(g->n_labels);
    f->row = g->row;
    f->next_room = room_of(g->n_labels, n_lanes);
    MW_PLACE(rc, f->bits, world, MW_OF_CORES, sizes, "reached labels");
    MW_PLACE(rc, f->mark, world, MW_OF_CORES, sizes, "marks of labels");
    MW_PLACE(rc, f->mark_bit, world, MW_OF_CORES, sizes, "marks of labels, as bits");
    MW_PLACE(rc, f->word_degree, world, MW_OF_CORES, sizes, "degrees of words");
    MW_PLACE(rc, f->part, world, MW_OF_BOTH, sizes, "parts of the frontier");
    MW_PLACE(rc, f->list, world, MW_OF_CORES, sizes, "frontier");
    MW_PLACE(rc, f->list_end, world, MW_OF_CORES, sizes, "frontier's edges");
    MW_PLACE(rc, f->lane, world, MW_OF_BOTH, sizes, "lanes of the frontier");
    f->n_lanes = n_lanes;
    for (uint32_t i = 0; i < n_lanes; i++)
        MW_PLACE(rc, f->lane[i].next, world, MW_OF_CORES, sizes, "next frontier");
    sweep(f, MW_FRONTIER_DEGREES);
end:
    return rc;
}

void mw_frontier_fini(struct mw_frontier *f)
{
    void *const of_cores[] = {f->list_end, f->list, f->word_degree,
                              f->mark_bit, f->mark, f->bits};
    for (uint32_t i = 0; i < f->n_lanes; i++)
        mw_unplace(f->world, MW_OF_CORES, f->lane[i].next);
    for (uint32_t i = 0; i < sizeof of_cores / sizeof *of_cores; i++)
        mw_unplace(f->world, MW_OF_CORES, of_cores[i]);
    mw_unplace(f->world, MW_OF_BOTH, f->lane);
    mw_unplace(f->world, MW_OF_BOTH, f->part);
}

/* ---- the level loop ---------------------------------------------------------------------- */

void mw_frontier_clear(struct mw_frontier *f)
{
    f->n_list = f->n_list_edges = 0;
    f->listed = true;
}

void mw_frontier_listed(struct mw_frontier *f)
{
    f->n_list = f->part[f->n_parts].n_found;
    f->n_list_edges = f->part[f->n_parts].n_edges;
    f->listed = true;
}

void mw_frontier_started(struct mw_frontier *f)
{
    f->part[f->n_parts].n_found = f->part[f->n_parts].n_edges > 0;
    mw_frontier_listed(f);
}

void mw_frontier_begin(struct mw_frontier *f)
{
    for (uint32_t i = 0; i < f->n_lanes; i++)
        f->lane[i].n_next = f->lane[i].n_found = f->lane[i].n_edges = 0;
}

void mw_frontier_join(struct mw_frontier *f)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < f->n_lanes; i++)
        n += f->lane[i].n_next;
    if (n <= f->next_room) {
        sweep(f, MW_FRONTIER_JOIN_FEW);
        mw_frontier_listed(f);
    } else {
        sweep(f, MW_FRONTIER_JOIN);
        mw_frontier_swept(f);
    }
}

void mw_frontier_swept(struct mw_frontier *f)
{
    f->listed = false;
}

void mw_frontier_count(const struct mw_frontier *f, uint64_t *n_found, uint64_t *n_edges)
{
    if (f->listed) {
        *n_found = f->n_list;
        *n_edges = f->n_list_edges;
        return;
    }
    *n_found = *n_edges = 0;
    for (uint32_t i = 0; i < f->n_lanes; i++) {
        *n_found += f->lane[i].n_found;
        *n_edges += f->lane[i].n_edges;
    }
}

void mw_frontier_visit(struct mw_frontier *f)
{
    if (!f->listed)
        sweep(f, MW_FRONTIER_VISIT);
}

void mw_frontier_list(struct mw_frontier *f)
{
    struct mw_frontier_part sum = {0, 0};
    if (f->listed)
        return;
    for (uint64_t p = 0; p < f->n_parts; p++) {
        const struct mw_frontier_part part = f->part[p];
        f->part[p] = sum;
        sum.n_found += part.n_found;
        sum.n_edges += part.n_edges;
    }
    f->part[f->n_parts] = sum;
    sweep(f, sum.n_found > SHORT_LIST ? MW_FRONTIER_LIST : MW_FRONTIER_LIST_FEW);
    mw_frontier_listed(f);
}
