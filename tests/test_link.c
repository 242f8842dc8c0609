/* test_link.c -- when coding pays on a link, by a clock that the test sets.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/link.h"
#include "suite.h"

enum { HERE, THERE, ELSEWHERE, HOSTS, MESSAGE = 64 << 10 };

static struct mw_links *links;
static double now;
static const struct mw_link_coding half = {.ratio = 0.5, .cost = 2e-9}; /* 500 MB/s */

static void up(void)
{
    now = 100;
    ck_assert_int_eq(mw_links_new(HOSTS, &links), MW_OK);
}

static void down(void)
{
    mw_links_free(links);
}

/* Sends messages without a pause that leave at a rate, looked at every so often, in seconds. */
static void stream(uint32_t host, uint32_t n, double bytes_s, double look_s)
{
    mw_links_look(links, now);
    mw_link_send(links, host);
    for (uint32_t i = 0; i < n; i++) {
        const double leaves = now + MESSAGE / bytes_s;
        while (now + look_s < leaves)
            mw_links_look(links, now += look_s);
        mw_links_look(links, now = leaves);
        if (i + 1 < n)
            mw_link_send(links, host);
        mw_link_sent(links, host, MESSAGE);
    }
}

static bool pays(uint32_t host)
{
    return mw_link_pays(links, host, &half);
}

START_TEST(an_unknown_link_is_left_alone)
{
    ck_assert(!pays(THERE));
    stream(THERE, 31, 12.5e6, 1e-5); /* less than two windows */
    ck_assert(!pays(THERE));
}
END_TEST

START_TEST(what_is_expected_holds_until_links_say_it)
{
    mw_links_expect(links, 1 / 12.5e6);
    ck_assert(pays(THERE));
    ck_assert(pays(ELSEWHERE));
    stream(THERE, 128, 1250e6, 1e-5);
    ck_assert(!pays(THERE));
    ck_assert(pays(ELSEWHERE));
}
END_TEST

/* Threads of one process are no network: what is found is some time, the same at all
 * ranks of a host, and of two ranks on one way out twice as much. */
static int probe(struct mw_comm *comm, void *arg)
{
    double *cost = arg;
    struct mw_links *mine;
    int rc = mw_links_new(comm->n_hosts, &mine);
    if (rc == MW_OK)
        rc = mw_links_probe(mine, comm);
    if (rc == MW_OK)
        cost[comm->rank] = mw_link_cost(mine, (comm->host + 1) % comm->n_hosts);
    mw_links_free(mine);
    return rc;
}

START_TEST(a_probe_finds_what_a_byte_costs)
{
    double cost[5] = {0};
    const struct mw_loop_conf three = {.n_ranks = 5, .ranks_per_host = 2};
    ck_assert_int_eq(mw_loop_run(&three, probe, cost), MW_OK);
    for (int r = 0; r < 5; r++)
        ck_assert(cost[r] > 0 && cost[r] < 1);
    ck_assert(cost[0] == cost[1]);
    ck_assert(cost[2] == cost[3]);
    const struct mw_loop_conf one = {.n_ranks = 2};
    cost[0] = 0;
    ck_assert_int_eq(mw_loop_run(&one, probe, cost), MW_OK);
    ck_assert(cost[0] == 0);
}
END_TEST

START_TEST(coding_pays_on_slow_links_only)
{
    stream(THERE, 100, 12.5e6, 1e-5);
    stream(ELSEWHERE, 100, 1250e6, 1e-5);
    ck_assert(pays(THERE));
    ck_assert(!pays(ELSEWHERE));
    ck_assert(!pays(HERE));
    ck_assert(mw_link_cost(links, THERE) > 0.99 / 12.5e6);
    ck_assert(mw_link_cost(links, THERE) < 1.01 / 12.5e6);
}
END_TEST

START_TEST(a_job_or_a_stop_is_not_the_links)
{
    stream(THERE, 100, 1250e6, 1e-5);
    for (int i = 0; i < 200; i++) { /* 64 KiB in each 2 ms: 32 MB/s, but nobody looked */
        mw_link_send(links, THERE);
        mw_links_look(links, now += 2e-3);
        mw_link_send(links, THERE);
        mw_link_sent(links, THERE, MESSAGE);
    }
    ck_assert(!pays(THERE));
}
END_TEST

/* A byte costs 1 / 200e6 s: half of it saved is worth more than coding, but not by a quarter. */
START_TEST(coding_does_not_come_and_go)
{
    stream(THERE, 400, 220e6, 1e-5);
    ck_assert(!pays(THERE));
    stream(THERE, 400, 100e6, 1e-5);
    ck_assert(pays(THERE));
    stream(THERE, 400, 220e6, 1e-5);
    ck_assert(pays(THERE));
    stream(THERE, 400, 400e6, 1e-5);
    ck_assert(!pays(THERE));
}
END_TEST

START_TEST(what_buffers_take_says_nothing)
{
    stream(THERE, 100, 12.5e6, 1e-5);
    for (int i = 0; i < 200; i++) { /* as searches do */
        stream(THERE, 4, 5000e6, 1e-5);
        now += 1e-3;
    }
    ck_assert(pays(THERE));
}
END_TEST

/* One good window in four is the link's. */
START_TEST(who_receives_may_be_away)
{
    for (int i = 0; i < 5; i++) {
        stream(THERE, 16 + 16, 1250e6, 1e-5); /* the first one does not count */
        ck_assert(!pays(THERE));
        stream(THERE, 16 + 3 * 16, 20e6, 1e-5);
        ck_assert(!pays(THERE));
    }
    stream(THERE, 16 + 16, 20e6, 1e-5);
    ck_assert(pays(THERE));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("link");
    TCase *t = tcase_create("link");
    tcase_add_checked_fixture(t, up, down);
    tcase_add_test(t, an_unknown_link_is_left_alone);
    tcase_add_test(t, what_is_expected_holds_until_links_say_it);
    tcase_add_test(t, a_probe_finds_what_a_byte_costs);
    tcase_add_test(t, coding_pays_on_slow_links_only);
    tcase_add_test(t, a_job_or_a_stop_is_not_the_links);
    tcase_add_test(t, coding_does_not_come_and_go);
    tcase_add_test(t, what_buffers_take_says_nothing);
    tcase_add_test(t, who_receives_may_be_away);
    suite_add_tcase(s, t);
    return run_suite(s);
}
