/* model_emulated.h -- how long searches took on emulated nodes, by their clusters and by their
 * management cores: measured in the emulation, so modelled times.
 *
 * Top-down, edge factor 16, the sum of two searches. Charged are jobs, sweeps, what they
 * touch in memory, and the network (docs/lab/architecture.md, virtual time). One rank has one destination,
 * so one consumer of 16 stores what a generator makes; with 16 ranks each has one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MODEL_EMULATED_H
#define MW_MODEL_EMULATED_H

#include "base/base.h"

MW_BEGIN_DECLS

/* Of emul_params.h, where it is a guess. */
enum { MW_EMULATED_MPE_RECORD_CYCLES = 90 };

struct mw_emulated_time {
    uint64_t search_ns, modules_ns; /* modules: the sum of all jobs */
};

struct mw_emulated_node {
    uint32_t n_ranks, scale, n_clusters;
    struct mw_emulated_time clusters, mpe;
    struct mw_emulated_time mpe_streaming; /* a record costs nothing but its bytes */
};

/* A large relay job through the roles of the paper's layout on one cluster. */
struct mw_emulated_shuffle {
    uint32_t record_bytes;
    uint64_t payload_bytes, cycles;
};
const struct mw_emulated_shuffle *mw_emulated_shuffles(size_t *n);

/* The rows of model_emulated.inc; *n of them. tests/emulated_node.c makes and checks them. */
const struct mw_emulated_node *mw_emulated_nodes(size_t *n);

MW_END_DECLS
#endif
