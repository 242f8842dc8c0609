/* cmd_sweep.c -- "meshway sweep": many runs, in a directory that survives anything. What is done
 * stands in tools/meshway_sweep/; here is what is said about it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/commands.h"
#include "cli/run/rates_file.h"
#include "cli/tools/python.h"

#define ANOTHER_SWEEP                                                                    \
    " ('meshway layout sweep' is another thing: it simulates mesh layouts, and runs "    \
    "nothing.)"

/* clang-format off */
#define OPTIONS_LIMITS                                                                   \
    {.name = "wall-limit", .kind = MW_OPT_REAL, .value = "TIME", .fallback = "3600",     \
     .min = 1, .max = 31536000, .section = "limits",                                     \
     .help = "End a point that has run for TIME, in seconds or as 90s, 30m, 2h; a batch job asks for 180 s more"}, \
    {.name = "grace", .kind = MW_OPT_REAL, .value = "S", .fallback = "10", .min = 0,     \
     .max = 3600, .help = "Seconds between asking a point to end (TERM) and ending it (KILL)"}, \
    {.name = "retries", .kind = MW_OPT_COUNT, .value = "N", .fallback = "1", .min = 0,   \
     .max = 100, .help = "Try a point that failed, and might not again, N more times"},  \
    {.name = "allow-mixed", .kind = MW_OPT_FLAG,                                         \
     .help = "Go on with a campaign that another build of meshway began"}

#define OPTIONS_CAMPAIGN                                                                 \
    {.name = "ranks", .kind = MW_OPT_TEXT, .value = "LIST", .section = "points",         \
     .help = "Numbers of ranks: 1,2,4 or 1..4 or 1..64*2; default: 1"},                  \
    {.name = "per-rank-scale", .kind = MW_OPT_TEXT, .value = "LIST",                     \
     .help = "Weak sweeps: SCALE of one rank's share; SCALE of a point is this and log2 of its ranks"}, \
    {.name = "preset", .kind = MW_OPT_WORD, .value = "WORD", .words = "laptop",          \
     .help = "What is not given: ranks 1 and 2, one thread each, SCALE 16 and 18 a rank, 16 roots, "     \
             "3 repetitions, 60 s a point; one rank is routed one way"},                 \
    {.name = "isolate", .kind = MW_OPT_FLAG,                                             \
     .help = "Lists that one run would take (--routing direct,relay) become points too, of one way each"}, \
    {.name = "repetitions", .kind = MW_OPT_COUNT, .value = "N",                          \
     .min = 1, .max = 10000, .help = "Points of each kind; default: 1, of a preset 3"},  \
    {.name = "seed", .kind = MW_OPT_COUNT, .value = "N", .max = INT64_MAX,               \
     .help = "Of the order in which points run; default: chosen, and recorded"},         \
    {.name = "oversubscribe", .kind = MW_OPT_FLAG,                                       \
     .help = "Run points that have more ranks than there are cores; they are stamped"},  \
    {.name = "out", .letter = 'o', .kind = MW_OPT_TEXT, .value = "DIR", .section = "campaign", \
     .help = "Directory of the campaign, which must not exist; default: sweep-KIND-UTC here"}, \
    {.name = "pass-environment", .kind = MW_OPT_TEXT, .value = "NAMES", .repeats = true, \
     .help = "Variables that points see besides the usual ones; SSH_* means all that begin so"}, \
    {.name = "trust", .kind = MW_OPT_FLAG,                                               \
     .help = "Let a sweep file name absolute paths and those with '..'"},                \
    MW_OPTIONS_RATES,                                                                    \
    {.name = "launcher", .kind = MW_OPT_WORD, .value = "WORD",                           \
     .words = "mpiexec|slurm|pbs|lsf|sunway", .fallback = "mpiexec", .section = "launcher", \
     .help = "Who starts ranks; all but mpiexec: scripts are written, for 'sweep collect'"}, \
    MW_OPTIONS_MPIEXEC,                                                                  \
    {.name = "submit", .kind = MW_OPT_FLAG, .help = "Submit the scripts that were written"}, \
    {.name = "queue", .kind = MW_OPT_TEXT, .value = "NAME",                              \
     .help = "Queue or partition of batch jobs"},                                        \
    {.name = "account", .kind = MW_OPT_TEXT, .value = "NAME", .help = "Account of batch jobs"}, \
    {.name = "ranks-per-node", .kind = MW_OPT_COUNT, .value = "N", .fallback = "1",      \
     .min = 1, .max = 65536, .help = "Ranks that batch jobs have on a node"},      \
    {.name = "node-memory", .kind = MW_OPT_BYTES, .value = "SIZE", .min = 1 << 20,       \
     .max = UINT64_C(1) << 60,                                                           \
     .help = "Memory of a node, which batch jobs ask for and plans go by: 250000Mi, a little less than "  \
             "Slurm's RealMemory; default: none is asked for"},                          \
    {.name = "gpus-per-rank", .kind = MW_OPT_COUNT, .value = "N", .min = 0, .max = 64,   \
     .help = "GPUs that batch jobs ask for, for each rank; default: 1 where the backend has devices"}, \
    {.name = "batch-line", .kind = MW_OPT_TEXT, .value = "TEXT", .repeats = true,        \
     .help = "A line more of a job's directives, as in '#SBATCH --exclusive'; may be repeated"}, \
    {.name = "preamble", .kind = MW_OPT_TEXT, .value = "FILE",                           \
     .help = "Shell lines that batch jobs run first, such as module load"}
/* clang-format on */

static const struct mw_option group_options[] = {MW_OPTIONS_ASKED};
static const struct mw_option make_options[] = {OPTIONS_CAMPAIGN, OPTIONS_LIMITS,
                                                MW_OPTIONS_ASKED};
static const struct mw_option run_options[] = {
    {.name = "file",
     .kind = MW_OPT_TEXT,
     .value = "FILE",
     .section = "sweep",
     .help = "The sweep, in TOML; docs/sweeps.md says what it may hold"},
    OPTIONS_CAMPAIGN,
    OPTIONS_LIMITS,
    MW_OPTIONS_ASKED};
static const struct mw_option plan_options[] = {
    {.name = "of",
     .kind = MW_OPT_TEXT,
     .value = "KIND|FILE",
     .section = "sweep",
     .help = "weak, strong or free, with their options; or a sweep in TOML"},
    OPTIONS_CAMPAIGN,
    OPTIONS_LIMITS,
    MW_OPTIONS_ASKED};

/* clang-format off */
#define OPTION_DIRECTORY                                                                 \
    {.name = "campaign", .kind = MW_OPT_TEXT, .value = "DIR", .section = "campaign",     \
     .help = "The campaign's directory"}
/* clang-format on */

static const struct mw_option resume_options[] = {
    OPTION_DIRECTORY,
    {.name = "submit",
     .kind = MW_OPT_FLAG,
     .help = "Submit the scripts that were written, of a campaign for a batch system"},
    OPTIONS_LIMITS,
    MW_OPTIONS_ASKED};
static const struct mw_option look_options[] = {OPTION_DIRECTORY, MW_OPTIONS_ASKED};

const struct mw_command mw_command_sweep = {
    .name = "sweep",
    .summary = "many runs, over ranks, SCALE and any option: resumable, whatever happens",
    .text =
        "Runs 'meshway run' at many points and keeps each one's result in a directory, "
        "the campaign. Killing any part of it at any moment loses nothing that was "
        "finished: 'meshway sweep resume DIR' goes on. 'meshway report DIR' makes a page "
        "of it. Needs Python 3.11." ANOTHER_SWEEP,
    .example = "meshway sweep weak --preset laptop --routing direct,relay -o first",
    .example_does = "a first campaign on one or two cores, in less than a minute; then "
                    "'meshway report first'",
    MW_COMMAND_OPTIONS(group_options),
};

const struct mw_command mw_command_sweep_weak = {
    .name = "sweep weak",
    .summary = "the graph grows with the ranks",
    .text = "Runs points whose SCALE grows with the ranks, so that each has the same "
            "share. Any "
            "option of 'meshway run' may be given too, with one value or with a list, "
            "which makes "
            "points of its values; lists that a run takes itself (--routing "
            "direct,relay) stay "
            "ways of one run, interleaved on one graph, unless --isolate." ANOTHER_SWEEP,
    .example =
        "meshway sweep weak --per-rank-scale 18 --ranks 1,2,4,8 --routing direct,relay",
    .example_does = "both routes side by side, at SCALE 18 to 21",
    MW_COMMAND_OPTIONS(make_options),
    .foreign = true,
};

const struct mw_command mw_command_sweep_strong = {
    .name = "sweep strong",
    .summary = "one graph, more and more ranks or threads",
    .text =
        "Runs points on one graph, or some, with growing ranks or threads. Any option of "
        "'meshway run' may be given too, as for 'sweep weak'." ANOTHER_SWEEP,
    .example = "meshway sweep strong --scale 20 --ranks 1,2 --threads 1,2",
    .example_does = "four points on the graph of a million vertices",
    MW_COMMAND_OPTIONS(make_options),
    .foreign = true,
};

const struct mw_command mw_command_sweep_free = {
    .name = "sweep free",
    .summary = "the product of any lists",
    .text = "Runs the product of all lists that are given, of ranks and of any option of "
            "'meshway run'." ANOTHER_SWEEP,
    .example = "meshway sweep free --scale 14..18 --tune batch=16Ki+64Ki --ranks 2",
    .example_does = "ten points: five sizes of graph, two of batches",
    MW_COMMAND_OPTIONS(make_options),
    .foreign = true,
};

const struct mw_command mw_command_sweep_run = {
    .name = "sweep run",
    .summary = "what a file says, in TOML",
    .text = "Runs the sweep that a TOML file describes; options on the command line "
            "win." ANOTHER_SWEEP,
    .example = "meshway sweep run nightly.toml -o nightly",
    .example_does = "the points of the file, in the new directory 'nightly'",
    MW_COMMAND_OPTIONS(run_options),
    .operand = {"file"},
    .n_required = 1,
    .foreign = true,
};

const struct mw_command mw_command_sweep_plan = {
    .name = "sweep plan",
    .summary = "which points, what they will need and take; runs none",
    .text =
        "Lists the points of a sweep with the memory and the time that are predicted for "
        "them, and what would be refused and why. Nothing is written." ANOTHER_SWEEP,
    .example = "meshway sweep plan weak --per-rank-scale 18 --ranks 1,2,4,8",
    .example_does = "the same options as for the sweep, which is not run",
    MW_COMMAND_OPTIONS(plan_options),
    .operand = {"of"},
    .n_required = 1,
    .foreign = true,
};

const struct mw_command mw_command_sweep_resume = {
    .name = "sweep resume",
    .summary = "goes on with a campaign, however it ended",
    .text =
        "Runs the points of a campaign that have no valid result: those that were not "
        "reached, were cut off, failed, or whose files were damaged. Earlier tries are "
        "kept." ANOTHER_SWEEP,
    .example = "meshway sweep resume first",
    .example_does = "what is missing in the campaign 'first'",
    MW_COMMAND_OPTIONS(resume_options),
    .operand = {"campaign"},
    .n_required = 1,
    .foreign = true,
};

const struct mw_command mw_command_sweep_status = {
    .name = "sweep status",
    .summary = "what is done, refused, failed and why",
    .text =
        "Lists the points of a campaign and what became of them. May be asked while it "
        "runs." ANOTHER_SWEEP,
    .example = "meshway sweep status first",
    .example_does = "a line for each point; code 0 if nothing is left to be run",
    MW_COMMAND_OPTIONS(look_options),
    .operand = {"campaign"},
    .n_required = 1,
    .foreign = true,
};

const struct mw_command mw_command_sweep_collect = {
    .name = "sweep collect",
    .summary = "takes in what batch jobs have written",
    .text =
        "Looks at what the jobs of a campaign for a batch system left behind, checks it, "
        "and makes the campaign what it would be if it had run here." ANOTHER_SWEEP,
    .example = "meshway sweep collect big",
    .example_does = "results of jobs that are through; to be repeated when others are",
    MW_COMMAND_OPTIONS(look_options),
    .operand = {"campaign"},
    .n_required = 1,
    .foreign = true,
};
