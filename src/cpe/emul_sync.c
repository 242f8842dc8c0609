/* emul_sync.c -- barriers, and waiting by looking.
 *
 * A core waits in a sync for a set of members. Two members that wait for each other in
 * different sets can never go on: that is reported when the second one comes, while a core
 * that is only late is waited for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

static uint64_t members_of(const struct emul_core *core, int scope, uint32_t mask)
{
    const uint32_t row = emul_seat(core, MW_BUS_COL), col = emul_seat(core, MW_BUS_ROW);
    uint64_t members = 0;
    if (scope == MW_EMUL_SYNC_ARRAY)
        return UINT64_MAX;
    for (uint32_t i = 0; i < MW_MESH_SIDE; i++)
        if (mask >> i & 1)
            members |= UINT64_C(1)
                       << (scope == MW_EMUL_SYNC_ROW ? row * MW_MESH_SIDE + i
                                                     : i * MW_MESH_SIDE + col);
    return members;
}

static bool has(uint64_t members, const struct emul_core *core)
{
    return members >> core->self.cpe.id & 1;
}

/* Says what is wrong with it; else whether all the others are there. */
static bool complete(struct emul_core *core, const char *here)
{
    bool all = true;
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        struct emul_core *const other = core->cluster->core + i;
        if (other == core || !has(core->members, other))
            continue;
        if (other->state == EMUL_ENDED)
            emul_mistake(core, MW_EMUL_PEER_ENDED, here,
                         "a sync with core (%u,%u), whose kernel has ended",
                         i / MW_MESH_SIDE, i % MW_MESH_SIDE);
        if (other->state == EMUL_SYNC && other->parked && has(other->members, core) &&
            other->members != core->members)
            emul_mistake(core, MW_EMUL_SYNC_MISMATCH, here,
                         "with members %016llx, and core (%u,%u), %s, with %016llx",
                         (unsigned long long)core->members, i / MW_MESH_SIDE,
                         i % MW_MESH_SIDE, emul_file(other->where),
                         (unsigned long long)other->members);
        all = all && other->state == EMUL_SYNC && other->parked &&
              other->members == core->members;
    }
    return all && !core->cluster->machine->failed;
}

static void release(struct emul_core *core)
{
    const uint64_t at = core->self.now + emul_params(core)->sync_cycles;
    for (uint32_t i = 0; i < MW_MESH_CORES; i++)
        if (core->cluster->core + i != core && (core->members >> i & 1))
            emul_wake(core->cluster->core + i, at);
    if (core->members == UINT64_MAX)
        emul_writers_barrier(core->cluster);
    emul_happened(core);
    core->self.now = at;
}

void mw_emul_sync(struct mw_cpe *self, int scope, uint32_t mask, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    emul_enter(core, here);
    const uint64_t came = core->self.now;
    core->members = members_of(core, scope, mask);
    core->count.syncs++;
    emul_race_release(&core->members);
    if (!has(core->members, core) || mask > 0xff)
        emul_mistake(core, MW_EMUL_SYNE1, here, "mask 0x%x", mask);
    else if (complete(core, here))
        release(core);
    else if (!core->cluster->machine->failed)
        emul_block(core, EMUL_SYNC);
    core->count.blocked_sync += core->self.now - came;
    for (uint64_t bits = core->members; bits != 0; bits &= bits - 1)
        emul_race_acquire(&core->cluster->core[__builtin_ctzll(bits)].members);
    emul_leave(core);
}

void emul_sync_end(struct emul_core *core)
{
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        struct emul_core *const other = core->cluster->core + i;
        if (other->state == EMUL_SYNC && other->parked && has(other->members, core))
            emul_mistake(other, MW_EMUL_PEER_ENDED, other->where,
                         "a sync with core (%u,%u), whose kernel has ended",
                         emul_seat(core, MW_BUS_COL), emul_seat(core, MW_BUS_ROW));
    }
}

enum { LONG_WORK = 1000 }; /* cycles: not what a loop does while it waits */

/* Time passes, so that whatever is waited for can happen. */
void mw_emul_spin(struct mw_cpe *self, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    const struct emul_machine *const m = core->cluster->machine;
    const uint64_t limit = m->params.spin_limit_cycles;
    const bool worked = core->self.now > core->left_at + LONG_WORK;
    core->self.now += m->params.spin_cycles;
    core->spins = true;
    emul_enter(core, here);
    core->count.spins++;
    if (worked)
        emul_happened(core);
    if (limit != 0 && m->now > core->cluster->progress + limit)
        emul_mistake(core, MW_EMUL_NO_PROGRESS, here,
                     "it spins, and for %llu cycles nothing has happened in its cluster",
                     (unsigned long long)limit);
    else
        core->spins = false;
    emul_leave(core);
    emul_executor(core)->relax(core);
}
