/* test_search.c -- the visited set keeps each state once, in the order it came.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_text.h"
#include "layouts/explore/search.h"

enum { MOST_WORDS = 5, N = 100000, JUST_GROWN = (4 << 18) * 4 / 5 + 1 };

/* State number i: n_words words that all depend on it; `few` words differ in high bits only,
 * as packed states do. */
static void state_of(uint64_t i, uint32_t n_words, uint64_t *out)
{
    for (uint32_t w = 0; w < n_words; w++)
        out[w] = w == 0 ? i : w == n_words - 1 ? i << 40 : 0;
}

START_TEST(states_are_numbered_in_order_and_never_twice)
{
    const uint32_t n_words = (uint32_t)_i;
    struct mw_net_search s;
    uint64_t state[2 * MOST_WORDS];
    ck_assert_int_eq(mw_net_search_init(&s, n_words, N, 0), MW_OK);
    for (uint64_t i = 0; i < N; i++) {
        const uint32_t parent[2] = {(uint32_t)(i / 2), 7};
        state_of(i, n_words, state);
        state_of(i / 3, n_words, state + n_words); /* an old one, or itself */
        MUST(mw_net_search_add(&s, 2, state, parent) == MW_OK);
        MUST(s.n == i + 1);
    }
    for (uint64_t i = 0; i < N; i++) {
        state_of(i, n_words, state);
        MUST(memcmp(mw_net_search_state(&s, i), state, n_words * sizeof *state) == 0);
        MUST(mw_net_search_parent(&s, i) == i / 2);
    }
    ck_assert_uint_eq(mw_net_search_depth(&s, 0), 1);
    ck_assert_uint_eq(mw_net_search_depth(&s, 64), 8);
    ck_assert_uint_eq(s.bytes, s.most_bytes);
    mw_net_search_fini(&s);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

START_TEST(a_batch_with_equal_states_adds_them_once)
{
    enum { BATCH = 300 };
    static uint64_t state[2 * BATCH];
    static uint32_t parent[BATCH];
    struct mw_net_search s;
    ck_assert_int_eq(mw_net_search_init(&s, 2, N, 0), MW_OK);
    for (uint64_t i = 0; i < BATCH; i++)
        state_of(i % 100, 2, state + 2 * i);
    ck_assert_int_eq(mw_net_search_add(&s, BATCH, state, parent), MW_OK);
    ck_assert_uint_eq(s.n, 100);
    mw_net_search_fini(&s);
}
END_TEST

START_TEST(the_limit_leaves_out_what_is_new_and_knows_what_is_old)
{
    struct mw_net_search s;
    const uint64_t state[] = {5, 6, 7, 8};
    const uint32_t parent[4] = {0};
    ck_assert_int_eq(mw_net_search_init(&s, 1, 3, 0), MW_OK);
    ck_assert_int_eq(mw_net_search_add(&s, 3, state, parent), MW_OK);
    ck_assert_int_eq(mw_net_search_add(&s, 3, state, parent), MW_OK);
    ck_assert_int_eq(mw_net_search_add(&s, 4, state, parent), MW_DONE);
    ck_assert_uint_eq(s.n, 3);
    mw_net_search_fini(&s);
}
END_TEST

/* The peak beside what the words themselves take: 4 bytes for the parent, 10 for the table just
 * after it grew, and the slack of the last chunks. */
START_TEST(a_state_costs_few_bytes_beside_its_words)
{
    const uint32_t n_words = (uint32_t)_i;
    struct mw_net_search s;
    ck_assert_int_eq(mw_net_search_init(&s, n_words, JUST_GROWN, 0), MW_OK);
    for (uint64_t i = 0; i < JUST_GROWN; i++) {
        uint64_t state[MOST_WORDS];
        const uint32_t parent = 0;
        state_of(i, n_words, state);
        MUST(mw_net_search_add(&s, 1, state, &parent) == MW_OK);
    }
    ck_assert_uint_le(s.most_bytes, (8 * n_words + 16) * (uint64_t)JUST_GROWN);
    mw_net_search_fini(&s);
}
END_TEST

START_TEST(the_largest_limit_leaves_no_tag_and_works)
{
    struct mw_net_search s;
    ck_assert_int_eq(mw_net_search_init(&s, 1, UINT64_MAX, 0), MW_OK);
    ck_assert_uint_eq(s.limit, MW_NET_SEARCH_MAX);
    for (uint64_t round = 0; round < 2; round++)
        for (uint64_t i = 0; i < 5000; i++) {
            const uint32_t parent = 0;
            MUST(mw_net_search_add(&s, 1, &i, &parent) == MW_OK);
        }
    ck_assert_uint_eq(s.n, 5000);
    mw_net_search_fini(&s);
}
END_TEST

/* Both the table and the chunks stop growing; what is known stays known. */
START_TEST(memory_is_bounded_too)
{
    enum { BYTES = 5 << 20 };
    const uint32_t n_words = (uint32_t)_i;
    struct mw_net_search s;
    const uint64_t before = mw_mem_in_use();
    uint64_t state[MOST_WORDS], i = 0;
    const uint32_t parent = 0;
    int rc = MW_OK;
    ck_assert_int_eq(mw_net_search_init(&s, n_words, MW_NET_SEARCH_MAX, BYTES), MW_OK);
    for (; rc == MW_OK && i < 10 * N; i++) {
        state_of(i, n_words, state);
        rc = mw_net_search_add(&s, 1, state, &parent);
        MUST(mw_mem_in_use() - before <= BYTES + BYTES / 2); /* whole pages, huge ones */
    }
    ck_assert_int_eq(rc, MW_DONE);
    ck_assert_uint_eq(s.n, i - 1);
    ck_assert_uint_gt(s.n * (8 * n_words + 14), BYTES / 3);
    ck_assert_uint_le(s.most_bytes, BYTES + (64 << 10));
    state_of(s.n / 2, n_words, state);
    ck_assert(memcmp(mw_net_search_state(&s, s.n / 2), state, 8 * n_words) == 0);
    mw_net_search_fini(&s);
}
END_TEST

START_TEST(the_first_states_always_fit)
{
    struct mw_net_search s;
    const uint64_t state[] = {1, 2};
    const uint32_t parent[2] = {0};
    ck_assert_int_eq(mw_net_search_init(&s, 1, N, 1), MW_OK);
    ck_assert_int_eq(mw_net_search_add(&s, 2, state, parent), MW_OK);
    ck_assert_uint_eq(s.n, 2);
    mw_net_search_fini(&s);
}
END_TEST

START_TEST(each_failing_allocation_is_reported)
{
    int rc = MW_ERR_NOMEM;
    for (uint64_t n = 1; rc == MW_ERR_NOMEM; n++) {
        struct mw_net_search s;
        mw_mem_fail_at(n);
        rc = mw_net_search_init(&s, 2, N, 0);
        for (uint64_t i = 0; i < N && rc == MW_OK; i++) {
            const uint64_t state[2] = {i, 0};
            const uint32_t parent = 0;
            rc = mw_net_search_add(&s, 1, state, &parent);
        }
        mw_mem_fail_at(0);
        mw_net_search_fini(&s);
        ck_assert_uint_eq(mw_mem_in_use(), 0);
    }
    ck_assert_int_eq(rc, MW_OK);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("search");
    TCase *set = tcase_create("set");
    tcase_add_loop_test(set, states_are_numbered_in_order_and_never_twice, 1,
                        MOST_WORDS + 1);
    tcase_add_test(set, a_batch_with_equal_states_adds_them_once);
    tcase_add_test(set, the_limit_leaves_out_what_is_new_and_knows_what_is_old);
    tcase_add_loop_test(set, a_state_costs_few_bytes_beside_its_words, 1, 4);
    tcase_add_test(set, the_largest_limit_leaves_no_tag_and_works);
    tcase_add_loop_test(set, memory_is_bounded_too, 1, MOST_WORDS + 1);
    tcase_add_test(set, the_first_states_always_fit);
    tcase_add_test(set, each_failing_allocation_is_reported);
    suite_add_tcase(s, set);
    return run_suite(s);
}
