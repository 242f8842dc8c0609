/* log.c -- see log.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static mw_log_sink *current;
static void *current_arg;

void mw_log_to(mw_log_sink *sink, void *arg)
{
    current = sink;
    current_arg = arg;
}

void mw_note(const char *fmt, ...)
{
    char text[1024];
    va_list args;
    if (current == NULL)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    current(current_arg, text);
}
