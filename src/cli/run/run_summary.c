/* run_summary.c -- see run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/escape.h"
#include "base/plural.h"
#include "cli/run/run.h"
#include "graph500/output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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
static int print_span(FILE *out, const char *key, const struct span *s, int digits,
                      const char *unit)
{
    return s->least < s->most
               ? mw_official_extra(out, key, "%.*g to %.*g%s", digits, s->least, digits,
                                   s->most, unit)
               : mw_official_extra(out, key, "%.*g%s", digits, s->least, unit);
}

enum { COUNT = 15, SECONDS = 4 }; /* digits of a number that is exact, and of a time */

static int print_graph(const struct run *r, FILE *out)
{
    const struct mw_benchmark_result *b = &r->result[0];
    char digest[MW_DIGEST_TEXT], file[MW_SHOWN_ROOM];
    const int rc = mw_official_extra(
        out, "graph", "%s: %" PRIu64 " %s, %" PRIu64 " %s, gone along %s",
        mw_shown(r->graph_file, file), b->n_vertices,
        mw_plural(b->n_vertices, "vertex", "vertices"), b->n_edges,
        mw_plural(b->n_edges, "edge", "edges"), b->directed ? "one way" : "both ways");
    mw_digest_text(&b->digest, digest);
    return rc == MW_OK ? mw_official_extra(out, "edge_list_digest", "%s", digest) : rc;
}

/* What searches from roots have reached. */
static int print_reached(const struct run *r, FILE *out)
{
    const struct mw_benchmark_result *b = &r->result[0];
    struct span reached = {INFINITY, 0}, depth = {INFINITY, 0};
    char root[MW_NAME_ROOM], of[64];
    int rc;
    for (uint32_t i = 0; i < b->n_searches; i++) {
        const struct mw_search *s = &b->search[i];
        span_add(&reached, (double)s->n_reached);
        span_add(&depth, s->n_levels > 0 ? s->n_levels - 1 : 0);
    }
    MW_TRY(rc, b->n_searches == 1
                   ? mw_official_extra(
                         out, "root", "%s",
                         mw_names_text(&r->input.names, b->search[0].root, root))
                   : mw_official_extra(out, "roots", "%u", b->n_searches));
    snprintf(of, sizeof of, " of %" PRIu64, b->n_vertices);
    MW_TRY(rc, print_span(out, "reached", &reached, COUNT, of));
    if (r->conf.algorithm->visited != NULL) /* steps of others are no depths */
        MW_TRY(rc, print_span(out, "depth", &depth, COUNT, ""));
end:
    return rc;
}

int run_print_energy(const struct run *r, FILE *out)
{
    const struct mw_energy_result *e = &r->result[0].energy;
    const double joules = e->package_joules + e->device_joules;
    int rc = MW_OK;
    if (!(e->seconds > 0))
        return MW_OK;
    if (e->n_packages + e->n_devices == 0)
        return mw_official_extra(out, "energy",
                                 "no counter can be read: neither /sys/class/powercap "
                                 "(root's, as a rule) nor a device's");
    MW_TRY(rc, mw_official_extra(out, "energy_loop",
                                 "%.4g s, %" PRIu64 " searches, without checks",
                                 e->seconds, e->n_searches));
    MW_TRY(rc, mw_official_extra(
                   out, "energy_joules",
                   "%.6g of %" PRIu64 " processors, %.6g of %" PRIu64 " devices",
                   e->package_joules, e->n_packages, e->device_joules, e->n_devices));
    MW_TRY(rc, mw_official_extra(out, "energy_watts", "%.4g", joules / e->seconds));
    if (e->n_edges > 0 && joules > 0)
        rc = mw_official_extra(out, "MTEPS_per_watt", "%.6g",
                               1e-6 * (double)e->n_edges / joules);
end:
    return rc;
}

int run_print_summary(const struct run *r, FILE *out)
{
    const struct mw_benchmark_result *b = &r->result[0];
    const struct mw_figures *f = &r->way[0].figures;
    struct span ms = {INFINITY, 0};
    int rc;
    MW_TRY(rc, print_graph(r, out));
    MW_TRY(rc, mw_official_extra(out, "algorithm", "%s", r->conf.algorithm->name));
    if (r->graph_weights != NULL)
        MW_TRY(rc, mw_official_extra(out, "weights", "%s",
                                     strcmp(r->graph_weights, "ones") == 0
                                         ? "none in the file; all are 1"
                                         : "of the file"));
    if (r->conf.algorithm->keyed && b->n_searches > 0)
        MW_TRY(rc, print_reached(r, out));
    MW_TRY(rc, run_print_facts(r, out));
    for (uint32_t i = 0; i < b->n_searches; i++)
        span_add(&ms, 1e3 * b->search[i].time_s);
    if (b->n_searches > 0)
        MW_TRY(rc, print_span(out, "time", &ms, SECONDS, " ms"));
    if (f->n > 0)
        MW_TRY(rc, mw_official_extra(out, "rate", "%.4g GTEPS, harmonic mean",
                                     1e-9 * f->teps.mean));
    MW_TRY(rc,
           mw_official_extra(out, "construction", "%.4g ms", 1e3 * b->construction_s));
    MW_TRY(rc,
           mw_official_extra(out, "memory", "%.4g MB", 1e-6 * (double)b->sum_peak_bytes));
    MW_TRY(rc, run_print_energy(r, out));
    MW_TRY(rc, run_print_verdict(r, out));
    rc = run_print_goals(r, out);
end:
    return rc;
}
