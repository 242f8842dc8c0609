/* rule.h -- the next-hop rule of roles and routes, prepared: which core follows, given
 * the core a message is at and the sink it goes to.
 *
 * Rows and columns are those of the mesh that the statements describe, which `transpose`
 * makes another than the mesh as it is; cores are always of the mesh as it is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_RULE_H
#define MW_LAYOUT_RULE_H

#include "mesh/lang/layout.h"

MW_BEGIN_DECLS

enum { MW_RULE_CASES = 6 };

struct mw_rule {
    const struct mw_layout *l; /* borrowed */
    uint32_t rows, cols;
    uint32_t sink_row, sink_col; /* of the sink aimed at */
    char role[MW_MESH_SIDE_MAX][MW_MESH_SIDE_MAX];
    /* The columns of each row, sorted by role: those of role i begin at first[row][i]. */
    uint8_t column[MW_MESH_SIDE_MAX][MW_MESH_SIDE_MAX];
    uint8_t first[MW_MESH_SIDE_MAX][MW_N_LETTERS + 1];
    uint8_t ordinal[MW_MESH_SIDE_MAX]
                   [MW_MESH_SIDE_MAX]; /* among its row's sink columns */
    /* [role it is at][role of the sink][where the sink lies]: the first that applies */
    uint8_t clause[MW_N_LETTERS][MW_N_LETTERS][MW_RULE_CASES];
};

void mw_rule_init(struct mw_rule *rule, const struct mw_layout *l);
void mw_rule_aim(struct mw_rule *rule, mw_core sink);
/* The core after v, which is not the sink; MW_NO_CORE where none follows: no clause applies,
 * or the clause wants a role that has no column in the row of v. */
mw_core mw_rule_next(const struct mw_rule *rule, mw_core v);
/* On a line of n places: the place after `from` on the way to another; whether a message there goes on
 * as on a line, with no edge to go over. */
uint32_t mw_rule_along(enum mw_clause_hop hop, uint32_t from, uint32_t to, uint32_t n);
bool mw_rule_on_a_line(enum mw_clause_hop hop, uint32_t from, uint32_t to, uint32_t n);
/* The channel of that hop. */
mw_channel mw_rule_channel(const struct mw_rule *rule, mw_core v);
/* The clause that applies at v, or NULL; and the role that such a clause sends to. */
const struct mw_clause *mw_rule_clause(const struct mw_rule *rule, mw_core v);
char mw_rule_letter(const struct mw_rule *rule, const struct mw_clause *k);

mw_core mw_rule_core(const struct mw_rule *rule, uint32_t row, uint32_t col);
uint32_t mw_rule_row(const struct mw_rule *rule, mw_core v);
uint32_t mw_rule_col(const struct mw_rule *rule, mw_core v);

MW_FN bool mw_role_in(char role, uint32_t letters)
{
    return role != '.' && (letters >> (role - 'A') & 1) != 0;
}

MW_END_DECLS
#endif
