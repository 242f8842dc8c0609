/* ranks.h -- P ranks in one process, each with a world of its own, for the tests above
 * the transport; and the small things that several suites need.
 *
 * A body runs on a rank's thread, where ck_assert would be a longjmp: it says what is
 * wrong with EXPECT(), and the suite asserts that on_ranks() returned MW_OK.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RANKS_H
#define RANKS_H

#include "base/mem.h"
#include "mpe/world.h"
#include "suite.h"

#include <stdio.h>

/* A pipeline that stands still for so long hangs, and says where; far beyond what a busy machine
 * takes. */
enum { HANG_S = 600 };

struct ranks {
    struct mw_loop_conf loop;
    struct mw_world_conf world;
    int (*body)(struct mw_world *w, void *arg);
    void *arg;
};

#define EXPECT(cond, ...)                                                                \
    do {                                                                                 \
        if (!(cond))                                                                     \
            return mw_fail(MW_ERR_INVALID, #cond ": " __VA_ARGS__);                      \
    } while (0)

static inline int one_rank(struct mw_comm *c, void *arg)
{
    const struct ranks *r = arg;
    struct mw_world *w;
    int rc = mw_world_new(&r->world, c, &w);
    if (rc == MW_OK)
        rc = r->body(w, r->arg);
    mw_world_free(w);
    return rc;
}

static inline int on_ranks(struct ranks *r)
{
    return mw_loop_run(&r->loop, one_rank, r);
}

static inline const char *ranks_text(const struct ranks *r)
{
    static char text[200];
    snprintf(
        text, sizeof text,
        "%u ranks, %u per host, seed %u, %s x %u, routing %d %ux%u, batch %u, small %u",
        r->loop.n_ranks, r->loop.ranks_per_host, (unsigned)r->loop.seed, r->world.backend,
        r->world.n_threads, (int)r->world.routing, r->world.groups_n, r->world.groups_m,
        r->world.batch_bytes, r->world.small_input);
    return text;
}

/* Runs it, and asserts success and that all memory has come back. */
static inline void must_run(struct ranks *r)
{
    const uint64_t before = mw_mem_in_use();
    const int rc = on_ranks(r);
    ck_assert_msg(rc == MW_OK, "%s: %s", ranks_text(r), mw_error_text());
    ck_assert_uint_eq(mw_mem_in_use(), before);
}

/* Serial, or a team of n threads. */
static inline void with_threads(struct ranks *r, uint32_t n)
{
    r->world.backend = n == 0 ? "serial" : "openmp";
    r->world.n_threads = n == 0 ? 1 : n;
}

/* Groups of `width` ranks; 0 and 1: direct. */
static inline void with_width(struct ranks *r, uint32_t width)
{
    r->world.routing = width > 1 ? MW_ROUTING_RELAY : MW_ROUTING_DIRECT;
    r->world.groups_m = width > 1 ? width : 0;
    r->world.groups_n = width > 1 ? (r->loop.n_ranks + width - 1) / width : 0;
}

/* Numbers for tests: splitmix64. */
static inline uint64_t mixed(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static inline uint64_t drawn(uint64_t *state, uint64_t below)
{
    return mixed((*state)++) % below;
}

#endif
