/* knot_fixes.c -- edits that leave a layout without a knot, each proved on a changed copy: turns that
 * are forbidden, an escape, puts in another order, a broadcast that goes.
 *
 * Depths are not among them: a knot is a matter of who needs whom, and deeper FIFOs only hold more
 * before it closes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explain/explain.h"
#include "layouts/ways/knot.h"
#include "mesh/lang/ways.h"

#include <string.h>

enum { TURNS = 3, ESCAPE = TURNS, BROADCASTS };
enum kind { NONE, TURN, ESCAPES, ORDER, DROP, N_KINDS };

static void swap_legs(struct mw_broadcast *b)
{
    const uint8_t leg = b->leg[0];
    const mw_channel channel = b->leg_channel[0];
    b->leg[0] = b->leg[1];
    b->leg[1] = leg;
    b->leg_channel[0] = b->leg_channel[1];
    b->leg_channel[1] = channel;
}

/* Edit number c: a set of turns, an escape, each broadcast's order, and then without it. */
static enum kind edit(struct mw_layout *l, uint32_t c, char *text, size_t room)
{
    static const char *const turns[TURNS] = {"odd-even", "west-first", "negative-first"};
    char name[MW_NODE_NAME];
    if (c < BROADCASTS && l->adaptive.model == 0)
        return NONE;
    if (c < TURNS) {
        mw_adaptive_forbid(&l->adaptive, turns[c]);
        snprintf(text, room, "take 'adaptive %s'", turns[c]);
        return TURN;
    }
    if (c == ESCAPE) {
        if (l->adaptive.escapes || l->n_channels == MW_CHANNELS_MAX)
            return NONE;
        l->adaptive.escapes = true;
        l->adaptive.escape = (mw_channel)l->n_channels++;
        snprintf(text, room, "add 'escape xy class e', with a class e for it alone");
        return ESCAPES;
    }
    const uint32_t n = l->n_broadcasts, i = (c - BROADCASTS) % n;
    struct mw_broadcast *b = &l->broadcast[i];
    mw_core_name(l, b->core, name);
    if (c - BROADCASTS >= n) {
        snprintf(text, room, "drop broadcast %u (of %s)", i, name);
        memmove(b, b + 1, (--l->n_broadcasts - i) * sizeof *b);
        return n > 1 || l->n_flows > 0 || l->adaptive.model != 0 ? DROP : NONE;
    }
    if (b->n_legs != 2 || b->leg[0] == b->leg[1])
        return NONE;
    swap_legs(b);
    snprintf(text, room, "put broadcast %u (of %s) to its %s first", i, name,
             b->leg[0] == MW_ROW ? "row" : "column");
    return ORDER;
}

uint32_t mw_knot_fixes(const struct mw_layout *l, enum mw_mesh_model model,
                       struct mw_fix *out, uint32_t room)
{
    uint32_t n = 0;
    bool found[N_KINDS] = {true}; /* the first of each kind will do */
    for (uint32_t c = 0; c < BROADCASTS + 2 * l->n_broadcasts && n < room; c++) {
        struct mw_layout copy = *l;
        struct mw_proof p = {0};
        const enum kind kind = edit(&copy, c, out[n].text, sizeof out->text);
        if (found[kind])
            continue;
        if (mw_any_proof_make(&copy, model, &p) < MW_OK)
            mw_error_clear(); /* a pair lost its ways, or memory is short: not offered */
        out[n].proved = found[kind] = p.free;
        n += p.free;
        mw_proof_fini(&p);
    }
    return n;
}
