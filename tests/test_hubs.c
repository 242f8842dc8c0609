/* test_hubs.c -- what ranks tell each other of their hubs, and what a search gets from it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "algorithms/bfs/bfs_search.h"
#include "bfs_body.h"

#include <unistd.h>

static void must_run_on(uint32_t n_ranks, uint32_t per_host,
                        int (*body)(struct mw_world *w, void *arg), void *arg)
{
    struct ranks r = {.loop = {n_ranks, per_host, 0}, .body = body, .arg = arg};
    with_threads(&r, 0);
    with_width(&r, 1);
    must_run(&r);
}

/* ---- The exchange ------------------------------------------------------------------------ */

enum { LABELS_MOST = 700 };

struct exchanges {
    uint32_t n_hubs, n_labels[8]; /* of each rank */
    uint64_t seed;
};

/* Bit i of a rank in a step is a function of both, and bits stay. */
static bool is_set(const struct exchanges *x, uint32_t rank, uint32_t label,
                   uint32_t step)
{
    const uint64_t when = mixed(x->seed ^ (uint64_t)rank << 32 ^ label) % 12;
    return label < x->n_labels[rank] && when < step;
}

static int check_known(const struct exchanges *x, const struct mw_hubs *h,
                       const uint32_t *told)
{
    for (uint32_t r = 0; r < h->comm->size; r++)
        for (uint32_t l = 0; l < h->n_hubs; l++)
            EXPECT(mw_hub_is_visited(h, r, l) == is_set(x, r, l, told[l]),
                   "rank %u, label %u of rank %u", h->comm->rank, l, r);
    return MW_OK;
}

static int exchange_and_check(struct mw_world *w, void *arg)
{
    const struct exchanges *x = arg;
    const uint32_t me = w->comm->rank, n = x->n_labels[me];
    uint32_t place_of[LABELS_MOST], told[LABELS_MOST] = {0}; /* by label: in which step */
    uint64_t own[LABELS_MOST / 64 + 1] = {0};
    struct mw_hubs *h = NULL;
    struct mw_set_share *share = NULL;
    struct mw_hub_news news;
    int rc;

    for (uint32_t l = 0; l < n; l++)
        place_of[l] = 1000 * me + 3 * l;
    MW_TRY(rc, mw_hubs_new(w->comm, x->n_hubs, place_of, n, &h));
    MW_TRY(rc, mw_set_share_new(w->comm, mw_hubs_words(x->n_hubs), &share));
    for (uint32_t r = 0; r < w->comm->size; r++)
        for (uint32_t l = 0; l < mw_min(x->n_hubs, x->n_labels[r]); l++)
            if (h->place[(uint64_t)r * x->n_hubs + l] != 1000 * r + 3 * l)
                rc = mw_fail(MW_ERR_INVALID, "place of %u at %u", l, r);
    for (uint32_t step = 1; rc == MW_OK && step < 14; step++) {
        /* Prefixes of all lengths, the whole one now and then. */
        const uint32_t n_prefix =
            step % 3 == 0 ? x->n_hubs : 1 + (uint32_t)(mixed(x->seed + step) % x->n_hubs);
        for (uint32_t l = 0; l < n; l++)
            own[l / 64] |= (uint64_t)is_set(x, me, l, step) << (l % 64);
        rc = mw_hubs_exchange(h, share, own, n_prefix, &news);
        for (uint32_t l = 0; l < n_prefix; l++)
            told[l] = step;
        rc = mw_comm_agree(w->comm, rc == MW_OK ? check_known(x, h, told) : rc);
    }
end:
    mw_set_share_free(share);
    mw_hubs_free(h);
    return rc;
}

START_TEST(everybody_knows_the_prefix_that_was_exchanged)
{
    uint64_t dice = mixed((uint64_t)_i);
    struct exchanges x = {.seed = dice};
    const uint32_t n_ranks = 1 + (uint32_t)_i % 8;
    x.n_hubs = 1 + (uint32_t)drawn(&dice, _i % 3 == 0 ? 8 : LABELS_MOST);
    for (uint32_t r = 0; r < n_ranks; r++) /* some ranks have fewer than that, or none */
        x.n_labels[r] = (uint32_t)drawn(&dice, r == 1 ? 1 : LABELS_MOST);
    must_run_on(n_ranks, (uint32_t)_i % 3, exchange_and_check, &x);
}
END_TEST

/* Rank 0, a host of its own, visits more and more of 256 hubs; two other hosts have
 * nothing to tell. It tells one of them, and both together the third. */
static int tell(struct mw_hubs *h, struct mw_set_share *share, uint64_t own[4],
                uint32_t first, uint32_t last, uint64_t bytes)
{
    const uint32_t n_told = first < last;
    const uint64_t sent =
        h->comm->rank == 0 ? 2 * n_told * (mw_set_room(1, 0) + bytes) : 0;
    struct mw_hub_news news;
    for (uint32_t l = first; h->comm->rank == 0 && l < last; l++)
        own[l / 64] |= UINT64_C(1) << (l % 64);
    const int rc = mw_hubs_exchange(h, share, own, 256, &news);
    EXPECT(news.n_flags == h->comm->size - n_told, "%u flags", news.n_flags);
    EXPECT(news.n_bytes == sent, "labels %u .. %u: %u bytes", first, last,
           (unsigned)news.n_bytes);
    return rc;
}

static int tell_what_is_new(struct mw_world *w, void *arg)
{
    static const struct {
        uint32_t first, last, bytes;
    } step[] = {
        {0, 0, 0},     /* nothing: nobody sends */
        {5, 6, 2},     /* a list of what is new */
        {100, 200, 4}, /* a run */
        {0, 0, 0},     /* nothing new */
        {0, 100, 4},   /* all up to 200 is shorter than two runs */
        {200, 256, 0}, /* all: nothing is missing, which is no flag */
        {0, 0, 0},
    };
    const uint32_t place_of[256] = {0};
    uint64_t own[4] = {0};
    struct mw_hubs *h = NULL;
    struct mw_set_share *share = NULL;
    int rc;
    (void)arg;
    MW_TRY(rc, mw_hubs_new(w->comm, 256, place_of, 256, &h));
    MW_TRY(rc, mw_set_share_new(w->comm, mw_hubs_words(256), &share));
    for (size_t i = 0; i < sizeof step / sizeof *step && rc == MW_OK; i++)
        rc = mw_comm_agree(
            w->comm, tell(h, share, own, step[i].first, step[i].last, step[i].bytes));
    for (uint32_t l = 0; rc == MW_OK && l < 256; l++)
        if (!mw_hub_is_visited(h, 0, l) || mw_hub_is_visited(h, 1, l))
            rc = mw_fail(MW_ERR_INVALID, "label %u", l);
    mw_hubs_reset(h);
    for (uint32_t l = 0; rc == MW_OK && l < 256; l++)
        if (mw_hub_is_visited(h, 0, l))
            rc = mw_fail(MW_ERR_INVALID, "label %u is remembered", l);
end:
    mw_set_share_free(share);
    mw_hubs_free(h);
    return mw_comm_agree(w->comm, rc);
}

START_TEST(what_is_new_is_told_and_nothing_new_is_a_flag)
{
    must_run_on(3, 1, tell_what_is_new, NULL);
}
END_TEST

/* ---- What a search gets from it ----------------------------------------------------------- */

/* One search and its levels, summed over the ranks. */
struct told {
    const struct sample *sample;
    struct mw_direction_rule rule;
    mw_vid root;
    uint64_t records, questions, answers, dropped, hub_bytes, bitmap_bytes;
    uint32_t late_flags, first_flags; /* of the last level, and of the first */
    uint64_t least_peers, most_peers;
    bool known;          /* there is a bitmap over all columns */
    uint64_t seen_words; /* of a lane's bitmap, on the rank that has most */
};

static int search_once(struct mw_world *w, void *arg)
{
    struct told *t = arg, mine = {.sample = t->sample};
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    const struct mw_level *level;
    uint32_t n = 0;
    uint64_t peers;
    int rc;

    MW_TRY(rc, sample_share(t->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &t->rule, w, g, &b));
    mine.known = ((const struct mw_bfs *)b->state)->s.known != NULL;
    mine.seen_words = ((const struct mw_bfs *)b->state)->s.n_seen_words;
    MW_TRY(rc, mw_comm_max(w->comm, &mine.seen_words, 1));
    MW_TRY(rc, mw_traversal_reset(b));
    MW_TRY(rc, mw_traversal_run(b, t->root));
    MW_TRY(rc, mw_traversal_levels(b, &level, &n));
    for (uint32_t i = 0; i < n; i++) {
        mine.records += level[i].n_records;
        mine.questions += level[i].own[MW_BFS_QUESTIONS];
        mine.answers += level[i].own[MW_BFS_ANSWERS];
        mine.dropped += level[i].own[MW_BFS_DROPPED];
        mine.hub_bytes += level[i].own[MW_BFS_HUB_BYTES];
        if (level[i].own[MW_BFS_FORM] == MW_FORM_BITMAP)
            mine.bitmap_bytes += level[i].n_bytes;
    }
    mine.first_flags = (uint32_t)level[0].own[MW_BFS_HUB_FLAGS];
    mine.late_flags = (uint32_t)level[n - 1].own[MW_BFS_HUB_FLAGS];
    peers = mw_traversal_n_peers(b);
    MW_TRY(rc, mw_comm_min(w->comm, &peers, 1));
    mine.least_peers = peers;
    peers = mw_traversal_n_peers(b);
    MW_TRY(rc, mw_comm_max(w->comm, &peers, 1));
    mine.most_peers = peers;
    if (w->comm->rank == 0) {
        mine.rule = t->rule;
        mine.root = t->root;
        *t = mine;
    }
end:
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

static struct told search_told(const struct sample *s, uint32_t n_ranks, uint32_t width,
                               struct mw_direction_rule rule)
{
    struct told t = {.sample = s, .rule = rule};
    struct ranks r = {
        .loop = {n_ranks, (n_ranks + 1) / 2, 0}, .body = search_once, .arg = &t};
    while (sample_degree(s, t.root) < 2)
        t.root++;
    with_threads(&r, 1);
    with_width(&r, width);
    r.world.batch_bytes = 512;
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
    return t;
}

static struct mw_direction_rule by_messages(enum mw_direction_policy policy, int exponent)
{
    const struct mw_direction_rule rule = {.policy = policy,
                                           .form = MW_FORM_MESSAGES,
                                           .hubs = {exponent, exponent},
                                           .few = MW_FEW_NONE};
    return rule;
}

START_TEST(with_more_hubs_less_is_sent)
{
    struct sample s = sample_kronecker(12);
    static const int exponent[] = {MW_HUBS_OFF, 2, 4, 6, 8};
    const enum mw_direction_policy policy =
        _i == 0 ? MW_DIRECTION_TOP_DOWN : MW_DIRECTION_BOTTOM_UP;
    struct told last = {0};
    for (size_t i = 0; i < sizeof exponent / sizeof *exponent; i++) {
        const struct told t = search_told(&s, 4, 2, by_messages(policy, exponent[i]));
        ck_assert_uint_eq(t.hub_bytes > 0, i > 0);
        ck_assert_uint_eq(t.dropped > 0, i > 0 && policy == MW_DIRECTION_TOP_DOWN);
        ck_assert_uint_eq(t.questions > 0, policy == MW_DIRECTION_BOTTOM_UP);
        ck_assert_uint_le(t.answers, t.questions);
        if (i > 0)
            ck_assert_uint_lt(t.records, last.records);
        last = t;
    }
    sample_free(&s);
}
END_TEST

/* With all labels for hubs everything is looked up. */
START_TEST(who_knows_everybody_asks_nobody)
{
    struct sample s = sample_kronecker(10);
    const struct told t =
        search_told(&s, 3, 1, by_messages(MW_DIRECTION_BOTTOM_UP, MW_HUBS_MOST));
    ck_assert_uint_eq(t.questions, 0);
    ck_assert_uint_eq(t.records, 0);
    sample_free(&s);
}
END_TEST

START_TEST(first_and_late_levels_show_the_empty_flag)
{
    struct sample s = sample_kronecker(12);
    const struct told t = search_told(&s, 4, 1, by_messages(MW_DIRECTION_AUTO, 4));
    ck_assert_uint_ge(t.first_flags, 3); /* all but the root's owner, if it is a hub */
    ck_assert_uint_eq(t.late_flags, 4);
    sample_free(&s);
}
END_TEST

/* The bitmaps that grow with all of n, the host's and each lane's, are gone: four times
 * the vertices on four times the ranks, and hubs are all that a rank has more of. */
START_TEST(by_messages_no_bitmap_over_all_columns_is_kept)
{
    struct sample small = sample_kronecker(11), large = sample_kronecker(13);
    struct mw_direction_rule rule = by_messages(MW_DIRECTION_AUTO, 7);
    const struct told a = search_told(&small, 4, 2, rule),
                      b = search_told(&large, 16, 4, rule);
    ck_assert(!a.known && !b.known);
    ck_assert_uint_le(b.seen_words, a.seen_words + 12 * 128 / 64);
    ck_assert_uint_eq(b.bitmap_bytes, 0);
    rule.form = MW_FORM_BITMAP;
    const struct told c = search_told(&large, 16, 4, rule);
    ck_assert(c.known);
    ck_assert_uint_ge(c.seen_words, 2 * b.seen_words);
    sample_free(&small);
    sample_free(&large);
}
END_TEST

/* ---- Peers ------------------------------------------------------------------------------- */

START_TEST(peers_are_those_of_the_matrix)
{
    static const uint32_t n_ranks[] = {4, 12, 16, 30, 63};
    struct sample s = sample_kronecker(8);
    const uint32_t n = n_ranks[_i];
    for (uint32_t width = 1; width <= n; width++) {
        const uint32_t n_groups = (n + width - 1) / width;
        const bool near_square = width * width <= 2 * n && 2 * width * width >= n;
        if (n > 16 && width > 1 && !near_square)
            continue; /* threads of one process: it takes long */
        const struct told t =
            search_told(&s, n, width, by_messages(MW_DIRECTION_AUTO, 2));
        /* The paper's N + M - 1 counts the rank itself; direct is N x 1. */
        const uint32_t predicted = n_groups + width - 2;
        ck_assert_uint_le(t.most_peers, predicted);
        if (n % width == 0) {
            ck_assert_uint_eq(t.least_peers, predicted);
            ck_assert_uint_eq(t.most_peers, predicted);
        }
    }
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("hubs");
    TCase *t = tcase_create("exchange");
    tcase_add_loop_test(t, everybody_knows_the_prefix_that_was_exchanged, 0, 40);
    tcase_add_test(t, what_is_new_is_told_and_nothing_new_is_a_flag);
    suite_add_tcase(s, t);
    t = tcase_create("search");
    tcase_add_loop_test(t, with_more_hubs_less_is_sent, 0, 2);
    tcase_add_test(t, who_knows_everybody_asks_nobody);
    tcase_add_test(t, first_and_late_levels_show_the_empty_flag);
    tcase_add_test(t, by_messages_no_bitmap_over_all_columns_is_kept);
    tcase_add_loop_test(t, peers_are_those_of_the_matrix, 0, how_many(5, 5, 3));
    suite_add_tcase(s, t);
    return run_suite(s);
}
