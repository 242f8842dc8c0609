/* graph_file.c -- graphs of files for the library's users: how a file is read, by keys, and what it calls
 * its vertices.
 *
 * Inside, and at this interface, vertices count from 0. Names stand beside the graph, in a table of
 * each host (io/names.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/handles.h"

#include "io/foreign.h"
#include "io/input.h"
#include "traversal/keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

MW_STATIC_ASSERT((int)MESHWAY_COUNTED == (int)MW_NAMED_COUNTED &&
                     (int)MESHWAY_IDS == (int)MW_NAMED_IDS &&
                     (int)MESHWAY_NAMES == (int)MW_NAMED_TEXTS,
                 "kinds of names are passed through");

/* ---- How it is read ---------------------------------------------------------------------- */

struct read_options {
    uint32_t names, base, separator; /* of their words */
    bool compact_ids;
    enum mw_format format;
    enum mw_header header;
    char weight_column[MW_API_TITLE_ROOM]; /* "": a usual one */
};

#define FIELD(field) MW_KEY_FIELD(struct read_options, field)
#define WORD         .kind = MW_KEY_WORD
enum { NAMES_AUTO, NAMES_YES, BASE_0 = 1 };

static int parse_title(const char *who, const char *text, void *options)
{
    struct read_options *const o = options;
    const int n = snprintf(o->weight_column, sizeof o->weight_column, "%s", text);
    return n < (int)sizeof o->weight_column
               ? MW_OK
               : mw_fail(MW_ERR_USAGE, "%s: '%s' is too long for a title", who, text);
}

/* clang-format off */
static const struct mw_key key[] = { /* what they mean, the public header says */
    {.name = "names", WORD, .fallback = "auto", .words = "auto|yes|no", FIELD(names)},
    {.name = "compact-ids", WORD, .fallback = "no", .words = "no|yes", FIELD(compact_ids)},
    {.name = "format", WORD, .fallback = "auto", .words = MW_FORMAT_WORDS, FIELD(format)},
    {.name = "base", WORD, .fallback = "auto", .words = "auto|0|1", FIELD(base)},
    {.name = "header", WORD, .fallback = "auto", .words = MW_HEADER_WORDS, FIELD(header)},
    {.name = "weight-column", .kind = MW_KEY_FORM, .parse = parse_title},
    {.name = "separator", WORD, .fallback = "auto", .words = "auto|comma|semicolon|tab|blank", FIELD(separator)},
};
/* clang-format on */

static const struct mw_keys read_keys = {
    .key = key,
    .n = sizeof key / sizeof *key,
    .options_bytes = sizeof(struct read_options),
};

/* Local. Reads the keys into a way of reading, and how vertices are named. */
static int conf_of(const char *keys, struct mw_read_conf *conf, enum mw_naming *naming,
                   char title[MW_API_TITLE_ROOM])
{
    static const char separators[] = {'\0', ',', ';', '\t', ' '};
    struct read_options o = {.weight_column = ""};
    const struct mw_keyed of = {&read_keys, &o};
    mw_keys_default(&of);
    const int rc = mw_keys_read("meshway_graph_read", keys, &of, 1);
    if (rc != MW_OK)
        return rc;
    if (o.names == NAMES_YES && o.compact_ids)
        return mw_fail(MW_ERR_USAGE, "meshway_graph_read: names=yes,compact-ids=yes: "
                                     "vertices have names or numbers");
    conf->names = o.names == NAMES_YES;
    conf->format = o.format == MW_FORMAT_AUTO && conf->names ? MW_FORMAT_EDGES : o.format;
    conf->base_given = o.base != 0;
    conf->base = o.base > BASE_0;
    conf->header = o.header;
    memcpy(title, o.weight_column, MW_API_TITLE_ROOM);
    conf->weight_title = title[0] != '\0' ? title : NULL;
    conf->separator = separators[o.separator];
    if (o.names == NAMES_AUTO)
        mw_read_look(conf);
    *naming = conf->names     ? MW_NAMED_TEXTS
              : o.compact_ids ? MW_NAMED_IDS
                              : MW_NAMED_COUNTED;
    return MW_OK;
}

static char *next_note(struct meshway_graph *g)
{
    return g->note[g->n_notes++];
}

/* What is no error, but that the user should know. */
static void take_notes(struct meshway_graph *g, const struct mw_read_conf *conf,
                       const struct mw_file_facts *facts)
{
    if (conf->names_by_look)
        snprintf(next_note(g), MW_API_NOTE_ROOM,
                 "%s: its vertices are taken for names; format=edges reads numbers only",
                 conf->path);
    if (facts->skipped_titles)
        snprintf(next_note(g), MW_API_NOTE_ROOM,
                 "%s: its first line is taken for titles; header=no reads it as an edge",
                 conf->path);
    if (conf->weights && !facts->has_weights)
        snprintf(next_note(g), MW_API_NOTE_ROOM, "%s: it has no weights; all are 1%s",
                 conf->path,
                 facts->weighted && facts->format == MW_FORMAT_EDGES
                     ? " (under titles, the column of weights is called weight)"
                     : "");
    if (conf->weights && facts->n_rounded > 0)
        snprintf(next_note(g), MW_API_NOTE_ROOM,
                 "%s: weights are kept as 32-bit floats (7 digits), and %" PRIu64
                 " were rounded so",
                 conf->path, facts->n_rounded);
}

int meshway_graph_read_by(struct meshway_world *w, const char *path, uint64_t n_vertices,
                          const char *keys, struct meshway_graph **out)
{
    int rc;
    enum mw_naming naming = MW_NAMED_COUNTED;
    char title[MW_API_TITLE_ROOM];
    struct meshway_graph *g = NULL;
    struct mw_graph_input input = {.edges = {.n = 0}};
    struct mw_read_conf conf = {
        .path = path, .n_vertices = n_vertices, .weights = w->weights != MW_WEIGHTS_NONE};

    mw_error_clear();
    *out = NULL;
    MW_TRY(rc, mw_api_check_same(w->comm, "meshway_graph_read: n_vertices", n_vertices));
    rc = conf_of(keys, &conf, &naming, title);
    if (rc == MW_OK && (g = mw_alloc("graph", 1, sizeof *g)) == NULL)
        rc = MW_ERR_NOMEM;
    MW_TRY(rc, mw_comm_agree(w->comm, rc));
    MW_TRY(rc, mw_graph_input_read(w->comm, &conf, naming, "n_vertices", &input));
    g->w = w;
    g->weights = w->weights;
    g->edges = input.edges;
    g->edges.directed = w->directed && mw_facts_one_way(&input.facts);
    g->edges.names = NULL; /* here they count from 0 */
    g->names = input.names;
    g->base = g->names.naming == MW_NAMED_COUNTED ? input.facts.base : 0;
    take_notes(g, &conf, &input.facts);
    if (input.facts.directed == MW_DIRECTED_YES && !w->directed)
        snprintf(next_note(g), MW_API_NOTE_ROOM,
                 "%s: its edges have a direction, which is not looked at: each is gone "
                 "along both ways",
                 path);
    MW_TRY(rc,
           mw_api_check_size(w->comm, g->edges.n_vertices)); /* the same on all ranks */
    MW_TRY(rc, mw_api_graph_build(g));
    *out = g;
    return MW_OK;
end:
    mw_api_graph_drop(g);
    return rc;
}

int meshway_graph_read(struct meshway_world *w, const char *path, uint64_t n_vertices,
                       struct meshway_graph **out)
{
    return meshway_graph_read_by(w, path, n_vertices, NULL, out);
}

const char *meshway_file_kind(const char *path)
{
    struct mw_input in;
    const char *kind = NULL;
    if (mw_input_open(&in, path) == MW_OK)
        kind = mw_foreign_kind(in.fd, in.bytes);
    mw_input_close(&in);
    mw_error_clear();
    return kind;
}

const char *meshway_graph_note(const struct meshway_graph *g, uint32_t which)
{
    return which < g->n_notes ? g->note[which] : NULL;
}

/* ---- What it calls its vertices ---------------------------------------------------------- */

uint64_t meshway_graph_base(const struct meshway_graph *g)
{
    return g->base;
}

enum meshway_naming meshway_graph_naming(const struct meshway_graph *g)
{
    return (enum meshway_naming)g->names.naming;
}

/* Also of a graph without a file. */
static struct mw_names names_of(const struct meshway_graph *g)
{
    struct mw_names names = g->names;
    names.n_vertices = g->graph->n_vertices;
    return names;
}

uint64_t meshway_graph_number(const struct meshway_graph *g, uint64_t vertex)
{
    const struct mw_names names = names_of(g);
    return vertex < names.n_vertices && names.naming != MW_NAMED_TEXTS
               ? mw_names_number(&names, vertex)
               : MESHWAY_NO_VERTEX;
}

const char *meshway_graph_name(const struct meshway_graph *g, uint64_t vertex,
                               uint64_t *bytes)
{
    *bytes = 0;
    return vertex < g->graph->n_vertices && g->names.naming == MW_NAMED_TEXTS
               ? mw_names_bytes(&g->names, vertex, bytes)
               : NULL;
}

uint64_t meshway_graph_find_number(const struct meshway_graph *g, uint64_t number)
{
    mw_vid v = MESHWAY_NO_VERTEX;
    const struct mw_names names = names_of(g);
    return names.naming != MW_NAMED_TEXTS && mw_names_find(&names, number, &v)
               ? v
               : MESHWAY_NO_VERTEX;
}

uint64_t meshway_graph_find_name(const struct meshway_graph *g, const char *name,
                                 uint64_t bytes)
{
    mw_vid v = MESHWAY_NO_VERTEX;
    return g->names.naming == MW_NAMED_TEXTS &&
                   mw_names_find_text(&g->names, name, bytes, &v)
               ? v
               : MESHWAY_NO_VERTEX;
}

void meshway_graph_numbers(const struct meshway_graph *g, uint64_t *number)
{
    for (uint64_t v = 0; v < g->graph->n_vertices; v++)
        number[v] = meshway_graph_number(g, v);
}

uint64_t meshway_graph_names(const struct meshway_graph *g, uint64_t *end, char *text)
{
    uint64_t used = 0;
    for (uint64_t v = 0; v < g->graph->n_vertices; v++) {
        uint64_t bytes;
        const char *const name = meshway_graph_name(g, v, &bytes);
        if (text != NULL && name != NULL)
            memcpy(text + used, name, bytes);
        used += bytes;
        if (end != NULL)
            end[v] = used;
    }
    return used;
}
