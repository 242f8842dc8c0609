/* cmd_layout_sweep.c -- "meshway layout sweep": many simulations at once, as CSV, as a table
 * of the best, and as times to deadlock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/latency_report.h"
#include "layouts/verbs/runs.h"
#include "layouts/verbs/sim_setup.h"
#include "layouts/verbs/sweep_axes.h"
#include "layouts/ways/knot.h"

#include "base/mem.h"
#include "mesh/proof/proof.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct mw_option options[] = {
    MW_OPTION_LAYOUT,
    MW_OPTION_MODEL_SIM,
    {.name = "vary", .kind = MW_OPT_TEXT, .value = "KEY=VALUES", .repeats = true,
     .help = "Any number of the layout or the simulation (fifo, row, col, send, load, dma, "
             "batch, ...), roles or cost.LETTER; values as 1,2,4 or 1..64 or 1..64*2 or "
             "10..50+5; again for one more axis"},
    {.name = "seeds", .kind = MW_OPT_COUNT, .value = "N", .fallback = "1", .min = 1,
     .max = 10000, .help = "Runs per point, with seeds from --seed on"},
    MW_OPTIONS_SIM,
    MW_OPTION_DRAIN,
    MW_OPTION_JOBS,
    MW_OPTION_OUTPUT("Write a line per run as CSV; - prints it instead of the tables"),
    MW_OPTION_FORCE,
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {
    MW_CONFLICTS_COMMON, /* those of the simulation: check_axes() */
};
/* clang-format on */

/* ---- running ---------------------------------------------------------------------------- */

struct run {
    double bytes_per_s, bound, least_source, most_source;
    const char *limit;
    uint64_t cycles, deadlock_cycle;
    uint64_t slots;   /* FIFO and send slots of a core, or of the fullest core's rings */
    uint32_t buckets; /* of the layout */
    bool deadlock, proved;
    enum mw_latency_end end;
    struct mw_delay latency; /* of all messages, from creation */
};

struct sweep {
    const struct mw_settings *settings;
    const struct mw_layout_input *in;
    struct mw_axes axes;
    uint64_t seeds, n_runs;
    struct run *run; /* [n_runs]: point-major, then seed */
};

/* What the model says of the layout, and the puts to run instead of it, if it is of those. */
static int prove(const struct sweep *w, const struct mw_layout *l,
                 struct mw_sim_conf *conf, struct mw_puts *puts, struct run *out)
{
    int rc;
    struct mw_throughput t = {.bound = INFINITY, .limit = "-"};
    struct mw_proof proof = {0};
    struct mw_rma rma = {.n_circle = 0};
    const uint32_t rings =
        mw_axes_has(&w->axes, "fifo") ? l->fifo[MW_ROW] : mw_sim_rings(w->settings);
    MW_TRY(rc, mw_sim_puts(w->settings, l, rings, conf, puts));
    if (puts->layout != NULL) {
        MW_TRY(rc, mw_rma_prove(l, conf->rings, &rma));
        MW_TRY(rc, mw_rma_store(&rma.network, 1, &out->slots));
    } else {
        MW_TRY(rc, mw_any_proof_make(l, MW_COUPLED, &proof));
        MW_TRY(rc, mw_layout_throughput(l, &t));
        out->slots = conf->fifo[MW_ROW] + conf->fifo[MW_COLUMN] + conf->send;
    }
    out->proved = puts->layout != NULL ? rma.waits.free : proof.free;
    out->bound = t.bound;
    out->limit = t.limit;
    out->buckets = l->n_buckets;
end:
    mw_rma_fini(&rma);
    mw_proof_fini(&proof);
    return rc;
}

static int simulate(void *arg, uint64_t i)
{
    int rc;
    struct sweep *w = arg;
    struct run *out = &w->run[i];
    const uint64_t point = i / w->seeds;
    struct mw_layout *l = NULL;
    struct mw_puts puts = {NULL};
    struct mw_sim_conf conf;
    struct mw_sim_result r = {0};
    MW_TRY(rc, mw_axes_layout(&w->axes, point, w->in->text, w->in->bytes, &l));
    MW_TRY(rc, mw_sim_configure(w->settings, l, &conf));
    MW_TRY(rc, mw_axes_apply(&w->axes, point, l, &conf));
    if (!mw_axes_has(&w->axes, "warmup"))
        mw_sim_warmup(w->settings, &conf);
    mw_sim_drain(w->settings, &conf);
    conf.seed += i % w->seeds;
    MW_TRY(rc, prove(w, l, &conf, &puts, out));
    MW_TRY(rc, mw_layout_sim(puts.layout != NULL ? puts.layout : l, &conf, &r));
    out->bytes_per_s = r.bytes_per_s;
    out->least_source = r.least_source;
    out->most_source = r.most_source;
    out->cycles = r.cycles;
    out->deadlock = r.deadlock;
    out->deadlock_cycle = r.deadlock_cycle;
    out->end = r.latency.end;
    out->latency = r.latency.all.created;
end:
    mw_sim_result_fini(&r);
    mw_puts_fini(&puts);
    mw_layout_free(l);
    return rc;
}

/* ---- output ------------------------------------------------------------------------------ */

static int print_csv(const void *what, FILE *out)
{
    const struct sweep *w = what;
    const uint64_t first_seed = mw_setting_number(w->settings, "seed");
    for (uint32_t a = 0; a < w->axes.n; a++)
        fprintf(out, "%s,", w->axes.axis[a].key);
    fprintf(out,
            "seed,%s,gb_per_s_simulated,bound_gb_per_s_modelled,limit,deadlock,"
            "deadlock_cycle,cycles,least_source,most_source,slots_per_core,buckets,"
            "latency_mean,latency_p50,latency_p95,latency_p99,latency_end\n",
            mw_setting_text(w->settings, "model"));
    for (uint64_t i = 0; i < w->n_runs; i++) {
        const struct run *r = &w->run[i];
        for (uint32_t a = 0; a < w->axes.n; a++)
            fprintf(out, "%s,", mw_axes_value(&w->axes, i / w->seeds, a));
        fprintf(out, "%" PRIu64 ",%s,%.4f,%.4f,%s,%d,", first_seed + i % w->seeds,
                r->proved ? "free" : "deadlock", r->bytes_per_s * 1e-9, r->bound * 1e-9,
                r->limit, r->deadlock);
        if (r->deadlock)
            fprintf(out, "%" PRIu64, r->deadlock_cycle);
        fprintf(out, ",%" PRIu64 ",%.4f,%.4f,%" PRIu64 ",%u", r->cycles, r->least_source,
                r->most_source, r->slots, r->buckets);
        mw_delay_print_csv(&r->latency, out);
        fprintf(out, ",%s\n", mw_latency_end_names[r->end]);
    }
    return MW_OK;
}

/* A point: its runs together. */
struct point {
    uint64_t number, n_deadlocks;
    double mean; /* bytes/s of its runs without deadlock */
    const struct run *run;
};

static struct point summarise(const struct sweep *w, uint64_t number)
{
    struct point p = {.number = number, .run = &w->run[number * w->seeds]};
    for (uint64_t k = 0; k < w->seeds; k++) {
        p.n_deadlocks += p.run[k].deadlock;
        p.mean += p.run[k].deadlock ? 0 : p.run[k].bytes_per_s;
    }
    if (w->seeds > p.n_deadlocks)
        p.mean /= (double)(w->seeds - p.n_deadlocks);
    return p;
}

/* At least as good in everything, and better in something. */
static bool dominates(const struct point *a, const struct point *b)
{
    const bool no_worse = a->mean >= b->mean && a->run->slots <= b->run->slots &&
                          a->run->buckets >= b->run->buckets;
    return no_worse && (a->mean > b->mean || a->run->slots < b->run->slots ||
                        a->run->buckets > b->run->buckets);
}

static void print_point(const struct sweep *w, uint64_t number)
{
    for (uint32_t a = 0; a < w->axes.n; a++)
        printf("%-12s ", mw_axes_value(&w->axes, number, a));
}

static void print_keys(const struct sweep *w)
{
    for (uint32_t a = 0; a < w->axes.n; a++)
        printf("%-12s ", w->axes.axis[a].key);
}

/* Whether a proved point with the same given values beats this one. */
static bool is_beaten(const struct sweep *w, const struct point *point, uint64_t i)
{
    for (uint64_t k = 0; k < w->axes.n_points; k++)
        if (point[k].run->proved && dominates(&point[k], &point[i]) &&
            mw_axes_comparable(&w->axes, k, i))
            return true;
    return false;
}

static void print_given(const struct sweep *w)
{
    const char *before = "; compared at the same ";
    for (uint32_t a = 0; a < w->axes.n; a++)
        if (mw_axes_given(&w->axes, a)) {
            printf("%s%s", before, w->axes.axis[a].key);
            before = ", ";
        }
    putchar('\n');
}

/* Proved layouts that no other beats in throughput, FIFO slots and buckets at once. */
static void print_pareto(const struct sweep *w, const struct point *point)
{
    printf("Pareto: GB/s (simulated, mean of %" PRIu64
           ") up, %s down, buckets up; proved layouts only",
           w->seeds,
           mw_sim_by_puts(w->settings) ? "ring slots of the fullest core"
                                       : "FIFO slots a core");
    print_given(w);
    print_keys(w);
    printf("%8s %8s %8s  %s\n", "GB/s", "slots", "buckets", "bound by");
    for (uint64_t i = 0; i < w->axes.n_points; i++) {
        if (!point[i].run->proved || is_beaten(w, point, i))
            continue;
        print_point(w, i);
        printf("%8.2f %8" PRIu64 " %8u  %s\n", point[i].mean * 1e-9, point[i].run->slots,
               point[i].run->buckets, point[i].run->limit);
    }
}

static int by_cycle(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Cycles until the detector fired: least, middle, most; runs without a deadlock count as
 * longer than all others. */
static int print_deadlocks(const struct sweep *w, const struct point *point)
{
    uint64_t *cycle;
    MW_NEED_NEW(cycle, "deadlock cycles", w->seeds);
    printf("Time to deadlock: cycles until the detector fires (simulated, %" PRIu64
           " seeds)\n",
           w->seeds);
    print_keys(w);
    printf("%10s %10s %10s  %s\n", "least", "median", "most", "none in time");
    for (uint64_t i = 0; i < w->axes.n_points; i++) {
        uint64_t n = 0;
        for (uint64_t k = 0; k < w->seeds; k++)
            if (point[i].run[k].deadlock)
                cycle[n++] = point[i].run[k].deadlock_cycle;
        qsort(cycle, n, sizeof *cycle, by_cycle);
        print_point(w, i);
        if (n == 0)
            printf("%10s %10s %10s", "-", "-", "-");
        else if (n > w->seeds / 2)
            printf("%10" PRIu64 " %10" PRIu64 " %10" PRIu64, cycle[0],
                   cycle[w->seeds / 2], cycle[n - 1]);
        else
            printf("%10" PRIu64 " %10s %10" PRIu64, cycle[0], "-", cycle[n - 1]);
        printf("  %" PRIu64 " of %" PRIu64 "%s\n", w->seeds - n, w->seeds,
               point[i].run->proved ? "  (proved free)" : "");
    }
    mw_free(cycle);
    return MW_OK;
}

static int print_tables(const struct sweep *w, bool any_deadlock)
{
    int rc = MW_OK;
    struct point *point;
    bool any_proved = false;
    MW_NEED_NEW(point, "sweep points", w->axes.n_points);
    for (uint64_t i = 0; i < w->axes.n_points; i++) {
        point[i] = summarise(w, i);
        any_proved = any_proved || point[i].run->proved;
    }
    if (any_proved)
        print_pareto(w, point);
    if (any_deadlock || !any_proved)
        rc = print_deadlocks(w, point);
    mw_free(point);
    return rc;
}

/* ---- the command --------------------------------------------------------------------------- */

static int report(const struct sweep *w)
{
    const char *name = mw_setting_text(w->settings, "output");
    bool any_deadlock = false;
    for (uint64_t i = 0; i < w->n_runs; i++)
        any_deadlock = any_deadlock || w->run[i].deadlock;
    MW_NEED(mw_layout_write(w->settings, "output", print_csv, w));
    if (name == NULL || strcmp(name, "-") != 0)
        MW_NEED(print_tables(w, any_deadlock));
    return any_deadlock ? MW_LAYOUT_DEADLOCK : MW_OK;
}

static bool is_given(const struct mw_settings *s, const char *name)
{
    const bool flag = mw_option_find(s->command, name)->kind == MW_OPT_FLAG;
    return mw_setting_given(s, name) && (!flag || mw_setting_number(s, name) != 0);
}

/* An option and an axis that set the same would mean that one of them is ignored. */
static int check_axes(const struct mw_settings *s, const struct mw_axes *a)
{
    static const struct {
        const char *option, *key;
    } same[] = {{"depth", "fifo"},    {"depth", "row"},       {"depth", "col"},
                {"send", "send"},     {"cycles", "cycles"},   {"latency", "latency"},
                {"load", "load"},     {"hotspot", "hotspot"}, {"skew", "skew"},
                {"supply", "supply"}, {"detect", "detect"},   {"warmup", "warmup"},
                {"no-memory", "dma"}};
    static const char *const of_fifos[] = {"row",     "col",  "send",
                                           "hotspot", "skew", "supply"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (mw_axes_has(a, same[i].key) && is_given(s, same[i].option))
            return mw_fail(MW_ERR_USAGE,
                           "--%s and --vary %s exclude each other: which one holds?",
                           same[i].option, same[i].key);
    if (is_given(s, "hotspot-core") && !is_given(s, "hotspot") &&
        !mw_axes_has(a, "hotspot"))
        return mw_fail(MW_ERR_USAGE, "--hotspot-core needs --hotspot or --vary hotspot: "
                                     "without a share nothing goes there");
    for (size_t i = 0; i < sizeof of_fifos / sizeof *of_fifos && mw_sim_by_puts(s); i++)
        if (mw_axes_has(a, of_fifos[i]))
            return mw_fail(MW_ERR_USAGE, "--vary %s: not with --model rma", of_fifos[i]);
    return MW_OK;
}

static int sweep_main(const struct mw_settings *s)
{
    static const char *const outputs[] = {"output", NULL};
    int rc;
    struct mw_layout_input in = {0};
    struct sweep w = {.settings = s, .in = &in, .seeds = mw_setting_number(s, "seeds")};
    MW_TRY(rc, mw_axes_parse(mw_setting_text(s, "vary"), &w.axes));
    MW_TRY(rc, check_axes(s, &w.axes));
    MW_TRY(rc, mw_layout_outputs(s, outputs, false));
    MW_TRY(rc, mw_layout_input_open(mw_setting_text(s, "file"), false, &in));
    w.n_runs = w.axes.n_points * w.seeds;
    if (w.n_runs > MW_POINTS_MAX)
        MW_TRY(rc, mw_fail(MW_ERR_USAGE, "sweep: %" PRIu64 " runs, at most %d", w.n_runs,
                           MW_POINTS_MAX));
    MW_NEW(rc, w.run, "sweep", w.n_runs);
    MW_TRY(rc, mw_runs_all(s, w.n_runs, simulate, &w));
    rc = report(&w);
end:
    mw_free(w.run);
    mw_axes_fini(&w.axes);
    mw_layout_input_fini(&in);
    return rc;
}

const struct mw_command mw_command_layout_sweep = {
    .name = "layout sweep",
    .summary = "many simulations: CSV, the best, time to deadlock",
    .text =
        "Simulates the layout at every combination of the values given, with as many "
        "seeds as wanted, on all cores. Prints the points that no other beats, and where "
        "runs deadlock, how long it took. Exit codes: 0 no deadlock was met, 1 some run "
        "deadlocked, 2 bad input. ('meshway sweep' is another thing: it runs the "
        "benchmark.)",
    .example =
        "meshway layout sweep demo-depth.layout --vary fifo=1..64*2 --seeds 5 -c 2000000",
    .example_does = "the study of time to deadlock against depth",
    MW_VERB_CONFLICTS(conflicts),
    MW_VERB_OF_FILE(sweep_main, options),
};
