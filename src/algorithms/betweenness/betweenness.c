/* betweenness.c -- betweenness centrality from sampled sources: Brandes 2001, level by level as in the GAP
 * benchmark suite (Beamer, Asanovic and Patterson 2015). docs/betweenness.md says more.
 *
 *      set out    for each source in turn: it has one path, to itself
 *      forward    who was reached in the last level says how many shortest paths lead to it; neighbours that
 *                 are not reached yet add that up, and are reached: reach
 *      backward   from the last level on: who depends on a vertex is known, so it says its share of that for
 *                 each path; neighbours one level before it add that up: weigh
 *      answer     scores, scaled
 *
 * What a level says goes along the edges in one of two ways. Those of the level tell it: push, with a
 * record to another rank. Or those who listen read what all say, which is 0 for who has said nothing yet:
 * pull, from a table by column (table.h). The way that costs less is taken. Nobody who listens has a
 * neighbour that has spoken earlier: forward it would be reached by then, and back no edge leads further
 * than one level.
 *
 * A list has the vertices that are reached, level after level. So a level that is pushed costs what it
 * holds, and a look at a bitmap; one that is pulled forward, a look at all that are not reached; a
 * source, two sweeps over all labels. A listed row has all entries of its vertex: outwards, then inwards
 * where edges have directions.
 *
 * Nobody keeps predecessors: a neighbour whose level is one less is one. The dependency of u on a source is
 * paths(u) times the sum, over those behind it, of (1 + dependency) / paths. So records are doubles in both
 * directions, and both kinds of sum may be made in any order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <meshway/algorithm.h>

enum { BETWEEN_LEVELS = 64 };

struct betweenness {
    const struct mw_graph *g;
    struct mw_active listed; /* the reached, level after level; behind them who listens */
    float *score;            /* [n_places] the answer */
    double *sum;             /* [n_labels] of dependencies on all sources so far */
    double *paths, *depend;  /* [n_labels] on this source; those behind say the second */
    uint32_t *depth;         /* [n_labels] all ones: it is not reached */
    uint64_t *near;          /* bitmap [n_labels]: the next level */
    double *said;            /* [n_labels] by who has spoken; else 0 */
    const double *all;       /* what all ranks say, by column; NULL: there is no table */
    double *pulled;          /* [n_labels] what each of a slice has added up */
    /* All ranks have the same. */
    struct mw_sources sources;
    uint32_t which, level;
    bool back, all_listen, counts_source, by_largest, pulls;
    uint64_t *rest;                     /* [1] the complement of the largest sum's bits */
    uint64_t n_told;                    /* entries of the levels up to this one */
    uint64_t n_entries[BETWEEN_LEVELS]; /* of each of the first levels */
    double scale;
};
struct betweenness_kernels {
    mw_kernel *tell, *hear, *begin, *set_out, *list, *pull, *keep, *reach, *hush, *weigh,
        *largest, *answer;
};

/* ---- elements: compiled for every kind of core, as C11 or C++17 ----------------------------- */

/* Forward, paths from the last level; back, shares of those behind it. */
MW_FN void bc_hear(const struct betweenness *s, const struct mw_graph *g,
                   const struct mw_visit *m)
{
    const uint32_t i = m->child;
    const double x = mw_double_of_bits(m->value);
    (void)g;
    if (!s->back && s->depth[i] == UINT32_MAX) {
        mw_add_real(s->paths, i, x, true);
        (void)mw_take_bit(s->near, i); /* most are set already */
    } else if (s->back && s->depth[i] == s->level - 1) {
        mw_add_real(s->depend, i, x, true);
    }
}

MW_FN uint32_t bc_listed(const struct betweenness *s, uint64_t at)
{
    return s->listed.label[s->listed.first + at];
}

MW_FN uint64_t bc_entries(const struct betweenness *s, const struct mw_graph *g,
                          uint64_t i)
{
    const uint64_t n_out = mw_row_entries(s, g, i);
    if (s->depth[i] != UINT32_MAX)
        return 0;
    return g->directed ? n_out + g->in_row[i + 1] - g->in_row[i] : n_out;
}

/* Entry k of a listed row, if it leads along edges that are wanted: inwards, or outwards. */
MW_FN bool bc_find(const struct betweenness *s, const struct mw_graph *g, uint64_t at,
                   uint64_t k, bool inwards, uint64_t *column)
{
    const uint32_t i = bc_listed(s, at);
    const uint64_t n_out = mw_row_entries(s, g, i);
    const bool out = k < n_out;
    if (g->directed && out == inwards)
        return false;
    *column = out ? mw_row_column(g, i, k) : mw_in_row_column(g, i, k - n_out);
    return true;
}

/* On the way back the level behind tells, along edges inwards. */
MW_FN void bc_tell(const struct betweenness *s, const struct mw_graph *g, uint64_t at,
                   uint64_t k, struct mw_emitter *e)
{
    uint64_t column;
    if (bc_find(s, g, at, k, s->back, &column))
        MW_TELL(bc_hear, s, g, column, mw_bits_of_double(s->said[bc_listed(s, at)]), e);
}

MW_FN double bc_pull(const struct betweenness *s, const struct mw_graph *g, uint64_t at,
                     uint64_t k)
{
    uint64_t column;
    return bc_find(s, g, at, k, !s->back, &column) ? s->all[column] : 0;
}

/* The sum of one of the slice. */
MW_FN void bc_keep(const struct betweenness *s, const struct mw_graph *g, uint64_t at)
{
    const uint32_t i = bc_listed(s, at);
    (void)g;
    (s->back ? s->depend : s->paths)[i] = s->pulled[at];
    if (!s->back && s->pulled[at] > 0)
        mw_set_bit(s->near, i);
}

MW_FN void bc_begin(const struct betweenness *s, const struct mw_graph *g, uint64_t place)
{
    s->score[place] = 0;
    if (g->label_of[place] != MW_NO_LABEL)
        s->sum[g->label_of[place]] = 0;
}

/* 1: it is the source. */
MW_FN uint32_t bc_set_out(const struct betweenness *s, const struct mw_graph *g,
                          uint64_t i)
{
    uint64_t place;
    const bool mine = mw_is_mine(&g->partition, s->sources.vertex[s->which], &place);
    const bool is = mine && g->label_of[place] == i;
    s->paths[i] = is ? 1 : 0;
    s->depend[i] = s->said[i] = 0;
    s->depth[i] = UINT32_MAX;
    return is;
}

MW_FN mw_word bc_to_list(const struct betweenness *s, const struct mw_graph *g,
                         uint64_t w)
{
    return s->all_listen ? mw_all_labels(s, g, w) : mw_word_of(s->near, w);
}

MW_YES_INTO(bc_put, betweenness, s->near)

/* It is of this level, and speaks. */
MW_FN void bc_reach(const struct betweenness *s, const struct mw_graph *g, uint64_t at)
{
    const uint32_t i = bc_listed(s, at);
    (void)g;
    s->depth[i] = s->level;
    s->said[i] = s->paths[i];
    mw_store(s->near, i / 64, 0, true);
}

/* What was said forward is forgotten: on the way back nobody has spoken yet. */
MW_FN void bc_hush(const struct betweenness *s, const struct mw_graph *g, uint64_t i)
{
    (void)g;
    s->said[i] = 0;
}

/* All behind it have said what they have to. */
MW_FN void bc_weigh(const struct betweenness *s, const struct mw_graph *g, uint64_t at)
{
    const uint32_t i = bc_listed(s, at);
    const double depend = s->paths[i] * s->depend[i];
    (void)g;
    if (s->level > 0 || s->counts_source)
        s->sum[i] += depend;
    s->said[i] = (1 + depend) / s->paths[i];
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

MW_ACTIVE_ENTRIES(bc_teller, betweenness, bc_tell)
MW_UPDATES(bc_hearer, betweenness, bc_hear)
MW_EACH(bc_beginner, betweenness, g->n_places, bc_begin)
MW_BITS(bc_starter, betweenness, s->g->n_labels / 64 + 1, mw_all_labels, bc_set_out,
        bc_put)
MW_ACTIVE_BITS(bc_lister, betweenness, s->g->n_labels / 64 + 1, bc_to_list, bc_entries)
MW_ROW_SUMS(bc_puller, betweenness, s->listed.end + s->listed.first, s->listed.counts->n,
            bc_pull, MW_FETCH_NOTHING, s->pulled)
MW_EACH(bc_keeper, betweenness, s->listed.counts->n, bc_keep)
MW_EACH(bc_reacher, betweenness, s->listed.counts->n, bc_reach)
MW_EACH(bc_husher, betweenness, g->n_labels, bc_hush)
MW_EACH(bc_weigher, betweenness, s->listed.counts->n, bc_weigh)
MW_WAITED(bc_starter_waited, bc_starter)
MW_EACH(bc_measurer, betweenness, g->n_labels, bc_largest)
MW_EACH(bc_answerer, betweenness, g->n_labels, bc_answer)
MW_KERNEL_TABLE(betweenness_kernels, bc_teller, bc_hearer, bc_beginner, bc_starter_waited,
                bc_lister, bc_puller, bc_keeper, bc_reacher, bc_husher, bc_weigher,
                bc_measurer, bc_answerer)

#ifdef MW_STEPS /* ---- the rest: compiled once, as C ------------------------------------------ */
#include <string.h>

/* An entry that is told takes as long as so many that are read (measured). */
enum { READ_FOR_ONE_TOLD = 8 };
enum { FORWARD, BACKWARD, PULLS }; /* steps: the last is added */
enum { BEGIN = 3, SET_OUT, LIST, PULL, KEEP, REACH, HUSH, WEIGH, MOST, ANSWER, N_ROWS };
struct between_options {
    uint32_t sources;
    uint64_t seed;
    bool brandes, never_pulls;
};

static int open_scores(struct mw_traversal *t, const void *options)
{
    const struct between_options *const o = options;
    struct betweenness *const s = t->state;
    s->counts_source = s->by_largest = !o->brandes;
    /* On a mesh the management core would have to pull. */
    s->pulls = !o->never_pulls && !t->world->backend->mesh && s->all != NULL;
    return mw_sources_draw(t, o->sources, o->seed, &s->sources);
}

/* Local: who is active behind those that are reached: the next level, or all that are not reached yet. */
static void list_slice(struct mw_traversal *t, bool all_listen)
{
    ((struct betweenness *)t->state)->all_listen = all_listen;
    mw_active_list(t, LIST);
}

/* Collective. The next level is reached, and speaks; if there is none, the way back begins at the one before. */
static int reach_level(struct mw_traversal *t, int rc)
{
    struct betweenness *const s = t->state;
    list_slice(t, false);
    mw_active_sweep(t, REACH);
    mw_active_keep(t, s->level);
    MW_TRY(rc, mw_active_sum(t, rc));
    s->n_told += t->now.n_active_edges;
    if (s->level < BETWEEN_LEVELS)
        s->n_entries[s->level] = t->now.n_active_edges;
    s->back = t->now.n_active == 0;
    if (s->back) {
        s->level -= s->level > 0;
        mw_traversal_sweep(t, HUSH);
        mw_active_choose(t, s->level);
        rc = mw_active_sum(t, MW_OK);
    }
end:
    return rc;
}

/* Local, the same at all ranks: the level has n_told entries, and who listens n_read. A table that moves does so
 * whole. */
static bool pull_pays(const struct mw_traversal *t, uint64_t n_told, uint64_t n_read)
{
    const struct betweenness *const s = t->state;
    const uint64_t moved = mw_table_moves(&t->table) ? t->graph->n_connected : 0;
    return s->pulls && n_read + moved < READ_FOR_ONE_TOLD * n_told;
}

/* Collective. Those of the slice add up what they read along their rows. */
static int pull_sums(struct mw_traversal *t, struct mw_level *level)
{
    level->step += PULLS;
    MW_NEED(mw_table_share(&t->table));
    mw_active_sweep(t, PULL);
    mw_active_sweep(t, KEEP);
    return mw_table_read(&t->table);
}

/* Collective. The next source, if there is one. */
static int set_out(struct mw_traversal *t)
{
    struct betweenness *const s = t->state;
    s->level = 0;
    s->n_told = s->listed.n_kept = s->listed.n_levels = 0;
    s->back = false;
    mw_traversal_sweep(t, SET_OUT);
    return reach_level(t, MW_OK);
}

/* One that reaches nobody has no tellers, and still its turn. */
static void stay_active(struct mw_traversal *t)
{
    const struct betweenness *const s = t->state;
    t->now.n_active = mw_max(t->now.n_active, s->which < s->sources.n);
}

static int start(struct mw_traversal *t, mw_vid key)
{
    struct betweenness *const s = t->state;
    (void)key;
    s->which = 0;
    mw_traversal_sweep(t, BEGIN);
    t->now.n_active = t->now.n_active_edges = 0;
    const int rc = s->sources.n > 0 ? set_out(t) : MW_OK;
    stay_active(t);
    return rc;
}

/* Collective. To the next level. */
static int go_on(struct mw_traversal *t, struct mw_level *level)
{
    struct betweenness *const s = t->state;
    const uint64_t n = t->graph->n_entries << t->graph->directed;
    int rc;
    level->step = FORWARD;
    if (pull_pays(t, t->now.n_active_edges, n - s->n_told)) {
        list_slice(t, true);
        rc = pull_sums(t, level);
    } else {
        rc = mw_traversal_exchange(t, 0);
    }
    s->level++;
    return reach_level(t, rc);
}

/* Collective. From this level to the one before it, and from a source to the next one. Deep levels are taken to
 * be as large as those behind them. */
static int go_back(struct mw_traversal *t, struct mw_level *level)
{
    struct betweenness *const s = t->state;
    const uint64_t n_told = t->now.n_active_edges;
    level->step = BACKWARD;
    mw_active_sweep(t, WEIGH);
    if (s->level == 0) {
        t->now.n_active = 0;
        return ++s->which < s->sources.n ? set_out(t) : MW_OK;
    }
    const uint32_t before = s->level - 1;
    const bool by_pull =
        pull_pays(t, n_told, before < BETWEEN_LEVELS ? s->n_entries[before] : n_told);
    int rc = by_pull ? MW_OK : mw_traversal_exchange(t, 0);
    mw_active_drop(t);
    mw_active_choose(t, before);
    if (by_pull)
        rc = pull_sums(t, level);
    s->level = before;
    return mw_active_sum(t, rc);
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    const bool back = ((const struct betweenness *)t->state)->back;
    const int rc = back ? go_back(t, level) : go_on(t, level);
    stay_active(t);
    level->n_found = t->now.n_active;
    return rc;
}

static int finish(struct mw_traversal *t)
{
    struct betweenness *const s = t->state;
    uint64_t rest = mw_traversal_sweep_word(t, MOST, s->rest, UINT64_MAX);
    const int rc = mw_comm_min(t->world->comm, &rest, 1);
    const double largest = mw_double_of_bits(~rest);
    s->scale = s->by_largest && largest > 0 ? 1 / largest : 1;
    return rc;
}

/* ---- the check: the same sums, along rows of tuples, by the owners of what is reached ---------- */

/* Vertices of a level tell bits of doubles, by is[], which all have in was[]; 0: nothing. */

/* What the neighbours in a row of this rank tell, together. */
static double told(const struct mw_expected *e, const struct mw_oracle_rows *r,
                   uint64_t p)
{
    double sum = 0;
    for (uint64_t k = r->first[p]; k < r->first[p + 1]; k++)
        sum += mw_double_of_bits(e->was[r->to[k]]);
    return sum;
}

/* Collective: forward from a source, then back. A row has a sum of all sources, paths and a depth. */
static int expect_source(const struct mw_expected *e, mw_vid source, bool counts_source)
{
    double *const sum = (double *)(void *)e->room, *const paths = sum + e->rows.n;
    uint64_t *const depth = e->room + 2 * e->rows.n, level = 0, any = 1;
    memset(depth, 0xFF, e->rows.n * sizeof *depth);
    for (; any != 0; level++) {
        for (uint64_t p = 0; p < e->rows.n; p++) {
            const mw_vid v = mw_expected_vertex(&e->rows, p);
            const double n = level > 0 ? told(e, &e->in_rows, p) : v == source;
            if (depth[p] != UINT64_MAX || !(n > 0))
                continue;
            depth[p] = level;
            paths[p] = n;
            e->is[v] = mw_bits_of_double(n);
        }
        MW_NEED(mw_expected_share(e, e->is, e->was, &any));
    }
    while (level-- > 0) {
        for (uint64_t p = 0; p < e->rows.n; p++) {
            if (depth[p] != level)
                continue;
            const double depend = paths[p] * told(e, &e->rows, p);
            sum[p] += level > 0 || counts_source ? depend : 0;
            e->is[mw_expected_vertex(&e->rows, p)] =
                mw_bits_of_double((1 + depend) / paths[p]);
        }
        MW_NEED(mw_expected_share(e, e->is, e->was, &any));
    }
    return MW_OK;
}

static int expect_scores(const struct mw_expected *e)
{
    const struct betweenness *const s = e->t->state;
    const double *const sum = (const double *)(const void *)e->room;
    uint64_t most = 0;
    for (uint32_t k = 0; k < s->sources.n; k++)
        MW_NEED(expect_source(e, s->sources.vertex[k], s->counts_source));
    for (uint64_t p = 0; p < e->rows.n; p++)
        most = mw_max(most, mw_bits_of_double(sum[p]));
    MW_NEED(mw_comm_max(e->comm, &most, 1));
    const double scale = s->by_largest && most > 0 ? 1 / mw_double_of_bits(most) : 1;
    for (uint64_t p = 0; p < e->rows.n; p++)
        e->is[mw_expected_vertex(&e->rows, p)] = mw_bits_of_double(sum[p] * scale);
    return mw_comm_sum(e->comm, e->is, (uint32_t)e->n);
}

static const struct mw_check check =
    MW_CHECK_OF(expect_scores, .with_rows = true, .with_in_rows = true, .place_words = 3);

/* ---- the algorithm ---------------------------------------------------------------------------- */

/* clang-format off */
#define KERNEL(member) .kernel = MW_ENTRY(betweenness_kernels, member)
#define SHARE .unit = "an equal share"
#define WORDS .unit = "every n-th 4096 labels"
static const struct mw_row rows[N_ROWS] = {
    {"path teller",  {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell), mw_active_entries, 1, .exchanges = 1},
    {"double relay", {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, .exchanges = 1},
    {"double hearer", {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE}, KERNEL(hear), .exchanges = 1},
    [BEGIN]   = {"begin scores",  KERNEL(begin),   .reads = "label_of", .writes = "score, sum", SHARE},
    [SET_OUT] = {"set out alone", KERNEL(set_out), .reads = "the source, label_of", .writes = "paths, depend, depth, said, near", WORDS},
    [LIST]    = {"list a slice",  KERNEL(list),    .reads = "near, depth, row", .writes = "list, list_end", WORDS},
    [PULL]    = {"pull sums",     KERNEL(pull), .reads = "list, row, the table", .writes = "pulled", .unit = "rows with an equal share of the entries"},
    [KEEP]    = {"keep sums",     KERNEL(keep),    .reads = "list, pulled", .writes = "paths, near, or depend", SHARE},
    [REACH]   = {"reach",         KERNEL(reach),  .reads = "list, paths", .writes = "depth, said, near", SHARE},
    [HUSH] = {"hush",          KERNEL(hush), .reads = "the level", .writes = "said", SHARE},
    [WEIGH]   = {"weigh",         KERNEL(weigh),   .reads = "list, paths, depend", .writes = "sum, said", SHARE},
    [MOST]    = {"largest",       KERNEL(largest), .reads = "sum", .writes = "rest", SHARE},
    [ANSWER]  = {"scores",        KERNEL(answer),  .reads = "sum", .writes = "score", SHARE}};

#define BLOCK(name, member, per, bytes) {name, offsetof(struct betweenness, member), MW_OF_CORES, per, bytes, 0}
static const struct mw_block blocks[] = { /* the first is the answer */
    BLOCK("scores", score, MW_PER_PLACE, sizeof(float)),
    BLOCK("sums of dependencies", sum, MW_PER_LABEL, sizeof(double)),
    BLOCK("shortest paths", paths, MW_PER_LABEL, sizeof(double)),
    BLOCK("dependencies", depend, MW_PER_LABEL, sizeof(double)),
    BLOCK("depths", depth, MW_PER_LABEL, sizeof(uint32_t)),
    BLOCK("the next level", near, MW_PER_WORD, sizeof(uint64_t)),
    BLOCK("what is said", said, MW_PER_LABEL, sizeof(double)),
    MW_ACTIVE_BLOCKS(betweenness, "list of the reached", "entries of the reached", "counts of a slice"),
    MW_ACTIVE_LEVELS(betweenness, "levels in the list"),
    BLOCK("what is pulled", pulled, MW_PER_LABEL, sizeof(double)),
    BLOCK("largest sum", rest, MW_PER_RANK, sizeof(uint64_t))};

static const struct mw_tabled_block tabled = {"what is said at all ranks", offsetof(struct betweenness, said),
    offsetof(struct betweenness, all), offsetof(struct between_options, never_pulls)};

static const struct mw_key keys[] = {
    MW_SOURCES_KEYS(between_options, "4", "Vertices that are drawn, from which paths are counted"),
    {.name = "score", .kind = MW_KEY_WORD, .words = "gap|brandes", .fallback = "gap",
     .help = "gap: sources count as well, and the largest score is 1; brandes: neither", MW_KEY_FIELD(struct between_options, brandes)},
    {.name = "pull", .kind = MW_KEY_WORD, .words = "auto|off", .fallback = "auto",
     .help = "Who listens reads what neighbours say, where that is less work; off: records", MW_KEY_FIELD(struct between_options, never_pulls)}};

MW_ALGORITHM_OF(betweenness_kernels, .name = "betweenness", .summary = "betweenness centrality, from sampled sources",
    .value = &(const struct mw_value){.name = "betweenness", .type = MW_VALUE_REAL, .joined = MW_JOINED_SUM, .relative = 1e-5, .absolute = 1e-9},
    .n_values = 1, .step_name = (const char *const[]){"forward", "backward", "forward pull", "backward pull", NULL},
    .keys = &(const struct mw_keys){.key = keys, .n = sizeof keys / sizeof *keys, .options_bytes = sizeof(struct between_options)},
    .row = rows, .n_rows = N_ROWS, .stays = mw_always_stays, .devices_pay = {UINT64_MAX, UINT64_MAX}, .asks_names = true, .value_bits = mw_word_value_bits, .state_bytes = sizeof(struct betweenness),
    .block = blocks, .n_blocks = sizeof blocks / sizeof *blocks, .tabled = &tabled, .open = open_scores, .sources = offsetof(struct betweenness, sources),
    .start = start, .step = step, .finish = finish, .answer = ANSWER, .check = &check)
/* clang-format on */
#endif
