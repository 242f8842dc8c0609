/* cluster_kokkos.cpp -- a cluster that is a device: whatever Kokkos was built for.
 *
 * Its kernels are functions of the host that queue work (space.hpp), so a launch is a call, and
 * there are no cores beside the management core that would have lanes of their own. Kokkos is
 * started with the first cluster of the process, on one device for as long as the process
 * lives.
 *
 * Where the device is the host's cores, its memory is the host's (mw_memory_of_host is not used all
 * the same: what Kokkos has taken it wants back).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "base/mem.h"
#include "base/status.h"
#include "cpe/cluster_backends.h"
#include "kokkos/devices.hpp"

#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>

struct mw_cluster {
    uint32_t device;
};

namespace mwk
{

static std::mutex whose_turn;

store &here()
{
    static thread_local store of_rank;
    return of_rank;
}

/* ---- turns ----------------------------------------------------------------------------------- */

turn::turn()
{
    whose_turn.lock();
}

turn::~turn()
{
    if (host_reaches) /* who reads the state next knows nothing of queues */
        exec().fence();
    whose_turn.unlock();
}

void turn::wait()
{
    exec().fence();
}

void turn::counts(uint64_t *grown, uint32_t n)
{
    store &s = here();
    uint64_t now[COUNTS];
    get(now, s.count, n * sizeof *now);
    for (uint32_t i = 0; i < n; i++) {
        grown[i] = now[i] - s.before[i];
        s.before[i] = now[i];
    }
}

void *turn::grow(room_of which, uint64_t bytes)
{
    store &s = here();
    if (s.bytes[which] < bytes) {
        exec().fence();
        Kokkos::kokkos_free<memory_of_cores>(s.room[which]);
        s.bytes[which] = bytes + bytes / 2;
        s.room[which] = Kokkos::kokkos_malloc<memory_of_cores>("room", s.bytes[which]);
    }
    return s.room[which];
}

/* ---- memory ------------------------------------------------------------------------------------ */

template <class Space> static void *take_from(const char *what, uint64_t n, uint64_t size)
{
    const uint64_t bytes = mw_round_up(n * size + 1, 2 * MW_CACHE_LINE);
    void *p = nullptr;
    try {
        p = Kokkos::kokkos_malloc<Space>(what, bytes);
    } catch (const std::exception &) {
        p = nullptr;
    }
    if (p == nullptr) {
        mw_fail(MW_ERR_NOMEM, "%s: %llu bytes of memory of %s", what,
                static_cast<unsigned long long>(bytes), Space::name());
        return nullptr;
    }
    fill("zeros", static_cast<uint64_t *>(p), bytes / sizeof(uint64_t), UINT64_C(0));
    exec().fence();
    return p;
}

static void *take(mw_cluster *, mw_memory_kind kind, const char *what, uint64_t n,
                  uint64_t size)
{
    turn t;
    return kind == MW_OF_BOTH ? take_from<memory_of_both>(what, n, size)
                              : take_from<memory_of_cores>(what, n, size);
}

static void give(mw_cluster *, mw_memory_kind kind, void *p)
{
    turn t;
    exec().fence();
    if (kind == MW_OF_BOTH)
        Kokkos::kokkos_free<memory_of_both>(p);
    else
        Kokkos::kokkos_free<memory_of_cores>(p);
}

static void put_there(mw_cluster *, void *to, const void *from, uint64_t bytes)
{
    turn t;
    put(to, from, bytes);
}

static void get_here(mw_cluster *, void *to, const void *from, uint64_t bytes)
{
    turn t;
    get(to, from, bytes);
}

/* ---- a cluster --------------------------------------------------------------------------------- */

static void finish()
{
    Kokkos::finalize();
}

/* The environment is what Kokkos reads in all its versions. The device is the one that results
 * name; how many threads, a user may know better. */
static void begin_on(uint32_t device, uint32_t n_threads)
{
    if (host_reaches)
        setenv("KOKKOS_NUM_THREADS", std::to_string(n_threads).c_str(), 0);
    else
        setenv("KOKKOS_DEVICE_ID", std::to_string(device).c_str(), 1);
    Kokkos::initialize();
    std::atexit(finish);
}

/* Of this process, for as long as it lives; with the turn. */
struct running {
    bool begun;
    uint32_t on;
};

static running &process()
{
    static running is;
    return is;
}

/* The number given; else the one that this process has, for ranks may share a process; else by the
 * rank's place on its host. */
static int choose(const mw_cluster_conf *conf, uint32_t *out)
{
    mw_device device[MW_DEVICES_MAX];
    const uint32_t n = list_devices(device, MW_DEVICES_MAX);
    *out = conf->device > 0  ? conf->device - 1
           : process().begun ? process().on
                             : conf->host_rank % n;
    if (*out >= n || *out >= MW_DEVICES_MAX)
        return mw_fail(
            MW_ERR_UNAVAILABLE,
            "--device %u: backend 'kokkos' sees %u here, 0 to %u; 'meshway info' lists "
            "them",
            *out, n, n - 1);
    if (device[*out].unusable[0] != '\0')
        return mw_fail(MW_ERR_UNAVAILABLE, "device %u, %s, cannot be used: %s", *out,
                       device[*out].name, device[*out].unusable);
    return MW_OK;
}

static int begin(uint32_t device, uint32_t n_threads)
{
    running &is = process();
    if (is.begun && is.on != device)
        return mw_fail(
            MW_ERR_UNAVAILABLE,
            "device %u: this process runs on device %u already, and Kokkos changes none",
            device, is.on);
    try {
        if (!is.begun && !Kokkos::is_initialized())
            begin_on(device, n_threads);
    } catch (const std::exception &e) {
        return mw_fail(MW_ERR_UNAVAILABLE, "device %u: %s", device, e.what());
    }
    is.begun = true;
    is.on = device;
    return MW_OK;
}

static int open_store()
{
    store &s = here();
    if (s.n_clusters == 0) {
        s = store();
        s.count = static_cast<uint64_t *>(
            take_from<memory_of_cores>("counts of a rank", COUNTS, sizeof *s.count));
        if (s.count == nullptr)
            return MW_ERR_NOMEM;
    }
    s.n_clusters++;
    return MW_OK;
}

static void close_store()
{
    store &s = here();
    if (--s.n_clusters > 0)
        return;
    exec().fence();
    for (void *room : s.room)
        Kokkos::kokkos_free<memory_of_cores>(room);
    Kokkos::kokkos_free<memory_of_cores>(s.count);
    s = store();
}

static void close(mw_cluster *c)
{
    turn t;
    close_store();
    mw_free(c);
}

/* Chosen with the turn: the first of ranks that share a process chooses for all. */
static int open(const mw_cluster_conf *conf, mw_cluster **out)
{
    turn t;
    uint32_t device;
    int rc = choose(conf, &device);
    if (rc == MW_OK)
        rc = begin(device, conf->n_cores);
    if (rc == MW_OK)
        rc = open_store();
    if (rc != MW_OK)
        return rc;
    *out = static_cast<mw_cluster *>(mw_alloc("kokkos cluster", 1, sizeof **out));
    if (*out == nullptr) {
        close_store();
        return MW_ERR_NOMEM;
    }
    (*out)->device = device;
    return MW_OK;
}

static void run(mw_cluster *, mw_kernel *kernel, void *job)
{
    mw_cpe self = {0, 1, 0};
    kernel(&self, job);
}

static int poll(mw_cluster *)
{
    return MW_OK;
}

static uint32_t n_cores(const mw_cluster *)
{
    return 1;
}

static uint32_t n_team(const mw_cluster *)
{
    return 0;
}

static uint32_t device_of(const mw_cluster *c)
{
    return c->device;
}

static const mw_memory memory = {host_reaches && !MW_KOKKOS_APART, take, give, put_there,
                                 get_here};

static mw_backend backend()
{
    mw_backend b = mw_backend();
    b.name = "kokkos";
    b.short_circuit = true;
    b.kernels = b.delegate = "kokkos";
    b.memory = &memory;
    b.open = open;
    b.launch = run;
    b.poll = poll;
    b.run = run;
    b.close = close;
    b.n_cores = n_cores;
    b.n_team = n_team;
    b.devices = list_devices;
    b.device_of = device_of;
    return b;
}

} // namespace mwk

const mw_backend mw_backend_kokkos = mwk::backend();
