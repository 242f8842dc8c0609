/* rule.c -- see rule.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/rule.h"

#include <string.h>

enum {
    NO_CLAUSE = 0xFF,
    /* What decides which clauses apply: where the sink's row and column lie. */
    BELOW = 0,
    ABOVE = 2,
    SAME_ROW = 4,
    SAME_COLUMN = 1 /* added */
};
MW_STATIC_ASSERT(SAME_ROW + SAME_COLUMN < MW_RULE_CASES, "cases of a sink");

mw_core mw_rule_core(const struct mw_rule *rule, uint32_t r, uint32_t c)
{
    return rule->l->transpose ? mw_core_at(rule->l, c, r) : mw_core_at(rule->l, r, c);
}

uint32_t mw_rule_row(const struct mw_rule *rule, mw_core v)
{
    return rule->l->transpose ? v % rule->l->cols : v / rule->l->cols;
}

uint32_t mw_rule_col(const struct mw_rule *rule, mw_core v)
{
    return rule->l->transpose ? v / rule->l->cols : v % rule->l->cols;
}

/* ---- the rule, prepared -------------------------------------------------------------- */

static void sort_columns(struct mw_rule *rule, uint32_t r)
{
    uint8_t n = 0, n_sinks = 0;
    for (uint32_t c = 0; c < rule->cols; c++) {
        rule->role[r][c] = rule->l->role[mw_rule_core(rule, r, c)];
        rule->ordinal[r][c] = n_sinks;
        n_sinks = (uint8_t)(n_sinks + mw_role_in(rule->role[r][c], rule->l->sinks));
    }
    for (uint32_t i = 0; i < MW_N_LETTERS; i++) {
        rule->first[r][i] = n;
        for (uint32_t c = 0; c < rule->cols; c++)
            if (rule->role[r][c] == (char)('A' + i))
                rule->column[r][n++] = (uint8_t)c;
    }
    rule->first[r][MW_N_LETTERS] = n;
}

static bool applies(const struct mw_clause *k, char sink, uint32_t where)
{
    const uint32_t row = where & ~(uint32_t)SAME_COLUMN;
    switch (k->kind) {
    case MW_WHEN_DOWN:
        return row == BELOW;
    case MW_WHEN_UP:
        return row == ABOVE;
    case MW_WHEN_SAME:
        return row == SAME_ROW;
    case MW_COL_TO_ROW:
        return row != SAME_ROW;
    case MW_ROW_TO_COL:
        return (where & SAME_COLUMN) == 0;
    case MW_THEN:
        return row == SAME_ROW && memchr(k->target, sink, k->n_targets) != NULL;
    default:
        return true;
    }
}

static void choose_clauses(struct mw_rule *rule)
{
    memset(rule->clause, NO_CLAUSE, sizeof rule->clause);
    for (uint32_t at = 0; at < MW_N_LETTERS; at++) {
        const struct mw_route *route = &rule->l->route[at];
        for (uint32_t sink = 0; sink < MW_N_LETTERS && route->n_clauses > 0; sink++)
            for (uint32_t where = 0; where < MW_RULE_CASES; where++)
                for (uint32_t i = route->n_clauses; i-- > 0;)
                    if (applies(&route->clause[i], (char)('A' + sink), where))
                        rule->clause[at][sink][where] = (uint8_t)i;
    }
}

static const struct mw_clause *clause_at(const struct mw_rule *rule, uint32_t r,
                                         uint32_t c)
{
    const char at = rule->role[r][c], sink = rule->role[rule->sink_row][rule->sink_col];
    const uint32_t row = rule->sink_row > r   ? BELOW
                         : rule->sink_row < r ? ABOVE
                                              : SAME_ROW;
    if (at == '.')
        return NULL;
    const uint32_t i =
        rule->clause[at - 'A'][sink - 'A'][row + (rule->sink_col == c ? SAME_COLUMN : 0)];
    return i == NO_CLAUSE ? NULL : &rule->l->route[at - 'A'].clause[i];
}

void mw_rule_init(struct mw_rule *rule, const struct mw_layout *l)
{
    rule->l = l;
    rule->rows = l->transpose ? l->cols : l->rows;
    rule->cols = l->transpose ? l->rows : l->cols;
    for (uint32_t r = 0; r < rule->rows; r++)
        sort_columns(rule, r);
    choose_clauses(rule);
}

void mw_rule_aim(struct mw_rule *rule, mw_core sink)
{
    rule->sink_row = mw_rule_row(rule, sink);
    rule->sink_col = mw_rule_col(rule, sink);
}

/* ---- one hop ------------------------------------------------------------------------- */

char mw_rule_letter(const struct mw_rule *rule, const struct mw_clause *k)
{
    return k->target[rule->ordinal[rule->sink_row][rule->sink_col] % k->n_targets];
}

/* The column in row r that a message goes to; rule->cols if there is none. */
static uint32_t target_column(const struct mw_rule *rule, const struct mw_clause *k,
                              uint32_t r)
{
    const uint32_t letter = (uint32_t)(mw_rule_letter(rule, k) - 'A');
    const uint32_t first = rule->first[r][letter], n = rule->first[r][letter + 1] - first;
    const uint32_t key = k->by == MW_BY_COL ? rule->sink_col
                         : k->by == MW_BY_ROW
                             ? rule->sink_row
                             : rule->ordinal[rule->sink_row][rule->sink_col];
    return n == 0 ? rule->cols : rule->column[r][first + key % n];
}

/* The shorter way round a ring of n places. */
static bool forwards(uint32_t from, uint32_t to, uint32_t n)
{
    return 2 * ((to + n - from) % n) <= n;
}

/* One step on a line of n places. */
uint32_t mw_rule_along(enum mw_clause_hop hop, uint32_t from, uint32_t to, uint32_t n)
{
    switch (hop) {
    case MW_HOP_STEP:
        return from < to ? from + 1 : from - 1;
    case MW_HOP_SHORT:
        if (!forwards(from, to, n))
            return from == 0 ? n - 1 : from - 1;
        return from + 1 == n ? 0 : from + 1;
    case MW_HOP_RING:
        return from + 1 == n ? 0 : from + 1;
    default:
        return to;
    }
}

mw_core mw_rule_next(const struct mw_rule *rule, mw_core v)
{
    const uint32_t r = mw_rule_row(rule, v), c = mw_rule_col(rule, v);
    const struct mw_clause *k = clause_at(rule, r, c);
    if (k == NULL)
        return MW_NO_CORE;
    switch (k->kind) {
    case MW_COL_TO_ROW:
        return mw_rule_core(
            rule,
            mw_rule_along((enum mw_clause_hop)k->hop, r, rule->sink_row, rule->rows), c);
    case MW_ROW_TO_COL:
        return mw_rule_core(
            rule, r,
            mw_rule_along((enum mw_clause_hop)k->hop, c, rule->sink_col, rule->cols));
    case MW_THEN:
        return mw_rule_core(rule, rule->sink_row, rule->sink_col);
    default:
        break;
    }
    const uint32_t target = target_column(rule, k, r);
    return target == rule->cols ? MW_NO_CORE : mw_rule_core(rule, r, target);
}

/* Past the edge, or without one on its way: where the message goes on as on a line. */
bool mw_rule_on_a_line(enum mw_clause_hop hop, uint32_t from, uint32_t to, uint32_t n)
{
    const bool on = hop == MW_HOP_RING || (hop == MW_HOP_SHORT && forwards(from, to, n));
    return hop < MW_HOP_RING || on == (to > from);
}

mw_channel mw_rule_channel(const struct mw_rule *rule, mw_core v)
{
    const uint32_t r = mw_rule_row(rule, v), c = mw_rule_col(rule, v);
    const struct mw_clause *k = clause_at(rule, r, c);
    const enum mw_clause_hop hop = (enum mw_clause_hop)k->hop;
    if (k->kind == MW_COL_TO_ROW)
        return k->channel[mw_rule_on_a_line(hop, r, rule->sink_row, rule->rows)];
    if (k->kind == MW_ROW_TO_COL)
        return k->channel[mw_rule_on_a_line(hop, c, rule->sink_col, rule->cols)];
    return k->channel[1];
}

const struct mw_clause *mw_rule_clause(const struct mw_rule *rule, mw_core v)
{
    return clause_at(rule, mw_rule_row(rule, v), mw_rule_col(rule, v));
}
