/* in_memory.h -- graphs and trees read from memory, as from a file of that name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef IN_MEMORY_H
#define IN_MEMORY_H

#include "io/input.h"
#include "io/reader.h"
#include "io/treefile.h"

static inline int read_graph_memory(const struct mw_read_conf *conf, const void *data,
                                    uint64_t bytes, struct mw_edges *out,
                                    struct mw_file_facts *facts)
{
    struct mw_input in;
    struct mw_read_conf from = *conf;
    mw_input_memory(&in, conf->path, data, bytes);
    from.input = &in;
    return mw_read_graph(&from, out, facts);
}

static inline int read_tree_memory(const char *name, const void *data, uint64_t bytes,
                                   const struct mw_names *names, uint32_t rank,
                                   uint32_t n_ranks, int64_t **parent)
{
    struct mw_input in;
    mw_input_memory(&in, name, data, bytes);
    return mw_read_tree_input(&in, names, rank, n_ranks, parent);
}

#endif
