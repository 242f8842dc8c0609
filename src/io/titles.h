/* titles.h -- a line of titles above a table of edges: which columns hold the two vertices.
 *
 * Titles are known by pairs that belong together (source and target, from and to, tail and
 * head), in capitals or not, and with '_', '-' or blanks between their words or without.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TITLES_H
#define MW_TITLES_H

#include "io/field.h"

MW_BEGIN_DECLS

/* Do the fields of the line name both ends of an edge? Then from which column an edge leads and
 * to which; the first one is 0. */
bool mw_titles_find(const char *line, char separator, int column[2]);

/* The column of that title, in capitals or not; NULL: of one that means a weight. -1: there is none. */
int mw_titles_weight(const char *line, char separator, const char *title);

MW_END_DECLS
#endif
