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

void mw_meter_count(struct mw_meter *m, const void *table, uint64_t byte)
{
    const uint64_t line = byte / MW_METER_LINE, word = byte / 8;
    uint32_t at = MW_METER_LINES;
    bool follows = false;
    for (uint32_t i = 0; i < MW_METER_LINES; i++) {
        if (m->known[i].table != table)
            continue;
        if (m->known[i].line == line)
            at = i;
        follows |= m->known[i].line + 1 == line && m->known[i].word == MW_METER_ALL;
    }
    if (at < MW_METER_LINES &&
        (m->known[at].word == MW_METER_ALL || m->known[at].word == word))
        return;
    if (at == MW_METER_LINES) {
        at = m->oldest;
        m->oldest = (at + 1) % MW_METER_LINES;
        m->known[at].table = table;
        m->known[at].line = line;
        m->known[at].paid = 0;
    }
    m->known[at].word = word;
    if (follows) {
        pay(m, &m->n_lines, m->line_cycles);
        m->known[at].word = MW_METER_ALL;
        return;
    }
    pay(m, &m->n_words, m->word_cycles);
    m->known[at].paid += m->word_cycles;
    if (m->known[at].paid >= m->line_cycles)
        m->known[at].word = MW_METER_ALL;
}
