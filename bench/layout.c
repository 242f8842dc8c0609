/* layout.c -- the mesh tools against their bars: proof, search, simulation.
 *
 *      bench_layout [--repeats 5]
 *
 * Prints what was measured beside the bar it is meant to pass, and ends with 1 if one is
 * missed. Times are medians; layouts are generated, so nothing is read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

#include "base/clock.h"
#include "base/mem.h"
#include "layouts/explore/explore.h"
#include "layouts/sim/sim.h"
#include "mesh/proof/proof.h"

enum { REPEATS_MAX = 99 };

static int repeats;
static bool missed;

static void judge(const char *what, double measured, const char *unit, bool at_least,
                  double bar)
{
    const bool good = at_least ? measured >= bar : measured <= bar;
    missed = missed || !good;
    printf("%-44s %10.3f %-12s bar %s %g  %s\n", what, measured, unit,
           at_least ? ">=" : "<=", bar, good ? "met" : "MISSED");
}

static char *generate(const char *kind, uint32_t side, size_t *bytes)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, bytes);
    if (f == NULL || mw_layout_generate(kind, side, side, f) < MW_OK || fclose(f) != 0)
        bench_die(mw_error_text());
    return text;
}

static struct mw_layout *parse(const char *text, size_t bytes)
{
    static struct mw_diagnostics d;
    struct mw_layout *l = NULL;
    memset(&d, 0, sizeof d);
    if (mw_layout_parse(text, bytes, &l, &d) < MW_OK)
        bench_die(d.kept[0].text);
    return l;
}

/* Text to three verdicts, as `meshway layout check --no-realise` does it. */
static void check(const char *kind, uint32_t side, int n, double bar_ms)
{
    size_t bytes;
    char *text = generate(kind, side, &bytes);
    double ms[REPEATS_MAX];
    char what[64];
    for (int i = 0; i < n; i++) {
        const double start = mw_now();
        struct mw_layout *l = parse(text, bytes);
        for (int m = 0; m < MW_N_MODELS; m++) {
            struct mw_proof p;
            if (mw_proof_make(l, (enum mw_mesh_model)m, &p) < MW_OK)
                bench_die(mw_error_text());
            mw_proof_fini(&p);
        }
        mw_layout_free(l);
        ms[i] = (mw_now() - start) * 1e3;
    }
    snprintf(what, sizeof what, "check %ux%u %s, parse to three verdicts", side, side,
             kind);
    judge(what, bench_median(ms, (uint32_t)n), "ms", false, bar_ms);
    free(text);
}

static void explore(const char *title, struct mw_layout *l, uint32_t depth,
                    uint64_t limit)
{
    double rate[REPEATS_MAX], bytes = 0, states = 0;
    char what[96];
    for (int i = 0; i < repeats; i++) {
        struct mw_exploration e;
        const struct mw_explore_conf conf = {.fifo = {depth, depth}, .limit = limit};
        if (mw_layout_explore(l, &conf, &e) < MW_OK)
            bench_die(mw_error_text());
        states = (double)e.n_states;
        rate[i] = states / e.seconds * 1e-6;
        bytes = (double)e.bytes / states;
        mw_exploration_fini(&e);
    }
    snprintf(what, sizeof what, "explore %s, depth %u, %.0f states", title, depth,
             states);
    judge(what, bench_median(rate, (uint32_t)repeats), "M states/s", true, 2);
    judge("  memory", bytes, "B/state", false, 40);
    mw_layout_free(l);
}

static struct mw_layout *small_paper(void)
{
    static const char text[] =
        "mesh 2 4\nroles PDUK\nroute P: down->D up->U same->D\n"
        "route D: col-to-row, then K\nroute U: col-to-row, then K\n";
    return parse(text, sizeof text - 1);
}

static struct mw_layout *wide_paper(void)
{
    static const char text[] =
        "mesh 2 5\nroles PPDUK\nroute P: down->D up->U same->D|U\n"
        "route D: col-to-row, then K\nroute U: col-to-row, then K\n";
    return parse(text, sizeof text - 1);
}

static void simulate(const char *kind, double bar)
{
    size_t bytes;
    char *text = generate(kind, 8, &bytes), what[64];
    struct mw_layout *l = parse(text, bytes);
    double rate[REPEATS_MAX];
    for (int i = 0; i < repeats; i++) {
        struct mw_sim_conf conf;
        struct mw_sim_result r;
        mw_sim_defaults(l, &conf);
        conf.cycles = 1000000;
        const double start = mw_now();
        if (mw_layout_sim(l, &conf, &r) < MW_OK)
            bench_die(mw_error_text());
        rate[i] = (double)r.cycles / (mw_now() - start) * 1e-6;
        mw_sim_result_fini(&r);
    }
    snprintf(what, sizeof what, "sim 8x8 %s, saturated, one core", kind);
    judge(what, bench_median(rate, (uint32_t)repeats), "M cycles/s", true, bar);
    mw_layout_free(l);
    free(text);
}

int main(int argc, char **argv)
{
    repeats = (int)bench_option(argc, argv, "--repeats", 5);
    if (repeats < 1 || repeats > REPEATS_MAX)
        bench_die("--repeats within 1..99");
    check("paper", 8, repeats, 1);
    check("xy", 8, repeats, 5);
    check("paper", 64, 3, 10000);
    check("xy", 64, 3, 10000);
    explore("paper 2x4", small_paper(), 2, 0);
    explore("paper 2x5", wide_paper(), 1, 0);
    simulate("paper", 3);
    simulate("merged", 3);
    simulate("xy", 3);
    return missed;
}
