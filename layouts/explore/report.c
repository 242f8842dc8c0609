/* report.c -- see report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/report.h"

#include "base/mem.h"
#include "mesh/proof/graph.h"

enum { REALISE_LIMIT = 300000 }; /* states of the shortest-trace search of `check` */

/* Plays these flows or sources: breadth first, and if that meets the limit or is too large, guided.
 * What is too large to be begun then is as open as any that was not ended. */
static int realise(const struct mw_layout *l, enum mw_mesh_model model,
                   const uint64_t *flow, uint64_t n_flows, uint64_t limit,
                   struct mw_exploration *out)
{
    int rc = MW_OK;
    struct mw_explore_conf conf = {.model = model,
                                   .fifo = {l->fifo[MW_ROW], l->fifo[MW_COLUMN]},
                                   .send = l->send,
                                   .limit = limit > 0 ? limit : REALISE_LIMIT,
                                   .flow = flow,
                                   .n_flows = n_flows};
    *out = (struct mw_exploration){.verdict = MW_EXPLORED_BOUNDED};
    for (int guided = 0; guided < 2 && out->verdict == MW_EXPLORED_BOUNDED; guided++) {
        mw_exploration_fini(out);
        conf.guided = guided == 1;
        rc = mw_layout_explore(l, &conf, out);
        if (rc == MW_ERR_REFUSED) {
            mw_error_clear();
            *out = (struct mw_exploration){.verdict = MW_EXPLORED_BOUNDED};
            rc = MW_OK;
        }
        if (rc < MW_OK)
            break;
    }
    return rc;
}

int mw_witness_realise(const struct mw_layout *l, const struct mw_proof *p,
                       uint64_t limit, struct mw_exploration *out)
{
    uint64_t *flow;
    MW_NEED_NEW(flow, "witness flows", p->n_cycle);
    const int rc = realise(l, p->model, flow, mw_witness_flows(p, flow), limit, out);
    mw_free(flow);
    return rc;
}

/* What mw_layout_hazards() says of flows: hops, each with its marker, and inputs of both classes. */
static int look_at_hops(const struct mw_layout *l, const struct mw_stages *s,
                        struct mw_hazards *out)
{
    int rc = MW_OK;
    uint8_t *seen = NULL, *inputs = NULL;
    MW_NEW(rc, seen, "hops", mw_mesh_nodes(l, MW_LINK));
    MW_NEW(rc, inputs, "inputs of cores", mw_mesh_cores(l));
    for (uint32_t i = 0; i < s->n; i++) {
        const struct mw_stage *at = &s->stage[i];
        if (at->n_ways == 0)
            continue;
        const uint32_t end = s->first_target[at->first_way + at->n_ways];
        for (uint32_t t = s->first_target[at->first_way]; t < end; t++) {
            const mw_core to = s->stage[s->target[t].stage].core;
            uint8_t *hop = &seen[mw_hop_node(l, MW_LINK, at->core, to)];
            out->n_markers += *hop == 0;
            *hop = 1;
            inputs[to] |= (uint8_t)(1 << mw_hop_class(l, at->core, to));
        }
    }
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        out->n_two_classes += inputs[v] == (1 << MW_ROW | 1 << MW_COLUMN);
end:
    MW_FREE_ALL(seen, inputs);
    return rc;
}

static int look_at_knots(const struct mw_layout *l, struct mw_layout_report *out)
{
    MW_NEED(mw_stages_make(l, NULL, 0, &out->stages));
    for (int m = 0; m < MW_N_MODELS; m++) {
        struct mw_knot *k = &out->knot[m];
        if (!out->conf.wanted[m])
            continue;
        MW_NEED(mw_knot_make(l, &out->stages, (enum mw_mesh_model)m, k));
        const struct mw_proof p = {
            .model = k->model, .n_cycle = k->n_knot, .why = k->why};
        if (!k->free && out->conf.realise)
            MW_NEED(mw_witness_realise(l, &p, out->conf.limit, &out->realised[m]));
        if (!k->free && m == (int)out->conf.decides)
            out->n_fixes = mw_knot_fixes(l, k->model, out->fix, MW_REPORT_FIXES);
    }
    MW_NEED(mw_layout_writers(l, out->writers, MW_REPORT_WRITERS, &out->n_writers));
    mw_layout_budget(l, &out->budget);
    return look_at_hops(l, &out->stages, &out->hazards);
}

static int look_at_flows(const struct mw_layout *l, struct mw_layout_report *out)
{
    for (int m = 0; m < MW_N_MODELS; m++) {
        struct mw_proof *p = &out->proof[m];
        if (!out->conf.wanted[m])
            continue;
        MW_NEED(mw_proof_make(l, (enum mw_mesh_model)m, p));
        if (p->free) {
            MW_NEED_NEW(out->used[m], "nodes that flows use", p->n_nodes);
            MW_NEED(mw_mesh_graph_used(l, p->model, out->used[m]));
        }
        if (!p->free && out->conf.realise)
            MW_NEED(mw_witness_realise(l, p, out->conf.limit, &out->realised[m]));
        if (!p->free && m == MW_COUPLED)
            out->n_fixes = mw_layout_fixes(l, p, out->fix, MW_REPORT_FIXES);
    }
    MW_NEED(mw_layout_writers(l, out->writers, MW_REPORT_WRITERS, &out->n_writers));
    mw_layout_budget(l, &out->budget);
    return mw_layout_hazards(l, &out->hazards);
}

int mw_report_make(const struct mw_layout *l, const struct mw_report_conf *conf,
                   struct mw_layout_report *out)
{
    *out = (struct mw_layout_report){.layout = l, .conf = *conf};
    const int rc = conf->ways && mw_layout_has_ways(l) ? look_at_knots(l, out)
                                                       : look_at_flows(l, out);
    if (rc < MW_OK)
        mw_report_fini(out);
    return rc < MW_OK ? rc : MW_OK;
}

void mw_report_fini(struct mw_layout_report *r)
{
    for (int m = 0; m < MW_N_MODELS; m++) {
        mw_proof_fini(&r->proof[m]);
        mw_free(r->used[m]);
        r->used[m] = NULL;
        mw_knot_fini(&r->knot[m]);
        mw_exploration_fini(&r->realised[m]);
    }
    mw_stages_fini(&r->stages);
}

bool mw_report_is_free(const struct mw_layout_report *r, enum mw_mesh_model m)
{
    return r->proof[m].free || r->knot[m].free;
}

enum mw_explore_verdict mw_report_verdict(const struct mw_layout_report *r,
                                          enum mw_mesh_model m)
{
    if (mw_report_is_free(r, m))
        return MW_EXPLORED_FREE;
    return r->conf.realise && r->realised[m].verdict != MW_EXPLORED_DEADLOCK
               ? MW_EXPLORED_BOUNDED
               : MW_EXPLORED_DEADLOCK;
}

bool mw_report_is_sound(const struct mw_layout_report *r, bool strict)
{
    return mw_report_verdict(r, r->conf.decides) == MW_EXPLORED_FREE &&
           !(strict && (r->n_writers > 0 || !r->budget.fits));
}
