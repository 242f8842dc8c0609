/* emul_mesh.c -- register messages between the cores of a row or a column.
 *
 * Receive FIFOs are anonymous and shared by the whole line; what waits for a place gets it
 * in the order in which it began to wait. A broadcast moves only when all seven others have
 * room at once, and holds no place while it waits, so two of them cannot block each other.
 *
 * Depth 0 is rendezvous: the room is the receiver's being in a get, or in await, itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

static bool waits_for(const struct emul_core *core, uint32_t bus)
{
    return (core->state == EMUL_GET && core->bus == bus) || core->state == EMUL_AWAIT;
}

bool emul_has_room(const struct emul_core *to, uint32_t bus)
{
    const uint64_t depth = emul_params(to)->recv_depth;
    if (depth > 0)
        return to->in[bus].n < depth;
    return waits_for(to, bus) && to->in[MW_BUS_ROW].n + to->in[MW_BUS_COL].n == 0;
}

static void deliver(const struct emul_core *from, struct emul_core *to,
                    const struct emul_message *m, uint64_t at)
{
    const struct mw_emul_params *const p = emul_params(to);
    struct emul_fifo *const f = to->in + m->bus;
    const uint32_t depth = (uint32_t)mw_max(p->recv_depth, 1);
    const uint32_t seat = emul_seat(to, m->bus);
    struct emul_message *const slot = f->slot + (f->first + f->n) % depth;
    uint64_t ready = at + (seat < 4 ? p->rlc_near_cycles : p->rlc_far_cycles);
    if (f->n > 0)
        ready = mw_max(ready, f->slot[(f->first + f->n - 1) % depth].ready);
    *slot = *m;
    slot->ready = ready;
    slot->from = (uint8_t)from->self.cpe.id;
    f->n++;
    if (to->parked && waits_for(to, m->bus))
        emul_wake(to, mw_max(ready, at));
}

/* Calls for each receiver of a message: all others of the line, or one. */
#define FOR_EACH_RECEIVER(sender, m, to)                                                 \
    for (uint32_t mw_i = 0; mw_i < MW_MESH_SIDE; mw_i++)                                 \
        if (((m)->to == MW_TO_ALL ? mw_i != emul_seat((sender), (m)->bus)                \
                                  : mw_i == (m)->to) &&                                  \
            ((to) = emul_at((sender), (m)->bus, mw_i), true))

static bool can_go(struct emul_core *from, const struct emul_message *m)
{
    struct emul_core *to;
    bool room = true;
    FOR_EACH_RECEIVER(from, m, to)
    {
        if (to->state == EMUL_ENDED) {
            emul_mistake(from, MW_EMUL_PEER_ENDED, m->where,
                         "a put to core (%u,%u), whose kernel has ended",
                         to->self.cpe.id / MW_MESH_SIDE, to->self.cpe.id % MW_MESH_SIDE);
            return false;
        }
        room = room && emul_has_room(to, m->bus);
    }
    return room;
}

static void set_waiting(struct emul_core *from, bool waits)
{
    const struct emul_message *const m = emul_head(from);
    const uint8_t bit = (uint8_t)(1u << emul_seat(from, m->bus));
    struct emul_core *to;
    FOR_EACH_RECEIVER(from, m, to)
    {
        if (waits)
            to->in[m->bus].waiting |= bit;
        else
            to->in[m->bus].waiting &= (uint8_t)~bit;
    }
    from->out_turn = waits ? ++from->cluster->turns : 0;
}

/* Moves what can go, in order; what cannot waits for its turn. */
static void drain(struct emul_core *from, uint64_t at)
{
    const uint32_t n_slots = (uint32_t)emul_params(from)->send_depth + 1;
    struct emul_core *to;
    while (from->out_n > 0 && can_go(from, emul_head(from))) {
        const struct emul_message *const m = emul_head(from);
        if (from->out_turn != 0)
            set_waiting(from, false);
        FOR_EACH_RECEIVER(from, m, to)
        deliver(from, to, m, at);
        from->out_first = (from->out_first + 1) % n_slots;
        from->out_n--;
        emul_happened(from);
    }
    if (from->out_n > 0 && from->out_turn == 0)
        set_waiting(from, true);
    if (from->out_n < n_slots && from->parked && from->state == EMUL_PUT)
        emul_wake(from, at);
}

/* The FIFO may have room: whoever waits for it longest and can go does. */
static void admit(struct emul_core *to, uint32_t bus, uint64_t at)
{
    struct emul_fifo *const f = to->in + bus;
    uint32_t left = f->waiting;
    while (left != 0 && emul_has_room(to, bus)) {
        struct emul_core *first = NULL;
        for (uint32_t bits = left; bits != 0; bits &= bits - 1) {
            const uint32_t seat = (uint32_t)__builtin_ctz(bits);
            struct emul_core *const from = emul_at(to, bus, seat);
            if (first == NULL || from->out_turn < first->out_turn)
                first = from;
        }
        drain(first, at);
        left &= ~(1u << emul_seat(first, bus));
    }
}

/* ---- the calls ---- */

void mw_emul_put(struct mw_cpe *self, enum mw_bus bus, uint32_t to,
                 const struct mw_message *m, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    const struct mw_emul_params *const p = emul_params(core);
    const uint32_t n_slots = (uint32_t)p->send_depth + 1;
    emul_enter(core, here);
    if (to > MW_TO_ALL || to == emul_seat(core, bus)) {
        emul_mistake(core, MW_EMUL_RCE, here, "a put to %s %u%s of its %s, %s",
                     bus == MW_BUS_ROW ? "column" : "row", to,
                     to > MW_TO_ALL ? "" : " (itself)",
                     bus == MW_BUS_ROW ? "row" : "column",
                     "where 0..7 are others and 8 is all of them");
        emul_leave(core);
        return;
    }
    struct emul_message *const slot =
        core->out + (core->out_first + core->out_n) % n_slots;
    *slot = (struct emul_message){
        .m = *m, .where = here, .bus = (uint8_t)bus, .to = (uint8_t)to};
    core->out_n++;
    core->count.puts++;
    emul_hops_put(core, bus, to);
    emul_traffic_put(core, slot);
    emul_race_release(core->out);
    if (core->out_n == 1)
        drain(core, core->self.now);
    const uint64_t came = core->self.now;
    if (core->out_n == n_slots && !core->cluster->machine->failed) {
        emul_block(core, EMUL_PUT);
        core->count.blocked_put += core->self.now - came;
    }
    core->self.now += p->rlc_issue_cycles;
    emul_leave(core);
}

/* Until the FIFO's head can be taken. */
static void await_head(struct emul_core *core, uint32_t bus)
{
    struct emul_fifo *const f = core->in + bus;
    if (f->n == 0) {
        core->bus = (uint8_t)bus;
        core->state = EMUL_GET;
        admit(core, bus, core->self.now); /* rendezvous: this is the room */
        if (f->n == 0)
            emul_block(core, EMUL_GET);
        core->state = EMUL_READY;
    }
    if (f->n > 0 && f->slot[f->first].ready > core->self.now)
        emul_executor(core)->doze(core, f->slot[f->first].ready);
}

void mw_emul_get(struct mw_cpe *self, enum mw_bus bus, struct mw_message *m,
                 const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    const struct mw_emul_params *const p = emul_params(core);
    struct emul_fifo *const f = core->in + bus;
    emul_enter(core, here);
    const uint64_t came = core->self.now;
    await_head(core, bus);
    core->count.blocked_get += core->self.now - came;
    if (f->n > 0) {
        *m = f->slot[f->first].m;
        emul_race_acquire(core->cluster->core[f->slot[f->first].from].out);
        emul_hops_got(core, bus, f->slot[f->first].from);
        emul_traffic_got(core, &f->slot[f->first]);
        f->first = (f->first + 1) % (uint32_t)mw_max(p->recv_depth, 1);
        f->n--;
        core->count.gets++;
        emul_happened(core);
        admit(core, bus, core->self.now);
        core->self.now += p->rlc_get_cycles;
    }
    emul_leave(core);
}

static bool can_be_got(const struct emul_core *core, uint32_t bus)
{
    const struct emul_fifo *const f = core->in + bus;
    return f->n > 0 && f->slot[f->first].ready <= core->self.now;
}

enum mw_bus mw_emul_await(struct mw_cpe *self, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    emul_enter(core, here);
    const uint64_t came = core->self.now;
    const uint32_t other = core->served ^ 1u;
    struct emul_fifo *const f = core->in;
    core->state = EMUL_AWAIT;
    admit(core, other, came);
    admit(core, core->served, came);
    if (f[0].n + f[1].n == 0)
        emul_block(core, EMUL_AWAIT);
    core->state = EMUL_READY;
    if (!can_be_got(core, 0) && !can_be_got(core, 1) && f[0].n + f[1].n > 0) {
        uint64_t first = UINT64_MAX;
        for (uint32_t bus = 0; bus < 2; bus++)
            if (f[bus].n > 0)
                first = mw_min(first, f[bus].slot[f[bus].first].ready);
        emul_executor(core)->doze(core, first);
    }
    core->count.blocked_get += core->self.now - came;
    core->self.now += emul_params(core)->probe_cycles;
    if (can_be_got(core, other))
        core->served = (uint8_t)other;
    const enum mw_bus bus = (enum mw_bus)core->served;
    emul_leave(core);
    return bus;
}

bool mw_emul_empty(struct mw_cpe *self, enum mw_bus bus, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    emul_enter(core, here);
    bool empty = !can_be_got(core, bus);
    if (emul_params(core)->recv_depth == 0)
        empty = empty && core->in[bus].waiting == 0; /* a get would meet a put */
    core->self.now += emul_params(core)->probe_cycles;
    emul_leave(core);
    return empty;
}

/* One bit for both buses. Without a send buffer a put waits when its own target is full,
 * which nobody can ask for: then the answer is yes when any target is. */
static bool would_block(const struct emul_core *core)
{
    const uint64_t depth = emul_params(core)->send_depth;
    if (depth > 0)
        return core->out_n >= depth && core->out_n > 0;
    for (uint32_t bus = 0; bus < 2; bus++)
        for (uint32_t i = 0; i < MW_MESH_SIDE; i++)
            if (i != emul_seat(core, bus) && !emul_has_room(emul_at(core, bus, i), bus))
                return true;
    return false;
}

bool mw_emul_put_blocks(struct mw_cpe *self, const char *here)
{
    struct emul_core *const core = emul_core_of(self);
    emul_enter(core, here);
    const bool blocks = would_block(core);
    core->self.now += emul_params(core)->probe_cycles;
    emul_leave(core);
    return blocks;
}

void emul_mesh_end(struct emul_core *core)
{
    for (uint32_t bus = 0; bus < 2; bus++) {
        const struct emul_fifo *const f = core->in + bus;
        const char *const line = bus == MW_BUS_ROW ? "row" : "column";
        if (f->n > 0) {
            const struct emul_message *const m = f->slot + f->first;
            emul_mistake(core, MW_EMUL_LEFT, core->where,
                         "%u in its %s FIFO, the oldest by core (%u,%u), %s", f->n, line,
                         m->from / MW_MESH_SIDE, m->from % MW_MESH_SIDE,
                         emul_file(m->where));
        } else if (f->waiting != 0) {
            struct emul_core *const from =
                emul_at(core, bus, (uint32_t)__builtin_ctz(f->waiting));
            emul_mistake(from, MW_EMUL_PEER_ENDED, emul_head(from)->where,
                         "a put to core (%u,%u), whose kernel has ended",
                         core->self.cpe.id / MW_MESH_SIDE,
                         core->self.cpe.id % MW_MESH_SIDE);
        }
    }
}
