/* aie_streams.c -- from the port where a stream enters its first box, for every packet number,
 * by the rules of each box to the port where it leaves the last.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/routes/aie.h"

#include <string.h>

enum { HOPS_MAX = 512, ENDS_MAX = 4096 };

struct stream {
    struct mw_aie *a;
    uint32_t source, line, first; /* its node; its first route */
    struct mw_aie_port port;
    int packet;
    bool ruled; /* a packet rule was met: it is no circuit */
    uint32_t n, place[HOPS_MAX + 2], hops, n_ends;
};

static uint32_t column_of(uint32_t tile)
{
    return tile / MW_AIE_SIDE_MAX;
}

static uint32_t row_of(uint32_t tile)
{
    return tile % MW_AIE_SIDE_MAX;
}

static int tile_node(struct mw_aie *a, uint32_t tile, uint32_t *out)
{
    char name[32];
    snprintf(name, sizeof name, "(%u,%u)", column_of(tile), row_of(tile));
    return mw_network_node(a->n, name, strlen(name),
                           (int)row_of(tile) >= a->first_core_row, out);
}

static int place_at(struct mw_aie *a, uint32_t tile, bool held, uint32_t depth,
                    const char *what, int number, uint32_t *out)
{
    char name[96];
    uint32_t node;
    snprintf(name, sizeof name, "%.48s%d %s (%u,%u)", what, number, held ? "of" : "into",
             column_of(tile), row_of(tile));
    MW_NEED(tile_node(a, tile, &node));
    MW_NEED(mw_network_place(a->n, name, strlen(name), out));
    a->n->place[*out].held = held;
    a->n->place[*out].depth = depth;
    a->n->place[*out].node = node;
    return MW_OK;
}

static int port_place(struct mw_aie *a, uint32_t tile, struct mw_aie_port p, bool held,
                      uint32_t *out)
{
    char what[32];
    const uint32_t deep = a->deep[tile * MW_AIE_PORT_MAX + (uint32_t)p.channel];
    snprintf(what, sizeof what, "%s:", mw_aie_bundles[p.bundle]);
    return place_at(a, tile, held, held || p.bundle != MW_AIE_DMA || deep == 0 ? 1 : deep,
                    what, p.channel, out);
}

/* A free arbiter of the box, for advice. */
static uint32_t spare_arbiter(const struct mw_aie *a, uint32_t box)
{
    bool used[MW_AIE_N_ARBITERS] = {false};
    for (int by = 0; by < 2; by++)
        for (int w = a->list[by][box]; w != MW_AIE_NONE; w = a->way[w].next)
            if (a->way[w].arbiter != MW_AIE_NONE)
                used[a->way[w].arbiter] = true;
    for (uint32_t i = 0; i < MW_AIE_N_ARBITERS; i++)
        if (!used[i])
            return i;
    return MW_NO_PLACE;
}

/* Marks the flow of these ends as routed; its descriptors need no further place. */
static void mark_routed(struct mw_aie *a, const struct stream *s, uint32_t tile,
                        struct mw_aie_port p)
{
    for (uint32_t i = 0; i < a->n_flows; i++) {
        struct mw_aie_flow *f = &a->flow[i];
        uint32_t node;
        if (f->tile[1] == tile && f->port[1].bundle == p.bundle &&
            f->port[1].channel == p.channel && tile_node(a, f->tile[0], &node) == MW_OK &&
            node == s->source && (f->packet == MW_AIE_NONE || f->packet == s->packet))
            f->routed = true;
    }
}

/* Packet numbers that take the same way are one route. */
static bool is_known(const struct stream *s, uint32_t n)
{
    const struct mw_network *net = s->a->n;
    for (uint32_t i = s->first; i < net->n_passages; i++)
        if (net->passage[i].n == n && memcmp(net->step + net->passage[i].first, s->place,
                                             n * sizeof *s->place) == 0)
            return true;
    return false;
}

static int end_stream(struct stream *s, uint32_t tile, struct mw_aie_port p)
{
    char name[96];
    uint32_t sink, n = s->n;
    MW_NEED(port_place(s->a, tile, p, false, &s->place[n++]));
    MW_NEED(tile_node(s->a, tile, &sink));
    mark_routed(s->a, s, tile, p);
    const bool again = is_known(s, n);
    s->a->n->n_multicast += s->n_ends++ > 0 && !again;
    if (again)
        return MW_OK;
    snprintf(name, sizeof name, s->ruled ? "packet %d of %s:%d" : "circuit%.0d of %s:%d",
             s->ruled ? s->packet : 0, mw_aie_bundles[s->port.bundle], s->port.channel);
    return mw_network_add(s->a->n, name, s->source, sink, s->place, n, s->line);
}

static int follow(struct stream *s, uint32_t box, struct mw_aie_port from);

/* Out of a box by a port: into the next box, or the end. */
static int leave(struct stream *s, uint32_t box, struct mw_aie_port to)
{
    static const int opposite[MW_AIE_N_BUNDLES] = {[MW_AIE_SOUTH] = MW_AIE_NORTH,
                                                   [MW_AIE_NORTH] = MW_AIE_SOUTH,
                                                   [MW_AIE_WEST] = MW_AIE_EAST,
                                                   [MW_AIE_EAST] = MW_AIE_WEST};
    const uint32_t tile = box / 2, column = column_of(tile), row = row_of(tile);
    const bool mux = box % 2 != 0;
    uint32_t next_box = UINT32_MAX;
    if (opposite[to.bundle] == 0)
        return end_stream(s, tile, to);
    if (mux && to.bundle == MW_AIE_NORTH)
        next_box = 2 * tile;
    else if (!mux && to.bundle == MW_AIE_SOUTH && row == 0)
        next_box = s->a->is_there[2 * tile + 1] ? 2 * tile + 1 : UINT32_MAX;
    else if (!mux && to.bundle == MW_AIE_NORTH && row + 2 < MW_AIE_SIDE_MAX)
        next_box = 2 * (tile + 1);
    else if (!mux && to.bundle == MW_AIE_SOUTH)
        next_box = 2 * (tile - 1);
    else if (!mux && to.bundle == MW_AIE_EAST && column + 1 < MW_AIE_SIDE_MAX)
        next_box = 2 * (tile + MW_AIE_SIDE_MAX);
    else if (!mux && to.bundle == MW_AIE_WEST && column > 0)
        next_box = 2 * (tile - MW_AIE_SIDE_MAX);
    if (next_box == UINT32_MAX)
        return end_stream(s, tile, to); /* out of the array */
    return follow(s, next_box, (struct mw_aie_port){opposite[to.bundle], to.channel});
}

static bool same_port(struct mw_aie_port a, struct mw_aie_port b)
{
    return a.bundle == b.bundle && a.channel == b.channel;
}

/* Through an arbiter to all ports of the selection. */
static int pass_arbiter(struct stream *s, uint32_t box, const struct mw_aie_way *rule)
{
    struct mw_aie *a = s->a;
    bool any = false;
    uint32_t place;
    MW_NEED(place_at(a, box / 2, true, 1, "arbiter ", rule->arbiter, &place));
    a->n->place[place].spare = spare_arbiter(a, box);
    s->place[s->n++] = place;
    for (int w = a->list[MW_AIE_BY_ARBITER][box]; w != MW_AIE_NONE; w = a->way[w].next)
        if (a->way[w].arbiter == rule->arbiter && a->way[w].select == rule->select) {
            any = true;
            MW_NEED(leave(s, box, a->way[w].to));
        }
    s->n--;
    if (!any)
        mw_diagnose(a->d, true, rule->line, 1, "this rule's amsel has no masterset");
    return MW_OK;
}

/* Into a box by a port: on by its circuits, and by the first rule that takes the packet. */
static int follow(struct stream *s, uint32_t box, struct mw_aie_port from)
{
    struct mw_aie *a = s->a;
    bool any = false, ruled = false;
    if (s->hops++ >= HOPS_MAX || s->n_ends > ENDS_MAX) {
        mw_diagnose(
            a->d, false, s->line, 1,
            "this stream goes round, through more than %d boxes, or to more than %d "
            "places",
            HOPS_MAX, ENDS_MAX);
        return MW_ERR_DATA;
    }
    for (int w = a->list[MW_AIE_BY_PORT][box]; w != MW_AIE_NONE && !ruled;
         w = a->way[w].next) {
        const struct mw_aie_way way = a->way[w];
        if (!same_port(way.from, from))
            continue;
        s->ruled = s->ruled || way.arbiter != MW_AIE_NONE;
        if (way.arbiter != MW_AIE_NONE && (s->packet & way.mask) != way.value)
            continue;
        any = true;
        ruled = way.arbiter != MW_AIE_NONE;
        MW_NEED(ruled ? pass_arbiter(s, box, &way) : leave(s, box, way.to));
    }
    if (!any && (!s->ruled || s->n > 1))
        mw_diagnose(a->d, true, s->line, 1,
                    "%s %d from here ends at %s : %d of (%u,%u), where nothing takes it",
                    s->ruled ? "packet" : "stream", s->packet,
                    mw_aie_bundles[from.bundle], from.channel, column_of(box / 2),
                    row_of(box / 2));
    s->hops--;
    return MW_OK;
}

/* Where streams come from: a port that is no side of the box, or the south of a first row that
 * has no multiplexer. */
static bool begins_here(const struct mw_aie *a, uint32_t box, const struct mw_aie_way *w)
{
    const int b = w->from.bundle;
    if (b == MW_AIE_SOUTH && box % 2 == 0 && row_of(box / 2) == 0)
        return !a->is_there[box + 1];
    return b != MW_AIE_SOUTH && b != MW_AIE_NORTH && b != MW_AIE_EAST && b != MW_AIE_WEST;
}

static int follow_from(struct mw_aie *a, uint32_t box, const struct mw_aie_way *w)
{
    struct stream s = {
        .a = a, .line = w->line, .first = a->n->n_passages, .port = w->from};
    MW_NEED(tile_node(a, box / 2, &s.source));
    MW_NEED(port_place(a, box / 2, w->from, true, &s.place[0]));
    for (s.packet = 0; s.packet < MW_AIE_N_PACKETS && (s.ruled || s.packet == 0);
         s.packet++) {
        s.n = 1;
        s.hops = s.n_ends = 0;
        MW_NEED(follow(&s, box, w->from));
    }
    return MW_OK;
}

static int follow_all(struct mw_aie *a)
{
    for (uint32_t box = 0; box < MW_AIE_N_BOXES; box++)
        for (int w = a->list[MW_AIE_BY_PORT][box]; w != MW_AIE_NONE; w = a->way[w].next) {
            const struct mw_aie_way way = a->way[w];
            int other = a->list[MW_AIE_BY_PORT][box];
            while (!same_port(a->way[other].from, way.from))
                other = a->way[other].next;
            if (other == w && begins_here(a, box, &way)) /* each port once */
                MW_NEED(follow_from(a, box, &way));
        }
    return MW_OK;
}

/* ---- flows that are not routed, object FIFOs -------------------------------------------- */

static int add_unrouted(struct mw_aie *a, uint32_t i)
{
    const struct mw_aie_flow *f = &a->flow[i];
    uint32_t source, sink, place[2];
    char name[64];
    a->n->n_unrouted += f->packet != MW_AIE_NONE; /* a circuit has no arbiters */
    snprintf(name, sizeof name,
             f->packet == MW_AIE_NONE ? "flow%.0d of %s:%d" : "packet %d of %s:%d",
             f->packet == MW_AIE_NONE ? 0 : f->packet, mw_aie_bundles[f->port[0].bundle],
             f->port[0].channel);
    MW_NEED(tile_node(a, f->tile[0], &source));
    MW_NEED(tile_node(a, f->tile[1], &sink));
    MW_NEED(port_place(a, f->tile[0], f->port[0], true, &place[0]));
    MW_NEED(port_place(a, f->tile[1], f->port[1], false, &place[1]));
    MW_NEED(mw_network_add(a->n, name, source, sink, place, 2, f->line));
    for (uint32_t j = 0; j < i; j++)
        if (a->flow[j].tile[0] == f->tile[0] && a->flow[j].packet == f->packet &&
            same_port(a->flow[j].port[0], f->port[0])) {
            a->n->n_multicast++;
            break;
        }
    return MW_OK;
}

static int add_fifo(struct mw_aie *a, const struct mw_aie_fifo *f)
{
    const char *const fifo = a->fifos.name[f->name];
    for (uint32_t i = 0; i < f->n_sinks; i++) {
        uint32_t source = f->source, sink = f->end, place;
        char name[96];
        const bool core = (int)row_of(f->sink[i]) >= a->first_core_row;
        if (source == UINT32_MAX)
            MW_NEED(tile_node(a, f->tile, &source));
        if (sink == UINT32_MAX || (core && f->n_sinks > 1))
            MW_NEED(tile_node(a, f->sink[i], &sink));
        snprintf(name, sizeof name, "%.48s into (%u,%u)", fifo, column_of(f->sink[i]),
                 row_of(f->sink[i]));
        MW_NEED(mw_network_place(a->n, name, strlen(name), &place));
        a->n->place[place].depth = f->depth[i];
        a->n->place[place].node = sink;
        MW_NEED(mw_network_add(a->n, fifo, source, sink, &place, 1, f->line));
        a->n->n_multicast += i > 0;
    }
    return MW_OK;
}

int mw_aie_follow(struct mw_aie *a)
{
    int rc;
    MW_TRY(rc, follow_all(a));
    for (uint32_t i = 0; i < a->n_flows; i++)
        if (!a->flow[i].routed)
            MW_TRY(rc, add_unrouted(a, i));
    for (uint32_t i = 0; i < a->n_fifos; i++)
        MW_TRY(rc, add_fifo(a, &a->fifo[i]));
end:
    return rc == MW_ERR_DATA && a->d->n_errors > 0 ? MW_OK : rc;
}
