/* curve_report.c -- see curve.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/curve.h"

#include "base/escape.h"
#include "base/mem.h"
#include "cli/json_field.h"
#include "layouts/verbs/latency_report.h"
#include "layouts/verbs/layout_report.h"

#include <inttypes.h>
#include <math.h>

/* ---- text ------------------------------------------------------------------------------- */

static const struct mw_curve_point *most_carried(const struct mw_curve *c)
{
    const struct mw_curve_point *best = &c->point[0];
    for (uint64_t i = 1; i < c->n_points; i++)
        if (c->point[i].carried > best->carried)
            best = &c->point[i];
    return best;
}

static void print_saturation(const struct mw_curve *c, FILE *out)
{
    const struct mw_curve_point *most = most_carried(c);
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

void mw_curve_print(const struct mw_curve *c, const char *title, FILE *out)
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
        const struct mw_curve_point *p = &c->point[i];
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

int mw_curve_print_csv(const void *curve, FILE *out)
{
    const struct mw_curve *c = curve;
    fputs("load,seed,offered_gb_per_s,carried_gb_per_s_simulated,stable,latency_end,"
          "deadlock,"
          "created,arrived,mean_from_creation,p50_from_creation,p95_from_creation,"
          "p99_from_creation,mean_from_injection,p50_from_injection,p95_from_injection,"
          "p99_from_injection\n",
          out);
    for (uint64_t i = 0; i < c->n_points * c->seeds; i++) {
        const struct mw_curve_run *r = &c->point[i / c->seeds].run[i % c->seeds];
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
int mw_curve_draw(const void *curve, FILE *out)
{
    const struct mw_curve *c = curve;
    char title[2][160];
    struct mw_figure *f;
    double most_latency = 1, most_rate = 1;
    MW_NEED_NEW(f, "figures", 2);
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
        const struct mw_curve_point *p = &c->point[i];
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
    return MW_OK;
}

static json_t *point_json(const struct mw_curve *c, const struct mw_curve_point *p)
{
    return json_pack("{s:f, s:f, s:f, s:b, s:I, s:I, s:o, s:o}", "load", p->load,
                     "offered_bytes_per_s", p->offered, "carried_bytes_per_s_simulated",
                     p->carried, "stable", p->stable, "runs", (json_int_t)c->seeds,
                     "deadlocks", (json_int_t)p->n_deadlocks, "from_creation",
                     mw_delay_json(&p->created), "from_injection",
                     mw_delay_json(&p->injected));
}

int mw_curve_print_json(const struct mw_curve *c, const char *title)
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
