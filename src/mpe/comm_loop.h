/* comm_loop.h -- what a transport between threads needs of comm_loop.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_COMM_LOOP_H
#define MW_COMM_LOOP_H

#include "mpe/comm.h"

MW_BEGIN_DECLS

/* Local: the seed of mw_loop_conf; 0 means no delays, also where `c` is no loop. */
uint64_t mw_comm_loop_seed(const struct mw_comm *c);

/* Local and cheap, for polling loops: MW_OK, or MW_ERR_INTERNAL with a text when a rank
 * has ended with an error, so that nobody polls for ever for what it has not sent. */
int mw_comm_loop_check(struct mw_comm *c) MW_NODISCARD;

MW_END_DECLS
#endif
