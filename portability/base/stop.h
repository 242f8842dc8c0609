/* stop.h -- was the run asked to end? Signals belong to the whole process, and so does the
 * one function that knows of them; whoever may be busy for long before the first search
 * asks between two blocks of work.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_STOP_H
#define MW_STOP_H

#include "base/status.h"

MW_BEGIN_DECLS

/* Whole process: `reason` returns "" as long as nobody asked, then why ("SIGTERM"). NULL:
 * nobody ever asks. */
void mw_stop_when(const char *(*reason)(void));

/* Local: MW_OK, or MW_ERR_INTERRUPTED with the reason and what was being done: "reading g.el".
 * Ranks hear of a signal at different moments: agree before the next collective call. */
int mw_stop_check(const char *doing, const char *what) MW_NODISCARD;

MW_END_DECLS
#endif
