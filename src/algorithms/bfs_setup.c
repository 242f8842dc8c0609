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
#include "shuffle/kernels.h"

uint64_t bfs_listed_units(void *state)
{
    const struct bfs_state *s = state;
    return s->n_list > 0 ? s->list_end[s->n_list - 1] : 0;
}

/* ---- What the form decides -------------------------------------------------------------- */

/* The bits of a lane's `seen`: which there are, and where. */
struct seen {
    enum bfs_seen kind;
    uint64_t n_words, own, hubs, stride;
};

static struct seen seen_of(const struct mw_bfs_shape *shape, uint32_t rank,
                           uint32_t n_ranks)
{
    const uint32_t n_drop_hubs = shape->means.hubs[MW_TOP_DOWN];
    const uint64_t n_words = (shape->n_labels + 63) / 64;
    struct seen seen = {.kind = BFS_OWN_AND_HUBS};
    if (shape->means.by_bitmap) {
        seen.kind = n_drop_hubs > 0 ? BFS_COLUMNS_AND_HUBS : BFS_COLUMNS;
        seen.own = (uint64_t)rank << shape->label_bits;
        seen.stride = UINT64_C(1) << shape->label_bits;
        seen.n_words = n_ranks * seen.stride / 64 + 1;
    } else {
        seen.hubs = 64 * n_words;
        seen.stride = (n_drop_hubs + UINT64_C(63)) / 64 * 64;
        seen.n_words = n_words + n_ranks * seen.stride / 64;
    }
    return seen;
}

static struct mw_bfs_shape shape_of(const struct mw_bfs *b)
{
    const struct mw_graph *g = b->s.g;
    return (struct mw_bfs_shape){.n_places = g->n_places,
                                 .n_labels = g->n_labels,
                                 .label_bits = g->label_bits,
                                 .wide = g->wide,
                                 .means = b->means};
}

static void choose_shape(struct mw_bfs *b)
{
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;

    b->means = mw_direction_means(&b->rule, g->comm->size, g->comm->n_hosts,
                                  UINT64_C(1) << g->label_bits);
    const struct mw_bfs_shape shape = shape_of(b);
    const struct seen seen = seen_of(&shape, g->comm->rank, g->comm->size);
    s->n_drop_hubs = b->means.hubs[MW_TOP_DOWN];
    s->n_look_hubs = b->means.hubs[MW_BOTTOM_UP];
    s->n_words = ((uint64_t)g->n_labels + 63) / 64;
    s->look_at_own = b->world->backend->short_circuit;
    s->seen_kind = seen.kind;
    s->seen_own = seen.own;
    s->seen_hubs = seen.hubs;
    s->seen_stride = seen.stride;
    s->n_seen_words = seen.n_words;
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

static uint64_t next_room(uint64_t n_labels)
{
    return mw_max(4096, n_labels / 32);
}

/* Blocks that this file takes by their names here. */
static void own_sizes(const struct mw_bfs_shape *shape,
                      const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct bfs_state *s = NULL;
    const struct bfs_lane *l = NULL;
    const struct mw_means *m = &shape->means;
    const uint32_t n_ranks = world->groups.n_ranks;
    const uint64_t n_words = (shape->n_labels + 63) / 64, n_labels = shape->n_labels;
    const uint64_t n_bitmap_words = shape->n_places / 64 + 1;
    const uint64_t n_known = ((uint64_t)n_ranks << shape->label_bits) / 64 + 1;
    const struct seen seen = seen_of(shape, world->rank, n_ranks);
    const uint64_t room = next_room(n_labels), n_lanes = world->n_lanes;
    struct mw_size *row;

    mw_sizes_add(out, MW_SEARCHING, "parents", shape->n_places,
                 shape->wide ? sizeof(uint64_t) : sizeof(uint32_t));
    mw_sizes_add(out, MW_SEARCHING, "waiting places", n_bitmap_words, sizeof *s->waiting)
        ->copies = m->by_bitmap;
    mw_sizes_add(out, MW_SEARCHING, "visited labels", n_words, sizeof *s->own)->copies =
        !m->by_bitmap;
    mw_sizes_add(out, MW_SEARCHING, "labels that ask", n_words, sizeof *s->asking)
        ->copies = m->by_messages;
    mw_sizes_add(out, MW_SEARCHING, "reached labels", n_words, sizeof *s->fresh);
    mw_sizes_add(out, MW_SEARCHING, "degrees of words", n_words, sizeof *s->word_degree);
    /* An eighth of the labels stands in a list at most; but who asks is one as well, and without
     * hubs that may be nearly everybody. */
    const uint32_t touched = m->by_messages && m->hubs[MW_BOTTOM_UP] == 0 ? 1000 : 125;
    mw_sizes_add(out, MW_SEARCHING, "frontier", n_labels, sizeof *s->list)->touched =
        touched;
    mw_sizes_add(out, MW_SEARCHING, "frontier's edges", n_labels, sizeof *s->list_end)
        ->touched = touched;
    row = mw_sizes_add(out, MW_SEARCHING, "visited columns", n_known, sizeof *s->known);
    row->of_host = true;
    row->copies = m->by_bitmap;
    mw_sizes_add(out, MW_SEARCHING, "search lanes", n_lanes, sizeof *l);
    mw_sizes_add(out, MW_SEARCHING, "columns seen", seen.n_words, sizeof *l->seen)
        ->copies = n_lanes;
    mw_sizes_add(out, MW_SEARCHING, "labels to look at", n_words, sizeof *l->todo)
        ->copies = m->by_bitmap ? n_lanes : 0;
    mw_sizes_add(out, MW_SEARCHING, "next frontier", room, sizeof *l->next)->copies =
        n_lanes;
}

static int lanes_init(struct mw_bfs *b, const struct mw_sizes *sizes)
{
    int rc = MW_OK;
    struct bfs_state *s = &b->s;
    const uint64_t n_lanes = mw_world_lanes(b->world);

    MW_TAKE(rc, s->lane, sizes, "search lanes");
    s->n_lanes = (uint32_t)n_lanes;
    for (uint64_t i = 0; i < n_lanes; i++) {
        MW_TAKE(rc, s->lane[i].seen, sizes, "columns seen");
        MW_TAKE(rc, s->lane[i].todo, sizes, "labels to look at");
        MW_TAKE(rc, s->lane[i].next, sizes, "next frontier");
    }
fail:
    return rc;
}

static void sizes_of(const struct mw_bfs *b, struct mw_sizes *out)
{
    const struct mw_bfs_shape shape = shape_of(b);
    struct mw_world_shape world;
    mw_world_shape_of(b->world, &world);
    out->n = 0;
    own_sizes(&shape, &world, out);
}

static int state_init(struct mw_bfs *b)
{
    int rc = MW_OK;
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;

    struct mw_sizes sizes;

    sizes_of(b, &sizes);
    s->heads = mw_heads_find(g->wide, &b->heads_name);
    s->next_room = next_room(g->n_labels);
    s->parent = mw_sizes_take(&sizes, "parents", g->wide ? 8 : 4);
    if (s->parent == NULL)
        return MW_ERR_NOMEM;
    MW_TAKE(rc, s->waiting, &sizes, "waiting places");
    MW_TAKE(rc, s->own, &sizes, "visited labels");
    MW_TAKE(rc, s->asking, &sizes, "labels that ask");
    MW_TAKE(rc, s->fresh, &sizes, "reached labels");
    MW_TAKE(rc, s->word_degree, &sizes, "degrees of words");
    MW_TAKE(rc, s->list, &sizes, "frontier");
    MW_TAKE(rc, s->list_end, &sizes, "frontier's edges");
    MW_TRY(rc, lanes_init(b, &sizes));
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
    struct mw_sizes sizes;
    int rc = MW_OK;

    sizes_of(b, &sizes);
    const struct mw_size *table = mw_sizes_find(&sizes, "visited columns");
    if (table->copies > 0) {
        MW_TRY(rc,
               mw_comm_host_alloc(g->comm, table->what, table->n * table->bytes, &known));
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

/* The modules in use, and which of them a top-down level and questions run. */
struct modules {
    struct mw_module row[ROWS];
    uint32_t n, forward, questions;
};

static const struct bfs_kernels none;
static const struct mw_kernel_table kernels[] = {{"serial", &bfs_kernels_serial},
                                                 {"host", &bfs_kernels_host},
                                                 {"mesh", &bfs_kernels_mesh},
                                                 {NULL, &none}};

static void find_modules(const struct mw_bfs_shape *shape,
                         const struct mw_backend *backend, const struct mw_groups *groups,
                         struct modules *out)
{
    const struct bfs_kernels *mpe = mw_kernels_of_mpe(kernels, backend);
    const struct bfs_kernels *cores = mw_kernels_of_cores(kernels, backend);
    mw_kernel *const relay_mpe = mw_relay_of_mpe(backend);
    mw_kernel *const relay_cores = mw_relay_of_cores(backend);
    const enum bfs_seen seen_kind = seen_of(shape, 0, groups->n_ranks).kind;
    const bool wide = shape->wide, relay = groups->width > 1;
    const uint8_t first = (uint8_t)mw_first_hop(groups);
    /* clang-format off */
    const struct mw_module table[ROWS] = {
        /* name, takes, emits, kernel of the management core, a source's work, most records a unit, kernel of the cores */
        {"forward generator",  {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, first},        mpe->generate[wide][seen_kind], bfs_listed_units, 1, cores->generate[wide][seen_kind]},
        {"backward generator", {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, first},       mpe->ask[wide],                 bfs_listed_units, 1, cores->ask[wide]},
        {"backward relay",     {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, relay_mpe,                      NULL,             0, relay_cores},
        {"backward handler",   {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, first},        mpe->reply,                     NULL,             0, cores->reply},
        {"forward relay",      {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  relay_mpe,                      NULL,             0, relay_cores},
        {"forward handler",    {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   mpe->handle[wide],              NULL,             0, cores->handle[wide]},
    };
    /* clang-format on */
    static const uint8_t used_by[ROWS] = {
        FORWARD,   QUESTIONS,           QUESTIONS,
        QUESTIONS, FORWARD | QUESTIONS, FORWARD | QUESTIONS};
    *out = (struct modules){.n = 0};
    for (uint32_t i = 0; i < ROWS; i++) {
        if ((used_by[i] == QUESTIONS && !shape->means.by_messages) ||
            (table[i].takes.hop == MW_TO_RELAY && !relay))
            continue;
        out->forward |= (uint32_t)((used_by[i] & FORWARD) != 0) << out->n;
        out->questions |= (uint32_t)((used_by[i] & QUESTIONS) != 0) << out->n;
        out->row[out->n++] = table[i];
    }
}

void mw_bfs_sizes(const struct mw_bfs_shape *shape, const struct mw_world_shape *world,
                  struct mw_sizes *out)
{
    const uint32_t n_hubs =
        (uint32_t)mw_max(shape->means.hubs[MW_TOP_DOWN], shape->means.hubs[MW_BOTTOM_UP]);
    struct modules modules;
    struct mw_sizes parts = {0};
    mw_sizes_add(out, MW_SEARCHING, "search", 1, sizeof(struct mw_bfs));
    own_sizes(shape, world, out);
    if (n_hubs > 0)
        mw_hubs_sizes(n_hubs, world->groups.n_ranks, out);
    find_modules(shape, world->backend, &world->groups, &modules);
    mw_modules_sizes(modules.row, modules.n, false, world, MW_SEARCHING, &parts);
    mw_sizes_fold(out, MW_SEARCHING, "batches to search", &parts);
}

static int pipeline_init(struct mw_bfs *b)
{
    const struct mw_bfs_shape shape = shape_of(b);
    struct modules modules;
    find_modules(&shape, b->world->backend, &b->world->groups, &modules);
    b->forward = modules.forward;
    b->questions = modules.questions;
    const int rc = mw_modules_new(modules.row, modules.n, &b->s, b->s.g->label_bits,
                                  false, b->world, &b->pipeline);
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
