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

uint64_t mw_heads_avx512(const struct mw_heads_view *v, uint64_t waiting)
{
    const uint32_t *head = v->head;
    const uint32_t *name = v->head_name;
    uint32_t *parent = v->parent;
    const __m512i none = _mm512_set1_epi32(-1), one = _mm512_set1_epi32(1);
    uint64_t left = 0;

    if (__builtin_popcountll(waiting) < DENSE)
        return mw_heads_portable32(v, waiting);

    for (int i = 0; i < 64; i += 16) {
        __mmask16 m = (__mmask16)(waiting >> i);
        if (m == 0)
            continue;
        m = _mm512_mask_cmpeq_epi32_mask(m, _mm512_maskz_loadu_epi32(m, parent + i),
                                         none);
        const __m512i column = _mm512_maskz_loadu_epi32(m, head + i);
        /* x86 has the bits of a 64-bit word in the order of its halves. */
        const __m512i word = _mm512_mask_i32gather_epi32(
            none, m, _mm512_srli_epi32(column, 5), v->known, sizeof(uint32_t));
        const __m512i bit =
            _mm512_sllv_epi32(one, _mm512_and_si512(column, _mm512_set1_epi32(31)));
        const __mmask16 hit = _mm512_mask_test_epi32_mask(m, word, bit);
        _mm512_mask_storeu_epi32(parent + i, hit,
                                 _mm512_maskz_loadu_epi32(hit, name + i));
        left |= (uint64_t)(uint16_t)(m & ~hit) << i;
    }
    return left;
}
