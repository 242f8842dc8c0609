/* test_set.c -- set.h: any set comes back whole, unions are unions, bytes follow the cheapest
 * coding, and what is damaged is refused or harmless. And set_share.h on threads: every host hears
 * of every bit, on any number of hosts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/set_share.h"
#include "suite.h"

#include "base/mem.h"

#include <string.h>

enum { WORDS = 2 * MW_SET_BLOCK + 77, BLOCKS = 3, PORTIONS = 2, ALL = PORTIONS * BLOCKS };

static uint64_t roll(uint64_t *dice)
{
    *dice ^= *dice << 13, *dice ^= *dice >> 7, *dice ^= *dice << 17;
    return *dice;
}

/* Of every kind: nothing, all, runs, single bits at 2^-k, the same with bits missing. */
static void some(uint64_t *dice, uint64_t *word, uint64_t n_words)
{
    const uint64_t kind = roll(dice) % 6, k = 1 + roll(dice) % 18;
    memset(word, kind == 1 || kind == 3 ? 0xff : 0, n_words * sizeof *word);
    const uint64_t n = 64 * n_words, n_hits = kind < 2 ? 0 : 1 + (n >> k);
    for (uint64_t i = 0; i < n_hits; i++) {
        const uint64_t bit = roll(dice) % n, length = kind >= 4 ? roll(dice) % 200 : 1;
        for (uint64_t j = bit; j < n && j < bit + length; j++)
            word[j / 64] ^= UINT64_C(1) << j % 64;
    }
    if (kind == 5) /* and nothing after a while, as in a portion of isolated vertices */
        memset(word + n_words / 3, 0, (n_words - n_words / 3) * sizeof *word);
}

struct sets {
    uint64_t a[PORTIONS][WORDS], b[PORTIONS][WORDS], got[PORTIONS][WORDS];
    struct mw_set x, y, both;
};

static struct sets *sets_new(void)
{
    struct sets *t = calloc(1, sizeof *t);
    ck_assert_ptr_nonnull(t);
    struct mw_set *set[] = {&t->x, &t->y, &t->both};
    for (int i = 0; i < 3; i++) {
        set[i]->room = mw_set_room(ALL, PORTIONS * WORDS);
        set[i]->data = malloc(set[i]->room); /* no byte more: a sanitizer would see */
        ck_assert_ptr_nonnull(set[i]->data);
    }
    return t;
}

static void sets_free(struct sets *t)
{
    free(t->x.data);
    free(t->y.data);
    free(t->both.data);
    free(t);
}

static void read_all(const struct mw_set *s, uint64_t word[PORTIONS][WORDS])
{
    uint64_t at = 0;
    memset(word, 0, PORTIONS * sizeof *word);
    for (uint32_t i = 0; i < PORTIONS; i++)
        mw_set_read(s, &at, i * BLOCKS, word[i], WORDS);
    ck_assert_uint_eq(at, s->bytes);
}

START_TEST(sets_come_back_and_unions_are_unions)
{
    struct sets *t = sets_new();
    uint64_t dice = 77 + (uint64_t)_i;
    for (int round = 0; round < 20; round++) {
        t->x.bytes = t->y.bytes = 0;
        for (uint32_t i = 0; i < PORTIONS; i++) {
            some(&dice, t->a[i], WORDS);
            some(&dice, t->b[i], WORDS);
            mw_set_add(&t->x, i * BLOCKS, t->a[i], NULL, WORDS);
            mw_set_add(&t->y, i * BLOCKS, t->b[i], NULL, WORDS);
        }
        ck_assert_int_eq(mw_set_check(&t->x, PORTIONS, WORDS), MW_OK);
        read_all(&t->x, t->got);
        ck_assert(memcmp(t->got, t->a, sizeof t->a) == 0);
        mw_set_unite(&t->x, &t->y, &t->both);
        ck_assert_int_eq(mw_set_check(&t->both, PORTIONS, WORDS), MW_OK);
        read_all(&t->both, t->got);
        for (uint32_t i = 0; i < PORTIONS; i++)
            for (uint32_t w = 0; w < WORDS; w++)
                MUST(t->got[i][w] == (t->a[i][w] | t->b[i][w]));
    }
    sets_free(t);
}
END_TEST

/* Bytes of one block beside its head. */
static uint64_t cost(struct sets *t)
{
    t->x.bytes = 0;
    mw_set_add(&t->x, 0, t->a[0], NULL, MW_SET_BLOCK);
    return t->x.bytes == 0 ? 0 : t->x.bytes - mw_set_room(1, 0);
}

START_TEST(each_set_has_its_cheapest_form)
{
    struct sets *t = sets_new();
    uint64_t *const word = t->a[0];
    ck_assert_uint_eq(cost(t), 0); /* nothing, not even a head */
    ck_assert_uint_eq(t->x.bytes, 0);
    word[700] = 1 | UINT64_C(1) << 63;
    word[2] = 2;
    ck_assert_uint_eq(cost(t), 3 * 2); /* a list */
    memset(word, 0xff, 500 * sizeof *word);
    word[700] = 0;
    ck_assert_uint_eq(cost(t), 0); /* all up to there: nothing is missing */
    word[3] = 5;
    ck_assert_uint_eq(cost(t), 3 * 4); /* runs: all before, two bits */
    for (uint32_t w = 0; w < 500; w++)
        word[w] = ~(UINT64_C(1) << 20);
    ck_assert_uint_eq(cost(t), 500 * 2); /* the rest */
    for (uint32_t w = 0; w < 500; w++)
        word[w] = UINT64_C(0x5555555555555555);
    ck_assert_uint_eq(cost(t), 500 * 8); /* words */
    sets_free(t);
}
END_TEST

START_TEST(what_was_told_is_not_told_again)
{
    struct sets *t = sets_new();
    uint64_t *const word = t->a[0], *const told = t->b[0];
    word[5] = 0xf0;
    mw_set_add(&t->x, 0, word, told, WORDS);
    ck_assert_uint_gt(t->x.bytes, 0);
    ck_assert(memcmp(word, told, sizeof t->a[0]) == 0);
    t->x.bytes = 0;
    mw_set_add(&t->x, 0, word, told, WORDS);
    ck_assert_uint_eq(t->x.bytes, 0);
    word[5] |= 1;
    word[WORDS - 1] = UINT64_C(1) << 63;
    mw_set_add(&t->x, 0, word, told, WORDS);
    read_all(&t->x, t->got);
    ck_assert_uint_eq(t->got[0][5], 1);
    ck_assert_uint_eq(t->got[0][WORDS - 1], UINT64_C(1) << 63);
    sets_free(t);
}
END_TEST

START_TEST(all_is_told_again_where_that_is_shorter)
{
    struct sets *t = sets_new();
    uint64_t *const word = t->a[0], *const told = t->b[0];
    memset(word, 0xff, MW_SET_BLOCK * sizeof *word);
    word[9] = ~UINT64_C(7);
    for (uint32_t w = 0; w < MW_SET_BLOCK; w++)
        told[w] = UINT64_C(0x5555555555555555);
    mw_set_add(&t->x, 0, word, told, MW_SET_BLOCK);
    ck_assert_uint_eq(t->x.bytes, mw_set_room(1, 0) + 3 * 2); /* what is missing */
    read_all(&t->x, t->got);
    ck_assert(memcmp(t->got[0], word, MW_SET_BLOCK * sizeof *word) == 0);
    sets_free(t);
}
END_TEST

/* Cut anywhere, or with any byte changed: refused, or read within its words. */
START_TEST(damage_is_refused_or_harmless)
{
    struct sets *t = sets_new();
    uint64_t dice = 7 + (uint64_t)_i, n_refused = 0;
    for (uint32_t i = 0; i < PORTIONS; i++) {
        some(&dice, t->a[i], WORDS);
        mw_set_add(&t->x, i * BLOCKS, t->a[i], NULL, WORDS);
    }
    mw_set_add(&t->y, 1, &dice, NULL, 1);
    const uint64_t whole = t->x.bytes;
    for (int round = 0; round < 300 && whole > 0; round++) {
        const uint64_t at = roll(&dice) % whole;
        const char was = t->x.data[at];
        if (round % 3 == 0)
            t->x.bytes = at;
        else
            t->x.data[at] = (char)(was ^ (char)(1 << roll(&dice) % 8));
        const int rc = mw_set_check(&t->x, PORTIONS, WORDS);
        if (rc == MW_OK) {
            read_all(&t->x, t->got);
            mw_set_unite(&t->x, &t->y, &t->both);
        }
        n_refused += rc != MW_OK;
        t->x.data[at] = was;
        t->x.bytes = whole;
    }
    ck_assert(whole == 0 || n_refused > 0);
    sets_free(t);
}
END_TEST

/* ---- between hosts -------------------------------------------------------------------------- */

struct sharing {
    uint64_t portion;
    bool remembers;
};

/* What rank r has in round k: nothing, or what goes as a list, runs, the rest, words. */
static uint64_t word_of(uint32_t r, uint64_t w, uint64_t k)
{
    uint64_t dice = 1 + r + 1000 * w + 1000000 * k;
    roll(&dice);
    switch ((r + k) % 5) {
    case 0:
        return 0;
    case 1:
        return roll(&dice) % 50 == 0 ? UINT64_C(1) << roll(&dice) % 64 : 0;
    case 2:
        return w % 20 < 10 ? ~UINT64_C(0) : 0;
    case 3:
        return ~(UINT64_C(1) << w % 64);
    default:
        return roll(&dice);
    }
}

/* What a portion had of it before round k. */
static uint64_t before(const struct sharing *how, uint32_t r, uint64_t w, uint64_t k)
{
    uint64_t bits = 0;
    for (uint64_t j = 0; how->remembers && j < k; j++)
        bits |= word_of(r, w, j);
    return bits;
}

static int check_portion(const struct sharing *how, const struct mw_comm *c,
                         const struct mw_portions *s, uint32_t r, uint64_t k)
{
    bool any = c->host_of[r] == c->host;
    for (uint64_t w = 0; w < s->n_words; w++) {
        const uint64_t old = before(how, r, w, k), right = old | word_of(r, w, k);
        any = any || (right & ~old) != 0;
        if (s->window[r * s->stride + w] != right)
            return mw_fail(MW_ERR_INVALID,
                           "rank %u of %u on %u hosts, round %llu: rank %u's word %llu "
                           "is wrong",
                           c->rank, c->size, c->n_hosts, (unsigned long long)k, r,
                           (unsigned long long)w);
    }
    return (s->heard[r] != 0) == any
               ? MW_OK
               : mw_fail(MW_ERR_INVALID, "rank %u of %u, round %llu: rank %u told %llu",
                         c->rank, c->size, (unsigned long long)k, r,
                         (unsigned long long)s->heard[r]);
}

static int share(struct mw_comm *c, void *arg)
{
    const struct sharing *how = arg;
    const uint64_t portion = how->portion, stride = portion + 3;
    int rc = MW_OK;
    struct mw_set_share *x = NULL;
    uint64_t *window = NULL, *told = NULL, *heard = NULL;
    void *memory = NULL, *memory_heard = NULL;
    MW_TRY(rc, mw_set_share_new(c, portion, &x));
    if (portion > MW_SET_BLOCK)
        x->n_words = portion / 3; /* in several goes */
    MW_TRY(rc,
           mw_comm_host_alloc(c, "window", c->size * stride * sizeof *window, &memory));
    window = memory;
    MW_TRY(rc, mw_comm_host_alloc(c, "heard", c->size * sizeof *heard, &memory_heard));
    heard = memory_heard;
    if (how->remembers)
        MW_NEW(rc, told, "told", c->host_size * stride);
    const struct mw_portions portions = {window, stride, portion, told, heard};
    for (uint64_t k = 0; k < 3; k++) {
        for (uint64_t w = 0; w < portion; w++) {
            uint64_t *mine = window + c->rank * stride + w;
            *mine = word_of(c->rank, w, k) | (how->remembers ? *mine : 0);
        }
        heard[c->rank] = 1;
        MW_TRY(rc, mw_set_share(x, &portions));
        for (uint32_t r = 0; r < c->size; r++)
            MW_TRY(rc, check_portion(how, c, &portions, r, k));
        MW_TRY(rc, mw_comm_barrier(c)); /* before anybody writes again */
    }
end:
    mw_free(told);
    mw_comm_host_free(c, memory_heard);
    mw_comm_host_free(c, memory);
    mw_set_share_free(x);
    return rc;
}

START_TEST(every_host_hears_of_every_bit)
{
    static const uint64_t portions[] = {1, 70, MW_SET_BLOCK + 3};
    for (uint32_t per_host = 1; per_host <= 2; per_host++)
        for (uint32_t i = 0; i < 6; i++) {
            const struct mw_loop_conf conf = {.n_ranks = (uint32_t)_i,
                                              .ranks_per_host = per_host};
            struct sharing how = {portions[i % 3], i >= 3};
            if (mw_loop_run(&conf, share, &how) != MW_OK)
                ck_abort_msg("%s", mw_error_text());
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("set");
    TCase *alone = tcase_create("a set"), *hosts = tcase_create("hosts");
    tcase_add_loop_test(alone, sets_come_back_and_unions_are_unions, 0, 20);
    tcase_add_test(alone, each_set_has_its_cheapest_form);
    tcase_add_test(alone, what_was_told_is_not_told_again);
    tcase_add_test(alone, all_is_told_again_where_that_is_shorter);
    tcase_add_loop_test(alone, damage_is_refused_or_harmless, 0, 10);
    tcase_add_loop_test(hosts, every_host_hears_of_every_bit, 1, 10);
    suite_add_tcase(s, alone);
    suite_add_tcase(s, hosts);
    return run_suite(s);
}
