/* meter.c -- see meter.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/meter.h"

MW_THREAD_LOCAL struct mw_meter *mw_meter;

static void pay(struct mw_meter *m, uint64_t cycles)
{
    if (m->clock != NULL)
        *m->clock += cycles;
}

void mw_meter_count(struct mw_meter *m, const void *table, uint64_t byte)
{
    const uint64_t line = byte / MW_METER_LINE;
    uint32_t before = MW_METER_LINES; /* where the line before this one is known */
    for (uint32_t i = 0; i < MW_METER_LINES; i++) {
        if (m->table[i] != table)
            continue;
        if (m->line[i] == line)
            return;
        if (m->line[i] + 1 == line)
            before = i;
    }
    if (before < MW_METER_LINES) {
        m->line[before] = line;
        m->n_next++;
        pay(m, m->next_cycles);
        return;
    }
    m->table[m->oldest] = table;
    m->line[m->oldest] = line;
    m->oldest = (m->oldest + 1) % MW_METER_LINES;
    m->n_far++;
    pay(m, m->far_cycles);
}
