/* watchdog.c -- see watchdog.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/watchdog.h"

#include "base/clock.h"
#include "base/log.h"
#include "cli/launch.h"
#include "cli/run/progress.h"
#include "cli/stillness.h"
#include "io/outfile.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { TICK_MS = 200, QUICK_TICK_MS = 20, HOSTS_FACTOR = 10 };
static const double grace_s = 10;      /* to end by itself after --timeout */
static const double still_grace_s = 2; /* ... where nothing moves */
static const double launcher_grace_s = 1;
static const double parting_s = 5; /* for MPI to end between hosts */
static const double silent_s = 2;  /* without a tick a process is taken for stopped */
static const double keep_after_s =
    0.3; /* a search that ends sooner is saved by the program */
static const double answer_s = 0.3;
static const double ready_s = 30, woken_s = 5; /* to say and save what is known */

enum cause { NONE, HANG, TIMEOUT, ASKED, LAUNCHER, FAILED, FULL, UNUSABLE };

enum state { RUNNING, LEAVING, STOPPED };

static struct {
    struct mw_watchdog_conf conf;
    pthread_t thread, program;
    pthread_mutex_t lock; /* of state, keeper, and of the heartbeats against their end */
    enum state state;
    bool started;
    int event; /* wakes the thread */
    uint32_t rank, host_rank, host_size, n_hosts;
    int code;                  /* of the run, once it is leaving */
    struct mw_stillness *seen; /* [host_size] */
    struct mw_core_line line;  /* of this rank's threads */
    struct mw_patience own;
    double leaving_s, asked_s; /* when it was so, by own time; asked_s < 0: it was not */
    mw_watchdog_keeper *keeper;
    void *keeper_arg;
    bool kept, keeping; /* the keeper was called because of asked_s, and is under way */
    struct mw_inquiry inquiry;
} dog = {.lock = PTHREAD_MUTEX_INITIALIZER, .event = -1};

static struct mw_pulse *pulse(uint32_t host_rank)
{
    return &dog.conf.comm->pulse[host_rank];
}

static void nap(int ms)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000L * ms}, NULL);
}

/* ---- Looking ------------------------------------------------------------------------- */

static bool is_silent(uint32_t i, double now)
{
    const double half = dog.conf.hang_timeout_s / 2;
    return now - dog.seen[i].tick_s > (half > 0 && half < silent_s ? half : silent_s);
}

/* Since when nothing on this host has moved. */
static double still_since(double now)
{
    double last = 0;
    for (uint32_t i = 0; i < dog.host_size; i++) {
        const double moved = mw_stillness_look(&dog.seen[i], pulse(i), now);
        last = moved > last ? moved : last;
    }
    return last;
}

/* A rank that beats has no need of it, and of many threads it takes a while. */
static void note_line(double now)
{
    struct mw_pulse *const mine = pulse(dog.host_rank);
    const bool beats = MW_LOAD_RELAXED(&mine->beats) != dog.line.beats;
    mw_core_line_add(&dog.line, mine, beats ? dog.line.line_s : mw_core_line_s(), now);
}

/* Levels of a search are short on every host. What comes before and after, reading,
 * writing, making a graph, may keep one host busy for long while the others wait. */
static bool levels_only(void)
{
    return strcmp(mw_signals_phase_name(), mw_phase_name(MW_PHASE_SEARCH)) == 0;
}

/* Whether all that is waited for may be on another host, and may take long there. */
static bool may_be_elsewhere(double now)
{
    for (uint32_t i = 0; i < dog.host_size; i++) {
        const uint32_t wait = MW_LOAD_RELAXED(&pulse(i)->wait);
        if (is_silent(i, now) || wait == MW_IN_PIPELINE || wait == MW_ON_DEVICE)
            return false;
    }
    return dog.conf.comm->n_hosts > 1 && !levels_only();
}

static enum cause alarm_of_others(void)
{
    for (uint32_t i = 0; i < dog.host_size; i++) {
        const uint32_t alarm = MW_LOAD_ACQUIRE(&pulse(i)->alarm);
        if (alarm != NONE)
            return (enum cause)alarm;
    }
    return NONE;
}

/* ---- Ending -------------------------------------------------------------------------- */

static int code_of(enum cause cause)
{
    switch (cause) {
    case HANG:
    case FAILED:
        return -MW_ERR_INTERNAL;
    case FULL:
        return -MW_ERR_NOMEM;
    case UNUSABLE:
        return -MW_ERR_UNAVAILABLE;
    default:
        return -MW_ERR_INTERRUPTED;
    }
}

static void say_why(enum cause cause, char *to, size_t room)
{
    const char *reason = mw_signals_reason();
    if (cause == HANG)
        snprintf(to, room, "no progress on this host for %g s (--hang-timeout)",
                 dog.conf.hang_timeout_s);
    else if (cause == TIMEOUT)
        snprintf(to, room, "--timeout of %g s has passed and the run does not end",
                 dog.conf.timeout_s);
    else if (cause == LAUNCHER)
        snprintf(to, room, "the launcher vanished");
    else if (cause == FAILED || cause == FULL)
        snprintf(to, room, "a device of this host %s in the middle of the run",
                 cause == FULL ? "was full" : "has failed");
    else if (cause == UNUSABLE)
        snprintf(to, room, "a device of this host cannot be used");
    else
        snprintf(to, room, "asked to end (%s), but nothing moves",
                 reason[0] != '\0' ? reason : "on another rank");
}

/* "; rank 3 (process 4711) stands still", of those that do not tick. */
static void name_silent(double now, char *to, size_t room)
{
    const struct mw_comm *c = dog.conf.comm;
    size_t n = 0;
    to[0] = '\0';
    for (uint32_t r = 0, i = 0; r < c->size && n < room; r++) {
        if (c->host_of[r] != c->host)
            continue;
        if (is_silent(i, now))
            n += (size_t)snprintf(to + n, room - n,
                                  "; rank %u (process %lld) stands still, as if stopped",
                                  r, (long long)pulse(i)->process);
        i++;
    }
}

/* What the management core says of a pipeline that it waits in. */
static const char *ask_pipeline(void)
{
    if (MW_LOAD_RELAXED(&pulse(dog.host_rank)->wait) != MW_IN_PIPELINE)
        return "";
    MW_STORE_RELEASE(&dog.inquiry.asked, 1);
    for (double end = mw_now() + answer_s; mw_now() < end; nap(10))
        if (MW_LOAD_ACQUIRE(&dog.inquiry.answered) != 0)
            return dog.inquiry.answer;
    return "its management core does not answer";
}

static void report(enum cause cause, double now)
{
    char why[160], silent[512], level[32] = "";
    struct mw_pulse *const mine = pulse(dog.host_rank);
    const uint32_t at = MW_LOAD_RELAXED(&mine->level),
                   wait = MW_LOAD_RELAXED(&mine->wait);
    const char *story = ask_pipeline();
    say_why(cause, why, sizeof why);
    name_silent(now, silent, sizeof silent);
    if (at > 0)
        snprintf(level, sizeof level, ", level %u", at - 1);
    fprintf(stderr, "meshway: rank %u on %s: %s: %s%s, %s%s%s%s\n", dog.rank,
            dog.conf.host, why, mw_signals_phase_name(), level,
            mw_wait_names[wait < MW_N_WAITS ? wait : MW_AT_WORK],
            story[0] != '\0' ? ": " : "", story, silent);
}

/* The first process to leave is the end of the others, so each waits until all have said and
 * saved what they know. Those that are stopped are woken to do so too. */
static void wait_for_others(double now)
{
    const double begin = mw_now();
    bool all = false;
    for (uint32_t i = 0; i < dog.host_size; i++)
        if (is_silent(i, now))
            kill((pid_t)pulse(i)->process, SIGCONT);
    while (!all) {
        const double waited = mw_now() - begin;
        all = true;
        for (uint32_t i = 0; i < dog.host_size; i++)
            all = all && (MW_LOAD_ACQUIRE(&pulse(i)->ready) != 0 ||
                          waited > (is_silent(i, now) ? woken_s : ready_s));
        nap(1);
    }
}

static uint32_t held; /* the program's thread has come to stay */

static void stay(int signal_number)
{
    (void)signal_number;
    MW_STORE_RELEASE(&held, 1);
    for (;;)
        pause();
}

/* The program does nothing more: where a rank has left, MPI on the others aborts, with a
 * backtrace and a code of its own. A signal that is sent need not have arrived, where processors
 * are shared, so its arrival is waited for. Whoever is held may hold locks of the library's, so
 * nothing is printed or allocated from here on. */
static void hold_program(void)
{
    const struct sigaction action = {.sa_handler = stay};
    if (sigaction(SIGRTMIN, &action, NULL) != 0 ||
        pthread_kill(dog.program, SIGRTMIN) != 0)
        return;
    for (double end = mw_now() + woken_s; mw_now() < end && MW_LOAD_ACQUIRE(&held) == 0;)
        nap(1);
}

static void end(enum cause cause, double now) __attribute__((noreturn));
static void end(enum cause cause, double now)
{
    char why[160];
    struct mw_pulse *const mine = pulse(dog.host_rank);
    MW_STORE_RELEASE(&mine->alarm, (uint32_t)cause);
    report(cause, now);
    say_why(cause, why, sizeof why);
    if (dog.keeper != NULL)
        dog.keeper(dog.keeper_arg, why, true);
    hold_program();
    MW_STORE_RELEASE(&mine->ready, 1);
    wait_for_others(now);
    mw_outfile_remove_temporaries();
    _exit(code_of(cause));
}

/* ---- Saving early -------------------------------------------------------------------- */

/* In a thread of its own: the watchdog ticks on. */
static void *keep(void *arg)
{
    mw_watchdog_keeper *const keeper = dog.keeper;
    keeper(arg, mw_signals_reason(), false);
    pthread_mutex_lock(&dog.lock);
    dog.keeping = false;
    pthread_mutex_unlock(&dog.lock);
    return NULL;
}

/* Once: whoever asked may lose patience before the search is over. */
static void start_keeping(void)
{
    pthread_t thread;
    if (dog.kept)
        return;
    dog.kept = true;
    dog.keeping = pthread_create(&thread, NULL, keep, dog.keeper_arg) == 0;
    if (dog.keeping)
        pthread_detach(thread);
}

/* ---- Deciding ------------------------------------------------------------------------ */

static enum cause judge_asked(double now, double still)
{
    const double since = now - dog.asked_s;
    const bool alone = dog.conf.comm->n_hosts == 1;
    if (mw_signals_launcher_gone())
        return since > launcher_grace_s ? LAUNCHER : NONE;
    if (mw_signals_timed_out())
        return since > grace_s ||
                       (alone && still > still_grace_s && since > still_grace_s)
                   ? TIMEOUT
                   : NONE;
    return still > grace_s && since > grace_s ? ASKED : NONE;
}

static void look_at_ranks(double now)
{
    const double hang = dog.conf.hang_timeout_s;
    struct mw_pulse *const mine = pulse(dog.host_rank);
    MW_STORE_RELAXED(&mine->ticks, mine->ticks + 1);
    note_line(now);
    const double still = now - still_since(now);
    const enum cause others = alarm_of_others();
    if (others != NONE)
        end(others, now);
    if (dog.conf.parent > 0 && getppid() != dog.conf.parent)
        mw_signals_ask(SIGHUP);
    if (dog.conf.timeout_s > 0 && now > dog.conf.timeout_s)
        mw_signals_ask(SIGALRM);
    if (mw_signals_stop() && dog.asked_s < 0)
        dog.asked_s = now;
    if (dog.asked_s >= 0 && now - dog.asked_s > keep_after_s && dog.keeper != NULL)
        start_keeping();
    const enum cause asked = dog.asked_s >= 0 ? judge_asked(now, still) : NONE;
    if (asked != NONE)
        end(asked, now);
    if (hang > 0 && still > hang * (may_be_elsewhere(now) ? HOSTS_FACTOR : 1))
        end(HANG, now);
}

/* Everything is said and saved; MPI ends together or not at all. Between hosts MPICH 4.0
 * over TCP at times never ends: one rank still takes down its connections, and the other,
 * which has done so, no longer answers. All ranks have agreed how the run ended, so each
 * leaves with that. */
static void look_at_leaving(double now)
{
    const double limit = dog.conf.hang_timeout_s;
    if (dog.n_hosts > 1 && now - dog.leaving_s > parting_s)
        _exit(dog.code);
    if (limit <= 0 || now - dog.leaving_s <= limit)
        return;
    fprintf(stderr,
            "meshway: rank %u on %s: MPI has not ended for %g s (--hang-timeout); all "
            "results are written\n",
            dog.rank, dog.conf.host, limit);
    _exit(-MW_ERR_INTERNAL);
}

static int tick_ms(void)
{
    const double hang = dog.conf.hang_timeout_s;
    return hang > 0 && hang < 1 ? QUICK_TICK_MS : TICK_MS;
}

static void *watch(void *arg)
{
    enum state state;
    (void)arg;
    do {
        struct pollfd woken = {.fd = dog.event, .events = POLLIN};
        uint64_t n;
        if (poll(&woken, 1, tick_ms()) > 0) {
            const ssize_t got = read(dog.event, &n, sizeof n);
            (void)got; /* how often does not matter */
        }
        pthread_mutex_lock(&dog.lock);
        const double now = mw_patience_look(&dog.own);
        state = dog.state;
        if (state == RUNNING)
            look_at_ranks(now);
        else if (state == LEAVING)
            look_at_leaving(now);
        pthread_mutex_unlock(&dog.lock);
    } while (state != STOPPED);
    return NULL;
}

/* ---- For the program ----------------------------------------------------------------- */

/* Signals are the main thread's affair; SIGPIPE becomes an error of write(). */
static int start_thread(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&dog.thread, NULL, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* Async-signal-safe: look now. */
static void wake(void)
{
    const int saved = errno;
    const uint64_t one = 1;
    if (dog.event >= 0) {
        const ssize_t put = write(dog.event, &one, sizeof one);
        (void)put; /* it looks anyway, a little later */
    }
    errno = saved;
}

void mw_watchdog_start(const struct mw_watchdog_conf *conf)
{
    struct mw_comm *const c = conf->comm;
    dog.conf = *conf;
    dog.program = pthread_self();
    dog.rank = c->rank;
    dog.host_rank = c->host_rank;
    dog.host_size = c->host_size;
    dog.n_hosts = c->n_hosts;
    dog.asked_s = -1;
    dog.state = RUNNING; /* again, where it was stopped */
    dog.seen = calloc(c->host_size, sizeof *dog.seen);
    dog.event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pulse(dog.host_rank)->process = getpid();
    mw_patience_look(&dog.own);
    int error = dog.seen == NULL || dog.event < 0 ? errno : 0;
    mw_signals_wakes(wake);
    if (error == 0)
        error = start_thread();
    if (error != 0) {
        mw_note("no watchdog (%s): --timeout and --hang-timeout are not looked after",
                strerror(error));
        return;
    }
    dog.started = true;
    c->inquiry = &dog.inquiry;
}

void mw_watchdog_keep(mw_watchdog_keeper *keeper, void *arg)
{
    bool keeping;
    do {
        pthread_mutex_lock(&dog.lock);
        keeping = dog.keeping;
        if (!keeping) {
            dog.keeper = keeper;
            dog.keeper_arg = arg;
        }
        pthread_mutex_unlock(&dog.lock);
        if (keeping)
            nap(5);
    } while (keeping);
}

void mw_watchdog_fail(int rc)
{
    if (!dog.started || dog.state != RUNNING)
        return;
    const enum cause cause = rc == MW_ERR_NOMEM         ? FULL
                             : rc == MW_ERR_UNAVAILABLE ? UNUSABLE
                                                        : FAILED;
    MW_STORE_RELEASE(&pulse(dog.host_rank)->alarm, (uint32_t)cause);
    wake();
    for (;;)
        pause(); /* it holds us, and ends the process */
}

void mw_watchdog_leave(int rc)
{
    pthread_mutex_lock(&dog.lock);
    dog.code = rc < MW_OK ? -rc : 0;
    dog.state = LEAVING;
    dog.leaving_s = mw_patience_look(&dog.own);
    pthread_mutex_unlock(&dog.lock);
}

void mw_watchdog_stop(void)
{
    if (!dog.started)
        return;
    pthread_mutex_lock(&dog.lock);
    dog.state = STOPPED;
    pthread_mutex_unlock(&dog.lock);
    wake();
    pthread_join(dog.thread, NULL);
    close(dog.event);
    free(dog.seen);
    dog.event = -1;
    dog.seen = NULL;
    dog.started = false;
}
