/* building.c -- see building.h: its sweeps, and what it all takes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "devices/building.h"

#include "devices/placed.h"
#include "shuffle/kernel_lists.h"

/* ---- the table --------------------------------------------------------------------------- */

MW_KERNELS_OF(sweeps, mw_building_sweeps, MW_KINDS_THAT_BUILD)

#define SWEEP(member) .kernel = MW_ENTRY(mw_building_sweeps, member)

/* clang-format off */
const struct mw_row mw_building_row[MW_BUILDING_ROWS] = {
    [MW_BUILDING_DIGEST]  = {.name = "digest of the list", SWEEP(digest), .reads = "tuples, their weights", .writes = "digest", .unit = "every n-th tuple"},
    [MW_BUILDING_DEGREES] = {.name = "count",   SWEEP(degrees), .reads = "tuples", .writes = "degree", .unit = "a tuple"},
    [MW_BUILDING_ORDER]   = {.name = "order",   SWEEP(order),   .reads = "degree", .writes = "places by falling degree", .unit = "1024 places"},
    [MW_BUILDING_LABELS]  = {.name = "label",   SWEEP(labels),  .reads = "places by falling degree, degree", .writes = "place_of, label_of, connected, cursors", .unit = "a label"},
    [MW_BUILDING_ENTER]   = {.name = "enter",   SWEEP(enter),   .reads = "tuples, their weights, column_of", .writes = "entries, cursors", .unit = "a tuple"},
    [MW_BUILDING_SORT]    = {.name = "sort rows", SWEEP(sort),  .reads = "entries", .writes = "entries", .unit = "8192 entries, or 4096 with weights"},
    [MW_BUILDING_MERGE]   = {.name = "merge",   SWEEP(merge),   .reads = "entries of long rows", .writes = "entries of long rows", .unit = "16 entries"},
    [MW_BUILDING_KEEP]    = {.name = "keep",    SWEEP(keep),    .reads = "entries, row", .writes = "kept, sums", .unit = "32 entries"},
    [MW_BUILDING_PACK]    = {.name = "pack",    SWEEP(pack),    .reads = "entries, kept, sums", .writes = "column, weight, row", .unit = "an entry"},
    [MW_BUILDING_HEADS]   = {.name = "name heads", SWEEP(heads), .reads = "column, row, name, label_of", .writes = "head, head_name", .unit = "a place"},
    [MW_BUILDING_TELL]    = {.name = "tell",    SWEEP(tell),    .reads = "tuples, label_of, or column; weights beside", .writes = "what a rank tells all", .unit = "an item"},
    [MW_BUILDING_GATHER]  = {.name = "gather",  SWEEP(gather),  .reads = "a rank's label_of", .writes = "column_of", .unit = "a place of that rank"},
    [MW_BUILDING_NAMES]   = {.name = "names",   SWEEP(names),   .reads = "column_of, or place_of", .writes = "name", .unit = "a vertex"},
    [MW_BUILDING_LENGTHS] = {.name = "lengths of rows", SWEEP(lengths), .reads = "row", .writes = "entries of rows by their length", .unit = "a label"},
    [MW_BUILDING_BOUND]   = {.name = "delegate", SWEEP(bound),  .reads = "row", .writes = "how many are delegated", .unit = "a label"},
    [MW_BUILDING_COUNT_PIECES] = {.name = "count pieces", SWEEP(count_pieces), .reads = "column", .writes = "how many entries are pieces'", .unit = "an entry"},
    [MW_BUILDING_DEAL]    = {.name = "deal",    SWEEP(deal),    .reads = "a rank's column, weight", .writes = "pieces, their weights, starts of pieces", .unit = "32 entries"},
};
/* clang-format on */
MW_STATIC_ASSERT(1 << MW_SORTED_LOG2 == 8192 && 1 << MW_SORTED_WEIGHTED_LOG2 == 4096 &&
                     MW_ORDER_STRETCH == 1024,
                 "the table says so");

void mw_building_sweep(struct mw_world *w, enum mw_building_row row,
                       struct mw_building *s)
{
    const struct mw_sweep_row found =
        mw_sweep_find(&mw_building_row[row], sweeps, w->backend);
    mw_sweep_run(&found, w, s);
}

static bool fits(uint64_t n_vertices, uint32_t n_ranks)
{
    const struct mw_partition p = mw_partition_of(n_vertices, 0, n_ranks);
    return n_vertices <= MW_NARROW_VERTICES &&
           mw_label_bits(mw_most_places(&p)) + mw_building_owner_bits(n_ranks) <= 31;
}

bool mw_cores_build(const struct mw_graph_rule *rule, const struct mw_world_shape *world,
                    bool stays, uint64_t n_vertices, bool directed)
{
    enum { LEAST_PLACES = 1 << 12 }; /* of which searches of several ranks are whole */
    const uint32_t n_ranks = world->groups.n_ranks;
    return !rule->by_host && rule->weights <= MW_WEIGHTS_MINIMUM &&
           mw_kernels_of_cores(sweeps, world->backend) != &mw_building_sweeps_none &&
           !mw_host_reaches(world->backend) && !directed && fits(n_vertices, n_ranks) &&
           (n_ranks == 1 ||
            (n_ranks <= MW_LINKED_MAX && stays && rule->columns != MW_LOOK_UP_ASK &&
             mw_parts_expected(world) && n_vertices / n_ranks >= LEAST_PLACES));
}

/* ---- memory ------------------------------------------------------------------------------ */

/* While it is built; how many there are is known when they are taken. */
static void add_of_cores(struct mw_sizes *out, enum mw_when when, const char *what,
                         uint64_t n, uint64_t bytes)
{
    mw_sizes_add_of(out, MW_OF_CORES, when, what, n, bytes);
}

static void building_sizes(const struct mw_graph_shape *shape, bool alone,
                           uint64_t n_long, struct mw_sizes *out)
{
    const struct mw_building *s = NULL;
    /* One rank has both ends of all tuples; of several who knows only when all have counted. */
    const uint64_t n_entries = mw_building_entries(
        shape->n_places, alone ? 2 * shape->n_tuples : shape->n_entries);
    const uint64_t n_words = shape->n_entries / 64 + 1;
    const uint64_t bytes = mw_building_entry_bytes(shape->weights != MW_WEIGHTS_NONE);
    add_of_cores(out, MW_COUNTING, "entries", n_entries, bytes);
    add_of_cores(out, MW_COUNTING, "merged entries", n_long, bytes);
    add_of_cores(out, MW_BUILDING, "entries", n_entries, bytes);
    add_of_cores(out, MW_BUILDING, "kept entries", n_words, sizeof *s->keep);
    add_of_cores(out, MW_BUILDING, "sums of kept entries", n_words, sizeof *s->sum);
    add_of_cores(out, MW_COUNTING, "what building tells", MW_BUILDING_TOLD,
                 sizeof *s->told);
}

void mw_building_sizes(const struct mw_graph_shape *shape,
                       const struct mw_delegates_shape *delegates, uint64_t n_long,
                       const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct mw_building *s = NULL;
    const struct mw_delegates *d = NULL;
    const uint64_t words = mw_building_told_words(shape->n_tuples, 0);
    mw_sizes_add(out, MW_ALWAYS, "graph", 1, sizeof(struct mw_graph));
    mw_graph_built_sizes(shape, delegates, out);
    building_sizes(shape, world->groups.n_ranks == 1, n_long, out);
    if (world->groups.n_ranks == 1)
        return;
    mw_parts_sizes(2 * words * sizeof(uint32_t), MW_COUNTING, world, out);
    mw_parts_sizes(2 * words * sizeof(uint32_t), MW_BUILDING, world, out);
    add_of_cores(out, MW_COUNTING, "columns of all vertices, of cores", shape->n_vertices,
                 sizeof *s->column_of);
    add_of_cores(out, MW_BUILDING, "rows that another rank delegates",
                 delegates->most + 1, sizeof *s->its_row);
    mw_sizes_add(out, MW_ALWAYS, "delegated vertices", delegates->n_ranks + 1,
                 sizeof *d->first)
        ->copies = delegates->n_vertices > 0;
    mw_sizes_add(out, MW_SEARCHING, "starts of pieces", delegates->n_vertices + 1,
                 sizeof *d->start)
        ->copies = delegates->n_vertices > 0;
}
