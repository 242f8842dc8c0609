/* cluster.c -- the table of backends, and how a name is turned into one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/cluster.h"

#include "base/here.h"
#include "kinds.h"

#include <stdio.h>
#include <string.h>

/* A program may bring one that the build lacks, as tests of the Sunway port do. */
#define DECLARE_HERE(backend) extern const struct mw_backend mw_backend_##backend;
#define DECLARE_ABSENT(backend, why)                                                     \
    extern const struct mw_backend mw_backend_##backend;                                 \
    MW_WEAK const struct mw_backend mw_backend_##backend = {.name = #backend,            \
                                                            .disabled = why};
MW_BACKENDS(DECLARE_HERE, DECLARE_ABSENT)

#define LIST_HERE(backend)        &mw_backend_##backend,
#define LIST_ABSENT(backend, why) &mw_backend_##backend,
const struct mw_backend *const mw_backends[] = {MW_BACKENDS(LIST_HERE, LIST_ABSENT) NULL};

/* "openmp, serial": the usable ones, or all. */
static const char *list_names(bool disabled_too, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; mw_backends[i] != NULL && used < bytes; i++)
        if (disabled_too || mw_backends[i]->disabled == NULL)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s",
                                     used > 0 ? ", " : "", mw_backends[i]->name);
    return text;
}

static const struct mw_backend *best(void)
{
    const struct mw_backend *found = NULL;
    for (size_t i = 0; mw_backends[i] != NULL; i++)
        if (mw_backends[i]->disabled == NULL &&
            (found == NULL || mw_backends[i]->priority > found->priority))
            found = mw_backends[i];
    return found; /* "serial" is in every build */
}

int mw_backend_find(const char *name, const struct mw_backend **out)
{
    char names[256];
    if (name == NULL || strcmp(name, "auto") == 0) {
        *out = best();
        return MW_OK;
    }
    for (size_t i = 0; mw_backends[i] != NULL; i++) {
        if (strcmp(mw_backends[i]->name, name) != 0)
            continue;
        if (mw_backends[i]->disabled != NULL)
            return mw_fail(
                MW_ERR_UNAVAILABLE, "backend '%s' is not here: %s (usable: %s)", name,
                mw_backends[i]->disabled, list_names(false, names, sizeof names));
        *out = mw_backends[i];
        return MW_OK;
    }
    return mw_fail(MW_ERR_USAGE, "backend '%s' is none of auto, %s", name,
                   list_names(true, names, sizeof names));
}

bool mw_on_device(const struct mw_backend *backend)
{
    return backend->devices != NULL && backend->memory != NULL;
}

bool mw_ranks_are_near(const struct mw_backend *backend)
{
    return backend != NULL && backend->short_circuit && mw_host_reaches(backend) &&
           !mw_on_device(backend);
}

bool mw_host_reaches(const struct mw_backend *backend)
{
    return backend->memory == NULL || backend->memory->host_reaches;
}

uint64_t mw_device_id(const struct mw_backend *backend, uint32_t device)
{
    struct mw_device all[MW_DEVICES_MAX];
    const uint32_t n = backend->devices(all, MW_DEVICES_MAX);
    const bool known = device < n && device < MW_DEVICES_MAX && all[device].id != 0;
    return known ? all[device].id : mw_number_here(device);
}

uint32_t mw_device_choose(const struct mw_backend *backend, uint32_t asked,
                          uint32_t real_host_rank)
{
    return asked > 0 ? asked - 1 : real_host_rank % backend->devices(NULL, 0);
}
