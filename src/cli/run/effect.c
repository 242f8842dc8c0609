/* effect.c -- see effect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/effect.h"

#include "graph500/statistics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- stamps ------------------------------------------------------------------------------ */

/* What the figures count: searches that reached an edge. */
static uint32_t counted(const struct mw_benchmark_result *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_searches; i++)
        n += r->search[i].status >= MW_OK && mw_search_counts(&r->search[i]);
    return n;
}

const char *mw_effect_validation(const struct mw_benchmark_conf *conf,
                                 const struct mw_benchmark_result *result)
{
    const uint32_t n = result->n_roots > 0 ? result->n_roots : conf->n_roots;
    const uint32_t checked = mw_benchmark_n_checked(conf, n);
    return checked == 0 ? "none" : checked < n ? "part" : "full";
}

uint32_t mw_effect_checked(const struct mw_benchmark_result *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_searches; i++)
        n += r->search[i].validate_s >= 0;
    return n;
}

void mw_effect_stamps(const struct mw_benchmark_conf *conf,
                      const struct mw_benchmark_result *result,
                      const struct mw_world *world, const char *out[MW_STAMPS_MOST + 1])
{
    uint32_t n = 0;
    if (!mw_benchmark_checks(conf))
        out[n++] = "NOT VALIDATED";
    else if (strcmp(mw_effect_validation(conf, result), "part") == 0)
        out[n++] = "PARTLY VALIDATED";
    if (world->comm->oversubscribed || world->oversubscribed)
        out[n++] = "OVERSUBSCRIBED";
    if (world->planned)
        out[n++] = "OTHER TOPOLOGY";
    if (result->partial) /* without figures, so NBFS says nothing */
        out[n++] = "PARTIAL";
    else if (result->edgefactor > 0 && counted(result) < MW_NBFS)
        out[n++] = "NBFS BELOW 64";
    out[n] = NULL;
}

void mw_effect_stamp_text(const char *const *stamps, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; stamps[i] != NULL && used < room; i++)
        used += (size_t)snprintf(out + used, room - used, "%s%s", i > 0 ? ", " : "",
                                 stamps[i]);
}

const char *const mw_effect_judges[] = {
    [0] = "nobody",
    [MW_BY_HOST] = "host",
    [MW_BY_CORES] = "backend",
    [MW_BY_HOST | MW_BY_CORES] = "backend and host",
    NULL,
};

uint32_t mw_effect_judged(const struct mw_benchmark_result *r, uint8_t judges)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_searches; i++)
        n += (r->search[i].judges & judges) == judges;
    return n;
}

/* ---- other load ---------------------------------------------------------------------------- */

/* Times of the searches that did about as much as the largest one. */
static size_t comparable(const struct mw_benchmark_result *r, double *time)
{
    size_t n = 0;
    uint64_t most = 0;
    for (uint32_t i = 0; i < r->n_searches; i++)
        most = mw_max(most, r->search[i].n_edges);
    for (uint32_t i = 0; i < r->n_searches; i++) {
        const struct mw_search *s = &r->search[i];
        if (s->status >= MW_OK && s->n_edges > most - most / 10)
            time[n++] = s->time_s;
    }
    return n;
}

bool mw_effect_disturbed(const struct mw_benchmark_result *r, double load, uint32_t own,
                         uint32_t n_cpus, char *out, size_t room)
{
    enum { ENOUGH = 16 };
    static const double least_s = 1e-3, spread_when_busy = 1.5, spread_alone = 3;
    double *const time = malloc((r->n_searches + 1) * sizeof *time);
    if (time == NULL)
        return false; /* it is only a warning */
    const size_t n = comparable(r, time);
    const double p50 = mw_middle_of(time, n), p90 = n > 0 ? time[n * 9 / 10] : 0;
    free(time);
    if (r->partial || n < ENOUGH || p50 < least_s)
        return false;
    const bool busy = load + own > n_cpus + 0.5;
    if (p90 <= p50 * (busy ? spread_when_busy : spread_alone))
        return false;
    snprintf(
        out, room,
        "times vary: of %zu searches of about the same size a tenth took more than %.2g "
        "times the median; %s (load average %.1f, %u of %u processors used here)",
        n, p90 / p50,
        busy ? "other programs may have been running"
             : "processors may have been slowed down",
        load, own, n_cpus);
    return true;
}

/* ---- the shape as it is ------------------------------------------------------------------- */

/* The cores of a device have no lanes: they are beside the management core all the same. */
static bool has_device(const struct mw_world *w)
{
    return mw_on_device(w->backend);
}

const char *mw_effect_engine(const struct mw_world *w)
{
    const bool alone = mw_world_lanes(w) == 1 && !has_device(w);
    return w->conf.engine_mpe || alone ? "mpe" : "cpe";
}

const char *mw_effect_exchange(const struct mw_world *w)
{
    return w->comm->size == 1 ? NULL : w->records_by;
}

uint32_t mw_effect_clusters(const struct mw_world *w)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < w->conf.n_clusters; c++)
        n += has_device(w) || w->first_lane[c + 1] > w->first_lane[c];
    return n;
}

/* ---- options without effect --------------------------------------------------------------- */

struct seen {
    const struct mw_settings *s;
    const struct mw_world *w;
    const struct mw_algorithm *a;
};

static bool is_word(const struct seen *x, const char *option, const char *word)
{
    const char *text = mw_setting_text(x->s, option);
    return text != NULL && strcmp(text, word) == 0;
}

static bool one_rank(const struct seen *x)
{
    return x->w->comm->size == 1;
}

static bool on_device(const struct seen *x)
{
    return has_device(x->w);
}

static bool host_is_device(const struct seen *x)
{
    return x->w->backend->memory == NULL || x->w->backend->memory->host_reaches;
}

static bool no_device(const struct seen *x)
{
    return x->w->backend->devices == NULL;
}

static bool host_validates(const struct seen *x)
{
    const struct mw_check *const check = x->a->check;
    return !on_device(x) && !(check != NULL && check->alone_judges && one_rank(x));
}

static bool one_core(const struct seen *x)
{
    return mw_world_lanes(x->w) == 1 && !on_device(x);
}

static bool no_group(const struct seen *x)
{
    return x->w->groups.width == 1 && !is_word(x, "groups", "auto");
}

static bool lone_group(const struct seen *x)
{
    return one_rank(x) && !is_word(x, "groups", "auto");
}

static bool no_switch(const struct seen *x)
{
    return x->w->groups_by != MW_GROUPS_SWITCHES;
}

static bool no_relay(const struct seen *x)
{
    return one_rank(x) && is_word(x, "routing", "relay");
}

static bool sends_nothing(const struct seen *x)
{
    return one_rank(x) && !is_word(x, "compress", "off");
}

/* Else it decides whether ranks are nodes of an emulated machine. */
static bool one_host(const struct seen *x)
{
    return x->w->comm->n_hosts == 1 && x->w->backend->time == NULL;
}

static bool few_cores(const struct seen *x)
{
    return mw_effect_clusters(x->w) < mw_setting_number(x->s, "clusters");
}

static bool on_mesh(const struct seen *x)
{
    return x->w->backend->mesh;
}

static bool idle_mesh(const struct seen *x)
{
    return on_mesh(x) && x->w->conf.engine_mpe;
}

/* The first that holds is said. */
static const struct {
    const char *option;
    bool (*holds)(const struct seen *x);
    const char *why;
} idle[] = {
    {"threads", on_mesh, "the backend's clusters have 64 cores each"},
    {"device", no_device, "the backend has none"},
    {"confirm", host_validates, "the host's cores validate every search"},
    {"device-memory", no_device, "the backend has none"},
    {"device-memory", host_is_device, "the device is the host's cores, with its memory"},
    {"engine", on_device, "the device runs every module"},
    {"engine", one_core, "a rank has one core, which runs every module"},
    {"clusters", few_cores, "the threads do not suffice for a core in each"},
    {"layout", idle_mesh, "the management core runs every module (--engine mpe)"},
    {"routing", no_relay, "there is one rank, nothing is sent"},
    {"compress", sends_nothing, "there is one rank, nothing is sent"},
    {"groups", lone_group, "there is one rank, nothing is sent"},
    {"groups", no_group, "the route is direct"},
    {"topology", no_switch, "groups do not follow switches"},
    {"connections", one_rank, "there is one rank, nothing is sent"},
    {"ranks-per-host", one_host, "all ranks fit on one host"},
    {"shuffle", one_rank, "there is one rank, which owns all"},
};

void mw_effect_none(const struct mw_settings *s, const struct mw_world *w,
                    const struct mw_algorithm *algorithm,
                    void (*say)(void *arg, const char *option, const char *why),
                    void *arg)
{
    const struct seen x = {s, w, algorithm};
    const char *before = "";
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        const char *option = idle[i].option;
        if (strcmp(option, before) == 0 || !mw_setting_given(s, option) ||
            !idle[i].holds(&x))
            continue;
        before = option;
        say(arg, mw_setting_name(s, option).text, idle[i].why);
    }
}
