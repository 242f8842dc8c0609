/* memory.c -- see memory.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/memory.h"

#include "base/mem.h"

#include <string.h>

static void *host_take(struct mw_cluster *c, enum mw_memory_kind kind, const char *what,
                       uint64_t n, uint64_t size)
{
    (void)c;
    (void)kind;
    return mw_alloc(what, n, size);
}

static void host_give(struct mw_cluster *c, enum mw_memory_kind kind, void *p)
{
    (void)c;
    (void)kind;
    mw_free(p);
}

static void host_copy(struct mw_cluster *c, void *to, const void *from, uint64_t bytes)
{
    (void)c;
    memcpy(to, from, bytes);
}

const struct mw_memory mw_memory_of_host = {
    .host_reaches = true,
    .take = host_take,
    .give = host_give,
    .put = host_copy,
    .get = host_copy,
};
