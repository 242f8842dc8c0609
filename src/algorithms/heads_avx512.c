/* heads_avx512.c -- see heads.h; sixteen vertices at a time. Built with -mavx512f, called
 * only where heads_x86.c has found it.
 *
 * Gathers were the slowest part of this on Zen 4, so nothing is gathered:
 * the hubs' bits lie in two registers and are looked up by a permutation, the name comes
 * as a stream, and the few heads that are no hubs are looked up one by one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/heads_x86.h"

#include <immintrin.h>

enum { DENSE = 12 }; /* waiting vertices of 64 from which vectors pay */

uint64_t mw_heads_avx512(const struct mw_heads_view *v, uint64_t waiting)
{
    const uint32_t *head = v->head;
    const uint32_t *name = v->head_name;
    uint32_t *parent = v->parent;
    const struct mw_hub_table *hubs = v->hubs;
    uint64_t left = 0, others = 0;

    if (__builtin_popcountll(waiting) < DENSE || hubs->per_rank == 0)
        return mw_heads_portable32(v, waiting);

    const __m512i low_hubs = _mm512_loadu_si512(hubs->word);
    const __m512i high_hubs = _mm512_loadu_si512(hubs->word + 16);
    const __m512i none = _mm512_set1_epi32(-1), one = _mm512_set1_epi32(1);
    const __m512i per_rank = _mm512_set1_epi32((int)hubs->per_rank);
    const __m512i label_mask =
        _mm512_set1_epi32((int)((UINT64_C(1) << hubs->label_bits) - 1));
    const __m128i label_bits = _mm_cvtsi32_si128((int)hubs->label_bits);

    for (int i = 0; i < 64; i += 16) {
        __mmask16 m = (__mmask16)(waiting >> i);
        if (m == 0)
            continue;
        m = _mm512_mask_cmpeq_epi32_mask(m, _mm512_maskz_loadu_epi32(m, parent + i),
                                         none);
        const __m512i column = _mm512_maskz_loadu_epi32(m, head + i);
        const __m512i label = _mm512_and_si512(column, label_mask);
        const __mmask16 hub = _mm512_mask_cmplt_epu32_mask(m, label, per_rank);
        const __m512i bit = _mm512_add_epi32(
            _mm512_mullo_epi32(_mm512_srl_epi32(column, label_bits), per_rank), label);
        const __m512i word =
            _mm512_permutex2var_epi32(low_hubs, _mm512_srli_epi32(bit, 5), high_hubs);
        const __m512i mask =
            _mm512_sllv_epi32(one, _mm512_and_si512(bit, _mm512_set1_epi32(31)));
        const __mmask16 hit = _mm512_mask_test_epi32_mask(hub, word, mask);
        _mm512_mask_storeu_epi32(parent + i, hit,
                                 _mm512_maskz_loadu_epi32(hit, name + i));
        left |= (uint64_t)(uint16_t)(hub & ~hit) << i;
        others |= (uint64_t)(uint16_t)(m & ~hub) << i;
    }
    for (; others != 0; others &= others - 1) {
        const int i = __builtin_ctzll(others);
        const uint32_t c = head[i];
        const uint32_t known = v->known[c / 64] >> (c % 64) & 1;
        parent[i] = known ? name[i] : UINT32_MAX;
        left |= (uint64_t)(known ^ 1) << i;
    }
    return left;
}
