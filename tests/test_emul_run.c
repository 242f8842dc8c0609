/* test_emul_run.c -- whole searches under everything that the emulation can check, and a
 * pipeline with two writers of one bucket, which is caught.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bfs_clusters.h"
#include "cpe/emul.h"
#include "emul_roles.h"
#include "mpe/pipeline.h"
#include "shuffle/job.h"
#include "shuffle/mesh_store.h"
#include "toy.h"

#include <unistd.h>

static void with_params(const char *text)
{
    struct mw_emul_params p;
    mw_emul_params_sw26010(&p);
    ck_assert_int_eq(mw_emul_params_read(text, &p), MW_OK);
    ck_assert_int_eq(mw_emul_configure(&p), MW_OK);
}

static void usual_params(void)
{
    ck_assert_int_eq(mw_emul_configure(NULL), MW_OK);
}

/* ---- one writer of each word, no atomic, fences where they are needed ---- */

static uint64_t n_puts, n_lines; /* of all ranks: that there was something to check */

static int search_and_count(struct mw_world *w, void *arg)
{
    const int rc = search_and_check(w, arg);
    for (uint32_t c = 0; rc == MW_OK && c < w->conf.n_clusters; c++) {
        struct mw_emul_counters n;
        mw_emul_count_all(w->cluster[c], &n);
        EXPECT(n.atomics == 0, "%u atomic operations", (unsigned)n.atomics);
        __atomic_fetch_add(&n_puts, n.puts, __ATOMIC_RELAXED);
        __atomic_fetch_add(&n_lines, n.dma_puts, __ATOMIC_RELAXED);
    }
    return rc;
}

START_TEST(a_search_writes_with_one_writer_and_without_atomics)
{
    static const char *const depths[] = {"recv_depth=1,send_depth=1",
                                         "recv_depth=1,send_depth=0",
                                         "recv_depth=4,send_depth=6"};
    char params[96];
    struct sample s = sample_kronecker(8);
    struct searches q;
    struct ranks r = {.loop = {3, 0, 0}, .body = search_and_count, .arg = &q};
    snprintf(params, sizeof params, "%s,atomics=0,stale_reads=1,single_writer=1",
             depths[_i % 3]);
    with_params(params);
    n_puts = n_lines = 0;
    searches_init(&q, &s, 2, 1);
    q.rule.policy = (enum mw_direction_policy)(_i % 2 * 2);
    q.rule.form = MW_FORM_MESSAGES;
    q.rule.hubs[MW_TOP_DOWN] = q.rule.hubs[MW_BOTTOM_UP] = MW_HUBS_OFF;
    r.world = (struct mw_world_conf){
        .backend = "emul", .n_threads = 1, .n_clusters = 2, .batch_bytes = 512};
    with_width(&r, 1 + (uint32_t)_i / 3);
    must_run(&r);
    ck_assert_uint_gt(n_puts, 0);
    ck_assert_uint_gt(n_lines, 0);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* ---- the roles alone ---- */

static const char *const role_depths[] = {
    "recv_depth=4,send_depth=6", "recv_depth=1,send_depth=1", "recv_depth=1,send_depth=0",
    "recv_depth=0,send_depth=0"};

/* A few records, a batch, buckets without any; the second job finds the lines of the first. */
START_TEST(a_relay_job_loses_no_record)
{
    static const uint32_t n_records[] = {1, 7, 100, 8192};
    struct roles_result r;
    with_params(role_depths[_i / 2]);
    for (uint32_t k = 0; k < 4; k++) {
        const struct roles_conf conf = {n_records[k], 61 + 3 * k, _i % 2, NULL, 2};
        ck_assert_msg(roles_run(&conf, &r) == MW_OK, "%u records: %s", n_records[k],
                      mw_error_text());
    }
}
END_TEST

/* Who goes first where two come at once changes times, at least once, and no result. */
START_TEST(arbitration_changes_times_and_no_record)
{
    const struct roles_conf conf = {8192, 100, false, NULL, 1};
    uint64_t cycles[8];
    bool any = false;
    for (uint32_t k = 0; k < 8; k++) {
        char params[64];
        struct roles_result r;
        snprintf(params, sizeof params, "%s,arbitration=%u", role_depths[_i], k);
        with_params(params);
        ck_assert_msg(roles_run(&conf, &r) == MW_OK, "%s: %s", params, mw_error_text());
        cycles[k] = r.cycles;
        any = any || cycles[k] != cycles[0];
    }
    ck_assert(any);
}
END_TEST

START_TEST(buckets_may_be_dealt_in_blocks)
{
    static const char text[] = "mesh 8 8\n"
                               "roles PPPPDUKK\n"
                               "route P: down->D up->U same->D\n"
                               "route D: col-to-row, then K\n"
                               "route U: col-to-row, then K\n"
                               "buckets 64 owner=K block\n";
    char path[] = "emul_run_XXXXXX";
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    for (uint32_t n = 1; n <= 100; n += 9) {
        const struct roles_conf conf = {3000, n, false, path, 2};
        struct roles_result r;
        const int rc = roles_run(&conf, &r);
        if (rc != MW_OK)
            unlink(path);
        ck_assert_msg(rc == MW_OK, "%u buckets: %s", n, mw_error_text());
    }
    unlink(path);
}
END_TEST

/* B9, E2: as many destinations as the plan accepts really run, in the store that the emulation
 * enforces, and one bucket more a consumer would overflow it; the plan refuses beforehand. */
START_TEST(the_last_accepted_number_of_destinations_runs)
{
    static const char text[] = "mesh 8 8\n"
                               "roles PPPPDUKK\n"
                               "route P: down->D up->U same->D|U\n"
                               "route D: col-to-row, then K\n"
                               "route U: col-to-row, then K\n"
                               "spm 64K reserve 8K batch 256 buffers 1\n";
    enum { ACCEPTED = 3552, EACH = MW_LINE_BYTES + sizeof(struct mw_mesh_bin) };
    char path[] = "emul_run_XXXXXX";
    const int fd = mkstemp(path);
    struct roles_conf conf = {8192, ACCEPTED, false, path, 1};
    struct roles_result r, beyond;
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    with_params("ldm_bytes=65536,stack_bytes=4096");
    const int rc = roles_run(&conf, &r);
    char said[512];
    snprintf(said, sizeof said, "%s", mw_error_text());
    conf.n_buckets++;
    const int refused = roles_run(&conf, &beyond);
    unlink(path);
    ck_assert_msg(rc == MW_OK, "%s", said);
    ck_assert_int_eq(refused, MW_ERR_REFUSED);
    const uint64_t heap =
        r.kind[ROLES_CONSUME].heap_bytes / r.n_cores[ROLES_CONSUME]; /* all alike */
    ck_assert_uint_le(heap + 4096, 65536);
    ck_assert_uint_gt(heap + EACH + 4096, 65536);
    ck_assert_uint_eq(heap + MW_STORE_UNIT + MW_STORE_STACK,
                      mw_store_need(MW_CONSUMES, 16, ACCEPTED / 16, MW_STORE_STACK));
}
END_TEST

/* A message holds three narrow records or two wide ones: so many fewer cross the mesh. */
START_TEST(messages_are_full_in_a_large_job)
{
    const bool wide = _i == 1;
    const struct roles_conf conf = {1 << 15, 256, wide, NULL, 1};
    struct roles_result r;
    ck_assert_int_eq(roles_run(&conf, &r), MW_OK);
    const uint64_t most = conf.n_records / (wide ? 2 : 3) + 32 * 16 + 64 * 14;
    ck_assert_uint_le(r.kind[ROLES_PRODUCE].puts, most);
    ck_assert_uint_ge(r.kind[ROLES_PRODUCE].puts, conf.n_records / (wide ? 2 : 3));
}
END_TEST

/* B5, modelled, with the guessed 60 and 30 cycles for a record made and put away: near the
 * paper's 10 GB/s with records of 16 bytes, not with 8; and must not become less. */
START_TEST(modelled_rate_of_the_roles_is_kept)
{
    static const double least[] = {4.5e9, 7.9e9}; /* modelled now: 4.96 and 8.81 */
    const struct roles_conf conf = {1 << 18, 256, _i == 1, NULL, 1};
    struct roles_result r;
    ck_assert_int_eq(roles_run(&conf, &r), MW_OK);
    const double rate = (double)r.payload_bytes / ((double)r.cycles / 1.45e9);
    ck_assert_msg(rate > least[_i], "modelled %.2f GB/s", rate * 1e-9);
}
END_TEST

/* ---- two writers ---- */

/* Two consumers with one number: they own the same buckets, and fill the same lane. */
static void generate_with_two_writers(struct mw_cpe *self, void *arg)
{
    static MW_THREAD_LOCAL struct mw_job job;
    static MW_THREAD_LOCAL struct mw_mesh_role role[64];
    if (self->id == 0) { /* the first to run; what it makes is the same each time */
        uint32_t n = 0;
        job = *(const struct mw_job *)arg;
        memcpy(role, job.role, sizeof role);
        for (uint32_t i = 0; i < 64 && n < 2; i++)
            if ((role[i].duty & MW_CONSUMES) != 0 && role[i].consumer < 2) {
                role[i].consumer = 0;
                n++;
            }
        job.role = role;
    }
    toy_mesh.generate(self, &job);
}

static uint64_t toy_units(void *state)
{
    return ((const struct toy *)state)->n_units;
}

static const struct mw_module toy_table[] = {
    {"generator",
     {MW_FORWARD, MW_SOURCE},
     {MW_FORWARD, MW_TO_OWNER},
     NULL,
     toy_units,
     TOY_FAN,
     generate_with_two_writers},
    {"counter", {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE}, NULL, NULL, 0, NULL},
};

static int write_twice(struct mw_world *w, void *arg)
{
    int rc;
    struct mw_pipeline *p = NULL;
    struct mw_module module[2];
    struct toy t = {.rank = w->comm->rank, .n_ranks = w->comm->size, .n_units = 2000};
    (void)arg;
    memcpy(module, toy_table, sizeof module);
    module[0].kernel = toy_serial.generate;
    module[1].kernel = toy_serial.count;
    MW_NEW(rc, t.home, "home", t.n_units * TOY_FAN);
    MW_TRY(rc, mw_modules_new(module, 2, &t, (struct mw_record_bits){TOY_BITS, 32, 0}, w,
                              &p));
    rc = mw_pipeline_run(p, mw_modules_all(p));
end:
    mw_pipeline_free(p);
    mw_free(t.home);
    return rc;
}

START_TEST(two_writers_of_one_bucket_end_a_run)
{
    struct ranks r = {.loop = {1, 0, 0}, .body = write_twice};
    r.world =
        (struct mw_world_conf){.backend = "emul", .n_threads = 1, .batch_bytes = 1024};
    ck_assert_int_eq(on_ranks(&r), MW_ERR_INTERNAL);
    ck_assert_msg(strstr(mw_error_text(), "two writers") != NULL &&
                      strstr(mw_error_text(), "mesh_collector.h:") != NULL,
                  "%s", mw_error_text());
}
END_TEST

int main(void)
{
    Suite *s = suite_create("emul_run");
    TCase *t = tcase_create("runs");
    tcase_add_checked_fixture(t, NULL, usual_params);
    tcase_add_loop_test(t, a_search_writes_with_one_writer_and_without_atomics, 0, 6);
    tcase_add_loop_test(t, a_relay_job_loses_no_record, 0, 8);
    tcase_add_loop_test(t, arbitration_changes_times_and_no_record, 0, 4);
    tcase_add_test(t, buckets_may_be_dealt_in_blocks);
    tcase_add_test(t, the_last_accepted_number_of_destinations_runs);
    tcase_add_loop_test(t, messages_are_full_in_a_large_job, 0, 2);
    tcase_add_loop_test(t, modelled_rate_of_the_roles_is_kept, 0, 2);
    tcase_add_test(t, two_writers_of_one_bucket_end_a_run);
    suite_add_tcase(s, t);
    return run_suite(s);
}
