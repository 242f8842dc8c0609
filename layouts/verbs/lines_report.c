/* lines_report.c -- see layout_report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/layout_report.h"

#include "base/escape.h"
#include "cli/json_field.h"

#include <inttypes.h>

/* "0,3", "0,3.R", "0,3>0,4", with the class behind, as mw_node_name() writes them. */
static void print_place(const struct mw_layout *l, enum mw_mesh_model m,
                        const struct mw_lines_proof *p, uint32_t i, FILE *out)
{
    const struct mw_line_place *x = &p->cycle[i % p->n_cycle];
    const char *channel = m == MW_COUPLED ? "" : l->channel_name[x->channel];
    const bool row = p->along == MW_ROW;
    if (m == MW_LINK)
        fprintf(out, "%u,%u>", row ? 0u : x->from, row ? x->from : 0u);
    fprintf(out, "%u,%u", row ? 0u : x->at, row ? x->at : 0u);
    if (m == MW_DECOUPLED)
        fputs(row ? ".R" : ".C", out);
    fprintf(out, "%s%s", *channel != '\0' ? "." : "", channel);
}

static void print_model(const struct mw_layout *l, enum mw_mesh_model m,
                        const struct mw_lines_proof *p, FILE *out)
{
    enum { SHOWN = 12 };
    fprintf(out, "%s: %s, %" PRIu64 " edges", mw_mesh_model_names[m],
            p->free ? "free: no row and no column has a cycle" : "deadlock", p->n_edges);
    if (!p->free) {
        fprintf(out, "; a cycle of %u in each %s, needs %" PRIu64 " messages in flight:",
                p->n_cycle, p->along == MW_ROW ? "row" : "column", p->min_inflight);
        for (uint32_t i = 0; i < p->n_cycle && i < SHOWN; i++) {
            fputc(' ', out);
            print_place(l, m, p, i, out);
        }
        fputs(p->n_cycle > SHOWN ? " ..." : "", out);
    }
    fputc('\n', out);
}

static json_t *model_json(const struct mw_lines_proof *p)
{
    json_t *o = json_pack("{s:s, s:I}", "verdict", p->free ? "free" : "deadlock", "edges",
                          (json_int_t)p->n_edges);
    if (!p->free)
        json_object_update_new(o, json_pack("{s:i, s:I}", "cycle_length", (int)p->n_cycle,
                                            "min_inflight", (json_int_t)p->min_inflight));
    return o;
}

int mw_lines_check(const struct mw_layout *l, uint32_t rows, uint32_t cols,
                   const struct mw_report_conf *conf, const char *file, FILE *out,
                   json_t *list, bool *is_free)
{
    int rc = MW_OK;
    struct mw_lines_proof p[MW_N_MODELS] = {
        {.free = true}, {.free = true}, {.free = true}};
    char shown[MW_SHOWN_ROOM];
    json_t *models = json_object();
    for (int m = 0; m < MW_N_MODELS; m++)
        if (conf->wanted[m])
            MW_TRY(rc, mw_lines_prove(l, rows, cols, (enum mw_mesh_model)m, &p[m]));
    *is_free = p[conf->decides].free;
    if (list == NULL)
        fprintf(out, "%s: %s (%s)  %ux%u, by its rows and columns\n",
                mw_shown(file, shown), *is_free ? "FREE" : "DEADLOCK",
                mw_mesh_model_names[conf->decides], rows, cols);
    for (int m = 0; m < MW_N_MODELS; m++) {
        if (conf->wanted[m] && list == NULL)
            print_model(l, (enum mw_mesh_model)m, &p[m], out);
        if (conf->wanted[m])
            json_object_set_new(models, mw_mesh_model_names[m], model_json(&p[m]));
    }
    if (list != NULL)
        json_array_append_new(
            list,
            json_pack("{s:o, s:s, s:s, s:o, s:i, s:i, s:O}", "file", mw_json_bytes(file),
                      "verdict", *is_free ? "free" : "deadlock", "decided_by",
                      mw_mesh_model_names[conf->decides], "fifo", mw_fifo_json(l->fifo),
                      "rows", (int)rows, "cols", (int)cols, "models", models));
end:
    json_decref(models);
    for (int m = 0; m < MW_N_MODELS; m++)
        mw_lines_proof_fini(&p[m]);
    return rc;
}
