/* status.h -- how functions report what happened.
 *
 * A function that can fail returns int: 0 is success, a negative value is an
 * error, a positive value is a piece of news that is not an error. The error
 * text is recorded where the error is raised, so callers only pass codes up.
 * Each error is one kind of failure that the user can act on, and its negative
 * is the exit code of a program that ends with it: from 64 up, so that a
 * launcher's raw signal numbers stay apart. All ranks leave with the same one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_STATUS_H
#define MW_STATUS_H

#include "base/base.h"

MW_BEGIN_DECLS

enum mw_status {
    MW_DONE = 2,  /* the stream is complete: nothing left, nothing to come */
    MW_AGAIN = 1, /* no progress now; poll, then call again */
    MW_OK = 0,
    MW_ERR_USAGE = -64,       /* an option or argument is wrong */
    MW_ERR_DATA = -65,        /* an input can be read, but what it says is wrong */
    MW_ERR_NOINPUT = -66,     /* an input cannot be opened or read */
    MW_ERR_UNAVAILABLE = -69, /* the build or the machine lacks what was asked for */
    MW_ERR_INTERNAL = -70,    /* we broke a promise of our own; also: no progress */
    MW_ERR_NOMEM = -71,       /* an allocation failed at run time */
    MW_ERR_CREATE = -73,      /* an output cannot be created */
    MW_ERR_IO = -74,          /* an output was created, but not written completely */
    MW_ERR_INTERRUPTED = -75, /* stopped or busy; trying again is right */
    MW_ERR_INVALID = -76,     /* the result failed validation */
    MW_ERR_REFUSED = -78      /* preflight says that this cannot work */
};

/* Records the message for this thread, escaped for a terminal (escape.h): names and texts go
 * into it as they are. Returns `code`. The first error of a
 * failing path is the one that matters: mw_error_clear() starts a new one. */
MW_SHOWN int mw_fail_at(const char *file, int line, int code, const char *fmt, ...)
    MW_PRINTF(4, 5);
#define mw_fail(code, ...) mw_fail_at(__FILE__, __LINE__, (code), __VA_ARGS__)

/* The text of this thread's last error ("" if none), and where it was raised. */
MW_SHOWN const char *mw_error_text(void);
MW_SHOWN const char *mw_error_where(void);
MW_SHOWN void mw_error_clear(void);

/* MW_TRY(rc, call): on error, leave through the function's `end:` label, where what was taken is
 * given back. Success passes there too, unless it has returned before with what it made. */
#define MW_TRY(rc, call)                                                                 \
    do {                                                                                 \
        if (((rc) = (call)) < MW_OK)                                                     \
            goto end;                                                                    \
    } while (0)

/* MW_NEED(call): on error, return it at once: where the function has nothing to give back, or nothing
 * yet. MW_NEED_NEW() and its like do that for memory (mem.h, sizes.h). */
#define MW_NEED(call)                                                                    \
    do {                                                                                 \
        const int rc_ = (call);                                                          \
        if (rc_ < MW_OK)                                                                 \
            return rc_;                                                                  \
    } while (0)

MW_END_DECLS
#endif
