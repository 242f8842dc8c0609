/* communities.c -- community detection by label propagation (CDLP), as LDBC Graphalytics defines it:
 * "LDBC Graphalytics Benchmark Specification", Iosup et al., arXiv:2011.15028, section 2.3.2; after
 * Raghavan, Albert and Kumara 2007, made deterministic. docs/communities.md says more.
 *
 *      begin    each vertex is its own community
 *      iterate  each looks at its neighbours' communities, row by row: look. They stand in a table of all
 *               ranks, by column (table.h). Where there is none, each tells its own to its neighbours,
 *               which count what they hear: hear
 *               of each community that a vertex has heard of, how often: most, choose
 *               the most frequent one, of several the least, is the vertex's from now on: settle
 *               Cores of a host do all of this but settle row by row: count. In the first iteration
 *               all communities differ, and the least is taken: lower
 *      answer   communities by place
 *
 * A vertex counts in a table of its own, which has as many slots as the vertex has neighbours, so it can
 * always take what is heard. A slot has a community and how often it was heard; a record changes one slot.
 * So a row of any length is many cores' work, and nothing is sorted. The probes of a community visit all
 * slots of a power of two that holds the table, in a stride of its own, and pass over those beyond the
 * table. A table of d slots that gets full takes less than 2 d ln d probes (Knuth, vol. 3, 6.4: uniform
 * probing). Where a row is one core's, its slots stay in that core's cache until it is through, and a run of
 * entries of one community is one change.
 *
 * With directions a neighbour both ways is heard twice: by its row, and by its row of edges inwards.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <meshway/algorithm.h>

struct communities {
    const struct mw_graph *g;
    void *community; /* [n_places] the answer, when all is done */
    void *label;     /* [n_labels] communities */
    const void *all; /* those of all ranks, by column; NULL: there is no table */
    uint64_t *end;   /* [n_labels] slots of labels 0 .. i */
    /* [slots] all ones: none; and how often in this iteration. */
    void *heard, *times;
    /* [n_labels] all ones: none; and the complement of how often the most frequent one was heard. */
    void *next, *rarest;
    uint64_t *n_changed;
    uint64_t n_out,
        n_in;      /* entries of rows, and of rows inwards where these are others */
    uint32_t most; /* iterations */
    bool differ;   /* all communities, and no neighbour is heard twice */
};
struct communities_kernels {
    mw_kernel *tell, *tell_back, *hear, *begin, *forget, *look, *look_back, *most,
        *choose, *lower, *count, *settle, *answer;
};

/* ---- elements: compiled for every kind of core, as C11 or C++17 ----------------------------- */

MW_FN uint64_t cd_none(const struct mw_graph *g)
{
    return g->wide ? UINT64_MAX : UINT32_MAX;
}

MW_FN uint64_t cd_first_slot(const struct communities *s, uint64_t i)
{
    return i > 0 ? s->end[i - 1] : 0;
}

/* Slot `at` is c's from now on, or is already. */
MW_FN bool cd_take_slot(const struct communities *s, const struct mw_graph *g,
                        uint64_t at, mw_vid c)
{
    const uint64_t none = cd_none(g), is = mw_load(s->heard, at, g->wide);
    return is == c || (is == none && (mw_claim(s->heard, at, none, c, g->wide) ||
                                      mw_load(s->heard, at, g->wide) == c));
}

/* The slots of a vertex, in which a community is looked for from `at` on in steps of `stride`. Those that are
 * looked at first are so few that they stay in a core's cache. */
enum { CD_NEAR_SLOTS = 2048 };
struct cd_probe {
    uint64_t first, n, mask, at, stride;
    bool far; /* there are communities beyond the near slots */
};

MW_FN struct cd_probe cd_probe_of(const struct communities *s, uint64_t i)
{
    struct cd_probe p;
    p.first = cd_first_slot(s, i);
    p.n = s->end[i] - p.first;
    p.mask = (UINT64_C(1) << mw_bits_for(p.n)) - 1;
    p.at = p.stride = 0;
    p.far = false;
    return p;
}

/* At a slot that is there. */
MW_FN void cd_begin_probe(struct cd_probe *p, mw_vid c)
{
    const uint64_t mixed = c * UINT64_C(0x9e3779b97f4a7c15);
    p->at = mixed >> 32 & p->mask >> 1 & (CD_NEAR_SLOTS - 1);
    p->stride = mixed >> 40 | 1;
}

MW_FN void cd_go_on(struct cd_probe *p)
{
    p->at = (p->at + p->stride) & p->mask;
}

/* The vertex with label i has heard of community c. */
MW_FN void cd_count(const struct communities *s, const struct mw_graph *g, uint64_t i,
                    mw_vid c)
{
    struct cd_probe p = cd_probe_of(s, i);
    cd_begin_probe(&p, c);
    while (p.at >= p.n || !cd_take_slot(s, g, p.first + p.at, c))
        cd_go_on(&p);
    mw_add_number(s->times, p.first + p.at, 1, g->wide);
}

MW_FN void cd_hear(const struct communities *s, const struct mw_graph *g,
                   const struct mw_visit *m)
{
    cd_count(s, g, m->child, m->value);
}

MW_FN void cd_tell(const struct communities *s, const struct mw_graph *g, uint64_t i,
                   uint64_t k, struct mw_emitter *e)
{
    MW_TELL(cd_hear, s, g, mw_row_column(g, i, k), mw_number(s->label, i, g->wide), e);
}

MW_FN void cd_tell_back(const struct communities *s, const struct mw_graph *g, uint64_t i,
                        uint64_t k, struct mw_emitter *e)
{
    MW_TELL(cd_hear, s, g, mw_in_row_column(g, i, k), mw_number(s->label, i, g->wide), e);
}

/* The neighbour's community is in the table. */
MW_FN void cd_look(const struct communities *s, const struct mw_graph *g, uint64_t i,
                   uint64_t k)
{
    cd_count(s, g, i, mw_number(s->all, mw_row_column(g, i, k), g->wide));
}

MW_FN void cd_look_back(const struct communities *s, const struct mw_graph *g, uint64_t i,
                        uint64_t k)
{
    cd_count(s, g, i, mw_number(s->all, mw_in_row_column(g, i, k), g->wide));
}

MW_FN void cd_begin(const struct communities *s, const struct mw_graph *g, uint64_t place)
{
    const uint32_t i = g->label_of[place];
    const mw_vid v = mw_vertex_at(g, g->partition.rank, place);
    mw_set_number(s->community, place, v, g->wide);
    if (i == MW_NO_LABEL)
        return;
    mw_set_number(s->label, i, v, g->wide);
    s->end[i] = g->row[i + 1] + (g->directed ? g->in_row[i + 1] : 0);
    mw_set_number(s->next, i, UINT64_MAX, g->wide);
    mw_set_number(s->rarest, i, UINT64_MAX, g->wide);
}

MW_FN void cd_forget(const struct communities *s, const struct mw_graph *g, uint64_t slot)
{
    mw_set_number(s->heard, slot, UINT64_MAX, g->wide);
    mw_set_number(s->times, slot, 0, g->wide);
}

MW_FN void cd_most(const struct communities *s, const struct mw_graph *g, uint64_t i,
                   uint64_t k)
{
    const uint64_t times = mw_number(s->times, cd_first_slot(s, i) + k, g->wide);
    if (times > 0)
        mw_lower(s->rarest, i, cd_none(g) - times, g->wide);
}

/* The slots are empty again. */
MW_FN void cd_choose(const struct communities *s, const struct mw_graph *g, uint64_t i,
                     uint64_t k)
{
    const uint64_t slot = cd_first_slot(s, i) + k;
    const uint64_t times = mw_number(s->times, slot, g->wide);
    if (times == 0)
        return;
    if (cd_none(g) - times == mw_load(s->rarest, i, g->wide))
        mw_lower(s->next, i, mw_number(s->heard, slot, g->wide), g->wide);
    cd_forget(s, g, slot);
}

/* Where all communities differ: the least of the neighbours'. */
MW_FN void cd_lower(const struct communities *s, const struct mw_graph *g, uint64_t i,
                    uint64_t k)
{
    const mw_vid c = mw_number(s->all, mw_row_column(g, i, k), g->wide);
    if (c < mw_load(s->next, i, g->wide))
        mw_lower(s->next, i, c, g->wide);
}

/* What a core finds in a row: the most frequent community, and how often it was heard. */
struct cd_best {
    mw_vid community;
    uint64_t times;
};

/* Community c was heard so many times more, in slots that are this core's alone. */
MW_FN void cd_count_run(const struct communities *s, struct cd_probe *p, mw_vid c,
                        uint64_t times, bool wide, struct cd_best *best)
{
    const uint64_t none = wide ? UINT64_MAX : UINT32_MAX;
    cd_begin_probe(p, c);
    for (;; cd_go_on(p)) {
        if (p->at >= p->n)
            continue;
        const uint64_t is = mw_number(s->heard, p->first + p->at, wide);
        if (is == c)
            break;
        if (is == none) {
            mw_set_number(s->heard, p->first + p->at, c, wide);
            p->far |= p->at >= CD_NEAR_SLOTS;
            break;
        }
    }
    times += mw_number(s->times, p->first + p->at, wide);
    mw_set_number(s->times, p->first + p->at, times, wide);
    if (times > best->times || (times == best->times && c < best->community)) {
        best->community = c;
        best->times = times;
    }
}

/* Along entries first .. last - 1. */
MW_FN void cd_count_entries(const struct communities *s, struct cd_probe *p,
                            const void *column, uint64_t first, uint64_t last, bool wide,
                            struct cd_best *best)
{
    mw_vid c = 0;
    uint64_t run = 0;
    for (uint64_t k = first; k < last; k++) {
        const mw_vid next = mw_number(s->all, mw_number(column, k, wide), wide);
        if (next != c && run > 0) {
            cd_count_run(s, p, c, run, wide, best);
            run = 0;
        }
        c = next;
        run++;
    }
    if (run > 0)
        cd_count_run(s, p, c, run, wide, best);
}

MW_FN void cd_count_both(const struct communities *s, const struct mw_graph *g,
                         uint64_t i, bool wide)
{
    struct cd_probe p = cd_probe_of(s, i);
    struct cd_best best = {0, 0};
    cd_count_entries(s, &p, g->column, g->row[i], g->row[i + 1], wide, &best);
    if (g->directed)
        cd_count_entries(s, &p, g->in_column, g->in_row[i], g->in_row[i + 1], wide,
                         &best);
    const uint64_t used = p.far ? p.n : mw_min(p.n, (uint64_t)CD_NEAR_SLOTS);
    for (uint64_t slot = p.first; slot < p.first + used; slot++) {
        mw_set_number(s->heard, slot, UINT64_MAX, wide);
        mw_set_number(s->times, slot, 0, wide);
    }
    mw_set_number(s->next, i, best.community, wide);
}

/* Of the neighbours of the vertex with label i, which are one core's work. The loop has a constant width. */
MW_FN void cd_count_row(const struct communities *s, const struct mw_graph *g, uint64_t i)
{
    if (g->wide)
        cd_count_both(s, g, i, true);
    else
        cd_count_both(s, g, i, false);
}

MW_FN uint64_t cd_settle(const struct communities *s, const struct mw_graph *g,
                         uint64_t i)
{
    const mw_vid was = mw_number(s->label, i, g->wide);
    const mw_vid is = mw_number(s->next, i, g->wide);
    mw_set_number(s->label, i, is, g->wide);
    mw_set_number(s->next, i, UINT64_MAX, g->wide);
    mw_set_number(s->rarest, i, UINT64_MAX, g->wide);
    return is != was;
}

MW_FN void cd_answer(const struct communities *s, const struct mw_graph *g, uint64_t i)
{
    mw_set_number(s->community, g->place_of[i], mw_number(s->label, i, g->wide), g->wide);
}

MW_ENTRIES(cd_teller, communities, s->g->row + 1, s->g->n_labels, mw_any, cd_tell)
MW_ENTRIES(cd_back_teller, communities, s->g->in_row + 1, s->g->n_labels, mw_any,
           cd_tell_back)
MW_UPDATES(cd_hearer, communities, cd_hear)
MW_EACH(cd_beginner, communities, g->n_places, cd_begin)
MW_EACH(cd_forgetter, communities, s->n_out + s->n_in, cd_forget)
MW_PAIRS(cd_looker, communities, s->g->row + 1, s->g->n_labels, s->n_out, mw_any, cd_look)
MW_PAIRS(cd_back_looker, communities, s->g->in_row + 1, s->g->n_labels, s->n_in, mw_any,
         cd_look_back)
MW_PAIRS(cd_measurer, communities, s->end, s->g->n_labels, s->n_out + s->n_in, mw_any,
         cd_most)
MW_PAIRS(cd_chooser, communities, s->end, s->g->n_labels, s->n_out + s->n_in, mw_any,
         cd_choose)
MW_PAIRS(cd_lowerer, communities, s->g->row + 1, s->g->n_labels, s->n_out, mw_any,
         cd_lower)
MW_ROWS(cd_counter, communities, s->end, s->g->n_labels, cd_count_row)
MW_SUM(cd_settler, communities, g->n_labels, cd_settle, s->n_changed)
MW_EACH(cd_answerer, communities, g->n_labels, cd_answer)
MW_KERNEL_TABLE(communities_kernels, cd_teller, cd_back_teller, cd_hearer, cd_beginner,
                cd_forgetter, cd_looker, cd_back_looker, cd_measurer, cd_chooser,
                cd_lowerer, cd_counter, cd_settler, cd_answerer)

#ifdef MW_STEPS /* ---- the rest: compiled once, as C ------------------------------------------ */
enum {
    BEGIN = 4,
    FORGET,
    LOOK,
    LOOK_BACK,
    MOST,
    CHOOSE,
    LOWER,
    COUNT,
    SETTLE,
    ANSWER,
    N_ROWS
};
struct communities_options {
    uint32_t iterations;
    bool no_table;
};
static const struct mw_tabled_block tabled = {
    "communities of all ranks", offsetof(struct communities, label),
    offsetof(struct communities, all), offsetof(struct communities_options, no_table)};

static uint32_t exchanges(const struct mw_algorithm_shape *shape,
                          const struct mw_world_shape *world)
{
    return (world->groups.n_ranks > 1 || world->backend->mesh) &&
           !mw_block_is_tabled(&tabled, shape, world);
}

static int open_communities(struct mw_traversal *t, const void *options)
{
    struct communities *const s = t->state;
    const struct communities_options *const o = options;
    s->most = o->iterations;
    s->n_out = mw_placed_entries(t->world, t->graph);
    s->n_in = mw_placed_in_entries(t->world, t->graph);
    return MW_OK;
}

static int start(struct mw_traversal *t, mw_vid key)
{
    (void)key;
    mw_traversal_sweep(t, BEGIN);
    mw_traversal_sweep(t, FORGET);
    mw_traversal_all_start(t);
    return mw_table_share(&t->table);
}

/* Each hears its neighbours' communities, and finds the most frequent one. */
static int hear(struct mw_traversal *t)
{
    struct communities *const s = t->state;
    int rc;
    if (s->all == NULL || t->rows.sweep[LOOK].cores == NULL) {
        rc = mw_traversal_exchange(t, 0);
    } else if (s->differ || mw_host_reaches(t->world->backend)) {
        mw_traversal_sweep(t, s->differ ? LOWER : COUNT);
        return mw_table_read(&t->table);
    } else {
        mw_traversal_sweep(t, LOOK);
        if (t->graph->directed)
            mw_traversal_sweep(t, LOOK_BACK);
        rc = mw_table_read(&t->table);
    }
    mw_traversal_sweep(t, MOST);
    mw_traversal_sweep(t, CHOOSE);
    return rc;
}

/* Where nobody has changed nobody ever will. */
static int step(struct mw_traversal *t, struct mw_level *level)
{
    struct communities *const s = t->state;
    s->differ = t->n_levels == 1 && !t->graph->directed;
    int rc = hear(t);
    *s->n_changed = 0;
    mw_traversal_sweep(t, SETTLE);
    level->n_found = *s->n_changed;
    rc = mw_comm_sum_or_fail(t->world->comm, &level->n_found, 1, rc);
    if (rc == MW_OK)
        rc = mw_table_share(&t->table);
    t->now.n_active =
        level->n_found > 0 && t->n_levels < s->most ? t->graph->n_vertices : 0;
    return rc;
}

static uint64_t entries(void *state)
{
    return ((const struct communities *)state)->n_out;
}

static uint64_t entries_inwards(void *state)
{
    return ((const struct communities *)state)->n_in;
}

/* ---- the check -------------------------------------------------------------------------------- */

/* The most frequent of the communities that a vertex of this rank hears of, of several the least; its own, if
 * it hears of none. Edges with directions are heard along both rows. */
static mw_vid most_frequent(const struct mw_expected *e, uint64_t place, mw_vid own)
{
    const struct mw_oracle_rows *const rows[] = {&e->rows, &e->in_rows};
    uint64_t *const times = e->room, most = 0;
    mw_vid best = own;
    for (int r = 0; r <= e->edges->directed; r++)
        for (uint64_t k = rows[r]->first[place]; k < rows[r]->first[place + 1]; k++) {
            const mw_vid c = e->was[rows[r]->to[k]];
            const uint64_t n = ++times[c];
            if (n > most || (n == most && c < best)) {
                most = n;
                best = c;
            }
        }
    for (int r = 0; r <= e->edges->directed; r++)
        for (uint64_t k = rows[r]->first[place]; k < rows[r]->first[place + 1]; k++)
            times[e->was[rows[r]->to[k]]] = 0;
    return best;
}

/* As many iterations, of this rank's vertices, and what others say of theirs. */
static int expect_communities(const struct mw_expected *e)
{
    const uint32_t n_iterations = ((struct communities *)e->t->state)->most;
    int rc = MW_OK;
    for (uint64_t v = 0; v < e->n; v++)
        e->is[v] = v;
    for (uint32_t k = 0; k < n_iterations && rc == MW_OK; k++) {
        memcpy(e->was, e->is, e->n * sizeof *e->is);
        memset(e->is, 0xFF, e->n * sizeof *e->is);
        for (uint64_t p = 0; p < e->rows.n; p++) {
            const mw_vid v = mw_expected_vertex(&e->rows, p);
            e->is[v] = most_frequent(e, p, e->was[v]);
        }
        rc = mw_comm_min(e->comm, e->is, (uint32_t)e->n);
    }
    return rc;
}

static const struct mw_check check =
    MW_CHECK_OF(expect_communities, .with_rows = true, .with_in_rows = true, .once = true,
                .vertex_words = 1);

/* ---- the algorithm ---------------------------------------------------------------------------- */

/* clang-format off */
#define KERNEL(member) .kernel = MW_ENTRY(communities_kernels, member)
#define SLOTS .unit = "an equal share of the slots"
static const struct mw_row rows[N_ROWS] = {
    {"teller",      {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell),      entries,         1, .exchanges = 1},
    {"back teller", {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell_back), entries_inwards, 1, .exchanges = 1},
    {"relay",       {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, .exchanges = 1},
    {"hearer",      {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  KERNEL(hear), .exchanges = 1},
    [BEGIN]  = {"begin",  KERNEL(begin),  .reads = "row, label_of", .writes = "communities, next, rarest, slots of each", .unit = "an equal share"},
    [FORGET] = {"forget", KERNEL(forget), .reads = "nothing", .writes = "heard, times", SLOTS},
    [LOOK]   = {"look",   KERNEL(look),   .reads = "row, column, communities", .writes = "heard, times", .unit = "an equal share of the entries"},
    [LOOK_BACK] = {"look back", KERNEL(look_back), .reads = "row, column, communities", .writes = "heard, times", .unit = "an equal share of the entries"},
    [MOST]   = {"most",   KERNEL(most),   .reads = "times", .writes = "rarest", SLOTS},
    [CHOOSE] = {"choose", KERNEL(choose), .reads = "heard, times, rarest", .writes = "next, heard, times", SLOTS},
    [LOWER]  = {"lower",  KERNEL(lower),  .reads = "row, column, communities", .writes = "next", .unit = "an equal share of the entries"},
    [COUNT]  = {"count",  KERNEL(count),  .reads = "row, column, communities", .writes = "next, heard, times", .unit = "rows with an equal share of the entries"},
    [SETTLE] = {"settle", KERNEL(settle), .reads = "next", .writes = "communities, next, rarest", .unit = "an equal share"},
    [ANSWER] = {"answer", KERNEL(answer), .reads = "communities, place_of", .writes = "communities by place", .unit = "an equal share"}};

#define BLOCK(name, member, per, bytes) {name, offsetof(struct communities, member), MW_OF_CORES, per, bytes, 0}
static const struct mw_block blocks[] = { /* the first is the answer */
    BLOCK("communities", community, MW_PER_PLACE, 0),
    BLOCK("communities by label", label, MW_PER_LABEL, 0),
    BLOCK("slots of each vertex", end, MW_PER_LABEL, sizeof(uint64_t)),
    BLOCK("communities heard of", heard, MW_PER_ENTRY, 0),
    BLOCK("how often", times, MW_PER_ENTRY, 0),
    BLOCK("next communities", next, MW_PER_LABEL, 0),
    BLOCK("how often at most", rarest, MW_PER_LABEL, 0),
    {"changed communities", offsetof(struct communities, n_changed), MW_OF_BOTH, MW_PER_RANK, sizeof(uint64_t), 0}};

static const struct mw_key keys[] = {
    {.name = "iterations", .kind = MW_KEY_COUNT, .value = "N", .min = 1, .max = UINT32_MAX, .fallback = "10",
     .help = "Iterations, at most", MW_KEY_FIELD(struct communities_options, iterations)},
    {.name = "table", .kind = MW_KEY_WORD, .words = "auto|off", .fallback = "auto",
     .help = "A table of all ranks' communities; off: records", MW_KEY_FIELD(struct communities_options, no_table)}};

MW_ALGORITHM_OF(communities_kernels, .name = "communities", .summary = "communities by label propagation (CDLP)", .n_values = 1,
    .value = &(const struct mw_value){.name = "community", .type = MW_VALUE_VERTEX}, .step_name = (const char *const[]){"iteration", NULL},
    .keys = &(const struct mw_keys){.key = keys, .n = sizeof keys / sizeof *keys, .options_bytes = sizeof(struct communities_options)},
    .row = rows, .n_rows = N_ROWS, .asks_names = true, .value_bits = mw_vertex_value_bits, .exchanges = exchanges,
    .stays = mw_always_stays, .devices_pay = {1 << 24, 1 << 24}, .state_bytes = sizeof(struct communities),
    .block = blocks, .n_blocks = sizeof blocks / sizeof *blocks, .tabled = &tabled,
    .open = open_communities, .start = start, .step = step, .answer = ANSWER, .check = &check)
/* clang-format on */
#endif
