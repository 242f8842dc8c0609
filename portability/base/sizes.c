/* sizes.c -- see sizes.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/sizes.h"

#include "base/room.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct mw_size *mw_sizes_add(struct mw_sizes *s, enum mw_when when, const char *what,
                             uint64_t n, uint64_t bytes)
{
    if (s->n == MW_SIZES_MOST)
        abort(); /* it has outgrown its table: a mistake of ours */
    struct mw_size *row = &s->row[s->n++];
    *row = (struct mw_size){
        .what = what, .n = n, .bytes = bytes, .copies = 1, .when = when, .touched = 1000};
    return row;
}

struct mw_size *mw_sizes_add_of(struct mw_sizes *s, enum mw_memory_kind kind,
                                enum mw_when when, const char *what, uint64_t n,
                                uint64_t bytes)
{
    struct mw_size *row = mw_sizes_add(s, when, what, n, bytes);
    row->kind = kind;
    return row;
}

void mw_sizes_of_host(struct mw_sizes *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        s->row[i].kind = MW_OF_HOST;
}

struct mw_size *mw_sizes_fold(struct mw_sizes *s, enum mw_when when, const char *what,
                              const struct mw_sizes *parts)
{
    uint64_t taken = 0, touched = 0;
    for (uint32_t i = 0; i < parts->n; i++) {
        taken = mw_saturating_plus(taken, mw_size_taken(&parts->row[i], 1));
        touched = mw_saturating_plus(touched, mw_size_touched(&parts->row[i], 1));
    }
    struct mw_size *row = mw_sizes_add(s, when, what, taken, 1);
    row->folded = true;
    row->touched = (uint32_t)(1000 * ((double)touched / (double)mw_max(taken, 1)));
    row->kind = parts->n > 0 ? parts->row[0].kind : MW_OF_HOST;
    return row;
}

void mw_sizes_add_stacks(uint32_t n_threads, struct mw_sizes *s)
{
    struct mw_size *row = mw_sizes_add(s, MW_ALWAYS, "stacks of threads",
                                       mw_room_of_stack() * n_threads, 1);
    row->folded = true; /* the system's own, not mw_alloc()'s */
    row->touched = 10;
}

const struct mw_size *mw_sizes_find(const struct mw_sizes *s, const char *what)
{
    uint32_t i = 0;
    while (i < s->n && strcmp(s->row[i].what, what) != 0)
        i++;
    assert(i < s->n);
    return &s->row[i];
}

void *mw_sizes_take(const struct mw_sizes *s, const char *what, uint64_t bytes)
{
    const struct mw_size *size = mw_sizes_find(s, what);
    assert(size->bytes == bytes && !size->estimated);
    return size->copies > 0 ? mw_alloc(what, size->n, bytes) : NULL;
}

uint64_t mw_size_taken(const struct mw_size *size, uint64_t host_ranks)
{
    const uint64_t bytes = mw_saturating_times(size->n, size->bytes);
    if (size->folded)
        return bytes;
    if (size->of_host && host_ranks > 1) /* not from mw_alloc() then, so not rounded */
        return mw_saturating_times(bytes / host_ranks + (bytes % host_ranks != 0),
                                   size->copies);
    return mw_saturating_times(size->kind == MW_OF_CORES ? mw_block_apart(bytes)
                                                         : mw_block_bytes(bytes),
                               size->copies);
}

uint64_t mw_size_touched(const struct mw_size *size, uint64_t host_ranks)
{
    const uint64_t taken = mw_size_taken(size, host_ranks);
    return size->touched == 1000 || size->kind == MW_OF_CORES
               ? taken
               : mw_saturating_times(taken / 1000, size->touched);
}
