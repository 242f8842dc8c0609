/* kokkos_hooks.h -- what a test hears of Kokkos.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef KOKKOS_HOOKS_H
#define KOKKOS_HOOKS_H

#include "base/base.h"

MW_BEGIN_DECLS

/* From now on, on the thread that has asked for a kernel or a copy. */
void kokkos_hooks(void (*begin)(void), void (*end)(void));

MW_END_DECLS
#endif
