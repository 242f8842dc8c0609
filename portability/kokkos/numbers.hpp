/* numbers.hpp -- what shuffle/numbers.h has, on Kokkos; space.hpp includes it.
 *
 * Bitmaps are of 64-bit words to everybody else. Here they are read and changed by halves, for that
 * is what every device has fast atomics for; bytes are in little-endian order, as on all devices
 * that Kokkos knows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NUMBERS_H
#define MW_NUMBERS_H

#include <Kokkos_Core.hpp>

#include "shuffle/reals.h"

/* Another core may be changing it: the compiler is to read it each time. */
MW_FN uint64_t mw_load(const void *table, uint64_t i, bool wide)
{
    return wide ? static_cast<const volatile uint64_t *>(table)[i]
                : static_cast<const volatile uint32_t *>(table)[i];
}

MW_FN void mw_store(void *table, uint64_t i, uint64_t value, bool wide)
{
    if (wide)
        static_cast<uint64_t *>(table)[i] = value;
    else
        static_cast<uint32_t *>(table)[i] = static_cast<uint32_t>(value);
}

MW_FN bool mw_claim(void *table, uint64_t i, uint64_t old, uint64_t value, bool wide)
{
    if (wide)
        return Kokkos::atomic_compare_exchange(static_cast<uint64_t *>(table) + i, old,
                                               value) == old;
    return Kokkos::atomic_compare_exchange(static_cast<uint32_t *>(table) + i,
                                           static_cast<uint32_t>(old),
                                           static_cast<uint32_t>(value)) == old;
}

MW_FN void mw_lower(void *table, uint64_t i, uint64_t value, bool wide)
{
    if (!wide) {
        Kokkos::atomic_fetch_min(static_cast<uint32_t *>(table) + i,
                                 static_cast<uint32_t>(value));
        return;
    }
    /* Of 64 bits the minimum of some versions changes nothing on an H100. */
    uint64_t is = mw_load(table, i, true);
    while (value < is && !mw_claim(table, i, is, value, true))
        is = mw_load(table, i, true);
}

MW_FN void mw_add(uint64_t *at, uint64_t n)
{
    Kokkos::atomic_add(at, n);
}

MW_FN void mw_add_number(void *table, uint64_t i, uint64_t n, bool wide)
{
    if (wide)
        Kokkos::atomic_add(static_cast<uint64_t *>(table) + i, n);
    else
        Kokkos::atomic_add(static_cast<uint32_t *>(table) + i, static_cast<uint32_t>(n));
}

MW_FN void mw_or(uint64_t *at, uint64_t bits)
{
    Kokkos::atomic_or(at, bits);
}

/* ---- reals ---------------------------------------------------------------------------------- */

MW_FN void mw_add_real(void *table, uint64_t i, double x, bool wide)
{
    if (wide)
        Kokkos::atomic_add(static_cast<double *>(table) + i, x);
    else
        Kokkos::atomic_add(static_cast<float *>(table) + i, static_cast<float>(x));
}

/* ---- bits ----------------------------------------------------------------------------------- */

namespace mwk
{

KOKKOS_INLINE_FUNCTION uint32_t *halves(uint64_t *words)
{
    return reinterpret_cast<uint32_t *>(words);
}
KOKKOS_INLINE_FUNCTION const uint32_t *halves(const uint64_t *words)
{
    return reinterpret_cast<const uint32_t *>(words);
}

} // namespace mwk

using mw_word = uint32_t;
enum { MW_WORD_BITS = 32 };

/* The bits of word w that stand for numbers below n. */
MW_FN mw_word mw_word_below(uint64_t w, uint64_t n)
{
    const uint64_t first = MW_WORD_BITS * w;
    return n >= first + MW_WORD_BITS ? ~mw_word(0)
           : n > first               ? (mw_word(1) << (n - first)) - 1
                                     : 0;
}

MW_FN mw_word mw_word_of(const uint64_t *bitmap, uint64_t w)
{
    return mwk::halves(bitmap)[w];
}

MW_FN void mw_put_word(uint64_t *bitmap, uint64_t w, mw_word bits)
{
    mwk::halves(bitmap)[w] = bits;
}

MW_FN bool mw_bit(const uint64_t *bitmap, uint64_t i)
{
    return mwk::halves(bitmap)[i / 32] >> (i % 32) & 1;
}

MW_FN void mw_set_bit(uint64_t *bitmap, uint64_t i)
{
    Kokkos::atomic_or(mwk::halves(bitmap) + i / 32, UINT32_C(1) << (i % 32));
}

MW_FN bool mw_take_bit(uint64_t *bitmap, uint64_t i)
{
    uint32_t *const half = mwk::halves(bitmap) + i / 32;
    const uint32_t one = UINT32_C(1) << (i % 32);
    return !(*half & one) && !(Kokkos::atomic_fetch_or(half, one) & one);
}

MW_FN uint32_t mw_lowest_bit(uint64_t x)
{
    return mw_count_bits(~x & (x - 1));
}

/* Nothing to be done by cores of this kind. */
MW_FN void mw_prefetch(const void *p)
{
    (void)p;
}

#endif
