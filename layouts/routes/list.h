/* list.h -- one entry of a plain list of routes, whatever form it was written in: nodes by
 * name, channels by name or made from the nodes, depths.
 *
 *      source,destination,hops,channel,depth
 *      a,d,b c,/1,4            channels a>b/1, b>c/1, c>d/1, four packets deep
 *      a,d,b c,x y arb! z,2    channels x, y, z; arb is held until the last word is in z
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NETWORK_LIST_H
#define MW_NETWORK_LIST_H

#include "layouts/routes/network.h"
#include "mesh/lang/words.h"

MW_BEGIN_DECLS

struct mw_listed_words { /* borrowed texts */
    uint32_t n;
    struct mw_word *word; /* owned */
};
/* One more word. */
int mw_listed_words_add(struct mw_listed_words *w, const char *text, size_t bytes)
    MW_NODISCARD;

struct mw_listed {
    struct mw_listed_words nodes; /* source, hops, destination */
    struct mw_listed_words channels, depths;
    uint32_t line;
};
void mw_listed_fini(struct mw_listed *r);

/* Adds the route. What is wrong goes to `d`, and the route is left out: MW_OK all the same. */
int mw_network_list(struct mw_network *n, const struct mw_listed *r,
                    struct mw_diagnostics *d) MW_NODISCARD;

MW_END_DECLS
#endif
