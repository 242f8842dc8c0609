/* mesh_vectors.c -- see mesh_vectors.h. The generators "pdu" and "xy" are written here from
 * their definition, apart from the route language, so that the two can be compared.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/mesh_vectors.h"

#include "base/mem.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS, COLS };

bool mw_vectors_detect(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (strchr(" \t\r\n", text[i]) == NULL)
            return text[i] == '{';
    return false;
}

/* ---- cores and flows ------------------------------------------------------------------ */

/* "r,c", whole, within the largest mesh. */
static bool read_core(const json_t *j, uint32_t out[2])
{
    const char *text = json_string_value(j);
    char rest;
    return text != NULL && strlen(text) < 8 &&
           sscanf(text, "%u,%u%c", &out[ROWS], &out[COLS], &rest) == 2 &&
           out[ROWS] < MW_MESH_SIDE_MAX && out[COLS] < MW_MESH_SIDE_MAX;
}

/* Enlarges shape[] so that it holds each core of a list. */
static int cover(const json_t *cores, uint32_t shape[2])
{
    size_t i;
    json_t *j;
    uint32_t at[2];
    json_array_foreach(cores, i, j)
    {
        if (!read_core(j, at))
            return mw_fail(MW_ERR_DATA, "core %zu is not \"row,column\" within %d", i,
                           MW_MESH_SIDE_MAX);
        shape[ROWS] = (uint32_t)mw_max(shape[ROWS], at[ROWS] + 1);
        shape[COLS] = (uint32_t)mw_max(shape[COLS], at[COLS] + 1);
    }
    return MW_OK;
}

static mw_core core_at(const struct mw_layout *l, uint32_t row, uint32_t col)
{
    return (mw_core)(row * l->cols + col);
}

static int add_listed(struct mw_layout *l, const json_t *flow, int64_t bucket)
{
    mw_core path[2 * MW_MESH_SIDE_MAX];
    size_t i;
    json_t *j;
    if (json_array_size(flow) > sizeof path / sizeof *path)
        return mw_fail(MW_ERR_DATA, "more than %zu cores", sizeof path / sizeof *path);
    json_array_foreach(flow, i, j)
    {
        uint32_t at[2] = {0};
        if (!read_core(j, at))
            return mw_fail(MW_ERR_DATA, "core %zu is not \"row,column\"", i);
        path[i] = core_at(l, at[ROWS], at[COLS]);
    }
    return mw_layout_add_flow(l, path, (uint32_t)json_array_size(flow), bucket, 0);
}

static int listed_flows(const json_t *flows, const json_t *buckets,
                        struct mw_layout **out)
{
    int rc = MW_OK;
    uint32_t shape[2] = {1, 1};
    size_t i;
    json_t *flow;
    struct mw_layout *l = NULL;
    json_array_foreach(flows, i, flow) MW_TRY(rc, cover(flow, shape));
    MW_TRY(rc, mw_layout_new(shape[ROWS], shape[COLS], &l));
    json_array_foreach(flows, i, flow)
    {
        const json_t *bucket = json_array_get(buckets, i);
        MW_TRY(rc, add_listed(l, flow, bucket != NULL ? json_integer_value(bucket) : -1));
    }
    *out = l;
    return MW_OK;
fail:
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
    p->at[p->n][ROWS] = row;
    p->at[p->n++][COLS] = col;
}

/* From where the path stands to `row`, in its column; or to `col`, in its row. */
static void leg(struct path *p, int axis, uint32_t to, bool step)
{
    while (p->at[p->n - 1][axis] != to) {
        const uint32_t *last = p->at[p->n - 1];
        uint32_t next[2] = {last[ROWS], last[COLS]};
        next[axis] = !step ? to : next[axis] < to ? next[axis] + 1 : next[axis] - 1;
        visit(p, next[ROWS], next[COLS]);
    }
}

static int add_path(struct mw_layout *l, const struct path *p, bool swap)
{
    mw_core core[2 * MW_MESH_SIDE_MAX + 2];
    for (uint32_t i = 0; i < p->n; i++)
        core[i] = swap ? core_at(l, p->at[i][COLS], p->at[i][ROWS])
                       : core_at(l, p->at[i][ROWS], p->at[i][COLS]);
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
        return mw_fail(MW_ERR_DATA, "pdu: row %u has no router for row %u", r, r2);
    visit(&p, r, pc);
    visit(&p, r, (uint32_t)tc);
    leg(&p, ROWS, r2, g->step);
    visit(&p, r2, kc);
    return add_path(l, &p, g->transpose);
}

static int read_pdu(const json_t *gen, struct pdu *g)
{
    const json_t *roles = json_object_get(gen, "roles");
    const char *same = json_string_value(json_object_get(gen, "same"));
    const char *hop = json_string_value(json_object_get(gen, "hop"));
    size_t r;
    json_t *row;
    if (json_array_size(roles) < 1 || json_array_size(roles) > MW_MESH_SIDE_MAX)
        return mw_fail(MW_ERR_DATA, "pdu: 1..%d rows of roles expected",
                       MW_MESH_SIDE_MAX);
    g->rows = (uint32_t)json_array_size(roles);
    g->same = same != NULL ? same[0] : 'D';
    g->step = hop != NULL && strcmp(hop, "step") == 0;
    g->transpose = json_is_true(json_object_get(gen, "transpose"));
    json_array_foreach(roles, r, row)
    {
        g->role[r] = json_string_value(row);
        const size_t n = g->role[r] != NULL ? strlen(g->role[r]) : 0;
        if (n < 1 || n > MW_MESH_SIDE_MAX || (r > 0 && n != g->cols) ||
            strspn(g->role[r], ".ABCDEFGHIJKLMNOPQRSTUVWXYZ") != n)
            return mw_fail(MW_ERR_DATA, "pdu: roles[%zu] is not a row of role letters",
                           r);
        g->cols = (uint32_t)n;
    }
    return MW_OK;
}

static int generate_pdu(const json_t *gen, struct mw_layout **out)
{
    int rc = MW_OK;
    struct pdu g = {0};
    struct mw_layout *l = NULL;
    MW_TRY(rc, read_pdu(gen, &g));
    MW_TRY(rc, g.transpose ? mw_layout_new(g.cols, g.rows, &l)
                           : mw_layout_new(g.rows, g.cols, &l));
    for (uint32_t r = 0; r < g.rows; r++)
        for (uint32_t c = 0; c < g.cols; c++)
            l->role[g.transpose ? core_at(l, c, r) : core_at(l, r, c)] = g.role[r][c];
    for (uint32_t r = 0; r < g.rows; r++)
        for (uint32_t pc = 0; pc < g.cols; pc++)
            for (uint32_t r2 = 0; r2 < g.rows && g.role[r][pc] == 'P'; r2++)
                for (uint32_t kc = 0; kc < g.cols; kc++)
                    if (g.role[r2][kc] == 'K')
                        MW_TRY(rc, add_pdu_flow(l, &g, r, pc, r2, kc));
    *out = l;
    return MW_OK;
fail:
    mw_layout_free(l);
    return rc;
}

static int generate_xy(const json_t *gen, struct mw_layout **out)
{
    int rc = MW_OK;
    const json_int_t rows = json_integer_value(json_object_get(gen, "rows"));
    const json_int_t cols = json_integer_value(json_object_get(gen, "cols"));
    const char *hop = json_string_value(json_object_get(gen, "hop"));
    const char *order = json_string_value(json_object_get(gen, "order"));
    const bool step = hop != NULL && strcmp(hop, "step") == 0;
    const bool yx = order != NULL && strcmp(order, "yx") == 0;
    struct mw_layout *l = NULL;
    if (rows < 1 || rows > 16 || cols < 1 || cols > 16)
        return mw_fail(MW_ERR_DATA, "xy: rows and cols within 1..16 expected");
    MW_TRY(rc, mw_layout_new((uint32_t)rows, (uint32_t)cols, &l));
    for (uint32_t a = 0; a < mw_mesh_cores(l); a++)
        for (uint32_t b = 0; b < mw_mesh_cores(l); b++) {
            const uint32_t to[2] = {b / l->cols, b % l->cols};
            struct path p = {0};
            if (a == b)
                continue;
            visit(&p, a / l->cols, a % l->cols);
            leg(&p, yx ? ROWS : COLS, to[yx ? ROWS : COLS], step);
            leg(&p, yx ? COLS : ROWS, to[yx ? COLS : ROWS], step);
            MW_TRY(rc, add_path(l, &p, false));
        }
    *out = l;
    return MW_OK;
fail:
    mw_layout_free(l);
    return rc;
}

/* ---- layouts -------------------------------------------------------------------------- */

static bool read_model(const json_t *j, enum mw_mesh_model *out)
{
    const char *text = json_string_value(j);
    if (text == NULL || text[0] != 'M' || text[1] < '1' || text[1] > '3' ||
        text[2] != '\0')
        return false;
    *out = (enum mw_mesh_model)(text[1] - '1');
    return true;
}

static int read_cases(const json_t *list, uint32_t *n, struct mw_vector_case **out)
{
    int rc = MW_OK;
    size_t i;
    json_t *j;
    MW_NEW(rc, *out, "vector", json_array_size(list));
    json_array_foreach(list, i, j)
    {
        struct mw_vector_case *c = &(*out)[(*n)++];
        if (!read_model(json_array_get(j, 0), &c->model))
            return mw_fail(MW_ERR_DATA, "case %zu: no model M1, M2 or M3", i);
        c->depth = (uint32_t)json_integer_value(json_array_get(j, 1));
        c->k = (uint64_t)json_integer_value(json_array_get(j, 2));
    }
fail:
    return rc;
}

static int read_expectations(const json_t *j, struct mw_vector *v)
{
    int rc = MW_OK;
    static const char *const keys[MW_N_MODELS] = {"M1", "M2", "M3"};
    const json_t *expect = json_object_get(j, "expect");
    const json_t *witness = json_object_get(j, "witness");
    const json_t *single = json_object_get(j, "single_writer");
    v->has_expect = expect != NULL;
    for (int m = 0; m < MW_N_MODELS; m++) {
        const char *word = json_string_value(json_object_get(expect, keys[m]));
        const json_t *nodes = json_object_get(witness, keys[m]);
        size_t i;
        json_t *node;
        v->expect_free[m] = word != NULL && strcmp(word, "pass") == 0;
        if (v->has_expect && !v->expect_free[m] &&
            (word == NULL || strcmp(word, "deadlock") != 0))
            return mw_fail(MW_ERR_DATA, "expect %s: 'pass' or 'deadlock' expected",
                           keys[m]);
        MW_NEW(rc, v->witness[m], "vector", json_array_size(nodes));
        json_array_foreach(nodes, i, node)
        {
            const char *name = json_string_value(node);
            MW_TRY(rc, mw_node_parse(v->layout, (enum mw_mesh_model)m,
                                     name != NULL ? name : "", &v->witness[m][i]));
            v->n_witness[m]++;
        }
    }
    v->has_single_writer = single != NULL;
    v->single_writer = json_is_true(single);
    MW_TRY(rc, read_cases(json_object_get(j, "exhaust"), &v->n_exhaust, &v->exhaust));
    MW_TRY(rc,
           read_cases(json_object_get(j, "min_inflight"), &v->n_inflight, &v->inflight));
fail:
    return rc;
}

static int read_layout(const json_t *j, struct mw_vector *v)
{
    int rc = MW_OK;
    const json_t *flows = json_object_get(j, "flows"), *gen = json_object_get(j, "gen");
    const char *kind = json_string_value(json_object_get(gen, "kind"));
    struct mw_diagnostics *d = NULL;
    if (json_array_size(flows) > 0)
        MW_TRY(rc, listed_flows(flows, json_object_get(j, "buckets"), &v->layout));
    else if (kind != NULL && strcmp(kind, "pdu") == 0)
        MW_TRY(rc, generate_pdu(gen, &v->layout));
    else if (kind != NULL && strcmp(kind, "xy") == 0)
        MW_TRY(rc, generate_xy(gen, &v->layout));
    else
        return mw_fail(MW_ERR_DATA, "neither flows nor a generator 'pdu' or 'xy'");
    snprintf(v->layout->name, sizeof v->layout->name, "%s", v->name);
    MW_NEW(rc, d, "diagnostics", 1);
    rc = mw_layout_expand(v->layout, d);
    if (rc == MW_ERR_DATA && d->n_kept > 0)
        rc = mw_fail(MW_ERR_DATA, "%s", d->kept[0].text);
    if (rc == MW_OK)
        rc = read_expectations(j, v);
fail:
    mw_free(d);
    return rc;
}

/* ---- scripts -------------------------------------------------------------------------- */

static int read_instruction(const struct mw_layout *mesh, const json_t *j, size_t at,
                            struct mw_instruction *out)
{
    static const char *const words[] = {"putR", "putC", "getR", "getC", "getany"};
    const char *word = json_string_value(json_array_get(j, at));
    for (uint8_t k = 0; word != NULL && k < sizeof words / sizeof *words; k++) {
        uint32_t to[2];
        if (strcmp(word, words[k]) != 0)
            continue;
        out->kind = k;
        if (k > MW_PUT_COLUMN)
            return MW_OK;
        if (!read_core(json_array_get(j, at + 1), to) || to[ROWS] >= mesh->rows ||
            to[COLS] >= mesh->cols)
            break;
        out->to = core_at(mesh, to[ROWS], to[COLS]);
        return MW_OK;
    }
    return mw_fail(MW_ERR_DATA, "not an instruction");
}

enum { INSTRUCTIONS_MAX = 4096 };

static int read_program(const struct mw_layout *mesh, const json_t *list,
                        struct mw_program *out)
{
    int rc = MW_OK;
    size_t i;
    json_t *j;
    MW_NEW(rc, out->instruction, "script", INSTRUCTIONS_MAX);
    json_array_foreach(list, i, j)
    {
        const char *word = json_string_value(json_array_get(j, 0));
        const bool rep = word != NULL && strcmp(word, "rep") == 0;
        const json_int_t n = rep ? json_integer_value(json_array_get(j, 1)) : 1;
        struct mw_instruction one = {0};
        if (n < 0 || n > INSTRUCTIONS_MAX - (json_int_t)out->n_instructions)
            return mw_fail(MW_ERR_DATA, "more than %d instructions", INSTRUCTIONS_MAX);
        MW_TRY(rc, read_instruction(mesh, j, rep ? 2 : 0, &one));
        for (json_int_t k = 0; k < n; k++)
            out->instruction[out->n_instructions++] = one;
    }
fail:
    return rc;
}

/* The shape that holds every core a script names. */
static int script_shape(json_t *programs, uint32_t shape[2])
{
    int rc = MW_OK;
    const char *key;
    json_t *list, *j;
    size_t i;
    json_object_foreach(programs, key, list)
    {
        json_t *own = json_pack("[s]", key);
        rc = cover(own, shape);
        json_decref(own);
        if (rc < MW_OK)
            return rc;
        json_array_foreach(list, i, j)
        {
            const json_t *to = json_array_get(j, json_array_size(j) - 1);
            uint32_t at[2];
            if (json_array_size(j) < 2 || !read_core(to, at))
                continue;
            shape[ROWS] = (uint32_t)mw_max(shape[ROWS], at[ROWS] + 1);
            shape[COLS] = (uint32_t)mw_max(shape[COLS], at[COLS] + 1);
        }
    }
    return rc;
}

static int read_script(const json_t *j, struct mw_vector *v)
{
    int rc = MW_OK;
    json_t *programs = json_object_get(j, "programs");
    const char *expect = json_string_value(json_object_get(j, "expect"));
    const json_int_t cap = json_integer_value(json_object_get(j, "cap"));
    const json_int_t send = json_integer_value(json_object_get(j, "send"));
    uint32_t shape[2] = {1, 1};
    const char *key;
    json_t *list;
    if (cap < 0 || cap > MW_FIFO_MAX || send < 0 || send > MW_FIFO_MAX)
        return mw_fail(MW_ERR_DATA, "cap and send within 0..%d expected", MW_FIFO_MAX);
    MW_TRY(rc, script_shape(programs, shape));
    MW_TRY(rc, mw_layout_new(shape[ROWS], shape[COLS], &v->layout));
    v->is_script = true;
    v->expect_deadlock = expect != NULL && strcmp(expect, "deadlock") == 0;
    v->script.mesh = v->layout;
    v->script.capacity = (uint32_t)cap;
    v->script.send = (uint32_t)send;
    MW_NEW(rc, v->script.program, "script", json_object_size(programs));
    json_object_foreach(programs, key, list)
    {
        struct mw_program *p = &v->script.program[v->script.n_programs++];
        mw_mesh_node core = 0;
        MW_TRY(rc, mw_node_parse(v->layout, MW_COUPLED, key, &core));
        p->core = (mw_core)core;
        MW_TRY(rc, read_program(v->layout, list, p));
    }
fail:
    return rc;
}

/* ---- the file ------------------------------------------------------------------------- */

static int read_vector(const json_t *j, struct mw_vector *v)
{
    const char *name = json_string_value(json_object_get(j, "name"));
    const char *note = json_string_value(json_object_get(j, "note"));
    v->name = strdup(name != NULL ? name : "");
    v->note = strdup(note != NULL ? note : "");
    if (v->name == NULL || v->note == NULL)
        return mw_fail(MW_ERR_NOMEM, "vector: names");
    return json_object_get(j, "programs") != NULL ? read_script(j, v) : read_layout(j, v);
}

static int read_list(const json_t *root, const char *key, struct mw_vectors *out)
{
    size_t i;
    json_t *j;
    json_array_foreach(json_object_get(root, key), i, j)
    {
        struct mw_vector *v = &out->vector[out->n++];
        const int rc = read_vector(j, v);
        if (rc == MW_ERR_DATA) {
            char text[256];
            snprintf(text, sizeof text, "%s", mw_error_text());
            return mw_fail(rc, "%s[%zu] '%.60s': %s", key, i, v->name, text);
        }
        if (rc < MW_OK)
            return rc;
    }
    return MW_OK;
}

static void read_turns(const json_t *j, struct mw_turns *t)
{
    size_t i;
    json_t *pair;
    t->present = j != NULL;
    t->acyclic_count = (uint32_t)json_integer_value(json_object_get(j, "acyclic_count"));
    json_array_foreach(json_object_get(j, "cyclic"), i,
                       pair) for (size_t k = 0; k < 2 && t->n_cyclic < 16; k++)
    {
        const char *turn = json_string_value(json_array_get(pair, k));
        snprintf(t->cyclic[t->n_cyclic][k], 3, "%s", turn != NULL ? turn : "");
        t->n_cyclic += k == 1;
    }
}

int mw_vectors_parse(const char *text, size_t bytes, struct mw_vectors *out)
{
    int rc = MW_OK;
    json_error_t e;
    *out = (struct mw_vectors){0};
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &e);
    if (root == NULL)
        return mw_fail(MW_ERR_DATA, "%d:%d: not JSON: %s", e.line, e.column, e.text);
    const char *format = json_string_value(json_object_get(root, "format"));
    if (format == NULL || strcmp(format, "meshshuffle-vectors/1") != 0) {
        json_decref(root);
        return mw_fail(MW_ERR_DATA, "JSON, but not of format meshshuffle-vectors/1");
    }
    MW_NEW(rc, out->vector, "vectors",
           json_array_size(json_object_get(root, "layouts")) +
               json_array_size(json_object_get(root, "scripts")));
    MW_TRY(rc, read_list(root, "layouts", out));
    MW_TRY(rc, read_list(root, "scripts", out));
    read_turns(json_object_get(root, "turn_model"), &out->turns);
fail:
    json_decref(root);
    if (rc < MW_OK)
        mw_vectors_fini(out);
    return rc;
}

void mw_vectors_fini(struct mw_vectors *v)
{
    for (uint32_t i = 0; i < v->n; i++) {
        struct mw_vector *x = &v->vector[i];
        free(x->name);
        free(x->note);
        for (int m = 0; m < MW_N_MODELS; m++)
            mw_free(x->witness[m]);
        mw_free(x->exhaust);
        mw_free(x->inflight);
        for (uint32_t p = 0; p < x->script.n_programs; p++)
            mw_free(x->script.program[p].instruction);
        mw_free(x->script.program);
        mw_layout_free(x->layout);
    }
    mw_free(v->vector);
    *v = (struct mw_vectors){0};
}
