/* progress.c -- see progress.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/progress.h"

#include "base/clock.h"
#include "cli/launch.h"
#include "graph/names.h"

#include <stdarg.h>
#include <unistd.h>

static const double redraw_s = 0.5;

const char *mw_phase_name(enum mw_phase phase)
{
    static const char *const names[] = {"generation", "reading", "construction",
                                        "search"};
    return names[phase];
}

void mw_progress_clear(struct mw_progress_view *v)
{
    if (v->line_length > 0) {
        fprintf(v->file, "\r%*s\r", v->line_length, "");
        fflush(v->file);
    }
    v->line_length = 0;
}

/* At most every redraw_s, except when the phase changes. */
static void draw(struct mw_progress_view *v, bool now, const char *fmt, ...)
    MW_PRINTF(3, 4);
static void draw(struct mw_progress_view *v, bool now, const char *fmt, ...)
{
    const double t = mw_now();
    va_list args;
    if (!now && t - v->drawn < redraw_s)
        return;
    mw_progress_clear(v);
    va_start(args, fmt);
    v->line_length = vfprintf(v->file, fmt, args);
    va_end(args);
    fflush(v->file);
    v->drawn = t;
}

static void on_phase(void *arg, enum mw_phase phase)
{
    struct mw_progress_view *v = arg;
    const double now = mw_now();
    mw_signals_phase(mw_phase_name(phase));
    if (v->mode == MW_PROGRESS_JSON)
        fprintf(v->file, "{\"event\":\"phase\",\"phase\":\"%s\",\"t_s\":%.3f}\n",
                mw_phase_name(phase), now - v->started);
    else if (v->terminal)
        draw(v, true, "%s ...", mw_phase_name(phase));
    else if (v->verbose)
        fprintf(v->file, "%s (after %.2f s)\n", mw_phase_name(phase), now - v->started);
    v->phase = phase;
    v->phase_started = v->first_search = now;
}

static void on_search(void *arg, uint32_t done, uint32_t of, const struct mw_search *s)
{
    struct mw_progress_view *v = arg;
    const double now = mw_now();
    char root[MW_NAME_ROOM];
    const double left = (now - v->first_search) / done * (of - done);
    if (v->mode == MW_PROGRESS_JSON)
        fprintf(v->file,
                "{\"event\":\"search\",\"done\":%u,\"of\":%u,\"root\":%s,\"time_s\":%.9g,"
                "\"t_s\":%.3f,\"left_s\":%.1f}\n",
                done, of, mw_names_text(v->names, s->root, root), s->time_s,
                now - v->started, left);
    else if (v->terminal)
        draw(v, done == of, "search %u of %u, %.0f s left", done, of, left);
    else if (v->verbose)
        fprintf(v->file, "search %u of %u: root %s, %.6f s, %u levels, %llu vertices\n",
                done, of, mw_names_text(v->names, s->root, root), s->time_s, s->n_levels,
                (unsigned long long)s->n_reached);
}

void mw_progress_init(struct mw_progress_view *v, FILE *file, enum mw_progress_mode mode,
                      bool verbose)
{
    *v = (struct mw_progress_view){.file = file,
                                   .mode = mode,
                                   .verbose = verbose && mode == MW_PROGRESS_AUTO,
                                   .started = mw_now()};
    v->terminal = mode == MW_PROGRESS_AUTO && !verbose && isatty(fileno(file)) == 1;
}

struct mw_progress mw_progress_callbacks(struct mw_progress_view *v)
{
    return (struct mw_progress){.arg = v, .phase = on_phase, .search_done = on_search};
}
