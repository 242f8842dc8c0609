/* heads_portable.c -- see heads.h; plain C.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/heads.h"

#include "graph/graph.h"

/* Heads are counted along, which needs no count of bits. */
MW_FN uint64_t look_at_heads(const struct mw_heads_view *v, uint64_t waiting, bool wide)
{
    const uint64_t none = wide ? UINT64_MAX : UINT32_MAX;
    uint64_t left = 0, at = 0;
    for (uint64_t bits = v->has; bits != 0; bits &= bits - 1, at++) {
        const uint64_t i = (uint64_t)__builtin_ctzll(bits), one = bits & (~bits + 1);
        if ((waiting & one) == 0 || mw_number(v->parent, i, wide) != none)
            continue;
        const uint64_t c = mw_number(v->head, at, wide);
        if (v->known[c / 64] >> (c % 64) & 1)
            mw_set_number(v->parent, i, mw_number(v->head_name, at, wide), wide);
        else
            left |= one;
    }
    return left;
}

uint64_t mw_heads_portable32(const struct mw_heads_view *v, uint64_t waiting)
{
    return look_at_heads(v, waiting, false);
}

uint64_t mw_heads_portable64(const struct mw_heads_view *v, uint64_t waiting)
{
    return look_at_heads(v, waiting, true);
}
