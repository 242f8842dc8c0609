/* api.c -- the library's public interface, include/meshway/meshway.h, on the layers below.
 *
 * Thin: arguments are checked on every rank and agreed on before anything collective
 * begins, so that one caller's mistake is everyone's error and nobody's hang. The world
 * of the layers is made with the first graph, when the options are known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/handles.h"

#include "algorithms/registry.h"
#include "base/nearest.h"
#include "graph/dealing.h"
#include "mpe/world.h"
#include "traversal/run_keys.h"
#include "traversal/sources.h"
#include "traversal/traversal.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

MW_STATIC_ASSERT((int)MESHWAY_ERR_USAGE == (int)MW_ERR_USAGE &&
                     (int)MESHWAY_ERR_DATA == (int)MW_ERR_DATA &&
                     (int)MESHWAY_ERR_NOINPUT == (int)MW_ERR_NOINPUT &&
                     (int)MESHWAY_ERR_UNAVAILABLE == (int)MW_ERR_UNAVAILABLE &&
                     (int)MESHWAY_ERR_INTERNAL == (int)MW_ERR_INTERNAL &&
                     (int)MESHWAY_ERR_NOMEM == (int)MW_ERR_NOMEM &&
                     (int)MESHWAY_ERR_INVALID == (int)MW_ERR_INVALID &&
                     (int)MESHWAY_ERR_REFUSED == (int)MW_ERR_REFUSED,
                 "codes are passed through");
MW_STATIC_ASSERT((int)MW_WEIGHTS_MINIMUM == 1 && (int)MW_WEIGHTS_FIRST == 2 &&
                     (int)MW_WEIGHTS_SUM == 3,
                 "values of MESHWAY_WEIGHTS are passed through");
MW_STATIC_ASSERT(MESHWAY_NO_VERTEX == MW_NO_VERTEX, "parents are passed through");

struct meshway_traversal {
    struct meshway_graph *g;
    struct mw_traversal *t;
    void *options; /* of its algorithm; owned */
    void *check;   /* NULL before the first validation */
    uint64_t key;
    struct mw_verdict claim;
    bool ran;
};

static bool started; /* one world at a time: the second would finalise the first's MPI */

uint32_t meshway_version(void)
{
    return MESHWAY_VERSION;
}

const char *meshway_error_text(void)
{
    return mw_error_text();
}

/* ---- The ranks --------------------------------------------------------------------------- */

int meshway_start(struct meshway_world **out)
{
    int rc = MW_OK;
    struct meshway_world *w = NULL;
    struct mw_comm *comm = NULL;

    mw_error_clear();
    *out = NULL;
    if (started)
        return mw_fail(MW_ERR_USAGE, "meshway_start: there is a world already; "
                                     "meshway_finish() ends it");
    MW_TRY(rc, mw_mpi_start(NULL, NULL, 0, &comm));
    MW_NEW(rc, w, "world", 1);
    w->comm = comm;
    w->conf = (struct mw_world_conf){.backend = "auto", .small_input = 1024};
    w->keep_edges = true;
end:
    if (comm != NULL)
        rc = mw_comm_agree(comm, rc);
    if (rc != MW_OK) {
        mw_free(w);
        mw_mpi_finish(comm);
        return rc;
    }
    started = true;
    *out = w;
    return MW_OK;
}

void meshway_finish(struct meshway_world *w)
{
    if (w == NULL)
        return;
    assert(w->n_graphs == 0);
    struct mw_comm *comm = w->comm;
    mw_world_free(w->world);
    MW_FREE_ALL(w->tune, w);
    mw_mpi_finish(comm);
    started = false;
}

uint32_t meshway_rank(const struct meshway_world *w)
{
    return w->comm->rank;
}

uint32_t meshway_n_ranks(const struct meshway_world *w)
{
    return w->comm->size;
}

int meshway_set(struct meshway_world *w, enum meshway_option option, uint64_t value)
{
    static const char *const backends[] = {"auto", "serial", "openmp"};
    static const char *const directions[] = {"direction=auto", "direction=top-down",
                                             "direction=bottom-up"};
    static const struct {
        const char *name;
        uint64_t max;
    } limits[] = {
        [MESHWAY_THREADS] = {"MESHWAY_THREADS", 1 << 16},
        [MESHWAY_BACKEND] = {"MESHWAY_BACKEND", 2},
        [MESHWAY_ROUTING] = {"MESHWAY_ROUTING", 2},
        [MESHWAY_GROUPS] = {"MESHWAY_GROUPS", 1 << 30},
        [MESHWAY_GROUP_SIZE] = {"MESHWAY_GROUP_SIZE", 1 << 30},
        [MESHWAY_DIRECTION] = {"MESHWAY_DIRECTION", 2},
        [MESHWAY_KEEP_EDGES] = {"MESHWAY_KEEP_EDGES", 1},
        [MESHWAY_DIRECTED] = {"MESHWAY_DIRECTED", 1},
        [MESHWAY_WEIGHTS] = {"MESHWAY_WEIGHTS", MW_WEIGHTS_SUM},
    };
    const uint32_t i = (uint32_t)option;

    mw_error_clear();
    if (i >= sizeof limits / sizeof limits[0])
        return mw_fail(MW_ERR_USAGE, "meshway_set: there is no option %" PRIu32, i);
    if (value > limits[i].max)
        return mw_fail(MW_ERR_USAGE,
                       "meshway_set: %s: %" PRIu64 " is out of range 0..%" PRIu64,
                       limits[i].name, value, limits[i].max);
    if (w->world != NULL && option != MESHWAY_DIRECTED && option != MESHWAY_WEIGHTS)
        return mw_fail(MW_ERR_USAGE,
                       "meshway_set: %s: options are set before the first graph",
                       limits[i].name);
    switch (option) {
    case MESHWAY_THREADS:
        w->conf.n_threads = (uint32_t)value;
        break;
    case MESHWAY_BACKEND:
        w->conf.backend = backends[value];
        break;
    case MESHWAY_ROUTING:
        w->conf.routing = (enum mw_routing)value;
        break;
    case MESHWAY_GROUPS:
        w->conf.groups_n = (uint32_t)value;
        break;
    case MESHWAY_GROUP_SIZE:
        w->conf.groups_m = (uint32_t)value;
        break;
    case MESHWAY_DIRECTION:
        return meshway_tune(w, directions[value]);
    case MESHWAY_KEEP_EDGES:
        w->keep_edges = value != 0;
        break;
    case MESHWAY_DIRECTED:
        w->directed = value != 0;
        break;
    case MESHWAY_WEIGHTS:
        w->weights = (enum mw_weights)value;
        break;
    }
    return MW_OK;
}

int meshway_set_backend(struct meshway_world *w, const char *name)
{
    const struct mw_backend *backend;
    mw_error_clear();
    if (w->world != NULL)
        return mw_fail(MW_ERR_USAGE, "meshway_set_backend: options are set before the "
                                     "first graph");
    const int rc = mw_backend_find(name, &backend);
    if (rc == MW_OK)
        w->conf.backend = backend->name;
    return rc;
}

/* The keys that are set already, but for those that `keys` sets anew, and these. */
static char *join_keys(const char *old, const char *keys)
{
    struct mw_tune t, newer;
    const size_t room = strlen(keys) + (old != NULL ? strlen(old) : 0) + 2;
    char *const text = mw_alloc("keys", room, 1);
    size_t used = 0;
    if (text == NULL)
        return NULL;
    text[0] = '\0';
    while (mw_tune_next(&old, &t)) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)t.key_length, t.key);
        if (!mw_tune_find(keys, name, &newer))
            used += (size_t)snprintf(text + used, room - used, "%s=%.*s,", name,
                                     (int)t.value_length, t.value);
    }
    snprintf(text + used, room - used, "%s", keys);
    return text;
}

/* Local: the options of an algorithm, by those keys of a text that it has. *out is NULL for one
 * without; freed by the caller. */
static int options_of(const struct mw_algorithm *a, const char *text, void **out)
{
    int rc = MW_OK;
    char *own = NULL;
    struct mw_keyed of = {a->keys, NULL};
    *out = NULL;
    if (a->keys == NULL)
        return MW_OK;
    MW_NEW(rc, own, "keys of an algorithm", text != NULL ? strlen(text) + 1 : 1);
    *out = of.options = mw_alloc("options", 1, a->keys->options_bytes);
    if (*out == NULL) {
        rc = MW_ERR_NOMEM;
        goto end;
    }
    mw_tune_select(text, a->keys, own);
    mw_keys_default(&of);
    rc = mw_keys_read("meshway_tune", own, &of, 1);
end:
    mw_free(own);
    return rc;
}

/* Local: each key is one of the run, or of some algorithm. */
static int check_known(const char *text)
{
    struct mw_tune t;
    struct mw_nearest near = {.given = text};
    char name[64];
    while (mw_tune_next(&text, &t)) {
        bool known = mw_key_find(&mw_run_keys, t.key, t.key_length) != NULL;
        snprintf(name, sizeof name, "%.*s", (int)t.key_length, t.key);
        near = (struct mw_nearest){.given = name};
        for (uint32_t i = 0; i < mw_run_keys.n; i++)
            mw_nearest_offer(&near, mw_run_keys.key[i].name);
        for (uint32_t i = 0; mw_algorithm_at(i) != NULL; i++) {
            const struct mw_keys *keys = mw_algorithm_at(i)->keys;
            known = known || mw_key_find(keys, t.key, t.key_length) != NULL;
            for (uint32_t k = 0; keys != NULL && k < keys->n; k++)
                mw_nearest_offer(&near, keys->key[k].name);
        }
        if (!known)
            return mw_fail(MW_ERR_USAGE,
                           "meshway_tune: '%s' is no key%s%s%s (a plug-in's are known "
                           "once it is loaded)",
                           name, near.best != NULL ? "; did you mean " : "",
                           near.best != NULL ? near.best : "",
                           near.best != NULL ? "?" : "");
    }
    return MW_OK;
}

/* Local: what the keys say of the world and of graphs. */
static int tune_run(struct meshway_world *w, const char *text)
{
    int rc;
    char *own = NULL;
    struct mw_run_options run;
    const struct mw_keyed of = {&mw_run_keys, &run};
    MW_NEW(rc, own, "keys of a run", strlen(text) + 1);
    mw_tune_select(text, &mw_run_keys, own);
    mw_keys_default(&of);
    MW_TRY(rc, mw_keys_read("meshway_tune", own, &of, 1));
    mw_run_options_apply(&run, &w->conf, &w->graph_rule);
end:
    mw_free(own);
    return rc;
}

/* Local: does a text set a key of the run? */
static bool tunes_run(const char *text)
{
    struct mw_tune t;
    while (mw_tune_next(&text, &t))
        if (mw_key_find(&mw_run_keys, t.key, t.key_length) != NULL)
            return true;
    return false;
}

int meshway_tune(struct meshway_world *w, const char *keys)
{
    int rc;
    char *text = NULL;
    mw_error_clear();
    MW_TRY(rc, check_known(keys));
    if (w->world != NULL && tunes_run(keys))
        return mw_fail(MW_ERR_USAGE,
                       "meshway_tune: %s: keys of the run are set before "
                       "the first graph",
                       keys);
    text = join_keys(w->tune, keys);
    rc = text == NULL ? MW_ERR_NOMEM : MW_OK;
    for (uint32_t i = 0; rc == MW_OK && mw_algorithm_at(i) != NULL; i++) {
        void *options = NULL;
        rc = options_of(mw_algorithm_at(i), text, &options);
        mw_free(options);
    }
    if (rc == MW_OK)
        rc = tune_run(w, text);
end:
    if (rc == MW_OK) {
        mw_free(w->tune);
        w->tune = text;
    } else {
        mw_free(text);
    }
    return rc;
}

const char *meshway_backend(uint32_t which)
{
    for (uint32_t i = 0; mw_backends[i] != NULL; i++)
        if (mw_backends[i]->disabled == NULL && which-- == 0)
            return mw_backends[i]->name;
    return NULL;
}

int meshway_sum(struct meshway_world *w, uint64_t *value, uint32_t n)
{
    mw_error_clear();
    return mw_comm_sum(w->comm, value, n);
}

/* ---- The graph --------------------------------------------------------------------------- */

int mw_api_check_same(struct mw_comm *comm, const char *what, uint64_t value)
{
    int rc;
    uint64_t least = value, most = value;
    MW_TRY(rc, mw_comm_min(comm, &least, 1));
    MW_TRY(rc, mw_comm_max(comm, &most, 1));
    if (least != most)
        rc = mw_fail(MW_ERR_USAGE,
                     "%s differs between ranks: from %" PRIu64 " to %" PRIu64, what,
                     least, most);
end:
    return rc;
}

int mw_api_check_size(const struct mw_comm *comm, uint64_t n_vertices)
{
    const uint64_t most_places = UINT32_MAX - 64;
    if (n_vertices == 0)
        return mw_fail(MW_ERR_USAGE, "a graph has at least 1 vertex");
    const struct mw_partition p = mw_partition_of(n_vertices, comm->rank, comm->size);
    if (mw_most_places(&p) > most_places)
        return mw_fail(MW_ERR_REFUSED,
                       "a graph of %" PRIu64 " vertices on %" PRIu32
                       " ranks: a rank owns at most %" PRIu64,
                       n_vertices, comm->size, most_places);
    return MW_OK;
}

/* A rank's edges as the caller has them. */
struct given {
    const char *to; /* whom: the function */
    uint64_t n_vertices, n;
    const uint64_t *u, *v;
    bool weighs;         /* they have weights */
    const float *weight; /* those */
};

static float weight_of(const struct given *from, uint64_t i)
{
    return from->weighs ? from->weight[i] + 0.0F : 1; /* -0 is 0 */
}

/* Local. */
static int check_edge(const struct given *from, uint64_t i)
{
    const uint64_t u = from->u[i], v = from->v[i], n = from->n_vertices;
    const float x = weight_of(from, i);
    if (u >= n || v >= n)
        return mw_fail(MW_ERR_DATA,
                       "%s: edge %" PRIu64 ": %" PRIu64 " -- %" PRIu64
                       ": the graph has vertices 0..%" PRIu64,
                       from->to, i, u, v, n - 1);
    if (!(x >= 0 && x <= FLT_MAX))
        return mw_fail(MW_ERR_DATA,
                       "%s: edge %" PRIu64 ": %" PRIu64 " -- %" PRIu64
                       ": its weight is %g; weights are finite numbers from 0 on",
                       from->to, i, u, v, (double)x);
    return MW_OK;
}

/* Local. */
static int copy_edges(struct mw_edges *to, const struct given *from, bool weighted)
{
    if (from->n > 0 &&
        (from->u == NULL || from->v == NULL || (from->weighs && from->weight == NULL)))
        return mw_fail(MW_ERR_USAGE, "%s: %" PRIu64 " edges, but no array", from->to,
                       from->n);
    MW_NEED(mw_edges_init(to, from->n_vertices, from->n));
    if (weighted)
        MW_NEED(mw_edges_weigh(to));
    for (uint64_t i = 0; i < from->n; i++) {
        MW_NEED(check_edge(from, i));
        MW_NEED(mw_edges_add_weighted(to, from->u[i], from->v[i], weight_of(from, i)));
    }
    return MW_OK;
}

static int ensure_world(struct meshway_world *w)
{
    return w->world != NULL ? MW_OK : mw_world_new(&w->conf, w->comm, &w->world);
}

/* Local: the long rows that some algorithm wants dealt out, for its run is not known yet. */
static int delegates_of(const struct meshway_world *w, int64_t *out)
{
    int rc = MW_OK;
    *out = MW_DELEGATE_OFF;
    for (uint32_t i = 0; mw_algorithm_at(i) != NULL && rc == MW_OK; i++) {
        void *options = NULL;
        rc = options_of(mw_algorithm_at(i), w->tune, &options);
        const int64_t wish = mw_algorithm_delegate(mw_algorithm_at(i), options);
        *out = wish != MW_DELEGATE_OFF ? wish : *out;
        mw_free(options);
    }
    return rc;
}

int mw_api_graph_build(struct meshway_graph *g)
{
    struct meshway_world *w = g->w;
    struct mw_graph_rule rule = w->graph_rule;
    MW_NEED(ensure_world(w));
    struct mw_world *const host = mw_world_host_side(w->world);
    int64_t delegate;
    rule.weights = g->weights;
    MW_NEED(mw_edges_deal(w->comm, &rule, &g->edges));
    MW_NEED(mw_graph_build_by(host, &g->edges, &rule, &g->graph));
    MW_NEED(mw_comm_agree(w->comm, delegates_of(w, &delegate)));
    if (delegate != MW_DELEGATE_OFF)
        MW_NEED(mw_graph_delegate(host, g->graph, delegate));
    if (!w->keep_edges)
        mw_edges_fini(&g->edges);
    w->n_graphs++;
    return MW_OK;
}

void mw_api_graph_drop(struct meshway_graph *g)
{
    if (g == NULL)
        return;
    mw_graph_free(g->graph);
    mw_edges_fini(&g->edges);
    mw_names_fini(&g->names);
    mw_free(g);
}

/* Collective. */
static int graph_of(struct meshway_world *w, const struct given *from,
                    enum mw_weights weights, struct meshway_graph **out)
{
    int rc;
    char what[64];
    struct meshway_graph *g = NULL;

    mw_error_clear();
    *out = NULL;
    snprintf(what, sizeof what, "%s: n_vertices", from->to);
    MW_TRY(rc, mw_api_check_same(w->comm, what, from->n_vertices));
    /* As it is the same, so is the answer. */
    MW_TRY(rc, mw_api_check_size(w->comm, from->n_vertices));
    g = mw_alloc("graph", 1, sizeof *g);
    rc = g == NULL ? MW_ERR_NOMEM
                   : copy_edges(&g->edges, from, weights != MW_WEIGHTS_NONE);
    MW_TRY(rc, mw_comm_agree(w->comm, rc));
    g->w = w;
    g->weights = weights;
    g->edges.directed = w->directed;
    MW_TRY(rc, mw_api_graph_build(g));
    *out = g;
    return MW_OK;
end:
    mw_api_graph_drop(g);
    return rc;
}

int meshway_graph_new(struct meshway_world *w, uint64_t n_vertices, uint64_t n_edges,
                      const uint64_t *u, const uint64_t *v, struct meshway_graph **out)
{
    const struct given from = {.to = "meshway_graph_new",
                               .n_vertices = n_vertices,
                               .n = n_edges,
                               .u = u,
                               .v = v};
    return graph_of(w, &from, w->weights, out);
}

int meshway_graph_new_weighted(struct meshway_world *w, uint64_t n_vertices,
                               uint64_t n_edges, const uint64_t *u, const uint64_t *v,
                               const float *weight, struct meshway_graph **out)
{
    const struct given from = {
        "meshway_graph_new_weighted", n_vertices, n_edges, u, v, true, weight};
    return graph_of(w, &from,
                    w->weights != MW_WEIGHTS_NONE ? w->weights : MW_WEIGHTS_MINIMUM, out);
}

void meshway_graph_free(struct meshway_graph *g)
{
    if (g == NULL)
        return;
    assert(g->n_searches == 0);
    g->w->n_graphs--;
    mw_api_graph_drop(g);
}

uint64_t meshway_graph_n_vertices(const struct meshway_graph *g)
{
    return g->graph->n_vertices;
}

uint64_t meshway_graph_n_edges(const struct meshway_graph *g)
{
    return mw_graph_n_distinct(g->graph);
}

int meshway_graph_is_directed(const struct meshway_graph *g)
{
    return g->graph->directed;
}

uint32_t meshway_graph_weights(const struct meshway_graph *g)
{
    return (uint32_t)g->weights;
}

uint64_t meshway_graph_n_places(const struct meshway_graph *g)
{
    return g->graph->n_places;
}

uint64_t meshway_graph_vertex(const struct meshway_graph *g, uint64_t place)
{
    return mw_vertex_at(g->graph, g->w->comm->rank, place);
}

void meshway_graph_vertices(const struct meshway_graph *g, uint64_t *vertex)
{
    for (uint64_t p = 0; p < g->graph->n_places; p++)
        vertex[p] = meshway_graph_vertex(g, p);
}

uint32_t meshway_graph_owner(const struct meshway_graph *g, uint64_t vertex)
{
    return mw_owner_of(g->graph, vertex);
}

uint64_t meshway_graph_place(const struct meshway_graph *g, uint64_t vertex)
{
    return mw_place_of(g->graph, vertex);
}

/* ---- Traversals --------------------------------------------------------------------------- */

int meshway_algorithm_load(const char *path)
{
    const struct mw_algorithm *a;
    mw_error_clear();
    if (strchr(path, '/') == NULL)
        return mw_fail(MW_ERR_USAGE,
                       "meshway_algorithm_load: '%s' has no slash, and so is no path of "
                       "a plug-in; did you mean ./%s?",
                       path, path);
    return mw_algorithm_find("meshway_algorithm_load", path, &a);
}

const char *meshway_algorithm_name(const char *path)
{
    uint64_t hash;
    const struct mw_algorithm *a;
    for (uint32_t i = 0; (a = mw_algorithm_at(i)) != NULL; i++) {
        const char *const from = mw_algorithm_path(a, &hash);
        if (from != NULL && strcmp(from, path) == 0)
            return a->name;
    }
    return NULL;
}

/* Collective. The plug-in is one file for all ranks. */
static int find_algorithm(struct mw_comm *comm, const char *name,
                          const struct mw_algorithm **out)
{
    uint64_t hash = 0;
    int rc = mw_comm_agree(comm, mw_algorithm_find("meshway_traversal_new", name, out));
    if (rc == MW_OK && mw_algorithm_path(*out, &hash) != NULL)
        rc = mw_api_check_same(comm, "meshway_traversal_new: hash of the plug-in", hash);
    return rc;
}

/* Local, the same at all ranks. */
static int check_weights(const struct mw_algorithm *a, enum mw_weights is)
{
    static const char *const words[] = {"none", "the least", "the first one's",
                                        "the sum"};
    if (a->weights == MW_WEIGHTS_NONE || a->weights == is)
        return MW_OK;
    if (is == MW_WEIGHTS_NONE)
        return mw_fail(MW_ERR_REFUSED,
                       "meshway_traversal_new: %s wants weights, and the graph has none; "
                       "MESHWAY_WEIGHTS %d before a graph is made gives it some, and so "
                       "does meshway_graph_new_weighted()",
                       a->name, (int)a->weights);
    return mw_fail(MW_ERR_REFUSED,
                   "meshway_traversal_new: of duplicates %s wants %s of the weights "
                   "(MESHWAY_WEIGHTS %d), and the graph has %s (%d)",
                   a->name, words[a->weights], (int)a->weights, words[is], (int)is);
}

int meshway_traversal_new(struct meshway_graph *g, const char *algorithm,
                          struct meshway_traversal **out)
{
    int rc;
    const struct mw_algorithm *a = NULL;
    struct meshway_traversal *t = NULL;

    mw_error_clear();
    *out = NULL;
    MW_TRY(rc, find_algorithm(g->w->comm, algorithm, &a));
    MW_TRY(rc, check_weights(a, g->weights));
    MW_NEW(rc, t, "search", 1);
    t->g = g;
    rc = options_of(a, g->w->tune, &t->options);
end:
    rc = mw_comm_agree(g->w->comm, rc);
    if (rc == MW_OK)
        rc = mw_traversal_new(a, t->options, g->w->world, g->graph, &t->t);
    if (rc == MW_OK && a->visited != NULL)
        rc = mw_traversal_keep_levels(t->t);
    if (rc != MW_OK) {
        if (t != NULL) {
            mw_traversal_free(t->t);
            mw_free(t->options);
        }
        mw_free(t);
        return rc;
    }
    g->n_searches++;
    *out = t;
    return MW_OK;
}

void meshway_traversal_free(struct meshway_traversal *t)
{
    if (t == NULL)
        return;
    t->g->n_searches--;
    if (t->check != NULL)
        t->t->algorithm->check->close(t->check);
    mw_traversal_free(t->t);
    MW_FREE_ALL(t->options, t);
}

/* Local. */
static int check_sources(const struct meshway_traversal *t, uint32_t n,
                         const uint64_t *vertex)
{
    const struct mw_algorithm *const a = t->t->algorithm;
    const uint64_t n_vertices = t->g->graph->n_vertices;
    if (a->sources == 0)
        return mw_fail(MW_ERR_USAGE,
                       "meshway_traversal_set_sources: %s draws no vertices to start at",
                       a->name);
    if (n < 1 || n > MW_SOURCES_MAX || vertex == NULL)
        return mw_fail(
            MW_ERR_USAGE,
            "meshway_traversal_set_sources: %u sources; 1 to %d are given, in an array",
            n, (int)MW_SOURCES_MAX);
    for (uint32_t i = 0; i < n; i++) {
        if (vertex[i] >= n_vertices)
            return mw_fail(MW_ERR_USAGE,
                           "meshway_traversal_set_sources: source %" PRIu64
                           ": the graph has vertices 0..%" PRIu64,
                           vertex[i], n_vertices - 1);
        for (uint32_t k = 0; k < i; k++)
            if (vertex[k] == vertex[i])
                return mw_fail(MW_ERR_USAGE,
                               "meshway_traversal_set_sources: source %" PRIu64
                               " is there twice",
                               vertex[i]);
    }
    return MW_OK;
}

int meshway_traversal_set_sources(struct meshway_traversal *t, uint32_t n,
                                  const uint64_t *vertex)
{
    struct mw_comm *const comm = t->g->w->comm;
    uint64_t hash = n;
    mw_error_clear();
    MW_NEED(mw_comm_agree(comm, check_sources(t, n, vertex)));
    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ vertex[i]) * UINT64_C(0x9e3779b97f4a7c15);
    MW_NEED(mw_api_check_same(comm, "meshway_traversal_set_sources: hash of the sources",
                              hash));
    mw_sources_set(t->t, vertex, n);
    t->ran = false;
    return MW_OK;
}

/* Local. */
static int check_goal(const struct meshway_traversal *t, uint64_t target)
{
    const struct mw_algorithm *const a = t->t->algorithm;
    const uint64_t n_vertices = t->g->graph->n_vertices;
    if (a->visited == NULL || !a->keyed)
        return mw_fail(
            MW_ERR_USAGE,
            "meshway_traversal_stop_at: runs of %s do not go by levels from a root",
            a->name);
    if (target >= n_vertices && target != MESHWAY_NO_VERTEX)
        return mw_fail(MW_ERR_USAGE,
                       "meshway_traversal_stop_at: target %" PRIu64
                       ": the graph has vertices 0..%" PRIu64,
                       target, n_vertices - 1);
    return MW_OK;
}

int meshway_traversal_stop_at(struct meshway_traversal *t, uint32_t max_depth,
                              uint64_t target)
{
    struct mw_comm *const comm = t->g->w->comm;
    const struct mw_goal goal = {.max_depth = max_depth, .target = target};
    mw_error_clear();
    MW_NEED(mw_comm_agree(comm, check_goal(t, target)));
    MW_NEED(mw_api_check_same(comm, "meshway_traversal_stop_at: target", target));
    MW_NEED(mw_api_check_same(comm, "meshway_traversal_stop_at: depth", max_depth));
    mw_traversal_stop_at(t->t, &goal);
    return MW_OK;
}

static int check_key(const struct meshway_traversal *t, uint64_t key)
{
    const struct mw_algorithm *a = t->t->algorithm;
    const uint64_t n = t->g->graph->n_vertices;
    int rc;
    MW_TRY(rc, mw_api_check_same(t->g->w->comm, "meshway_traversal_run: key", key));
    if (a->keyed && key >= n)
        rc = mw_fail(MW_ERR_USAGE,
                     "meshway_traversal_run: root %" PRIu64
                     ": the graph has vertices 0..%" PRIu64,
                     key, n - 1);
    if (!a->keyed && key != MESHWAY_NO_VERTEX)
        rc = mw_fail(MW_ERR_USAGE,
                     "meshway_traversal_run: %s takes no vertex to start at, but "
                     "MESHWAY_NO_VERTEX",
                     a->name);
end:
    return rc;
}

int meshway_traversal_run(struct meshway_traversal *t, uint64_t key)
{
    mw_error_clear();
    t->ran = false;
    t->claim = (struct mw_verdict){.n_reached = 0};
    MW_NEED(check_key(t, key));
    t->key = key;
    MW_NEED(mw_traversal_reset(t->t));
    MW_NEED(mw_traversal_run(t->t, key));
    MW_NEED(mw_traversal_claim(t->t, &t->claim));
    t->ran = true;
    return MW_OK;
}

uint64_t meshway_traversal_n_reached(const struct meshway_traversal *t)
{
    return t->claim.n_reached;
}

uint32_t meshway_traversal_n_levels(const struct meshway_traversal *t)
{
    return t->ran ? t->t->n_levels : 0;
}

uint64_t meshway_traversal_number(const struct meshway_traversal *t, uint64_t place)
{
    return t->ran ? mw_traversal_number(t->t, place) : MESHWAY_NO_VERTEX;
}

void meshway_traversal_numbers(const struct meshway_traversal *t, uint64_t *number)
{
    for (uint64_t p = 0; p < t->g->graph->n_places; p++)
        number[p] = meshway_traversal_number(t, p);
}

static const struct mw_value *value_of(const struct meshway_traversal *t, uint32_t which)
{
    const struct mw_algorithm *a = t->t->algorithm;
    return which < a->n_values ? &a->value[which] : NULL;
}

const char *meshway_traversal_value_name(const struct meshway_traversal *t,
                                         uint32_t which)
{
    const struct mw_value *v = value_of(t, which);
    return v != NULL ? v->name : NULL;
}

int meshway_traversal_value_is_real(const struct meshway_traversal *t, uint32_t which)
{
    const struct mw_value *v = value_of(t, which);
    return v != NULL && v->type == MW_VALUE_REAL;
}

uint64_t meshway_traversal_value(const struct meshway_traversal *t, uint32_t which,
                                 uint64_t place)
{
    return t->ran && value_of(t, which) != NULL ? mw_traversal_value(t->t, which, place)
                                                : MESHWAY_NO_VERTEX;
}

double meshway_traversal_real(const struct meshway_traversal *t, uint32_t which,
                              uint64_t place)
{
    return t->ran && value_of(t, which) != NULL
               ? (double)mw_traversal_real(t->t, which, place)
               : (double)NAN;
}

void meshway_traversal_values(const struct meshway_traversal *t, uint32_t which,
                              uint64_t *value)
{
    for (uint64_t p = 0; p < t->g->graph->n_places; p++)
        value[p] = meshway_traversal_value(t, which, p);
}

void meshway_traversal_reals(const struct meshway_traversal *t, uint32_t which,
                             double *value)
{
    for (uint64_t p = 0; p < t->g->graph->n_places; p++)
        value[p] = meshway_traversal_real(t, which, p);
}

uint32_t meshway_traversal_level(const struct meshway_traversal *t, uint64_t place)
{
    return t->ran ? mw_traversal_level(t->t, place) : MESHWAY_NO_LEVEL;
}

void meshway_traversal_levels(const struct meshway_traversal *t, uint32_t *level)
{
    for (uint64_t p = 0; p < t->g->graph->n_places; p++)
        level[p] = meshway_traversal_level(t, p);
}

int meshway_traversal_validate(struct meshway_traversal *t)
{
    struct meshway_graph *g = t->g;
    const struct mw_check *check = t->t->algorithm->check;
    const bool first = t->check == NULL;
    struct mw_verdict verdict;

    mw_error_clear();
    if (!t->ran)
        return mw_fail(MW_ERR_USAGE, "meshway_traversal_validate: there is no run yet");
    if (check == NULL)
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "meshway_traversal_validate: '%s' has no check",
                       t->t->algorithm->name);
    if (!g->w->keep_edges)
        return mw_fail(MW_ERR_USAGE,
                       "meshway_traversal_validate: the edges were not kept "
                       "(MESHWAY_KEEP_EDGES is 0)");
    if (first)
        MW_NEED(check->open(g->w->world, &g->edges, &t->check));
    MW_NEED(check->run(t->check, t->t, t->key, &verdict));
    if (first && check->confirm != NULL)
        MW_NEED(check->confirm(t->check, t->t, t->key, &verdict));
    if (verdict.n_reached != t->claim.n_reached || verdict.n_levels != t->claim.n_levels)
        return mw_fail(
            MW_ERR_INVALID,
            "validation failed: the run claims %" PRIu64 " vertices on %" PRIu32
            " levels, by the edges there are %" PRIu64 " on %" PRIu32,
            t->claim.n_reached, t->claim.n_levels, verdict.n_reached, verdict.n_levels);
    return MW_OK;
}
