/* knot.h -- can a mesh whose messages have several ways deadlock? The proof by knots.
 *
 * A message waits until one of its ways has room in all its targets: an OR of ANDs. So a state is
 * dead when there is a set of nodes, a *knot*, in which every node is full, and every way of the
 * message at its head needs a node of the set. For plain flows that is a cycle.
 *
 * The greatest knot that can be made of the messages there are is found from above: take a node
 * out of the set while each message that it can hold has a way that needs no node of the set. The
 * number of the round in which a node goes out is its rank: whatever message it holds, there is a
 * way whose targets all have lower ranks. If nothing is left, that is a certificate that no
 * reachable state is dead. What is left is a knot that the rules allow; whether messages can come to
 * stand so is for a search to say.
 *
 * Beside it stand the two classical questions. *plain*: is the graph of all ways acyclic (every way,
 * every target an edge)? And Duato's condition, for routes with an escape: every message has a way
 * in the escape's class, and the dependencies between nodes of that class have no cycle; *direct*
 * ones, and with those *indirect* ones that go through other classes in between. Messages of one
 * slot hold one node at a time, so for them direct dependencies suffice; longer ones need both.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_KNOT_H
#define MW_LAYOUT_KNOT_H

#include "layouts/ways/stages.h"
#include "mesh/proof/proof.h"

MW_BEGIN_DECLS

struct mw_knot {
    enum mw_mesh_model model;
    bool free, plain;
    uint64_t n_edges; /* of the graph of all ways, different ones */
    uint32_t n_nodes;
    uint32_t *rank; /* [n_nodes], owned; free: 0: nothing is needed after it, or unused */
    uint8_t *used;  /* [n_nodes], owned: some message can stand there */
    uint32_t max_rank;
    /* Not free: a knot of which no node can be left out, and a message that each holds. */
    uint32_t n_knot;
    mw_mesh_node *node; /* owned */
    uint32_t *stage;    /* owned */
    struct mw_cause
        *why;       /* owned; a source whose messages come there, as the flow; hop: of
                           * the knot's nodes one that it needs, by its place in node[] */
    uint64_t least; /* messages in flight in that knot */

    bool escapes; /* there is an escape, and this is no coupled model: */
    bool connected, direct, indirect; /* Duato's condition: acyclic */
};

/* Local. Errors: MW_ERR_NOMEM. */
int mw_knot_make(const struct mw_layout *l, const struct mw_stages *s,
                 enum mw_mesh_model model, struct mw_knot *out) MW_NODISCARD;
void mw_knot_fini(struct mw_knot *k); /* zeroed is legal */

/* The proof of any layout. Where messages have several ways, its cycle is a knot, of which nodes need
 * not wait for the next one, why[] is that of the knot, and min_inflight is what this knot holds. */
int mw_any_proof_make(const struct mw_layout *l, enum mw_mesh_model model,
                      struct mw_proof *out) MW_NODISCARD;

/* Whether the ranks are a certificate: compares them with every message, and shares nothing with
 * mw_knot_make(). */
bool mw_knot_verify(const struct mw_layout *l, const struct mw_stages *s,
                    enum mw_mesh_model model, const uint32_t *rank);

MW_END_DECLS
#endif
