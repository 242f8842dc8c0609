/* nearest.c -- see nearest.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/nearest.h"

#include <string.h>

enum { LONGEST_NAME = 64 };

/* Damerau-Levenshtein with adjacent swaps, on the first LONGEST_NAME characters. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[3][LONGEST_NAME + 1];
    const size_t na = strnlen(a, LONGEST_NAME), nb = strnlen(b, LONGEST_NAME);
    size_t *before = row[0], *last = row[1], *now = row[2];
    for (size_t j = 0; j <= nb; j++)
        last[j] = j;
    for (size_t i = 1; i <= na; i++) {
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            const size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);
            size_t least = mw_min(mw_min(last[j], now[j - 1]) + 1, change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                least = mw_min(least, before[j - 2] + 1);
            now[j] = least;
        }
        size_t *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[nb];
}

void mw_nearest_offer(struct mw_nearest *n, const char *name)
{
    const size_t length = strlen(n->given);
    const bool begins = length >= 2 && strncmp(n->given, name, length) == 0;
    const size_t distance = begins ? 1 : edit_distance(n->given, name);
    const size_t enough = length <= 3 ? 1 : 1 + length / 3;
    if (distance <= enough && (n->best == NULL || distance < n->distance)) {
        n->best = name;
        n->distance = distance;
    }
}
