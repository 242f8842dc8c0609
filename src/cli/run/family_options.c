/* family_options.c -- see family_options.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/family_options.h"

#include <stdio.h>
#include <string.h>

/* Behind Kronecker's. */
static enum mw_family_kind kind_of(const struct mw_settings *s)
{
    return (enum mw_family_kind)(mw_setting_number(s, "kind") - 1);
}

bool mw_family_asked(const struct mw_settings *s)
{
    return mw_setting_number(s, "kind") > 0;
}

static int fail_sides(const char *who, const char *text, bool has_sides)
{
    return has_sides
               ? mw_fail(MW_ERR_USAGE,
                         "%s: '%s' is no grid; expected two or three sides, such as "
                         "1500x1500 or 100x100x100",
                         who, text)
               : mw_fail(MW_ERR_USAGE,
                         "%s: '%s' is no number of vertices; only a grid and roads have "
                         "sides",
                         who, text);
}

/* "1500x1500" or, of kinds without sides, one number. */
static int read_sides(const struct mw_settings *s, bool has_sides,
                      uint64_t side[MW_FAMILY_SIDES])
{
    char word[32];
    const struct mw_setting_text who = mw_setting_name(s, "size");
    const char *const text = mw_setting_text(s, "size");
    const char *p = text;
    int n = 0;
    for (int i = 0; i < MW_FAMILY_SIDES; i++)
        side[i] = 1;
    for (bool more = true; more; n++) {
        const size_t length = strcspn(p, "x");
        if (n == MW_FAMILY_SIDES || length >= sizeof word)
            return fail_sides(who.text, text, has_sides);
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        const int rc = mw_parse_count(who.text, word, 1, MW_FAMILY_VERTICES, &side[n]);
        if (rc < MW_OK)
            return rc;
        more = p[length] == 'x';
        p += length + more;
    }
    return has_sides == (n > 1) ? MW_OK : fail_sides(who.text, text, has_sides);
}

int mw_family_settings(const struct mw_settings *s, struct mw_family_conf *out)
{
    const enum mw_family_kind kind = kind_of(s);
    *out = (struct mw_family_conf){
        .kind = kind,
        .edgefactor = mw_setting_number(s, "edgefactor"),
        .keep = mw_setting_real(s, "keep"),
        .degree = mw_setting_real(s, "degree"),
        .seed = {mw_setting_number(s, "seed1"), mw_setting_number(s, "seed2")},
    };
    return read_sides(s, kind == MW_FAMILY_GRID || kind == MW_FAMILY_ROADS, out->side);
}
