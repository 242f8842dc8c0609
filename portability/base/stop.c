/* stop.c -- see stop.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/stop.h"

static const char *(*current)(void);

void mw_stop_when(const char *(*reason)(void))
{
    current = reason;
}

int mw_stop_check(const char *doing, const char *what)
{
    const char *reason = current != NULL ? current() : "";
    return reason[0] == '\0' ? MW_OK
                             : mw_fail(MW_ERR_INTERRUPTED, "interrupted (%s) while %s %s",
                                       reason, doing, what);
}
