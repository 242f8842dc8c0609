/* room.c -- see room.h.
 *
 * A control group is named relative to its hierarchy, and a hierarchy may be mounted anywhere,
 * also only a part of it (in a container): /proc/self/mountinfo says which and where. The two
 * versions differ in names only.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/room.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { PATH = 4096, LINE = 2 * PATH };

/* The number after `key` in a file, or UINT64_MAX ("max" too). */
static uint64_t number_in(const char *path, const char *key, uint64_t unit)
{
    char line[LINE];
    uint64_t value = UINT64_MAX;
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return value;
    while (fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, key, strlen(key)) == 0) {
            char *end;
            const char *digits = line + strlen(key);
            errno = 0;
            const unsigned long long v = strtoull(digits, &end, 10);
            if (end != digits && errno == 0 && v < UINT64_MAX / unit)
                value = v * unit;
            break;
        }
    fclose(f);
    return value;
}

static uint64_t number_at(const char *root, const char *path, const char *key,
                          uint64_t unit)
{
    char whole[PATH];
    const int n = snprintf(whole, sizeof whole, "%s%s", root, path);
    return n > 0 && n < (int)sizeof whole ? number_in(whole, key, unit) : UINT64_MAX;
}

/* ---- control groups --------------------------------------------------------------------- */

struct version {
    const char *type, *limit, *usage, *cache; /* cache: of usage, given up when needed */
    const char *usual;                        /* where it is mounted */
};
static const struct version versions[] = {
    {"cgroup2", "memory.max", "memory.current", "inactive_file ", "/sys/fs/cgroup"},
    {"cgroup", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ",
     "/sys/fs/cgroup/memory"},
};

/* Larger "limits" mean none: version 1 says the largest number of pages. */
#define NO_LIMIT (UINT64_C(1) << 60)

static bool listed(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = list; (p = strstr(p, word)) != NULL; p += n)
        if ((p == list || p[-1] == ',') &&
            (p[n] == '\0' || p[n] == ',' || p[n] == '\n' || p[n] == ' '))
            return true;
    return false;
}

/* The process's group: "0::/path" in version 2, "4:cpu,memory:/path" in version 1. */
static bool find_group(const char *root, const struct version *v, char *group)
{
    char line[LINE];
    bool found = false;
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *f = fopen(line, "r");
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        char *controllers = strchr(line, ':');
        char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (path == NULL || path[1] != '/')
            continue;
        *path++ = '\0';
        controllers++;
        path[strcspn(path, "\n")] = '\0';
        found = v == &versions[0] ? strncmp(line, "0:", 2) == 0 && *controllers == '\0'
                                  : listed(controllers, "memory");
        if (found && strlen(path) < PATH)
            memcpy(group, path, strlen(path) + 1);
    }
    if (f != NULL)
        fclose(f);
    return found;
}

/* Where the hierarchy is mounted, and what part of it: "36 25 0:31 PART AT opts - type dev opts".
 * The last line that fits counts: it lies on top. */
static void find_mount(const char *root, const struct version *v, char *part, char *at)
{
    char line[LINE], type[64], options[PATH], one_part[PATH], one_at[PATH];
    snprintf(part, PATH, "/");
    snprintf(at, PATH, "%s", v->usual);
    snprintf(line, sizeof line, "%s/proc/self/mountinfo", root);
    FILE *f = fopen(line, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        const char *rest = strstr(line, " - ");
        if (rest == NULL ||
            sscanf(line, "%*s %*s %*s %4095s %4095s", one_part, one_at) != 2 ||
            sscanf(rest, " - %63s %*s %4095s", type, options) != 2 ||
            strcmp(type, v->type) != 0 ||
            (v != &versions[0] && !listed(options, "memory")))
            continue;
        memcpy(part, one_part, sizeof one_part);
        memcpy(at, one_at, sizeof one_at);
    }
    if (f != NULL)
        fclose(f);
}

static void lower_memory(struct mw_room *r, uint64_t bytes, const char *source)
{
    if (bytes >= r->memory)
        return;
    r->memory = bytes;
    snprintf(r->memory_source, sizeof r->memory_source, "%s", source);
}

/* One group: its limit less what it uses, without what it only keeps of files. */
static void look_at(const char *root, const struct version *v, const char *at,
                    const char *group, struct mw_room *out)
{
    char path[2 * PATH + 64], source[sizeof out->memory_source];
    snprintf(path, sizeof path, "%s%s/%s", at, group, v->limit);
    const uint64_t limit = number_at(root, path, "", 1);
    snprintf(path, sizeof path, "%s%s/%s", at, group, v->usage);
    uint64_t usage = number_at(root, path, "", 1);
    if (limit >= NO_LIMIT || usage == UINT64_MAX)
        return;
    snprintf(path, sizeof path, "%s%s/memory.stat", at, group);
    const uint64_t cache = number_at(root, path, v->cache, 1);
    usage -= cache != UINT64_MAX ? mw_min(cache, usage) : 0;
    snprintf(source, sizeof source, "cgroup %.100s: %s", *group != '\0' ? group : "/",
             v->limit);
    lower_memory(out, limit > usage ? limit - usage : 0, source);
}

/* Its own and all above, as far as they are mounted here. */
static void look_up(const char *root, const struct version *v, struct mw_room *out)
{
    char name[PATH], part[PATH], at[PATH];
    if (!find_group(root, v, name))
        return;
    find_mount(root, v, part, at);
    const size_t n = strcmp(part, "/") == 0 ? 0 : strlen(part);
    char *group = name;
    if (strncmp(name, part, n) == 0 && (name[n] == '/' || name[n] == '\0'))
        group += n;
    else
        *group = '\0'; /* not below what is mounted: that is the nearest there is */
    if (strstr(group, "/..") != NULL)
        *group = '\0';
    for (;;) {
        char *slash = strrchr(group, '/');
        if (slash != NULL && slash[1] == '\0') { /* "/" is the mount itself */
            *slash = '\0';
            continue;
        }
        look_at(root, v, at, group, out);
        if (slash == NULL)
            return;
        *slash = '\0';
    }
}

/* ---- limits of the process --------------------------------------------------------------- */

static void lower_space(struct mw_room *r, uint64_t limit, uint64_t used,
                        const char *source)
{
    const uint64_t left = used == UINT64_MAX ? limit : limit - mw_min(limit, used);
    if (left >= r->space)
        return;
    r->space = left;
    r->space_source = source;
}

uint64_t mw_room_of_stack(void)
{
    struct rlimit limit;
    const uint64_t usual = 8 << 20, guard = 4096;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return usual + guard;
    return limit.rlim_cur + guard;
}

void mw_room_share_heap(void)
{
#ifdef M_ARENA_MAX
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        mallopt(M_ARENA_MAX, 1);
#endif
}

void mw_room_find(const char *root, struct mw_room *out)
{
    char path[PATH];
    struct rlimit limit;
    struct statvfs shm;
    *out = (struct mw_room){.memory = UINT64_MAX,
                            .memory_source = "unknown",
                            .space = UINT64_MAX,
                            .space_source = "not limited",
                            .shared = UINT64_MAX};
    lower_memory(out, number_at(root, "/proc/meminfo", "MemAvailable:", 1024),
                 "MemAvailable");
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        look_up(root, &versions[i], out);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        lower_space(out, limit.rlim_cur,
                    number_at(root, "/proc/self/status", "VmSize:", 1024),
                    "RLIMIT_AS (ulimit -v)");
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        lower_space(out, limit.rlim_cur,
                    number_at(root, "/proc/self/status", "VmData:", 1024),
                    "RLIMIT_DATA (ulimit -d)");
    snprintf(path, sizeof path, "%s/dev/shm", root);
    if (statvfs(path, &shm) == 0)
        out->shared = (uint64_t)shm.f_bavail * shm.f_frsize;
}
