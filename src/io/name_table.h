/* name_table.h -- the names of all vertices in order, one copy a host.
 *
 * Each rank has sorted a range of them, and its portion of the host's window holds that range:
 *
 *      portion r:  end[n_r] (uint64) | the bytes of names first[r] .. first[r + 1] - 1
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NAME_TABLE_H
#define MW_NAME_TABLE_H

#include "io/dictionary.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

struct mw_name_table;

/* Collective. Sorts and numbers what the ranks have seen, each name once; vertex_of as in
 * names.h. */
int mw_name_table_new(struct mw_comm *comm, const struct mw_dictionary *seen,
                      struct mw_name_table **out, uint64_t **vertex_of) MW_NODISCARD;
void mw_name_table_free(struct mw_name_table *t); /* collective */

uint64_t mw_name_table_size(const struct mw_name_table *t);
const unsigned char *mw_name_table_get(const struct mw_name_table *t, uint64_t i,
                                       uint64_t *bytes);
bool mw_name_table_find(const struct mw_name_table *t, const void *name, uint64_t bytes,
                        uint64_t *i);

MW_END_DECLS
#endif
