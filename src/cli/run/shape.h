/* shape.h -- the options that say how ranks work together, for run and plan alike.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SHAPE_H
#define MW_SHAPE_H

#include "algorithms/registry.h"
#include "cli/option.h"
#include "traversal/run_keys.h"

MW_BEGIN_DECLS

/* clang-format off */
#define MW_OPTIONS_SHAPE                                                                 \
    {.name = "backend", .letter = 'b', .kind = MW_OPT_WORD, .value = "WORD",             \
     .fallback = "auto", .words = "auto|serial|openmp|emul|emul-threads|athread|kokkos|omptarget", .lists = true,              \
     .section = "machine",                                                               \
     .help = "What searches: the host's cores (auto: openmp or serial), a GPU (kokkos, " \
             "omptarget), or cores of a Sunway (athread; emulated: emul, emul-threads)"}, \
    {.name = "threads", .letter = 't', .kind = MW_OPT_COUNT, .value = "N", .min = 1,     \
     .max = 4096, .help = "Threads per rank; default: OMP_NUM_THREADS, or cores / ranks"},    \
    {.name = "device", .kind = MW_OPT_COUNT, .value = "N", .min = 0,                     \
     .max = MW_DEVICES_MAX - 1,                                                          \
     .help = "Device of all ranks of a host, as 'meshway info' counts; default: ranks "  \
             "take them in turn"},                                                       \
    {.name = "device-memory", .kind = MW_OPT_BYTES, .value = "SIZE", .min = 1,           \
     .max = UINT64_C(1) << 60,                                                           \
     .help = "Memory of a device that may be taken; default: what is free there"},       \
    {.name = "engine", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "cpe",          \
     .words = "cpe|mpe", .lists = true, .help = "Clusters run the modules, or the management core all"}, \
    {.name = "clusters", .kind = MW_OPT_COUNT, .value = "N", .fallback = "1", .min = 1,   \
     .max = MW_CLUSTERS_MAX,                                                             \
     .help = "Clusters of cores per rank; a module of meshes runs on one of them at a time"},      \
    {.name = "layout", .kind = MW_OPT_TEXT, .ready = true, .value = "FILE",                             \
     .help = "Roles of a mesh backend's cores; default: the paper's. One that is not "   \
             "proved free of deadlock is refused"},                                      \
    {.name = "routing", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",        \
     .words = "auto|direct|relay", .lists = true,                                                       \
     .help = "One hop, or two through a relay; auto: relay from two hosts on"},          \
    {.name = "compress", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",       \
     .words = "auto|off|vbyte|packed", .lists = true,                                    \
     .help = "Batches are sorted and coded: by bytes, or packed in blocks of 128; auto: "\
             "packed, on links between hosts that are measured to be slow enough"},      \
    {.name = "groups", .kind = MW_OPT_TEXT, .value = "SHAPE", .fallback = "auto",        \
     .help = "Groups of the relay: node (hosts), NxM, or auto: hosts on a switch where "  \
             "that is known, hosts of several ranks, else near-square"},                 \
    {.name = "topology", .kind = MW_OPT_TEXT, .value = "FILE",                           \
     .help = "Switches and their hosts, as Slurm's topology.conf; default: what "         \
             "SLURM_TOPOLOGY_ADDR says on each host"},                                   \
    {.name = "connections", .kind = MW_OPT_COUNT, .value = "N", .min = 1,                \
     .max = UINT32_MAX,                                                                  \
     .help = "Refuse a route on which a rank sends to more than N others"},              \
    {.name = "ranks-per-host", .kind = MW_OPT_COUNT, .value = "N", .min = 1,             \
     .max = 65536,                                                                       \
     .help = "Pretend that hosts have N ranks each, to try the paths between hosts; "     \
             "with backend emul 1: ranks are nodes"}

#define MW_OPTION_ALGORITHM                                                              \
    {.name = "algorithm", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "bfs",       \
     .words = MW_ALGORITHM_WORDS, .paths = true, .section = "searches",                  \
     .help = "What is computed: " MW_ALGORITHMS_HELP                                      \
             "a path with a slash, such as ./libX.so: the plug-in there"},               \
    {.name = "mode", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "levels",         \
     .words = "levels|async",                                                            \
     .help = "levels: all ranks go from step to step together; async: each goes on with what it has, on cores "  \
             "of hosts, and the end is found by counting"},                              \
    {.name = "kernels", .kind = MW_OPT_WORD, .value = "WORD", .words = "2|3",            \
     .lists = true,                                                                      \
     .help = "Kernels of the benchmark: 2, breadth-first search; 3, shortest paths; 2,3: both on one "  \
             "graph, in one result block"}

/* Each sets the key of its name: tune.h. */
#define MW_OPTIONS_SEARCH                                                                \
    {.name = "direction", .letter = 'd', .kind = MW_OPT_WORD, .value = "WORD",           \
     .fallback = "auto", .words = "auto|top-down|bottom-up", .lists = true,              \
     .help = "Direction of the levels"},                                                 \
    {.name = "bottom-up", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",      \
     .words = "auto|messages|bitmap|mixed", .lists = true,                               \
     .help = "Bottom-up asks the owners, has a bitmap of all vertices per host, or is "  \
             "that of hubs only, mixed with top-down of the others; "                    \
             "auto: what each level is estimated to cost; bitmap on one host"},          \
    {.name = "partition", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "1.5d",      \
     .words = "1.5d|1d", .lists = true,                                                  \
     .help = "By classes of degree: heavy rows are dealt out to all ranks, others have " \
             "an owner, and all ranks hear of a level of few edges; 1d: all rows have "  \
             "an owner, as in the paper"}

#define MW_OPTION_SHUFFLE                                                                \
    {.name = "shuffle", .kind = MW_OPT_FLAG, .section = "memory",                        \
     .help = "Ranks own vertices by shuffled numbers: for graphs whose hubs have numbers " \
             "near each other, or at a stride; the output keeps the numbers"}

#define MW_CONFLICTS_SHAPE                                                               \
    {"groups", "routing=direct", "direct routing has no groups"},                        \
    {"threads", "backend=serial", "the serial backend has one thread"},                  \
    {"device", "backend=auto", "auto takes the host's cores; kokkos is the backend of GPUs"}, \
    {"device", "backend=serial", "the serial backend has no devices"},                   \
    {"device", "backend=openmp", "the openmp backend has no devices"},                   \
    {"device-memory", "backend=serial", "the serial backend has no devices"},            \
    {"device-memory", "backend=openmp", "the openmp backend has no devices"}
/* clang-format on */

/* Local: fills in what these options and the keys of a run say, and what the algorithm wishes of the
 * graph. */
int mw_shape_configure(const struct mw_settings *s, const struct mw_algorithm *a,
                       const struct mw_run_options *run, struct mw_world_conf *world,
                       struct mw_graph_rule *graph) MW_NODISCARD;

/* Local: what MW_OPTION_ALGORITHM says. *out is NULL after an error. */
int mw_shape_algorithm(const struct mw_settings *s, const struct mw_algorithm **out)
    MW_NODISCARD;

MW_END_DECLS
#endif
