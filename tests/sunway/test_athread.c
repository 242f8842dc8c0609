/* test_athread.c -- backend "athread" on emulated cores (athread_on_emul.c): the pipeline with
 * the toy's kernels, compiled for the cores' side and joined to the management core's by the
 * table of numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "cpe/athread_control.h"
#include "cpe/emul.h"
#include "emul_conform.h"
#include "mpe/pipeline.h"
#include "port_kernels.h"
#include "ranks.h"
#include "relay/relay.h"
#include "toy.h"

#include <string.h>
#include <time.h>

/* The toy's own external (the library's kernels may have none): it is called for each record
 * that is turned, on this name only by the cores' side. */
int slave_nanosleep(const struct timespec *length, struct timespec *left);
static uint64_t n_turned_by_cores; /* atomic */

int slave_nanosleep(const struct timespec *length, struct timespec *left)
{
    (void)length, (void)left;
    __atomic_fetch_add(&n_turned_by_cores, 1, __ATOMIC_RELAXED);
    return 0;
}

struct play {
    uint32_t n_units;
    bool wide;
    uint64_t seed;
};

static uint64_t toy_units(void *state)
{
    return ((const struct toy *)state)->n_units;
}

static int check_level(struct toy *t, struct mw_comm *comm)
{
    uint64_t sum[2] = {t->n_units * TOY_FAN, t->n_turned};
    for (uint64_t i = 0; i < t->n_units * TOY_FAN; i++)
        EXPECT(t->home[i] == 1, "rank %u: copy %u came home %u times", t->rank,
               (unsigned)i, t->home[i]);
    EXPECT(t->n_wrong == 0, "rank %u: %u records are not what was sent", t->rank,
           (unsigned)t->n_wrong);
    const int rc = mw_comm_sum(comm, sum, 2);
    if (rc == MW_OK)
        EXPECT(sum[0] == sum[1], "made %u, turned %u", (unsigned)sum[0],
               (unsigned)sum[1]);
    return rc;
}

static int play(struct mw_world *w, void *arg)
{
    const struct play *play = arg;
    const uint8_t first = (uint8_t)mw_first_hop(&w->groups);
    struct toy t = {.rank = w->comm->rank,
                    .n_ranks = w->comm->size,
                    .wide = play->wide,
                    .seed = play->seed,
                    .slow_ns = 1,
                    .n_units = play->n_units};
    struct mw_pipeline *p = NULL;
    /* clang-format off */
    const struct mw_module table[] = {
        {"generator",      {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, first},       toy_serial.generate, toy_units, TOY_FAN, toy_mesh.generate},
        {"backward relay", {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, mw_relay_pass_on,    NULL,      0,       mw_relay_on_mesh},
        {"turner",         {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, first},        toy_serial.turn,     NULL,      0,       toy_mesh.turn},
        {"forward relay",  {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  mw_relay_pass_on,    NULL,      0,       mw_relay_on_mesh},
        {"counter",        {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   toy_serial.count,    NULL,      0,       toy_mesh.count},
    };
    /* clang-format on */
    int rc = MW_OK;

    MW_NEW(rc, t.home, "copies", (uint64_t)play->n_units * TOY_FAN + 1);
    MW_TRY(rc, mw_modules_new(table, 5, &t,
                              (struct mw_record_bits){TOY_BITS, play->wide ? 64 : 32, 0},
                              w, &p));
    mw_pipeline_bound(p, UINT64_C(1) << TOY_BITS);
    MW_TRY(rc, mw_pipeline_run(p, mw_modules_all(p)));
    MW_TRY(rc, check_level(&t, w->comm));
end:
    mw_pipeline_free(p);
    mw_free(t.home);
    return rc;
}

static struct ranks ranks_of(uint32_t n_ranks, struct play *p)
{
    struct ranks r = {.loop = {n_ranks, 0, 0}, .body = play, .arg = p};
    r.world.backend = "athread";
    r.world.n_threads = 1;
    r.world.n_clusters = 1;
    r.world.batch_bytes = 1024;
    r.world.hang_timeout_s = HANG_S;
    return r;
}

/* Every module on the cores (small_input 0), by the paper's layout; also where FIFOs hold
 * little or nothing, and where no word is seen without a fence. */
static const char *const depths[] = {
    "recv_depth=4,send_depth=6", "recv_depth=1,send_depth=1,stale_reads=1",
    "recv_depth=1,send_depth=0", "recv_depth=0,send_depth=0"};

static void set_machine(const char *text)
{
    struct mw_emul_params params;
    mw_emul_params_sw26010(&params);
    ck_assert_int_eq(mw_emul_params_read(text, &params), MW_OK);
    ck_assert_int_eq(mw_emul_configure(&params), MW_OK);
}

START_TEST(records_arrive_once_over_athread)
{
    set_machine(depths[_i]);
    struct play p = {.n_units = 150, .wide = _i % 2, .seed = (uint64_t)_i};
    struct ranks r = ranks_of(1 + (uint32_t)_i % 3, &p);
    r.world.n_clusters = _i % 2 == 0 ? 1 : 4;
    for (uint32_t width = 1; width <= r.loop.n_ranks; width++) {
        r.world.small_input = width == 2 ? 300 : 0;
        with_width(&r, width);
        must_run(&r);
    }
    ck_assert_int_eq(mw_emul_configure(NULL), MW_OK);
}
END_TEST

/* The management core takes a module while its cores are busy, but not always. */
START_TEST(cores_did_some_of_it)
{
    ck_assert_uint_gt(n_turned_by_cores, 0);
}
END_TEST

/* ---- the backend alone ---- */

static struct mw_cluster *open_cluster(const struct mw_backend **backend)
{
    const struct mw_cluster_conf conf = {.n_cores = 64, .first_lane = 1};
    struct mw_cluster *c = NULL;
    ck_assert_int_eq(mw_backend_find("athread", backend), MW_OK);
    ck_assert_msg((*backend)->open(&conf, &c) == MW_OK, "%s", mw_error_text());
    return c;
}

/* Clusters 0..3 of this thread; the first is its own, the others have owners. */
static void open_four(const struct mw_backend **b, struct mw_cluster *c[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        const struct mw_cluster_conf conf = {.n_cores = 64, .first_lane = 1 + 64 * i};
        ck_assert_int_eq(mw_backend_find("athread", b), MW_OK);
        ck_assert_msg((*b)->open(&conf, &c[i]) == MW_OK, "%s", mw_error_text());
        ck_assert_uint_eq((*b)->n_team(c[i]), 64);
    }
}

START_TEST(four_clusters_of_one_process_run_at_once)
{
    const struct mw_backend *b;
    struct mw_cluster *c[4];
    struct conform_job job[4] = {{0}};
    open_four(&b, c);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 4; i++) {
            if (round == 0)
                job[i].seen = mw_alloc("seen", 64 * 64, sizeof *job[i].seen);
            memset(job[i].seen, 0, 64 * 64 * sizeof *job[i].seen);
            b->launch(c[i], who_am_i_kernel, &job[i]);
        }
        for (uint32_t i = 4; i-- > 0;) {
            int rc;
            while ((rc = b->poll(c[i])) == MW_AGAIN)
                continue;
            ck_assert_msg(rc == MW_OK, "%s", mw_error_text());
            for (uint32_t core = 0; core < 64; core++)
                ck_assert_uint_eq(job[i].seen[64 * core + 4], 1 + 64 * i + core);
        }
    }
    for (uint32_t i = 4; i-- > 0;) {
        mw_free(job[i].seen);
        b->close(c[i]);
    }
    b->close(NULL);
}
END_TEST

START_TEST(what_breaks_in_another_threads_cluster_is_said_here)
{
    const struct mw_backend *b;
    struct mw_cluster *c[4];
    struct conform_job job = {0};
    open_four(&b, c);
    b->run(c[3], greedy_kernel, &job);
    ck_assert_int_eq(b->poll(c[3]), MW_ERR_INTERNAL);
    ck_assert_msg(strstr(mw_error_text(), "core (1,1) wanted 1000000 bytes") != NULL,
                  "%s", mw_error_text());
    b->launch(c[3], modest_kernel, &job); /* it can only be closed */
    ck_assert_int_eq(b->poll(c[3]), MW_ERR_INTERNAL);
    mw_error_clear();
    b->run(c[2], modest_kernel, &job);
    b->run(c[0], modest_kernel, &job);
    ck_assert_msg(b->poll(c[2]) == MW_OK && b->poll(c[0]) == MW_OK, "%s",
                  mw_error_text());
    for (uint32_t i = 0; i < 4; i++)
        b->close(c[i]);
}
END_TEST

START_TEST(a_closed_cluster_makes_room_for_another)
{
    const struct mw_backend *b;
    for (int i = 0; i < 3; i++) {
        struct mw_cluster *c = open_cluster(&b);
        b->close(c);
    }
}
END_TEST

/* Whatever fails at opening, nothing is left behind. */
START_TEST(a_lack_of_memory_at_opening_is_an_error)
{
    const struct mw_backend *b;
    const struct mw_cluster_conf conf = {.n_cores = 64, .first_lane = 65};
    struct mw_cluster *first = open_cluster(&b), *c = NULL;
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    for (uint64_t n = 1; rc != MW_OK; n++) {
        mw_mem_fail_at(n);
        rc = b->open(&conf, &c);
        mw_mem_fail_at(0);
        ck_assert(rc == MW_OK || (rc == MW_ERR_NOMEM && mw_mem_in_use() == before));
    }
    mw_error_clear();
    b->close(c);
    ck_assert_uint_eq(mw_mem_in_use(), before);
    b->close(first);
}
END_TEST

static void no_kernel_of_the_cores(struct mw_cpe *self, void *job)
{
    (void)self, (void)job;
}

START_TEST(a_kernel_without_a_number_is_an_error)
{
    const struct mw_backend *b;
    struct mw_cluster *c = open_cluster(&b);
    ck_assert_int_eq(b->poll(c), MW_OK);
    b->launch(c, no_kernel_of_the_cores, NULL);
    ck_assert_int_eq(b->poll(c), MW_ERR_INTERNAL);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "MW_ATHREAD_LIST"));
    mw_error_clear();
    b->close(c);
}
END_TEST

START_TEST(each_kernel_of_the_list_has_a_number)
{
    ck_assert_int_eq(mw_athread_number(mw_relay_on_mesh), 0);
    ck_assert_int_eq(mw_athread_number(toy_mesh.generate), 1);
    ck_assert_int_eq(mw_athread_number(toy_mesh.turn), 2);
    ck_assert_int_eq(mw_athread_number(toy_mesh.count), 3);
    ck_assert_int_eq(mw_athread_number(toy_serial.count), -1);
}
END_TEST

/* ---- the calls of cpe_types.h, by the kernels that also run on backend "emul" ---- */

static struct conform_job asked;

static int ask(mw_kernel *kernel)
{
    const struct mw_backend *b;
    struct mw_cluster *c = open_cluster(&b);
    memset(asked.seen, 0, 64 * 64 * sizeof *asked.seen);
    for (uint32_t i = 0; i < 64 * CONFORM_WORDS; i++)
        asked.memory[i] = i;
    b->run(c, kernel, &asked);
    b->run(c, kernel, &asked); /* what the first one left must not matter */
    const int rc = b->poll(c);
    b->close(c);
    return rc;
}

static void must_ask(mw_kernel *kernel)
{
    const int rc = ask(kernel);
    ck_assert_msg(rc == MW_OK, "%s", mw_error_text());
}

static void new_asked(void)
{
    memset(&asked, 0, sizeof asked);
    asked.seen = mw_alloc("seen", 64 * 64, sizeof *asked.seen);
    asked.memory = mw_alloc("memory", 64 * CONFORM_WORDS, sizeof *asked.memory);
    asked.counter = mw_alloc("counter", 1, sizeof *asked.counter);
    asked.flag = mw_alloc("flag", 1, sizeof *asked.flag);
}

static void free_asked(void)
{
    mw_free(asked.seen);
    mw_free(asked.memory);
    mw_free(asked.counter);
    mw_free(asked.flag);
}

/* Of word i of what each core saw. */
static uint64_t sum_of(uint32_t i)
{
    uint64_t n = 0;
    for (uint32_t core = 0; core < 64; core++)
        n += asked.seen[64 * core + i];
    return n;
}

START_TEST(cores_know_who_they_are)
{
    must_ask(who_am_i_kernel);
    for (uint32_t i = 0; i < 64; i++) {
        const uint64_t *s = asked.seen + 64 * i;
        ck_assert(s[0] == i / 8 && s[1] == i % 8 && s[2] == i && s[3] == 64);
        ck_assert_uint_eq(s[4], 1 + i);
    }
}
END_TEST

START_TEST(messages_arrive_in_order)
{
    asked.n = 10;
    must_ask(ring_kernel);
    ck_assert_uint_eq(sum_of(0), 0);
    must_ask(late_kernel);
    ck_assert_uint_eq(sum_of(0), 0);
    must_ask(order_kernel);
    ck_assert_uint_eq(sum_of(0), 0);
    must_ask(probe_kernel);
    const uint64_t *s = asked.seen + 64 * 9;
    ck_assert(s[0] == 1 && s[1] == 1 && s[2] == 1);
    ck_assert(s[3] == MW_BUS_COL && s[4] == 5 && s[5] == 1);
}
END_TEST

START_TEST(strides_leave_gaps_out)
{
    asked.bytes = 256;
    asked.block = 32;
    asked.gap = 96;
    ck_assert_int_eq(ask(stride_kernel), MW_OK); /* twice: complemented and back */
    for (uint32_t i = 0; i < CONFORM_WORDS; i++)
        ck_assert_uint_eq(asked.memory[i], i);
    must_ask(wait_kernel);
    ck_assert_uint_eq(sum_of(2), 64);
}
END_TEST

START_TEST(barriers_and_tickets_hold)
{
    asked.n = 5;
    must_ask(sync_kernel);
    ck_assert_uint_eq(sum_of(3), 0);
    must_ask(atomic_kernel);
    ck_assert_uint_eq(*asked.counter, 2 * 64 * 5);
    ck_assert_uint_eq(*asked.flag, 2 * 64 * 5);
}
END_TEST

START_TEST(statics_are_each_cores_own)
{
    must_ask(statics_of_the_port_kernel);
    ck_assert_uint_eq(sum_of(0), 0);
    ck_assert_uint_eq(sum_of(1), 0);
}
END_TEST

START_TEST(each_kernel_has_the_local_store_to_itself)
{
    must_ask(modest_kernel);
}
END_TEST

START_TEST(too_much_local_store_is_an_error_with_the_core_in_it)
{
    ck_assert_int_eq(ask(greedy_kernel), MW_ERR_INTERNAL);
    ck_assert_msg(strstr(mw_error_text(), "core (1,1) wanted 1000000 bytes") != NULL,
                  "%s", mw_error_text());
    mw_error_clear();
}
END_TEST

/* Only the emulation notices; on the machine it waits, and the hang timeout speaks. */
START_TEST(a_core_that_waits_for_ever_is_an_error)
{
    ck_assert_int_eq(ask(lonely_kernel), MW_ERR_INTERNAL);
    ck_assert_msg(strlen(mw_error_text()) > 0, "no text");
    mw_error_clear();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("athread on emulation");
    TCase *once = tcase_create("pipeline"), *alone = tcase_create("backend");
    tcase_set_timeout(once, 0);
    tcase_add_loop_test(once, records_arrive_once_over_athread, 0, 4);
    tcase_add_test(once, cores_did_some_of_it);
    tcase_add_test(alone, four_clusters_of_one_process_run_at_once);
    tcase_add_test(alone, what_breaks_in_another_threads_cluster_is_said_here);
    tcase_add_test(alone, a_closed_cluster_makes_room_for_another);
    tcase_add_test(alone, a_lack_of_memory_at_opening_is_an_error);
    tcase_add_test(alone, a_kernel_without_a_number_is_an_error);
    tcase_add_test(alone, each_kernel_of_the_list_has_a_number);
    TCase *calls = tcase_create("calls");
    tcase_set_timeout(calls, 0);
    tcase_add_checked_fixture(calls, new_asked, free_asked);
    tcase_add_test(calls, cores_know_who_they_are);
    tcase_add_test(calls, messages_arrive_in_order);
    tcase_add_test(calls, strides_leave_gaps_out);
    tcase_add_test(calls, barriers_and_tickets_hold);
    tcase_add_test(calls, statics_are_each_cores_own);
    tcase_add_test(calls, each_kernel_has_the_local_store_to_itself);
    tcase_add_test(calls, too_much_local_store_is_an_error_with_the_core_in_it);
    tcase_add_test(calls, a_core_that_waits_for_ever_is_an_error);
    suite_add_tcase(s, calls);
    suite_add_tcase(s, once);
    suite_add_tcase(s, alone);
    return run_suite(s);
}
