/* explore.h -- every interleaving of a small mesh, breadth first.
 *
 * A message is the list of cores it still has to visit, the current one first; equal lists
 * are equal messages. One step is an inject, a get, a put (coupled) or an inject, a move, a
 * consume (decoupled, link); sources never run dry and may stay silent. A state is dead when
 * following "waits for" from some core comes back to it (lemma 5: each core waits for at most
 * one other). Breadth first: the first dead state found is at the end of a shortest trace for
 * the flows explored.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_EXPLORE_H
#define MW_LAYOUT_EXPLORE_H

#include "layouts/explore/trace.h"
#include "mesh/proof/proof.h"

MW_BEGIN_DECLS

struct mw_explore_conf {
    enum mw_mesh_model model;
    uint32_t fifo[MW_N_CLASSES], send; /* depths; send: coupled only, else ignored */
    uint64_t limit;                    /* states kept at most; 0: MW_EXPLORE_LIMIT */
    uint64_t limit_bytes; /* memory for them; 0: MW_NET_SEARCH_BYTES (search.h) */
    uint64_t inflight;    /* no inject at or above this; 0: no bound */
    const uint64_t *flow; /* [n_flows] which flows; NULL: all */
    uint64_t n_flows;
    /* Any deadlock instead of a shortest trace: builds one (fill.h), which finds one
     * wherever the graph has a cycle, at any depth. Where the bound on messages in flight is
     * in the way, or there is no cycle, searches all states, the fullest first. */
    bool guided;
    /* Called about ten times a second; non-zero stops (MW_ERR_INTERRUPTED). May be NULL. */
    int (*progress)(void *arg, uint64_t n_states, uint64_t n_open);
    void *progress_arg;
};
enum { MW_EXPLORE_LIMIT = 4000000 };

enum mw_explore_verdict {
    MW_EXPLORED_FREE,     /* the state space is exhausted */
    MW_EXPLORED_DEADLOCK, /* `trace` ends in a wait-for cycle */
    MW_EXPLORED_BOUNDED   /* a limit was met: of what lies beyond nothing is known */
};

extern const char *const mw_explore_verdict_names[]; /* "free", "deadlock", "bounded" */

struct mw_exploration {
    enum mw_explore_verdict verdict;
    uint64_t n_states; /* FREE: all there are */
    uint64_t
        n_tested; /* of them: looked at; but for the last of a DEADLOCK none is dead */
    /* BOUNDED, breadth first: every state that this many steps lead to was looked at. */
    uint64_t n_steps_tested;
    uint64_t in_flight; /* DEADLOCK: messages in the dead state */
    uint64_t bytes;     /* most memory the search held */
    double seconds;
    bool shortest; /* DEADLOCK: no shorter trace exists for these flows */
    /* The three words of Stramaglia et al. for the dead state: no step at all is possible; none
     * but injects is. Of the flows explored, and within the bound in flight. */
    bool global, weak; /* (every one found is local) */
    struct mw_trace trace;
    uint32_t n_cycle;
    mw_mesh_node *cycle; /* owned */
};

/* Local. Errors: MW_ERR_NOMEM, MW_ERR_INTERRUPTED; MW_ERR_REFUSED when a depth is above
 * MW_FIFO_MAX, a state cannot be packed, or the successors of one state take more than
 * limit_bytes (the message says how much). */
int mw_layout_explore(const struct mw_layout *l, const struct mw_explore_conf *conf,
                      struct mw_exploration *out) MW_NODISCARD;
void mw_exploration_fini(struct mw_exploration *e);

/* The same flows as a Promela model for Spin, coupled. */
struct mw_promela_conf {
    const struct mw_proof *proof; /* of the coupled model */
    const struct mw_trace
        *realised; /* reaches the deadlock of its cycle; NULL or empty: none */
    uint32_t
        supply; /* messages of each flow; 0: as many as the proof says (promela.c), so that
                      * Spin cannot miss a deadlock for want of messages */
};
/* MW_ERR_REFUSED, before anything is written: flows of more than MW_PROMELA_MESSAGES_MAX cores
 * together, or more than Spin's 255 processes or channels. MW_ERR_NOMEM. */
enum { MW_PROMELA_MESSAGES_MAX = 100000, MW_PROMELA_MAX = 255 };
int mw_layout_promela(const struct mw_layout *l, const struct mw_promela_conf *conf,
                      FILE *out) MW_NODISCARD;
/* The same of a layout whose messages have several ways: of all sources, or of those that a trace
 * into a deadlock takes. */
int mw_ways_promela(const struct mw_layout *l, const struct mw_trace *realised, FILE *out)
    MW_NODISCARD;
/* MW_ERR_REFUSED if these are more than Spin takes. */
int mw_promela_check(uint32_t n_processes, uint32_t n_channels) MW_NODISCARD;
/* The most messages that a flow of the model has if conf->supply is 0; 0: without end. */
int mw_promela_supply(const struct mw_layout *l, const struct mw_promela_conf *conf,
                      uint64_t *out) MW_NODISCARD;

MW_END_DECLS
#endif
