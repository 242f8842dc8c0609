/* forecast.c -- see forecast.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/forecast_state.h"

#include "algorithms/bfs/bfs.h"
#include "graph/delegates.h"
#include "mpe/world.h"

#include <math.h>
#include <string.h>

/* ---- what is fixed --------------------------------------------------------------------------- */

bool mw_forecast_knows(const struct mw_algorithm *a)
{
    return a == &mw_algorithm_bfs;
}

struct mw_direction_rule mw_forecast_rule(const void *options,
                                          const struct mw_backend *backend)
{
    struct mw_direction_rule rule = {.few = 0};
    if (options != NULL)
        rule = *(const struct mw_direction_rule *)options;
    if (!mw_bfs_tells(backend)) {
        rule.few = MW_FEW_NONE;
        rule.asks_all = true; /* the same backends follow */
    }
    return rule;
}

/* Which part of each class is among the first `n` vertices, those of highest degree first. */
static void first_of(const struct mw_classes *c, double n, double *share)
{
    for (uint32_t k = 0; k < c->n; k++) {
        const double connected = c->n_vertices[k] * -expm1(-c->degree[k]);
        share[k] = connected > 0 ? fmin(1, n / connected) : 1;
        n = fmax(0, n - connected);
    }
}

/* Of a class the share whose degree reaches a bound, where degrees vary as a Poisson
 * variable does. */
static double share_above(double mean, double bound)
{
    return mean > 0 ? 0.5 * erfc((bound - mean) / sqrt(2 * mean)) : 0;
}

/* Classes, and of the last one a part, while they make up no more than the share that may be. */
static void choose_delegates(struct mw_forecast_state *s)
{
    const struct mw_forecast_conf *conf = s->conf;
    const double bound = conf->delegate > 0
                             ? (double)conf->delegate
                             : (double)mw_delegates_least(conf->groups.n_ranks);
    const double most =
        conf->delegate > 0 ? INFINITY : s->c->n_entries / MW_DELEGATE_SHARE;
    if (!s->shape.means.classes || conf->delegate == MW_DELEGATE_OFF)
        return;
    for (uint32_t k = 0; k < s->c->n; k++) {
        const double room = most - s->shape.n_delegated_entries;
        const double all = s->c->n_vertices[k] * s->c->degree[k];
        const double share =
            fmin(share_above(s->c->degree[k], bound), all > 0 ? room / all : 0);
        const double n = share * s->c->n_vertices[k];
        s->delegated[k] = share;
        s->shape.n_delegated += n;
        s->shape.n_delegated_entries += n * s->c->degree[k];
    }
}

/* Neighbours of a class that need no question: hubs, and a rank's own. */
static double looked_up(const struct mw_forecast_state *s, uint32_t j)
{
    const double hub = s->hub[MW_BOTTOM_UP][j];
    return hub + (1 - hub) / s->conf->groups.n_ranks;
}

/* A row follows its first neighbour that does. */
static void choose_followers(struct mw_forecast_state *s)
{
    const double n_ranks = s->conf->groups.n_ranks, pairs = n_ranks * (n_ranks - 1);
    if (!s->shape.means.follows)
        return;
    for (uint32_t k = 0; k < s->c->n; k++) {
        double before = s->c->n_vertices[k];
        for (uint32_t j = 0; j < s->c->n; j++) {
            const double n = s->c->reach[k][j] * (1 - looked_up(s, j));
            s->n_followers[j] += before * -expm1(-n);
            s->n_all_followers += before * -expm1(-n);
            before *= exp(-n);
        }
    }
    const double each = s->n_all_followers / pairs;
    s->n_follow_words = pairs * -expm1(-each) * fmax(1, each / 32 + 0.5);
}

static void settle_shape(struct mw_forecast_state *s)
{
    const struct mw_forecast_conf *conf = s->conf;
    const double n_ranks = conf->groups.n_ranks;
    s->n_labels = s->c->n_connected / n_ranks;
    const uint32_t label_bits = mw_label_bits((uint64_t)ceil(s->n_labels));
    s->shape.means = mw_direction_means(&conf->rule, conf->groups.n_ranks, conf->n_hosts,
                                        mw_columns_of(1, label_bits));
    for (int d = 0; d < 2; d++)
        first_of(s->c, n_ranks * s->shape.means.hubs[d], s->hub[d]);
    choose_delegates(s);
    choose_followers(s);
}

static double visited_share(const struct mw_forecast_state *s, uint32_t k)
{
    return s->c->n_vertices[k] > 0 ? 1 - s->left[k] / s->c->n_vertices[k] : 0;
}

/* ---- top-down -------------------------------------------------------------------------------------- */

/* Which columns count as met without having been: all that is visited, or hubs that
 * others have told. */
static void refresh(struct mw_forecast_state *s, double n_edges)
{
    const double words =
        s->shape.means.by_bitmap ? s->c->n_connected / 64 : s->n_labels / 64;
    const double edges = n_edges / s->conf->groups.n_ranks;
    const bool all = s->shape.means.by_bitmap && s->conf->n_hosts == 1 &&
                     edges > MW_REFRESH_EDGES * words &&
                     s->n_visited > words / MW_REFRESH_WORDS;
    for (uint32_t k = 0; k < s->c->n; k++) {
        const double share = all ? 1 : s->hub[MW_TOP_DOWN][k];
        s->met[k] = fmax(s->met[k], share * visited_share(s, k));
    }
}

/* Columns that a lane has not met, of all lanes: each edge of the frontier ends
 * somewhere, several of a lane's at one vertex. Without those of the given shares of
 * classes. */
static double fresh_columns(struct mw_forecast_state *s, const double *without)
{
    const double n_lanes = (double)s->conf->groups.n_ranks * s->conf->n_lanes;
    double fresh = 0;
    for (uint32_t j = 0; j < s->c->n; j++) {
        double ends = 0;
        for (uint32_t k = 0; k < s->c->n; k++)
            ends += s->now[k] * (1 - without[k]) * s->c->reach[k][j];
        const double hit = -expm1(-ends / (n_lanes * fmax(1e-300, s->c->n_vertices[j])));
        /* Without a bitmap only hubs are remembered. */
        const double remembers = s->shape.means.by_bitmap ? 1 : s->hub[MW_TOP_DOWN][j];
        fresh += remembers * n_lanes * s->c->n_vertices[j] * hit * (1 - s->met[j]);
        fresh += (1 - remembers) * ends;
        s->met[j] += remembers * hit * (1 - s->met[j]);
    }
    return fresh;
}

/* All ranks hear of edges that lead elsewhere, after a head for each row that has one, and of
 * delegated vertices; nobody sends a record. */
static void tell_few(struct mw_forecast_state *s, struct mw_forecast_level *l,
                     double n_edges, double n_delegated)
{
    const struct mw_forecast_conf *conf = s->conf;
    const double word = conf->wide ? 8 : 4, here = 1.0 / conf->groups.n_ranks;
    const double rows = fmin(n_edges, fmax(0, l->n_active - n_delegated));
    const double heads = rows > 0 ? rows * (1 - pow(here, fmax(1, n_edges / rows))) : 0;
    l->n_exchanges = 0;
    l->n_told = n_edges * (1 - here) + n_delegated;
    l->n_sets++;
    l->set_bytes += (conf->n_hosts - 1) *
                    (n_edges * (1 - here) * word + (heads + n_delegated) * (4 + word));
}

/* Edges of the longest row of the frontier that is not dealt out: classes stand by falling degree, and
 * it is of the first one in which a vertex is expected. */
static double longest_row(const struct mw_forecast_state *s)
{
    double n = 0;
    for (uint32_t k = 0; k < s->c->n; k++) {
        n += s->now[k] * (1 - s->delegated[k]);
        if (n >= 0.5)
            return s->c->degree[k];
    }
    return 0;
}

static void top_down(struct mw_forecast_state *s, struct mw_forecast_level *l)
{
    const double n_ranks = s->conf->groups.n_ranks;
    double expected = 0, active = 0;
    for (uint32_t k = 0; k < s->c->n; k++) {
        expected += s->now[k] * s->c->degree[k];
        active += s->now[k] * s->delegated[k];
        l->n_delegated_edges += s->now[k] * s->delegated[k] * s->c->degree[k];
    }
    if (expected > 0)
        l->n_delegated_edges *= fmin(1, l->n_active_edges / expected);
    l->n_exchanges = 1;
    if (n_ranks == 1)
        return;
    const double records = fmax(0, l->n_active_edges - l->n_delegated_edges);
    if (records + active <= s->shape.means.n_few) {
        tell_few(s, l, records, active);
        return;
    }
    if (s->shape.means.hubs[MW_TOP_DOWN] > 0)
        mw_forecast_tell_hubs(s, l, MW_TOP_DOWN);
    refresh(s, l->n_active_edges);
    if (active > 0)
        mw_forecast_tell_hosts(s, l, s->shape.n_delegated,
                               mw_forecast_set_bytes(n_ranks,
                                                     s->shape.n_delegated / n_ranks,
                                                     active, active));
    const double scale = expected > 0 ? l->n_active_edges / expected : 0;
    l->n_longest = fmin(records, longest_row(s));
    mw_forecast_send(s, l, fresh_columns(s, s->delegated) * scale);
}

/* ---- bottom-up --------------------------------------------------------------------------------------- */

static void by_bitmap(struct mw_forecast_state *s, struct mw_forecast_level *l)
{
    l->form = MW_FORM_BITMAP;
    l->heads = l->n_unvisited > s->c->n_connected / 16;
    mw_forecast_tell_hosts(s, l, s->c->n_connected,
                           s->conf->groups.n_ranks *
                               mw_forecast_graded_bytes(s, s->n_labels, s->told));
}

/* Rows that no hub and no own neighbour has given a parent, of all unvisited ones; and their other
 * neighbours, of which the first is the one of the highest degree. */
struct asking {
    double askers, entries; /* rows that have such, and how many */
    double first_hits;      /* of the first ones, those in the frontier */
    double others,
        more_hits; /* entries behind a first one that is not, and those of them in the frontier */
};

static void add_asking(const struct mw_forecast_state *s, uint32_t k, struct asking *sum)
{
    const struct mw_classes *c = s->c;
    double known = 0, asked[MW_CLASSES_MAX], active[MW_CLASSES_MAX];
    double after = 0, active_after = 0, before = 1;
    for (uint32_t j = 0; j < c->n; j++) {
        const double seen = looked_up(s, j);
        const double now = c->n_vertices[j] > 0 ? s->now[j] / c->n_vertices[j] : 0;
        known += c->reach[k][j] * seen * now;
        asked[j] = c->reach[k][j] * (1 - seen) * (1 - s->gone[j]);
        active[j] = fmin(asked[j], c->reach[k][j] * (1 - seen) * now);
        after += asked[j];
        active_after += active[j];
    }
    const double rows = s->left[k] * exp(-known);
    sum->askers += rows * -expm1(-after);
    sum->entries += rows * after;
    for (uint32_t j = 0; j < c->n; j++) {
        if (asked[j] <= 0)
            continue; /* hubs */
        /* The first one is of this class; behind it are more of them, and all later ones. */
        const double share = active[j] / asked[j], any = -expm1(-asked[j]);
        after -= asked[j];
        active_after -= active[j];
        const double others = asked[j] - any + any * after;
        const double hits = (asked[j] - any) * share + any * active_after;
        sum->first_hits += rows * before * any * share;
        sum->others += rows * before * (1 - share) * others;
        sum->more_hits += rows * before * (1 - share) * hits;
        before *= exp(-asked[j]);
    }
}

/* Bits of those that rows would ask for first, if that is less than asking. */
static bool follow(struct mw_forecast_state *s, struct mw_forecast_level *l,
                   double askers)
{
    double news = -s->n_told_followers;
    if (s->n_follow_words == 0 || 2 * askers <= s->n_follow_words)
        return false;
    for (uint32_t j = 0; j < s->c->n; j++)
        news += s->n_followers[j] * visited_share(s, j);
    l->n_follow_words = s->n_follow_words * -expm1(-fmax(0, news) / s->n_follow_words);
    l->n_follow_looks = s->n_all_followers - s->n_told_followers;
    s->n_told_followers += news;
    mw_forecast_send(s, l, l->n_follow_words);
    l->n_exchanges++;
    return true;
}

static void ask_owners(const struct mw_forecast_state *s, struct mw_forecast_level *l,
                       double n, double hits)
{
    l->n_sums++; /* is there anybody? */
    if (n < 0.5)
        return;
    mw_forecast_send(s, l, n);
    mw_forecast_send(s, l, hits);
    l->n_questions += n;
    l->n_answers += hits;
    l->n_exchanges += 2;
}

static void by_messages(struct mw_forecast_state *s, struct mw_forecast_level *l)
{
    const double n_ranks = s->conf->groups.n_ranks;
    const double peers = s->conf->groups.n_groups + s->conf->groups.width;
    struct asking a = {0};
    l->form = MW_FORM_MESSAGES;
    if (s->shape.means.hubs[MW_BOTTOM_UP] > 0)
        mw_forecast_tell_hubs(s, l, MW_BOTTOM_UP);
    for (uint32_t k = 0; k < s->c->n; k++)
        add_asking(s, k, &a);
    l->n_sums += s->n_follow_words > 0; /* of rows that would ask */
    if (follow(s, l, a.askers)) {
        ask_owners(s, l, a.others, a.more_hits);
    } else if (a.entries - a.askers > MW_SPARED_QUESTIONS * peers * n_ranks) {
        ask_owners(s, l, a.askers, a.first_hits);
        ask_owners(s, l, a.others, a.more_hits);
    } else {
        ask_owners(s, l, a.entries, a.first_hits + a.more_hits);
    }
}

/* Hubs bottom-up, the frontier's other vertices top-down. */
static void by_mixed(struct mw_forecast_state *s, struct mw_forecast_level *l)
{
    l->form = MW_FORM_MIXED;
    l->n_exchanges = 1;
    if (s->shape.means.hubs[MW_BOTTOM_UP] > 0)
        mw_forecast_tell_hubs(s, l, MW_BOTTOM_UP);
    mw_forecast_send(s, l, fresh_columns(s, s->hub[MW_BOTTOM_UP]));
}

/* Of the forms the quickest, or the one whose bytes between hosts are fewest. */
static void bottom_up(struct mw_forecast_state *s, struct mw_forecast_level *l)
{
    static void (*const by[])(struct mw_forecast_state *, struct mw_forecast_level *) = {
        by_bitmap, by_messages, by_mixed};
    static const enum mw_level_form forms[] = {MW_FORM_BITMAP, MW_FORM_MESSAGES,
                                               MW_FORM_MIXED};
    const enum mw_level_form wanted = s->shape.means.form;
    const struct mw_forecast_state before = *s;
    const struct mw_forecast_level empty = *l;
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        struct mw_forecast_state then = before;
        struct mw_forecast_level as = empty;
        if (wanted != MW_FORM_AUTO && wanted != forms[i])
            continue;
        by[i](&then, &as);
        const double cost = s->conf->seconds != NULL ? s->conf->seconds(s->conf->arg, &as)
                                                     : as.link_bytes + as.set_bytes;
        if (cost >= least)
            continue;
        least = cost;
        *s = then;
        *l = as;
    }
}

/* ---- a search ------------------------------------------------------------------------------------------ */

static void level(struct mw_forecast_state *s, struct mw_forecast_level *l)
{
    if (l->direction == MW_TOP_DOWN)
        top_down(s, l);
    else
        bottom_up(s, l);
    if (l->form == MW_FORM_BITMAP)
        mw_forecast_visited(s, s->told);
}

/* What bottom-up has found through a column of another rank, and that no hub names. */
static void ask_names(const struct mw_forecast_state *s, struct mw_forecast_level *last)
{
    mw_forecast_send(s, last, s->unnamed);
    mw_forecast_send(s, last, s->unnamed);
    last->n_exchanges += 2;
    last->n_sums++;
}

void mw_forecast_search(const struct mw_forecast_conf *conf, uint32_t index,
                        struct mw_forecast_search *out, struct mw_forecast_shape *shape)
{
    struct mw_forecast_state s = {.conf = conf, .c = conf->classes};
    enum mw_direction direction = MW_TOP_DOWN;
    double n_active = 1;
    memset(out, 0, sizeof *out);
    settle_shape(&s);
    mw_forecast_start(&s, index);
    if (shape != NULL)
        *shape = s.shape;
    double edges = s.n_drawn, visited_edges = edges;
    while (out->n_levels < MW_FORECAST_LEVELS && n_active >= 0.5 && edges >= 0.5) {
        struct mw_forecast_level *l = &out->level[out->n_levels++];
        l->n_active = n_active;
        l->n_active_edges = edges;
        l->n_sums = conf->groups.n_ranks > 1;
        l->n_unvisited = mw_forecast_connected_left(&s);
        l->n_unvisited_edges = mw_forecast_entries_left(&s);
        const struct mw_direction_input in = {
            .n_active = (uint64_t)n_active,
            .n_active_edges = (uint64_t)edges,
            .n_unvisited_edges = (uint64_t)l->n_unvisited_edges,
            .n_connected = (uint64_t)conf->classes->n_connected};
        l->direction = direction = mw_direction_choose(&conf->rule, direction, &in);
        level(&s, l);
        n_active = l->n_found = mw_forecast_advance(&s, &edges);
        visited_edges += edges;
        if (l->form == MW_FORM_BITMAP && conf->asks_names)
            s.unnamed += n_active * (1 - 1.0 / conf->groups.n_ranks);
    }
    if (s.unnamed > 0 && out->n_levels > 0)
        ask_names(&s, &out->level[out->n_levels - 1]);
    out->n_reached = s.n_visited;
    out->n_edges_reached = visited_edges / 2;
}
