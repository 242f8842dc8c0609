/* alike.h -- have all ranks been told the same?
 *
 * A launcher that does not pass variables on, or a command line for each host, and ranks do different
 * things: then one waits in a sum and another in a barrier. So settings are compared beforehand.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ALIKE_H
#define MW_ALIKE_H

#include "cli/option.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

/* Collective. MW_ERR_USAGE, on all ranks, where the command or a setting is another than rank 0's; but each
 * rank may have threads and a device of its own, and what only one rank says or writes. */
int mw_settings_alike(const struct mw_settings *s, struct mw_comm *comm) MW_NODISCARD;

MW_END_DECLS
#endif
