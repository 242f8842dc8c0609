/* label_hops.c -- the smallest vertex within K hops of each: docs/your-own-traversal.md explains it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <meshway/algorithm.h>

/* A vertex whose label has fallen in a round tells its neighbours in the next one. What it tells
 * stands still meanwhile, so a label goes one hop a round. */
struct hops {
    const struct mw_graph *g;
    void *told, *label,
        *next; /* [n_places]: of the last round, of this one, of the next */
    uint64_t *n_fallen, n_entries;
    uint32_t most; /* hops */
};
struct hops_kernels {
    mw_kernel *tell, *hear, *begin, *settle;
};

/* ---- elements: compiled for every kind of core, as C11 or C++17 ----------------------------- */

MW_FN bool hops_has_fallen(const struct hops *s, uint64_t i)
{
    const uint64_t place = s->g->place_of[i];
    return mw_number(s->label, place, s->g->wide) !=
           mw_number(s->told, place, s->g->wide);
}

MW_FN void hops_tell(const struct hops *s, const struct mw_graph *g, uint64_t i,
                     uint64_t k, struct mw_emitter *e)
{
    const uint64_t column = mw_number(g->column, g->row[i] + k, g->wide);
    const mw_vid label = mw_number(s->label, g->place_of[i], g->wide);
    uint32_t owner;
    const uint64_t place =
        mw_locate(&g->partition, mw_number(g->name, column, g->wide), &owner);
    if (mw_here(e, owner))
        mw_lower(s->next, place, label, g->wide);
    else
        mw_emit(e, owner, (uint32_t)place, label);
}

MW_FN void hops_hear(const struct hops *s, const struct mw_graph *g,
                     const struct mw_visit *m)
{
    mw_lower(s->next, m->child, m->value, g->wide);
}

MW_FN void hops_begin(const struct hops *s, const struct mw_graph *g, uint64_t place)
{
    const mw_vid own = mw_vertex_at(g, g->partition.rank, place);
    mw_set_number(s->told, place, UINT64_MAX, g->wide);
    mw_set_number(s->label, place, own, g->wide);
    mw_set_number(s->next, place, own, g->wide);
}

MW_FN uint64_t hops_settle(const struct hops *s, const struct mw_graph *g, uint64_t place)
{
    const mw_vid was = mw_number(s->label, place, g->wide);
    const mw_vid is = mw_number(s->next, place, g->wide);
    mw_set_number(s->told, place, was, g->wide);
    mw_set_number(s->label, place, is, g->wide);
    return is != was;
}

MW_ENTRIES(hops_teller, hops, s->g->row + 1, s->g->n_labels, hops_has_fallen, hops_tell)
MW_UPDATES(hops_hearer, hops, hops_hear)
MW_EACH(hops_beginner, hops, g->n_places, hops_begin)
MW_SUM(hops_settler, hops, g->n_places, hops_settle, s->n_fallen)
MW_KERNEL_TABLE(hops_kernels, hops_teller, hops_hearer, hops_beginner, hops_settler)

#ifdef MW_STEPS /* ---- the rest: compiled once, as C ------------------------------------------ */
enum { BEGIN = 3, SETTLE, N_ROWS };
struct hops_options {
    uint32_t hops;
};

static int open_hops(struct mw_traversal *t, const void *options)
{
    struct hops *const s = t->state;
    s->most = ((const struct hops_options *)options)->hops;
    s->n_entries = mw_placed_entries(t->world, t->graph);
    return MW_OK;
}

static int start(struct mw_traversal *t, mw_vid key)
{
    (void)key;
    mw_traversal_sweep(t, BEGIN);
    t->now.n_active = t->graph->n_vertices;
    return MW_OK;
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    const struct hops *const s = t->state;
    int rc = mw_traversal_exchange(t, 0);
    *s->n_fallen = 0;
    mw_traversal_sweep(t, SETTLE);
    level->n_found = *s->n_fallen;
    rc = mw_comm_sum_or_fail(t->world->comm, &level->n_found, 1, rc);
    t->now.n_active = t->n_levels < s->most ? level->n_found : 0;
    return rc;
}

static uint64_t entries(void *state)
{
    return ((const struct hops *)state)->n_entries;
}

/* What the labels should be: the tuples as read are gone over as often as a label may go. */
static int expect_labels(const struct mw_expected *e)
{
    const uint32_t most = ((struct hops *)e->t->state)->most;
    uint64_t *const is = e->is, *const was = e->was;
    int rc = MW_OK;
    for (uint64_t v = 0; v < e->n; v++)
        is[v] = v;
    for (uint32_t hop = 0; hop < most && rc == MW_OK; hop++) {
        memcpy(was, is, e->n * sizeof *is);
        for (uint64_t i = 0; i < e->edges->n; i++) {
            mw_vid u, v;
            mw_edges_get(e->edges, i, &u, &v);
            is[v] = mw_min(is[v], was[u]);
            is[u] = e->edges->directed ? is[u] : mw_min(is[u], was[v]);
        }
        rc = mw_comm_min(e->comm, is, (uint32_t)e->n);
    }
    return rc;
}

/* clang-format off */
#define KERNEL(member) .kernel = MW_ENTRY(hops_kernels, member)
#define BLOCK(name, member) {name, offsetof(struct hops, member), MW_OF_CORES, MW_PER_PLACE, 0, 0}
static const struct mw_row rows[N_ROWS] = {
    {"teller", {MW_FORWARD, MW_SOURCE}, {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell), entries, 1, .exchanges = 1},
    {"relay",  {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, .exchanges = 1},
    {"hearer", {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE}, KERNEL(hear), .exchanges = 1},
    [BEGIN] = {"begin", KERNEL(begin), .reads = "-", .writes = "told, label, next", .unit = "an equal share"},
    [SETTLE] = {"settle", KERNEL(settle), .reads = "label, next", .writes = "told, label", .unit = "an equal share"}};
static const struct mw_block blocks[] = { /* the first is the answer */
    BLOCK("labels", label), BLOCK("told labels", told), BLOCK("next labels", next),
    {"fallen labels", offsetof(struct hops, n_fallen), MW_OF_BOTH, MW_PER_RANK, sizeof(uint64_t), 0}};
static const struct mw_key key = {.name = "hops", .kind = MW_KEY_COUNT, .value = "K", .min = 1, .max = UINT32_MAX,
    .fallback = "3", .help = "Hops that a label goes", MW_KEY_FIELD(struct hops_options, hops)};
MW_ALGORITHM_OF(hops_kernels, .name = "label_hops", .summary = "the smallest vertex within K hops", .n_values = 1,
    .value = &(const struct mw_value){.name = "label", .type = MW_VALUE_VERTEX}, .step_name = (const char *const[]){"hop", NULL},
    .keys = &(const struct mw_keys){.key = &key, .n = 1, .options_bytes = sizeof(struct hops_options)}, .row = rows, .n_rows = N_ROWS,
    .by_place = true, .value_bits = mw_vertex_value_bits, .state_bytes = sizeof(struct hops), .block = blocks, .n_blocks = 4,
    .open = open_hops, .start = start, .step = step, .check = &(const struct mw_check)MW_CHECK_BY(expect_labels))
#endif
