/* test_virtual_network.c -- batches and collectives between nodes whose time is emulated: when they come, in
 * which order, and that nothing of it depends on the host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul.h"
#include "cpe/meter.h"
#include "mpe/transport_virtual.h"
#include "ranks.h"

#include <math.h>
#include <unistd.h>

enum { RECORDS = 30 }; /* of a batch */

/* A transport between the ranks of a world, and batches to send. */
struct net {
    struct mw_world *w;
    struct mw_transport *t;
    struct mw_virtual *v;
    struct mw_batch_pool *pool;
    struct mw_virtual_wires wires;
};

static int net_new(struct mw_world *w, struct net *n)
{
    int rc = MW_OK;
    const uint32_t port = mw_port_index(MW_FORWARD, MW_TO_OWNER);
    struct mw_transport_conf conf = {.comm = w->comm,
                                     .capacity = RECORDS,
                                     .record_bytes = sizeof(struct mw_record),
                                     .n_send = 4,
                                     .time = w->backend->time,
                                     .cluster = w->cluster[0],
                                     .network = &n->v};
    conf.port_used[port] = true;
    conf.n_recv[port] = 4;
    *n = (struct net){.w = w};
    MW_TRY(rc, mw_transport_new(&conf, &n->t));
    MW_TRY(rc, mw_batch_pool_new(4, RECORDS, sizeof(struct mw_record), &n->pool));
    w->backend->time->network(w->cluster[0], &n->wires);
    mw_virtual_begin(n->v);
end:
    return rc;
}

static void net_free(struct net *n)
{
    mw_transport_close(n->t);
    mw_batch_pool_free(n->pool);
}

static uint64_t now(const struct net *n)
{
    return mw_emul_now(n->w->cluster[0]);
}

/* The batch says `seq`. */
static int post(struct net *n, uint32_t to, uint32_t records, uint16_t seq)
{
    struct mw_batch *const b = mw_batch_take(n->pool);
    *b->head =
        (struct mw_batch_head){.n_records = records,
                               .sender = n->w->comm->rank,
                               .seq = seq,
                               .port = (uint8_t)mw_port_index(MW_FORWARD, MW_TO_OWNER),
                               .record_bytes = sizeof(struct mw_record)};
    memset(b->record, 0, records * sizeof(struct mw_record));
    b->peer = to;
    return mw_send(n->t, b);
}

#define EXPECT_NOW(cond)                                                                 \
    EXPECT(cond, "at %llu", (unsigned long long)mw_emul_now(n->w->cluster[0]))

/* The next batch: from whom and which, and when it came. */
static int take(struct net *n, uint32_t *from, uint16_t *seq)
{
    struct mw_batch *b;
    int rc = MW_OK;
    while ((rc = mw_poll(n->t, &b)) == MW_AGAIN)
        if ((rc = mw_virtual_idle(n->v)) != MW_OK)
            return rc < MW_OK ? rc : mw_fail(MW_ERR_INVALID, "nothing is to come");
    if (rc != MW_OK)
        return rc;
    *from = b->head->sender;
    *seq = b->head->seq;
    mw_batch_give(b);
    return MW_OK;
}

static uint64_t bytes_of(uint32_t records)
{
    return sizeof(struct mw_batch_head) + records * sizeof(struct mw_record);
}

/* What ranks do with a network between them, and whether they meet in the end. */
struct play {
    int (*on_network)(struct net *n);
    bool fails;
};

static int play(struct mw_world *w, void *arg)
{
    const struct play *p = arg;
    struct net n;
    int rc = MW_OK;
    MW_TRY(rc, net_new(w, &n));
    MW_TRY(rc, p->on_network(&n));
    if (!p->fails)
        rc = mw_virtual_meet(n.v);
end:
    net_free(&n);
    return rc;
}

static void must_play(uint32_t n_ranks, struct play p)
{
    struct ranks r = {.loop = {n_ranks, 1, 0}, .body = play, .arg = &p};
    r.world.backend = "emul";
    r.world.n_threads = r.world.n_clusters = 1;
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
}

/* ---- batches ------------------------------------------------------------------------------ */

/* M0 sends one after the other while M1's clock stands; who has nothing to do skips to where a batch comes. */
static int two_batches(struct net *n)
{
    int rc = MW_OK;
    uint32_t from = 0;
    uint16_t seq = 0;
    const uint64_t start = now(n), o = n->wires.overhead, l = n->wires.latency;
    const uint64_t wire = (uint64_t)(n->wires.byte * (double)bytes_of(RECORDS));
    if (n->w->comm->rank == 0) {
        mw_emul_pass(n->w->cluster[0], 5000);
        MW_TRY(rc, post(n, 1, RECORDS, 0));
        MW_TRY(rc, post(n, 1, RECORDS, 1));
        EXPECT_NOW(now(n) == start + 5000);
        EXPECT_NOW(fabs(mw_virtual_sends_until(n->v) -
                        n->w->backend->time->seconds(n->w->cluster[0],
                                                     start + 5000 + 2 * o)) < 1e-12);
    } else {
        usleep(20000); /* of the host, which says nothing */
        MW_TRY(rc, take(n, &from, &seq));
        EXPECT_NOW(from == 0 && seq == 0);
        EXPECT(now(n) == start + 5000 + o + wire + l, "%llu after %llu",
               (unsigned long long)now(n), (unsigned long long)start);
        MW_TRY(rc, take(n, &from, &seq));
        EXPECT_NOW(seq == 1);
        EXPECT_NOW(now(n) == start + 5000 + 2 * o + wire + l);
    }
end:
    return rc;
}

START_TEST(a_batch_comes_when_wire_and_latency_say)
{
    must_play(2, (struct play){.on_network = two_batches});
}
END_TEST

/* Many send to one at once: its wire carries one after the other, the earlier ones first. */
static int to_one(struct net *n)
{
    int rc = MW_OK;
    uint32_t from = 0;
    uint16_t seq = 0;
    const uint32_t me = n->w->comm->rank, last = n->w->comm->size - 1;
    const uint64_t start = now(n);
    const uint64_t wire = (uint64_t)(n->wires.byte * (double)bytes_of(RECORDS));
    usleep(1000 * (last - me));
    if (me != 0) {
        mw_emul_pass(n->w->cluster[0], 3 * (last - me)); /* the last one is the first */
        MW_TRY(rc, post(n, 0, RECORDS, (uint16_t)me));
    } else {
        const uint64_t first = start + n->wires.overhead + wire + n->wires.latency;
        for (uint32_t i = 0; i < last; i++) {
            MW_TRY(rc, take(n, &from, &seq));
            EXPECT_NOW(from == last - i && seq == from);
            EXPECT_NOW(now(n) == first + i * wire);
        }
    }
end:
    return rc;
}

START_TEST(who_sends_earlier_is_taken_first_and_a_wire_carries_one_at_a_time)
{
    must_play(7, (struct play){.on_network = to_one});
}
END_TEST

/* Looks every 100 cycles until a batch comes: it is there at the first look after it has come, whatever the
 * ranks' processes have done meanwhile. */
static int looks(struct net *n)
{
    int rc = MW_OK;
    struct mw_batch *b = NULL;
    const uint64_t start = now(n), sent = start + 20000;
    const uint64_t comes = sent + n->wires.overhead + n->wires.latency +
                           (uint64_t)(n->wires.byte * (double)bytes_of(RECORDS));
    while (b == NULL && now(n) < start + 50000) {
        if (n->w->comm->rank == 0 && now(n) == sent)
            MW_TRY(rc, post(n, 1, RECORDS, 0));
        mw_emul_pass(n->w->cluster[0], 100);
        rc = mw_poll(n->t, &b);
        EXPECT(rc == MW_OK || rc == MW_AGAIN, "%s", mw_error_text());
    }
    EXPECT_NOW((b != NULL) == (n->w->comm->rank == 1));
    if (b != NULL) {
        EXPECT(now(n) >= comes && now(n) < comes + 100, "%llu, not %llu",
               (unsigned long long)now(n), (unsigned long long)comes);
        mw_batch_give(b);
    }
end:
    return rc;
}

START_TEST(nobody_runs_ahead_of_what_may_come)
{
    must_play(2, (struct play){.on_network = looks});
}
END_TEST

/* Rank 0 sends to 1, and much later to 2; 1 sends on to 2 at once, which is earlier. */
static int relayed(struct net *n)
{
    int rc = MW_OK;
    uint32_t from = 0;
    uint16_t seq = 0;
    struct mw_batch *b;
    switch (n->w->comm->rank) {
    case 0: /* in a round in which the others are idle */
        EXPECT(mw_poll(n->t, &b) == MW_AGAIN, "something is there");
        MW_TRY(rc, post(n, 1, RECORDS, 0));
        mw_emul_pass(n->w->cluster[0], 100000);
        MW_TRY(rc, post(n, 2, RECORDS, 0));
        break;
    case 1:
        MW_TRY(rc, take(n, &from, &seq));
        MW_TRY(rc, post(n, 2, RECORDS, 1));
        break;
    default:
        MW_TRY(rc, take(n, &from, &seq));
        EXPECT(from == 1 && seq == 1, "from %u", from);
        MW_TRY(rc, take(n, &from, &seq));
        EXPECT(from == 0, "from %u", from);
    }
end:
    return rc;
}

START_TEST(what_is_on_its_way_may_bring_more)
{
    must_play(3, (struct play){.on_network = relayed});
}
END_TEST

/* Nobody sends: that is known, and no rank waits for ever. */
static int silence(struct net *n)
{
    int rc = MW_OK;
    struct mw_batch *b;
    EXPECT_NOW(mw_poll(n->t, &b) == MW_AGAIN);
    while ((rc = mw_virtual_idle(n->v)) == MW_OK)
        ;
    EXPECT_NOW(rc == MW_AGAIN);
    return MW_OK;
}

START_TEST(it_is_known_that_nothing_will_come)
{
    must_play(3, (struct play){.on_network = silence});
}
END_TEST

static int one_gives_up(struct net *n)
{
    int rc = MW_OK;
    uint32_t from = 0;
    uint16_t seq = 0;
    if (n->w->comm->rank == 2) {
        mw_virtual_fail(n->v);
        EXPECT_NOW(mw_virtual_heard_failure(n->v));
    } else {
        rc = n->w->comm->rank == 0 ? take(n, &from, &seq) : mw_virtual_meet(n->v);
        EXPECT(rc == MW_ERR_INTERNAL &&
                   strstr(mw_error_text(), "another rank has failed") != NULL,
               "%s", mw_error_text());
        EXPECT_NOW(mw_virtual_heard_failure(n->v));
        mw_virtual_fail(n->v); /* nothing: all know */
        mw_error_clear();
        rc = MW_OK;
    }
    return rc;
}

START_TEST(who_gives_up_is_heard_by_all)
{
    must_play(3, (struct play){.on_network = one_gives_up, .fails = true});
}
END_TEST

/* ---- collectives ------------------------------------------------------------------------------ */

static int collectives(struct net *n)
{
    int rc = MW_OK;
    struct mw_comm *const comm = n->w->comm;
    const uint64_t tree = 3 * (n->wires.overhead + n->wires.latency);
    uint64_t value = 1, all[8], send_bytes[8], recv_bytes[8];
    static const char bytes[8 * 4000];
    void *got = NULL;
    const bool begun = mw_world_begin_time(n->w);
    MW_TRY(rc, mw_comm_barrier(comm));
    const uint64_t start = now(n);
    mw_emul_pass(n->w->cluster[0], 1000 * comm->rank);
    MW_TRY(rc, mw_comm_sum(comm, &value, 1));
    const uint64_t after = now(n);
    EXPECT_NOW(value == comm->size && after == start + 1000 * (comm->size - 1) + tree);
    MW_TRY(rc, mw_comm_gather(comm, &value, sizeof value, all));
    EXPECT_NOW(now(n) == after + tree + (uint64_t)(n->wires.byte * 8 * (comm->size - 1)));
    /* Rank 0 gets most, which decides for all. */
    for (uint32_t i = 0; i < comm->size; i++)
        send_bytes[i] = i == 0 ? 4000 : 8;
    MW_TRY(rc, mw_comm_exchange(comm, bytes, send_bytes, &got, recv_bytes));
    mw_free(got);
    uint64_t least = now(n), most = least;
    mw_world_end_time(n->w, begun);
    MW_TRY(rc, mw_comm_min(comm, &least, 1));
    MW_TRY(rc, mw_comm_max(comm, &most, 1));
    EXPECT_NOW(least == most);
end:
    return rc;
}

/* Five ranks: three steps of a tree. */
START_TEST(a_collective_ends_when_the_latest_has_come)
{
    must_play(5, (struct play){.on_network = collectives});
}
END_TEST

/* ---- what kernels touch ------------------------------------------------------------------------- */

START_TEST(lines_in_order_come_by_dma_and_words_by_loads)
{
    static char table[4][64 * MW_METER_LINE];
    uint64_t clock = 0;
    struct mw_meter m = {.clock = &clock, .line_cycles = 7, .word_cycles = 100};
    for (uint64_t i = 0; i < 64 * MW_METER_LINE; i += 4)
        for (uint32_t t = 0; t < 4; t++) /* streams side by side */
            mw_meter_count(&m, table[t], i);
    ck_assert_uint_eq(m.n_words, 4); /* which bring their lines: those are cheaper */
    ck_assert_uint_eq(m.n_lines, 4 * 63);
    ck_assert_uint_eq(clock, 4 * 100 + 4 * 63 * 7);
}
END_TEST

/* A word that lies anywhere brings no line: the next word of it is not free. */
START_TEST(a_word_brings_no_line)
{
    static char table[64 * MW_METER_LINE];
    struct mw_meter m = {.line_cycles = 250, .word_cycles = 100};
    for (uint64_t i = 0; i < 20; i++) {
        const uint64_t at = (i * 37 + 5) % 64 * MW_METER_LINE;
        mw_meter_count(&m, table, at);
        mw_meter_count(&m, table, at + 4); /* the same word */
    }
    ck_assert_uint_eq(m.n_words, 20);
    ck_assert_uint_eq(m.n_lines, 0);
    for (uint64_t k = 1; k < 16; k++) /* the third word of it pays for the line */
        mw_meter_count(&m, table, (19 * 37 + 5) % 64 * MW_METER_LINE + 8 * k);
    ck_assert_uint_eq(m.n_words, 22);
    ck_assert_uint_eq(m.n_lines, 0);
}
END_TEST

/* With the machine's own numbers: some words of each line cost no more in order than anyhow. */
START_TEST(order_is_never_dearer)
{
    static char table[64 * MW_METER_LINE];
    const uint64_t step = UINT64_C(8) << _i, n = sizeof table / step;
    struct mw_emul_params p;
    uint64_t in_order = 0, anyhow = 0;
    mw_emul_params_sw26010(&p);
    const uint64_t line = (uint64_t)((double)MW_METER_LINE * 64 * (double)p.clock_hz /
                                     (double)p.dma_bytes_s);
    struct mw_meter m = {
        .clock = &in_order, .line_cycles = line, .word_cycles = p.mem_lat_cycles};
    for (uint64_t i = 0; i < n; i++)
        mw_meter_count(&m, table, i * step);
    m = (struct mw_meter){
        .clock = &anyhow, .line_cycles = line, .word_cycles = p.mem_lat_cycles};
    for (uint64_t i = 0; i < n; i++)
        mw_meter_count(&m, table, i * 37 % n * step);
    ck_assert_uint_le(in_order, anyhow);
    if (_i == 0)
        ck_assert_uint_lt(in_order, anyhow);
}
END_TEST

/* The end of one table and the beginning of the next are not in order, wherever both lie. */
START_TEST(tables_are_told_apart)
{
    static char block[4 * MW_METER_LINE];
    struct mw_meter m = {.line_cycles = 20, .word_cycles = 100};
    mw_meter_count(&m, block, 0); /* the line is here */
    mw_meter_count(&m, block + MW_METER_LINE, 0);
    ck_assert_uint_eq(m.n_words, 2);
    ck_assert_uint_eq(m.n_lines, 0);
}
END_TEST

START_TEST(nobody_pays_who_has_no_meter)
{
    static const uint64_t table[4];
    ck_assert_ptr_null(mw_meter);
    mw_meter_note(table, 8);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("virtual_network");
    TCase *t = tcase_create("batches");
    tcase_add_test(t, a_batch_comes_when_wire_and_latency_say);
    tcase_add_test(t, who_sends_earlier_is_taken_first_and_a_wire_carries_one_at_a_time);
    tcase_add_test(t, nobody_runs_ahead_of_what_may_come);
    tcase_add_test(t, what_is_on_its_way_may_bring_more);
    tcase_add_test(t, it_is_known_that_nothing_will_come);
    tcase_add_test(t, who_gives_up_is_heard_by_all);
    suite_add_tcase(s, t);
    t = tcase_create("collectives");
    tcase_add_test(t, a_collective_ends_when_the_latest_has_come);
    suite_add_tcase(s, t);
    t = tcase_create("touches");
    tcase_add_test(t, lines_in_order_come_by_dma_and_words_by_loads);
    tcase_add_test(t, a_word_brings_no_line);
    tcase_add_loop_test(t, order_is_never_dearer, 0, 5);
    tcase_add_test(t, tables_are_told_apart);
    tcase_add_test(t, nobody_pays_who_has_no_meter);
    suite_add_tcase(s, t);
    return run_suite(s);
}
