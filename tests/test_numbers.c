/* test_numbers.c -- named operations (shuffle/numbers.h) do on every kind of core what one core does in
 * order, many cores at a time: in a sweep, and where records of all ranks end (numbers.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "numbers.h"

#include "devices/placed.h"
#include "mpe/row.h"
#include "ranks.h"
#include "shuffle/kernel_lists.h"
#include "shuffle/reals.h"

enum { UNITS = 3000, PLACES = 200, MOST_RANKS = 4, ENTRIES = 200 };
enum { GIVE, CALL }; /* exchanges */

MW_KERNELS_OF(kernels, numbers_kernels, MW_KINDS_OF_CORE)
MW_KERNELS_OF(sweeps, numbers_sweeps, MW_KINDS_WITHOUT_MESH)

static uint64_t units(void *state)
{
    return ((const struct numbers *)state)->n_units;
}

#define KERNEL(member) MW_ENTRY(numbers_kernels, member)
/* clang-format off */
static const struct mw_row row[] = {
    {"giver",    {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(give),  units, 1, .exchanges = 1 << GIVE},
    {"caller",   {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(call),  units, 1, .exchanges = 1 << CALL},
    {"relay",    {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, 0,             NULL,  0, .exchanges = 1 << GIVE | 1 << CALL},
    {"receiver", {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  KERNEL(given), NULL,  0, .exchanges = 1 << GIVE},
    {"hearer",   {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  KERNEL(hear),  NULL,  0, .exchanges = 1 << CALL},
    {.name = "all", .kernel = MW_ENTRY(numbers_sweeps, all)},
    {.name = "words", .kernel = MW_ENTRY(numbers_sweeps, words)},
    {.name = "list", .kernel = MW_ENTRY(numbers_sweeps, list)},
    {.name = "keep", .kernel = MW_ENTRY(numbers_sweeps, keep)},
};
/* clang-format on */
enum { N_ROWS = sizeof row / sizeof *row, ALL = N_ROWS - 4, WORDS, LIST, KEEP };
static const struct mw_row_table table = {row, N_ROWS, kernels, sweeps};

/* ---- the state, of cores -------------------------------------------------------------------- */

enum { LISTED = 64 * NUMBERS_WORDS };

/* All tables are as long, for whoever uses some of them. */
#define TABLES(ENTRY)                                                                    \
    ENTRY(sum)                                                                           \
    ENTRY(least)                                                                         \
    ENTRY(called)                                                                        \
    ENTRY(count)                                                                         \
    ENTRY(low32)                                                                         \
    ENTRY(claimed32)                                                                     \
    ENTRY(low64)                                                                         \
    ENTRY(claimed64)                                                                     \
    ENTRY(grown32)                                                                       \
    ENTRY(grown64)                                                                       \
    ENTRY(united)                                                                        \
    ENTRY(sum64)                                                                         \
    ENTRY(taken)                                                                         \
    ENTRY(n_taken)                                                                       \
    ENTRY(n_claimed)
MW_STATIC_ASSERT((int)ENTRIES >= (int)PLACES && (int)ENTRIES >= (int)NUMBERS_BITS,
                 "room for each");

static int state_new(struct numbers *s, struct mw_world *w, const struct mw_graph *g)
{
    struct mw_sizes sizes = {0};
    uint64_t ones[ENTRIES];
    int rc = MW_OK;
    memset(s, 0, sizeof *s);
    memset(ones, 0xFF, sizeof ones);
    s->g = g;
#define TAKE(table)                                                                      \
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, #table, ENTRIES,                  \
                    sizeof *s->table);                                                   \
    MW_PLACE(rc, s->table, w, MW_OF_CORES, &sizes, #table);
    TABLES(TAKE)
#define TAKE_WORDS(table, n)                                                             \
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, #table, n, sizeof *s->table);     \
    MW_PLACE(rc, s->table, w, MW_OF_CORES, &sizes, #table);
    TAKE_WORDS(in, NUMBERS_WORDS)
    TAKE_WORDS(yes, NUMBERS_WORDS)
    TAKE_WORDS(second, NUMBERS_WORDS)
    TAKE_WORDS(list, LISTED)
    TAKE_WORDS(list_end, LISTED)
    TAKE_WORDS(row_end, 1)
    mw_sizes_add_of(&sizes, MW_OF_BOTH, MW_SEARCHING, "lanes", mw_world_lanes(w),
                    sizeof *s->lane);
    MW_PLACE(rc, s->lane, w, MW_OF_BOTH, &sizes, "lanes");
    mw_sizes_add_of(&sizes, MW_OF_BOTH, MW_SEARCHING, "listed", 1, sizeof *s->listed);
    MW_PLACE(rc, s->listed, w, MW_OF_BOTH, &sizes, "listed");
    mw_put(w, s->least, ones, sizeof ones);
    mw_put(w, s->low32, ones, sizeof *s->low32);
    mw_put(w, s->low64, ones, sizeof *s->low64);
end:
    return rc;
}

static void state_free(const struct numbers *s, struct mw_world *w)
{
#define GIVE_BACK(table) mw_unplace(w, MW_OF_CORES, s->table);
    TABLES(GIVE_BACK)
    GIVE_BACK(in)
    GIVE_BACK(yes)
    GIVE_BACK(second)
    GIVE_BACK(list)
    GIVE_BACK(list_end)
    GIVE_BACK(row_end)
    mw_unplace(w, MW_OF_BOTH, s->lane);
    mw_unplace(w, MW_OF_BOTH, s->listed);
}

static bool bit_of(const uint64_t *bitmap, uint64_t i)
{
    return bitmap[i / 64] >> (i % 64) & 1;
}

static uint64_t bit_drawn(const struct numbers *s, uint64_t unit)
{
    return numbers_drawn(s->seed, 0, unit) % NUMBERS_BITS;
}

/* ---- by records ------------------------------------------------------------------------------ */

struct expected {
    double sum[PLACES];
    uint64_t least[PLACES], count[PLACES];
};

/* Of the places of one rank, in order. */
static void expect(struct expected *x, uint64_t seed, const struct mw_partition *p)
{
    memset(x, 0, sizeof *x);
    memset(x->least, 0xFF, sizeof x->least);
    for (uint32_t r = 0; r < p->n_ranks; r++)
        for (uint32_t i = 0; i < UNITS; i++) {
            const uint64_t drawn = numbers_drawn(seed, r, i);
            const mw_vid v = numbers_vertex(drawn, p->n_vertices);
            uint32_t owner = UINT32_MAX;
            const uint64_t place = v == MW_NO_VERTEX ? 0 : mw_locate(p, v, &owner);
            if (owner != p->rank)
                continue;
            const float given = numbers_amount(drawn);
            x->sum[place] += given;
            x->least[place] = mw_min(x->least[place], mw_word_of_float(given, r));
            x->count[place]++;
        }
}

static int check_records(const struct numbers *s, struct mw_world *w)
{
    const struct mw_partition *p = &s->g->partition;
    struct expected x;
    float sum[PLACES];
    uint64_t least[PLACES], called[PLACES], count[PLACES];
    expect(&x, s->seed, p);
    const float *sums = mw_see(w, sum, s->sum, sizeof sum);
    const uint64_t *leasts = mw_see(w, least, s->least, sizeof least);
    const uint64_t *calls = mw_see(w, called, s->called, sizeof called);
    const uint64_t *counts = mw_see(w, count, s->count, sizeof count);
    for (uint64_t v = 0; v < PLACES / p->n_ranks; v++) {
        EXPECT((double)sums[v] == x.sum[v], "place %u: %g, not %g", (unsigned)v,
               (double)sums[v], x.sum[v]);
        EXPECT(leasts[v] == x.least[v], "place %u: %llx, not %llx", (unsigned)v,
               (unsigned long long)leasts[v], (unsigned long long)x.least[v]);
        EXPECT(counts[v] == x.count[v], "place %u: %u calls", (unsigned)v,
               (unsigned)counts[v]);
        EXPECT(bit_of(calls, v) == (x.count[v] > 0), "place %u", (unsigned)v);
    }
    return MW_OK;
}

/* Records are calls of others, and without a short circuit of mine. */
static int check_sent(const struct numbers *s, struct mw_world *w)
{
    const struct mw_partition *p = &s->g->partition;
    const bool mine = !w->backend->short_circuit && mw_host_reaches(w->backend);
    uint64_t n_sent = 0, n = 0;
    for (uint32_t i = 0; i < mw_world_lanes(w); i++)
        n_sent += s->lane[i].n_sent;
    for (uint32_t i = 0; i < UNITS; i++) {
        const mw_vid v =
            numbers_vertex(numbers_drawn(s->seed, p->rank, i), p->n_vertices);
        uint32_t owner = p->rank;
        if (v == MW_NO_VERTEX)
            continue;
        (void)mw_locate(p, v, &owner);
        n += owner != p->rank || mine;
    }
    EXPECT(p->n_ranks == 1 || n_sent == n, "%u of %u", (unsigned)n_sent, (unsigned)n);
    return MW_OK;
}

static int give_and_call(struct mw_world *w, void *arg)
{
    const uint64_t *seed = arg;
    const struct mw_graph g = {.partition =
                                   mw_partition_of(PLACES, w->comm->rank, w->comm->size)};
    struct mw_modules m;
    struct mw_pipeline *p = NULL;
    struct numbers s;
    int rc = state_new(&s, w, &g);
    if (rc == MW_OK) {
        s.seed = *seed;
        s.n_units = UNITS;
        mw_put(w, s.row_end, &s.n_units, sizeof s.n_units);
        mw_modules_find(&table, 1 << GIVE | 1 << CALL, w->backend, &w->groups, &m);
        rc = mw_modules_new(m.row, m.n, &s, (struct mw_record_bits){8, 32, 0}, w, &p);
    }
    if (rc == MW_OK)
        rc = mw_pipeline_run(p, m.exchange[GIVE]);
    if (rc == MW_OK)
        rc = mw_comm_agree(w->comm, rc);
    if (rc == MW_OK)
        rc = mw_pipeline_run(p, m.exchange[CALL]);
    if (rc == MW_OK)
        rc = check_records(&s, w);
    if (rc == MW_OK)
        rc = check_sent(&s, w);
    mw_pipeline_free(p);
    state_free(&s, w);
    return mw_comm_agree(w->comm, rc);
}

/* ---- in a sweep ------------------------------------------------------------------------------ */

static int check_sweep(const struct numbers *s, struct mw_world *w)
{
    uint64_t low64 = UINT64_MAX, low32 = UINT32_MAX, n_bits = 0;
    uint64_t is[ENTRIES], bits[(NUMBERS_BITS + 63) / 64] = {0};
    uint64_t grown_is[NUMBERS_BITS] = {0}, united_is[NUMBERS_BITS] = {0};
    double sum = 0;
    for (uint32_t i = 0; i < UNITS; i++) {
        const uint64_t drawn = numbers_drawn(s->seed, 0, i), bit = drawn % NUMBERS_BITS;
        low64 = mw_min(low64, drawn);
        low32 = mw_min(low32, drawn >> 32);
        sum += numbers_amount(drawn);
        grown_is[bit] += drawn;
        united_is[bit] |= drawn & numbers_mix(drawn);
        n_bits += !(bits[bit / 64] >> (bit % 64) & 1);
        bits[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
#define SEEN(table, n) mw_see(w, is, s->table, (n) * sizeof *s->table)
    EXPECT(*(const uint64_t *)SEEN(low64, 1) == low64, " ");
    EXPECT(*(const uint32_t *)SEEN(low32, 1) == low32, " ");
    EXPECT(*(const double *)SEEN(sum64, 1) == sum, " ");
    EXPECT((double)*(const float *)SEEN(sum, 1) == sum, " ");
    EXPECT(*(const uint64_t *)SEEN(count, 1) == UNITS, " ");
    EXPECT(*(const uint64_t *)SEEN(n_taken, 1) == n_bits, " ");
    EXPECT(*(const uint64_t *)SEEN(n_claimed, 1) <= n_bits, " ");
    EXPECT(memcmp(SEEN(called, 4), bits, sizeof bits) == 0, " ");
    EXPECT(memcmp(SEEN(taken, 4), bits, sizeof bits) == 0, " ");
    const uint32_t *claimed = SEEN(claimed32, NUMBERS_BITS);
    for (uint32_t i = 0; i < NUMBERS_BITS; i++) {
        const uint64_t by = claimed[i];
        EXPECT((by != 0) == bit_of(bits, i), "bit %u", (unsigned)i);
        EXPECT(by == 0 || bit_drawn(s, by - 1) == i, "bit %u", (unsigned)i);
    }
    const uint32_t *grown = SEEN(grown32, NUMBERS_BITS);
    for (uint32_t i = 0; i < NUMBERS_BITS; i++)
        EXPECT(grown[i] == (uint32_t)grown_is[i], "bit %u", (unsigned)i);
    const uint64_t *grown_wide = SEEN(grown64, NUMBERS_BITS);
    for (uint32_t i = 0; i < NUMBERS_BITS; i++)
        EXPECT(grown_wide[i] == grown_is[i], "bit %u", (unsigned)i);
    EXPECT(memcmp(SEEN(united, NUMBERS_BITS), united_is, sizeof united_is) == 0, " ");
    const uint64_t *claimed_wide = SEEN(claimed64, NUMBERS_BITS);
    for (uint32_t i = 0; i < NUMBERS_BITS; i++)
        EXPECT((claimed_wide[i] != 0) == bit_of(bits, i), "bit %u", (unsigned)i);
    return MW_OK;
}

static int sweep_all(struct mw_world *w, void *arg)
{
    const uint64_t *seed = arg;
    const struct mw_graph g = {.partition = mw_partition_of(PLACES, 0, 1)};
    struct numbers s;
    int rc = state_new(&s, w, &g);
    if (rc == MW_OK) {
        s.seed = *seed;
        s.n_units = UNITS;
        mw_row_sweep(&table, ALL, w, &s);
        rc = check_sweep(&s, w);
    }
    state_free(&s, w);
    return rc;
}

/* ---- over words ------------------------------------------------------------------------------ */

static int check_words(const struct numbers *s, struct mw_world *w, const uint64_t *in)
{
    uint64_t yes[NUMBERS_WORDS], second[NUMBERS_WORDS];
    const uint64_t *said = mw_see(w, yes, s->yes, sizeof yes);
    const uint64_t *also = mw_see(w, second, s->second, sizeof second);
    for (uint32_t i = 0; i < LISTED; i++) {
        const uint32_t is = bit_of(in, i) ? numbers_said(s->seed, i) : 0;
        EXPECT(bit_of(said, i) == (is == 1), "bit %u", i);
        EXPECT(bit_of(also, i) == (is == 2), "bit %u", i);
    }
    return MW_OK;
}

/* All that are listed, or those that stay, in any order: each once, and the sums up to each. */
static int check_list(const struct numbers *s, struct mw_world *w, const uint64_t *in,
                      bool kept, uint64_t n, uint64_t total)
{
    static uint32_t list[LISTED];
    static uint64_t end[LISTED];
    const uint32_t *listed = mw_see(w, list, s->list, sizeof list);
    const uint64_t *ends = mw_see(w, end, s->list_end, sizeof end);
    bool is_in[LISTED] = {false};
    uint64_t n_in = 0, sum = 0;
    EXPECT(n <= LISTED, "%u entries", (unsigned)n);
    for (uint64_t at = 0; at < n; at++) {
        const uint32_t i = listed[at];
        EXPECT(i < LISTED && !is_in[i], "entry %u is %u", (unsigned)at, i);
        is_in[i] = true;
        sum += numbers_size(s->seed, i);
        EXPECT(ends[at] == sum, "the sum at entry %u", (unsigned)at);
    }
    for (uint32_t i = 0; i < LISTED; i++) {
        const bool is = bit_of(in, i) && numbers_size(s->seed, i) > 0 &&
                        (!kept || numbers_stays(s->seed, i));
        EXPECT(is == is_in[i], "bit %u", i);
        n_in += is;
    }
    EXPECT(n_in == n && sum == total, "%u of %u, in all %u of %u", (unsigned)n,
           (unsigned)n_in, (unsigned)total, (unsigned)sum);
    return MW_OK;
}

/* Of few bits, half of them, or nearly all. */
static int sweep_words(struct mw_world *w, void *arg)
{
    const uint64_t *seed = arg;
    const struct mw_graph g = {.partition = mw_partition_of(PLACES, 0, 1)};
    uint64_t in[NUMBERS_WORDS];
    struct numbers s;
    int rc;
    MW_TRY(rc, state_new(&s, w, &g));
    s.seed = *seed;
    for (uint32_t i = 0; i < NUMBERS_WORDS; i++) {
        const uint64_t a = mixed(*seed + 3 * i), b = mixed(*seed + 3 * i + 1);
        in[i] = *seed % 3 == 0 ? a & b & mixed(a) : *seed % 3 == 1 ? a : a | b;
    }
    mw_put(w, s.in, in, sizeof in);
    mw_row_sweep(&table, WORDS, w, &s);
    MW_TRY(rc, check_words(&s, w, in));
    s.listed->n = s.listed->total = 0;
    mw_row_sweep(&table, LIST, w, &s);
    MW_TRY(rc, check_list(&s, w, in, false, s.listed->n, s.listed->total));
    mw_row_sweep(&table, KEEP, w, &s);
    MW_TRY(rc, check_list(&s, w, in, true, s.listed->n_kept, s.listed->total_kept));
end:
    state_free(&s, w);
    return rc;
}

/* ---- the suite ------------------------------------------------------------------------------- */

static struct ranks ranks_of(const struct mw_backend *b, uint32_t n_ranks, int i)
{
    struct ranks r = {.loop = {n_ranks, 0, 0}};
    r.world.backend = b->name;
    r.world.n_threads = strcmp(b->name, "openmp") == 0 ? 1 + (uint32_t)i % 4 : 1;
    r.world.hang_timeout_s = HANG_S;
    r.world.batch_bytes = 512;
    return r;
}

START_TEST(cores_change_numbers_as_one_does)
{
    for (uint32_t b = 0; mw_backends[b] != NULL; b++) {
        uint64_t seed = mixed((uint64_t)_i);
        struct ranks r = ranks_of(mw_backends[b], 1, _i);
        r.body = sweep_all;
        r.arg = &seed;
        if (mw_backends[b]->disabled == NULL && !mw_backends[b]->mesh)
            must_run(&r);
    }
}
END_TEST

START_TEST(cores_visit_words_as_one_does)
{
    for (uint32_t b = 0; mw_backends[b] != NULL; b++) {
        uint64_t seed = (uint64_t)_i + 30;
        struct ranks r = ranks_of(mw_backends[b], 1, _i);
        r.body = sweep_words;
        r.arg = &seed;
        if (mw_backends[b]->disabled == NULL && !mw_backends[b]->mesh)
            must_run(&r);
    }
}
END_TEST

START_TEST(ranks_change_numbers_as_one_does)
{
    for (uint32_t b = 0; mw_backends[b] != NULL; b++) {
        uint64_t seed = mixed((uint64_t)_i + 1000);
        const uint32_t n_ranks = 1 + (uint32_t)_i % MOST_RANKS;
        struct ranks r = ranks_of(mw_backends[b], n_ranks, _i / MOST_RANKS);
        with_width(&r, 1 + (uint32_t)(seed % n_ranks));
        r.body = give_and_call;
        r.arg = &seed;
        if (mw_backends[b]->disabled == NULL && !(UNDER_TSAN && mw_backends[b]->mesh))
            must_run(&r);
    }
}
END_TEST

START_TEST(words_of_floats_are_in_their_order)
{
    uint64_t state = 7;
    for (int k = 0; k < 10000; k++) {
        const float a = (float)drawn(&state, 9) / 7, b = (float)drawn(&state, 9) / 7;
        const uint32_t i = (uint32_t)drawn(&state, 3), j = (uint32_t)drawn(&state, 3);
        const uint64_t x = mw_word_of_float(a, i), y = mw_word_of_float(b, j);
        ck_assert((x < y) == (a < b || (!(b < a) && i < j)));
        ck_assert(mw_float_of_word(x) >= a && mw_float_of_word(x) <= a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("numbers");
    TCase *t = tcase_create("numbers");
    tcase_add_loop_test(t, cores_change_numbers_as_one_does, 0, 4);
    tcase_add_loop_test(t, cores_visit_words_as_one_does, 0, 6);
    tcase_add_loop_test(t, ranks_change_numbers_as_one_does, 0, 2 * MOST_RANKS);
    tcase_add_test(t, words_of_floats_are_in_their_order);
    suite_add_tcase(s, t);
    return run_suite(s);
}
