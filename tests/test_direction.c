/* test_direction.c -- when the search turns round.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/direction.h"

#include <check.h>

static const struct mw_direction_rule automatic = {MW_DIRECTION_AUTO, 10, 20};

static enum mw_direction choose(enum mw_direction now, uint64_t active, uint64_t edges,
                                uint64_t unvisited)
{
    const struct mw_direction_input in = {active, edges, unvisited, 100000};
    return mw_direction_choose(&automatic, now, &in);
}

START_TEST(many_edges_of_few_left_turn_bottom_up)
{
    ck_assert_int_eq(choose(MW_TOP_DOWN, 5000, 99999, 1000000), MW_TOP_DOWN);
    ck_assert_int_eq(choose(MW_TOP_DOWN, 5000, 100001, 1000000), MW_BOTTOM_UP);
}
END_TEST

START_TEST(a_small_frontier_turns_back)
{
    ck_assert_int_eq(choose(MW_BOTTOM_UP, 5001, 20000, 1000000), MW_BOTTOM_UP);
    ck_assert_int_eq(choose(MW_BOTTOM_UP, 4999, 20000, 1000000), MW_TOP_DOWN);
}
END_TEST

START_TEST(a_small_frontier_with_many_edges_for_what_is_left_does_not)
{
    ck_assert_int_eq(choose(MW_BOTTOM_UP, 4999, 20000, 1000), MW_BOTTOM_UP);
}
END_TEST

START_TEST(a_handful_of_edges_is_always_top_down)
{
    ck_assert_int_eq(choose(MW_TOP_DOWN, 10, 10, 1), MW_TOP_DOWN);
    ck_assert_int_eq(choose(MW_BOTTOM_UP, 90000, 390, 1), MW_TOP_DOWN);
}
END_TEST

START_TEST(a_policy_is_obeyed)
{
    const struct mw_direction_input in = {1, 1, 1000000, 1000000};
    const struct mw_direction_rule up = {MW_DIRECTION_BOTTOM_UP, 0, 0};
    const struct mw_direction_rule down = {MW_DIRECTION_TOP_DOWN, 0, 0};
    ck_assert_int_eq(mw_direction_choose(&up, MW_TOP_DOWN, &in), MW_BOTTOM_UP);
    ck_assert_int_eq(mw_direction_choose(&down, MW_BOTTOM_UP, &in), MW_TOP_DOWN);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("direction");
    TCase *t = tcase_create("direction");
    tcase_add_test(t, many_edges_of_few_left_turn_bottom_up);
    tcase_add_test(t, a_small_frontier_turns_back);
    tcase_add_test(t, a_small_frontier_with_many_edges_for_what_is_left_does_not);
    tcase_add_test(t, a_handful_of_edges_is_always_top_down);
    tcase_add_test(t, a_policy_is_obeyed);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
