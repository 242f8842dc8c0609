/* handles.h -- what stands behind the library's handles, and the steps that all ways to a graph share.
 *
 *      api.c          worlds, graphs of arrays, traversals
 *      graph_file.c   graphs of files, and what those call their vertices
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_API_HANDLES_H
#define MW_API_HANDLES_H

#include <meshway/meshway.h>

#include "graph/graph.h"
#include "io/graph_input.h"
#include "mpe/world.h"

MW_BEGIN_DECLS

enum { MW_API_NOTES = 5, MW_API_NOTE_ROOM = 512, MW_API_TITLE_ROOM = 256 };

struct meshway_world {
    struct mw_comm *comm;
    struct mw_world_conf conf;
    char *tune; /* what meshway_tune() has set; owned */
    struct mw_graph_rule graph_rule;
    bool keep_edges, directed;
    enum mw_weights weights;
    struct mw_world *world; /* NULL before the first graph */
    uint32_t n_graphs;      /* not freed yet */
};

struct meshway_graph {
    struct meshway_world *w;
    struct mw_edges edges; /* empty without MESHWAY_KEEP_EDGES */
    struct mw_graph *graph;
    uint64_t base;         /* what its file calls vertex 0 */
    struct mw_names names; /* of a file; else counted from 0, without a table */
    char note[MW_API_NOTES][MW_API_NOTE_ROOM];
    uint32_t n_notes;
    enum mw_weights weights;
    uint32_t n_searches; /* not freed yet */
};

/* Collective: MW_ERR_USAGE unless the number is the same on all ranks. */
int mw_api_check_same(struct mw_comm *comm, const char *what, uint64_t value)
    MW_NODISCARD;

/* Local: are places of a rank 32 bits? */
int mw_api_check_size(const struct mw_comm *comm, uint64_t n_vertices) MW_NODISCARD;

/* Collective: from this rank's edges, which are g's and stay so if they are kept. */
int mw_api_graph_build(struct meshway_graph *g) MW_NODISCARD;

/* Collective. A graph that came to nothing, or is freed; NULL is legal. */
void mw_api_graph_drop(struct meshway_graph *g);

MW_END_DECLS
#endif
