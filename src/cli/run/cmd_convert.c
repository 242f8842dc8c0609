/* cmd_convert.c -- "meshway convert": from one graph format into another, in pieces, so
 * that a file larger than memory can be converted (but not into .sg: writer.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/escape.h"
#include "base/plural.h"
#include "cli/commands.h"
#include "cli/file_check.h"
#include "cli/run/graph_options.h"
#include "cli/run/graph_source.h"
#include "cli/session.h"
#include "io/outfile.h"
#include "io/writer.h"

static const uint64_t piece_bytes = UINT64_C(64) << 20; /* of the input, at a time */

/* clang-format off */
static const struct mw_option options[] = {
    {.name = "input", .letter = 'i', .kind = MW_OPT_TEXT, .value = "INPUT",
     .section = "input", .help = "The graph to read"},
    {.name = "format", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = MW_FORMAT_WORDS, .help = "Its format; auto looks at the content"},
    {.name = "base", .kind = MW_OPT_WORD, .value = "N", .fallback = "0", .words = "0|1",
     .help = "What it calls its first vertex, if its format leaves it open"},
    {.name = "vertices", .kind = MW_OPT_COUNT, .value = "N", .min = 1,
     .max = UINT64_C(1) << 48, .help = "Number of vertices where the file does not say it"},
    MW_OPTION_UNPACK,
    {.name = "directed", .kind = MW_OPT_FLAG,
     .help = "Its edges go one way, from the first vertex to the second, although no header says so"},
    {.name = "undirected", .kind = MW_OPT_FLAG,
     .help = "Its edges go both ways, whatever it says"},
    MW_OPTIONS_COLUMNS,
    {.name = "output", .letter = 'o', .kind = MW_OPT_TEXT, .value = "OUTPUT",
     .section = "output", .help = "The file to write; -: standard output"},
    {.name = "to", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = MW_WRITTEN_WORDS,
     .help = "Its format; auto goes by the name: " MW_WRITTEN_NAMES
             "; .gz or .zst behind it packs"},
    {.name = "to-base", .kind = MW_OPT_WORD, .value = "N", .fallback = "0", .words = "0|1",
     .help = "What a text edge list shall call the first vertex"},
    {.name = "weights", .kind = MW_OPT_FLAG,
     .help = "Keep the weights; 1 where the input has none; a .wsg has them anyhow"},
    {.name = "force", .letter = 'f', .kind = MW_OPT_FLAG,
     .help = "Replace the output if it exists"},
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {MW_CONFLICT_DIRECTED, MW_CONFLICTS_COMMON};
/* clang-format on */

/* Reads part after part and hands each to the writer, if there is one. */
static int copy_parts(struct mw_read_conf *from, uint32_t n_parts, struct mw_writer *w,
                      struct mw_file_facts *whole, uint64_t *n_edges)
{
    int rc = MW_OK;
    *n_edges = 0;
    from->n_parts = n_parts;
    for (from->part = 0; from->part < n_parts && rc == MW_OK; from->part++) {
        struct mw_edges edges = {0};
        struct mw_file_facts facts;
        if (mw_signals_stop())
            return mw_fail(MW_ERR_INTERRUPTED, "interrupted (%s); no file was written",
                           mw_signals_reason());
        rc = mw_read_graph(from, &edges, &facts);
        if (rc != MW_OK)
            return rc;
        if (from->part == 0)
            *whole = facts;
        else
            mw_facts_merge(whole, &facts);
        *n_edges += edges.n;
        rc = w != NULL ? mw_write_edges(w, &edges) : MW_OK;
        mw_edges_fini(&edges);
    }
    return rc == MW_OK ? mw_facts_check(from, whole) : rc;
}

/* What the output says of direction that the input does not, or the other way round. */
static const char *lost_direction(enum mw_directed from, enum mw_format to)
{
    if ((to == MW_FORMAT_PACKED12 || to == MW_FORMAT_PACKED16) && from == MW_DIRECTED_YES)
        return "packed edges keep their order, but the file does not say that they have "
               "a "
               "direction";
    if ((to == MW_FORMAT_SG || to == MW_FORMAT_WSG) && from == MW_DIRECTED_UNSAID)
        return "nothing says whether the edges have a direction; the output says that "
               "its "
               "edges have none";
    if (to == MW_FORMAT_MTX && from == MW_DIRECTED_UNSAID)
        return "nothing says whether the edges have a direction; the output says that "
               "they "
               "have one (general)";
    return NULL;
}

/* What the output is to say of direction: what the input says, unless the options know better. */
static enum mw_directed direction(const struct mw_settings *s,
                                  const struct mw_file_facts *facts)
{
    const enum mw_directed asked = mw_graph_input_asked(s);
    if (asked == MW_DIRECTED_YES && !mw_facts_one_way(facts))
        return MW_DIRECTED_NO;
    return asked != MW_DIRECTED_UNSAID ? asked : facts->directed;
}

static void say_note(void *arg, const char *note)
{
    (void)arg;
    char shown[MW_SHOWN_ROOM];
    fprintf(stderr, "meshway: note: %s\n", mw_shown(note, shown));
}

/* What became of the weights. */
static void say_weights(const struct mw_read_conf *from, const struct mw_write_conf *to,
                        const struct mw_file_facts *facts)
{
    char note[MW_SHOWN_ROOM] = "";
    if (!from->weights && facts->weighted)
        snprintf(note, sizeof note, "%s: weights and further columns are dropped%s",
                 from->path,
                 mw_format_weighs(to->format) ? "; --weights keeps weights" : "");
    else if (from->weights && !facts->has_weights)
        snprintf(note, sizeof note, "%s: it has no weights; all are 1", from->path);
    else if (facts->n_rounded > 0)
        snprintf(note, sizeof note, "%s: %llu %s rounded to 32-bit floats", from->path,
                 (unsigned long long)facts->n_rounded,
                 mw_plural(facts->n_rounded, "weight was", "weights were"));
    if (note[0] != '\0')
        say_note(NULL, note);
}

/* What became of the graph on the way. */
static void say_notes(const struct mw_settings *s, const struct mw_read_conf *from,
                      const struct mw_write_conf *to, const struct mw_file_facts *facts)
{
    char note[MW_SHOWN_ROOM] = "";
    const char *lost = lost_direction(to->directed, to->format);
    if (mw_graph_input_asked(s) == MW_DIRECTED_YES)
        mw_graph_input_one_way(facts, from->path, MW_DIRECTED_YES, note, sizeof note);
    if (note[0] != '\0')
        say_note(NULL, note);
    say_weights(from, to, facts);
    if (lost != NULL) {
        snprintf(note, sizeof note, "%s: %s", to->path, lost);
        say_note(NULL, note);
    }
    mw_graph_input_notes(from, MW_NAMED_COUNTED, facts, mw_graph_input_bound(facts),
                         say_note, NULL);
}

static int convert(const struct mw_settings *s)
{
    int rc;
    uint64_t n_edges;
    char in[MW_SHOWN_ROOM], out[MW_SHOWN_ROOM];
    struct mw_file_facts facts;
    struct mw_writer *w = NULL;
    struct mw_input file = {.fd = -1};
    struct mw_read_conf from = mw_graph_input_conf(s, &file);
    struct mw_write_conf to = {
        .base = (int)mw_setting_number(s, "to-base"),
        .force = mw_setting_number(s, "force") != 0,
    };
    MW_TRY(rc, mw_graph_output_conf(s, &to));
    to.weights = from.weights =
        to.format == MW_FORMAT_WSG || mw_setting_number(s, "weights") != 0;
    if (to.weights && !mw_format_weighs(to.format))
        MW_TRY(rc, mw_fail(MW_ERR_USAGE, "%s: %s has no weights; a .wsg has", to.path,
                           mw_format_title(to.format)));
    MW_TRY(rc, mw_outputs_spare(&to.path, 1, mw_setting_text(s, "input")));
    MW_TRY(rc, mw_source_of(NULL, s, "input", &file));
    MW_TRY(rc, mw_read_facts(&from, &facts));
    const uint32_t n_parts = (uint32_t)(1 + facts.bytes / piece_bytes);
    if (mw_write_announces(&to)) /* so they are counted first */
        MW_TRY(rc, copy_parts(&from, n_parts, NULL, &facts, &to.n_edges));
    to.n_vertices = facts.n_vertices;
    to.directed = direction(s, &facts);
    MW_TRY(rc, mw_write_begin(&to, &w));
    MW_TRY(rc, copy_parts(&from, n_parts, w, &facts, &n_edges));
    if (to.format == MW_FORMAT_SG ||
        to.format == MW_FORMAT_WSG) /* which has a row for every vertex */
        MW_TRY(rc, mw_graph_input_judge(&from, &facts, "--vertices"));
    rc = mw_write_end(w);
    w = NULL;
    if (rc == MW_OK && mw_setting_number(s, "quiet") == 0)
        say_notes(s, &from, &to, &facts);
    if (rc == MW_OK && mw_setting_number(s, "quiet") == 0)
        fprintf(mw_outfile_is_direct(to.path) ? stderr : stdout,
                "meshway: %s (%s) -> %s (%s): %llu %s, %llu %s\n",
                mw_shown(from.path, in), mw_format_title(facts.format),
                mw_shown(to.path, out), mw_format_title(to.format),
                (unsigned long long)facts.n_read,
                mw_plural(facts.n_read, "edge", "edges"),
                (unsigned long long)facts.n_vertices,
                mw_plural(facts.n_vertices, "vertex", "vertices"));
end:
    mw_write_abandon(w);
    mw_input_close(&file);
    return rc;
}

static int convert_main(const struct mw_settings *s)
{
    return mw_session_by_one(s, convert);
}

const struct mw_command mw_command_convert = {
    .name = "convert",
    .summary = "convert a graph between file formats",
    .text =
        "Reads a graph in one format, which is detected by content, and writes it in "
        "another: Matrix Market, text edge lists, Graph500 packed edges of 12 or 16 "
        "bytes, GAP .sg and .wsg. Weights are kept if asked for. One process does it.",
    .example = "meshway convert web.mtx web.sg",
    .example_does = "a Matrix Market file for the GAP benchmark suite",
    MW_COMMAND_OPTIONS(options),
    MW_COMMAND_CONFLICTS(conflicts),
    .operand = {"input", "output"},
    .n_required = 2,
    .main = convert_main,
};
