/* outfile.h -- an output file that appears whole or not at all.
 *
 * It is written under a name that nobody can guess, in the directory where it will
 * stand, synced, closed and renamed, each step checked. A target that exists is
 * refused unless `force`; a symbolic link at the target is never followed, and with
 * `force` it is replaced, not what it points to. All functions are local.
 *
 *      open:  DIR/.meshway-<32 hex digits>   O_EXCL, 0666 less the umask
 *      commit: fsync, close, rename ------>  DIR/NAME
 *
 * A file that is replaced leaves its mode to the new one.
 *
 * What has nothing to replace is written directly: devices, this process's own descriptors
 * (/dev/stdout, which "-" means too, /dev/fd/3), and a FIFO that somebody reads. None of them is waited for when it
 * is opened. A FIFO is opened when it is checked and kept until it is written, for its reader
 * takes a close for the end; one that nobody reads is refused. Whoever is slow to read is
 * waited for when it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_OUTFILE_H
#define MW_OUTFILE_H

#include "base/status.h"

#include <stdio.h>
#include <sys/types.h>

MW_BEGIN_DECLS

struct mw_outfile {
    FILE *stream;    /* for fprintf and friends; errors are seen by commit */
    char *path;      /* owned */
    char *temporary; /* owned; NULL: written directly */
    uint32_t slot;   /* of the temporary among those of the process */
    bool force;
    bool piped; /* SIGPIPE is ignored while this is open: its reader is not stdout's */
};

/* Can the file be created? To be asked before anything starts: MW_ERR_CREATE with the
 * reason. Leaves nothing behind but an open FIFO. */
int mw_outfile_check(const char *path, bool force) MW_NODISCARD;

/* Whether it is written directly: what goes there cannot be replaced later. */
bool mw_outfile_is_direct(const char *path);

/* Whether two paths are one file, whatever they are called: device and inode, or, for a file
 * that does not exist yet, its directory's and the name. Never so for /dev/null. */
bool mw_outfile_same(const char *a, const char *b);

/* A folder, with what is missing above it; `mode` less the umask. MW_ERR_CREATE with the part
 * that cannot be. */
int mw_outfile_folder(const char *path, mode_t mode) MW_NODISCARD;

int mw_outfile_open(struct mw_outfile *f, const char *path, bool force) MW_NODISCARD;

/* MW_ERR_IO with path and reason as soon as the system says so. */
int mw_outfile_write(struct mw_outfile *f, const void *data, size_t bytes) MW_NODISCARD;

/* Either the whole file stands under its name, or an error is returned and nothing
 * does. The structure is finished in both cases. */
int mw_outfile_commit(struct mw_outfile *f) MW_NODISCARD;

/* Gives up; nothing remains. Legal after commit and on a zeroed structure. */
void mw_outfile_abandon(struct mw_outfile *f);

/* Removes the temporary files of the whole process, which ends now. Async-signal-safe. */
void mw_outfile_remove_temporaries(void);

MW_END_DECLS
#endif
