/* rma.h -- a layout on SW26010-Pro, whose cores put straight into each other's local store:
 * the fourth model, without routers.
 *
 *      core u --put--> ring u>v in v's store --taken out--> core v
 *        ^  waits while `depth` puts to v are outstanding      |
 *        '------------- v counts u's reply word ---------------'
 *
 * Each flow is one put from its first core to its last, whatever ways it has between; a broadcast
 * is a put to each core that keeps a copy. A core is one thread: while it waits
 * for a reply word it takes nothing out of its own rings, so its partners' reply words stand
 * still as well. In the words of network.h: a store per pair of cores, and a hand per core.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NETWORK_RMA_H
#define MW_NETWORK_RMA_H

#include "layouts/explore/vector.h"
#include "layouts/routes/waits.h"

MW_BEGIN_DECLS

/* Local. Into an empty network; depth >= 1: puts of one core to one other that may be outstanding.
 * Errors: MW_ERR_NOMEM; MW_ERR_REFUSED above MW_RMA_FLOWS_MAX flows. */
enum { MW_RMA_FLOWS_MAX = 1 << 20 };
int mw_network_rma(const struct mw_layout *l, uint32_t depth, struct mw_network *out)
    MW_NODISCARD;
/* The network of a layout with its proof, zeroed or ended: legal to end. */
struct mw_rma {
    struct mw_network network;
    struct mw_trails trails;
    struct mw_waits waits;
    uint32_t n_circle; /* cores that put to each other in the shortest circle; 0: free */
    mw_core *circle;   /* owned; [n_circle], each puts to the next one */
};
int mw_rma_prove(const struct mw_layout *l, uint32_t depth, struct mw_rma *out)
    MW_NODISCARD;
void mw_rma_fini(struct mw_rma *r);
/* For a simulation with rings: the cores of a layout as one row, core number i in column i, with a
 * flow for each put; costs, roles and store are those of the layout. */
struct mw_puts {
    struct mw_layout *layout; /* owned */
    uint32_t *followers; /* owned; as mw_sim_conf has it: by flow, the other puts of a
                               * broadcast that are still to come */
};
/* MW_ERR_REFUSED: more cores than a row can have, or a layout without puts. */
int mw_puts_make(const struct mw_layout *l, struct mw_puts *out) MW_NODISCARD;
void mw_puts_fini(struct mw_puts *p); /* zeroed is legal */
/* Bytes of the rings in the local store of the core that has most of them. */
int mw_rma_store(const struct mw_network *n, uint32_t message_bytes, uint64_t *out)
    MW_NODISCARD;

/* What a vector says of remote puts, if it does, beside mw_vector_check(). At depth 1: then a circle
 * of n cores holds 2 n messages. */
int mw_rma_check_vector(const struct mw_vector *v, uint64_t limit,
                        struct mw_vector_tally *t) MW_NODISCARD;

MW_END_DECLS
#endif
