/* log.h -- one place to which the library hands what it would like to say.
 *
 * Libraries never print: they call mw_note() with a warning worth a line, and the program
 * decides. Without a sink it is silent.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LOG_H
#define MW_LOG_H

#include "base/base.h"

MW_BEGIN_DECLS

typedef void mw_log_sink(void *arg, const char *text);

void mw_log_to(mw_log_sink *sink, void *arg); /* whole process; NULL: silent */
void mw_note(const char *fmt, ...) MW_PRINTF(1, 2);

MW_END_DECLS
#endif
