/* graph_options.h -- how a command's options say that a graph's file is read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_GRAPH_OPTIONS_H
#define MW_GRAPH_OPTIONS_H

#include "cli/option.h"
#include "io/graph_input.h"
#include "io/input.h"
#include "io/writer.h"

MW_BEGIN_DECLS

/* clang-format off */
/* How a graph's file is to be read, for commands that have one; behind "format". */
#define MW_OPTIONS_VERTEX_NAMES                                                          \
    {.name = "compact-ids", .kind = MW_OPT_FLAG,                                         \
     .help = "Count only the vertex numbers that occur; outputs keep the numbers"},      \
    {.name = "vertex-file", .kind = MW_OPT_TEXT, .value = "FILE",                        \
     .help = "With --compact-ids: the numbers of all vertices, one a line, so that those without an edge count, too"}, \
    {.name = "names", .kind = MW_OPT_FLAG,                                               \
     .help = "Vertices of an edge list are names of any kind, not numbers"}

/* In which direction its edges are gone along. */
#define MW_OPTION_UNDIRECTED                                                             \
    {.name = "undirected", .kind = MW_OPT_FLAG,                                          \
     .help = "Both ways, whatever the file says, as without --directed, but without a note"}

#define MW_CONFLICT_DIRECTED {"directed", "undirected", "edges go one way or both"}

/* And its columns, if it is text. */
#define MW_OPTIONS_COLUMNS \
    {.name = "separator", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",      \
     .words = "auto|comma|semicolon|tab|blank",                                          \
     .help = "Between the columns of an edge list; auto: as in its first line"},         \
    {.name = "header", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",         \
     .words = MW_HEADER_WORDS,                                                           \
     .help = "Whether an edge list begins with titles of columns; auto: if it looks so"}, \
    {.name = "weight-column", .kind = MW_OPT_TEXT, .value = "TITLE",                     \
     .help = "The column of an edge list that has the weights, by its title; default: weight, w, cost and the like"}

#define MW_CONFLICTS_VERTEX_NAMES                                                        \
    {"names", "compact-ids", "names are compact already"},                               \
    {"names", "base", "names are no numbers"},                                           \
    {"names", "vertices", "the names are counted"},                                      \
    {"vertex-file", "!compact-ids", "it holds the numbers that occur"},                  \
    {"compact-ids", "base", "numbers stay what they are"},                               \
    {"compact-ids", "vertices", "the numbers that occur are counted"}
/* clang-format on */

/* Local: how the settings say that a file is to be read, which graph_source.h has opened. */
struct mw_read_conf mw_graph_input_conf(const struct mw_settings *s,
                                        const struct mw_input *file);

/* What they can say about vertices so far apart that hardly any occurs; for messages. */
#define MW_ADVICE_VERTICES "--compact-ids takes it for those that occur, --vertices"

/* Local: how vertices are named, by what is said or by the beginning of the file. */
enum mw_naming mw_graph_input_naming(const struct mw_settings *s,
                                     const struct mw_read_conf *conf);

/* What of the file an algorithm without weights has no use for, as a sentence; NULL: nothing. */
const char *mw_graph_input_unused(const struct mw_file_facts *facts);

/* What the options ask for: --directed (yes), --undirected (no), or neither. */
enum mw_directed mw_graph_input_asked(const struct mw_settings *s);

/* Local, after reading: are the edges to be gone along one way only? Not if each stands in the file
 * for both ways. What a user should know about that is in `note`; "": nothing. */
bool mw_graph_input_one_way(const struct mw_file_facts *facts, const char *path,
                            enum mw_directed asked, char *note, size_t room);

/* How many vertices of a file occur in its edges, as far as it is known. */
struct mw_occurring {
    uint64_t least, most;
};

/* Before a graph is built. */
struct mw_occurring mw_graph_input_bound(const struct mw_file_facts *facts);
/* After it: of `n_connected` vertices an edge leads to another one. */
struct mw_occurring mw_graph_input_count(const struct mw_graph_input *g,
                                         uint64_t n_connected);

/* Local: says what of a file does not fit together, or was guessed, and what to do about it. */
void mw_graph_input_notes(const struct mw_read_conf *conf, enum mw_naming naming,
                          const struct mw_file_facts *facts,
                          struct mw_occurring occurring,
                          void (*say)(void *arg, const char *note), void *arg);
/* `say` of a session (struct mw_session), as its notes look. */
void mw_graph_input_say(void *session, const char *note);

/* Local: "output" and "to" of a command that writes a graph. The name says the format, unless "to"
 * does, and whether it is packed ("x.mtx.gz"); MW_ERR_USAGE if nobody says the format. Devices,
 * pipes and "-" have packed edges then. */
int mw_graph_output_conf(const struct mw_settings *s, struct mw_write_conf *conf)
    MW_NODISCARD;

/* "gzip" of "x.gz"; NULL: its name promises no packing. */
const char *mw_packing_of_name(const char *path);

#define MW_WRITTEN_NAMES                                                                 \
    ".el, .txt, .csv, .tsv (edges), .mtx, .sg, .wsg, .bin, .packed12, .packed16"

MW_END_DECLS
#endif
