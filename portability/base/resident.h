/* resident.h -- how much memory this process has at most, what it shares counted once.
 *
 * The system counts a page for each process that has touched it. Ranks of a host touch each other's
 * parts of what they share, so 32 of them seemed to have 48 GB where the host had 9 (SCALE 24).
 * Here a process has its own pages and its own part of what is shared, so the ranks of a host
 * together have what the host has.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_RESIDENT_H
#define MW_RESIDENT_H

#include "base/base.h"

MW_BEGIN_DECLS

/* Local. `bytes` that several processes share are mapped, of
 * which `mine` count here; and: they will be unmapped now. */
void mw_resident_shares(uint64_t bytes, uint64_t mine);
void mw_resident_unshares(uint64_t bytes, uint64_t mine);

/* The most bytes that were there, as seen whenever something shared went, and now. A peak is the
 * system's own (VmHWM), less what others' parts took when it was first seen. 0 where the system
 * does not say. */
uint64_t mw_resident_peak(void);

MW_END_DECLS
#endif
