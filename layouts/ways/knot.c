/* knot.c -- see knot.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/ways/knot.h"

#include "base/mem.h"
#include "mesh/proof/graph.h"

#include <string.h>

/* A message that a node can hold. */
struct hold {
    mw_mesh_node node;
    uint32_t stage, from; /* and the stage before it; coupled: itself */
};

struct prover {
    const struct mw_layout *l;
    const struct mw_stages *s;
    enum mw_mesh_model model;
    uint32_t n_nodes, n_holds;
    struct hold *hold; /* owned */
    uint32_t *rank;    /* owned; [n_nodes] */
    bool *in;          /* owned; [n_nodes]: the set in hand */
};

/* ---- what nodes hold ---------------------------------------------------------------------- */

static int list_holds(struct prover *p)
{
    const struct mw_stages *s = p->s;
    MW_NEED_NEW(p->hold, "messages of nodes", (uint64_t)s->n_targets + s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        if (p->model == MW_COUPLED)
            p->hold[p->n_holds++] = (struct hold){s->stage[i].core, i, i};
        const uint32_t first = s->stage[i].first_way, end = first + s->stage[i].n_ways;
        for (uint32_t t = first == end ? 0 : s->first_target[first];
             p->model != MW_COUPLED && first != end && t < s->first_target[end]; t++)
            p->hold[p->n_holds++] =
                (struct hold){mw_target_node(p->l, s, p->model, i, &s->target[t]),
                              s->target[t].stage, i};
    }
    return MW_OK;
}

/* ---- the greatest knot -------------------------------------------------------------------- */

/* Whether some way of the stage needs no node of the set (`all`: whether none does). */
static bool leads_out(const struct prover *p, uint32_t stage, const bool *in, bool all)
{
    const struct mw_stages *s = p->s;
    const struct mw_stage *at = &s->stage[stage];
    bool any = false, every = true;
    for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++) {
        bool out = true;
        for (uint32_t t = s->first_target[w]; t < s->first_target[w + 1]; t++)
            out &= !in[mw_target_node(p->l, s, p->model, stage, &s->target[t])];
        any |= out;
        every &= out;
    }
    return at->n_ways == 0 || (all ? every : any);
}

/* Takes nodes out of p->in, round by round; returns whether any is left. */
static bool shrink(struct prover *p, bool all, bool *stays)
{
    bool left = true, changed = true;
    for (uint32_t round = 0; changed && left; round++) {
        changed = left = false;
        memset(stays, 0, p->n_nodes * sizeof *stays);
        for (uint32_t i = 0; i < p->n_holds; i++)
            if (p->in[p->hold[i].node] && !stays[p->hold[i].node])
                stays[p->hold[i].node] = !leads_out(p, p->hold[i].stage, p->in, all);
        for (uint32_t n = 0; n < p->n_nodes; n++) {
            if (p->in[n] && !stays[n])
                p->rank[n] = round;
            changed |= p->in[n] != stays[n];
            left |= stays[n];
        }
        memcpy(p->in, stays, p->n_nodes * sizeof *stays);
    }
    return left;
}

static void take_all(struct prover *p)
{
    for (uint32_t n = 0; n < p->n_nodes; n++)
        p->in[n] = true;
}

/* A knot inside p->in of which no node can be left out. Each try costs a look at all messages; after
 * so many the knot is good as it is. */
enum { TRIES_MAX = 20000 };
static int reduce(struct prover *p, bool *stays)
{
    int rc = MW_OK;
    bool *kept = NULL;
    uint64_t work = 0;
    MW_NEW(rc, kept, "a knot", p->n_nodes);
    for (uint32_t n = p->n_nodes; n-- > 0 && work < TRIES_MAX;) {
        if (!p->in[n])
            continue;
        work += 1 + p->n_holds / 1024;
        memcpy(kept, p->in, p->n_nodes * sizeof *kept);
        p->in[n] = false;
        if (!shrink(p, false, stays))
            memcpy(p->in, kept, p->n_nodes * sizeof *kept);
    }
end:
    mw_free(kept);
    return rc;
}

/* ---- the messages of a knot ---------------------------------------------------------------- */

/* For each stage the number of a start that leads there, from 1, the nearest first. */
static int find_starts(const struct mw_stages *s, uint32_t **out)
{
    int rc = MW_OK;
    uint32_t *queue = NULL, n = 0;
    MW_NEW(rc, *out, "starts", s->n);
    MW_NEW(rc, queue, "starts", s->n);
    for (uint32_t i = 0; i < s->n_starts; i++) {
        (*out)[s->start[i]] = i + 1;
        queue[n++] = s->start[i];
    }
    for (uint32_t done = 0; done < n; done++) {
        const struct mw_stage *at = &s->stage[queue[done]];
        for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++)
            for (uint32_t t = s->first_target[w]; t < s->first_target[w + 1]; t++)
                if ((*out)[s->target[t].stage] == 0) {
                    (*out)[s->target[t].stage] = (*out)[queue[done]];
                    queue[n++] = s->target[t].stage;
                }
    }
end:
    mw_free(queue);
    return rc;
}

/* Of the FIFO; of a core, of the shallower one. */
static uint64_t depth_of(const struct prover *p, mw_mesh_node n)
{
    const uint32_t *fifo = p->l->fifo;
    return p->model == MW_COUPLED ? mw_min(fifo[MW_ROW], fifo[MW_COLUMN])
                                  : fifo[mw_fifo_class_of(p->l, p->model, n)];
}

/* Whether some way of the stage has the node among its targets. */
static bool needs(const struct prover *p, uint32_t stage, mw_mesh_node node)
{
    const struct mw_stage *at = &p->s->stage[stage];
    for (uint32_t i = p->s->first_target[at->first_way];
         i < p->s->first_target[at->first_way + at->n_ways]; i++)
        if (mw_target_node(p->l, p->s, p->model, stage, &p->s->target[i]) == node)
            return true;
    return false;
}

static int tell_knot(const struct prover *p, struct mw_knot *out)
{
    int rc = MW_OK;
    uint32_t *start = NULL;
    const uint32_t more = p->model == MW_COUPLED ? p->l->send + 1 : 0;
    for (uint32_t n = 0; n < p->n_nodes; n++)
        out->n_knot += p->in[n];
    MW_NEW(rc, out->node, "a knot", out->n_knot);
    MW_NEW(rc, out->stage, "a knot", out->n_knot);
    MW_NEW(rc, out->why, "a knot", out->n_knot);
    MW_TRY(rc, find_starts(p->s, &start));
    for (uint32_t n = 0, k = 0; n < p->n_nodes; n++) {
        uint32_t i = 0;
        if (!p->in[n])
            continue;
        while (p->hold[i].node != n || leads_out(p, p->hold[i].stage, p->in, false))
            i++;
        out->node[k] = n;
        out->stage[k] = p->hold[i].stage;
        out->why[k++].flow = p->s->source[start[p->hold[i].from] - 1];
        out->least += depth_of(p, n) + more;
    }
    for (uint32_t k = 0; k < out->n_knot; k++)
        while (!needs(p, out->stage[k], out->node[out->why[k].hop]))
            out->why[k].hop++;
end:
    mw_free(start);
    return rc;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static int count_edges(const struct prover *p, uint64_t *out)
{
    struct mw_mesh_graph g;
    MW_NEED(mw_mesh_graph_empty(p->l, p->model, &g));
    for (uint32_t i = 0; i < p->n_holds; i++) {
        const struct mw_stage *at = &p->s->stage[p->hold[i].stage];
        for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++)
            for (uint32_t t = p->s->first_target[w]; t < p->s->first_target[w + 1]; t++) {
                const struct mw_target *to = &p->s->target[t];
                const uint32_t slot =
                    mw_slot_in(&g, at->core, p->s->stage[to->stage].core, to->channel);
                g.out[(size_t)p->hold[i].node * g.n_words + slot / 64] |= UINT64_C(1)
                                                                          << slot % 64;
            }
    }
    *out = mw_mesh_graph_edges(&g);
    mw_mesh_graph_fini(&g);
    return MW_OK;
}

/* ---- Duato's condition ------------------------------------------------------------------------ */

struct duato {
    struct prover *p;
    struct mw_mesh_graph g;
    uint32_t *seen, *queue; /* owned; [stages] */
    mw_channel escape;
    bool indirect;
};

/* Edges from a node of the escape to what a message of it needs there next; with `indirect`, also
 * to what it needs there after any hops in other classes. */
static void add_dependencies(struct duato *d, const struct hold *h, uint32_t stamp)
{
    const struct mw_stages *s = d->p->s;
    uint32_t n = 0;
    d->queue[n++] = h->stage;
    d->seen[h->stage] = stamp;
    for (uint32_t done = 0; done < n; done++) {
        const struct mw_stage *at = &s->stage[d->queue[done]];
        const uint32_t end = s->first_target[at->first_way + at->n_ways];
        for (uint32_t i = s->first_target[at->first_way]; i < end; i++) {
            const struct mw_target *t = &s->target[i]; /* a broadcast needs each */
            if (t->channel == d->escape)
                d->p->in[mw_target_node(d->p->l, s, d->p->model, d->queue[done], t)] =
                    true;
            else if (d->indirect && d->seen[t->stage] != stamp) {
                d->seen[t->stage] = stamp;
                d->queue[n++] = t->stage;
            }
        }
    }
}

/* The same as a graph of nodes: Kahn's algorithm on lists would do as well, but there are few. */
static int is_acyclic(struct duato *d, bool *out)
{
    int rc = MW_OK;
    struct prover *p = d->p;
    uint32_t *degree = NULL, *edge = NULL, n_edges = 0, n_done = 0, n_used = 0;
    uint64_t room = 0;
    MW_NEW(rc, degree, "dependencies", p->n_nodes);
    memset(d->seen, 0, p->s->n * sizeof *d->seen);
    for (int pass = 0; pass < 2; pass++) { /* counts, then lists */
        if (pass == 1)
            MW_NEW(rc, edge, "dependencies", 2 * room);
        for (uint32_t i = 0; i < p->n_holds; i++) {
            const uint32_t stamp = (uint32_t)pass * p->n_holds + i + 1;
            if (mw_node_channel(p->l, p->model, p->hold[i].node) != d->escape)
                continue;
            memset(p->in, 0, p->n_nodes * sizeof *p->in);
            add_dependencies(d, &p->hold[i], stamp);
            for (uint32_t n = 0; n < p->n_nodes; n++) {
                room += pass == 0 && p->in[n];
                if (pass == 1 && p->in[n]) {
                    edge[2 * n_edges] = p->hold[i].node;
                    edge[2 * n_edges++ + 1] = n;
                    degree[p->hold[i].node]++;
                }
            }
        }
    }
    memset(p->in, 0, p->n_nodes * sizeof *p->in); /* done: all that it needs is done */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < p->n_nodes; n++) {
            if (p->in[n] || degree[n] > 0)
                continue;
            p->in[n] = changed = true;
            for (uint32_t e = 0; e < n_edges; e++)
                degree[edge[2 * e]] -= edge[2 * e + 1] == n;
        }
    }
    for (uint32_t n = 0; n < p->n_nodes; n++, n_used++)
        n_done += p->in[n];
    *out = n_done == n_used;
end:
    MW_FREE_ALL(degree, edge);
    return rc;
}

static int ask_duato(struct prover *p, struct mw_knot *out)
{
    int rc = MW_OK;
    struct duato d = {.p = p, .escape = p->l->adaptive.escape};
    out->escapes = out->connected = true;
    for (uint32_t i = 0; i < p->s->n; i++) {
        const struct mw_stage *at = &p->s->stage[i];
        bool escapes = at->n_ways == 0;
        for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++)
            escapes |= p->s->target[p->s->first_target[w]].channel == d.escape;
        out->connected &= escapes;
    }
    MW_NEW(rc, d.seen, "dependencies", p->s->n);
    MW_NEW(rc, d.queue, "dependencies", p->s->n);
    MW_TRY(rc, is_acyclic(&d, &out->direct));
    d.indirect = true;
    MW_TRY(rc, is_acyclic(&d, &out->indirect));
end:
    MW_FREE_ALL(d.seen, d.queue);
    return rc;
}

/* ---- the whole ---------------------------------------------------------------------------------- */

static int prove(struct prover *p, struct mw_knot *out)
{
    int rc = MW_OK;
    bool *stays = NULL;
    MW_NEW(rc, stays, "a knot", p->n_nodes);
    MW_TRY(rc, list_holds(p));
    MW_NEW(rc, out->used, "nodes", p->n_nodes);
    for (uint32_t i = 0; i < p->n_holds; i++)
        out->used[p->hold[i].node] = true;
    MW_TRY(rc, count_edges(p, &out->n_edges));
    if (p->l->adaptive.escapes && p->model != MW_COUPLED)
        MW_TRY(rc, ask_duato(p, out));
    take_all(p);
    out->plain = !shrink(p, true, stays);
    take_all(p);
    memset(p->rank, 0, p->n_nodes * sizeof *p->rank);
    out->free = !shrink(p, false, stays);
    if (out->free && !mw_knot_verify(p->l, p->s, p->model, p->rank))
        rc = mw_fail(MW_ERR_INTERNAL, "knots: the ranks are no certificate");
    else if (!out->free) {
        MW_TRY(rc, reduce(p, stays));
        MW_TRY(rc, tell_knot(p, out));
    }
end:
    mw_free(stays);
    return rc;
}

int mw_knot_make(const struct mw_layout *l, const struct mw_stages *s,
                 enum mw_mesh_model model, struct mw_knot *out)
{
    int rc = MW_OK;
    struct prover p = {
        .l = l, .s = s, .model = model, .n_nodes = mw_mesh_nodes(l, model)};
    *out = (struct mw_knot){.model = model, .n_nodes = p.n_nodes};
    MW_NEW(rc, p.rank, "ranks", p.n_nodes);
    MW_NEW(rc, p.in, "a knot", p.n_nodes);
    MW_TRY(rc, prove(&p, out));
    for (uint32_t n = 0; out->free && n < p.n_nodes; n++)
        out->max_rank = (uint32_t)mw_max(out->max_rank, p.rank[n]);
    out->rank = p.rank;
    p.rank = NULL;
end:
    MW_FREE_ALL(p.hold, p.rank, p.in);
    if (rc != MW_OK)
        mw_knot_fini(out);
    return rc;
}

void mw_knot_fini(struct mw_knot *k)
{
    MW_FREE_ALL(k->rank, k->used, k->node, k->stage, k->why);
    *k = (struct mw_knot){.model = k->model};
}

int mw_any_proof_make(const struct mw_layout *l, enum mw_mesh_model model,
                      struct mw_proof *out)
{
    int rc;
    struct mw_stages s;
    struct mw_knot k = {.model = model};
    if (!mw_layout_has_ways(l))
        return mw_proof_make(l, model, out);
    MW_TRY(rc, mw_stages_make(l, NULL, 0, &s));
    MW_TRY(rc, mw_knot_make(l, &s, model, &k));
    *out = (struct mw_proof){.model = model,
                             .free = k.free,
                             .n_edges = k.n_edges,
                             .n_nodes = k.n_nodes,
                             .rank = k.rank,
                             .max_rank = k.max_rank,
                             .n_cycle = k.n_knot,
                             .node = k.node,
                             .why = k.why,
                             .min_inflight = k.least};
    k.rank = k.node = NULL;
    k.why = NULL;
end:
    mw_knot_fini(&k);
    mw_stages_fini(&s);
    return rc;
}

/* Whether a node of that rank may hold the stage. */
static bool may_hold(const struct mw_layout *l, const struct mw_stages *s,
                     enum mw_mesh_model m, uint32_t stage, const uint32_t *rank,
                     uint32_t above)
{
    const struct mw_stage *at = &s->stage[stage];
    if (above == UINT32_MAX)
        return false; /* it has no rank */
    for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++) {
        bool below = true;
        for (uint32_t t = s->first_target[w]; t < s->first_target[w + 1]; t++)
            below &= rank[mw_target_node(l, s, m, stage, &s->target[t])] < above;
        if (below)
            return true;
    }
    return at->n_ways == 0;
}

bool mw_knot_verify(const struct mw_layout *l, const struct mw_stages *s,
                    enum mw_mesh_model m, const uint32_t *rank)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const struct mw_stage *at = &s->stage[i];
        if (m == MW_COUPLED && !may_hold(l, s, m, i, rank, rank[at->core]))
            return false;
        for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++)
            for (uint32_t t = s->first_target[w];
                 m != MW_COUPLED && t < s->first_target[w + 1]; t++)
                if (!may_hold(l, s, m, s->target[t].stage, rank,
                              rank[mw_target_node(l, s, m, i, &s->target[t])]))
                    return false;
    }
    return true;
}
