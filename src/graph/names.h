/* names.h -- what the input calls its vertices.
 *
 * Inside, vertices are 0 .. n-1. Whatever prints or parses a vertex goes through here, so that
 * messages, --root, trees, levels and results speak one language, the input's:
 *
 *      counted   vertex v is the number v + base; base is 0 or 1
 *
 * NULL instead of names is legal everywhere and means counted from 0. All functions are local.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NAMES_H
#define MW_NAMES_H

#include "base/status.h"

MW_BEGIN_DECLS

struct mw_names {
    uint64_t base;       /* what the first vertex is called */
    uint64_t n_vertices; /* of the whole graph */
};

/* Room for a name in a message; a longer one is shortened. */
enum { MW_NAME_ROOM = 80 };

/* The vertex's name for a message, in `text`, which is returned. */
const char *mw_names_text(const struct mw_names *names, mw_vid v,
                          char text[MW_NAME_ROOM]);

/* The vertex's number in the input. */
uint64_t mw_names_number(const struct mw_names *names, mw_vid v);

/* The vertex that the input calls `number`; false: there is none. */
bool mw_names_find(const struct mw_names *names, uint64_t number, mw_vid *v);

/* The same for what a user gave; otherwise MW_ERR_USAGE, which begins with `who` ("--root")
 * and says what would be right. */
int mw_names_choose(const struct mw_names *names, const char *who, uint64_t number,
                    mw_vid *v) MW_NODISCARD;

/* "0..11": which names there are, for messages. */
const char *mw_names_range(const struct mw_names *names, char text[MW_NAME_ROOM]);

MW_END_DECLS
#endif
