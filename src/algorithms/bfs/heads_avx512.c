/* heads_avx512.c -- see heads.h; sixteen vertices at a time. Built with -mavx512f, called
 * only where heads_x86.c has found it.
 *
 * The bits of sixteen heads are gathered from the bitmap, whose front is hot, and the names come
 * as a stream. Without a branch for heads that are no hubs: at SCALE 22 two in five are not among
 * the first 1024 labels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/heads_x86.h"

#include <immintrin.h>

enum { DENSE = 12 }; /* waiting vertices of 64 from which vectors pay */

/* The first entries of a stream for the lanes in m, the next one to the next lane;
 * nothing beyond is read. */
MW_FN __m512i deal(const uint32_t *stream, __mmask16 m)
{
    const __mmask16 first = (__mmask16)((1U << __builtin_popcount(m)) - 1);
    return _mm512_maskz_expand_epi32(m, _mm512_maskz_loadu_epi32(first, stream));
}

static uint64_t one_by_one(const struct mw_heads_view *v, uint64_t waiting)
{
    const uint32_t *head = v->head, *name = v->head_name;
    uint32_t *parent = v->parent;
    uint64_t left = 0;
    for (uint64_t bits = waiting; bits != 0; bits &= bits - 1) {
        const uint64_t one = bits & (~bits + 1);
        const int i = __builtin_ctzll(bits),
                  at = __builtin_popcountll(v->has & (one - 1));
        if (parent[i] != UINT32_MAX)
            continue;
        if (v->known[head[at] / 64] >> (head[at] % 64) & 1)
            parent[i] = name[at];
        else
            left |= one;
    }
    return left;
}

uint64_t mw_heads_avx512(const struct mw_heads_view *v, uint64_t waiting)
{
    const uint32_t *head = v->head;
    const uint32_t *name = v->head_name;
    uint32_t *parent = v->parent;
    const __m512i none = _mm512_set1_epi32(-1), one = _mm512_set1_epi32(1);
    uint64_t left = 0;

    if (__builtin_popcountll(waiting) < DENSE)
        return one_by_one(v, waiting);

    for (int i = 0; i < 64; i += 16) {
        const __mmask16 has = (__mmask16)(v->has >> i);
        __mmask16 m = (__mmask16)(waiting >> i);
        if (m != 0) {
            m = _mm512_mask_cmpeq_epi32_mask(m, _mm512_maskz_loadu_epi32(m, parent + i),
                                             none);
            const __m512i column = deal(head, has);
            /* x86 has the bits of a 64-bit word in the order of its halves. */
            const __m512i word = _mm512_mask_i32gather_epi32(
                none, m, _mm512_srli_epi32(column, 5), v->known, sizeof(uint32_t));
            const __m512i bit =
                _mm512_sllv_epi32(one, _mm512_and_si512(column, _mm512_set1_epi32(31)));
            const __mmask16 hit = _mm512_mask_test_epi32_mask(m, word, bit);
            _mm512_mask_storeu_epi32(parent + i, hit, deal(name, has));
            left |= (uint64_t)(uint16_t)(m & ~hit) << i;
        }
        head += __builtin_popcount(has);
        name += __builtin_popcount(has);
    }
    return left;
}
