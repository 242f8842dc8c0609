/* test_batch.c -- pools, lanes, segments, and what mw_batch_check() lets through.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ranks.h"
#include "shuffle/skeleton_host.h"

#include <string.h>

static struct mw_batch_pool *pool;
static struct mw_buckets buckets;

/* ---- pool ------------------------------------------------------------------------------- */

START_TEST(batches_return_to_their_pool)
{
    struct mw_batch *b[5];
    ck_assert_int_eq(mw_batch_pool_new(5, 10, 8, &pool), MW_OK);
    for (int i = 0; i < 5; i++) {
        b[i] = mw_batch_take(pool);
        ck_assert_ptr_nonnull(b[i]);
        ck_assert_uint_eq((uintptr_t)b[i]->record % MW_CACHE_LINE, 0);
        memset(b[i]->head, 0xAA,
               mw_batch_image_bytes(10, 8)); /* no overlap: ASan, below */
    }
    ck_assert_ptr_null(mw_batch_take(pool));
    for (int i = 0; i < 5; i++) {
        const unsigned char *image = (const unsigned char *)b[i]->head;
        for (uint64_t k = 0; k < mw_batch_image_bytes(10, 8); k++)
            ck_assert_uint_eq(image[k], 0xAA);
        memset(b[i]->head, i, mw_batch_image_bytes(10, 8));
        mw_batch_give(b[i]);
    }
    ck_assert_uint_eq(mw_batch_pool_left(pool), 5);
    ck_assert_uint_eq(mw_batch_pool_free(pool), 0);
}
END_TEST

START_TEST(a_taken_batch_is_empty)
{
    ck_assert_int_eq(mw_batch_pool_new(1, 4, 8, &pool), MW_OK);
    struct mw_batch *b = mw_batch_take(pool);
    b->head->n_records = 3;
    b->head->flags = MW_BATCH_LAST;
    b->n_segments = 2;
    mw_batch_give(b);
    b = mw_batch_take(pool);
    ck_assert_uint_eq(b->head->n_records, 0);
    ck_assert_uint_eq(b->head->flags, 0);
    ck_assert_uint_eq(b->n_segments, 0);
    ck_assert_uint_eq(mw_batch_pool_free(pool), 1); /* it is still away */
}
END_TEST

START_TEST(lists_keep_their_order)
{
    struct mw_batch_list l = {0};
    struct mw_batch b[3];
    for (int round = 0; round < 2; round++) { /* empty again and used again */
        for (int i = 0; i < 3; i++)
            mw_batch_put(&l, &b[i]);
        ck_assert_uint_eq(l.n, 3);
        for (int i = 0; i < 3; i++)
            ck_assert_ptr_eq(mw_batch_get(&l), &b[i]);
        ck_assert_ptr_null(mw_batch_get(&l));
    }
}
END_TEST

/* ---- lanes ------------------------------------------------------------------------------ */

static void lanes_up(uint32_t n_buckets, uint32_t capacity, uint32_t record_bytes)
{
    memset(&buckets, 0, sizeof buckets);
    buckets.n_lanes = 2;
    buckets.n_buckets = n_buckets;
    buckets.capacity = capacity;
    buckets.record_bytes = record_bytes;
    buckets.me = 7;
    buckets.port = 1;
    ck_assert_int_eq(mw_batch_pool_new(400, capacity, record_bytes, &pool), MW_OK);
    ck_assert_int_eq(mw_buckets_init(&buckets), MW_OK);
}

static void lanes_down(void)
{
    mw_buckets_fini(&buckets);
    ck_assert_uint_eq(mw_batch_pool_free(pool), 0);
}

/* As the scheduler does it; returns how many were there before. */
static void give_spares(struct mw_lane *l, uint64_t n)
{
    while (l->n_spare < n) {
        struct mw_batch *b = mw_batch_take(pool);
        ck_assert_ptr_nonnull(b);
        b->next = l->spare;
        l->spare = b;
        l->n_spare++;
    }
}

static void append(uint32_t k, uint32_t sender, uint32_t first, uint32_t n)
{
    struct mw_record r[512];
    for (uint32_t i = 0; i < n; i++)
        r[i] = (struct mw_record){first + i, sender};
    buckets.lane[0].sender = sender;
    mw_lane_append(&buckets, &buckets.lane[0], k, r, n);
}

/* Takes all batches of a bucket, and checks that records 0..n-1 lie there in order, each
 * with its sender as the segments tell it. Returns how many batches. */
static uint32_t read_back(uint32_t k, uint32_t n)
{
    struct mw_batch *b, *last = mw_lane_close(&buckets.lane[0], k);
    uint32_t at = 0, n_batches = 0;
    if (last != NULL)
        mw_batch_put(&buckets.lane[0].full, last);
    while ((b = mw_batch_get(&buckets.lane[0].full)) != NULL) {
        const struct mw_record *r = b->record;
        const struct mw_segment *s = (const void *)(r + b->head->n_records);
        uint32_t segment = 0, in_segment = 0;
        ck_assert_uint_eq(b->peer, k);
        ck_assert_int_eq(
            mw_batch_check(b->head, mw_batch_bytes(b->head), buckets.capacity, 8, 100),
            MW_OK);
        for (uint32_t i = 0; i < b->head->n_records; i++, in_segment++) {
            while (b->head->n_segments > 0 && in_segment == s[segment].count) {
                segment++;
                in_segment = 0;
            }
            const uint32_t sender =
                b->head->n_segments > 0 ? s[segment].sender : b->head->sender;
            MUST(r[i].child == at && r[i].value == sender);
            at++;
        }
        ck_assert_uint_gt(b->head->n_records, 0);
        n_batches++;
        mw_batch_give(b);
    }
    ck_assert_uint_eq(at, n);
    return n_batches;
}

START_TEST(records_come_out_as_they_went_in)
{
    static const uint32_t capacity[] = {1, 2, 3, 8, 100};
    lanes_up(3, capacity[_i], 8);
    uint32_t at = 0;
    for (uint32_t n = 1; n < 60; n += 7) {
        give_spares(&buckets.lane[0], mw_lane_need(&buckets, n, 1));
        append(1, 7, at, n);
        at += n;
    }
    const uint32_t n_batches = read_back(1, at);
    ck_assert_uint_eq(n_batches, (at + capacity[_i] - 1) / capacity[_i]);
    lanes_down();
}
END_TEST

START_TEST(own_records_carry_no_segment)
{
    lanes_up(1, 100, 8);
    give_spares(&buckets.lane[0], 4);
    append(0, 7, 0, 5);
    append(0, 7, 5, 5);
    struct mw_batch *b = mw_lane_close(&buckets.lane[0], 0);
    ck_assert_uint_eq(b->head->n_segments, 0);
    ck_assert_uint_eq(b->head->sender, 7);
    ck_assert_uint_eq(mw_batch_bytes(b->head), 16 + 10 * 8);
    mw_batch_give(b);
    ck_assert_ptr_null(mw_lane_close(&buckets.lane[0], 0));
    lanes_down();
}
END_TEST

START_TEST(segments_keep_senders_apart)
{
    lanes_up(2, 100, 8);
    uint32_t at = 0;
    for (uint32_t i = 0; i < 30; i++) {
        give_spares(&buckets.lane[0], mw_lane_need(&buckets, i % 4 + 1, 1));
        append(0, i / 2 % 5, at, i % 4 + 1); /* neighbours join, others do not */
        at += i % 4 + 1;
    }
    read_back(0, at);
    lanes_down();
}
END_TEST

START_TEST(a_batch_with_all_segments_is_full)
{
    lanes_up(1, 1000, 8);
    const uint32_t n = 3 * MW_SEGMENTS_MAX + 5;
    for (uint32_t i = 0; i < n; i++) {
        give_spares(&buckets.lane[0], mw_lane_need(&buckets, 1, 1));
        append(0, i % 2, i, 1);
    }
    ck_assert_uint_eq(read_back(0, n), 4);
    lanes_down();
}
END_TEST

/* The promise a kernel lives by: with mw_lane_need() batches in hand it never runs out. */
START_TEST(reserved_batches_are_enough)
{
    uint64_t dice = (uint64_t)_i * 1000;
    const uint32_t capacity = 1 + (uint32_t)drawn(&dice, 9);
    const uint32_t n_buckets = 1 + (uint32_t)drawn(&dice, 5);
    struct mw_batch *b;
    lanes_up(n_buckets, capacity, 8);
    for (int job = 0; job < 300; job++) {
        const uint32_t n = (uint32_t)drawn(&dice, 60), sender = (uint32_t)drawn(&dice, 3);
        give_spares(&buckets.lane[0], mw_lane_need(&buckets, n, 1));
        for (uint32_t left = n; left > 0;) {
            const uint32_t some = 1 + (uint32_t)drawn(&dice, left);
            append((uint32_t)drawn(&dice, n_buckets), sender, 0, some);
            left -= some;
        }
        while ((b = mw_batch_get(&buckets.lane[0].full)) != NULL)
            mw_batch_give(b);
    }
    lanes_down();
}
END_TEST

/* Every record says who has made it, and the segments must say the same. */
static void check_senders(const struct mw_batch *b)
{
    const struct mw_record *r = b->record;
    uint32_t s = 0, left = mw_segment_count(b, 0);
    ck_assert_int_eq(
        mw_batch_check(b->head, mw_batch_bytes(b->head), buckets.capacity, 8, 100),
        MW_OK);
    for (uint32_t i = 0; i < b->head->n_records; i++, left--) {
        while (left == 0)
            left = mw_segment_count(b, ++s);
        ck_assert_uint_eq(r[i].value, mw_segment_sender(b, s));
    }
}

/* The same for a relay's job, which keeps many senders apart: lines may hold records of several,
 * and batches end with their segments. */
START_TEST(reserved_batches_are_enough_for_many_senders)
{
    uint64_t dice = (uint64_t)_i * 1000;
    const uint32_t capacity = 8 + (uint32_t)drawn(&dice, 200);
    const uint32_t n_buckets = 1 + (uint32_t)drawn(&dice, 3);
    struct mw_batch *b;
    lanes_up(n_buckets, capacity, 8);
    struct mw_lane *l = &buckets.lane[0];
    struct mw_emitter e = {.out = &buckets, .lane = l, .line = l->line, .end = l->end};
    for (int job = 0; job < 60; job++) {
        const uint32_t n_senders = 1 + (uint32_t)drawn(&dice, 2 * MW_SEGMENTS_MAX);
        const uint32_t each = 1 + (uint32_t)drawn(&dice, 8);
        give_spares(l, mw_lane_need(&buckets, (uint64_t)n_senders * each, n_senders));
        for (uint32_t sender = 0; sender < n_senders; sender++) {
            mw_lane_begin(&buckets, l, 1 + sender % 90);
            for (uint32_t i = 0; i < each; i++)
                mw_push(&e, (uint32_t)drawn(&dice, n_buckets), 0, 1 + sender % 90);
        }
        mw_lane_end(&buckets, l);
        while ((b = mw_batch_get(&l->full)) != NULL) {
            check_senders(b);
            mw_batch_give(b);
        }
    }
    lanes_down();
}
END_TEST

/* ---- check ------------------------------------------------------------------------------ */

enum { RECORDS = 3, SEGMENTS = 2, RANKS = 5, CAPACITY = 4 };

struct image {
    struct mw_batch_head head;
    struct mw_record record[RECORDS];
    struct mw_segment segment[SEGMENTS];
};

static struct image right_image(void)
{
    return (struct image){.head = {.n_records = RECORDS,
                                   .sender = 4,
                                   .n_segments = SEGMENTS,
                                   .port = 3,
                                   .record_bytes = 8},
                          .record = {{1, 2}, {3, 4}, {5, 6}},
                          .segment = {{0, 1}, {3, 2}}};
}

static int checked(const struct image *m)
{
    return mw_batch_check(&m->head, sizeof *m, CAPACITY, 8, RANKS);
}

START_TEST(right_images_pass)
{
    struct image m = right_image();
    ck_assert_int_eq(checked(&m), MW_OK);
    m.head.n_segments = 0;
    ck_assert_int_eq(mw_batch_check(&m.head, 16 + 3 * 8, CAPACITY, 8, RANKS), MW_OK);
    m.head.n_records = 0;
    ck_assert_int_eq(mw_batch_check(&m.head, 16, CAPACITY, 8, RANKS), MW_OK);
}
END_TEST

START_TEST(wrong_lengths_are_refused)
{
    struct image m = right_image();
    for (uint64_t bytes = 0; bytes <= sizeof m; bytes++)
        ck_assert_int_eq(mw_batch_check(&m.head, bytes, CAPACITY, 8, RANKS),
                         bytes == sizeof m ? MW_OK : MW_ERR_INTERNAL);
    ck_assert_int_eq(mw_batch_check(&m.head, sizeof m, RECORDS - 1, 8, RANKS),
                     MW_ERR_INTERNAL);
    ck_assert_int_eq(mw_batch_check(&m.head, sizeof m, CAPACITY, 16, RANKS),
                     MW_ERR_INTERNAL);
}
END_TEST

START_TEST(wrong_senders_are_refused_and_named)
{
    struct image m = right_image();
    ck_assert_int_eq(mw_batch_check(&m.head, sizeof m, CAPACITY, 8, 4), MW_ERR_INTERNAL);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "rank 4"));
    m.segment[1].sender = RANKS;
    ck_assert_int_eq(checked(&m), MW_ERR_INTERNAL);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "from rank 4"));
}
END_TEST

START_TEST(segment_counts_must_cover_the_records)
{
    static const uint32_t count[][2] = {{0, 2},
                                        {1, 1},
                                        {2, 2},
                                        {0, 0},
                                        {4, 0},
                                        {UINT32_MAX, 4},
                                        {UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
        struct image m = right_image();
        m.segment[0].count = count[i][0];
        m.segment[1].count = count[i][1];
        ck_assert_int_eq(checked(&m), MW_ERR_INTERNAL);
    }
}
END_TEST

/* Whatever a flipped bit does, a batch that passes can be read: its counts stay inside the
 * image. Flips of lengths, senders' high bits, port and record size never pass. */
START_TEST(flipped_bits_pass_only_where_they_are_harmless)
{
    for (size_t at = 0; at < sizeof(struct image); at++)
        for (int bit = 0; bit < 8; bit++) {
            struct image m = right_image();
            ((unsigned char *)&m)[at] ^= (unsigned char)(1 << bit);
            const int rc = checked(&m);
            uint64_t n = 0;
            for (uint32_t i = 0; i < SEGMENTS; i++)
                n += m.segment[i].count;
            const bool head_is_sane =
                m.head.n_records == RECORDS && m.head.n_segments == SEGMENTS &&
                m.head.record_bytes == 8 && m.head.port < MW_PORT_COUNT &&
                m.head.sender < RANKS && m.head.flags <= MW_BATCH_LAST;
            const bool sane = head_is_sane && n == RECORDS &&
                              m.segment[0].sender < RANKS && m.segment[1].sender < RANKS;
            ck_assert_msg(rc == (sane ? MW_OK : MW_ERR_INTERNAL), "byte %zu bit %d: %d",
                          at, bit, rc);
        }
}
END_TEST

/* The head is refused before anything behind it is read: ASan sees it if not. */
START_TEST(absurd_counts_are_refused_unread)
{
    struct mw_batch_head *h = malloc(sizeof *h);
    ck_assert_ptr_nonnull(h);
    *h = (struct mw_batch_head){
        .n_records = UINT32_MAX, .n_segments = UINT16_MAX, .record_bytes = 8};
    const uint64_t all =
        UINT32_MAX * UINT64_C(8) + UINT16_MAX * sizeof(struct mw_segment);
    ck_assert_int_eq(mw_batch_check(h, sizeof *h, CAPACITY, 8, RANKS), MW_ERR_INTERNAL);
    ck_assert_int_eq(mw_batch_check(h, sizeof *h + all, CAPACITY, 8, RANKS),
                     MW_ERR_INTERNAL);
    h->n_records = 0;
    h->n_segments = MW_SEGMENTS_MAX + 1;
    ck_assert_int_eq(mw_batch_check(h,
                                    sizeof *h + h->n_segments * sizeof(struct mw_segment),
                                    CAPACITY, 8, RANKS),
                     MW_ERR_INTERNAL);
    h->n_segments = 0; /* coded, and no length behind it */
    h->n_records = 1;
    h->flags = MW_CODING_PACKED << MW_BATCH_CODING;
    ck_assert_int_eq(mw_batch_check(h, sizeof *h, CAPACITY, 8, RANKS), MW_ERR_INTERNAL);
    free(h);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("batch");
    TCase *home = tcase_create("pool"), *lanes = tcase_create("lanes");
    TCase *check = tcase_create("check");
    tcase_add_test(home, batches_return_to_their_pool);
    tcase_add_test(home, a_taken_batch_is_empty);
    tcase_add_test(home, lists_keep_their_order);
    tcase_add_loop_test(lanes, records_come_out_as_they_went_in, 0, 5);
    tcase_add_test(lanes, own_records_carry_no_segment);
    tcase_add_test(lanes, segments_keep_senders_apart);
    tcase_add_test(lanes, a_batch_with_all_segments_is_full);
    tcase_add_loop_test(lanes, reserved_batches_are_enough, 0, 20);
    tcase_add_loop_test(lanes, reserved_batches_are_enough_for_many_senders, 0, 20);
    tcase_add_test(check, right_images_pass);
    tcase_add_test(check, wrong_lengths_are_refused);
    tcase_add_test(check, wrong_senders_are_refused_and_named);
    tcase_add_test(check, segment_counts_must_cover_the_records);
    tcase_add_test(check, flipped_bits_pass_only_where_they_are_harmless);
    tcase_add_test(check, absurd_counts_are_refused_unread);
    suite_add_tcase(s, home);
    suite_add_tcase(s, lanes);
    suite_add_tcase(s, check);
    return run_suite(s);
}
