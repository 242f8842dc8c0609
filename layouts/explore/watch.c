/* watch.c -- see watch.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/watch.h"

#include "base/mem.h"

static void look_at(const struct mw_watcher *w, mw_mesh_node node)
{
    struct mw_node_look at = {.waits_for = MW_NO_NODE};
    struct mw_sim_event *e = &w->now[mw_node_core(w->l, w->model, node)];
    w->look(w->mesh, node, &at);
    for (int k = 0; k < MW_N_CLASSES; k++)
        e->fill[k] = (uint32_t)mw_max(e->fill[k], at.fill[k]);
    e->send_fill += at.send;
    if (e->state == MW_CORE_BLOCKED || !at.holds)
        return;
    e->state = at.waits_for == MW_NO_NODE ? MW_CORE_BUSY : MW_CORE_BLOCKED;
    if (at.waits_for != MW_NO_NODE)
        e->waits_for = mw_node_core(w->l, w->model, at.waits_for);
}

static bool differs(const struct mw_sim_event *a, const struct mw_sim_event *b)
{
    return a->state != b->state || a->waits_for != b->waits_for ||
           a->fill[MW_ROW] != b->fill[MW_ROW] ||
           a->fill[MW_COLUMN] != b->fill[MW_COLUMN] || a->send_fill != b->send_fill;
}

void mw_watcher_step(void *arg, uint64_t step, const char *what)
{
    const struct mw_watcher *w = arg;
    const uint32_t n_cores = mw_mesh_cores(w->l);
    for (uint32_t v = 0; v < n_cores; v++)
        w->now[v] = (struct mw_sim_event){
            .cycle = step, .core = (mw_core)v, .waits_for = MW_NO_CORE};
    for (uint32_t n = 0; n < mw_mesh_nodes(w->l, w->model); n++)
        look_at(w, n);
    for (uint32_t v = 0; v < n_cores; v++)
        if (differs(&w->now[v], &w->told[v])) {
            w->watch.observe(w->watch.observe_arg, &w->now[v]);
            w->told[v] = w->now[v];
        }
    w->watch.say(w->watch.say_arg, step, what);
}

int mw_watcher_init(struct mw_watcher *out, const struct mw_watch *watch,
                    const struct mw_layout *l, enum mw_mesh_model model,
                    mw_node_looker *look, void *mesh)
{
    *out = (struct mw_watcher){
        .watch = *watch, .l = l, .model = model, .look = look, .mesh = mesh};
    MW_NEED_NEW(out->now, "watched cores", mw_mesh_cores(l));
    MW_NEED_NEW(out->told, "watched cores", mw_mesh_cores(l));
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        out->told[v].waits_for = MW_NO_CORE;
    return MW_OK;
}

void mw_watcher_fini(struct mw_watcher *w)
{
    MW_FREE_ALL(w->now, w->told);
}
