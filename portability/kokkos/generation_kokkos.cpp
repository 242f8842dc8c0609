/* generation_kokkos.cpp -- the generator's edges on Kokkos, bit for bit.
 *
 * A core makes edges that are STRIDE apart, one after the other: it enters the list once, with a jump for each bit of
 * its first edge's number, and then goes on with one jump an edge; and what neighbours store is together.
 * An edge is made as the definition reads (generator.c), but with outputs that are reduced only where they
 * decide about bits, and in numbers of 32 bits where those suffice.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "graph500/generation.h"

namespace mwk
{
namespace generation
{

enum { WORDS = MW_RANDOM_WORDS, STRIDE_LOG2 = 18 };
constexpr uint64_t STRIDE = UINT64_C(1) << STRIDE_LOG2;

KOKKOS_INLINE_FUNCTION void jump(mw_random &r, const mw_jump &by)
{
    const mw_random from = r;
    for (int i = 0; i < WORDS; i++)
        r.z[i] =
            mw_jump_row(by.m[i], from.z[0], from.z[1], from.z[2], from.z[3], from.z[4]);
}

KOKKOS_INLINE_FUNCTION uint32_t reversed(uint32_t v)
{
    v = (v >> 1 & UINT32_C(0x55555555)) | (v & UINT32_C(0x55555555)) << 1;
    v = (v >> 2 & UINT32_C(0x33333333)) | (v & UINT32_C(0x33333333)) << 2;
    v = (v >> 4 & UINT32_C(0x0F0F0F0F)) | (v & UINT32_C(0x0F0F0F0F)) << 4;
    v = (v >> 8 & UINT32_C(0x00FF00FF)) | (v & UINT32_C(0x00FF00FF)) << 8;
    return v >> 16 | v << 16;
}
KOKKOS_INLINE_FUNCTION uint64_t reversed(uint64_t v)
{
    return static_cast<uint64_t>(reversed(static_cast<uint32_t>(v))) << 32 |
           reversed(static_cast<uint32_t>(v >> 32));
}

/* Of a number of at most as many bits as T has: bits of products above those do not count. */
template <class T> KOKKOS_INLINE_FUNCTION T scrambled(const mw_kronecker &k, T v)
{
    const uint32_t shift = 8 * sizeof(T) - k.scale;
    v += static_cast<T>(k.val[0] + k.val[1]);
    v = reversed(static_cast<T>(v * static_cast<T>(mw_kronecker_factor0(&k)))) >> shift;
    return reversed(static_cast<T>(v * static_cast<T>(mw_kronecker_factor1(&k)))) >>
           shift;
}

/* The next output of r, which stays where it is; not reduced. */
KOKKOS_INLINE_FUNCTION uint32_t next(const mw_random &r)
{
    return mw_random_step(r.z[0], r.z[4]);
}

/* Leaves r behind the edge's last draw. */
template <class T>
KOKKOS_INLINE_FUNCTION void edge_from(const mw_kronecker &k, mw_random &r, T *out)
{
    T source = 0, target = 0;
    for (uint32_t level = 0; level < k.scale;) {
        const uint32_t t = next(r);
        for (int i = WORDS - 1; i > 0; i--)
            r.z[i] = r.z[i - 1];
        r.z[0] = t;
        const uint32_t drawn = mw_random_reduce(t);
        if (drawn < MW_KRONECKER_REJECT)
            continue;
        const uint32_t q = drawn % MW_KRONECKER_UNIT;
        const bool lower = q >= MW_KRONECKER_BELOW_A;
        bool s = lower || (q >= MW_KRONECKER_BELOW_B && q < MW_KRONECKER_BELOW_C);
        bool d = lower || q < MW_KRONECKER_BELOW_B;
        if (source == target && s && !d) {
            s = false;
            d = true;
        }
        source = 2 * source + s;
        target = 2 * target + d;
        level++;
    }
    out[0] = scrambled(k, source);
    out[1] = scrambled(k, target);
}

/* All edges of this core. */
template <class T>
KOKKOS_INLINE_FUNCTION void make(const mw_generation &g, uint64_t core, T *out)
{
    const mw_kronecker &k = *g.kronecker;
    mw_random r = k.seed;
    const uint64_t first = g.first + core;
    for (uint32_t bit = 0; first >> bit > 0; bit++)
        if (first >> bit & 1)
            jump(r, k.forward[bit]);
    for (uint64_t i = core; i < g.n; i += STRIDE) {
        mw_random drawn = r;
        edge_from(k, drawn, out + 2 * i);
        if (g.weight != nullptr)
            g.weight[i] = mw_kronecker_weight_of(mw_random_reduce(next(drawn)));
        jump(r, k.forward[STRIDE_LOG2]);
    }
}

void generate(mw_cpe *, void *job)
{
    turn t;
    const mw_generation g =
        *static_cast<mw_generation *>(static_cast<mw_job *>(job)->state);
    const indices cores(0, g.n < STRIDE ? g.n : STRIDE);
    if (g.narrow != nullptr)
        Kokkos::parallel_for(
            "generate", cores, KOKKOS_LAMBDA(uint64_t core) { make(g, core, g.narrow); });
    else
        Kokkos::parallel_for(
            "generate", cores, KOKKOS_LAMBDA(uint64_t core) { make(g, core, g.wide); });
    t.wait();
}

} // namespace generation
} // namespace mwk

MWK_TABLE(mw_generation_sweeps, mwk::generation::generate)
