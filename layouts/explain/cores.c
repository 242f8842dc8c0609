/* cores.c -- see cores.h: columns with the same rows are told together.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explain/cores.h"

enum { NAMED_MAX = 4 };

const char *mw_core_called(const struct mw_layout *l, mw_core v, char out[MW_CALLED])
{
    char name[MW_NODE_NAME];
    mw_core_name(l, v, name);
    if (l->role[v] == '.')
        snprintf(out, MW_CALLED, "%.12s", name);
    else
        snprintf(out, MW_CALLED, "%.12s (%c)", name, l->role[v]);
    return out;
}

void mw_core_set_add(const struct mw_layout *l, struct mw_core_set *set, mw_core v)
{
    uint64_t *rows = &set->rows[mw_core_col(l, v)];
    const uint64_t bit = UINT64_C(1) << mw_core_row(l, v);
    set->n += (*rows & bit) == 0;
    *rows |= bit;
}

/* The numbers of the set bits as "0-3 5". */
static void print_ranges(uint64_t bits, FILE *out)
{
    const char *blank = "";
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t last = i;
        if ((bits >> i & 1) == 0)
            continue;
        while (last < 63 && (bits >> (last + 1) & 1) != 0)
            last++;
        fprintf(out, last > i ? "%s%u-%u" : "%s%u", blank, i, last);
        blank = " ";
        i = last;
    }
}

static void print_named(const char *one, uint64_t bits, uint32_t all, FILE *out)
{
    const uint32_t n = (uint32_t)__builtin_popcountll(bits);
    if (n == all) {
        fprintf(out, "%s", all == 1 ? "" : "all ");
        fprintf(out, all == 1 ? "the %s" : "%ss", one);
        return;
    }
    fprintf(out, n == 1 ? "%s " : "%ss ", one);
    print_ranges(bits, out);
}

static void print_names(const struct mw_layout *l, const struct mw_core_set *set,
                        FILE *out)
{
    char name[MW_NODE_NAME];
    const char *blank = "";
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        if ((set->rows[mw_core_col(l, (mw_core)v)] >> mw_core_row(l, (mw_core)v) & 1) !=
            0) {
            fprintf(out, "%s%s", blank, mw_core_name(l, (mw_core)v, name));
            blank = " ";
        }
}

void mw_core_set_print(const struct mw_layout *l, const struct mw_core_set *set,
                       FILE *out)
{
    uint64_t told = 0;
    if (set->n <= NAMED_MAX) {
        print_names(l, set, out);
        return;
    }
    for (uint32_t c = 0; c < l->cols; c++) {
        uint64_t alike = 0;
        if (set->rows[c] == 0 || (told >> c & 1) != 0)
            continue;
        for (uint32_t d = c; d < l->cols; d++)
            alike |= (uint64_t)(set->rows[d] == set->rows[c]) << d;
        fputs(told != 0 ? "; " : "", out);
        print_named("column", alike, l->cols, out);
        fputs(", ", out);
        print_named("row", set->rows[c], l->rows, out);
        told |= alike;
    }
}
