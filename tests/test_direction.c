/* test_direction.c -- when the search turns round, and how it then goes on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/form.h"
#include "suite.h"

static const struct mw_direction_rule automatic = {.alpha = 10, .beta = 20};

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
    const struct mw_direction_rule up = {.policy = MW_DIRECTION_BOTTOM_UP};
    const struct mw_direction_rule down = {.policy = MW_DIRECTION_TOP_DOWN};
    ck_assert_int_eq(mw_direction_choose(&up, MW_TOP_DOWN, &in), MW_BOTTOM_UP);
    ck_assert_int_eq(mw_direction_choose(&down, MW_BOTTOM_UP, &in), MW_TOP_DOWN);
}
END_TEST

START_TEST(hubs_are_the_papers_unless_said_otherwise)
{
    const struct mw_direction_rule said = {.hubs = {3, MW_HUBS_OFF}};
    ck_assert_uint_eq(mw_direction_hubs(&automatic, MW_TOP_DOWN, 64), 4096);
    ck_assert_uint_eq(mw_direction_hubs(&automatic, MW_BOTTOM_UP, 64), 16384);
    ck_assert_uint_eq(mw_direction_hubs(&said, MW_TOP_DOWN, 64), 8);
    ck_assert_uint_eq(mw_direction_hubs(&said, MW_BOTTOM_UP, 64), 0);
}
END_TEST

/* By classes no host has more than 1 GiB of them, however many ranks there are. */
START_TEST(tables_of_hubs_do_not_grow_with_the_machine)
{
    const struct mw_direction_rule owner = {.partition = MW_BY_OWNER};
    ck_assert_uint_eq(mw_direction_hubs(&owner, MW_BOTTOM_UP, 40768), 16384);
    const uint64_t n = mw_direction_hubs(&automatic, MW_BOTTOM_UP, 40768);
    ck_assert(n % 64 == 0 && n * 40768 * 33 / 8 <= MW_HUBS_BYTES &&
              (n + 64) * 40768 * 33 / 8 > MW_HUBS_BYTES);
    ck_assert_uint_eq(mw_direction_hubs(&automatic, MW_TOP_DOWN, 40768), 1 << 12);
    ck_assert_uint_eq(mw_direction_hubs(&automatic, MW_BOTTOM_UP, UINT32_MAX), 64);
}
END_TEST

START_TEST(few_edges_are_told_by_classes)
{
    const struct mw_direction_rule owner = {.partition = MW_BY_OWNER}, five = {.few = 5},
                                   none = {.few = MW_FEW_NONE};
    ck_assert_uint_eq(mw_direction_means(&automatic, 1, 1, 64).n_few, 0);
    ck_assert_uint_eq(mw_direction_means(&automatic, 2, 1, 64).n_few, MW_FEW);
    ck_assert_uint_eq(mw_direction_means(&automatic, 40768, 9, 64).n_few, MW_FEW);
    ck_assert_uint_eq(mw_direction_means(&owner, 8, 1, 64).n_few, 0);
    ck_assert(!mw_direction_means(&owner, 8, 1, 64).classes);
    ck_assert_uint_eq(mw_direction_means(&five, 8, 1, 64).n_few, 5);
    ck_assert_uint_eq(mw_direction_means(&none, 8, 1, 64).n_few, 0);
}
END_TEST

START_TEST(rows_follow_where_owners_are_asked)
{
    const struct mw_direction_rule messages = {.form = MW_FORM_MESSAGES},
                                   bitmap = {.form = MW_FORM_BITMAP},
                                   owner = {.form = MW_FORM_MESSAGES,
                                            .partition = MW_BY_OWNER},
                                   off = {.form = MW_FORM_MESSAGES, .asks_all = true},
                                   down = {.form = MW_FORM_MESSAGES,
                                           .policy = MW_DIRECTION_TOP_DOWN};
    ck_assert(mw_direction_means(&messages, 2, 1, 64).follows);
    ck_assert(mw_direction_means(&automatic, 40768, 40768, 1 << 23).follows);
    ck_assert(!mw_direction_means(&automatic, 4, 1, 64).follows); /* by bitmap */
    ck_assert(!mw_direction_means(&bitmap, 4, 4, 64).follows);
    ck_assert(!mw_direction_means(&messages, 1, 1, 64).follows);
    ck_assert(!mw_direction_means(&owner, 4, 4, 64).follows);
    ck_assert(!mw_direction_means(&off, 4, 4, 64).follows);
    ck_assert(!mw_direction_means(&down, 4, 4, 64).follows);
}
END_TEST

START_TEST(what_is_allocated_follows_from_form_and_hosts)
{
    const struct mw_direction_rule messages = {.form = MW_FORM_MESSAGES},
                                   bitmap = {.form = MW_FORM_BITMAP}, any = {.alpha = 0};
    struct mw_means m = mw_direction_means(&any, 4, 1, 1 << 20); /* shared memory does */
    ck_assert(m.by_bitmap && !m.by_messages && m.hubs[MW_TOP_DOWN] == 0);
    m = mw_direction_means(&any, 4, 2, 1 << 20);
    ck_assert(m.by_bitmap && m.by_messages && m.hubs[MW_BOTTOM_UP] == 1 << 14);
    m = mw_direction_means(&bitmap, 4, 2, 1 << 20);
    ck_assert(!m.by_messages && m.hubs[MW_TOP_DOWN] == 1 << 12 &&
              m.hubs[MW_BOTTOM_UP] == 0);
    m = mw_direction_means(&messages, 4, 1, 1000); /* ranks that are smaller */
    ck_assert(!m.by_bitmap && m.hubs[MW_TOP_DOWN] == 1000 &&
              m.hubs[MW_BOTTOM_UP] == 1000);
    m = mw_direction_means(&messages, 1, 1, 1 << 20); /* nobody to tell */
    ck_assert(m.hubs[MW_TOP_DOWN] == 0 && m.hubs[MW_BOTTOM_UP] == 0);
}
END_TEST

/* ---- By messages or by bitmap ------------------------------------------------------------- */

/* Ten ranks; half of all entries would have to be asked for. */
static const struct mw_form_level level = {.n_ranks = 10,
                                           .n_unvisited = 1000000,
                                           .n_unvisited_edges = 20000000,
                                           .n_bitmap_bytes = 1000000,
                                           .n_light_edges = 50000000};

static enum mw_level_form chosen(const struct mw_form_rates *r,
                                 const struct mw_form_level *l)
{
    const struct mw_form_estimate e = mw_form_estimate(r, l);
    return mw_form_choose(&e);
}

START_TEST(many_questions_speak_for_the_bitmap)
{
    struct mw_form_rates r = mw_form_rates_init(0.5, 1e-9);
    struct mw_form_level few = level;
    r.unanswered[0] = 1;
    ck_assert_int_eq(chosen(&r, &level), MW_FORM_BITMAP);
    few.n_unvisited = few.n_unvisited_edges = 100;
    ck_assert_int_eq(chosen(&r, &few), MW_FORM_MESSAGES);
}
END_TEST

START_TEST(a_slow_network_speaks_for_messages)
{
    struct mw_form_rates r = mw_form_rates_init(0.5, 1e-5);
    ck_assert_int_eq(chosen(&r, &level), MW_FORM_MESSAGES);
}
END_TEST

/* Against as many questions, and against sharing the bitmap. */
START_TEST(few_edges_that_are_no_hubs_speak_for_both_directions)
{
    struct mw_form_rates r = mw_form_rates_init(0.5, 1e-7);
    struct mw_form_level l = level;
    r.unanswered[0] = 1;
    l.n_light_edges = 1000;
    ck_assert_int_eq(chosen(&r, &l), MW_FORM_MIXED);
    l.n_light_edges = 20000000;
    ck_assert_int_ne(chosen(&r, &l), MW_FORM_MIXED);
    l.n_light_edges = 9000000; /* questions are 10,000,000 */
    r.byte_s = 1;
    ck_assert_int_eq(chosen(&r, &l), MW_FORM_MIXED);
    /* Its records are timed as questions are, and how many are asked it does not tell. */
    l.talk_s = 10 * (l.look_s = 1);
    mw_form_learn(&r, MW_FORM_MIXED, &l);
    ck_assert_double_eq_tol(r.unanswered[0], 1, 1e-12);
    ck_assert_double_gt(r.question_s, 2e-8);
}
END_TEST

START_TEST(estimates_follow_what_is_measured)
{
    struct mw_form_rates r = mw_form_rates_init(0.5, 1e-9);
    struct mw_form_level l = level;
    l.n_questions = 2000000;
    l.talk_s = 0.4;
    l.look_s = 0.1;
    for (int i = 0; i < 100; i++) {
        mw_form_learn(&r, MW_FORM_MESSAGES, &l);
        mw_form_learn(&r, MW_FORM_BITMAP, &l);
    }
    const struct mw_form_estimate e = mw_form_estimate(&r, &level);
    ck_assert_double_eq_tol(e.messages_s, 0.5, 0.01);
    ck_assert_double_eq_tol(e.bitmap_s, 0.5, 0.01);
}
END_TEST

START_TEST(one_disturbed_level_does_not_decide_for_ever)
{
    struct mw_form_rates r = mw_form_rates_init(0.5, 1e-9);
    struct mw_form_level l = level;
    l.talk_s = 0.001;
    l.look_s = 0.001;
    mw_form_learn(&r, MW_FORM_BITMAP, &l);
    const double before = mw_form_estimate(&r, &level).bitmap_s;
    l.talk_s = 0.005;
    l.look_s = 0.005;
    mw_form_learn(&r, MW_FORM_BITMAP, &l);
    ck_assert_double_lt(mw_form_estimate(&r, &level).bitmap_s, 1.6 * before);
}
END_TEST

START_TEST(nothing_measured_leaves_everything_finite)
{
    struct mw_form_rates r = mw_form_rates_init(0, 0);
    const struct mw_form_level nothing = {.n_ranks = 1};
    mw_form_learn(&r, MW_FORM_MESSAGES, &nothing);
    mw_form_learn(&r, MW_FORM_BITMAP, &nothing);
    const struct mw_form_estimate e = mw_form_estimate(&r, &level);
    ck_assert_double_ge(e.messages_s, 0);
    ck_assert_double_lt(e.messages_s, 1);
    ck_assert_double_ge(e.bitmap_s, 0);
    ck_assert_double_lt(e.bitmap_s, 1);
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
    tcase_add_test(t, hubs_are_the_papers_unless_said_otherwise);
    tcase_add_test(t, tables_of_hubs_do_not_grow_with_the_machine);
    tcase_add_test(t, few_edges_are_told_by_classes);
    tcase_add_test(t, rows_follow_where_owners_are_asked);
    tcase_add_test(t, what_is_allocated_follows_from_form_and_hosts);
    suite_add_tcase(s, t);
    t = tcase_create("form");
    tcase_add_test(t, many_questions_speak_for_the_bitmap);
    tcase_add_test(t, a_slow_network_speaks_for_messages);
    tcase_add_test(t, few_edges_that_are_no_hubs_speak_for_both_directions);
    tcase_add_test(t, estimates_follow_what_is_measured);
    tcase_add_test(t, one_disturbed_level_does_not_decide_for_ever);
    tcase_add_test(t, nothing_measured_leaves_everything_finite);
    suite_add_tcase(s, t);
    return run_suite(s);
}
