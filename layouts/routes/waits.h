/* waits.h -- can the packets of a network wait for each other in a circle? The graph of
 * waits, its ranks or its shortest cycle, and changes that remove it.
 *
 * An edge a -> b: a packet that has a may need b before it gives a up. From a store that is
 * the next place of its route. A held place is kept until the next store, so each place up to
 * that store may be waited for with it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NETWORK_WAITS_H
#define MW_NETWORK_WAITS_H

#include "layouts/routes/network.h"

MW_BEGIN_DECLS

struct mw_waits {
    enum mw_network_model model;
    bool free;
    uint64_t n_edges; /* different ones */
    uint32_t max_rank;
    uint32_t
        *rank; /* owned; [n_places of the trails]; it falls along every edge; if free */
    /* Not free: a shortest cycle, and the trail that causes place[i] -> place[i + 1]. Owned. */
    uint32_t n_cycle, *place, *why;
};

/* Cost: steps of routes, and for a cycle the search for the shortest. */
int mw_waits_make(const struct mw_trails *t, struct mw_waits *out) MW_NODISCARD;
void mw_waits_fini(struct mw_waits *w);

/* What a program must respect besides (A4 of docs/mesh.md): a node that waits for one of its
 * inputs while another is full hangs if both come through one place. */
struct mw_joins {
    uint32_t n_nodes; /* with two such inputs; the first of them, and that place: */
    uint32_t node, place;
};
int mw_network_joins(const struct mw_network *n, struct mw_joins *out) MW_NODISCARD;

/* The least number of packets that a circle holds, one more than is safe in flight; 0: not known.
 * Known in link and coupled where nothing is held and all stores are equally deep: then the
 * shortest cycle is the lightest. */
uint64_t mw_waits_in_flight(const struct mw_trails *t, const struct mw_waits *w);

enum mw_change_kind { MW_CHANGE_NONE, MW_CHANGE_OWN_PLACE, MW_CHANGE_DROP };

/* The routes of `passage`, and those that leave a held place the same way as it, get a place
 * of their own instead of `place`; or the route is dropped. */
struct mw_change {
    enum mw_change_kind kind;
    uint32_t passage, place;
};

/* The first change of each kind that makes the network free in this model, by a proof of the
 * changed copy; out[2], MW_CHANGE_NONE where there is none among the causes of the cycle. */
int mw_waits_changes(const struct mw_network *n, const struct mw_waits *w,
                     struct mw_change *out) MW_NODISCARD;

MW_END_DECLS
#endif
