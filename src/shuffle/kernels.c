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

static mw_kernel *find_entry(const struct mw_kernel_table *list, const char *kind,
                             uint32_t i)
{
    for (list = find_kind(list, kind); list->kind != NULL;
         list = find_kind(list + 1, kind)) {
        mw_kernel *const *const entry = list->kernels;
        if (entry[i] != NULL)
            return entry[i];
    }
    return NULL;
}

mw_kernel *mw_kernel_of_cores(const struct mw_kernel_table *list,
                              const struct mw_backend *backend, uint32_t i)
{
    return find_entry(list, backend->kernels, i);
}

/* Whose kernels the management core runs, of those that a list has. */
static const char *kind_of_mpe(const struct mw_kernel_table *list,
                               const struct mw_backend *backend)
{
    if (find_kind(list, backend->delegate)->kind != NULL)
        return backend->delegate;
    if (backend->stand_in != NULL && find_kind(list, backend->stand_in)->kind != NULL)
        return backend->stand_in;
    return "host";
}

mw_kernel *mw_kernel_of_mpe(const struct mw_kernel_table *list,
                            const struct mw_backend *backend, uint32_t i)
{
    return find_entry(list, kind_of_mpe(list, backend), i);
}

const void *mw_kernels_of_cores(const struct mw_kernel_table *list,
                                const struct mw_backend *backend)
{
    return find_kind(list, backend->kernels)->kernels;
}

const void *mw_kernels_of_mpe(const struct mw_kernel_table *list,
                              const struct mw_backend *backend)
{
    return find_kind(list, kind_of_mpe(list, backend))->kernels;
}
