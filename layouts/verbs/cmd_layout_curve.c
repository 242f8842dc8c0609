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
#include "cli/json_field.h"
#include "cli/model/model_plot.h"
#include "layouts/verbs/latency_report.h"
#include "layouts/verbs/layout_report.h"
#include "layouts/verbs/runs.h"
#include "layouts/verbs/sim_setup.h"

#include "base/escape.h"
#include "base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALVINGS = 5, POINTS_MAX = MW_FIGURE_POINTS - HALVINGS, SEEDS_MAX = 100 };

/* clang-format off */
static const struct mw_option options[] = {
    MW_OPTION_LAYOUT,
    MW_OPTION_MODEL_SIM,
    {.name = "from", .kind = MW_OPT_REAL, .value = "LOAD", .fallback = "0.05", .min = 0,
     .max = 1, .help = "The least load, as a share of the rate that the producers could give"},
    {.name = "to", .kind = MW_OPT_REAL, .value = "LOAD", .fallback = "1", .min = 0,
     .max = 1, .help = "The highest one"},
    {.name = "points", .letter = 'p', .kind = MW_OPT_COUNT, .value = "N", .fallback = "20",
     .min = 2, .max = POINTS_MAX, .help = "Loads from the one to the other, evenly"},
    {.name = "seeds", .kind = MW_OPT_COUNT, .value = "N", .fallback = "5", .min = 1,
     .max = SEEDS_MAX, .help = "Runs per load, with seeds from --seed on"},
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

struct run {
    struct mw_latency latency; /* its classes are gone */
    double offered, carried;   /* bytes/s */
    bool deadlock, stable;
};

struct point {
    double load, offered, carried; /* bytes/s: means of the runs */
    uint64_t n_deadlocks;
    bool stable;
    struct mw_delay created, injected; /* medians of the runs */
    struct run *run;                   /* [seeds], part of curve.run */
};

struct curve {
    const struct mw_settings *settings;
    const struct mw_layout *layout; /* that is run: the file's, or its remote puts */
    struct mw_sim_conf conf;
    uint64_t seeds, n_points;
    struct run *run;                           /* [POINTS_MAX + HALVINGS][seeds], owned */
    struct point point[POINTS_MAX + HALVINGS]; /* in the end by load */
    uint64_t first;                            /* of the points that are run now */
    /* Saturation: stable at the one and at all loads below, not at the other; 0: there is none. */
    double stable, unstable;
    double stable_bytes_per_s;
};

/* Carried what was offered, up to 5 % and the few messages that a short window may miss. */
static bool keeps_up(const struct mw_sim_result *r)
{
    return (double)r->consumed >= 0.95 * (double)r->latency.created - 5;
}

static int simulate(void *arg, uint64_t i)
{
    int rc;
    struct curve *c = arg;
    const struct point *p = &c->point[c->first + i / c->seeds];
    struct run *out = &p->run[i % c->seeds];
    struct mw_sim_conf conf = c->conf;
    struct mw_sim_result r = {0};
    conf.load = p->load;
    conf.seed += i % c->seeds;
    MW_TRY(rc, mw_layout_sim(c->layout, &conf, &r));
    const double scale =
        r.counted > 0 ? c->layout->payload_bytes * c->layout->clock_hz / (double)r.counted
                      : 0;
    *out = (struct run){.latency = r.latency,
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
static struct mw_delay median_delay(const struct point *p, uint64_t n, bool created)
{
    double value[5][SEEDS_MAX];
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

static void summarise(const struct curve *c, struct point *p)
{
    p->stable = true;
    for (uint64_t k = 0; k < c->seeds; k++) {
        const struct run *r = &p->run[k];
        p->offered += r->offered / (double)c->seeds;
        p->carried += r->carried / (double)c->seeds;
        p->n_deadlocks += r->deadlock;
        p->stable &= r->stable;
    }
    p->created = median_delay(p, c->seeds, true);
    p->injected = median_delay(p, c->seeds, false);
}

/* Runs n new points, whose loads stand there. */
static int run_points(struct curve *c, uint64_t first, uint64_t n)
{
    int rc;
    c->first = first;
    for (uint64_t i = first; i < first + n; i++)
        c->point[i].run = &c->run[i * c->seeds];
    MW_TRY(rc, mw_runs_all(c->settings, n * c->seeds, simulate, c));
    for (uint64_t i = first; i < first + n; i++)
        summarise(c, &c->point[i]);
end:
    return rc;
}

static int by_load(const void *a, const void *b)
{
    const double x = ((const struct point *)a)->load, y = ((const struct point *)b)->load;
    return (x > y) - (x < y);
}

/* Halves the gap between the last stable load and the first one that is not. */
static int find_saturation(struct curve *c)
{
    int rc = MW_OK;
    uint64_t i = 0, n = c->n_points;
    for (; i < c->n_points && c->point[i].stable; i++) {
        c->stable = c->point[i].load;
        c->stable_bytes_per_s = c->point[i].carried;
    }
    if (i == c->n_points)
        return MW_OK; /* not saturated */
    c->unstable = c->point[i].load;
    for (; i > 0 && n < c->n_points + HALVINGS; n++) {
        struct point *p = &c->point[n];
        p->load = (c->stable + c->unstable) / 2;
        MW_TRY(rc, run_points(c, n, 1));
        if (p->stable)
            c->stable_bytes_per_s = p->carried;
        *(p->stable ? &c->stable : &c->unstable) = p->load;
    }
    c->n_points = n;
    qsort(c->point, n, sizeof *c->point, by_load);
end:
    return rc;
}

/* ---- text ------------------------------------------------------------------------------- */

static const struct point *most_carried(const struct curve *c)
{
    const struct point *best = &c->point[0];
    for (uint64_t i = 1; i < c->n_points; i++)
        if (c->point[i].carried > best->carried)
            best = &c->point[i];
    return best;
}

static void print_saturation(const struct curve *c, FILE *out)
{
    const struct point *most = most_carried(c);
    if (c->unstable <= 0)
        fprintf(out, "saturation   none up to load %.3g\n", c->stable);
    else if (c->stable <= 0)
        fprintf(out, "saturation   below load %.3g, the least that was run\n",
                c->unstable);
    else
        fprintf(
            out,
            "saturation   at load %.4f, %.2f GB/s: all seeds are stable there, and not "
            "at %.4f\n",
            c->stable, c->stable_bytes_per_s * 1e-9, c->unstable);
    fprintf(out, "most carried %.2f GB/s, at load %.3g\n", most->carried * 1e-9,
            most->load);
}

static void print_table(const struct curve *c, const char *title, FILE *out)
{
    char shown[MW_SHOWN_ROOM];
    fprintf(out,
            "%s: %" PRIu64 " loads x %" PRIu64 " seeds, %" PRIu64
            " cycles, %s, arrivals %s, ",
            mw_shown(title, shown), c->n_points, c->seeds, c->conf.cycles,
            mw_pattern_names[c->conf.pattern], mw_arrivals_names[c->conf.arrivals]);
    mw_sim_print_depths(&c->conf, out);
    fputs(" (simulated)\n", out);
    fprintf(out, "%-8s %8s %8s   cycles from creation, medians of the seeds   %s\n",
            "load", "offered", "carried", "injection");
    fprintf(out, "%-8s %8s %8s %9s %8s %8s %8s %11s\n", "", "GB/s", "GB/s", "mean", "p50",
            "p95", "p99", "mean");
    for (uint64_t i = 0; i < c->n_points; i++) {
        const struct point *p = &c->point[i];
        fprintf(out,
                "%-8.4g %8.2f %8.2f %9.1f %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %11.1f",
                p->load, p->offered * 1e-9, p->carried * 1e-9, p->created.mean,
                p->created.p50, p->created.p95, p->created.p99, p->injected.mean);
        if (p->n_deadlocks > 0)
            fprintf(out, "  deadlock in %" PRIu64 " of %" PRIu64, p->n_deadlocks,
                    c->seeds);
        else if (!p->stable)
            fprintf(out, "  unstable");
        fputc('\n', out);
    }
    print_saturation(c, out);
}

/* ---- files ------------------------------------------------------------------------------ */

static int print_csv(const void *what, FILE *out)
{
    const struct curve *c = what;
    fputs("load,seed,offered_gb_per_s,carried_gb_per_s_simulated,stable,latency_end,"
          "deadlock,"
          "created,arrived,mean_from_creation,p50_from_creation,p95_from_creation,"
          "p99_from_creation,mean_from_injection,p50_from_injection,p95_from_injection,"
          "p99_from_injection\n",
          out);
    for (uint64_t i = 0; i < c->n_points * c->seeds; i++) {
        const struct run *r = &c->point[i / c->seeds].run[i % c->seeds];
        fprintf(out, "%.6g,%" PRIu64 ",%.4f,%.4f,%d,%s,%d,%" PRIu64 ",%" PRIu64,
                c->point[i / c->seeds].load, c->conf.seed + i % c->seeds,
                r->offered * 1e-9, r->carried * 1e-9, r->stable,
                mw_latency_end_names[r->latency.end], r->deadlock, r->latency.created,
                r->latency.arrived);
        mw_delay_print_csv(&r->latency.all.created, out);
        mw_delay_print_csv(&r->latency.all.injected, out);
        fputc('\n', out);
    }
    return MW_OK;
}

/* 1, 2 or 5 times a power of ten, so that up to `most` there are five to ten ticks. */
static double tick_step(double most)
{
    const double unit = pow(10, floor(log10(most / 5)));
    return most / unit >= 25 ? 5 * unit : most / unit >= 10 ? 2 * unit : unit;
}

static void add_series(struct mw_figure *f, const char *name)
{
    struct mw_series *s = &f->series[f->n_series++];
    snprintf(s->name, sizeof s->name, "%s", name);
    s->status = MW_MODELLED;
}

static void add_point(struct mw_figure *f, uint32_t series, double x, double y,
                      bool shown)
{
    struct mw_series *s = &f->series[series];
    s->point[s->n++] = (struct mw_point){.x = x,
                                         .y = shown ? y : NAN,
                                         .low = NAN,
                                         .high = NAN,
                                         .note = "unstable from here on"};
}

/* Latencies up to the first load that is not stable; behind it they mean nothing. */
static int draw_svg(const void *what, FILE *out)
{
    int rc = MW_OK;
    const struct curve *c = what;
    char title[2][160];
    struct mw_figure *f;
    double most_latency = 1, most_rate = 1;
    MW_NEW(rc, f, "figures", 2);
    const char *by = c->conf.rings > 0 ? ", by remote puts" : "";
    snprintf(title[0], sizeof title[0], "latency against offered load%s, %s, arrivals %s",
             by, mw_pattern_names[c->conf.pattern], mw_arrivals_names[c->conf.arrivals]);
    if (c->unstable > 0 && c->stable > 0)
        snprintf(title[1], sizeof title[1],
                 "throughput against offered load%s: saturated at load %.3f", by,
                 c->stable);
    else
        snprintf(title[1], sizeof title[1], "throughput against offered load%s", by);
    for (int i = 0; i < 2; i++) {
        f[i].title = title[i];
        f[i].x_name = "offered load, share of the producers' rate";
        f[i].x_step = tick_step(c->point[c->n_points - 1].load);
    }
    f[0].y_name = "cycles";
    f[1].y_name = "GB/s";
    add_series(&f[0], "mean from creation");
    add_series(&f[0], "p50 from creation");
    add_series(&f[0], "p95 from creation");
    add_series(&f[0], "p99 from creation");
    add_series(&f[0], "mean from injection");
    add_series(&f[1], "offered");
    add_series(&f[1], "carried");
    add_series(&f[1], "saturation point");
    f[1].series[2].marks = true;
    if (c->unstable > 0 && c->stable > 0)
        add_point(&f[1], 2, c->stable, c->stable_bytes_per_s * 1e-9, true);
    bool stable = true;
    for (uint64_t i = 0; i < c->n_points; i++) {
        const struct point *p = &c->point[i];
        stable &= p->stable;
        add_point(&f[0], 0, p->load, p->created.mean, stable);
        add_point(&f[0], 1, p->load, (double)p->created.p50, stable);
        add_point(&f[0], 2, p->load, (double)p->created.p95, stable);
        add_point(&f[0], 3, p->load, (double)p->created.p99, stable);
        add_point(&f[0], 4, p->load, p->injected.mean, stable);
        add_point(&f[1], 0, p->load, p->offered * 1e-9, true);
        add_point(&f[1], 1, p->load, p->carried * 1e-9, true);
        most_latency = stable ? fmax(most_latency, (double)p->created.p99) : most_latency;
        most_rate = fmax(most_rate, fmax(p->offered, p->carried) * 1e-9);
    }
    f[0].y_step = tick_step(most_latency);
    f[1].y_step = tick_step(most_rate);
    mw_plots_svg(f, 2, out);
    mw_free(f);
end:
    return rc;
}

static json_t *point_json(const struct curve *c, const struct point *p)
{
    return json_pack("{s:f, s:f, s:f, s:b, s:I, s:I, s:o, s:o}", "load", p->load,
                     "offered_bytes_per_s", p->offered, "carried_bytes_per_s_simulated",
                     p->carried, "stable", p->stable, "runs", (json_int_t)c->seeds,
                     "deadlocks", (json_int_t)p->n_deadlocks, "from_creation",
                     mw_delay_json(&p->created), "from_injection",
                     mw_delay_json(&p->injected));
}

static int print_json(const struct curve *c, const char *title)
{
    json_t *points = json_array(), *saturation = json_null();
    for (uint64_t i = 0; i < c->n_points; i++)
        json_array_append_new(points, point_json(c, &c->point[i]));
    if (c->stable > 0 && c->unstable > 0)
        saturation =
            json_pack("{s:f, s:f, s:f}", "load", c->stable, "unstable_load", c->unstable,
                      "bytes_per_s_simulated", c->stable_bytes_per_s);
    return mw_json_print(json_pack(
        "{s:o, s:I, s:I, s:I, s:o, s:i, s:s, s:i, s:s, s:s, s:o, s:o}", "file",
        mw_json_bytes(title), "seed", (json_int_t)c->conf.seed, "seeds",
        (json_int_t)c->seeds, "cycles", (json_int_t)c->conf.cycles, "fifo",
        mw_fifo_json(c->conf.fifo), "send", (int)c->conf.send, "model",
        mw_setting_text(c->settings, "model"), "rings", (int)c->conf.rings, "pattern",
        mw_pattern_names[c->conf.pattern], "arrivals",
        mw_arrivals_names[c->conf.arrivals], "points", points, "saturation", saturation));
}

/* ---- the command --------------------------------------------------------------------------- */

static int set_loads(struct curve *c)
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

static int report(const struct curve *c, const char *title)
{
    int rc;
    bool deadlock = false;
    MW_TRY(rc, mw_layout_write(c->settings, "output", print_csv, c));
    MW_TRY(rc, mw_layout_write(c->settings, "svg", draw_svg, c));
    if (mw_setting_number(c->settings, "json") != 0)
        MW_TRY(rc, print_json(c, title));
    else
        print_table(c, title, mw_layout_report_to(c->settings, outputs));
    for (uint64_t i = 0; i < c->n_points; i++)
        deadlock |= c->point[i].n_deadlocks > 0;
    rc = deadlock ? MW_LAYOUT_DEADLOCK : MW_OK;
end:
    return rc;
}

static int curve_main(const struct mw_settings *s)
{
    static const char *const own[] = {"load", NULL};
    int rc;
    struct mw_layout_input in = {0};
    struct mw_puts puts = {NULL};
    struct curve c = {.settings = s, .seeds = mw_setting_number(s, "seeds")};
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
    MW_NEW(rc, c.run, "runs of the curve", (POINTS_MAX + HALVINGS) * c.seeds);
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
