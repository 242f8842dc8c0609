/* run_files.c -- see run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/run.h"

#include "base/clock.h"
#include "io/outfile.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static const double partial_every_s = 1;

/* --- results ----------------------------------------------------------------------- */

static int write_stdout(const char *text, size_t bytes)
{
    if (fwrite(text, 1, bytes, stdout) == bytes && fflush(stdout) == 0)
        return MW_OK;
    return mw_fail(MW_ERR_IO,
                   "standard output: the result of %zu bytes could not be written",
                   bytes);
}

static int write_file(const char *path, bool force, const char *text, size_t bytes)
{
    struct mw_outfile f;
    if (run_is_stdout(path))
        return write_stdout(text, bytes);
    int rc = mw_outfile_open(&f, path, force);
    if (rc < MW_OK)
        return rc;
    rc = mw_outfile_write(&f, text, bytes);
    if (rc < MW_OK) {
        mw_outfile_abandon(&f);
        return rc;
    }
    return mw_outfile_commit(&f);
}

/* Hours of computing are not lost to a full disk: what cannot be saved is printed. */
static int save(const struct run_way *way, const char *path, bool force,
                int (*make)(const struct mw_report *report, char **text, size_t *bytes))
{
    char *text = NULL;
    size_t bytes;
    if (path == NULL)
        return MW_OK;
    int rc = make(&way->report, &text, &bytes);
    if (rc == MW_OK)
        rc = write_file(path, force, text, bytes);
    if (rc < MW_OK && text != NULL)
        fwrite(text, 1, bytes, stderr);
    free(text);
    return rc;
}

int run_save(struct run *r)
{
    int rc = MW_OK;
    pthread_mutex_lock(&r->saving);
    for (uint32_t w = 0; w < r->n_ways; w++) {
        struct run_way *way = &r->way[w];
        const bool force = r->tree.force;
        const int json = save(way, way->json, force || way->partial, mw_result_json);
        const int csv = save(way, way->csv, force, mw_result_csv);
        const int first = json != MW_OK ? json : csv;
        rc = rc != MW_OK ? rc : first;
    }
    r->all_saved = true;
    pthread_mutex_unlock(&r->saving);
    return rc;
}

static bool is_invalid(const struct run *r, uint32_t w)
{
    const struct mw_benchmark_result *b = &r->result[w];
    for (uint32_t i = 0; i < b->n_searches; i++)
        if (b->search[i].status < MW_OK)
            return true;
    return false;
}

void run_name_invalid(const struct run *r, const char *what, char *out, size_t room)
{
    uint32_t w = 0;
    while (w < r->n_ways && !is_invalid(r, w))
        w++;
    if (w < r->n_ways && r->n_ways > 1)
        snprintf(out, room, "%s: %s", r->way[w].name, what);
    else
        snprintf(out, room, "%s", what);
}

/* A wrong search of one way is no fault of the others', which it has only cut short. */
static enum mw_result_status status_of(const struct run *r, uint32_t w,
                                       enum mw_result_status of_run)
{
    return of_run == MW_RESULT_INVALID && r->n_ways > 1 && !is_invalid(r, w)
               ? MW_RESULT_INTERRUPTED
               : of_run;
}

static struct mw_report describe(const struct run *r, uint32_t w,
                                 enum mw_result_status status, const char *reason)
{
    const struct run_way *way = &r->way[w];
    struct mw_report report = r->report;
    report.status = status_of(r, w, status);
    report.reason = reason[0] != '\0' ? reason : NULL;
    report.settings = &way->settings;
    report.tuning = &way->tuning;
    report.conf = &way->conf;
    report.result = &r->result[w];
    report.figures = &way->figures;
    report.world = way->world;
    report.prediction = way->predicted ? &way->prediction : NULL;
    report.resumed = way->resumed;
    report.warning = r->session.warning;
    report.n_warnings = r->session.n_warnings;
    return report;
}

void run_describe(struct run *r, enum mw_result_status status, const char *reason)
{
    for (uint32_t w = 0; w < r->n_ways; w++)
        r->way[w].report = describe(r, w, status, reason);
}

static uint32_t n_done(const struct run *r, uint32_t w)
{
    return MW_LOAD_ACQUIRE(&r->n_done[w]);
}

/* Of the finished searches, which nobody changes; the rest is copied, for the program may be
 * going on. The lock is held. */
static int save_way(struct run *r, uint32_t w, const char *path, const char *reason)
{
    struct run_way *way = &r->way[w];
    struct mw_benchmark_result result = r->result[w];
    struct mw_provenance provenance = r->session.provenance;
    struct mw_figures figures = {0};
    struct mw_report report = describe(r, w, MW_RESULT_INTERRUPTED, reason);
    char *text = NULL;
    size_t bytes;
    int rc;
    result.n_searches = n_done(r, w);
    report.result = &result;
    report.figures = &figures;
    report.provenance = &provenance;
    mw_provenance_end(&provenance);
    MW_TRY(rc, mw_figures_init(&figures, &result));
    MW_TRY(rc, mw_result_json(&report, &text, &bytes));
    MW_TRY(rc, write_file(path, r->tree.force || way->partial, text, bytes));
    way->partial = true;
end:
    free(text);
    mw_figures_fini(&figures);
    return rc;
}

/* What is written directly stays, so that it is written once. */
static const char *partial_path(const struct run_way *way, bool last)
{
    const char *path = way->json;
    if (run_is_stdout(path))
        path = "/dev/stdout"; /* not the stream, which the program may hold */
    return path == NULL || (!last && mw_outfile_is_direct(path)) ? NULL : path;
}

static int save_ways(struct run *r, const char *reason, bool last)
{
    int rc = MW_OK;
    for (uint32_t w = 0; w < r->n_ways; w++) {
        const char *const path = partial_path(&r->way[w], last);
        const int saved =
            path != NULL && n_done(r, w) > 0 ? save_way(r, w, path, reason) : MW_OK;
        rc = rc < MW_OK ? rc : saved;
    }
    return rc;
}

void run_save_partial(struct run *r)
{
    const double start = mw_now();
    const double every = fmax(partial_every_s, 20 * r->saving_s);
    if (r->saved > 0 && start - r->saved < every)
        return;
    pthread_mutex_lock(&r->saving);
    if (save_ways(r, "the run ended without a word", false) < MW_OK)
        mw_error_clear(); /* the end of the run will meet it again, and report it */
    pthread_mutex_unlock(&r->saving);
    r->saved = mw_now();
    r->saving_s = r->saved - start;
}

static void say_kept(const struct run *r, int rc)
{
    const char *const path = r->way[0].json;
    if (rc < MW_OK)
        fprintf(stderr, "meshway: %s\n", mw_error_text());
    else
        fprintf(stderr, "meshway: %u of %u searches%s are finished; %s%s\n", n_done(r, 0),
                r->result[0].n_roots, r->n_ways > 1 ? " by each way" : "",
                path == NULL || n_done(r, 0) == 0 ? "nothing is saved" : "they are in ",
                path == NULL || n_done(r, 0) == 0 ? ""
                : run_is_stdout(path)             ? "standard output"
                                                  : path);
}

void run_keep(void *arg, const char *reason, bool last)
{
    struct run *r = arg;
    /* The program may be saving the same, or hang in that. */
    for (int i = 0; pthread_mutex_trylock(&r->saving) != 0; i++) {
        if (i == 2000)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    const int rc = r->all_saved ? MW_OK : save_ways(r, reason, last);
    pthread_mutex_unlock(&r->saving);
    if (last)
        say_kept(r, rc);
    mw_error_clear();
}

int run_interrupted(const struct run *r, const char *reason)
{
    const bool several = r->n_ways > 1;
    const bool resumable = r->json != NULL && !run_is_stdout(r->json) &&
                           r->conf.goal == NULL && r->result[0].n_searches > 0;
    char files[768] = "no file (--json none)";
    for (uint32_t w = 0, n = 0; w < r->n_ways && n < sizeof files; w++)
        if (r->way[w].json != NULL)
            n += (uint32_t)snprintf(
                files + n, sizeof files - n, "%s%s", w == 0 ? "" : ", ",
                run_is_stdout(r->way[w].json) ? "standard output" : r->way[w].json);
    return mw_fail(
        MW_ERR_INTERRUPTED,
        "interrupted (%s) after %u of %u searches%s; what is finished is in %s%s%s%s",
        reason, r->result[0].n_searches, r->result[0].n_roots,
        several ? " by each way" : "", files,
        resumable ? "; the same command with --resume " : "", resumable ? r->json : "",
        resumable ? " goes on" : "");
}

/* --- traces ------------------------------------------------------------------------ */

/* Collective. */
static int write_trace(struct run *r, const struct run_way *way)
{
    struct mw_outfile f = {0};
    int rc = MW_OK;
    if (way->trace == NULL)
        return MW_OK;
    if (r->session.speaks)
        rc = mw_outfile_open(&f, way->trace, r->tree.force);
    rc = mw_comm_agree(r->session.comm, rc);
    if (rc == MW_OK)
        rc = mw_timeline_write(way->world->timeline, way->world->conf.n_clusters,
                               r->session.comm, f.stream);
    if (rc == MW_OK && r->session.speaks)
        rc = mw_outfile_commit(&f);
    mw_outfile_abandon(&f);
    return mw_comm_agree(r->session.comm, rc);
}

int run_write_traces(struct run *r)
{
    int rc = MW_OK;
    for (uint32_t w = 0; w < r->n_ways && rc == MW_OK; w++)
        rc = write_trace(r, &r->way[w]);
    return rc;
}
