/* sssp_rounds.c -- one search, by buckets and rounds.
 *
 *      bucket   below <= distance < limit
 *      round    list who is near -> relax, settle, again while anybody is near
 *      pay      nobody is near: who was relaxed along light entries goes along heavy ones, if rows are by weight
 *      next     nobody owes any: the next bucket begins at the least distance of those far
 *      crew     where buckets have had little, the next ones are a crew's (sssp_crew.h)
 *      pull     where much is due, who is not settled looks for the least way instead
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_rounds.h"

#include "algorithms/sssp/sssp_crew.h"
#include "devices/placed.h"
#include "traversal/rows.h"

enum { PULL_ENTRIES = 2 }; /* entries due for each node, above which nodes pull */
/* A round of fewer entries costs little more than one of none; so many buckets of such rounds make the next ones wider. */
enum { LITTLE_ENTRIES = 8192, LITTLE_BUCKETS = 8, MOST_WIDTHS = 8 };

/* Collective over a host: its ranks have done what they do to each other's state so far. `rc` is how this one's part has
 * ended. */
static int meet_peers(struct mw_traversal *t, int rc)
{
    const struct mw_sssp *const c = t->state;
    const int met = c->s.has_peers ? mw_comm_host_barrier(t->world->comm) : MW_OK;
    return rc != MW_OK ? rc : met;
}

const struct sssp_told *sssp_hear(struct mw_traversal *t)
{
    struct sssp_state *const s = &((struct mw_sssp *)t->state)->s;
    return mw_see(t->world, &s->counts->told, s->told, sizeof *s->told);
}

int sssp_reset(struct mw_traversal *t)
{
    struct mw_sssp *c = t->state;
    c->n_bucket_rounds = c->n_bucket_entries = c->n_little = 0;
    c->widths = 1;
    c->is_crews = false;
    c->n_buckets = c->n_rounds = c->n_relaxed = c->n_pulled = 0;
    c->landmark = UINT32_MAX;
    sssp_take_part(&c->s, c->s.by_weight ? SSSP_LIGHT : SSSP_WHOLE_ROWS);
    const int rc = meet_peers(t, MW_OK); /* they have answered */
    mw_traversal_sweep(t, SSSP_FORGET);
    mw_traversal_sweep(t, SSSP_TELL); /* which forgets them as well */
    return meet_peers(t, rc);
}

/* Local, the same at all ranks: where the rounds of many buckets have little to do, the next ones are a crew's. Without
 * one they are twice as wide, and half as wide where they have much. Light entries are those of one width, so rows by
 * weight keep that. */
static void choose_width(struct mw_sssp *c)
{
    const uint64_t little = LITTLE_ENTRIES * c->n_bucket_rounds;
    if (c->s.by_weight || c->n_bucket_rounds == 0)
        return;
    c->n_little = c->n_bucket_entries < little ? c->n_little + 1 : 0;
    const bool many = c->n_little == LITTLE_BUCKETS;
    if (many)
        c->n_little = 0;
    if (c->s.crew != NULL)
        c->is_crews = many;
    else if (many && c->widths < MOST_WIDTHS && !c->s.delta_given)
        c->widths *= 2;
    else if (c->n_bucket_entries > 4 * little && c->widths > 1)
        c->widths /= 2;
    c->n_bucket_rounds = c->n_bucket_entries = 0;
}

/* The bucket that begins at a distance, given by its bits; never an empty one. */
static void set_bucket(struct mw_sssp *c, uint64_t least)
{
    choose_width(c);
    const float end = mw_float_of_bits((uint32_t)least) + (float)c->widths * c->s.delta;
    c->s.below = least;
    c->s.limit = mw_max(mw_bits_of_float(end), least + 1);
    c->n_buckets++;
}

/* Local: who is near becomes the list; how many, and the entries of their rows. */
static void list_near(struct mw_traversal *t, uint64_t *sum)
{
    struct sssp_counts *const counts = ((const struct mw_sssp *)t->state)->s.counts;
    counts->n_listed = counts->n_units = 0;
    mw_traversal_sweep(t, SSSP_LIST);
    mw_traversal_sweep(t, SSSP_FORGET_NEAR);
    sum[0] = counts->n_listed;
    sum[1] = counts->n_units;
}

/* Collective over a host: bits of the landmark's distance, the same at all ranks. Where it is less than before, nobody
 * is further than by the landmark. The margin is for distances up to twice the greatest from there. */
static int bound_by_landmark(struct mw_traversal *t, uint64_t landmark)
{
    struct mw_sssp *const c = t->state;
    const float distance = mw_float_of_bits((uint32_t)landmark);
    if (landmark >= c->landmark || !(distance <= 2 * c->s.greatest))
        return MW_OK;
    c->landmark = landmark;
    c->s.to_landmark = distance;
    mw_traversal_sweep(t, SSSP_BOUND);
    return meet_peers(t, MW_OK);
}

/* Collective: who is near, of all ranks. */
static int list_all(struct mw_traversal *t, uint64_t *sum)
{
    list_near(t, sum);
    return mw_comm_sum(t->world->comm, sum, 2);
}

/* Collective: light entries lead no further, so who was relaxed along them goes along heavy ones now. */
static int pay_heavy(struct mw_traversal *t, uint64_t *sum)
{
    struct sssp_state *const s = &((struct mw_sssp *)t->state)->s;
    sssp_take_part(s, SSSP_HEAVY);
    mw_traversal_sweep(t, SSSP_OWE);
    const int rc = list_all(t, sum);
    if (sum[0] == 0)
        sssp_take_part(s, SSSP_LIGHT);
    return rc;
}

/* Collective: nobody is near, so the next bucket begins where the nearest is. */
static int open_bucket(struct mw_traversal *t, uint64_t *sum)
{
    struct mw_sssp *const c = t->state;
    struct sssp_state *const s = &c->s;
    s->below =
        s->limit; /* so that at first nobody is in the bucket, and all are counted */
    for (;;) {
        mw_traversal_sweep(t, SSSP_NEXT);
        mw_traversal_sweep(t, SSSP_TELL);
        uint64_t least = sssp_hear(t)->least[SSSP_LEAST_FAR];
        MW_NEED(list_all(t, sum));
        if (sum[0] == 0 && s->part == SSSP_LIGHT)
            MW_NEED(pay_heavy(t, sum));
        if (sum[0] > 0)
            break;
        MW_NEED(mw_comm_min(t->world->comm, &least, 1));
        if (least == UINT64_MAX)
            break;
        set_bucket(c, least);
    }
    return MW_OK;
}

/* Collective: the next round's vertices, of this bucket or of the next that has any. `rc` is how this
 * rank's round has ended. */
static int next_round(struct mw_traversal *t, int rc)
{
    struct mw_sssp *c = t->state;
    struct sssp_state *s = &c->s;
    uint64_t sum[3] = {0};
    if (s->part == SSSP_HEAVY)
        sssp_take_part(s, SSSP_LIGHT);
    list_near(t, sum);
    if (s->has_ways && s->landmark_place != SSSP_NO_PLACE) {
        s->asks_landmark = true;
        mw_traversal_sweep(t, SSSP_TELL);
        s->asks_landmark = false;
        sum[2] = sssp_hear(t)->landmark;
    }
    MW_TRY(rc, mw_comm_sum_or_fail(t->world->comm, sum, 3, rc));
    if (s->has_ways)
        MW_TRY(rc, bound_by_landmark(t, sum[2]));
    if (sum[0] == 0 && s->part == SSSP_LIGHT)
        MW_TRY(rc, pay_heavy(t, sum));
    const bool is_crews = sum[0] == 0 && c->is_crews;
    if (is_crews)
        sum[0] = 1; /* it finds who is far */
    else if (sum[0] == 0)
        MW_TRY(rc, open_bucket(t, sum));
    c->next = is_crews      ? SSSP_CREW_STEP
              : sum[0] == 0 ? SSSP_LEAVES_STEP
              : c->can_pull && s->by_weight && s->part != SSSP_LIGHT &&
                      sum[1] / PULL_ENTRIES > c->n_nodes
                  ? SSSP_PULL_STEP
                  : SSSP_RELAX_STEP;
    c->n_bucket_rounds++;
    c->n_bucket_entries += sum[1];
    if (c->next ==
        SSSP_LEAVES_STEP) /* all but other ranks' leaves know their distances */
        sum[0] = sum[1] = s->n_leaves;
    t->now.n_active = sum[0];
    t->now.n_active_edges = sum[1];
end:
    return rc;
}

/* Collective: instead of who is due each one looks who is not settled yet, and from now on there is one bucket. Those due
 * are not below the bucket that was, nor anybody who pulls below where its heavy entries lead. */
static int pull_unsettled(struct mw_traversal *t)
{
    struct mw_sssp *const c = t->state;
    struct sssp_state *const s = &c->s;
    s->from = mw_float_of_bits((uint32_t)(s->part == SSSP_HEAVY ? s->below : s->settled));
    if (s->part == SSSP_HEAVY)
        s->settled = mw_min(
            s->limit, mw_bits_of_float(s->from + sssp_least_of_class(s, s->light_class)));
    s->limit = UINT64_MAX;
    sssp_take_part(s, SSSP_WHOLE_ROWS);
    s->counts->n_pulled = 0;
    mw_traversal_sweep(t, SSSP_PULL);
    c->n_relaxed += s->counts->n_pulled;
    c->n_pulled += s->counts->n_pulled;
    c->n_rounds++;
    return next_round(t, meet_peers(t, MW_OK));
}

int sssp_start(struct mw_traversal *t, mw_vid key)
{
    struct mw_sssp *c = t->state;
    c->s.root = key;
    if (!mw_is_mine(&t->graph->partition, key, &c->s.root_place))
        c->s.root_place = SSSP_NO_PLACE;
    set_bucket(c, 0);
    mw_traversal_sweep(t, SSSP_BEGIN);
    if (!c->runs_whole)
        return next_round(t, meet_peers(t, MW_OK));
    t->now.n_active = 1;
    return MW_OK;
}

/* Collective: small buckets, by a crew, until it comes back. */
static int run_crew(struct mw_traversal *t, struct mw_level *level)
{
    struct mw_sssp *const c = t->state;
    const int rc = sssp_crew_run(t, level);
    c->is_crews = false;
    c->n_bucket_rounds = c->n_bucket_entries = 0;
    return next_round(t, meet_peers(t, rc));
}

static int tell_leaves(struct mw_traversal *t, struct mw_level *level)
{
    const int rc = mw_comm_agree(t->world->comm, mw_traversal_exchange(t, SSSP_LEAVES));
    level->step = SSSP_LEAVES_STEP;
    level->n_found = t->now.n_active;
    t->now.n_active = t->now.n_active_edges = 0;
    return rc;
}

/* Local: all rounds, which are told as one. */
static int search_whole(struct mw_traversal *t, struct mw_level *level)
{
    struct mw_sssp *const c = t->state;
    const struct sssp_counts *const counts = c->s.counts;
    level->step = SSSP_RELAX_STEP;
    mw_traversal_sweep(t, SSSP_WHOLE);
    c->n_buckets = counts->n_buckets;
    c->n_rounds = counts->n_rounds;
    c->n_relaxed = counts->n_relaxed;
    t->now.n_active = t->now.n_active_edges = 0;
    return MW_OK;
}

/* Collective: who is listed is relaxed, by a crew where that is worth its meetings. */
static int relax_near(struct mw_traversal *t)
{
    const struct mw_sssp *const c = t->state;
    if (c->s.crew == NULL || !sssp_crew_takes_round(c->s.crew, t->now.n_active_edges))
        return mw_traversal_exchange(t, SSSP_ROUND);
    sssp_crew_run_round(t);
    return MW_OK;
}

int sssp_step(struct mw_traversal *t, struct mw_level *level)
{
    struct mw_sssp *c = t->state;
    if (c->runs_whole)
        return search_whole(t, level);
    if (c->next == SSSP_LEAVES_STEP)
        return tell_leaves(t, level);
    level->step = c->next;
    int rc;
    if (c->next == SSSP_PULL_STEP)
        rc = pull_unsettled(t);
    else if (c->next == SSSP_CREW_STEP)
        rc = run_crew(t, level);
    else {
        c->n_relaxed += c->s.counts->n_units;
        c->n_rounds++;
        rc = next_round(t, meet_peers(t, relax_near(t)));
    }
    level->n_found = c->next == SSSP_LEAVES_STEP ? 0 : t->now.n_active;
    return rc;
}

int sssp_finish(struct mw_traversal *t)
{
    mw_traversal_sweep(t, SSSP_ANSWER);
    return MW_OK;
}
