/* sim_ways.c -- messages that have several ways, or go several at once: which way is taken, and who
 * can never go on.
 *
 * Of ways with room in all their targets the one with most room is taken, and a way has the room of
 * its fullest target. Nobody keeps room for a broadcast that waits. A core is stuck for good when each
 * way of what it puts needs room in a full FIFO of a core that is stuck (ways/knot.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/sim/sim_state.h"

#include "base/mem.h"

#include <string.h>

enum { KNOT_TRIES = 256 }; /* cores that a knot is tried without */

int sim_ways_new(struct sim *s)
{
    if (s->traffic->start == NULL)
        return MW_OK;
    if (s->rendezvous)
        return mw_fail(MW_ERR_REFUSED,
                       "adaptive routes and broadcasts need FIFOs of depth 1 at least");
    s->stages = &s->traffic->stages;
    MW_NEED_NEW(s->ties, "ties of the ways", s->n);
    for (uint32_t v = 0; v < s->n; v++)
        s->ties[v] =
            mw_sim_traffic_mix(mw_sim_traffic_mix(s->conf->seed ^ UINT64_MAX / 3) + v);
    return MW_OK;
}

/* ---- the choice ---------------------------------------------------------------------------- */

static uint32_t room_of(const struct sim *s, mw_core v, uint32_t way)
{
    const struct mw_stages *x = s->stages;
    uint32_t room = UINT32_MAX;
    for (uint32_t i = x->first_target[way]; i < x->first_target[way + 1]; i++) {
        const mw_core to = x->stage[x->target[i].stage].core;
        const struct sim_fifo *f =
            sim_fifo_of(&s->core[to], sim_port(s, v, to, x->target[i].channel));
        room = (uint32_t)mw_min(room, f->depth - f->count);
    }
    return room;
}

uint32_t sim_choose_way(struct sim *s, mw_core v, uint32_t stage)
{
    const struct mw_stage *at = &s->stages->stage[stage];
    uint32_t most = 0, n = 0, best[MW_N_HEADINGS * MW_CHANNELS_MAX];
    for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++) {
        const uint32_t room = room_of(s, v, w);
        n = room > most ? 0 : n;
        most = (uint32_t)mw_max(room, most);
        if (room == most && room > 0)
            best[n++] = w;
    }
    if (n < 2)
        return n == 0 ? SIM_NO_WAY : best[0];
    s->ties[v] += UINT64_C(0x9e3779b97f4a7c15);
    return best[mw_high_word(mw_sim_traffic_mix(s->ties[v]), n)];
}

/* ---- deadlock ------------------------------------------------------------------------------ */

static bool is_closed(const struct sim *s, mw_core v, const uint8_t *stuck, mw_core to,
                      mw_channel channel)
{
    return (stuck == NULL || stuck[to] != 0) &&
           !sim_has_room(&s->core[to], sim_port(s, v, to, channel));
}

bool sim_could_go(const struct sim *s, mw_core v, const uint8_t *stuck, mw_core *to,
                  mw_channel *channel)
{
    const struct mw_stages *x = s->stages;
    const uint32_t route = sim_target_parcel(s, v)->route;
    if (route == SIM_ROUTE_MARKER) {
        *to = sim_target(s, v);
        *channel = (mw_channel)(sim_target_port(s, v) / MW_N_CLASSES);
        return !is_closed(s, v, stuck, *to, *channel);
    }
    const struct mw_stage *at = &x->stage[route];
    for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++) {
        bool open = true;
        for (uint32_t i = x->first_target[w]; i < x->first_target[w + 1] && open; i++) {
            const mw_core next = x->stage[x->target[i].stage].core;
            open = !is_closed(s, v, stuck, next, x->target[i].channel);
            *to = open ? *to : next;
            *channel = open ? *channel : x->target[i].channel;
        }
        if (open)
            return true;
    }
    return false;
}

/* Takes out of `stuck` whoever could go on; how many are left. */
static uint32_t reduce(const struct sim *s, uint8_t *stuck)
{
    uint32_t n = 0, before = UINT32_MAX;
    mw_core to = 0;
    mw_channel channel = 0;
    while (n != before) {
        before = n;
        n = 0;
        for (uint32_t v = 0; v < s->n; v++) {
            stuck[v] =
                stuck[v] != 0 && !sim_could_go(s, (mw_core)v, stuck, &to, &channel);
            n += stuck[v];
        }
    }
    return n;
}

uint32_t sim_find_knot(const struct sim *s, uint8_t *stuck)
{
    uint8_t part[MW_MESH_CORES_MAX];
    for (uint32_t v = 0; v < s->n; v++)
        stuck[v] = s->core[v].state == MW_CORE_BLOCKED;
    uint32_t n = reduce(s, stuck), tries = 0;
    for (uint32_t v = s->n; n > 0 && v-- > 0 && tries < KNOT_TRIES;) {
        if (stuck[v] == 0)
            continue;
        tries++;
        memcpy(part, stuck, s->n);
        part[v] = 0;
        const uint32_t fewer = reduce(s, part);
        if (fewer > 0) {
            n = fewer;
            memcpy(stuck, part, s->n);
        }
    }
    return n;
}
