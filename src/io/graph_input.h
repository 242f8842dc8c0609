/* graph_input.h -- a graph file read by all ranks together, each its part.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_GRAPH_INPUT_H
#define MW_GRAPH_INPUT_H

#include "io/names.h"
#include "io/reader.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

/* A graph as it was read: this rank's edges; facts of the whole file; what it calls its
 * vertices. Stays where it is while it is used, for the edges borrow the names. */
struct mw_graph_input {
    struct mw_edges edges;
    struct mw_file_facts facts;
    struct mw_names names;
};

/* Collective. conf->part, n_parts and seen are set here. The edges know the whole graph's
 * n_vertices. A file that differs between hosts is MW_ERR_NOINPUT and names the rank; vertex
 * numbers so far apart that hardly any occurs are MW_ERR_REFUSED, and `advice` says how all of them
 * are asked for: "--vertices".
 *
 * Ids of conf->vertices are vertices, whether an edge has them or not; MW_ERR_DATA: an edge has
 * another one, or one stands there twice.
 *
 * With ids or texts a rank needs about 28 bytes for each name in its part besides, while it
 * reads 16 instead of 8 an edge if ids exceed 2^32, and each host a table (names.h). */
int mw_graph_input_read(struct mw_comm *comm, const struct mw_read_conf *conf,
                        enum mw_naming naming, const char *advice,
                        struct mw_graph_input *out) MW_NODISCARD;

/* Local: MW_ERR_REFUSED when memory for every vertex of a list without a header would be for
 * vertices that hardly ever occur. */
int mw_graph_input_judge(const struct mw_read_conf *conf,
                         const struct mw_file_facts *facts, const char *advice)
    MW_NODISCARD;
void mw_graph_input_fini(struct mw_graph_input *g); /* collective */

MW_END_DECLS
#endif
