/* stillness.c -- see stillness.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/stillness.h"

#include <dirent.h>
#include <stdio.h>

/* Of the time between two looks, at most so much is not counted: who is served once in ten turns, or
 * never, is still for a tenth of it. */
static const double most_in_line = 0.9;

double mw_stillness_look(struct mw_stillness *s, const struct mw_pulse *rank, double now)
{
    const uint64_t beats = MW_LOAD_RELAXED(&rank->beats);
    const uint64_t ticks = MW_LOAD_RELAXED(&rank->ticks);
    const uint64_t starved_ms = MW_LOAD_RELAXED(&rank->starved_ms);
    const bool first = s->tick_s <= 0;
    if (beats != s->beats || first) {
        s->beat_s = now;
        s->starved_ms = starved_ms;
    }
    if (ticks != s->ticks || first)
        s->tick_s = now;
    s->beats = beats;
    s->ticks = ticks;
    if (MW_LOAD_RELAXED(&rank->wait) == MW_AT_WORK)
        return s->tick_s;
    const double moved = s->beat_s + 1e-3 * (double)(starved_ms - s->starved_ms);
    return moved < now ? moved : now;
}

void mw_core_line_add(struct mw_core_line *l, struct mw_pulse *mine, double line_s,
                      double now)
{
    const uint64_t beats = MW_LOAD_RELAXED(&mine->beats);
    const double most = most_in_line * (now - l->now), added = line_s - l->line_s;
    if (beats == l->beats && l->now > 0 && added > 0 && most > 0)
        MW_STORE_RELAXED(&mine->starved_ms,
                         mine->starved_ms +
                             (uint64_t)(1e3 * (added < most ? added : most)));
    *l = (struct mw_core_line){line_s, now, beats};
}

/* "cpu_ns line_ns slices" of one thread. */
static double line_of(const char *thread)
{
    char name[64];
    unsigned long long line_ns = 0;
    snprintf(name, sizeof name, "/proc/self/task/%.16s/schedstat", thread);
    FILE *f = fopen(name, "r");
    if (f == NULL)
        return 0;
    if (fscanf(f, "%*u %llu", &line_ns) != 1)
        line_ns = 0;
    fclose(f);
    return 1e-9 * (double)line_ns;
}

double mw_core_line_s(void)
{
    double sum = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL)
        return 0;
    for (const struct dirent *e; (e = readdir(tasks)) != NULL;)
        if (e->d_name[0] != '.')
            sum += line_of(e->d_name);
    closedir(tasks);
    return sum;
}
