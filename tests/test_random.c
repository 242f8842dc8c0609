/* test_random.c -- the generator of random numbers against its published values.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/random.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t seed[2] = {2, 3};

static void expect_state(const struct mw_random *r, const uint32_t z[MW_RANDOM_WORDS])
{
    for (int i = 0; i < MW_RANDOM_WORDS; i++)
        ck_assert_uint_eq(r->z[i], z[i]);
}

START_TEST(official_seeds_give_the_official_numbers)
{
    static const uint32_t first[] = {322227026, 531570115, 1424981115, 1111973825,
                                     147993513};
    struct mw_random r;
    mw_random_init(&r, seed);
    expect_state(&r, (const uint32_t[]){3, 1, 4, 1, 1});
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        ck_assert_uint_eq(mw_random_next(&r), first[i]);
}
END_TEST

START_TEST(each_bit_of_the_seed_counts)
{
    const uint64_t full[2] = {UINT64_MAX, UINT64_MAX};
    const uint32_t top = UINT32_C(1) << 30;
    struct mw_random r, none;
    mw_random_init(&r, full);
    expect_state(&r, (const uint32_t[]){top, top, top, top, 256});

    mw_random_init(&none, (const uint64_t[]){0, 0});
    for (int bit = 0; bit < 128; bit++) {
        uint64_t one[2] = {0, 0};
        one[bit / 64] = UINT64_C(1) << bit % 64;
        mw_random_init(&r, one);
        ck_assert_int_ne(memcmp(&r, &none, sizeof r), 0);
    }
}
END_TEST

START_TEST(powers_have_the_published_bottom_rows)
{
    static const uint32_t at64[] = {76622690, 1262953926, 691591548, 1420879705,
                                    677234486};
    static const uint32_t at128[] = {223523295, 1025489125, 1401138388, 1931651083,
                                     397527729};
    struct mw_jump j;
    mw_jump_init(&j, 64);
    ck_assert_mem_eq(j.m[4], at64, sizeof at64);
    mw_jump_init(&j, 128);
    ck_assert_mem_eq(j.m[4], at128, sizeof at128);
}
END_TEST

START_TEST(a_far_jump_lands_where_published)
{
    struct mw_random r;
    struct mw_jump j;
    mw_random_init(&r, seed);
    mw_jump_init(&j, 64);
    mw_random_jump(&r, &j);
    expect_state(&r, (const uint32_t[]){1179132795, 1245280163, 1454495194, 816691580,
                                        2062335085});
}
END_TEST

START_TEST(a_jump_is_that_many_steps)
{
    struct mw_random walked, jumped;
    struct mw_jump j;
    mw_random_init(&walked, seed);
    jumped = walked;
    mw_jump_init(&j, (uint32_t)_i);
    mw_random_jump(&jumped, &j);
    for (uint32_t i = 0; i < UINT32_C(1) << _i; i++)
        mw_random_next(&walked);
    expect_state(&jumped, walked.z);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("random");
    TCase *tc = tcase_create("random");
    tcase_add_test(tc, official_seeds_give_the_official_numbers);
    tcase_add_test(tc, each_bit_of_the_seed_counts);
    tcase_add_test(tc, powers_have_the_published_bottom_rows);
    tcase_add_test(tc, a_far_jump_lands_where_published);
    tcase_add_loop_test(tc, a_jump_is_that_many_steps, 0, 12);
    suite_add_tcase(s, tc);

    return run_suite(s);
}
