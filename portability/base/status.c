/* status.c -- the error record: one per thread, so that ranks which live as
 * threads of one process (transport_loop) keep theirs apart.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/status.h"

#include "base/escape.h"

#include <stdarg.h>
#include <stdio.h>

static MW_THREAD_LOCAL char text[1024];
static MW_THREAD_LOCAL char where[160];

int mw_fail_at(const char *file, int line, int code, const char *fmt, ...)
{
    char raw[sizeof text]; /* what it quotes may be anything */
    va_list args;
    va_start(args, fmt);
    vsnprintf(raw, sizeof raw, fmt, args);
    va_end(args);
    mw_escape(text, sizeof text, raw);
    snprintf(where, sizeof where, "%s:%d", file, line);
    return code;
}

const char *mw_error_text(void)
{
    return text;
}

const char *mw_error_where(void)
{
    return where;
}

void mw_error_clear(void)
{
    text[0] = where[0] = '\0';
}
