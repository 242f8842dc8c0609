/* parts.h -- a part of memory at each rank that the cores of all ranks read: what each has to
 * say to all, however long it is.
 *
 *      mw_parts_open()    as many bytes at each rank
 *      mw_parts_share()   what my cores have stored in mine is there for all
 *      mw_parts_see()     a rank's, where my cores read it
 *      mw_parts_close()
 *
 * Devices that reach each other's memory read it there (peers.h). Else a part goes from device to device by their
 * library (mpe/world.h, mw_world_trade()), when it is seen. Where there is none, it goes by the hosts: parts are copied to memory that the ranks of a host share, go whole from host to host, and are
 * copied to room for one of them beside the cores that ask for it. Where the host reaches what is
 * of cores, the shared memory is the part itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PARTS_H
#define MW_PARTS_H

#include "devices/peers.h"

MW_BEGIN_DECLS

struct mw_parts {
    void *mine;     /* of cores; my cores store in it */
    uint64_t bytes; /* of a part: whole cache lines */
    struct mw_world *world;
    struct mw_peers peers;
    struct mw_trade *trade; /* by the devices' library; NULL: otherwise */
    uint64_t from, shared;  /* what was shared last: what a trade passes */
    char *window; /* [n_ranks * bytes] of the host; NULL: by peers or by trade */
    void *copy;   /* [bytes] of cores; NULL: they reach the window, or each other */
};

/* Local, and the same at all ranks: do parts go from device to device, as far as it is known before it is tried? */
bool mw_parts_expected(const struct mw_world_shape *world);
/* Collective: and do they? */
int mw_parts_try(struct mw_world *w, bool *out) MW_NODISCARD;

/* Local: what mw_parts_open() takes, as far as it is known before it is tried. */
void mw_parts_sizes(uint64_t bytes, enum mw_when when, const struct mw_world_shape *world,
                    struct mw_sizes *out);

/* Collective, with as many bytes at all ranks. MW_ERR_NOMEM at all where one has no room. */
int mw_parts_open(struct mw_world *w, uint64_t bytes, struct mw_parts *out) MW_NODISCARD;
/* Collective, when no kernel runs any more. All zero is legal. */
void mw_parts_close(struct mw_parts *p);

/* Collective, when kernels that store are over: of each part these bytes, or more; the same at all ranks. Who
 * stores there again has to know that all have read: there was another collective in between. */
int mw_parts_share(struct mw_parts *p, uint64_t from, uint64_t bytes) MW_NODISCARD;

/* Collective: of a rank's part those bytes, which must have been shared, for cores to read until the next call;
 * which bytes, each asks for itself. All ranks' parts are seen in the same order. */
int mw_parts_see(struct mw_parts *p, uint32_t rank, uint64_t from, uint64_t bytes,
                 const void **out) MW_NODISCARD;

MW_END_DECLS
#endif
