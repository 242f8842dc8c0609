/* peers.h -- a block of memory at each rank that the cores of all ranks reach: of devices of one host, each a
 * rank's alone. Kernels of all ranks then run at once and tell each other, by what they store there, what they
 * have found; the host only starts them.
 *
 *      mw_peers_open()    each lends a block, all hear its name, each reaches those of all others
 *      mw_peers_close()   each leaves them, and takes its own back when all have left
 *
 * Whether it can be is found out by trying: ranks may share a device, or devices not reach each other. Or one has no room. Then nobody has any
 * block, all know why, and it is no error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PEERS_H
#define MW_PEERS_H

#include "base/sizes.h"
#include "cpe/memory.h"
#include "mpe/world.h"

MW_BEGIN_DECLS

enum {
    MW_PEERS_MAX = 16,  /* ranks that reach each other's memory */
    MW_LINKED_MAX = 128 /* ranks whose devices tell each other by their library */
};

/* Why there are none; the worst that any rank knows of. */
enum mw_peers_none {
    MW_PEERS_ALL, /* there are */
    MW_PEERS_ALONE,
    MW_PEERS_SEVERAL_HOSTS,
    MW_PEERS_MANY,
    MW_PEERS_NO_LENDING,
    MW_PEERS_NOT_WANTED,
    MW_PEERS_SAME_DEVICE,
    MW_PEERS_OUT_OF_REACH,
    MW_PEERS_NO_ROOM,
    MW_PEERS_REASONS
};
extern const char *const mw_peers_why[MW_PEERS_REASONS];

struct mw_peers {
    void *block[MW_PEERS_MAX]; /* by rank, as mine reaches it; NULL: there are none */
    enum mw_peers_none none;
    bool opened; /* at all ranks */
};

/* Local, and the same at all ranks: as far as it is known before it is tried. */
enum mw_peers_none mw_peers_expected(const struct mw_world_shape *world);

/* Collective: blocks of `bytes` each, told to mem.h as `what`. */
int mw_peers_open(struct mw_world *w, const char *what, uint64_t bytes,
                  struct mw_peers *out) MW_NODISCARD;
/* Collective, when no kernel runs any more. All zero is legal. */
void mw_peers_close(struct mw_world *w, struct mw_peers *p);

MW_END_DECLS
#endif
