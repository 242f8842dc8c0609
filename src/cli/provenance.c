/* provenance.c -- see provenance.h. A fact the system does not tell is "unknown" or null,
 * never a reason to fail.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/provenance.h"

#include "base/hash.h"
#include <jansson.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli/json_field.h"
#include "cpe/cluster.h"
#include "cpe/mask.h"
#include "mw_build.h"

/* --- reading the system ----------------------------------------------------------- */

/* The first line of a small file, without its end; "unknown" if there is none. */
static void first_line(const char *path, char *out, size_t room)
{
    FILE *f = fopen(path, "r");
    snprintf(out, room, "unknown");
    if (f == NULL)
        return;
    if (fgets(out, (int)room, f) == NULL)
        snprintf(out, room, "unknown");
    out[strcspn(out, "\n")] = '\0';
    fclose(f);
}

/* The value after "key ... :" in a file such as /proc/cpuinfo. */
static bool line_value(const char *path, const char *key, char *out, size_t room)
{
    char line[512];
    bool found = false;
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return false;
    while (!found && fgets(line, sizeof line, f) != NULL) {
        const char *colon = strchr(line, ':');
        if (colon == NULL || strncmp(line, key, strlen(key)) != 0)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(out, room, "%.*s", (int)strcspn(colon, "\n"), colon);
        found = true;
    }
    fclose(f);
    return found;
}

static uint64_t number_or(const char *text, uint64_t otherwise)
{
    return isdigit((unsigned char)text[0]) ? strtoull(text, NULL, 10) : otherwise;
}

/* "0-3,8" of this process's affinity mask. */
static void affinity(char *out, size_t room)
{
    struct mw_mask mask;
    size_t used = 0;
    mw_mask_of_self(&mask);
    out[0] = '\0';
    for (uint32_t cpu = 0; cpu < MW_MASK_CPUS && used + 24 < room; cpu++) {
        uint32_t last = cpu;
        if (!mw_mask_has(&mask, cpu))
            continue;
        while (mw_mask_has(&mask, last + 1))
            last++;
        const char *comma = used > 0 ? "," : "";
        if (last > cpu)
            used +=
                (size_t)snprintf(out + used, room - used, "%s%u-%u", comma, cpu, last);
        else
            used += (size_t)snprintf(out + used, room - used, "%s%u", comma, cpu);
        cpu = last;
    }
}

static uint32_t count_numa(void)
{
    char path[64];
    uint32_t n = 0;
    for (;; n++) {
        snprintf(path, sizeof path, "/sys/devices/system/node/node%u", n);
        if (access(path, F_OK) != 0)
            return n;
    }
}

static bool in_container(void)
{
    return access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 ||
           getenv("container") != NULL || getenv("APPTAINER_CONTAINER") != NULL ||
           getenv("SINGULARITY_CONTAINER") != NULL;
}

static void utc_now(char *out, size_t room)
{
    const time_t now = time(NULL);
    struct tm tm;
    if (gmtime_r(&now, &tm) == NULL ||
        strftime(out, room, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
        snprintf(out, room, "unknown");
}

static void read_limits(struct mw_provenance *p)
{
    char text[128];
    first_line("/sys/fs/cgroup/cpu.max", p->cpu_limit, sizeof p->cpu_limit);
    first_line("/sys/fs/cgroup/memory.max", text, sizeof text);
    if (strcmp(text, "unknown") == 0)
        first_line("/sys/fs/cgroup/memory/memory.limit_in_bytes", text, sizeof text);
    p->memory_limit = number_or(text, UINT64_MAX);
    if (p->memory_limit >= UINT64_C(1) << 62) /* how cgroup v1 writes "none" */
        p->memory_limit = UINT64_MAX;
    p->memory_total = 0;
    if (line_value("/proc/meminfo", "MemTotal", text, sizeof text))
        p->memory_total = number_or(text, 0) * 1024;
}

static void read_machine(struct mw_provenance *p)
{
    struct utsname u;
    if (uname(&u) == 0 && p->anonymize) /* what follows the number says who built it */
        snprintf(p->kernel, sizeof p->kernel, "%.60s %.*s %.60s", u.sysname,
                 (int)strspn(u.release, "0123456789."), u.release, u.machine);
    else if (uname(&u) == 0)
        snprintf(p->kernel, sizeof p->kernel, "%.60s %.120s %.60s", u.sysname, u.release,
                 u.machine);
    else
        snprintf(p->kernel, sizeof p->kernel, "unknown");
    if (!line_value("/proc/cpuinfo", "model name", p->cpu_model, sizeof p->cpu_model))
        snprintf(p->cpu_model, sizeof p->cpu_model, "unknown");
    first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", p->governor,
               sizeof p->governor);
    first_line("/sys/devices/system/cpu/smt/control", p->smt, sizeof p->smt);
    first_line("/sys/kernel/mm/transparent_hugepage/enabled", p->thp, sizeof p->thp);
    affinity(p->cpuset, sizeof p->cpuset);
    read_limits(p);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    p->n_cpus = online > 0 ? (uint32_t)online : 0;
    p->n_numa = count_numa();
    p->load = -1;
    if (getloadavg(&p->load, 1) != 1)
        p->load = -1;
    p->container = in_container();
}

static void host_name(char *out, size_t room)
{
    if (gethostname(out, room) != 0)
        snprintf(out, room, "unknown");
    out[room - 1] = '\0';
}

void mw_provenance_start(struct mw_provenance *p, int argc, char **argv, char **env,
                         bool anonymize)
{
    *p = (struct mw_provenance){
        .argc = argc, .argv = argv, .env = env, .anonymize = anonymize};
    p->started = mw_now();
    utc_now(p->started_utc, sizeof p->started_utc);
    host_name(p->host, sizeof p->host);
    const char *user = getenv("USER");
    if (user != NULL && *user != '\0')
        snprintf(p->user, sizeof p->user, "%s", user);
    else
        snprintf(p->user, sizeof p->user, "uid %lu", (unsigned long)getuid());
    read_machine(p);
}

void mw_provenance_end(struct mw_provenance *p)
{
    utc_now(p->ended_utc, sizeof p->ended_utc);
    p->elapsed_s = mw_now() - p->started;
}

/* FNV-1a, by words: for what differs by accident. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = 0;
        memcpy(&word, b + i, n - i < 8 ? n - i : 8);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash ^ n;
}

static uint64_t fingerprint(const char *text)
{
    return mix(MW_HASH_OF_NOTHING, text, strlen(text)) | 1;
}

/* Of the file that this process runs. */
static uint64_t program_fingerprint(void)
{
    static char block[1 << 16];
    uint64_t hash = MW_HASH_OF_NOTHING;
    size_t n;
    FILE *f = fopen("/proc/self/exe", "rb");
    if (f == NULL)
        return 0;
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        hash = mix(hash, block, n);
    const bool whole = !ferror(f);
    fclose(f);
    return whole ? hash | 1 : 0;
}

/* Libraries that start later set variables, and the C library then moves the list.
 * Entries stay where they are. */
static int keep_environment(struct mw_provenance *p)
{
    size_t n = 0;
    while (p->env != NULL && p->env[n] != NULL)
        n++;
    p->entries = mw_alloc("environment", n + 1, sizeof *p->entries);
    if (p->entries == NULL)
        return MW_ERR_NOMEM;
    if (n > 0)
        memcpy(p->entries, p->env, n * sizeof *p->entries);
    p->entries[n] = NULL;
    p->env = p->entries;
    return MW_OK;
}

int mw_provenance_gather(struct mw_provenance *p, struct mw_comm *comm)
{
    int rc = keep_environment(p);
    struct mw_rank_site mine;
    memset(&mine, 0, sizeof mine);
    if (comm->size > 1) {
        mine.program = program_fingerprint();
        mine.cpu = fingerprint(p->cpu_model);
        mine.mpi = fingerprint(mw_mpi_version());
    }
    host_name(mine.host, sizeof mine.host);
    affinity(mine.cpus, sizeof mine.cpus);
    p->site = mw_alloc("sites of the ranks", comm->size, sizeof *p->site);
    p->n_ranks = comm->size;
    rc = mw_comm_agree(comm, p->site == NULL ? MW_ERR_NOMEM : rc);
    if (rc == MW_OK)
        rc = mw_comm_gather(comm, &mine, sizeof mine, p->site);
    return rc;
}

/* The first rank whose word differs from rank 0's; 0: none. */
static uint32_t first_other(const struct mw_provenance *p, size_t offset)
{
    uint64_t first, word;
    memcpy(&first, (const char *)&p->site[0] + offset, sizeof first);
    for (uint32_t r = 1; r < p->n_ranks; r++) {
        memcpy(&word, (const char *)&p->site[r] + offset, sizeof word);
        if (first != 0 && word != 0 && word != first)
            return r;
    }
    return 0;
}

int mw_provenance_judge(const struct mw_provenance *p, char *odd, size_t room)
{
    const uint32_t program = first_other(p, offsetof(struct mw_rank_site, program));
    const uint32_t cpu = first_other(p, offsetof(struct mw_rank_site, cpu));
    const uint32_t mpi = first_other(p, offsetof(struct mw_rank_site, mpi));
    const uint32_t other = cpu > 0 ? cpu : mpi;
    odd[0] = '\0';
    if (program > 0)
        return mw_fail(
            MW_ERR_REFUSED,
            "rank %u runs another meshway than rank 0 (fingerprints %016llx on %s, "
            "%016llx on %s): install the same one on all hosts",
            program, (unsigned long long)p->site[program].program, p->site[program].host,
            (unsigned long long)p->site[0].program, p->site[0].host);
    if (other > 0)
        snprintf(odd, room,
                 "hosts differ: rank %u on %s has another %s than rank 0 on %s, so the "
                 "slowest "
                 "kind sets the pace",
                 other, p->site[other].host,
                 cpu > 0 && mpi > 0 ? "processor and MPI library"
                 : cpu > 0          ? "processor"
                                    : "MPI library",
                 p->site[0].host);
    return MW_OK;
}

void mw_provenance_fini(struct mw_provenance *p)
{
    MW_FREE_ALL(p->site, p->entries);
    p->site = NULL;
    p->env = p->entries = NULL;
}

/* --- what may be said ------------------------------------------------------------- */

/* A name that says so itself, whatever it begins with. */
static bool is_secret(const char *entry)
{
    static const char *const words[] = {"TOKEN", "SECRET",     "PASSW",
                                        "JWT",   "CREDENTIAL", "APIKEY"};
    char name[256];
    const size_t n = mw_min(strcspn(entry, "="), sizeof name - 1);
    for (size_t i = 0; i < n; i++)
        name[i] = (char)toupper((unsigned char)entry[i]);
    name[n] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]) != NULL)
            return true;
    return n >= 4 && strcmp(name + n - 4, "_KEY") == 0;
}

bool mw_provenance_allows(const char *entry)
{
    static const char *const allowed[] = {"OMP_",       "KMP_",          "UCX_",    "FI_",
                                          "MPIR_CVAR_", "SLURM_JOB_ID=", "MESHWAY_"};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (strncmp(entry, allowed[i], strlen(allowed[i])) == 0)
            return !is_secret(entry);
    return false;
}

static void hashed(const char *kind, const char *name, char *out, size_t room)
{
    const uint64_t hash = mw_hash(MW_HASH_OF_NOTHING, name, strlen(name));
    snprintf(out, room, "%s-%08llx", kind,
             (unsigned long long)(hash >> 32 ^ hash) & 0xffffffff);
}

/* Writes `text` with each `name` in it replaced by its hash. */
static void replace(FILE *out, const char *text, const char *name, const char *kind)
{
    char hash[32];
    hashed(kind, name, hash, sizeof hash);
    while (*text != '\0')
        if (*name != '\0' && strncmp(text, name, strlen(name)) == 0) {
            fputs(hash, out);
            text += strlen(name);
        } else {
            fputc(*text++, out);
        }
}

/* A JSON string without names that must not be said, and whatever its bytes: what is not
 * UTF-8 is shown as '?'. */
json_t *mw_provenance_string(const struct mw_provenance *p, const char *text)
{
    char *once = NULL, *twice = NULL;
    size_t n;
    if (p->anonymize) {
        FILE *f = open_memstream(&once, &n);
        if (f == NULL)
            return NULL;
        replace(f, text, p->host, "host");
        fclose(f);
        f = open_memstream(&twice, &n);
        if (f == NULL) {
            free(once);
            return NULL;
        }
        replace(f, once, p->user, "user");
        fclose(f);
        text = twice;
    }
    json_t *s = mw_json_bytes(text);
    free(once);
    free(twice);
    return s;
}

static json_t *name_or_hash(const struct mw_provenance *p, const char *kind,
                            const char *name)
{
    char hash[32];
    hashed(kind, name, hash, sizeof hash);
    return json_string(p->anonymize ? hash : name);
}

static json_t *bytes_or_null(uint64_t bytes)
{
    return bytes == 0 || bytes > INT64_MAX ? json_null()
                                           : json_integer((json_int_t)bytes);
}

static json_t *argv_json(const struct mw_provenance *p)
{
    json_t *list = json_array();
    for (int i = 0; i < p->argc; i++)
        json_array_append_new(list, mw_provenance_string(p, p->argv[i]));
    return list;
}

static json_t *environment_json(const struct mw_provenance *p)
{
    json_t *object = json_object();
    for (char **e = p->env; e != NULL && *e != NULL; e++) {
        char name[256];
        const size_t length = strcspn(*e, "=");
        if (!mw_provenance_allows(*e) || length >= sizeof name || (*e)[length] == '\0')
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, *e);
        json_object_set_new(object, name, mw_provenance_string(p, *e + length + 1));
    }
    return object;
}

static json_t *ranks_json(const struct mw_provenance *p)
{
    json_t *list = json_array();
    for (uint32_t r = 0; p->site != NULL && r < p->n_ranks; r++) {
        json_t *one = json_object();
        json_object_set_new(one, "rank", json_integer(r));
        json_object_set_new(one, "host", name_or_hash(p, "host", p->site[r].host));
        json_object_set_new(one, "cpus", json_string(p->site[r].cpus));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *machine_json(const struct mw_provenance *p)
{
    json_t *o = json_object();
    json_object_set_new(o, "host", name_or_hash(p, "host", p->host));
    json_object_set_new(o, "user", name_or_hash(p, "user", p->user));
    json_object_set_new(o, "kernel", json_string(p->kernel));
    json_object_set_new(o, "cpu", json_string(p->cpu_model));
    json_object_set_new(o, "n_cpus", json_integer(p->n_cpus));
    json_object_set_new(o, "n_numa", json_integer(p->n_numa));
    json_object_set_new(o, "governor", json_string(p->governor));
    json_object_set_new(o, "smt", json_string(p->smt));
    json_object_set_new(o, "transparent_hugepage", json_string(p->thp));
    json_object_set_new(o, "cpuset", json_string(p->cpuset));
    json_object_set_new(o, "cgroup_cpu", json_string(p->cpu_limit));
    json_object_set_new(o, "cgroup_memory_bytes", bytes_or_null(p->memory_limit));
    json_object_set_new(o, "memory_bytes", bytes_or_null(p->memory_total));
    json_object_set_new(o, "load_1min", p->load < 0 ? json_null() : json_real(p->load));
    json_object_set_new(o, "container", json_boolean(p->container));
    return o;
}

static json_t *backends_json(void)
{
    json_t *object = json_object();
    for (const struct mw_backend *const *b = mw_backends; *b != NULL; b++)
        json_object_set_new(object, (*b)->name,
                            json_string((*b)->disabled != NULL ? (*b)->disabled : "yes"));
    return object;
}

static json_t *build_json(void)
{
    json_t *o = json_object();
    json_object_set_new(o, "program", json_string("meshway"));
    json_object_set_new(o, "version", json_string(MW_BUILD_VERSION));
    json_object_set_new(o, "commit", json_string(MW_BUILD_COMMIT));
    json_object_set_new(o, "dirty", json_boolean(MW_BUILD_DIRTY));
    json_object_set_new(o, "build_type", json_string(MW_BUILD_TYPE));
    json_object_set_new(o, "compiler", json_string(MW_BUILD_COMPILER));
    json_object_set_new(o, "flags", json_string(MW_BUILD_FLAGS));
    json_object_set_new(o, "target", json_string(MW_BUILD_TARGET));
    json_object_set_new(o, "mpi", json_string(mw_mpi_version()));
    json_object_set_new(o, "backends", backends_json());
    return o;
}

json_t *mw_provenance_json(const struct mw_provenance *p)
{
    json_t *o = json_object();
    json_object_set_new(o, "build", build_json());
    json_object_set_new(o, "machine", machine_json(p));
    json_object_set_new(o, "argv", argv_json(p));
    json_object_set_new(o, "environment", environment_json(p));
    json_object_set_new(o, "started_utc", json_string(p->started_utc));
    json_object_set_new(o, "ended_utc", json_string(p->ended_utc));
    json_object_set_new(o, "elapsed_s", json_real(p->elapsed_s));
    json_object_set_new(o, "anonymized", json_boolean(p->anonymize));
    json_object_set_new(o, "ranks", ranks_json(p));
    return o;
}

int mw_provenance_build_text(char **text)
{
    json_t *o = build_json();
    *text = json_dumps(o, JSON_INDENT(1));
    json_decref(o);
    return *text != NULL ? MW_OK
                         : mw_fail(MW_ERR_NOMEM, "version: no memory for the JSON text");
}
