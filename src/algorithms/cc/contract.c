/* contract.c -- see contract.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/contract.h"

#include "graph/graph.h"
#include "mpe/mail.h"

#include <string.h>

struct pair {
    mw_vid to, value; /* an edge; or a message: `value` for the owner of `to` */
};

struct contraction {
    struct mw_comm *comm;
    struct mw_partition deal;
    uint64_t n_places;
    mw_vid *parent;    /* [n_places]; of a root: itself */
    mw_vid *choice;    /* [n_places] a root's smallest neighbour, or nobody */
    struct pair *edge; /* [n_edges] between roots, each edge on one rank */
    uint64_t n_edges;
};

static uint64_t place_of(const struct contraction *c, mw_vid v)
{
    uint32_t owner;
    return mw_locate(&c->deal, v, &owner);
}

/* --- messages to owners ---------------------------------------------------------------- */

/* Items begin with a vertex. */
static uint32_t owner_of(const struct contraction *c, const char *item)
{
    mw_vid v;
    memcpy(&v, item, sizeof v);
    return mw_owner(&c->deal, v);
}

/* Collective: items go to the owners of their vertices. */
static int send(const struct contraction *c, const void *items, size_t bytes, uint64_t n,
                struct mw_mail *mail, void **come)
{
    const char *item = items, *end = item + n * bytes;
    char *sorted = NULL;
    int rc = mw_mail_init(mail, c->comm, "beginnings by owner");
    if (rc == MW_OK && (sorted = mw_alloc("items by owner", n, bytes)) == NULL)
        rc = MW_ERR_NOMEM;
    MW_TRY(rc, mw_comm_agree(c->comm, rc));
    for (; item < end; item += bytes)
        mw_mail_count(mail, owner_of(c, item));
    mw_mail_counted(mail);
    for (item = items; item < end; item += bytes)
        memcpy(sorted + mw_mail_place(mail, owner_of(c, item)) * bytes, item, bytes);
    rc = mw_mail_send(mail, sorted, bytes, come);
end:
    mw_free(sorted);
    return rc;
}

/* Collective: vertex[i] becomes table[] of it, at its owner. */
static int ask(const struct contraction *c, const mw_vid *table, mw_vid *vertex,
               uint64_t n)
{
    struct mw_mail mail;
    void *come = NULL, *back = NULL;
    int rc;
    MW_TRY(rc, send(c, vertex, sizeof *vertex, n, &mail, &come));
    mw_vid *const asked = come;
    for (uint64_t i = 0; i < mail.from[c->comm->size]; i++)
        asked[i] = table[place_of(c, asked[i])];
    MW_TRY(rc, mw_mail_answer(&mail, asked, sizeof *asked, &back));
    const mw_vid *const answer = back;
    for (uint64_t i = 0; i < n; i++)
        vertex[i] = answer[mw_mail_place(&mail, mw_owner(&c->deal, vertex[i]))];
end:
    MW_FREE_ALL(back, come);
    mw_mail_fini(&mail);
    return rc;
}

/* --- the rounds -------------------------------------------------------------------------- */

static mw_vid own(const struct contraction *c, uint64_t place)
{
    return mw_vertex(&c->deal, c->comm->rank, place);
}

static uint32_t root_of(uint32_t *up, uint32_t v)
{
    while (up[v] != v)
        v = up[v] = up[up[v]];
    return v;
}

/* This rank's edges, without self-loops and what closes a circle (`up`: NULL, or room for it). */
static void take_edges(struct contraction *c, const struct mw_edges *edges, uint32_t *up)
{
    for (uint64_t v = 0; up != NULL && v < edges->n_vertices; v++)
        up[v] = (uint32_t)v;
    for (uint64_t i = 0; i < edges->n; i++) {
        mw_vid u, v;
        mw_edges_get(edges, i, &u, &v);
        if (u == v)
            continue;
        if (up != NULL) {
            const uint32_t a = root_of(up, (uint32_t)u), b = root_of(up, (uint32_t)v);
            if (a == b)
                continue;
            up[mw_max(a, b)] = (uint32_t)mw_min(a, b);
        }
        c->edge[c->n_edges++] = (struct pair){u, v};
    }
}

/* Both ends tell each other; the owner keeps the smallest. */
static int choose(struct contraction *c)
{
    int rc = MW_OK;
    for (uint64_t p = 0; p < c->n_places; p++)
        c->choice[p] = MW_NO_VERTEX;
    for (int way = 0; way < 2 && rc == MW_OK; way++) {
        struct mw_mail mail;
        void *come = NULL;
        rc = send(c, c->edge, sizeof *c->edge, c->n_edges, &mail, &come);
        for (uint64_t i = 0; rc == MW_OK && i < mail.from[c->comm->size]; i++) {
            const struct pair *m = (const struct pair *)come + i;
            mw_vid *choice = &c->choice[place_of(c, m->to)];
            *choice = mw_min(*choice, m->value);
        }
        mw_free(come);
        mw_mail_fini(&mail);
        for (uint64_t i = 0; i < c->n_edges; i++)
            c->edge[i] = (struct pair){c->edge[i].value, c->edge[i].to};
    }
    return rc;
}

/* Takes each choice as the parent. Choices by the smallest neighbour run in a circle only where
 * two have chosen each other: the smaller of them stays a root. */
static int hook(struct contraction *c)
{
    int rc = MW_OK;
    uint64_t n = 0;
    mw_vid *chosen = NULL;
    MW_NEW(rc, chosen, "vertices asked for", c->n_places);
end:
    rc = mw_comm_agree(c->comm, rc);
    for (uint64_t p = 0; rc == MW_OK && p < c->n_places; p++)
        if (c->choice[p] != MW_NO_VERTEX)
            chosen[n++] = c->choice[p];
    if (rc == MW_OK)
        rc = ask(c, c->choice, chosen, n);
    n = 0;
    for (uint64_t p = 0; rc == MW_OK && p < c->n_places; p++)
        if (c->choice[p] != MW_NO_VERTEX) {
            const mw_vid v = own(c, p);
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
    int rc = MW_OK;
    mw_vid *up = NULL;
    uint64_t changed = 1;
    MW_NEW(rc, up, "vertices asked for", c->n_places);
end:
    rc = mw_comm_agree(c->comm, rc);
    while (rc == MW_OK && changed > 0) {
        uint64_t n = 0;
        for (uint64_t p = 0; p < c->n_places; p++)
            if (c->parent[p] != MW_NO_VERTEX && c->parent[p] != own(c, p))
                up[n++] = c->parent[p];
        rc = ask(c, c->parent, up, n);
        n = changed = 0;
        for (uint64_t p = 0; rc == MW_OK && p < c->n_places; p++)
            if (c->parent[p] != MW_NO_VERTEX && c->parent[p] != own(c, p)) {
                changed += c->parent[p] != up[n];
                c->parent[p] = up[n++];
            }
        if (rc == MW_OK)
            rc = mw_comm_sum(c->comm, &changed, 1);
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
        MW_NEW(rc, end[k], "vertices asked for", c->n_edges);
end:
    rc = mw_comm_agree(c->comm, rc);
    for (uint64_t i = 0; rc == MW_OK && i < c->n_edges; i++) {
        end[0][i] = c->edge[i].to;
        end[1][i] = c->edge[i].value;
    }
    for (int k = 0; k < 2 && rc == MW_OK; k++)
        rc = ask(c, c->parent, end[k], c->n_edges);
    for (uint64_t i = 0; rc == MW_OK && i < c->n_edges; i++)
        if (end[0][i] != end[1][i])
            c->edge[n++] = (struct pair){end[0][i], end[1][i]};
    c->n_edges = n;
    MW_FREE_ALL(end[0], end[1]);
    return rc;
}

/* --- how many ------------------------------------------------------------------------------ */

static int start(struct contraction *c, const struct mw_edges *edges)
{
    int rc = MW_OK;
    uint32_t *up = NULL;
    const bool filter =
        edges->n_vertices < MW_NARROW_VERTICES && edges->n_vertices <= 2 * edges->n;
    const uint64_t most = filter ? mw_min(edges->n, edges->n_vertices) : edges->n;
    MW_NEW(rc, c->parent, "parents in components", c->n_places);
    MW_NEW(rc, c->choice, "choices of neighbours", c->n_places);
    MW_NEW(rc, c->edge, "edges to contract", most);
    if (filter)
        MW_NEW(rc, up, "roots of own edges", edges->n_vertices);
    for (uint64_t p = 0; p < c->n_places; p++)
        c->parent[p] = own(c, p);
    take_edges(c, edges, up);
end:
    mw_free(up);
    return mw_comm_agree(c->comm, rc);
}

static void fini(struct contraction *c)
{
    MW_FREE_ALL(c->parent, c->choice, c->edge);
}

int mw_contract_count(struct mw_comm *comm, const struct mw_edges *edges,
                      uint64_t *n_components)
{
    struct contraction c = {
        .comm = comm, .deal = mw_partition_of(edges->n_vertices, comm->rank, comm->size)};
    c.n_places = mw_my_places(&c.deal);
    *n_components = 0;
    int rc = start(&c, edges);
    for (uint64_t left = 1; rc == MW_OK && left > 0;) {
        left = c.n_edges;
        rc = mw_comm_sum(comm, &left, 1);
        if (rc == MW_OK && left > 0)
            rc = choose(&c);
        if (rc == MW_OK && left > 0)
            rc = hook(&c);
        if (rc == MW_OK && left > 0)
            rc = collapse(&c);
        if (rc == MW_OK && left > 0)
            rc = rename_edges(&c);
    }
    for (uint64_t p = 0; rc == MW_OK && p < c.n_places; p++)
        *n_components += c.parent[p] == own(&c, p);
    if (rc == MW_OK)
        rc = mw_comm_sum(comm, n_components, 1);
    fini(&c);
    return rc;
}

void mw_contract_sizes(uint64_t n_vertices, uint64_t n_places, struct mw_sizes *out)
{
    const struct contraction *c = NULL;
    const uint32_t first = out->n;
    mw_sizes_add(out, MW_SEARCHING, "parents in components", n_places, sizeof *c->parent);
    mw_sizes_add(out, MW_SEARCHING, "choices of neighbours", n_places, sizeof *c->choice);
    mw_sizes_add(out, MW_SEARCHING, "edges to contract", n_vertices, sizeof *c->edge);
    /* Both ends of each, or once a place. */
    mw_sizes_add(out, MW_SEARCHING, "vertices asked for", n_vertices, sizeof(mw_vid))
        ->copies = 2;
    mw_sizes_add(out, MW_SEARCHING, "items by owner", n_vertices, sizeof *c->edge);
    mw_sizes_add(out, MW_SEARCHING, "exchange: received data", n_vertices,
                 sizeof *c->edge);
    mw_sizes_add(out, MW_SEARCHING, "roots of own edges", n_vertices, sizeof(uint32_t));
    for (uint32_t i = first; i < out->n; i++)
        out->row[i].estimated = true;
}
