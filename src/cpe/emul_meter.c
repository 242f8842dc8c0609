/* emul_meter.c -- see meter.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/meter.h"

MW_THREAD_LOCAL struct mw_meter *mw_meter;

static void pay(struct mw_meter *m, uint64_t *n, uint64_t cycles)
{
    (*n)++;
    if (m->clock != NULL)
        *m->clock += cycles;
}

static void remember(struct mw_meter *m, const void *table, uint64_t line, uint64_t word)
{
    m->known[m->oldest].table = table;
    m->known[m->oldest].line = line;
    m->known[m->oldest].word = word;
    m->oldest = (m->oldest + 1) % MW_METER_LINES;
}

void mw_meter_count(struct mw_meter *m, const void *table, uint64_t byte)
{
    const uint64_t line = byte / MW_METER_LINE, word = byte / 8;
    bool follows = false;
    for (uint32_t i = 0; i < MW_METER_LINES; i++) {
        if (m->known[i].table != table)
            continue;
        if (m->known[i].line == line) {
            if (m->known[i].word != MW_METER_ALL && m->known[i].word != word) {
                m->known[i].word = MW_METER_ALL;
                pay(m, &m->n_lines, m->line_cycles);
            }
            return;
        }
        follows |= m->known[i].line + 1 == line && m->known[i].word == MW_METER_ALL;
    }
    remember(m, table, line, follows ? MW_METER_ALL : word);
    if (follows)
        pay(m, &m->n_lines, m->line_cycles);
    else
        pay(m, &m->n_words, m->word_cycles);
}
