/* outfile.h -- an output file that appears whole or not at all.
 *
 * It is written under a name that nobody can guess, in the directory where it will
 * stand, synced, closed and renamed, each step checked. A target that exists is
 * refused unless `force`; a symbolic link at the target is never followed, and with
 * `force` it is replaced, not what it points to. Devices and pipes (/dev/stdout) have
 * nothing to replace and are written directly. All functions are local.
 *
 *      open:  DIR/.meshway-<32 hex digits>   O_EXCL, 0600
 *      commit: fsync, close, rename ------>  DIR/NAME
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_OUTFILE_H
#define MW_OUTFILE_H

#include "base/status.h"

#include <stdio.h>

MW_BEGIN_DECLS

struct mw_outfile {
    FILE *stream;    /* for fprintf and friends; errors are seen by commit */
    char *path;      /* owned */
    char *temporary; /* owned; NULL: written directly */
    bool force;
};

/* Can the file be created? To be asked before anything starts: MW_ERR_CREATE with the
 * reason. Leaves nothing behind. */
int mw_outfile_check(const char *path, bool force) MW_NODISCARD;

int mw_outfile_open(struct mw_outfile *f, const char *path, bool force) MW_NODISCARD;

/* MW_ERR_IO with path and reason as soon as the system says so. */
int mw_outfile_write(struct mw_outfile *f, const void *data, size_t bytes) MW_NODISCARD;

/* Either the whole file stands under its name, or an error is returned and nothing
 * does. The structure is finished in both cases. */
int mw_outfile_commit(struct mw_outfile *f) MW_NODISCARD;

/* Gives up; nothing remains. Legal after commit and on a zeroed structure. */
void mw_outfile_abandon(struct mw_outfile *f);

MW_END_DECLS
#endif
