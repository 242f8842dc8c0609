/* test_pipeline.c -- the pipeline over the loop transport, with a toy algorithm (toy.h).
 *
 * Linked with -Wl,--wrap=mw_transport_new, so that a checking transport stands between
 * the pipeline and the real one: it checks order and fan-in of all batches, and can lose
 * or damage one of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/clock.h"
#include "cpe/emul.h"
#include "mpe/pipeline.h"
#include "ranks.h"
#include "relay/relay.h"
#include "toy.h"

#include <string.h>
#include <unistd.h>

/* ---- A transport that looks on, and damages on demand ------------------------------------ */

enum damage {
    NONE,
    LOSE_LAST,
    WRONG_LEVEL,
    WRONG_SEQ,
    TWICE,
    WRONG_PORT,
    WRONG_SENDER,
    WRONG_CHILD
};

static enum damage damage; /* done once, by rank 0, to its `damage_at`-th batch */
static uint64_t damage_at, n_out_of_order;

struct checking {
    struct mw_transport base;
    struct mw_transport *real;
    uint32_t rank;
    uint64_t n_sent;
    bool done;
    uint16_t seq[64][MW_PORT_COUNT];
    uint8_t level[64][MW_PORT_COUNT];
};

static int checking_send(struct mw_transport *t, struct mw_batch *b)
{
    struct checking *c = (struct checking *)t;
    struct mw_batch_head *h = b->head;
    const struct mw_batch_head before = *h;
    const bool now =
        !c->done && c->rank == 0 && damage != NONE &&
        (damage != WRONG_CHILD || h->n_records > 0) &&
        (damage == LOSE_LAST ? (h->flags & MW_BATCH_LAST) != 0 : c->n_sent >= damage_at);
    int rc;
    if (now && damage == LOSE_LAST) {
        c->done = true;
        mw_batch_give(b);
        return MW_OK;
    }
    if (now && damage == WRONG_LEVEL)
        h->level++;
    if (now && (damage == WRONG_SEQ || damage == TWICE))
        h->seq = (uint16_t)(h->seq + (damage == TWICE ? -1 : 1));
    if (now && damage == WRONG_PORT)
        h->port = (uint8_t)(4 - h->port); /* the other one that direct routing has */
    if (now && damage == WRONG_SENDER)
        h->sender = 1;
    if (now && damage == WRONG_CHILD) /* beyond any rank's numbers and any column */
        ((struct mw_record *)b->record)[h->n_records / 2].child |= UINT32_C(1) << 31;
    rc = mw_send(c->real, b);
    if (rc == MW_AGAIN)
        *h = before;
    c->n_sent += rc == MW_OK;
    c->done |= now && rc == MW_OK;
    return rc;
}

static int checking_poll(struct mw_transport *t, struct mw_batch **out)
{
    struct checking *c = (struct checking *)t;
    const int rc = mw_poll(c->real, out);
    if (rc == MW_OK) {
        const struct mw_batch_head *h = (*out)->head;
        uint16_t *seq = &c->seq[h->sender][h->port];
        uint8_t *level = &c->level[h->sender][h->port];
        if (h->seq != (h->level == *level ? *seq : 0))
            __atomic_fetch_add(&n_out_of_order, 1, __ATOMIC_RELAXED);
        *level = h->level;
        *seq = (uint16_t)(h->seq + 1);
    }
    return rc;
}

static uint64_t checking_in_flight(const struct mw_transport *t)
{
    return mw_in_flight(((const struct checking *)t)->real);
}

static void checking_close(struct mw_transport *t)
{
    struct checking *c = (struct checking *)t;
    mw_transport_close(c->real);
    free(c);
}

static const struct mw_transport_ops checking_ops = {checking_send, checking_poll,
                                                     checking_in_flight, checking_close};

int __real_mw_transport_new(const struct mw_transport_conf *conf,
                            struct mw_transport **out);
int __wrap_mw_transport_new(const struct mw_transport_conf *conf,
                            struct mw_transport **out);

int __wrap_mw_transport_new(const struct mw_transport_conf *conf,
                            struct mw_transport **out)
{
    struct checking *c = calloc(1, sizeof *c);
    int rc = MW_ERR_NOMEM;
    if (c == NULL)
        return rc;
    c->base.ops = &checking_ops;
    c->rank = conf->comm->rank;
    rc = __real_mw_transport_new(conf, &c->real);
    if (rc != MW_OK) {
        free(c);
        return rc;
    }
    *out = &c->base;
    return MW_OK;
}

/* ---- The toy on one rank ------------------------------------------------------------------- */

struct play {
    uint32_t n_levels, most_units; /* units are drawn; every other level may be empty */
    bool wide, empty_levels;
    uint64_t seed, slow_ns;
    bool only_rank_0; /* has units */
};

static uint64_t toy_units(void *state)
{
    return ((const struct toy *)state)->n_units;
}

static int check_level(struct toy *t, struct mw_comm *comm)
{
    uint64_t sum[2] = {t->n_units * TOY_FAN, t->n_turned};
    int rc;
    for (uint64_t i = 0; i < t->n_units * TOY_FAN; i++)
        EXPECT(t->home[i] == 1, "rank %u: copy %u came home %u times", t->rank,
               (unsigned)i, t->home[i]);
    EXPECT(t->n_wrong == 0, "rank %u: %u records are not what was sent", t->rank,
           (unsigned)t->n_wrong);
    rc = mw_comm_sum(comm, sum, 2);
    if (rc == MW_OK)
        EXPECT(sum[0] == sum[1], "made %u, turned %u", (unsigned)sum[0],
               (unsigned)sum[1]);
    return rc;
}

/* Other ranks that the route leads to: a rank meets all of them, if only to close. */
static uint32_t peers_of(const struct mw_groups *g, uint32_t me)
{
    bool met[64] = {false};
    uint32_t n = 0;
    for (int hop = (int)mw_first_hop(g); hop <= MW_TO_OWNER; hop++)
        for (uint32_t k = 0; k < mw_port_buckets(g, me, (enum mw_hop)hop); k++)
            met[mw_port_peer(g, me, (enum mw_hop)hop, k)] = true;
    met[me] = false;
    for (uint32_t r = 0; r < g->n_ranks; r++)
        n += met[r];
    return n;
}

static int play(struct mw_world *w, void *arg)
{
    const struct play *play = arg;
    const struct toy_kernels *k = w->backend->short_circuit ? &toy_host : &toy_serial;
    const struct toy_kernels *on_mesh =
        w->backend->mesh ? &toy_mesh : &(struct toy_kernels){0};
    mw_kernel *relay_on_mesh = w->backend->mesh ? mw_relay_on_mesh : NULL;
    const uint8_t first = (uint8_t)mw_first_hop(&w->groups);
    struct toy t = {.rank = w->comm->rank,
                    .n_ranks = w->comm->size,
                    .wide = play->wide,
                    .slow_ns = play->slow_ns};
    struct mw_traffic traffic;
    struct mw_pipeline *p = NULL;
    /* clang-format off */
    const struct mw_module table[] = {
        {"generator",      {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, first},       k->generate,      toy_units, TOY_FAN, on_mesh->generate},
        {"backward relay", {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, mw_relay_pass_on, NULL,      0,       relay_on_mesh},
        {"turner",         {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, first},        k->turn,          NULL,      0,       on_mesh->turn},
        {"forward relay",  {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  mw_relay_pass_on, NULL,      0,       relay_on_mesh},
        {"counter",        {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   k->count,         NULL,      0,       on_mesh->count},
    };
    /* clang-format on */
    int rc = MW_OK;

    MW_NEW(rc, t.home, "copies", (uint64_t)play->most_units * TOY_FAN + 1);
    MW_TRY(rc, mw_modules_new(table, 5, &t, TOY_BITS, play->wide, w, &p));
    mw_pipeline_bound(p, UINT64_C(1) << TOY_BITS);
    for (uint32_t level = 0; level < play->n_levels; level++) {
        t.seed = mixed(play->seed + level);
        t.n_units = mixed(t.seed + t.rank) % (play->most_units + 1);
        if ((play->only_rank_0 && t.rank > 0) || (play->empty_levels && level % 2 == 1))
            t.n_units = 0;
        memset(t.home, 0, play->most_units * TOY_FAN * sizeof *t.home);
        t.n_turned = t.n_wrong = 0;
        MW_TRY(rc, mw_comm_barrier(w->comm));
        MW_TRY(rc, mw_pipeline_run(p, mw_modules_all(p)));
        MW_TRY(rc, check_level(&t, w->comm));
    }
    mw_pipeline_traffic(p, &traffic);
    if (traffic.peers != peers_of(&w->groups, t.rank))
        rc = mw_fail(MW_ERR_INVALID, "rank %u sent to %u ranks, the route has %u", t.rank,
                     (unsigned)traffic.peers, peers_of(&w->groups, t.rank));
fail:
    mw_pipeline_free(p);
    mw_free(t.home);
    return rc;
}

static struct ranks ranks_of(uint32_t n_ranks, struct play *p)
{
    struct ranks r = {.loop = {n_ranks, 0, 0}, .body = play, .arg = p};
    with_threads(&r, 0);
    r.world.small_input = 1024;
    r.world.hang_timeout_s = 20;
    return r;
}

static void must_play(struct ranks *r)
{
    damage = NONE;
    n_out_of_order = 0;
    must_run(r);
    ck_assert_msg(n_out_of_order == 0, "%s: %u batches out of order", ranks_text(r),
                  (unsigned)n_out_of_order);
}

/* ---- Every record arrives exactly once ------------------------------------------------------ */

START_TEST(records_arrive_once_by_every_route)
{
    struct play p = {.n_levels = 2, .most_units = 300};
    struct ranks r = ranks_of((uint32_t)_i, &p);
    for (uint32_t width = 1; width <= r.loop.n_ranks; width++)
        for (int wide = 0; wide < 2; wide++) {
            p.wide = wide;
            p.seed = width;
            with_width(&r, width);
            must_play(&r);
        }
}
END_TEST

START_TEST(records_arrive_once_with_threads)
{
    struct play p = {.n_levels = 2, .most_units = 400};
    struct ranks r = ranks_of((uint32_t)_i, &p);
    for (uint32_t threads = 1; threads <= 3; threads++)
        for (uint32_t small = 0; small <= 1024; small += 1024) {
            p.wide = small > 0;
            p.seed = threads;
            r.world.small_input = small; /* 0: the team does everything */
            with_threads(&r, threads);
            with_width(&r, threads);
            must_play(&r);
        }
}
END_TEST

/* Rule one: no module has two executors at a time, and a track does one thing at a time. */
static int check_timeline(const struct mw_timeline *t, uint32_t n_clusters)
{
    for (uint64_t i = 0; i < t->n; i++)
        for (uint64_t k = i + 1; k < t->n; k++) {
            const struct mw_timeline_event *a = &t->event[i], *b = &t->event[k];
            const bool overlap = a->start < b->end && b->start < a->end;
            if (overlap && (a->track == b->track || a->name == b->name))
                return mw_fail(MW_ERR_INVALID,
                               "%s on track %u and %s on track %u overlap", a->name,
                               a->track, b->name, b->track);
            if (a->track >= MW_TRACK_CLUSTER + n_clusters)
                return mw_fail(MW_ERR_INVALID, "track %u of %u clusters", a->track,
                               n_clusters);
        }
    return MW_OK;
}

static int play_and_check(struct mw_world *w, void *arg)
{
    const int rc = play(w, arg);
    return rc == MW_OK ? check_timeline(w->timeline, w->conf.n_clusters) : rc;
}

START_TEST(no_module_has_two_executors_however_many_clusters)
{
    struct play p = {.n_levels = 2, .most_units = 300, .seed = (uint64_t)_i};
    struct ranks r = ranks_of(2 + (uint32_t)_i % 2, &p);
    r.body = play_and_check;
    r.world.timeline_events = 4096;
    r.world.batch_bytes = 512; /* many jobs */
    for (uint32_t clusters = 1; clusters <= MW_CLUSTERS_MAX; clusters++)
        for (uint32_t small = 0; small <= 300; small += 300) {
            r.world.n_clusters = clusters;
            r.world.small_input = small;
            with_threads(&r, 1 + 2 * clusters);
            with_width(&r, 1 + (uint32_t)_i);
            must_play(&r);
        }
}
END_TEST

/* The same on emulated cores: the management core takes small inputs, or none. */
static int play_on_mesh(struct mw_world *w, void *arg)
{
    uint64_t messages = 0;
    const int rc = play(w, arg);
    for (uint32_t c = 0; c < w->conf.n_clusters; c++) {
        struct mw_emul_counters n;
        mw_emul_count_all(w->cluster[c], &n);
        messages += n.puts;
    }
    if (rc == MW_OK && w->conf.small_input == 0 && messages == 0)
        return mw_fail(MW_ERR_INVALID, "no message went over the mesh");
    return rc;
}

START_TEST(records_arrive_once_over_a_mesh)
{
    struct play p = {
        .n_levels = 2, .most_units = 200, .wide = _i % 2, .seed = (uint64_t)_i};
    struct ranks r = ranks_of(1 + (uint32_t)_i % 4, &p);
    r.body = play_on_mesh;
    r.world.backend = "emul";
    r.world.n_threads = 1;
    r.world.batch_bytes = 1024u << _i % 3;
    for (uint32_t clusters = 1; clusters <= 2; clusters++)
        for (uint32_t width = 1; width <= r.loop.n_ranks; width++) {
            r.world.n_clusters = clusters;
            r.world.small_input = clusters == 1 ? 0 : 300;
            with_width(&r, width);
            must_play(&r);
        }
}
END_TEST

START_TEST(a_timeline_that_is_full_counts_what_it_loses)
{
    struct mw_timeline *t = NULL;
    const struct mw_timeline_event e = {.name = "x", .n = 1};
    ck_assert_int_eq(mw_timeline_new(2, &t), MW_OK);
    for (int i = 0; i < 5; i++)
        mw_timeline_add(t, &e);
    ck_assert_uint_eq(t->n, 2);
    ck_assert_uint_eq(t->n_lost, 3);
    mw_timeline_free(t);
    mw_timeline_add(NULL, &e);
}
END_TEST

START_TEST(tiny_batches_are_enough)
{
    static const uint32_t bytes[] = {16, 32, 64, 256};
    struct play p = {.n_levels = 2, .most_units = 150};
    struct ranks r = ranks_of(1 + (uint32_t)_i % 7, &p);
    for (uint32_t threads = 1; threads <= 3; threads += 2)
        for (int wide = 0; wide < 2; wide++)
            for (uint32_t width = 1; width <= 3 && width <= r.loop.n_ranks; width += 2) {
                p.wide = wide;
                r.world.batch_bytes = bytes[_i / 7];
                r.world.small_input = 40; /* some to the team, some to the core */
                with_threads(&r, threads);
                with_width(&r, width);
                must_play(&r);
            }
}
END_TEST

START_TEST(delays_change_nothing)
{
    struct play p = {.n_levels = 3, .most_units = 200};
    struct ranks r = ranks_of(2 + (uint32_t)_i % 6, &p);
    uint64_t dice = (uint64_t)_i * 77;
    r.loop.seed = 1 + (uint64_t)_i;
    for (int k = 0; k < 3; k++) {
        p.wide = drawn(&dice, 2);
        p.seed = dice;
        r.loop.ranks_per_host = (uint32_t)drawn(&dice, 4);
        r.world.batch_bytes = 64u << drawn(&dice, 6);
        r.world.small_input = (uint32_t)drawn(&dice, 300);
        with_threads(&r, (uint32_t)drawn(&dice, 3));
        with_width(&r, 1 + (uint32_t)drawn(&dice, r.loop.n_ranks));
        must_play(&r);
    }
}
END_TEST

START_TEST(many_ranks_work_too)
{
    static const uint32_t n_ranks[] = {13, 16};
    struct play p = {.n_levels = 2, .most_units = 100};
    struct ranks r = ranks_of(n_ranks[_i], &p);
    for (uint32_t width = 1; width <= n_ranks[_i]; width += 3) {
        with_width(&r, width);
        must_play(&r);
    }
}
END_TEST

/* Every rank waits for closing batches only; the empty levels are nothing else. */
START_TEST(a_hundred_levels_end_empty_or_not)
{
    struct play p = {.n_levels = 100, .most_units = 10, .empty_levels = true};
    struct ranks r = ranks_of((uint32_t)_i, &p);
    with_width(&r, 2);
    must_play(&r);
    with_width(&r, 1);
    with_threads(&r, 2);
    must_play(&r);
}
END_TEST

/* More than 256 levels: the byte in the head goes round. */
START_TEST(level_numbers_go_round)
{
    struct play p = {.n_levels = 600, .most_units = 2, .empty_levels = true};
    struct ranks r = ranks_of(3, &p);
    with_width(&r, 2);
    must_play(&r);
}
END_TEST

START_TEST(one_rank_feeds_all)
{
    struct play p = {.n_levels = 3, .most_units = 1000, .only_rank_0 = true};
    struct ranks r = ranks_of(5, &p);
    for (uint32_t width = 1; width <= 5; width++) {
        with_width(&r, width);
        must_play(&r);
    }
}
END_TEST

/* ---- Faults ---------------------------------------------------------------------------------- */

/* Runs damaged; gives the status that all ranks ended with. */
static int damaged(struct ranks *r, enum damage what, uint64_t at)
{
    const uint64_t before = mw_mem_in_use();
    damage = what;
    damage_at = at;
    const int rc = on_ranks(r);
    damage = NONE;
    ck_assert_uint_eq(mw_mem_in_use(), before);
    return rc;
}

START_TEST(batches_out_of_order_are_refused)
{
    static const enum damage what[] = {WRONG_LEVEL, WRONG_SEQ, TWICE};
    struct play p = {.n_levels = 3, .most_units = 200};
    for (uint32_t threads = 0; threads <= 2; threads += 2)
        for (uint64_t at = 0; at < 3; at++) {
            struct ranks r = ranks_of(3, &p);
            r.world.batch_bytes = 256;
            r.world.small_input = 64;
            with_threads(&r, threads);
            with_width(&r, 1 + threads);
            ck_assert_int_eq(damaged(&r, what[_i], at), MW_ERR_INTERNAL);
            ck_assert_msg(strstr(mw_error_text(), "rank 0 out of order") != NULL, "%s",
                          mw_error_text());
        }
}
END_TEST

START_TEST(batches_of_another_link_are_refused)
{
    static const enum damage what[] = {WRONG_PORT, WRONG_SENDER};
    struct play p = {.n_levels = 1, .most_units = 200};
    struct ranks r = ranks_of(3, &p);
    with_width(&r, 1);
    r.world.batch_bytes = 256;
    ck_assert_int_eq(damaged(&r, what[_i], 0), MW_ERR_INTERNAL);
    ck_assert_msg(strstr(mw_error_text(), "rank 0") != NULL, "%s", mw_error_text());
}
END_TEST

START_TEST(children_that_nobody_has_are_refused)
{
    struct play p = {.n_levels = 1, .most_units = 200};
    struct ranks r = ranks_of(4, &p);
    with_width(&r, (uint32_t)_i);
    r.world.batch_bytes = 256;
    ck_assert_int_eq(damaged(&r, WRONG_CHILD, 0), MW_ERR_INTERNAL);
    ck_assert_msg(strstr(mw_error_text(), "from rank 0: it names child 2147") != NULL,
                  "%s", mw_error_text());
}
END_TEST

START_TEST(a_lost_closing_batch_ends_the_run)
{
    struct play p = {.n_levels = 1, .most_units = 50};
    struct ranks r = ranks_of(2 + (uint32_t)_i, &p);
    with_width(&r, 1 + (uint32_t)_i % 2);
    r.world.hang_timeout_s = 0.3;
    const double start = mw_now();
    ck_assert_int_eq(damaged(&r, LOSE_LAST, 0), MW_ERR_INTERNAL);
    ck_assert_double_lt(mw_now() - start, 5);
    ck_assert_double_ge(mw_now() - start, 0.3);
    ck_assert_msg(strstr(mw_error_text(), "no progress") != NULL, "%s", mw_error_text());
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "closed"));
}
END_TEST

/* Work goes on for longer than the timeout, on one rank only: no alarm anywhere. (Between
 * hosts progress is not counted: there the timeout has to be longer than the work.) */
START_TEST(slow_ranks_raise_no_alarm)
{
    struct play p = {.n_levels = 1,
                     .most_units = 60,
                     .slow_ns = 4000000,
                     .only_rank_0 = true,
                     .seed = 5};
    struct ranks r = ranks_of(2, &p);
    r.world.batch_bytes = 64;
    with_width(&r, 1);
    r.world.hang_timeout_s = 0.12;
    must_play(&r);
}
END_TEST

static int too_many_bits(struct mw_world *w, void *arg)
{
    struct toy t = {0};
    struct mw_pipeline *p;
    const struct mw_module row = {"generator",
                                  {MW_FORWARD, MW_SOURCE},
                                  {MW_FORWARD, MW_TO_RELAY},
                                  toy_serial.generate,
                                  toy_units,
                                  1,
                                  NULL};
    const int rc = mw_modules_new(&row, 1, &t, *(const uint32_t *)arg, false, w, &p);
    if (rc == MW_OK)
        mw_pipeline_free(p);
    return rc;
}

START_TEST(columns_that_do_not_fit_are_refused)
{
    uint32_t bits = 30;
    struct ranks r = {.loop = {4, 0, 0}, .body = too_many_bits, .arg = &bits};
    with_threads(&r, 0);
    with_width(&r, 4);
    ck_assert_int_eq(on_ranks(&r), MW_OK);
    bits = 31;
    ck_assert_int_eq(on_ranks(&r), MW_ERR_REFUSED);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "31-bit"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pipeline");
    TCase *once = tcase_create("once"), *fault = tcase_create("fault");
    alarm(290);
    tcase_add_loop_test(once, records_arrive_once_by_every_route, 1, 10);
    tcase_add_loop_test(once, records_arrive_once_with_threads, 1, 10);
    tcase_add_loop_test(once, no_module_has_two_executors_however_many_clusters, 0, 2);
    tcase_add_loop_test(once, records_arrive_once_over_a_mesh, 0, 6);
    tcase_add_test(once, a_timeline_that_is_full_counts_what_it_loses);
    tcase_add_loop_test(once, tiny_batches_are_enough, 0, 28);
    tcase_add_loop_test(once, delays_change_nothing, 0, 12);
    tcase_add_loop_test(once, many_ranks_work_too, 0, 2);
    tcase_add_loop_test(once, a_hundred_levels_end_empty_or_not, 1, 8);
    tcase_add_test(once, level_numbers_go_round);
    tcase_add_test(once, one_rank_feeds_all);
    tcase_add_loop_test(fault, batches_out_of_order_are_refused, 0, 3);
    tcase_add_loop_test(fault, batches_of_another_link_are_refused, 0, 2);
    tcase_add_loop_test(fault, children_that_nobody_has_are_refused, 1, 3);
    tcase_add_loop_test(fault, a_lost_closing_batch_ends_the_run, 0, 4);
    tcase_add_test(fault, slow_ranks_raise_no_alarm);
    tcase_add_test(fault, columns_that_do_not_fit_are_refused);
    suite_add_tcase(s, once);
    suite_add_tcase(s, fault);
    return run_suite(s);
}
