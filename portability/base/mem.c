/* mem.c -- see mem.h. A block carries one cache line in front of it with its
 * size, so that freeing needs no table and no lock.
 *
 *      base          base + 64
 *      | struct block | the caller's bytes ...
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { HUGE_PAGE = 2 << 20, MAPPED_FROM = 1 << 20 };

struct block {
    uint64_t bytes; /* of the whole block, this line included */
    uint64_t mapped;
    uint64_t fill[6];
};
MW_STATIC_ASSERT(sizeof(struct block) == MW_CACHE_LINE, "callers' bytes stay aligned");

/* Two lines: emulated cores pay for a transfer by the stretches of 128 bytes that it touches,
 * which must not depend on where memory happens to lie. */
enum { ALIGNMENT = 2 * MW_CACHE_LINE };

static uint64_t in_use, peak;
static int64_t fail_in = INT64_MIN; /* until the environment has been read; 0: off */

static bool must_fail(void)
{
    int64_t left = __atomic_load_n(&fail_in, __ATOMIC_RELAXED);
    if (left == INT64_MIN) {
        const char *text = getenv("MESHWAY_FAIL_ALLOC");
        left = text != NULL ? strtoll(text, NULL, 10) : 0;
        __atomic_store_n(&fail_in, left, __ATOMIC_RELAXED);
    }
    return left > 0 && __atomic_fetch_sub(&fail_in, 1, __ATOMIC_RELAXED) == 1;
}

static void count(uint64_t bytes)
{
    const uint64_t now = __atomic_add_fetch(&in_use, bytes, __ATOMIC_RELAXED);
    uint64_t top = __atomic_load_n(&peak, __ATOMIC_RELAXED);
    while (now > top && !__atomic_compare_exchange_n(&peak, &top, now, true,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Mapped on a huge-page boundary, so that the first page can be huge as well. */
static void *map(uint64_t bytes)
{
    char *p = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    const uint64_t before = (0 - (uint64_t)(uintptr_t)p) % HUGE_PAGE;
    if (before > 0)
        munmap(p, before);
    munmap(p + before + bytes, HUGE_PAGE - before);
    madvise(p + before, bytes, MADV_HUGEPAGE);
    return p + before;
}

void *mw_alloc(const char *what, uint64_t n, uint64_t size)
{
    uint64_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > (UINT64_C(1) << 48)) {
        mw_fail(MW_ERR_NOMEM, "%s: %llu x %llu bytes is more than any machine has", what,
                (unsigned long long)n, (unsigned long long)size);
        return NULL;
    }
    const bool mapped = bytes >= MAPPED_FROM;
    const uint64_t whole =
        mw_round_up(bytes + sizeof(struct block), mapped ? HUGE_PAGE : ALIGNMENT);
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
    count(whole);
    return b + 1;
}

void mw_free(void *p)
{
    if (p == NULL)
        return;
    struct block *b = (struct block *)p - 1;
    __atomic_sub_fetch(&in_use, b->bytes, __ATOMIC_RELAXED);
    if (b->mapped)
        munmap(b, b->bytes);
    else
        free(b);
}

void mw_shrink(void *p, uint64_t bytes)
{
    struct block *b = (struct block *)p - 1;
    const uint64_t whole = mw_round_up(bytes + sizeof *b, HUGE_PAGE);
    if (!b->mapped || whole >= b->bytes)
        return;
    munmap((char *)b + whole, b->bytes - whole);
    __atomic_sub_fetch(&in_use, b->bytes - whole, __ATOMIC_RELAXED);
    b->bytes = whole;
}

uint64_t mw_mem_in_use(void)
{
    return __atomic_load_n(&in_use, __ATOMIC_RELAXED);
}

uint64_t mw_mem_peak(void)
{
    return __atomic_load_n(&peak, __ATOMIC_RELAXED);
}

uint64_t mw_mem_peak_resident(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

void mw_mem_fail_at(uint64_t n)
{
    __atomic_store_n(&fail_in, (int64_t)n, __ATOMIC_RELAXED);
}

/* The number after `key` in a /proc or cgroup file, or UINT64_MAX ("max" too). */
static uint64_t number_in(const char *path, const char *key, uint64_t unit)
{
    char line[256];
    uint64_t value = UINT64_MAX;
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return value;
    while (fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, key, strlen(key)) == 0) {
            char *end;
            const char *digits = line + strlen(key);
            errno = 0;
            const unsigned long long v = strtoull(digits, &end, 10);
            if (end != digits && errno == 0 && v < UINT64_MAX / unit)
                value = v * unit;
            break;
        }
    fclose(f);
    return value;
}

static void lower(uint64_t *least, const char **source, uint64_t value, const char *name)
{
    if (value < *least) {
        *least = value;
        *source = name;
    }
}

uint64_t mw_mem_available(const char **source)
{
    uint64_t least = UINT64_MAX;
    const char *name = "unknown";
    const uint64_t cgroup2 = number_in("/sys/fs/cgroup/memory.max", "", 1);
    const uint64_t used2 = number_in("/sys/fs/cgroup/memory.current", "", 1);
    const uint64_t cgroup1 =
        number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", "", 1);
    const uint64_t used1 =
        number_in("/sys/fs/cgroup/memory/memory.usage_in_bytes", "", 1);
    struct rlimit limit;

    lower(&least, &name, number_in("/proc/meminfo", "MemAvailable:", 1024),
          "MemAvailable");
    if (cgroup2 != UINT64_MAX && used2 != UINT64_MAX)
        lower(&least, &name, cgroup2 > used2 ? cgroup2 - used2 : 0, "cgroup memory.max");
    if (cgroup1 != UINT64_MAX && used1 != UINT64_MAX)
        lower(&least, &name, cgroup1 > used1 ? cgroup1 - used1 : 0, "cgroup limit");
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        lower(&least, &name, limit.rlim_cur, "RLIMIT_AS (ulimit -v)");
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        lower(&least, &name, limit.rlim_cur, "RLIMIT_DATA (ulimit -d)");
    if (source != NULL)
        *source = name;
    return least;
}
