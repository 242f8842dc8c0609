/* registry.h -- algorithms by name, or by the path of a plug-in: a shared object with an algorithm
 * from outside the tree (docs/your-own-traversal.md).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_REGISTRY_H
#define MW_REGISTRY_H

#include "algorithms/algorithms.h"

MW_BEGIN_DECLS

enum { MW_PLUGINS_MAX = 16 };

/* Local: those of the tree, then plug-ins in the order of loading; NULL: there are not so many. */
const struct mw_algorithm *mw_algorithm_at(uint32_t i);

/* Local. A text with a slash is the path of a plug-in, which is loaded, checked, and stays; each
 * other text is a name. `who` begins the text of an error. MW_ERR_USAGE: no such name;
 * MW_ERR_NOINPUT: no such file; MW_ERR_DATA: it is no plug-in for this program. */
MW_SHOWN int mw_algorithm_find(const char *who, const char *text,
                               const struct mw_algorithm **out) MW_NODISCARD;

/* Local: where an algorithm was loaded from, and mw_hash() of the file. NULL: it is of the tree. */
const char *mw_algorithm_path(const struct mw_algorithm *a, uint64_t *hash);

MW_END_DECLS
#endif
