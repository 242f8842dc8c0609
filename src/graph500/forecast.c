/* forecast.c -- see forecast.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/forecast.h"

#include "algorithms/bfs/bfs.h"
#include "base/hash.h"
#include "graph/delegates.h"
#include "mpe/set.h"
#include "mpe/world.h"

#include <math.h>
#include <string.h>

enum {
    FEW = 200,             /* edges of a frontier whose neighbours are drawn one by one */
    MOST_NEIGHBOURS = 4096 /* of a root that is drawn */
};

/* Of a class: vertices not reached, those of the frontier, the share of its vertices that
 * are reached and were in a frontier before this one's, and of its columns how many a
 * lane has met. */
struct search {
    const struct mw_forecast_conf *conf;
    const struct mw_classes *c;
    struct mw_forecast_shape shape;
    double hub[2][MW_CLASSES_MAX];    /* share of a class that are hubs, by direction */
    double delegated[MW_CLASSES_MAX]; /* share that is delegated */
    double left[MW_CLASSES_MAX], now[MW_CLASSES_MAX];
    double gone[MW_CLASSES_MAX], met[MW_CLASSES_MAX];
    double n_labels; /* of a rank */
    double n_visited;
    double told_hubs[2][MW_CLASSES_MAX],
        told[MW_CLASSES_MAX]; /* visited, when they were */
    double n_followers
        [MW_CLASSES_MAX]; /* rows that follow a vertex of a class (bfs_follow.h) */
    double n_all_followers, n_follow_words, n_told_followers;
    double unnamed; /* reached bottom-up, without a name */
    double n_drawn; /* edges of the frontier that may lead on, where they were drawn; < 0:
                     * they are expected */
    uint64_t random;
};

/* ---- chance -------------------------------------------------------------------------------- */

/* By splitmix64; 0 <= it < 1. */
static double draw(struct search *s)
{
    const uint64_t drawn = mw_mix(s->random);
    s->random += MW_MIX_STEP;
    return mw_hash_share(drawn);
}

static uint32_t draw_class(struct search *s, const double *weight)
{
    double sum = 0;
    for (uint32_t k = 0; k < s->c->n; k++)
        sum += weight[k];
    double at = draw(s) * sum;
    for (uint32_t k = 0; k + 1 < s->c->n; k++) {
        if (at < weight[k])
            return k;
        at -= weight[k];
    }
    return s->c->n - 1;
}

/* A Poisson variable that is not 0. */
static double draw_degree(struct search *s, double mean)
{
    if (mean > MOST_NEIGHBOURS / 8)
        return mean;
    double p = mean / expm1(mean), at = draw(s), n = 1;
    while (at >= p && n < MOST_NEIGHBOURS) {
        at -= p;
        n++;
        p *= mean / n;
    }
    return n;
}

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
static void choose_delegates(struct search *s)
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
static double looked_up(const struct search *s, uint32_t j)
{
    const double hub = s->hub[MW_BOTTOM_UP][j];
    return hub + (1 - hub) / s->conf->groups.n_ranks;
}

/* A row follows its first neighbour that does. */
static void choose_followers(struct search *s)
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

static void settle_shape(struct search *s)
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

/* ---- sums over classes ------------------------------------------------------------------------ */

static double connected_left(const struct search *s)
{
    double n = 0;
    for (uint32_t k = 0; k < s->c->n; k++) {
        /* Nobody's neighbour so far: of these, who has one that was not in a frontier. */
        double more = 0;
        for (uint32_t j = 0; j < s->c->n; j++)
            more += s->c->reach[k][j] * (1 - s->gone[j]);
        n += s->left[k] * -expm1(-more);
    }
    return n;
}

static double entries_left(const struct search *s)
{
    double n = 0;
    for (uint32_t k = 0; k < s->c->n; k++)
        for (uint32_t j = 0; j < s->c->n; j++)
            n += s->left[k] * s->c->reach[k][j] * (1 - s->gone[j]);
    return n;
}

static double visited_share(const struct search *s, uint32_t k)
{
    return s->c->n_vertices[k] > 0 ? 1 - s->left[k] / s->c->n_vertices[k] : 0;
}

static void visited(const struct search *s, double *n)
{
    for (uint32_t k = 0; k < s->c->n; k++)
        n[k] = s->c->n_vertices[k] - s->left[k];
}

/* ---- sets between hosts ------------------------------------------------------------------------ */

enum { BLOCK_BITS = 64 * MW_SET_BLOCK };

/* Bits, of which some are told; 16 bits for the first and last of each run, or for what
 * is missing. */
struct block {
    double bits, news, runs, missing;
};

static void block_add(struct block *b, double bits, double news, double density)
{
    b->bits += bits;
    b->news += bits * news;
    b->runs += 4 * bits * density * (1 - density);
    b->missing += 2 * bits * (1 - density);
}

/* A head of 12 bytes; words, or 16 bits for each bit that is new, or as above. */
static double block_bytes(const struct block *b)
{
    enum { HEAD = 12 };
    if (b->news <= 0)
        return 0;
    return -expm1(-b->news) * HEAD +
           fmin(fmin(8 * ceil(b->bits / 64), 2 * b->news), fmin(b->runs, b->missing));
}

double mw_forecast_set_bytes(double n_portions, double n_bits, double news, double known)
{
    const double n_blocks = n_portions * fmax(1, ceil(n_bits / BLOCK_BITS));
    const double all = n_portions * n_bits;
    struct block b = {0};
    if (news <= 0 || all <= 0)
        return 0;
    block_add(&b, all / n_blocks, news / all, fmin(1, known / all));
    return n_blocks * block_bytes(&b);
}

/* Bytes of a rank's first `n_bits` labels. They stand by falling degree, so classes lie
 * one after the other, and the first blocks are full while the last are empty. */
static double graded_bytes(const struct search *s, double n_bits, const double *told)
{
    const double n_ranks = s->conf->groups.n_ranks;
    struct block b = {0};
    double sum = 0;
    for (uint32_t k = 0; k < s->c->n && n_bits > 0; k++) {
        const double connected = s->c->n_vertices[k] * -expm1(-s->c->degree[k]);
        const double known = s->c->n_vertices[k] - s->left[k];
        double bits = fmin(n_bits, connected / n_ranks);
        n_bits -= bits;
        while (bits > 1e-6) {
            const double n = b.bits > 0 ? 1 : fmax(1, floor(bits / BLOCK_BITS));
            const double part = fmin(bits, BLOCK_BITS - b.bits);
            block_add(&b, part, fmax(0, known - told[k]) / connected,
                      fmin(1, known / connected));
            bits -= n * part;
            if (b.bits > BLOCK_BITS - 1e-6) {
                sum += n * block_bytes(&b);
                b = (struct block){0};
            }
        }
    }
    return sum + block_bytes(&b);
}

/* What a rank's portion holds goes to every other host once, whatever the order of the steps. */
static void tell_hosts(const struct search *s, struct mw_forecast_level *l, double n_bits,
                       double bytes)
{
    if (s->conf->n_hosts == 1)
        return;
    l->n_sets++;
    l->scanned_bytes += n_bits / 8;
    l->set_bytes += (s->conf->n_hosts - 1) * bytes;
}

static void tell_hubs(struct search *s, struct mw_forecast_level *l, enum mw_direction d)
{
    const uint32_t *hubs = s->shape.means.hubs;
    const double bits = fmin(hubs[d], s->n_labels), n_ranks = s->conf->groups.n_ranks;
    tell_hosts(s, l, n_ranks * bits, n_ranks * graded_bytes(s, bits, s->told_hubs[d]));
    visited(s, s->told_hubs[d]);
    if (hubs[!d] <= hubs[d])
        visited(s, s->told_hubs[!d]);
}

/* ---- messages ------------------------------------------------------------------------------------ */

/* `n` records to owners anywhere, in one stream: on every hop each rank ends its port to
 * each peer. */
static void send(const struct search *s, struct mw_forecast_level *l, double n)
{
    enum { HEAD = MW_FORECAST_HEAD, SEGMENT = 8 };
    const struct mw_forecast_conf *conf = s->conf;
    const double n_ranks = conf->groups.n_ranks, width = conf->groups.width;
    const double rows = conf->groups.n_groups, here = ceil(n_ranks / conf->n_hosts);
    const double bytes = conf->wide ? 16 : 8;
    /* Peers by hop, and of those how many are on other hosts. */
    const double peers[2] = {rows - 1, width - 1};
    const double far_ranks = width > 1 ? fmax(1, here / width) : here;
    const double far[2] = {rows - fmin(rows, far_ranks), width - fmin(width, here)};
    for (int hop = 0; hop < 2; hop++) {
        if (peers[hop] <= 0)
            continue;
        /* What does not stay is 1 - 1/rows on the first hop, 1 - 1/width on the second. */
        const double records = n * peers[hop] / (peers[hop] + 1);
        const double segments = hop == 0 ? 0 : fmin(records, n_ranks * peers[hop] * rows);
        const double links = n_ranks * peers[hop];
        const double data = records * bytes + segments * SEGMENT;
        const double messages = links * fmax(1, ceil(data / links / conf->batch_bytes));
        l->n_records += records;
        l->n_messages += messages;
        l->message_bytes += data + messages * HEAD;
        l->link_messages += messages * far[hop] / peers[hop];
        l->link_bytes += (data + messages * HEAD) * far[hop] / peers[hop];
    }
}

/* ---- top-down -------------------------------------------------------------------------------------- */

/* Which columns count as met without having been: all that is visited, or hubs that
 * others have told. */
static void refresh(struct search *s, double n_edges)
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
static double fresh_columns(struct search *s, const double *without)
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
static void tell_few(struct search *s, struct mw_forecast_level *l, double n_edges,
                     double n_delegated)
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
static double longest_row(const struct search *s)
{
    double n = 0;
    for (uint32_t k = 0; k < s->c->n; k++) {
        n += s->now[k] * (1 - s->delegated[k]);
        if (n >= 0.5)
            return s->c->degree[k];
    }
    return 0;
}

static void top_down(struct search *s, struct mw_forecast_level *l)
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
        tell_hubs(s, l, MW_TOP_DOWN);
    refresh(s, l->n_active_edges);
    if (active > 0)
        tell_hosts(s, l, s->shape.n_delegated,
                   mw_forecast_set_bytes(n_ranks, s->shape.n_delegated / n_ranks, active,
                                         active));
    const double scale = expected > 0 ? l->n_active_edges / expected : 0;
    l->n_longest = fmin(records, longest_row(s));
    send(s, l, fresh_columns(s, s->delegated) * scale);
}

/* ---- bottom-up --------------------------------------------------------------------------------------- */

static void by_bitmap(struct search *s, struct mw_forecast_level *l)
{
    l->form = MW_FORM_BITMAP;
    l->heads = l->n_unvisited > s->c->n_connected / 16;
    tell_hosts(s, l, s->c->n_connected,
               s->conf->groups.n_ranks * graded_bytes(s, s->n_labels, s->told));
}

/* Rows that no hub and no own neighbour has given a parent, of all unvisited ones; and their other
 * neighbours, of which the first is the one of the highest degree. */
struct asking {
    double askers, entries; /* rows that have such, and how many */
    double first_hits;      /* of the first ones, those in the frontier */
    double others,
        more_hits; /* entries behind a first one that is not, and those of them in the frontier */
};

static void add_asking(const struct search *s, uint32_t k, struct asking *sum)
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
static bool follow(struct search *s, struct mw_forecast_level *l, double askers)
{
    double news = -s->n_told_followers;
    if (s->n_follow_words == 0 || 2 * askers <= s->n_follow_words)
        return false;
    for (uint32_t j = 0; j < s->c->n; j++)
        news += s->n_followers[j] * visited_share(s, j);
    l->n_follow_words = s->n_follow_words * -expm1(-fmax(0, news) / s->n_follow_words);
    l->n_follow_looks = s->n_all_followers - s->n_told_followers;
    s->n_told_followers += news;
    send(s, l, l->n_follow_words);
    l->n_exchanges++;
    return true;
}

static void ask_owners(const struct search *s, struct mw_forecast_level *l, double n,
                       double hits)
{
    l->n_sums++; /* is there anybody? */
    if (n < 0.5)
        return;
    send(s, l, n);
    send(s, l, hits);
    l->n_questions += n;
    l->n_answers += hits;
    l->n_exchanges += 2;
}

static void by_messages(struct search *s, struct mw_forecast_level *l)
{
    const double n_ranks = s->conf->groups.n_ranks;
    const double peers = s->conf->groups.n_groups + s->conf->groups.width;
    struct asking a = {0};
    l->form = MW_FORM_MESSAGES;
    if (s->shape.means.hubs[MW_BOTTOM_UP] > 0)
        tell_hubs(s, l, MW_BOTTOM_UP);
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
static void by_mixed(struct search *s, struct mw_forecast_level *l)
{
    l->form = MW_FORM_MIXED;
    l->n_exchanges = 1;
    if (s->shape.means.hubs[MW_BOTTOM_UP] > 0)
        tell_hubs(s, l, MW_BOTTOM_UP);
    send(s, l, fresh_columns(s, s->hub[MW_BOTTOM_UP]));
}

/* Of the forms the quickest, or the one whose bytes between hosts are fewest. */
static void bottom_up(struct search *s, struct mw_forecast_level *l)
{
    static void (*const by[])(struct search *, struct mw_forecast_level *) = {
        by_bitmap, by_messages, by_mixed};
    static const enum mw_level_form forms[] = {MW_FORM_BITMAP, MW_FORM_MESSAGES,
                                               MW_FORM_MIXED};
    const enum mw_level_form wanted = s->shape.means.form;
    const struct search before = *s;
    const struct mw_forecast_level empty = *l;
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        struct search then = before;
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

static void start(struct search *s, uint32_t index)
{
    double weight[MW_CLASSES_MAX];
    s->random = index + 1;
    for (uint32_t k = 0; k < s->c->n; k++) {
        s->left[k] = s->c->n_vertices[k];
        weight[k] = s->c->n_vertices[k] * -expm1(-s->c->degree[k]);
    }
    const uint32_t root = draw_class(s, weight);
    s->now[root] = 1;
    s->left[root] -= 1;
    s->n_visited = 1;
    s->n_drawn = draw_degree(s, s->c->degree[root]);
}

/* The next frontier, by class: an edge that leads on ends where no frontier was before this one, at
 * a vertex that is new or at one of this frontier, or of those that it has found by now. */
static void reach_drawn(struct search *s, double *found)
{
    double weight[MW_CLASSES_MAX] = {0};
    for (uint32_t k = 0; k < s->c->n; k++)
        for (uint32_t j = 0; j < s->c->n; j++)
            weight[j] += s->now[k] * s->c->reach[k][j] * (1 - s->gone[j]);
    for (double i = 0; i < s->n_drawn; i++) {
        const uint32_t j = draw_class(s, weight);
        const double left = s->left[j] - found[j];
        const double ends = s->c->n_vertices[j] * (1 - s->gone[j]);
        if (left >= 1 && draw(s) * ends < left)
            found[j]++;
    }
}

static void reach_expected(const struct search *s, double *found)
{
    for (uint32_t j = 0; j < s->c->n; j++) {
        double none = 0; /* log of the probability that no neighbour is in the frontier */
        for (uint32_t k = 0; k < s->c->n; k++)
            if (s->now[k] > 0 && s->c->n_vertices[j] > 0)
                none += s->now[k] *
                        log1p(-fmin(1 - 1e-12, s->c->reach[k][j] / s->c->n_vertices[j]));
        found[j] = s->left[j] * -expm1(none);
    }
}

/* Edges out of a vertex of this class that a frontier has reached: the one that led to
 * it, and those to where no frontier has been. */
static double edges_of(const struct search *s, uint32_t k)
{
    double n = 1;
    for (uint32_t j = 0; j < s->c->n; j++)
        n += s->c->reach[k][j] * fmax(0, 1 - s->gone[j]);
    return n;
}

/* Goes on to what this level has reached; *edges are those out of it. */
static double advance(struct search *s, double *edges)
{
    double found[MW_CLASSES_MAX] = {0}, n = 0, expected = 0;
    const double before = entries_left(s);
    const bool drawn = s->n_drawn >= 0 && s->n_drawn < FEW;
    if (drawn)
        reach_drawn(s, found);
    else
        reach_expected(s, found);
    for (uint32_t k = 0; k < s->c->n; k++) {
        s->gone[k] += s->c->n_vertices[k] > 0 ? s->now[k] / s->c->n_vertices[k] : 0;
        s->left[k] -= found[k];
        s->now[k] = found[k];
        n += found[k];
    }
    for (uint32_t k = 0; k < s->c->n && drawn; k++)
        expected += found[k] > 0 ? found[k] * edges_of(s, k) : 0;
    *edges = drawn ? expected : fmax(0, before - entries_left(s));
    s->n_drawn = n < FEW && *edges < FEW ? floor(fmax(0, *edges - n) + 0.5) : -1;
    s->n_visited += n;
    return n;
}

static void level(struct search *s, struct mw_forecast_level *l)
{
    if (l->direction == MW_TOP_DOWN)
        top_down(s, l);
    else
        bottom_up(s, l);
    if (l->form == MW_FORM_BITMAP)
        visited(s, s->told);
}

/* What bottom-up has found through a column of another rank, and that no hub names. */
static void ask_names(const struct search *s, struct mw_forecast_level *last)
{
    send(s, last, s->unnamed);
    send(s, last, s->unnamed);
    last->n_exchanges += 2;
    last->n_sums++;
}

void mw_forecast_search(const struct mw_forecast_conf *conf, uint32_t index,
                        struct mw_forecast_search *out, struct mw_forecast_shape *shape)
{
    struct search s = {.conf = conf, .c = conf->classes};
    enum mw_direction direction = MW_TOP_DOWN;
    double n_active = 1;
    memset(out, 0, sizeof *out);
    settle_shape(&s);
    start(&s, index);
    if (shape != NULL)
        *shape = s.shape;
    double edges = s.n_drawn, visited_edges = edges;
    while (out->n_levels < MW_FORECAST_LEVELS && n_active >= 0.5 && edges >= 0.5) {
        struct mw_forecast_level *l = &out->level[out->n_levels++];
        l->n_active = n_active;
        l->n_active_edges = edges;
        l->n_sums = conf->groups.n_ranks > 1;
        l->n_unvisited = connected_left(&s);
        l->n_unvisited_edges = entries_left(&s);
        const struct mw_direction_input in = {
            .n_active = (uint64_t)n_active,
            .n_active_edges = (uint64_t)edges,
            .n_unvisited_edges = (uint64_t)l->n_unvisited_edges,
            .n_connected = (uint64_t)conf->classes->n_connected};
        l->direction = direction = mw_direction_choose(&conf->rule, direction, &in);
        level(&s, l);
        n_active = l->n_found = advance(&s, &edges);
        visited_edges += edges;
        if (l->form == MW_FORM_BITMAP && conf->asks_names)
            s.unnamed += n_active * (1 - 1.0 / conf->groups.n_ranks);
    }
    if (s.unnamed > 0 && out->n_levels > 0)
        ask_names(&s, &out->level[out->n_levels - 1]);
    out->n_reached = s.n_visited;
    out->n_edges_reached = visited_edges / 2;
}
