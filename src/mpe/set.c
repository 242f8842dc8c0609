/* set.c -- see set.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/set.h"

#include <assert.h>
#include <string.h>

enum coding { WORDS, LIST, RUNS, REST, N_CODINGS };

/* What a block begins with. Of hosts that are alike, so in their byte order. */
struct head {
    uint32_t block;
    uint16_t coding;
    uint16_t last_word; /* words up to the last that is not 0, less one */
    uint32_t n_bytes;   /* that follow */
};

/* A block's words, and how many of them count: the last of those is not 0. */
struct block {
    uint64_t word[MW_SET_BLOCK];
    uint32_t n;
};

uint64_t mw_set_room(uint64_t n_blocks, uint64_t n_words)
{
    return n_blocks * sizeof(struct head) + n_words * sizeof(uint64_t);
}

/* ---- One block ---------------------------------------------------------------------------- */

static void trim(struct block *b, uint32_t n)
{
    while (n > 0 && b->word[n - 1] == 0)
        n--;
    b->n = n;
}

/* Bits of a word, without a call where a processor may lack the instruction. */
static uint64_t bits_in(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return x * UINT64_C(0x0101010101010101) >> 56;
}

static enum coding cheapest(const struct block *b, uint64_t *bytes)
{
    uint64_t n_bits = 0, n_runs = 0, before = 0;
    for (uint32_t w = 0; w < b->n; w++) {
        const uint64_t bits = b->word[w];
        n_bits += bits_in(bits);
        n_runs += bits_in(bits & ~(bits << 1 | before));
        before = bits >> 63;
    }
    const uint64_t cost[N_CODINGS] = {[WORDS] = 8 * (uint64_t)b->n,
                                      [LIST] = 2 * n_bits,
                                      [RUNS] = 4 * n_runs,
                                      [REST] = 2 * (64 * (uint64_t)b->n - n_bits)};
    enum coding best = WORDS;
    for (enum coding f = LIST; f < N_CODINGS; f++)
        if (cost[f] < cost[best])
            best = f;
    *bytes = cost[best];
    return best;
}

static char *put_item(char *to, uint32_t bit)
{
    const uint16_t item = (uint16_t)bit;
    memcpy(to, &item, sizeof item);
    return to + sizeof item;
}

static char *put_bits(char *to, const struct block *b, uint64_t flip)
{
    for (uint32_t w = 0; w < b->n; w++)
        for (uint64_t bits = b->word[w] ^ flip; bits != 0; bits &= bits - 1)
            to = put_item(to, 64 * w + (uint32_t)__builtin_ctzll(bits));
    return to;
}

/* A bit that differs from the one before it begins a run, or is the first after one. */
static char *put_runs(char *to, const struct block *b)
{
    uint64_t before = 0;
    for (uint32_t w = 0; w < b->n; w++) {
        const uint64_t bits = b->word[w];
        for (uint64_t turns = bits ^ (bits << 1 | before); turns != 0;
             turns &= turns - 1) {
            const uint32_t i = (uint32_t)__builtin_ctzll(turns);
            to = put_item(to, 64 * w + i - !(bits >> i & 1));
        }
        before = bits >> 63;
    }
    return before != 0 ? put_item(to, 64 * b->n - 1) : to;
}

static void put_block(struct mw_set *s, uint32_t block, const struct block *b)
{
    uint64_t bytes;
    if (b->n == 0)
        return;
    const enum coding coding = cheapest(b, &bytes);
    const struct head head = {block, (uint16_t)coding, (uint16_t)(b->n - 1),
                              (uint32_t)bytes};
    char *to = s->data + s->bytes;
    assert(s->bytes + sizeof head + bytes <= s->room);
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    if (coding == WORDS)
        memcpy(to, b->word, bytes);
    else if (coding == RUNS)
        put_runs(to, b);
    else
        put_bits(to, b, coding == REST ? ~UINT64_C(0) : 0);
    s->bytes += sizeof head + bytes;
}

static uint32_t item_at(const char *items, uint64_t i)
{
    uint16_t item;
    memcpy(&item, items + i * sizeof item, sizeof item);
    return item;
}

static void set_run(uint64_t *word, uint32_t first, uint32_t last)
{
    const uint64_t from = ~UINT64_C(0) << first % 64,
                   to = ~UINT64_C(0) >> (63 - last % 64);
    if (first / 64 == last / 64) {
        word[first / 64] |= from & to;
        return;
    }
    word[first / 64] |= from;
    for (uint32_t w = first / 64 + 1; w < last / 64; w++)
        word[w] = ~UINT64_C(0);
    word[last / 64] |= to;
}

/* ORs into word[head.last_word + 1]. What is missing is cut out of a block of its own. */
static void get_block(const struct head *head, const char *items, uint64_t *word)
{
    const uint32_t n = head->last_word + 1U;
    const uint64_t n_items = head->n_bytes / sizeof(uint16_t);
    struct block all;
    uint64_t bits;
    switch ((enum coding)head->coding) {
    case WORDS:
        for (uint32_t w = 0; w < n; w++, items += sizeof bits) {
            memcpy(&bits, items, sizeof bits);
            word[w] |= bits;
        }
        break;
    case LIST:
        for (uint64_t i = 0; i < n_items; i++)
            word[item_at(items, i) / 64] |= UINT64_C(1) << item_at(items, i) % 64;
        break;
    case RUNS:
        for (uint64_t i = 0; i < n_items; i += 2)
            set_run(word, item_at(items, i), item_at(items, i + 1));
        break;
    case REST:
        memset(all.word, 0xff, n * sizeof *all.word);
        for (uint64_t i = 0; i < n_items; i++)
            all.word[item_at(items, i) / 64] &= ~(UINT64_C(1) << item_at(items, i) % 64);
        for (uint32_t w = 0; w < n; w++)
            word[w] |= all.word[w];
        break;
    case N_CODINGS:
        break;
    }
}

/* ---- Sets --------------------------------------------------------------------------------- */

/* To who knows the rest all that is there says as much as what is new: where much is new,
 * and hardly anything is missing any more, it is shorter. */
static const struct block *shorter(const struct block *news, const struct block *all)
{
    uint64_t bytes, bytes_of_all;
    cheapest(news, &bytes);
    bytes_of_all = bytes;
    if (bytes * 16 > 8 * (uint64_t)all->n)
        cheapest(all, &bytes_of_all);
    return bytes_of_all < bytes ? all : news;
}

static void add_block(struct mw_set *s, uint32_t block, const uint64_t *words,
                      uint64_t *told, uint32_t n)
{
    struct block all, news;
    memcpy(all.word, words, n * sizeof *words);
    trim(&all, n);
    if (told == NULL) {
        put_block(s, block, &all);
        return;
    }
    for (uint32_t w = 0; w < n; w++) {
        news.word[w] = words[w] & ~told[w];
        told[w] |= words[w];
    }
    trim(&news, n);
    if (news.n > 0)
        put_block(s, block, shorter(&news, &all));
}

void mw_set_add(struct mw_set *s, uint32_t first, const uint64_t *words, uint64_t *told,
                uint64_t n_words)
{
    for (uint64_t at = 0; at < n_words; at += MW_SET_BLOCK)
        add_block(s, first++, words + at, told != NULL ? told + at : NULL,
                  (uint32_t)mw_min(n_words - at, MW_SET_BLOCK));
}

/* The block at `at`, or one after all others where the set ends. */
static struct head head_at(const struct mw_set *s, uint64_t at)
{
    struct head head = {.block = UINT32_MAX};
    if (at < s->bytes)
        memcpy(&head, s->data + at, sizeof head);
    return head;
}

static uint64_t size_of(const struct head *head)
{
    return sizeof *head + head->n_bytes;
}

static void copy_block(const struct mw_set *from, uint64_t at, const struct head *head,
                       struct mw_set *out)
{
    assert(out->bytes + size_of(head) <= out->room);
    memcpy(out->data + out->bytes, from->data + at, size_of(head));
    out->bytes += size_of(head);
}

void mw_set_unite(const struct mw_set *a, const struct mw_set *b, struct mw_set *out)
{
    uint64_t at_a = 0, at_b = 0;
    struct block both;
    out->bytes = 0;
    while (at_a < a->bytes || at_b < b->bytes) {
        const struct head x = head_at(a, at_a), y = head_at(b, at_b);
        if (x.block < y.block) {
            copy_block(a, at_a, &x, out);
        } else if (y.block < x.block) {
            copy_block(b, at_b, &y, out);
        } else {
            const uint32_t last = x.last_word > y.last_word ? x.last_word : y.last_word;
            memset(both.word, 0, (last + 1) * sizeof *both.word);
            get_block(&x, a->data + at_a + sizeof x, both.word);
            get_block(&y, b->data + at_b + sizeof y, both.word);
            trim(&both, last + 1);
            put_block(out, x.block, &both);
        }
        at_a += x.block <= y.block ? size_of(&x) : 0;
        at_b += y.block <= x.block ? size_of(&y) : 0;
    }
}

/* Items that grow, below the block's end: what the loops above rely on. */
static bool items_fit(const struct head *head, const char *items)
{
    const uint64_t n_bits = 64 * (head->last_word + UINT64_C(1));
    const uint64_t n_items = head->n_bytes / sizeof(uint16_t);
    if (head->coding == WORDS)
        return head->n_bytes == n_bits / 8;
    if (head->coding >= N_CODINGS || head->n_bytes > n_bits / 8 ||
        head->n_bytes % (head->coding == RUNS ? 4 : 2) != 0)
        return false;
    for (uint64_t i = 0; i < n_items; i++) {
        const bool may_be_same = head->coding == RUNS && i % 2 == 1; /* a run of one */
        if (item_at(items, i) >= n_bits ||
            (i > 0 && item_at(items, i) + may_be_same <= item_at(items, i - 1)))
            return false;
    }
    return true;
}

int mw_set_check(const struct mw_set *s, uint32_t n_portions, uint64_t n_words)
{
    const uint64_t per_portion = mw_set_blocks(n_words),
                   n_blocks = n_portions * per_portion;
    uint64_t next = 0;
    for (uint64_t at = 0; at < s->bytes;) {
        const uint64_t left = s->bytes - at;
        const struct head head = left < sizeof head ? (struct head){0} : head_at(s, at);
        if (left < sizeof head || head.n_bytes > left - sizeof head)
            return mw_fail(MW_ERR_INTERNAL, "set: cut after %llu of %llu bytes",
                           (unsigned long long)at, (unsigned long long)s->bytes);
        const bool in_order = head.block >= next && head.block < n_blocks;
        const uint64_t words_before =
            in_order ? head.block % per_portion * MW_SET_BLOCK : n_words;
        if (!in_order || words_before + head.last_word >= n_words ||
            head.last_word >= MW_SET_BLOCK ||
            !items_fit(&head, s->data + at + sizeof head))
            return mw_fail(MW_ERR_INTERNAL,
                           "set: at byte %llu of %llu: block %u of %llu, coding %u, last "
                           "word %u, %u bytes: not a block that may follow",
                           (unsigned long long)at, (unsigned long long)s->bytes,
                           head.block, (unsigned long long)n_blocks, head.coding,
                           head.last_word, head.n_bytes);
        next = head.block + UINT64_C(1);
        at += size_of(&head);
    }
    return MW_OK;
}

void mw_set_read(const struct mw_set *s, uint64_t *at, uint32_t first, uint64_t *words,
                 uint64_t n_words)
{
    const uint64_t end = first + mw_set_blocks(n_words);
    while (*at < s->bytes) {
        const struct head head = head_at(s, *at);
        if (head.block >= end)
            return;
        assert(head.block >= first);
        get_block(&head, s->data + *at + sizeof head,
                  words + (uint64_t)(head.block - first) * MW_SET_BLOCK);
        *at += size_of(&head);
    }
}
