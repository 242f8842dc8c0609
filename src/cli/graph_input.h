/* graph_input.h -- a graph file read by all ranks together, each its part.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_GRAPH_INPUT_H
#define MW_GRAPH_INPUT_H

#include "graph/reader.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

/* Collective. conf->part and n_parts are set here. The edges know the whole graph's
 * n_vertices; the facts are those of the whole file. A file that differs between hosts
 * is MW_ERR_NOINPUT and names the rank. To be freed with mw_edges_fini(). */
int mw_graph_input_read(struct mw_comm *comm, const struct mw_read_conf *conf,
                        struct mw_edges *edges, struct mw_file_facts *facts) MW_NODISCARD;

/* What a file calls its first vertex: 0 or 1. */
uint64_t mw_graph_input_base(const struct mw_read_conf *conf,
                             const struct mw_file_facts *facts);

/* The format that a file's name promises ("x.mtx"), for files that are to be written;
 * packed edges if it promises none. */
enum mw_format mw_format_of_name(const char *path);

MW_END_DECLS
#endif
