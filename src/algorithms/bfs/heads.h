/* heads.h -- the first look of bottom-up: does a vertex's neighbour of the highest
 * degree have a parent? In the order of the input, so head[] and parent[] are read and
 * written as streams; the bitmap it looks into is hot at its front, where the hubs are.
 *
 * One interface, one file per instruction set.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_HEADS_H
#define MW_HEADS_H

#include "base/base.h"

MW_BEGIN_DECLS

struct mw_heads_view {
    const void *head;      /* of the vertices of this word that have one, 32 or 64 bits */
    const void *head_name; /* of the same */
    uint64_t has;          /* which these are */
    void *parent;          /* [64] of this word */
    const uint64_t *known; /* bitmap over columns */
};

/* Of the 64 vertices of one word those in `waiting`, which have a head, are looked at:
 * one that has no parent yet and whose head is known gets the head's name as parent.
 * Returns those that are still without one. */
typedef uint64_t mw_heads(const struct mw_heads_view *v, uint64_t waiting);

mw_heads mw_heads_portable32, mw_heads_portable64;

/* The fastest for this processor; `name` gets what it is called. */
mw_heads *mw_heads_find(bool wide, const char **name);

MW_END_DECLS
#endif
