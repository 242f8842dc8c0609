/* heads_portable.c -- see heads.h; plain C.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/heads.h"

uint64_t mw_heads_portable32(const struct mw_heads_view *v, uint64_t waiting)
{
    const uint32_t *head = v->head, *name = v->head_name;
    uint32_t *parent = v->parent;
    uint64_t left = 0;
    for (uint64_t bits = waiting; bits != 0; bits &= bits - 1) {
        const int i = __builtin_ctzll(bits);
        const uint32_t c = head[i];
        if (parent[i] != UINT32_MAX)
            continue;
        if (v->known[c / 64] >> (c % 64) & 1)
            parent[i] = name[i];
        else
            left |= bits & (~bits + 1);
    }
    return left;
}

uint64_t mw_heads_portable64(const struct mw_heads_view *v, uint64_t waiting)
{
    const uint64_t *head = v->head, *name = v->head_name;
    uint64_t *parent = v->parent;
    uint64_t left = 0;
    for (uint64_t bits = waiting; bits != 0; bits &= bits - 1) {
        const int i = __builtin_ctzll(bits);
        const uint64_t c = head[i];
        if (parent[i] != UINT64_MAX)
            continue;
        if (v->known[c / 64] >> (c % 64) & 1)
            parent[i] = name[i];
        else
            left |= bits & (~bits + 1);
    }
    return left;
}
