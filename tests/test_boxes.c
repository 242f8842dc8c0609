/* test_boxes.c -- items from core to core come once, to whom they were put for, and no others come (shuffle/boxes.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shuffle/boxes.h"

#include "base/mem.h"
#include "suite.h"

enum { CORES = 5, MOST = 5000, ROUNDS = 40, SILENT = 3 };

struct small {
    uint32_t number;
};
struct large {
    uint32_t number, from, round;
};

static uint32_t drawn(uint64_t *x, uint32_t below)
{
    *x = *x * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)((*x >> 33) * below >> 31);
}

static struct mw_boxes boxes_of(uint64_t n_boxes)
{
    struct mw_boxes b = {.n_from = CORES, .n_to = CORES, .n_boxes = (uint32_t)n_boxes};
    b.memory = mw_alloc("boxes", mw_boxes_bytes(CORES, CORES, n_boxes), 1);
    ck_assert_ptr_nonnull(b.memory);
    ck_assert_uint_eq((uintptr_t)b.memory % MW_CACHE_LINE, 0);
    return b;
}

/* As many items as there surely is room for, most of them to one core: all come, in the phase after. Who takes no part in
 * a phase has put nothing in it, whatever is still in its boxes. */
START_TEST(what_is_put_is_taken)
{
    static uint32_t put[2][CORES][CORES], taken[CORES][CORES];
    static uint64_t sum_put[2][CORES], sum_taken[CORES];
    const uint32_t most = MOST;
    struct mw_boxes b = boxes_of(mw_boxes_for(CORES, most, sizeof(struct large)));
    uint64_t x = 1;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t parity = round % 2;
        memset(put[parity], 0, sizeof put[parity]);
        memset(sum_put[parity], 0, sizeof sum_put[parity]);
        for (uint32_t from = 0; from < CORES; from++) {
            if (round / 2 % CORES == from && round >= SILENT)
                continue;
            struct mw_box_writer w = mw_boxes_begin(&b, round + 1, from, round % 3 == 0);
            MUST(mw_box_room(&w, sizeof(struct large)) >= 1);
            const uint32_t n = round % 4 == 0 ? most : drawn(&x, most);
            for (uint32_t i = 0; i < n; i++) {
                const uint32_t to = drawn(&x, 2) ? round % CORES : drawn(&x, CORES);
                const struct large item = {drawn(&x, 1 << 30), from, round};
                mw_box_put(&w, to, &item, sizeof item);
                put[parity][from][to]++;
                sum_put[parity][to] += item.number;
            }
            MUST(w.n_used <= w.n_boxes);
            mw_boxes_end(&w);
        }
        memset(taken, 0, sizeof taken);
        memset(sum_taken, 0, sizeof sum_taken);
        for (uint32_t to = 0; to < CORES; to++)
            for (uint32_t from = 0; from < CORES; from++)
                for (struct mw_box_reader r = mw_box_first(&b, round, from, to);
                     r.item != NULL; mw_box_next(&r)) {
                    const struct large *const item = r.item;
                    MUST(r.n_bytes % sizeof *item == 0);
                    for (uint32_t i = 0; i < r.n_bytes / sizeof *item; i++) {
                        MUST(item[i].from == from);
                        MUST(item[i].round == round - 1);
                        taken[from][to]++;
                        sum_taken[to] += item[i].number;
                    }
                }
        ck_assert_mem_eq(taken, put[parity ^ 1], sizeof taken);
        ck_assert_mem_eq(sum_taken, sum_put[parity ^ 1], sizeof sum_taken);
    }
    mw_free(b.memory);
}
END_TEST

/* Room that is told is there, however little is left, however full open boxes are, and wherever items go: all to one core,
 * or to each in turn. */
START_TEST(room_is_kept)
{
    enum { BYTES = sizeof(struct small), FULL = MW_BOX_ROOM / BYTES };
    for (uint32_t n_boxes = CORES; n_boxes < 4 * CORES; n_boxes++)
        for (uint32_t spread = 1; spread <= CORES; spread++)
            for (uint32_t before = 0; before <= 2 * FULL; before += FULL / 2 - 1) {
                struct mw_boxes b = boxes_of(n_boxes);
                struct mw_box_writer w = mw_boxes_begin(&b, 1, 3, false);
                uint64_t n = 0, room;
                MUST((n_boxes == CORES) == (mw_box_room(&w, BYTES) == 0));
                for (; n < CORES * before && mw_box_room(&w, BYTES) > 0; n++)
                    mw_box_put(&w, (uint32_t)n % CORES, &(struct small){0}, BYTES);
                while ((room = mw_box_room(&w, BYTES)) > 0)
                    for (; room > 0; room--) {
                        mw_box_put(&w, (uint32_t)n++ % spread, &(struct small){0}, BYTES);
                        MUST(w.n_used <= n_boxes);
                    }
                /* Little is wasted but what was still open. */
                ck_assert_uint_ge(n, (n_boxes - CORES) * (uint64_t)FULL / 2);
                mw_free(b.memory);
            }
}
END_TEST

/* Fewer consumers than producers: each producer has a box for each of them. */
START_TEST(producers_and_consumers_differ)
{
    enum { TO = 2, EACH = 300, BYTES = sizeof(struct small) };
    struct mw_boxes b = {.n_from = CORES,
                         .n_to = TO,
                         .n_boxes = (uint32_t)mw_boxes_for(TO, TO * EACH, BYTES)};
    b.memory = mw_alloc("boxes", mw_boxes_bytes(CORES, TO, b.n_boxes), 1);
    ck_assert_ptr_nonnull(b.memory);
    for (uint64_t phase = 1; phase < 6; phase++) {
        for (uint32_t from = 0; from < CORES; from++) {
            struct mw_box_writer w = mw_boxes_begin(&b, phase, from, false);
            for (uint32_t i = 0; i < TO * EACH; i++)
                mw_box_put(&w, i % TO, &(struct small){from * TO + i % TO}, BYTES);
            MUST(w.n_used <= w.n_boxes);
            mw_boxes_end(&w);
        }
        for (uint32_t from = 0; from < CORES; from++)
            for (uint32_t to = 0; to < TO; to++) {
                uint32_t n = 0;
                for (struct mw_box_reader r = mw_box_first(&b, phase, from, to);
                     r.item != NULL; mw_box_next(&r))
                    for (uint32_t i = 0; i < r.n_bytes / BYTES; i++, n++)
                        MUST(((const struct small *)r.item)[i].number == from * TO + to);
                ck_assert_uint_eq(n, EACH);
                if (phase == 1) /* before it nothing was put */
                    ck_assert_ptr_null(mw_box_first(&b, 0, from, to).item);
            }
    }
    mw_free(b.memory);
}
END_TEST

/* Chunks are dealt to all cores, about as many to each. */
START_TEST(chunks_are_dealt_evenly)
{
    enum { CHUNKS = 1 << 16 };
    for (uint32_t n_cores = 1; n_cores <= 64; n_cores += n_cores < 5 ? 1 : 11) {
        uint32_t n[64] = {0};
        for (uint32_t c = 0; c < CHUNKS; c++) {
            const uint32_t core = mw_consumer_of(c, n_cores);
            MUST(core < n_cores);
            n[core]++;
        }
        for (uint32_t k = 0; k < n_cores; k++) {
            ck_assert_uint_gt(n[k], CHUNKS / n_cores * 9 / 10);
            ck_assert_uint_lt(n[k], CHUNKS / n_cores * 11 / 10);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("boxes");
    TCase *t = tcase_create("boxes");
    tcase_add_test(t, what_is_put_is_taken);
    tcase_add_test(t, room_is_kept);
    tcase_add_test(t, producers_and_consumers_differ);
    tcase_add_test(t, chunks_are_dealt_evenly);
    suite_add_tcase(s, t);
    return run_suite(s);
}
