/* cmd_gen.c -- "meshway gen": an edge list into a file, piece by piece: the benchmark's Kronecker graph,
 * or one of the families (family.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/escape.h"
#include "cli/commands.h"
#include "cli/run/family_options.h"
#include "cli/run/graph_options.h"
#include "cli/run/kronecker.h"
#include "cli/session.h"
#include "graph/digest.h"
#include "io/outfile.h"
#include "io/writer.h"

enum { PIECE = 1 << 20 }; /* edges in memory at a time */

/* clang-format off */
static const struct mw_option options[] = {
    MW_OPTION_SCALE,
    MW_OPTIONS_KRONECKER,
    MW_OPTIONS_FAMILY,
    {.name = "output", .letter = 'o', .kind = MW_OPT_TEXT, .value = "FILE",
     .section = "output", .help = "The file to write; -: standard output"},
    {.name = "to", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = MW_WRITTEN_WORDS,
     .help = "Its format; auto goes by the name: " MW_WRITTEN_NAMES
             "; .gz or .zst behind it packs; packed12 is the reference's TMPFILE"},
    {.name = "base", .kind = MW_OPT_WORD, .value = "N", .fallback = "0", .words = "0|1",
     .help = "What a text edge list calls the first vertex"},
    {.name = "weights", .kind = MW_OPT_FLAG,
     .help = "Write weights, too: kernel 3's, of other kinds 1 to 255; of packed edges as "
             "FILE.weights"},
    {.name = "force", .letter = 'f', .kind = MW_OPT_FLAG,
     .help = "Replace the file if it exists"},
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {MW_CONFLICTS_FAMILY, MW_CONFLICTS_COMMON};
/* clang-format on */

/* A list that is made: one of the two, and what is known of it beforehand. */
struct listing {
    bool of_family;
    struct mw_kronecker kronecker;
    struct mw_family family;
    uint64_t n_vertices, n_edges; /* n_edges 0: nobody has counted them */
    uint64_t n_parts;             /* edges, or a family's origins */
    uint64_t piece;               /* of them made at a time */
};

static int open_kronecker(const struct mw_settings *s, struct listing *l)
{
    const uint32_t scale = (uint32_t)mw_setting_number(s, "scale");
    const uint64_t seed[2] = {mw_setting_number(s, "seed1"),
                              mw_setting_number(s, "seed2")};
    MW_NEED(mw_kronecker_size(s, &l->n_edges));
    MW_NEED(mw_kronecker_init(&l->kronecker, scale, l->n_edges, seed));
    l->n_vertices = UINT64_C(1) << scale;
    l->n_parts = l->n_edges;
    l->piece = mw_min(PIECE, l->n_edges);
    return MW_OK;
}

static int open_family(const struct mw_settings *s, struct listing *l)
{
    struct mw_family_conf conf;
    MW_NEED(mw_family_settings(s, &conf));
    MW_NEED(mw_family_init(&l->family, &conf));
    l->of_family = true;
    l->n_vertices = l->family.n_vertices;
    l->n_edges = l->family.n_edges;
    l->n_parts = l->family.n_origins;
    l->piece = PIECE / mw_min(PIECE, l->family.per_origin);
    return MW_OK;
}

static int make_piece(const struct listing *l, uint64_t first, uint64_t n,
                      struct mw_edges *piece)
{
    piece->n = l->of_family ? 0 : n;
    if (l->of_family)
        return mw_family_edges(&l->family, first, n, piece);
    mw_kronecker_weighted_edges(&l->kronecker, first, n, piece->narrow, piece->wide,
                                piece->weight);
    return MW_OK;
}

static void digest_piece(const struct mw_edges *piece, struct mw_digest *d)
{
    for (uint64_t i = 0; i < piece->n; i++) {
        mw_vid u, v;
        mw_edges_get(piece, i, &u, &v);
        mw_digest_add(d, u, v);
        if (piece->weight != NULL)
            mw_digest_add_weight(d, u, v, piece->weight[i]);
    }
}

/* All pieces, into a file or, where `w` is NULL, only to count their edges. */
static int make_pieces(struct listing *l, struct mw_edges *piece, struct mw_writer *w,
                       struct mw_digest *digest)
{
    uint64_t n, n_edges = 0;
    for (uint64_t first = 0; first < l->n_parts; first += n) {
        if (mw_signals_stop())
            return mw_fail(MW_ERR_INTERRUPTED, "interrupted (%s); no file was written",
                           mw_signals_reason());
        n = mw_min(l->piece, l->n_parts - first);
        int rc = make_piece(l, first, n, piece);
        if (rc == MW_OK && w != NULL) {
            digest_piece(piece, digest);
            rc = mw_write_edges(w, piece);
        }
        if (rc < MW_OK)
            return rc;
        n_edges += piece->n;
    }
    l->n_edges = n_edges;
    return MW_OK;
}

static void report(const struct listing *l, const struct mw_write_conf *conf,
                   const struct mw_digest *digest)
{
    char shown[MW_SHOWN_ROOM], text[MW_DIGEST_TEXT];
    mw_digest_text(digest, text);
    fprintf(mw_outfile_is_direct(conf->path) ? stderr : stdout,
            "meshway: %s: %llu edges of %llu vertices, %s\n"
            "meshway: digest %s\n",
            mw_shown(conf->path, shown), (unsigned long long)l->n_edges,
            (unsigned long long)l->n_vertices, mw_format_title(conf->format), text);
}

/* Whether the format has the weights that are asked for, if any: are they `whole` numbers? */
static int check_weights(const struct mw_write_conf *conf, bool whole)
{
    const enum mw_format format = conf->format;
    if (conf->weights &&
        (!mw_format_weighs(format) || (format == MW_FORMAT_WSG && !whole)))
        return mw_fail(MW_ERR_USAGE, "%s: %s has no weights%s", conf->path,
                       mw_format_title(format), whole ? "" : " from 0 to 1");
    return MW_OK;
}

static int write_list(const struct mw_settings *s, struct mw_write_conf *conf,
                      struct listing *l)
{
    int rc;
    struct mw_edges piece = {0};
    struct mw_writer *w = NULL;
    struct mw_digest digest = {0, 0, 0, 0};
    conf->n_vertices = l->n_vertices;
    MW_TRY(rc, mw_edges_init(&piece, l->n_vertices, l->piece));
    if (l->n_edges == 0 && mw_write_announces(conf))
        MW_TRY(rc, make_pieces(l, &piece, NULL, NULL));
    conf->n_edges = l->n_edges;
    MW_TRY(rc, mw_write_begin(conf, &w));
    if (conf->weights)
        MW_TRY(rc, mw_edges_weigh(&piece));
    MW_TRY(rc, make_pieces(l, &piece, w, &digest));
    rc = mw_write_end(w);
    w = NULL;
    if (rc == MW_OK && mw_setting_number(s, "quiet") == 0)
        report(l, conf, &digest);
end:
    mw_write_abandon(w);
    mw_edges_fini(&piece);
    return rc;
}

static int generate(const struct mw_settings *s)
{
    int rc;
    struct listing l = {.of_family = false};
    struct mw_write_conf conf = {
        .directed = MW_DIRECTED_NO,
        .base = (int)mw_setting_number(s, "base"),
        .force = mw_setting_number(s, "force") != 0,
        .weights = mw_setting_number(s, "weights") != 0,
    };
    MW_TRY(rc, mw_graph_output_conf(s, &conf));
    MW_TRY(rc, check_weights(&conf, mw_family_asked(s)));
    MW_TRY(rc, mw_family_asked(s) ? open_family(s, &l) : open_kronecker(s, &l));
    rc = write_list(s, &conf, &l);
end:
    mw_family_fini(&l.family);
    return rc;
}

static int gen_main(const struct mw_settings *s)
{
    return mw_session_by_one(s, generate);
}

const struct mw_command mw_command_gen = {
    .name = "gen",
    .summary = "write the benchmark's Kronecker graph, a grid or roads to a file",
    .text =
        "Writes the edge list that the benchmark would generate for SCALE, edge factor "
        "and seeds, bit for bit that of the Graph500 reference. With --kind a grid, "
        "roads "
        "(a grid that lacks edges), points that are near each other (geometric), or "
        "pairs "
        "of vertices (uniform). The same words and seeds give the same edges everywhere; "
        "a "
        "digest of them is printed, and info prints it too. One process does it.",
    .example = "meshway gen 16 edges.bin",
    .example_does = "a million edges in the reference's packed form, 12 bytes each",
    MW_COMMAND_OPTIONS(options),
    MW_COMMAND_CONFLICTS(conflicts),
    .operand = {"scale", "output"},
    .n_required = 2,
    .first_by = "kind",
    .first_else = "size",
    .main = gen_main,
};
