/* vector.c -- see vector.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/vector.h"

#include "base/mem.h"
#include "layouts/explore/explore.h"
#include "layouts/ways/knot.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void mw_fact_tell(struct mw_vector_tally *t, enum mw_fact fact, const char *name,
                  const char *fmt, ...)
{
    static const char *const words[] = {"ok", "WRONG", "open"};
    va_list args;
    t->n++;
    t->n_wrong += fact == MW_FACT_WRONG;
    t->n_bounded += fact == MW_FACT_OPEN;
    if (fact == MW_FACT_RIGHT && t->quiet)
        return;
    fprintf(t->out, "%-5s %s: ", words[fact], name);
    va_start(args, fmt);
    vfprintf(t->out, fmt, args);
    va_end(args);
    fputc('\n', t->out);
}

void mw_vectors_fini(struct mw_vectors *v)
{
    for (uint32_t i = 0; i < v->n; i++) {
        struct mw_vector *x = &v->vector[i];
        mw_free(x->name);
        for (int m = 0; m < MW_N_MODELS; m++)
            mw_free(x->witness[m]);
        MW_FREE_ALL(x->exhaust, x->inflight);
        for (uint32_t p = 0; p < x->script.n_programs; p++)
            mw_free(x->script.program[p].instruction);
        mw_free(x->script.program);
        mw_layout_free(x->layout);
    }
    mw_free(v->vector);
    *v = (struct mw_vectors){0};
}

/* ---- the static verdicts --------------------------------------------------------------- */

/* Whether some flow causes a -> b; walks them all. */
static bool edge_exists(const struct mw_layout *l, enum mw_mesh_model m, mw_mesh_node a,
                        mw_mesh_node b, mw_core *path)
{
    mw_channel in[MW_FLOW_CORES_MAX];
    for (uint64_t f = 0; f < l->n_flows; f++) {
        const uint32_t n = mw_layout_flow_in(l, f, path, in);
        for (uint32_t i = m == MW_COUPLED ? 0 : 1; i + 1 < n; i++) {
            const mw_mesh_node from =
                m == MW_COUPLED ? path[i]
                                : mw_channel_node(l, m, path[i - 1], path[i], in[i - 1]);
            if (from == a && mw_channel_node(l, m, path[i], path[i + 1], in[i]) == b)
                return true;
        }
    }
    return false;
}

static int check_witness(const struct mw_vector *v, const struct mw_proof *p,
                         struct mw_vector_tally *t)
{
    const int m = (int)p->model;
    const uint32_t n = v->n_witness[m];
    bool all = true;
    mw_core *path;
    if (mw_layout_has_ways(v->layout)) {
        mw_fact_tell(t, mw_fact_of(n == p->n_cycle), v->name, "%s: knot of %u, given %u",
                     mw_mesh_model_names[m], p->n_cycle, n);
        return MW_OK;
    }
    MW_NEED_NEW(path, "flow", v->layout->longest);
    for (uint32_t i = 0; i < n; i++)
        all = all && edge_exists(v->layout, p->model, v->witness[m][i],
                                 v->witness[m][(i + 1) % n], path);
    mw_fact_tell(t, mw_fact_of(all && n == p->n_cycle), v->name,
                 "%s: shortest cycle %u, given %u%s", mw_mesh_model_names[m], p->n_cycle,
                 n, all ? "" : ", which has an edge too many");
    mw_free(path);
    return MW_OK;
}

static struct mw_explore_conf explore_conf(enum mw_mesh_model m, uint32_t depth,
                                           uint64_t limit)
{
    return (struct mw_explore_conf){.model = m, .fifo = {depth, depth}, .limit = limit};
}

/* A search that is too large to be begun ends like one that met its limit. */
static int explore(const struct mw_vector *v, const struct mw_explore_conf *conf,
                   struct mw_exploration *e)
{
    const int rc = mw_layout_explore(v->layout, conf, e);
    if (rc != MW_ERR_REFUSED)
        return rc;
    mw_error_clear();
    return MW_OK; /* *e says bounded */
}

/* At depth 1, with the flows that cause the cycle. */
static int check_realised(const struct mw_vector *v, const struct mw_proof *p,
                          uint64_t limit, struct mw_vector_tally *t)
{
    int rc = MW_OK;
    uint64_t *flow = NULL;
    struct mw_exploration e = {0};
    struct mw_explore_conf conf = explore_conf(p->model, 1, limit);
    MW_NEW(rc, flow, "witness flows", p->n_cycle);
    conf.n_flows = mw_witness_flows(p, flow);
    conf.flow = flow;
    MW_TRY(rc, explore(v, &conf, &e));
    if (e.verdict == MW_EXPLORED_DEADLOCK)
        mw_fact_tell(t, MW_FACT_RIGHT, v->name,
                     "%s: realised at depth 1: deadlock in %" PRIu64 " steps, %" PRIu64
                     " in flight",
                     mw_mesh_model_names[p->model], e.trace.n_steps, e.in_flight);
    else
        mw_fact_tell(t, e.verdict == MW_EXPLORED_FREE ? MW_FACT_WRONG : MW_FACT_OPEN,
                     v->name, "%s: not realised at depth 1: %s, %" PRIu64 " states",
                     mw_mesh_model_names[p->model], mw_explore_verdict_names[e.verdict],
                     e.n_states);
end:
    mw_exploration_fini(&e);
    mw_free(flow);
    return rc;
}

static int check_model(const struct mw_vector *v, enum mw_mesh_model m, uint64_t limit,
                       struct mw_vector_tally *t)
{
    struct mw_proof p = {0};
    int rc;
    MW_TRY(rc, mw_any_proof_make(v->layout, m, &p));
    mw_fact_tell(t, mw_fact_of(p.free == v->expect_free[m]), v->name,
                 "%s: %s, expected %s", mw_mesh_model_names[m],
                 p.free ? "free" : "deadlock", v->expect_free[m] ? "free" : "deadlock");
    if (!p.free && v->n_witness[m] > 0)
        MW_TRY(rc, check_witness(v, &p, t));
    if (!p.free)
        MW_TRY(rc, check_realised(v, &p, limit, t));
end:
    mw_proof_fini(&p);
    return rc;
}

static int check_script(const struct mw_vector *v, uint64_t limit,
                        struct mw_vector_tally *t)
{
    struct mw_script_result r;
    MW_NEED(mw_script_explore(&v->script, limit, 0, &r));
    mw_fact_tell(t,
                 r.bounded ? MW_FACT_OPEN : mw_fact_of(r.deadlock == v->expect_deadlock),
                 v->name, "%s, expected %s; %" PRIu64 " states%s%s",
                 r.bounded    ? "bounded"
                 : r.deadlock ? mw_hang_words[r.hang]
                              : "free",
                 v->expect_deadlock ? "deadlock" : "free", r.n_states,
                 r.deadlock ? ": " : "", r.story);
    return MW_OK;
}

int mw_vector_check(const struct mw_vector *v, uint64_t limit, struct mw_vector_tally *t)
{
    if (v->is_script)
        return check_script(v, limit, t);
    for (int m = 0; m < MW_N_MODELS; m++)
        MW_NEED(check_model(v, (enum mw_mesh_model)m, limit, t));
    if (v->has_single_writer) {
        struct mw_writers w;
        uint64_t n;
        MW_NEED(mw_layout_writers(v->layout, &w, 1, &n));
        mw_fact_tell(t, mw_fact_of((n == 0) == v->single_writer), v->name,
                     "single writer: %s, expected %s", n == 0 ? "yes" : "no",
                     v->single_writer ? "yes" : "no");
    }
    return MW_OK;
}

/* ---- the searches ------------------------------------------------------------------------ */

/* What becomes of at most so many in flight; of none at all there is nothing to search. */
static int play_with(const struct mw_vector *v, const struct mw_vector_case *c,
                     uint64_t inflight, uint64_t limit, enum mw_explore_verdict *out)
{
    struct mw_exploration e = {.verdict = MW_EXPLORED_FREE};
    struct mw_explore_conf conf = explore_conf(c->model, c->depth, limit);
    conf.inflight = inflight;
    const int rc = inflight == 0 ? MW_OK : explore(v, &conf, &e);
    *out = e.verdict;
    mw_exploration_fini(&e);
    return rc;
}

static int check_inflight(const struct mw_vector *v, const struct mw_vector_case *c,
                          uint64_t limit, struct mw_vector_tally *t)
{
    enum mw_explore_verdict below = MW_EXPLORED_BOUNDED, at = MW_EXPLORED_BOUNDED;
    MW_NEED(play_with(v, c, c->k - 1, limit, &below));
    MW_NEED(play_with(v, c, c->k, limit, &at));
    const bool wrong = below == MW_EXPLORED_DEADLOCK || at == MW_EXPLORED_FREE;
    const bool open = below == MW_EXPLORED_BOUNDED || at == MW_EXPLORED_BOUNDED;
    mw_fact_tell(t,
                 wrong  ? MW_FACT_WRONG
                 : open ? MW_FACT_OPEN
                        : MW_FACT_RIGHT,
                 v->name, "%s, depth %u: %u in flight %s, %u %s",
                 mw_mesh_model_names[c->model], c->depth, c->k - 1,
                 mw_explore_verdict_names[below], c->k, mw_explore_verdict_names[at]);
    return MW_OK;
}

static int check_exhaust(const struct mw_vector *v, const struct mw_vector_case *c,
                         uint64_t limit, struct mw_vector_tally *t)
{
    struct mw_exploration e = {0};
    const struct mw_explore_conf conf = explore_conf(c->model, c->depth, limit);
    const bool expect_free = v->expect_free[c->model];
    int rc;
    MW_TRY(rc, explore(v, &conf, &e));
    if (e.verdict == MW_EXPLORED_DEADLOCK)
        mw_fact_tell(t, mw_fact_of(!expect_free), v->name,
                     "%s, depth %u: deadlock in %" PRIu64 " steps, %" PRIu64 " in flight",
                     mw_mesh_model_names[c->model], c->depth, e.trace.n_steps,
                     e.in_flight);
    else
        mw_fact_tell(
            t, e.verdict == MW_EXPLORED_BOUNDED ? MW_FACT_OPEN : mw_fact_of(expect_free),
            v->name, "%s, depth %u: %s, %" PRIu64 " states",
            mw_mesh_model_names[c->model], c->depth, mw_explore_verdict_names[e.verdict],
            e.n_states);
    rc = MW_OK;
end:
    mw_exploration_fini(&e);
    return rc;
}

int mw_vector_explore(const struct mw_vector *v, uint64_t limit,
                      struct mw_vector_tally *t)
{
    if (v->is_script)
        return check_script(v, limit, t);
    for (uint32_t i = 0; i < v->n_exhaust; i++)
        MW_NEED(check_exhaust(v, &v->exhaust[i], limit, t));
    for (uint32_t i = 0; i < v->n_inflight; i++)
        MW_NEED(check_inflight(v, &v->inflight[i], limit, t));
    return MW_OK;
}

/* ---- the turn model ---------------------------------------------------------------------- */

/* Directions clockwise; north is row - 1. */
enum { NORTH, EAST, SOUTH, WEST, N_DIRECTIONS };
static const char letters[N_DIRECTIONS + 1] = "NESW";
static const int step_of[N_DIRECTIONS][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};

/* The neighbour of `at` in that direction, or MW_NO_CORE. */
static mw_core neighbour(uint32_t n, mw_core at, int out)
{
    const int row = at / (int)n + step_of[out][0], col = at % (int)n + step_of[out][1];
    return row < 0 || col < 0 || row >= (int)n || col >= (int)n
               ? MW_NO_CORE
               : (mw_core)(row * (int)n + col);
}

/* One flow per allowed pair of hops: then the links' graph is that of the turn relation. */
static int turn_layout(uint32_t n, const char *no_clockwise, const char *no_counter,
                       struct mw_layout **made)
{
    int rc = MW_OK;
    struct mw_layout *l = NULL;
    struct mw_diagnostics d = {0};
    MW_TRY(rc, mw_layout_new(n, n, &l));
    for (uint32_t a = 0; a < n * n; a++)
        for (int in = 0; in < N_DIRECTIONS; in++)
            for (int out = 0; out < N_DIRECTIONS; out++) {
                const char turn[3] = {letters[in], letters[out], '\0'};
                const mw_core b = neighbour(n, (mw_core)a, in);
                const mw_core c = b != MW_NO_CORE ? neighbour(n, b, out) : MW_NO_CORE;
                const mw_core flow[3] = {(mw_core)a, b, c};
                if (c == MW_NO_CORE || out == (in + 2) % N_DIRECTIONS ||
                    strcmp(turn, no_clockwise) == 0 || strcmp(turn, no_counter) == 0)
                    continue;
                MW_TRY(rc, mw_layout_add_flow(l, flow, 3, -1, 0));
            }
    MW_TRY(rc, mw_layout_expand(l, &d));
    *made = l;
    return MW_OK;
end:
    mw_layout_free(l);
    return rc;
}

static bool is_listed(const struct mw_turns *turns, const char *a, const char *b)
{
    for (uint32_t i = 0; i < turns->n_cyclic; i++)
        if (strcmp(turns->cyclic[i][0], a) == 0 && strcmp(turns->cyclic[i][1], b) == 0)
            return true;
    return false;
}

int mw_vector_turns(const struct mw_turns *turns, uint32_t n, struct mw_vector_tally *t)
{
    static const char *const clockwise[] = {"NE", "ES", "SW", "WN"};
    static const char *const counter[] = {"NW", "WS", "SE", "EN"};
    uint32_t n_free = 0;
    char name[48];
    snprintf(name, sizeof name, "turns-%ux%u", n, n);
    for (int i = 0; i < 16; i++) {
        const char *a = clockwise[i / 4], *b = counter[i % 4];
        struct mw_layout *l = NULL;
        struct mw_proof p = {0};
        int rc = turn_layout(n, a, b, &l);
        if (rc == MW_OK)
            rc = mw_proof_make(l, MW_LINK, &p);
        if (rc == MW_OK) {
            const bool cyclic = n > 2 && is_listed(turns, a, b);
            n_free += p.free;
            mw_fact_tell(t, mw_fact_of(p.free == !cyclic && (p.free || p.n_cycle == 8)),
                         name, "without %s and %s: %s", a, b,
                         p.free ? "free" : "a cycle of 8 links");
        }
        mw_proof_fini(&p);
        mw_layout_free(l);
        if (rc < MW_OK)
            return rc;
    }
    mw_fact_tell(t, mw_fact_of(n_free == (n > 2 ? turns->acyclic_count : 16)), name,
                 "%u of 16 choices are free", n_free);
    return MW_OK;
}
