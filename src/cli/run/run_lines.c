/* run_lines.c -- lines "key: value" of a run: those that follow the official block, and the summary that
 * stands in its place where the graph is from a file. See run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/escape.h"
#include "base/plural.h"
#include "cli/run/effect.h"
#include "cli/run/run.h"
#include "graph500/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- of both ------------------------------------------------------------------------- */

/* Only where others than the host have validated, or might have. */
static void print_judges(const struct run *r, struct mw_official_lines *to)
{
    const struct mw_benchmark_result *b = &r->result[0];
    const uint32_t n = mw_effect_judged(b, MW_BY_CORES), all = mw_effect_checked(b);
    const struct mw_check *check = r->conf.algorithm->check;
    if (n > 0)
        mw_official_extra(to, "validated_by",
                          "backend '%s' %u of %u, by all tuples; of these the host %u",
                          r->way[0].world->backend->name, n, all,
                          mw_effect_judged(b, MW_BY_HOST | MW_BY_CORES));
    else if (all > 0 && check != NULL && check->confirm != NULL &&
             !mw_host_reaches(r->way[0].world->backend))
        mw_official_extra(to, "validated_by", "the host's cores, all %u", all);
}

static void print_passed(const struct run *r, struct mw_official_lines *to)
{
    uint32_t n = 0, of = 0;
    char rest[48] = "";
    for (uint32_t w = 0; w < r->n_ways; w++) {
        n += mw_effect_checked(&r->result[w]);
        of += r->result[w].n_searches;
    }
    if (n < of)
        snprintf(rest, sizeof rest, ", %u not looked at", of - n);
    mw_official_extra(to, "validation", "%u of %u searches passed%s", n, of, rest);
}

/* Whether the searches are right, and what else is to be known of them. */
static void print_verdict(const struct run *r, struct mw_official_lines *to)
{
    const struct mw_benchmark_result *b = &r->result[0];
    const char *stamp[MW_STAMPS_MOST + 1];
    mw_effect_stamps(&r->conf, b, r->way[0].world, stamp);
    if (mw_benchmark_checks(&r->conf))
        print_passed(r, to);
    else
        mw_official_extra(
            to, "validation", "NOT VALIDATED%s",
            r->conf.algorithm->check == NULL ? "; the algorithm has no check" : "");
    print_judges(r, to);
    if (r->way[0].n_kept > 0)
        mw_official_extra(to, "resumed", "%u of %u searches are an earlier run's",
                          r->way[0].n_kept, b->n_searches);
    for (uint32_t i = 0; stamp[i] != NULL; i++)
        if (strcmp(stamp[i], "NOT VALIDATED") != 0) /* that is said above */
            mw_official_extra(to, "stamp", "%s", stamp[i]);
    if (r->report.graph_file != NULL)
        mw_official_extra(to, "directed", "%s; the file says: %s",
                          b->directed ? "yes" : "no",
                          mw_directed_word(r->input.facts.directed));
}

/* Of the first search of each way. */
static void print_facts(const struct run *r, struct mw_official_lines *to)
{
    for (uint32_t w = 0; w < r->n_ways; w++)
        for (uint32_t i = 0;
             i < r->way[w].algorithm->n_facts && r->result[w].n_searches > 0; i++) {
            const struct mw_counter *const c = &r->way[w].algorithm->fact[i];
            const uint64_t fact = r->result[w].search[0].fact[i];
            if (c->kind == MW_COUNT_REAL)
                mw_official_extra(to, c->name, "%g", mw_double_of_bits(fact));
            else
                mw_official_extra(to, c->name, "%" PRIu64, fact);
        }
}

/* Joules, where they were asked for. */
static void print_energy(const struct run *r, struct mw_official_lines *to)
{
    const struct mw_energy_result *e = &r->result[0].energy;
    const double joules = e->package_joules + e->device_joules;
    if (!(e->seconds > 0))
        return;
    if (e->n_packages + e->n_devices == 0) {
        mw_official_extra(to, "energy",
                          "no counter can be read: neither /sys/class/powercap "
                          "(root's, as a rule) nor a device's");
        return;
    }
    mw_official_extra(to, "energy_loop", "%.4g s, %" PRIu64 " searches, without checks",
                      e->seconds, e->n_searches);
    mw_official_extra(to, "energy_joules",
                      "%.6g of %" PRIu64 " processors, %.6g of %" PRIu64 " devices",
                      e->package_joules, e->n_packages, e->device_joules, e->n_devices);
    mw_official_extra(to, "energy_watts", "%.4g", joules / e->seconds);
    if (e->n_edges > 0 && joules > 0)
        mw_official_extra(to, "MTEPS_per_watt", "%.6g",
                          1e-6 * (double)e->n_edges / joules);
}

/* "root 3: target at depth 2, path 3 8 5". */
static int print_goal(const struct run *r, const struct mw_search *s,
                      struct mw_official_lines *to)
{
    char root[MW_NAME_ROOM], name[MW_NAME_ROOM], key[MW_NAME_ROOM + 8], *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    if (f == NULL)
        return mw_fail(MW_ERR_NOMEM, "no memory for the text of a path");
    if (r->goal.target == MW_NO_VERTEX)
        fprintf(f, "%" PRIu64 " %s down to level %u", s->n_reached,
                mw_plural(s->n_reached, "vertex", "vertices"), s->n_levels - 1);
    else if (s->found)
        fprintf(f, "target at depth %u, path", s->n_levels - 1);
    else if (r->goal.max_depth == UINT32_MAX)
        fprintf(f, "target not reachable");
    else
        fprintf(f, "target not reached down to level %u", s->last_level);
    for (uint32_t i = 0; s->found && i < s->n_levels; i++)
        fprintf(f, " %s", mw_names_text(&r->input.names, s->path[i], name));
    const bool bad = ferror(f) != 0;
    if (fclose(f) != 0 || bad) {
        free(text);
        return mw_fail(MW_ERR_NOMEM, "no memory for the text of a path");
    }
    snprintf(key, sizeof key, "root %s", mw_names_text(&r->input.names, s->root, root));
    mw_official_extra(to, key, "%s", text);
    free(text);
    return to->rc;
}

void run_print_goals(const struct run *r, struct mw_official_lines *to)
{
    char target[MW_NAME_ROOM];
    const struct mw_benchmark_result *b = &r->result[0];
    if (b->partial && r->goal.target != MW_NO_VERTEX)
        mw_official_extra(to, "target", "%s",
                          mw_names_text(&r->input.names, r->goal.target, target));
    for (uint32_t i = 0; b->partial && to->rc == MW_OK && i < b->n_searches; i++)
        to->rc = print_goal(r, &b->search[i], to);
}

/* --- behind the block ---------------------------------------------------------------- */

/* What an emulated machine would have taken: never beside the measured ones in a figure. */
static void print_modelled(const struct run *r, struct mw_official_lines *to)
{
    const struct mw_world *const w = r->way[0].world;
    const double teps = mw_figures_modelled(&r->result[0]);
    const char *const why = mw_why_untimed(w, r->conf.algorithm);
    if (w->backend->time != NULL && why != NULL) {
        mw_official_extra(to, "modelled", "no: %s", why);
    } else if (teps > 0) {
        mw_official_extra(to, "modelled_harmonic_mean_TEPS", "%g", teps);
        mw_official_extra(to, "modelled",
                          "an emulated machine: jobs, sweeps, "
                          "memory, network; choosing directions is free");
    }
}

/* On what, and how. */
static void print_machine(const struct run *r, struct mw_official_lines *to)
{
    const struct mw_world *w = r->way[0].world;
    mw_official_extra(to, "threads_per_rank", "%u", w->conf.n_threads);
    mw_official_extra(to, "backend", "%s", w->backend->name);
    print_modelled(r, to);
    mw_official_extra(to, "routing", "%s %ux%u", w->groups.width > 1 ? "relay" : "direct",
                      w->groups.n_groups, w->groups.width);
}

/* What was searched, and what came out. */
static void print_numbers(const struct run *r, struct mw_official_lines *to)
{
    const struct mw_benchmark_result *b = &r->result[0];
    char digest[MW_DIGEST_TEXT];
    mw_official_extra(to, "num_vertices", "%" PRIu64, b->n_vertices);
    mw_official_extra(to, "num_edges", "%" PRIu64, b->n_edges);
    mw_digest_text(&b->digest, digest);
    mw_official_extra(to, "edge_list_digest", "%s", digest);
    /* Other codes search in numbers of their own and translate parents afterwards, in the
     * clock or out of it. Here there is one time, because nothing is left to translate. */
    if (r->conf.algorithm->keyed)
        mw_official_extra(to, "parents_numbering",
                          "input; written by the search, no translation step");
    print_facts(r, to);
    for (uint32_t w = 0; w < r->n_ways; w++)
        if (r->result[w].prepare_s > 0 && r->way[w].algorithm->prepare != NULL)
            mw_official_extra(to, "construction_prepare_time", "%.4f",
                              r->result[w].prepare_s);
}

static void print_memory(const struct run *r, struct mw_official_lines *to)
{
    const struct mw_benchmark_result *b = &r->result[0];
    mw_official_extra(to, "peak_memory_bytes", "%" PRIu64, b->sum_peak_bytes);
    if (r->report.predicted_bytes > 0)
        mw_official_extra(to, "predicted_rank_bytes", "%" PRIu64,
                          r->report.predicted_bytes);
    mw_official_extra(to, "peak_rank_bytes", "%" PRIu64, b->peak_bytes);
    if (r->report.predicted_device_bytes > 0) {
        mw_official_extra(to, "predicted_device_bytes", "%" PRIu64,
                          r->report.predicted_device_bytes);
        mw_official_extra(to, "peak_device_bytes", "%" PRIu64, b->peak_device_bytes);
    }
}

int run_print_extras(const struct run *r, FILE *out)
{
    const struct mw_benchmark_result *b = &r->result[0];
    struct mw_official_lines to = {out, MW_OK};
    print_verdict(r, &to);
    print_machine(r, &to);
    print_numbers(r, &to);
    print_memory(r, &to);
    print_energy(r, &to);
    for (int i = 0; b->built_there && i < MW_BUILT_PHASES; i++) {
        char name[64];
        snprintf(name, sizeof name, "construction_%s_time", mw_built_names[i]);
        mw_official_extra(&to, name, "%.4f", b->built_s[i]);
    }
    if (b->n_edges > 0)
        mw_official_extra(&to, "memory_bytes_per_edge", "%.2f",
                          (double)b->sum_peak_bytes / (double)b->n_edges);
    return to.rc;
}

/* --- the summary ---------------------------------------------------------------------- */

/* The least and the greatest of the searches. */
struct span {
    double least, most;
};

static void span_add(struct span *s, double x)
{
    s->least = fmin(s->least, x);
    s->most = fmax(s->most, x);
}

/* "4", or "4 to 7". */
static void print_span(struct mw_official_lines *to, const char *key,
                       const struct span *s, int digits, const char *unit)
{
    if (s->least < s->most)
        mw_official_extra(to, key, "%.*g to %.*g%s", digits, s->least, digits, s->most,
                          unit);
    else
        mw_official_extra(to, key, "%.*g%s", digits, s->least, unit);
}

enum { COUNT = 15, SECONDS = 4 }; /* digits of a number that is exact, and of a time */

static void print_graph(const struct run *r, struct mw_official_lines *to)
{
    const struct mw_benchmark_result *b = &r->result[0];
    char digest[MW_DIGEST_TEXT], file[MW_SHOWN_ROOM];
    mw_official_extra(to, "graph", "%s: %" PRIu64 " %s, %" PRIu64 " %s, gone along %s",
                      mw_shown(r->report.graph_file, file), b->n_vertices,
                      mw_plural(b->n_vertices, "vertex", "vertices"), b->n_edges,
                      mw_plural(b->n_edges, "edge", "edges"),
                      b->directed ? "one way" : "both ways");
    mw_digest_text(&b->digest, digest);
    mw_official_extra(to, "edge_list_digest", "%s", digest);
}

/* What searches from roots have reached. */
static void print_reached(const struct run *r, struct mw_official_lines *to)
{
    const struct mw_benchmark_result *b = &r->result[0];
    struct span reached = {INFINITY, 0}, depth = {INFINITY, 0};
    char root[MW_NAME_ROOM], of[64];
    for (uint32_t i = 0; i < b->n_searches; i++) {
        const struct mw_search *s = &b->search[i];
        span_add(&reached, (double)s->n_reached);
        span_add(&depth, s->n_levels > 0 ? s->n_levels - 1 : 0);
    }
    if (b->n_searches == 1)
        mw_official_extra(to, "root", "%s",
                          mw_names_text(&r->input.names, b->search[0].root, root));
    else
        mw_official_extra(to, "roots", "%u", b->n_searches);
    snprintf(of, sizeof of, " of %" PRIu64, b->n_vertices);
    print_span(to, "reached", &reached, COUNT, of);
    if (r->conf.algorithm->visited != NULL) /* steps of others are no depths */
        print_span(to, "depth", &depth, COUNT, "");
}

int run_print_summary(const struct run *r, FILE *out)
{
    const struct mw_benchmark_result *b = &r->result[0];
    const struct mw_figures *f = &r->way[0].figures;
    struct mw_official_lines to = {out, MW_OK};
    struct span ms = {INFINITY, 0};
    print_graph(r, &to);
    mw_official_extra(&to, "algorithm", "%s", r->conf.algorithm->name);
    if (r->report.graph_weights != NULL)
        mw_official_extra(&to, "weights", "%s",
                          strcmp(r->report.graph_weights, "ones") == 0
                              ? "none in the file; all are 1"
                              : "of the file");
    if (r->conf.algorithm->keyed && b->n_searches > 0)
        print_reached(r, &to);
    print_facts(r, &to);
    for (uint32_t i = 0; i < b->n_searches; i++)
        span_add(&ms, 1e3 * b->search[i].time_s);
    if (b->n_searches > 0)
        print_span(&to, "time", &ms, SECONDS, " ms");
    if (f->n > 0)
        mw_official_extra(&to, "rate", "%.4g GTEPS, harmonic mean", 1e-9 * f->teps.mean);
    mw_official_extra(&to, "construction", "%.4g ms", 1e3 * b->construction_s);
    mw_official_extra(&to, "memory", "%.4g MB", 1e-6 * (double)b->sum_peak_bytes);
    print_energy(r, &to);
    print_verdict(r, &to);
    run_print_goals(r, &to);
    return to.rc;
}
