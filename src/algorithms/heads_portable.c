/* heads_portable.c -- see heads.h; plain C.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/heads.h"

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

void mw_hub_table_fill(struct mw_hub_table *t, const uint64_t *known, uint32_t n_ranks,
                       uint32_t label_bits)
{
    t->label_bits = label_bits;
    t->per_rank = MW_HUB_BITS / n_ranks / 32 * 32;
    for (uint32_t r = 0; t->per_rank > 0 && r < n_ranks; r++)
        for (uint32_t i = 0; i < t->per_rank / 32; i++) {
            const uint64_t column = ((uint64_t)r << label_bits) + 32 * i;
            const uint64_t word = __atomic_load_n(&known[column / 64], __ATOMIC_RELAXED);
            t->word[r * (t->per_rank / 32) + i] = (uint32_t)(word >> (column % 64));
        }
}
