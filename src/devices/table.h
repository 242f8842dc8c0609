/* table.h -- a table with a portion of each rank, all of which the cores of every rank read: the newest values of
 * all vertices, for instance, by column.
 *
 *      mw_table_open()    where each rank's cores store, and where they read
 *      mw_table_share()   what my cores have stored in my portion is there for all
 *      mw_table_read()    all have read: who stores again changes nothing under anybody's eyes
 *      mw_table_close()
 *
 * Cores that the host reaches have one table a host. Devices have one each. Their portions go from device to device
 * by their library (mpe/world.h, mw_world_trade()); where there is none, through the hosts' table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TABLE_H
#define MW_TABLE_H

#include "mpe/world.h"

MW_BEGIN_DECLS

struct mw_table {
    void *all;        /* of cores; rank r's portion begins r * portion bytes from here */
    void *mine;       /* this rank's, in there */
    uint64_t portion; /* bytes */
    struct mw_world *world;
    uint64_t *used;         /* [n_ranks] bytes of each portion that are passed on */
    struct mw_trade *trade; /* by the devices' library; NULL: otherwise */
    char *window;           /* the hosts'; NULL: by trade */
};

/* Local: what mw_table_open() takes, as far as it is known before it is tried. `copies` is 0 where there is none. */
MW_SHOWN void mw_table_sizes(const char *what, uint64_t portion, uint64_t copies,
                             const struct mw_world_shape *world, struct mw_sizes *out);

/* Collective: a portion of so many bytes for each rank, the same at all; `used` of mine matter. Zeroed. `what` is its
 * name to mem.h, and is borrowed. MW_ERR_NOMEM at all where one has no room. */
MW_SHOWN int mw_table_open(struct mw_world *w, const char *what, uint64_t portion,
                           uint64_t used, struct mw_table *out) MW_NODISCARD;
/* Collective, when no kernel runs any more. All zero is legal. */
MW_SHOWN void mw_table_close(struct mw_table *t);

/* Collective, when kernels that store are over. */
MW_SHOWN int mw_table_share(struct mw_table *t) MW_NODISCARD;
/* Collective, when kernels that read are over. */
MW_SHOWN int mw_table_read(struct mw_table *t) MW_NODISCARD;

MW_END_DECLS
#endif
