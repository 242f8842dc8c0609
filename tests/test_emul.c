/* test_emul.c -- what an emulated mesh does: the conformance list that a person with a real
 * machine would run first, and the timing model's calibration. Whatever is called modelled
 * here repeats the constants of emul_params.h; it is no evidence about a machine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "emul_conform.h"
#include "emul_tests.h"

static struct conform_job job;
static uint64_t seen[64 * 64], flag;
static uint32_t counter;
static void *memory;

static void make_job(void)
{
    memset(seen, 0, sizeof seen);
    counter = 0;
    flag = 0;
    uint32_t *const words = (void *)mw_round_up((uintptr_t)memory, 128);
    for (uint32_t i = 0; i < 64 * CONFORM_WORDS; i++)
        words[i] = i * 2654435761u;
    job = (struct conform_job){
        .seen = seen, .memory = words, .n = 1, .counter = &counter, .flag = &flag};
}

/* The same at each depth and on each executor. */
#define EVERYWHERE(t, test) tcase_add_loop_test(t, test, 0, N_DEPTHS *N_EXECUTORS)
#define BACKEND             executors[_i / N_DEPTHS]
#define DEPTHS              depths[_i % N_DEPTHS]
#define ON_TIME             (_i / N_DEPTHS == 0)

static struct mw_cluster *run_it(const struct mw_backend *backend, const char *params,
                                 mw_kernel *kernel)
{
    struct mw_cluster *c = open_with(backend, params);
    must_run(backend, c, kernel, &job);
    return c;
}

static uint64_t sum_of(uint32_t word)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 64; i++)
        sum += seen[64 * i + word];
    return sum;
}

START_TEST(every_core_knows_its_place)
{
    make_job();
    struct mw_cluster *c = run_it(BACKEND, DEPTHS, who_am_i_kernel);
    ck_assert_uint_eq(BACKEND->n_cores(c), 64);
    for (uint32_t i = 0; i < 64; i++) {
        const uint64_t want[] = {i / 8, i % 8, i, 64, i};
        ck_assert_mem_eq(seen + 64 * i, want, sizeof want);
    }
}
END_TEST

/* As many puts as there are places go through at once; the next waits for a get. */
START_TEST(depth_probe_counts_the_places)
{
    struct mw_emul_params p;
    make_job();
    struct mw_cluster *c = run_it(BACKEND, DEPTHS, depth_probe_kernel);
    mw_emul_params_of(c, &p);
    for (uint64_t i = 0; i < CONFORM_PUTS; i++) {
        ck_assert_uint_eq(seen[64 + i], i);
        if (ON_TIME)
            ck_assert_int_eq(seen[i] < 100000, i < p.recv_depth + p.send_depth);
    }
}
END_TEST

/* The layout of what a kernel did; the caller frees it. */
static char *recorded(const struct mw_cluster *c)
{
    struct mw_emul_hops h = {{{0}}};
    struct mw_emul_params p;
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    mw_emul_params_of(c, &p);
    ck_assert(!mw_emul_hops_any(&h));
    mw_emul_hops_add(c, &h);
    ck_assert(mw_emul_hops_any(&h));
    mw_emul_hops_print(&h, &p, f);
    fclose(f);
    return text;
}

static uint32_t count(const char *text, const char *word)
{
    uint32_t n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        n++;
    return n;
}

START_TEST(the_ways_of_messages_are_recorded)
{
    make_job();
    char *text = recorded(run_it(BACKEND, DEPTHS, depth_probe_kernel));
    ck_assert_uint_eq(count(text, "\nflow"), 1);
    ck_assert_ptr_nonnull(strstr(text, "\nflow 0,0 0,1\n"));
    free(text);
    make_job();
    text = recorded(run_it(BACKEND, DEPTHS, late_kernel)); /* a broadcast of 2,3 */
    ck_assert_uint_eq(count(text, "\nflow 2,3 2,"), 7);
    ck_assert_uint_eq(count(text, "\nflow"), 7);
    free(text);
}
END_TEST

/* Each copy of the broadcasts of 2,3 is kept by who gets it. A later launch counts if it sent more. */
START_TEST(messages_are_recorded_from_their_makers)
{
    const struct mw_emul_sent *sent;
    uint64_t n, to = 0, earlier = 0;
    mw_emul_traffic_want(true);
    make_job();
    struct mw_cluster *c = run_it(BACKEND, DEPTHS, late_kernel);
    mw_emul_traffic_want(false);
    ck_assert_int_eq(mw_emul_traffic_most(c, &sent, &n), MW_OK);
    ck_assert_uint_ge(n, 7);
    for (uint64_t i = 0; i < n; i++) {
        ck_assert_uint_eq(sent[i].from, 19);
        ck_assert_uint_ge(sent[i].cycle, earlier);
        earlier = sent[i].cycle;
        to |= UINT64_C(1) << sent[i].to;
    }
    ck_assert_uint_eq(to, UINT64_C(0xF7) << 16);
    const uint64_t before = n;
    must_run(BACKEND, c, depth_probe_kernel, &job);
    ck_assert_int_eq(mw_emul_traffic_most(c, &sent, &n), MW_OK);
    if (before < CONFORM_PUTS - 1)
        ck_assert(n >= CONFORM_PUTS - 1 && sent[0].from == 0 && sent[n - 1].to == 1);
    else
        ck_assert(n == before && sent[0].from == 19);
    c = run_it(BACKEND, DEPTHS, late_kernel);
    ck_assert_int_eq(mw_emul_traffic_most(c, &sent, &n), MW_OK);
    ck_assert_uint_eq(n, 0);
}
END_TEST

/* Every core of a row puts to the next, at first and after a get from the last; then the same
 * in columns, where what came before is of a row at first. */
START_TEST(a_put_is_recorded_with_the_get_before_it)
{
    struct mw_emul_params p;
    make_job();
    job.n = 1;
    struct mw_cluster *c = open_with(BACKEND, DEPTHS);
    mw_emul_params_of(c, &p);
    if (p.send_depth + p.recv_depth < 4)
        return; /* it hangs */
    BACKEND->run(c, ring_kernel, &job);
    char *text = recorded(c);
    ck_assert_ptr_nonnull(strstr(text, "\nflow 0,0 0,1\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nflow 0,7 0,0 1,0\n"));
    ck_assert_uint_eq(count(text, "\nflow"), 128);
    free(text);
}
END_TEST

/* 4 puts then 4 gets: safe where send and receive have 4 places together. */
START_TEST(a_ring_of_four_needs_four_places)
{
    struct mw_emul_params p;
    make_job();
    job.n = 10;
    struct mw_cluster *c = open_with(BACKEND, DEPTHS);
    mw_emul_params_of(c, &p);
    BACKEND->run(c, ring_kernel, &job);
    const struct mw_emul_report *const r = mw_emul_report(c);
    if (p.send_depth + p.recv_depth >= 4) {
        ck_assert_msg(r == NULL, "%s", r == NULL ? "" : r->text);
        ck_assert_uint_eq(sum_of(0), 0);
    } else {
        ck_assert_ptr_nonnull(r);
        ck_assert_int_eq(r->mistake, MW_EMUL_DEADLOCK);
        ck_assert_msg(strstr(r->text, "a cycle of 8: (") != NULL, "%s", r->text);
    }
}
END_TEST

START_TEST(a_broadcast_waits_for_the_last_receiver)
{
    struct mw_emul_params p;
    make_job();
    struct mw_cluster *c = run_it(BACKEND, DEPTHS, late_kernel);
    mw_emul_params_of(c, &p);
    for (uint32_t col = 0; col < 8; col++) {
        ck_assert_uint_eq(seen[64 * (16 + col)], 0);
        ck_assert_uint_eq(seen[64 * (16 + col) + 2],
                          1); /* also the sender's: none to it */
        if (ON_TIME && p.recv_depth + p.send_depth < CONFORM_PUTS)
            ck_assert_uint_gt(seen[64 * (16 + col) + 1], 50000);
    }
}
END_TEST

/* Anonymous, from all in turn, and in order for each sender. */
START_TEST(order_is_kept_per_sender_and_receiver)
{
    make_job();
    run_it(BACKEND, DEPTHS, order_kernel);
    for (uint32_t row = 0; row < 8; row++) {
        ck_assert_uint_eq(seen[64 * 8 * row], 0);
        for (uint32_t from = 1; from < 8 && ON_TIME; from++)
            ck_assert_uint_gt(seen[64 * 8 * row + 1 + from],
                              10); /* of 200: nobody starves */
    }
}
END_TEST

START_TEST(a_gap_is_not_a_pitch)
{
    const struct {
        uint64_t bytes, block, gap;
    } shape[] = {{256, 32, 96}, {64, 4, 4}, {2048, 1024, 4}, {96, 32, 0}};
    for (size_t k = 0; k < 4; k++) {
        make_job();
        job.bytes = shape[k].bytes;
        job.block = shape[k].block;
        job.gap = shape[k].gap;
        run_it(BACKEND, DEPTHS, stride_kernel);
        ck_assert_uint_eq(sum_of(0), 0);
        for (uint64_t i = 0; i < 64 * CONFORM_WORDS; i++) {
            const uint64_t at = i % CONFORM_WORDS * 4, pitch = job.block + job.gap;
            const bool put = at % pitch < job.block && at / pitch < job.bytes / job.block;
            const uint32_t was = (uint32_t)i * 2654435761u;
            if (job.memory[i] != (put ? ~was : was))
                ck_abort_msg("shape %u, word %u", (unsigned)k, (unsigned)i);
        }
        close_all();
    }
}
END_TEST

START_TEST(a_misaligned_put_is_slow_and_right)
{
    uint64_t cycles[2];
    for (uint64_t k = 0; k < 2; k++) {
        make_job();
        job.bytes = 128;
        job.n = 50;
        job.offset = 4 * k;
        struct mw_cluster *c = run_it(&mw_backend_emul, "", put_kernel);
        struct mw_emul_counters n;
        mw_emul_count_all(c, &n);
        ck_assert_uint_eq(n.dma_misaligned, k * 64 * 50);
        for (uint32_t i = 0; i < 64; i++)
            for (uint32_t w = 0; w < 32; w++)
                ck_assert_uint_eq(job.memory[i * CONFORM_WORDS + k + w], i + w);
        cycles[k] = sum_of(0);
        close_all();
    }
    ck_assert_uint_gt(cycles[1], 3 * cycles[0]); /* modelled */
}
END_TEST

START_TEST(a_wait_ends_at_its_number)
{
    make_job();
    run_it(BACKEND, DEPTHS, wait_kernel);
    for (uint32_t i = 0; i < 64; i++) {
        ck_assert_uint_eq(seen[64 * i], 0xA5A5A5A5); /* not there before the wait */
        ck_assert_uint_eq(seen[64 * i + 1], 0);
        ck_assert_uint_eq(seen[64 * i + 2], 1);
        ck_assert_uint_eq(seen[64 * i + 3], 2);
    }
}
END_TEST

START_TEST(a_local_store_is_poison_at_first_and_bounded)
{
    const uint64_t poison = UINT64_C(0xA5A5A5A5A5A5A5A5);
    make_job();
    struct mw_cluster *c = open_with(BACKEND, DEPTHS);
    for (int k = 0; k < 3; k++) { /* and again in the next kernel */
        must_run(BACKEND, c, statics_kernel, &job);
        for (uint32_t i = 0; i < 64; i++) {
            const uint64_t *const s = seen + 64 * i;
            ck_assert_uint_eq(s[0], poison);
            ck_assert_uint_eq(s[1], poison);
            ck_assert_uint_eq(s[2], 0); /* the same offsets everywhere */
            ck_assert_uint_eq(s[3], 64);
            ck_assert_uint_eq(s[4], 1);
            ck_assert_uint_eq(s[5], 0);
            ck_assert_uint_eq(s[6], 64);
            ck_assert_uint_eq(s[7], poison);
            ck_assert_uint_eq(s[8], 1);
            ck_assert_uint_eq(s[9], poison);
            ck_assert_uint_gt(s[10], 60000);
            ck_assert_uint_lt(s[10], 65536 - 4096);
            ck_assert_uint_eq(s[11], 0);
        }
    }
    struct mw_emul_counters n;
    mw_emul_count(c, 5, &n);
    ck_assert_uint_eq(n.statics_bytes, 96);
    ck_assert_uint_eq(n.heap_bytes, 64 + seen[10]);
    ck_assert_uint_gt(n.stack_bytes, 64);
    ck_assert_uint_lt(n.stack_bytes, 8192);
}
END_TEST

START_TEST(the_pro_has_four_times_the_store)
{
    struct mw_emul_params p;
    struct mw_cluster *c;
    make_job();
    mw_emul_params_pro(&p);
    ck_assert_int_eq(mw_emul_configure(&p), MW_OK);
    ck_assert_int_eq(mw_backend_emul.open(&conf, &c), MW_OK);
    mw_backend_emul.run(c, statics_kernel, &job);
    ck_assert_ptr_null(mw_emul_report(c));
    ck_assert_uint_gt(seen[10], 250000);
    mw_backend_emul.close(c);
}
END_TEST

START_TEST(syncs_hold_everybody_of_the_mask)
{
    make_job();
    job.n = 20;
    run_it(BACKEND, DEPTHS, sync_kernel);
    ck_assert_uint_eq(sum_of(3), 0);
    for (uint32_t i = 0; i < 64 && ON_TIME; i++) { /* cycles after the last round */
        ck_assert_uint_eq(seen[64 * i], seen[64 * (i & ~3u)]);
        ck_assert_uint_eq(seen[64 * i + 1], seen[64 * (i % 8) + 1]);
    }
}
END_TEST

START_TEST(tickets_are_drawn_once)
{
    bool drawn[64 * 16] = {false};
    make_job();
    job.n = 16;
    run_it(BACKEND, DEPTHS, atomic_kernel);
    for (uint32_t i = 0; i < 64; i++)
        for (uint32_t k = 0; k < 16; k++) {
            ck_assert_uint_lt(seen[64 * i + k], 64 * 16);
            ck_assert(!drawn[seen[64 * i + k]]);
            drawn[seen[64 * i + k]] = true;
        }
    ck_assert_uint_eq(counter, 64 * 16);
    ck_assert_uint_eq(flag, 64 * 16);
}
END_TEST

/* The kernel runs while the management core does something else, and sees its store. */
START_TEST(a_flag_of_the_management_core_is_seen)
{
    make_job();
    struct mw_cluster *c = open_with(BACKEND, DEPTHS);
    BACKEND->launch(c, flag_kernel, &job);
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(BACKEND->poll(c), MW_AGAIN);
    __atomic_store_n(&flag, 42, __ATOMIC_RELEASE);
    while (BACKEND->poll(c) == MW_AGAIN)
        ;
    ck_assert_ptr_null(mw_emul_report(c));
    ck_assert_uint_eq(sum_of(0), 64 * 42);
}
END_TEST

START_TEST(probes_tell_what_is_there)
{
    make_job();
    run_it(BACKEND, DEPTHS, probe_kernel);
    const uint64_t want[] = {1, 1, 1, MW_BUS_COL, 5, 1};
    ck_assert_mem_eq(seen + 64 * 9, want, sizeof want);
}
END_TEST

START_TEST(messages_take_their_cycles)
{
    make_job();
    run_it(&mw_backend_emul, "launch_cycles=0,rlc_near_cycles=10,rlc_issue_cycles=1",
           depth_probe_kernel);
    ck_assert_uint_eq(seen[0], 1);
    ck_assert_uint_eq(seen[3], 4);
}
END_TEST

/* ---- modelled: the constants were solved from these curves ---- */

static double stream_rate(uint64_t n_cores, uint64_t bytes)
{
    make_job();
    job.n = n_cores;
    job.bytes = bytes;
    struct mw_cluster *c = run_it(&mw_backend_emul, "launch_cycles=0", stream_kernel);
    const double s = (double)mw_emul_now(c) / 1.45e9;
    close_all();
    return (double)n_cores * 102 * (double)bytes / s;
}

START_TEST(modelled_bandwidth_has_its_knee_at_256_bytes)
{
    double last = 0;
    for (uint64_t bytes = 8; bytes <= 4096; bytes *= 2) {
        const double share = stream_rate(64, bytes) / 28.9e9;
        ck_assert_msg(share >= last, "%u B: %.3f", (unsigned)bytes, share);
        if (bytes <= 64)
            ck_assert_msg(share <= 0.60, "%u B: %.3f", (unsigned)bytes, share);
        if (bytes >= 256)
            ck_assert_msg(share >= 0.95 && share <= 1, "%u B: %.3f", (unsigned)bytes,
                          share);
        last = share;
    }
}
END_TEST

START_TEST(modelled_bandwidth_needs_sixteen_cores)
{
    const double most = stream_rate(64, 256);
    uint64_t knee = 0;
    for (uint64_t n = 1; n <= 64 && knee == 0; n++)
        if (stream_rate(n, 256) >= 0.9 * most)
            knee = n;
    ck_assert_uint_ge(knee, 12);
    ck_assert_uint_le(knee, 20);
}
END_TEST

/* Get and put in turn off a line: GB/s of both, of a public table of TaihuLight. */
START_TEST(modelled_misaligned_copies_follow_the_table)
{
    const struct {
        uint64_t bytes;
        double rate;
    } table[] = {{64, 1.86e9}, {128, 2.95e9}, {256, 5.99e9}, {512, 8.78e9}};
    for (size_t k = 0; k < 4; k++) {
        make_job();
        job.bytes = table[k].bytes;
        job.offset = 80;
        struct mw_cluster *c = run_it(&mw_backend_emul, "launch_cycles=0", copy_kernel);
        const double s = (double)mw_emul_now(c) / 1.45e9;
        const double rate = 64 * 200 * (double)job.bytes / s;
        ck_assert_msg(rate > 0.75 * table[k].rate && rate < 1.25 * table[k].rate,
                      "%u B: %.2f GB/s", (unsigned)job.bytes, rate * 1e-9);
        close_all();
    }
}
END_TEST

/* ---- the backend ---- */

START_TEST(parameters_are_read_by_name)
{
    struct mw_emul_params p;
    mw_emul_params_sw26010(&p);
    ck_assert_int_eq(mw_emul_params_read("recv_depth=2,dma_lat_cycles=500", &p), MW_OK);
    ck_assert_uint_eq(p.recv_depth, 2);
    ck_assert_uint_eq(p.dma_lat_cycles, 500);
    const char *const bad[] = {
        "depth=1", "recv_depth", "recv_depth=", "recv_depth=65", "recv_depth=-1",
        "recv_depth=1;", "ldm_bytes=1", "clock_hz=0", "ldm_bytes=65000", "stack_bytes=1x",
        "dma_outstanding=0",
        /* Runs that would never end, products that would wrap, switches that are none. */
        "mem_lat_cycles=4294967297", "dma_put_misaligned_factor=65537",
        "dma_put_misaligned_factor=65536,dma_lat_cycles=65537,dma_req_cycles=65537",
        "spin_limit_cycles=1125899906842624", "poll_cycles=4294967297", "single_writer=2",
        "atomics=2", "stale_reads=7", "reply_at_least=2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(mw_emul_params_read(bad[i], &p) == MW_ERR_USAGE, "%s", bad[i]);
        ck_assert_uint_eq(p.recv_depth, 2);
    }
}
END_TEST

START_TEST(memory_comes_back)
{
    const uint64_t before = mw_mem_in_use();
    make_job();
    run_it(executors[_i], "", ring_kernel);
    close_all();
    ck_assert_uint_eq(mw_mem_in_use(), before);
    for (uint64_t n = 1;; n++) {
        struct mw_cluster *c = NULL;
        mw_mem_fail_at(n);
        const int rc = executors[_i]->open(&conf, &c);
        mw_mem_fail_at(0);
        if (rc == MW_OK) {
            executors[_i]->close(c);
            ck_assert_uint_gt(n, 4);
            break;
        }
        ck_assert_int_eq(rc, MW_ERR_NOMEM);
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
    ck_assert_uint_eq(mw_mem_in_use(), before);
}
END_TEST

START_TEST(the_management_core_can_pass_time)
{
    make_job();
    struct mw_cluster *c = open_with(&mw_backend_emul, "");
    mw_emul_pass(c, 1000);
    ck_assert_uint_eq(mw_emul_now(c), 1000);
    mw_backend_emul.launch(c, depth_probe_kernel, &job);
    mw_emul_pass(c, 200000);
    ck_assert_uint_eq(mw_emul_now(c), 201000);
    ck_assert_int_eq(mw_backend_emul.poll(c), MW_OK);
    struct mw_emul_counters n;
    mw_emul_count(c, 0, &n);
    ck_assert_uint_eq(n.puts, CONFORM_PUTS);
    ck_assert_uint_gt(n.blocked_put, 90000);
    ck_assert_uint_lt(n.busy, 200);
    mw_emul_count(c, 2, &n);
    ck_assert_uint_gt(n.idle, 90000);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("emul");
    TCase *t = tcase_create("emul");
    memory = mw_alloc("memory", 64 * CONFORM_WORDS + 64, sizeof(uint32_t));
    EVERYWHERE(t, every_core_knows_its_place);
    EVERYWHERE(t, depth_probe_counts_the_places);
    EVERYWHERE(t, the_ways_of_messages_are_recorded);
    EVERYWHERE(t, a_put_is_recorded_with_the_get_before_it);
    EVERYWHERE(t, messages_are_recorded_from_their_makers);
    EVERYWHERE(t, a_ring_of_four_needs_four_places);
    EVERYWHERE(t, a_broadcast_waits_for_the_last_receiver);
    EVERYWHERE(t, order_is_kept_per_sender_and_receiver);
    EVERYWHERE(t, a_gap_is_not_a_pitch);
    tcase_add_test(t, a_misaligned_put_is_slow_and_right);
    EVERYWHERE(t, a_wait_ends_at_its_number);
    EVERYWHERE(t, a_local_store_is_poison_at_first_and_bounded);
    tcase_add_test(t, the_pro_has_four_times_the_store);
    EVERYWHERE(t, syncs_hold_everybody_of_the_mask);
    EVERYWHERE(t, tickets_are_drawn_once);
    EVERYWHERE(t, a_flag_of_the_management_core_is_seen);
    EVERYWHERE(t, probes_tell_what_is_there);
    tcase_add_test(t, messages_take_their_cycles);
    tcase_add_test(t, modelled_bandwidth_has_its_knee_at_256_bytes);
    tcase_add_test(t, modelled_bandwidth_needs_sixteen_cores);
    tcase_add_test(t, modelled_misaligned_copies_follow_the_table);
    tcase_add_test(t, parameters_are_read_by_name);
    tcase_add_loop_test(t, memory_comes_back, 0, N_EXECUTORS);
    tcase_add_test(t, the_management_core_can_pass_time);
    const int rc = run_tests(s, t);
    mw_free(memory);
    return rc;
}
