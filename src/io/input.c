/* input.c -- see input.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/input.h"

#include "base/hash.h"
#include "base/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void mw_input_quote(char *to, size_t room, const char *from, size_t bytes)
{
    size_t n = 0;
    while (n + 1 < room && n < bytes && from[n] != '\n' && from[n] != '\0') {
        to[n] = from[n];
        n++;
    }
    to[n] = '\0';
    if (n < bytes && from[n] == '\0' && n + 3 < room)
        memcpy(to + n, "\\0", 3); /* and what follows it is not shown */
}

/* The end of a path says more than its beginning. */
static void set_name(struct mw_input *in, const char *path)
{
    const size_t length = strlen(path);
    const size_t fits = sizeof in->name - 1;
    const bool cut = length > fits;
    snprintf(in->name, sizeof in->name, "%s%s", cut ? "..." : "",
             path + (cut ? length - (fits - 3) : 0));
}

int mw_input_open(struct mw_input *in, const char *path)
{
    struct stat st;
    memset(in, 0, sizeof *in);
    set_name(in, path);
    /* O_NONBLOCK: a FIFO without a writer would keep us here. */
    in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (in->fd < 0)
        return mw_fail(MW_ERR_NOINPUT, "%s: cannot open: %s", in->name, strerror(errno));
    if (fstat(in->fd, &st) != 0) {
        const int why = errno;
        mw_input_close(in);
        return mw_fail(MW_ERR_NOINPUT, "%s: cannot read: %s", in->name, strerror(why));
    }
    if (!S_ISREG(st.st_mode)) {
        mw_input_close(in);
        return mw_fail(MW_ERR_NOINPUT, "%s: %s, expected a regular file", in->name,
                       S_ISDIR(st.st_mode) ? "is a directory" : "is a device or pipe");
    }
    in->bytes = (uint64_t)st.st_size;
    return MW_OK;
}

void mw_input_take(struct mw_input *in, const char *name, int fd, uint64_t bytes)
{
    memset(in, 0, sizeof *in);
    set_name(in, name);
    in->fd = fd;
    in->bytes = bytes;
}

void mw_input_memory(struct mw_input *in, const char *name, const void *data,
                     uint64_t bytes)
{
    memset(in, 0, sizeof *in);
    set_name(in, name);
    in->fd = -1;
    in->data = data;
    in->bytes = bytes;
}

void mw_input_close(struct mw_input *in)
{
    if (in->fd >= 0)
        close(in->fd);
    in->fd = -1;
    in->data = NULL;
}

int mw_input_read(const struct mw_input *in, uint64_t offset, void *to, uint64_t bytes)
{
    uint64_t done = 0;
    if (offset > in->bytes || bytes > in->bytes - offset)
        return mw_fail(MW_ERR_INTERNAL, "%s: read of %llu bytes at %llu, beyond the end",
                       in->name, (unsigned long long)bytes, (unsigned long long)offset);
    const int rc = mw_stop_check("reading", in->name);
    if (rc < MW_OK)
        return rc;
    if (in->fd < 0) {
        if (bytes > 0)
            memcpy(to, in->data + offset, bytes);
        return MW_OK;
    }
    while (done < bytes) {
        const ssize_t got = pread(in->fd, (char *)to + done, (size_t)(bytes - done),
                                  (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return mw_fail(MW_ERR_NOINPUT, "%s: cannot read at byte %llu: %s", in->name,
                           (unsigned long long)(offset + done), strerror(errno));
        if (got == 0)
            return mw_fail(MW_ERR_NOINPUT,
                           "%s: became shorter while being read: %llu bytes expected, "
                           "ends at %llu",
                           in->name, (unsigned long long)in->bytes,
                           (unsigned long long)(offset + done));
        done += (uint64_t)got;
    }
    return MW_OK;
}

int mw_input_fingerprint(const struct mw_input *in, uint64_t *hash)
{
    enum { PIECE = 4096, N_PIECES = 64 };
    unsigned char piece[PIECE];
    uint64_t h = (MW_HASH_OF_NOTHING ^ in->bytes) * UINT64_C(0x100000001b3);
    uint64_t done = 0; /* small files are taken whole, without overlap */
    for (uint32_t i = 0; i < N_PIECES; i++) {
        const uint64_t at = mw_max(done, mw_share_begin(in->bytes, i, N_PIECES));
        const uint64_t n = at < in->bytes ? mw_min(PIECE, in->bytes - at) : 0;
        const int rc = mw_input_read(in, mw_min(at, in->bytes), piece, n);
        if (rc < MW_OK)
            return rc;
        h = mw_hash(h, piece, n);
        done = at + n;
    }
    /* The last bytes too: that is where copies differ that were cut or appended to. */
    const uint64_t tail = mw_min(PIECE, in->bytes);
    const int rc = mw_input_read(in, in->bytes - tail, piece, tail);
    *hash = mw_hash(h, piece, tail);
    return rc;
}
