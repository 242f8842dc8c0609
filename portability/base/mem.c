/* mem.c -- see mem.h. A block carries one cache line in front of it with its
 * size, so that freeing needs no table and no lock.
 *
 *      base          base + 64
 *      | struct block | the caller's bytes ...
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20, MAPPED_FROM = 1 << 20 };

struct block {
    uint64_t bytes; /* of the whole block, this line included */
    uint64_t mapped;
    const char *what; /* borrowed: names are literals */
    uint64_t fill[5];
};
MW_STATIC_ASSERT(sizeof(struct block) == MW_CACHE_LINE, "callers' bytes stay aligned");

/* Two lines: emulated cores pay for a transfer by the stretches of 128 bytes that it touches,
 * which must not depend on where memory happens to lie. */
enum { ALIGNMENT = 2 * MW_CACHE_LINE };

struct use {
    uint64_t now, peak;
};
static struct use host, apart;
static int64_t fail_in = INT64_MIN; /* until the environment has been read; 0: off */

static bool must_fail(void)
{
    int64_t left = MW_LOAD_RELAXED(&fail_in);
    if (left == INT64_MIN) {
        const char *text = getenv("MESHWAY_FAIL_ALLOC");
        left = text != NULL ? strtoll(text, NULL, 10) : 0;
        MW_STORE_RELAXED(&fail_in, left);
    }
    return left > 0 && MW_SUB_RELAXED(&fail_in, 1) == 1;
}

static mw_mem_listener *listener;

void mw_mem_listen(mw_mem_listener *l)
{
    MW_STORE_RELEASE(&listener, l);
}

static void tell_listener(const char *what, int64_t bytes)
{
    mw_mem_listener *const l = MW_LOAD_ACQUIRE(&listener);
    if (l != NULL)
        l(what, bytes);
}

static void count(struct use *use, uint64_t bytes)
{
    const uint64_t now = MW_ADD_RELAXED(&use->now, bytes) + bytes;
    uint64_t top = MW_LOAD_RELAXED(&use->peak);
    while (now > top && !MW_SWAP_RELAXED(&use->peak, &top, now))
        ;
}

static bool is_mapped(uint64_t bytes)
{
    return bytes >= MAPPED_FROM;
}

uint64_t mw_block_bytes(uint64_t bytes)
{
    if (bytes > UINT64_MAX - 2 * HUGE_PAGE)
        return UINT64_MAX;
    return mw_round_up(bytes + sizeof(struct block),
                       is_mapped(bytes) ? HUGE_PAGE : ALIGNMENT);
}

uint64_t mw_block_left(uint64_t bytes, uint64_t shrunk_to)
{
    const uint64_t whole = mw_block_bytes(bytes);
    if (!is_mapped(bytes) || shrunk_to >= bytes)
        return whole;
    return mw_min(whole, mw_round_up(shrunk_to + sizeof(struct block), HUGE_PAGE));
}

char *mw_map(uint64_t bytes, int protection)
{
    char *p = mmap(NULL, bytes + HUGE_PAGE, protection,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    const uint64_t before = (0 - (uint64_t)(uintptr_t)p) % HUGE_PAGE;
    if (before > 0)
        munmap(p, before);
    munmap(p + before + bytes, HUGE_PAGE - before);
    return p + before;
}

/* So that the first page can be huge as well. */
static void *map(uint64_t bytes)
{
    char *const p = mw_map(bytes, PROT_READ | PROT_WRITE);
    if (p != NULL)
        madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

void *mw_alloc(const char *what, uint64_t n, uint64_t size)
{
    uint64_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > (UINT64_C(1) << 48)) {
        mw_fail(MW_ERR_NOMEM, "%s: %llu x %llu bytes is more than any machine has", what,
                (unsigned long long)n, (unsigned long long)size);
        return NULL;
    }
    const bool mapped = is_mapped(bytes);
    const uint64_t whole = mw_block_bytes(bytes);
    struct block *b = NULL;
    if (!must_fail())
        b = mapped ? map(whole) : aligned_alloc(ALIGNMENT, whole);
    if (b == NULL) {
        mw_fail(MW_ERR_NOMEM, "out of memory: %s, %llu x %llu bytes", what,
                (unsigned long long)n, (unsigned long long)size);
        return NULL;
    }
    if (!mapped)
        memset(b, 0, whole);
    b->bytes = whole;
    b->mapped = mapped;
    b->what = what;
    count(&host, whole);
    tell_listener(what, (int64_t)whole);
    return b + 1;
}

void mw_free(void *p)
{
    if (p == NULL)
        return;
    struct block *b = (struct block *)p - 1;
    MW_SUB_RELAXED(&host.now, b->bytes);
    tell_listener(b->what, -(int64_t)b->bytes);
    if (b->mapped)
        munmap(b, b->bytes);
    else
        free(b);
}

void mw_free_each(void *const *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mw_free(p[i]);
}

void *mw_grown(const char *what, void *block, uint64_t used, uint64_t more, uint64_t size)
{
    uint64_t room = MW_FIRST_ROOM;
    void *larger;
    while (room < used)
        room *= 2;
    if (block != NULL && used + more <= room)
        return block;
    while (room < used + more)
        room *= 2;
    larger = mw_alloc(what, room, size);
    if (larger == NULL)
        return NULL;
    if (block != NULL)
        memcpy(larger, block, used * size);
    mw_free(block);
    return larger;
}

void mw_shrink(void *p, uint64_t bytes)
{
    struct block *b = (struct block *)p - 1;
    const uint64_t whole = mw_round_up(bytes + sizeof *b, HUGE_PAGE);
    if (!b->mapped || whole >= b->bytes)
        return;
    munmap((char *)b + whole, b->bytes - whole);
    MW_SUB_RELAXED(&host.now, b->bytes - whole);
    tell_listener(b->what, (int64_t)whole - (int64_t)b->bytes);
    b->bytes = whole;
}

uint64_t mw_block_apart(uint64_t bytes)
{
    return bytes >= UINT64_MAX - ALIGNMENT ? UINT64_MAX
                                           : mw_round_up(bytes + 1, ALIGNMENT);
}

bool mw_mem_take_apart(const char *what, uint64_t bytes)
{
    if (must_fail()) {
        mw_fail(MW_ERR_NOMEM, "out of memory of the cores: %s, %llu bytes", what,
                (unsigned long long)bytes);
        return false;
    }
    count(&apart, bytes);
    tell_listener(what, (int64_t)bytes);
    return true;
}

void mw_mem_give_apart(const char *what, uint64_t bytes)
{
    MW_SUB_RELAXED(&apart.now, bytes);
    tell_listener(what, -(int64_t)bytes);
}

uint64_t mw_mem_apart(void)
{
    return MW_LOAD_RELAXED(&apart.now);
}

uint64_t mw_mem_peak_apart(void)
{
    return MW_LOAD_RELAXED(&apart.peak);
}

uint64_t mw_mem_in_use(void)
{
    return MW_LOAD_RELAXED(&host.now);
}

uint64_t mw_mem_peak(void)
{
    return MW_LOAD_RELAXED(&host.peak);
}

void mw_mem_fail_at(uint64_t n)
{
    MW_STORE_RELAXED(&fail_in, (int64_t)n);
}
