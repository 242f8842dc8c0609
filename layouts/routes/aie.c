/* aie.c -- AI Engine designs, as far as their streams go: the textual form of mlir-aie,
 * without MLIR. Tiles, switch boxes with their circuits, arbiters and packet rules, shim
 * multiplexers, flows that are not routed yet, object FIFOs and their depths; all else is
 * passed over.
 *
 *      DMA : 0 of a tile --> arbiter 5 of box (0,1) --> arbiter 0 of box (0,4) --> DMA : 0
 *      held                  held                       held                       a store
 *
 * A stream is followed from the port where it enters the first box, for every packet number,
 * by the rules of each box to the port where it leaves the last. A circuit is a wire, and no
 * place of its own. A store is as deep as the port has buffer descriptors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/routes/aie.h"

#include "base/mem.h"

#include <string.h>
#include <strings.h>

/* ---- ops -------------------------------------------------------------------------------- */

#define GROWN(a, ptr, used)                                                              \
    do {                                                                                 \
        void *const block_ = mw_grown("a design", (ptr), (used), 1, sizeof *(ptr));      \
        if (block_ == NULL)                                                              \
            return !((a)->failed = true);                                                \
        (ptr) = block_;                                                                  \
    } while (0)

static bool read_device(struct mw_aie *a)
{
    static const struct {
        const char *name;
        int first_core_row;
    } devices[] = {{"xcvc1902", 1}, {"xcve2302", 2}, {"xcve2802", 3}, {"npu", 2}};
    if (a->first_core_row > 0)
        return mw_aie_complain(a,
                               "a second aie.device; one file (or what follows its last "
                               "// -----) holds one");
    if (!mw_aie_take(a, "("))
        return false;
    mw_aie_next(a);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (a->word.bytes >= strlen(devices[i].name) &&
            strncmp(a->word.text, devices[i].name, strlen(devices[i].name)) == 0)
            a->first_core_row = devices[i].first_core_row;
    return a->first_core_row > 0 ||
           mw_aie_wrong(a, "a device: xcvc1902, xcve2302, xcve2802, npu1, npu2");
}

/* The result of the op in hand gets the next number of a table. */
static bool number_result(struct mw_aie *a, struct mw_vocabulary *names, uint32_t *out)
{
    const uint32_t before = names->n;
    if (a->result.bytes < 2)
        return mw_aie_wrong(a, "a name before it (%x = ...)");
    if (mw_vocabulary_number(names, a->result.text, a->result.bytes, out) < MW_OK)
        return !(a->failed = true);
    return *out == before || mw_aie_complain(a, "a second tile or amsel of one name");
}

static bool read_tile(struct mw_aie *a)
{
    int column, row;
    uint32_t number;
    if (!mw_aie_take_all(a, "(N,N", MW_AIE_SIDE_MAX - 1, &column, MW_AIE_SIDE_MAX - 2,
                         &row) ||
        !number_result(a, &a->tiles, &number))
        return false;
    GROWN(a, a->tile, number);
    a->tile[number] = (uint32_t)(column * MW_AIE_SIDE_MAX + row);
    return true;
}

static bool add_way(struct mw_aie *a, uint32_t box, int by, struct mw_aie_way w)
{
    GROWN(a, a->way, a->n_ways);
    w.next = MW_AIE_NONE;
    w.line = a->line;
    a->way[a->n_ways] = w;
    if (a->list[by][box] == MW_AIE_NONE)
        a->list[by][box] = (int)a->n_ways;
    else
        a->way[a->last[by][box]].next = (int)a->n_ways;
    a->last[by][box] = (int)a->n_ways++;
    return true;
}

static bool read_connect(struct mw_aie *a, uint32_t box)
{
    struct mw_aie_way w = {.arbiter = MW_AIE_NONE};
    return mw_aie_take_all(a, "<P,P", &w.from, &w.to) &&
           add_way(a, box, MW_AIE_BY_PORT, w);
}

static bool read_amsel(struct mw_aie *a)
{
    struct mw_aie_port s;
    uint32_t number;
    if (!mw_aie_take_all(a, "<N>(N", MW_AIE_N_ARBITERS - 1, &s.bundle, 3, &s.channel) ||
        !number_result(a, &a->selects, &number))
        return false;
    GROWN(a, a->select, number);
    a->select[number] = s;
    return true;
}

static bool take_select(struct mw_aie *a, struct mw_aie_way *w)
{
    uint32_t number;
    mw_aie_next(a);
    if (!mw_aie_find(a, &a->selects, "amsel", &number))
        return false;
    w->arbiter = a->select[number].bundle;
    w->select = a->select[number].channel;
    return true;
}

static bool read_masterset(struct mw_aie *a, uint32_t box)
{
    struct mw_aie_way w = {.mask = 0};
    if (!mw_aie_take_all(a, "(P", &w.to))
        return false;
    while (mw_aie_next(a) && mw_aie_is(a, ","))
        if (!take_select(a, &w) || !add_way(a, box, MW_AIE_BY_ARBITER, w))
            return false;
    return mw_aie_is(a, ")") || mw_aie_wrong(a, "')'");
}

static bool read_rules(struct mw_aie *a, uint32_t box)
{
    struct mw_aie_way w = {.mask = 0};
    if (!mw_aie_take_all(a, "(P){", &w.from))
        return false;
    while (mw_aie_next(a) && !mw_aie_is(a, "}"))
        if (mw_aie_is(a, "aie.rule") &&
            (!mw_aie_take_all(a, "(N,N,", 31, &w.mask, 31, &w.value) ||
             !take_select(a, &w) || !add_way(a, box, MW_AIE_BY_PORT, w)))
            return false;
    return mw_aie_is(a, "}") || mw_aie_wrong(a, "'}'");
}

static bool add_flow(struct mw_aie *a, const struct mw_aie_flow *f)
{
    GROWN(a, a->flow, a->n_flows);
    a->flow[a->n_flows++] = *f;
    return true;
}

static bool read_flow(struct mw_aie *a)
{
    struct mw_aie_flow f = {.packet = MW_AIE_NONE, .line = a->line};
    return mw_aie_take_all(a, "(T,P,T,P", &f.tile[0], &f.port[0], &f.tile[1],
                           &f.port[1]) &&
           add_flow(a, &f);
}

static bool read_packet_flow(struct mw_aie *a)
{
    struct mw_aie_flow f = {.line = a->line};
    bool source = false;
    if (!mw_aie_take_all(a, "(N){", MW_AIE_N_PACKETS - 1, &f.packet))
        return false;
    while (mw_aie_next(a) && !mw_aie_is(a, "}")) {
        if (mw_aie_is(a, "aie.packet_source")) {
            if (source)
                return mw_aie_complain(a, "a packet flow with two sources");
            source = true;
            if (!mw_aie_take_all(a, "<T,P", &f.tile[0], &f.port[0]))
                return false;
        } else if (mw_aie_is(a, "aie.packet_dest")) {
            if (!source)
                return mw_aie_complain(a, "a packet_dest before the packet_source");
            if (!mw_aie_take_all(a, "<T,P", &f.tile[1], &f.port[1]) || !add_flow(a, &f))
                return false;
        }
    }
    return mw_aie_is(a, "}") || mw_aie_wrong(a, "'}'");
}

/* Up to the bracket that closes what is open. */
static bool skip_brackets(struct mw_aie *a)
{
    int depth = 1;
    while (depth > 0 && mw_aie_next(a)) {
        depth += mw_aie_is(a, "[");
        depth -= mw_aie_is(a, "]");
    }
    return depth == 0 || mw_aie_wrong(a, "']'");
}

/* "%t", perhaps with dimensions; the token behind it is in hand then. */
static bool take_fifo_end(struct mw_aie *a, uint32_t *box)
{
    if (!mw_aie_take_tile(a, box))
        return false;
    while (mw_aie_next(a) && !mw_aie_is(a, ",") && !mw_aie_is(a, "}"))
        if (mw_aie_is(a, "[") && !skip_brackets(a))
            return false;
    return true;
}

static bool read_depths(struct mw_aie *a, struct mw_aie_fifo *f)
{
    int depth;
    mw_aie_next(a);
    const bool list = mw_aie_is(a, "[");
    for (uint32_t i = 0; i <= (list ? f->n_sinks : 0); i++) {
        if (list && i > 0 && !mw_aie_take(a, ","))
            return false;
        if (!list) {
            a->at = a->word.text; /* the number is in hand */
        }
        if (!mw_aie_take_number(a, MW_FIFO_MAX, &depth))
            return false;
        if (depth == 0)
            return mw_aie_complain(a, "an object FIFO of depth 0");
        for (uint32_t j = 0; j < f->n_sinks; j++)
            if (!list || i == j + 1)
                f->depth[j] = (uint32_t)depth;
    }
    return true;
}

static bool read_objectfifo(struct mw_aie *a)
{
    struct mw_aie_fifo f = {.line = a->line, .source = UINT32_MAX, .end = UINT32_MAX};
    const uint32_t before = a->fifos.n;
    mw_aie_next(a);
    if (a->word.bytes < 2 || a->word.text[0] != '@')
        return mw_aie_wrong(a, "a name (@...)");
    if (mw_vocabulary_number(&a->fifos, a->word.text, a->word.bytes, &f.name) < MW_OK)
        return !(a->failed = true);
    if (f.name != before)
        return mw_aie_complain(a, "a second object FIFO of one name");
    if (!mw_aie_take(a, "(") || !take_fifo_end(a, &f.tile) || !mw_aie_take(a, "{"))
        return false;
    do {
        if (f.n_sinks == MW_AIE_N_PACKETS)
            return mw_aie_complain(a, "an object FIFO with more than 32 ends");
        if (!take_fifo_end(a, &f.sink[f.n_sinks++]))
            return false;
    } while (mw_aie_is(a, ","));
    if (!mw_aie_take(a, ",") || !read_depths(a, &f))
        return false;
    GROWN(a, a->fifo, a->n_fifos);
    a->fifo[a->n_fifos++] = f;
    return true;
}

/* "[@a, @b] -> [@c]": what arrives in a, b is what leaves by c. */
static bool read_link(struct mw_aie *a)
{
    int rc;
    char name[64];
    uint32_t node, number;
    snprintf(name, sizeof name, "link in line %u", a->line);
    rc = mw_network_node(a->n, name, strlen(name), true, &node);
    for (int side = 0; side < 2 && rc == MW_OK; side++) {
        if (!mw_aie_take_all(a, side == 0 ? "[" : "->["))
            return false;
        do {
            mw_aie_next(a);
            if (!mw_aie_find(a, &a->fifos, "object FIFO", &number))
                return false;
            if (side == 0)
                a->fifo[number].end = node;
            else
                a->fifo[number].source = node;
        } while (mw_aie_next(a) && mw_aie_is(a, ","));
        if (!mw_aie_is(a, "]"))
            return mw_aie_wrong(a, "']'");
    }
    return rc == MW_OK || !(a->failed = true);
}

/* ---- regions ---------------------------------------------------------------------------- */

/* "(%t) {", of a box or a DMA program; *until: the braces that are open outside of it. */
static bool open_region(struct mw_aie *a, uint32_t *box, uint32_t *until)
{
    if (!mw_aie_take_all(a, "(T", box))
        return false;
    *until = a->braces;
    while (mw_aie_next(a) && !mw_aie_is(a, "{"))
        continue;
    return mw_aie_is(a, "{") || mw_aie_wrong(a, "'{'");
}

static bool read_box(struct mw_aie *a, uint32_t mux)
{
    uint32_t box, until;
    if (!open_region(a, &box, &until))
        return false;
    box = 2 * box + mux;
    a->is_there[box] = true;
    mw_vocabulary_fini(&a->selects);
    bool good = true;
    while (good && mw_aie_next(a) && a->braces > until) {
        if (mw_aie_is(a, "=") || a->word.text[0] == '%') {
            a->result = a->word.text[0] == '%' ? a->word : a->result;
            continue;
        }
        good = mw_aie_is(a, "aie.connect")        ? read_connect(a, box)
               : mw_aie_is(a, "aie.amsel")        ? read_amsel(a)
               : mw_aie_is(a, "aie.masterset")    ? read_masterset(a, box)
               : mw_aie_is(a, "aie.packet_rules") ? read_rules(a, box)
                                                  : true;
    }
    return good;
}

/* Descriptors between a dma_start (or dma) and the next belong to it. */
static bool read_dma(struct mw_aie *a)
{
    uint32_t box, until;
    int channel = MW_AIE_NONE;
    if (!open_region(a, &box, &until))
        return false;
    while (mw_aie_next(a) && a->braces > until) {
        if (mw_aie_is(a, "aie.dma_start") || mw_aie_is(a, "aie.dma")) {
            if (!mw_aie_take(a, "("))
                return false;
            mw_aie_next(a);
            const bool receives = mw_aie_is(a, "S2MM");
            if (!mw_aie_take(a, ",") ||
                !mw_aie_take_number(a, MW_AIE_PORT_MAX - 1, &channel))
                return false;
            channel = receives ? channel : MW_AIE_NONE;
        } else if (mw_aie_is(a, "aie.dma_bd") && channel != MW_AIE_NONE) {
            uint16_t *deep = &a->deep[box * MW_AIE_PORT_MAX + (uint32_t)channel];
            *deep = (uint16_t)mw_min(*deep + 1u, MW_FIFO_MAX);
        }
    }
    return true;
}

static bool read_op(struct mw_aie *a)
{
    if (a->word.text[0] == '"' && a->word.bytes > 5 &&
        strncasecmp(a->word.text, "\"aie.", 5) == 0)
        return mw_aie_complain(a, "an op in generic form; print it without "
                                  "--mlir-print-op-generic");
    if (mw_aie_is(a, "aie.logical_tile"))
        return mw_aie_complain(a, "a logical tile; place the tiles first");
    return mw_aie_is(a, "aie.device")            ? read_device(a)
           : mw_aie_is(a, "aie.tile")            ? read_tile(a)
           : mw_aie_is(a, "aie.switchbox")       ? read_box(a, 0)
           : mw_aie_is(a, "aie.shim_mux")        ? read_box(a, 1)
           : mw_aie_is(a, "aie.flow")            ? read_flow(a)
           : mw_aie_is(a, "aie.packet_flow")     ? read_packet_flow(a)
           : mw_aie_is(a, "aie.objectfifo")      ? read_objectfifo(a)
           : mw_aie_is(a, "aie.objectfifo.link") ? read_link(a)
           : mw_aie_is(a, "aie.mem") || mw_aie_is(a, "aie.memtile_dma") ? read_dma(a)
                                                                        : true;
}

static void read_ops(struct mw_aie *a)
{
    while (!a->failed && mw_aie_next(a)) {
        if (a->word.text[0] == '%')
            a->result = a->word;
        else
            read_op(a);
    }
}

/* Behind the last line "// -----", where mlir-opt would begin anew. */
static void find_section(struct mw_aie *a)
{
    static const char mark[] = "// -----";
    const size_t n = sizeof mark - 1;
    const char *begin = a->at;
    for (const char *at = a->at; a->end - at >= (ptrdiff_t)n; at++)
        if ((at == begin || at[-1] == '\n') && memcmp(at, mark, n) == 0)
            a->at = at;
    for (const char *at = begin; at < a->at; at++)
        a->line += *at == '\n';
}

int mw_network_read_aie(const char *text, size_t bytes, struct mw_network *out,
                        struct mw_diagnostics *d)
{
    int rc = MW_OK;
    struct mw_aie a = {.n = out, .d = d, .at = text, .end = text + bytes, .line = 1};
    out->boxes = true;
    for (int by = 0; by < MW_AIE_N_LISTS; by++) {
        MW_NEW(rc, a.list[by], "boxes", MW_AIE_N_BOXES);
        MW_NEW(rc, a.last[by], "boxes", MW_AIE_N_BOXES);
        memset(a.list[by], 0xFF, MW_AIE_N_BOXES * sizeof *a.list[by]); /* MW_AIE_NONE */
    }
    MW_NEW(rc, a.is_there, "boxes", MW_AIE_N_BOXES);
    MW_NEW(rc, a.deep, "boxes", MW_AIE_N_BOXES / 2 * MW_AIE_PORT_MAX);
    find_section(&a);
    read_ops(&a);
    if (a.failed && d->n_errors == 0)
        rc = MW_ERR_NOMEM;
    else if (!a.failed && a.first_core_row == 0)
        mw_aie_complain(&a, "no aie.device in it");
    else if (!a.failed)
        rc = mw_aie_follow(&a);
end:
    for (int by = 0; by < MW_AIE_N_LISTS; by++)
        MW_FREE_ALL(a.list[by], a.last[by]);
    mw_vocabulary_fini(&a.tiles);
    mw_vocabulary_fini(&a.selects);
    mw_vocabulary_fini(&a.fifos);
    MW_FREE_ALL(a.is_there, a.deep, a.tile, a.select, a.way, a.flow, a.fifo);
    return rc;
}
