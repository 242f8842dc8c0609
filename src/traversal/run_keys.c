/* run_keys.c -- see run_keys.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/run_keys.h"

#include "devices/parts.h"

#define FIELD(field) MW_KEY_FIELD(struct mw_run_options, field)

/* clang-format off */
static const struct mw_key key[] = {
    {.name = "batch", .kind = MW_KEY_BYTES, .value = "SIZE", .fallback = "64Ki",
     .min = 512, .max = 64 << 20, FIELD(batch_bytes), .help = "Bytes of a message batch"},
    {.name = "small-input", .kind = MW_KEY_BYTES, .value = "SIZE", .fallback = "1Ki",
     .min = 0, .max = 64 << 20, FIELD(small_input),
     .help = "Bytes of input below which the management core works alone"},
    {.name = "exchange", .kind = MW_KEY_WORD, .fallback = "auto", .words = "auto|nccl|mpi", FIELD(exchange),
     .help = "How devices tell each other: by records through NCCL, or through the host's MPI; "
             "auto: in each other's memory where searches are whole, else by NCCL where that is found"},
    {.name = "devices", .kind = MW_KEY_WORD, .fallback = "auto", .words = "auto|all", FIELD(all_devices), .one = true,
     .help = "Of several ranks of a host, each with a device, one alone runs where that is faster, as measured, if the graph's size is known beforehand; all: never"},
    {.name = "columns", .kind = MW_KEY_WORD, .fallback = "auto", .words = "auto|table|ask", FIELD(columns), .one = true,
     .help = "While rows are built, neighbours' columns stand in a table of all per host, or their "
             "owners are asked; auto: ask where it is above 1 GiB and above the host's edges; on one "
             "host never"},
    {.name = "deal", .kind = MW_KEY_COUNT, .value = "N", .min = 1, .max = 1 << 30, FIELD(deal), .one = true,
     .help = "So many vertices that follow each other have one owner, the next ones the next, down to a power of "
             "two; default: as many as keep most edges at one rank, or 1"},
    {.name = "build", .kind = MW_KEY_WORD, .fallback = "auto", .words = "auto|host", FIELD(by_host), .one = true,
     .help = "Who builds the graph; auto: the device that searches it, where it can and has the room, "
             "else the host"},
};
/* clang-format on */

static bool one_rank(const struct mw_world *w, const void *options, const char *text)
{
    (void)options, (void)text;
    return w->comm->size == 1;
}

static bool on_device(const struct mw_world *w, const void *options, const char *text)
{
    (void)options, (void)text;
    return mw_on_device(w->backend);
}

static bool no_device(const struct mw_world *w, const void *options, const char *text)
{
    (void)options, (void)text;
    return w->backend->devices == NULL;
}

static bool host_is_device(const struct mw_world *w, const void *options,
                           const char *text)
{
    (void)options, (void)text;
    return w->backend->memory == NULL || w->backend->memory->host_reaches;
}

static bool all_by_mpe(const struct mw_world *w, const void *options, const char *text)
{
    (void)options, (void)text;
    return w->conf.engine_mpe || (mw_world_lanes(w) == 1 && !mw_on_device(w->backend));
}

static bool nobody_to_ask(const struct mw_world *w, const void *options, const char *text)
{
    return one_rank(w, options, text) && mw_tune_is(text, "columns", "ask");
}

static bool no_builder(const struct mw_world *w, const void *options, const char *text)
{
    struct mw_world_shape shape;
    (void)options;
    mw_world_shape_of(w, &shape);
    return mw_tune_is(text, "build", "host") &&
           (!mw_on_device(w->backend) ||
            (w->comm->size > 1 && !mw_parts_expected(&shape)));
}

static const struct mw_key_idle idle[] = {
    {"exchange", host_is_device, "the device is the host's cores, with its memory"},
    {"exchange", no_device, "the backend has none"},
    {"exchange", one_rank, "there is one rank, nothing is sent"},
    {"devices", host_is_device, "the device is the host's cores, with its memory"},
    {"devices", no_device, "the backend has none"},
    {"batch", one_rank, "there is one rank, nothing is sent"},
    {"small-input", on_device, "the device runs every module"},
    {"small-input", all_by_mpe, "the management core runs every module"},
    {"deal", one_rank, "there is one rank, which owns all"},
    {"columns", nobody_to_ask, "there is one rank, which knows its own"},
    {"build", no_builder, "the host builds anyhow"},
};

const struct mw_keys mw_run_keys = {.key = key,
                                    .n = sizeof key / sizeof *key,
                                    .idle = idle,
                                    .n_idle = sizeof idle / sizeof *idle,
                                    .options_bytes = sizeof(struct mw_run_options)};

void mw_run_options_apply(const struct mw_run_options *o, struct mw_world_conf *world,
                          struct mw_graph_rule *graph)
{
    world->batch_bytes = o->batch_bytes;
    world->small_input = o->small_input;
    world->exchange = o->exchange;
    graph->columns = o->columns;
    graph->deal = o->deal;
    graph->by_host = o->by_host;
}
