/* edit.c -- see edit.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explain/edit.h"

#include "base/mem.h"

#include <string.h>

struct position {
    uint8_t at[2]; /* row, column */
};

struct copy {
    const struct mw_layout *l;
    const struct mw_edit *edit;
    struct mw_layout *to;
    mw_core *core;
    mw_channel *channel;
    struct position *position[2]; /* a flow before and after a move */
};

/* Which coordinate a hop of the class keeps: in a column the column. */
static int kept(enum mw_fifo_class class)
{
    return class == MW_COLUMN ? 1 : 0;
}

static bool is_moved(const struct mw_edit_move *m, struct position from,
                     struct position to)
{
    const int k = kept(m->hops);
    return from.at[k] == m->line && to.at[k] == m->line &&
           (to.at[1 - k] < from.at[1 - k]) == m->up;
}

/* A path under construction: the same core twice in a row is one stay. */
static uint32_t append(struct position *path, uint32_t n, struct position p)
{
    if (n > 0 && path[n - 1].at[0] == p.at[0] && path[n - 1].at[1] == p.at[1])
        return n;
    path[n] = p;
    return n + 1;
}

/* Core i of the flow. Where the moved hops begin or end, the core itself is still
 * needed if the message starts or ends at it, or comes or goes along the line. */
static uint32_t move_core(const struct mw_edit_move *m, const struct position *from,
                          uint32_t n, uint32_t i, struct position *to, uint32_t n_to)
{
    const int k = kept(m->hops);
    const bool in = i > 0 && is_moved(m, from[i - 1], from[i]);
    const bool out = i + 1 < n && is_moved(m, from[i], from[i + 1]);
    struct position aside = from[i];
    aside.at[k] = m->to;
    if (!in && !out)
        return append(to, n_to, from[i]);
    if (!in && (i == 0 || from[i - 1].at[k] == m->line))
        n_to = append(to, n_to, from[i]);
    n_to = append(to, n_to, aside);
    if (!out && (i + 1 == n || from[i + 1].at[k] == m->line))
        n_to = append(to, n_to, from[i]);
    return n_to;
}

/* The same without the stops on the line between its first and its last core there. */
static uint32_t straighten_core(const struct mw_edit_move *m, const struct position *from,
                                uint32_t n, uint32_t i, struct position *to,
                                uint32_t n_to)
{
    const int k = kept(m->hops);
    const bool stop = i > 0 && i + 1 < n && from[i - 1].at[k] == m->line &&
                      from[i].at[k] == m->line && from[i + 1].at[k] == m->line;
    return stop ? n_to : append(to, n_to, from[i]);
}

typedef uint32_t rewrite_core(const struct mw_edit_move *m, const struct position *from,
                              uint32_t n, uint32_t i, struct position *to, uint32_t n_to);

static uint32_t rewrite(struct copy *c, rewrite_core *one, const struct mw_edit_move *m,
                        uint32_t n)
{
    struct position *const from = c->position[0], *const to = c->position[1];
    uint32_t n_to = 0;
    for (uint32_t i = 0; i < n; i++)
        n_to = one(m, from, n, i, to, n_to);
    c->position[0] = to;
    c->position[1] = from;
    return n_to;
}

static bool is_dropped(const struct mw_edit *e, uint64_t flow)
{
    for (uint32_t i = 0; i < e->n_drops; i++)
        if (e->drop[i] == flow)
            return true;
    return false;
}

static int copy_flow(struct copy *c, uint64_t flow)
{
    uint32_t n = mw_layout_flow_in(c->l, flow, c->core, c->channel);
    if (c->edit->n_moves == 0)
        return mw_layout_add_flow_in(c->to, c->core, c->channel, n, -1, 0);
    for (uint32_t i = 0; i < n; i++)
        c->position[0][i] = (struct position){{(uint8_t)mw_core_row(c->l, c->core[i]),
                                               (uint8_t)mw_core_col(c->l, c->core[i])}};
    for (uint32_t i = 0; i < c->edit->n_moves; i++) {
        const struct mw_edit_move *m = &c->edit->move[i];
        if (m->straight)
            n = rewrite(c, straighten_core, m, n);
        n = rewrite(c, move_core, m, n);
    }
    if (n < 2) /* it went to and fro, and came back */
        return MW_DONE;
    for (uint32_t i = 0; i < n; i++) {
        const struct position p = c->position[0][i];
        c->core[i] = mw_core_at(c->to, p.at[0], p.at[1]);
    }
    return mw_layout_add_flow(c->to, c->core, n, -1, 0);
}

/* The mesh with the lines that the moves need. */
static bool new_shape(const struct mw_layout *l, const struct mw_edit *e, uint32_t *rows,
                      uint32_t *cols)
{
    *rows = l->rows;
    *cols = l->cols;
    for (uint32_t i = 0; i < e->n_moves; i++) {
        uint32_t *side = e->move[i].hops == MW_COLUMN ? cols : rows;
        *side = (uint32_t)mw_max(*side, e->move[i].to + UINT32_C(1));
    }
    return *rows <= MW_MESH_SIDE_MAX && *cols <= MW_MESH_SIDE_MAX;
}

/* A lower bound first: the walk over all flows is what would take long. */
static bool too_large(const struct mw_layout *l, mw_core *core)
{
    uint64_t n_hops = 0;
    if (l->n_flows > MW_EDIT_HOPS_MAX)
        return true;
    for (uint64_t i = 0; i < l->n_flows && n_hops <= MW_EDIT_HOPS_MAX; i++)
        n_hops += mw_layout_flow(l, i, core) - 1;
    return n_hops > MW_EDIT_HOPS_MAX;
}

static int finish(struct copy *c, struct mw_layout **out)
{
    struct mw_diagnostics d = {0};
    MW_NEED(mw_layout_expand(c->to, &d));
    *out = c->to;
    c->to = NULL;
    return MW_OK;
}

int mw_layout_edited(const struct mw_layout *l, const struct mw_edit *edit,
                     struct mw_layout **out)
{
    int rc = MW_OK;
    uint32_t rows, cols;
    struct copy c = {.l = l, .edit = edit};
    const uint64_t room = (uint64_t)l->longest << MW_MOVES_MAX;
    *out = NULL;
    if (l->n_flows <= edit->n_drops || !new_shape(l, edit, &rows, &cols) ||
        (edit->n_moves > 0 && l->n_channels > 1)) /* a moved hop has no class */
        return MW_DONE;
    MW_NEW(rc, c.core, "cores of a flow", room);
    MW_NEW(rc, c.channel, "cores of a flow", room);
    MW_NEW(rc, c.position[0], "positions of a flow", room);
    MW_NEW(rc, c.position[1], "positions of a flow", room);
    if (too_large(l, c.core)) {
        rc = MW_DONE;
        goto end;
    }
    MW_TRY(rc, mw_layout_new(rows, cols, &c.to));
    c.to->n_channels = l->n_channels;
    memcpy(c.to->channel_name, l->channel_name, sizeof l->channel_name);
    for (uint64_t i = 0; i < l->n_flows && rc == MW_OK; i++)
        if (!is_dropped(edit, i))
            MW_TRY(rc, copy_flow(&c, i));
    if (rc == MW_OK)
        rc = finish(&c, out);
end:
    mw_layout_free(c.to);
    MW_FREE_ALL(c.core, c.channel, c.position[0], c.position[1]);
    return rc;
}
