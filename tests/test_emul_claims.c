/* test_emul_claims.c -- what the paper says of the machine, kept by the emulated one: the
 * register bus (P5), no coherence (P7), one writer and no atomics (B8, of sunway.md).
 *
 * Rates are modelled: cycles of the parameters, nothing measured on a machine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "emul_claims.h"
#include "emul_tests.h"

/* ---- the register bus ---- */

/* Cycles from the launch to the end. */
static uint64_t bus_cycles(const char *params, uint32_t n_pairs, uint32_t n_senders)
{
    struct bus_job job = {n_pairs, n_senders};
    struct mw_emul_params p;
    struct mw_cluster *c = open_with(&mw_backend_emul, params);
    mw_emul_params_of(c, &p);
    must_run(&mw_backend_emul, c, bus_kernel, &job);
    const uint64_t cycles = mw_emul_now(c) - p.launch_cycles;
    close_all();
    return cycles;
}

/* 32 bytes a cycle at 1.45 GHz, where the FIFO holds what is on its way: 12 messages. */
START_TEST(a_pair_moves_256_bits_a_cycle)
{
    const uint64_t cycles = bus_cycles("recv_depth=16", 1, 0);
    const double rate = 32.0 * CLAIM_MESSAGES * 1.45 / (double)cycles;
    ck_assert_uint_ge(cycles, CLAIM_MESSAGES);
    ck_assert_uint_le(cycles, CLAIM_MESSAGES + 20);
    ck_assert_msg(rate > 46.3 && rate <= 46.4, "modelled %.3f GB/s", rate);
}
END_TEST

START_TEST(a_put_issues_once_in_rlc_issue_cycles)
{
    const uint64_t cycles = bus_cycles("recv_depth=16,rlc_issue_cycles=4", 1, 0);
    ck_assert_uint_ge(cycles, 4 * (CLAIM_MESSAGES - 1));
    ck_assert_uint_le(cycles, 4 * CLAIM_MESSAGES + 20);
}
END_TEST

/* To all targets alike: near and far ones differ by a cycle, which counts where few places
 * hold what is on its way. */
START_TEST(disjoint_pairs_do_not_disturb_each_other)
{
    static const char *const params[] = {"rlc_far_cycles=10,recv_depth=16",
                                         "rlc_far_cycles=10,recv_depth=4,send_depth=6",
                                         "rlc_far_cycles=10,recv_depth=1,send_depth=0"};
    const uint64_t alone = bus_cycles(params[_i], 1, 0);
    for (uint32_t n = 2; n <= 32; n *= 2)
        ck_assert_uint_eq(bus_cycles(params[_i], n, 0), alone);
}
END_TEST

START_TEST(two_senders_to_one_target_share_it)
{
    const uint64_t one = bus_cycles("recv_depth=16", 0, 1);
    for (uint32_t n = 2; n <= 7; n++) {
        const uint64_t all = bus_cycles("recv_depth=16", 0, n);
        ck_assert_uint_ge(all, n * (one - 20));
        ck_assert_uint_le(all, n * one + 20);
    }
}
END_TEST

/* ---- no coherence ---- */

static struct mw_cluster *hand_over(const struct mw_backend *backend, const char *params,
                                    struct handover_job *job, int forgets)
{
    struct mw_cluster *c = open_with(backend, params);
    memset(job, 0, sizeof *job);
    job->forgets = forgets;
    backend->run(c, handover_kernel, job);
    return c;
}

START_TEST(a_number_is_handed_over_with_fences_on_both_sides)
{
    static const char *const params[] = {"stale_reads=0", "stale_reads=1"};
    struct handover_job job;
    const struct mw_cluster *c =
        hand_over(executors[_i % 2], params[_i / 2], &job, FORGET_NOTHING);
    ck_assert_ptr_null(mw_emul_report(c));
    ck_assert_uint_eq(job.got[0], 12345);
}
END_TEST

START_TEST(a_forgotten_fence_is_noticed_with_stale_reads_only)
{
    struct handover_job job;
    const int forgets = FORGET_WRITER + _i;
    const struct mw_cluster *c =
        hand_over(&mw_backend_emul, "stale_reads=0", &job, forgets);
    ck_assert_ptr_null(mw_emul_report(c));
    ck_assert_uint_eq(job.got[0], 12345);
    close_all();
    c = hand_over(&mw_backend_emul, "stale_reads=1,spin_limit_cycles=50000", &job,
                  forgets);
    const struct mw_emul_report *const r = mw_emul_report(c);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(r->mistake, MW_EMUL_NO_PROGRESS);
    ck_assert_uint_eq(r->core, 63);
    ck_assert_ptr_nonnull(strstr(r->where, "emul_claims.c:"));
}
END_TEST

/* ... and is done by the end of the launch, as by athread_join(). */
START_TEST(a_launch_ends_with_a_fence)
{
    struct handover_job job;
    memset(&job, 0, sizeof job);
    job.forgets = FORGET_WRITER;
    job.flag[0] = 1;
    struct mw_cluster *c = open_with(executors[_i], "stale_reads=1");
    must_run(executors[_i], c, handover_kernel, &job);
    must_run(executors[_i], c, handover_kernel, &job);
    ck_assert_uint_eq(job.data[0], 12345);
    ck_assert_uint_eq(job.got[0], 12345);
}
END_TEST

/* ---- one writer, no atomics ---- */

static uint32_t *memory;

static const struct mw_emul_report *
write_words(struct mw_cluster *c, const struct mw_backend *backend, uint32_t apart)
{
    struct writers_job job = {(void *)mw_round_up((uintptr_t)memory, 256), apart, false};
    backend->run(c, writers_kernel, &job);
    return mw_emul_report(c);
}

START_TEST(neighbouring_words_may_have_two_writers)
{
    struct mw_cluster *c = open_with(executors[_i], "");
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_null(write_words(c, executors[_i], 1));
}
END_TEST

START_TEST(one_word_has_one_writer_in_a_launch)
{
    struct mw_cluster *c = open_with(executors[_i], "");
    const struct mw_emul_report *const r = write_words(c, executors[_i], 0);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(r->mistake, MW_EMUL_TWO_WRITERS);
    ck_assert_msg(strstr(r->text, "has written there in this launch, emul_claims.c:") !=
                      NULL,
                  "%s", r->text);
    close_all();
    if (executors[_i] != &mw_backend_emul)
        return; /* threads that do so race, and a race detector says it */
    c = open_with(executors[_i], "single_writer=0");
    ck_assert_ptr_null(write_words(c, executors[_i], 0));
}
END_TEST

START_TEST(a_barrier_of_all_cores_puts_writers_in_order)
{
    struct mw_cluster *c = open_with(executors[_i], "");
    struct writers_job job = {memory, 0, true};
    executors[_i]->run(c, writers_kernel, &job);
    ck_assert_ptr_null(mw_emul_report(c));
    ck_assert_uint_eq(memory[0], 63);
}
END_TEST

START_TEST(a_watch_makes_the_unit_larger)
{
    struct mw_cluster *c = open_with(executors[_i], "");
    ck_assert_int_eq(mw_emul_watch(c, memory, 1024, 1024), MW_OK);
    const struct mw_emul_report *const r = write_words(c, executors[_i], 1);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(r->mistake, MW_EMUL_TWO_WRITERS);
}
END_TEST

START_TEST(barriers_order_no_writers_of_what_is_watched)
{
    struct mw_cluster *c = open_with(executors[_i], "");
    struct writers_job job = {memory, 0, true};
    ck_assert_int_eq(mw_emul_watch(c, memory, 1024, 1024), MW_OK);
    executors[_i]->run(c, writers_kernel, &job);
    ck_assert_ptr_nonnull(mw_emul_report(c));
    ck_assert_int_eq(mw_emul_report(c)->mistake, MW_EMUL_TWO_WRITERS);
}
END_TEST

/* A core writes what another has written in the launch before, and that is watched. */
START_TEST(launches_put_all_writers_in_order)
{
    struct mw_cluster *c = open_with(executors[_i], "");
    struct writers_job job = {memory, 32, false};
    ck_assert_int_eq(mw_emul_watch(c, memory, 4096 * sizeof *memory, 128), MW_OK);
    must_run(executors[_i], c, writers_kernel, &job);
    job.memory += 32;
    must_run(executors[_i], c, writers_kernel, &job);
    ck_assert_uint_eq(memory[64], 1);
}
END_TEST

START_TEST(atomics_can_be_forbidden)
{
    uint32_t counter = 0;
    struct mw_cluster *c = open_with(executors[_i], "atomics=0");
    executors[_i]->run(c, ticket_kernel, &counter);
    const struct mw_emul_report *const r = mw_emul_report(c);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(r->mistake, MW_EMUL_ATOMIC);
    ck_assert_uint_eq(r->core, 9);
    ck_assert_uint_eq(counter, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("emul_claims");
    TCase *t = tcase_create("claims");
    memory = mw_alloc("memory", 4096, sizeof *memory);
    tcase_add_test(t, a_pair_moves_256_bits_a_cycle);
    tcase_add_test(t, a_put_issues_once_in_rlc_issue_cycles);
    tcase_add_loop_test(t, disjoint_pairs_do_not_disturb_each_other, 0,
                        how_many(3, 3, 1));
    tcase_add_test(t, two_senders_to_one_target_share_it);
    tcase_add_loop_test(t, a_number_is_handed_over_with_fences_on_both_sides, 0,
                        2 * N_EXECUTORS);
    tcase_add_loop_test(t, a_forgotten_fence_is_noticed_with_stale_reads_only, 0, 2);
    tcase_add_loop_test(t, a_launch_ends_with_a_fence, 0, N_EXECUTORS);
    tcase_add_loop_test(t, neighbouring_words_may_have_two_writers, 0, N_EXECUTORS);
    tcase_add_loop_test(t, one_word_has_one_writer_in_a_launch, 0, N_EXECUTORS);
    tcase_add_loop_test(t, a_barrier_of_all_cores_puts_writers_in_order, 0, N_EXECUTORS);
    tcase_add_loop_test(t, a_watch_makes_the_unit_larger, 0, N_EXECUTORS);
    tcase_add_loop_test(t, barriers_order_no_writers_of_what_is_watched, 0, N_EXECUTORS);
    tcase_add_loop_test(t, launches_put_all_writers_in_order, 0, N_EXECUTORS);
    tcase_add_loop_test(t, atomics_can_be_forbidden, 0, N_EXECUTORS);
    const int rc = run_tests(s, t);
    mw_free(memory);
    return rc;
}
