/* net.h -- a mesh as buffers that hold messages: the one form that all three models
 * take before they are searched.
 *
 *      coupled                 hand 0,0 -> [send 0,0 ->] FIFO 0,1.R -> hand 0,1 -> ...
 *      decoupled, link         FIFO -> FIFO -> ... -> exit
 *
 * A buffer holds up to `capacity` messages in order. A message is the list of cores it still
 * has to visit; equal lists are one message, wherever their flows started. What can stand in
 * a buffer is known beforehand: codes 1 .. n_messages, and each code has one move: the buffer
 * it goes to next and its code there (0: it leaves the mesh). A step of any model is then: the
 * head of a buffer moves if the buffer it goes to has room, or a source puts a new message into
 * a buffer with room. Depth 0 (rendezvous) is a move from hand to hand.
 *
 * A buffer waits for another if its head's next buffer is full. Hence a core is in a wait-for
 * cycle iff its hand is (its FIFO, in the other models).
 *
 * A mesh whose messages have several ways (layouts/ways/stages.h) has a list of them for each code,
 * and for each way a list of moves that happen together; move[] is then the first of the first.
 *
 * Invariant: the next buffer always exists. Two of them hold nothing: `exit` has room always
 * and capacity 0; `wall` has never (a decoupled FIFO of depth 0 lets nothing in) and has
 * capacity 1 if any move leads to it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_NET_H
#define MW_LAYOUT_NET_H

#include "layouts/explore/trace.h"

MW_BEGIN_DECLS

enum mw_buffer_kind { MW_BUFFER_HAND, MW_BUFFER_SEND, MW_BUFFER_FIFO };

struct mw_net_buffer {
    uint8_t kind;       /* enum mw_buffer_kind */
    uint8_t fifo_class; /* FIFOs: enum mw_fifo_class */
    mw_channel channel; /* FIFOs */
    mw_mesh_node node;  /* coupled: the core; else the FIFO */
    uint32_t capacity, n_messages;
    uint32_t first; /* code c moves as move[first + c - 1] says */
};

struct mw_move {
    uint32_t to, code;
};

/* Where new messages of a flow appear; flows that are equal lists are one source. */
struct mw_source {
    uint32_t to, code;
    uint64_t flow; /* the first of them */
    uint32_t way;  /* of a mesh with ways: all moves of a new message, */
    uint8_t nth;   /* and which of its ways that is */
};

struct mw_net {
    enum mw_mesh_model model;
    uint32_t n_buffers; /* those that can hold a message, by (node, kind) */
    uint32_t exit, wall;
    struct mw_net_buffer *buffer; /* owned; [n_buffers + 2] */
    uint32_t n_moves;
    struct mw_move *move; /* owned */
    uint32_t n_sources;
    struct mw_source *source; /* owned; by buffer, then by flow */
    /* Of a mesh with ways, else NULL. Move m has ways first_way[m] .. end_way[m] - 1, way w the
     * moves first_target[w] .. first_target[w + 1] - 1 of target[]. Owned. */
    uint32_t *first_way, *end_way, *first_target;
    struct mw_move *target;
    uint32_t most_ways; /* of one message */
};

struct mw_net_conf {
    enum mw_mesh_model model;
    uint32_t fifo[MW_N_CLASSES], send; /* send: coupled only */
    const uint64_t *flow;              /* [n_flows]; NULL: all */
    uint64_t n_flows;
};

enum { MW_NET_FLOWS_MAX = 1 << 20 };

/* Local. Errors: MW_ERR_NOMEM; MW_ERR_REFUSED above MW_NET_FLOWS_MAX flows. */
int mw_net_init(struct mw_net *net, const struct mw_layout *l,
                const struct mw_net_conf *conf) MW_NODISCARD;
void mw_net_fini(struct mw_net *net); /* zeroed is legal */

MW_FN const struct mw_move *mw_net_move(const struct mw_net *net, uint32_t buffer,
                                        uint32_t code)
{
    return &net->move[net->buffer[buffer].first + code - 1];
}

/* The steps of a trace: a new message of source s; the head of buffer p moves. */
struct mw_step mw_net_inject_step(const struct mw_net *net, uint32_t s);
struct mw_step mw_net_move_step(const struct mw_net *net, uint32_t p, uint32_t code);
/* Of a mesh with ways: on its n-th way. */
struct mw_step mw_net_way_step(const struct mw_net *net, uint32_t p, uint32_t code,
                               uint32_t nth);

MW_END_DECLS
#endif
