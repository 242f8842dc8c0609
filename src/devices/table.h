/* table.h -- a table with a portion of each rank, all of which the cores of every rank read: the newest values of
 * all vertices, for instance, by column.
 *
 *      mw_table_open()    where each rank's cores store, and where they read
 *      mw_table_share()   all ranks read what my cores have stored
 *      mw_table_read()    all ranks have read: each may store again
 *      mw_table_close()
 *
 * Cores that the host reaches have one table a host. Devices have one each. Their portions go from device to device
 * by their library (mpe/world.h, mw_world_trade()); where there is none, through the hosts' table. One rank's table
 * is a block of its own; and where the rule has none (mw_table_expected()), that block is all there is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TABLE_H
#define MW_TABLE_H

#include "graph/graph.h"
#include "mpe/world.h"

MW_BEGIN_DECLS

struct mw_table {
    void *all;              /* of cores, by column; NULL: several ranks, and no table */
    void *mine;             /* this rank's, by label: in there, or the block */
    uint64_t portion;       /* bytes of a rank's columns */
    struct mw_world *world; /* NULL: nothing is passed on */
    uint64_t *used;         /* [n_ranks] bytes of each portion that are passed on */
    struct mw_trade *trade; /* by the devices' library; NULL: otherwise */
    char *window;           /* the hosts'; NULL: by trade */
};

/* Local, the same at all ranks: is there one? It is under the rule for tables of all vertices
 * (mw_owners_are_asked()): a graph without one of names `asks_names`. A mesh takes records, for its management core
 * would have to pull. */
bool mw_table_expected(const struct mw_backend *backend, uint32_t n_ranks,
                       bool asks_names);

/* Local: what mw_table_open() takes, as far as it is known before it is tried; nothing unless `expected`. */
void mw_table_sizes(const char *what, uint32_t label_bits, uint64_t bytes, bool expected,
                    const struct mw_world_shape *world, struct mw_sizes *out);

/* Collective: an element of so many bytes for each column of g, zeroed, if several ranks want it; else `block`,
 * of this rank's labels, stands for it. `what` is its name to mem.h; both are borrowed. MW_ERR_NOMEM at all where one
 * has no room. */
int mw_table_open(struct mw_world *w, const struct mw_graph *g, const char *what,
                  uint64_t bytes, bool wanted, void *block, struct mw_table *out)
    MW_NODISCARD;
/* Collective, when no kernel runs any more. All zero is legal. */
void mw_table_close(struct mw_table *t);

/* Local, the same at all ranks: do portions move when they are shared? Not where all cores reach one table. */
MW_SHOWN bool mw_table_moves(const struct mw_table *t);
/* Collective, when kernels that store are over. */
MW_SHOWN int mw_table_share(struct mw_table *t) MW_NODISCARD;
/* Collective, when kernels that read are over. */
MW_SHOWN int mw_table_read(struct mw_table *t) MW_NODISCARD;

MW_END_DECLS
#endif
