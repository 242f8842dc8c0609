/* text.c -- see text.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/text.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_ROOM = 1 << 14 };

/* `room` bytes are read at most; one more than is allowed tells that there are too many. */
static int read_all(FILE *f, size_t most, char **text, size_t *bytes)
{
    int rc = MW_OK;
    size_t room = (size_t)mw_min(FIRST_ROOM, most + 1);
    *bytes = 0;
    MW_NEW(rc, *text, "text", room + 1);
    while ((*bytes += fread(*text + *bytes, 1, room - *bytes, f)) == room &&
           room <= most) {
        const size_t larger_room = (size_t)mw_min(4 * room, most + 1);
        char *larger = mw_alloc("text", larger_room + 1, 1);
        if (larger == NULL)
            return MW_ERR_NOMEM;
        memcpy(larger, *text, *bytes);
        mw_free(*text);
        *text = larger;
        room = larger_room;
    }
end:
    return rc;
}

/* A pipe that somebody writes into is read like a file; without a writer it would never end. */
static int expect_writer(FILE *f, const char *file)
{
    const int c = getc(f), flags = fcntl(fileno(f), F_GETFL);
    if (c == EOF && feof(f))
        return mw_fail(MW_ERR_NOINPUT, "%s: is a pipe that nobody writes into", file);
    if (c != EOF)
        ungetc(c, f);
    clearerr(f); /* EAGAIN: the writer has not begun */
    if (flags < 0 || fcntl(fileno(f), F_SETFL, flags & ~O_NONBLOCK) < 0)
        return mw_fail(MW_ERR_NOINPUT, "cannot read %s: %s", file, strerror(errno));
    return MW_OK;
}

static int check_kind(FILE *f, const char *file)
{
    struct stat st;
    if (fstat(fileno(f), &st) != 0)
        return mw_fail(MW_ERR_NOINPUT, "cannot read %s: %s", file, strerror(errno));
    if (S_ISREG(st.st_mode))
        return MW_OK;
    if (S_ISFIFO(st.st_mode))
        return expect_writer(f, file);
    return mw_fail(MW_ERR_NOINPUT, "%s: is a %s, expected a file or - for standard input",
                   file, S_ISDIR(st.st_mode) ? "directory" : "device");
}

/* O_NONBLOCK: a FIFO without a writer would keep us here. */
static int open_file(const char *file, FILE **out)
{
    const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    *out = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (*out != NULL)
        return check_kind(*out, file);
    const int why = errno;
    if (fd >= 0)
        close(fd);
    if (why == ENXIO) /* of what is there: a socket, a device without a driver */
        return mw_fail(MW_ERR_NOINPUT, "%s: is a socket or a device, expected a file",
                       file);
    return mw_fail(MW_ERR_NOINPUT, "cannot open %s: %s", file, strerror(why));
}

int mw_text_read(const char *file, size_t most, char **text, size_t *bytes)
{
    const bool standard = strcmp(file, "-") == 0;
    FILE *f = stdin;
    int rc = standard ? MW_OK : open_file(file, &f);
    *text = NULL;
    *bytes = 0;
    if (rc == MW_OK)
        rc = read_all(f, most, text, bytes);
    if (rc == MW_OK && ferror(f))
        rc = mw_fail(MW_ERR_NOINPUT, "cannot read %s: %s", file, strerror(errno));
    if (rc == MW_OK && *bytes > most)
        rc = mw_fail(MW_ERR_DATA, "%s has more than %zu bytes", file, most);
    if (!standard && f != NULL)
        fclose(f);
    if (rc < MW_OK) {
        mw_free(*text);
        *text = NULL;
    }
    return rc;
}
