/* runs.c -- see runs.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/runs.h"

#include "cpe/cluster.h"

#include <inttypes.h>
#include <unistd.h>

struct runs {
    int (*one)(void *arg, uint64_t i);
    void *arg;
    uint64_t n, next, done, n_failed; /* the last three are shared by all workers */
    int rc;                           /* of the first run that failed, */
    char error[256];                  /* and what it said */
    bool bar;
};

static void draw_bar(const struct runs *w, uint64_t done)
{
    enum { WIDTH = 40 };
    const int filled = (int)(done * WIDTH / w->n);
    fprintf(stderr, "\r[%.*s%*s] %" PRIu64 "/%" PRIu64, filled,
            "########################################", WIDTH - filled, "", done, w->n);
}

static void work(struct mw_cpe *self, void *job)
{
    struct runs *w = job;
    uint64_t i;
    while ((i = MW_ADD_RELAXED(&w->next, 1)) < w->n) {
        const int rc = w->one(w->arg, i);
        if (rc < MW_OK) {
            if (MW_ADD_RELAXED(&w->n_failed, 1) == 0) {
                w->rc = rc;
                snprintf(w->error, sizeof w->error, "%s", mw_error_text());
            }
            MW_STORE_RELAXED(&w->next, w->n); /* the others finish theirs */
        }
        const uint64_t done = MW_ADD_RELAXED(&w->done, 1) + 1;
        if (w->bar && self->id == 0)
            draw_bar(w, done);
    }
}

int mw_runs_all(const struct mw_settings *s, uint64_t n,
                int (*one)(void *arg, uint64_t i), void *arg)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const uint64_t jobs = mw_setting_number(s, "jobs");
    const struct mw_cluster_conf conf = {
        .n_cores =
            (uint32_t)mw_min(jobs > 0 ? jobs : (uint64_t)(cores > 0 ? cores : 1), n),
        .first_lane = 1};
    struct runs w = {.one = one,
                     .arg = arg,
                     .n = n,
                     .bar = isatty(STDERR_FILENO) && mw_setting_number(s, "quiet") == 0};
    const struct mw_backend *backend;
    struct mw_cluster *cluster;
    MW_NEED(mw_backend_find("auto", &backend));
    MW_NEED(backend->open(&conf, &cluster));
    backend->run(cluster, work, &w);
    backend->close(cluster);
    if (w.bar)
        fputs("\r\033[K", stderr);
    return w.n_failed > 0 ? mw_fail(w.rc, "%s", w.error) : MW_OK;
}
