/* net.c -- see net.h. Flows to spots, (buffer, message) pairs; spots to codes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/net.h"

#include "base/mem.h"
#include "layouts/ways/stages.h"

#include <string.h>

/* ---- pairs, numbered in the order in which they are first seen -------------------------- */

struct pair {
    uint32_t a, b;
    uint32_t next;   /* spots: the spot behind, or an end */
    uint32_t source; /* spots: new messages appear here */
    uint64_t flow;   /* of the first of them */
};

struct pairs {
    uint32_t n, mask; /* mask + 1 slots, at least twice n */
    uint32_t *slot;   /* number + 1 */
    struct pair *pair;
};

enum { FIRST_PAIRS = 64, NONE = -1 };

static void pairs_fini(struct pairs *t)
{
    MW_FREE_ALL(t->slot, t->pair);
}

static uint32_t *pairs_slot(const struct pairs *t, uint32_t a, uint32_t b)
{
    uint64_t h = ((uint64_t)a << 32 | b) * UINT64_C(0x9E3779B97F4A7C15);
    h ^= h >> 32;
    for (uint32_t at = (uint32_t)h & t->mask;; at = (at + 1) & t->mask)
        if (t->slot[at] == 0 ||
            (t->pair[t->slot[at] - 1].a == a && t->pair[t->slot[at] - 1].b == b))
            return &t->slot[at];
}

static int pairs_grow(struct pairs *t)
{
    int rc = MW_OK;
    const uint32_t n_slots = t->slot == NULL ? 2 * FIRST_PAIRS : 2 * (t->mask + 1);
    struct pairs more = {.n = t->n, .mask = n_slots - 1};
    MW_NEW(rc, more.slot, "messages", n_slots);
    MW_NEW(rc, more.pair, "messages", n_slots / 2);
    if (t->n > 0)
        memcpy(more.pair, t->pair, t->n * sizeof *t->pair);
    for (uint32_t i = 0; i < t->n; i++)
        *pairs_slot(&more, t->pair[i].a, t->pair[i].b) = i + 1;
    pairs_fini(t);
    *t = more;
    return MW_OK;
end:
    pairs_fini(&more);
    return rc;
}

static int pairs_number(struct pairs *t, uint32_t a, uint32_t b, uint32_t *out)
{
    if (t->slot == NULL || t->n >= (t->mask + 1) / 2)
        MW_NEED(pairs_grow(t));
    uint32_t *const slot = pairs_slot(t, a, b);
    if (*slot == 0) {
        t->pair[t->n] = (struct pair){.a = a, .b = b, .next = (uint32_t)NONE};
        *slot = ++t->n;
    }
    *out = *slot - 1;
    return MW_OK;
}

/* ---- buffers before they are numbered --------------------------------------------------- */

/* Coupled, of each core: hand, send, row FIFO, column FIFO, and those of further channels. */
enum { RAW_HAND, RAW_SEND, RAW_FIFO };

/* How a message leaves its last spot, in buffer of a next spot; HAND + buffer: it leaves when
 * that hand is empty. */
#define END_EXIT UINT32_C(0xFFFFFFFE)
#define END_WALL UINT32_C(0xFFFFFFFD)
#define END_HAND UINT32_C(0x80000000)

struct builder {
    const struct mw_layout *l;
    const struct mw_net_conf *conf;
    struct pairs messages;      /* (core, message behind it) */
    struct pairs spots;         /* (raw buffer, message) */
    uint32_t kinds;             /* coupled: of a core */
    mw_core *core;              /* a flow, */
    mw_channel *channel;        /* and of its hops */
    uint32_t *message;          /* [longest] its suffixes */
    uint32_t *raw;              /* [3 * longest] the buffers it stands in, */
    uint32_t *at;               /* and where in the flow */
    uint32_t n_raw, *buffer_of; /* raw buffer to buffer */

    /* of a mesh with ways: of spot i, then of the starts; targets are spots or ends */
    struct mw_stages stages;
    uint32_t n_ways, n_targets;
    uint32_t *first_way, *first_target, *target; /* owned */
};

static uint32_t raw_buffers(const struct builder *b)
{
    const uint32_t n = mw_mesh_nodes(b->l, b->conf->model);
    return b->conf->model == MW_COUPLED ? b->kinds * n : n;
}

static uint32_t raw_fifo(const struct builder *b, uint32_t hop)
{
    const mw_core from = b->core[hop], to = b->core[hop + 1];
    if (b->conf->model == MW_COUPLED)
        return b->kinds * (uint32_t)to + RAW_FIFO + MW_N_CLASSES * b->channel[hop] +
               (uint32_t)mw_hop_class(b->l, from, to);
    return mw_channel_node(b->l, b->conf->model, from, to, b->channel[hop]);
}

static uint32_t hop_depth(const struct builder *b, uint32_t hop)
{
    return b->conf->fifo[mw_hop_class(b->l, b->core[hop], b->core[hop + 1])];
}

/* ---- one flow -------------------------------------------------------------------------- */

static void stand(struct builder *b, uint32_t raw, uint32_t at)
{
    b->raw[b->n_raw] = raw;
    b->at[b->n_raw++] = at;
}

/* The buffers that a message of b->core[0 .. n - 1] stands in; returns how it ends. */
static uint32_t walk_coupled(struct builder *b, uint32_t n)
{
    b->n_raw = 0;
    for (uint32_t i = 0; i + 1 < n; i++) {
        stand(b, b->kinds * (uint32_t)b->core[i] + RAW_HAND, i);
        if (b->conf->send > 0)
            stand(b, b->kinds * (uint32_t)b->core[i] + RAW_SEND, i);
        if (hop_depth(b, i) > 0)
            stand(b, raw_fifo(b, i), i + 1);
    }
    return END_HAND + b->kinds * (uint32_t)b->core[n - 1] + RAW_HAND;
}

static uint32_t walk_fifos(struct builder *b, uint32_t n)
{
    b->n_raw = 0;
    for (uint32_t i = 0; i + 1 < n; i++) {
        if (hop_depth(b, i) == 0)
            return END_WALL;
        stand(b, raw_fifo(b, i), i + 1);
    }
    return END_EXIT;
}

static int add_flow(struct builder *b, uint64_t flow)
{
    const uint32_t n = mw_layout_flow_in(b->l, flow, b->core, b->channel);
    uint32_t message = (uint32_t)NONE, spot;
    for (uint32_t i = n; i-- > 0; b->message[i] = message) {
        const uint32_t to = i + 1 < n ? b->channel[i] : 0; /* of the hop it makes next */
        MW_NEED(pairs_number(&b->messages, b->core[i] | to << 16, message, &message));
    }
    uint32_t next = b->conf->model == MW_COUPLED ? walk_coupled(b, n) : walk_fifos(b, n);
    if (b->n_raw == 0)
        return MW_OK;
    for (uint32_t i = b->n_raw; i-- > 0; next = spot) {
        MW_NEED(pairs_number(&b->spots, b->raw[i], b->message[b->at[i]], &spot));
        b->spots.pair[spot].next = next;
    }
    if (b->spots.pair[next].source == 0)
        b->spots.pair[next].flow = flow;
    b->spots.pair[next].source = 1;
    return MW_OK;
}

static int add_flows(struct builder *b)
{
    const uint64_t n = b->conf->flow == NULL ? b->l->n_flows : b->conf->n_flows;
    const uint32_t longest = b->l->longest;
    if (n > MW_NET_FLOWS_MAX)
        return mw_fail(MW_ERR_REFUSED,
                       "exploration: %llu flows, at most %d can be explored",
                       (unsigned long long)n, MW_NET_FLOWS_MAX);
    MW_NEED_NEW(b->core, "a flow", longest);
    MW_NEED_NEW(b->channel, "a flow", longest);
    MW_NEED_NEW(b->message, "a flow", longest);
    MW_NEED_NEW(b->raw, "a flow", 3 * (uint64_t)longest);
    MW_NEED_NEW(b->at, "a flow", 3 * (uint64_t)longest);
    for (uint64_t i = 0; i < n; i++)
        MW_NEED(add_flow(b, b->conf->flow == NULL ? i : b->conf->flow[i]));
    return MW_OK;
}

/* ---- ways ------------------------------------------------------------------------------- */

static void end_way(struct builder *b)
{
    b->first_target[++b->n_ways] = b->n_targets;
}

/* The way of stage `from`: the FIFOs that its copies enter. */
static int add_way(struct builder *b, uint32_t from, uint32_t way)
{
    const struct mw_stages *s = &b->stages;
    for (uint32_t i = s->first_target[way]; i < s->first_target[way + 1]; i++) {
        const struct mw_target *t = &s->target[i];
        const mw_core two[2] = {s->stage[from].core, s->stage[t->stage].core};
        memcpy(b->core, two, sizeof two);
        b->channel[0] = t->channel;
        MW_NEED(pairs_number(&b->spots, raw_fifo(b, 0), t->stage,
                             &b->target[b->n_targets++]));
    }
    end_way(b);
    return MW_OK;
}

/* The ways of one spot, whose targets may be spots that nobody has met before. */
static int add_ways(struct builder *b, uint32_t spot)
{
    const struct mw_stages *s = &b->stages;
    const bool coupled = b->conf->model == MW_COUPLED;
    const uint32_t raw = b->spots.pair[spot].a, stage = b->spots.pair[spot].b;
    const uint32_t kind = coupled ? raw % b->kinds : RAW_FIFO, hand = raw - kind;
    const struct mw_stage *at = &s->stage[stage];
    b->first_way[spot] = b->n_ways;
    if (kind == RAW_FIFO && !coupled && at->n_ways == 0) {
        b->target[b->n_targets++] = END_EXIT;
        end_way(b);
    } else if (kind >= RAW_FIFO && coupled) {
        if (at->n_ways == 0)
            b->target[b->n_targets++] = END_HAND + hand + RAW_HAND;
        else
            MW_NEED(pairs_number(&b->spots, hand + RAW_HAND, stage,
                                 &b->target[b->n_targets++]));
        end_way(b);
    } else if (kind == RAW_HAND && b->conf->send > 0) {
        MW_NEED(
            pairs_number(&b->spots, hand + RAW_SEND, stage, &b->target[b->n_targets++]));
        end_way(b);
    } else {
        for (uint32_t w = 0; w < at->n_ways; w++)
            MW_NEED(add_way(b, stage, at->first_way + w));
    }
    return MW_OK;
}

/* A new message stands in a hand; else each of its ways is a source of its own. */
static int add_start(struct builder *b, uint32_t i)
{
    const struct mw_stages *s = &b->stages;
    const struct mw_stage *at = &s->stage[s->start[i]];
    if (b->conf->model == MW_COUPLED) {
        MW_NEED(pairs_number(&b->spots, b->kinds * (uint32_t)at->core + RAW_HAND,
                             s->start[i], &b->target[b->n_targets++]));
        end_way(b);
        return MW_OK;
    }
    for (uint32_t w = 0; w < at->n_ways; w++)
        MW_NEED(add_way(b, s->start[i], at->first_way + w));
    return MW_OK;
}

/* All spots, beginning with those of new messages. first_way[] is of spots; ways of starts are
 * made first, from 0 on. */
static int add_stages(struct builder *b)
{
    const struct mw_stages *s = &b->stages;
    MW_NEED(mw_stages_make(b->l, b->conf->flow, b->conf->n_flows, &b->stages));
    if (b->conf->fifo[MW_ROW] == 0 || b->conf->fifo[MW_COLUMN] == 0)
        return mw_fail(MW_ERR_REFUSED,
                       "adaptive routes and broadcasts need FIFOs of depth 1 at least");
    /* A stage stands in a hand, a send buffer, and FIFOs: those of four links at most. */
    const uint64_t places = 3 + MW_N_HEADINGS * b->l->n_channels;
    const uint64_t most_spots = places * s->n;
    MW_NEED_NEW(b->core, "a hop", 2);
    MW_NEED_NEW(b->channel, "a hop", 2);
    MW_NEED_NEW(b->first_way, "ways", most_spots + 1);
    MW_NEED_NEW(b->first_target, "ways", places * ((uint64_t)s->n + s->n_ways) + 1);
    MW_NEED_NEW(b->target, "ways", places * ((uint64_t)s->n + s->n_targets));
    for (uint32_t i = 0; i < s->n_starts; i++)
        MW_NEED(add_start(b, i));
    for (uint32_t spot = 0; spot < b->spots.n; spot++) {
        MW_NEED(add_ways(b, spot));
        b->first_way[spot + 1] = b->n_ways;
    }
    return MW_OK;
}

static void builder_fini(struct builder *b)
{
    mw_stages_fini(&b->stages);
    MW_FREE_ALL(b->first_way, b->first_target, b->target);
    pairs_fini(&b->messages);
    pairs_fini(&b->spots);
    MW_FREE_ALL(b->core, b->channel, b->message, b->raw, b->at, b->buffer_of);
}

/* ---- numbers ---------------------------------------------------------------------------- */

static struct mw_net_buffer buffer_of_raw(const struct builder *b, uint32_t raw)
{
    const uint32_t kind = raw % b->kinds;
    struct mw_net_buffer p = {.kind = MW_BUFFER_FIFO, .node = raw};
    if (b->conf->model == MW_COUPLED) {
        p.node = raw / b->kinds;
        p.kind = kind == RAW_HAND   ? MW_BUFFER_HAND
                 : kind == RAW_SEND ? MW_BUFFER_SEND
                                    : MW_BUFFER_FIFO;
        p.fifo_class = (kind - RAW_FIFO) % MW_N_CLASSES == MW_COLUMN ? MW_COLUMN : MW_ROW;
        if (p.kind == MW_BUFFER_FIFO)
            p.channel = (mw_channel)((kind - RAW_FIFO) / MW_N_CLASSES);
    } else {
        p.fifo_class = mw_fifo_class_of(b->l, b->conf->model, raw);
    }
    p.capacity = p.kind == MW_BUFFER_HAND   ? 1
                 : p.kind == MW_BUFFER_SEND ? b->conf->send
                                            : b->conf->fifo[p.fifo_class];
    return p;
}

/* Numbers the buffers that messages stand in, in the order of the mesh. */
static int number_buffers(struct builder *b, struct mw_net *net)
{
    const uint32_t n_raw = raw_buffers(b);
    MW_NEED_NEW(b->buffer_of, "buffers", n_raw);
    for (uint32_t i = 0; i < b->spots.n; i++)
        b->buffer_of[b->spots.pair[i].a] = 1;
    for (uint32_t raw = 0; raw < n_raw; raw++)
        net->n_buffers += b->buffer_of[raw];
    net->exit = net->n_buffers;
    net->wall = net->n_buffers + 1;
    MW_NEED_NEW(net->buffer, "buffers", net->n_buffers + 2);
    for (uint32_t raw = 0, n = 0; raw < n_raw; raw++) {
        const bool used = b->buffer_of[raw] != 0;
        b->buffer_of[raw] =
            used ? n : net->exit; /* a hand that nothing rests in is empty */
        if (used)
            net->buffer[n++] = buffer_of_raw(b, raw);
    }
    return MW_OK;
}

static struct mw_move move_of(const struct builder *b, const struct mw_net *net,
                              const uint32_t *code, uint32_t next)
{
    if (next == END_EXIT)
        return (struct mw_move){net->exit, 0};
    if (next == END_WALL)
        return (struct mw_move){net->wall, 0};
    if (next >= END_HAND)
        return (struct mw_move){b->buffer_of[next - END_HAND], 0};
    return (struct mw_move){b->buffer_of[b->spots.pair[next].a], code[next]};
}

/* What each buffer may hold, from 1: code[] is of spots, of_move[] the spot of each move. Both are given back
 * by the caller, whatever is returned. */
static int number_messages(struct builder *b, struct mw_net *net, uint32_t **code,
                           uint32_t **of_move)
{
    const struct pair *spot = b->spots.pair;
    net->n_moves = b->spots.n;
    *code = *of_move = NULL;
    MW_NEED_NEW(*code, "messages", net->n_moves);
    MW_NEED_NEW(*of_move, "messages", net->n_moves);
    MW_NEED_NEW(net->move, "messages", net->n_moves);
    for (uint32_t i = 0; i < net->n_moves; i++)
        (*code)[i] = ++net->buffer[b->buffer_of[spot[i].a]].n_messages;
    for (uint32_t p = 0; p + 1 < net->n_buffers; p++)
        net->buffer[p + 1].first = net->buffer[p].first + net->buffer[p].n_messages;
    for (uint32_t i = 0; i < net->n_moves; i++)
        (*of_move)[net->buffer[b->buffer_of[spot[i].a]].first + (*code)[i] - 1] = i;
    return MW_OK;
}

static int number_codes(struct builder *b, struct mw_net *net)
{
    int rc;
    const struct pair *spot = b->spots.pair;
    uint32_t *code, *of_move;
    MW_TRY(rc, number_messages(b, net, &code, &of_move));
    for (uint32_t m = 0; m < net->n_moves; m++) {
        net->n_sources += spot[of_move[m]].source;
        net->move[m] = move_of(b, net, code, spot[of_move[m]].next);
        if (net->move[m].to == net->wall)
            net->buffer[net->wall].capacity = 1;
    }
    MW_NEW(rc, net->source, "sources", net->n_sources);
    for (uint32_t m = 0, n = 0; m < net->n_moves; m++)
        if (spot[of_move[m]].source != 0)
            net->source[n++] = (struct mw_source){.to = b->buffer_of[spot[of_move[m]].a],
                                                  .code = code[of_move[m]],
                                                  .flow = spot[of_move[m]].flow};
end:
    MW_FREE_ALL(code, of_move);
    return rc;
}

/* Ways by move instead of by spot; then those of new messages. */
static int number_ways(struct builder *b, struct mw_net *net)
{
    int rc;
    const struct mw_stages *s = &b->stages;
    uint32_t *code, *of_move, w = 0;
    MW_TRY(rc, number_messages(b, net, &code, &of_move));
    MW_NEW(rc, net->first_way, "ways", net->n_moves);
    MW_NEW(rc, net->first_target, "ways", b->n_ways + 1);
    MW_NEW(rc, net->target, "ways", b->n_targets);
    for (uint32_t t = 0; t < b->n_targets; t++)
        net->target[t] = move_of(b, net, code, b->target[t]);
    memcpy(net->first_target, b->first_target, (b->n_ways + 1) * sizeof *b->first_target);
    net->n_sources = b->first_way[0];
    MW_NEW(rc, net->source, "sources", net->n_sources);
    for (uint32_t i = 0; i < s->n_starts; i++) {
        const uint32_t n =
            b->conf->model == MW_COUPLED ? 1 : s->stage[s->start[i]].n_ways;
        for (uint32_t nth = 0; nth < n; nth++, w++) {
            const struct mw_move first = net->target[net->first_target[w]];
            net->source[w] = (struct mw_source){.to = first.to,
                                                .code = first.code,
                                                .flow = s->source[i],
                                                .way = w,
                                                .nth = (uint8_t)nth};
        }
    }
    net->end_way = of_move;
    of_move = NULL;
    for (uint32_t m = 0; m < net->n_moves; m++) {
        const uint32_t i = net->end_way[m];
        net->first_way[m] = b->first_way[i];
        net->most_ways =
            (uint32_t)mw_max(net->most_ways, b->first_way[i + 1] - b->first_way[i]);
        net->end_way[m] = b->first_way[i + 1];
        net->move[m] = net->target[net->first_target[net->first_way[m]]];
    }
end:
    MW_FREE_ALL(code, of_move);
    return rc;
}

int mw_net_init(struct mw_net *net, const struct mw_layout *l,
                const struct mw_net_conf *conf)
{
    int rc;
    struct builder b = {
        .l = l, .conf = conf, .kinds = RAW_FIFO + MW_N_CLASSES * l->n_channels};
    *net = (struct mw_net){.model = conf->model};
    const bool ways = mw_layout_has_ways(l);
    MW_TRY(rc, ways ? add_stages(&b) : add_flows(&b));
    MW_TRY(rc, number_buffers(&b, net));
    MW_TRY(rc, ways ? number_ways(&b, net) : number_codes(&b, net));
end:
    builder_fini(&b);
    if (rc < MW_OK)
        mw_net_fini(net);
    return rc;
}

void mw_net_fini(struct mw_net *net)
{
    MW_FREE_ALL(net->buffer, net->move, net->source, net->first_way, net->end_way,
                net->first_target, net->target);
    *net = (struct mw_net){0};
}

/* ---- steps ------------------------------------------------------------------------------ */

struct mw_step mw_net_inject_step(const struct mw_net *net, uint32_t s)
{
    const struct mw_source *from = &net->source[s];
    return (struct mw_step){.kind = MW_STEP_INJECT,
                            .node =
                                net->model == MW_COUPLED ? net->buffer[from->to].node : 0,
                            .way = from->nth,
                            .flow = from->flow};
}

struct mw_step mw_net_way_step(const struct mw_net *net, uint32_t p, uint32_t code,
                               uint32_t nth)
{
    struct mw_step s = mw_net_move_step(net, p, code);
    s.way = (uint8_t)nth;
    return s;
}

struct mw_step mw_net_move_step(const struct mw_net *net, uint32_t p, uint32_t code)
{
    static const uint8_t kind_of[] = {[MW_BUFFER_HAND] = MW_STEP_PUT,
                                      [MW_BUFFER_SEND] = MW_STEP_SEND,
                                      [MW_BUFFER_FIFO] = MW_STEP_GET};
    const struct mw_net_buffer *from = &net->buffer[p];
    struct mw_step s = {.node = from->node, .kind = kind_of[from->kind]};
    if (s.kind == MW_STEP_GET)
        s.from = (uint8_t)(from->channel * MW_N_CLASSES + from->fifo_class);
    if (net->model != MW_COUPLED) {
        s.kind = mw_net_move(net, p, code)->code == 0 ? MW_STEP_CONSUME : MW_STEP_MOVE;
        s.from = 0;
    }
    return s;
}
