/* kernels.c -- see kernels.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shuffle/kernels.h"

#include <string.h>

static const struct mw_kernel_table *find_kind(const struct mw_kernel_table *list,
                                               const char *kind)
{
    while (list->kind != NULL && strcmp(list->kind, kind) != 0)
        list++;
    return list;
}

const void *mw_kernels_of_cores(const struct mw_kernel_table *list,
                                const struct mw_backend *backend)
{
    return find_kind(list, backend->kernels)->kernels;
}

const void *mw_kernels_of_mpe(const struct mw_kernel_table *list,
                              const struct mw_backend *backend)
{
    const struct mw_kernel_table *table = find_kind(list, backend->delegate);
    if (table->kind == NULL)
        table = find_kind(list, "host");
    return table->kernels;
}
