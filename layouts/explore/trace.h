/* trace.h -- a trace: steps of a mesh that anyone can replay.
 *
 *      # meshway-trace 1 model=coupled fifo=4/4/0
 *      inject 0,0 3          coupled: core and flow; else "inject 3"
 *      put 0,0               the hand of 0,0 into the next core's FIFO (or the send buffer)
 *      send 0,0              only with a send buffer: its head into the receiver's FIFO
 *      get 0,1 R             0,1 takes the head of its row FIFO
 *      move 0,1.R            decoupled, link: a FIFO's head to its next FIFO
 *      consume 0,2.R         decoupled, link: a FIFO's head at its last core
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_TRACE_H
#define MW_LAYOUT_TRACE_H

#include "layouts/sim/sim.h"

MW_BEGIN_DECLS

enum mw_step_kind {
    MW_STEP_INJECT,
    MW_STEP_PUT,
    MW_STEP_SEND,
    MW_STEP_GET, /* coupled */
    MW_STEP_MOVE,
    MW_STEP_CONSUME /* decoupled, link; and inject */
};

struct mw_step {
    uint8_t kind;      /* enum mw_step_kind */
    uint8_t from;      /* GET: 2 * channel + enum mw_fifo_class */
    uint8_t way;       /* of a mesh with ways: which of its ways, from 0 */
    mw_mesh_node node; /* coupled: the core that acts. Else: MOVE, CONSUME: the FIFO */
    uint64_t flow;     /* INJECT */
};

struct mw_trace {
    enum mw_mesh_model model;
    uint32_t fifo[MW_N_CLASSES], send;
    uint64_t n_steps;
    struct mw_step *step; /* owned */
};

void mw_trace_fini(struct mw_trace *t);
void mw_step_print(const struct mw_layout *l, enum mw_mesh_model m,
                   const struct mw_step *s, FILE *out); /* one line without its newline */
void mw_trace_print(const struct mw_layout *l, const struct mw_trace *t, FILE *out);
/* MW_ERR_DATA: what is wrong was added to `d`. */
int mw_trace_parse(const struct mw_layout *l, const char *text, size_t bytes,
                   struct mw_trace *out, struct mw_diagnostics *d) MW_NODISCARD;

/* Plays a trace on a mesh of its own, simple and slow, that shares nothing with the search.
 * After each step calls observer (may be NULL) with a line that says what happened. MW_OK:
 * all steps are legal and the last state holds a wait-for cycle, whose nodes are written to
 * *cycle (room mw_mesh_nodes()) and *n_cycle. MW_DONE: legal, but no wait-for cycle at the
 * end. MW_ERR_INVALID: a step is not legal; the message names its number and why.
 * *in_flight: messages in the mesh at the end. */
typedef void mw_replay_observer(void *arg, uint64_t step, const char *what);
int mw_trace_replay(const struct mw_layout *l, const struct mw_trace *t,
                    mw_replay_observer *observer, void *arg, mw_mesh_node *cycle,
                    uint32_t *n_cycle, uint64_t *in_flight) MW_NODISCARD;

/* The same of a mesh whose messages have several ways (layouts/ways/), for mw_trace_replay(). A step
 * says which way is taken where there are several: "put 0,0 way 1". What is found at the end is a
 * knot: nodes that are full, and only wait for each other. */
int mw_trace_replay_ways(const struct mw_layout *l, const struct mw_trace *t,
                         mw_replay_observer *observer, void *arg, mw_mesh_node *knot,
                         uint32_t *n_knot, uint64_t *in_flight) MW_NODISCARD;

/* The same, as a simulation would tell it: step i takes cycle i (cycle 0: the empty mesh). A
 * core is blocked while it waits as above (decoupled, link: while the head of one of its FIFOs
 * does), busy while it holds a message in its hand (any FIFO), else idle. Of the FIFOs of
 * links and channels the fullest counts. A step's events come before `say` is told of it. What
 * waits for each other in the end, a cycle also where messages have several ways (one that lies in
 * the knot), is written as by mw_trace_replay(). */
struct mw_watch {
    void (*observe)(void *arg, const struct mw_sim_event *e);
    void *observe_arg;
    mw_replay_observer *say;
    void *say_arg;
};
int mw_trace_watch(const struct mw_layout *l, const struct mw_trace *t,
                   const struct mw_watch *watch, mw_mesh_node *cycle, uint32_t *n_cycle)
    MW_NODISCARD;

MW_END_DECLS
#endif
