/* cmd_gen.c -- "meshway gen": a Kronecker edge list into a file, piece by piece.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/escape.h"
#include "cli/commands.h"
#include "cli/launch.h"
#include "cli/run/graph_options.h"
#include "cli/run/kronecker.h"
#include "cli/session.h"
#include "io/outfile.h"
#include "io/writer.h"

enum { PIECE = 1 << 20 }; /* edges in memory at a time */

/* clang-format off */
static const struct mw_option options[] = {
    MW_OPTION_SCALE,
    MW_OPTIONS_KRONECKER,
    {.name = "output", .letter = 'o', .kind = MW_OPT_TEXT, .value = "FILE",
     .section = "output", .help = "The file to write; -: standard output"},
    {.name = "to", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = MW_WRITTEN_WORDS,
     .help = "Its format; auto goes by the name: " MW_WRITTEN_NAMES
             "; .gz or .zst behind it packs; packed12 is the reference's TMPFILE"},
    {.name = "base", .kind = MW_OPT_WORD, .value = "N", .fallback = "0", .words = "0|1",
     .help = "What a text edge list calls the first vertex"},
    {.name = "weights", .kind = MW_OPT_FLAG,
     .help = "Write the weights of kernel 3, too; of packed edges as FILE.weights"},
    {.name = "force", .letter = 'f', .kind = MW_OPT_FLAG,
     .help = "Replace the file if it exists"},
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {MW_CONFLICTS_COMMON};
/* clang-format on */

static int write_pieces(const struct mw_kronecker *k, struct mw_edges *piece,
                        struct mw_writer *w)
{
    for (uint64_t first = 0; first < k->n_edges; first += piece->n) {
        if (mw_signals_stop())
            return mw_fail(MW_ERR_INTERRUPTED, "interrupted (%s); no file was written",
                           mw_signals_reason());
        piece->n = mw_min(PIECE, k->n_edges - first);
        mw_kronecker_weighted_edges(k, first, piece->n, piece->narrow, piece->wide,
                                    piece->weight);
        const int rc = mw_write_edges(w, piece);
        if (rc < MW_OK)
            return rc;
    }
    return MW_OK;
}

static int generate(const struct mw_settings *s)
{
    char shown[MW_SHOWN_ROOM];
    int rc;
    uint64_t n_edges;
    struct mw_kronecker k;
    struct mw_edges piece = {0};
    struct mw_writer *w = NULL;
    const uint32_t scale = (uint32_t)mw_setting_number(s, "scale");
    const uint64_t seed[2] = {mw_setting_number(s, "seed1"),
                              mw_setting_number(s, "seed2")};
    struct mw_write_conf conf = {
        .directed = MW_DIRECTED_NO,
        .n_vertices = UINT64_C(1) << scale,
        .base = (int)mw_setting_number(s, "base"),
        .force = mw_setting_number(s, "force") != 0,
    };
    MW_TRY(rc, mw_graph_output_conf(s, &conf));
    MW_TRY(rc, mw_kronecker_size(s, &n_edges));
    conf.n_edges = n_edges;
    conf.weights = mw_setting_number(s, "weights") != 0;
    if (conf.weights && (!mw_format_weighs(conf.format) || conf.format == MW_FORMAT_WSG))
        MW_TRY(rc, mw_fail(MW_ERR_USAGE, "%s: %s has no weights from 0 to 1", conf.path,
                           mw_format_title(conf.format)));
    MW_TRY(rc, mw_kronecker_init(&k, scale, n_edges, seed));
    MW_TRY(rc, mw_write_begin(&conf, &w));
    MW_TRY(rc, mw_edges_init(&piece, conf.n_vertices, mw_min(PIECE, n_edges)));
    if (conf.weights)
        MW_TRY(rc, mw_edges_weigh(&piece));
    MW_TRY(rc, write_pieces(&k, &piece, w));
    rc = mw_write_end(w);
    w = NULL;
    if (rc == MW_OK && mw_setting_number(s, "quiet") == 0)
        fprintf(mw_outfile_is_direct(conf.path) ? stderr : stdout,
                "meshway: %s: %llu edges of %llu vertices, %s\n",
                mw_shown(conf.path, shown), (unsigned long long)n_edges,
                (unsigned long long)conf.n_vertices, mw_format_title(conf.format));
end:
    mw_write_abandon(w);
    mw_edges_fini(&piece);
    return rc;
}

static int gen_main(const struct mw_settings *s)
{
    struct mw_launch launch;
    if (!mw_session_alone())
        return MW_OK; /* one process does it, also under mpiexec */
    mw_launch_read(&launch);
    const int rc = mw_signals_install(&launch, 0);
    return rc == MW_OK ? generate(s) : rc;
}

const struct mw_command mw_command_gen = {
    .name = "gen",
    .summary = "write the benchmark's Kronecker edge list to a file",
    .text =
        "Writes the edge list that the benchmark would generate for SCALE, edge factor "
        "and seeds, bit for bit that of the Graph500 reference. One process does it.",
    .example = "meshway gen 16 edges.bin",
    .example_does = "a million edges in the reference's packed form, 12 bytes each",
    .option = options,
    .n_options = sizeof options / sizeof *options,
    .conflict = conflicts,
    .n_conflicts = sizeof conflicts / sizeof *conflicts,
    .operand = {"scale", "output"},
    .n_required = 2,
    .main = gen_main,
};
