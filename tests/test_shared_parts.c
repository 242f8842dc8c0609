/* test_shared_parts.c -- what one process puts in its part another one finds, and a part that is not what its
 * maker said is not taken.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/shared_parts.h"
#include "suite.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PARTS = 3, HUGE = 2 * 1024 * 1024, BYTES = 2 * HUGE + 12345 };
static struct mw_shared_part part[PARTS];

static void make(void)
{
    ck_assert_uint_eq(mw_shared_part_bytes(BYTES, PARTS), HUGE);
    for (uint32_t i = 0; i < PARTS; i++) {
        mw_shared_part_make(mw_min(HUGE, BYTES - i * (uint64_t)HUGE), &part[i]);
        ck_assert_int_ge(part[i].fd, 0);
    }
}

static void unmake(void)
{
    for (uint32_t i = 0; i < PARTS; i++)
        close((int)part[i].fd);
}

static unsigned char *map(void)
{
    return mw_shared_parts_map(part, PARTS, HUGE, BYTES);
}

START_TEST(parts_lie_one_after_the_other_in_every_process)
{
    unsigned char *here = map();
    ck_assert_ptr_nonnull(here);
    for (size_t i = 0; i < BYTES; i++)
        MUST(here[i] == 0);
    const pid_t child = fork();
    if (child == 0) {
        unsigned char *there = map();
        for (size_t i = 0; there != NULL && i < BYTES; i++)
            there[i] = (unsigned char)(i % 251);
        _exit(there == NULL);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    for (size_t i = 0; i < BYTES; i++)
        MUST(here[i] == i % 251);
    munmap(here, BYTES);
}
END_TEST

/* From anywhere, in any length, in large pages or small ones; and they keep what others
 * have put there. */
START_TEST(touched_parts_are_zero)
{
    unsigned char *p = map();
    ck_assert_ptr_nonnull(p);
    ck_assert_uint_eq((uintptr_t)p % HUGE, 0);
    mw_shared_part_touch(p, HUGE);
    mw_shared_part_touch(p + HUGE, BYTES - HUGE);
    for (size_t i = 0; i < BYTES; i++)
        MUST(p[i] == 0);
    p[HUGE - 1] = 3;
    unsigned char *q = map();
    ck_assert_ptr_nonnull(q);
    ck_assert_uint_eq(q[HUGE - 1], 3);
    q[BYTES - 1] = 4;
    ck_assert_uint_eq(p[BYTES - 1], 4);
    munmap(q, BYTES);
    munmap(p, BYTES);
}
END_TEST

START_TEST(what_is_not_the_part_is_not_taken)
{
    const struct mw_shared_part good = part[1];
    part[1].fd = -1; /* could not be made */
    ck_assert_ptr_null(map());
    part[1] = part[2]; /* another file */
    part[1].file = good.file;
    ck_assert_ptr_null(map());
    part[1] = good;
    part[1].process = INT32_MAX; /* nobody that is seen from here */
    ck_assert_ptr_null(map());
    part[1] = good;
    unsigned char *p = map();
    ck_assert_ptr_nonnull(p);
    munmap(p, BYTES);
}
END_TEST

START_TEST(what_is_small_has_one_part)
{
    ck_assert_uint_eq(mw_shared_part_bytes(100, 7), HUGE);
    ck_assert_uint_eq(mw_shared_part_bytes(UINT64_C(1) << 40, 1), UINT64_C(1) << 40);
    ck_assert_uint_eq(mw_shared_part_bytes(64 * (uint64_t)HUGE + 1, 32), 3 * HUGE);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("shared_parts");
    TCase *t = tcase_create("parts");
    tcase_add_checked_fixture(t, make, unmake);
    tcase_add_test(t, parts_lie_one_after_the_other_in_every_process);
    tcase_add_test(t, touched_parts_are_zero);
    tcase_add_test(t, what_is_not_the_part_is_not_taken);
    tcase_add_test(t, what_is_small_has_one_part);
    suite_add_tcase(s, t);
    return run_suite(s);
}
