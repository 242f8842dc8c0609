/* pack.c -- see pack.h. libarchive's filters, and no format but "raw".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/pack.h"

#include "base/mem.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

struct pack {
    struct mw_outfile *to; /* borrowed */
    struct archive *archive;
    int sink_rc; /* what went wrong below, if it did */
};

static la_ssize_t on_write(struct archive *a, void *arg, const void *data, size_t bytes)
{
    struct pack *p = arg;
    p->sink_rc = mw_outfile_write(p->to, data, bytes);
    if (p->sink_rc >= MW_OK)
        return (la_ssize_t)bytes;
    archive_set_error(a, EIO, "cannot be written");
    return -1;
}

static int fail(const struct pack *p)
{
    if (p->sink_rc < MW_OK)
        return p->sink_rc;
    const char *why = archive_error_string(p->archive);
    return mw_fail(MW_ERR_IO, "%s: cannot pack: %s", p->to->path,
                   why != NULL ? why : "libarchive does not say why");
}

/* ARCHIVE_WARN means that libarchive would start another program. */
static int choose_filter(struct pack *p, const char *packing)
{
    struct archive *a = p->archive;
    if (archive_write_add_filter_by_name(a, packing) != ARCHIVE_OK ||
        archive_write_set_format_raw(a) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(a, 1) != ARCHIVE_OK)
        return mw_fail(MW_ERR_UNAVAILABLE, "%s: libarchive cannot pack by %s",
                       p->to->path, packing);
    /* A time in the file would make each one another. */
    return strcmp(packing, "gzip") != 0 ||
                   archive_write_set_filter_option(a, packing, "timestamp", NULL) ==
                       ARCHIVE_OK
               ? MW_OK
               : fail(p);
}

/* The one entry that "raw" has. */
static int open_entry(struct pack *p)
{
    struct archive_entry *entry = archive_entry_new();
    if (entry == NULL)
        return mw_fail(MW_ERR_NOMEM, "%s: no memory for packing", p->to->path);
    archive_entry_set_filetype(entry, AE_IFREG);
    const int written = archive_write_header(p->archive, entry);
    archive_entry_free(entry);
    return written == ARCHIVE_OK ? MW_OK : fail(p);
}

static void release(void *packer)
{
    struct pack *p = packer;
    if (p == NULL)
        return;
    if (p->archive != NULL) {
        archive_write_fail(p->archive); /* freeing would write what it still has */
        archive_write_free(p->archive);
    }
    mw_free(p);
}

static int begin(const char *packing, struct mw_outfile *to, void **packer)
{
    int rc = MW_OK;
    struct pack *p = NULL;
    MW_NEW(rc, p, "packing", 1);
    p->to = to;
    p->archive = archive_write_new();
    if (p->archive == NULL)
        MW_TRY(rc, mw_fail(MW_ERR_NOMEM, "%s: no memory for packing", to->path));
    MW_TRY(rc, choose_filter(p, packing));
    if (archive_write_open(p->archive, p, NULL, on_write, NULL) != ARCHIVE_OK)
        MW_TRY(rc, fail(p));
    MW_TRY(rc, open_entry(p));
    *packer = p;
    return MW_OK;
end:
    release(p);
    return rc;
}

static int put(void *packer, const void *data, size_t bytes)
{
    struct pack *p = packer;
    const la_ssize_t n = archive_write_data(p->archive, data, bytes);
    return n == (la_ssize_t)bytes && p->sink_rc >= MW_OK ? MW_OK : fail(p);
}

static int end(void *packer)
{
    struct pack *p = packer;
    return archive_write_close(p->archive) == ARCHIVE_OK && p->sink_rc >= MW_OK ? MW_OK
                                                                                : fail(p);
}

const struct mw_write_packer mw_packer = {begin, put, end, release};
