/* mask.h -- a set of processors as the system numbers them: where a thread may run.
 *
 * cpu_set_t with a fixed size that large machines fit into, and without the macros
 * that only GNU headers have, so that ranks can send masks to each other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MASK_H
#define MW_MASK_H

#include "base/status.h"

MW_BEGIN_DECLS

enum { MW_MASK_WORDS = 128, MW_MASK_CPUS = 64 * MW_MASK_WORDS };

struct mw_mask {
    uint64_t word[MW_MASK_WORDS];
};

/* Where the calling thread may run now; one processor if the system does not say. */
void mw_mask_of_self(struct mw_mask *out);

/* Moves the calling thread; fails when the system forbids every processor of it. */
int mw_mask_bind_self(const struct mw_mask *mask) MW_NODISCARD;
int mw_mask_bind_self_to(int cpu) MW_NODISCARD;

static inline bool mw_mask_has(const struct mw_mask *m, uint32_t cpu)
{
    return cpu < MW_MASK_CPUS && (m->word[cpu / 64] >> (cpu % 64) & 1) != 0;
}
static inline void mw_mask_add(struct mw_mask *m, uint32_t cpu)
{
    m->word[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

uint32_t mw_mask_count(const struct mw_mask *m);
void mw_mask_join(struct mw_mask *into, const struct mw_mask *from);
bool mw_mask_equal(const struct mw_mask *a, const struct mw_mask *b);
bool mw_mask_overlap(const struct mw_mask *a, const struct mw_mask *b);

MW_END_DECLS
#endif
