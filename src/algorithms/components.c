/* components.c -- see components.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/components.h"

#include <string.h>

struct pair {
    mw_vid to, value; /* an edge; or a message: `value` for the owner of `to` */
};

struct contraction {
    const struct mw_graph *g;
    mw_vid *parent;    /* [n_places]; of a root: itself; of those left out: nobody */
    mw_vid *choice;    /* [n_places] a root's smallest neighbour, or nobody */
    struct pair *edge; /* [n_edges] between roots, each edge on one rank */
    uint64_t n_edges;
};

/* --- messages to owners ---------------------------------------------------------------- */

/* Where each owner's stretch begins, in items. `start` has one more. */
static void count_owners(const struct mw_graph *g, const void *items, size_t stride,
                         uint64_t n, uint64_t *start)
{
    memset(start, 0, (g->comm->size + 1) * sizeof *start);
    for (uint64_t i = 0; i < n; i++) {
        mw_vid v;
        memcpy(&v, (const char *)items + i * stride, sizeof v);
        start[mw_owner_of(g, v) + 1]++;
    }
    for (uint32_t r = 0; r < g->comm->size; r++)
        start[r + 1] += start[r];
}

struct routes {
    uint64_t *start, *at;    /* [size + 1] items by owner; [size] next of each */
    uint64_t *bytes, *n_got; /* [size] sent, received */
    void *sorted, *got;
};

static void routes_fini(struct routes *r)
{
    mw_free(r->start);
    mw_free(r->at);
    mw_free(r->bytes);
    mw_free(r->n_got);
    mw_free(r->sorted);
    mw_free(r->got);
}

/* Collective: items, which begin with a vertex, go to its owner. *n_items: those received. */
static int send(const struct mw_graph *g, const void *items, size_t stride, uint64_t n,
                struct routes *r, uint64_t *n_items)
{
    int rc = MW_OK;
    const uint32_t size = g->comm->size;
    memset(r, 0, sizeof *r);
    MW_NEW(rc, r->start, "starts by owner", size + 1);
    MW_NEW(rc, r->at, "places by owner", size);
    MW_NEW(rc, r->bytes, "bytes by owner", size);
    MW_NEW(rc, r->n_got, "bytes by sender", size);
    r->sorted = mw_alloc("items by owner", n, stride);
    rc = r->sorted == NULL ? MW_ERR_NOMEM : MW_OK;
end:
    rc = mw_comm_agree(g->comm, rc);
    if (rc != MW_OK)
        return rc;
    count_owners(g, items, stride, n, r->start);
    for (uint32_t i = 0; i < size; i++) {
        r->at[i] = r->start[i];
        r->bytes[i] = (r->start[i + 1] - r->start[i]) * stride;
    }
    for (uint64_t i = 0; i < n; i++) {
        const char *item = (const char *)items + i * stride;
        mw_vid v;
        memcpy(&v, item, sizeof v);
        memcpy((char *)r->sorted + r->at[mw_owner_of(g, v)]++ * stride, item, stride);
    }
    rc = mw_comm_exchange(g->comm, r->sorted, r->bytes, &r->got, r->n_got);
    *n_items = 0;
    for (uint32_t i = 0; rc == MW_OK && i < size; i++)
        *n_items += r->n_got[i] / stride;
    return rc;
}

/* Collective: vertex[i] becomes table[] of it, at its owner. */
static int ask(const struct mw_graph *g, const mw_vid *table, mw_vid *vertex, uint64_t n)
{
    uint64_t n_asked;
    struct routes r;
    void *back = NULL;
    int rc = send(g, vertex, sizeof *vertex, n, &r, &n_asked);
    if (rc == MW_OK) {
        mw_vid *asked = r.got;
        for (uint64_t i = 0; i < n_asked; i++)
            asked[i] = table[mw_place_of(g, asked[i])];
        rc = mw_comm_exchange(g->comm, asked, r.n_got, &back, r.bytes);
    }
    if (rc == MW_OK) {
        const mw_vid *answer = back;
        memcpy(r.at, r.start, g->comm->size * sizeof *r.at);
        for (uint64_t i = 0; i < n; i++)
            vertex[i] = answer[r.at[mw_owner_of(g, vertex[i])]++];
    }
    mw_free(back);
    routes_fini(&r);
    return rc;
}

/* --- the rounds -------------------------------------------------------------------------- */

static bool is_set(const uint64_t *bits, uint64_t i)
{
    return bits != NULL && (bits[i / 64] >> i % 64 & 1) != 0;
}

static mw_vid own(const struct mw_graph *g, uint64_t place)
{
    return mw_vertex_at(g, g->comm->rank, place);
}

/* Each edge once, at the owner of its smaller end. */
static int take_edges(struct contraction *c, const uint64_t *left_out)
{
    int rc = MW_OK;
    const struct mw_graph *g = c->g;
    for (int pass = 0; pass < 2; pass++) {
        uint64_t n = 0;
        for (uint64_t l = 0; l < g->n_labels; l++) {
            const mw_vid v = own(g, g->place_of[l]);
            if (is_set(left_out, g->place_of[l]))
                continue;
            for (uint64_t i = g->row[l]; i < g->row[l + 1]; i++) {
                const mw_vid u =
                    mw_number(g->name, mw_number(g->column, i, g->wide), g->wide);
                if (u < v)
                    continue;
                if (pass == 1)
                    c->edge[n] = (struct pair){v, u};
                n++;
            }
        }
        if (pass == 0)
            MW_NEW(rc, c->edge, "edges to contract", n);
        c->n_edges = n;
    }
end:
    return rc;
}

/* Both ends tell each other; the owner keeps the smallest. */
static int choose(struct contraction *c)
{
    const struct mw_graph *g = c->g;
    int rc = MW_OK;
    for (uint64_t p = 0; p < g->n_places; p++)
        c->choice[p] = MW_NO_VERTEX;
    for (int way = 0; way < 2 && rc == MW_OK; way++) {
        uint64_t n;
        struct routes r;
        rc = send(g, c->edge, sizeof *c->edge, c->n_edges, &r, &n);
        for (uint64_t i = 0; rc == MW_OK && i < n; i++) {
            const struct pair *m = (const struct pair *)r.got + i;
            mw_vid *choice = &c->choice[mw_place_of(g, m->to)];
            *choice = mw_min(*choice, m->value);
        }
        routes_fini(&r);
        for (uint64_t i = 0; i < c->n_edges; i++)
            c->edge[i] = (struct pair){c->edge[i].value, c->edge[i].to};
    }
    return rc;
}

/* Takes each choice as the parent. Choices by the smallest neighbour run in a circle only where
 * two have chosen each other: the smaller of them stays a root. */
static int hook(struct contraction *c)
{
    const struct mw_graph *g = c->g;
    int rc = MW_OK;
    uint64_t n = 0;
    mw_vid *chosen = NULL;
    MW_NEW(rc, chosen, "choices of choices", g->n_places);
end:
    rc = mw_comm_agree(g->comm, rc);
    for (uint64_t p = 0; rc == MW_OK && p < g->n_places; p++)
        if (c->choice[p] != MW_NO_VERTEX)
            chosen[n++] = c->choice[p];
    if (rc == MW_OK)
        rc = ask(g, c->choice, chosen, n);
    n = 0;
    for (uint64_t p = 0; rc == MW_OK && p < g->n_places; p++)
        if (c->choice[p] != MW_NO_VERTEX) {
            const mw_vid v = own(g, p);
            const bool mutual = chosen[n++] == v;
            if (!mutual || c->choice[p] < v)
                c->parent[p] = c->choice[p];
        }
    mw_free(chosen);
    return rc;
}

/* Every parent becomes its root: the ways there are halved until nothing changes. */
static int collapse(struct contraction *c)
{
    const struct mw_graph *g = c->g;
    int rc = MW_OK;
    mw_vid *up = NULL;
    uint64_t changed = 1;
    MW_NEW(rc, up, "parents of parents", g->n_places);
end:
    rc = mw_comm_agree(g->comm, rc);
    while (rc == MW_OK && changed > 0) {
        uint64_t n = 0;
        for (uint64_t p = 0; p < g->n_places; p++)
            if (c->parent[p] != MW_NO_VERTEX && c->parent[p] != own(g, p))
                up[n++] = c->parent[p];
        rc = ask(g, c->parent, up, n);
        n = changed = 0;
        for (uint64_t p = 0; rc == MW_OK && p < g->n_places; p++)
            if (c->parent[p] != MW_NO_VERTEX && c->parent[p] != own(g, p)) {
                changed += c->parent[p] != up[n];
                c->parent[p] = up[n++];
            }
        if (rc == MW_OK)
            rc = mw_comm_sum(g->comm, &changed, 1);
    }
    mw_free(up);
    return rc;
}

/* Edges join the roots of their ends; those that join nothing any more are dropped. */
static int rename_edges(struct contraction *c)
{
    int rc = MW_OK;
    uint64_t n = 0;
    mw_vid *end[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++)
        MW_NEW(rc, end[k], "ends of edges", c->n_edges);
end:
    rc = mw_comm_agree(c->g->comm, rc);
    for (uint64_t i = 0; rc == MW_OK && i < c->n_edges; i++) {
        end[0][i] = c->edge[i].to;
        end[1][i] = c->edge[i].value;
    }
    for (int k = 0; k < 2 && rc == MW_OK; k++)
        rc = ask(c->g, c->parent, end[k], c->n_edges);
    for (uint64_t i = 0; rc == MW_OK && i < c->n_edges; i++)
        if (end[0][i] != end[1][i])
            c->edge[n++] = (struct pair){end[0][i], end[1][i]};
    c->n_edges = n;
    mw_free(end[0]);
    mw_free(end[1]);
    return rc;
}

/* --- how many, how large -------------------------------------------------------------------- */

/* Roots count their vertices, in choice[]. */
static int count_vertices(struct contraction *c)
{
    const struct mw_graph *g = c->g;
    int rc = MW_OK;
    uint64_t n = 0, n_got;
    struct routes r = {0};
    mw_vid *root = NULL;
    MW_NEW(rc, root, "roots of vertices", g->n_places);
    for (uint64_t p = 0; p < g->n_places; p++) {
        c->choice[p] = 0;
        if (c->parent[p] != MW_NO_VERTEX)
            root[n++] = c->parent[p];
    }
end:
    rc = mw_comm_agree(g->comm, rc);
    if (rc == MW_OK)
        rc = send(g, root, sizeof *root, n, &r, &n_got);
    for (uint64_t i = 0; rc == MW_OK && i < n_got; i++)
        c->choice[mw_place_of(g, ((const mw_vid *)r.got)[i])]++;
    routes_fini(&r);
    mw_free(root);
    return rc;
}

static int sum_up(struct contraction *c, struct mw_components *out)
{
    const struct mw_graph *g = c->g;
    int rc;
    MW_TRY(rc, count_vertices(c));
    for (uint64_t p = 0; p < g->n_places; p++) {
        out->n += c->choice[p] > 0;
        out->n_largest = mw_max(out->n_largest, c->choice[p]);
    }
    MW_TRY(rc, mw_comm_sum(g->comm, &out->n, 1));
    MW_TRY(rc, mw_comm_max(g->comm, &out->n_largest, 1));
    out->largest = MW_NO_VERTEX;
    for (uint64_t p = g->n_places; out->n_largest > 0 && p-- > 0;)
        if (c->choice[p] == out->n_largest)
            out->largest = own(g, p);
    MW_TRY(rc, mw_comm_min(g->comm, &out->largest, 1));
end:
    return rc;
}

static int start(struct contraction *c, const uint64_t *left_out)
{
    int rc = MW_OK;
    const struct mw_graph *g = c->g;
    MW_NEW(rc, c->parent, "parents in components", g->n_places);
    MW_NEW(rc, c->choice, "choices of neighbours", g->n_places);
    for (uint64_t p = 0; p < g->n_places; p++)
        c->parent[p] =
            !is_set(g->connected, p) || is_set(left_out, p) ? MW_NO_VERTEX : own(g, p);
    MW_TRY(rc, take_edges(c, left_out));
end:
    return mw_comm_agree(g->comm, rc);
}

int mw_components_find(const struct mw_graph *g, const uint64_t *left_out,
                       struct mw_components *out)
{
    struct contraction c = {.g = g};
    memset(out, 0, sizeof *out);
    int rc = start(&c, left_out);
    for (uint64_t left = 1; rc == MW_OK; out->n_rounds++) {
        left = c.n_edges;
        MW_TRY(rc, mw_comm_sum(g->comm, &left, 1));
        if (left == 0)
            break;
        MW_TRY(rc, choose(&c));
        MW_TRY(rc, hook(&c));
        MW_TRY(rc, collapse(&c));
        MW_TRY(rc, rename_edges(&c));
    }
    if (rc == MW_OK)
        rc = sum_up(&c, out);
end:
    mw_free(c.parent);
    mw_free(c.choice);
    mw_free(c.edge);
    return rc;
}
