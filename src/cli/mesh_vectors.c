/* mesh_vectors.c -- see mesh_vectors.h. The generators "pdu" and "xy" are written here from
 * their definition, apart from the route language, so that the two can be compared.
 *
 * Functions below the file's level say which field is wrong ("exhaust[1]: depth: ..."); where
 * the vector stands in the file is put before that in one place, read_list().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/mesh_vectors.h"

#include "base/mem.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
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

/* ---- what a message shows --------------------------------------------------------------- */

enum { SHOWN = 48, PLACE = 80, NAME_SHOWN = 60 };

struct shown {
    size_t n;
    char *out;
};

static int show_part(const char *text, size_t bytes, void *arg)
{
    struct shown *s = arg;
    for (size_t i = 0; i < bytes; i++) {
        if (s->n == SHOWN - 4)
            return -1;
        s->out[s->n++] = text[i] == 0x7F ? '?' : text[i];
    }
    return 0;
}

/* The value as JSON in ASCII, cut. */
static const char *show(const json_t *j, char out[SHOWN])
{
    struct shown s = {0, out};
    const bool cut =
        json_dump_callback(j, show_part, &s,
                           JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII) != 0;
    snprintf(out + s.n, SHOWN - s.n, "%s", cut ? "..." : "");
    return out;
}

/* "PLACE: expected THIS, got that"; got may be NULL. */
static int bad(const json_t *got, const char *expected, const char *place, ...)
    MW_PRINTF(3, 4);
static int bad(const json_t *got, const char *expected, const char *place, ...)
{
    char where[PLACE], what[SHOWN];
    va_list args;
    va_start(args, place);
    vsnprintf(where, sizeof where, place, args);
    va_end(args);
    if (got == NULL)
        return mw_fail(MW_ERR_DATA, "%s: missing; expected %s", where, expected);
    return mw_fail(MW_ERR_DATA, "%s: expected %s, got %s", where, expected,
                   show(got, what));
}

/* Bytes of the control character at `c`, 0: it is none. In UTF-8, which JSON is. */
static int control_bytes(const unsigned char *c)
{
    if (c[0] < ' ' || c[0] == 0x7F)
        return 1;
    return c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0 ? 2 : 0;
}

/* The text with control characters as \u001b; owned by the caller (mw_free), NULL: no
 * memory. */
static char *escaped(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    char *out = mw_alloc("a name", 6 * (uint64_t)strlen(text) + 1, 1), *at = out;
    for (int n; out != NULL && *c != '\0'; c += n) {
        n = control_bytes(c);
        if (n == 0)
            *at++ = (char)*c;
        else
            at += snprintf(at, 7, "\\u%04x", c[n - 1]);
        n = n == 0 ? 1 : n;
    }
    return out;
}

/* At most this many bytes of a text, whole characters. */
static int bytes_shown(const char *text, size_t most)
{
    size_t n = strnlen(text, most + 1);
    if (n > most)
        for (n = most; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80;)
            n--;
    return (int)n;
}

/* ---- fields --------------------------------------------------------------------------- */

static bool is_integer(const json_t *j, json_int_t min, json_int_t max)
{
    return json_is_integer(j) && json_integer_value(j) >= min &&
           json_integer_value(j) <= max;
}

static const char *integer_text(json_int_t min, json_int_t max, char out[SHOWN])
{
    snprintf(out, SHOWN, "an integer %" JSON_INTEGER_FORMAT "..%" JSON_INTEGER_FORMAT,
             min, max);
    return out;
}

/* A field that may be left out: *out stays as it is then. */
static int optional_integer(const json_t *o, const char *key, json_int_t min,
                            json_int_t max, uint32_t *out)
{
    const json_t *j = json_object_get(o, key);
    char text[SHOWN];
    if (j != NULL && !is_integer(j, min, max))
        return bad(j, integer_text(min, max, text), "%s", key);
    if (j != NULL)
        *out = (uint32_t)json_integer_value(j);
    return MW_OK;
}

static int need_integer(const json_t *o, const char *key, json_int_t min, json_int_t max,
                        uint32_t *out)
{
    char text[SHOWN];
    if (json_object_get(o, key) == NULL)
        return bad(NULL, integer_text(min, max, text), "%s", key);
    return optional_integer(o, key, min, max, out);
}

/* The number of a word in a list that ends in NULL; -1: it is no string or another one. */
static int word_number(const json_t *j, const char *const *words)
{
    const char *text = json_string_value(j);
    for (int i = 0; text != NULL && words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    return -1;
}

/* Left out: word 0. */
static int optional_word(const json_t *o, const char *key, const char *const *words,
                         const char *expected, int *out)
{
    const json_t *j = json_object_get(o, key);
    *out = j == NULL ? 0 : word_number(j, words);
    return *out >= 0 ? MW_OK : bad(j, expected, "%s", key);
}

static int optional_flag(const json_t *o, const char *key, bool *out)
{
    const json_t *j = json_object_get(o, key);
    *out = json_is_true(j);
    return j == NULL || json_is_boolean(j) ? MW_OK : bad(j, "true or false", "%s", key);
}

/* An array that may be left out. */
static int optional_array(const json_t *o, const char *key)
{
    const json_t *j = json_object_get(o, key);
    return j == NULL || json_is_array(j) ? MW_OK : bad(j, "an array", "%s", key);
}

/* An object without a field that is not in `known`. */
static int check_object(json_t *o, const char *const *known, const char *place)
{
    const char *key;
    json_t *value;
    if (!json_is_object(o))
        return bad(o, "an object", "%s", place);
    json_object_foreach(o, key, value)
    {
        int i = 0;
        while (known[i] != NULL && strcmp(known[i], key) != 0)
            i++;
        if (known[i] == NULL) {
            char what[SHOWN];
            json_t *text = json_string(key);
            show(text, what);
            json_decref(text);
            return mw_fail(MW_ERR_DATA, "%s: unknown field %s", place, what);
        }
    }
    return MW_OK;
}

/* ---- cores and flows ------------------------------------------------------------------ */

#define A_CORE "a core such as \"0,1\", within 64x64"
MW_STATIC_ASSERT(MW_MESH_SIDE_MAX == 64, "A_CORE says so");

/* One way to write each number. */
static bool take_number(const char **at, uint32_t *out)
{
    const char *begin = *at;
    for (*out = 0; **at >= '0' && **at <= '9' && *at - begin < 3; ++*at)
        *out = 10 * *out + (uint32_t)(**at - '0');
    return *at > begin && (*begin != '0' || *at == begin + 1) && *out < MW_MESH_SIDE_MAX;
}

static bool parse_core(const char *text, uint32_t out[2])
{
    return text != NULL && take_number(&text, &out[ROWS]) && *text++ == ',' &&
           take_number(&text, &out[COLS]) && *text == '\0';
}

/* Enlarges shape[] so that it holds the core, if it is one. */
static void cover(const char *core, uint32_t shape[2])
{
    uint32_t at[2];
    if (!parse_core(core, at))
        return;
    shape[ROWS] = (uint32_t)mw_max(shape[ROWS], at[ROWS] + 1);
    shape[COLS] = (uint32_t)mw_max(shape[COLS], at[COLS] + 1);
}

static mw_core core_at(const struct mw_layout *l, uint32_t row, uint32_t col)
{
    return (mw_core)(row * l->cols + col);
}

/* Core i of flow f; the hop to it must be legal. */
static int read_stop(const struct mw_layout *l, const json_t *flow, size_t f, size_t i,
                     mw_core *path)
{
    const json_t *j = json_array_get(flow, i);
    uint32_t at[2];
    char name[2][MW_NODE_NAME];
    if (!parse_core(json_string_value(j), at))
        return bad(j, A_CORE, "flows[%zu][%zu]", f, i);
    path[i] = core_at(l, at[ROWS], at[COLS]);
    if (i > 0 && !mw_hop_legal(l, path[i - 1], path[i]))
        return mw_fail(MW_ERR_DATA, "flows[%zu][%zu]: illegal hop %s -> %s", f, i,
                       mw_core_name(l, path[i - 1], name[0]),
                       mw_core_name(l, path[i], name[1]));
    return MW_OK;
}

static int add_listed(struct mw_layout *l, const json_t *flow, size_t f, int64_t bucket)
{
    int rc = MW_OK;
    mw_core path[MW_MESH_CORES_MAX];
    const size_t n = json_array_size(flow);
    if (n < 2 || n > MW_MESH_CORES_MAX)
        return bad(flow, "an array of 2..4096 cores", "flows[%zu]", f);
    for (size_t i = 0; i < n; i++)
        MW_TRY(rc, read_stop(l, flow, f, i, path));
    rc = mw_layout_add_flow(l, path, (uint32_t)n, bucket, 0);
fail:
    return rc;
}

/* The bucket of each flow, if they have one; the layout gets as many as are named. */
static int check_buckets(const json_t *buckets, size_t n_flows, uint32_t *n_buckets)
{
    size_t i;
    json_t *j;
    char text[SHOWN];
    if (buckets == NULL)
        return MW_OK;
    if (json_array_size(buckets) != n_flows)
        return mw_fail(MW_ERR_DATA, "buckets: expected one per flow, %zu, got %zu",
                       n_flows, json_array_size(buckets));
    json_array_foreach(buckets, i, j)
    {
        if (!is_integer(j, 0, MW_BUCKETS_MAX - 1))
            return bad(j, integer_text(0, MW_BUCKETS_MAX - 1, text), "buckets[%zu]", i);
        *n_buckets = (uint32_t)mw_max(*n_buckets, (uint64_t)json_integer_value(j) + 1);
    }
    return MW_OK;
}

static int listed_flows(const json_t *flows, const json_t *buckets,
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
        json_array_foreach(flow, k, core) cover(json_string_value(core), shape);
    }
    MW_TRY(rc, mw_layout_new(shape[ROWS], shape[COLS], &l));
    l->n_buckets = n_buckets;
    json_array_foreach(flows, i, flow)
    {
        const json_t *bucket = json_array_get(buckets, i);
        MW_TRY(rc,
               add_listed(l, flow, i, bucket != NULL ? json_integer_value(bucket) : -1));
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
        return mw_fail(MW_ERR_DATA, "gen: row %u has no router for row %u", r, r2);
    visit(&p, r, pc);
    visit(&p, r, (uint32_t)tc);
    leg(&p, ROWS, r2, g->step);
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
        return bad(roles, "an array of 1..64 rows", "gen: roles");
    g->rows = (uint32_t)json_array_size(roles);
    json_array_foreach(roles, r, row)
    {
        g->role[r] = json_string_value(row);
        const size_t n = g->role[r] != NULL ? strlen(g->role[r]) : 0;
        if (n < 1 || n > MW_MESH_SIDE_MAX || (r > 0 && n != g->cols) ||
            strspn(g->role[r], ".ABCDEFGHIJKLMNOPQRSTUVWXYZ") != n)
            return bad(row, "a row of role letters, all of one length", "gen: roles[%zu]",
                       r);
        g->cols = (uint32_t)n;
    }
    return MW_OK;
}

static int read_pdu(json_t *gen, struct pdu *g)
{
    static const char *const known[] = {"kind", "roles",     "hop",
                                        "same", "transpose", NULL};
    static const char *const sames[] = {"D", "U", "T", NULL};
    int rc, hop, same;
    MW_TRY(rc, check_object(gen, known, "gen"));
    MW_TRY(rc, read_roles(json_object_get(gen, "roles"), g));
    MW_TRY(rc, optional_word(gen, "hop", hops, A_HOP, &hop));
    MW_TRY(rc, optional_word(gen, "same", sames, "\"D\", \"U\" or \"T\"", &same));
    MW_TRY(rc, optional_flag(gen, "transpose", &g->transpose));
    g->step = hop == 1;
    g->same = sames[same][0];
fail:
    return rc;
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

static int add_xy_flow(struct mw_layout *l, uint32_t a, uint32_t b, bool yx, bool step)
{
    const uint32_t to[2] = {b / l->cols, b % l->cols};
    struct path p = {0};
    visit(&p, a / l->cols, a % l->cols);
    leg(&p, yx ? ROWS : COLS, to[yx ? ROWS : COLS], step);
    leg(&p, yx ? COLS : ROWS, to[yx ? COLS : ROWS], step);
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
    MW_TRY(rc, check_object(gen, known, "gen"));
    MW_TRY(rc, need_integer(gen, "rows", 1, SIDE_MAX, &rows));
    MW_TRY(rc, need_integer(gen, "cols", 1, SIDE_MAX, &cols));
    MW_TRY(rc, optional_word(gen, "hop", hops, A_HOP, &hop));
    MW_TRY(rc, optional_word(gen, "order", orders, "\"xy\" or \"yx\"", &order));
    MW_TRY(rc, mw_layout_new(rows, cols, &l));
    for (uint32_t a = 0; a < mw_mesh_cores(l); a++)
        for (uint32_t b = 0; b < mw_mesh_cores(l); b++)
            if (a != b)
                MW_TRY(rc, add_xy_flow(l, a, b, order == 1, hop == 1));
    *out = l;
    return MW_OK;
fail:
    mw_layout_free(l);
    return rc;
}

static int generate(json_t *gen, struct mw_layout **out)
{
    static const char *const kinds[] = {"pdu", "xy", NULL};
    const json_t *kind = json_object_get(gen, "kind");
    if (!json_is_object(gen))
        return bad(gen, "an object", "gen");
    switch (word_number(kind, kinds)) {
    case 0:
        return generate_pdu(gen, out);
    case 1:
        return generate_xy(gen, out);
    default:
        return bad(kind, "\"pdu\" or \"xy\"", "gen: kind");
    }
}

/* ---- layouts -------------------------------------------------------------------------- */

static const char *const models[MW_N_MODELS + 1] = {"M1", "M2", "M3", NULL};

/* [model, depth], with k also [model, depth, k]. */
static int read_case(const json_t *j, const char *key, size_t i, bool with_k,
                     struct mw_vector_case *out)
{
    char text[SHOWN];
    const json_t *depth = json_array_get(j, 1), *k = json_array_get(j, 2);
    const int model = word_number(json_array_get(j, 0), models);
    if (json_array_size(j) != (with_k ? 3 : 2))
        return bad(j, with_k ? "[model, depth, k]" : "[model, depth]", "%s[%zu]", key, i);
    if (model < 0)
        return bad(json_array_get(j, 0), "\"M1\", \"M2\" or \"M3\"", "%s[%zu]: model",
                   key, i);
    if (!is_integer(depth, 0, MW_FIFO_MAX))
        return bad(depth, integer_text(0, MW_FIFO_MAX, text), "%s[%zu]: depth", key, i);
    if (with_k && !is_integer(k, 1, UINT32_MAX))
        return bad(k, integer_text(1, UINT32_MAX, text), "%s[%zu]: k", key, i);
    *out = (struct mw_vector_case){(enum mw_mesh_model)model,
                                   (uint32_t)json_integer_value(depth),
                                   with_k ? (uint64_t)json_integer_value(k) : 0};
    return MW_OK;
}

static int read_cases(const json_t *vector, const char *key, bool with_k, uint32_t *n,
                      struct mw_vector_case **out)
{
    int rc = MW_OK;
    size_t i;
    json_t *j;
    const json_t *list = json_object_get(vector, key);
    MW_TRY(rc, optional_array(vector, key));
    MW_NEW(rc, *out, "vector", json_array_size(list));
    json_array_foreach(list, i, j)
        MW_TRY(rc, read_case(j, key, i, with_k, &(*out)[(*n)++]));
fail:
    return rc;
}

static int read_expect(json_t *expect, struct mw_vector *v)
{
    static const char *const words[] = {"pass", "deadlock", NULL};
    int rc;
    MW_TRY(rc, check_object(expect, models, "expect"));
    for (int m = 0; m < MW_N_MODELS; m++) {
        const json_t *j = json_object_get(expect, models[m]);
        const int word = word_number(j, words);
        if (word < 0)
            return bad(j, "\"pass\" or \"deadlock\"", "expect: %s", models[m]);
        v->expect_free[m] = word == 0;
    }
fail:
    return rc;
}

/* A node, written as we would write it. */
static int read_node(const struct mw_layout *l, enum mw_mesh_model m, const json_t *j,
                     size_t i, mw_mesh_node *out)
{
    const char *text = json_string_value(j);
    char name[MW_NODE_NAME];
    if (text == NULL || mw_node_parse(l, m, text, out) < MW_OK ||
        strcmp(mw_node_name(l, m, *out, name), text) != 0)
        return bad(j,
                   m == MW_COUPLED     ? "a core of the mesh such as \"0,1\""
                   : m == MW_DECOUPLED ? "a FIFO of the mesh such as \"0,1.R\""
                                       : "a link of the mesh such as \"0,1>0,2\"",
                   "witness: %s[%zu]", models[m], i);
    return MW_OK;
}

static int read_cycle(const json_t *list, enum mw_mesh_model m, struct mw_vector *v)
{
    int rc = MW_OK;
    size_t i;
    json_t *j;
    if (list == NULL)
        return MW_OK;
    if (json_array_size(list) < 2)
        return bad(list, "an array of two nodes or more", "witness: %s", models[m]);
    if (v->expect_free[m])
        return mw_fail(MW_ERR_DATA, "witness: %s: a cycle, but it is expected to pass",
                       models[m]);
    MW_NEW(rc, v->witness[m], "vector", json_array_size(list));
    json_array_foreach(list, i, j)
        MW_TRY(rc, read_node(v->layout, m, j, v->n_witness[m]++, &v->witness[m][i]));
fail:
    return rc;
}

static int read_witness(json_t *witness, struct mw_vector *v)
{
    int rc = MW_OK;
    if (witness == NULL)
        return MW_OK;
    MW_TRY(rc, check_object(witness, models, "witness"));
    for (int m = 0; m < MW_N_MODELS; m++)
        MW_TRY(rc,
               read_cycle(json_object_get(witness, models[m]), (enum mw_mesh_model)m, v));
fail:
    return rc;
}

static int read_expectations(const json_t *j, struct mw_vector *v)
{
    int rc;
    v->has_single_writer = json_object_get(j, "single_writer") != NULL;
    MW_TRY(rc, optional_flag(j, "single_writer", &v->single_writer));
    if (v->has_single_writer && json_object_get(j, "buckets") == NULL)
        return mw_fail(MW_ERR_DATA, "single_writer: without buckets");
    MW_TRY(rc, read_expect(json_object_get(j, "expect"), v));
    MW_TRY(rc, read_witness(json_object_get(j, "witness"), v));
    MW_TRY(rc, read_cases(j, "exhaust", false, &v->n_exhaust, &v->exhaust));
    MW_TRY(rc, read_cases(j, "min_inflight", true, &v->n_inflight, &v->inflight));
fail:
    return rc;
}

static int read_flows(const json_t *j, struct mw_layout **out)
{
    int rc;
    const json_t *flows = json_object_get(j, "flows");
    const json_t *buckets = json_object_get(j, "buckets");
    json_t *gen = json_object_get(j, "gen");
    MW_TRY(rc, optional_array(j, "flows"));
    MW_TRY(rc, optional_array(j, "buckets"));
    if ((flows == NULL) == (gen == NULL))
        return mw_fail(MW_ERR_DATA, "flows: expected either flows or gen, got %s",
                       flows != NULL ? "both" : "neither");
    if (gen != NULL && buckets != NULL)
        return mw_fail(MW_ERR_DATA, "buckets: they are for flows, not for gen");
    if (gen == NULL && json_array_size(flows) == 0)
        return bad(flows, "at least one flow", "flows");
    rc = gen != NULL ? generate(gen, out) : listed_flows(flows, buckets, out);
fail:
    return rc;
}

static int expand(struct mw_layout *l)
{
    int rc = MW_OK;
    struct mw_diagnostics *d = NULL;
    MW_NEW(rc, d, "diagnostics", 1);
    rc = mw_layout_expand(l, d);
    if (rc == MW_ERR_DATA && d->n_kept > 0)
        rc = mw_fail(MW_ERR_DATA, "flows: %s", d->kept[0].text);
fail:
    mw_free(d);
    return rc;
}

/* What all vectors of a file share. */
struct file {
    json_t *names; /* as keys; each once */
    uint64_t n_cores, n_instructions;
};

static int read_layout(json_t *j, struct file *f, struct mw_vector *v)
{
    static const char *const known[] = {
        "name",    "note",         "expect",  "flows",         "gen", "witness",
        "exhaust", "min_inflight", "buckets", "single_writer", NULL};
    int rc;
    MW_TRY(rc, check_object(j, known, "layout"));
    MW_TRY(rc, read_flows(j, &v->layout));
    f->n_cores += v->layout->listed_first[v->layout->n_listed];
    if (f->n_cores > MW_LISTED_HOPS_MAX)
        return mw_fail(MW_ERR_DATA, "the flows of the file list more than %d cores",
                       MW_LISTED_HOPS_MAX);
    snprintf(v->layout->name, sizeof v->layout->name, "%.*s",
             bytes_shown(v->name, sizeof v->layout->name - 1), v->name);
    MW_TRY(rc, expand(v->layout));
    rc = read_expectations(j, v);
fail:
    return rc;
}

/* ---- scripts -------------------------------------------------------------------------- */

static const char *const operations[] = {"putR", "putC", "getR", "getC", "getany", NULL};
#define AN_INSTRUCTION                                                                   \
    "[\"putR\" or \"putC\", core], [\"getR\", \"getC\" or \"getany\"], or "              \
    "[\"rep\", n, ...]"

static bool is_rep(const json_t *j)
{
    static const char *const rep[] = {"rep", NULL};
    return word_number(json_array_get(j, 0), rep) == 0;
}

/* The target of a put, in a row or column with `from`. */
static int read_target(const struct mw_layout *mesh, const char *key, size_t i,
                       mw_core from, const json_t *j, struct mw_instruction *out)
{
    uint32_t to[2];
    const int class = out->kind == MW_PUT_ROW ? MW_ROW : MW_COLUMN;
    if (!parse_core(json_string_value(j), to))
        return bad(j, A_CORE, "programs: %s[%zu]", key, i);
    out->to = core_at(mesh, to[ROWS], to[COLS]);
    if (!mw_hop_legal(mesh, from, out->to) ||
        (int)mw_hop_class(mesh, from, out->to) != class)
        return bad(
            j, class == MW_ROW ? "another core of its row" : "another core of its column",
            "programs: %s[%zu]", key, i);
    return MW_OK;
}

/* Instruction i of a program, and how often. */
static int read_instruction(const struct mw_layout *mesh, const char *key, size_t i,
                            mw_core from, const json_t *j, struct mw_instruction *out,
                            uint32_t *times)
{
    const size_t at = is_rep(j) ? 2 : 0;
    const json_t *n = json_array_get(j, 1);
    const int op = word_number(json_array_get(j, at), operations);
    const bool puts = op == MW_PUT_ROW || op == MW_PUT_COLUMN;
    char text[SHOWN];
    if (op < 0 || json_array_size(j) != at + (puts ? 2 : 1))
        return bad(j, AN_INSTRUCTION, "programs: %s[%zu]", key, i);
    if (at > 0 && !is_integer(n, 0, MW_PROGRAM_MAX))
        return bad(n, integer_text(0, MW_PROGRAM_MAX, text), "programs: %s[%zu]: rep",
                   key, i);
    *times = at > 0 ? (uint32_t)json_integer_value(n) : 1;
    *out = (struct mw_instruction){.kind = (uint8_t)op};
    return puts ? read_target(mesh, key, i, from, json_array_get(j, at + 1), out) : MW_OK;
}

/* Reads the program twice: once for its length, then into place. */
static int read_program(const struct mw_layout *mesh, const char *key, const json_t *list,
                        struct mw_program *out)
{
    int rc = MW_OK;
    size_t i;
    json_t *j;
    uint32_t core[2];
    if (!parse_core(key, core))
        return mw_fail(MW_ERR_DATA, "programs: expected " A_CORE ", got '%.16s'", key);
    if (!json_is_array(list))
        return bad(list, "an array of instructions", "programs: %s", key);
    out->core = core_at(mesh, core[ROWS], core[COLS]);
    for (int round = 0; round < 2; round++) {
        uint64_t n = 0;
        json_array_foreach(list, i, j)
        {
            struct mw_instruction one;
            uint32_t times = 0;
            MW_TRY(rc, read_instruction(mesh, key, i, out->core, j, &one, &times));
            if (n + times > MW_PROGRAM_MAX)
                return mw_fail(MW_ERR_DATA, "programs: %s: more than %d instructions",
                               key, MW_PROGRAM_MAX);
            for (uint32_t k = 0; round > 0 && k < times; k++)
                out->instruction[n + k] = one;
            n += times;
        }
        out->n_instructions = (uint32_t)n;
        if (round == 0)
            MW_NEW(rc, out->instruction, "script", n);
    }
fail:
    return rc;
}

/* The shape that holds every core a script names; what is none is found later. */
static void script_shape(json_t *programs, uint32_t shape[2])
{
    const char *key;
    json_t *list, *j;
    size_t i;
    json_object_foreach(programs, key, list)
    {
        cover(key, shape);
        json_array_foreach(list, i, j)
            cover(json_string_value(json_array_get(j, json_array_size(j) - 1)), shape);
    }
}

static int read_programs(json_t *programs, struct file *f, struct mw_vector *v)
{
    int rc;
    const char *key;
    json_t *list;
    uint32_t shape[2] = {1, 1};
    if (!json_is_object(programs))
        return bad(programs, "an object", "programs");
    script_shape(programs, shape);
    MW_TRY(rc, mw_layout_new(shape[ROWS], shape[COLS], &v->layout));
    v->script.mesh = v->layout;
    MW_NEW(rc, v->script.program, "script", json_object_size(programs));
    json_object_foreach(programs, key, list)
    {
        struct mw_program *p = &v->script.program[v->script.n_programs++];
        MW_TRY(rc, read_program(v->layout, key, list, p));
        f->n_instructions += p->n_instructions;
        if (f->n_instructions > MW_VECTOR_INSTRUCTIONS_MAX)
            return mw_fail(MW_ERR_DATA, "programs: more than %d instructions in the file",
                           MW_VECTOR_INSTRUCTIONS_MAX);
    }
fail:
    return rc;
}

static int read_script(json_t *j, struct file *f, struct mw_vector *v)
{
    static const char *const known[] = {"name", "note",     "expect", "cap",
                                        "send", "programs", NULL};
    static const char *const words[] = {"free", "deadlock", NULL};
    const json_t *expect = json_object_get(j, "expect");
    int rc;
    v->is_script = true;
    MW_TRY(rc, check_object(j, known, "script"));
    if (word_number(expect, words) < 0)
        return bad(expect, "\"free\" or \"deadlock\"", "expect");
    v->expect_deadlock = word_number(expect, words) == 1;
    MW_TRY(rc, need_integer(j, "cap", 0, MW_FIFO_MAX, &v->script.capacity));
    MW_TRY(rc, optional_integer(j, "send", 0, MW_FIFO_MAX, &v->script.send));
    rc = read_programs(json_object_get(j, "programs"), f, v);
fail:
    return rc;
}

/* ---- the file ------------------------------------------------------------------------- */

static int read_name(const json_t *j, struct file *f, struct mw_vector *v)
{
    const json_t *name = json_object_get(j, "name"), *note = json_object_get(j, "note");
    const char *text = json_string_value(name);
    if (text == NULL || text[0] == '\0')
        return bad(name, "a name", "name");
    v->name = escaped(text);
    if (v->name == NULL)
        return MW_ERR_NOMEM;
    if (note != NULL && !json_is_string(note))
        return bad(note, "a text", "note");
    if (json_object_get(f->names, text) != NULL)
        return mw_fail(MW_ERR_DATA, "name: is given twice");
    return json_object_set_new(f->names, text, json_true()) == 0
               ? MW_OK
               : mw_fail(MW_ERR_NOMEM, "vector: names");
}

static int read_vector(json_t *j, bool is_script, struct file *f, struct mw_vector *v)
{
    const int rc = read_name(j, f, v);
    if (rc < MW_OK)
        return rc;
    return is_script ? read_script(j, f, v) : read_layout(j, f, v);
}

/* Puts the vector's place before what is recorded. */
static int at_vector(const char *key, size_t i, const char *name)
{
    char text[512];
    snprintf(text, sizeof text, "%s", mw_error_text());
    if (name == NULL)
        return mw_fail(MW_ERR_DATA, "%s[%zu]: %s", key, i, text);
    return mw_fail(MW_ERR_DATA, "%s[%zu] '%.*s': %s", key, i,
                   bytes_shown(name, NAME_SHOWN), name, text);
}

static int read_list(const json_t *root, const char *key, bool are_scripts,
                     struct file *f, struct mw_vectors *out)
{
    size_t i;
    json_t *j;
    json_array_foreach(json_object_get(root, key), i, j)
    {
        struct mw_vector *v = &out->vector[out->n++];
        const int rc = json_is_object(j) ? read_vector(j, are_scripts, f, v)
                                         : bad(j, "an object", "a vector");
        if (rc < MW_OK)
            return rc == MW_ERR_DATA ? at_vector(key, i, v->name) : rc;
    }
    return MW_OK;
}

static int read_turn_pair(const json_t *pair, size_t i, struct mw_turns *t)
{
    static const char *const turns[] = {"NE", "ES", "SW", "WN", "NW",
                                        "WS", "SE", "EN", NULL};
    if (json_array_size(pair) != 2 || i >= sizeof t->cyclic / sizeof *t->cyclic)
        return bad(pair, "at most 16 pairs of turns", "turn_model: cyclic[%zu]", i);
    for (size_t k = 0; k < 2; k++) {
        const int turn = word_number(json_array_get(pair, k), turns);
        if (turn < 0)
            return bad(json_array_get(pair, k), "a turn such as \"NE\"",
                       "turn_model: cyclic[%zu][%zu]", i, k);
        memcpy(t->cyclic[i][k], turns[turn], 3);
    }
    t->n_cyclic++;
    return MW_OK;
}

/* Whatever else is written there is for people. */
static int read_turns(const json_t *j, struct mw_turns *t)
{
    int rc = MW_OK;
    size_t i;
    json_t *pair;
    const json_t *cyclic = json_object_get(j, "cyclic");
    const json_t *count = json_object_get(j, "acyclic_count");
    if (j == NULL)
        return MW_OK;
    if (!json_is_object(j))
        return bad(j, "an object", "turn_model");
    if (!json_is_array(cyclic))
        return bad(cyclic, "an array", "turn_model: cyclic");
    if (!is_integer(count, 0, 16))
        return bad(count, "an integer 0..16", "turn_model: acyclic_count");
    json_array_foreach(cyclic, i, pair) MW_TRY(rc, read_turn_pair(pair, i, t));
    t->acyclic_count = (uint32_t)json_integer_value(count);
    t->present = true;
fail:
    return rc;
}

static int read_root(json_t *root, struct file *f, struct mw_vectors *out)
{
    static const char *const known[] = {"format",  "conventions", "turn_model",
                                        "layouts", "scripts",     NULL};
    static const char *const formats[] = {"meshshuffle-vectors/1", NULL};
    int rc;
    if (word_number(json_object_get(root, "format"), formats) < 0)
        return mw_fail(MW_ERR_DATA, "JSON, but not of format %s", formats[0]);
    MW_TRY(rc, check_object(root, known, "the file"));
    MW_TRY(rc, optional_array(root, "layouts"));
    MW_TRY(rc, optional_array(root, "scripts"));
    const size_t n = json_array_size(json_object_get(root, "layouts")) +
                     json_array_size(json_object_get(root, "scripts"));
    if (n > MW_VECTORS_MAX)
        return mw_fail(MW_ERR_DATA, "%zu layouts and scripts, at most %d", n,
                       MW_VECTORS_MAX);
    MW_NEW(rc, out->vector, "vectors", n);
    MW_TRY(rc, read_list(root, "layouts", false, f, out));
    MW_TRY(rc, read_list(root, "scripts", true, f, out));
    rc = read_turns(json_object_get(root, "turn_model"), &out->turns);
fail:
    return rc;
}

/* The parser's words hold a piece of the file. */
static int not_json(const json_error_t *e)
{
    char *text = escaped(e->text);
    const int rc = mw_fail(MW_ERR_DATA, "%d:%d: not JSON: %s", e->line, e->column,
                           text != NULL ? text : "");
    mw_free(text);
    return rc;
}

int mw_vectors_parse(const char *text, size_t bytes, struct mw_vectors *out)
{
    int rc;
    json_error_t e;
    *out = (struct mw_vectors){0};
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &e);
    if (root == NULL)
        return not_json(&e);
    struct file f = {.names = json_object()};
    rc = f.names != NULL ? read_root(root, &f, out)
                         : mw_fail(MW_ERR_NOMEM, "vector: names");
    json_decref(f.names);
    json_decref(root);
    if (rc < MW_OK)
        mw_vectors_fini(out);
    return rc;
}

void mw_vectors_fini(struct mw_vectors *v)
{
    for (uint32_t i = 0; i < v->n; i++) {
        struct mw_vector *x = &v->vector[i];
        mw_free(x->name);
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
