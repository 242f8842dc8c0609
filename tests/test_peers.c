/* test_peers.c -- blocks that the cores of all ranks reach, with a backend whose devices are the threads of this
 * process; and where the parts of the block of a whole search lie.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_whole.h"
#include "apart.h"
#include "devices/peers.h"
#include "ranks.h"

enum { BYTES = 4096 };

/* What is planted: the same device for all, a rank that reaches nobody, one that has no memory. */
enum plant { NOTHING, SAME_DEVICE, OUT_OF_REACH, NO_MEMORY };
static enum plant plant;
static uint32_t n_lent, n_reached;
static _Thread_local uint32_t my_rank;

static void *lend(struct mw_cluster *c, const char *what, uint64_t bytes,
                  struct mw_lent *out)
{
    (void)c;
    if (plant == NO_MEMORY && my_rank == 1) {
        mw_fail(MW_ERR_NOMEM, "planted: %s", what);
        return NULL;
    }
    void *const p = mw_alloc(what, bytes, 1);
    out->device = plant == SAME_DEVICE ? 7 : 7 + my_rank;
    memcpy(out->name, &p, sizeof p);
    MW_ADD_RELAXED(&n_lent, 1);
    return p;
}

static void take_back(struct mw_cluster *c, void *p)
{
    (void)c;
    mw_free(p);
    MW_ADD_RELAXED(&n_lent, UINT32_MAX);
}

static void *reach(struct mw_cluster *c, const struct mw_lent *lent)
{
    void *p;
    (void)c;
    memcpy(&p, lent->name, sizeof p);
    if (plant == OUT_OF_REACH && my_rank == 1)
        return NULL;
    MW_ADD_RELAXED(&n_reached, 1);
    return p;
}

static void leave(struct mw_cluster *c, void *p)
{
    (void)c;
    (void)p;
    MW_ADD_RELAXED(&n_reached, UINT32_MAX);
}

/* Each writes a line of its own into everybody's block, and nobody is left with one afterwards. */
static int all_reach_all(struct mw_world *w, void *arg)
{
    const uint32_t me = w->comm->rank, n = w->comm->size;
    const enum mw_peers_none expected = *(const enum mw_peers_none *)arg;
    struct mw_peers p;
    my_rank = me;
    int rc = mw_peers_open(w, "lent", BYTES, &p);
    if (rc != MW_OK)
        return rc;
    EXPECT(p.none == expected, "%d, not %d", (int)p.none, (int)expected);
    EXPECT((p.none == MW_PEERS_ALL) == (mw_peers_why[p.none] == NULL), "no reason");
    for (uint32_t r = 0; r < n && r < MW_PEERS_MAX; r++)
        EXPECT((p.block[r] != NULL) == (expected == MW_PEERS_ALL), "block of %u", r);
    for (uint32_t r = 0; r < n && expected == MW_PEERS_ALL; r++)
        memset((char *)p.block[r] + 64 * me, (int)(1 + me), 64);
    rc = mw_comm_barrier(w->comm);
    for (uint32_t r = 0; r < n && expected == MW_PEERS_ALL && rc == MW_OK; r++) {
        const char *const line = (const char *)p.block[me] + 64 * r;
        EXPECT(line[0] == (char)(1 + r) && line[63] == (char)(1 + r), "of %u", r);
    }
    mw_peers_close(w, &p);
    const void *const left = p.block[me % MW_PEERS_MAX];
    EXPECT(!p.opened && left == NULL, "still there");
    return rc;
}

static int try_with(enum plant what, uint32_t n_ranks, uint32_t per_host,
                    enum mw_peers_none expected)
{
    static const struct mw_lending lending = {lend, take_back, reach, leave};
    static struct mw_memory memory;
    static struct mw_backend backend;
    struct ranks r = {.loop = {n_ranks, per_host, 0}};
    const uint64_t before = mw_mem_in_use();
    plant = what;
    memory = apart_memory;
    memory.lending = &lending;
    backend = apart_backend;
    backend.memory = &memory;
    r.world.backend = "apart";
    r.world.own_backend = &backend;
    r.world.n_threads = 1;
    r.world.hang_timeout_s = HANG_S;
    r.body = all_reach_all;
    r.arg = &expected;
    const int rc = on_ranks(&r);
    ck_assert_uint_eq(mw_mem_in_use(), before);
    ck_assert_uint_eq(n_lent, 0);
    ck_assert_uint_eq(n_reached, 0);
    return rc;
}

START_TEST(all_ranks_reach_all_or_none_does)
{
    const uint32_t n = (uint32_t)_i;
    ck_good(try_with(NOTHING, n, 0, MW_PEERS_ALL));
    ck_good(try_with(SAME_DEVICE, n, 0, MW_PEERS_SAME_DEVICE));
    ck_good(try_with(OUT_OF_REACH, n, 0, MW_PEERS_OUT_OF_REACH));
    ck_good(try_with(NO_MEMORY, n, 0, MW_PEERS_NO_ROOM));
    ck_good(try_with(NOTHING, n, 1, MW_PEERS_SEVERAL_HOSTS));
}
END_TEST

START_TEST(one_rank_and_too_many_have_none)
{
    ck_good(try_with(NOTHING, 1, 0, MW_PEERS_ALONE));
    ck_good(try_with(NOTHING, MW_PEERS_MAX + 1, 0, MW_PEERS_MANY));
}
END_TEST

/* Parts follow each other, each where 16 bytes may be stored at once, and what a rank is
 * to its others they are to it. */
START_TEST(parts_of_a_block_lie_apart)
{
    const uint32_t n = (uint32_t)_i;
    for (uint32_t bits = BFS_WHOLE_LABEL_BITS; bits < 28; bits++) {
        const bool linked = bits % 2 > 0;
        const struct bfs_whole_block b = bfs_whole_block_of(n, bits, 101, linked);
        const uint64_t bitmap = ((uint64_t)n << bits) / 32;
        const uint64_t records = (UINT64_C(2) * (n - 1)) << bits;
        const uint64_t part[] = {b.visited[0], b.visited[1], b.visited[2], b.own,
                                 b.mail,       b.records,    b.told,       b.out,
                                 b.letter,     b.n_words};
        const uint64_t least[] = {bitmap,
                                  bitmap,
                                  bitmap,
                                  BFS_WHOLE_OWN,
                                  UINT64_C(4) * mw_min(n, MW_PEERS_MAX) * BFS_WHOLE_MAIL,
                                  records,
                                  UINT64_C(101) * n,
                                  linked ? records : 0,
                                  linked ? (uint64_t)n * bfs_whole_letter(n) : 0};
        for (uint32_t i = 0; i + 1 < sizeof part / sizeof *part; i++) {
            ck_assert_uint_ge(part[i + 1] - part[i], least[i]);
            ck_assert_uint_eq(part[i] % 4, 0);
        }
    }
    ck_assert_uint_gt(bfs_whole_letter(n), BFS_WHOLE_HEAD);
    ck_assert_uint_eq(bfs_whole_letter(n) % 2, 0);
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t i = 0; i + 1 < n; i++) {
            const uint32_t other = bfs_whole_other(r, i, n);
            MUST(other != r);
            MUST(bfs_whole_other(other, bfs_whole_back(i, n), n) == r);
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("peers");
    TCase *t = tcase_create("blocks");
    tcase_add_loop_test(t, all_ranks_reach_all_or_none_does, 2, 4);
    tcase_add_test(t, one_rank_and_too_many_have_none);
    tcase_add_loop_test(t, parts_of_a_block_lie_apart, 2, MW_LINKED_MAX + 1);
    suite_add_tcase(s, t);
    return run_suite(s);
}
