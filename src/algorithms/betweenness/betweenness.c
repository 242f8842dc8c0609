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

enum { BETWEEN_SOURCES = 64, BETWEEN_LEVELS = 64 };

struct between_counts {
    uint64_t n_listed, n_entries; /* of the slice */
};
/* A level that has a vertex here. */
struct between_level {
    uint32_t depth, begin; /* of its slice of the list */
};
struct betweenness {
    const struct mw_graph *g;
    float *score;           /* [n_places] the answer */
    double *sum;            /* [n_labels] of dependencies on all sources so far */
    double *paths, *depend; /* [n_labels] on this source; those behind say the second */
    uint32_t *depth;        /* [n_labels] all ones: it is not reached */
    uint64_t *near;         /* bitmap [n_labels]: the next level */
    double *said;           /* [n_labels] by who has spoken; else 0 */
    const double *all;      /* what all ranks say, by column; NULL: there is no table */
    uint32_t *list;         /* [n_labels] level after level; behind them who listens */
    uint64_t *list_end;     /* [n_labels] entries of a slice up to each */
    double *pulled;         /* [n_labels] what each of a slice has added up */
    struct between_level *kept; /* [n_labels] of the host */
    struct between_counts *counts;
    uint64_t first;             /* of the slice of the list that sweeps are of */
    uint64_t n_reached, n_kept; /* in the list, and levels of these */
    /* All ranks have the same. */
    mw_vid source[BETWEEN_SOURCES];
    uint32_t n_sources, which, level;
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

MW_FN bool bc_any(const struct betweenness *s, uint64_t i)
{
    (void)s, (void)i;
    return true;
}

/* To the vertex with label i: forward, paths from the last level; back, shares of those behind it. */
MW_FN void bc_add(const struct betweenness *s, uint64_t i, double x)
{
    if (!s->back && s->depth[i] == UINT32_MAX) {
        mw_add_real(s->paths, i, x, true);
        (void)mw_take_bit(s->near, i); /* most are set already */
    } else if (s->back && s->depth[i] == s->level - 1) {
        mw_add_real(s->depend, i, x, true);
    }
}

MW_FN uint32_t bc_listed(const struct betweenness *s, uint64_t at)
{
    return s->list[s->first + at];
}

MW_FN uint64_t bc_entries(const struct betweenness *s, const struct mw_graph *g,
                          uint64_t i)
{
    const uint64_t n_out = g->row[i + 1] - g->row[i];
    if (s->depth[i] != UINT32_MAX)
        return 0;
    return g->directed ? n_out + g->in_row[i + 1] - g->in_row[i] : n_out;
}

/* Entry k of a listed row, if it leads along edges that are wanted: inwards, or outwards. */
MW_FN bool bc_find(const struct betweenness *s, const struct mw_graph *g, uint64_t at,
                   uint64_t k, bool inwards, uint64_t *column)
{
    const uint32_t i = bc_listed(s, at);
    const uint64_t n_out = g->row[i + 1] - g->row[i];
    const bool out = k < n_out;
    if (g->directed && out == inwards)
        return false;
    *column = out ? mw_number(g->column, g->row[i] + k, g->wide)
                  : mw_number(g->in_column, g->in_row[i] + k - n_out, g->wide);
    return true;
}

/* On the way back the level behind tells, along edges inwards. */
MW_FN void bc_tell(const struct betweenness *s, const struct mw_graph *g, uint64_t at,
                   uint64_t k, struct mw_emitter *e)
{
    uint64_t column;
    if (!bc_find(s, g, at, k, s->back, &column))
        return;
    const uint32_t owner = mw_column_owner(column, g->label_bits);
    const uint32_t label = mw_column_label(column, g->label_bits);
    const double x = s->said[bc_listed(s, at)];
    if (mw_here(e, owner))
        bc_add(s, label, x);
    else
        mw_emit(e, owner, label, mw_bits_of_double(x));
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

/* 1: it is the source. */
MW_FN uint32_t bc_set_out(const struct betweenness *s, const struct mw_graph *g,
                          uint64_t i)
{
    uint64_t place;
    const bool mine = mw_is_mine(&g->partition, s->source[s->which], &place);
    const bool is = mine && g->label_of[place] == i;
    s->paths[i] = is ? 1 : 0;
    s->depend[i] = s->said[i] = 0;
    s->depth[i] = UINT32_MAX;
    return is;
}

MW_FN mw_word bc_labels(const struct betweenness *s, const struct mw_graph *g, uint64_t w)
{
    (void)s;
    return mw_word_below(w, g->n_labels);
}

MW_FN mw_word bc_to_list(const struct betweenness *s, const struct mw_graph *g,
                         uint64_t w)
{
    return s->all_listen ? bc_labels(s, g, w) : mw_word_of(s->near, w);
}

MW_FN void bc_put(const struct betweenness *s, const struct mw_graph *g, uint64_t w,
                  mw_word looked, mw_word yes, mw_word second)
{
    (void)g, (void)looked, (void)second;
    mw_put_word(s->near, w, yes);
}

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

MW_ENTRIES(bc_teller, betweenness, s->list_end + s->first, s->counts->n_listed, bc_any,
           bc_tell)
MW_UPDATES(bc_hearer, betweenness, bc_hear)
MW_EACH(bc_beginner, betweenness, g->n_places, bc_begin)
MW_BITS(bc_starter, betweenness, s->g->n_labels / 64 + 1, bc_labels, bc_set_out, bc_put)
MW_LIST_BITS(bc_lister, betweenness, s->g->n_labels / 64 + 1, bc_to_list, bc_entries,
             s->list + s->first, s->list_end + s->first, &s->counts->n_listed,
             &s->counts->n_entries)
MW_ROW_SUMS(bc_puller, betweenness, s->list_end + s->first, s->counts->n_listed, bc_pull,
            s->pulled)
MW_EACH(bc_keeper, betweenness, s->counts->n_listed, bc_keep)
MW_EACH(bc_reacher, betweenness, s->counts->n_listed, bc_reach)
MW_EACH(bc_husher, betweenness, g->n_labels, bc_hush)
MW_EACH(bc_weigher, betweenness, s->counts->n_listed, bc_weigh)
MW_WAITED(bc_starter_waited, bc_starter)
MW_EACH(bc_measurer, betweenness, g->n_labels, bc_largest)
MW_EACH(bc_answerer, betweenness, g->n_labels, bc_answer)
MW_KERNEL_TABLE(betweenness_kernels, bc_teller, bc_hearer, bc_beginner, bc_starter_waited,
                bc_lister, bc_puller, bc_keeper, bc_reacher, bc_husher, bc_weigher,
                bc_measurer, bc_answerer)

#ifdef MW_STEPS /* ---- the rest: compiled once, as C ------------------------------------------ */
#include "traversal/sources.h"

#include <string.h>

MW_STATIC_ASSERT((int)BETWEEN_SOURCES == (int)MW_SOURCES_MAX, "as many may be given");
/* An entry that is told takes as long as so many that are read (measured). */
enum { READ_FOR_ONE_TOLD = 8 };
enum { FORWARD, BACKWARD, PULLS }; /* steps: the last is added */
enum { BEGIN = 3, SET_OUT, LIST, PULL, KEEP, REACH, HUSH, WEIGH, MOST, ANSWER, N_ROWS };
struct between_options {
    uint32_t sources;
    uint64_t seed;
    bool brandes, never_pulls;
};

static const char kept_name[] = "levels in the list";

static void kept_sizes(uint64_t n_labels, struct mw_sizes *out)
{
    mw_sizes_add(out, MW_SEARCHING, kept_name, n_labels, sizeof(struct between_level));
}

static void sizes(const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_sizes *out)
{
    (void)world;
    kept_sizes(shape->n_labels, out);
}

static int open_scores(struct mw_traversal *t, const void *options)
{
    const struct between_options *const o = options;
    struct betweenness *const s = t->state;
    struct mw_sizes sizes = {0};
    int rc;
    s->counts_source = s->by_largest = !o->brandes;
    kept_sizes(t->graph->n_labels, &sizes);
    s->kept = mw_sizes_take(&sizes, kept_name, sizeof *s->kept);
    MW_TRY(rc, mw_comm_agree(t->world->comm, s->kept != NULL ? MW_OK : MW_ERR_NOMEM));
    /* On a mesh the management core would have to pull. */
    s->pulls = !o->never_pulls && !t->world->backend->mesh && s->all != NULL;
    rc = mw_sources_draw(t, o->sources, o->seed, s->source, &s->n_sources);
end:
    return rc;
}

static void close_scores(struct mw_traversal *t)
{
    struct betweenness *const s = t->state;
    if (s != NULL)
        mw_free(s->kept);
}

static void set_sources(struct mw_traversal *t, const mw_vid *source, uint32_t n)
{
    struct betweenness *const s = t->state;
    memcpy(s->source, source, n * sizeof *source);
    s->n_sources = n;
}

/* Local: a slice behind those that are reached: the next level, or all that are not reached yet. */
static void list_slice(struct mw_traversal *t, bool all_listen)
{
    struct betweenness *const s = t->state;
    s->all_listen = all_listen;
    s->first = s->n_reached;
    s->counts->n_listed = s->counts->n_entries = 0;
    mw_traversal_sweep(t, LIST);
}

/* Local: the slice is the last level in the list, if that is of this depth; else it is empty. */
static void choose_slice(struct mw_traversal *t, uint32_t depth)
{
    struct betweenness *const s = t->state;
    const struct between_level *const last =
        s->n_kept > 0 ? &s->kept[s->n_kept - 1] : NULL;
    s->first = last != NULL && last->depth == depth ? last->begin : s->n_reached;
    const uint64_t n = s->n_reached - s->first;
    s->counts->n_listed = n;
    s->counts->n_entries = 0;
    if (n > 0)
        s->counts->n_entries = *(const uint64_t *)mw_see(
            t->world, &(uint64_t){0}, s->list_end + s->first + n - 1, sizeof(uint64_t));
}

/* Local: the slice is not in the list any more. */
static void drop_slice(struct betweenness *s)
{
    s->n_kept -= s->first < s->n_reached;
    s->n_reached = s->first;
}

/* Local: each of the slice. */
static void sweep_slice(struct mw_traversal *t, uint32_t row)
{
    if (((const struct betweenness *)t->state)->counts->n_listed > 0)
        mw_traversal_sweep(t, row);
}

/* Collective: the slices of all ranks are active. `rc` is how this rank's step ended. */
static int count_slices(struct mw_traversal *t, int rc)
{
    const struct between_counts *const counts =
        ((const struct betweenness *)t->state)->counts;
    uint64_t sum[2] = {counts->n_listed, counts->n_entries};
    rc = mw_comm_sum_or_fail(t->world->comm, sum, 2, rc);
    t->now.n_active = sum[0];
    t->now.n_active_edges = sum[1];
    return rc;
}

/* Collective. The next level is reached, and speaks; if there is none, the way back begins at the one before. */
static int reach_level(struct mw_traversal *t, int rc)
{
    struct betweenness *const s = t->state;
    list_slice(t, false);
    sweep_slice(t, REACH);
    if (s->counts->n_listed > 0)
        s->kept[s->n_kept++] =
            (struct between_level){.depth = s->level, .begin = (uint32_t)s->first};
    s->n_reached += s->counts->n_listed;
    MW_TRY(rc, count_slices(t, rc)); /* else numbers are this rank's alone */
    s->n_told += t->now.n_active_edges;
    if (s->level < BETWEEN_LEVELS)
        s->n_entries[s->level] = t->now.n_active_edges;
    s->back = t->now.n_active == 0;
    if (s->back) {
        s->level -= s->level > 0;
        mw_traversal_sweep(t, HUSH);
        choose_slice(t, s->level);
        rc = count_slices(t, MW_OK);
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
static int pull_sums(struct mw_traversal *t)
{
    int rc;
    MW_TRY(rc, mw_table_share(&t->table));
    sweep_slice(t, PULL);
    sweep_slice(t, KEEP);
    rc = mw_table_read(&t->table);
end:
    return rc;
}

/* Collective. The next source, if there is one. */
static int set_out(struct mw_traversal *t)
{
    struct betweenness *const s = t->state;
    s->level = 0;
    s->n_told = s->n_reached = s->n_kept = 0;
    s->back = false;
    mw_traversal_sweep(t, SET_OUT);
    return reach_level(t, MW_OK);
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

/* Collective. To the next level. */
static int go_on(struct mw_traversal *t, struct mw_level *level)
{
    struct betweenness *const s = t->state;
    const uint64_t n = t->graph->n_entries << t->graph->directed;
    int rc;
    level->step = FORWARD;
    if (pull_pays(t, t->now.n_active_edges, n - s->n_told)) {
        level->step += PULLS;
        list_slice(t, true);
        rc = pull_sums(t);
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
    sweep_slice(t, WEIGH);
    if (s->level == 0) {
        t->now.n_active = 0;
        return ++s->which < s->n_sources ? set_out(t) : MW_OK;
    }
    const uint32_t before = s->level - 1;
    const bool by_pull =
        pull_pays(t, n_told, before < BETWEEN_LEVELS ? s->n_entries[before] : n_told);
    int rc = by_pull ? MW_OK : mw_traversal_exchange(t, 0);
    drop_slice(s);
    choose_slice(t, before);
    if (by_pull) {
        level->step += PULLS;
        rc = pull_sums(t);
    }
    s->level = before;
    return count_slices(t, rc);
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
    uint64_t rest = UINT64_MAX;
    mw_put(t->world, s->rest, &rest, sizeof rest);
    mw_traversal_sweep(t, MOST);
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
    /* Vertices of a level tell bits of doubles, by is[], which all have in was[]; 0: nothing. */
    const struct mw_expected *e;
    double *paths, *sum; /* [rows] */
    uint64_t *depth;     /* [rows] */
};

/* What the neighbours in a row of this rank tell, together. */
static double told(const struct mw_expected *e, const struct mw_oracle_rows *r,
                   uint64_t p)
{
    double sum = 0;
    for (uint64_t k = r->first[p]; k < r->first[p + 1]; k++)
        sum += mw_double_of_bits(e->was[r->to[k]]);
    return sum;
}

/* Collective: forward from a source, then back. */
static int expect_source(const struct oracle *o, mw_vid source, bool counts_source)
{
    const struct mw_expected *const e = o->e;
    uint64_t level = 0, any = 1;
    int rc = MW_OK;
    memset(o->depth, 0xFF, e->rows.n * sizeof *o->depth);
    for (; any != 0; level++) {
        for (uint64_t p = 0; p < e->rows.n; p++) {
            const mw_vid v = mw_expected_vertex(&e->rows, p);
            const double paths = level > 0 ? told(e, &e->in_rows, p) : v == source;
            if (o->depth[p] != UINT64_MAX || !(paths > 0))
                continue;
            o->depth[p] = level;
            o->paths[p] = paths;
            e->is[v] = mw_bits_of_double(paths);
        }
        MW_TRY(rc, mw_expected_share(e, e->is, e->was, &any));
    }
    while (level-- > 0) {
        for (uint64_t p = 0; p < e->rows.n; p++) {
            if (o->depth[p] != level)
                continue;
            const double depend = o->paths[p] * told(e, &e->rows, p);
            o->sum[p] += level > 0 || counts_source ? depend : 0;
            e->is[mw_expected_vertex(&e->rows, p)] =
                mw_bits_of_double((1 + depend) / o->paths[p]);
        }
        MW_TRY(rc, mw_expected_share(e, e->is, e->was, &any));
    }
end:
    return rc;
}

/* Collective: scores, of all vertices. */
static int expect_scale(const struct oracle *o, bool by_largest)
{
    const struct mw_expected *const e = o->e;
    uint64_t most = 0;
    int rc;
    for (uint64_t p = 0; p < e->rows.n; p++)
        most = mw_max(most, mw_bits_of_double(o->sum[p]));
    MW_TRY(rc, mw_comm_max(e->comm, &most, 1));
    const double scale = by_largest && most > 0 ? 1 / mw_double_of_bits(most) : 1;
    for (uint64_t p = 0; p < e->rows.n; p++)
        e->is[mw_expected_vertex(&e->rows, p)] = mw_bits_of_double(o->sum[p] * scale);
    rc = mw_comm_sum(e->comm, e->is, (uint32_t)e->n);
end:
    return rc;
}

static int expect_scores(const struct mw_expected *e)
{
    const struct betweenness *const s = e->t->state;
    double *const room = (double *)(void *)e->room;
    const struct oracle o = {e, room, room + e->rows.n, e->room + 2 * e->rows.n};
    int rc = MW_OK;
    for (uint32_t k = 0; k < s->n_sources; k++)
        MW_TRY(rc, expect_source(&o, s->source[k], s->counts_source));
    rc = expect_scale(&o, s->by_largest);
end:
    return rc;
}

static const struct mw_check check =
    MW_CHECK_OF(expect_scores, .with_rows = true, .with_in_rows = true, .place_words = 3);

/* ---- the algorithm ---------------------------------------------------------------------------- */

/* clang-format off */
#define KERNEL(member) .kernel = MW_ENTRY(betweenness_kernels, member)
#define SHARE .unit = "an equal share"
#define WORDS .unit = "every n-th 4096 labels"
static const struct mw_row rows[N_ROWS] = {
    {"path teller",  {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell), entries, 1, .exchanges = 1},
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
    BLOCK("list of the reached", list, MW_PER_LABEL, sizeof(uint32_t)),
    BLOCK("entries of the reached", list_end, MW_PER_LABEL, sizeof(uint64_t)),
    BLOCK("what is pulled", pulled, MW_PER_LABEL, sizeof(double)),
    BLOCK("largest sum", rest, MW_PER_RANK, sizeof(uint64_t)),
    {"counts of a slice", offsetof(struct betweenness, counts), MW_OF_BOTH, MW_PER_RANK, sizeof(struct between_counts), 0}};
static const struct mw_tabled_block tabled = {"what is said at all ranks", offsetof(struct betweenness, said),
    offsetof(struct betweenness, all), offsetof(struct between_options, never_pulls)};

static const struct mw_key keys[] = {
    {.name = "sources", .kind = MW_KEY_COUNT, .value = "N", .min = 1, .max = BETWEEN_SOURCES, .fallback = "4",
     .help = "Vertices that are drawn, from which paths are counted", MW_KEY_FIELD(struct between_options, sources)},
    {.name = "seed", .kind = MW_KEY_COUNT, .value = "S", .min = 0, .max = UINT64_MAX, .fallback = "1",
     .help = "Seed of the draw", MW_KEY_FIELD(struct between_options, seed)},
    {.name = "score", .kind = MW_KEY_WORD, .words = "gap|brandes", .fallback = "gap",
     .help = "gap: sources count as well, and the largest score is 1; brandes: neither", MW_KEY_FIELD(struct between_options, brandes)},
    {.name = "pull", .kind = MW_KEY_WORD, .words = "auto|off", .fallback = "auto",
     .help = "Who listens reads what neighbours say, where that is less work; off: records", MW_KEY_FIELD(struct between_options, never_pulls)}};
static const struct mw_value value = {.name = "betweenness", .type = MW_VALUE_REAL, .joined = MW_JOINED_SUM, .relative = 1e-5, .absolute = 1e-9};

MW_ALGORITHM_OF(betweenness_kernels, .name = "betweenness", .summary = "betweenness centrality, from sampled sources",
    .value = &value, .n_values = 1, .step_name = (const char *const[]){"forward", "backward", "forward pull", "backward pull", NULL},
    .keys = &(const struct mw_keys){.key = keys, .n = sizeof keys / sizeof *keys, .options_bytes = sizeof(struct between_options)},
    .row = rows, .n_rows = N_ROWS, .stays = mw_always_stays, .devices_pay = {UINT64_MAX, UINT64_MAX}, .asks_names = true, .value_bits = value_bits, .state_bytes = sizeof(struct betweenness),
    .block = blocks, .n_blocks = sizeof blocks / sizeof *blocks, .tabled = &tabled, .sizes = sizes, .open = open_scores, .close = close_scores, .set_sources = set_sources,
    .start = start, .step = step, .finish = finish, .check = &check)
/* clang-format on */
#endif
