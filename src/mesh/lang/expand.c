/* expand.c -- roles and routes to flows: the next-hop rule, applied once to every
 * core that a message to some sink can stand on.
 *
 * Routing has no memory, so the flows to one sink form a tree that leads to it. A walk from
 * each source stops at the first core whose way is known already:
 *
 *      P 0,0 --> D 0,4 --.
 *      P 0,1 ------^     '--> D 3,4 --> K 3,6      length  4, 3, 2, 1
 *      P 3,0 --------------------^
 *
 * Hence sinks x cores steps in all. Invariant: next[sink][core] is set exactly for the cores
 * that some flow to that sink passes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/layout.h"

#include "base/mem.h"
#include "mesh/lang/rule.h"

#include <assert.h>
#include <string.h>

enum { UNKNOWN = 0, ON_PATH = 0xFFFF, BAD = 0xFFFE }; /* lengths that are none */

static const struct mw_spot no_spot = {0, 0};

/* A message that does not reach its sink. One per route line is reported, not all. */
struct stray {
    bool found;
    mw_core source, sink, at; /* at: where it stops, or is for the second time */
    struct mw_spot spot;      /* the line to blame */
};

struct expansion {
    struct mw_layout *l;
    struct mw_diagnostics *d;
    struct mw_rule rule;

    /* Of the sink in hand. */
    mw_channel *channel;                /* into l->next_channel, or NULL */
    uint16_t length[MW_MESH_CORES_MAX]; /* cores from here to the sink */
    mw_core path[MW_MESH_CORES_MAX];

    bool used[MW_MESH_CORES_MAX];
    struct stray stray[MW_N_LETTERS + 1][2];          /* [role it strays at][in a loop] */
    uint64_t no_column[MW_N_LETTERS][MW_CLAUSES_MAX]; /* bit row: said */
};

/* ---- what can go wrong --------------------------------------------------------------- */

/* The route line of a core's role; line 0 if there is none. */
static struct mw_spot route_of(const struct expansion *x, mw_core v)
{
    const char role = x->l->role[v];
    if (role == '.')
        return (struct mw_spot){0, 0};
    return (struct mw_spot){x->l->route[role - 'A'].line, x->l->route[role - 'A'].column};
}

/* That of the last core of the path that has one. */
static struct mw_spot last_route(const struct expansion *x, uint32_t n_path)
{
    for (uint32_t i = n_path; i-- > 0;)
        if (route_of(x, x->path[i]).line > 0)
            return route_of(x, x->path[i]);
    return x->l->roles_at[mw_rule_row(&x->rule, x->path[0])];
}

static void say_no_column(struct expansion *x, mw_core v, const struct mw_clause *k)
{
    const uint32_t r = mw_rule_row(&x->rule, v);
    const struct mw_route *route = &x->l->route[x->l->role[v] - 'A'];
    uint64_t *said = &x->no_column[x->l->role[v] - 'A'][k - route->clause];
    if ((*said >> r & 1) == 0)
        mw_diagnose(x->d, false, k->line, k->column, "role %c has no column in row %u",
                    mw_rule_letter(&x->rule, k), r);
    *said |= UINT64_C(1) << r;
}

/* The path's last core leads nowhere, or back to `again`. Kept is the first pair of each
 * letter in the order of the flows, which is not the order of the walks. */
static void blame(struct expansion *x, uint32_t n_path, mw_core sink, mw_core again)
{
    const bool loop = again != MW_NO_CORE;
    const mw_core at = loop ? again : x->path[n_path - 1];
    const char role = x->l->role[at];
    struct stray *s = &x->stray[role == '.' ? MW_N_LETTERS : role - 'A'][loop];
    if (!s->found || mw_flow_order(x->l, x->path[0]) < mw_flow_order(x->l, s->source))
        *s = (struct stray){true, x->path[0], sink, at,
                            loop ? route_of(x, at) : last_route(x, n_path)};
}

/* What lets the message go on from where it stops. */
static const char *advise(const struct expansion *x, const struct stray *s, char *out,
                          size_t room)
{
    const char at = x->l->role[s->at], sink = x->l->role[s->sink];
    const bool row = mw_rule_row(&x->rule, s->at) == mw_rule_row(&x->rule, s->sink);
    if (at == '.')
        snprintf(out, room, ", a core without a role");
    else if (x->l->route[at - 'A'].line == 0)
        snprintf(out, room, "; role %c has no route: write 'route %c: %sthen %c'", at, at,
                 x->rule.rows > 1 ? "col-to-row, " : "", sink);
    else if (row)
        snprintf(out, room, "; no clause of route %c applies there, 'then %c' would", at,
                 sink);
    else
        snprintf(out, room, "; no clause of route %c applies there, 'col-to-row' would",
                 at);
    return out;
}

static void say_stray(struct expansion *x, const struct stray *s, bool loop)
{
    const struct mw_layout *l = x->l;
    char name[3][MW_NODE_NAME], advice[96];
    mw_core_name(l, s->source, name[0]);
    mw_core_name(l, s->sink, name[1]);
    mw_core_name(l, s->at, name[2]);
    if (loop)
        mw_diagnose(x->d, false, s->spot.line, s->spot.column,
                    "routing loop: %c %s -> %c %s returns to %s", l->role[s->source],
                    name[0], l->role[s->sink], name[1], name[2]);
    else
        mw_diagnose(x->d, false, s->spot.line, s->spot.column,
                    "unroutable: %c %s -> %c %s stops at %c %s%s", l->role[s->source],
                    name[0], l->role[s->sink], name[1], l->role[s->at], name[2],
                    advise(x, s, advice, sizeof advice));
}

static void say_strays(struct expansion *x)
{
    for (uint32_t i = 0; i <= MW_N_LETTERS; i++)
        for (int loop = 0; loop < 2; loop++)
            if (x->stray[i][loop].found)
                say_stray(x, &x->stray[i][loop], loop == 1);
}

static void say_stop(struct expansion *x, uint32_t n_path, mw_core sink)
{
    const mw_core v = x->path[n_path - 1];
    const struct mw_clause *k = mw_rule_clause(&x->rule, v);
    if (k != NULL)
        say_no_column(x, v, k);
    else
        blame(x, n_path, sink, MW_NO_CORE);
}

/* ---- walks --------------------------------------------------------------------------- */

/* From a core to the sink, or to the first core whose length is known. */
static void walk(struct expansion *x, mw_core *next, mw_core from, mw_core sink)
{
    uint32_t n = 0;
    mw_core v = from;
    while (x->length[v] == UNKNOWN) {
        x->length[v] = ON_PATH;
        x->used[v] = true;
        x->path[n++] = v;
        next[v] = mw_rule_next(&x->rule, v);
        if (next[v] == MW_NO_CORE) {
            say_stop(x, n, sink);
            break;
        }
        if (x->channel != NULL)
            x->channel[v] = mw_rule_channel(&x->rule, v);
        v = next[v];
    }
    if (x->length[v] == ON_PATH && next[v] != MW_NO_CORE)
        blame(x, n, sink, v);
    uint32_t length = x->length[v] == ON_PATH ? BAD : x->length[v];
    while (n-- > 0)
        x->length[x->path[n]] = (uint16_t)(length == BAD ? BAD : ++length);
}

static void walk_to(struct expansion *x, uint32_t sink_number)
{
    struct mw_layout *l = x->l;
    const mw_core sink = l->sink[sink_number];
    mw_core *next = l->next + (size_t)sink_number * mw_mesh_cores(l);
    memset(next, 0xFF, mw_mesh_cores(l) * sizeof *next);
    memset(x->length, 0, mw_mesh_cores(l) * sizeof *x->length);
    if (l->next_channel != NULL)
        x->channel = l->next_channel + (size_t)sink_number * mw_mesh_cores(l);
    mw_rule_aim(&x->rule, sink);
    next[sink] = sink;
    x->length[sink] = 1;
    x->used[sink] = true;
    for (uint32_t s = 0; s < l->n_sources; s++)
        if (l->source[s] != sink) {
            walk(x, next, l->source[s], sink);
            const uint32_t length = x->length[l->source[s]];
            if (length != BAD && length > l->longest)
                l->longest = length;
        }
}

/* ---- routed flows -------------------------------------------------------------------- */

/* The first route there is, or NULL. */
static const struct mw_route *any_route(const struct mw_layout *l)
{
    for (uint32_t i = 0; i < MW_N_LETTERS; i++)
        if (l->route[i].n_clauses > 0)
            return &l->route[i];
    return NULL;
}

static uint32_t count_role(const struct mw_layout *l, uint32_t letters)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        n += mw_role_in(l->role[v], letters);
    return n;
}

/* Whether some clause leaves channel 0. */
static bool changes_channel(const struct mw_layout *l)
{
    bool any = false;
    for (uint32_t i = 0; i < MW_N_LETTERS; i++)
        for (uint32_t k = 0; k < l->route[i].n_clauses; k++)
            any |=
                l->route[i].clause[k].channel[0] + l->route[i].clause[k].channel[1] > 0;
    return any;
}

/* In the order of the mesh that the statements describe. */
static int list_ends(struct mw_layout *l, const struct mw_rule *rule)
{
    uint32_t n_sources = 0, n_sinks = 0;
    MW_NEED_NEW(l->source, "sources", l->n_sources);
    MW_NEED_NEW(l->sink, "sinks", l->n_sinks);
    MW_NEED_NEW(l->source_first, "flow numbers", (uint64_t)l->n_sources + 1);
    MW_NEED_NEW(l->next, "next hops", (uint64_t)l->n_sinks * mw_mesh_cores(l));
    if (changes_channel(l))
        MW_NEED_NEW(l->next_channel, "classes of hops",
                    (uint64_t)l->n_sinks * mw_mesh_cores(l));
    for (uint32_t i = 0; i < mw_mesh_cores(l); i++) {
        const mw_core v = mw_rule_core(rule, i / rule->cols, i % rule->cols);
        const bool sink = mw_role_in(l->role[v], l->sinks);
        if (mw_role_in(l->role[v], l->sources)) {
            l->source[n_sources++] = v;
            l->source_first[n_sources] =
                l->source_first[n_sources - 1] + l->n_sinks - sink;
        }
        if (sink)
            l->sink[n_sinks++] = v;
    }
    l->n_routed = l->source_first[n_sources];
    return MW_OK;
}

static int route(struct expansion *x)
{
    MW_NEED(list_ends(x->l, &x->rule));
    for (uint32_t i = 0; i < x->l->n_sinks; i++)
        walk_to(x, i);
    say_strays(x);
    return MW_OK;
}

/* The ends of adaptive routes, and no flows. */
static int list_adaptive(struct expansion *x)
{
    struct mw_layout *l = x->l;
    MW_NEED(list_ends(l, &x->rule));
    if (l->n_routed == 0)
        mw_diagnose(x->d, false, 1, 1, "no flows: the only source is the only sink");
    l->n_routed = 0;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        x->used[v] = true; /* any of them may be on a way */
    return MW_OK;
}

/* ---- listed flows -------------------------------------------------------------------- */

static void measure_listed(struct expansion *x)
{
    struct mw_layout *l = x->l;
    for (uint64_t i = 0; i < l->n_listed; i++) {
        const uint64_t length = l->listed_first[i + 1] - l->listed_first[i];
        l->longest = (uint32_t)mw_max(l->longest, length);
    }
    for (uint64_t i = 0; i < l->listed_first[l->n_listed]; i++)
        x->used[l->listed_core[i]] = true;
}

static void say_writers(struct expansion *x, const struct mw_writers *w)
{
    char list[MW_WRITERS_SHOWN * MW_NODE_NAME + 8] = "", name[MW_NODE_NAME];
    size_t used = 0;
    for (uint32_t i = 0; i < w->n && i < MW_WRITERS_SHOWN; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, " %s",
                                 mw_core_name(x->l, w->core[i], name));
    mw_diagnose(x->d, true, x->l->listed_line[w->second], 1,
                "bucket %lld has %u writers:%s%s", (long long)w->bucket, w->n, list,
                w->n > MW_WRITERS_SHOWN ? " ..." : "");
}

static int check_writers(struct expansion *x)
{
    int rc = MW_OK;
    struct mw_writers *w = NULL;
    uint64_t n;
    MW_TRY(rc, mw_layout_writers(x->l, NULL, 0, &n));
    MW_NEW(rc, w, "bucket writers", n);
    if (n > 0)
        MW_TRY(rc, mw_layout_writers(x->l, w, (uint32_t)n, &n));
    for (uint64_t i = 0; i < n; i++)
        say_writers(x, &w[i]);
end:
    mw_free(w);
    return rc;
}

/* ---- the whole ----------------------------------------------------------------------- */

static const char *letters_text(uint32_t letters, char out[MW_N_LETTERS + 1])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < MW_N_LETTERS; i++)
        if ((letters >> i & 1) != 0)
            out[n++] = (char)('A' + i);
    out[n] = '\0';
    return out;
}

/* Without roles there is no core of any role. */
static void require_core(struct expansion *x, const char *what, uint32_t letters,
                         const struct mw_spot *at)
{
    char text[MW_N_LETTERS + 1];
    if (at->line == 0)
        at = &x->l->roles_at[0];
    if (count_role(x->l, letters) == 0)
        mw_diagnose(x->d, false, at->line, at->column, "no %s: no core has role %s", what,
                    letters_text(letters, text));
}

/* Buckets belong to sinks: no message ends anywhere else. */
static void check_owner(struct expansion *x)
{
    const struct mw_layout *l = x->l;
    if (l->bucket_owner == 0)
        return;
    const uint32_t letter = UINT32_C(1) << (l->bucket_owner - 'A');
    require_core(x, "bucket owner", letter, &l->owner_at);
    if (count_role(l, letter) > 0 && (l->sinks & letter) == 0)
        mw_diagnose(x->d, false, l->owner_at.line, l->owner_at.column,
                    "owner=%c is no sink", l->bucket_owner);
}

/* Are there cores for all that the statements speak of? */
static void check_ends(struct expansion *x, bool routed)
{
    struct mw_layout *l = x->l;
    const struct mw_route *route = any_route(l);
    const struct mw_adaptive *a = &l->adaptive;
    if (a->model != 0 && (route != NULL || !l->has_roles))
        mw_diagnose(x->d, false, a->at.line, a->at.column, "adaptive routes %s",
                    route != NULL ? "and route lines exclude each other"
                                  : "need roles: who sends, and to whom");
    if (!routed && route != NULL)
        mw_diagnose(x->d, false, route->line, route->column, "a route, but no roles");
    else if (!routed && l->n_listed == 0 && !mw_layout_has_ways(l))
        mw_diagnose(x->d, false, 1, 1,
                    "no flows: expected flow lines, or roles with route lines%s",
                    l->has_roles ? ", such as 'route P: then K'" : "");
    routed |= a->model != 0;
    if (l->has_roles ? routed : l->sources_at.line != 0)
        require_core(x, "source", l->sources, &l->sources_at);
    if (l->has_roles || l->sinks_at.line != 0)
        require_core(x, "sink", l->sinks, &l->sinks_at);
    check_owner(x);
    l->n_sources = routed ? count_role(l, l->sources) : 0;
    l->n_sinks = routed ? count_role(l, l->sinks) : 0;
}

static void warn_unused(struct expansion *x)
{
    const struct mw_layout *l = x->l;
    const uint32_t ends = l->sources | l->sinks;
    char name[MW_NODE_NAME];
    for (uint32_t r = 0; r < x->rule.rows; r++)
        for (uint32_t c = 0; c < x->rule.cols; c++) {
            const mw_core v = mw_rule_core(&x->rule, r, c);
            if (l->role[v] != '.' && !mw_role_in(l->role[v], ends) && !x->used[v])
                mw_diagnose(x->d, true, l->roles_at[r].line, l->roles_at[r].column,
                            "router %s is used by no flow", mw_core_name(l, v, name));
        }
}

/* Statements about roles that no core has do nothing. */
static void warn_ignored(struct expansion *x)
{
    const struct mw_layout *l = x->l;
    for (uint32_t i = 0; i < MW_N_LETTERS; i++) {
        const uint32_t letter = UINT32_C(1) << i;
        const struct mw_spot route = {l->route[i].line, l->route[i].column};
        const struct {
            const char *what;
            struct mw_spot at;
        } said[] = {{"cost", l->cost_at[i]},
                    {"route", route},
                    {"source", (l->sources & letter) != 0 ? l->sources_at : no_spot},
                    {"sink", (l->sinks & letter) != 0 ? l->sinks_at : no_spot}};
        if (count_role(l, letter) > 0)
            continue;
        for (size_t k = 0; k < sizeof said / sizeof *said; k++)
            if (said[k].at.line > 0)
                mw_diagnose(x->d, true, said[k].at.line, said[k].at.column,
                            "%s %c has no effect: no core has role %c", said[k].what,
                            (char)('A' + i), (char)('A' + i));
    }
}

static int expand(struct expansion *x)
{
    int rc = MW_OK;
    struct mw_layout *l = x->l;
    const bool routed = l->has_roles && any_route(l) != NULL;
    const uint32_t before = x->d->n_errors;
    mw_core *owner = NULL;
    check_ends(x, routed);
    mw_rule_init(&x->rule, l);
    if (x->d->n_errors == before && routed)
        MW_TRY(rc, route(x));
    if (x->d->n_errors == before && l->adaptive.model != 0)
        MW_TRY(rc, list_adaptive(x));
    if (x->d->n_errors == before && l->n_routed + l->n_listed == 0 &&
        !mw_layout_has_ways(l))
        mw_diagnose(x->d, false, 1, 1, "no flows: the only source is the only sink");
    if (x->d->n_errors != before)
        return mw_fail(MW_ERR_DATA, "the layout has errors");
    measure_listed(x);
    if (mw_layout_has_ways(l))
        l->longest = (uint32_t)mw_max(l->longest, l->rows + l->cols);
    MW_TRY(rc, check_writers(x));
    warn_unused(x);
    warn_ignored(x);
    l->n_flows = l->n_routed + l->n_listed;
    MW_NEW(rc, owner, "bucket owners", mw_mesh_cores(l));
    if (l->n_buckets == 0)
        l->n_buckets = mw_layout_owners(l, owner);
end:
    mw_free(owner);
    return rc;
}

int mw_layout_expand(struct mw_layout *l, struct mw_diagnostics *d)
{
    int rc = MW_OK;
    struct expansion *x = NULL;
    assert(l->longest == 0); /* once */
    MW_NEW(rc, x, "expansion", 1);
    x->l = l;
    x->d = d;
    rc = expand(x);
end:
    mw_free(x);
    return rc;
}
