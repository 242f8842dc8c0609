/* device_room.h -- what there is of the memory of devices, and how many ranks share one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DEVICE_ROOM_H
#define MW_DEVICE_ROOM_H

#include "mpe/world.h"

MW_BEGIN_DECLS

/* Devices of all ranks, each counted once, by their names; where there are more kinds, the last has the rest. */
enum { MW_DEVICE_KINDS_MAX = 8 };
struct mw_device_kinds {
    uint32_t n;
    struct mw_device_kind {
        char name[80];
        uint32_t n_devices;
    } kind[MW_DEVICE_KINDS_MAX];
};

struct mw_device_room {
    uint64_t bytes;   /* that may be taken; UINT64_MAX: nobody says */
    uint32_t n_ranks; /* that share the device, at least 1 */
    bool real;        /* it is one, and not the host's cores in its place */
    char source[160]; /* "device 0, NVIDIA H200" */
    struct mw_device_kinds kinds;
};

/* Local: nobody says. */
struct mw_device_room mw_device_room_any(void);

/* Local, for plans of `host_ranks` ranks on each host. `given` bytes: every rank has a device of
 * such a size, but that they share one which is asked for. 0: devices as this host has them. */
struct mw_device_room mw_device_room_plan(const struct mw_world_conf *conf,
                                          uint64_t given, uint32_t host_ranks);

/* Collective, where the backend has devices whose memory is their own; others are not asked.
 * `given`: no more than that. *asked, the same at all ranks: it has such devices. */
int mw_device_room_find(struct mw_comm *comm, const struct mw_world_conf *conf,
                        uint64_t given, struct mw_device_room *out, bool *asked)
    MW_NODISCARD;

/* Local: a backend of this build whose device 0 could be used, and that device; NULL: there is none. */
const char *mw_device_room_idle(struct mw_device *out);

MW_END_DECLS
#endif
