/* cmd_bench.c -- "meshway bench": benchmarks of others, by their rules and in their form. What is done
 * stands in tools/meshway_sweep/gap.py; here is what is said about it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/commands.h"
#include "cli/tools/python.h"

static const struct mw_option bench_options[] = {MW_OPTIONS_ASKED};

static const struct mw_option gap_options[] = {
    {.name = "graph",
     .letter = 'g',
     .kind = MW_OPT_TEXT,
     .value = "GRAPH",
     .repeats = true,
     .section = "benchmark",
     .help = "A file in any format that is read, or the SCALE of a Kronecker graph"},
    {.name = "kernels",
     .kind = MW_OPT_TEXT,
     .value = "LIST",
     .fallback = "bfs,sssp,pr,cc,bc,tc",
     .help = "Kernels to run, in this order"},
    {.name = "trials",
     .kind = MW_OPT_COUNT,
     .value = "N",
     .min = 1,
     .max = 1 << 20,
     .help = "Trials of each kernel; default: GAP's, 64 of bfs and sssp, 3 of tc, 16 of "
             "others"},
    {.name = "ranks",
     .kind = MW_OPT_COUNT,
     .value = "N",
     .fallback = "1",
     .min = 1,
     .max = 1 << 22,
     .section = "machine",
     .help = "Ranks, which mpiexec starts"},
    {.name = "threads",
     .letter = 't',
     .kind = MW_OPT_COUNT,
     .value = "N",
     .min = 1,
     .max = 4096,
     .help = "Threads per rank; default: as for 'meshway run'"},
    MW_OPTIONS_MPIEXEC,
    {.name = "out",
     .letter = 'o',
     .kind = MW_OPT_TEXT,
     .value = "DIR",
     .section = "output",
     .help = "Write each kernel and graph into a file there, too, such as bfs-road.out"},
    {.name = "force",
     .letter = 'f',
     .kind = MW_OPT_FLAG,
     .help = "Replace output files that exist"},
    MW_OPTIONS_ASKED,
};

const struct mw_command mw_command_bench = {
    .name = "bench",
    .summary = "benchmarks of others, by their rules and in their form",
    .text =
        "Runs 'meshway run' as another benchmark does its own kernels, and prints times "
        "as that one does. Needs Python 3.11.",
    .example = "meshway bench gap road.wsg",
    .example_does = "the kernels of the GAP benchmark on one graph",
    MW_COMMAND_OPTIONS(bench_options),
};

const struct mw_command mw_command_bench_gap = {
    .name = "bench gap",
    .summary = "GAP's kernels, with its numbers of trials",
    .text = "Runs the kernels of the GAP benchmark on each graph: bfs and sssp from 64 "
            "roots, "
            "pr (to 1e-4, 1000 iterations at most) and cc 16 times, bc 16 times from 4 "
            "vertices, tc 3 times. Every trial is verified. Lines have GAP's form; "
            "of several blocks each has a title. Edges of files go one way, as GAP takes "
            "them, "
            "unless the format says otherwise; cc and tc go both ways. sssp needs "
            "weights and "
            "skips a file without them. What "
            "follows -- goes to 'meshway run', such as --undirected. Needs Python 3.11.",
    .example = "meshway bench gap --out out road.sg road.wsg",
    .example_does =
        "all kernels, sssp on the weighted file; times also in out/bfs-road.out ...",
    MW_COMMAND_OPTIONS(gap_options),
    .operand = {"graph"},
    .n_required = 1,
    .foreign = true,
};
