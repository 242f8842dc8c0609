/* energy.h -- joules of this host's processors, by the counters of RAPL (Linux powercap), if they can be read.
 * Those of devices, their libraries tell (mpe/world.h, mw_world_device_state()).
 *
 * Green Graph500 takes the rate of searches over the power drawn while nothing else is done than searching.
 * Counters are renewed some ten times a second, so searches are repeated for seconds between two readings.
 *
 * All functions are local.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ENERGY_H
#define MW_ENERGY_H

#include "base/status.h"

MW_BEGIN_DECLS

enum { MW_ENERGY_PACKAGES = 16 };

struct mw_energy_meter {
    uint32_t n_packages; /* that can be read */
    struct {
        int fd;
        uint64_t range, last, sum; /* microjoules; it wraps at `range` */
    } package[MW_ENERGY_PACKAGES];
};

/* Never fails: what cannot be read is not counted. `powercap` is the folder of counters; NULL: Linux's. */
void mw_energy_open(struct mw_energy_meter *m, const char *powercap);
void mw_energy_close(struct mw_energy_meter *m);

/* Joules since some time in the past, of all packages. They want a reading before their counter has wrapped
 * twice, which takes minutes. */
double mw_energy_read(struct mw_energy_meter *m);

MW_END_DECLS
#endif
