/* test_room.c -- limits of control groups are found wherever they stand: on recorded trees of
 * /proc and /sys, as under Slurm, systemd, in containers, in both versions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/room.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

/* A file of the tree, with its folders. */
static void put(const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *p = whole + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        mkdir(whole, 0700);
        *p = '/';
    }
    FILE *f = fopen(whole, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
}

static void set_up(void)
{
    snprintf(root, sizeof root, "/tmp/meshway-room-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    put("/proc/meminfo", "MemTotal:  64000000 kB\nMemAvailable:  32000000 kB\n");
}

static void tear_down(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    ck_assert_int_eq(system(command), 0);
}

static struct mw_room room(void)
{
    struct mw_room r;
    mw_room_find(root, &r);
    return r;
}

#define V2_MOUNT "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_MOUNT                                                                         \
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"                         \
    "33 31 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"                \
    "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"

START_TEST(without_groups_memory_is_what_the_system_has)
{
    const struct mw_room r = room();
    ck_assert_uint_eq(r.memory, UINT64_C(32000000) << 10);
    ck_assert_str_eq(r.memory_source, "MemAvailable");
}
END_TEST

/* systemd-run --scope -p MemoryMax=...: the leaf has no limit, its parent has. */
START_TEST(version_2_goes_up_from_the_own_group)
{
    put("/proc/self/mountinfo", V2_MOUNT);
    put("/proc/self/cgroup", "0::/user.slice/user-1000.slice/run-7.scope\n");
    put("/sys/fs/cgroup/user.slice/user-1000.slice/run-7.scope/memory.max", "max\n");
    put("/sys/fs/cgroup/user.slice/user-1000.slice/run-7.scope/memory.current", "5000\n");
    put("/sys/fs/cgroup/user.slice/user-1000.slice/memory.max", "8000000000\n");
    put("/sys/fs/cgroup/user.slice/user-1000.slice/memory.current", "1000000000\n");
    put("/sys/fs/cgroup/user.slice/memory.max", "9000000000\n");
    put("/sys/fs/cgroup/user.slice/memory.current", "1500000000\n");
    const struct mw_room r = room();
    ck_assert_uint_eq(r.memory, 7000000000);
    ck_assert_str_eq(r.memory_source, "cgroup /user.slice/user-1000.slice: memory.max");
}
END_TEST

/* The larger limit with less left counts; what is only kept of files can be had. */
START_TEST(what_is_left_counts_and_the_cache_is_left)
{
    put("/proc/self/mountinfo", V2_MOUNT);
    put("/proc/self/cgroup", "0::/a/b\n");
    put("/sys/fs/cgroup/a/b/memory.max", "4000000000\n");
    put("/sys/fs/cgroup/a/b/memory.current", "3900000000\n");
    put("/sys/fs/cgroup/a/b/memory.stat", "anon 900000000\nfile 3000000000\n"
                                          "active_file 1000\ninactive_file 2900000000\n");
    put("/sys/fs/cgroup/a/memory.max", "6000000000\n");
    put("/sys/fs/cgroup/a/memory.current", "5000000000\n");
    const struct mw_room r = room();
    ck_assert_uint_eq(r.memory, 1000000000);
    ck_assert_str_eq(r.memory_source, "cgroup /a: memory.max");
}
END_TEST

/* Slurm: the step's task has no limit of its own, the job has; others have other controllers. */
START_TEST(version_1_goes_up_as_well)
{
    put("/proc/self/mountinfo", V1_MOUNT);
    put("/proc/self/cgroup", "9:name=systemd:/system.slice\n"
                             "6:cpu,cpuacct:/slurm/uid_1000/job_42/step_0\n"
                             "4:memory:/slurm/uid_1000/job_42/step_0/task_3\n0::/\n");
#define JOB "/sys/fs/cgroup/memory/slurm/uid_1000/job_42"
    put(JOB "/step_0/task_3/memory.limit_in_bytes", "9223372036854771712\n");
    put(JOB "/step_0/task_3/memory.usage_in_bytes", "100\n");
    put(JOB "/memory.limit_in_bytes", "2000000000\n");
    put(JOB "/memory.usage_in_bytes", "500000000\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "7000000000\n");
    const struct mw_room r = room();
    ck_assert_uint_eq(r.memory, 1500000000);
    ck_assert_str_eq(r.memory_source,
                     "cgroup /slurm/uid_1000/job_42: memory.limit_in_bytes");
}
END_TEST

/* A container sees its own part, mounted as if it were all; the path is still the host's. */
START_TEST(a_mounted_part_is_looked_at_where_it_is)
{
    put("/proc/self/mountinfo",
        "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
    put("/proc/self/cgroup", "4:memory:/docker/abc/inner\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000000\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000000\n");
    put("/sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "2500000000\n");
    put("/sys/fs/cgroup/memory/inner/memory.usage_in_bytes", "1000000000\n");
    ck_assert_uint_eq(room().memory, 1500000000);
    put("/proc/self/cgroup", "4:memory:/elsewhere\n"); /* not below: the mount itself */
    ck_assert_uint_eq(room().memory, 2000000000);
    put("/proc/self/cgroup", "4:memory:/../../outside\n");
    ck_assert_uint_eq(room().memory, 2000000000);
}
END_TEST

START_TEST(other_mount_points_and_no_table_of_mounts)
{
    put("/proc/self/mountinfo", "30 23 0:26 / /cg/here rw shared:4 - cgroup2 none rw\n");
    put("/proc/self/cgroup", "0::/job\n");
    put("/cg/here/job/memory.max", "1000000\n");
    put("/cg/here/job/memory.current", "2000000\n"); /* more than the limit: nothing */
    ck_assert_uint_eq(room().memory, 0);
    put("/proc/self/mountinfo", "");
    put("/sys/fs/cgroup/job/memory.max", "3000000\n");
    put("/sys/fs/cgroup/job/memory.current", "1000000\n");
    ck_assert_uint_eq(room().memory, 2000000);
}
END_TEST

START_TEST(odd_files_say_nothing)
{
    static const char *const groups[] = {"",     "0::\n",  "nonsense\n", "4:memory\n",
                                         "::\n", "0::/\n", "0:://///\n", "0::/a/b/c/\n"};
    put("/proc/self/mountinfo", "x - \n - cgroup2\n1 2 3 4 5 - cgroup2 a b\n" V2_MOUNT);
    put("/sys/fs/cgroup/a/memory.max", "many\n");
    put("/sys/fs/cgroup/a/memory.current", "1\n");
    put("/proc/self/cgroup", groups[_i]);
    ck_assert_uint_eq(room().memory, UINT64_C(32000000) << 10);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("room");
    TCase *t = tcase_create("room");
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_add_test(t, without_groups_memory_is_what_the_system_has);
    tcase_add_test(t, version_2_goes_up_from_the_own_group);
    tcase_add_test(t, what_is_left_counts_and_the_cache_is_left);
    tcase_add_test(t, version_1_goes_up_as_well);
    tcase_add_test(t, a_mounted_part_is_looked_at_where_it_is);
    tcase_add_test(t, other_mount_points_and_no_table_of_mounts);
    tcase_add_loop_test(t, odd_files_say_nothing, 0, 8);
    suite_add_tcase(s, t);
    return run_suite(s);
}
