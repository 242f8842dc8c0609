/* device_room.c -- see device_room.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/device_room.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

struct mw_device_room mw_device_room_any(void)
{
    return (struct mw_device_room){.bytes = UINT64_MAX, .n_ranks = 1};
}

/* NULL: its cores' memory is the host's, or there is no such backend, which others say. */
static const struct mw_backend *apart(const char *backend)
{
    const struct mw_backend *b;
    if (mw_backend_find(backend, &b) != MW_OK) {
        mw_error_clear();
        return NULL;
    }
    return b->devices != NULL && b->memory != NULL && !b->memory->host_reaches ? b : NULL;
}

/* The device of this number; false: there is none that can be used. */
static bool look(const struct mw_backend *b, uint32_t number, struct mw_device *out)
{
    struct mw_device device[MW_DEVICES_MAX];
    const uint32_t n = b->devices(device, MW_DEVICES_MAX);
    if (number >= n || number >= MW_DEVICES_MAX || device[number].unusable[0] != '\0')
        return false;
    *out = device[number];
    return true;
}

static void measure(const struct mw_backend *b, uint32_t number, uint64_t given,
                    struct mw_device_room *out)
{
    struct mw_device device;
    if (!look(b, number, &device))
        return;
    out->real = device.id != 0;
    const uint64_t there = b->room != NULL ? b->room(number) : 0;
    const uint64_t is = there > 0 ? there : device.bytes;
    out->bytes = is > 0 ? is : UINT64_MAX;
    snprintf(out->source, sizeof out->source, "device %u, %s", number, device.name);
    if (given > 0 && given < out->bytes) {
        out->bytes = given;
        snprintf(out->source, sizeof out->source, "--device-memory");
    }
}

struct mw_device_room mw_device_room_plan(const struct mw_world_conf *conf,
                                          uint64_t given, uint32_t host_ranks)
{
    struct mw_device_room room = mw_device_room_any();
    if (given > 0) {
        room.bytes = given;
        room.n_ranks = conf->device > 0 ? host_ranks : 1;
        snprintf(room.source, sizeof room.source, "--device-memory");
        return room;
    }
    const struct mw_backend *b = apart(conf->backend);
    if (b == NULL)
        return room;
    const uint32_t n = (uint32_t)mw_max(b->devices(NULL, 0), 1);
    room.n_ranks = conf->device > 0 ? host_ranks : (host_ranks + n - 1) / n;
    measure(b, mw_device_choose(b, conf->device, 0), 0, &room);
    return room;
}

const char *mw_device_room_idle(struct mw_device *out)
{
    for (size_t i = 0; mw_backends[i] != NULL; i++) {
        const struct mw_backend *const b = apart(mw_backends[i]->name);
        if (b != NULL && look(b, 0, out) && out->id != 0)
            return b->name;
    }
    return NULL;
}

struct seat {
    uint64_t id; /* of the device that a rank is on */
    char name[sizeof((struct mw_device *)NULL)->name];
};

static void count_kind(struct mw_device_kinds *kinds, const char *name)
{
    uint32_t k = 0;
    while (k < kinds->n && strcmp(kinds->kind[k].name, name) != 0)
        k++;
    if (k == MW_DEVICE_KINDS_MAX)
        k--;
    else if (k == kinds->n)
        snprintf(kinds->kind[kinds->n++].name, sizeof kinds->kind[k].name, "%s", name);
    kinds->kind[k].n_devices++;
}

/* Who shares this rank's device: of this host, whatever hosts they are taken for; and what devices there are. */
static int meet_others(struct mw_comm *comm, const struct mw_backend *b, uint32_t number,
                       struct mw_device_room *out)
{
    int rc = MW_OK;
    struct seat *all;
    struct seat own = {.id = mw_device_id(b, number)};
    struct mw_device device;
    if (look(b, number, &device))
        memcpy(own.name, device.name, sizeof own.name);
    out->n_ranks = 0;
    MW_NEW(rc, all, "devices of all ranks", comm->size);
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_gather(comm, &own, sizeof own, all);
    for (uint32_t r = 0; rc == MW_OK && r < comm->size; r++) {
        uint32_t first = 0;
        while (all[first].id != all[r].id)
            first++;
        if (first == r)
            count_kind(&out->kinds, all[r].name);
        out->n_ranks += all[r].id == own.id;
    }
    mw_free(all);
    return rc;
}

int mw_device_room_find(struct mw_comm *comm, const struct mw_world_conf *conf,
                        uint64_t given, struct mw_device_room *out, bool *asked)
{
    const struct mw_backend *b = apart(conf->backend);
    *out = mw_device_room_any();
    *asked = b != NULL;
    if (b == NULL)
        return MW_OK;
    const uint32_t number = mw_device_choose(b, conf->device, comm->real_host_rank);
    measure(b, number, given, out);
    const int rc = meet_others(comm, b, number, out);
    if (rc == MW_OK && out->n_ranks > 1) /* by now all have started the library there */
        measure(b, number, given, out);
    return rc;
}
