/* network.h -- routes from elsewhere: nodes of any shape joined by channels, and what a
 * packet needs one after the other to come from its source to its sink.
 *
 * A layout is a mesh of cores with two FIFOs each. The networks of others are not: a node has
 * as many channels as it likes, and a switch box lends an arbiter to a packet until its last
 * word has passed. So an imported network is a noun of its own. All that proof and play need
 * of it is a list of *places* for each route:
 *
 *      store   holds whole packets, in order, up to its depth: a channel, a buffer
 *      held    holds one packet, until its last word has reached the next store: an arbiter,
 *              a port of a switch box
 *
 * A packet that has gone into a store has left everything behind it. One that is on its way
 * to a store keeps all held places between.
 *
 * Invariant: every route has at least one place, and its places are those of the network.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NETWORK_H
#define MW_NETWORK_H

#include "mesh/lang/layout.h"

#include <stdio.h>

MW_BEGIN_DECLS

enum { MW_NETWORK_DEPTH = 4, MW_NETWORK_MAX = 1 << 24 /* of nodes, places, steps */ };
#define MW_NO_PLACE UINT32_MAX

struct mw_vocabulary { /* words, each once, numbered in the order of their first use */
    uint32_t n, room, mask; /* mask + 1 slots */
    uint32_t *slot;         /* owned; number + 1 */
    char **name;            /* owned */
};
/* The number of a name, new or not. */
int mw_vocabulary_number(struct mw_vocabulary *t, const char *name, size_t bytes,
                         uint32_t *out) MW_NODISCARD;
/* The number of a name that is there; false: it is not. */
bool mw_vocabulary_find(const struct mw_vocabulary *t, const char *name, size_t bytes,
                        uint32_t *out);
void mw_vocabulary_fini(struct mw_vocabulary *t);

struct mw_place {
    uint32_t depth; /* packets; 0: not stated yet. Held: 1 */
    uint32_t line;  /* that stated it */
    uint32_t node;  /* that it leads to; held: that it belongs to */
    bool held;
    /* Held: number of a place like it that is free there, as the reader's machine counts
     * them; MW_NO_PLACE: none, or unknown. */
    uint32_t spare;
};

struct mw_passage {    /* a route */
    uint32_t first, n; /* its places: step[first .. first + n - 1] */
    uint32_t source, sink, name, line;
};

struct mw_network {
    struct mw_vocabulary nodes, places, passages; /* names; of the passages by .name */
    struct mw_place *place;                       /* owned; [places.n] */
    bool *thread; /* owned; [nodes.n]: takes a packet only when it can pass one on */
    struct mw_passage *passage; /* owned */
    uint32_t n_passages, n_steps;
    uint32_t *step;       /* owned */
    uint32_t n_multicast; /* routes that share a source's packet with another */
    uint32_t n_unrouted;  /* routes whose held places are not known yet */
    bool boxes; /* places between nodes are hardware: no model has hands there */
};

/* All functions are local; a zeroed network is an empty one. */
void mw_network_fini(struct mw_network *n);
int mw_network_node(struct mw_network *n, const char *name, size_t bytes, bool thread,
                    uint32_t *out) MW_NODISCARD;
int mw_network_place(struct mw_network *n, const char *name, size_t bytes, uint32_t *out)
    MW_NODISCARD;
/* Copies the places; `name` NULL: "route I". */
int mw_network_add(struct mw_network *n, const char *name, uint32_t source, uint32_t sink,
                   const uint32_t *place, uint32_t n_places, uint32_t line) MW_NODISCARD;

/* Depths that nobody stated. */
void mw_network_settle(struct mw_network *n);

/* ---- the readers ----------------------------------------------------------------------- */

/* The last: no text of others, but the flows of a layout as remote puts (rma.h). */
enum mw_network_form {
    MW_FROM_ROUTES,
    MW_FROM_AIE,
    MW_FROM_VTR,
    MW_FROM_RMA,
    MW_N_NETWORK_FORMS
};
extern const char *const mw_network_form_names[MW_N_NETWORK_FORMS];

/* Into an empty network. What is wrong is added to `d`, with the line; the result is MW_OK all
 * the same, unless memory is short or a bound is met. The forms: docs/mesh-import.md; JSON:
 * verbs/network_input.h. */
int mw_network_read_csv(const char *text, size_t bytes, struct mw_network *out,
                        struct mw_diagnostics *d) MW_NODISCARD;
int mw_network_read_aie(const char *text, size_t bytes, struct mw_network *out,
                        struct mw_diagnostics *d) MW_NODISCARD;
int mw_network_read_vtr(const char *text, size_t bytes, struct mw_network *out,
                        struct mw_diagnostics *d) MW_NODISCARD;

/* ---- the models ------------------------------------------------------------------------ */

/* link     every place is served independently, and ends drain always: hardware routers.
 * ends     the same between the ends; a thread where routes end and begin takes a packet
 *          only when it can pass one on.
 * coupled  every node is one thread with one hand, also where routes only pass. */
enum mw_network_model { MW_BY_LINK, MW_BY_ENDS, MW_BY_COUPLED, MW_N_NETWORK_MODELS };
extern const char *const mw_network_model_names[MW_N_NETWORK_MODELS];

/* A route as a model sees it: places, hands among them. */
struct mw_trail {
    uint32_t first, n;
    uint32_t
        hand; /* MW_NO_PLACE: it ends, and its packets vanish; else the hand that must be
                     * empty for that, */
    bool goes_on; /* or that takes the packet, to pass it on along a trail of that node */
    bool begins;  /* new packets appear at its start */
};

struct mw_trails {
    const struct mw_network *network; /* borrowed */
    uint32_t n_places;                /* of the network, then hand number node */
    uint32_t n, *at;                  /* trails; their places. Owned */
    struct mw_trail *trail;           /* owned; number i is passage i */
    uint32_t *from_first, *from;      /* owned; trails that begin at a node */
    /* Owned; of a thread that gets packets from outside: the trail of its first one, + 1. */
    uint32_t *feeder;
};

int mw_trails_make(const struct mw_network *n, enum mw_network_model model,
                   struct mw_trails *out) MW_NODISCARD;
void mw_trails_fini(struct mw_trails *t);

MW_FN bool mw_place_is_held(const struct mw_trails *t, uint32_t p)
{
    return p < t->network->places.n && t->network->place[p].held;
}
MW_FN uint32_t mw_place_depth(const struct mw_trails *t, uint32_t p)
{
    return p < t->network->places.n ? t->network->place[p].depth : 1;
}
/* The place's name, or "core NODE". */
void mw_place_print(const struct mw_trails *t, uint32_t p, FILE *out);
/* "route 'name', source > sink". */
void mw_passage_print(const struct mw_network *n, uint32_t passage, FILE *out);

MW_END_DECLS
#endif
