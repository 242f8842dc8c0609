/* names.h -- what the input calls its vertices.
 *
 * Inside, vertices are 0 .. n-1. Whatever prints or parses a vertex goes through here, so that
 * messages, --root, trees, levels and results speak one language, the input's:
 *
 *      counted   vertex v is the number v + base; base is 0 or 1
 *      ids       vertex v is the v-th least of the numbers that occur in the input
 *      texts     vertex v is the v-th of the names that occur, in the order of their bytes
 *
 * Of ids and texts each host has one table, so that any rank can say any vertex's name in a
 * message of its own: 16 bytes a vertex for ids, 8 and the name for texts. Numbers do not
 * depend on the number of ranks.
 *
 * NULL instead of names is legal everywhere and means counted from 0. Functions are local where
 * nothing else is said.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NAMES_H
#define MW_NAMES_H

#include "io/dictionary.h"
#include "mpe/comm.h"

#include <stdio.h>

MW_BEGIN_DECLS

enum mw_naming { MW_NAMED_COUNTED, MW_NAMED_IDS, MW_NAMED_TEXTS };

struct mw_name_table;

struct mw_names {
    uint64_t base;       /* counted: what the first vertex is called */
    uint64_t n_vertices; /* of the whole graph */
    enum mw_naming naming;
    struct mw_name_table *table; /* owned; counted: NULL */
};

/* Room for a name in a message; a longer one is shortened. No name has more bytes than
 * MW_NAME_BYTES. */
enum { MW_NAME_ROOM = 80, MW_NAME_BYTES = 4096 };

/* Collective. Numbers the names that the ranks have seen; naming is ids or texts. Borrows comm.
 * vertex_of[seen->n]: what has become of this rank's, in fresh memory (mw_free). */
int mw_names_make(struct mw_comm *comm, enum mw_naming naming,
                  const struct mw_dictionary *seen, struct mw_names *out,
                  uint64_t **vertex_of) MW_NODISCARD;
void mw_names_fini(struct mw_names *names); /* collective, unless counted */

/* The vertex's name for a message, in `text`, which is returned. */
const char *mw_names_text(const struct mw_names *names, mw_vid v,
                          char text[MW_NAME_ROOM]);

/* The bytes of a text; borrowed, not ended by a zero. */
const char *mw_names_bytes(const struct mw_names *names, mw_vid v, uint64_t *bytes);

/* The vertex's number in the input; 0 for texts. */
uint64_t mw_names_number(const struct mw_names *names, mw_vid v);

/* The vertex that the input calls `number`; false: there is none. Not for texts. */
bool mw_names_find(const struct mw_names *names, uint64_t number, mw_vid *v);
bool mw_names_find_text(const struct mw_names *names, const char *name, uint64_t bytes,
                        mw_vid *v);

/* The same for what a user gave as text; otherwise MW_ERR_USAGE, which begins with `who`
 * ("--root") and says what would be right. */
int mw_names_parse(const struct mw_names *names, const char *who, const char *text,
                   mw_vid *v) MW_NODISCARD;

/* "0..11": which names there are, for messages. */
const char *mw_names_range(const struct mw_names *names, char text[MW_NAME_ROOM]);

/* As files have names: digits, or a text, in quotes where it could be misread; a quote inside
 * is doubled. Returns the end; takes MW_NAME_PUT_BYTES at most. */
enum { MW_NAME_PUT_BYTES = 2 * MW_NAME_BYTES + 2 };
char *mw_names_put(const struct mw_names *names, mw_vid v, char *p);

MW_END_DECLS
#endif
