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

/* Kernels that count are serial ones, which stand in for them. */
static const char *stand_in_for(const char *kind)
{
    return strcmp(kind, "counted") == 0 ? "serial" : kind;
}

mw_kernel *mw_kernel_of_mpe(const struct mw_kernel_table *list,
                            const struct mw_backend *backend, uint32_t i)
{
    const char *const kind = stand_in_for(backend->delegate);
    mw_kernel *const kernel = find_entry(list, backend->delegate, i);
    if (kernel != NULL)
        return kernel;
    return find_entry(list, find_kind(list, kind)->kind != NULL ? kind : "host", i);
}

const void *mw_kernels_of_cores(const struct mw_kernel_table *list,
                                const struct mw_backend *backend)
{
    return find_kind(list, backend->kernels)->kernels;
}

const void *mw_kernels_of_mpe(const struct mw_kernel_table *list,
                              const struct mw_backend *backend)
{
    const char *const kind = backend->delegate;
    const struct mw_kernel_table *table = find_kind(list, kind);
    if (table->kind == NULL)
        table = find_kind(list, stand_in_for(kind));
    if (table->kind == NULL)
        table = find_kind(list, "host");
    return table->kernels;
}
