/* cmd_layout_curve.c -- "meshway layout curve": latency and throughput against the offered
 * load, and where the layout is saturated.
 *
 *      loads x seeds, all at once ---> the last load from below that is stable
 *      halvings of the gap above it ---> the saturation point
 *
 * A run is stable if every message of its window arrived within the drain, and the mesh carried
 * what was offered. A load is stable if all its runs are, and saturation is where that ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/curve.h"
#include "layouts/verbs/runs.h"

#include "base/mem.h"

#include <stdlib.h>

/* clang-format off */
static const struct mw_option options[] = {
    MW_OPTION_LAYOUT,
    MW_OPTION_MODEL_SIM,
    {.name = "from", .kind = MW_OPT_REAL, .value = "LOAD", .fallback = "0.05", .min = 0,
     .max = 1, .help = "The least load, as a share of the rate that the producers could give"},
    {.name = "to", .kind = MW_OPT_REAL, .value = "LOAD", .fallback = "1", .min = 0,
     .max = 1, .help = "The highest one"},
    {.name = "points", .letter = 'p', .kind = MW_OPT_COUNT, .value = "N", .fallback = "20",
     .min = 2, .max = MW_CURVE_POINTS_MAX, .help = "Loads from the one to the other, evenly"},
    {.name = "seeds", .kind = MW_OPT_COUNT, .value = "N", .fallback = "5", .min = 1,
     .max = MW_CURVE_SEEDS_MAX, .help = "Runs per load, with seeds from --seed on"},
    MW_OPTIONS_SIM,
    MW_OPTION_DRAIN,
    MW_OPTION_JOBS,
    MW_OPTION_OUTPUT("Write a line per run as CSV"),
    {.name = "svg", .kind = MW_OPT_TEXT, .value = "FILE",
     .help = "Draw latency and throughput against the offered load"},
    MW_OPTION_JSON,
    MW_OPTION_FORCE,
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {
    MW_CONFLICTS_SIM,
    MW_CONFLICTS_COMMON,
};
/* clang-format on */
static const char *const outputs[] = {"output", "svg", NULL};

/* ---- running ---------------------------------------------------------------------------- */

/* Carried what was offered, up to 5 % and the few messages that a short window may miss. */
static bool keeps_up(const struct mw_sim_result *r)
{
    return (double)r->consumed >= 0.95 * (double)r->latency.created - 5;
}

static int simulate(void *arg, uint64_t i)
{
    int rc;
    struct mw_curve *c = arg;
    const struct mw_curve_point *p = &c->point[c->first + i / c->seeds];
    struct mw_curve_run *out = &p->run[i % c->seeds];
    struct mw_sim_conf conf = c->conf;
    struct mw_sim_result r = {0};
    conf.load = p->load;
    conf.seed += i % c->seeds;
    MW_TRY(rc, mw_layout_sim(c->layout, &conf, &r));
    const double scale =
        r.counted > 0 ? c->layout->payload_bytes * c->layout->clock_hz / (double)r.counted
                      : 0;
    *out = (struct mw_curve_run){.latency = r.latency,
                                 .offered = (double)r.latency.created * scale,
                                 .carried = r.bytes_per_s,
                                 .deadlock = r.deadlock || r.latency.deadlock_cycle != 0};
    out->latency.class = NULL;
    out->stable = !out->deadlock && r.latency.end == MW_LATENCY_DRAINED && keeps_up(&r);
end:
    mw_sim_result_fini(&r);
    return rc;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value, uint64_t n)
{
    qsort(value, n, sizeof *value, by_size);
    return value[n / 2];
}

/* Of each number the median over the runs. */
static struct mw_delay median_delay(const struct mw_curve_point *p, uint64_t n,
                                    bool created)
{
    double value[5][MW_CURVE_SEEDS_MAX];
    for (uint64_t k = 0; k < n; k++) {
        const struct mw_latency_class *all = &p->run[k].latency.all;
        const struct mw_delay *d = created ? &all->created : &all->injected;
        const double of[5] = {d->mean, (double)d->p50, (double)d->p95, (double)d->p99,
                              (double)d->most};
        for (int i = 0; i < 5; i++)
            value[i][k] = of[i];
    }
    return (struct mw_delay){.mean = median(value[0], n),
                             .p50 = (uint64_t)median(value[1], n),
                             .p95 = (uint64_t)median(value[2], n),
                             .p99 = (uint64_t)median(value[3], n),
                             .most = (uint64_t)median(value[4], n)};
}

static void summarise(const struct mw_curve *c, struct mw_curve_point *p)
{
    p->stable = true;
    for (uint64_t k = 0; k < c->seeds; k++) {
        const struct mw_curve_run *r = &p->run[k];
        p->offered += r->offered / (double)c->seeds;
        p->carried += r->carried / (double)c->seeds;
        p->n_deadlocks += r->deadlock;
        p->stable &= r->stable;
    }
    p->created = median_delay(p, c->seeds, true);
    p->injected = median_delay(p, c->seeds, false);
}

/* Runs n new points, whose loads stand there. */
static int run_points(struct mw_curve *c, uint64_t first, uint64_t n)
{
    c->first = first;
    for (uint64_t i = first; i < first + n; i++)
        c->point[i].run = &c->run[i * c->seeds];
    MW_NEED(mw_runs_all(c->settings, n * c->seeds, simulate, c));
    for (uint64_t i = first; i < first + n; i++)
        summarise(c, &c->point[i]);
    return MW_OK;
}

static int by_load(const void *a, const void *b)
{
    const double x = ((const struct mw_curve_point *)a)->load,
                 y = ((const struct mw_curve_point *)b)->load;
    return (x > y) - (x < y);
}

/* Halves the gap between the last stable load and the first one that is not. */
static int find_saturation(struct mw_curve *c)
{
    uint64_t i = 0, n = c->n_points;
    for (; i < c->n_points && c->point[i].stable; i++) {
        c->stable = c->point[i].load;
        c->stable_bytes_per_s = c->point[i].carried;
    }
    if (i == c->n_points)
        return MW_OK; /* not saturated */
    c->unstable = c->point[i].load;
    for (; i > 0 && n < c->n_points + MW_CURVE_HALVINGS; n++) {
        struct mw_curve_point *p = &c->point[n];
        p->load = (c->stable + c->unstable) / 2;
        MW_NEED(run_points(c, n, 1));
        if (p->stable)
            c->stable_bytes_per_s = p->carried;
        *(p->stable ? &c->stable : &c->unstable) = p->load;
    }
    c->n_points = n;
    qsort(c->point, n, sizeof *c->point, by_load);
    return MW_OK;
}

/* ---- the command --------------------------------------------------------------------------- */

static int set_loads(struct mw_curve *c)
{
    const double from = mw_setting_real(c->settings, "from");
    const double to = mw_setting_real(c->settings, "to");
    c->n_points = mw_setting_number(c->settings, "points");
    if (!(from >= 1e-6))
        return mw_fail(MW_ERR_USAGE, "--from %g: expected at least 1e-6", from);
    if (!(from < to))
        return mw_fail(MW_ERR_USAGE, "--from %g --to %g: expected a lower load first",
                       from, to);
    for (uint64_t i = 0; i < c->n_points; i++)
        c->point[i].load = from + (to - from) * (double)i / (double)(c->n_points - 1);
    return MW_OK;
}

static int report(const struct mw_curve *c, const char *title)
{
    bool deadlock = false;
    MW_NEED(mw_layout_write(c->settings, "output", mw_curve_print_csv, c));
    MW_NEED(mw_layout_write(c->settings, "svg", mw_curve_draw, c));
    if (mw_setting_number(c->settings, "json") != 0)
        MW_NEED(mw_curve_print_json(c, title));
    else
        mw_curve_print(c, title, mw_layout_report_to(c->settings, outputs));
    for (uint64_t i = 0; i < c->n_points; i++)
        deadlock |= c->point[i].n_deadlocks > 0;
    return deadlock ? MW_LAYOUT_DEADLOCK : MW_OK;
}

static int curve_main(const struct mw_settings *s)
{
    static const char *const own[] = {"load", NULL};
    int rc;
    struct mw_layout_input in = {0};
    struct mw_puts puts = {NULL};
    struct mw_curve c = {.settings = s, .seeds = mw_setting_number(s, "seeds")};
    MW_TRY(rc,
           mw_layout_refuse(s, own, "a curve has many loads: --from, --to, --points"));
    MW_TRY(rc, set_loads(&c));
    MW_TRY(rc, mw_layout_outputs(s, outputs, mw_setting_number(s, "json") != 0));
    MW_TRY(rc, mw_layout_input_open(mw_setting_text(s, "file"), false, &in));
    MW_TRY(rc, mw_sim_configure(s, in.layout, &c.conf));
    mw_sim_drain(s, &c.conf);
    c.conf.open = true;
    MW_TRY(rc, mw_sim_puts(s, in.layout, mw_sim_rings(s), &c.conf, &puts));
    c.layout = puts.layout != NULL ? puts.layout : in.layout;
    MW_NEW(rc, c.run, "runs of the curve",
           (MW_CURVE_POINTS_MAX + MW_CURVE_HALVINGS) * c.seeds);
    MW_TRY(rc, run_points(&c, 0, c.n_points));
    MW_TRY(rc, find_saturation(&c));
    rc = report(&c, mw_layout_title(in.file));
end:
    mw_free(c.run);
    mw_puts_fini(&puts);
    mw_layout_input_fini(&in);
    return rc;
}

const struct mw_command mw_command_layout_curve = {
    .name = "layout curve",
    .summary = "latency and throughput against load; saturation",
    .text =
        "Simulates the layout at many loads, with several seeds each, on all cores, and "
        "closes in on the load where it is saturated: up to there every message arrives "
        "soon after the run, and the mesh carries what is offered. Sources have their "
        "messages on time whether the mesh takes them or not. Exit codes: 0 no deadlock "
        "was met, 1 some run deadlocked, 2 bad input.",
    .example = "meshway layout curve paper.layout --svg paper-curve.svg",
    .example_does = "20 loads, 5 seeds each, as a table and a picture",
    MW_VERB_CONFLICTS(conflicts),
    MW_VERB_OF_FILE(curve_main, options),
};
