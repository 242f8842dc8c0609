/* construct_sizes.c -- see construct_sizes.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/construct_sizes.h"

enum {
    ROUNDS = MW_CONSTRUCTION_ROUNDS,
    COUNT_BIN_PLACES = 1 << 15, /* 128 KB of degrees: half of a small L2 */
    BIN_ENTRIES = 1 << 15,      /* 256 KB of keys, twice, while a bin is sorted */
    SLICES_MOST = 256
};

/* ---- A pass over the edges ---------------------------------------------------------------- */

uint64_t mw_pass_ends(uint64_t n_tuples, bool directed)
{
    return (directed ? 1 : 2) * n_tuples;
}

uint64_t mw_pass_first_bins_bytes(uint64_t n_tuples)
{
    return 2 * n_tuples / ROUNDS * sizeof(uint32_t);
}

/* Bins of a size to sort in cache: fewer places where rows are long. */
static uint32_t build_bin_shift(uint64_t n_places, uint64_t n_ends)
{
    const uint64_t entries = mw_max(1, n_ends / ROUNDS);
    const uint64_t places = n_places / ROUNDS + 1;
    return mw_bits_for(mw_min(1 << 16, places * BIN_ENTRIES / entries) / 2 + 1);
}

static uint64_t build_bins(uint64_t n_places, uint32_t shift)
{
    return ((n_places / ROUNDS + 1) >> shift) + 2;
}

static uint64_t count_bins(uint64_t n_places)
{
    return (n_places >> mw_bits_for(COUNT_BIN_PLACES)) + 1;
}

static const uint32_t entry_bytes[MW_ENTRY_FORMS] = {
    [MW_ENTRY_NARROW] = sizeof(struct mw_entry),
    [MW_ENTRY_WIDE] = sizeof(struct mw_wide_entry),
    [MW_ENTRY_WEIGHTED] = sizeof(struct mw_weighted_entry),
    [MW_ENTRY_WIDE_WEIGHTED] = sizeof(struct mw_wide_entry),
};

uint32_t mw_pass_bin_shift(enum mw_pass pass, uint64_t n_places, uint64_t n_ends)
{
    return pass == MW_PASS_COUNT ? mw_bits_for(COUNT_BIN_PLACES)
                                 : build_bin_shift(n_places, n_ends);
}

void mw_pass_loads(uint64_t most_places, uint64_t n_ends, enum mw_entry_form form,
                   uint32_t n_near, uint32_t n_ranks,
                   struct mw_shelf_load load[MW_PASSES])
{
    const uint32_t shift = build_bin_shift(most_places, n_ends);
    const uint64_t n_records =
        (uint64_t)((double)(n_ends / ROUNDS + 1) * n_near / n_ranks) + 1;
    load[MW_PASS_COUNT] =
        (struct mw_shelf_load){count_bins(most_places), n_records, sizeof(uint32_t)};
    load[MW_PASS_BUILD] = (struct mw_shelf_load){build_bins(most_places, shift),
                                                 n_records, entry_bytes[form]};
}

uint64_t mw_pass_shelf_bytes(const struct mw_world_shape *world, uint64_t most_places,
                             uint64_t n_ends, enum mw_entry_form form)
{
    struct mw_shelf_load load[MW_PASSES];
    if (world->host_ranks == 1 || !world->backend->short_circuit)
        return 0;
    mw_pass_loads(most_places, n_ends, form, world->host_ranks, world->groups.n_ranks,
                  load);
    return mw_shelf_bytes(load, MW_PASSES, world->host_ranks, world->n_lanes);
}

uint32_t mw_pass_slices(uint64_t n_round, uint64_t mean, uint64_t piece_entries)
{
    const uint64_t fair = mw_max(2 * mean, piece_entries);
    return n_round > fair ? (uint32_t)mw_min((n_round + fair - 1) / fair, SLICES_MOST)
                          : 1;
}

uint32_t mw_pass_value_bits(const struct mw_graph_shape *s)
{
    const uint64_t n =
        s->asks_columns ? mw_max(s->n_vertices, s->n_columns) : s->n_columns;
    return (uint32_t)mw_max(s->wide ? 33 : 0, mw_bits_for(n));
}

/* A record of counting is all said by its child. One of building has columns, and on the way to
 * who tells them vertices; above them the order of the tuple, and beside them its weight. */
struct mw_record_bits mw_pass_bits(uint32_t exchange, const struct mw_graph_shape *s)
{
    const uint32_t order = s->weights == MW_WEIGHTS_FIRST ? mw_bits_for(s->n_edges) : 0;
    struct mw_record_bits bits = {.child = mw_bits_for(s->most_places)};
    if (exchange != MW_CONSTRUCTION_COUNT) {
        bits.value = mw_pass_value_bits(s) + order;
        bits.extra = s->weights != MW_WEIGHTS_NONE ? 32 : 0;
    }
    return bits;
}

/* ---- The table ---------------------------------------------------------------------------- */

/* Duplicates have left gaps, and the end of the block went back. */
static void add_packed(const char *what, uint64_t n_entries, uint64_t n_kept,
                       uint64_t number, struct mw_sizes *out)
{
    const uint64_t left = mw_block_left(n_entries * number, n_kept * number);
    mw_sizes_add(out, MW_SEARCHING, what, left, 1)->folded = true;
}

/* Blocks that construction takes by their names here. */
static void graph_sizes(const struct mw_graph_shape *s,
                        const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct mw_graph *g = NULL;
    const uint64_t number = mw_number_bytes(s->wide);
    const uint32_t n_ranks = world->groups.n_ranks;
    struct mw_size *row;

    mw_sizes_add(out, MW_ALWAYS, "degrees", s->n_places, sizeof *g->degree);
    mw_sizes_add(out, MW_ALWAYS, "place of each label", s->n_labels, sizeof *g->place_of);
    mw_sizes_add(out, MW_ALWAYS, "label of each place", s->n_places, sizeof *g->label_of);
    mw_sizes_add(out, MW_ALWAYS, "connected places", s->n_places / 64 + 1,
                 sizeof *g->connected);
    mw_sizes_add(out, MW_ALWAYS, "connected places before", s->n_places / 64 + 1,
                 sizeof *g->n_before);
    mw_sizes_add(out, MW_ALWAYS, "row starts", s->n_labels + 1, sizeof *g->row)->copies =
        s->directed ? 2 : 1;
    mw_sizes_add(out, MW_ALWAYS, "heads", s->n_labels, number)->copies = !s->thin;
    mw_sizes_add(out, MW_COUNTING, "places by degree", s->n_places, sizeof(uint32_t))
        ->copies = 2;
    mw_sizes_add(out, MW_COUNTING, "counts of digits", world->n_lanes,
                 sizeof(uint64_t) << MW_LABEL_DIGIT);
    for (int w = MW_COUNTING; w <= MW_BUILDING; w++)
        mw_sizes_add(out, (enum mw_when)w, "degrees inwards", s->n_places,
                     sizeof(uint32_t))
            ->copies = s->directed;
    mw_sizes_add(out, MW_COUNTING, "degrees, in and out", s->n_places, sizeof(uint32_t))
        ->copies = s->directed;
    mw_sizes_add(out, MW_BUILDING, "degrees of a part", s->n_places, sizeof(uint32_t))
        ->copies = s->thin;
    mw_sizes_add(out, MW_BUILDING, "columns", s->n_entries, number);
    mw_sizes_add(out, MW_BUILDING, "columns inwards", s->n_in_entries, number)->copies =
        s->directed;
    mw_sizes_add(out, MW_BUILDING, "weights", s->n_entries, sizeof *g->weight)->copies =
        s->weights != MW_WEIGHTS_NONE;
    mw_sizes_add(out, MW_BUILDING, "weights inwards", s->n_in_entries,
                 sizeof *g->in_weight)
        ->copies = s->directed && s->weights != MW_WEIGHTS_NONE;
    mw_sizes_add(out, MW_BUILDING, "orders of weights",
                 mw_max(s->n_entries, s->n_in_entries), sizeof(uint64_t))
        ->copies = s->weights == MW_WEIGHTS_FIRST;
    mw_sizes_add(out, MW_BUILDING, "row lengths", s->n_labels, sizeof(uint32_t));
    row = mw_sizes_add(out, MW_BUILDING, "columns of all vertices",
                       n_ranks * s->most_places, number);
    row->of_host = true;
    /* With one rank label_of is the same. */
    row->copies = (n_ranks > 1 || s->wide) && !s->asks_columns;
    mw_sizes_add(out, MW_BUILDING, "sorters", world->n_lanes, sizeof(struct mw_sorter));
    mw_sizes_add(out, s->asks_names ? MW_ALWAYS : MW_SEARCHING, "names of the heads",
                 s->n_labels, number)
        ->copies = !s->thin;
    row = mw_sizes_add(out, MW_SEARCHING, "names of the columns", s->n_columns, number);
    row->of_host = true;
    row->copies = !s->asks_names;
}

struct mw_graph_shape mw_construction_shape(const struct mw_construction *c)
{
    const struct mw_graph *g = c->g;
    const uint64_t *row = c->to != NULL ? c->to->row : NULL; /* of the rows being built */
    const uint64_t n_entries = row != NULL ? row[g->n_labels] : 0;
    return (struct mw_graph_shape){
        .n_vertices = g->n_vertices,
        .n_places = g->n_places,
        .most_places = mw_most_places(&g->partition),
        .n_tuples = c->edges->n,
        .n_labels = g->n_labels,
        .n_columns = g->n_columns,
        .n_entries = n_entries,
        .n_in_entries = n_entries,
        .wide = g->wide,
        .directed = g->directed,
        .weights = c->weights,
        .n_edges = g->n_edges,
        .asks_columns = c->asks,
        .asks_names = c->asks_names,
        .thin = g->thin,
    };
}

void mw_construction_sizes(const struct mw_construction *c, struct mw_sizes *out)
{
    const struct mw_graph_shape shape = mw_construction_shape(c);
    struct mw_world_shape world;
    mw_world_shape_of(c->world, &world);
    out->n = 0;
    graph_sizes(&shape, &world, out);
}

/* Bins are there while counting and building, with chunks for the larger of the two. What this
 * host's ranks say to each other is on the shelf instead. */
static void bins_sizes(const struct mw_graph_shape *s, const struct mw_world_shape *world,
                       struct mw_sizes *out)
{
    const uint32_t n_lanes = world->n_lanes, n_ranks = world->groups.n_ranks;
    const uint64_t expected = mw_pass_first_bins_bytes(s->n_tuples);
    const uint64_t n_ends = mw_pass_ends(s->n_tuples, s->directed);
    const enum mw_entry_form form = mw_entry_form_of(s->wide, s->weights);
    const uint64_t part = mw_pass_shelf_bytes(world, s->most_places, n_ends, form);
    const uint32_t far = part > 0 ? n_ranks - world->host_ranks : n_ranks;
    const uint64_t own = mw_max(s->n_entries, s->n_in_entries) / ROUNDS;
    const uint64_t mean = s->n_mean_round > 0 ? s->n_mean_round : own;
    const uint64_t most = mw_max(mean, s->n_round);
    const uint64_t round =
        most / mw_pass_slices(most, mean, MW_PIECE_ENTRIES) / n_ranks * far;
    struct mw_shelf_load load[MW_PASSES];
    struct mw_size *row;
    mw_pass_loads(s->most_places, n_ends, form, world->host_ranks, n_ranks, load);
    for (int i = 0; i < MW_PASSES; i++) {
        const enum mw_when when = i == MW_PASS_COUNT ? MW_COUNTING : MW_BUILDING;
        mw_bins_sizes(n_lanes, load[i].n_bins, 1 + (part > 0 ? world->host_ranks : 0),
                      when, out);
        mw_bins_estimate(n_lanes, load[i].n_bins, load[i].record_bytes, expected, round,
                         when, out);
        mw_shelf_sizes(part, world->host_ranks, when, out);
    }
    const struct {
        const char *what;
        uint64_t bytes;
        bool there;
    } sorted[] = {{"sorting a bin", sizeof(uint64_t), true},
                  {"weights of a bin", sizeof(float), s->weights != MW_WEIGHTS_NONE},
                  {"orders of a bin", sizeof(uint64_t), s->weights == MW_WEIGHTS_FIRST}};
    for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++) {
        row = mw_sizes_add(out, MW_BUILDING, sorted[i].what, s->n_sorting / n_lanes,
                           sorted[i].bytes);
        row->copies = sorted[i].there ? 2 * (uint64_t)n_lanes : 0;
        row->estimated = true;
    }
}

static void batches_sizes(const char *what, uint32_t exchange, enum mw_when when,
                          const struct mw_graph_shape *s,
                          const struct mw_world_shape *world, struct mw_sizes *out)
{
    struct mw_modules m;
    struct mw_sizes parts = {0};
    mw_modules_find(&mw_construction_table, exchange, world->backend, &world->groups, &m);
    mw_modules_sizes(m.row, m.n, mw_pass_bits(exchange, s), world, when, &parts);
    mw_sizes_fold(out, when, what, &parts);
}

void mw_graph_sizes(const struct mw_graph_shape *shape,
                    const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint64_t number = mw_number_bytes(shape->wide);
    struct mw_size *row;
    graph_sizes(shape, world, out);
    bins_sizes(shape, world, out);
    row = mw_sizes_add(out, MW_BUILDING, "a part of the list", shape->n_entries / 2,
                       2 * sizeof(uint32_t) + sizeof(float));
    row->copies = shape->thin;
    row->estimated = true;
    mw_sizes_add(out, MW_BUILDING, "chosen tuples", shape->n_tuples / 64 + 1,
                 sizeof(uint64_t))
        ->copies = shape->thin;
    add_packed("columns", shape->n_entries, shape->n_kept, number, out);
    if (shape->directed)
        add_packed("columns inwards", shape->n_in_entries, shape->n_in_kept, number, out);
    if (shape->weights != MW_WEIGHTS_NONE)
        add_packed("weights", shape->n_entries, shape->n_kept, sizeof(float), out);
    if (shape->directed && shape->weights != MW_WEIGHTS_NONE)
        add_packed("weights inwards", shape->n_in_entries, shape->n_in_kept,
                   sizeof(float), out);
    batches_sizes("batches to count", MW_CONSTRUCTION_COUNT, MW_COUNTING, shape, world,
                  out);
    batches_sizes("batches to build", mw_construction_exchange(shape->asks_columns),
                  MW_BUILDING, shape, world, out);
}
