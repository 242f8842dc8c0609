/* memory.h -- where what kernels work on lies: memory is a backend's, as cores are.
 *
 * Two of the kinds that sizes.h has:
 *
 *      of cores   state and columns. Kernels work on it; the management core only where the backend
 *                 says that it reaches it. Else copies are the only way in and out.
 *      of both    counters, and lists that are short: kernels, and between kernels the management
 *                 core. On a device this is what the host has pinned.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MEMORY_H
#define MW_MEMORY_H

#include "base/sizes.h"

MW_BEGIN_DECLS

struct mw_cluster;

/* How other ranks of the host know a block that is lent to them. */
struct mw_lent {
    uint64_t device; /* whose memory it is: mw_device_id() */
    unsigned char name[64];
};

/* Memory of cores that the cores of other ranks of the host reach as well: of devices
 * that reach each other's. Such a block is lent by who has taken it, and reached by its
 * name until it is left. */
struct mw_lending {
    /* `bytes` zeroed bytes as take() has them, and their name. NULL with an error recorded. */
    void *(*lend)(struct mw_cluster *c, const char *what, uint64_t bytes,
                  struct mw_lent *out);
    void (*take_back)(struct mw_cluster *c, void *p); /* when all others have left */
    /* NULL: this device does not reach that memory; no error. */
    void *(*reach)(struct mw_cluster *c, const struct mw_lent *lent);
    void (*leave)(struct mw_cluster *c, void *p);
};

/* Records that the cores of ranks send each other from where they lie, by the library
 * of their devices. Ranks form a group once; then all trade at once, as often as they
 * like. */
enum { MW_TRADE_NAME = 128 };
struct mw_trade {
    uint32_t n_ranks;
    uint64_t *n_out,
        *n_in; /* [n_ranks] records to each rank, and from each; the host's */
    uint64_t
        n_here; /* received, and not yet handled: of job.trade, what a handler takes */
};
struct mw_trading {
    const char *library;
    /* Local: is it there? Says why not. */
    int (*find)(void);
    /* What ranks of a group know each other by; one makes it. Says why there can be none. */
    int (*name)(unsigned char name[MW_TRADE_NAME]);
    /* Local: what a group of so many takes, without the group. */
    int (*make)(uint32_t n_ranks, struct mw_trade **out);
    /* Collective, but for errors: one that fails leaves the others to their patience. */
    int (*join)(struct mw_trade *t, const unsigned char *name, uint32_t rank);
    /* All ranks of the group, each with what the others' n_out say in n_in. Takes what
     * the last job has made, sorted by rank; the next one finds what has come. */
    int (*trade)(struct mw_trade *t, uint32_t record_bytes);
    /* All ranks of the group, with as many bytes: what `teller` has at `at`, of cores, is there at all. */
    int (*tell)(struct mw_trade *t, uint32_t teller, void *at, uint64_t bytes);
    /* All ranks of the group: used[r] bytes of each rank r, from all + r * portion, of cores, are there at all. */
    int (*share)(struct mw_trade *t, void *all, uint64_t portion, const uint64_t *used);
    void (*close)(struct mw_trade *t);
};

struct mw_memory {
    bool host_reaches; /* the management core may read and write what is of cores */
    /* n * size zeroed bytes on a cache line of their own, or NULL with an error recorded that names
     * `what`. For all clusters of the rank; c is the first. Memory of cores that the host does not
     * reach is told to mem.h (mw_mem_take_apart()). */
    void *(*take)(struct mw_cluster *c, enum mw_memory_kind kind, const char *what,
                  uint64_t n, uint64_t size);
    void (*give)(struct mw_cluster *c, enum mw_memory_kind kind, void *p);
    /* Between the host's memory and that of cores, while no kernel runs. They wait for the
     * copy. */
    void (*put)(struct mw_cluster *c, void *to, const void *from, uint64_t bytes);
    void (*get)(struct mw_cluster *c, void *to, const void *from, uint64_t bytes);
    const struct mw_lending *lending; /* NULL: nobody else reaches it */
    const struct mw_trading *trading; /* NULL: records go by the host */
};

/* That of cores of the host: mw_alloc(), and all is reached. */
extern const struct mw_memory mw_memory_of_host;

MW_END_DECLS
#endif
