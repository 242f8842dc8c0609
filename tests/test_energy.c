/* test_energy.c -- joules of processors by a folder of counters as Linux has it: packages add up, what is inside
 * one does not count twice, a counter wraps, and what cannot be read is not there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/energy.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/mw-energy-XXXXXX";

static void put(const char *zone, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, zone);
    (void)mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/%s/%s", root, zone, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_ge(fputs(text, f), 0);
    ck_assert_int_eq(fclose(f), 0);
}

static void put_zone(const char *zone, const char *name, const char *range,
                     const char *now)
{
    put(zone, "name", name);
    put(zone, "max_energy_range_uj", range);
    put(zone, "energy_uj", now);
}

START_TEST(packages_add_up_and_counters_wrap)
{
    struct mw_energy_meter m;
    double packages;
    ck_assert_ptr_nonnull(mkdtemp(root));
    put_zone("intel-rapl:0", "package-0\n", "262143328850\n", "1000000\n");
    put_zone("intel-rapl:0:0", "core\n", "262143328850\n", "500000\n");
    put_zone("intel-rapl:1", "psys\n", "262143328850\n", "7000000\n");
    put_zone("intel-rapl:3", "package-1\n", "5000000\n", "4500000\n");
    put("intel-rapl:4", "name", "package-2\n"); /* without a counter */
    mw_energy_open(&m, root);
    ck_assert_uint_eq(m.n_packages, 2);
    packages = mw_energy_read(&m);
    ck_assert_double_eq_tol(packages, 0, 1e-9);
    put("intel-rapl:0", "energy_uj", "3500000\n");
    put("intel-rapl:0:0", "energy_uj", "3000000\n");
    put("intel-rapl:1", "energy_uj", "9000000\n");
    put("intel-rapl:3", "energy_uj", "250000\n"); /* 0.5 J to the end, 0.25 from 0 on */
    packages = mw_energy_read(&m);
    ck_assert_double_eq_tol(packages, 2.5 + 0.75, 1e-9);
    put("intel-rapl:3", "energy_uj", "nothing\n");
    put("intel-rapl:0", "energy_uj", "");
    packages = mw_energy_read(&m); /* 0 of one, which wraps; no news of the other */
    ck_assert_double_eq_tol(packages, 2.5 + 0.75 + 4.75, 1e-9);
    mw_energy_close(&m);
    ck_assert_uint_eq(m.n_packages, 0);
}
END_TEST

START_TEST(a_folder_that_is_not_there_has_no_packages)
{
    struct mw_energy_meter m;
    double packages;
    mw_energy_open(&m, "/nowhere");
    ck_assert_uint_eq(m.n_packages, 0);
    packages = mw_energy_read(&m);
    ck_assert_double_eq(packages, 0);
    mw_energy_close(&m);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("energy");
    TCase *tc = tcase_create("counters");
    tcase_add_test(tc, packages_add_up_and_counters_wrap);
    tcase_add_test(tc, a_folder_that_is_not_there_has_no_packages);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
