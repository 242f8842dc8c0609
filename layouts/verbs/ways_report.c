/* ways_report.c -- see layout_report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/layout_report.h"

#include <inttypes.h>

static const char *const nouns[MW_N_MODELS] = {"core", "FIFO", "link"};

/* ---- text --------------------------------------------------------------------------------- */

/* "0,1 and 0,2, or 1,0": what member i of the knot waits for. */
static void print_wants(const struct mw_layout_report *r, const struct mw_knot *k,
                        uint32_t i, FILE *out)
{
    const struct mw_stages *s = &r->stages;
    const struct mw_stage *at = &s->stage[k->stage[i]];
    const bool classes = k->model == MW_COUPLED && r->layout->n_channels > 1;
    char name[MW_NODE_NAME];
    for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++)
        for (uint32_t t = s->first_target[w]; t < s->first_target[w + 1]; t++)
            fprintf(out, "%s%s%s%s",
                    t > s->first_target[w] ? " and "
                    : w > at->first_way    ? ", or "
                                           : "",
                    mw_node_name(r->layout, k->model,
                                 mw_target_node(r->layout, s, k->model, k->stage[i],
                                                &s->target[t]),
                                 name),
                    classes ? " in class " : "",
                    classes ? r->layout->channel_name[s->target[t].channel] : "");
}

static void print_knot(const struct mw_layout_report *r, int m, FILE *out)
{
    const struct mw_knot *k = &r->knot[m];
    const struct mw_exploration *e = &r->realised[m];
    char name[MW_NODE_NAME];
    fprintf(out, "%s %s is in a KNOT of %u:\n", nouns[m],
            mw_node_name(r->layout, k->model, k->node[0], name), k->n_knot);
    for (uint32_t i = 0; i < k->n_knot; i++) {
        fprintf(out, "  %u: %s full, head wants ", i,
                mw_node_name(r->layout, k->model, k->node[i], name));
        print_wants(r, k, i, out);
        fputs("   of ", out);
        mw_source_print(r->layout, k->why[i].flow, out);
        fputc('\n', out);
    }
    fprintf(out, "holds %" PRIu64 " messages or more (fifo %u/%u).", k->least,
            r->layout->fifo[MW_ROW], r->layout->fifo[MW_COLUMN]);
    if (r->conf.realise && e->verdict == MW_EXPLORED_DEADLOCK)
        fprintf(out, "  realised in %" PRIu64 " steps%s", e->trace.n_steps,
                e->shortest ? "" : " (not the fewest)");
    else if (r->conf.realise)
        fprintf(out, "  not realised within %" PRIu64 " states", e->n_states);
    fputc('\n', out);
}

static void print_rank(const struct mw_layout_report *r, int m, FILE *out)
{
    const struct mw_knot *k = &r->knot[m];
    fprintf(out, "%s: rank 0..%u, ", mw_mesh_model_names[m], k->max_rank);
    fprintf(out,
            k->plain ? "and all ways together are acyclic: %" PRIu64 " edges"
                     : "though all ways together (%" PRIu64 " edges) have cycles",
            k->n_edges);
    if (k->escapes)
        fprintf(out,
                "; escape %s: %sconnected, its dependencies %s, with indirect ones %s",
                r->layout->channel_name[r->layout->adaptive.escape],
                k->connected ? "" : "not ", k->direct ? "acyclic" : "cyclic",
                k->indirect ? "acyclic" : "cyclic");
    fputc('\n', out);
}

void mw_knot_print(const struct mw_layout_report *r, int m, FILE *out)
{
    if (r->knot[m].free)
        print_rank(r, m, out);
    else
        print_knot(r, m, out);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

json_t *mw_knot_json(const struct mw_layout_report *r, int m)
{
    const struct mw_knot *k = &r->knot[m];
    const struct mw_exploration *e = &r->realised[m];
    const bool dead = e->verdict == MW_EXPLORED_DEADLOCK;
    json_t *o = json_pack("{s:s, s:I, s:b}", "verdict",
                          mw_verdict_words[mw_report_verdict(r, (enum mw_mesh_model)m)],
                          "edges", (json_int_t)k->n_edges, "acyclic", k->plain);
    if (k->escapes)
        json_object_set_new(o, "escape",
                            json_pack("{s:b, s:b, s:b}", "connected", k->connected,
                                      "acyclic", k->direct, "acyclic_indirect",
                                      k->indirect));
    if (k->free)
        json_object_set_new(o, "max_rank", json_integer(k->max_rank));
    else
        json_object_update_new(
            o, json_pack("{s:o, s:I, s:o}", "knot",
                         mw_nodes_json(r->layout, k->model, k->node, k->n_knot), "least",
                         (json_int_t)k->least, "realised",
                         dead ? json_pack("{s:I}", "steps", (json_int_t)e->trace.n_steps)
                              : json_null()));
    return o;
}

/* ---- prose ----------------------------------------------------------------------------------- */

void mw_ways_explain(const struct mw_layout_report *r, FILE *out)
{
    const int m = (int)r->conf.decides;
    const struct mw_knot *k = &r->knot[m];
    fprintf(out, "%s (%s)\n\n", mw_verdict_titles[mw_report_verdict(r, r->conf.decides)],
            mw_mesh_model_names[m]);
    if (r->layout->adaptive.model != 0)
        fputs("An adaptive message takes whichever of its ways has room. It waits only "
              "while\n"
              "all of them are full: an OR.\n",
              out);
    if (r->layout->n_broadcasts > 0)
        fputs("A broadcast put waits until every receiver has room, and then gives each "
              "a copy:\n"
              "an AND.\n",
              out);
    if (k->free) {
        fprintf(out,
                "\nThe proof is a number for each %s, its rank, 0 to %u. Whatever "
                "message a %s\n"
                "holds, one of its ways leads to lower ranks only. Suppose some were "
                "stuck for\n"
                "good, and take one of lowest rank. It waits for none on that way for "
                "ever: they\n"
                "are lower, so they are not stuck, and room comes in each. So there is "
                "none.\n",
                nouns[m], k->max_rank, nouns[m]);
        print_rank(r, m, out);
        return;
    }
    fputs("\nA deadlock is then a knot and no mere cycle: full ones, and whatever way "
          "the head of\n"
          "any of them would take, it needs room in one of the same set.\n\n",
          out);
    print_knot(r, m, out);
    for (uint32_t i = 0; i < r->n_fixes; i++)
        fprintf(out, "%s  - %s  (proved free on the changed layout)\n",
                i == 0 ? "\nWhat helps\n" : "", r->fix[i].text);
}
