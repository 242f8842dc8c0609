/* kokkos_hooks.cpp -- tells a test when Kokkos works: what it calls around each kernel and each
 * copy. Between them nobody has a reason to touch a device's memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos_hooks.h"

#include <Kokkos_Core.hpp>

namespace hooks = Kokkos::Tools::Experimental;

static void (*begins)(), (*ends)();

static void kernel_begins(const char *, const uint32_t, uint64_t *id)
{
    *id = 0;
    begins();
}

static void kernel_ends(const uint64_t)
{
    ends();
}

static void copy_begins(Kokkos::Tools::SpaceHandle, const char *, const void *,
                        Kokkos::Tools::SpaceHandle, const char *, const void *, uint64_t)
{
    begins();
}

static void copy_ends()
{
    ends();
}

void kokkos_hooks(void (*begin)(void), void (*end)(void))
{
    begins = begin;
    ends = end;
    hooks::set_begin_parallel_for_callback(kernel_begins);
    hooks::set_end_parallel_for_callback(kernel_ends);
    hooks::set_begin_parallel_reduce_callback(kernel_begins);
    hooks::set_end_parallel_reduce_callback(kernel_ends);
    hooks::set_begin_parallel_scan_callback(kernel_begins);
    hooks::set_end_parallel_scan_callback(kernel_ends);
    hooks::set_begin_deep_copy_callback(copy_begins);
    hooks::set_end_deep_copy_callback(copy_ends);
}
