/* betweenness.c -- betweenness centrality from sampled sources: Brandes 2001, level by level as in the GAP
 * benchmark suite (Beamer, Asanovic and Patterson 2015). docs/betweenness.md says more.
 *
 *      set out    for each source in turn: it has one path, to itself
 *      forward    who was reached in the last level tells neighbours how many shortest paths lead to it;
 *                 those who are not reached yet add them up: reach
 *      backward   from the last level on: who depends on a vertex is known, so it tells the ones before it
 *                 its share of that for each path: weigh
 *      answer     scores, scaled
 *
 * Nobody keeps predecessors: a neighbour whose level is one less is one. The dependency of u on a source is
 * paths(u) times the sum, over those behind it, of (1 + dependency) / paths. So records are doubles in both
 * directions, and both kinds of sum may be made in any order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <meshway/algorithm.h>

enum { BETWEEN_SOURCES = 64 };

struct between_counts {
    uint64_t n_listed, n_entries;
};
struct betweenness {
    const struct mw_graph *g;
    float *score;           /* [n_places] the answer */
    double *sum;            /* [n_labels] of dependencies on all sources so far */
    double *paths, *depend; /* [n_labels] on this source; those behind say the second */
    uint32_t *depth;        /* [n_labels] all ones: it is not reached */
    uint64_t *active;       /* bitmap [n_labels]: who tells in this level */
    uint32_t *list;         /* [n_labels] the same that have a row */
    uint64_t *list_end;     /* [n_labels] entries up to each */
    uint64_t *rest;         /* [1] the complement of the largest sum's bits */
    struct between_counts *counts;
    /* All ranks have the same. */
    mw_vid source[BETWEEN_SOURCES];
    uint32_t n_sources, which, level;
    bool back, counts_source, by_largest;
    double scale;
};
struct betweenness_kernels {
    mw_kernel *tell, *tell_back, *hear, *begin, *set_out, *reach, *list, *weigh,
        *list_back, *largest, *answer;
};

/* ---- elements: compiled for every kind of core, as C11 or C++17 ----------------------------- */

MW_FN bool bc_any(const struct betweenness *s, uint64_t i)
{
    (void)s, (void)i;
    return true;
}

/* To the vertex with label i: forward, paths from the last level; back, shares of those behind it. */
MW_FN void bc_add(const struct betweenness *s, uint64_t i, double x)
{
    if (!s->back && s->depth[i] == UINT32_MAX)
        mw_add_real(s->paths, i, x, true);
    else if (s->back && s->depth[i] == s->level - 1)
        mw_add_real(s->depend, i, x, true);
}

MW_FN void bc_tell_column(const struct betweenness *s, const struct mw_graph *g,
                          uint64_t column, double x, struct mw_emitter *e)
{
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    const uint32_t label = mw_column_label(column, g->label_bits);
    if (mw_here(e, owner))
        bc_add(s, label, x);
    else
        mw_emit(e, owner, label, mw_bits_of_double(x));
}

MW_FN void bc_tell(const struct betweenness *s, const struct mw_graph *g, uint64_t at,
                   uint64_t k, struct mw_emitter *e)
{
    const uint32_t i = s->list[at];
    bc_tell_column(s, g, mw_number(g->column, g->row[i] + k, g->wide), s->paths[i], e);
}

MW_FN void bc_tell_back(const struct betweenness *s, const struct mw_graph *g,
                        uint64_t at, uint64_t k, struct mw_emitter *e)
{
    const uint32_t i = s->list[at];
    bc_tell_column(s, g, mw_number(g->in_column, g->in_row[i] + k, g->wide), s->depend[i],
                   e);
}

MW_FN void bc_hear(const struct betweenness *s, const struct mw_graph *g,
                   const struct mw_visit *m)
{
    (void)g;
    bc_add(s, m->child, mw_double_of_bits(m->value));
}

MW_FN void bc_begin(const struct betweenness *s, const struct mw_graph *g, uint64_t place)
{
    s->score[place] = 0;
    if (g->label_of[place] != MW_NO_LABEL)
        s->sum[g->label_of[place]] = 0;
}

MW_FN void bc_set_out(const struct betweenness *s, const struct mw_graph *g, uint64_t i)
{
    uint64_t place;
    const bool mine = mw_is_mine(&g->partition, s->source[s->which], &place);
    s->paths[i] = mine && g->label_of[place] == i ? 1 : 0;
    s->depend[i] = 0;
    s->depth[i] = UINT32_MAX;
}

MW_FN mw_word bc_labels(const struct betweenness *s, const struct mw_graph *g, uint64_t w)
{
    (void)s;
    return mw_word_below(w, g->n_labels);
}

/* 1: it is of this level. */
MW_FN uint32_t bc_reach(const struct betweenness *s, const struct mw_graph *g, uint64_t i)
{
    (void)g;
    if (s->depth[i] != UINT32_MAX || !(s->paths[i] > 0))
        return 0;
    s->depth[i] = s->level;
    return 1;
}

/* The same; all behind it have said what they have to: in place of that now stands what it tells. */
MW_FN uint32_t bc_weigh(const struct betweenness *s, const struct mw_graph *g, uint64_t i)
{
    (void)g;
    if (s->depth[i] != s->level)
        return 0;
    const double depend = s->paths[i] * s->depend[i];
    if (s->level > 0 || s->counts_source)
        s->sum[i] += depend;
    s->depend[i] = (1 + depend) / s->paths[i];
    return 1;
}

MW_FN void bc_put(const struct betweenness *s, const struct mw_graph *g, uint64_t w,
                  mw_word looked, mw_word yes, mw_word second)
{
    (void)g, (void)looked, (void)second;
    mw_put_word(s->active, w, yes);
}

MW_FN mw_word bc_active(const struct betweenness *s, const struct mw_graph *g, uint64_t w)
{
    (void)g;
    return mw_word_of(s->active, w);
}

MW_FN uint64_t bc_entries(const struct betweenness *s, const struct mw_graph *g,
                          uint64_t i)
{
    (void)s;
    return g->row[i + 1] - g->row[i];
}

MW_FN uint64_t bc_back_entries(const struct betweenness *s, const struct mw_graph *g,
                               uint64_t i)
{
    (void)s;
    return g->in_row[i + 1] - g->in_row[i];
}

/* Bits of reals that are not negative are in their order. */
MW_FN void bc_largest(const struct betweenness *s, const struct mw_graph *g, uint64_t i)
{
    (void)g;
    mw_lower(s->rest, 0, ~mw_bits_of_double(s->sum[i]), true);
}

MW_FN void bc_answer(const struct betweenness *s, const struct mw_graph *g, uint64_t i)
{
    s->score[g->place_of[i]] = (float)(s->sum[i] * s->scale);
}

MW_ENTRIES(bc_teller, betweenness, s->list_end, s->counts->n_listed, bc_any, bc_tell)
MW_UPDATES(bc_hearer, betweenness, bc_hear)
MW_ENTRIES(bc_back_teller, betweenness, s->list_end, s->counts->n_listed, bc_any,
           bc_tell_back)
MW_EACH(bc_beginner, betweenness, g->n_places, bc_begin)
MW_EACH(bc_starter, betweenness, g->n_labels, bc_set_out)
MW_BITS(bc_reacher, betweenness, s->g->n_labels / 64 + 1, bc_labels, bc_reach, bc_put)
MW_LIST_BITS(bc_lister, betweenness, s->g->n_labels / 64 + 1, bc_active, bc_entries,
             s->list, s->list_end, &s->counts->n_listed, &s->counts->n_entries)
MW_BITS(bc_weigher, betweenness, s->g->n_labels / 64 + 1, bc_labels, bc_weigh, bc_put)
MW_LIST_BITS(bc_back_lister, betweenness, s->g->n_labels / 64 + 1, bc_active,
             bc_back_entries, s->list, s->list_end, &s->counts->n_listed,
             &s->counts->n_entries)
MW_WAITED(bc_reacher_waited, bc_reacher)
MW_WAITED(bc_weigher_waited, bc_weigher)
MW_EACH(bc_measurer, betweenness, g->n_labels, bc_largest)
MW_EACH(bc_answerer, betweenness, g->n_labels, bc_answer)
MW_KERNEL_TABLE(betweenness_kernels, bc_teller, bc_back_teller, bc_hearer, bc_beginner,
                bc_starter, bc_reacher_waited, bc_lister, bc_weigher_waited,
                bc_back_lister, bc_measurer, bc_answerer)

#ifdef MW_STEPS /* ---- the rest: compiled once, as C ------------------------------------------ */
#include "traversal/sources.h"

#include <string.h>

MW_STATIC_ASSERT((int)BETWEEN_SOURCES == (int)MW_SOURCES_MAX, "as many may be given");
enum { FORWARD, BACKWARD }; /* exchanges, and steps */
enum { BEGIN = 4, SET_OUT, REACH, LIST, WEIGH, LIST_BACK, LARGEST, ANSWER, N_ROWS };
struct between_options {
    uint32_t sources;
    uint64_t seed;
    bool brandes;
};

static int open_scores(struct mw_traversal *t, const void *options)
{
    const struct between_options *const o = options;
    struct betweenness *const s = t->state;
    s->counts_source = s->by_largest = !o->brandes;
    return mw_sources_draw(t, o->sources, o->seed, s->source, &s->n_sources);
}

static void set_sources(struct mw_traversal *t, const mw_vid *source, uint32_t n)
{
    struct betweenness *const s = t->state;
    memcpy(s->source, source, n * sizeof *source);
    s->n_sources = n;
}

/* Local: who tells in the next step. */
static void list_tellers(struct mw_traversal *t, uint32_t row)
{
    struct between_counts *const counts = ((struct betweenness *)t->state)->counts;
    counts->n_listed = counts->n_entries = 0;
    mw_traversal_sweep(t, row);
}

/* Collective: of all ranks. `rc` is how this rank's exchange ended. */
static int count_tellers(struct mw_traversal *t, int rc)
{
    struct betweenness *const s = t->state;
    uint64_t sum[2] = {s->counts->n_listed, s->counts->n_entries};
    rc = mw_comm_sum_or_fail(t->world->comm, sum, 2, rc);
    t->now.n_active = sum[0];
    t->now.n_active_edges = sum[1];
    return rc;
}

/* Collective. Who is of the level tells forward; if nobody does, the way back begins there. */
static int reach(struct mw_traversal *t, int rc)
{
    mw_traversal_sweep(t, REACH);
    list_tellers(t, LIST);
    rc = count_tellers(t, rc);
    ((struct betweenness *)t->state)->back = t->now.n_active_edges == 0;
    return rc;
}

/* Collective. The next source, if there is one. */
static int set_out(struct mw_traversal *t)
{
    struct betweenness *const s = t->state;
    s->level = 0;
    s->back = false;
    mw_traversal_sweep(t, SET_OUT);
    return reach(t, MW_OK);
}

/* One that reaches nobody has no tellers, and still its turn. */
static void stay_active(struct mw_traversal *t)
{
    const struct betweenness *const s = t->state;
    t->now.n_active = mw_max(t->now.n_active, s->which < s->n_sources);
}

static int start(struct mw_traversal *t, mw_vid key)
{
    struct betweenness *const s = t->state;
    (void)key;
    s->which = 0;
    mw_traversal_sweep(t, BEGIN);
    t->now.n_active = t->now.n_active_edges = 0;
    const int rc = s->n_sources > 0 ? set_out(t) : MW_OK;
    stay_active(t);
    return rc;
}

/* Collective. From this level to the one before it, and from a source to the next one. */
static int go_back(struct mw_traversal *t)
{
    struct betweenness *const s = t->state;
    mw_traversal_sweep(t, WEIGH);
    if (s->level == 0) {
        t->now.n_active = 0;
        return ++s->which < s->n_sources ? set_out(t) : MW_OK;
    }
    list_tellers(t, LIST_BACK);
    const int rc = count_tellers(t, mw_traversal_exchange(t, BACKWARD));
    s->level--;
    return rc;
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    struct betweenness *const s = t->state;
    int rc;
    level->step = s->back ? BACKWARD : FORWARD;
    if (s->back) {
        rc = go_back(t);
    } else {
        rc = mw_traversal_exchange(t, FORWARD);
        s->level++;
        rc = reach(t, rc);
    }
    stay_active(t);
    level->n_found = t->now.n_active;
    return rc;
}

static int finish(struct mw_traversal *t)
{
    struct betweenness *const s = t->state;
    uint64_t rest = UINT64_MAX;
    mw_put(t->world, s->rest, &rest, sizeof rest);
    mw_traversal_sweep(t, LARGEST);
    rest = *(const uint64_t *)mw_see(t->world, &rest, s->rest, sizeof rest);
    const int rc = mw_comm_min(t->world->comm, &rest, 1);
    const double largest = mw_double_of_bits(~rest);
    s->scale = s->by_largest && largest > 0 ? 1 / largest : 1;
    mw_traversal_sweep(t, ANSWER);
    return rc;
}

static uint64_t entries(void *state)
{
    return ((const struct betweenness *)state)->counts->n_entries;
}

static uint32_t value_bits(const struct mw_algorithm_shape *shape, uint32_t n_ranks)
{
    (void)shape, (void)n_ranks;
    return 64;
}

/* ---- the check: the same sums, along rows of tuples, by the owners of what is reached ---------- */

struct oracle {
    struct mw_oracle_rows in, out;
    uint64_t *now,
        *next; /* [n] what vertices of a level tell, bits of doubles; 0: nothing */
    double *paths, *sum; /* [rows] */
    uint64_t *depth;     /* [rows] */
    struct mw_comm *comm;
};

/* What the neighbours in a row of this rank tell, together. */
static double told(const struct oracle *o, const struct mw_oracle_rows *r, uint64_t p)
{
    double sum = 0;
    for (uint64_t k = r->first[p]; k < r->first[p + 1]; k++)
        sum += mw_double_of_bits(o->now[r->to[k]]);
    return sum;
}

/* Collective: what ranks have said of their own vertices in next[] is now told. */
static int tell_all(struct oracle *o, bool *any)
{
    const uint64_t n = o->in.deal.n_vertices;
    const int rc = mw_comm_sum(o->comm, o->next, (uint32_t)n);
    memcpy(o->now, o->next, n * sizeof *o->now);
    memset(o->next, 0, n * sizeof *o->next);
    *any = false;
    for (uint64_t v = 0; v < n && !*any; v++)
        *any = o->now[v] != 0;
    return rc;
}

/* Collective: forward from a source, then back. */
static int expect_source(struct oracle *o, mw_vid source, bool counts_source)
{
    const struct mw_partition *const deal = &o->in.deal;
    uint64_t level = 0;
    bool any = true;
    int rc = MW_OK;
    memset(o->now, 0, deal->n_vertices * sizeof *o->now);
    memset(o->depth, 0xFF, o->in.n * sizeof *o->depth);
    for (; any; level++) {
        for (uint64_t p = 0; p < o->in.n; p++) {
            const mw_vid v = mw_vertex(deal, deal->rank, p);
            const double paths = level > 0 ? told(o, &o->in, p) : v == source;
            if (o->depth[p] != UINT64_MAX || !(paths > 0))
                continue;
            o->depth[p] = level;
            o->paths[p] = paths;
            o->next[v] = mw_bits_of_double(paths);
        }
        MW_TRY(rc, tell_all(o, &any));
    }
    while (level-- > 0) {
        for (uint64_t p = 0; p < o->in.n; p++) {
            if (o->depth[p] != level)
                continue;
            const double depend = o->paths[p] * told(o, &o->out, p);
            o->sum[p] += level > 0 || counts_source ? depend : 0;
            o->next[mw_vertex(deal, deal->rank, p)] =
                mw_bits_of_double((1 + depend) / o->paths[p]);
        }
        MW_TRY(rc, tell_all(o, &any));
    }
end:
    return rc;
}

/* Collective: scores, of all vertices. */
static int expect_scale(const struct oracle *o, bool by_largest, uint64_t *is)
{
    const struct mw_partition *const deal = &o->in.deal;
    uint64_t most = 0;
    int rc;
    for (uint64_t p = 0; p < o->in.n; p++)
        most = mw_max(most, mw_bits_of_double(o->sum[p]));
    MW_TRY(rc, mw_comm_max(o->comm, &most, 1));
    const double scale = by_largest && most > 0 ? 1 / mw_double_of_bits(most) : 1;
    memset(is, 0, deal->n_vertices * sizeof *is);
    for (uint64_t p = 0; p < o->in.n; p++)
        is[mw_vertex(deal, deal->rank, p)] = mw_bits_of_double(o->sum[p] * scale);
    MW_TRY(rc, mw_comm_sum(o->comm, is, (uint32_t)deal->n_vertices));
end:
    return rc;
}

static int expect_scores(const struct mw_edges *list, const struct mw_traversal *t,
                         mw_vid key, uint64_t *is, uint64_t *was)
{
    const struct betweenness *const s = t->state;
    struct oracle o = {.now = was, .next = is, .comm = t->world->comm};
    (void)key;
    int rc = mw_oracle_rows_inwards_new(list, o.comm, was, &o.in);
    if (rc == MW_OK)
        rc = mw_oracle_rows_new(list, o.comm, was, &o.out);
    if (rc == MW_OK) {
        o.paths = mw_alloc("expected paths", 3 * o.in.n, sizeof *o.paths);
        rc = mw_comm_agree(o.comm, o.paths != NULL ? MW_OK : MW_ERR_NOMEM);
    }
    if (rc == MW_OK) {
        o.sum = o.paths + o.in.n;
        o.depth = (uint64_t *)(void *)(o.sum + o.in.n);
        memset(is, 0, list->n_vertices * sizeof *is);
    }
    for (uint32_t k = 0; k < s->n_sources && rc == MW_OK; k++)
        rc = expect_source(&o, s->source[k], s->counts_source);
    if (rc == MW_OK)
        rc = expect_scale(&o, s->by_largest, is);
    mw_free(o.paths);
    mw_oracle_rows_free(&o.in);
    mw_oracle_rows_free(&o.out);
    return rc;
}

static void check_sizes(const struct mw_check_shape *shape,
                        const struct mw_world_shape *world, struct mw_sizes *out)
{
    mw_oracle_sizes(shape, world, out);
    mw_oracle_rows_sizes(shape, world, out);
    mw_oracle_rows_sizes(shape, world, out);
    mw_sizes_add(out, MW_SEARCHING, "expected paths", 3 * shape->n_places,
                 sizeof(double));
}

static const struct mw_check check = {.open = mw_oracle_open,
                                      .close = mw_oracle_close,
                                      .run = mw_oracle_run,
                                      .sizes = check_sizes,
                                      .expect = expect_scores};

/* ---- the algorithm ---------------------------------------------------------------------------- */

/* clang-format off */
#define KERNEL(member) .kernel = MW_ENTRY(betweenness_kernels, member)
#define WORDS .unit = "every n-th 4096 labels"
static const struct mw_row rows[N_ROWS] = {
    {"path teller",  {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell), entries, 1, .exchanges = 1 << FORWARD},
    {"share teller", {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell_back), entries, 1, .exchanges = 1 << BACKWARD},
    {"double relay", {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, .exchanges = 1 << FORWARD | 1 << BACKWARD},
    {"double hearer", {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE}, KERNEL(hear), .exchanges = 1 << FORWARD | 1 << BACKWARD},
    [BEGIN]     = {"begin scores",  KERNEL(begin),     .reads = "label_of", .writes = "score, sum", .unit = "an equal share"},
    [SET_OUT]   = {"set out alone", KERNEL(set_out),   .reads = "the source, label_of", .writes = "paths, depend, depth", .unit = "an equal share"},
    [REACH]     = {"reach",         KERNEL(reach),     .reads = "paths", .writes = "depth, active", WORDS},
    [LIST]      = {"list forward",  KERNEL(list),      .reads = "active, row", .writes = "list, list_end", WORDS},
    [WEIGH]     = {"weigh",         KERNEL(weigh),     .reads = "depth, paths, depend", .writes = "depend, sum, active", WORDS},
    [LIST_BACK] = {"list back",     KERNEL(list_back), .reads = "active, in_row", .writes = "list, list_end", WORDS},
    [LARGEST]   = {"largest",       KERNEL(largest),   .reads = "sum", .writes = "rest", .unit = "an equal share"},
    [ANSWER]    = {"scores",        KERNEL(answer),    .reads = "sum", .writes = "score", .unit = "an equal share"}};

#define BLOCK(name, member, per, bytes) {name, offsetof(struct betweenness, member), MW_OF_CORES, per, bytes, 0}
static const struct mw_block blocks[] = { /* the first is the answer */
    BLOCK("scores", score, MW_PER_PLACE, sizeof(float)),
    BLOCK("sums of dependencies", sum, MW_PER_LABEL, sizeof(double)),
    BLOCK("shortest paths", paths, MW_PER_LABEL, sizeof(double)),
    BLOCK("dependencies", depend, MW_PER_LABEL, sizeof(double)),
    BLOCK("depths", depth, MW_PER_LABEL, sizeof(uint32_t)),
    BLOCK("active vertices", active, MW_PER_WORD, sizeof(uint64_t)),
    BLOCK("list of the active", list, MW_PER_LABEL, sizeof(uint32_t)),
    BLOCK("entries of the active", list_end, MW_PER_LABEL, sizeof(uint64_t)),
    BLOCK("largest sum", rest, MW_PER_RANK, sizeof(uint64_t)),
    {"counts of the active", offsetof(struct betweenness, counts), MW_OF_BOTH, MW_PER_RANK, sizeof(struct between_counts), 0}};

static const struct mw_key keys[] = {
    {.name = "sources", .kind = MW_KEY_COUNT, .value = "N", .min = 1, .max = BETWEEN_SOURCES, .fallback = "4",
     .help = "Vertices that are drawn, from which paths are counted", MW_KEY_FIELD(struct between_options, sources)},
    {.name = "seed", .kind = MW_KEY_COUNT, .value = "S", .min = 0, .max = UINT64_MAX, .fallback = "1",
     .help = "Seed of the draw", MW_KEY_FIELD(struct between_options, seed)},
    {.name = "score", .kind = MW_KEY_WORD, .words = "gap|brandes", .fallback = "gap",
     .help = "gap: sources count as well, and the largest score is 1; brandes: neither", MW_KEY_FIELD(struct between_options, brandes)}};
static const struct mw_value value = {.name = "betweenness", .type = MW_VALUE_REAL, .joined = MW_JOINED_SUM, .relative = 1e-5, .absolute = 1e-9};

MW_ALGORITHM_OF(betweenness_kernels, .name = "betweenness", .summary = "betweenness centrality, from sampled sources",
    .value = &value, .n_values = 1, .step_name = (const char *const[]){"forward", "backward", NULL},
    .keys = &(const struct mw_keys){.key = keys, .n = 3, .options_bytes = sizeof(struct between_options)},
    .row = rows, .n_rows = N_ROWS, .stays = mw_always_stays, .devices_pay = {UINT64_MAX, UINT64_MAX}, .asks_names = true, .value_bits = value_bits, .state_bytes = sizeof(struct betweenness),
    .block = blocks, .n_blocks = sizeof blocks / sizeof *blocks, .open = open_scores, .set_sources = set_sources,
    .start = start, .step = step, .finish = finish, .check = &check)
/* clang-format on */
#endif
