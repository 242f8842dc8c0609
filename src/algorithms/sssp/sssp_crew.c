/* sssp_crew.c -- see sssp_crew.h: its memory, and the bitmaps that its lists come from and become again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_crew.h"

#include "algorithms/sssp/sssp.h"
#include "algorithms/sssp/sssp_rounds.h"

#include "shuffle/numbers.h"

enum {
    WIDTHS = 2,          /* of delta, in a bucket (measured with one rank) */
    FAR_ITEMS = 1 << 17, /* of a core, at most */
    QUEUED_ITEMS = 1 << 15,
    LEAST_ITEMS = 256
};

/* ---- Memory ---------------------------------------------------------------------------- */

static const char HOST[] = "crew of paths", CREW[] = "crew of shortest paths",
                  ITEMS[] = "items of a crew of paths",
                  BOXES[] = "boxes of a crew of paths";

/* Of a list for so many labels, which stand there again whenever they fall. */
static uint64_t items_of(uint32_t label_bits, uint64_t most)
{
    return mw_min(4 * mw_columns_of(1, label_bits) + LEAST_ITEMS, most);
}

/* Of a core, for its share of a round. */
static uint64_t boxes_of(uint64_t n_cores)
{
    return mw_boxes_for(n_cores, SSSP_CREW_SHARE, SSSP_CREW_ITEM);
}

/* All ranks are one host's, which reach each other's words. */
static bool there_is(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world)
{
    const struct mw_algorithm *const a = &mw_algorithm_sssp;
    const struct mw_sssp_rule *const rule = shape->options;
    const uint64_t n_ranks = world->groups.n_ranks;
    return (rule == NULL || (!rule->alone && !rule->no_crew)) && !world->apart &&
           !world->backend->mesh &&
           mw_sweep_find(&a->row[SSSP_CREW], a->sweeps, world->backend).cores != NULL &&
           n_ranks * world->n_lanes <= MW_CREW_CORES &&
           (n_ranks == 1 || (world->n_hosts == 1 && mw_ranks_are_near(world->backend) &&
                             n_ranks * world->n_lanes <= MW_BOX_CORES));
}

void sssp_crew_sizes(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct sssp_crew *c = NULL;
    const uint64_t n_ranks = world->groups.n_ranks, n_cores = world->n_lanes;
    const bool is = there_is(shape, world);
    mw_sizes_add(out, MW_SEARCHING, CREW, 1, sizeof *c)->copies = is;
    mw_sizes_add(out, MW_SEARCHING, ITEMS,
                 n_cores * (items_of(shape->label_bits, FAR_ITEMS) +
                            2 * items_of(shape->label_bits, QUEUED_ITEMS)),
                 sizeof *c->item)
        ->copies = is;
    const struct {
        const char *what;
        uint64_t n, bytes;
        bool is;
    } shared[] = {{HOST, 1, sizeof *c->host, is},
                  {BOXES,
                   mw_boxes_bytes(n_ranks * n_cores, n_ranks * n_cores,
                                  boxes_of(n_ranks * n_cores)),
                   1, is && n_ranks * n_cores <= MW_BOX_CORES}};
    for (uint32_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        struct mw_size *const row =
            mw_sizes_add(out, MW_SEARCHING, shared[i].what, shared[i].n, shared[i].bytes);
        row->of_host = true;
        row->copies = shared[i].is;
    }
}

/* What this rank has for itself. */
static int own_init(struct mw_traversal *t, const struct mw_crew *meet,
                    const struct mw_sizes *sizes)
{
    struct mw_sssp *const p = t->state;
    const uint32_t bits = t->graph->label_bits;
    struct sssp_crew *c;
    MW_NEED_TAKE(c, sizes, CREW);
    p->s.crew = c;
    c->meet = *meet;
    c->n_far = items_of(bits, FAR_ITEMS);
    c->n_opened = c->n_queue = items_of(bits, QUEUED_ITEMS);
    MW_NEED_TAKE(c->item, sizes, ITEMS);
    return MW_OK;
}

int sssp_crew_init(struct mw_traversal *t, const struct mw_sizes *sizes)
{
    struct mw_sssp *const p = t->state;
    struct mw_crew meet;
    bool there;
    MW_NEED(mw_crew_agree(&meet, t->world,
                          mw_sizes_find(sizes, CREW)->copies != 0 && p->can_pull &&
                              !t->world->conf.engine_mpe,
                          &there));
    if (!there)
        return MW_OK;
    MW_NEED(mw_comm_agree(t->world->comm, own_init(t, &meet, sizes)));
    struct sssp_crew *const c = p->s.crew;
    MW_NEED_SHARED(c->host, &meet, sizes, HOST);
    MW_NEED_SHARED(c->boxes.memory, &meet, sizes, BOXES);
    c->boxes.n_from = c->boxes.n_to = meet.n_ranks * meet.n_cores;
    c->boxes.n_boxes = (uint32_t)boxes_of((uint64_t)meet.n_ranks * meet.n_lanes);
    c->meet.order = &c->host->order;
    return MW_OK;
}

void sssp_crew_fini(struct mw_sssp *p)
{
    struct sssp_crew *const c = p->s.crew;
    if (c == NULL)
        return;
    mw_comm_host_free(c->meet.comm, c->boxes.memory);
    mw_comm_host_free(c->meet.comm, c->host);
    MW_FREE_ALL(c->item, c);
    p->s.crew = NULL;
}

/* ---- From bitmaps, and back -------------------------------------------------------------- */

/* A bit of who has been near since is no news. Is there room for the item? */
static bool list_one(struct sssp_crew *c, uint32_t core, uint64_t item)
{
    struct sssp_crew_post *const post = sssp_crew_post_of(c, c->meet.rank, core);
    post->is_full = post->n_far == c->n_far;
    if (post->is_full)
        return false;
    sssp_crew_far(c, core)[post->n_far++] = item;
    post->least = mw_min(post->least, item >> 32);
    return true;
}

/* Who is far becomes an item: of one rank of some core, of several of that whose the node is. */
static void list_far(struct sssp_state *s)
{
    struct sssp_crew *const c = s->crew;
    const uint64_t n_words = s->rows.n / 64 + 1;
    const uint32_t n_cores = c->meet.n_cores;
    for (uint32_t k = 0; k < n_cores; k++) {
        struct sssp_crew_post *const post = sssp_crew_post_of(c, c->meet.rank, k);
        post->least = UINT64_MAX;
        post->n_entries = post->n_far = post->n_opened = post->n_sent = 0;
        post->is_full = false;
    }
    for (uint64_t w = 0; w < n_words; w++) {
        uint64_t left = 0;
        for (uint64_t bits = s->far[w]; bits != 0; bits &= bits - 1) {
            const uint32_t node = (uint32_t)(64 * w + mw_lowest_bit(bits));
            const uint64_t distance = s->word[node] >> 32;
            const uint32_t core = c->meet.n_ranks > 1 ? sssp_crew_core_of(node, n_cores)
                                                      : (uint32_t)(w * n_cores / n_words);
            if (distance >= s->limit && !list_one(c, core, distance << 32 | node))
                left |= bits & -bits;
        }
        s->far[w] = left;
    }
}

static void mark(struct sssp_state *s, const uint64_t *item, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t node = (uint32_t)item[i];
        if (s->word[node] >> 32 == item[i] >> 32)
            mw_set_bit(item[i] >> 32 < s->limit ? s->near : s->far, node);
    }
}

/* What is left is bits again. */
static void mark_items(struct sssp_state *s)
{
    struct sssp_crew *const c = s->crew;
    for (uint32_t k = 0; k < c->meet.n_cores; k++)
        mark(s, sssp_crew_far(c, k), sssp_crew_post_of(c, c->meet.rank, k)->n_far);
}

/* Local, when no rank writes what the lead begins with. */
static void begin(struct mw_sssp *p)
{
    struct sssp_crew *const c = p->s.crew;
    c->width = (p->s.delta_given ? 1 : WIDTHS) * p->s.delta;
    list_far(&p->s);
    if (c->meet.rank != 0)
        return;
    c->host->n_phases = c->host->n_buckets = c->host->n_records = 0;
    c->host->limit = p->s.limit;
}

static void end(struct mw_sssp *p, struct mw_level *level)
{
    const struct sssp_crew *const c = p->s.crew;
    p->s.limit = c->host->limit;
    mark_items(&p->s);
    level->n_active_edges = 0; /* as no rank knew before */
    for (uint32_t r = 0; r < c->meet.n_ranks; r++)
        for (uint32_t k = 0; k < c->meet.n_cores; k++) {
            const uint64_t n = sssp_crew_post_of(c, r, k)->n_entries;
            level->n_active_edges += n;
            p->n_relaxed += r == c->meet.rank ? n : 0;
        }
    p->n_rounds += c->host->n_phases;
    p->n_buckets += c->host->n_buckets;
    if (c->meet.rank != 0)
        return;
    level->n_records += c->host->n_records;
    level->n_bytes += c->host->n_records * sizeof(struct sssp_way);
}

bool sssp_crew_takes_round(const struct sssp_crew *c, uint64_t n_entries)
{
    const uint64_t n_cores = c->boxes.n_to;
    return c->boxes.memory != NULL && n_cores > 1 && n_entries >= SSSP_CREW_ROUND &&
           n_entries >= SSSP_CREW_ROUND_A_CORE * n_cores;
}

void sssp_crew_run_round(struct mw_traversal *t)
{
    struct sssp_crew *const c = ((struct mw_sssp *)t->state)->s.crew;
    c->makes_round = true;
    mw_traversal_sweep(t, SSSP_CREW);
    c->makes_round = false;
}

int sssp_crew_run(struct mw_traversal *t, struct mw_level *level)
{
    struct mw_sssp *const p = t->state;
    struct mw_comm *const comm = t->world->comm;
    begin(p);
    if (comm->size > 1)
        MW_NEED(mw_comm_host_barrier(comm));
    mw_traversal_sweep(t, SSSP_CREW);
    end(p, level);
    return MW_OK;
}
