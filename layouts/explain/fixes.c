/* fixes.c -- edits that make a layout free: a second router column, fewer flows,
 * fewer messages. Nothing is offered that has not been proved on a changed copy.
 *
 * One-way lines. A witness that goes up and down one column is broken by giving one
 * direction a column of its own: one that no flow uses, one of the same roles, or a new
 * one. If another witness remains, its lines are next, up to MW_MOVES_MAX moves; fewest
 * moves first.
 *
 * Dropped flows. Whatever set of flows is dropped, it must break the witness, so for one
 * of its edges it holds every flow that causes the edge. Hence few sets need to be tried
 * to find a smallest one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explain/explain.h"

#include "base/mem.h"
#include "layouts/explain/edit.h"

#include <stdarg.h>
#include <string.h>

enum {
    TRIES_MAX = 100, /* copies made and proved, for moves and again for drops */
    LINES_MAX = 8    /* of a witness that are looked at */
};

struct line {
    enum mw_fifo_class class; /* MW_COLUMN: a column */
    uint32_t number;
};

struct workshop {
    const struct mw_layout *l;
    enum mw_mesh_model model;
    struct mw_edit edit;
    mw_core *core; /* of one flow of l */
    mw_channel *channel;
    bool *used;    /* [cores of l]: by any flow */
    bool straight; /* what moves hops straight */
    uint32_t tries;
};

/* The edit on a copy, and what its proof says. MW_DONE: not possible, or enough has been
 * tried. Only MW_OK leaves something to put away. */
static int try_edit(struct workshop *w, struct mw_layout **l, struct mw_proof *p)
{
    if (w->tries >= TRIES_MAX)
        return MW_DONE;
    w->tries++;
    int rc = mw_layout_edited(w->l, &w->edit, l);
    if (rc != MW_OK)
        return rc;
    for (int c = 0; c < MW_N_CLASSES;
         c++) /* equal, for the weights do not matter; but 0 */
        (*l)->fifo[c] = w->model == MW_COUPLED || w->l->fifo[c] > 0;
    rc = mw_proof_make(*l, w->model, p);
    if (rc != MW_OK)
        mw_layout_free(*l);
    return rc;
}

static void put_away(struct mw_layout *l, struct mw_proof *p)
{
    mw_proof_fini(p);
    mw_layout_free(l);
}

static int say(struct mw_fix *f, size_t at, const char *fmt, ...) MW_PRINTF(3, 4);
/* Appends to the text; returns its length. */
static int say(struct mw_fix *f, size_t at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(f->text + at, sizeof f->text - at, fmt, args);
    va_end(args);
    return (int)strlen(f->text);
}

/* ---- one-way lines: which may move where ------------------------------------------- */

static mw_core on_line(const struct mw_layout *l, struct line line, uint32_t i)
{
    return line.class == MW_COLUMN ? mw_core_at(l, i, line.number)
                                   : mw_core_at(l, line.number, i);
}

static uint32_t line_length(const struct mw_layout *l, enum mw_fifo_class class)
{
    return class == MW_COLUMN ? l->rows : l->cols;
}

static uint32_t n_lines(const struct mw_layout *l, enum mw_fifo_class class)
{
    return class == MW_COLUMN ? l->cols : l->rows;
}

static bool is_spare(const struct workshop *w, struct line line)
{
    for (uint32_t i = 0; i < line_length(w->l, line.class); i++)
        if (w->used[on_line(w->l, line, i)])
            return false;
    return true;
}

static bool same_roles(const struct mw_layout *l, struct line a, struct line b)
{
    bool any = false;
    for (uint32_t i = 0; i < line_length(l, a.class); i++) {
        const char role = l->role[on_line(l, a, i)];
        any = any || role != '.';
        if (role != l->role[on_line(l, b, i)])
            return false;
    }
    return any;
}

/* Whether one direction of a line may move to line `to`: unused, alike, or new; a
 * second new one only behind the first. */
static bool may_move(const struct workshop *w, struct line line, uint32_t to)
{
    const uint32_t n = n_lines(w->l, line.class);
    uint32_t n_new = 0;
    if (to < n) {
        const struct line other = {line.class, to};
        return to != line.number && (is_spare(w, other) || same_roles(w->l, line, other));
    }
    for (uint32_t i = 0; i < w->edit.n_moves; i++)
        n_new += w->edit.move[i].hops == line.class && w->edit.move[i].to >= n;
    return to == n + n_new && to < MW_MESH_SIDE_MAX;
}

static struct line line_of(const struct mw_layout *l, mw_core from, mw_core to)
{
    const enum mw_fifo_class class = mw_hop_class(l, from, to);
    return (struct line){class, class == MW_COLUMN ? mw_core_col(l, from)
                                                   : mw_core_row(l, from)};
}

/* Whether flows go both ways on the line. */
static bool is_two_way(const struct mw_layout *l, struct line line, mw_core *core)
{
    bool seen[2] = {false, false};
    for (uint64_t i = 0; i < l->n_flows && !(seen[0] && seen[1]); i++) {
        const uint32_t n = mw_layout_flow(l, i, core);
        for (uint32_t k = 0; k + 1 < n; k++) {
            const struct line on = line_of(l, core[k], core[k + 1]);
            if (on.class == line.class && on.number == line.number)
                seen[core[k] < core[k + 1]] = true;
        }
    }
    return seen[0] && seen[1];
}

/* The two-way lines of w->l on which the witness runs; `l` may be a copy with more
 * lines. */
static int witness_lines(const struct workshop *w, const struct mw_layout *l,
                         const struct mw_proof *p, struct line line[LINES_MAX],
                         uint32_t *n)
{
    mw_core *core;
    *n = 0;
    MW_NEED_NEW(core, "cores of a flow", l->longest);
    for (uint32_t i = 0; i < p->n_cycle && *n < LINES_MAX; i++) {
        mw_layout_flow(l, p->why[i].flow, core);
        const uint32_t hop = p->why[i].hop;
        const struct line on = line_of(l, core[hop], core[hop + 1]);
        bool known = on.number >= n_lines(w->l, on.class);
        for (uint32_t j = 0; j < *n; j++)
            known = known || (line[j].class == on.class && line[j].number == on.number);
        if (!known && is_two_way(l, on, core))
            line[(*n)++] = on;
    }
    mw_free(core);
    return MW_OK;
}

/* ---- one-way lines: trying --------------------------------------------------------- */

static int move_lines(struct workshop *w, const struct mw_layout *l,
                      const struct mw_proof *p, uint32_t moves_left);

/* MW_OK: w->edit is free with this move and at most moves_left - 1 after it. MW_DONE:
 * not. */
static int move_line(struct workshop *w, struct mw_edit_move m, uint32_t moves_left)
{
    struct mw_layout *l;
    struct mw_proof p;
    w->edit.move[w->edit.n_moves++] = m;
    int rc = try_edit(w, &l, &p);
    if (rc == MW_OK) {
        if (!p.free)
            rc = moves_left > 1 ? move_lines(w, l, &p, moves_left - 1) : MW_DONE;
        put_away(l, &p);
    }
    if (rc != MW_OK)
        w->edit.n_moves--;
    return rc;
}

/* The same for some move on some line of the witness `p` of `l`. */
static int move_lines(struct workshop *w, const struct mw_layout *l,
                      const struct mw_proof *p, uint32_t moves_left)
{
    struct line line[LINES_MAX];
    uint32_t n;
    int rc;
    MW_NEED(witness_lines(w, l, p, line, &n));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t to = 0; to < MW_MESH_SIDE_MAX; to++)
            for (int down = 0; down < 2 && may_move(w, line[i], to); down++) {
                const struct mw_edit_move m = {line[i].class, (uint8_t)line[i].number,
                                               (uint8_t)to, down == 0, w->straight};
                if ((rc = move_line(w, m, moves_left)) != MW_DONE)
                    return rc;
            }
    return MW_DONE;
}

static const char *direction(const struct mw_edit_move *m)
{
    return m->hops == MW_COLUMN ? (m->up ? "upward" : "downward")
                                : (m->up ? "leftward" : "rightward");
}

static void say_moves(const struct workshop *w, struct mw_fix *f)
{
    int at = say(f, 0, "make ");
    for (uint32_t i = 0; i < w->edit.n_moves; i++) {
        const struct mw_edit_move *m = &w->edit.move[i];
        const char *const line = m->hops == MW_COLUMN ? "column" : "row";
        at = say(f, (size_t)at, "%s%s %u one-way %s", i == 0 ? "" : ", ", line, m->line,
                 m->straight ? "with straight hops " : "");
        if (m->to >= n_lines(w->l, m->hops))
            at = say(f, (size_t)at, "(add a second router %s)", line);
        else
            at = say(
                f, (size_t)at, "(its %s hops through %s %u%s)", direction(m), line, m->to,
                is_spare(w, (struct line){m->hops, m->to}) ? ", which is unused" : "");
    }
}

static int offer_one_way(struct workshop *w, const struct mw_proof *p, struct mw_fix *f)
{
    int rc = MW_DONE;
    w->tries = 0;
    for (uint32_t i = 0; i < 2 * MW_MOVES_MAX && rc == MW_DONE; i++) {
        w->edit = (struct mw_edit){.n_moves = 0};
        w->straight = i % 2 != 0;
        rc = move_lines(w, w->l, p, i / 2 + 1);
    }
    if (rc != MW_OK)
        return rc;
    *f = (struct mw_fix){.proved = true};
    say_moves(w, f);
    return MW_OK;
}

/* ---- dropped flows ----------------------------------------------------------------- */

/* Whether a message of the flow ever holds a and needs b next. */
static bool causes(const struct workshop *w, uint64_t flow, mw_mesh_node a,
                   mw_mesh_node b)
{
    const uint32_t n = mw_layout_flow_in(w->l, flow, w->core, w->channel);
    mw_mesh_node held = w->core[0];
    for (uint32_t i = 1; i < n; i++) {
        const mw_mesh_node needed = mw_channel_node(w->l, w->model, w->core[i - 1],
                                                    w->core[i], w->channel[i - 1]);
        if ((w->model == MW_COUPLED || i > 1) && held == a && needed == b)
            return true;
        held = needed;
    }
    return false;
}

/* Adds to the dropped flows all others that cause a -> b; false: they would be more than
 * `most` in all. */
static bool drop_causes(struct workshop *w, mw_mesh_node a, mw_mesh_node b, uint32_t most)
{
    struct mw_edit *e = &w->edit;
    for (uint64_t flow = 0; flow < w->l->n_flows; flow++) {
        bool dropped = false;
        for (uint32_t i = 0; i < e->n_drops; i++)
            dropped = dropped || e->drop[i] == flow;
        if (dropped || !causes(w, flow, a, b))
            continue;
        if (e->n_drops >= most)
            return false;
        e->drop[e->n_drops++] = flow;
    }
    return true;
}

/* MW_OK: w->edit drops at most `most` flows and is free. `p` is the witness of what is
 * dropped so far; its nodes are those of w->l, because the mesh is the same. */
static int drop_flows(struct workshop *w, const struct mw_proof *p, uint32_t most)
{
    const uint32_t n_drops = w->edit.n_drops;
    int rc = MW_DONE;
    for (uint32_t i = 0; i < p->n_cycle && rc == MW_DONE; i++) {
        struct mw_layout *l;
        struct mw_proof left;
        w->edit.n_drops = n_drops;
        if (!drop_causes(w, p->node[i], mw_witness_next(p, i), most))
            continue;
        if ((rc = try_edit(w, &l, &left)) != MW_OK)
            continue;
        if (!left.free)
            rc = w->edit.n_drops < most ? drop_flows(w, &left, most) : MW_DONE;
        put_away(l, &left);
    }
    return rc;
}

static void say_drops(const struct workshop *w, struct mw_fix *f)
{
    char name[MW_NODE_NAME];
    const uint32_t n = w->edit.n_drops;
    int at = n == 1 ? say(f, 0, "drop flow") : say(f, 0, "drop %u flows:", n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t n_cores = mw_layout_flow(w->l, w->edit.drop[i], w->core);
        at = say(f, (size_t)at, "%s %llu (", i == 0 ? "" : ",",
                 (unsigned long long)w->edit.drop[i]);
        for (uint32_t c = 0; c < n_cores && c < 5; c++)
            at = say(f, (size_t)at, "%s%s", c == 0 ? "" : " > ",
                     mw_core_name(w->l, w->core[c], name));
        at = say(f, (size_t)at, n_cores > 5 ? " ...)" : ")");
    }
}

static int offer_drops(struct workshop *w, const struct mw_proof *p, struct mw_fix *f)
{
    int rc = MW_DONE;
    w->tries = 0;
    for (uint32_t most = 1; most <= MW_DROPS_MAX && rc == MW_DONE; most++) {
        w->edit = (struct mw_edit){.n_moves = 0};
        rc = drop_flows(w, p, most);
    }
    if (rc != MW_OK)
        return rc;
    *f = (struct mw_fix){.proved = true};
    say_drops(w, f);
    return MW_OK;
}

/* ---- all of them ------------------------------------------------------------------- */

static void bound_credits(const struct mw_proof *p, struct mw_fix *f)
{
    *f = (struct mw_fix){.credits = p->min_inflight - 1};
    if (f->credits > 0)
        say(f, 0, "bound credits to %llu", (unsigned long long)f->credits);
    else
        say(f, 0, "no bound of credits helps: one message can be enough");
}

static int try_edits(const struct mw_layout *l, const struct mw_proof *p,
                     struct mw_fix *out, uint32_t room, uint32_t *n)
{
    int rc = MW_OK;
    struct workshop w = {.l = l, .model = p->model};
    MW_NEW(rc, w.core, "cores of a flow", l->longest);
    MW_NEW(rc, w.channel, "cores of a flow", l->longest);
    MW_NEW(rc, w.used, "cores that flows use", mw_mesh_cores(l));
    for (uint64_t i = 0; i < l->n_flows; i++)
        for (uint32_t k = mw_layout_flow(l, i, w.core); k-- > 0;)
            w.used[w.core[k]] = true;
    if (*n < room) {
        MW_TRY(rc, offer_one_way(&w, p, &out[*n]));
        *n += rc == MW_OK;
    }
    if (*n < room) {
        MW_TRY(rc, offer_drops(&w, p, &out[*n]));
        *n += rc == MW_OK;
    }
end:
    MW_FREE_ALL(w.core, w.channel, w.used);
    return rc;
}

uint32_t mw_layout_fixes(const struct mw_layout *l, const struct mw_proof *p,
                         struct mw_fix *out, uint32_t room)
{
    uint32_t n = 0;
    if (p->free || room == 0)
        return 0;
    /* An edit that memory does not suffice for is not offered: the bound always is. */
    if (l->n_flows <= MW_EDIT_HOPS_MAX && try_edits(l, p, out, room - 1, &n) < MW_OK)
        mw_error_clear();
    bound_credits(p, &out[n]);
    return n + 1;
}
