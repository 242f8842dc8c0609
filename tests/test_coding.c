/* test_coding.c -- what is coded is what comes back, in fewer bytes; what is damaged does not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shuffle/coding.h"
#include "suite.h"

#include "shuffle/segments.h"

#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 1024, RANKS = 9 };

static uint64_t state = 1;

static uint64_t draw(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 20) % below;
}

/* ---- 128 numbers ------------------------------------------------------------------------- */

START_TEST(numbers_of_all_widths_come_back)
{
    const uint32_t bits = (uint32_t)_i;
    uint32_t in[MW_BLOCK], out[MW_BLOCK], *word = malloc(16 * (uint64_t)bits + 1);
    for (int trial = 0; trial < 20; trial++) {
        for (uint32_t i = 0; i < MW_BLOCK; i++)
            in[i] = trial == 0 ? (uint32_t)((UINT64_C(1) << bits) - 1)
                               : (uint32_t)draw(UINT64_C(1) << bits);
        mw_block_pack(in, bits, word);
        memset(out, 0xAA, sizeof out);
        mw_block_unpack(word, bits, out);
        ck_assert_mem_eq(in, out, sizeof in);
    }
    free(word);
}
END_TEST

/* ---- batches ------------------------------------------------------------------------------ */

static struct mw_coder *coder;
static struct mw_batch_pool *pool;
static bool wide;

static void up(int is_wide)
{
    wide = is_wide != 0;
    ck_assert_int_eq(mw_batch_pool_new(2, CAPACITY, wide ? 16 : 8, &pool), MW_OK);
    ck_assert_int_eq(mw_coder_new(CAPACITY, wide ? 16 : 8, &coder), MW_OK);
}

static void down(void)
{
    mw_coder_free(coder);
    ck_assert_uint_eq(mw_batch_pool_free(pool), 0);
}

static void put(struct mw_batch *b, uint32_t i, uint32_t child, uint64_t value)
{
    if (wide)
        ((struct mw_wide_record *)b->record)[i] =
            (struct mw_wide_record){value, child, 0};
    else
        ((struct mw_record *)b->record)[i] = (struct mw_record){child, (uint32_t)value};
}

/* n records with children and values of so many bits, in stretches if there are segments. */
static void fill(struct mw_batch *b, uint32_t n, uint32_t child_bits, uint32_t value_bits,
                 uint32_t n_segments)
{
    struct mw_segment segment[MW_SEGMENTS_MAX] = {{0, 0}};
    b->head->n_records = n;
    b->head->n_segments = (uint16_t)n_segments;
    b->head->record_bytes = wide ? 16 : 8;
    b->head->sender = 3;
    b->head->seq = 77;
    b->head->flags = MW_BATCH_LAST;
    for (uint32_t i = 0; i < n; i++)
        put(b, i, (uint32_t)draw(UINT64_C(1) << child_bits),
            value_bits == 64 ? draw(UINT64_MAX) << 20 ^ draw(UINT64_MAX)
                             : draw(UINT64_C(1) << value_bits));
    for (uint32_t s = 0; s < n_segments; s++)
        segment[s] = (struct mw_segment){(uint32_t)draw(RANKS), n / n_segments};
    if (n_segments > 0)
        segment[n_segments - 1].count += n % n_segments;
    memcpy((char *)b->record + n * b->head->record_bytes, segment,
           n_segments * sizeof *segment);
}

static int compare(const void *a, const void *b)
{
    const struct mw_visit *x = a, *y = b;
    return x->child != y->child   ? (x->child > y->child) - (x->child < y->child)
           : x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                  : 0;
}

/* The records of a batch, each stretch's in order: equal for equal batches. */
static uint32_t list(const struct mw_batch *b, struct mw_visit *out)
{
    uint32_t n = 0;
    for (uint32_t s = 0; s == 0 || s < b->head->n_segments; s++) {
        const uint32_t first = n;
        for (uint32_t i = 0; i < mw_segment_count(b, s); i++, n++)
            out[n] = mw_visit_at(b->record, n, mw_segment_sender(b, s), wide);
        qsort(out + first, n - first, sizeof *out, compare);
    }
    return n;
}

static struct mw_visit before[CAPACITY], after[CAPACITY];

static void same(uint32_t n, const struct mw_batch *b)
{
    ck_assert_uint_eq(list(b, after), n);
    for (uint32_t i = 0; i < n; i++) {
        MUST(before[i].child == after[i].child && before[i].value == after[i].value &&
             before[i].sender == after[i].sender);
    }
}

static void round_trip(enum mw_coding coding, uint32_t n, uint32_t child_bits,
                       uint32_t value_bits, uint32_t n_segments)
{
    struct mw_batch *b = mw_batch_take(pool);
    fill(b, n, child_bits, value_bits, n_segments);
    const uint64_t plain = mw_batch_bytes(b->head);
    list(b, before);
    if (mw_coder_code(coder, coding, b)) {
        const uint64_t bytes = mw_batch_bytes(b->head);
        ck_assert_uint_lt(bytes, plain);
        ck_assert_int_eq(mw_batch_coding(b->head), coding);
        ck_assert_int_eq(
            mw_batch_check(b->head, bytes, CAPACITY, b->head->record_bytes, RANKS),
            MW_OK);
        ck_assert_int_eq(mw_coder_decode(coder, b, RANKS), MW_OK);
    }
    ck_assert_uint_eq(mw_batch_bytes(b->head), plain);
    ck_assert_uint_eq(b->head->flags, MW_BATCH_LAST);
    ck_assert_uint_eq(b->head->seq, 77);
    ck_assert_uint_eq(b->head->sender, 3);
    same(n, b);
    mw_batch_give(b);
}

START_TEST(all_records_come_back)
{
    up(_i / MW_N_CODINGS);
    const uint32_t n_trials = (uint32_t)how_many(2000, 300, 100);
    for (uint32_t trial = 0; trial < n_trials; trial++) {
        const uint32_t n = (uint32_t)(trial < 40 ? trial : draw(CAPACITY + 1));
        const uint32_t child_bits = (uint32_t)draw(33);
        const uint32_t value_bits = (uint32_t)draw(wide ? 65 : 33);
        const uint32_t n_segments =
            (uint32_t)(trial % 2 == 0 ? 0 : mw_min(n, draw(MW_SEGMENTS_MAX + 1)));
        round_trip((enum mw_coding)(_i % MW_N_CODINGS), n, child_bits, value_bits,
                   n_segments);
    }
    down();
}
END_TEST

/* 1024 children below 2^16 are 64 apart, of which 128 have one of up to some 500; values
 * have 12. */
START_TEST(what_is_dense_gets_small)
{
    static const uint32_t most[MW_N_CODINGS] = {0, 1024 * 4 + 64, 1024 * 22 / 8 + 128};
    for (int is_wide = 0; is_wide < 2; is_wide++)
        for (int coding = MW_CODING_VBYTE; coding < MW_N_CODINGS; coding++) {
            up(is_wide);
            struct mw_batch *b = mw_batch_take(pool);
            fill(b, 1024, 16, 12, 0);
            ck_assert(mw_coder_code(coder, (enum mw_coding)coding, b));
            ck_assert_uint_lt(mw_batch_bytes(b->head), most[coding]);
            ck_assert(coder->count.coded_bytes < coder->count.plain_bytes);
            mw_batch_give(b);
            down();
        }
}
END_TEST

START_TEST(what_would_grow_stays_as_it_is)
{
    for (int is_wide = 0; is_wide < 2; is_wide++) {
        up(is_wide);
        for (uint32_t n = 0; n < 3; n++)
            round_trip(MW_CODING_PACKED, n, 32, 32, 0);
        struct mw_batch *b = mw_batch_take(pool);
        fill(b, 3, 32, is_wide ? 64 : 32, 0);
        list(b, before);
        ck_assert(!mw_coder_code(coder, MW_CODING_VBYTE, b));
        same(3, b);
        mw_batch_give(b);
        down();
    }
}
END_TEST

/* ---- damage ------------------------------------------------------------------------------- */

START_TEST(no_flipped_bit_gets_through)
{
    up(0);
    const uint32_t n_trials = (uint32_t)how_many(10000, 1000, 200);
    for (uint32_t trial = 0; trial < n_trials; trial++) {
        struct mw_batch *b = mw_batch_take(pool);
        fill(b, 300, 14, 14, trial % 3);
        ck_assert(mw_coder_code(coder, (enum mw_coding)(1 + trial % 2), b));
        const uint64_t bytes = mw_batch_bytes(b->head);
        unsigned char *image = (unsigned char *)b->head;
        const uint64_t bit = 8 * sizeof *b->head + draw(8 * (bytes - sizeof *b->head));
        image[bit / 8] ^= (unsigned char)(1 << bit % 8);
        const bool refused =
            mw_batch_check(b->head, bytes, CAPACITY, 8, RANKS) != MW_OK ||
            mw_coder_decode(coder, b, RANKS) == MW_ERR_INTERNAL;
        ck_assert_msg(refused, "bit %llu of %llu bytes", (unsigned long long)bit,
                      (unsigned long long)bytes);
        mw_batch_give(b);
    }
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "corrupt batch from rank 3"));
    down();
}
END_TEST

/* With a check that holds, as from a sender that is wrong itself. */
START_TEST(a_wrong_length_is_refused)
{
    const struct mw_codec *codec = &mw_codecs[1 + _i / 2];
    const uint32_t n =
        _i % 2 ? 300 : 2 * MW_BLOCK; /* with something left over, and without */
    uint8_t bytes[8 * 300];
    struct mw_record in[300], out[300];
    for (uint32_t i = 0; i < n; i++)
        in[i] = (struct mw_record){5 * i, i % 7};
    uint8_t *end = codec->code(in, n, false, bytes, bytes + sizeof bytes);
    ck_assert_ptr_nonnull(end);
    ck_assert_ptr_eq(codec->decode(bytes, end, n, false, out), end);
    ck_assert_mem_eq(in, out, n * sizeof *in);
    for (const uint8_t *early = bytes; early < end; early++)
        ck_assert_ptr_null(codec->decode(bytes, early, n, false, out));
    for (uint64_t room = 0; room < (uint64_t)(end - bytes); room++)
        ck_assert_ptr_null(codec->code(in, n, false, bytes, bytes + room));
}
END_TEST

START_TEST(children_do_not_wrap)
{
    const struct mw_codec *codec = &mw_codecs[1 + _i];
    uint8_t bytes[8 * 200];
    struct mw_record in[200], out[200];
    for (uint32_t i = 0; i < 200; i++)
        in[i] = (struct mw_record){UINT32_MAX - 199 + i, 0};
    uint8_t *end = codec->code(in, 200, false, bytes, bytes + sizeof bytes);
    ck_assert_ptr_eq(codec->decode(bytes, end, 200, false, out), end);
    for (uint32_t at = 100; at < 200; at += 99) { /* in a block, and behind it */
        in[at].child = 7; /* not sorted: a difference that wraps */
        end = codec->code(in, 200, false, bytes, bytes + sizeof bytes);
        ck_assert_ptr_null(codec->decode(bytes, end, 200, false, out));
        in[at].child = UINT32_MAX - 199 + at;
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("coding");
    TCase *t = tcase_create("coding");
    tcase_add_loop_test(t, numbers_of_all_widths_come_back, 0, 33);
    tcase_add_loop_test(t, all_records_come_back, 0, 2 * MW_N_CODINGS);
    tcase_add_test(t, what_is_dense_gets_small);
    tcase_add_test(t, what_would_grow_stays_as_it_is);
    tcase_add_test(t, no_flipped_bit_gets_through);
    tcase_add_loop_test(t, a_wrong_length_is_refused, 0, 2 * (MW_N_CODINGS - 1));
    tcase_add_loop_test(t, children_do_not_wrap, 0, MW_N_CODINGS - 1);
    suite_add_tcase(s, t);
    return run_suite(s);
}
