/* mesh_plan.c -- see mesh_plan.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shuffle/mesh_plan.h"

#include "base/mem.h"
#include "mesh/proof/proof.h"
#include "shuffle/mesh_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- refusals --------------------------------------------------------------------------- */

static int refuse_cycle(const struct mw_layout *l, const struct mw_proof *p,
                        const char *name)
{
    enum { SHOWN = 12 };
    char text[SHOWN * (MW_NODE_NAME + 4) + 1], core[MW_NODE_NAME];
    size_t used = 0;
    for (uint32_t i = 0; i < p->n_cycle && i < SHOWN - 1; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s -> ",
                                 mw_node_name(l, p->model, p->node[i], core));
    snprintf(text + used, sizeof text - used, "%s%s",
             p->n_cycle > SHOWN - 1 ? "... -> " : "",
             mw_node_name(l, p->model, p->node[0], core));
    return mw_fail(
        MW_ERR_REFUSED,
        "layout %s can deadlock: %u cores wait for each other's put, %s; 'meshway "
        "layout explain %s' tells how",
        name, p->n_cycle, text, name);
}

static int prove(const struct mw_layout *l, const char *name, uint32_t *max_rank)
{
    struct mw_proof p = {0};
    int rc = mw_proof_make(l, MW_COUPLED, &p);
    if (rc == MW_OK && !p.free)
        rc = refuse_cycle(l, &p, name);
    *max_rank = p.max_rank;
    mw_proof_fini(&p);
    return rc;
}

static int check_writers(const struct mw_layout *l, const char *name)
{
    struct mw_writers w;
    uint64_t n;
    char core[2][MW_NODE_NAME];
    const int rc = mw_layout_writers(l, &w, 1, &n);
    if (rc < MW_OK || n == 0)
        return rc;
    return mw_fail(MW_ERR_REFUSED,
                   "layout %s: bucket %" PRId64 " has %u writers, %s and %s", name,
                   w.bucket, w.n, mw_core_name(l, w.core[0], core[0]),
                   mw_core_name(l, w.core[1], core[1]));
}

static int check_budget(const struct mw_layout *l, const char *name)
{
    struct mw_budget b;
    mw_layout_budget(l, &b);
    if (b.fits)
        return MW_OK;
    return mw_fail(
        MW_ERR_REFUSED,
        "layout %s: %" PRIu64 " buckets, but the local store of its %" PRIu64
        " consumers holds %" PRIu64 " (%" PRIu64
        " B each, %u buffers of %u B a bucket); fewer destinations, relay routing or "
        "more consumers would do",
        name, b.buckets, b.n_owners, b.buckets_fit, b.bytes_free, l->batch_buffers,
        l->batch_bytes);
}

struct store {
    uint64_t bytes, stack;
};

/* The most buckets of one consumer that fit a store; below 0: not even none. */
static int64_t bins_that_fit(const struct store *s, uint32_t duty, uint32_t n_consumers)
{
    const uint64_t each = MW_LINE_BYTES + sizeof(struct mw_mesh_bin);
    const uint64_t least = mw_store_need(duty, n_consumers, 0, s->stack);
    if (least > s->bytes)
        return -1;
    uint64_t n = s->bytes / each;
    while (n > 0 && mw_store_need(duty, n_consumers, n, s->stack) > s->bytes)
        n--;
    return (int64_t)n;
}

/* A layout says what its author reckons with; this is what the cores' programs take. `who` has
 * the store: a layout or a backend. */
static int check_store(const struct mw_mesh_plan *p, const char *who,
                       const struct store *store)
{
    const struct mw_layout *const l = p->layout;
    const uint32_t n = p->n_consumers;
    const uint64_t bins = n == 0 ? 0 : ((uint64_t)l->n_buckets + n - 1) / n;
    char core[MW_NODE_NAME];
    for (uint32_t v = 0; v < p->n_cores; v++) {
        const uint32_t duty = p->duty[v];
        const uint64_t need = mw_store_need(duty, n, bins, store->stack);
        if (need <= store->bytes)
            continue;
        const int64_t fit = bins_that_fit(store, duty, n);
        if (fit < 0)
            return mw_fail(
                MW_ERR_REFUSED,
                "%s: core %s needs %" PRIu64 " B of local store, of which %" PRIu64
                " B are stack, and has %" PRIu64 " B",
                who, mw_core_name(l, (mw_core)v, core), need, store->stack, store->bytes);
        return mw_fail(MW_ERR_REFUSED,
                       "%s: %u buckets, %" PRIu64 " a consumer, but the local store "
                       "holds %" PRIu64 ": a consumer's program needs %" PRIu64
                       " B (%d B a line and %zu B a bin for each, %" PRIu64
                       " B of stack) of %" PRIu64
                       " B; fewer destinations, relay routing or more consumers would do",
                       who, l->n_buckets, bins, (uint64_t)fit * n, need, MW_LINE_BYTES,
                       sizeof(struct mw_mesh_bin), store->stack, store->bytes);
    }
    return MW_OK;
}

static int check_own_store(const struct mw_mesh_plan *p, const char *name)
{
    char who[256];
    const struct store own = {p->layout->spm_bytes, MW_STORE_STACK};
    snprintf(who, sizeof who, "layout %s", name);
    return check_store(p, who, &own);
}

int mw_mesh_plan_fits(const struct mw_mesh_plan *p, const struct mw_backend *on)
{
    char who[64];
    struct store its = {p->layout->spm_bytes, MW_STORE_STACK};
    if (on->store == NULL)
        return MW_OK;
    on->store(&its.bytes, &its.stack);
    snprintf(who, sizeof who, "backend %s", on->name);
    return check_store(p, who, &its);
}

/* ---- making ----------------------------------------------------------------------------- */

/* One hop from u to v for some message; marks it in a bitmap of u's successors. */
struct hops {
    uint64_t *bit; /* [n_cores][words] */
    uint32_t words;
};

static bool mark(struct hops *h, mw_core u, mw_core v)
{
    uint64_t *word = &h->bit[(size_t)u * h->words + v / 64];
    const bool fresh = (*word >> v % 64 & 1) == 0;
    *word |= UINT64_C(1) << v % 64;
    return fresh;
}

/* Walks every route once: who sends to whom, and what each core therefore does. */
static uint32_t walk(struct mw_mesh_plan *p, struct hops *h)
{
    const struct mw_layout *l = p->layout;
    uint32_t n_hops = 0;
    for (uint32_t s = 0; s < l->n_sinks; s++) {
        const mw_core *next = l->next + (size_t)s * p->n_cores;
        for (uint32_t a = 0; a < l->n_sources; a++)
            for (mw_core at = l->source[a]; at != l->sink[s]; at = next[at]) {
                p->duty[at] |= at == l->source[a] ? MW_PRODUCES : MW_ROUTES;
                if (mark(h, at, next[at])) {
                    p->markers[next[at]]++;
                    n_hops++;
                }
            }
        p->duty[l->sink[s]] |= MW_CONSUMES;
    }
    return n_hops;
}

static int list_successors(struct mw_mesh_plan *p, const struct hops *h, uint32_t n_hops)
{
    uint32_t n = 0;
    MW_NEED_NEW(p->successor, "mesh plan", n_hops);
    for (uint32_t u = 0; u < p->n_cores; u++) {
        p->successor_first[u] = n;
        for (uint32_t v = 0; v < p->n_cores; v++)
            if ((h->bit[(size_t)u * h->words + v / 64] >> v % 64 & 1) != 0)
                p->successor[n++] = (mw_core)v;
    }
    p->successor_first[p->n_cores] = n;
    return MW_OK;
}

/* No message ends at an owner that is no sink. The parser refuses that, a program may not. */
static int find_sinks(struct mw_mesh_plan *p)
{
    const struct mw_layout *l = p->layout;
    char core[MW_NODE_NAME];
    for (uint32_t c = 0; c < p->n_consumers; c++) {
        uint32_t *s = &p->consumer_sink[c];
        while (*s < l->n_sinks && l->sink[*s] != p->consumer[c])
            ++*s;
        if (*s == l->n_sinks)
            return mw_fail(MW_ERR_REFUSED, "core %s owns buckets, and is no sink",
                           mw_core_name(l, p->consumer[c], core));
    }
    return MW_OK;
}

static int fill(struct mw_mesh_plan *p)
{
    int rc = MW_OK;
    struct hops h = {.words = (p->n_cores + 63) / 64};
    MW_NEW(rc, p->duty, "mesh plan", p->n_cores);
    MW_NEW(rc, p->markers, "mesh plan", p->n_cores);
    MW_NEW(rc, p->successor_first, "mesh plan", p->n_cores + 1);
    MW_NEW(rc, p->consumer, "mesh plan", p->n_cores);
    MW_NEW(rc, h.bit, "mesh plan", (uint64_t)p->n_cores * h.words);
    p->n_consumers = mw_layout_owners(p->layout, p->consumer);
    MW_NEW(rc, p->consumer_sink, "mesh plan", p->n_consumers);
    MW_TRY(rc, find_sinks(p));
    rc = list_successors(p, &h, walk(p, &h));
end:
    mw_free(h.bit);
    return rc;
}

/* ---- for the cores themselves ------------------------------------------------------------- */

enum { SIDE = 8 }; /* of the cores' mesh */

static uint8_t hop(const struct mw_mesh_plan *p, mw_core from, mw_core to)
{
    if (from == to)
        return MW_HOP_HOME;
    return mw_hop_class(p->layout, from, to) == MW_ROW
               ? (uint8_t)mw_core_col(p->layout, to)
               : (uint8_t)(MW_HOP_IN_COLUMN | mw_core_row(p->layout, to));
}

static void fill_role(const struct mw_mesh_plan *p, mw_core v, struct mw_mesh_role *r)
{
    r->duty = p->duty[v];
    r->markers = (uint8_t)p->markers[v];
    r->n_consumers = (uint8_t)p->n_consumers;
    r->blocks = p->layout->bucket_blocks;
    r->cost = (uint16_t)mw_min(mw_core_cost(p->layout, v), UINT16_MAX);
    for (uint32_t i = p->successor_first[v]; i < p->successor_first[v + 1]; i++)
        r->successor[r->n_successors++] = hop(p, v, p->successor[i]);
    for (uint32_t c = 0; c < p->n_consumers; c++) {
        const mw_core next = mw_mesh_plan_next(p, c, v);
        if (p->consumer[c] == v)
            r->consumer = (uint8_t)c;
        r->hop[c] = next == MW_NO_CORE ? MW_HOP_HOME : hop(p, v, next);
    }
}

static int fill_roles(struct mw_mesh_plan *p)
{
    uint8_t n_producers = 0;
    if (p->layout->rows != SIDE || p->layout->cols != SIDE)
        return MW_OK;
    MW_NEED_NEW(p->role, "mesh roles", p->n_cores);
    for (uint32_t v = 0; v < p->n_cores; v++) {
        fill_role(p, (mw_core)v, &p->role[v]);
        if ((p->duty[v] & MW_PRODUCES) != 0)
            p->role[v].producer = n_producers++;
    }
    for (uint32_t v = 0; v < p->n_cores; v++)
        p->role[v].n_producers = n_producers;
    return MW_OK;
}

int mw_mesh_plan_take(struct mw_layout *l, const char *name, uint32_t n_buckets,
                      struct mw_mesh_plan **out)
{
    int rc = MW_OK;
    struct mw_mesh_plan *p = mw_alloc("mesh plan", 1, sizeof *p);
    if (p == NULL) {
        mw_layout_free(l);
        return MW_ERR_NOMEM;
    }
    p->layout = l;
    p->n_cores = mw_mesh_cores(l);
    if (n_buckets > 0)
        l->n_buckets = n_buckets;
    MW_TRY(rc, prove(l, name, &p->max_rank));
    MW_TRY(rc, check_writers(l, name));
    if (l->n_routed == 0 || l->n_listed > 0)
        MW_TRY(rc,
               mw_fail(MW_ERR_REFUSED,
                       "layout %s lists flows; a run needs roles and routes, which say "
                       "where every message goes",
                       name));
    MW_TRY(rc, check_budget(l, name));
    MW_TRY(rc, fill(p));
    MW_TRY(rc, fill_roles(p));
    if (p->role != NULL)
        MW_TRY(rc, check_own_store(p, name));
    *out = p;
    return MW_OK;
end:
    mw_mesh_plan_free(p);
    return rc;
}

void mw_mesh_plan_free(struct mw_mesh_plan *p)
{
    if (p == NULL)
        return;
    mw_layout_free(p->layout);
    MW_FREE_ALL(p->duty, p->markers, p->successor_first, p->successor, p->consumer,
                p->consumer_sink, p->role, p);
}

/* ---- from a file, or from the paper ------------------------------------------------------ */

static int papers_layout(struct mw_layout **out, struct mw_diagnostics *d)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&text, &bytes);
    if (f == NULL)
        return mw_fail(MW_ERR_NOMEM, "text of the paper's layout");
    int rc = mw_layout_generate("paper", 8, 8, f);
    if (fclose(f) != 0 && rc == MW_OK)
        rc = mw_fail(MW_ERR_NOMEM, "text of the paper's layout");
    if (rc == MW_OK)
        rc = mw_layout_parse(text, bytes, out, d);
    free(text);
    return rc;
}

/* The first error as the recorded one. */
static int first_error(const struct mw_diagnostics *d, const char *path)
{
    uint32_t i = 0;
    while (i + 1 < d->n_kept && d->kept[i].warning)
        i++;
    return mw_fail(MW_ERR_DATA, "%s:%u:%u: error: %s%s", path, d->kept[i].line,
                   d->kept[i].column, d->kept[i].text,
                   d->n_errors > 1 ? "; 'meshway layout check' lists the others" : "");
}

int mw_mesh_plan_open(const char *path, uint32_t n_buckets, struct mw_mesh_plan **out)
{
    int rc = MW_OK;
    struct mw_layout *l = NULL;
    struct mw_diagnostics *d;
    MW_NEW(rc, d, "diagnostics", 1);
    rc = path != NULL ? mw_layout_read(path, &l, d) : papers_layout(&l, d);
    if (rc == MW_ERR_DATA && d->n_errors > 0)
        rc = first_error(d, path != NULL ? path : "the paper's layout");
    if (rc == MW_OK)
        rc = mw_mesh_plan_take(l, path != NULL ? path : "of the paper", n_buckets, out);
    mw_free(d);
end:
    return rc;
}
