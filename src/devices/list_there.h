/* list_there.h -- the list of tuples where the cores reach it: beside a device it is made there, or
 * goes there once, and comes home where the host's cores need it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LIST_THERE_H
#define MW_LIST_THERE_H

#include "graph/digest.h"

MW_BEGIN_DECLS

/* Local: of a list where the cores reach it. */
void mw_list_sizes(uint64_t n_tuples, bool weighted, struct mw_sizes *out);
/* Collective. Room for e->n tuples there, e->of_cores, and for a weight of each, or MW_ERR_NOMEM at all
 * ranks; the list itself goes with it, where there is one at home. */
int mw_list_place(struct mw_world *world, struct mw_edges *e, bool weighted) MW_NODISCARD;
void mw_list_unplace(struct mw_world *world, struct mw_edges *e);
/* Collective: as mw_digest_of(), by whoever has the list. */
int mw_list_digest(struct mw_world *world, const struct mw_edges *e,
                   struct mw_digest *out) MW_NODISCARD;
/* Collective. A list that is of cores only is afterwards at home as well; what has come is
 * compared with what is there by its digest. */
int mw_list_come_home(struct mw_world *world, struct mw_edges *e) MW_NODISCARD;

MW_END_DECLS
#endif
