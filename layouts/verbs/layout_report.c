/* layout_report.c -- see layout_report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/layout_report.h"

#include "base/escape.h"
#include "base/mem.h"
#include "cli/json_field.h"

#include <inttypes.h>
#include <string.h>

const char *const mw_verdict_words[] = {"free", "deadlock", "undecided"};
const char *const mw_verdict_titles[] = {"FREE", "DEADLOCK", "UNDECIDED"};

/* ---- text ------------------------------------------------------------------------------- */

static void print_flow(const struct mw_layout *l, uint64_t flow, FILE *out)
{
    mw_core *core = mw_alloc("cores of a flow", l->longest, sizeof *core);
    if (core == NULL) {
        mw_error_clear();
        fprintf(out, "%" PRIu64, flow);
        return;
    }
    const uint32_t n = mw_layout_flow(l, flow, core);
    mw_path_print(l, core, n, out);
    mw_free(core);
}

/* One line of the witness: which put waits, and the flow that wants it. */
static void print_edge(const struct mw_layout *l, const struct mw_proof *p, uint32_t i,
                       FILE *out)
{
    char name[2][MW_NODE_NAME];
    const mw_mesh_node from = p->node[i], to = mw_witness_next(p, i);
    const mw_core at = mw_node_core(l, p->model, from),
                  next = mw_node_core(l, p->model, to);
    mw_node_name(l, p->model, from, name[0]);
    mw_node_name(l, p->model, to, name[1]);
    fprintf(out, "  %u: %s ", i, name[0]);
    if (l->role[at] != '.')
        fprintf(out, "(%c) ", l->role[at]);
    if (p->model == MW_COUPLED)
        fprintf(out, "put%c -> %s   flow ",
                mw_hop_class(l, at, next) == MW_ROW ? 'r' : 'c', name[1]);
    else
        fprintf(out, "full, head wants %s   flow ", name[1]);
    print_flow(l, p->why[i].flow, out);
    fputc('\n', out);
}

static void print_realised(const struct mw_layout_report *r, int m,
                           const char *trace_file, FILE *out)
{
    const struct mw_exploration *e = &r->realised[m];
    if (!r->conf.realise)
        return;
    if (e->verdict != MW_EXPLORED_DEADLOCK) {
        fprintf(out, "  not realised within %" PRIu64 " states", e->n_states);
        return;
    }
    fprintf(out, "  realised in %" PRIu64 " steps%s", e->trace.n_steps,
            e->shortest ? "" : " (not the fewest)");
    if (trace_file != NULL)
        fprintf(out, " -> %s", trace_file);
}

static void print_witness(const struct mw_layout_report *r, int m, const char *trace_file,
                          FILE *out)
{
    static const char *const what[MW_N_MODELS] = {"core", "FIFO", "link"};
    const struct mw_layout *l = r->layout;
    const struct mw_proof *p = &r->proof[m];
    char name[MW_NODE_NAME];
    fprintf(out, "%s %s is in a CYCLE of %u:\n", what[m],
            mw_node_name(l, p->model, p->node[0], name), p->n_cycle);
    for (uint32_t i = 0; i < p->n_cycle; i++)
        print_edge(l, p, i, out);
    fprintf(out, "needs %" PRIu64 " messages in flight (fifo ", p->min_inflight);
    if (l->fifo[MW_ROW] == l->fifo[MW_COLUMN])
        fprintf(out, "%u", l->fifo[MW_ROW]);
    else
        fprintf(out, "row %u col %u", l->fifo[MW_ROW], l->fifo[MW_COLUMN]);
    if (m == MW_COUPLED)
        fprintf(out, ", send %u", l->send);
    fprintf(out, "); at most %" PRIu64 " is safe.", p->min_inflight - 1);
    print_realised(r, m, trace_file, out);
    fputc('\n', out);
}

void mw_verdicts_print(const enum mw_explore_verdict *verdict, const char *const *name,
                       const bool *wanted, int n, int decides, FILE *out)
{
    const char *before = " (";
    fputs(mw_verdict_titles[verdict[decides]], out);
    for (int m = 0; m < n; m++)
        if (wanted[m] && verdict[m] == verdict[decides]) {
            fprintf(out, "%s%s", before, name[m]);
            before = ", ";
        }
    fputc(')', out);
    for (int m = 0; m < n; m++)
        if (wanted[m] && verdict[m] != verdict[decides])
            fprintf(out, "   %s: %s", name[m], mw_verdict_words[verdict[m]]);
}

static void print_verdicts(const struct mw_layout_report *r, FILE *out)
{
    enum mw_explore_verdict verdict[MW_N_MODELS];
    for (int m = 0; m < MW_N_MODELS; m++)
        verdict[m] = mw_report_verdict(r, (enum mw_mesh_model)m);
    mw_verdicts_print(verdict, mw_mesh_model_names, r->conf.wanted, MW_N_MODELS,
                      (int)r->conf.decides, out);
}

static double kib(uint64_t bytes)
{
    return (double)bytes / 1024.0;
}

static void print_store(const struct mw_layout_report *r, FILE *out)
{
    const struct mw_layout *l = r->layout;
    fprintf(out, "  single-writer: %s  SPM %.1fK+%.1fK/%.0fK  buckets %" PRIu64,
            r->n_writers == 0 ? "yes" : "no", kib(l->spm_reserve),
            kib(r->budget.bytes_used), kib(l->spm_bytes), r->budget.buckets);
    if (!r->budget.fits)
        fprintf(out, " (spm-overflow: %" PRIu64 " fit)", r->budget.buckets_fit);
}

static void print_hazards(const struct mw_layout_report *r, FILE *out)
{
    const struct mw_hazards *h = &r->hazards;
    char name[MW_NODE_NAME];
    fputs("needs of the program:", out);
    if (h->n_two_classes > 0)
        fprintf(out,
                " %u core%s from row and column and must select (ordered-get; first %s);",
                h->n_two_classes, h->n_two_classes == 1 ? " takes" : "s take",
                mw_core_name(r->layout, h->two_classes, name));
    fprintf(
        out,
        " %" PRIu64 " end-of-stream markers, at most %u to one core (missing-eos; %s)\n",
        h->n_markers, h->most_markers, mw_core_name(r->layout, h->most_markers_at, name));
}

/* Free, for nothing goes round; and yet nothing comes through. */
static void print_walls(const struct mw_layout_report *r, FILE *out)
{
    const struct mw_layout *l = r->layout;
    const bool row = l->fifo[MW_ROW] == 0, column = l->fifo[MW_COLUMN] == 0;
    const bool decoupled = r->conf.wanted[MW_DECOUPLED], link = r->conf.wanted[MW_LINK];
    if ((row || column) && (decoupled || link))
        fprintf(out,
                "depth 0: %s%s%s: nothing enters %s FIFO, and what needs one is stuck\n",
                decoupled ? "decoupled" : "", decoupled && link ? ", " : "",
                link ? "link" : "",
                row && column ? "any"
                : row         ? "a row"
                              : "a column");
}

static void print_writers(const struct mw_layout_report *r, FILE *out)
{
    for (uint64_t i = 0; i < r->n_writers && i < MW_REPORT_WRITERS; i++) {
        const struct mw_writers *w = &r->writers[i];
        char name[MW_NODE_NAME];
        fprintf(out, "two-writers: bucket %" PRId64 " is written by %u cores:", w->bucket,
                w->n);
        for (uint32_t k = 0; k < w->n && k < 4; k++)
            fprintf(out, " %s", mw_core_name(r->layout, w->core[k], name));
        fputs(w->n > 4 ? " ...\n" : "\n", out);
    }
}

/* The first edit and the credit bound; `explain` and the JSON have all. */
static void print_fixes(const struct mw_layout_report *r, FILE *out)
{
    if (r->n_fixes > 1)
        fprintf(out, "fix: %s, or %s.\n", r->fix[0].text, r->fix[r->n_fixes - 1].text);
    else if (r->n_fixes == 1)
        fprintf(out, "fix: %s.\n", r->fix[0].text);
}

void mw_report_print(const struct mw_layout_report *r, const char *file,
                     const char *trace_file, FILE *out)
{
    const int decides = (int)r->conf.decides;
    const struct mw_proof *p = &r->proof[decides];
    char shown[MW_SHOWN_ROOM];
    fprintf(out, "%s: ", mw_shown(file, shown));
    print_verdicts(r, out);
    if (r->stages.n > 0) {
        fprintf(out, "  %u messages, %u ways\n", r->stages.n, r->stages.n_ways);
        for (int m = 0; m < MW_N_MODELS; m++)
            if (r->conf.wanted[m])
                mw_knot_print(r, m, out);
        print_fixes(r, out);
        return;
    }
    if (p->free) {
        fprintf(out, "  %u cores %" PRIu64 " hops  rank 0..%u", mw_mesh_cores(r->layout),
                r->hazards.n_markers, p->max_rank);
        print_store(r, out);
    }
    fputc('\n', out);
    for (int m = 0; m < MW_N_MODELS; m++)
        if (r->conf.wanted[m] && !r->proof[m].free)
            print_witness(r, m, m == decides ? trace_file : NULL, out);
    if (!p->free)
        print_fixes(r, out);
    print_walls(r, out);
    print_hazards(r, out);
    print_writers(r, out);
}

/* ---- JSON ------------------------------------------------------------------------------- */

json_t *mw_core_json(const struct mw_layout *l, mw_core v)
{
    char name[MW_NODE_NAME];
    return json_string(mw_core_name(l, v, name));
}

json_t *mw_nodes_json(const struct mw_layout *l, enum mw_mesh_model m,
                      const mw_mesh_node *node, uint32_t n)
{
    json_t *list = json_array();
    char name[MW_NODE_NAME];
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(list, json_string(mw_node_name(l, m, node[i], name)));
    return list;
}

json_t *mw_fifo_json(const uint32_t fifo[MW_N_CLASSES])
{
    return json_pack("{s:i, s:i}", "row", (int)fifo[MW_ROW], "col", (int)fifo[MW_COLUMN]);
}

int mw_json_print(json_t *object)
{
    if (object == NULL)
        return mw_fail(MW_ERR_DATA, "--json: a name is not UTF-8");
    json_dumpf(object, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    fputc('\n', stdout);
    json_decref(object);
    return MW_OK;
}

/* Of the nodes that flows use, as in a certificate, and of all cores, which are few. */
static json_t *ranks_json(const struct mw_layout_report *r, const struct mw_proof *p)
{
    json_t *o = json_object();
    char name[MW_NODE_NAME];
    for (mw_mesh_node n = 0; n < p->n_nodes; n++)
        if (p->model == MW_COUPLED || r->used[p->model][n] != 0)
            json_object_set_new(o, mw_node_name(r->layout, p->model, n, name),
                                json_integer(p->rank[n]));
    return o;
}

static json_t *realised_json(const struct mw_layout *l, const struct mw_exploration *e)
{
    json_t *steps = json_array();
    if (e->verdict != MW_EXPLORED_DEADLOCK) {
        json_decref(steps);
        return json_null();
    }
    for (uint64_t i = 0; i < e->trace.n_steps; i++) {
        char line[64] = "";
        FILE *f = fmemopen(line, sizeof line, "w");
        if (f != NULL) {
            mw_step_print(l, e->trace.model, &e->trace.step[i], f);
            fclose(f);
        }
        json_array_append_new(steps, json_string(line));
    }
    return json_pack("{s:I, s:b, s:I, s:b, s:b, s:o}", "steps",
                     (json_int_t)e->trace.n_steps, "shortest", e->shortest, "in_flight",
                     (json_int_t)e->in_flight, "global", e->global, "weak", e->weak,
                     "trace", steps);
}

static json_t *proof_json(const struct mw_layout_report *r, int m)
{
    const struct mw_proof *p = &r->proof[m];
    json_t *why;
    if (p->free)
        return json_pack("{s:s, s:I, s:i, s:o}", "verdict", "free", "edges",
                         (json_int_t)p->n_edges, "max_rank", (int)p->max_rank, "rank",
                         ranks_json(r, p));
    why = json_array();
    for (uint32_t i = 0; i < p->n_cycle; i++)
        json_array_append_new(
            why, json_pack("[I,i]", (json_int_t)p->why[i].flow, (int)p->why[i].hop));
    return json_pack("{s:s, s:I, s:o, s:o, s:I, s:I, s:o}", "verdict",
                     mw_verdict_words[mw_report_verdict(r, (enum mw_mesh_model)m)],
                     "edges", (json_int_t)p->n_edges, "cycle",
                     mw_nodes_json(r->layout, p->model, p->node, p->n_cycle), "why", why,
                     "min_inflight", (json_int_t)p->min_inflight, "safe_window",
                     (json_int_t)(p->min_inflight - 1), "realised",
                     r->conf.realise ? realised_json(r->layout, &r->realised[m])
                                     : json_null());
}

static json_t *writers_json(const struct mw_layout_report *r)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < r->n_writers && i < MW_REPORT_WRITERS; i++) {
        const struct mw_writers *w = &r->writers[i];
        json_t *cores = json_array();
        for (uint32_t k = 0; k < w->n && k < 4; k++)
            json_array_append_new(cores, mw_core_json(r->layout, w->core[k]));
        json_array_append_new(list, json_pack("{s:I, s:i, s:o}", "bucket",
                                              (json_int_t)w->bucket, "writers", (int)w->n,
                                              "cores", cores));
    }
    return list;
}

static json_t *fixes_json(const struct mw_layout_report *r)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->n_fixes; i++) /* an edit is proved anew, the bound once */
        json_array_append_new(list,
                              json_pack("{s:s, s:b, s:s, s:I}", "text", r->fix[i].text,
                                        "proved", r->fix[i].proved, "by",
                                        r->fix[i].proved ? "proof" : "lemma 3", "credits",
                                        (json_int_t)r->fix[i].credits));
    return list;
}

static json_t *hazards_json(const struct mw_layout_report *r)
{
    const struct mw_hazards *h = &r->hazards;
    return json_pack(
        "{s:{s:i, s:o}, s:{s:I, s:i, s:o}, s:i}", "ordered_get", "cores",
        (int)h->n_two_classes, "first",
        h->n_two_classes > 0 ? mw_core_json(r->layout, h->two_classes) : json_null(),
        "end_of_stream", "markers", (json_int_t)h->n_markers, "most",
        (int)h->most_markers, "at", mw_core_json(r->layout, h->most_markers_at),
        "unused_cores", (int)h->n_unused);
}

static json_t *flows_json(const struct mw_layout_report *r)
{
    const struct mw_budget *b = &r->budget;
    return json_pack(
        "{s:i, s:I, s:I, s:b, s:o, s:{s:I, s:I, s:I, s:I, s:I, s:b}, s:o, s:o}", "cores",
        (int)mw_mesh_cores(r->layout), "hops", (json_int_t)r->hazards.n_markers, "flows",
        (json_int_t)r->layout->n_flows, "single_writer", r->n_writers == 0, "writers",
        writers_json(r), "budget", "owners", (json_int_t)b->n_owners, "buckets",
        (json_int_t)b->buckets, "buckets_fit", (json_int_t)b->buckets_fit, "bytes_used",
        (json_int_t)b->bytes_used, "bytes_free", (json_int_t)b->bytes_free, "fits",
        b->fits, "hazards", hazards_json(r), "fixes", fixes_json(r));
}

json_t *mw_report_json(const struct mw_layout_report *r, const char *file)
{
    const bool ways = r->stages.n > 0;
    json_t *models = json_object(), *o;
    for (int m = 0; m < MW_N_MODELS; m++)
        if (r->conf.wanted[m])
            json_object_set_new(models, mw_mesh_model_names[m],
                                ways ? mw_knot_json(r, m) : proof_json(r, m));
    o = json_pack("{s:o, s:s, s:s, s:o, s:i, s:o}", "file", mw_json_bytes(file),
                  "verdict", mw_verdict_words[mw_report_verdict(r, r->conf.decides)],
                  "decided_by", mw_mesh_model_names[r->conf.decides], "fifo",
                  mw_fifo_json(r->layout->fifo), "send", (int)r->layout->send, "models",
                  models);
    json_object_update_new(
        o, !ways ? flows_json(r)
                 : json_pack("{s:i, s:i, s:o}", "messages", (int)r->stages.n, "ways",
                             (int)r->stages.n_ways, "fixes", fixes_json(r)));
    return o;
}
