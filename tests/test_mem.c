/* test_mem.c -- memory is aligned, zeroed, counted, and fails on demand.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/resident.h"
#include "base/room.h"
#include "ranks.h"

#include <string.h>

static const uint64_t sizes[] = {0, 1, 63, 64, 65, 4096, (1 << 20) - 1, 1 << 20, 5000001};

START_TEST(blocks_are_aligned_zeroed_and_counted)
{
    const uint64_t before = mw_mem_in_use(), n = sizes[_i];
    for (int round = 0; round < 2; round++) {
        unsigned char *p = mw_alloc("a block", n, 1);
        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq((uintptr_t)p % MW_CACHE_LINE, 0);
        ck_assert_uint_ge(mw_mem_in_use(), before + n);
        ck_assert_uint_ge(mw_mem_peak(), mw_mem_in_use());
        for (uint64_t i = 0; i < n; i++)
            MUST(p[i] == 0);
        memset(p, 0xFF, n); /* the next one must be zero all the same */
        mw_free(p);
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
}
END_TEST

START_TEST(absurd_sizes_are_refused_with_their_name)
{
    static const uint64_t size[][2] = {
        {UINT64_MAX, 1}, {UINT64_MAX / 2, 3}, {UINT64_C(1) << 40, UINT64_C(1) << 40}};
    ck_assert_ptr_null(mw_alloc("the sky", size[_i][0], size[_i][1]));
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "the sky"));
}
END_TEST

START_TEST(the_nth_call_fails_once)
{
    void *p[4];
    mw_mem_fail_at(3);
    for (int i = 0; i < 4; i++)
        p[i] = mw_alloc("a block", 10, 10);
    mw_mem_fail_at(0);
    for (int i = 0; i < 4; i++)
        ck_assert((p[i] == NULL) == (i == 2));
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "out of memory: a block"));
    for (int i = 0; i < 4; i++)
        mw_free(p[i]);
}
END_TEST

START_TEST(shrinking_gives_whole_pages_back)
{
    const uint64_t before = mw_mem_in_use();
    unsigned char *p = mw_alloc("a block", 16 << 20, 1);
    ck_assert_ptr_nonnull(p);
    p[99] = 7;
    mw_shrink(p, 100);
    ck_assert_uint_eq(p[99], 7);
    ck_assert_uint_lt(mw_mem_in_use(), before + (8 << 20));
    mw_free(p);
    ck_assert_uint_eq(mw_mem_in_use(), before);
    p = mw_alloc("a small block", 1000, 1);
    mw_shrink(p, 10);
    mw_free(p);
    ck_assert_uint_eq(mw_mem_in_use(), before);
}
END_TEST

START_TEST(the_system_says_what_is_left)
{
    struct mw_room room;
    mw_room_find("", &room);
    ck_assert_uint_gt(room.memory, 1 << 20);
    ck_assert_str_ne(room.memory_source, "unknown");
    ck_assert_uint_gt(mw_resident_peak(), 1 << 16);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mem");
    TCase *t = tcase_create("mem");
    tcase_add_loop_test(t, blocks_are_aligned_zeroed_and_counted, 0, 9);
    tcase_add_loop_test(t, absurd_sizes_are_refused_with_their_name, 0, 3);
    tcase_add_test(t, the_nth_call_fails_once);
    tcase_add_test(t, shrinking_gives_whole_pages_back);
    tcase_add_test(t, the_system_says_what_is_left);
    suite_add_tcase(s, t);
    return run_suite(s);
}
