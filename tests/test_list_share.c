/* test_list_share.c -- what any rank says, every rank hears once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/list_share.h"
#include "ranks.h"

enum { ROOM = 300, ROUNDS = 6 };

/* How many things a rank says in a round: of all ranks together ROOM at most, now and
 * then exactly. */
static uint64_t n_said(uint32_t rank, uint32_t n_ranks, uint32_t round)
{
    if (round % 3 == 0)
        return rank == round % n_ranks ? ROOM : 0;
    return mixed(rank + 100 * round) % (ROOM / n_ranks + 1);
}

/* Its rank, and something. */
static uint32_t thing(uint32_t rank, uint64_t i, uint32_t round)
{
    return rank << 24 |
           (uint32_t)(mixed(rank ^ i << 8 ^ (uint64_t)round << 40) % (1 << 24));
}

/* Things of a rank come in the order in which it said them; ranks in any. */
static int check_heard(const struct mw_list_share *x, uint32_t round)
{
    const uint32_t n_ranks = x->comm->size;
    uint64_t heard[32] = {0}, n;
    for (uint32_t part = 0; part < mw_list_parts(x); part++) {
        const uint32_t *said = mw_list_part(x, part, &n);
        for (uint64_t i = 0; i < n; i++) {
            const uint32_t rank = said[i] >> 24;
            EXPECT(rank < n_ranks && said[i] == thing(rank, heard[rank]++, round),
                   "round %u: part %u, thing %u", round, part, (unsigned)i);
        }
    }
    for (uint32_t r = 0; r < n_ranks; r++)
        EXPECT(heard[r] == n_said(r, n_ranks, round), "round %u: %u of rank %u", round,
               (unsigned)heard[r], r);
    return MW_OK;
}

static int say_and_hear(struct mw_world *w, void *arg)
{
    struct mw_list_share *x = NULL;
    struct mw_comm *comm = w->comm;
    const uint32_t me = comm->rank;
    int rc;
    (void)arg;
    MW_TRY(rc, mw_list_share_new(comm, ROOM, &x));
    for (uint32_t round = 0; round < ROUNDS; round++) {
        mw_list_begin(x);
        for (uint64_t i = 0; i < n_said(me, comm->size, round); i++)
            mw_list_say(x, thing(me, i, round));
        MW_TRY(rc, mw_list_share(x));
        MW_TRY(rc, mw_comm_agree(comm, check_heard(x, round)));
    }
    /* Two hosts need one message each a round; more a step each, and two where they are
     * no power of two. */
    if (comm->n_hosts == 1 || comm->host_rank != 0)
        EXPECT(x->n_messages == 0 && x->n_bytes == 0, "%u messages",
               (unsigned)x->n_messages);
    else if (comm->n_hosts == 2)
        EXPECT(x->n_messages == ROUNDS, "%u messages", (unsigned)x->n_messages);
end:
    mw_list_share_free(x);
    return rc;
}

START_TEST(every_rank_hears_all_that_is_said)
{
    for (uint32_t per_host = 0; per_host <= 3; per_host++) {
        struct ranks r = {.loop = {1 + (uint32_t)_i, per_host, (uint64_t)_i % 3},
                          .body = say_and_hear};
        with_threads(&r, 0);
        with_width(&r, 1);
        must_run(&r);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("list_share");
    TCase *t = tcase_create("list_share");
    tcase_add_loop_test(t, every_rank_hears_all_that_is_said, 0, 13);
    suite_add_tcase(s, t);
    return run_suite(s);
}
