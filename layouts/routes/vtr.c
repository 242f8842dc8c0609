/* vtr.c -- networks of VTR: the topology of the architecture file, the traffic flows, and where
 * the blocks were placed, in one text one after the other.
 *
 *      <router id="0" positionx="0" positiony="0" connections="1 2"/>
 *      <single_flow src="a" dst="b" bandwidth="2e9" latency_cons="3e-9"/>
 *      a 0 3                              block, layer, router: the placement that VPR writes
 *
 * A <mesh> stands for size x size routers, row by row from below, each joined to its neighbours. It is
 * written out as those, and read again.
 *
 * VTR writes no file of routes. Those of its XY routing follow from these: along x until the
 * column is reached, then along y, always to a neighbour that is nearer. Its turn models choose
 * by numbers from inside, so their routes are for a plain list. A flow's name that is a number is
 * a router, and needs no placement.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/routes/network.h"

#include "base/mem.h"
#include "mesh/lang/words.h"

#include <stdlib.h>
#include <string.h>

struct router {
    uint32_t node, line;
    double x, y;
    struct mw_word links; /* the text of its connections */
};

struct flow {
    struct mw_word end[2];
    uint32_t line;
};

struct vtr {
    struct mw_network *n;
    struct mw_diagnostics *d;
    const char *at, *end;
    uint32_t line, depth;             /* elements that are open */
    struct mw_vocabulary ids, blocks; /* router ids; block names */
    struct router *router;            /* [ids.n]; line 0: not described */
    uint32_t *placed;                 /* [blocks.n]: their routers */
    struct flow *flow;
    uint32_t n_flows;
    char *mesh; /* owned: the routers of a <mesh>, as text */
};

enum { MESH_SIDE_MAX = 256 };

static bool complain(struct vtr *v, uint32_t line, const char *what,
                     const struct mw_word *w)
{
    char shown[MW_WORD_SHOWN];
    mw_diagnose(v->d, false, line, 1, "%s '%s'", what, mw_word_show(w, shown));
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The value of an attribute of the tag [begin, end). */
static bool attribute(const char *begin, const char *end, const char *name,
                      struct mw_word *out)
{
    const size_t n = strlen(name);
    for (const char *at = begin; at + n + 2 < end; at++) {
        if (!is_blank(at[0]) || memcmp(at + 1, name, n) != 0)
            continue;
        const char *value = at + 1 + n;
        while (value < end && is_blank(*value))
            value++;
        if (value == end || *value++ != '=')
            continue;
        while (value < end && is_blank(*value))
            value++;
        if (value == end || (*value != '"' && *value != '\''))
            return false;
        const char *close = memchr(value + 1, *value, (size_t)(end - value - 1));
        if (close == NULL)
            return false;
        *out = (struct mw_word){.text = value + 1, .bytes = (size_t)(close - value - 1)};
        return true;
    }
    return false;
}

static bool position(const struct mw_word *w, double *out)
{
    char text[24];
    char *end;
    if (w->bytes == 0 || w->bytes >= sizeof text)
        return false;
    memcpy(text, w->text, w->bytes);
    text[w->bytes] = '\0';
    *out = strtod(text, &end);
    return *end == '\0' && *out > -1e6 && *out < 1e6;
}

/* The router of an id, described or not yet. */
static int router_of(struct vtr *v, const struct mw_word *id, uint32_t *out)
{
    const uint32_t before = v->ids.n;
    MW_NEED(mw_vocabulary_number(&v->ids, id->text, id->bytes, out));
    if (v->ids.n > before) {
        MW_NEED_GROW("routers", v->router, before, 1);
        v->router[*out] = (struct router){0};
        MW_NEED(mw_network_node(v->n, id->text, id->bytes, true, &v->router[*out].node));
    }
    return MW_OK;
}

static int read_router(struct vtr *v, const char *begin, const char *end, uint32_t line)
{
    struct mw_word id, x, y, links = {0};
    struct router r = {.line = line};
    uint32_t number;
    if (!attribute(begin, end, "id", &id) || id.bytes == 0) {
        mw_diagnose(v->d, false, line, 1, "a router without an id");
        return MW_OK;
    }
    if (!attribute(begin, end, "positionx", &x) || !position(&x, &r.x) ||
        !attribute(begin, end, "positiony", &y) || !position(&y, &r.y)) {
        complain(v, line, "no positionx and positiony of router", &id);
        return MW_OK;
    }
    attribute(begin, end, "connections", &links);
    MW_NEED(router_of(v, &id, &number));
    if (v->router[number].line != 0) {
        complain(v, line, "a second router", &id);
        return MW_OK;
    }
    r.node = v->router[number].node;
    r.links = links;
    v->router[number] = r;
    return MW_OK;
}

static int read_flow(struct vtr *v, const char *begin, const char *end, uint32_t line)
{
    struct flow f = {.line = line};
    if (!attribute(begin, end, "src", &f.end[0]) || f.end[0].bytes == 0 ||
        !attribute(begin, end, "dst", &f.end[1]) || f.end[1].bytes == 0) {
        mw_diagnose(v->d, false, line, 1, "a flow without src and dst");
        return MW_OK;
    }
    MW_NEED_GROW("flows", v->flow, v->n_flows, 1);
    v->flow[v->n_flows++] = f;
    return MW_OK;
}

/* The <mesh> in [begin, end), whose routers are then v->mesh; false: none, and v->d says why. */
static bool mesh_of(struct vtr *v, const char *begin, const char *end, uint32_t line,
                    double from[2], double step[2], uint64_t *size)
{
    static const char *const names[2][2] = {{"startx", "endx"}, {"starty", "endy"}};
    struct mw_word w, side, last = {.text = "0", .bytes = 1}, first = last;
    bool good = attribute(begin, end, "size", &side) && mw_word_integer(&side, size) &&
                *size >= 2 && *size <= MESH_SIDE_MAX;
    for (int i = 0; i < 2 && good; i++) {
        double to = 0;
        good = attribute(begin, end, names[i][0], &w) && position(&w, &from[i]) &&
               attribute(begin, end, names[i][1], &w) && position(&w, &to) &&
               to > from[i];
        step[i] = (to - from[i]) / (double)(*size - 1);
    }
    if (!good) {
        mw_diagnose(v->d, false, line, 1,
                    "a <mesh> needs startx below endx, starty below endy, and a size of "
                    "2..%d",
                    MESH_SIDE_MAX);
        return false;
    }
    attribute(begin, end, "startlayer", &first);
    attribute(begin, end, "endlayer", &last);
    if (first.bytes != last.bytes || memcmp(first.text, last.text, last.bytes) != 0)
        return complain(v, line, "a <mesh> of several layers is not read: up to", &last);
    return v->mesh == NULL || complain(v, line, "a second <mesh>, of size", &side);
}

static void write_router(FILE *f, uint32_t n, uint32_t x, uint32_t y,
                         const double from[2], const double step[2])
{
    const uint32_t id = n * y + x;
    fprintf(f, "<router id=\"%u\" positionx=\"%.9g\" positiony=\"%.9g\" connections=\"",
            id, from[0] + x * step[0], from[1] + y * step[1]);
    if (x > 0)
        fprintf(f, " %u", id - 1);
    if (x + 1 < n)
        fprintf(f, " %u", id + 1);
    if (y > 0)
        fprintf(f, " %u", id - n);
    if (y + 1 < n)
        fprintf(f, " %u", id + n);
    fputs("\"/>", f);
}

static int read_mesh(struct vtr *v, const char *begin, const char *end, uint32_t line)
{
    double from[2], step[2];
    uint64_t size = 0;
    size_t bytes;
    if (!mesh_of(v, begin, end, line, from, step, &size))
        return MW_OK;
    FILE *f = open_memstream(&v->mesh, &bytes);
    if (f == NULL)
        return mw_fail(MW_ERR_NOMEM, "no memory for the routers of a <mesh>");
    for (uint32_t i = 0; i < size * size; i++)
        write_router(f, (uint32_t)size, i % (uint32_t)size, i / (uint32_t)size, from,
                     step);
    if (fclose(f) != 0)
        return mw_fail(MW_ERR_NOMEM, "no memory for the routers of a <mesh>");
    for (const char *at = v->mesh, *stop; *at != '\0'; at = stop + 1) {
        stop = strchr(at, '>');
        MW_NEED(read_router(v, at, stop, line));
    }
    return MW_OK;
}

/* A tag from '<' to '>'; what it is not about is passed over. */
static int read_tag(struct vtr *v)
{
    const char *begin = v->at;
    const uint32_t line = v->line;
    const bool comment = v->end - begin >= 4 && memcmp(begin, "<!--", 4) == 0;
    const char *end = begin;
    while (end < v->end &&
           !(*end == '>' &&
             (!comment || (end - begin >= 6 && end[-1] == '-' && end[-2] == '-')))) {
        v->line += *end == '\n';
        end++;
    }
    v->at = end < v->end ? end + 1 : end;
    if (end == v->end) {
        mw_diagnose(v->d, false, line, 1, "a tag that does not end");
        return MW_OK;
    }
    const size_t n = (size_t)(end - begin);
    if (comment || n < 2 || begin[1] == '!' || begin[1] == '?')
        return MW_OK;
    if (begin[1] != '/' && end[-1] != '/')
        v->depth++;
    else if (begin[1] == '/' && v->depth > 0)
        v->depth--;
    if (n > 7 && memcmp(begin, "<router", 7) == 0 && is_blank(begin[7]))
        return read_router(v, begin, end, line);
    if (n > 12 && memcmp(begin, "<single_flow", 12) == 0 && is_blank(begin[12]))
        return read_flow(v, begin, end, line);
    if (n > 5 && memcmp(begin, "<mesh", 5) == 0 && is_blank(begin[5]))
        return read_mesh(v, begin, end, line);
    return MW_OK;
}

/* "BLOCK LAYER ROUTER" */
static int read_placement(struct vtr *v)
{
    struct mw_word w[4] = {{0}};
    uint32_t n = 0, block, router;
    const char *stop = memchr(v->at, '\n', (size_t)(v->end - v->at));
    stop = stop == NULL ? v->end : stop;
    while (v->at < stop && n < 4) {
        while (v->at < stop && is_blank(*v->at))
            v->at++;
        const char *begin = v->at;
        while (v->at < stop && !is_blank(*v->at))
            v->at++;
        if (v->at > begin)
            w[n++] = (struct mw_word){.text = begin, .bytes = (size_t)(v->at - begin)};
    }
    v->at = stop;
    if (n != 3) {
        complain(v, v->line, "expected BLOCK LAYER ROUTER or a tag, got", &w[0]);
        return MW_OK;
    }
    if (mw_vocabulary_find(&v->blocks, w[0].text, w[0].bytes, &block)) {
        complain(v, v->line, "a second place for block", &w[0]);
        return MW_OK;
    }
    const uint32_t before = v->blocks.n;
    MW_NEED(router_of(v, &w[2], &router));
    MW_NEED(mw_vocabulary_number(&v->blocks, w[0].text, w[0].bytes, &block));
    MW_NEED_GROW("placement", v->placed, before, 1);
    v->placed[block] = router;
    return MW_OK;
}

static bool described(struct vtr *v, uint32_t router, uint32_t line)
{
    const struct mw_word id = {.text = v->ids.name[router],
                               .bytes = strlen(v->ids.name[router])};
    return v->router[router].line != 0 ||
           complain(v, line, "no <router> describes router", &id);
}

/* The router of a flow's end; UINT32_MAX after a message. */
static int end_of(struct vtr *v, const struct flow *f, int i, uint32_t *out)
{
    uint64_t id;
    uint32_t block;
    *out = UINT32_MAX;
    if (mw_vocabulary_find(&v->blocks, f->end[i].text, f->end[i].bytes, &block)) {
        *out = v->placed[block];
    } else if (mw_word_integer(&f->end[i], &id)) {
        MW_NEED(router_of(v, &f->end[i], out));
    } else {
        complain(v, f->line, "no placement (BLOCK LAYER ROUTER) of block", &f->end[i]);
        return MW_OK;
    }
    if (!described(v, *out, f->line))
        *out = UINT32_MAX;
    return MW_OK;
}

static double away(double a, double b)
{
    return a < b ? b - a : a - b;
}

/* VTR's XY: the neighbour in the same row that is nearer in x, then the one in the same column
 * that is nearer in y. UINT32_MAX: there is none. */
static int next_hop(struct vtr *v, uint32_t from, uint32_t to, uint32_t *out)
{
    const struct mw_word links = v->router[from].links;
    const char *at = links.text, *end = at + links.bytes;
    *out = UINT32_MAX;
    while (at != NULL && at < end) {
        const char *begin = at;
        uint32_t next;
        while (at < end && !is_blank(*at))
            at++;
        const struct mw_word id = {.text = begin, .bytes = (size_t)(at - begin)};
        at++;
        if (id.bytes == 0)
            continue;
        MW_NEED(router_of(v, &id, &next));
        const struct router *a = &v->router[from], *b = &v->router[next],
                            *c = &v->router[to];
        if (!described(v, next, a->line))
            return MW_OK;
        const bool nearer = a->x != c->x
                                ? b->y == a->y && away(b->x, c->x) < away(a->x, c->x)
                                : b->x == a->x && away(b->y, c->y) < away(a->y, c->y);
        if (nearer) {
            *out = next;
            return MW_OK;
        }
    }
    return MW_OK;
}

static int route(struct vtr *v, const struct flow *f)
{
    int rc;
    uint32_t from, to, at, n = 0, *place = NULL, next;
    MW_TRY(rc, end_of(v, f, 0, &from));
    MW_TRY(rc, end_of(v, f, 1, &to));
    if (from == UINT32_MAX || to == UINT32_MAX)
        return MW_OK;
    if (from == to) {
        complain(v, f->line, "a flow inside one router, from block", &f->end[0]);
        return MW_OK;
    }
    for (at = from; at != to; at = next) {
        const uint32_t errors = v->d->n_errors;
        char name[96];
        uint32_t number;
        MW_TRY(rc, next_hop(v, at, to, &next));
        if (next == UINT32_MAX) {
            if (v->d->n_errors == errors)
                complain(v, f->line, "XY routing finds no way on to block", &f->end[1]);
            goto end;
        }
        snprintf(name, sizeof name, "%.40s>%.40s", v->ids.name[at], v->ids.name[next]);
        MW_TRY(rc, mw_network_place(v->n, name, strlen(name), &number));
        v->n->place[number].node = v->router[next].node;
        MW_GROW(rc, "places of a flow", place, n, 1);
        place[n++] = number;
    }
    MW_TRY(rc, mw_network_add(v->n, NULL, v->router[from].node, v->router[to].node, place,
                              n, f->line));
end:
    mw_free(place);
    return rc;
}

int mw_network_read_vtr(const char *text, size_t bytes, struct mw_network *out,
                        struct mw_diagnostics *d)
{
    int rc = MW_OK;
    struct vtr v = {.n = out, .d = d, .at = text, .end = text + bytes, .line = 1};
    if (memchr(text, '\0', bytes) != NULL) {
        mw_diagnose(d, false, 1, 1, "a zero byte; this is no text");
        return MW_OK;
    }
    while (v.at < v.end) {
        if (*v.at == '<') {
            MW_TRY(rc, read_tag(&v));
        } else if (is_blank(*v.at) || v.depth > 0) { /* texts of elements are not ours */
            v.line += *v.at++ == '\n';
        } else {
            MW_TRY(rc, read_placement(&v));
        }
    }
    for (uint32_t i = 0; i < v.n_flows; i++)
        MW_TRY(rc, route(&v, &v.flow[i]));
end:
    mw_vocabulary_fini(&v.ids);
    mw_vocabulary_fini(&v.blocks);
    MW_FREE_ALL(v.router, v.placed, v.flow);
    free(v.mesh);
    return rc;
}
