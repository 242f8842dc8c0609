/* cluster_omptarget.c -- a cluster that is a device of OpenMP: a GPU that the compiler makes code for, or
 * where there is none the host's cores, with the same kernels.
 *
 * Its kernels are functions of the host (region.h), so a launch is a call, and there are no cores beside
 * the management core that would have lanes of their own. What is of cores is the device's alone, also
 * where the host stands for it: whether there is a device is known only when the program runs.
 *
 * OpenMP has no words for a device's name and memory. The driver of NVIDIA tells the names, in the order of
 * buses, as it counts devices of a kind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "omptarget/region.h"

#include "base/mem.h"
#include "base/status.h"
#include "cpe/cluster_backends.h"

#include <glob.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct mw_cluster {
    uint32_t device;
};

enum { BLOCKS = 1024 };

/* Of this rank, which is a thread. */
static MW_THREAD_LOCAL struct {
    void *room[MWO_ROOMS];
    uint64_t bytes[MWO_ROOMS];
    uint32_t n_clusters; /* open ones */
    int device;          /* as OpenMP counts them: the host comes behind the last */
    bool many;           /* on the host regions have threads */
    bool apart;          /* it is no host: who waits for it does not work */
    bool opens;          /* it is being tried */
    const char *busy;    /* what the runtime of OpenMP does for us now; NULL: nothing */
    struct mw_cluster_conf conf; /* of the first cluster: whom to tell */
    struct {
        const void *at; /* NULL: none */
        const char *what;
        uint64_t bytes;
    } block[BLOCKS]; /* of cores, as told to mem.h */
} here;

/* ---- what fails in the middle ------------------------------------------------------------------ */

static int left_with;

static void end_now(void)
{
    fflush(NULL);
    _exit(left_with);
}

/* Nobody above can be told: kernels return nothing. What the runtime of OpenMP does when
 * a program ends would fail again, and has a code of its own. */
static void give_up(int rc)
{
    if (here.conf.failed == NULL)
        abort();
    left_with = -rc;
    atexit(end_now);
    here.conf.failed(rc);
    abort();
}

/* A device that fails has the runtime say why and end the program: with code 1, which
 * would be nothing that the others hear of. */
static void on_exit_of_runtime(void)
{
    const char *const busy = here.busy;
    if (busy == NULL || here.conf.failed == NULL)
        return;
    here.busy = NULL;
    if (here.opens)
        give_up(
            mw_fail(MW_ERR_UNAVAILABLE,
                    "device %d cannot be used: OpenMP's runtime has ended it, see above",
                    here.device));
    give_up(
        mw_fail(MW_ERR_INTERNAL,
                "device %d has failed in the middle of a run, in %s: OpenMP's runtime "
                "has ended it, see above",
                here.device, busy));
}

static void begin_use(const char *what)
{
    here.busy = what;
    if (here.apart && here.conf.waits != NULL)
        here.conf.waits(here.conf.waits_arg, true);
}

static void end_use(void)
{
    if (here.apart && here.conf.waits != NULL)
        here.conf.waits(here.conf.waits_arg, false);
    here.busy = NULL;
}

/* ---- regions --------------------------------------------------------------------------------- */

bool mwo_region_begins(void)
{
    begin_use("a region");
    omp_set_default_device(here.device);
    return true;
}

bool mwo_region_ends(void)
{
    end_use();
    return false;
}

/* gcc's runtime keeps stacks for 1,024 teams from region to region, and takes those of more
 * anew: 0.24 ms for 4,224 on an H200 (measured). That pays, if anything does, for some 16 M
 * steps, a lane each (modelled). */
enum { TEAMS_KEPT = 1024, PAYS = 1 << 19 };

static int threads_of_host(void)
{
    return here.many && !here.apart ? omp_get_max_threads() : 1;
}

int mwo_shares(uint64_t n)
{
    return (int)mw_max(mw_min(n, (uint64_t)threads_of_host()), 1);
}

int mwo_teams(uint64_t n)
{
    const uint64_t most = n < PAYS ? TEAMS_KEPT : MWO_TEAMS;
    return here.apart ? (int)mw_max(mw_min(n, most), 1) : 1;
}

bool mwo_apart(void)
{
    return here.apart;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void *take_of_cores(const char *what, uint64_t bytes)
{
    if (!mw_mem_take_apart(what, bytes))
        return NULL;
    begin_use("a request for memory");
    void *const p = omp_target_alloc(bytes, here.device);
    end_use();
    if (p == NULL) {
        mw_mem_give_apart(what, bytes);
        mw_fail(MW_ERR_NOMEM, "out of memory of OpenMP's device %d: %s, %llu bytes",
                here.device, what, (unsigned long long)bytes);
    }
    return p;
}

static void give_of_cores(const char *what, void *p, uint64_t bytes)
{
    if (p == NULL)
        return;
    begin_use("a return of memory");
    omp_target_free(p, here.device);
    end_use();
    mw_mem_give_apart(what, bytes);
}

static void copy(void *to, int to_device, const void *from, int from_device,
                 uint64_t bytes)
{
    begin_use("a copy");
    const int error = omp_target_memcpy(to, from, bytes, 0, 0, to_device, from_device);
    end_use();
    if (error != 0)
        give_up(mw_fail(
            MW_ERR_INTERNAL,
            "device %d in the middle of a run: a copy of %llu bytes failed: error %d",
            here.device, (unsigned long long)bytes, error));
}

void mwo_put(void *to, const void *from, uint64_t bytes)
{
    copy(to, here.device, from, omp_get_initial_device(), bytes);
}

void mwo_get(void *to, const void *from, uint64_t bytes)
{
    copy(to, omp_get_initial_device(), from, here.device, bytes);
}

static const char rooms[] = "rooms of kernels";

void *mwo_room(enum mwo_room which, uint64_t bytes)
{
    if (here.bytes[which] < bytes) {
        give_of_cores(rooms, here.room[which], here.bytes[which]);
        here.bytes[which] = bytes + bytes / 2;
        here.room[which] = take_of_cores(rooms, here.bytes[which]);
        if (here.room[which] == NULL)
            give_up(MW_ERR_NOMEM);
    }
    return here.room[which];
}

void *mwo_sent(enum mwo_room which, const void *from, uint64_t bytes)
{
    void *const to = mwo_room(which, bytes);
    if (bytes > 0)
        mwo_put(to, from, bytes);
    return to;
}

static void *take_memory(struct mw_cluster *c, enum mw_memory_kind kind, const char *what,
                         uint64_t n, uint64_t size)
{
    const uint64_t bytes = mw_block_apart(n * size);
    uint32_t k = 0;
    (void)c;
    if (kind == MW_OF_BOTH)
        return mw_alloc(what, n, size);
    while (k < BLOCKS && here.block[k].at != NULL)
        k++;
    if (k == BLOCKS) {
        mw_fail(MW_ERR_INTERNAL, "%s: the device has %d blocks already", what, BLOCKS);
        return NULL;
    }
    uint64_t *const p = take_of_cores(what, bytes);
    if (p == NULL)
        return NULL;
    MWO_ALL(i, 0, bytes / sizeof *p)
    p[i] = 0;
    here.block[k].at = p;
    here.block[k].what = what;
    here.block[k].bytes = bytes;
    return p;
}

static void give_memory(struct mw_cluster *c, enum mw_memory_kind kind, void *p)
{
    (void)c;
    if (kind == MW_OF_BOTH)
        mw_free(p);
    for (uint32_t k = 0; kind == MW_OF_CORES && k < BLOCKS; k++)
        if (p != NULL && here.block[k].at == p) {
            give_of_cores(here.block[k].what, p, here.block[k].bytes);
            here.block[k].at = NULL;
        }
}

static void put(struct mw_cluster *c, void *to, const void *from, uint64_t bytes)
{
    (void)c;
    mwo_put(to, from, bytes);
}

static void get(struct mw_cluster *c, void *to, const void *from, uint64_t bytes)
{
    (void)c;
    mwo_get(to, from, bytes);
}

/* ---- devices --------------------------------------------------------------------------------- */

/* What NVIDIA's driver calls it, if it is the driver of all. */
static void ask_driver(uint32_t device, uint32_t n, struct mw_device *out)
{
    static const char model[] = "Model:";
    char line[160] = "";
    glob_t found = {0};
    FILE *f = NULL;
    if (glob("/proc/driver/nvidia/gpus/*/information", 0, NULL, &found) == 0 &&
        found.gl_pathc == n)
        f = fopen(found.gl_pathv[device], "r");
    if (f != NULL && fgets(line, sizeof line, f) != NULL &&
        strncmp(line, model, sizeof model - 1) == 0) {
        char *const name =
            line + sizeof model - 1 + strspn(line + sizeof model - 1, " \t");
        name[strcspn(name, "\n")] = '\0';
        snprintf(out->name, sizeof out->name, "%.*s", (int)sizeof out->name - 1, name);
    }
    if (f != NULL)
        fclose(f);
    globfree(&found);
}

static uint32_t list_devices(struct mw_device *out, uint32_t room)
{
    const int n = omp_get_num_devices();
    if (n == 0 && room > 0) {
        const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
        *out = (struct mw_device){
            .bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0};
        snprintf(out->name, sizeof out->name, "the host's cores: %s", MW_OMPTARGET_NONE);
    }
    for (int i = 0; i < n && (uint32_t)i < room; i++) {
        out[i] = (struct mw_device){.name = "device of OpenMP"};
        ask_driver((uint32_t)i, (uint32_t)n, &out[i]);
    }
    return n > 0 ? (uint32_t)n : 1;
}

/* The number given; else by the rank's place on its real host. */
static int choose(const struct mw_cluster_conf *conf, uint32_t *out)
{
    const uint32_t n = list_devices(NULL, 0);
    const char *const must = getenv("OMP_TARGET_OFFLOAD");
    if (must != NULL && strcasecmp(must, "mandatory") == 0 && omp_get_num_devices() == 0)
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "OMP_TARGET_OFFLOAD=%s, and there is no device: %s", must,
                       MW_OMPTARGET_NONE);
    *out = conf->device > 0 ? conf->device - 1 : conf->real_host_rank % n;
    if (*out >= n)
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "--device %u: backend 'omptarget' sees %u here, 0 to %u; 'meshway "
                       "info' lists them",
                       *out, n, n - 1);
    return MW_OK;
}

/* A device that this program has no code for leaves its regions to the host. */
static int try_device(uint32_t device)
{
    int on_host = 1;
    here.opens = true;
    MWO_REGION
    MWO_PRAGMA(omp target map(from : on_host))
    on_host = omp_is_initial_device();
    here.opens = false;
    if (on_host && here.device != omp_get_initial_device())
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "device %u cannot be used: this build has no code for it", device);
    return MW_OK;
}

/* ---- a cluster ------------------------------------------------------------------------------- */

static void close_cluster(struct mw_cluster *c)
{
    if (--here.n_clusters == 0)
        for (uint32_t i = 0; i < MWO_ROOMS; i++) {
            give_of_cores(rooms, here.room[i], here.bytes[i]);
            here.room[i] = NULL;
            here.bytes[i] = 0;
        }
    mw_free(c);
}

static int open_cluster(const struct mw_cluster_conf *conf, struct mw_cluster **out)
{
    static bool
        watched; /* the runtime is asked for devices first, so that it hears of the end after us */
    uint32_t device = 0;
    int rc = choose(conf, &device);
    if (rc != MW_OK)
        return rc;
    if (!watched && conf->failed != NULL)
        watched = atexit(on_exit_of_runtime) == 0;
    MW_NEW(rc, *out, "omptarget cluster", 1);
    (*out)->device = device;
    if (here.n_clusters++ == 0)
        here.conf = *conf;
    here.apart = omp_get_num_devices() > 0;
    here.device = here.apart ? (int)device : omp_get_initial_device();
    /* The host's threads would wait for each other at the end of every region, on the core that the
     * rank is bound to: they are for who asks OpenMP for them. */
    here.many = getenv("OMP_NUM_THREADS") != NULL;
    rc = try_device(device);
    if (rc != MW_OK) {
        close_cluster(*out);
        *out = NULL; /* who asked gives back what there is */
    }
end:
    return rc;
}

static void run(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    struct mw_cpe self = {0, 1, 0};
    (void)c;
    kernel(&self, job);
}

static int poll(struct mw_cluster *c)
{
    (void)c;
    return MW_OK;
}

static uint32_t n_cores(const struct mw_cluster *c)
{
    (void)c;
    return 1;
}

static uint32_t n_team(const struct mw_cluster *c)
{
    (void)c;
    return 0;
}

static uint32_t device_of(const struct mw_cluster *c)
{
    return c->device;
}

static const struct mw_memory memory = {
    .host_reaches = false,
    .take = take_memory,
    .give = give_memory,
    .put = put,
    .get = get,
};

const struct mw_backend mw_backend_omptarget = {
    .name = "omptarget",
    .short_circuit = true,
    .kernels = "omptarget",
    .delegate = "omptarget",
    .memory = &memory,
    .open = open_cluster,
    .launch = run,
    .poll = poll,
    .run = run,
    .close = close_cluster,
    .n_cores = n_cores,
    .n_team = n_team,
    .devices = list_devices,
    .device_of = device_of,
};
