/* test_pipeline.c -- the pipeline over the loop transport, with a toy algorithm (toy.h).
 *
 * All batches pass a checking transport (checking_transport.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/clock.h"
#include "checking_transport.h"
#include "cpe/emul.h"
#include "toy_play.h"

#include <unistd.h>

static struct ranks ranks_of(uint32_t n_ranks, struct play *p)
{
    struct ranks r = {.loop = {n_ranks, 0, 0}, .body = play, .arg = p};
    with_threads(&r, 0);
    r.world.small_input = 1024;
    r.world.hang_timeout_s = HANG_S;
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

/* Work that is dealt out in pieces goes on where room for records has ended. */
START_TEST(pieces_end_where_room_does)
{
    static const uint32_t bytes[] = {16, 64, 256, 1 << 14};
    struct play p = {.n_levels = 3, .most_units = 700, .reaches = true};
    struct ranks r = ranks_of(1 + (uint32_t)_i % 5, &p);
    for (uint32_t threads = 1; threads <= 3; threads++)
        for (int wide = 0; wide < 2; wide++) {
            p.wide = wide;
            p.seed = threads;
            r.world.batch_bytes = bytes[_i % 4];
            r.world.small_input = 0;
            with_threads(&r, threads);
            with_width(&r, 1 + (uint32_t)wide);
            must_play(&r);
        }
}
END_TEST

START_TEST(coded_records_arrive_once)
{
    struct play p = {.n_levels = 2, .most_units = 600, .wide = _i % 2};
    struct ranks r = ranks_of(3, &p);
    r.world.compress = _i < 2 ? MW_COMPRESS_VBYTE : MW_COMPRESS_PACKED;
    for (uint32_t width = 1; width <= 3; width++) {
        p.seed = r.loop.seed = width - 1; /* without delays, and with */
        r.world.batch_bytes = 1024u << width;
        with_threads(&r, width);
        with_width(&r, width);
        n_coded = 0;
        must_play(&r);
        ck_assert_uint_gt(n_coded, 10);
    }
}
END_TEST

/* A byte on links to other hosts costs next to nothing, whatever a probe has found on a
 * busy machine. */
static int play_on_fast_links(struct mw_world *w, void *arg)
{
    if (w->links != NULL)
        mw_links_expect(w->links, 1e-12);
    return play(w, arg);
}

START_TEST(nothing_is_coded_unless_it_pays)
{
    struct play p = {.n_levels = 2, .most_units = 600};
    struct ranks r = ranks_of(4, &p);
    r.body = play_on_fast_links;
    r.loop.ranks_per_host = 2 - (uint32_t)_i;
    with_width(&r, 2);
    n_coded = 0;
    must_play(&r);
    ck_assert_uint_eq(n_coded, 0);
}
END_TEST

/* Links to other hosts cost a microsecond a byte, as 8 Mbit do. */
static int play_on_slow_links(struct mw_world *w, void *arg)
{
    for (uint32_t h = 0; h < w->comm->n_hosts; h++)
        w->links->to[h].cost[0] = 1e-6;
    return play(w, arg);
}

START_TEST(what_goes_over_slow_links_alone_is_coded)
{
    struct play p = {.n_levels = 2, .most_units = 1300};
    struct ranks r = ranks_of(4, &p);
    r.loop.ranks_per_host = 2;
    r.body = play_on_slow_links;
    with_width(&r, 1 + (uint32_t)_i);
    n_coded = n_coded_near = 0;
    must_play(&r);
    ck_assert_uint_gt(n_coded, 0);
    ck_assert_uint_eq(n_coded_near, 0);
}
END_TEST

/* Rule one: only clusters, and no meshes, run jobs of one module at a time, and a track does one
 * thing at a time. */
static uint32_t n_together;

static int check_timeline(const struct mw_timeline *t, uint32_t n_clusters, bool mesh)
{
    for (uint64_t i = 0; i < t->n; i++)
        for (uint64_t k = i + 1; k < t->n; k++) {
            const struct mw_timeline_event *a = &t->event[i], *b = &t->event[k];
            const bool overlap = a->start < b->end && b->start < a->end;
            const bool clusters =
                a->track >= MW_TRACK_CLUSTER && b->track >= MW_TRACK_CLUSTER;
            const bool together = overlap && a->name == b->name;
            if (together && clusters)
                __atomic_fetch_add(&n_together, 1, __ATOMIC_RELAXED);
            if ((overlap && a->track == b->track) || (together && (mesh || !clusters)))
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
    return rc == MW_OK ? check_timeline(w->timeline, w->conf.n_clusters, w->plan != NULL)
                       : rc;
}

START_TEST(a_track_does_one_thing_however_many_clusters)
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

/* As in the paper: there the clusters are meshes, whose cores own words of the state. */
START_TEST(no_module_of_meshes_has_two_executors)
{
    struct play p = {.n_levels = 2, .most_units = (uint32_t)how_many(300, 300, 100)};
    struct ranks r = ranks_of(2, &p);
    r.body = play_and_check;
    r.world.timeline_events = 4096;
    r.world.batch_bytes = 512;
    r.world.small_input = 0;
    r.world.backend = "emul";
    r.world.n_threads = 1;
    r.world.n_clusters = 2;
    with_width(&r, 1);
    n_together = 0;
    must_play(&r);
    ck_assert_uint_eq(n_together, 0);
}
END_TEST

/* Jobs whose records take some time each: the second cluster takes what has come meanwhile. */
START_TEST(clusters_share_a_module)
{
    struct play p = {.n_levels = 2, .most_units = 600, .slow_ns = 20000};
    struct ranks r = ranks_of(3, &p);
    r.body = play_and_check;
    r.world.timeline_events = 4096;
    r.world.batch_bytes = 512;
    r.world.small_input = 0;
    for (uint32_t clusters = 1; clusters <= 3; clusters++) {
        r.world.n_clusters = clusters;
        with_threads(&r, 1 + clusters);
        with_width(&r, 1);
        n_together = 0;
        must_play(&r);
        ck_assert(clusters == 1 ? n_together == 0 : n_together > 0);
    }
}
END_TEST

/* The counter, which says what it is given; of one cluster, so nobody else writes this
 * rank's log. */
static void logged_count(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    for (const struct mw_batch *b = job->in; self->id == 0 && b != NULL; b = b->next)
        if (b->head->sender != job->at->rank)
            log_batch(&taken[job->at->rank], b->head);
    toy_host.count(self, arg);
}

/* And where they arrived: between the network and a cluster nothing is copied. */
START_TEST(batches_are_taken_first_come_first_served_without_a_copy)
{
    struct play p = {.n_levels = 3, .most_units = 600, .count = logged_count};
    struct ranks r = ranks_of(2 + (uint32_t)_i, &p);
    uint64_t n = 0;
    r.loop.seed = 1 + (uint64_t)_i;
    r.world.batch_bytes = 256;
    r.world.n_clusters = 1;
    r.world.small_input = _i == 1 ? 200 : 0;
    with_threads(&r, 2 * r.world.n_clusters + 1);
    with_width(&r, 1 + (uint32_t)_i % 2);
    memset(came, 0, sizeof came);
    memset(taken, 0, sizeof taken);
    must_play(&r);
    for (uint32_t k = 0; k < r.loop.n_ranks; k++) {
        ck_assert_uint_eq(taken[k].n, came[k].n);
        ck_assert_mem_eq(taken[k].batch, came[k].batch,
                         came[k].n * sizeof *came[k].batch);
        ck_assert_mem_eq(taken[k].at, came[k].at, came[k].n * sizeof *came[k].at);
        n += came[k].n;
    }
    ck_assert_uint_gt(n, 20);
}
END_TEST

/* Batches that wait while a team is busy become one job; one core takes them one by one. */
static uint32_t most_batches;

static void widest_count(struct mw_cpe *self, void *arg)
{
    const struct mw_job *job = arg;
    uint32_t n = 0, most = __atomic_load_n(&most_batches, __ATOMIC_RELAXED);
    for (const struct mw_batch *b = job->in; b != NULL; b = b->next)
        n++;
    while (most < n && !__atomic_compare_exchange_n(&most_batches, &most, n, false,
                                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    toy_host.count(self, arg);
}

START_TEST(a_job_takes_all_that_waits)
{
    struct play p = {.n_levels = 2, .most_units = 1300, .count = widest_count};
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        struct ranks r = ranks_of(3, &p);
        r.world.batch_bytes = 128;
        r.world.small_input = 0;
        with_threads(&r, threads);
        with_width(&r, 1);
        most_batches = 0;
        must_play(&r);
        if (threads == 1)
            ck_assert_uint_eq(most_batches, 1);
        else
            ck_assert_uint_gt(most_batches, 1);
    }
}
END_TEST

/* The same of relays and of meshes, as their timelines show it: a job of more records than a batch
 * holds. (A mesh's relay takes those of one sender.) */
enum { FEW_RECORDS = 16 };
static uint64_t widest[2]; /* of relays, and of handlers */

static int play_and_look(struct mw_world *w, void *arg)
{
    const int rc = play(w, arg);
    for (uint64_t i = 0; i < w->timeline->n; i++) {
        const struct mw_timeline_event *e = &w->timeline->event[i];
        uint64_t *most = &widest[strstr(e->name, "relay") == NULL];
        if (strcmp(e->name, "generator") == 0 || e->track < MW_TRACK_CLUSTER)
            continue;
        uint64_t seen = __atomic_load_n(most, __ATOMIC_RELAXED);
        while (seen < e->n &&
               !__atomic_compare_exchange_n(most, &seen, e->n, false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
            ;
    }
    return rc;
}

START_TEST(relays_and_meshes_take_all_that_waits)
{
    static const char *const backend[] = {"openmp", "emul"};
    const bool emulated = _i >= 2;
    struct play p = {.n_levels = 2,
                     .most_units = emulated ? (uint32_t)how_many(1300, 1300, 300) : 1300,
                     .wide = _i % 2};
    struct ranks r = ranks_of(4, &p);
    r.body = play_and_look;
    r.world.timeline_events = 1 << 16;
    r.world.batch_bytes = FEW_RECORDS * (p.wide ? 16 : 8);
    r.world.small_input = 0;
    r.world.backend = backend[emulated];
    r.world.n_threads = emulated ? 1 : 3;
    with_width(&r, 2);
    memset(widest, 0, sizeof widest);
    must_play(&r);
    ck_assert_uint_gt(widest[0], FEW_RECORDS);
    ck_assert_uint_gt(widest[1], FEW_RECORDS);
}
END_TEST

/* One cluster, which is slow: whatever else there is to do is the management core's. */
static uint64_t n_jobs, n_all_busy, n_small;

static int add_jobs(const struct mw_world *w, const struct mw_traffic *t)
{
    (void)w;
    __atomic_fetch_add(&n_jobs, t->jobs.all, __ATOMIC_RELAXED);
    __atomic_fetch_add(&n_all_busy, t->jobs.all_busy, __ATOMIC_RELAXED);
    __atomic_fetch_add(&n_small, t->jobs.small, __ATOMIC_RELAXED);
    return MW_OK;
}

START_TEST(when_all_clusters_are_busy_the_management_core_works)
{
    static const char *const backend[] = {"openmp", "emul", "openmp"};
    static const uint32_t n_threads[] = {2, 3, 4}; /* four leave it to the network */
    struct play p = {
        .n_levels = 2, .most_units = 400, .slow_ns = 20000, .after_level = add_jobs};
    struct ranks r = ranks_of(3, &p);
    r.world.batch_bytes = 512;
    r.world.small_input = 0;
    r.world.backend = backend[_i];
    r.world.n_threads = n_threads[_i];
    with_width(&r, 1);
    n_jobs = n_all_busy = 0;
    must_play(&r);
    ck_assert(_i == 2 ? n_all_busy == 0 : n_all_busy > 0);
    ck_assert_uint_lt(n_all_busy, n_jobs);
}
END_TEST

/* None is; some may be, as batches come alone or with others; all are. */
START_TEST(inputs_below_the_limit_are_the_management_cores)
{
    static const uint32_t limit[] = {0, 300, 1 << 20};
    struct play p = {.n_levels = 2, .most_units = 400, .after_level = add_jobs};
    struct ranks r = ranks_of(3, &p);
    r.world.batch_bytes = 512;
    r.world.small_input = limit[_i];
    with_threads(&r, 3);
    with_width(&r, 1);
    n_jobs = n_small = 0;
    must_play(&r);
    ck_assert_uint_gt(n_jobs, 0);
    ck_assert(_i > 0 || n_small == 0);
    ck_assert(_i == 2 ? n_small == n_jobs : n_small < n_jobs);
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
    return rc == MW_OK ? check_timeline(w->timeline, w->conf.n_clusters, w->plan != NULL)
                       : rc;
}

START_TEST(records_arrive_once_over_a_mesh)
{
    struct play p = {
        .n_levels = 2, .most_units = 200, .wide = _i % 2, .seed = (uint64_t)_i};
    struct ranks r = ranks_of(1 + (uint32_t)_i % 4, &p);
    r.body = play_on_mesh;
    r.world.timeline_events = 4096; /* in virtual time */
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
                r.world.batch_bytes = bytes[_i % 4];
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

/* Every factorisation, and shapes with a short last group; play() compares the ranks that were
 * sent to with N + M - 1. */
START_TEST(many_ranks_meet_n_plus_m_minus_one)
{
    static const uint32_t n_ranks[] = {4, 12, 13, 16, 30, 63};
    struct play p = {.n_levels = 2, .most_units = 40};
    const uint32_t n = n_ranks[_i];
    struct ranks r = ranks_of(n, &p);
    for (uint32_t width = 1; width <= n; width++)
        if (n % width == 0 || (n <= 16 && width % 3 == 1)) {
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
    for (uint32_t threads = 0; threads <= 4; threads += 2) {
        struct ranks r = ranks_of(4, &p);
        with_threads(&r, threads);
        with_width(&r, (uint32_t)_i);
        r.world.batch_bytes = 256;
        r.world.small_input = 0;
        ck_assert_int_eq(damaged(&r, WRONG_CHILD, 0), MW_ERR_INTERNAL);
        ck_assert_msg(strstr(mw_error_text(), "from rank 0: it names child 2147") != NULL,
                      "%s", mw_error_text());
    }
}
END_TEST

/* Each core of a mesh looks at the piece that it has fetched. */
START_TEST(children_that_nobody_has_are_refused_by_the_cores_of_a_mesh)
{
    struct play p = {.n_levels = 1, .most_units = 200};
    struct ranks r = ranks_of(4, &p);
    r.world.backend = "emul";
    r.world.n_threads = 1;
    r.world.batch_bytes = 256;
    r.world.small_input = 0;
    with_width(&r, (uint32_t)_i);
    ck_assert_int_eq(damaged(&r, WRONG_CHILD, 0), MW_ERR_INTERNAL);
    ck_assert_msg(strstr(mw_error_text(), "from rank 0: it names child 2147") != NULL,
                  "%s", mw_error_text());
}
END_TEST

/* Emulated nodes know what is on its way: nobody waits for what is lost. */
START_TEST(a_lost_closing_batch_is_known_at_once_between_emulated_nodes)
{
    struct play p = {.n_levels = 1, .most_units = 50};
    struct ranks r = ranks_of(2 + (uint32_t)_i, &p);
    with_width(&r, 1 + (uint32_t)_i % 2);
    r.world.backend = "emul";
    r.world.n_threads = 1;
    ck_assert_int_eq(damaged(&r, LOSE_LAST, 0), MW_ERR_INTERNAL);
    ck_assert_msg(strstr(mw_error_text(), "no batch is on its way") != NULL, "%s",
                  mw_error_text());
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "closed"));
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
                     .slow_ns = 20000000,
                     .only_rank_0 = true,
                     .seed = 5};
    struct ranks r = ranks_of(2, &p);
    r.world.batch_bytes = 64;
    with_width(&r, 1);
    r.world.hang_timeout_s = 0.6; /* several jobs, and what a busy machine takes */
    must_play(&r);
}
END_TEST

/* ---- A network that misbehaves ------------------------------------------------------------------ */

/* Gives the status that all ranks ended with; nothing stays behind. */
static int with_faults(struct ranks *r, struct faults f)
{
    const uint64_t before = mw_mem_in_use();
    faults = f;
    const int rc = on_ranks(r);
    faults = (struct faults){0};
    ck_assert_uint_eq(mw_mem_in_use(), before);
    return rc;
}

/* Late, and in another order across links: nothing that anybody was promised. */
START_TEST(late_batches_in_another_order_change_nothing)
{
    struct play p = {.n_levels = 3, .most_units = 200, .seed = (uint64_t)_i};
    struct ranks r = ranks_of(2 + (uint32_t)_i, &p);
    r.world.batch_bytes = 256;
    with_threads(&r, (uint32_t)_i % 3);
    for (uint32_t width = 1; width <= 2; width++) {
        with_width(&r, width);
        n_out_of_order = 0;
        ck_assert_msg(with_faults(&r, (struct faults){.seed = 1 + (uint64_t)_i,
                                                      .delay = 1u << 2 * _i}) == MW_OK,
                      "%s: %s", ranks_text(&r), mw_error_text());
        ck_assert_uint_eq(n_out_of_order, 0);
    }
}
END_TEST

/* The third batch of rank 1 is lost, or comes twice: the next one on that link is not the one
 * that is due, or none comes. */
START_TEST(batches_that_come_twice_or_never_are_found_out)
{
    struct play p = {.n_levels = 3, .most_units = 200, .seed = (uint64_t)_i};
    struct ranks r = ranks_of(3, &p);
    r.world.batch_bytes = 256;
    with_width(&r, 1 + (uint32_t)_i % 2);
    r.world.hang_timeout_s = 0.3;
    struct faults f = {.seed = 1 + (uint64_t)_i, .rank = 2};
    f.twice_at = _i < 2 ? 3 : 0;
    f.lost_at = _i < 2 ? 0 : 3;
    ck_assert_int_eq(with_faults(&r, f), MW_ERR_INTERNAL);
    ck_assert_msg(strstr(mw_error_text(), "out of order") != NULL ||
                      (_i >= 2 && strstr(mw_error_text(), "no progress") != NULL),
                  "%s", mw_error_text());
}
END_TEST

/* What a flipped bit breaks is found by somebody: transport, pipeline or kernel, or by the toy,
 * which knows what it sent. (A wrong value in a right place is for validation.) */
START_TEST(flipped_bits_do_no_harm_unseen)
{
    struct play p = {.n_levels = 1, .most_units = 60, .wide = true};
    struct ranks r = ranks_of(3, &p);
    const int n = how_many(300, 60, 20);
    int n_found = 0;
    r.world.batch_bytes = 256;
    r.world.hang_timeout_s = 0.3;
    for (int i = 0; i < n; i++) {
        r.world.compress = i % 3 == 0 ? MW_COMPRESS_PACKED : MW_COMPRESS_OFF;
        with_width(&r, 1 + (uint32_t)i % 2);
        const int rc = with_faults(&r, (struct faults){.seed = 1 + (uint64_t)i,
                                                       .rank = 1,
                                                       .flip_at = 1 + (uint64_t)i % 4});
        ck_assert_msg(rc == MW_OK || rc == MW_ERR_INTERNAL || rc == MW_ERR_INVALID,
                      "%d: %s", rc, mw_error_text());
        n_found += rc != MW_OK;
    }
    ck_assert_int_gt(n_found,
                     n / 4); /* which batch is the fourth depends on the machine */
}
END_TEST

START_TEST(batches_come_over_the_link_that_they_name)
{
    const struct mw_batch_head h = {.sender = 3, .port = 1};
    ck_assert_int_eq(mw_link_check(&h, 3, 1), MW_OK);
    ck_assert_int_eq(mw_link_check(&h, 2, 1), MW_ERR_INTERNAL);
    ck_assert_str_eq(mw_error_text(),
                     "corrupt batch from rank 2 on port 1: it says rank 3 and port 1");
    ck_assert_int_eq(mw_link_check(&h, 3, 0), MW_ERR_INTERNAL);
    ck_assert_str_eq(mw_error_text(),
                     "corrupt batch from rank 3 on port 0: it says rank 3 and port 1");
    mw_error_clear();
}
END_TEST

/* Livelock: messages flow and nothing is done. */
START_TEST(batches_that_come_back_are_refused_at_once)
{
    struct play p = {.n_levels = 1, .most_units = 100};
    struct ranks r = ranks_of(2 + (uint32_t)_i, &p);
    with_width(&r, 1);
    ck_assert_int_eq(with_faults(&r, (struct faults){.back = true}), MW_ERR_INTERNAL);
    ck_assert_msg(strstr(mw_error_text(), "came back to its sender, rank") != NULL, "%s",
                  mw_error_text());
}
END_TEST

START_TEST(messages_that_say_nothing_are_no_progress)
{
    struct play p = {.n_levels = 1, .most_units = 100};
    struct ranks r = ranks_of(2 + (uint32_t)_i % 2, &p);
    with_threads(&r, _i < 2 ? 0 : 3);
    with_width(&r, 1 + (uint32_t)_i % 2);
    r.world.hang_timeout_s = 0.3;
    const double start = mw_now();
    ck_assert_int_eq(
        with_faults(&r, (struct faults){.flood = _i < 3, .refused = _i == 3}),
        MW_ERR_INTERNAL);
    ck_assert_double_ge(mw_now() - start, 0.3);
    ck_assert_msg(strstr(mw_error_text(), "no progress") != NULL, "%s", mw_error_text());
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "; port "));
}
END_TEST

/* A group's column that does not fit above the child's number rides above the value, and where
 * there is no room either records are wide. (test_groups.c: all of that for groups of 256.) */
static const struct mw_record_bits large[] = {
    {30, 32, 0}, {31, 20, 0}, {32, 28, 0}, {32, 40, 0}, {31, 61, 0}};
enum { LARGE = sizeof large / sizeof *large };

START_TEST(columns_beyond_32_bits_arrive)
{
    struct play p = {.n_levels = 2, .most_units = 200, .bits = large[_i]};
    for (uint32_t n_ranks = 3; n_ranks <= 9; n_ranks += 2)
        for (uint32_t width = 2; width <= mw_min(n_ranks, 8); width += 1 + width / 4) {
            struct ranks r = ranks_of(n_ranks, &p);
            p.seed = width;
            r.world.small_input = 0;
            with_threads(&r, width % 3);
            with_width(&r, width);
            must_play(&r);
        }
}
END_TEST

START_TEST(columns_beyond_32_bits_arrive_over_a_mesh)
{
    struct play p = {.n_levels = 1, .most_units = 200, .bits = large[_i]};
    struct ranks r = ranks_of(5, &p);
    r.world.backend = "emul";
    r.world.n_threads = 1;
    r.world.small_input = 0;
    with_width(&r, 3);
    must_play(&r);
}
END_TEST

START_TEST(columns_that_no_group_has_are_refused)
{
    struct play p = {.n_levels = 1, .most_units = 200, .bits = {32, 20}};
    struct ranks r = ranks_of(6, &p);
    with_threads(&r, 0);
    if (_i > 0) {
        r.world.backend = _i == 1 ? "openmp" : "emul";
        r.world.n_threads = _i == 1 ? 2 : 1;
    }
    r.world.batch_bytes = 256;
    r.world.small_input = 0;
    with_width(&r, 3);
    ck_assert_int_eq(damaged(&r, WRONG_COLUMN, 0), MW_ERR_INTERNAL);
    ck_assert_msg(strstr(mw_error_text(), "corrupt batch from rank 0") != NULL, "%s",
                  mw_error_text());
}
END_TEST

START_TEST(records_of_more_than_96_bits_are_refused)
{
    struct play p = {.n_levels = 1, .most_units = 20, .bits = {31, 63}};
    struct ranks r = ranks_of(4, &p);
    with_width(&r, 4);
    must_play(&r);
    p.bits.value = 64;
    ck_assert_int_eq(on_ranks(&r), MW_ERR_REFUSED);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "96 bits cannot hold 31"));
}
END_TEST

/* By 9 ranks: 8 others when direct, 4 by 3 x 3, 6 by 5 x 2 and the like. */
START_TEST(a_route_with_too_many_connections_is_refused_before_any_message)
{
    struct play p = {.n_levels = 1, .most_units = 50};
    struct ranks r = ranks_of(9, &p);
    r.world.connections = 4;
    n_transports = 0;
    with_width(&r, 1);
    ck_assert_int_eq(on_ranks(&r), MW_ERR_REFUSED);
    ck_assert_str_eq(mw_error_text(),
                     "--connections 4: direct routing makes a rank talk to 8 others; "
                     "--routing relay --groups 3x3 to 4 (N + M - 1 with itself)");
    with_width(&r, 2);
    ck_assert_int_eq(on_ranks(&r), MW_ERR_REFUSED);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "relay 5x2 makes a rank talk to 5"));
    ck_assert_uint_eq(n_transports, 0);
    with_width(&r, 3);
    must_play(&r);
    ck_assert_uint_eq(n_transports, 9);
    r.world.connections = 8;
    with_width(&r, 1);
    must_play(&r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pipeline");
    TCase *once = tcase_create("once"), *fault = tcase_create("fault");
    tcase_add_loop_test(once, records_arrive_once_by_every_route, 1, how_many(10, 10, 7));
    tcase_add_loop_test(once, records_arrive_once_with_threads, 1, how_many(10, 10, 7));
    tcase_add_loop_test(once, pieces_end_where_room_does, 0, how_many(10, 10, 5));
    tcase_add_loop_test(once, coded_records_arrive_once, 0, 4);
    tcase_add_loop_test(once, nothing_is_coded_unless_it_pays, 0, 2);
    tcase_add_loop_test(once, what_goes_over_slow_links_alone_is_coded, 0, 2);
    tcase_add_test(once, clusters_share_a_module);
    tcase_add_test(once, no_module_of_meshes_has_two_executors);
    tcase_add_loop_test(once, a_track_does_one_thing_however_many_clusters, 0, 2);
    tcase_add_loop_test(once, batches_are_taken_first_come_first_served_without_a_copy, 0,
                        4);
    tcase_add_test(once, a_job_takes_all_that_waits);
    tcase_add_loop_test(once, relays_and_meshes_take_all_that_waits, 0,
                        UNDER_TSAN ? 2 : how_many(4, 4, 3));
    tcase_add_loop_test(once, when_all_clusters_are_busy_the_management_core_works, 0,
                        how_many(3, 3, 2));
    tcase_add_loop_test(once, inputs_below_the_limit_are_the_management_cores, 0, 3);
    tcase_add_loop_test(once, records_arrive_once_over_a_mesh, 0,
                        UNDER_TSAN ? 1 : how_many(6, 6, 3));
    tcase_add_test(once, a_timeline_that_is_full_counts_what_it_loses);
    tcase_add_loop_test(once, tiny_batches_are_enough, 0, how_many(28, 28, 9));
    tcase_add_loop_test(once, delays_change_nothing, 0, how_many(12, 12, 6));
    /* 30 and 63 threads under a sanitizer take minutes. */
    tcase_add_loop_test(once, many_ranks_meet_n_plus_m_minus_one, 0, how_many(6, 6, 3));
    tcase_add_loop_test(once, a_hundred_levels_end_empty_or_not, 1, how_many(8, 8, 4));
    tcase_add_test(once, level_numbers_go_round);
    tcase_add_test(once, one_rank_feeds_all);
    tcase_add_loop_test(fault, batches_out_of_order_are_refused, 0, 3);
    tcase_add_loop_test(fault, batches_of_another_link_are_refused, 0, 2);
    tcase_add_loop_test(fault, children_that_nobody_has_are_refused, 1, 3);
    tcase_add_loop_test(
        fault, children_that_nobody_has_are_refused_by_the_cores_of_a_mesh, 1, 3);
    tcase_add_loop_test(fault, a_lost_closing_batch_ends_the_run, 0, 4);
    tcase_add_loop_test(
        fault, a_lost_closing_batch_is_known_at_once_between_emulated_nodes, 0, 4);
    tcase_add_test(fault, slow_ranks_raise_no_alarm);
    tcase_add_loop_test(fault, late_batches_in_another_order_change_nothing, 0, 4);
    tcase_add_loop_test(fault, batches_that_come_twice_or_never_are_found_out, 0, 4);
    tcase_add_test(fault, flipped_bits_do_no_harm_unseen);
    tcase_add_test(fault, batches_come_over_the_link_that_they_name);
    tcase_add_loop_test(fault, batches_that_come_back_are_refused_at_once, 0, 2);
    tcase_add_loop_test(fault, messages_that_say_nothing_are_no_progress, 0, 4);
    tcase_add_loop_test(once, columns_beyond_32_bits_arrive, 0, UNDER_TSAN ? 2 : LARGE);
    tcase_add_loop_test(once, columns_beyond_32_bits_arrive_over_a_mesh, 1,
                        how_many(3, 3, 2));
    tcase_add_loop_test(fault, columns_that_no_group_has_are_refused, 0, 3);
    tcase_add_test(fault, records_of_more_than_96_bits_are_refused);
    tcase_add_test(fault,
                   a_route_with_too_many_connections_is_refused_before_any_message);
    suite_add_tcase(s, once);
    suite_add_tcase(s, fault);
    return run_suite(s);
}
