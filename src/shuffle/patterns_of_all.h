/* patterns_of_all.h -- patterns that are made of others (patterns.h), and so the same on all kinds of
 * core. A skeleton includes it last.
 *
 * C99 plus base.h: slave compilers see it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PATTERNS_OF_ALL_H
#define MW_PATTERNS_OF_ALL_H

/* What an element says that has only looked. */
#define MW_LOOKED(s, g, i, seen) (seen)

/* MW_TALLY where neighbouring units are not one core's, and a record or an addition counts one. */
#define MW_TALLY_UNITS(name, type, vertex, table)                                        \
    MW_FN void name##_unit(const struct type *s, const struct mw_graph *g, uint64_t i,   \
                           struct mw_emitter *e)                                         \
    {                                                                                    \
        const mw_vid v = vertex(s, g, i);                                                \
        uint32_t owner;                                                                  \
        if (v == MW_NO_VERTEX)                                                           \
            return;                                                                      \
        const uint64_t place = mw_locate(&g->partition, v, &owner);                      \
        if (mw_here(e, owner))                                                           \
            mw_add(&(table)[place], 1);                                                  \
        else                                                                             \
            mw_emit(e, owner, (uint32_t)place, 1);                                       \
    }                                                                                    \
    MW_UNITS(name, type, name##_unit)

#define MW_TALLIED(name, type, table)                                                    \
    MW_FN void name##_count(const struct type *s, const struct mw_graph *g,              \
                            const struct mw_visit *m)                                    \
    {                                                                                    \
        (void)g;                                                                         \
        mw_add(&(table)[m->child], m->value);                                            \
    }                                                                                    \
    MW_UPDATES(name, type, name##_count)

/* vertex(s, g, unit) gets amount(s, g, unit), a float; nobody does where it is MW_NO_VERTEX.
 * table[place] is the sum. */
#define MW_GIVE(name, type, vertex, amount, table)                                       \
    MW_FN void name##_unit(const struct type *s, const struct mw_graph *g, uint64_t i,   \
                           struct mw_emitter *e)                                         \
    {                                                                                    \
        const mw_vid v = vertex(s, g, i);                                                \
        uint32_t owner;                                                                  \
        if (v == MW_NO_VERTEX)                                                           \
            return;                                                                      \
        const float x = amount(s, g, i);                                                 \
        const uint64_t place = mw_locate(&g->partition, v, &owner);                      \
        if (mw_here(e, owner))                                                           \
            mw_add_real((table), place, x, false);                                       \
        else                                                                             \
            mw_emit(e, owner, (uint32_t)place, mw_bits_of_float(x));                     \
    }                                                                                    \
    MW_UNITS(name, type, name##_unit)

#define MW_GIVEN(name, type, table)                                                      \
    MW_FN void name##_hear(const struct type *s, const struct mw_graph *g,               \
                           const struct mw_visit *m)                                     \
    {                                                                                    \
        (void)g;                                                                         \
        mw_add_real((table), m->child, mw_float_of_bits((uint32_t)m->value), false);     \
    }                                                                                    \
    MW_UPDATES(name, type, name##_hear)

#endif
