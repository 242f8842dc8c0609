/* unpack.c -- see unpack.h. libarchive's filters, and no format but "raw".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/unpack.h"

#include "base/mem.h"

#include <archive.h>
#include <errno.h>

enum { PIECE = 64 << 10 };

struct mw_unpack {
    const char *name, *what;
    mw_unpack_source *source;
    void *arg;
    struct archive *archive;
    int source_rc; /* what went wrong below, if it did */
    bool ended;    /* it holds nothing */
    unsigned char piece[PIECE];
};

static la_ssize_t on_read(struct archive *a, void *arg, const void **piece)
{
    struct mw_unpack *u = arg;
    uint64_t got = 0;
    u->source_rc = u->source(u->arg, u->piece, sizeof u->piece, &got);
    *piece = u->piece;
    if (u->source_rc >= MW_OK)
        return (la_ssize_t)got;
    archive_set_error(a, EIO, "cannot be read");
    return -1;
}

static int fail(const struct mw_unpack *u)
{
    if (u->source_rc < MW_OK)
        return u->source_rc;
    const char *why = archive_error_string(u->archive);
    return mw_fail(MW_ERR_DATA, "%s: a damaged or cut %s file: %s", u->name, u->what,
                   why != NULL ? why : "it makes no sense");
}

/* ARCHIVE_WARN means that libarchive would start another program. */
static int support(struct archive *a)
{
    static int (*const filters[])(struct archive *) = {
        archive_read_support_filter_gzip, archive_read_support_filter_bzip2,
        archive_read_support_filter_xz, archive_read_support_filter_zstd,
        archive_read_support_filter_lz4};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (filters[i](a) != ARCHIVE_OK)
            return mw_fail(MW_ERR_UNAVAILABLE, "libarchive lacks a filter: %s",
                           archive_error_string(a));
    return archive_read_support_format_raw(a) == ARCHIVE_OK &&
                   archive_read_support_format_empty(a) == ARCHIVE_OK
               ? MW_OK
               : mw_fail(MW_ERR_UNAVAILABLE, "libarchive: %s", archive_error_string(a));
}

int mw_unpack_new(const char *name, const char *what, mw_unpack_source *source, void *arg,
                  struct mw_unpack **out)
{
    int rc = MW_OK;
    struct mw_unpack *u = NULL;
    struct archive_entry *entry;
    MW_NEW(rc, u, "unpacking", 1);
    u->name = name;
    u->what = what;
    u->source = source;
    u->arg = arg;
    u->archive = archive_read_new();
    if (u->archive == NULL)
        MW_TRY(rc, mw_fail(MW_ERR_NOMEM, "%s: no memory for unpacking", name));
    MW_TRY(rc, support(u->archive));
    if (archive_read_open(u->archive, u, NULL, on_read, NULL) != ARCHIVE_OK)
        MW_TRY(rc, fail(u));
    const int header = archive_read_next_header(u->archive, &entry);
    if (header != ARCHIVE_OK && header != ARCHIVE_WARN && header != ARCHIVE_EOF)
        MW_TRY(rc, fail(u));
    u->ended = header == ARCHIVE_EOF;
    *out = u;
    return MW_OK;
end:
    mw_unpack_free(u);
    return rc;
}

void mw_unpack_free(struct mw_unpack *u)
{
    if (u == NULL)
        return;
    archive_read_free(u->archive);
    mw_free(u);
}

int mw_unpack_read(struct mw_unpack *u, void *to, uint64_t room, uint64_t *got)
{
    const la_ssize_t n = u->ended ? 0 : archive_read_data(u->archive, to, (size_t)room);
    *got = n > 0 ? (uint64_t)n : 0;
    return n < 0 || u->source_rc < MW_OK ? fail(u) : MW_OK;
}
