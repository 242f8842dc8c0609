/* here.h -- numbers for what is on this host, that no other host's have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_HERE_H
#define MW_HERE_H

#include "base/base.h"

MW_BEGIN_DECLS

/* Of what has `number` on this host: the same in all processes, containers too; never 0. By the
 * kernel's number of this boot; where it has none, by the host's name. */
uint64_t mw_number_here(uint64_t number);

MW_END_DECLS
#endif
