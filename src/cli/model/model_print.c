/* model_print.c -- see model_print.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/model/model_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- constants -------------------------------------------------------------------------- */

/* In quotes, because sources and claims have commas. */
static void csv_text(const char *s, FILE *out)
{
    putc('"', out);
    for (; *s != '\0'; s++) {
        if (*s == '"')
            putc('"', out);
        putc(*s, out);
    }
    putc('"', out);
}

static void print_constant_csv(const struct mw_model_constant *r, FILE *out)
{
    fprintf(out, "%s,%.11g,%s,%s,", r->name, r->value, r->unit,
            mw_status_names[r->status]);
    csv_text(r->source, out);
    putc('\n', out);
}

void mw_print_constants(enum mw_style style, FILE *out)
{
    size_t n;
    const struct mw_model_constant *row = mw_model_constant_rows(&n);
    if (style == MW_STYLE_TEXT)
        fprintf(out, "%-17s %14s %-7s %-10s %s\n", "constant", "value", "unit", "status",
                "source (sections, figures and tables: Lin et al. 2017)");
    else if (style == MW_STYLE_CSV)
        fputs("constant,value,unit,status,source\n", out);
    else
        fputs("| constant | value | unit | status | source |\n|---|---|---|---|---|\n",
              out);
    for (size_t i = 0; i < n; i++) {
        const struct mw_model_constant *r = &row[i];
        const char *status = mw_status_names[r->status];
        if (style == MW_STYLE_TEXT)
            fprintf(out, "%-17s %14.11g %-7s %-10s %s\n", r->name, r->value, r->unit,
                    status, r->source);
        else if (style == MW_STYLE_CSV)
            print_constant_csv(r, out);
        else
            fprintf(out, "| `%s` | %.11g | %s | %s | %s |\n", r->name, r->value, r->unit,
                    status, r->source);
    }
}

json_t *mw_constants_json(void)
{
    size_t n;
    const struct mw_model_constant *row = mw_model_constant_rows(&n);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:f, s:s, s:s, s:s}", "name", row[i].name, "value",
                            row[i].value, "unit", row[i].unit, "status",
                            mw_status_names[row[i].status], "source", row[i].source));
    return list;
}

/* ---- claims ----------------------------------------------------------------------------- */

static void print_counts(const struct mw_claims *c, FILE *out)
{
    uint32_t n[MW_N_VERDICTS] = {0};
    for (uint32_t i = 0; i < c->n; i++)
        n[c->row[i].verdict]++;
    fprintf(out, "%u rows:", c->n);
    for (int v = 0; v < MW_N_VERDICTS; v++)
        fprintf(out, " %u %s%s", n[v], mw_claim_verdict_names[v],
                v + 1 < MW_N_VERDICTS ? "," : "\n");
}

static void print_claim(const struct mw_claim *r, enum mw_style style, FILE *out)
{
    const char *verdict = mw_claim_verdict_names[r->verdict];
    if (style == MW_STYLE_MARKDOWN) {
        fprintf(out, "| %s | %c | %s | %s | %s | %s |\n", r->id, r->kind, r->claim,
                r->published, r->ours, verdict);
        return;
    }
    if (style == MW_STYLE_CSV) {
        const char *field[] = {r->claim, r->published, r->ours};
        fprintf(out, "%s,%c,", r->id, r->kind);
        for (int i = 0; i < 3; i++) {
            csv_text(field[i], out);
            putc(',', out);
        }
        fprintf(out, "%s\n", verdict);
        return;
    }
    fprintf(out, "%-4s %c %-17s %s\n", r->id, r->kind, verdict, r->claim);
    fprintf(out, "%24s published: %s\n", "", r->published);
    if (r->ours[0] != '\0')
        fprintf(out, "%24s %s %s\n", "",
                r->verdict == MW_TESTED ? "test:     " : "ours:     ", r->ours);
}

void mw_print_claims(const struct mw_claims *c, enum mw_style style, FILE *out)
{
    if (style == MW_STYLE_MARKDOWN)
        fputs("| claim | kind | what | published | ours | verdict |\n"
              "|---|---|---|---|---|---|\n",
              out);
    else if (style == MW_STYLE_CSV)
        fputs("claim,kind,what,published,ours,verdict\n", out);
    else
        fputs("Kinds: A arithmetic, M modelled (all of ours), F test, C measured on "
              "commodity "
              "machines.\n",
              out);
    for (uint32_t i = 0; i < c->n; i++)
        print_claim(&c->row[i], style, out);
    if (style != MW_STYLE_CSV) {
        fputc('\n', out);
        print_counts(c, out);
    }
}

json_t *mw_claims_json(const struct mw_claims *c)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < c->n; i++) {
        const struct mw_claim *r = &c->row[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:s%, s:s, s:s, s:s, s:s}", "claim", r->id,
                                        "kind", &r->kind, (size_t)1, "what", r->claim,
                                        "published", r->published, "ours", r->ours,
                                        "verdict", mw_claim_verdict_names[r->verdict]));
    }
    return list;
}

/* ---- figures ---------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { XS_MOST = MW_FIGURE_POINTS * MW_FIGURE_SERIES };

/* Every x of the figure once, rising. */
static uint32_t all_x(const struct mw_figure *f, double x[XS_MOST])
{
    uint32_t n = 0, kept = 0;
    for (uint32_t s = 0; s < f->n_series; s++)
        for (uint32_t i = 0; i < f->series[s].n; i++)
            x[n++] = f->series[s].point[i].x;
    qsort(x, n, sizeof *x, by_value);
    for (uint32_t i = 0; i < n; i++)
        if (kept == 0 || x[i] > x[kept - 1])
            x[kept++] = x[i];
    return kept;
}

/* The value at x as a column; several published points may share an x. */
static void print_cell(const struct mw_series *s, double x, FILE *out)
{
    char text[64] = "";
    for (uint32_t i = 0; i < s->n; i++) {
        const struct mw_point *p = &s->point[i];
        const size_t used = strlen(text);
        if (p->x != x)
            continue;
        if (isnan(p->y))
            snprintf(text + used, sizeof text - used, "%scrash", used > 0 ? "/" : "");
        else
            snprintf(text + used, sizeof text - used, "%s%.*f", used > 0 ? "/" : "",
                     p->y < 100 ? 2 : 0, p->y);
    }
    fprintf(out, " %11s", text[0] != '\0' ? text : "-");
}

static void print_unpublished(const struct mw_figure *f, FILE *out)
{
    size_t n;
    const struct mw_published *p = mw_published_points(&n);
    for (size_t i = 0; i < n; i++) {
        if (p[i].figure != f->number)
            continue;
        fprintf(out, "  %s", p[i].series);
        if (!isnan(p[i].x))
            fprintf(out, " at %.0f", p[i].x);
        if (isnan(p[i].y))
            fprintf(out, ": not published as a number; %s\n", p[i].note);
        else
            fprintf(out, ": %.1f %s; %s\n", p[i].y, f->y_name, p[i].note);
    }
}

/* Where the series ends, and why. */
static void print_crash(const struct mw_series *s, char letter, FILE *out)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (isnan(s->point[i].y)) {
            fprintf(out, "  %c crashes from %.0f on: %s\n", letter, s->point[i].x,
                    s->point[i].note);
            return;
        }
}

static void print_text(const struct mw_figure *f, FILE *out)
{
    double x[XS_MOST];
    const uint32_t n = all_x(f, x);
    fprintf(out, "Figure %d: %s (%s)\n", f->number, f->title, f->y_name);
    for (uint32_t s = 0; s < f->n_series; s++)
        fprintf(out, "  %c  %-32s %s\n", (char)('A' + s), f->series[s].name,
                mw_status_names[f->series[s].status]);
    fprintf(out, "%12s", f->x_name);
    for (uint32_t s = 0; s < f->n_series; s++)
        fprintf(out, " %11c", (char)('A' + s));
    fputc('\n', out);
    for (uint32_t i = 0; i < n; i++) {
        fprintf(out, "%12.0f", x[i]);
        for (uint32_t s = 0; s < f->n_series; s++)
            print_cell(&f->series[s], x[i], out);
        fputc('\n', out);
    }
    for (uint32_t s = 0; s < f->n_series; s++)
        print_crash(&f->series[s], (char)('A' + s), out);
    for (uint32_t i = 0; i < f->n_notes; i++)
        fprintf(out, "  %s\n", f->note[i]);
    fputs("Published:\n", out);
    print_unpublished(f, out);
}

/* A field and its comma; empty where there is no number. */
static void csv_number(double x, FILE *out)
{
    if (!isnan(x))
        fprintf(out, "%.9g", x);
    putc(',', out);
}

static void print_csv(const struct mw_figure *f, FILE *out)
{
    for (uint32_t s = 0; s < f->n_series; s++)
        for (uint32_t i = 0; i < f->series[s].n; i++) {
            const struct mw_point *p = &f->series[s].point[i];
            fprintf(out, "%d,", f->number);
            csv_text(f->series[s].name, out);
            fprintf(out, ",%s,%.9g,", mw_status_names[f->series[s].status], p->x);
            csv_number(p->y, out);
            csv_number(p->low, out);
            csv_number(p->high, out);
            csv_text(p->note != NULL ? p->note : "", out);
            putc('\n', out);
        }
}

void mw_print_figure(const struct mw_figure *f, enum mw_style style, FILE *out)
{
    if (style == MW_STYLE_CSV)
        print_csv(f, out);
    else
        print_text(f, out);
}

static json_t *real_json(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *series_json(const struct mw_series *s)
{
    json_t *points = json_array();
    for (uint32_t i = 0; i < s->n; i++) {
        const struct mw_point *p = &s->point[i];
        json_array_append_new(points, json_pack("{s:o, s:o, s:o, s:o, s:s?}", "x",
                                                real_json(p->x), "y", real_json(p->y),
                                                "low", real_json(p->low), "high",
                                                real_json(p->high), "note", p->note));
    }
    return json_pack("{s:s, s:s, s:o}", "name", s->name, "status",
                     mw_status_names[s->status], "points", points);
}

static json_t *published_json(int figure)
{
    size_t n;
    const struct mw_published *p = mw_published_points(&n);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        if (p[i].figure == figure)
            json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:s}", "series",
                                                  p[i].series, "status",
                                                  mw_status_names[p[i].status], "x",
                                                  real_json(p[i].x), "y",
                                                  real_json(p[i].y), "note", p[i].note));
    return list;
}

json_t *mw_figure_json(const struct mw_figure *f)
{
    json_t *series = json_array(), *notes = json_array();
    for (uint32_t s = 0; s < f->n_series; s++)
        json_array_append_new(series, series_json(&f->series[s]));
    for (uint32_t i = 0; i < f->n_notes; i++)
        json_array_append_new(notes, json_string(f->note[i]));
    return json_pack("{s:i, s:s, s:s, s:s, s:s?, s:o, s:o, s:o}", "figure", f->number,
                     "title", f->title, "x", f->x_name, "y", f->y_name, "band", f->band,
                     "series", series, "published", published_json(f->number), "notes",
                     notes);
}

/* ---- parts of a search ------------------------------------------------------------------ */

struct spot {
    enum mw_variant variant;
    double nodes, vertices;
};

enum { N_SPOTS = 9 };

static void choose_spots(const struct mw_model *m, struct spot spot[N_SPOTS])
{
    const double full = m->c.scaling_nodes, v = m->c.fig11_vertices;
    const struct spot all[N_SPOTS] = {
        {MW_DIRECT_MPE, 256, v},
        {MW_DIRECT_CPE, 256, v},
        {MW_RELAY_MPE, 256, v},
        {MW_RELAY_CPE, 256, v},
        {MW_DIRECT_MPE, 4096, v},
        {MW_RELAY_CPE, 4096, v},
        {MW_RELAY_CPE, full, 0x1p36 / full},
        {MW_RELAY_CPE, full, 0x1p38 / full},
        {MW_RELAY_CPE, full, 0x1p40 / full},
    };
    memcpy(spot, all, sizeof all);
}

void mw_print_parts(const struct mw_model *m, enum mw_style style, FILE *out)
{
    struct spot spot[N_SPOTS];
    choose_spots(m, spot);
    if (style == MW_STYLE_CSV)
        fputs("variant,nodes,vertices,modules_s,network_s,work_s,messages_s,hubs_s,"
              "ending_s,"
              "total_s,gteps\n",
              out);
    else
        fprintf(
            out,
            "Seconds of a search, mean, all modelled; work: the larger of modules and\n"
            "network of each level\n%-10s %6s %9s %8s %8s %8s %8s %8s %8s %8s %9s\n",
            "variant", "nodes", "vertices", "modules", "network", "work", "messages",
            "hubs", "ending", "total", "GTEPS");
    for (int i = 0; i < N_SPOTS; i++) {
        struct mw_model_time t;
        double teps;
        mw_model_time_of(m, spot[i].variant, spot[i].nodes, spot[i].vertices, &t, &teps);
        fprintf(
            out,
            style == MW_STYLE_CSV
                ? "%s,%.0f,%.0f,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n"
                : "%-10s %6.0f %9.0f %8.4f %8.4f %8.4f %8.4f %8.4f %8.4f %8.4f %9.1f\n",
            mw_variant_names[spot[i].variant], spot[i].nodes, spot[i].vertices, t.modules,
            t.network, t.work, t.messages, t.hubs, t.ending, t.total, teps * 1e-9);
    }
}

json_t *mw_parts_json(const struct mw_model *m)
{
    struct spot spot[N_SPOTS];
    json_t *list = json_array();
    choose_spots(m, spot);
    for (int i = 0; i < N_SPOTS; i++) {
        struct mw_model_time t;
        double teps;
        mw_model_time_of(m, spot[i].variant, spot[i].nodes, spot[i].vertices, &t, &teps);
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}",
                      "variant", mw_variant_names[spot[i].variant], "status", "modelled",
                      "nodes", spot[i].nodes, "vertices", spot[i].vertices, "modules_s",
                      t.modules, "network_s", t.network, "work_s", t.work, "messages_s",
                      t.messages, "hubs_s", t.hubs, "ending_s", t.ending, "total_s",
                      t.total, "gteps", teps * 1e-9));
    }
    return list;
}

void mw_print_profile(const struct mw_model *m, FILE *out)
{
    const struct mw_profile *p = m->profile;
    fprintf(out, "Profile (measured): %s, %s, %s\n", p->title, p->machine, p->date);
    fprintf(out, "Messages: %s\n",
            m->traffic == MW_TRAFFIC_HUBS
                ? "hubs (counted: the paper's form with its hubs)"
            : m->traffic == MW_TRAFFIC_RUN ? "run (as the run sent; bottom-up by bitmap)"
                                           : "all (every entry a record, no hubs)");
}

json_t *mw_model_profile_json(const struct mw_model *m)
{
    const struct mw_profile *p = m->profile;
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "status", "measured", "title", p->title,
                     "machine", p->machine, "date", p->date, "traffic",
                     mw_traffic_names[m->traffic]);
}
