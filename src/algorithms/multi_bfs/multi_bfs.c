/* multi_bfs.c -- breadth-first searches from up to 64 sources at once, a bit of a word each: MS-BFS, after
 * Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann and Vo, "The More the Merrier", VLDB 2014.
 * docs/multi_bfs.md says more.
 *
 *      begin, set out   sources have their own bit
 *      level            who was reached in the last one tells neighbours by which sources. Or who is not
 *                       reached by all reads what neighbours were reached by, until nobody is missing:
 *                       pull news, from a table of all ranks, by column (table.h)
 *                       what is new of that counts: settle. Who has news is listed: list news
 *      answer           sources get their eccentricity
 *
 * Bits are only ever added, so records may come in any order, and one record does the work of up to 64.
 * Sources of a small world soon reach the same vertices at the same time: then a row is gone over once for
 * all of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <meshway/algorithm.h>

struct multi_bfs {
    const struct mw_graph *g;
    struct mw_active listed;                  /* who is active and has a row */
    void *distances, *n_reach, *eccentricity; /* [n_places] the answers */
    uint64_t *seen, *now, *next;              /* [n_labels] a bit for each source */
    const uint64_t *all; /* `now` of all ranks, by column; NULL: there is no table */
    uint64_t *active;    /* bitmap [n_labels]: now is not 0 */
    uint64_t *found;     /* [1] who reached anybody in this level */
    /* All ranks have the same. */
    struct mw_sources sources;
    uint32_t farthest[MW_SOURCES_MAX]; /* the last level that reached anybody */
    uint32_t level;
    bool may_pull;
    uint64_t n_in;   /* entries of rows inwards */
    uint64_t abroad; /* sources that have reached anybody in the last level */
};
struct multi_bfs_kernels {
    mw_kernel *tell, *hear, *begin, *set_out, *pull, *pull_entries, *settle, *list,
        *answer;
};

/* ---- elements: compiled for every kind of core, as C11 or C++17 ----------------------------- */

/* Sources reach a vertex. */
MW_FN void multi_hear(const struct multi_bfs *s, const struct mw_graph *g,
                      const struct mw_visit *m)
{
    (void)g;
    if ((m->value & ~s->seen[m->child] & ~mw_load(s->next, m->child, true)) != 0)
        mw_or(&s->next[m->child], m->value);
}

MW_FN void multi_tell(const struct multi_bfs *s, const struct mw_graph *g, uint64_t at,
                      uint64_t k, struct mw_emitter *e)
{
    const uint32_t i = s->listed.label[at];
    MW_TELL(multi_hear, s, g, mw_row_column(g, i, k), s->now[i], e);
}

MW_FN void multi_begin(const struct multi_bfs *s, const struct mw_graph *g,
                       uint64_t place)
{
    const uint32_t i = g->label_of[place];
    mw_set_number(s->distances, place, 0, g->wide);
    mw_set_number(s->n_reach, place, 0, g->wide);
    mw_set_number(s->eccentricity, place, UINT64_MAX, g->wide);
    if (i != MW_NO_LABEL)
        s->seen[i] = s->now[i] = s->next[i] = 0;
}

MW_FN void multi_set_out(const struct multi_bfs *s, const struct mw_graph *g, uint64_t k)
{
    uint64_t place;
    if (!mw_is_mine(&g->partition, s->sources.vertex[k], &place))
        return;
    if (g->label_of[place] ==
        MW_NO_LABEL) /* it was given, not drawn: it reaches itself */
        mw_set_number(s->n_reach, place, 1, g->wide);
    else
        mw_or(&s->next[g->label_of[place]], UINT64_C(1) << k);
}

/* Of the sources that may come now, those that neighbours were reached by. */
MW_FN uint64_t multi_read(const struct multi_bfs *s, const struct mw_graph *g, uint64_t i,
                          uint64_t missing, bool wide)
{
    uint64_t news = 0;
    for (uint64_t k = g->in_row[i]; k < g->in_row[i + 1] && (missing & ~news) != 0; k++)
        news |= s->all[mw_number(g->in_column, k, wide)];
    return news & missing;
}

MW_FN void multi_pull(const struct multi_bfs *s, const struct mw_graph *g, uint64_t i)
{
    const uint64_t missing = s->abroad & ~s->seen[i];
    if (missing != 0)
        s->next[i] = g->wide ? multi_read(s, g, i, missing, true)
                             : multi_read(s, g, i, missing, false);
}

/* The same, where a row is many cores' work. */
MW_FN void multi_pull_entry(const struct multi_bfs *s, const struct mw_graph *g,
                            uint64_t i, uint64_t k)
{
    const uint64_t missing = s->abroad & ~s->seen[i] & ~mw_load(s->next, i, true);
    if (missing == 0)
        return;
    const uint64_t news = s->all[mw_in_row_column(g, i, k)] & missing;
    if (news != 0)
        mw_or(&s->next[i], news);
}

/* 1: it has news. */
MW_FN uint32_t multi_settle(const struct multi_bfs *s, const struct mw_graph *g,
                            uint64_t i)
{
    const uint64_t news = s->next[i] & ~s->seen[i];
    s->next[i] = 0;
    s->now[i] = news;
    if (news == 0)
        return 0;
    const uint64_t place = g->place_of[i];
    const uint64_t n = mw_count_bits(news);
    s->seen[i] |= news;
    mw_set_number(s->distances, place,
                  mw_number(s->distances, place, g->wide) + n * s->level, g->wide);
    mw_set_number(s->n_reach, place, mw_number(s->n_reach, place, g->wide) + n, g->wide);
    if ((news & ~mw_load(s->found, 0, true)) != 0)
        mw_or(s->found, news);
    return 1;
}

MW_YES_INTO(multi_settled, multi_bfs, s->active)

MW_FN mw_word multi_active(const struct multi_bfs *s, const struct mw_graph *g,
                           uint64_t w)
{
    (void)g;
    return mw_word_of(s->active, w);
}

MW_FN void multi_answer(const struct multi_bfs *s, const struct mw_graph *g, uint64_t k)
{
    uint64_t place;
    if (mw_is_mine(&g->partition, s->sources.vertex[k], &place))
        mw_set_number(s->eccentricity, place, s->farthest[k], g->wide);
}

MW_ACTIVE_ENTRIES(multi_teller, multi_bfs, multi_tell)
MW_UPDATES(multi_hearer, multi_bfs, multi_hear)
MW_EACH(multi_beginner, multi_bfs, g->n_places, multi_begin)
MW_EACH(multi_starter, multi_bfs, s->sources.n, multi_set_out)
MW_ROWS(multi_puller, multi_bfs, s->g->in_row + 1, s->g->n_labels, multi_pull)
MW_PAIRS(multi_entry_puller, multi_bfs, s->g->in_row + 1, s->g->n_labels, s->n_in, mw_any,
         multi_pull_entry)
MW_BITS(multi_settler, multi_bfs, s->g->n_labels / 64 + 1, mw_all_labels, multi_settle,
        multi_settled)
MW_WAITED(multi_settler_waited, multi_settler)
MW_ACTIVE_BITS(multi_lister, multi_bfs, s->g->n_labels / 64 + 1, multi_active,
               mw_row_entries)
MW_EACH(multi_answerer, multi_bfs, s->sources.n, multi_answer)
MW_KERNEL_TABLE(multi_bfs_kernels, multi_teller, multi_hearer, multi_beginner,
                multi_starter, multi_puller, multi_entry_puller, multi_settler_waited,
                multi_lister, multi_answerer)

#ifdef MW_STEPS /* ---- the rest: compiled once, as C ------------------------------------------ */
#include <string.h>

/* Of all entries, from which on a level is pulled; among devices of several ranks, whose records cost most (measured). */
enum { PULL_PART = 8, PULL_PART_OF_DEVICES = 100 };
enum { BEGIN = 3, SET_OUT, PULL, PULL_ENTRIES, SETTLE, LIST, ANSWER, N_ROWS };
struct multi_options {
    uint32_t sources;
    bool never_pulls;
    uint64_t seed;
};

static int open_searches(struct mw_traversal *t, const void *options)
{
    const struct multi_options *const o = options;
    struct multi_bfs *const s = t->state;
    s->may_pull = !o->never_pulls && !t->world->backend->mesh && s->all != NULL;
    s->n_in = t->graph->directed ? mw_placed_in_entries(t->world, t->graph)
                                 : mw_placed_entries(t->world, t->graph);
    return mw_sources_draw(t, o->sources, o->seed, &s->sources);
}

/* Collective: what the level has found, by all ranks. `rc` is how this rank's exchange ended. */
static int end_level(struct mw_traversal *t, int rc)
{
    struct multi_bfs *const s = t->state;
    uint64_t by[MW_SOURCES_MAX];
    const uint64_t found = mw_traversal_sweep_word(t, SETTLE, s->found, 0);
    mw_active_list(t, LIST);
    for (uint32_t k = 0; k < MW_SOURCES_MAX; k++)
        by[k] = found >> k & 1;
    rc = mw_active_sum(t, rc);
    if (rc == MW_OK)
        rc = mw_comm_max(t->world->comm, by, MW_SOURCES_MAX);
    s->abroad = 0;
    for (uint32_t k = 0; k < s->sources.n; k++) {
        s->farthest[k] = by[k] > 0 ? s->level : s->farthest[k];
        s->abroad |= by[k] << k;
    }
    return rc;
}

static int start(struct mw_traversal *t, mw_vid key)
{
    struct multi_bfs *const s = t->state;
    (void)key;
    s->level = 0;
    memset(s->farthest, 0, sizeof s->farthest);
    mw_traversal_sweep(t, BEGIN);
    mw_traversal_sweep(t, SET_OUT);
    return end_level(t, MW_OK);
}

/* Local, the same at all ranks: is this level less work if it is pulled? A word that is read costs less than one
 * that is changed, and a row is often left early. A table that moves does so as a whole. */
static bool pulls(const struct mw_traversal *t)
{
    const struct multi_bfs *const s = t->state;
    const bool moves = mw_table_moves(&t->table);
    const uint64_t moved = moves ? t->graph->n_connected : 0;
    const uint64_t part =
        moves && !mw_host_reaches(t->world->backend) ? PULL_PART_OF_DEVICES : PULL_PART;
    return s->may_pull && part * t->now.n_active_edges > t->graph->n_entries + moved;
}

/* Collective. */
static int pull(struct mw_traversal *t)
{
    MW_NEED(mw_table_share(&t->table));
    mw_traversal_sweep(t, mw_host_reaches(t->world->backend) ? PULL : PULL_ENTRIES);
    return mw_table_read(&t->table);
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    const int rc = pulls(t) ? pull(t) : mw_traversal_exchange(t, 0);
    ((struct multi_bfs *)t->state)->level++;
    const int ended = end_level(t, rc);
    level->n_found = t->now.n_active;
    return ended;
}

static int facts(struct mw_traversal *t, uint64_t *fact)
{
    const struct multi_bfs *const s = t->state;
    fact[0] = s->sources.n;
    fact[1] = 0;
    for (uint32_t k = 0; k < s->sources.n; k++)
        fact[1] = mw_max(fact[1], s->farthest[k]);
    return MW_OK;
}

/* ---- the check: the same searches, along rows of tuples, by the owners of what is reached ------ */

/* Vertices of this rank are reached by sources that have just reached their neighbours. The third part of
 * is[] says of all vertices which these are; was[] gets those of this level. */
static void expect_level(const struct mw_expected *e, uint64_t level)
{
    const struct mw_oracle_rows *const rows = &e->in_rows;
    const uint64_t *const now = e->is + 2 * e->n;
    uint64_t *const distances = e->is, *const n_reach = e->is + e->n, *seen = e->room;
    for (uint64_t p = 0; p < rows->n; p++) {
        const mw_vid v = mw_expected_vertex(rows, p);
        uint64_t news = level == 0 ? now[v] : 0;
        for (uint64_t k = rows->first[p]; level > 0 && k < rows->first[p + 1]; k++)
            news |= now[rows->to[k]];
        news &= ~seen[p];
        const uint64_t n = (uint64_t)__builtin_popcountll(news);
        seen[p] |= news;
        distances[v] += n * level;
        n_reach[v] += n;
        e->was[v] = news;
    }
}

/* A vertex is one rank's, so sums are what it has found. */
static int expect_searches(const struct mw_expected *e)
{
    const struct multi_bfs *const s = e->t->state;
    uint64_t *const now = e->is + 2 * e->n, farthest[MW_SOURCES_MAX] = {0}, found = 1;
    memset(e->was, 0, e->n * sizeof *e->was);
    for (uint32_t k = 0; k < s->sources.n; k++)
        now[s->sources.vertex[k]] |= UINT64_C(1) << k;
    for (uint64_t level = 0; found != 0; level++) {
        expect_level(e, level);
        MW_NEED(mw_expected_share(e, e->was, now, &found));
        for (uint32_t k = 0; k < MW_SOURCES_MAX; k++)
            farthest[k] = found >> k & 1 ? level : farthest[k];
    }
    MW_NEED(mw_comm_sum(e->comm, e->is, (uint32_t)e->n));
    MW_NEED(mw_comm_sum(e->comm, e->is + e->n, (uint32_t)e->n));
    memset(now, 0xFF, e->n * sizeof *now);
    for (uint32_t k = 0; k < s->sources.n; k++)
        now[s->sources.vertex[k]] = farthest[k];
    return MW_OK;
}

static const struct mw_check check =
    MW_CHECK_OF(expect_searches, .n_expected = 3, .with_in_rows = true, .place_words = 1);

/* ---- the algorithm ---------------------------------------------------------------------------- */

/* clang-format off */
#define KERNEL(member) .kernel = MW_ENTRY(multi_bfs_kernels, member)
static const struct mw_row rows[N_ROWS] = {
    {"news teller", {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell), mw_active_entries, 1, .exchanges = 1},
    {"news relay",  {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, .exchanges = 1},
    {"news hearer", {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  KERNEL(hear), .exchanges = 1},
    [BEGIN]   = {"begin searches", KERNEL(begin), .reads = "label_of", .writes = "answers, seen, now, next", .unit = "an equal share"},
    [SET_OUT] = {"set out",     KERNEL(set_out), .reads = "the sources, label_of", .writes = "next, n_sources", .unit = "an equal share"},
    [PULL]    = {"pull news",   KERNEL(pull),    .reads = "rows inwards, seen, the table", .writes = "next", .unit = "rows with an equal share of the entries"},
    [PULL_ENTRIES] = {"pull news by entries", KERNEL(pull_entries), .reads = "rows inwards, seen, the table, next", .writes = "next", .unit = "an equal share of the entries"},
    [SETTLE]  = {"settle news", KERNEL(settle),  .reads = "next, seen", .writes = "seen, now, next, answers, active, found", .unit = "every n-th 4096 labels"},
    [LIST]    = {"list news",   KERNEL(list),    .reads = "active, row", .writes = "list, list_end", .unit = "every n-th 4096 labels"},
    [ANSWER]  = {"eccentricities", KERNEL(answer), .reads = "the sources", .writes = "eccentricity", .unit = "an equal share"}};

#define BLOCK(name, member, per, bytes) {name, offsetof(struct multi_bfs, member), MW_OF_CORES, per, bytes, 0}
static const struct mw_block blocks[] = { /* the first three are the answers */
    BLOCK("sums of distances", distances, MW_PER_PLACE, 0),
    BLOCK("numbers of sources", n_reach, MW_PER_PLACE, 0),
    BLOCK("eccentricities", eccentricity, MW_PER_PLACE, 0),
    BLOCK("sources seen", seen, MW_PER_LABEL, sizeof(uint64_t)),
    BLOCK("sources seen now", now, MW_PER_LABEL, sizeof(uint64_t)),
    BLOCK("sources seen next", next, MW_PER_LABEL, sizeof(uint64_t)),
    BLOCK("active vertices", active, MW_PER_WORD, sizeof(uint64_t)),
    BLOCK("sources that reach", found, MW_PER_RANK, sizeof(uint64_t)),
    MW_ACTIVE_BLOCKS(multi_bfs, "list of the active", "entries of the active", "counts of the active")};
static const struct mw_tabled_block tabled = {"sources seen at all ranks", offsetof(struct multi_bfs, now),
    offsetof(struct multi_bfs, all), offsetof(struct multi_options, never_pulls)};

static const struct mw_value values[] = {
    {.name = "distance_sum", .type = MW_VALUE_COUNT, .unit = "edges", .joined = MW_JOINED_SUM},
    {.name = "n_sources", .type = MW_VALUE_COUNT, .unit = "sources", .joined = MW_JOINED_SUM},
    {.name = "eccentricity", .type = MW_VALUE_COUNT, .unit = "edges"}};

static const struct mw_key keys[] = {
    MW_SOURCES_KEYS(multi_options, "64", "Searches at once, from vertices that are drawn"),
    {.name = "pull", .kind = MW_KEY_WORD, .words = "auto|off", .fallback = "auto",
     .help = "Who is not reached reads what neighbours were reached by, where that is less work; off: records", MW_KEY_FIELD(struct multi_options, never_pulls)}};

static const struct mw_counter fact_names[] = {
    {.name = "n_sources", .kind = MW_COUNT_SAME, .always = true},
    {.name = "largest_eccentricity", .kind = MW_COUNT_SAME, .always = true}};
/* clang-format on */

MW_ALGORITHM_OF(
    multi_bfs_kernels, .name = "multi_bfs",
    .summary = "breadth-first searches from up to 64 sources at once", .value = values,
    .n_values = 3, .step_name = (const char *const[]){"level", NULL},
    .keys = &(const struct mw_keys){.key = keys,
                                    .n = 3,
                                    .options_bytes = sizeof(struct multi_options)},
    .fact = fact_names, .n_facts = 2, .row = rows, .n_rows = N_ROWS,
    .stays = mw_always_stays, .devices_pay = {1 << 28, UINT64_MAX}, .asks_names = true,
    .value_bits = mw_word_value_bits, .state_bytes = sizeof(struct multi_bfs),
    .block = blocks, .n_blocks = sizeof blocks / sizeof *blocks, .tabled = &tabled,
    .open = open_searches, .sources = offsetof(struct multi_bfs, sources), .start = start,
    .step = step, .answer = ANSWER, .facts = facts, .check = &check)
#endif
