/* cc_forest.h -- a forest that many cores make trees of one of, edge by edge.
 *
 * up[v] is a smaller vertex of the same tree, and a root's is itself. Only roots change hands; who has
 * one above keeps it or gets one further up, by a plain store, for late or twice it is one all the same.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CC_FOREST_H
#define CC_FOREST_H

#include "base/base.h"

/* Halves the way there. */
MW_FN mw_vid cc_root_of(void *up, mw_vid v, bool wide)
{
    mw_vid at = mw_load(up, v, wide);
    while (at != v) {
        const mw_vid next = mw_load(up, at, wide);
        if (next == at)
            return at;
        mw_store(up, v, next, wide);
        v = next;
        at = mw_load(up, v, wide);
    }
    return v;
}

MW_FN void cc_unite_trees(void *up, mw_vid a, mw_vid b, bool wide)
{
    if (mw_load(up, a, wide) == mw_load(up, b, wide)) /* as most are in the end */
        return;
    do {
        a = cc_root_of(up, a, wide);
        b = cc_root_of(up, b, wide);
    } while (a != b && !mw_claim(up, mw_max(a, b), mw_max(a, b), mw_min(a, b), wide));
}

/* The same where nobody else has anything to do with these trees (Rem's way, with splicing: Patwary, Blair and Manne
 * 2010). */
MW_FN void cc_unite_own_trees(void *up, mw_vid a, mw_vid b, bool wide)
{
    mw_vid above_a = mw_load(up, a, wide), above_b = mw_load(up, b, wide);
    while (above_a != above_b) {
        if (above_a < above_b) {
            const mw_vid c = a, above_c = above_a;
            a = b;
            above_a = above_b;
            b = c;
            above_b = above_c;
        }
        mw_store(up, a, above_b, wide);
        if (a == above_a)
            return;
        a = above_a;
        above_a = mw_load(up, a, wide);
    }
}

#endif
