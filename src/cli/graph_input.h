/* graph_input.h -- a graph file read by all ranks together, each its part.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_GRAPH_INPUT_H
#define MW_GRAPH_INPUT_H

#include "cli/option.h"
#include "graph/input.h"
#include "graph/names.h"
#include "graph/reader.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

/* Local: how the settings say that a file is to be read, which graph_source.h has opened. */
struct mw_read_conf mw_graph_input_conf(const struct mw_settings *s,
                                        const struct mw_input *file);

/* A graph as it was read: this rank's edges; facts of the whole file; what it calls its
 * vertices. Stays where it is while it is used, for the edges borrow the names. */
struct mw_graph_input {
    struct mw_edges edges;
    struct mw_file_facts facts;
    struct mw_names names;
};

/* Collective. conf->part and n_parts are set here. The edges know the whole graph's
 * n_vertices. A file that differs between hosts is MW_ERR_NOINPUT and names the rank. */
int mw_graph_input_read(struct mw_comm *comm, const struct mw_read_conf *conf,
                        struct mw_graph_input *out) MW_NODISCARD;
void mw_graph_input_fini(struct mw_graph_input *g); /* collective */

/* What of the file a breadth-first search has no use for, as a sentence; NULL: nothing. */
const char *mw_graph_input_unused(const struct mw_file_facts *facts);

/* Local, after reading: are the edges to be gone along one way only? Not if the file says that
 * they have no direction. What a user should know about that is in `note`; "": nothing. */
void mw_graph_input_direct(struct mw_graph_input *g, const char *path, bool directed,
                           char *note, size_t room);

/* The format that a file's name promises ("x.mtx"), for files that are to be written;
 * packed edges if it promises none. */
enum mw_format mw_format_of_name(const char *path);

MW_END_DECLS
#endif
