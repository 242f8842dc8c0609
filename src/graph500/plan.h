/* plan.h -- what a run will need, before anything large is allocated.
 *
 * The rows are those tables that allocations read as well (base/sizes.h). What only the data can
 * tell is estimated: for a Kronecker graph how many vertices have an edge and how many tuples
 * repeat; for a file nothing is assumed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PLAN_H
#define MW_PLAN_H

#include "graph/graph.h"
#include "mpe/world.h"
#include "traversal/algorithm.h"

MW_BEGIN_DECLS

/* One way to search the graph, with batches and state of its own. */
struct mw_plan_way {
    const struct mw_algorithm *algorithm;
    const struct mw_world_conf *world; /* borrowed */
    void *
        options; /* the algorithm's; borrowed, and changed by keys that spare memory; NULL: all automatic, no row is
                      dealt out */
};

struct mw_plan_conf {
    uint64_t n_vertices, n_edges; /* edges: tuples of the input */
    bool kronecker;               /* their estimates apply */
    bool directed;
    uint32_t n_ranks, n_hosts;
    uint32_t n_threads; /* per rank, as placement finds them, where a way asks for none */
    /* [n_ways], borrowed. All have their memory at once; the first one's cores build and check. */
    const struct mw_plan_way *way;
    uint32_t n_ways;
    bool validate;
    struct mw_graph_rule graph_rule;
};

/* What one rank, the first and therefore largest, will have: its places, labels, tuples and
 * entries. Everything else follows. */
struct mw_plan_shares {
    struct mw_graph_shape graph;
    uint32_t label_bits;
    bool of_file;     /* the list is read, by the host */
    bool weighted;    /* the list has weights, whether or not this graph has */
    bool built_there; /* by the cores of a device: devices/building.h */
    uint64_t n_long;  /* entries of rows that are merged then */
    struct mw_delegates_shape delegates;
    double heavy, heavy_vertices,
        heavy_entries; /* of all ranks: rows of so many entries are of class E */
};

struct mw_plan {
    struct mw_world_shape world;
    bool wide;                                   /* 64-bit columns */
    uint32_t label_bits;                         /* of a column, for the label */
    double heavy, heavy_vertices, heavy_entries; /* class E, estimated; 0: none */
    struct mw_sizes sizes;
    /* Per rank, always and the largest of the phases: memory; address space for it, without what
     * was mapped before; and what is kept in memory that the host shares, of all its ranks. */
    uint64_t peak_bytes, mapped_bytes, shared_bytes;
    /* The same on its device, 0 where its cores' memory is the host's: what it has to
     * have, and what it takes where there is room. */
    uint64_t device_bytes, device_most_bytes;
    bool
        device_judges; /* if it has the latter; they are the same where construction takes more */
    uint64_t device_list_bytes; /* of these, the list of tuples, which may go home */
    bool built_there;           /* on the device, by its cores */
    uint64_t most_edges;        /* of a vertex, about; 0: not known */
};

/* Local. MW_ERR_REFUSED for a shape that cannot work. Sums saturate at UINT64_MAX. */
int mw_plan_make(const struct mw_plan_conf *conf, struct mw_plan *out) MW_NODISCARD;

/* Local: the tables of all structures for shares that are known. */
void mw_plan_sizes(const struct mw_plan_shares *shares,
                   const struct mw_world_shape *world,
                   const struct mw_algorithm *algorithm, const void *options,
                   bool validate, struct mw_sizes *out);

/* "always", "count", "build", "search" */
const char *mw_when_name(enum mw_when when);

MW_END_DECLS
#endif
