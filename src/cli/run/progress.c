/* progress.c -- see progress.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/progress.h"

#include "base/clock.h"
#include "base/plural.h"
#include "cli/json_field.h"
#include "io/names.h"

#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

static const double redraw_s = 0.5, line_s = 10, short_run_s = 1;

const char *mw_phase_name(enum mw_phase phase)
{
    static const char *const names[] = {"generation", "reading", "construction",
                                        "search"};
    return names[phase];
}

/* --- what is shown ----------------------------------------------------------------- */

static double left_s(const struct mw_progress_view *v, double now)
{
    return (now - v->phase_started) / (v->done - v->kept) * (v->of - v->done);
}

static void clear(struct mw_progress_view *v)
{
    if (v->line_length > 0) {
        fprintf(v->file, "\r%*s\r", v->line_length, "");
        fflush(v->file);
    }
    v->line_length = 0;
}

static void show_state(struct mw_progress_view *v, double now)
{
    char left[48] = "";
    const double so_far = now - v->started;
    if (v->done > v->kept && v->done < v->of)
        snprintf(left, sizeof left, ", %.0f s left", left_s(v, now));
    if (v->look == MW_LOOK_REDRAW)
        clear(v);
    if (v->of > 0)
        v->line_length = fprintf(v->file, "search %u of %u (after %.1f s)%s", v->done,
                                 v->of, so_far, left);
    else
        v->line_length =
            fprintf(v->file, "%s (after %.1f s)", mw_phase_name(v->phase), so_far);
    if (v->look == MW_LOOK_LINES) {
        fputc('\n', v->file);
        v->line_length = 0;
    }
    fflush(v->file);
    v->due = now + (v->look == MW_LOOK_REDRAW ? redraw_s : line_s);
}

static void tick(struct mw_progress_view *v, double now)
{
    if ((v->look == MW_LOOK_REDRAW || v->look == MW_LOOK_LINES) && now >= v->due)
        show_state(v, now);
}

void mw_progress_tick(struct mw_progress_view *v, double now)
{
    pthread_mutex_lock(&v->lock);
    tick(v, now);
    pthread_mutex_unlock(&v->lock);
}

/* --- what is heard ------------------------------------------------------------------- */

static void on_phase(void *arg, enum mw_phase phase)
{
    struct mw_progress_view *v = arg;
    const double now = mw_now();
    pthread_mutex_lock(&v->lock);
    v->phase = phase;
    v->phase_started = now;
    v->done = v->of = 0;
    if (v->look == MW_LOOK_JSON)
        fprintf(v->file, "{\"event\":\"phase\",\"phase\":\"%s\",\"t_s\":%.3f}\n",
                mw_phase_name(phase), now - v->started);
    else if (v->look == MW_LOOK_VERBOSE)
        fprintf(v->file, "%s (after %.2f s)\n", mw_phase_name(phase), now - v->started);
    else if (v->look == MW_LOOK_REDRAW || (v->look == MW_LOOK_LINES && v->at_once) ||
             now - v->started >= short_run_s)
        v->due = now;
    tick(v, now);
    pthread_mutex_unlock(&v->lock);
}

/* The root as JSON; null where there is none, and where a name is too long for one line. */
static const char *json_root(const struct mw_progress_view *v, mw_vid root,
                             char text[MW_NAME_ROOM])
{
    json_t *j = root != MW_NO_VERTEX ? mw_json_vertex(v->names, root) : json_null();
    const size_t n =
        json_dumpb(j, text, MW_NAME_ROOM - 1, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    text[n < MW_NAME_ROOM ? n : 0] = '\0';
    json_decref(j);
    return n > 0 && n < MW_NAME_ROOM ? text : "null";
}

/* "root 7, ", or nothing where there is no root. */
static const char *from_root(const struct mw_progress_view *v, mw_vid root,
                             char text[MW_NAME_ROOM + 8])
{
    char name[MW_NAME_ROOM];
    *text = '\0';
    if (root != MW_NO_VERTEX)
        snprintf(text, MW_NAME_ROOM + 8, "root %s, ",
                 mw_names_text(v->names, root, name));
    return text;
}

static void on_search(void *arg, uint32_t done, uint32_t of, const struct mw_search *s)
{
    struct mw_progress_view *v = arg;
    const double now = mw_now();
    char root[MW_NAME_ROOM + 8];
    pthread_mutex_lock(&v->lock);
    v->done = done;
    v->of = of;
    if (v->look == MW_LOOK_JSON)
        fprintf(v->file,
                "{\"event\":\"search\",\"done\":%u,\"of\":%u,\"root\":%s,\"time_s\":%.9g,"
                "\"t_s\":%.3f,\"left_s\":%.1f}\n",
                done, of, json_root(v, s->root, root), s->time_s, now - v->started,
                left_s(v, now));
    else if (v->look == MW_LOOK_VERBOSE)
        fprintf(v->file, "search %u of %u: %s%.6f s, %u %s, %llu %s\n", done, of,
                from_root(v, s->root, root), s->time_s, s->n_levels,
                mw_plural(s->n_levels, "level", "levels"),
                (unsigned long long)s->n_reached,
                mw_plural(s->n_reached, "vertex", "vertices"));
    else if (done == of && v->at_once)
        v->due = now;
    tick(v, now);
    pthread_mutex_unlock(&v->lock);
}

struct mw_progress mw_progress_callbacks(struct mw_progress_view *v)
{
    return (struct mw_progress){.arg = v, .phase = on_phase, .search_done = on_search};
}

/* --- the clock ------------------------------------------------------------------------ */

static void *watch_clock(void *arg)
{
    struct mw_progress_view *v = arg;
    pthread_mutex_lock(&v->lock);
    while (!v->ended) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += 500 * 1000 * 1000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&v->end, &v->lock, &until);
        if (!v->ended)
            tick(v, mw_now());
    }
    pthread_mutex_unlock(&v->lock);
    return NULL;
}

/* Signals are the first thread's. Without the thread lines only come late. */
static bool start_clock(struct mw_progress_view *v)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    const bool started = pthread_create(&v->ticker, NULL, watch_clock, v) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static enum mw_progress_look look_of(const struct mw_progress_conf *conf)
{
    switch (conf->mode) {
    case MW_PROGRESS_TEXT:
        return conf->verbose ? MW_LOOK_VERBOSE : MW_LOOK_LINES;
    case MW_PROGRESS_JSON:
        return MW_LOOK_JSON;
    case MW_PROGRESS_NONE:
        return MW_LOOK_NOTHING;
    case MW_PROGRESS_AUTO:
        break;
    }
    if (conf->verbose)
        return MW_LOOK_VERBOSE;
    if (isatty(fileno(conf->file)) == 1)
        return MW_LOOK_REDRAW;
    return conf->launched ? MW_LOOK_LINES : MW_LOOK_NOTHING;
}

void mw_progress_init(struct mw_progress_view *v, const struct mw_progress_conf *conf)
{
    pthread_condattr_t steady; /* the time of day may jump */
    const double now = mw_now();
    *v = (struct mw_progress_view){.file = conf->file,
                                   .look = look_of(conf),
                                   .at_once = conf->mode == MW_PROGRESS_TEXT,
                                   .started = now,
                                   .phase_started = now,
                                   .due = now + short_run_s};
    pthread_mutex_init(&v->lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&v->end, &steady);
    pthread_condattr_destroy(&steady);
    if (!conf->one_thread && (v->look == MW_LOOK_REDRAW || v->look == MW_LOOK_LINES))
        v->ticks = start_clock(v);
}

void mw_progress_fini(struct mw_progress_view *v)
{
    if (v->ticks) {
        pthread_mutex_lock(&v->lock);
        v->ended = true;
        pthread_cond_signal(&v->end);
        pthread_mutex_unlock(&v->lock);
        pthread_join(v->ticker, NULL);
    }
    v->ticks = false;
    if (v->file != NULL)
        clear(v);
}
