/* emul_hops.c -- which ways messages took: a bit for each put to v's neighbour w that came after a
 * get from v's neighbour u. What a message means is the kernel's own; a put after a get is taken
 * to pass that message on, one before any get to make a new one.
 *
 *      get from u, put to w    flow u v w
 *      put to w at first       flow v w
 *
 * The hops are exact, and with them the coupled model's verdict. A kernel that takes several
 * messages before it puts gives the flows of three cores another beginning than they had.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

#include <string.h>

enum { SEATS = 2 * MW_MESH_SIDE, DEPTH_MAX = 1024 /* of a layout */ };

static uint32_t seat_of(uint32_t bus, uint32_t place)
{
    return (bus == MW_BUS_ROW ? 0 : MW_MESH_SIDE) + place;
}

static uint32_t own_seat(uint32_t core)
{
    return core % MW_MESH_SIDE;
}

/* The core on a seat of core v's line. */
static uint32_t core_on(uint32_t v, uint32_t seat)
{
    return seat < MW_MESH_SIDE ? v / MW_MESH_SIDE * MW_MESH_SIDE + seat
                               : (seat - MW_MESH_SIDE) * MW_MESH_SIDE + v % MW_MESH_SIDE;
}

void emul_hops_begin(struct emul_core *core)
{
    core->before = (uint8_t)own_seat(core->self.cpe.id);
}

void emul_hops_got(struct emul_core *core, uint32_t bus, uint32_t from)
{
    const uint32_t place = bus == MW_BUS_ROW ? from % MW_MESH_SIDE : from / MW_MESH_SIDE;
    core->before = (uint8_t)seat_of(bus, place);
}

void emul_hops_put(struct emul_core *core, uint32_t bus, uint32_t to)
{
    uint16_t *const before = core->cluster->hops.before[core->self.cpe.id];
    const uint16_t bit = (uint16_t)(1u << core->before);
    if (to != MW_TO_ALL) {
        before[seat_of(bus, to)] |= bit;
        return;
    }
    for (uint32_t place = 0; place < MW_MESH_SIDE; place++)
        if (place != emul_seat(core, bus))
            before[seat_of(bus, place)] |= bit;
}

void mw_emul_hops_add(const struct mw_cluster *c, struct mw_emul_hops *sum)
{
    for (uint32_t v = 0; v < MW_MESH_CORES; v++)
        for (uint32_t to = 0; to < SEATS; to++)
            sum->before[v][to] |= c->hops.before[v][to];
}

bool mw_emul_hops_any(const struct mw_emul_hops *h)
{
    static const struct mw_emul_hops none;
    return memcmp(h, &none, sizeof none) != 0;
}

static void print_core(uint32_t v, FILE *to)
{
    fprintf(to, " %u,%u", v / MW_MESH_SIDE, v % MW_MESH_SIDE);
}

void mw_emul_hops_print(const struct mw_emul_hops *h, const struct mw_emul_params *p,
                        FILE *to)
{
    fprintf(to,
            "# What the emulated cores did: a flow for each put, with the core that the "
            "sender\n"
            "# had taken a message from before. Prove it: meshway layout check THIS\n"
            "mesh %d %d\nfifo row %u col %u send %u\n",
            MW_MESH_SIDE, MW_MESH_SIDE, (unsigned)mw_min(p->recv_depth, DEPTH_MAX),
            (unsigned)mw_min(p->recv_depth, DEPTH_MAX),
            (unsigned)mw_min(p->send_depth, DEPTH_MAX));
    for (uint32_t v = 0; v < MW_MESH_CORES; v++)
        for (uint32_t seat = 0; seat < SEATS; seat++)
            for (uint32_t before = 0; before < SEATS; before++) {
                if ((h->before[v][seat] >> before & 1) == 0)
                    continue;
                fputs("flow", to);
                if (before != own_seat(v))
                    print_core(core_on(v, before), to);
                print_core(v, to);
                print_core(core_on(v, seat), to);
                fputc('\n', to);
            }
}
