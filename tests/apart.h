/* apart.h -- a backend like a device: its cores' memory is not the host's.
 *
 * What it hands out for cores lies in an arena that no one may read or write (PROT_NONE) but while
 * a kernel runs or a copy is made: host code that touches it dies at that line. Kernels are the
 * host's, run one core after the other when they are launched, so nothing depends on time.
 *
 * Every rank has an arena, its thread's; so ranks do not reach each other's memory either. As beside a
 * device, graphs are built in another world of the rank's, by a team of the host's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef APART_H
#define APART_H

#include "base/mem.h"
#include "cpe/cluster.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define APART_ROOM (UINT64_C(256) << 20)
enum { APART_BLOCKS = 512 };

struct mw_cluster {
    uint32_t n_team, first_lane;
};

static _Thread_local struct {
    char *at; /* [APART_ROOM]; NULL: no cluster is open */
    uint64_t used, n_blocks, n_clusters;
    uint64_t bytes_put, bytes_got;
    uint64_t n_kernels; /* that were run, ever */
    struct {
        const void *at;
        const char *what;
        uint64_t bytes;
    } block[APART_BLOCKS]; /* [n_made]; given back: at is NULL */
    uint64_t n_made;
} apart;

static inline void apart_protect(int how)
{
    if (mprotect(apart.at, APART_ROOM, how) != 0)
        abort();
}

static inline void apart_run(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    apart_protect(PROT_READ | PROT_WRITE);
    apart.n_kernels++;
    for (uint32_t i = 0; i < c->n_team; i++) {
        struct mw_cpe self = {i, c->n_team, c->first_lane + i};
        kernel(&self, job);
    }
    apart_protect(PROT_NONE);
}

/* The arena, for as long as a cluster is open. */
static inline void apart_begin(void)
{
    if (apart.n_clusters++ > 0)
        return;
    apart.at = mmap(NULL, APART_ROOM, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (apart.at == MAP_FAILED)
        abort();
    apart.used = apart.bytes_put = apart.bytes_got = apart.n_made = 0;
}

static inline void apart_end(void)
{
    if (--apart.n_clusters > 0)
        return;
    if (apart.n_blocks != 0) /* somebody has kept memory of a machine that is gone */
        abort();
    munmap(apart.at, APART_ROOM);
    apart.at = NULL;
}

static inline int apart_open(const struct mw_cluster_conf *conf, struct mw_cluster **out)
{
    int rc;
    struct mw_cluster *c;
    MW_NEW(rc, c, "cluster apart", 1);
    c->n_team = conf->n_cores > 1 ? conf->n_cores - 1 : 1;
    c->first_lane = conf->first_lane;
    apart_begin();
    *out = c;
    return MW_OK;
end:
    return rc;
}

static inline void apart_close(struct mw_cluster *c)
{
    mw_free(c);
    apart_end();
}

static inline int apart_poll(struct mw_cluster *c)
{
    (void)c;
    return MW_OK;
}

static inline uint32_t apart_n_team(const struct mw_cluster *c)
{
    return c->n_team;
}

static inline uint32_t apart_devices(struct mw_device *out, uint32_t room)
{
    if (room > 0)
        *out = (struct mw_device){.name = "an arena"};
    return 1;
}

static inline uint32_t apart_device_of(const struct mw_cluster *c)
{
    (void)c;
    return 0;
}

/* ---- memory ------------------------------------------------------------------------------ */

static inline void *apart_take(struct mw_cluster *c, enum mw_memory_kind kind,
                               const char *what, uint64_t n, uint64_t size)
{
    const uint64_t bytes = mw_block_apart(n * size);
    (void)c;
    if (kind == MW_OF_BOTH)
        return mw_alloc(what, n, size);
    if (apart.used + bytes > APART_ROOM || apart.n_made == APART_BLOCKS) {
        mw_fail(MW_ERR_NOMEM, "apart: no room for %s", what);
        return NULL;
    }
    if (!mw_mem_take_apart(what, bytes))
        return NULL;
    char *p = apart.at + apart.used; /* never used before, so it is zero */
    apart.block[apart.n_made].at = p;
    apart.block[apart.n_made].what = what;
    apart.block[apart.n_made++].bytes = bytes;
    apart.used += bytes;
    apart.n_blocks++;
    return p;
}

static inline void apart_give(struct mw_cluster *c, enum mw_memory_kind kind, void *p)
{
    const bool of_cores = (char *)p >= apart.at && (char *)p < apart.at + APART_ROOM;
    (void)c;
    if (of_cores != (kind == MW_OF_CORES))
        abort();
    if (!of_cores) {
        mw_free(p);
        return;
    }
    apart.n_blocks--;
    for (uint64_t i = 0; i < apart.n_made; i++)
        if (apart.block[i].at == p) {
            mw_mem_give_apart(apart.block[i].what, apart.block[i].bytes);
            apart.block[i].at = NULL;
        }
}

static inline void apart_copy(void *to, const void *from, uint64_t bytes)
{
    apart_protect(PROT_READ | PROT_WRITE);
    memcpy(to, from, bytes);
    apart_protect(PROT_NONE);
}

static inline void apart_put(struct mw_cluster *c, void *to, const void *from,
                             uint64_t bytes)
{
    (void)c;
    apart.bytes_put += bytes;
    apart_copy(to, from, bytes);
}

static inline void apart_get(struct mw_cluster *c, void *to, const void *from,
                             uint64_t bytes)
{
    (void)c;
    apart.bytes_got += bytes;
    apart_copy(to, from, bytes);
}

static const struct mw_memory apart_memory = {
    .host_reaches = false,
    .take = apart_take,
    .give = apart_give,
    .put = apart_put,
    .get = apart_get,
};

static const struct mw_backend apart_backend = {
    .name = "apart",
    .short_circuit = true,
    .kernels = "host",
    .delegate = "serial",
    .memory = &apart_memory,
    .open = apart_open,
    .launch = apart_run,
    .poll = apart_poll,
    .run = apart_run,
    .close = apart_close,
    .n_cores = apart_n_team,
    .n_team = apart_n_team,
    .devices = apart_devices,
    .device_of = apart_device_of,
};

#endif
