/* bfs_setup.c -- the memory and the modules of a search.
 *
 * What is allocated follows from the form of bottom-up. By messages nothing grows with all
 * of n: bitmaps are over the own labels and over the hubs of every rank. By bitmap, and
 * where each level chooses, there is a bitmap over all columns per host and per lane.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs_search.h"

#include "base/clock.h"
#include "base/mem.h"
#include "relay/relay.h"

uint64_t bfs_listed_units(void *state)
{
    const struct bfs_state *s = state;
    return s->n_list > 0 ? s->list_end[s->n_list - 1] : 0;
}

/* ---- What the form decides -------------------------------------------------------------- */

static void choose_shape(struct mw_bfs *b)
{
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;

    b->means = mw_direction_means(&b->rule, g->comm->size, g->comm->n_hosts,
                                  UINT64_C(1) << g->label_bits);
    s->n_drop_hubs = b->means.hubs[MW_TOP_DOWN];
    s->n_look_hubs = b->means.hubs[MW_BOTTOM_UP];
    s->n_words = ((uint64_t)g->n_labels + 63) / 64;
    s->look_at_own = b->world->backend->short_circuit;
    if (b->means.by_bitmap) {
        s->seen_kind = s->n_drop_hubs > 0 ? BFS_COLUMNS_AND_HUBS : BFS_COLUMNS;
        s->seen_own = (uint64_t)g->comm->rank << g->label_bits;
        s->seen_stride = UINT64_C(1) << g->label_bits;
        s->n_seen_words = g->n_columns / 64;
    } else {
        s->seen_kind = BFS_OWN_AND_HUBS;
        s->seen_hubs = 64 * s->n_words;
        s->seen_stride = (s->n_drop_hubs + UINT64_C(63)) / 64 * 64;
        s->n_seen_words = s->n_words + g->comm->size * s->seen_stride / 64;
    }
}

/* ---- Memory ---------------------------------------------------------------------------- */

static void word_degrees(struct bfs_state *s)
{
    const struct mw_graph *g = s->g;
    for (uint64_t w = 0; w < s->n_words; w++) {
        const uint64_t first = 64 * w, last = mw_min(first + 64, g->n_labels);
        const uint64_t degree = g->row[first + 1] - g->row[first];
        bool same = degree < BFS_MIXED_DEGREES;
        for (uint64_t l = first + 1; same && l < last; l++)
            same = g->row[l + 1] - g->row[l] == degree;
        s->word_degree[w] = same ? (uint32_t)degree : BFS_MIXED_DEGREES;
    }
}

static int lanes_init(struct mw_bfs *b)
{
    int rc = MW_OK;
    struct bfs_state *s = &b->s;
    const uint64_t n_lanes = mw_world_lanes(b->world);

    MW_NEW(rc, s->lane, "search lanes", n_lanes);
    s->n_lanes = (uint32_t)n_lanes;
    for (uint64_t i = 0; i < n_lanes; i++) {
        MW_NEW(rc, s->lane[i].seen, "columns seen", s->n_seen_words);
        if (b->means.by_bitmap)
            MW_NEW(rc, s->lane[i].todo, "labels to look at", s->n_words);
        MW_NEW(rc, s->lane[i].next, "next frontier", s->next_room);
    }
fail:
    return rc;
}

static int state_init(struct mw_bfs *b)
{
    int rc = MW_OK;
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;

    s->heads = mw_heads_find(g->wide, &b->heads_name);
    s->next_room = mw_max(4096, g->n_labels / 32);
    s->parent = mw_alloc("parents", g->n_places, g->wide ? 8 : 4);
    if (s->parent == NULL)
        return MW_ERR_NOMEM;
    if (b->means.by_bitmap)
        MW_NEW(rc, s->waiting, "waiting places", g->n_places / 64 + 1);
    else
        MW_NEW(rc, s->own, "visited labels", s->n_words);
    if (b->means.by_messages)
        MW_NEW(rc, s->asking, "labels that ask", s->n_words);
    MW_NEW(rc, s->fresh, "reached labels", s->n_words);
    MW_NEW(rc, s->word_degree, "degrees of words", s->n_words);
    MW_NEW(rc, s->list, "frontier", g->n_labels);
    MW_NEW(rc, s->list_end, "frontier's edges", g->n_labels);
    MW_TRY(rc, lanes_init(b));
    word_degrees(s);
fail:
    return rc;
}

/* Collective: what is shared by a host, and what is the same at all ranks. */
static int shared_init(struct mw_bfs *b)
{
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;
    const uint32_t n_hubs = (uint32_t)mw_max(s->n_drop_hubs, s->n_look_hubs);
    void *known = NULL;
    int rc = MW_OK;

    if (b->means.by_bitmap) {
        MW_TRY(rc,
               mw_comm_host_alloc(g->comm, "visited columns", g->n_columns / 8, &known));
        s->known = known;
        s->own = s->known + mw_first_word(g);
    }
    if (n_hubs > 0)
        rc = mw_hubs_new(g->comm, n_hubs, g->place_of, g->n_labels, &s->visited_hubs);
fail:
    return rc;
}

/* ---- Modules --------------------------------------------------------------------------- */

enum { ROWS = 6, FORWARD = 1, QUESTIONS = 2 };

static int pipeline_init(struct mw_bfs *b)
{
    struct mw_world *w = b->world;
    const struct bfs_kernels *k =
        w->backend->short_circuit ? &bfs_kernels_host : &bfs_kernels_serial;
    /* What the clusters of a mesh run: all of it, or without a mesh nothing. */
    static const struct bfs_kernels none;
    const struct bfs_kernels *on_mesh = w->backend->mesh ? &bfs_kernels_mesh : &none;
    mw_kernel *const relay_on_mesh = w->backend->mesh ? mw_relay_on_mesh : NULL;
    const bool wide = b->s.g->wide, relay = w->groups.width > 1;
    const uint8_t first = (uint8_t)mw_first_hop(&w->groups);
    /* clang-format off */
    const struct mw_module table[ROWS] = {
        /* name                 takes                       emits                       kernel                                work              records a unit, mesh kernel */
        {"forward generator",  {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, first},        k->generate[wide][b->s.seen_kind],   bfs_listed_units, 1, on_mesh->generate[wide][b->s.seen_kind]},
        {"backward generator", {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, first},       k->ask[wide],                        bfs_listed_units, 1, on_mesh->ask[wide]},
        {"backward relay",     {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, mw_relay_pass_on,                    NULL,             0, relay_on_mesh},
        {"backward handler",   {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, first},        k->reply,                            NULL,             0, on_mesh->reply},
        {"forward relay",      {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  mw_relay_pass_on,                    NULL,             0, relay_on_mesh},
        {"forward handler",    {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   k->handle[wide],                     NULL,             0, on_mesh->handle[wide]},
    };
    /* clang-format on */
    static const uint8_t used_by[ROWS] = {
        FORWARD,   QUESTIONS,           QUESTIONS,
        QUESTIONS, FORWARD | QUESTIONS, FORWARD | QUESTIONS};
    struct mw_module row[ROWS];
    uint32_t n = 0;

    for (uint32_t i = 0; i < ROWS; i++) {
        if ((used_by[i] == QUESTIONS && !b->means.by_messages) ||
            (table[i].takes.hop == MW_TO_RELAY && !relay))
            continue;
        b->forward |= (uint32_t)((used_by[i] & FORWARD) != 0) << n;
        b->questions |= (uint32_t)((used_by[i] & QUESTIONS) != 0) << n;
        row[n++] = table[i];
    }
    const int rc =
        mw_modules_new(row, n, &b->s, b->s.g->label_bits, false, w, &b->pipeline);
    if (rc == MW_OK)
        mw_pipeline_bound(b->pipeline, b->s.g->n_labels);
    return rc;
}

/* ---- First rates ------------------------------------------------------------------------ */

/* How much of all rows would have to be asked for, and what a byte of bitmap takes. */
static int rates_init(struct mw_bfs *b)
{
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;
    const uint64_t slice = (UINT64_C(1) << g->label_bits) / 8;
    const double n_ranks = g->comm->size;
    uint64_t sum[2] = {0, 0};
    int rc;

    for (uint64_t l = 0; l < g->n_labels; l++)
        sum[0] += g->in_row[l + 1] - bfs_beyond_hubs(s, l, g->wide);
    MW_TRY(rc, mw_comm_share(g->comm, s->known, slice)); /* pages are touched */
    const double start = mw_now();
    MW_TRY(rc, mw_comm_share(g->comm, s->known, slice));
    sum[1] = (uint64_t)(1e9 * (mw_now() - start));
    MW_TRY(rc, mw_comm_sum(g->comm, sum, 2));

    const double beyond = g->n_entries > 0 ? (double)sum[0] / (double)g->n_entries : 0;
    const double elsewhere = s->look_at_own ? (n_ranks - 1) / n_ranks : 1;
    const double bytes = n_ranks * (double)((g->comm->n_hosts - 1) * slice);
    b->rates =
        mw_form_rates_init(beyond * elsewhere, 1e-9 * (double)sum[1] / n_ranks / bytes);
fail:
    return rc;
}

/* ---- New and free ----------------------------------------------------------------------- */

int mw_bfs_new(const struct mw_direction_rule *rule, struct mw_world *world,
               const struct mw_graph *graph, struct mw_bfs **out)
{
    int rc = MW_OK;
    struct mw_bfs *b;

    *out = NULL;
    MW_NEW(rc, b, "search", 1);
    b->rule = *rule;
    b->world = world;
    b->goal = (struct mw_bfs_goal){UINT32_MAX, MW_NO_VERTEX};
    b->s.g = graph;
    choose_shape(b);
    rc = state_init(b);
fail:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = shared_init(b);
    if (rc == MW_OK)
        rc = pipeline_init(b);
    if (rc == MW_OK && b->means.form == MW_FORM_AUTO)
        rc = mw_comm_agree(world->comm, rates_init(b));
    if (rc != MW_OK) {
        mw_bfs_free(b);
        return rc;
    }
    *out = b;
    return MW_OK;
}

void mw_bfs_free(struct mw_bfs *b)
{
    if (b == NULL)
        return;
    struct bfs_state *s = &b->s;
    mw_pipeline_free(b->pipeline);
    mw_hubs_free(s->visited_hubs);
    if (s->known == NULL)
        mw_free(s->own);
    else
        mw_comm_host_free(b->world->comm, s->known);
    for (uint32_t i = 0; i < s->n_lanes; i++) {
        mw_free(s->lane[i].seen);
        mw_free(s->lane[i].todo);
        mw_free(s->lane[i].next);
    }
    mw_free(s->lane);
    mw_free(s->parent);
    mw_free(s->waiting);
    mw_free(s->asking);
    mw_free(s->fresh);
    mw_free(s->word_degree);
    mw_free(s->list);
    mw_free(s->list_end);
    mw_free(b);
}
