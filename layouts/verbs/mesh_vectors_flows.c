/* mesh_vectors_flows.c -- the flows of a vector's layout: listed core by core, or made by one
 * of the generators "pdu" and "xy". These are written here from their definition, apart from
 * the route language, so that the two can be compared.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/mesh_vectors_read.h"

#include "cli/json_field.h"
#include "mesh/lang/words.h"

#include <stdio.h>
#include <string.h>

/* ---- cores ------------------------------------------------------------------------------ */

MW_STATIC_ASSERT(MW_MESH_SIDE_MAX == 64, "MW_A_CORE says so");

bool mw_vector_core(const char *text, uint32_t out[2])
{
    char again[16];
    if (text == NULL)
        return false;
    const struct mw_word w = {.text = text, .bytes = strlen(text)};
    if (!mw_word_core(&w, &out[MW_AT_ROW], &out[MW_AT_COL]) ||
        out[MW_AT_ROW] >= MW_MESH_SIDE_MAX || out[MW_AT_COL] >= MW_MESH_SIDE_MAX)
        return false;
    snprintf(again, sizeof again, "%u,%u", out[MW_AT_ROW], out[MW_AT_COL]);
    return strcmp(again, text) == 0; /* one way to write each */
}

void mw_vector_cover(const char *core, uint32_t shape[2])
{
    uint32_t at[2];
    if (!mw_vector_core(core, at))
        return;
    shape[MW_AT_ROW] = (uint32_t)mw_max(shape[MW_AT_ROW], at[MW_AT_ROW] + 1);
    shape[MW_AT_COL] = (uint32_t)mw_max(shape[MW_AT_COL], at[MW_AT_COL] + 1);
}

/* ---- listed flows ----------------------------------------------------------------------- */

/* Item i of flow f is its core n; the hop to it must be legal. */
static int read_stop(const struct mw_layout *l, const json_t *flow, size_t f, size_t i,
                     mw_core *path, uint32_t n)
{
    const json_t *j = json_array_get(flow, i);
    uint32_t at[2];
    char name[2][MW_NODE_NAME];
    if (!mw_vector_core(json_string_value(j), at))
        return mw_json_wrong(j, MW_A_CORE, "flows[%zu][%zu]", f, i);
    path[n] = mw_core_at(l, at[MW_AT_ROW], at[MW_AT_COL]);
    if (n > 0 && !mw_hop_legal(l, path[n - 1], path[n]))
        return mw_fail(MW_ERR_DATA, "flows[%zu][%zu]: illegal hop %s -> %s", f, i,
                       mw_core_name(l, path[n - 1], name[0]),
                       mw_core_name(l, path[n], name[1]));
    return MW_OK;
}

/* The classes of the layout, if it has any. */
static int read_classes(const json_t *classes, struct mw_layout *l)
{
    size_t k;
    json_t *j;
    if (classes == NULL)
        return MW_OK;
    if (json_array_size(classes) < 1 || json_array_size(classes) > MW_CHANNELS_MAX)
        return mw_json_wrong(classes, "an array of 1..4 classes", "classes");
    json_array_foreach(classes, k, j)
    {
        const char *name = json_string_value(j);
        const size_t n = name != NULL ? strlen(name) : 0;
        if (n == 0 || n >= MW_CHANNEL_NAME ||
            strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != n ||
            (k > 0 && mw_channel_find(l, name, n) < l->n_channels))
            return mw_json_wrong(j, "a class that no other is called", "classes[%zu]", k);
        memcpy(l->channel_name[k], name, n);
        l->n_channels = (uint32_t)k + 1;
    }
    return MW_OK;
}

/* "class reply": of the hops that follow. */
static int read_turn(const struct mw_layout *l, const json_t *j, mw_channel *out)
{
    const char *text = json_string_value(j);
    const uint32_t k = mw_channel_find(l, text + 6, strlen(text + 6));
    if (k == l->n_channels)
        return mw_json_wrong(j, "\"class \" and one of the classes", "flows");
    *out = (mw_channel)k;
    return MW_OK;
}

static bool is_turn(const json_t *j)
{
    return json_is_string(j) && strncmp(json_string_value(j), "class ", 6) == 0;
}

static int add_listed(struct mw_layout *l, const json_t *flow, size_t f, int64_t bucket)
{
    mw_core path[MW_MESH_CORES_MAX];
    mw_channel channel[MW_MESH_CORES_MAX], at = 0;
    uint32_t n = 0;
    size_t i;
    json_t *j;
    json_array_foreach(flow, i, j) n += !is_turn(j);
    if (n < 2 || n > MW_MESH_CORES_MAX)
        return mw_json_wrong(flow, "an array of 2..4096 cores", "flows[%zu]", f);
    n = 0;
    json_array_foreach(flow, i, j)
    {
        if (is_turn(j)) {
            MW_NEED(read_turn(l, j, &at));
            continue;
        }
        if (n > 0)
            channel[n - 1] = at;
        MW_NEED(read_stop(l, flow, f, i, path, n++));
    }
    return mw_layout_add_flow_in(l, path, channel, n, bucket, 0);
}

/* The bucket of each flow, if they have one; the layout gets as many as are named. */
static int check_buckets(const json_t *buckets, size_t n_flows, uint32_t *n_buckets)
{
    size_t i;
    json_t *j;
    if (buckets == NULL)
        return MW_OK;
    if (json_array_size(buckets) != n_flows)
        return mw_fail(MW_ERR_DATA, "buckets: expected one per flow, %zu, got %zu",
                       n_flows, json_array_size(buckets));
    json_array_foreach(buckets, i, j)
    {
        uint32_t bucket;
        MW_NEED(mw_json_integer(j, 0, MW_BUCKETS_MAX - 1, &bucket, "buckets[%zu]", i));
        *n_buckets = (uint32_t)mw_max(*n_buckets, bucket + 1);
    }
    return MW_OK;
}

static int listed_flows(const json_t *flows, const json_t *buckets, const json_t *classes,
                        struct mw_layout **out)
{
    int rc = MW_OK;
    uint32_t shape[2] = {1, 1}, n_buckets = 0;
    size_t i, k;
    json_t *flow, *core;
    struct mw_layout *l = NULL;
    MW_TRY(rc, check_buckets(buckets, json_array_size(flows), &n_buckets));
    json_array_foreach(flows, i, flow)
    {
        json_array_foreach(flow, k, core) mw_vector_cover(json_string_value(core), shape);
    }
    MW_TRY(rc, mw_layout_new(shape[MW_AT_ROW], shape[MW_AT_COL], &l));
    l->n_buckets = n_buckets;
    MW_TRY(rc, read_classes(classes, l));
    json_array_foreach(flows, i, flow)
    {
        const json_t *bucket = json_array_get(buckets, i);
        MW_TRY(rc,
               add_listed(l, flow, i, bucket != NULL ? json_integer_value(bucket) : -1));
    }
    *out = l;
    return MW_OK;
end:
    mw_layout_free(l);
    return rc;
}

/* ---- generators ----------------------------------------------------------------------- */

/* A path in the making; `swap` exchanges the coordinates at the end. */
struct path {
    uint32_t n;
    uint32_t at[2 * MW_MESH_SIDE_MAX + 2][2];
};

static void visit(struct path *p, uint32_t row, uint32_t col)
{
    p->at[p->n][MW_AT_ROW] = row;
    p->at[p->n++][MW_AT_COL] = col;
}

/* From where the path stands to `row`, in its column; or to `col`, in its row. */
static void leg(struct path *p, int axis, uint32_t to, bool step)
{
    while (p->at[p->n - 1][axis] != to) {
        const uint32_t *last = p->at[p->n - 1];
        uint32_t next[2] = {last[MW_AT_ROW], last[MW_AT_COL]};
        next[axis] = !step ? to : next[axis] < to ? next[axis] + 1 : next[axis] - 1;
        visit(p, next[MW_AT_ROW], next[MW_AT_COL]);
    }
}

static int add_path(struct mw_layout *l, const struct path *p, bool swap)
{
    mw_core core[2 * MW_MESH_SIDE_MAX + 2];
    for (uint32_t i = 0; i < p->n; i++)
        core[i] = swap ? mw_core_at(l, p->at[i][MW_AT_COL], p->at[i][MW_AT_ROW])
                       : mw_core_at(l, p->at[i][MW_AT_ROW], p->at[i][MW_AT_COL]);
    return mw_layout_add_flow(l, core, p->n, -1, 0);
}

struct pdu {
    uint32_t rows, cols;
    const char *role[MW_MESH_SIDE_MAX];
    bool step, transpose;
    char same;
};

/* The router column of row r for a consumer in (r2, kc); -1: the vector is invalid. */
static int router_column(const struct pdu *g, uint32_t r, uint32_t r2, uint32_t kc)
{
    const char wanted[2] = {r2 == r ? g->same : r2 > r ? 'D' : 'U', 'T'};
    for (int w = 0; w < 2; w++) {
        uint32_t column[MW_MESH_SIDE_MAX], n = 0;
        for (uint32_t c = 0; c < g->cols; c++)
            if (g->role[r][c] == wanted[w])
                column[n++] = c;
        if (n > 0)
            return (int)column[kc % n];
    }
    return -1;
}

static int add_pdu_flow(struct mw_layout *l, const struct pdu *g, uint32_t r, uint32_t pc,
                        uint32_t r2, uint32_t kc)
{
    struct path p = {0};
    const int tc = router_column(g, r, r2, kc);
    if (tc < 0)
        return mw_fail(MW_ERR_DATA, "gen: row %u has no router for row %u", r, r2);
    visit(&p, r, pc);
    visit(&p, r, (uint32_t)tc);
    leg(&p, MW_AT_ROW, r2, g->step);
    visit(&p, r2, kc);
    return add_path(l, &p, g->transpose);
}

static const char *const hops[] = {"direct", "step", NULL};
#define A_HOP "\"direct\" or \"step\""

static int read_roles(const json_t *roles, struct pdu *g)
{
    size_t r;
    json_t *row;
    if (json_array_size(roles) < 1 || json_array_size(roles) > MW_MESH_SIDE_MAX)
        return mw_json_wrong(roles, "an array of 1..64 rows", "gen: roles");
    g->rows = (uint32_t)json_array_size(roles);
    json_array_foreach(roles, r, row)
    {
        g->role[r] = json_string_value(row);
        const size_t n = g->role[r] != NULL ? strlen(g->role[r]) : 0;
        if (n < 1 || n > MW_MESH_SIDE_MAX || (r > 0 && n != g->cols) ||
            strspn(g->role[r], ".ABCDEFGHIJKLMNOPQRSTUVWXYZ") != n)
            return mw_json_wrong(row, "a row of role letters, all of one length",
                                 "gen: roles[%zu]", r);
        g->cols = (uint32_t)n;
    }
    return MW_OK;
}

static int read_pdu(json_t *gen, struct pdu *g)
{
    static const char *const known[] = {"kind", "roles",     "hop",
                                        "same", "transpose", NULL};
    static const char *const sames[] = {"D", "U", "T", NULL};
    int hop, same;
    MW_NEED(mw_json_check_object(gen, known, "gen"));
    MW_NEED(read_roles(json_object_get(gen, "roles"), g));
    MW_NEED(mw_json_optional_word(gen, "hop", hops, A_HOP, &hop));
    MW_NEED(mw_json_optional_word(gen, "same", sames, "\"D\", \"U\" or \"T\"", &same));
    MW_NEED(mw_json_optional_flag(gen, "transpose", &g->transpose));
    g->step = hop == 1;
    g->same = sames[same][0];
    return MW_OK;
}

static int generate_pdu(json_t *gen, struct mw_layout **out)
{
    int rc = MW_OK;
    struct pdu g = {0};
    struct mw_layout *l = NULL;
    MW_TRY(rc, read_pdu(gen, &g));
    MW_TRY(rc, g.transpose ? mw_layout_new(g.cols, g.rows, &l)
                           : mw_layout_new(g.rows, g.cols, &l));
    for (uint32_t r = 0; r < g.rows; r++)
        for (uint32_t c = 0; c < g.cols; c++)
            l->role[g.transpose ? mw_core_at(l, c, r) : mw_core_at(l, r, c)] =
                g.role[r][c];
    for (uint32_t r = 0; r < g.rows; r++)
        for (uint32_t pc = 0; pc < g.cols; pc++)
            for (uint32_t r2 = 0; r2 < g.rows && g.role[r][pc] == 'P'; r2++)
                for (uint32_t kc = 0; kc < g.cols; kc++)
                    if (g.role[r2][kc] == 'K')
                        MW_TRY(rc, add_pdu_flow(l, &g, r, pc, r2, kc));
    *out = l;
    return MW_OK;
end:
    mw_layout_free(l);
    return rc;
}

static int add_xy_flow(struct mw_layout *l, uint32_t a, uint32_t b, bool yx, bool step)
{
    const uint32_t to[2] = {b / l->cols, b % l->cols};
    struct path p = {0};
    visit(&p, a / l->cols, a % l->cols);
    leg(&p, yx ? MW_AT_ROW : MW_AT_COL, to[yx ? MW_AT_ROW : MW_AT_COL], step);
    leg(&p, yx ? MW_AT_COL : MW_AT_ROW, to[yx ? MW_AT_COL : MW_AT_ROW], step);
    return add_path(l, &p, false);
}

static int generate_xy(json_t *gen, struct mw_layout **out)
{
    static const char *const known[] = {"kind", "rows", "cols", "hop", "order", NULL};
    static const char *const orders[] = {"xy", "yx", NULL};
    enum { SIDE_MAX = 16 };
    int rc, hop, order;
    uint32_t rows = 0, cols = 0;
    struct mw_layout *l = NULL;
    MW_TRY(rc, mw_json_check_object(gen, known, "gen"));
    MW_TRY(rc, mw_json_integer(json_object_get(gen, "rows"), 1, SIDE_MAX, &rows, "rows"));
    MW_TRY(rc, mw_json_integer(json_object_get(gen, "cols"), 1, SIDE_MAX, &cols, "cols"));
    MW_TRY(rc, mw_json_optional_word(gen, "hop", hops, A_HOP, &hop));
    MW_TRY(rc, mw_json_optional_word(gen, "order", orders, "\"xy\" or \"yx\"", &order));
    MW_TRY(rc, mw_layout_new(rows, cols, &l));
    for (uint32_t a = 0; a < mw_mesh_cores(l); a++)
        for (uint32_t b = 0; b < mw_mesh_cores(l); b++)
            if (a != b)
                MW_TRY(rc, add_xy_flow(l, a, b, order == 1, hop == 1));
    *out = l;
    return MW_OK;
end:
    mw_layout_free(l);
    return rc;
}

static int generate(json_t *gen, struct mw_layout **out)
{
    static const char *const kinds[] = {"pdu", "xy", NULL};
    const json_t *kind = json_object_get(gen, "kind");
    if (!json_is_object(gen))
        return mw_json_wrong(gen, "an object", "gen");
    switch (mw_json_word(kind, kinds)) {
    case 0:
        return generate_pdu(gen, out);
    case 1:
        return generate_xy(gen, out);
    default:
        return mw_json_wrong(kind, "\"pdu\" or \"xy\"", "gen: kind");
    }
}

/* ---- a text of the language --------------------------------------------------------------- */

static int parse_text(const json_t *text, struct mw_layout **out)
{
    struct mw_diagnostics d = {0};
    if (!json_is_string(text))
        return mw_json_wrong(text, "a layout in its language", "text");
    const int rc =
        mw_layout_parse(json_string_value(text), json_string_length(text), out, &d);
    return rc == MW_ERR_DATA && d.n_kept > 0
               ? mw_fail(rc, "text: line %u: %s", d.kept[0].line, d.kept[0].text)
               : rc;
}

/* ---- either ------------------------------------------------------------------------------- */

int mw_vector_flows(const json_t *j, struct mw_layout **out)
{
    const json_t *flows = json_object_get(j, "flows");
    const json_t *buckets = json_object_get(j, "buckets");
    const json_t *classes = json_object_get(j, "classes");
    const json_t *text = json_object_get(j, "text");
    json_t *gen = json_object_get(j, "gen");
    MW_NEED(mw_json_optional_array(j, "flows"));
    MW_NEED(mw_json_optional_array(j, "classes"));
    MW_NEED(mw_json_optional_array(j, "buckets"));
    if ((flows != NULL) + (gen != NULL) + (text != NULL) != 1)
        return mw_fail(MW_ERR_DATA, "flows: expected either flows or gen or text, got %s",
                       flows != NULL || gen != NULL ? "both" : "neither");
    if (flows == NULL && (buckets != NULL || classes != NULL))
        return mw_fail(MW_ERR_DATA, "%s: they are for flows, not for %s",
                       buckets != NULL ? "buckets" : "classes",
                       gen != NULL ? "gen" : "text");
    if (text != NULL)
        return parse_text(text, out);
    if (gen == NULL && json_array_size(flows) == 0)
        return mw_json_wrong(flows, "at least one flow", "flows");
    return gen != NULL ? generate(gen, out) : listed_flows(flows, buckets, classes, out);
}
