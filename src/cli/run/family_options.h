/* family_options.h -- graphs that are made from a few numbers, as options describe them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FAMILY_OPTIONS_H
#define MW_FAMILY_OPTIONS_H

#include "cli/option.h"
#include "graph/family.h"

MW_BEGIN_DECLS

/* "kind", from the first word on: Kronecker's, then those of enum mw_family_kind in its order. */
#define MW_KIND_WORDS "kronecker|grid|roads|geometric|uniform"

/* clang-format off */
#define MW_OPTIONS_FAMILY                                                                \
    {.name = "kind", .letter = 'k', .kind = MW_OPT_WORD, .value = "KIND",                \
     .fallback = "kronecker", .words = MW_KIND_WORDS,                                    \
     .help = "The kind of graph; all kinds but kronecker have a SIZE in place of SCALE"},\
    {.name = "size", .kind = MW_OPT_TEXT, .value = "SIZE",                               \
     .help = "Vertices: 1500x1500 or 100x100x100 of grid and roads, else a number"},     \
    {.name = "keep", .kind = MW_OPT_REAL, .value = "SHARE", .fallback = "0.7",           \
     .min = 0, .max = 1, .help = "Roads: the share of the grid's edges that stay"},      \
    {.name = "degree", .kind = MW_OPT_REAL, .value = "D", .fallback = "8", .min = 0,     \
     .max = 1 << 20, .help = "Geometric: neighbours of a vertex, on average"}

#define MW_CONFLICTS_OF_KIND(word)                                                       \
    {"scale", "kind=" word, "it has a SIZE"}
#define MW_CONFLICTS_FAMILY                                                              \
    MW_CONFLICTS_OF_KIND("grid"), MW_CONFLICTS_OF_KIND("roads"),                         \
    MW_CONFLICTS_OF_KIND("geometric"), MW_CONFLICTS_OF_KIND("uniform"),                  \
    {"size", "!kind", "a Kronecker graph has a SCALE"},                                  \
    {"size", "kind=kronecker", "it has a SCALE"},                                        \
    {"keep", "!kind=roads", "no other kind leaves edges out"},                           \
    {"degree", "!kind=geometric", "no other kind is made by it"},                        \
    {"edgefactor", "kind=grid", "its edges follow from its sides"},                      \
    {"edgefactor", "kind=roads", "its edges follow from --keep"},                        \
    {"edgefactor", "kind=geometric", "its edges follow from --degree"}
/* clang-format on */

/* Local. Whether the settings ask for one of these families, and which. */
bool mw_family_asked(const struct mw_settings *s);
int mw_family_settings(const struct mw_settings *s, struct mw_family_conf *out)
    MW_NODISCARD;

MW_END_DECLS
#endif
