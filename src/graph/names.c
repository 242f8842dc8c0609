/* names.c -- see names.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/names.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t base_of(const struct mw_names *names)
{
    return names != NULL ? names->base : 0;
}

uint64_t mw_names_number(const struct mw_names *names, mw_vid v)
{
    return v + base_of(names);
}

const char *mw_names_text(const struct mw_names *names, mw_vid v, char text[MW_NAME_ROOM])
{
    snprintf(text, MW_NAME_ROOM, "%" PRIu64, mw_names_number(names, v));
    return text;
}

bool mw_names_find(const struct mw_names *names, uint64_t number, mw_vid *v)
{
    const uint64_t base = base_of(names);
    *v = number - base;
    return number >= base && (names == NULL || *v < names->n_vertices);
}

const char *mw_names_range(const struct mw_names *names, char text[MW_NAME_ROOM])
{
    const uint64_t n = names != NULL ? names->n_vertices : 0;
    if (n == 0)
        snprintf(text, MW_NAME_ROOM, "none");
    else
        snprintf(text, MW_NAME_ROOM, "%" PRIu64 "..%" PRIu64, names->base,
                 names->base + n - 1);
    return text;
}

int mw_names_choose(const struct mw_names *names, const char *who, uint64_t number,
                    mw_vid *v)
{
    char range[MW_NAME_ROOM];
    if (mw_names_find(names, number, v))
        return MW_OK;
    return mw_fail(MW_ERR_USAGE,
                   "%s: vertex %" PRIu64 " is not in the graph; expected %s", who, number,
                   mw_names_range(names, range));
}
