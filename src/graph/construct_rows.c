/* construct_rows.c -- all that kernel 1 runs on cores: modules, which put what they know of vertices
 * where their owners find it, and sweeps over what an owner has. construct.c says when.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/construct.h"

static uint64_t count_units(void *state)
{
    const struct mw_construction *c = state;
    return c->last_edge - c->first_edge;
}

static uint64_t build_units(void *state)
{
    const struct mw_construction *c = state;
    return c->naming ? c->g->n_labels : c->last_edge - c->first_edge;
}

struct construction_sweeps {
    mw_kernel *count_bins, *most, *count_digits, *deal_out, *labels;
    mw_kernel *columns, *lengths, *heads, *store_bins, *sort_bins;
    mw_kernel *measure, *move, *names, *head_names;
};
static const struct construction_sweeps no_sweeps,
    sweeps_host = {
        .count_bins = mw_construction_count_bins,
        .most = mw_construction_most,
        .count_digits = mw_construction_count_digits,
        .deal_out = mw_construction_deal_out,
        .labels = mw_construction_labels,
        .columns = mw_construction_columns,
        .lengths = mw_construction_lengths,
        .heads = mw_construction_heads,
        .store_bins = mw_construction_store_bins,
        .sort_bins = mw_construction_sort_bins,
        .measure = mw_construction_measure,
        .move = mw_construction_move,
        .names = mw_construction_names,
        .head_names = mw_construction_head_names,
};
static const struct mw_kernel_table sweeps[] = {
    {"serial", &sweeps_host}, {"host", &sweeps_host}, {NULL, &no_sweeps}};

static const struct mw_construction_kernels no_kernels;
static const struct mw_kernel_table kernels[] = {{"serial", &mw_construction_serial},
                                                 {"host", &mw_construction_host},
                                                 {NULL, &no_kernels}};

#define KERNEL(member) MW_ENTRY(mw_construction_kernels, member)
#define SWEEP(member)  .kernel = MW_ENTRY(construction_sweeps, member)
#define SHARE          .unit = "an equal share"
#define BIN            .unit = "a bin"
enum {
    COUNT = MW_CONSTRUCTION_COUNT,
    BUILD = MW_CONSTRUCTION_BUILD,
    ASK = MW_CONSTRUCTION_ASK
};

/* clang-format off */
static const struct mw_row rows[] = {
    /* name               takes                       emits                       kernel                  a source's work, and its most records a unit; exchanges */
    {"degree generator", {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, MW_TO_FIRST},  KERNEL(count_generate), count_units, 2, .exchanges = COUNT},
    {"degree relay",     {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  0,                      NULL,        0, .exchanges = COUNT},
    {"degree handler",   {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(count_handle),   NULL,        0, .exchanges = COUNT},
    {"edge generator",   {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, MW_TO_FIRST},  KERNEL(build_generate), build_units, 2, .exchanges = BUILD},
    {"edge asker",       {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, MW_TO_FIRST}, KERNEL(build_ask),      build_units, 2, .exchanges = ASK},
    {"asking relay",     {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, 0,                      NULL,        0, .exchanges = ASK},
    {"column teller",    {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, MW_TO_FIRST},  KERNEL(build_tell),     NULL,        0, .exchanges = ASK},
    {"edge relay",       {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  0,                      NULL,        0, .exchanges = BUILD | ASK},
    {"row handler",      {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(build_row),      NULL,        0, .exchanges = BUILD | ASK},
    /* sweeps */
    [MW_CONSTRUCTION_COUNT_BINS]   = {.name = "count bins",   SWEEP(count_bins),   .reads = "bins of places", .writes = "degree", BIN},
    [MW_CONSTRUCTION_MOST]         = {.name = "most",         SWEEP(most),         .reads = "degree", .writes = "the largest degree of each core", SHARE},
    [MW_CONSTRUCTION_COUNT_DIGITS] = {.name = "count digits", SWEEP(count_digits), .reads = "places by degree, degree", .writes = "counts of digits", SHARE},
    [MW_CONSTRUCTION_DEAL_OUT]     = {.name = "deal out",     SWEEP(deal_out),     .reads = "places by degree, degree, counts of digits", .writes = "places by degree", SHARE},
    [MW_CONSTRUCTION_LABELS]       = {.name = "labels",       SWEEP(labels),       .reads = "places by degree, degree", .writes = "place_of, label_of, connected, n_before", SHARE},
    [MW_CONSTRUCTION_COLUMNS]      = {.name = "columns",      SWEEP(columns),      .reads = "label_of", .writes = "columns of all vertices", SHARE},
    [MW_CONSTRUCTION_LENGTHS]      = {.name = "lengths",      SWEEP(lengths),      .reads = "degree, place_of", .writes = "row", SHARE},
    [MW_CONSTRUCTION_HEADS]        = {.name = "no heads",     SWEEP(heads),        .reads = "label_of, connected", .writes = "head", SHARE},
    [MW_CONSTRUCTION_STORE_BINS]   = {.name = "store bins",   SWEEP(store_bins),   .reads = "bins of entries", .writes = "column, row lengths", BIN},
    [MW_CONSTRUCTION_SORT_BINS]    = {.name = "sort bins",    SWEEP(sort_bins),    .reads = "bins of entries, or what is stored", .writes = "column, row lengths, head", BIN},
    [MW_CONSTRUCTION_MEASURE]      = {.name = "measure",      SWEEP(measure),      .reads = "row lengths", .writes = "lengths of blocks", .unit = "every n-th of 1024 blocks"},
    [MW_CONSTRUCTION_MOVE]         = {.name = "move",         SWEEP(move),         .reads = "column, row lengths", .writes = "column, row", .unit = "a block"},
    [MW_CONSTRUCTION_NAMES]        = {.name = "names",        SWEEP(names),        .reads = "place_of", .writes = "name", SHARE},
    [MW_CONSTRUCTION_HEAD_NAMES]   = {.name = "head names",   SWEEP(head_names),   .reads = "head, name", .writes = "head_name", SHARE},
};
/* clang-format on */
MW_STATIC_ASSERT(sizeof rows / sizeof *rows == MW_CONSTRUCTION_ROWS,
                 "construct.h numbers them");

const struct mw_row_table mw_construction_table = {rows, MW_CONSTRUCTION_ROWS, kernels,
                                                   sweeps};
