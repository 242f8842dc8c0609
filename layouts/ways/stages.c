/* stages.c -- see stages.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/ways/stages.h"

#include "base/mem.h"

#include <string.h>

enum { NONE = -1, ARRIVALS = MW_N_HEADINGS + 1, MADE_HERE = MW_N_HEADINGS };

struct builder {
    const struct mw_layout *l;
    struct mw_stages *s;

    /* Of the sink in hand: the directions that lead to it, by arrival and core. */
    uint8_t *open;    /* owned; [ARRIVALS * cores] */
    uint32_t *number; /* owned; the same: a stage, or NONE */
    uint32_t *queue;  /* owned; the same */
    mw_core *core;
    mw_channel *channel;
};

/* ---- one behind the other ---------------------------------------------------------------- */

static int new_stage(struct builder *b, mw_core core, uint32_t *out)
{
    struct mw_stages *s = b->s;
    if (s->n == MW_STAGES_MAX)
        return mw_fail(MW_ERR_REFUSED,
                       "adaptive routes and broadcasts: more than %d messages",
                       MW_STAGES_MAX);
    MW_NEED_GROW("stages", s->stage, s->n, 1);
    s->stage[s->n] = (struct mw_stage){.core = core};
    *out = s->n++;
    return MW_OK;
}

/* Ways of a stage, and targets of a way, are made one behind the other. */
static int new_way(struct builder *b, uint32_t stage)
{
    struct mw_stages *s = b->s;
    MW_NEED_GROW("stages", s->first_target, s->n_ways + UINT64_C(1), 1);
    if (s->stage[stage].n_ways++ == 0)
        s->stage[stage].first_way = s->n_ways;
    s->first_target[s->n_ways++] = s->n_targets;
    s->first_target[s->n_ways] = s->n_targets;
    return MW_OK;
}

static int new_target(struct builder *b, uint32_t stage, mw_channel channel)
{
    struct mw_stages *s = b->s;
    MW_NEED_GROW("stages", s->target, s->n_targets, 1);
    s->target[s->n_targets++] = (struct mw_target){stage, channel};
    s->first_target[s->n_ways] = s->n_targets;
    return MW_OK;
}

static int new_start(struct builder *b, uint32_t stage, uint64_t source)
{
    struct mw_stages *s = b->s;
    MW_NEED_GROW("stages", s->start, s->n_starts, 1);
    MW_NEED_GROW("stages", s->source, s->n_starts, 1);
    s->start[s->n_starts] = stage;
    s->source[s->n_starts++] = source;
    return MW_OK;
}

/* ---- flows ------------------------------------------------------------------------------------ */

static int add_flow(struct builder *b, uint64_t flow)
{
    uint32_t stage = 0, next = 0;
    const uint32_t n = mw_layout_flow_in(b->l, flow, b->core, b->channel);
    MW_NEED(new_stage(b, b->core[0], &stage));
    MW_NEED(new_start(b, stage, flow));
    for (uint32_t i = 1; i < n; i++, stage = next) {
        MW_NEED(new_stage(b, b->core[i], &next));
        MW_NEED(new_way(b, stage));
        MW_NEED(new_target(b, next, b->channel[i - 1]));
    }
    return MW_OK;
}

/* ---- adaptive routes ---------------------------------------------------------------------------- */

static mw_core neighbour(const struct mw_layout *l, mw_core v, uint32_t to)
{
    const int step[MW_N_HEADINGS] = {1, (int)l->cols, -1, -(int)l->cols};
    return (mw_core)((int)v + step[to]);
}

/* Which directions lead nearer to the sink; bit i: direction i. */
static uint8_t nearer(const struct mw_layout *l, mw_core v, mw_core sink)
{
    const uint32_t row = mw_core_row(l, v), col = mw_core_col(l, v);
    const uint32_t to_row = mw_core_row(l, sink), to_col = mw_core_col(l, sink);
    return (uint8_t)((to_col > col ? 1 << MW_GO_EAST : 0) |
                     (to_row > row ? 1 << MW_GO_SOUTH : 0) |
                     (to_col < col ? 1 << MW_GO_WEST : 0) |
                     (to_row < row ? 1 << MW_GO_NORTH : 0));
}

static bool may_turn(const struct mw_layout *l, uint32_t arrival, mw_core v, uint32_t to)
{
    const uint16_t forbidden = l->adaptive.forbidden[mw_core_col(l, v) % 2];
    return arrival == MADE_HERE || (forbidden & MW_TURN(arrival, to)) == 0;
}

/* Of one core, when those nearer to the sink are known. A way that leads into a corner without a
 * turn is none. */
static void open_core(struct builder *b, mw_core v, mw_core sink)
{
    const struct mw_layout *l = b->l;
    const uint8_t near = nearer(l, v, sink);
    for (uint32_t arrival = 0; arrival < ARRIVALS; arrival++) {
        uint8_t open = 0;
        for (uint32_t to = 0; to < MW_N_HEADINGS; to++) {
            if ((near >> to & 1) == 0 || !may_turn(l, arrival, v, to))
                continue;
            const mw_core next = neighbour(l, v, to);
            if (next == sink || b->open[ARRIVALS * next + to] != 0)
                open |= (uint8_t)(1 << to);
        }
        b->open[ARRIVALS * v + arrival] = open;
    }
}

/* Cores in the order of their distance: rings around the sink. */
static void open_all(struct builder *b, mw_core sink)
{
    const struct mw_layout *l = b->l;
    const int row = (int)mw_core_row(l, sink), col = (int)mw_core_col(l, sink);
    memset(b->open, 0, (size_t)ARRIVALS * mw_mesh_cores(l));
    memset(b->number, 0xFF, (size_t)ARRIVALS * mw_mesh_cores(l) * sizeof *b->number);
    for (int d = 1; d < (int)(l->rows + l->cols); d++)
        for (int down = -d; down <= d; down++)
            for (int side = -1; side <= 1; side += 2) {
                const int r = row + down,
                          c = col + side * (d - (down < 0 ? -down : down));
                if (r >= 0 && r < (int)l->rows && c >= 0 && c < (int)l->cols)
                    open_core(b, mw_core_at(l, (uint32_t)r, (uint32_t)c), sink);
            }
}

/* The stage of a message to the sink that came to v so. Where no turn is forbidden, how it came
 * makes no difference. */
static int stage_at(struct builder *b, mw_core v, uint32_t arrival, uint32_t *n_queue,
                    uint32_t *out)
{
    const struct mw_adaptive *a = &b->l->adaptive;
    if ((a->forbidden[0] | a->forbidden[1]) == 0)
        arrival = MADE_HERE;
    const uint32_t at = ARRIVALS * (uint32_t)v + arrival;
    if (b->number[at] == (uint32_t)NONE) {
        MW_NEED(new_stage(b, v, &b->number[at]));
        b->queue[(*n_queue)++] = at;
    }
    *out = b->number[at];
    return MW_OK;
}

/* The direction in which the escape goes on. */
static uint32_t escape_to(const struct mw_layout *l, mw_core v, mw_core sink)
{
    const uint8_t near = nearer(l, v, sink);
    const uint8_t along = (1 << MW_GO_EAST) | (1 << MW_GO_WEST);
    const uint8_t first = l->adaptive.escape_yx ? (uint8_t)(near & ~along) : near & along;
    return (uint32_t)__builtin_ctz(first != 0 ? first : near);
}

static int add_way(struct builder *b, uint32_t stage, uint32_t to, mw_channel channel,
                   uint32_t *n_queue)
{
    uint32_t next = 0;
    const mw_core v = neighbour(b->l, b->s->stage[stage].core, to);
    MW_NEED(stage_at(b, v, to, n_queue, &next));
    MW_NEED(new_way(b, stage));
    return new_target(b, next, channel);
}

/* Ways of every stage that was met and has none yet. */
static int add_ways(struct builder *b, mw_core sink, uint32_t done, uint32_t *n_queue)
{
    const struct mw_adaptive *a = &b->l->adaptive;
    for (; done < *n_queue; done++) {
        const uint32_t at = b->queue[done], stage = b->number[at];
        const mw_core v = (mw_core)(at / ARRIVALS);
        for (uint32_t to = 0; to < MW_N_HEADINGS && v != sink; to++)
            if ((b->open[at] >> to & 1) != 0)
                MW_NEED(add_way(b, stage, to, a->channel, n_queue));
        if (v != sink && a->escapes)
            MW_NEED(add_way(b, stage, escape_to(b->l, v, sink), a->escape, n_queue));
    }
    return MW_OK;
}

/* Pairs are numbered behind the flows. */
static uint64_t pair_of(const struct mw_layout *l, uint32_t source, uint32_t sink)
{
    return l->n_flows + mw_routed_flow(l, source, sink);
}

static bool is_asked(const uint64_t *source, uint64_t n, uint64_t which)
{
    uint64_t i = 0;
    while (source != NULL && i < n && source[i] != which)
        i++;
    return source == NULL || i < n;
}

static int no_way(const struct mw_layout *l, mw_core from, mw_core to)
{
    char name[2][MW_NODE_NAME];
    return mw_fail(MW_ERR_DATA,
                   "unroutable: %s -> %s: each shortest way makes a forbidden turn",
                   mw_core_name(l, from, name[0]), mw_core_name(l, to, name[1]));
}

static int add_pairs(struct builder *b, const uint64_t *source, uint64_t n)
{
    const struct mw_layout *l = b->l;
    for (uint32_t k = 0; k < l->n_sinks; k++) {
        uint32_t n_queue = 0, done = 0, stage = 0;
        open_all(b, l->sink[k]);
        for (uint32_t i = 0; i < l->n_sources; i++) {
            const mw_core v = l->source[i];
            if (v == l->sink[k] || !is_asked(source, n, pair_of(l, i, k)))
                continue;
            if (b->open[ARRIVALS * v + MADE_HERE] == 0)
                return no_way(l, v, l->sink[k]);
            MW_NEED(stage_at(b, v, MADE_HERE, &n_queue, &stage));
            MW_NEED(new_start(b, stage, pair_of(l, i, k)));
            MW_NEED(add_ways(b, l->sink[k], done, &n_queue));
            done = n_queue;
        }
    }
    return MW_OK;
}

/* ---- broadcasts ---------------------------------------------------------------------------------- */

/* The copies that one core of a leg makes; those of the last leg have no ways. */
static int add_leg(struct builder *b, const struct mw_broadcast *c, uint32_t leg,
                   uint32_t stage)
{
    const struct mw_layout *l = b->l;
    const bool in_row = c->leg[leg % MW_LEGS_MAX] == MW_ROW;
    const mw_core from = b->s->stage[stage].core;
    const uint32_t first = b->s->n, n = in_row ? l->cols : l->rows;
    uint32_t next;
    for (uint32_t i = 0; i < n; i++) {
        const mw_core to = in_row ? mw_core_at(l, mw_core_row(l, from), i)
                                  : mw_core_at(l, i, mw_core_col(l, from));
        if (to != from)
            MW_NEED(new_stage(b, to, &next));
    }
    MW_NEED(new_way(b, stage));
    for (uint32_t i = 0; i + 1 < n; i++)
        MW_NEED(new_target(b, first + i, c->leg_channel[leg % MW_LEGS_MAX]));
    for (uint32_t i = 0; i + 1 < n && leg + 1u < c->n_legs; i++)
        MW_NEED(add_leg(b, c, leg + 1, first + i)); /* at most MW_LEGS_MAX deep */
    return MW_OK;
}

static int add_broadcasts(struct builder *b, const uint64_t *source, uint64_t n)
{
    const uint64_t first = mw_sources_count(b->l) - b->l->n_broadcasts;
    uint32_t stage = 0;
    for (uint32_t i = 0; i < b->l->n_broadcasts; i++) {
        if (!is_asked(source, n, first + i))
            continue;
        MW_NEED(new_stage(b, b->l->broadcast[i].core, &stage));
        MW_NEED(new_start(b, stage, first + i));
        MW_NEED(add_leg(b, &b->l->broadcast[i], 0, stage));
    }
    return MW_OK;
}

/* ---- the whole -------------------------------------------------------------------------------------- */

uint64_t mw_sources_count(const struct mw_layout *l)
{
    const uint64_t n_pairs = l->adaptive.model != 0 ? l->source_first[l->n_sources] : 0;
    return l->n_flows + n_pairs + l->n_broadcasts;
}

void mw_source_print(const struct mw_layout *l, uint64_t source, FILE *out)
{
    const uint64_t first = mw_sources_count(l) - l->n_broadcasts;
    char name[2][MW_NODE_NAME];
    if (source >= first) {
        const struct mw_broadcast *b = &l->broadcast[source - first];
        fprintf(out, "broadcast %s", mw_core_name(l, b->core, name[0]));
        for (uint32_t i = 0; i < b->n_legs; i++)
            fputs(b->leg[i] == MW_ROW ? " row" : " col", out);
        return;
    }
    for (uint32_t i = 0; source >= l->n_flows && i < l->n_sources; i++)
        for (uint32_t k = 0; k < l->n_sinks; k++)
            if (l->source[i] != l->sink[k] && pair_of(l, i, k) == source) {
                fprintf(out, "%s -> %s", mw_core_name(l, l->source[i], name[0]),
                        mw_core_name(l, l->sink[k], name[1]));
                return;
            }
    mw_core core[MW_FLOW_CORES_MAX];
    mw_path_print(l, core, mw_layout_flow(l, source, core), out);
}

int mw_stages_make(const struct mw_layout *l, const uint64_t *source, uint64_t n,
                   struct mw_stages *out)
{
    int rc = MW_OK;
    struct builder b = {.l = l, .s = out};
    const uint64_t places = (uint64_t)ARRIVALS * mw_mesh_cores(l);
    *out = (struct mw_stages){0};
    MW_NEW(rc, b.open, "directions", places);
    MW_NEW(rc, b.number, "stages", places);
    MW_NEW(rc, b.queue, "stages", places);
    MW_NEW(rc, b.core, "cores of a flow", l->longest);
    MW_NEW(rc, b.channel, "cores of a flow", l->longest);
    MW_NEW(rc, out->first_target, "stages", MW_FIRST_ROOM);
    for (uint64_t i = 0; i < l->n_flows; i++)
        if (is_asked(source, n, i))
            MW_TRY(rc, add_flow(&b, i));
    if (l->adaptive.model != 0)
        MW_TRY(rc, add_pairs(&b, source, n));
    MW_TRY(rc, add_broadcasts(&b, source, n));
end:
    MW_FREE_ALL(b.open, b.number, b.queue, b.core, b.channel);
    if (rc != MW_OK)
        mw_stages_fini(out);
    return rc;
}

void mw_stages_fini(struct mw_stages *s)
{
    MW_FREE_ALL(s->stage, s->first_target, s->target, s->start, s->source);
    *s = (struct mw_stages){0};
}
