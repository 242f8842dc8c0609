/* placed.h -- what a traversal works on, where the cores of its world reach it.
 *
 * Where the management core reaches their memory as well, nothing is copied: what is seen or
 * placed is the thing itself. Elsewhere whoever reads the state says so here, and what he gets is
 * a copy; what he would do to it is a sweep (rows.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PLACED_H
#define MW_PLACED_H

#include "base/sizes.h"
#include "cpe/memory.h"
#include "graph/delegates.h"
#include "graph/graph.h"

MW_BEGIN_DECLS

/* Local, as all below. A block that the table of sizes knows (mw_sizes_take()), of this
 * kind of memory, as it says. */
MW_SHOWN void *mw_place(struct mw_world *w, enum mw_memory_kind kind,
                        const struct mw_sizes *sizes, const char *what, uint64_t bytes);
MW_SHOWN void mw_unplace(struct mw_world *w, enum mw_memory_kind kind,
                         void *p); /* NULL is legal */

#define MW_PLACE(rc, ptr, world, kind, sizes, what)                                      \
    do {                                                                                 \
        (ptr) = mw_place((world), (kind), (sizes), (what), sizeof *(ptr));               \
        if ((ptr) == NULL && mw_sizes_find((sizes), (what))->copies > 0) {               \
            (rc) = MW_ERR_NOMEM;                                                         \
            goto end;                                                                    \
        }                                                                                \
    } while (0)

/* The bytes at p, which are of cores: p itself where it is reached; else a copy, in `mirror`. */
MW_SHOWN const void *mw_see(struct mw_world *w, void *mirror, const void *p,
                            uint64_t bytes);
/* From the memory of cores, reached or not. */
void mw_fetch(struct mw_world *w, void *to, const void *from, uint64_t bytes);
/* To the memory of cores. */
MW_SHOWN void mw_put(struct mw_world *w, void *to, const void *from, uint64_t bytes);

/* Of a graph that mw_graph_place() places, and what of it the host keeps beside: nothing
 * where cores use the host's arrays; heads and their names for a device that reaches
 * these, too. */
void mw_graph_place_sizes(const struct mw_graph_shape *shape,
                          const struct mw_delegates_shape *delegates,
                          const struct mw_world_shape *world, struct mw_sizes *out);

/* The same of a graph that is built there: whose rows are there while it is built and
 * afterwards, and no other is at the host's. */
void mw_graph_built_sizes(const struct mw_graph_shape *shape,
                          const struct mw_delegates_shape *delegates,
                          struct mw_sizes *out);

/* A graph of cores without arrays, for who fills them in, with delegates that are there
 * when it points to them; and away with it. */
int mw_graph_open_placed(struct mw_graph **out, struct mw_delegates **delegates)
    MW_NODISCARD;
void mw_graph_give_placed(struct mw_world *w, struct mw_graph *placed);

/* Collective. The host has its arrays as well from now on, but for heads of isolated places, which are
 * there, too. Nothing is done where it has them. They go with the graph. */
MW_SHOWN int mw_graph_come_home(struct mw_world *w, const struct mw_graph *g)
    MW_NODISCARD;

/* Entries of my rows, wherever they are. */
MW_SHOWN uint64_t mw_placed_entries(struct mw_world *w, const struct mw_graph *g);
/* Directed: of those where edges come from. Else 0: they are the same rows. */
MW_SHOWN uint64_t mw_placed_in_entries(struct mw_world *w, const struct mw_graph *g);

/* Collective: a vertex of the highest degree of all, the least of those that are first at their owners;
 * MW_NO_VERTEX: no vertex has an edge. */
MW_SHOWN int mw_placed_hub(struct mw_world *w, const struct mw_graph *g, mw_vid *out)
    MW_NODISCARD;

/* Collective, for the same n vertices at all ranks: does each have an edge (directed: that leaves it) to another?
 * out[i] is 1 or 0. */
MW_SHOWN int mw_placed_are_connected(struct mw_world *w, const struct mw_graph *g,
                                     const mw_vid *v, uint32_t n, uint64_t *out)
    MW_NODISCARD;

/* The graph as kernels get it: its arrays are of cores. It is g itself where those are
 * reached, but for heads, which a device has by place, and what they have built where
 * they have. */
int mw_graph_place(struct mw_world *w, const struct mw_graph *g,
                   const struct mw_graph **out) MW_NODISCARD;
/* Of g; NULL is legal. */
void mw_graph_unplace(struct mw_world *w, const struct mw_graph *g,
                      const struct mw_graph *placed);

MW_END_DECLS
#endif
