/* session.c -- see session.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/session.h"

#include "base/escape.h"
#include "base/log.h"
#include "base/room.h"
#include "cli/alike.h"
#include "cli/watchdog.h"
#include "cpe/cluster.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ;

static const double usual_hang_s = 60;

/* The value of an option that only some commands have; 0 if this one has not. */
static const struct mw_setting *optional(const struct mw_settings *s, const char *name)
{
    static const struct mw_setting none;
    return mw_option_find(s->command, name) != NULL ? mw_setting_find(s, name) : &none;
}

/* A warning that there is no memory for is still printed. */
static void keep_warning(struct mw_session *s, const char *text)
{
    char **longer = realloc(s->warning, (s->n_warnings + 1) * sizeof *longer);
    char *copy = strdup(text);
    if (longer != NULL)
        s->warning = longer;
    if (longer == NULL || copy == NULL) {
        free(copy);
        return;
    }
    s->warning[s->n_warnings++] = copy;
}

static void warn(struct mw_session *s, const char *text)
{
    const uint32_t rank = s->comm != NULL ? s->comm->rank : s->launch.rank;
    if (rank == 0)
        fprintf(stderr, "meshway: warning: %s\n", text);
    else
        fprintf(stderr, "meshway: rank %u: warning: %s\n", rank, text);
    keep_warning(s, text);
}

static void on_log(void *arg, const char *text)
{
    warn(arg, text);
}

void mw_session_warn(struct mw_session *s, const char *fmt, ...)
{
    char text[1024], shown[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    mw_escape(shown, sizeof shown, text);
    warn(s, shown);
}

void mw_session_say(const struct mw_session *s, const char *fmt, ...)
{
    char text[2048], shown[2048];
    const char *line = text;
    va_list args;
    if (!s->speaks || s->quiet)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    for (; *line == '\n'; line++) /* an empty line before it */
        fputc('\n', stderr);
    fprintf(stderr, "%s\n", mw_escape(shown, sizeof shown, line));
}

int mw_session_flush(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return MW_OK;
    return mw_fail(MW_ERR_IO, "standard output: cannot write: %s",
                   errno != 0 ? strerror(errno) : "an earlier write failed");
}

bool mw_session_alone(void)
{
    struct mw_launch launch;
    mw_launch_read(&launch);
    return launch.rank == 0;
}

int mw_session_by_one(const struct mw_settings *settings,
                      int (*work)(const struct mw_settings *settings))
{
    struct mw_launch launch;
    if (!mw_session_alone())
        return MW_OK;
    mw_launch_read(&launch);
    const int rc = mw_signals_install(&launch, 0);
    return rc == MW_OK ? work(settings) : rc;
}

/* MPI's shared memory is a file of several MiB, so under a small limit on files it ends the
 * program, with a code and words of its own. A lone process needs none, and UCX can be told. */
static int check_file_limit(const struct mw_launch *launch)
{
    static const rlim_t needed = 32 << 20;
    struct rlimit files;
    if (getrlimit(RLIMIT_FSIZE, &files) != 0 || files.rlim_cur >= needed)
        return MW_OK;
    if (!launch->launched)
        return setenv("UCX_TLS", "self", 0) == 0 ? MW_OK : MW_ERR_NOMEM;
    return mw_fail(
        MW_ERR_REFUSED,
        "files may have %llu bytes here (ulimit -f), but the ranks' shared memory "
        "takes files of up to %llu; raise the limit",
        (unsigned long long)files.rlim_cur, (unsigned long long)needed);
}

/* Commands without the option have its usual value: any of them may wait for a rank that does
 * not come. */
static double hang_timeout_s(const struct mw_settings *settings)
{
    const bool has = mw_option_find(settings->command, "hang-timeout") != NULL;
    return has ? optional(settings, "hang-timeout")->real : usual_hang_s;
}

/* ---- until MPI has begun ------------------------------------------------------------------- */

/* MPI_Init() waits for all ranks, and heartbeats come after it. It may take long on many hosts, so the
 * limit is ten times as long. */
enum { STARTS_FACTOR = 10 };
static char never_began[128];

static void on_late_start(int signal_number)
{
    (void)signal_number;
    const ssize_t said = write(STDERR_FILENO, never_began, strlen(never_began));
    (void)said;
    _exit(-MW_ERR_INTERNAL);
}

static void watch_start(double limit, uint32_t rank, struct sigaction *before)
{
    const struct sigaction action = {.sa_handler = on_late_start};
    const time_t whole = (time_t)limit;
    const struct itimerval at = {
        .it_value = {whole, (suseconds_t)(1e6 * (limit - (double)whole))}};
    snprintf(
        never_began, sizeof never_began,
        "meshway: rank %u: MPI has not begun for %g s (%d times --hang-timeout): a rank "
        "has not come\n",
        rank, limit, (int)STARTS_FACTOR);
    sigaction(SIGALRM, limit > 0 ? &action : NULL, before);
    setitimer(ITIMER_REAL, &at, NULL);
}

static void end_watch(const struct sigaction *before)
{
    const struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, before, NULL);
}

/* Ranks of a machine that is emulated are its nodes: what they share of a host no node could read. */
static bool are_nodes(const struct mw_settings *s)
{
    const char *word =
        optional(s, "backend")->text; /* one, or several with commas between */
    while (word != NULL) {
        const size_t n = strcspn(word, ",");
        for (const struct mw_backend *const *b = mw_backends; *b != NULL; b++)
            if ((*b)->time != NULL && strlen((*b)->name) == n &&
                strncmp((*b)->name, word, n) == 0)
                return true;
        word = word[n] == ',' ? word + n + 1 : NULL;
    }
    return false;
}

static int start_mpi(struct mw_session *s)
{
    const uint32_t asked = (uint32_t)optional(s->settings, "ranks-per-host")->number;
    const uint32_t pretended = asked == 0 && are_nodes(s->settings) ? 1 : asked;
    struct sigaction before;
    watch_start(STARTS_FACTOR * hang_timeout_s(s->settings), s->launch.rank, &before);
    const int rc = mw_mpi_start(NULL, NULL, pretended, &s->comm);
    end_watch(&before);
    return rc;
}

static void start_watchdog(const struct mw_session *s)
{
    const struct mw_watchdog_conf conf = {
        .comm = s->comm,
        .host = s->provenance.host,
        .timeout_s = optional(s->settings, "timeout")->real,
        .hang_timeout_s = hang_timeout_s(s->settings),
        .parent = s->launch.launched ? s->launch.parent : 0,
    };
    mw_watchdog_start(&conf);
}

int mw_session_start(const struct mw_settings *settings, int early,
                     struct mw_session *out)
{
    int rc;
    char odd[512];
    *out = (struct mw_session){.settings = settings};
    mw_launch_read(&out->launch);
    out->quiet = optional(settings, "quiet")->number != 0;
    out->verbose = optional(settings, "verbose")->number != 0;
    out->speaks = out->launch.rank == 0;
    mw_log_to(on_log, out);
    MW_TRY(rc, check_file_limit(&out->launch));
    MW_TRY(rc, start_mpi(out));
    out->speaks = out->comm->rank == 0;
    rc = mw_signals_install(&out->launch, out->comm->rank);
    early = early < MW_OK ? early : settings->early;
    MW_TRY(rc, mw_comm_agree(out->comm, early < MW_OK ? early : rc));
    mw_provenance_start(&out->provenance, settings->argc, settings->argv, environ,
                        optional(settings, "anonymize")->number != 0);
    start_watchdog(out);
    MW_TRY(rc, mw_provenance_gather(&out->provenance, out->comm));
    MW_TRY(rc, mw_provenance_judge(&out->provenance, odd, sizeof odd));
    MW_TRY(rc, mw_settings_alike(settings, out->comm)); /* of the same program */
    if (odd[0] != '\0' && out->speaks)
        mw_session_warn(out, "%s", odd);
    return MW_OK;
end:
    return rc;
}

int mw_session_fewer(struct mw_session *s, uint32_t n)
{
    int rc;
    mw_watchdog_stop();
    rc = mw_mpi_fewer(&s->comm, n);
    s->waits = s->comm == NULL; /* also after an error */
    if (rc < MW_OK)
        return rc;
    if (s->waits)
        return MW_DONE;
    start_watchdog(s);
    mw_provenance_fini(&s->provenance);
    mw_provenance_start(&s->provenance, s->settings->argc, s->settings->argv, environ,
                        optional(s->settings, "anonymize")->number != 0);
    return mw_provenance_gather(&s->provenance, s->comm);
}

void mw_session_lost(void)
{
    fprintf(stderr,
            "meshway: %s (raised at %s)\n"
            "meshway: and a cluster of cores does not come back\n",
            mw_error_text(), mw_error_where());
    mw_mpi_abort(-MW_ERR_INTERNAL);
}

void mw_session_advise(int rc)
{
    struct mw_room room;
    char left[48] = "";
    if (rc != MW_ERR_NOMEM)
        return;
    mw_room_find("", &room);
    if (room.space != UINT64_MAX)
        snprintf(left, sizeof left, ", %s", room.space_source);
    fprintf(
        stderr,
        "meshway: what to do: 'meshway plan' says beforehand what a run needs; take a "
        "smaller graph, fewer threads or more hosts, or raise the limit (%s%s)\n",
        room.memory_source, left);
}

void mw_session_failed(int rc)
{
    fprintf(stderr, "meshway: %s\n", mw_error_text());
    mw_session_advise(rc);
    fflush(stderr);
    mw_watchdog_fail(rc);
    mw_mpi_abort(-rc);
}

int mw_session_finish(struct mw_session *s, int rc)
{
    /* A promise of our own broken: the others may be waiting for something else for ever,
     * so nothing is agreed upon any more. Each rank that knows says what it knows. */
    if (rc == MW_ERR_INTERNAL && s->comm != NULL && s->comm->size > 1) {
        fprintf(stderr, "meshway: rank %u: %s (raised at %s)\n", s->comm->rank,
                mw_error_text(), mw_error_where());
        mw_mpi_abort(-MW_ERR_INTERNAL);
    }
    /* Here, for MPI empties the buffer too when it ends, and tells nobody. */
    const int flushed = s->speaks ? mw_session_flush() : MW_OK;
    rc = rc < MW_OK ? rc : flushed;
    if (s->comm != NULL)
        rc = mw_comm_agree(s->comm, rc);
    if (rc < MW_OK && s->speaks) {
        fprintf(stderr, "meshway: %s\n", mw_error_text());
        mw_session_advise(rc);
        if (s->verbose || rc == MW_ERR_INTERNAL)
            fprintf(stderr, "meshway: (raised at %s)\n", mw_error_where());
    }
    mw_error_clear();
    mw_watchdog_leave(rc);
    if (s->comm != NULL || s->waits)
        mw_mpi_finish(s->comm);
    mw_watchdog_stop();
    mw_provenance_fini(&s->provenance);
    s->comm = NULL;
    mw_log_to(NULL, NULL);
    for (size_t i = 0; i < s->n_warnings; i++)
        free(s->warning[i]);
    free(s->warning);
    s->warning = NULL;
    s->n_warnings = 0;
    return rc;
}
