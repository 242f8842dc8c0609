/* model_runs.c -- see model_runs.h. Reading is strict: a number that is missing or not finite
 * is an error with its name, never a zero.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/model/model_runs.h"

#include "base/mem.h"
#include "base/text.h"
#include "model/model_count.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 64 << 20 };
static const char profile_schema[] = "urn:meshway:model-profile:1";
static const char result_schema[] = "urn:meshway:result:2";

extern const char mw_model_reference[]; /* made by cmake/embed.cmake */

/* ---- reading ---------------------------------------------------------------------------- */

/* What is read, and whether all that was asked for was there. */
struct reader {
    const char *file;
    int rc;
};

static void complain(struct reader *r, const char *key, const char *what)
{
    if (r->rc >= MW_OK)
        r->rc = mw_fail(MW_ERR_DATA, "%s: %.40s: %s", r->file, key, what);
}

static double number(struct reader *r, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    const double x = json_number_value(v);
    if (!json_is_number(v) || !(x >= 0) || !isfinite(x))
        complain(r, key, "a number that is not negative is missing");
    return isfinite(x) ? x : 0;
}

/* A whole number from `least` to `most`. */
static uint32_t count(struct reader *r, const json_t *o, const char *key, uint32_t least,
                      uint32_t most)
{
    const double x = number(r, o, key);
    if (x != floor(x) || x < least || x > most) {
        complain(r, key, "out of range");
        return least;
    }
    return (uint32_t)x;
}

static const char *text(struct reader *r, const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    if (s == NULL)
        complain(r, key, "a text is missing");
    return s != NULL ? s : "";
}

static const json_t *list(struct reader *r, const json_t *o, const char *key, size_t most)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_array(v) || json_array_size(v) == 0 || json_array_size(v) > most)
        complain(r, key, "a list is missing, empty or too long");
    return v;
}

static enum mw_direction direction(struct reader *r, const json_t *o)
{
    const char *s = text(r, o, "direction");
    if (strcmp(s, "bottom-up") == 0)
        return MW_BOTTOM_UP;
    if (strcmp(s, "top-down") != 0)
        complain(r, "direction", "neither top-down nor bottom-up");
    return MW_TOP_DOWN;
}

static json_t *load(const char *t, size_t bytes, const char *file, const char *schema,
                    int *rc)
{
    json_error_t error;
    json_t *o = json_loadb(t, bytes, JSON_REJECT_DUPLICATES, &error);
    const char *is = json_string_value(json_object_get(o, "$schema"));
    *rc = MW_OK;
    if (o == NULL)
        *rc = mw_fail(MW_ERR_DATA, "%s:%d:%d: %.80s", file, error.line, error.column,
                      error.text);
    else if (is == NULL || strcmp(is, schema) != 0)
        *rc = mw_fail(MW_ERR_DATA, "%s: $schema is not %s", file, schema);
    return o;
}

/* ---- a result of `meshway run` ---------------------------------------------------------- */

/* How often a record whose owner is drawn at random leaves a rank. */
static double hops_of(struct reader *r, const json_t *conf)
{
    const double ranks = count(r, conf, "n_ranks", 1, 1 << 22);
    const double groups = count(r, conf, "n_groups", 1, 1 << 22);
    const double width = count(r, conf, "group_width", 1, 1 << 22);
    if (ranks < 2)
        complain(r, "n_ranks", "a run on one rank sends nothing that could be scaled");
    return width > 1 ? (1 - 1 / groups) + (1 - 1 / width) : 1 - 1 / ranks;
}

static void read_run_level(struct reader *r, const json_t *o, double entries, double hops,
                           struct mw_profile_level *out)
{
    const double records = number(r, o, "n_records");
    out->direction = direction(r, o);
    out->active = number(r, o, "n_active_edges") / entries;
    out->unvisited = number(r, o, "n_unvisited_edges") / entries;
    out->records = records / hops / entries;
    out->sent = out->direction == MW_TOP_DOWN || records > 0;
}

/* Searches from isolated vertices have no rate and are left out. */
static void read_run_search(struct reader *r, const json_t *o, double tuples,
                            double entries, double hops, struct mw_profile *p)
{
    const double n_edges = number(r, o, "n_edges");
    const json_t *levels = json_object_get(o, "levels");
    if (n_edges == 0)
        return;
    if (p->n_searches == MW_PROFILE_SEARCHES) {
        complain(r, "searches", "more than 64");
        return;
    }
    levels = list(r, o, "levels", MW_PROFILE_LEVELS);
    struct mw_profile_search *s = &p->search[p->n_searches++];
    s->n_edges = n_edges / tuples;
    for (size_t i = 0; r->rc >= MW_OK && i < json_array_size(levels); i++)
        read_run_level(r, json_array_get(levels, i), entries, hops,
                       &s->level[s->n_levels++]);
}

static void read_machine(struct reader *r, const json_t *result, struct mw_profile *p)
{
    const json_t *provenance = json_object_get(result, "provenance");
    const json_t *machine = json_object_get(provenance, "machine");
    snprintf(p->machine, sizeof p->machine, "%.60s, %u processors",
             text(r, machine, "cpu"), count(r, machine, "n_cpus", 0, 1 << 22));
    snprintf(p->date, sizeof p->date, "%.10s", text(r, provenance, "started_utc"));
}

/* The graph that a result was made on. */
struct origin {
    uint32_t scale, edgefactor, n_ranks, first; /* of its searches in the profile */
    double tuples, entries;
};

static void read_graph(struct reader *r, const json_t *result, struct origin *g,
                       struct mw_profile *p)
{
    const json_t *graph = json_object_get(result, "graph");
    const double n = number(r, graph, "n_vertices");
    g->scale = count(r, graph, "scale", 0, 63);
    g->edgefactor = count(r, graph, "edgefactor", 0, UINT32_MAX);
    g->tuples = number(r, graph, "n_edges");
    g->entries = 2 * number(r, graph, "n_edges_kept");
    g->first = p->n_searches;
    if (r->rc >= MW_OK && (n < 1 || g->tuples < 1 || g->entries < 1))
        complain(r, "graph", "it is empty");
    if (p->n_searches > 0 && (p->scale != g->scale || p->edgefactor != g->edgefactor))
        complain(r, "graph", "another scale or edge factor than the results before");
    p->scale = g->scale;
    p->edgefactor = g->edgefactor;
    p->entries_per_vertex = g->entries / fmax(n, 1);
    p->connected = number(r, graph, "n_connected") / fmax(n, 1);
}

static void read_result(struct reader *r, const json_t *result, struct origin *g,
                        struct mw_profile *p)
{
    const json_t *conf = json_object_get(result, "configuration");
    const json_t *searches = list(r, result, "searches", 1 << 20);
    if (strcmp(text(r, result, "status"), "ok") != 0)
        complain(r, "status", "not ok");
    read_graph(r, result, g, p);
    const double hops = hops_of(r, conf);
    g->n_ranks = p->n_ranks = count(r, conf, "n_ranks", 1, 1 << 22);
    read_machine(r, result, p);
    for (size_t i = 0; r->rc >= MW_OK && i < json_array_size(searches); i++)
        read_run_search(r, json_array_get(searches, i), g->tuples, g->entries, hops, p);
    if (p->n_searches == 0)
        complain(r, "searches", "none that counts");
}

/* ---- the count beside a run ------------------------------------------------------------- */

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-12;
}

/* Takes the hub counts over; what both know must be equal. */
static int merge(const struct mw_profile *counted, const struct origin *g,
                 const char *file, struct mw_profile *p)
{
    for (uint32_t i = 0; i < counted->n_searches; i++) {
        const struct mw_profile_search *from = &counted->search[i];
        struct mw_profile_search *to = &p->search[g->first + i];
        /* The run counts the level that finds nothing only if it has an edge to follow. */
        if (from->n_levels < to->n_levels || !same(from->n_edges, to->n_edges))
            return mw_fail(MW_ERR_DATA,
                           "%s: search %u is not that of the generated graph", file, i);
        for (uint32_t l = 0; l < to->n_levels; l++) {
            const struct mw_profile_level *a = &from->level[l];
            struct mw_profile_level *b = &to->level[l];
            if (a->direction != b->direction || !same(a->active, b->active) ||
                !same(a->unvisited, b->unvisited))
                return mw_fail(MW_ERR_DATA,
                               "%s: search %u, level %u is not that of the count", file,
                               i, l);
            memcpy(b->hub, a->hub, sizeof b->hub);
        }
    }
    return MW_OK;
}

static int count_beside(struct reader *r, const json_t *result, const struct origin *g,
                        struct mw_profile *p)
{
    int rc = MW_OK;
    mw_vid root[MW_PROFILE_SEARCHES];
    struct mw_profile *counted = NULL;
    const json_t *graph = json_object_get(result, "graph"), *seeds, *searches;
    const json_t *conf = json_object_get(result, "configuration");
    struct mw_count_conf c = {
        .scale = g->scale, .edgefactor = g->edgefactor, .root = root};
    if (strcmp(text(r, graph, "source"), "kronecker") != 0)
        complain(r, "source", "only generated graphs can be counted");
    seeds = list(r, graph, "seeds", 2);
    for (size_t i = 0; i < 2; i++)
        c.seed[i] = (uint64_t)json_integer_value(json_array_get(seeds, i));
    c.rule.alpha = number(r, conf, "alpha");
    c.rule.beta = number(r, conf, "beta");
    if (strcmp(text(r, conf, "direction"), "auto") != 0)
        c.rule.policy = direction(r, conf) == MW_TOP_DOWN ? MW_DIRECTION_TOP_DOWN
                                                          : MW_DIRECTION_BOTTOM_UP;
    searches = list(r, result, "searches", 1 << 20);
    for (size_t i = 0; r->rc >= MW_OK && i < json_array_size(searches); i++) {
        const json_t *s = json_array_get(searches, i);
        if (number(r, s, "n_edges") > 0)
            root[c.n_roots++] = (mw_vid)number(r, s, "root");
    }
    MW_TRY(rc, r->rc);
    MW_NEW(rc, counted, "profile", 1);
    MW_TRY(rc, mw_model_count(&c, counted));
    MW_TRY(rc, merge(counted, g, r->file, p));
end:
    mw_free(counted);
    return rc;
}

int mw_runs_add(const char *t, size_t bytes, const char *file, bool counts,
                struct mw_profile *out)
{
    int rc;
    struct reader r = {file, MW_OK};
    struct origin g = {0};
    json_t *result = load(t, bytes, file, result_schema, &rc);
    MW_TRY(rc, rc);
    read_result(&r, result, &g, out);
    MW_TRY(rc, r.rc);
    out->counted = counts;
    if (counts)
        MW_TRY(rc, count_beside(&r, result, &g, out));
    snprintf(out->title, sizeof out->title,
             "SCALE %u, edge factor %u, %u searches, %u ranks", out->scale,
             out->edgefactor, out->n_searches, out->n_ranks);
end:
    json_decref(result);
    return rc;
}

/* ---- a profile -------------------------------------------------------------------------- */

static json_t *shares_json(const struct mw_profile_level *l, size_t field)
{
    json_t *a = json_array();
    for (int k = 0; k < MW_N_HUB_SHARES; k++) {
        const char *at = (const char *)&l->hub[k] + field;
        json_array_append_new(a, json_real(*(const double *)(const void *)at));
    }
    return a;
}

static json_t *profile_level_json(const struct mw_profile_level *l, bool counted)
{
    uint32_t active = 0;
    json_t *o = json_pack("{s:s, s:f, s:f, s:o}", "direction",
                          l->direction == MW_TOP_DOWN ? "top-down" : "bottom-up",
                          "active", l->active, "unvisited", l->unvisited, "records",
                          l->sent ? json_real(l->records) : json_null());
    if (!counted)
        return o;
    while (active < MW_N_HUB_SHARES && l->hub[active].active)
        active++; /* fewer hubs are active only where more are */
    json_object_set_new(o, "hub_active", json_integer(active));
    json_object_set_new(o, "hub_reads",
                        shares_json(l, offsetof(struct mw_hub_count, reads)));
    json_object_set_new(o, "hub_records",
                        shares_json(l, offsetof(struct mw_hub_count, records)));
    json_object_set_new(o, "hub_hits",
                        shares_json(l, offsetof(struct mw_hub_count, hits)));
    return o;
}

int mw_profile_write(const struct mw_profile *p, char **out)
{
    json_t *searches = json_array();
    for (uint32_t i = 0; i < p->n_searches; i++) {
        json_t *levels = json_array();
        for (uint32_t l = 0; l < p->search[i].n_levels; l++)
            json_array_append_new(levels,
                                  profile_level_json(&p->search[i].level[l], p->counted));
        json_array_append_new(
            searches,
            json_pack("{s:f, s:o}", "n_edges", p->search[i].n_edges, "levels", levels));
    }
    json_t *o =
        json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:f, s:f, s:b, s:[i,i], s:o}",
                  "$schema", profile_schema, "title", p->title, "machine", p->machine,
                  "date", p->date, "scale", (int)p->scale, "edgefactor",
                  (int)p->edgefactor, "n_ranks", (int)p->n_ranks, "entries_per_vertex",
                  p->entries_per_vertex, "connected", p->connected, "counted", p->counted,
                  "hub_exponents", MW_HUB_FIRST, MW_HUB_LAST, "searches", searches);
    *out = json_dumps(o, JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6));
    json_decref(o);
    if (*out == NULL)
        return mw_fail(MW_ERR_NOMEM, "profile: no memory for the JSON text");
    /* A level a line: differences can be read. */
    for (char *c = *out; (c = strstr(c, ", {")) != NULL; c++)
        c[1] = '\n';
    return MW_OK;
}

static void read_shares(struct reader *r, const json_t *o, const char *key, size_t field,
                        struct mw_profile_level *out)
{
    const json_t *a = list(r, o, key, MW_N_HUB_SHARES);
    if (json_array_size(a) != MW_N_HUB_SHARES)
        complain(r, key, "not a number for each share of hubs");
    for (size_t k = 0; k < MW_N_HUB_SHARES; k++) {
        char *at = (char *)&out->hub[k] + field;
        const json_t *v = json_array_get(a, k);
        if (!json_is_number(v) || !(json_number_value(v) >= 0))
            complain(r, key, "not a number");
        *(double *)(void *)at = json_number_value(v);
    }
}

static void read_level(struct reader *r, const json_t *o, bool counted,
                       struct mw_profile_level *out)
{
    out->direction = direction(r, o);
    out->active = number(r, o, "active");
    out->unvisited = number(r, o, "unvisited");
    out->sent = !json_is_null(json_object_get(o, "records"));
    out->records = out->sent ? number(r, o, "records") : 0;
    if (!counted)
        return;
    const uint32_t active = count(r, o, "hub_active", 0, MW_N_HUB_SHARES);
    for (uint32_t k = 0; k < active; k++)
        out->hub[k].active = true;
    read_shares(r, o, "hub_reads", offsetof(struct mw_hub_count, reads), out);
    read_shares(r, o, "hub_records", offsetof(struct mw_hub_count, records), out);
    read_shares(r, o, "hub_hits", offsetof(struct mw_hub_count, hits), out);
}

static void read_profile(struct reader *r, const json_t *o, struct mw_profile *p)
{
    const json_t *searches = list(r, o, "searches", MW_PROFILE_SEARCHES);
    const json_t *hubs = list(r, o, "hub_exponents", 2);
    snprintf(p->title, sizeof p->title, "%s", text(r, o, "title"));
    snprintf(p->machine, sizeof p->machine, "%s", text(r, o, "machine"));
    snprintf(p->date, sizeof p->date, "%s", text(r, o, "date"));
    p->scale = count(r, o, "scale", 0, 63);
    p->edgefactor = count(r, o, "edgefactor", 0, UINT32_MAX);
    p->n_ranks = count(r, o, "n_ranks", 1, 1 << 22);
    p->entries_per_vertex = number(r, o, "entries_per_vertex");
    p->connected = number(r, o, "connected");
    p->counted = json_is_true(json_object_get(o, "counted"));
    if (json_integer_value(json_array_get(hubs, 0)) != MW_HUB_FIRST ||
        json_integer_value(json_array_get(hubs, 1)) != MW_HUB_LAST)
        complain(r, "hub_exponents", "not those of this program");
    for (size_t i = 0; r->rc >= MW_OK && i < json_array_size(searches); i++) {
        const json_t *s = json_array_get(searches, i);
        const json_t *levels = list(r, s, "levels", MW_PROFILE_LEVELS);
        struct mw_profile_search *to = &p->search[p->n_searches++];
        to->n_edges = number(r, s, "n_edges");
        if (!(to->n_edges > 0))
            complain(r, "n_edges", "a search without an edge");
        for (size_t l = 0; r->rc >= MW_OK && l < json_array_size(levels); l++)
            read_level(r, json_array_get(levels, l), p->counted,
                       &to->level[to->n_levels++]);
    }
}

int mw_profile_parse(const char *t, size_t bytes, const char *file,
                     struct mw_profile *out)
{
    int rc;
    struct reader r = {file, MW_OK};
    json_t *o = load(t, bytes, file, profile_schema, &rc);
    *out = (struct mw_profile){0};
    if (rc >= MW_OK) {
        read_profile(&r, o, out);
        rc = r.rc;
    }
    json_decref(o);
    return rc;
}

/* ---- from files ------------------------------------------------------------------------- */

int mw_profile_default(struct mw_profile *out)
{
    return mw_profile_parse(mw_model_reference, strlen(mw_model_reference),
                            "the program's own profile", out);
}

int mw_profile_open(const char *file, struct mw_profile *out)
{
    int rc;
    char *t = NULL;
    size_t bytes;
    MW_TRY(rc, mw_text_read(file, FILE_BYTES_MAX, &t, &bytes));
    MW_TRY(rc, mw_profile_parse(t, bytes, file, out));
end:
    mw_free(t);
    return rc;
}

static int add_file(const char *file, bool counts, struct mw_profile *out)
{
    int rc;
    char *t = NULL;
    size_t bytes;
    MW_TRY(rc, mw_text_read(file, FILE_BYTES_MAX, &t, &bytes));
    MW_TRY(rc, mw_runs_add(t, bytes, file, counts, out));
end:
    mw_free(t);
    return rc;
}

int mw_runs_open(const char *files, bool counts, struct mw_profile *out)
{
    int rc = MW_OK;
    char *name = NULL;
    MW_NEW(rc, name, "file names", strlen(files) + 1);
    *out = (struct mw_profile){0};
    for (const char *at = files; *at != '\0';) {
        const size_t n = strcspn(at, ",");
        memcpy(name, at, n);
        name[n] = '\0';
        MW_TRY(rc, add_file(name, counts, out));
        at += n + (at[n] == ',');
    }
end:
    mw_free(name);
    return rc;
}
