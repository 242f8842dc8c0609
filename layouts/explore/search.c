/* search.c -- see search.h. One- and two-word states have loops of their own: the number of
 * words is a constant argument there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/search.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

enum {
    FIRST_SLOTS = 1 << 10,
    CHUNK_BYTES = 256 << 10, /* at most */
    SLAB_BYTES = (2 << 20) - MW_CACHE_LINE,
    SINGLE_CHUNKS = 4, /* slabs of one chunk, before whole huge pages */
    AHEAD = 64         /* states whose slots are on their way together */
};

/* ---- memory -------------------------------------------------------------------------- */

static void count(struct mw_net_search *s, uint64_t bytes)
{
    s->bytes += bytes;
    s->most_bytes = mw_max(s->most_bytes, s->bytes);
}

/* Room for one more pointer; the capacity is the power of two at or above n. */
static int grow_pointers(struct mw_net_search *s, void ***list, uint64_t n)
{
    void **more;
    if (*list != NULL && (n < 16 || (n & (n - 1)) != 0))
        return MW_OK;
    more = mw_alloc("search directory", mw_max(16, 2 * n), sizeof *more);
    if (more == NULL)
        return MW_ERR_NOMEM;
    if (*list != NULL)
        memcpy(more, *list, n * sizeof *more);
    mw_free(*list);
    *list = more;
    count(s, mw_max(16, n) * sizeof *more);
    return MW_OK;
}

static bool fits(const struct mw_net_search *s, uint64_t more)
{
    return s->bytes <= s->limit_bytes && more <= s->limit_bytes - s->bytes;
}

static uint64_t chunk_words(const struct mw_net_search *s)
{
    return (2 * (uint64_t)s->n_words + 1) << s->chunk_bits >> 1;
}

/* MW_DONE: it would go beyond the limit. */
static int add_slab(struct mw_net_search *s)
{
    const uint64_t one = 8 * chunk_words(s);
    uint64_t n = s->n_slabs < SINGLE_CHUNKS ? 1 : mw_max(1, SLAB_BYTES / one);
    uint64_t *slab;
    if (!fits(s, n * one))
        n = 1;
    if (s->n_slabs > 0 && !fits(s, one))
        return MW_DONE;
    MW_NEED(grow_pointers(s, &s->slab, s->n_slabs));
    MW_NEED_NEW(slab, "states", n * chunk_words(s));
    s->slab[s->n_slabs++] = slab;
    count(s, n * one);
    for (uint64_t i = 0; i < n; i++) {
        MW_NEED(grow_pointers(s, &s->chunk, s->n_chunks));
        s->chunk[s->n_chunks++] = slab + i * chunk_words(s);
    }
    return MW_OK;
}

int mw_net_search_init(struct mw_net_search *s, uint32_t n_words, uint64_t limit,
                       uint64_t limit_bytes)
{
    assert(n_words >= 1);
    *s = (struct mw_net_search){.n_words = n_words,
                                .limit = mw_min(limit, MW_NET_SEARCH_MAX)};
    s->limit_bytes = limit_bytes != 0 ? limit_bytes : MW_NET_SEARCH_BYTES;
    s->number_mask = (UINT64_C(1) << mw_bits_for(s->limit + 1)) - 1;
    s->chunk_bits = 1; /* chunks of whole words */
    while ((uint64_t)(8 * n_words + 4) << (s->chunk_bits + 1) <= CHUNK_BYTES)
        s->chunk_bits++;
    MW_NEED_NEW(s->slot, "visited set", FIRST_SLOTS);
    s->mask = FIRST_SLOTS - 1;
    count(s, FIRST_SLOTS * sizeof *s->slot);
    return MW_OK;
}

void mw_net_search_fini(struct mw_net_search *s)
{
    for (uint64_t i = 0; i < s->n_slabs; i++)
        mw_free(s->slab[i]);
    MW_FREE_ALL(s->slab, s->chunk, s->slot);
    *s = (struct mw_net_search){0};
}

/* ---- states -------------------------------------------------------------------------- */

MW_FN uint32_t *parent_at(const struct mw_net_search *s, uint64_t i, uint32_t n_words)
{
    const uint64_t in_chunk = i & ((UINT64_C(1) << s->chunk_bits) - 1);
    uint64_t *const chunk = (uint64_t *)s->chunk[i >> s->chunk_bits];
    return (uint32_t *)(chunk + ((uint64_t)n_words << s->chunk_bits)) + in_chunk;
}

MW_FN uint64_t *state_at(const struct mw_net_search *s, uint64_t i, uint32_t n_words)
{
    const uint64_t in_chunk = i & ((UINT64_C(1) << s->chunk_bits) - 1);
    return (uint64_t *)s->chunk[i >> s->chunk_bits] + in_chunk * n_words;
}

MW_FN uint64_t hash_of(const uint64_t *state, uint32_t n_words)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < n_words; i++) {
        h = (h ^ state[i]) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 32;
    }
    h *= UINT64_C(0xD6E8FEB86659FD93);
    return h ^ h >> 32;
}

/* The bits of the hash that go beside the number: from the top, the slot comes from below. */
MW_FN uint32_t tag_of(const struct mw_net_search *s, uint64_t hash)
{
    return (uint32_t)(hash >> 32) & ~(uint32_t)s->number_mask;
}

MW_FN bool equal(const uint64_t *a, const uint64_t *b, uint32_t n_words)
{
    uint64_t differ = 0;
    for (uint32_t i = 0; i < n_words; i++)
        differ |= a[i] ^ b[i];
    return differ == 0;
}

/* ---- the table ------------------------------------------------------------------------ */

MW_FN void fill_slot(struct mw_net_search *s, uint64_t hash, uint64_t i)
{
    uint64_t at = hash & s->mask;
    while (s->slot[at] != 0)
        at = (at + 1) & s->mask;
    s->slot[at] = tag_of(s, hash) | (uint32_t)(i + 1);
}

/* Twice the slots. The old table goes first, since the states know their hashes: so the peak
 * is one table. MW_DONE: it would go beyond the limit, nothing was done. */
MW_FN int rebuild(struct mw_net_search *s, uint32_t n_words)
{
    uint64_t hash[AHEAD];
    const uint64_t n_slots = 2 * (s->mask + 1);
    if (!fits(s, n_slots / 2 * sizeof *s->slot))
        return MW_DONE;
    mw_free(s->slot);
    s->bytes -= (s->mask + 1) * sizeof *s->slot;
    s->slot = mw_alloc("visited set", n_slots, sizeof *s->slot);
    if (s->slot == NULL)
        return MW_ERR_NOMEM;
    s->mask = n_slots - 1;
    count(s, n_slots * sizeof *s->slot);
    for (uint64_t i = 0; i < s->n; i += AHEAD) {
        const uint64_t n = mw_min(AHEAD, s->n - i);
        for (uint64_t k = 0; k < n; k++) {
            hash[k] = hash_of(state_at(s, i + k, n_words), n_words);
            __builtin_prefetch(&s->slot[hash[k] & s->mask], 1);
        }
        for (uint64_t k = 0; k < n; k++)
            fill_slot(s, hash[k], i + k);
    }
    return MW_OK;
}

/* MW_OK: it is in the set, and was or is now. */
MW_FN int add_one(struct mw_net_search *s, const uint64_t *state, uint32_t parent,
                  uint64_t hash, uint32_t n_words)
{
    const uint32_t tag = tag_of(s, hash), numbers = (uint32_t)s->number_mask;
    uint64_t at = hash & s->mask;
    for (; s->slot[at] != 0; at = (at + 1) & s->mask)
        if ((s->slot[at] & ~numbers) == tag &&
            equal(state_at(s, (s->slot[at] & numbers) - 1, n_words), state, n_words))
            return MW_OK;
    if (s->n == s->limit)
        return MW_DONE;
    if (MW_UNLIKELY(s->n >> s->chunk_bits == s->n_chunks)) {
        const int rc = add_slab(s);
        if (rc != MW_OK)
            return rc;
    }
    memcpy(state_at(s, s->n, n_words), state, n_words * sizeof *state);
    *parent_at(s, s->n, n_words) = parent;
    s->slot[at] = tag | (uint32_t)++s->n;
    return MW_OK;
}

/* One batch of at most AHEAD: first all slots, then all states that their tags point to. */
MW_FN int add_batch(struct mw_net_search *s, uint64_t n, const uint64_t *state,
                    const uint32_t *parent, uint32_t n_words)
{
    uint64_t hash[AHEAD];
    const uint32_t numbers = (uint32_t)s->number_mask;
    int rc = MW_OK;
    while (rc == MW_OK && (s->n + n) * 5 > (s->mask + 1) * 4)
        rc = rebuild(s, n_words);
    if (rc != MW_OK)
        return rc;
    for (uint64_t i = 0; i < n; i++) {
        hash[i] = hash_of(state + i * n_words, n_words);
        __builtin_prefetch(&s->slot[hash[i] & s->mask], 1);
    }
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t slot = s->slot[hash[i] & s->mask];
        if (slot != 0 && (slot & ~numbers) == tag_of(s, hash[i]))
            __builtin_prefetch(state_at(s, (slot & numbers) - 1, n_words));
    }
    for (uint64_t i = 0; i < n && rc == MW_OK; i++)
        rc = add_one(s, state + i * n_words, parent[i], hash[i], n_words);
    return rc;
}

MW_FN int add_all(struct mw_net_search *s, uint64_t n, const uint64_t *state,
                  const uint32_t *parent, uint32_t n_words)
{
    int rc = MW_OK;
    for (uint64_t i = 0; i < n && rc == MW_OK; i += AHEAD)
        rc = add_batch(s, mw_min(AHEAD, n - i), state + i * n_words, parent + i, n_words);
    return rc;
}

int mw_net_search_add(struct mw_net_search *s, uint64_t n, const uint64_t *state,
                      const uint32_t *parent)
{
    if (s->n_words == 1)
        return add_all(s, n, state, parent, 1);
    if (s->n_words == 2)
        return add_all(s, n, state, parent, 2);
    return add_all(s, n, state, parent, s->n_words);
}

uint32_t mw_net_search_parent(const struct mw_net_search *s, uint64_t i)
{
    return *parent_at(s, i, s->n_words);
}

uint64_t mw_net_search_depth(const struct mw_net_search *s, uint64_t i)
{
    uint64_t n = 1;
    for (; i != 0; i = mw_net_search_parent(s, i))
        n++;
    return n;
}
