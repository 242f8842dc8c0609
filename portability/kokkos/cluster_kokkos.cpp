/* cluster_kokkos.cpp -- a cluster that is a device: whatever Kokkos was built for.
 *
 * Its kernels are functions of the host that queue work (space.hpp), so a launch is a call, and
 * there are no cores beside the management core that would have lanes of their own. Kokkos is
 * started with the first cluster of the process, on one device for as long as the process
 * lives.
 *
 * Where the device is the host's cores it is no device but a team: Kokkos brings the threads, and the
 * kernels and the memory are the host's (decision 82). The form of devices is there all the same, for tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "base/log.h"
#include "base/mem.h"
#include "base/status.h"
#include "cpe/cluster_backends.h"
#include "cpe/mask.h"
#include "kokkos/devices.hpp"
#include "kokkos/lending.hpp"
#include "kokkos/trading.hpp"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>

struct mw_cluster {
    uint32_t device;
    uint32_t n_cores, first_lane; /* of a team of the host's from here on */
    bool bound;
    mw_mask before; /* where the caller could run before open() */
};

namespace mwk
{

static std::mutex whose_turn;

struct block {
    const char *what;
    uint64_t bytes;
};

/* Of a text of several: messages are one. */
static std::string one_line(const char *text)
{
    return std::string(text, std::strcspn(text, "\n"));
}

store &here()
{
    static thread_local store of_rank;
    return of_rank;
}

/* Of this process, for as long as it lives; with the turn. */
struct running {
    bool begun;
    uint32_t on;
    std::map<void *, block> taken; /* of cores */
};

static running &process()
{
    static running is;
    return is;
}

/* ---- what fails in the middle ------------------------------------------------------------------ */

/* Nobody above can be told: kernels return nothing. */
[[noreturn]] static void give_up(int rc)
{
    if (here().conf.failed != nullptr)
        here().conf.failed(rc);
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
}

/* What Kokkos throws where nobody catches it. */
[[noreturn]] static void on_terminate()
{
    const char *what = "an exception";
    try {
        if (std::current_exception() != nullptr)
            std::rethrow_exception(std::current_exception());
    } catch (const std::exception &e) {
        const bool full = dynamic_cast<const std::bad_alloc *>(&e) != nullptr ||
                          std::strstr(e.what(), "allocat") != nullptr;
        give_up(mw_fail(full ? MW_ERR_NOMEM : MW_ERR_INTERNAL,
                        "device %u in the middle of a run: %s%s", process().on,
                        full ? "out of memory: " : "", one_line(e.what()).c_str()));
    } catch (...) {
    }
    give_up(mw_fail(MW_ERR_INTERNAL, "device %u in the middle of a run: %s", process().on,
                    what));
}

/* Kokkos prints what it knows and aborts, where its device has failed; others' aborts are
 * theirs. */
static void on_abort(int)
{
    if (!here().has_turn)
        return;
    const char *const why = trouble();
    give_up(mw_fail(MW_ERR_INTERNAL, "device %u has failed in the middle of a run: %s",
                    process().on,
                    why[0] != '\0' ? why : "Kokkos has ended it, see above"));
}

static void catch_failures()
{
    if (here().conf.failed == nullptr)
        return;
    std::set_terminate(on_terminate);
    std::signal(SIGABRT, on_abort);
}

/* ---- blocks ------------------------------------------------------------------------------------ */

static void say_full(const char *what, uint64_t bytes, const char *space)
{
    char free[64] = "";
    const uint64_t left = process().begun ? room_of(process().on) : 0;
    if (left > 0)
        std::snprintf(free, sizeof free, "; %llu bytes are free there",
                      static_cast<unsigned long long>(left));
    mw_fail(MW_ERR_NOMEM, "out of memory of device %u (%s): %s, %llu bytes%s",
            process().on, space, what, static_cast<unsigned long long>(bytes), free);
}

template <class Space> static void *take_from(const char *what, uint64_t bytes)
{
    void *p = nullptr;
    try {
        p = Kokkos::kokkos_malloc<Space>(what, bytes);
    } catch (const std::exception &) {
        p = nullptr;
    }
    if (p == nullptr)
        say_full(what, bytes, Space::name());
    return p;
}

static void *take_of_cores(const char *what, uint64_t bytes)
{
    if (!mw_mem_take_apart(what, bytes))
        return nullptr;
    void *const p = take_from<memory_of_cores>(what, bytes);
    if (p == nullptr)
        mw_mem_give_apart(what, bytes);
    else
        process().taken[p] = {what, bytes};
    return p;
}

static void give_back(void *p)
{
    const auto it = process().taken.find(p);
    if (it == process().taken.end())
        return;
    mw_mem_give_apart(it->second.what, it->second.bytes);
    process().taken.erase(it);
    Kokkos::kokkos_free<memory_of_cores>(p);
}

/* ---- turns ----------------------------------------------------------------------------------- */

turn::turn()
{
    store &s = here();
    whose_turn.lock();
    s.has_turn = true;
    if (s.conf.waits != nullptr)
        s.conf.waits(s.conf.waits_arg, true);
}

turn::~turn()
{
    store &s = here();
    if (host_reaches) /* who reads the state next knows nothing of queues */
        exec().fence();
    if (s.conf.waits != nullptr)
        s.conf.waits(s.conf.waits_arg, false);
    s.has_turn = false;
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

void *turn::grow(room_kind which, uint64_t bytes)
{
    store &s = here();
    if (s.bytes[which] < bytes) {
        exec().fence();
        give_back(s.room[which]);
        s.bytes[which] = bytes + bytes / 2;
        s.room[which] = take_of_cores("rooms of kernels", s.bytes[which]);
        if (s.room[which] == nullptr)
            give_up(MW_ERR_NOMEM);
    }
    return s.room[which];
}

/* ---- memory ------------------------------------------------------------------------------------ */

static void *take_memory(mw_cluster *, mw_memory_kind kind, const char *what, uint64_t n,
                         uint64_t size)
{
    turn t;
    const uint64_t bytes = mw_block_apart(n * size);
    void *const p = kind == MW_OF_BOTH ? take_from<memory_of_both>(what, bytes)
                                       : take_of_cores(what, bytes);
    if (p != nullptr) {
        fill("zeros", static_cast<uint64_t *>(p), bytes / sizeof(uint64_t), UINT64_C(0));
        exec().fence();
    }
    return p;
}

static void give_memory(mw_cluster *, mw_memory_kind kind, void *p)
{
    turn t;
    exec().fence();
    if (kind == MW_OF_BOTH)
        Kokkos::kokkos_free<memory_of_both>(p);
    else
        give_back(p);
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

/* ---- memory that is lent ------------------------------------------------------------------------- */

static void *lend(mw_cluster *c, const char *what, uint64_t n, mw_lent *out)
{
    turn t;
    const uint64_t bytes = mw_block_apart(n);
    if (!mw_mem_take_apart(what, bytes))
        return nullptr;
    void *const p = lending_of_device->take(bytes, out->name);
    if (p == nullptr) {
        say_full(what, bytes, memory_of_cores::name());
        mw_mem_give_apart(what, bytes);
        return nullptr;
    }
    out->device = mw_device_id(&mw_backend_kokkos_device, c->device);
    process().taken[p] = {what, bytes};
    return p;
}

static void take_back(mw_cluster *, void *p)
{
    turn t;
    const auto it = process().taken.find(p);
    exec().fence();
    mw_mem_give_apart(it->second.what, it->second.bytes);
    process().taken.erase(it);
    lending_of_device->give(p);
}

static void *reach(mw_cluster *, const mw_lent *lent)
{
    turn t;
    return lending_of_device->reach(lent->name);
}

static void leave(mw_cluster *, void *p)
{
    turn t;
    exec().fence();
    lending_of_device->leave(p);
}

static const mw_lending lending = {lend, take_back, reach, leave};

/* ---- a cluster --------------------------------------------------------------------------------- */

static void finish()
{
    Kokkos::finalize();
}

/* The environment is what Kokkos reads in all its versions. The device is the one that results
 * name; how many threads, a user may know better. */
static void begin_on(uint32_t device, uint32_t n_threads)
{
    if (host_reaches) {
        setenv("KOKKOS_NUM_THREADS", std::to_string(n_threads).c_str(), 0);
        setenv("OMP_PROC_BIND", "false",
               0); /* Kokkos asks for it; we bind, or nobody does */
    } else
        setenv("KOKKOS_DEVICE_ID", std::to_string(device).c_str(), 1);
    Kokkos::initialize();
    std::atexit(finish);
}

/* Looked at once: a device that has failed tells nothing more. */
static uint32_t devices(mw_device *out, uint32_t room)
{
    struct list {
        mw_device device[MW_DEVICES_MAX];
        uint32_t n;
    };
    static const list all = []() {
        list l;
        l.n = list_devices(l.device, MW_DEVICES_MAX);
        return l;
    }();
    for (uint32_t i = 0; i < room && i < all.n && i < MW_DEVICES_MAX; i++)
        out[i] = all.device[i];
    return all.n;
}

/* The number given; else the one that this process has, for ranks may share a process; else by the
 * rank's place on its real host. */
static int choose(const mw_cluster_conf *conf, uint32_t *out)
{
    mw_device device[MW_DEVICES_MAX];
    const uint32_t n = devices(device, MW_DEVICES_MAX);
    *out = conf->device == 0 && process().begun
               ? process().on
               : mw_device_choose(&mw_backend_kokkos, conf->device, conf->real_host_rank);
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
        s.count = static_cast<uint64_t *>(
            take_of_cores("counts of a rank", COUNTS * sizeof *s.count));
        if (s.count == nullptr)
            return MW_ERR_NOMEM;
        fill("zeros", s.count, COUNTS, UINT64_C(0));
        exec().fence();
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
        give_back(room);
    give_back(s.count);
    const mw_cluster_conf conf = s.conf; /* the caller's turn is not over */
    s = store();
    s.conf = conf;
    s.has_turn = true;
}

static void close_device(mw_cluster *c)
{
    turn t;
    close_store();
    mw_free(c);
}

static int cluster_new(const mw_cluster &is, mw_cluster **out)
{
    *out = static_cast<mw_cluster *>(mw_alloc("kokkos cluster", 1, sizeof **out));
    if (*out == nullptr)
        return MW_ERR_NOMEM;
    **out = is;
    return MW_OK;
}

/* Chosen with the turn: the first of ranks that share a process chooses for all. */
static int open_device(const mw_cluster_conf *conf, mw_cluster **out)
{
    here().conf = *conf;
    here().conf.cpu = nullptr; /* the caller's */
    turn t;
    uint32_t device;
    int rc = choose(conf, &device);
    if (rc == MW_OK)
        catch_failures();
    if (rc == MW_OK)
        rc = begin(device, conf->n_cores);
    if (rc == MW_OK)
        rc = open_store();
    if (rc != MW_OK)
        return rc;
    rc = cluster_new({device, 1, 0, false, mw_mask()}, out);
    if (rc != MW_OK)
        close_store();
    return rc;
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

static const mw_memory memory = {host_reaches && !MW_KOKKOS_APART,
                                 take_memory,
                                 give_memory,
                                 put_there,
                                 get_here,
                                 lending_of_device != nullptr ? &lending : nullptr,
                                 trading_of_device};

static mw_backend device_backend()
{
    mw_backend b = mw_backend();
    b.name = "kokkos";
    b.short_circuit = true;
    b.kernels = b.delegate = "kokkos";
    b.memory = &memory;
    b.open = open_device;
    b.launch = run;
    b.poll = poll;
    b.run = run;
    b.close = close_device;
    b.n_cores = n_cores;
    b.n_team = n_team;
    b.devices = devices;
    b.device_of = device_of;
    b.room = room_of;
    b.device_state = state_of;
    b.device_link = link_of;
    return b;
}

/* ---- a team of the host's cores ------------------------------------------------------------------ */

using host_exec = Kokkos::DefaultHostExecutionSpace;
constexpr bool is_host =
    std::is_same<memory_of_cores, Kokkos::HostSpace>::value && !MW_KOKKOS_APART;

/* f(self) on each of its threads but the caller's, or on all. The caller is the first
 * thread of Kokkos and the last core, as with openmp, so that each core has the same
 * number and lane however it is called. */
template <class F> static void on_threads(const mw_cluster *c, bool with_caller, F f)
{
    turn t;
    const uint32_t n = c->n_cores, first_lane = c->first_lane;
    const uint32_t n_called = with_caller ? n : n - 1;
    Kokkos::parallel_for(
        "kernel of the host",
        Kokkos::RangePolicy<host_exec, Kokkos::Schedule<Kokkos::Static>>(0, int(n)),
        [=](int i) {
            const uint32_t id = n - 1 - static_cast<uint32_t>(i);
            mw_cpe self = {id, n_called, i > 0 ? first_lane + id : 0};
            if (with_caller || i > 0)
                f(self);
        });
    host_exec().fence();
}

static void close_team(mw_cluster *c)
{
    if (c->bound && mw_mask_bind_self(&c->before) != MW_OK)
        mw_error_clear(); /* the processors went offline meanwhile */
    mw_free(c);
}

/* Its threads outlive the cluster, and then stay where they are. */
static int bind_team(mw_cluster *c, const int *cpu)
{
    if (cpu == nullptr)
        return MW_OK;
    mw_mask_of_self(&c->before);
    on_threads(c, false, [=](const mw_cpe &self) {
        if (mw_mask_bind_self_to(cpu[self.id + 1]) != MW_OK)
            mw_note("%s; it runs unbound", mw_error_text());
    });
    const int rc = mw_mask_bind_self_to(cpu[0]);
    c->bound = rc == MW_OK;
    return rc;
}

static int open_team(const mw_cluster_conf *conf, mw_cluster **out)
{
    uint32_t device;
    int rc;
    here().conf = mw_cluster_conf(); /* nobody waits for a device */
    {
        turn t;
        rc = choose(conf, &device);
        if (rc == MW_OK)
            rc = begin(device, conf->n_cores);
    }
    const uint32_t most =
        static_cast<uint32_t>(rc == MW_OK ? host_exec().concurrency() : 1);
    if (rc == MW_OK)
        rc = cluster_new({device, conf->n_cores < most ? conf->n_cores : most,
                          conf->first_lane, false, mw_mask()},
                         out);
    if (rc != MW_OK)
        return rc;
    rc = bind_team(*out, conf->cpu);
    if (rc != MW_OK)
        close_team(*out);
    return rc;
}

static void run_team(mw_cluster *c, mw_kernel *kernel, void *job)
{
    on_threads(c, true, [=](mw_cpe &self) { kernel(&self, job); });
}

static void launch_team(mw_cluster *c, mw_kernel *kernel, void *job)
{
    on_threads(c, c->n_cores == 1, [=](mw_cpe &self) { kernel(&self, job); });
}

static uint32_t n_cores_of_team(const mw_cluster *c)
{
    return c->n_cores;
}

static uint32_t n_team_of_team(const mw_cluster *c)
{
    return c->n_cores - 1;
}

static mw_backend team_backend()
{
    mw_backend b = mw_backend();
    b.name = "kokkos";
    b.one_thread = std::strcmp(host_exec::name(), "Serial") == 0;
    b.short_circuit = b.in_place = b.takes_turns = true;
    b.kernels = b.delegate = "host";
    b.open = open_team;
    b.launch = launch_team;
    b.poll = poll;
    b.run = run_team;
    b.close = close_team;
    b.n_cores = n_cores_of_team;
    b.n_team = n_team_of_team;
    b.sizes = mw_sizes_add_stacks;
    b.devices = devices;
    b.device_of = device_of;
    b.device_state = state_of;
    b.device_link = link_of;
    b.as_device = &mw_backend_kokkos_device;
    return b;
}

} // namespace mwk

const mw_backend mw_backend_kokkos =
    mwk::is_host ? mwk::team_backend() : mwk::device_backend();
const mw_backend mw_backend_kokkos_device = mwk::device_backend();
