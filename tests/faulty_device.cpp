/* faulty_device.cpp -- beside the program's own main (faulty_program.c): devices and kernels of the
 * backend "kokkos" that misbehave as the variable MWT_DEVICE says, a list of
 *
 *      apart          the host does not reach the memory of the cores, wherever it is
 *      devices=N      so many; 0: none. Those that are not there are the first one, which ranks
 *                     then share without knowing: their kernels run in turn, or beside each other by MPS if
 *                     each may have its share of the processors (CUDA_MPS_ACTIVE_THREAD_PERCENTAGE)
 *      old            they were built before what this program was built for
 *      room=BYTES     so much is free there
 *      ballast=BYTES  so much is taken when the device is opened
 *      hang=N throw=N full=N abort=N illegal=N
 *                     the N-th kernel from then on never ends, throws, finds no memory, has Kokkos
 *                     abort, writes where nothing is (on a device only)
 *      late=N         what is queued is over at the N-th question for it, and not before
 *      rooms          there is no memory for what kernels keep from one to the next
 *      blind          there is no memory to validate; tight: not before the list of tuples has gone home
 *      rank=R         of this rank only
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/devices.hpp"

#include "base/mem.h"
#include "base/status.h"
#include "cpe/cluster_backends.h"

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

namespace
{

/* What the list says of a word; -1: nothing. */
long long said(const char *word)
{
    const char *const rank = std::getenv("PMI_RANK");
    const char *const text = std::getenv("MWT_DEVICE");
    const std::string list = text != nullptr ? "," + std::string(text) + "," : "";
    const auto find = [&](const char *w) -> long long {
        const size_t at = list.find("," + std::string(w));
        if (at == std::string::npos)
            return -1;
        const size_t end = at + 1 + std::strlen(w);
        return list[end] == '=' ? std::atoll(list.c_str() + end + 1)
                                : (list[end] == ',' ? 1 : -1);
    };
    const long long only = find("rank");
    if (only >= 0 && std::strcmp(word, "apart") != 0 &&
        std::strcmp(word, "devices") != 0 &&
        only != (rank != nullptr ? std::atoll(rank) : 0))
        return -1;
    return find(word);
}

/* ---- kernels --------------------------------------------------------------------------------- */

long long n_kernels;
bool planting; /* a kernel of ours is no N-th one */

uint32_t n_real = 1; /* devices */

/* It waits for what nobody writes: a loop without that is no loop to a compiler. */
void never_ends()
{
    int *const flag = static_cast<int *>(Kokkos::kokkos_malloc("flag", sizeof(int)));
    Kokkos::parallel_for(
        "never ends", Kokkos::RangePolicy<>(0, 1), KOKKOS_LAMBDA(int) {
            Kokkos::atomic_exchange(flag, 0);
            while (Kokkos::atomic_fetch_add(flag, 0) == 0)
                ;
        });
}

void writes_nowhere()
{
    int *volatile at = reinterpret_cast<int *>(uintptr_t(64));
    int *const there = at;
    Kokkos::parallel_for(
        "writes nowhere", Kokkos::RangePolicy<>(0, 1),
        KOKKOS_LAMBDA(int) { *there = 1; });
}

void kernel_begins(const char *, const uint32_t, uint64_t *id)
{
    *id = 0;
    if (planting)
        return;
    planting = true;
    n_kernels++;
    if (n_kernels == said("throw"))
        throw std::runtime_error("planted exception");
    if (n_kernels == said("full"))
        throw std::bad_alloc();
    if (n_kernels == said("abort"))
        Kokkos::abort("planted abort\n");
    if (n_kernels == said("illegal"))
        writes_nowhere();
    if (n_kernels == said("hang"))
        never_ends();
    planting = false;
}

int open_faulty(const mw_cluster_conf *conf, mw_cluster **out)
{
    const int rc = mw_backend_kokkos_device.open(conf, out);
    if (rc != MW_OK)
        return rc;
    using namespace Kokkos::Tools::Experimental;
    set_begin_parallel_for_callback(kernel_begins);
    set_begin_parallel_reduce_callback(kernel_begins);
    set_begin_parallel_scan_callback(kernel_begins);
    const long long ballast = said("ballast");
    if (ballast > 0)
        (void)Kokkos::kokkos_malloc("ballast", size_t(ballast));
    return MW_OK;
}

} // namespace

/* ---- instead of the real ones ------------------------------------------------------------------ */

extern "C" {

int __real_mw_backend_find(const char *name, const mw_backend **out);
int __wrap_mw_backend_find(const char *name, const mw_backend **out);
int __wrap_mw_backend_find(const char *name, const mw_backend **out)
{
    static mw_backend faulty;
    static mw_memory memory;
    const int rc = __real_mw_backend_find(name, out);
    if (rc != MW_OK || *out != &mw_backend_kokkos || std::getenv("MWT_DEVICE") == nullptr)
        return rc;
    memory = *mw_backend_kokkos_device.memory;
    memory.host_reaches = memory.host_reaches && said("apart") < 0;
    faulty = mw_backend_kokkos_device;
    faulty.memory = &memory;
    faulty.open = open_faulty;
    *out = &faulty;
    return rc;
}

bool __real_mw_mem_take_apart(const char *what, uint64_t bytes);
bool __wrap_mw_mem_take_apart(const char *what, uint64_t bytes);
bool __wrap_mw_mem_take_apart(const char *what, uint64_t bytes)
{
    const bool no_rooms = std::strcmp(what, "rooms of kernels") == 0 && said("rooms") > 0;
    static bool refused;
    const bool tuples = std::strcmp(what, "inspected tuples") == 0;
    const bool blind = tuples && (said("blind") > 0 || (said("tight") > 0 && !refused));
    refused |= blind;
    if (!no_rooms && !blind)
        return __real_mw_mem_take_apart(what, bytes);
    mw_fail(MW_ERR_NOMEM, "out of memory of the cores: %s, %llu bytes", what,
            static_cast<unsigned long long>(bytes));
    return false;
}

/* mwk::list_devices() and mwk::room_of(), as compilers call them. */
uint32_t __real__ZN3mwk12list_devicesEP9mw_devicej(mw_device *out, uint32_t room);
uint32_t __wrap__ZN3mwk12list_devicesEP9mw_devicej(mw_device *out, uint32_t room);
uint32_t __wrap__ZN3mwk12list_devicesEP9mw_devicej(mw_device *out, uint32_t room)
{
    const long long n = said("devices");
    uint32_t all = __real__ZN3mwk12list_devicesEP9mw_devicej(out, room);
    if (n == 0)
        return mwk::no_devices(out, room, "planted", "there is no device");
    n_real = all;
    std::string numbers = "0"; /* where Kokkos finds each */
    for (uint32_t i = 1; i < n && i < room; i++) {
        numbers += "," + std::to_string(i < n_real ? i : 0);
        if (i < n_real)
            continue;
        out[i] = out[0];
        out[i].id += out[0].id != 0 ? 2 * i : 0;
    }
    if (n > 1)
        setenv("KOKKOS_VISIBLE_DEVICES", numbers.c_str(), 1);
    all = n > 0 ? uint32_t(n) : all;
    for (uint32_t i = 0; said("old") > 0 && i < all && i < room; i++)
        std::snprintf(out[i].unusable, sizeof out[i].unusable,
                      "planted: it is older than this build is for");
    return all;
}

bool __real__ZN3mwk13queue_is_doneEv();
bool __wrap__ZN3mwk13queue_is_doneEv();
bool __wrap__ZN3mwk13queue_is_doneEv()
{
    static long long n_asked;
    n_asked = n_asked + 1 < said("late") ? n_asked + 1 : 0;
    return n_asked == 0 && __real__ZN3mwk13queue_is_doneEv();
}

/* Each has drawn 5 J more whenever it is asked. */
void __real__ZN3mwk8state_ofEjP15mw_device_state(uint32_t device, mw_device_state *out);
void __wrap__ZN3mwk8state_ofEjP15mw_device_state(uint32_t device, mw_device_state *out);
void __wrap__ZN3mwk8state_ofEjP15mw_device_state(uint32_t device, mw_device_state *out)
{
    __real__ZN3mwk8state_ofEjP15mw_device_state(device < n_real ? device : 0, out);
    static uint32_t n_asked;
    out->joules = 5 * ++n_asked;
}

uint64_t __real__ZN3mwk7room_ofEj(uint32_t device);
uint64_t __wrap__ZN3mwk7room_ofEj(uint32_t device);
uint64_t __wrap__ZN3mwk7room_ofEj(uint32_t device)
{
    const long long room = said("room");
    return room > 0 ? uint64_t(room)
                    : __real__ZN3mwk7room_ofEj(device < n_real ? device : 0);
}
}
