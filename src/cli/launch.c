/* launch.c -- see launch.h. Everything a handler touches is a sig_atomic_t or a pointer
 * to a constant string, and handlers only call async-signal-safe functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/launch.h"

#include "base/clock.h"
#include "base/stop.h"
#include "io/digits.h"
#include "io/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* An end that does not come: the watchdog's second to save what is finished, and some. */
enum { LAUNCHER_GONE_S = 4 };

/* The same signal twice in so many seconds is one that was delivered twice. */
static const double twice_alone_s = 0.2, twice_launched_s = 1;

static void (*volatile woken)(void);
static volatile sig_atomic_t stop_signal;
static volatile sig_atomic_t this_rank;
static const char *volatile current_phase = "starting";
static volatile sig_atomic_t n_asked; /* signals of somebody who wants us to end */
static volatile double first_asked, twice_s;

/* --- the launcher's environment -------------------------------------------------- */

static bool number_of(const char *variable, uint32_t *out)
{
    const char *text = getenv(variable);
    char *end;
    if (text == NULL || *text < '0' || *text > '9')
        return false;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    if (*end != '\0' || errno != 0 || value > UINT32_MAX)
        return false;
    *out = (uint32_t)value;
    return true;
}

void mw_launch_read(struct mw_launch *out)
{
    static const char *const ranks[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"};
    *out = (struct mw_launch){.parent = getppid()};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks && !out->launched; i++)
        out->launched = number_of(ranks[i], &out->rank);
    /* SLURM_PROCID also stands in a batch script, which is one process; a step of srun
     * has SLURM_STEP_ID besides. */
    if (!out->launched && number_of("SLURM_PROCID", &out->rank))
        out->launched = getenv("SLURM_STEP_ID") != NULL;
}

/* --- what is inherited -------------------------------------------------------------- */

static void open_standard_files(void)
{
    static const int flags[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", flags[fd]) != fd)
            _exit(-MW_ERR_UNAVAILABLE);
}

static void on_end(int signal_number)
{
    mw_outfile_remove_temporaries();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void mw_launch_prepare(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    open_standard_files();
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (signal(ends[i], on_end) == SIG_IGN)
            signal(ends[i], SIG_IGN); /* nohup and background jobs mean it */
}

/* --- signals ---------------------------------------------------------------------- */

void mw_signals_ask(int signal_number)
{
    if (stop_signal == 0)
        stop_signal = signal_number;
}

void mw_signals_wakes(void (*who)(void))
{
    woken = who;
}

static void wake(void)
{
    void (*const who)(void) = woken;
    if (who != NULL)
        who();
}

static void on_stop(int signal_number)
{
    const int saved = errno;
    const double now = mw_now();
    mw_signals_ask(signal_number);
    if (n_asked++ == 0) {
        first_asked = now;
    } else if (now - first_asked > twice_s) {
        mw_outfile_remove_temporaries();
        _exit(128 + signal_number);
    }
    wake();
    errno = saved;
}

static void on_launcher_gone(int signal_number)
{
    if (signal_number == SIGALRM) {
        mw_outfile_remove_temporaries();
        _exit(-MW_ERR_INTERRUPTED);
    }
    mw_signals_ask(SIGHUP);
    alarm(LAUNCHER_GONE_S);
    wake();
}

static char *put_text(char *at, const char *end, const char *text)
{
    while (*text != '\0' && at < end)
        *at++ = *text++;
    return at;
}

/* One write for the whole line: the ranks of a host share their launcher's stderr. */
static void on_state(int signal_number)
{
    const int saved = errno;
    char line[128], *at = line;
    const char *end = line + sizeof line - 1;
    (void)signal_number;
    at = put_text(at, end, "meshway: rank ");
    at = mw_put_digits(at, (uint64_t)this_rank);
    at = put_text(at, end, ": ");
    at = put_text(at, end, current_phase);
    *at++ = '\n';
    const ssize_t ignored = write(STDERR_FILENO, line, (size_t)(at - line));
    (void)ignored; /* nothing can be done about it here */
    errno = saved;
}

/* `always`: also where it is ignored, which else is meant by nohup and background jobs. */
static int handle(int signal_number, void (*handler)(int), bool always)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    if (!always && sigaction(signal_number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        return MW_OK;
    if (sigaction(signal_number, &action, NULL) != 0)
        return mw_fail(MW_ERR_INTERNAL, "sigaction(%d): %s", signal_number,
                       strerror(errno));
    return MW_OK;
}

int mw_signals_install(const struct mw_launch *launch, uint32_t rank)
{
    static const int stops[] = {SIGTERM, SIGINT, SIGXCPU};
    int rc;
    this_rank = (sig_atomic_t)rank;
    twice_s = launch->launched ? twice_launched_s : twice_alone_s;
    mw_stop_when(mw_signals_reason);
    /* A launcher in the background ignores INT, and its ranks inherit that; what it sends
     * them is meant. */
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        if ((rc = handle(stops[i], on_stop, launch->launched)) != MW_OK)
            return rc;
    if ((rc = handle(SIGUSR1, on_state, false)) != MW_OK)
        return rc;
    if (launch->launched) {
        /* The parent is the launcher's proxy on this host; without it nobody would ever
         * end this rank. It may be gone already. */
        if ((rc = handle(SIGHUP, on_launcher_gone, true)) != MW_OK ||
            (rc = handle(SIGALRM, on_launcher_gone, true)) != MW_OK)
            return rc;
        /* It reads what we print, and whoever prints after its end has still to save. */
        signal(SIGPIPE, SIG_IGN);
        prctl(PR_SET_PDEATHSIG, SIGHUP);
        if (getppid() != launch->parent)
            raise(SIGHUP);
    }
    return MW_OK;
}

bool mw_signals_stop(void)
{
    return stop_signal != 0;
}

bool mw_signals_timed_out(void)
{
    return stop_signal == SIGALRM;
}

bool mw_signals_launcher_gone(void)
{
    return stop_signal == SIGHUP;
}

const char *mw_signals_reason(void)
{
    switch (stop_signal) {
    case 0:
        return "";
    case SIGTERM:
        return "SIGTERM";
    case SIGINT:
        return "SIGINT";
    case SIGXCPU:
        return "SIGXCPU, the limit on processor time";
    case SIGHUP:
        return "the launcher vanished";
    default:
        return "--timeout";
    }
}

void mw_signals_phase(const char *phase)
{
    current_phase = phase;
}

const char *mw_signals_phase_name(void)
{
    return current_phase;
}
