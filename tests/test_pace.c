/* test_pace.c -- when one core goes on alone (traversal/pace.h): simulated calls of eight cores, whose phases take what the
 * test says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/pace.h"

#include "suite.h"

enum { CORES = 8, EDGES = 8192 }; /* of a phase */
static const double EDGE_NS = 10, MEETING_NS = 2000, AWAY_NS = 4e6;

/* A phase of all cores, which took so long. */
static bool phase_loses(struct mw_pace *p, double ns, double now)
{
    const struct mw_pace_phase phase = {EDGES, EDGES, ns, CORES, CORES};
    return mw_pace_note(p, &phase, now);
}

/* Somebody who has seen what one core alone takes, and what meetings do. */
static struct mw_pace experienced(void)
{
    struct mw_pace p = {.n_cores = CORES};
    for (int i = 0; i < 16; i++)
        mw_pace_learn_alone(&p, EDGES, EDGES * EDGE_NS);
    for (int i = 0; i < 64; i++)
        (void)phase_loses(&p, MEETING_NS + EDGES * EDGE_NS / CORES, 0);
    p.lost_ns = 0;
    return p;
}

/* A call that goes on for so many phases at most, where another program holds a core in one of `every` (0: in none);
 * returns how many phases there were. */
static uint32_t call(struct mw_pace *p, double *now, uint32_t most, uint32_t every)
{
    uint32_t n = 0;
    bool loses = false;
    mw_pace_begin(p, *now);
    while (n < most && !loses) {
        const double ns = MEETING_NS + EDGES * EDGE_NS / CORES +
                          (every > 0 && n % every == every - 1 ? AWAY_NS : 0);
        *now += 1e-9 * ns;
        loses = phase_loses(p, ns, *now);
        n++;
    }
    mw_pace_end(p, *now);
    return n;
}

/* At first it measures itself. */
START_TEST(one_core_goes_on_alone_until_it_knows_its_pace)
{
    struct mw_pace p = {.n_cores = CORES};
    ck_assert_uint_eq(mw_pace_cores(&p, UINT64_MAX, UINT64_MAX, 1), 1);
    int n = 0;
    for (; mw_pace_rests(&p, 0); n++)
        mw_pace_learn_alone(&p, EDGES, EDGES * EDGE_NS);
    ck_assert_int_ge(n, 4);
    ck_assert_int_le(n, 6);
}
END_TEST

/* 2,000 ns for a meeting are the time of 200 edges. */
START_TEST(cores_are_called_where_they_are_faster)
{
    const struct mw_pace p = experienced();
    ck_assert_uint_eq(mw_pace_cores(&p, 200, CORES, 1), 1);
    ck_assert_uint_eq(mw_pace_cores(&p, 300, CORES, 1), CORES);
    ck_assert_uint_eq(mw_pace_cores(&p, 300, 1000, 1), CORES);
    ck_assert_uint_eq(mw_pace_cores(&p, 410, 2, 1), 2);
    ck_assert_uint_eq(mw_pace_cores(&p, 390, 2, 1), 1);
    ck_assert_uint_eq(mw_pace_cores(&p, EDGES, 0, 1), 1);
}
END_TEST

/* A phase in which a core was away says little of the next one; many that take longer do. */
START_TEST(one_long_phase_is_not_usual)
{
    struct mw_pace p = experienced();
    (void)phase_loses(&p, AWAY_NS, 0);
    ck_assert_uint_gt(mw_pace_cores(&p, 300, CORES, 1), 1);
    mw_pace_learn_alone(&p, EDGES, AWAY_NS);
    ck_assert_uint_eq(mw_pace_cores(&p, 100, CORES, 1), 1);
    for (int i = 0; i < 64; i++)
        (void)phase_loses(&p, AWAY_NS, 0);
    ck_assert_uint_eq(mw_pace_cores(&p, 10000, CORES, 1), 1);
    const struct mw_pace_phase of_one = {EDGES, EDGES, EDGES * EDGE_NS, 1, 1};
    for (int i = 0; i < 4000; i++)
        (void)mw_pace_note(&p, &of_one, 0);
    ck_assert_uint_gt(mw_pace_cores(&p, 300, CORES, 1), 1);
}
END_TEST

/* Eight cores gain 70 us in a phase of 12, so they may lose 4 ms in each 64th, and not in each eighth. */
START_TEST(a_call_goes_on_while_it_wins)
{
    enum { PHASES = 10000 };
    struct mw_pace p = experienced();
    double now = 1;
    ck_assert_uint_eq(call(&p, &now, PHASES, 0), PHASES);
    ck_assert_uint_eq(call(&p, &now, PHASES, 64), PHASES);
    ck_assert(!mw_pace_rests(&p, now));
    ck_assert_uint_lt(call(&p, &now, PHASES, 8), 128);
    ck_assert(mw_pace_rests(&p, now));
}
END_TEST

/* What calls before have won is enough for some phases in which a core was away, and no more. */
START_TEST(a_call_ends_soon_after_it_begins_to_lose)
{
    struct mw_pace p = experienced();
    double now = 1;
    uint32_t n = 0;
    (void)call(&p, &now, 100000, 0);
    mw_pace_begin(&p, now);
    while (!phase_loses(&p, AWAY_NS, now))
        n++;
    ck_assert_uint_ge(n, 4);
    ck_assert_uint_lt(n, 12);
    mw_pace_end(&p, now + 1e-9 * AWAY_NS * n);
    mw_pace_begin(&p, now + 1);
    ck_assert(phase_loses(&p, AWAY_NS, now));
}
END_TEST

/* However often a core is away, a call is hardly slower than one core alone, and no faster one is ended. */
START_TEST(a_call_is_hardly_slower_than_one_core_alone)
{
    enum { PHASES = 20000 };
    for (uint32_t every = 1; every < 200; every += 1 + every / 4) {
        struct mw_pace p = experienced();
        double now = 1;
        const uint32_t n = call(&p, &now, PHASES, every);
        ck_assert(now - 1 < 1e-9 * EDGE_NS * EDGES * n + 8e-3);
        ck_assert_uint_eq(n, every > 70 ? PHASES : n);
        ck_assert(every > 40 || n < PHASES);
    }
}
END_TEST

/* Rests become longer, as long as each call loses; a call that wins makes them short again. */
START_TEST(rests_grow_while_calls_lose)
{
    struct mw_pace p = experienced();
    double now = 1, worked = 0, rested = 0;
    for (int i = 0; i < 12; i++) {
        const double begun = now;
        (void)call(&p, &now, 1000, 1);
        ck_assert(mw_pace_rests(&p, now));
        worked += now - begun;
        for (; mw_pace_rests(&p, now); now += 1e-4)
            rested += 1e-4;
    }
    ck_assert(rested > 24 * worked);
    ck_assert(p.rests_until - now < 1);
    (void)call(&p, &now, 1000, 0);
    ck_assert(!mw_pace_rests(&p, now));
    (void)call(&p, &now, 1000, 1);
    ck_assert(mw_pace_rests(&p, now + 0.01));
    ck_assert(!mw_pace_rests(&p, now + 0.05));
}
END_TEST

/* Around its phases: a team is called, and looks at all labels. */
START_TEST(a_call_of_few_phases_loses)
{
    struct mw_pace p = experienced();
    mw_pace_begin(&p, 1);
    ck_assert(!phase_loses(&p, EDGES * EDGE_NS / CORES, 1));
    mw_pace_end(&p, 1.001);
    ck_assert(mw_pace_rests(&p, 1.002));
    ck_assert(!mw_pace_rests(&p, 1.010));
}
END_TEST

/* Where the whole machine stood still for a second. */
START_TEST(a_rest_is_not_long_after_one_call)
{
    struct mw_pace p = experienced();
    mw_pace_begin(&p, 1);
    ck_assert(phase_loses(&p, 1e9, 2));
    mw_pace_end(&p, 2);
    ck_assert(mw_pace_rests(&p, 2.03));
    ck_assert(!mw_pace_rests(&p, 2.05));
}
END_TEST

/* Phases of one core are as they would be without a call; and so short ones tell nothing of its pace. */
START_TEST(phases_of_one_core_lose_nothing)
{
    struct mw_pace p = experienced();
    double now = 1;
    mw_pace_begin(&p, now);
    for (int i = 0; i < 1000; i++, now += 1e-3) {
        const struct mw_pace_phase phase = {10, 10, 1e6, 1, 1};
        ck_assert(!mw_pace_note(&p, &phase, now));
    }
    mw_pace_end(&p, now);
    ck_assert(!mw_pace_rests(&p, now));
    ck_assert(!mw_pace_is_slow(&p));
    p = experienced();
    for (int i = 0; i < 1000; i++)
        mw_pace_learn_alone(&p, 10, 1e6);
    (void)call(&p, &now, 1000, 1);
    ck_assert(mw_pace_rests(&p, now));
    ck_assert(mw_pace_is_slow(&p));
}
END_TEST

/* Where another program has a core, one fewer works; it is called back, and for twice as long left out again. */
START_TEST(one_is_left_out_while_another_program_has_a_core)
{
    struct mw_pace p = experienced();
    const double usual_ns = MEETING_NS + EDGES * EDGE_NS / CORES;
    double now = 1, left_out = 0, before = 0;
    ck_assert_uint_eq(mw_pace_leave_out(&p, EDGES, usual_ns, now), CORES);
    for (int i = 0; i < 3; i++, before = left_out, left_out = 0) {
        ck_assert_uint_eq(mw_pace_leave_out(&p, EDGES, AWAY_NS, now), CORES - 1);
        ck_assert_uint_eq(mw_pace_cores(&p, EDGES, CORES, 1), CORES - 1);
        while (mw_pace_leave_out(&p, EDGES, usual_ns, now) < CORES)
            now += 1e-3, left_out += 1e-3;
        ck_assert(left_out > 0.04 && left_out < 0.3);
        ck_assert(left_out > 1.9 * before);
    }
    now += 10;
    (void)mw_pace_leave_out(&p, EDGES, AWAY_NS, now);
    ck_assert_uint_eq(mw_pace_leave_out(&p, EDGES, usual_ns, now + 0.04), CORES - 1);
    ck_assert_uint_eq(mw_pace_leave_out(&p, EDGES, usual_ns, now + 0.06), CORES);
}
END_TEST

/* A quarter of them, at most. */
START_TEST(most_are_not_left_out)
{
    struct mw_pace p = experienced(), of_two = experienced();
    of_two.n_cores = 2;
    for (int i = 0; i < 100; i++) {
        (void)mw_pace_leave_out(&p, EDGES, AWAY_NS, 1);
        (void)mw_pace_leave_out(&of_two, EDGES, AWAY_NS, 1);
    }
    ck_assert_uint_eq(mw_pace_leave_out(&p, EDGES, 1, 1), CORES - CORES / 4);
    ck_assert_uint_eq(mw_pace_leave_out(&of_two, EDGES, 1, 1), 2);
}
END_TEST

START_TEST(tests_may_have_all_work)
{
    struct mw_pace p = {.n_cores = CORES, .trial = 1};
    double now = 1;
    ck_assert(!mw_pace_rests(&p, now));
    ck_assert_uint_eq(mw_pace_cores(&p, 1, CORES, 1), CORES);
    for (int i = 0; i < 16; i++)
        mw_pace_learn_alone(&p, EDGES, EDGES * EDGE_NS);
    ck_assert_uint_eq(call(&p, &now, 1000, 1), 1000);
    ck_assert(!mw_pace_rests(&p, now));
    p.trial = 7;
    ck_assert_uint_eq(call(&p, &now, 1000, 0), 7);
    ck_assert(mw_pace_rests(&p, now + 1e3));
    mw_pace_learn_alone(&p, EDGES, EDGES * EDGE_NS);
    ck_assert(!mw_pace_rests(&p, now));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pace");
    TCase *t = tcase_create("pace");
    tcase_add_test(t, one_core_goes_on_alone_until_it_knows_its_pace);
    tcase_add_test(t, cores_are_called_where_they_are_faster);
    tcase_add_test(t, one_long_phase_is_not_usual);
    tcase_add_test(t, a_call_goes_on_while_it_wins);
    tcase_add_test(t, a_call_ends_soon_after_it_begins_to_lose);
    tcase_add_test(t, a_call_is_hardly_slower_than_one_core_alone);
    tcase_add_test(t, rests_grow_while_calls_lose);
    tcase_add_test(t, a_call_of_few_phases_loses);
    tcase_add_test(t, a_rest_is_not_long_after_one_call);
    tcase_add_test(t, phases_of_one_core_lose_nothing);
    tcase_add_test(t, one_is_left_out_while_another_program_has_a_core);
    tcase_add_test(t, most_are_not_left_out);
    tcase_add_test(t, tests_may_have_all_work);
    suite_add_tcase(s, t);
    return run_suite(s);
}
