/* athread_rma.c -- the mailbox of a core of SW26010-Pro, see cpe_rma.h. Cores' side, C99.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/cpe_rma.h"

__thread_local struct mw_rma_mail mw_rma_mail;
