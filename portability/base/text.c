/* text.c -- see text.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/text.h"

#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
fail:
    return rc;
}

int mw_text_read(const char *file, size_t most, char **text, size_t *bytes)
{
    const bool standard = strcmp(file, "-") == 0;
    FILE *f = standard ? stdin : fopen(file, "rb");
    *text = NULL;
    *bytes = 0;
    if (f == NULL)
        return mw_fail(MW_ERR_NOINPUT, "cannot open %s: %s", file, strerror(errno));
    int rc = read_all(f, most, text, bytes);
    if (rc == MW_OK && ferror(f))
        rc = mw_fail(MW_ERR_NOINPUT, "cannot read %s: %s", file, strerror(errno));
    if (rc == MW_OK && *bytes > most)
        rc = mw_fail(MW_ERR_DATA, "%s has more than %zu bytes", file, most);
    if (!standard)
        fclose(f);
    if (rc < MW_OK) {
        mw_free(*text);
        *text = NULL;
    }
    return rc;
}
