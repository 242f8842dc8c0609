/* base.h -- the compiler, and nothing else.
 *
 * Everything that differs between gcc, clang, sw5cc and a C++ compiler is named
 * once here; other files use the names and stay free of #if. What the slave
 * compiler of a Sunway machine sees (elements, skeletons, the headers under
 * them) keeps to C99 plus these names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BASE_H
#define MW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define MW_BEGIN_DECLS               extern "C" {
#define MW_END_DECLS                 }
#define MW_RESTRICT                  __restrict__
#define MW_STATIC_ASSERT(cond, text) static_assert(cond, text)
#else
#define MW_BEGIN_DECLS
#define MW_END_DECLS
#define MW_RESTRICT restrict
#if __STDC_VERSION__ >= 201112L
#define MW_STATIC_ASSERT(cond, text) _Static_assert(cond, text)
#else
#define MW_STATIC_ASSERT(cond, text) extern char mw_static_assert[(cond) ? 1 : -1]
#endif
#endif

/* MW_FN marks the per-message functions of the hot path. C++ and OpenMP-target
 * translation units redefine it before including anything. */
#ifndef MW_FN
#define MW_FN static inline __attribute__((always_inline))
#endif

#define MW_LIKELY(x)          __builtin_expect(!!(x), 1)
#define MW_UNLIKELY(x)        __builtin_expect(!!(x), 0)
#define MW_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define MW_NODISCARD          __attribute__((warn_unused_result))
/* What an algorithm outside the tree calls: nothing else is seen from there (tests/test_plugin.sh). */
#define MW_SHOWN        __attribute__((visibility("default")))
#define MW_THREAD_LOCAL __thread
/* A definition that another of the same name, linked beside it, replaces. */
#define MW_WEAK       __attribute__((weak))
#define MW_CACHE_LINE 64

/* One word that another core may be writing or reading at the time: whole, and RELAXED in no
 * order with anything else. The words are plain, so that the same structure serves C++ and what
 * is shared between processes; ADD and the like return what was there before. This is the only
 * way to say it (the test `layers` looks). What knows no __atomic, a slave compiler, has volatile
 * for the two that elements need. */
#ifdef __ATOMIC_RELAXED
#define MW_LOAD_RELAXED(p)      __atomic_load_n((p), __ATOMIC_RELAXED)
#define MW_STORE_RELAXED(p, x)  __atomic_store_n((p), (x), __ATOMIC_RELAXED)
#define MW_LOAD_ACQUIRE(p)      __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define MW_STORE_RELEASE(p, x)  __atomic_store_n((p), (x), __ATOMIC_RELEASE)
#define MW_ADD_RELAXED(p, n)    __atomic_fetch_add((p), (n), __ATOMIC_RELAXED)
#define MW_ADD_ACQ_REL(p, n)    __atomic_fetch_add((p), (n), __ATOMIC_ACQ_REL)
#define MW_SUB_RELAXED(p, n)    __atomic_fetch_sub((p), (n), __ATOMIC_RELAXED)
#define MW_SUB_ACQ_REL(p, n)    __atomic_fetch_sub((p), (n), __ATOMIC_ACQ_REL)
#define MW_XOR_RELAXED(p, bits) __atomic_fetch_xor((p), (bits), __ATOMIC_RELAXED)
#define MW_OR_RELAXED(p, bits)  __atomic_fetch_or((p), (bits), __ATOMIC_RELAXED)
#define MW_OR_ACQ_REL(p, bits)  __atomic_fetch_or((p), (bits), __ATOMIC_ACQ_REL)
#define MW_XOR_ACQ_REL(p, bits) __atomic_fetch_xor((p), (bits), __ATOMIC_ACQ_REL)
/* *p becomes x if it is *old, which it is told otherwise. */
#define MW_SWAP_RELAXED(p, old, x)                                                       \
    __atomic_compare_exchange_n((p), (old), (x), false, __ATOMIC_RELAXED,                \
                                __ATOMIC_RELAXED)
#define MW_SWAP_ACQ_REL(p, old, x)                                                       \
    __atomic_compare_exchange_n((p), (old), (x), false, __ATOMIC_ACQ_REL,                \
                                __ATOMIC_ACQUIRE)
#define MW_FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define MW_LOAD_RELAXED(p)     (*(const volatile __typeof__(*(p)) *)(p))
#define MW_STORE_RELAXED(p, x) ((void)(*(volatile __typeof__(*(p)) *)(p) = (x)))
#endif

/* MW_CLONES: the function is compiled for several generations of x86-64, and the
 * loader takes the best one the processor has. Elsewhere it is compiled once, and
 * under TSan, which is not yet awake when the loader chooses. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#if __GNUC__ >= 12 && !defined(__SANITIZE_THREAD__)
#define MW_CLONES                                                                        \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
#endif
#ifndef MW_CLONES
#define MW_CLONES
#endif

typedef uint64_t mw_vid; /* a vertex as the input numbers it: 0 .. n_vertices - 1 */
typedef uint32_t mw_lid; /* a vertex local to its owner: a place or a label (graph.h) */

/* Rounds up to a multiple; `unit` is a power of two. */
MW_FN uint64_t mw_round_up(uint64_t x, uint64_t unit)
{
    return (x + unit - 1) & ~(unit - 1);
}

/* The upper half of a 128-bit product. */
MW_FN uint64_t mw_high_word(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 mw_u128;
    return (uint64_t)((mw_u128)a * b >> 64);
}

/* Bits that the numbers 0 .. n - 1 need. */
MW_FN uint32_t mw_bits_for(uint64_t n)
{
    uint32_t bits = 0;
    while (bits < 63 && UINT64_C(1) << bits < n)
        bits++;
    return bits;
}

/* How many bits are set; no call into a library, as __builtin_popcountll() is one on cores without the
 * instruction. */
MW_FN uint32_t mw_count_bits(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

MW_FN uint64_t mw_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

MW_FN uint64_t mw_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
