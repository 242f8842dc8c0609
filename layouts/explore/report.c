/* report.c -- see report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/report.h"

#include "base/mem.h"
#include "mesh/proof/graph.h"

enum { REALISE_LIMIT = 300000 }; /* states of the shortest-trace search of `check` */

int mw_witness_realise(const struct mw_layout *l, const struct mw_proof *p,
                       uint64_t limit, struct mw_exploration *out)
{
    int rc = MW_OK;
    uint64_t *flow;
    MW_NEW(rc, flow, "witness flows", p->n_cycle);
    struct mw_explore_conf conf = {.model = p->model,
                                   .fifo = {l->fifo[MW_ROW], l->fifo[MW_COLUMN]},
                                   .send = p->model == MW_COUPLED ? l->send : 0,
                                   .limit = limit > 0 ? limit : REALISE_LIMIT,
                                   .flow = flow,
                                   .n_flows = mw_witness_flows(p, flow)};
    rc = mw_layout_explore(l, &conf, out);
    if (rc == MW_ERR_REFUSED || (rc == MW_OK && out->verdict == MW_EXPLORED_BOUNDED)) {
        mw_exploration_fini(out);
        conf.guided = true;
        rc = mw_layout_explore(l, &conf, out);
        if (rc == MW_ERR_REFUSED) { /* too large a state: not realised */
            *out = (struct mw_exploration){.verdict = MW_EXPLORED_BOUNDED};
            rc = MW_OK;
        }
    }
    mw_free(flow);
end:
    return rc;
}

int mw_report_make(const struct mw_layout *l, const struct mw_report_conf *conf,
                   struct mw_layout_report *out)
{
    int rc = MW_OK;
    *out = (struct mw_layout_report){.layout = l, .conf = *conf};
    for (int m = 0; m < MW_N_MODELS; m++) {
        struct mw_proof *p = &out->proof[m];
        if (!conf->wanted[m])
            continue;
        MW_TRY(rc, mw_proof_make(l, (enum mw_mesh_model)m, p));
        if (p->free) {
            MW_NEW(rc, out->used[m], "nodes that flows use", p->n_nodes);
            MW_TRY(rc, mw_mesh_graph_used(l, p->model, out->used[m]));
        }
        if (!p->free && conf->realise)
            MW_TRY(rc, mw_witness_realise(l, p, conf->limit, &out->realised[m]));
        if (!p->free && m == MW_COUPLED)
            out->n_fixes = mw_layout_fixes(l, p, out->fix, MW_REPORT_FIXES);
    }
    MW_TRY(rc, mw_layout_writers(l, out->writers, MW_REPORT_WRITERS, &out->n_writers));
    mw_layout_budget(l, &out->budget);
    MW_TRY(rc, mw_layout_hazards(l, &out->hazards));
    return MW_OK;
end:
    mw_report_fini(out);
    return rc;
}

void mw_report_fini(struct mw_layout_report *r)
{
    for (int m = 0; m < MW_N_MODELS; m++) {
        mw_proof_fini(&r->proof[m]);
        mw_free(r->used[m]);
        r->used[m] = NULL;
        mw_exploration_fini(&r->realised[m]);
    }
}

enum mw_explore_verdict mw_report_verdict(const struct mw_layout_report *r,
                                          enum mw_mesh_model m)
{
    if (r->proof[m].free)
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
