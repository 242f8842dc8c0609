/* emul_tests.h -- opening an emulated cluster, running a kernel, and what came of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef EMUL_TESTS_H
#define EMUL_TESTS_H

#include "base/mem.h"
#include "cpe/emul.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* The depths at which everything must work. */
static const char *const depths[] = {
    "recv_depth=1,send_depth=1", "recv_depth=1,send_depth=0", "recv_depth=4,send_depth=6",
    "recv_depth=0,send_depth=0", "recv_depth=0,send_depth=1",
};
enum { N_DEPTHS = sizeof depths / sizeof depths[0] };

static const struct mw_backend *const executors[] = {&mw_backend_emul,
                                                     &mw_backend_emul_threads};
enum { N_EXECUTORS = 2 };

static const struct mw_cluster_conf conf = {.n_cores = 64};

/* What a failed test leaves open, the teardown closes. */
static struct {
    const struct mw_backend *backend;
    struct mw_cluster *cluster;
} opened[8];
static uint32_t n_opened;

static inline void close_all(void)
{
    while (n_opened > 0) {
        n_opened--;
        opened[n_opened].backend->close(opened[n_opened].cluster);
    }
}

/* With these parameters over the usual ones; closed after the test, or by close_all(). */
static inline struct mw_cluster *open_with(const struct mw_backend *backend,
                                           const char *params)
{
    struct mw_emul_params p;
    struct mw_cluster *c = NULL;
    mw_emul_params_sw26010(&p);
    ck_assert_int_eq(mw_emul_params_read(params, &p), MW_OK);
    ck_assert_int_eq(mw_emul_configure(&p), MW_OK);
    ck_assert_msg(backend->open(&conf, &c) == MW_OK, "%s", mw_error_text());
    opened[n_opened].backend = backend;
    opened[n_opened++].cluster = c;
    return c;
}

static inline void must_run(const struct mw_backend *backend, struct mw_cluster *c,
                            mw_kernel *kernel, void *job)
{
    backend->run(c, kernel, job);
    const struct mw_emul_report *const r = mw_emul_report(c);
    if (r != NULL)
        mw_emul_write_story(c, stderr);
    ck_assert_msg(r == NULL, "%s", r == NULL ? "" : r->text);
    ck_assert_int_eq(backend->poll(c), MW_OK);
}

static inline int run_tests(Suite *s, TCase *t)
{
    tcase_add_checked_fixture(t, NULL, close_all);
    suite_add_tcase(s, t);
    return run_suite(s);
}

#endif
