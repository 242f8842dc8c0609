/* graph_options.c -- see graph_options.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/graph_options.h"

#include "base/plural.h"
#include "base/sizes.h"
#include "cli/run/pack.h"
#include "cli/session.h"
#include "io/outfile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Of an option that not every command has. */
static uint64_t number_if_any(const struct mw_settings *s, const char *name)
{
    return mw_option_find(s->command, name) != NULL ? mw_setting_number(s, name) : 0;
}

enum mw_naming mw_graph_input_naming(const struct mw_settings *s,
                                     const struct mw_read_conf *conf)
{
    if (conf->names)
        return MW_NAMED_TEXTS;
    return number_if_any(s, "compact-ids") != 0 ||
                   conf->input->converted == MW_CONVERTED_NODES
               ? MW_NAMED_IDS
               : MW_NAMED_COUNTED;
}

struct mw_read_conf mw_graph_input_conf(const struct mw_settings *s,
                                        const struct mw_input *file)
{
    static const char separators[] = {'\0', ',', ';', '\t', ' '};
    struct mw_read_conf conf = {
        .path = file->name,
        .input = file,
        .format = (enum mw_format)mw_setting_number(s, "format"),
        .base = (int)mw_setting_number(s, "base"),
        .base_given = mw_setting_given(s, "base"),
        .n_vertices = mw_setting_number(s, "vertices"),
        .header = (enum mw_header)number_if_any(s, "header"),
        .separator = separators[number_if_any(s, "separator")],
    };
    if (mw_option_find(s->command, "weight-column") != NULL)
        conf.weight_title = mw_setting_text(s, "weight-column");
    if (mw_option_find(s->command, "vertex-file") != NULL)
        conf.vertices = mw_setting_text(s, "vertex-file");
    conf.names = number_if_any(s, "names") != 0;
    if (file->converted)
        conf.header = MW_HEADER_YES;
    if (conf.format == MW_FORMAT_AUTO && conf.names)
        conf.format = MW_FORMAT_EDGES;
    if (mw_option_find(s->command, "names") != NULL)
        mw_read_look(&conf);
    return conf;
}

enum mw_directed mw_graph_input_asked(const struct mw_settings *s)
{
    if (number_if_any(s, "directed") != 0)
        return MW_DIRECTED_YES;
    return number_if_any(s, "undirected") != 0 ? MW_DIRECTED_NO : MW_DIRECTED_UNSAID;
}

bool mw_graph_input_one_way(const struct mw_file_facts *facts, const char *path,
                            enum mw_directed asked, char *note, size_t room)
{
    static const char both[] = "each is gone along both ways";
    const enum mw_directed said = facts->directed;
    const bool one_way = asked == MW_DIRECTED_YES && mw_facts_one_way(facts);
    note[0] = '\0';
    if (one_way && said == MW_DIRECTED_NO)
        snprintf(note, room,
                 "%s: a comment says that its edges have no direction, but --directed "
                 "goes along each of them one way",
                 path);
    else if (asked == MW_DIRECTED_YES && !one_way)
        snprintf(note, room,
                 "%s: its edges have no direction, so --directed changes nothing: %s",
                 path, both);
    else if (asked == MW_DIRECTED_UNSAID && said != MW_DIRECTED_NO)
        snprintf(note, room,
                 "%s: %s: %s; --directed goes along them one way, --undirected says that "
                 "both are meant",
                 path,
                 said == MW_DIRECTED_YES
                     ? "its edges have a direction, which is not looked at"
                     : "nothing says whether its edges have a direction",
                 both);
    return one_way;
}

/* ---- what does not fit together ---- */

struct mw_occurring mw_graph_input_bound(const struct mw_file_facts *facts)
{
    return (struct mw_occurring){
        0, mw_min(facts->n_vertices, mw_saturating_times(2, facts->n_read))};
}

struct mw_occurring mw_graph_input_count(const struct mw_graph_input *g,
                                         uint64_t n_connected)
{
    const uint64_t n = g->facts.n_vertices;
    if (g->names.naming != MW_NAMED_COUNTED) /* the others are no vertices */
        return (struct mw_occurring){n, n};
    return (struct mw_occurring){n_connected,
                                 mw_min(n, n_connected + g->facts.n_self_loops)};
}

/* Whom notes go to. */
struct notes {
    const char *path;
    void (*say)(void *arg, const char *note);
    void *arg;
};

static void say(const struct notes *to, const char *fmt, ...) MW_PRINTF(2, 3);

static void say(const struct notes *to, const char *fmt, ...)
{
    char text[512], note[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    snprintf(note, sizeof note, "%s: %s", to->path, text);
    to->say(to->arg, note);
}

/* A header that gives n counts vertices without edges, too: only others are compared. */
static void note_header(const struct notes *to, const struct mw_file_facts *f,
                        struct mw_occurring occurring)
{
    const uint64_t said = f->said_vertices;
    const bool exact = occurring.least == occurring.most;
    const char *const word = mw_plural(said, "vertex", "vertices");
    if (said != f->n_vertices && said > occurring.most)
        say(to, "a comment says %" PRIu64 " %s, but %s%" PRIu64 " occur", said, word,
            exact ? "" : "at most ", occurring.most);
    else if (said != 0 && said < occurring.least)
        say(to, "a comment says %" PRIu64 " %s, but %s%" PRIu64 " occur", said, word,
            exact ? "" : "at least ", occurring.least);
    if (f->said_edges != 0 && f->said_edges != f->n_read)
        say(to, "a comment says %" PRIu64 " %s, but the file has %" PRIu64, f->said_edges,
            mw_plural(f->said_edges, "edge", "edges"), f->n_read);
}

/* Vertices up to the greatest number of a list that nobody has said to be there. */
static void note_sparse(const struct notes *to, const struct mw_file_facts *f,
                        struct mw_occurring occurring)
{
    const uint64_t n = f->n_vertices, n_absent = n - occurring.most;
    if (n_absent > occurring.most)
        say(to,
            "%s%" PRIu64 " of the %" PRIu64 " vertices %" PRIu64 "..%" PRIu64
            " do not occur and are isolated; run and info leave them out with "
            "--compact-ids",
            occurring.least == occurring.most ? "" : "at least ", n_absent, n, f->base,
            f->base + n - 1);
}

void mw_graph_input_notes(const struct mw_read_conf *conf, enum mw_naming naming,
                          const struct mw_file_facts *facts,
                          struct mw_occurring occurring,
                          void (*sayer)(void *arg, const char *note), void *arg)
{
    const struct notes to = {conf->path, sayer, arg};
    const bool explained =
        conf->n_vertices != 0 || facts->said_vertices == facts->n_vertices;
    if (conf->names_by_look && !conf->input->converted)
        say(&to, "its vertices are taken for names; --format edges reads numbers only");
    if (facts->skipped_titles)
        say(&to, "its first line is taken for titles; --header no reads it as an edge");
    note_header(&to, facts, occurring);
    if (naming == MW_NAMED_COUNTED && !explained && mw_format_lists(facts->format))
        note_sparse(&to, facts, occurring);
}

void mw_graph_input_say(void *session, const char *note)
{
    mw_session_say(session, "meshway: note: %s", note);
}

const char *mw_graph_input_unused(const struct mw_file_facts *facts)
{
    if (!facts->weighted)
        return NULL;
    return facts->format == MW_FORMAT_EDGES
               ? "columns besides the two vertices (weights, times) are not used by "
                 "this algorithm and are dropped"
               : "weights are not used by this algorithm and are dropped";
}

static bool ends_in(const char *path, size_t length, const char *end)
{
    const size_t n = strlen(end);
    return length > n && strncmp(path + length - n, end, n) == 0;
}

/* "gzip" of "x.el.gz", whose length becomes that of "x.el". */
static const char *packing_of_name(const char *path, size_t *length)
{
    static const struct {
        const char *end, *packing;
    } known[] = {{".gz", "gzip"},
                 {".zst", "zstd"},
                 {".xz", "xz"},
                 {".bz2", "bzip2"},
                 {".lz4", "lz4"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ends_in(path, *length, known[i].end)) {
            *length -= strlen(known[i].end);
            return known[i].packing;
        }
    return NULL;
}

/* MW_FORMAT_AUTO: it promises none. */
static enum mw_format format_of_name(const char *path, size_t length)
{
    static const struct {
        const char *end;
        enum mw_format format;
    } known[] = {
        {".mtx", MW_FORMAT_MTX},           {".el", MW_FORMAT_EDGES},
        {".txt", MW_FORMAT_EDGES},         {".csv", MW_FORMAT_EDGES},
        {".tsv", MW_FORMAT_EDGES},         {".sg", MW_FORMAT_SG},
        {".wsg", MW_FORMAT_WSG},           {".bin", MW_FORMAT_PACKED12},
        {".packed12", MW_FORMAT_PACKED12}, {".packed16", MW_FORMAT_PACKED16},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ends_in(path, length, known[i].end))
            return known[i].format;
    return MW_FORMAT_AUTO;
}

static enum mw_format format_of_output(const char *path, size_t length)
{
    const enum mw_format named = format_of_name(path, length);
    const bool has_no_name = path[length] == '\0' && mw_outfile_is_direct(path);
    return named == MW_FORMAT_AUTO && has_no_name ? MW_FORMAT_PACKED12 : named;
}

int mw_graph_output_conf(const struct mw_settings *s, struct mw_write_conf *conf)
{
    conf->path = mw_setting_text(s, "output");
    size_t length = strlen(conf->path);
    conf->packing = packing_of_name(conf->path, &length);
    conf->packer = conf->packing != NULL ? &mw_packer : NULL;
    conf->format = (enum mw_format)mw_setting_number(s, "to");
    if (conf->format == MW_FORMAT_AUTO)
        conf->format = format_of_output(conf->path, length);
    return conf->format != MW_FORMAT_AUTO
               ? MW_OK
               : mw_fail(MW_ERR_USAGE,
                         "%s: its name says no format that can be written; these "
                         "do: " MW_WRITTEN_NAMES " (.gz, .zst, .xz, .bz2 or .lz4 behind "
                         "them packs); or --to WORD says it",
                         conf->path);
}

const char *mw_packing_of_name(const char *path)
{
    size_t length = strlen(path);
    return packing_of_name(path, &length);
}
