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

static void hand_over(enum mw_log_level level, const char *fmt, va_list args)
{
    char text[1024];
    if (current == NULL)
        return;
    vsnprintf(text, sizeof text, fmt, args);
    current(current_arg, level, text);
}

void mw_note(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    hand_over(MW_LOG_WARNING, fmt, args);
    va_end(args);
}

void mw_detail(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    hand_over(MW_LOG_DETAIL, fmt, args);
    va_end(args);
}
