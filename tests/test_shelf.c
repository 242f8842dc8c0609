/* test_shelf.c -- what the ranks of a host put aside for each other is found once, by its owner, in
 * its bin; what found no room was refused, and is not there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/shelf.h"

#include "ranks.h"

enum { RANKS_MOST = 5, LANES_MOST = 3, RECORDS = 3000 };

/* Of records, in any order. */
struct digest {
    uint64_t n, sum, squares;
};

static void add(struct digest *d, uint64_t record)
{
    d->n++;
    d->sum += record;
    d->squares += record * record;
}

struct play {
    uint64_t part_bytes, n_bins;
    uint32_t record_bytes, n_rounds;
    /* Of one rank in a round. */
    struct mw_world *world;
    struct mw_shelf *shelf;
    uint64_t round;
    struct lane {
        struct digest put[RANKS_MOST], refused;
        char fill[64];
    } * lane;
};

static uint64_t bin_of(const struct play *p, uint64_t record)
{
    return (record >> 32) % p->n_bins;
}

static uint32_t rank_of(const struct play *p, uint64_t record)
{
    return (uint32_t)(record % p->shelf->n_ranks);
}

/* Each lane draws records of its own. */
static void put_aside(struct mw_cpe *self, void *arg)
{
    struct play *p = arg;
    struct lane *l = &p->lane[self->lane];
    const uint64_t from = (p->round * 100 + p->world->comm->rank) * 100 + self->lane;
    for (uint64_t i = 0; i < RECORDS; i++) {
        uint64_t record = mixed(from * RECORDS + i);
        const uint32_t to = rank_of(p, record);
        const uint64_t bin = bin_of(p, record);
        char *room = mw_bins_add(&p->shelf->of[to], self->lane, bin, p->record_bytes);
        add(room != NULL ? &l->put[to] : &l->refused, record);
        if (room != NULL)
            memcpy(room, &record, sizeof record);
    }
}

/* What all have put aside for this rank. */
static int find(const struct play *p, struct digest *found)
{
    for (uint64_t bin = 0; bin < p->n_bins; bin++)
        for (uint32_t s = 0; s < mw_shelf_sources(p->shelf); s++)
            for (const struct mw_chunk *k = mw_shelf_chunk(p->shelf, s, bin); k != NULL;
                 k = mw_chunk_before(k))
                for (uint64_t i = 0; i < k->n; i++) {
                    uint64_t record;
                    EXPECT(found->n < RANKS_MOST * LANES_MOST * RECORDS, "no end");
                    memcpy(&record, k->record + i * p->record_bytes, sizeof record);
                    EXPECT(bin_of(p, record) == bin, "a record of another bin");
                    EXPECT(rank_of(p, record) == p->world->comm->host_rank,
                           "a record of another rank");
                    add(found, record);
                }
    return MW_OK;
}

static int play_round(struct play *p, uint64_t *n_refused)
{
    int rc;
    const struct mw_comm *c = p->world->comm;
    uint64_t sum[3 * RANKS_MOST] = {0};
    struct digest found = {0, 0, 0};

    memset(p->lane, 0, mw_world_lanes(p->world) * sizeof *p->lane);
    mw_world_run(p->world, put_aside, p);
    mw_shelf_publish(p->shelf);
    MW_TRY(rc, mw_comm_host_barrier(p->world->comm));
    MW_TRY(rc, mw_comm_agree(p->world->comm, find(p, &found)));
    for (uint32_t i = 0; i < mw_world_lanes(p->world); i++) {
        for (uint32_t to = 0; to < RANKS_MOST; to++) {
            sum[3 * to] += p->lane[i].put[to].n;
            sum[3 * to + 1] += p->lane[i].put[to].sum;
            sum[3 * to + 2] += p->lane[i].put[to].squares;
        }
        *n_refused += p->lane[i].refused.n;
    }
    MW_TRY(rc, mw_comm_sum(p->world->comm, sum, 3 * RANKS_MOST));
    EXPECT(found.n == sum[3 * c->rank], "%u records", (unsigned)found.n);
    EXPECT(found.sum == sum[3 * c->rank + 1], "other records");
    EXPECT(found.squares == sum[3 * c->rank + 2], "other records");
    mw_shelf_clear(p->shelf);
end:
    return rc;
}

static int play(struct mw_world *w, void *arg)
{
    int rc;
    struct play p = *(const struct play *)arg;
    const uint32_t n_lanes = mw_world_lanes(w);
    struct mw_shelf_load load = {p.n_bins, (uint64_t)RECORDS * n_lanes, p.record_bytes};
    struct mw_shelf shelf;
    uint64_t refused = 0;
    const uint64_t enough = mw_shelf_bytes(&load, 1, w->comm->host_size, n_lanes);

    p.world = w;
    p.shelf = &shelf;
    MW_NEW(rc, p.lane, "lanes of the test", n_lanes);
    MW_TRY(rc, mw_shelf_init(&shelf, w->comm, n_lanes, n_lanes,
                             p.part_bytes > 0 ? p.part_bytes : enough));
    for (p.round = 0; p.round < p.n_rounds; p.round++) {
        if (p.round % 2 == 0)
            MW_TRY(rc, mw_comm_agree(w->comm, mw_shelf_shape(&shelf, &load)));
        MW_TRY(rc, play_round(&p, &refused));
        if (p.round % 2 == 0)
            continue;
        /* Another shape in the same room. */
        load.n_bins = p.n_bins = p.n_bins / 2 + 1;
        load.record_bytes = p.record_bytes = p.record_bytes == 8 ? 16 : 8;
    }
    MW_TRY(rc, mw_comm_sum(w->comm, &refused, 1));
    if (p.part_bytes == 0)
        EXPECT(refused == 0, "%u refused", (unsigned)refused);
    else
        EXPECT(refused > 0, "none refused");
end:
    mw_shelf_fini(&shelf);
    mw_free(p.lane);
    return rc;
}

static void must_play(struct play *p, uint32_t n_ranks, uint32_t n_threads)
{
    struct ranks r = {.loop = {n_ranks, 0, 0}, .body = play, .arg = p};
    with_threads(&r, n_threads);
    must_run(&r);
}

START_TEST(records_are_found_by_their_owners)
{
    for (uint32_t n_threads = 1; n_threads <= LANES_MOST; n_threads++) {
        struct play p = {
            .n_bins = 1 + 20 * (uint64_t)_i, .record_bytes = 8, .n_rounds = 2};
        must_play(&p, 1 + (uint32_t)_i, n_threads);
    }
}
END_TEST

/* Less room than heads take, none beside them, and some. */
START_TEST(what_has_no_room_is_refused)
{
    static const uint64_t bytes[] = {1 << 10, 9 << 10, 16 << 10, 40 << 10};
    struct play p = {
        .part_bytes = bytes[_i], .n_bins = 120, .record_bytes = 8, .n_rounds = 4};
    must_play(&p, 4, 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("shelf");
    TCase *t = tcase_create("shelf");
    tcase_add_loop_test(t, records_are_found_by_their_owners, 0, RANKS_MOST);
    tcase_add_loop_test(t, what_has_no_room_is_refused, 0, 4);
    suite_add_tcase(s, t);
    return run_suite(s);
}
