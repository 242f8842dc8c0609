/* proof.h -- can the layout deadlock? A certificate or a witness, per model.
 *
 * Each model is a graph on nodes (layout.h); an edge a -> b stands for "a message that
 * holds a needs b next". If the graph has no cycle, every node gets a rank, the longest
 * way down to a sink, which falls along every edge: no reachable state holds a core that
 * is blocked for ever. If it has one, the shortest is the witness, with the flow and hop
 * that cause each edge. Coupled: an edge per hop of every flow, between cores. Decoupled
 * and link: an edge per pair of consecutive hops. The theory, its sources and what the
 * rank argument assumes (fair select, fair admission, completing DMA, ...) stand in
 * docs/mesh.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_PROOF_H
#define MW_LAYOUT_PROOF_H

#include "mesh/lang/layout.h"

MW_BEGIN_DECLS

/* The flow, and the number of its hop (0: first to second core), whose message holds
 * one node and needs the next. Coupled: the hop itself. Else: the hop that enters the
 * node held. */
struct mw_cause {
    uint64_t flow;
    uint32_t hop;
};

struct mw_proof {
    enum mw_mesh_model model;
    bool free;
    uint64_t n_edges; /* different ones; coupled: hops */

    /* free: the certificate */
    uint32_t n_nodes;
    uint32_t *rank; /* [n_nodes], owned; 0: nothing is needed after it, or unused */
    uint32_t max_rank;

    /* not free: the witness, a shortest cycle. why[i] causes node[i] -> node[i + 1],
     * the last one node[n - 1] -> node[0]. */
    uint32_t n_cycle;
    mw_mesh_node *node;   /* [n_cycle], owned */
    struct mw_cause *why; /* [n_cycle], owned */
    /* The least number of messages that a deadlock on any cycle holds at the layout's
     * depths (lemma 3), hence the largest number in flight that is safe: one less. At
     * least 1. */
    uint64_t min_inflight;
};

/* Local. Cost: sinks x cores + edges, and for a layout with cycles the search for the
 * least one. Errors: MW_ERR_NOMEM. */
int mw_proof_make(const struct mw_layout *l, enum mw_mesh_model model,
                  struct mw_proof *out) MW_NODISCARD;
void mw_proof_fini(struct mw_proof *p);
/* What node[i] of the witness needs next. */
MW_FN mw_mesh_node mw_witness_next(const struct mw_proof *p, uint32_t i)
{
    return p->node[i + 1 == p->n_cycle ? 0 : i + 1];
}
/* The flows that cause the cycle, ascending, each once; `flow` has room for n_cycle. Returns their
 * number. */
uint32_t mw_witness_flows(const struct mw_proof *p, uint64_t *flow);

/* ---- what else can be wrong with a layout ------------------------------------------ */

/* Local store and buckets (docs/mesh.md, "budget"). A number of INT64_MAX stands for
 * that many or more. */
struct mw_budget {
    uint64_t n_owners;               /* sinks that own buckets */
    uint64_t buckets, buckets_fit;   /* asked for; what the owners' local store holds */
    uint64_t bucket_bytes;           /* of one bucket's buffers */
    uint64_t bytes_used, bytes_free; /* by the fullest owner's buffers; spm - reserve */
    bool fits;                       /* else: "spm-overflow" */
};
void mw_layout_budget(const struct mw_layout *l, struct mw_budget *out);

/* What the cores' programs must respect beside the layout: a core that takes from both
 * classes may not wait for a named one (ordered get), and every core ends only after one
 * end-of-stream marker from each predecessor. */
struct mw_hazards {
    uint32_t n_two_classes; /* cores with row and column input */
    mw_core two_classes;    /* the first of them */
    uint32_t n_receivers;   /* cores with any input */
    uint32_t most_markers;  /* largest number of predecessors of a core */
    mw_core most_markers_at;
    uint64_t n_markers; /* end-of-stream markers in all: different hops */
    uint32_t n_unused;  /* cores with a role that no flow uses */
    mw_core unused;
};
int mw_layout_hazards(const struct mw_layout *l, struct mw_hazards *out) MW_NODISCARD;

MW_END_DECLS
#endif
