/* graph_source.c -- see graph_source.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/graph_source.h"

#include "base/mem.h"
#include "base/stop.h"
#include "cli/run/foreign_source.h"
#include "cli/run/unpack.h"
#include "io/foreign.h"
#include "io/format.h"
#include "io/packing.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    BLOCK = 1 << 20,
    PATH_ROOM = 512,
    WRITER_MS = 2000,
    POLL_MS = 100, /* between looks at `stop` */
    RATIO =
        100 /* text of edges packs to a tenth or a twentieth; a bomb to a thousandth */
};
static const uint64_t least_limit = UINT64_C(4) << 30;

/* What rank 0 reads from, and where it goes. */
struct source {
    const char *path, *name;
    uint64_t limit; /* as given */
    int fd;         /* -1: none */
    bool regular;
    uint64_t file_bytes; /* 0: a pipe */
    const struct mw_packing *packing;
    struct mw_unpack *unpack;
    unsigned char head[MW_PACKING_BYTES]; /* read already, to be given again */
    uint64_t n_head, n_repeated;
    uint64_t n_taken;            /* bytes that came in */
    bool any_kind;               /* nobody has said what it is */
    enum mw_converted converted; /* by ... */
    struct mw_foreign_source foreign;
};

/* ---- in ---- */

/* Waits for bytes, but not for ever for somebody who wants to end this. */
static int read_some(struct source *s, void *to, uint64_t room, uint64_t *got)
{
    struct pollfd wait = {.fd = s->fd, .events = POLLIN};
    *got = 0;
    for (;;) {
        const int rc = mw_stop_check("reading", s->name);
        if (rc < MW_OK)
            return rc;
        const int ready = poll(&wait, 1, POLL_MS);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        const ssize_t n = ready < 0 ? -1 : read(s->fd, to, (size_t)room);
        if (n >= 0) {
            *got = (uint64_t)n;
            s->n_taken += *got;
            return n == 0 && s->foreign.pid > 0 ? mw_foreign_end(&s->foreign, s->name)
                                                : MW_OK;
        }
        if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
            return mw_fail(MW_ERR_NOINPUT, "%s: cannot read after %llu bytes: %s",
                           s->name, (unsigned long long)s->n_taken, strerror(errno));
    }
}

/* mw_unpack_source */
static int read_packed(void *arg, void *to, uint64_t room, uint64_t *got)
{
    struct source *s = arg;
    const uint64_t n = mw_min(s->n_head - s->n_repeated, room);
    if (n == 0)
        return read_some(s, to, room, got);
    memcpy(to, s->head + s->n_repeated, n);
    s->n_repeated += n;
    *got = n;
    return MW_OK;
}

static int read_content(struct source *s, void *to, uint64_t room, uint64_t *got)
{
    return s->unpack != NULL ? mw_unpack_read(s->unpack, to, room, got)
                             : read_packed(s, to, room, got);
}

/* The first bytes of a named pipe, whose reader does not wait for a writer when it opens it:
 * one who comes soon is waited for, one who never comes is not. */
static int meet_writer(struct source *s)
{
    struct pollfd wait = {.fd = s->fd, .events = POLLIN};
    for (int i = 0; i < WRITER_MS / POLL_MS; i++) {
        const ssize_t n = read(s->fd, s->head, sizeof s->head);
        if (n > 0)
            s->n_taken = s->n_head = (uint64_t)n;
        if (n > 0 || (n < 0 && errno == EAGAIN))
            return MW_OK;
        const int rc = mw_stop_check("reading", s->name);
        if (rc < MW_OK)
            return rc;
        poll(&wait, 1, POLL_MS);
    }
    return mw_fail(MW_ERR_NOINPUT, "%s: is a pipe that nobody writes to", s->name);
}

static int read_head(struct source *s)
{
    uint64_t got = 1;
    if (s->fd != STDIN_FILENO && !s->regular) {
        const int rc = meet_writer(s);
        if (rc < MW_OK)
            return rc;
    }
    while (got > 0 && s->n_head < sizeof s->head) {
        const int rc =
            read_some(s, s->head + s->n_head, sizeof s->head - s->n_head, &got);
        if (rc < MW_OK)
            return rc;
        s->n_head += got;
    }
    s->packing = mw_packing_find(s->head, s->n_head);
    if (s->packing != NULL && !s->packing->stream)
        s->packing = NULL; /* the reader will name it */
    return MW_OK;
}

static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* A file that Python reads is a pipe from there. */
static int look_at_kind(struct source *s)
{
    const char *const kind = s->any_kind && s->regular && s->packing == NULL
                                 ? mw_foreign_kind(s->fd, s->file_bytes)
                                 : NULL;
    if (kind == NULL)
        return MW_OK;
    close(s->fd);
    s->fd = -1;
    s->regular = false;
    s->converted =
        strcmp(kind, MW_FOREIGN_GRAPHML) == 0 ? MW_CONVERTED_NODES : MW_CONVERTED;
    s->file_bytes = s->n_head = 0;
    return mw_foreign_start(&s->foreign, kind, s->path, &s->fd);
}

/* Rank 0. *plain: a regular file that is not packed, or none at all, which opening says. */
static int look(struct source *s, bool *plain)
{
    struct stat st;
    *plain = false;
    s->fd = STDIN_FILENO;
    s->name = name_of(s->path);
    if (strcmp(s->path, "-") != 0) {
        s->fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        *plain = s->fd < 0 || fstat(s->fd, &st) != 0 ||
                 (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode));
        if (*plain)
            return MW_OK;
        s->regular = S_ISREG(st.st_mode);
        s->file_bytes = s->regular ? (uint64_t)st.st_size : 0;
    }
    int rc = read_head(s);
    if (rc == MW_OK)
        rc = look_at_kind(s);
    *plain = rc == MW_OK && s->regular && s->packing == NULL;
    return rc;
}

static int start_unpacking(struct source *s)
{
    if (s->packing == NULL)
        return MW_OK;
    const int rc = mw_unpack_new(s->name, s->packing->what, read_packed, s, &s->unpack);
    if (rc != MW_ERR_UNAVAILABLE)
        return rc;
    char why[512];
    snprintf(why, sizeof why, "%s", mw_error_text());
    return mw_fail(rc, "%s; unpack it first: %s %s", why, s->packing->command, s->name);
}

static void close_source(struct source *s)
{
    mw_unpack_free(s->unpack);
    if (s->fd > STDIN_FILENO)
        close(s->fd);
    mw_foreign_stop(&s->foreign);
}

/* ---- out ---- */

static const char *folder(void)
{
    const char *named = getenv("TMPDIR");
    return named != NULL && *named != '\0' ? named : "/tmp";
}

/* The first host's file; the others' have its name and their number, because hosts may share
 * the folder. */
static int create_first(char path[PATH_ROOM], int *fd)
{
    if (snprintf(path, PATH_ROOM, "%s/meshway-XXXXXX", folder()) >= PATH_ROOM - 16)
        return mw_fail(MW_ERR_CREATE, "TMPDIR: %zu characters are too long",
                       strlen(folder()));
    *fd = mkstemp(path);
    if (*fd < 0)
        return mw_fail(MW_ERR_CREATE,
                       "%s: cannot create a file to unpack into: %s; TMPDIR chooses "
                       "another folder",
                       folder(), strerror(errno));
    return MW_OK;
}

static int open_file(const char *path, int flags, int *fd)
{
    *fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    return *fd >= 0 ? MW_OK
                    : mw_fail(MW_ERR_CREATE,
                              "%s: cannot open the file to unpack into: %s; TMPDIR "
                              "chooses another folder",
                              path, strerror(errno));
}

/* Collective: one file a host, open on all its ranks, and without a name. */
static int make_file(struct mw_comm *comm, int *fd)
{
    char path[PATH_ROOM] = "";
    const bool first = comm == NULL || comm->rank == 0;
    const bool leads = comm == NULL || comm->host_rank == 0;
    int rc = first ? create_first(path, fd) : MW_OK;
    if (comm != NULL) {
        rc = mw_comm_agree(comm, rc);
        if (rc == MW_OK)
            rc = mw_comm_broadcast(comm, path, sizeof path, 0);
        if (rc == MW_OK && comm->host > 0)
            snprintf(path + strlen(path), sizeof path - strlen(path), ".%u", comm->host);
        if (rc == MW_OK && leads && !first)
            rc = open_file(path, O_RDWR | O_CREAT | O_EXCL, fd);
        rc = mw_comm_agree(comm, rc);
        if (rc == MW_OK && !leads)
            rc = open_file(path, O_RDONLY, fd);
        rc = mw_comm_agree(comm, rc);
    }
    if (leads && *fd >= 0)
        unlink(path);
    return rc;
}

static int write_all(int fd, const unsigned char *from, uint64_t bytes, uint64_t before)
{
    for (uint64_t done = 0; done < bytes;) {
        const ssize_t n = write(fd, from + done, (size_t)(bytes - done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return mw_fail(MW_ERR_IO,
                           "cannot unpack into %s: %s after %llu bytes; TMPDIR chooses "
                           "another folder",
                           folder(), strerror(errno),
                           (unsigned long long)(before + done));
        done += (uint64_t)n;
    }
    return MW_OK;
}

/* ---- limits ---- */

static uint64_t room_in(int fd)
{
    struct statvfs fs;
    return fstatvfs(fd, &fs) == 0 ? (uint64_t)fs.f_bavail * fs.f_frsize : UINT64_MAX;
}

/* What a packed file of this size may become. Of a pipe we know what has come. */
static uint64_t limit_of(const struct source *s)
{
    if (s->packing == NULL)
        return UINT64_MAX;
    if (s->limit != 0)
        return s->limit;
    return mw_max(least_limit, RATIO * mw_max(s->file_bytes, s->n_taken));
}

static int check_limits(const struct source *s, uint64_t bytes, uint64_t room)
{
    const uint64_t limit = limit_of(s);
    if (bytes > limit)
        return mw_fail(MW_ERR_REFUSED,
                       "%s: unpacks to more than %llu bytes (it is a %s file of which "
                       "%llu bytes are read); if that is meant, say --unpack-limit SIZE",
                       s->name, (unsigned long long)limit, s->packing->what,
                       (unsigned long long)s->n_taken);
    if (bytes > room)
        return mw_fail(MW_ERR_REFUSED,
                       "%s: %s has room for %llu bytes, which are not enough; TMPDIR "
                       "chooses another folder",
                       s->name, folder(), (unsigned long long)room);
    return MW_OK;
}

/* ---- the copy ---- */

/* Rank 0: the next block, into the file. *got 0 at the end. */
static int copy_block(struct source *s, int fd, unsigned char *block, uint64_t before,
                      uint64_t room, uint64_t *got)
{
    int rc = read_content(s, block, BLOCK, got);
    if (rc >= MW_OK)
        rc = check_limits(s, before + *got, room);
    return rc >= MW_OK ? write_all(fd, block, *got, before) : rc;
}

/* Collective. Ranks of other hosts follow rank 0 block by block; each block is preceded by its
 * length, 0 at the end. A rank that fails goes on with its part of the broadcasts. */
static int copy(struct mw_comm *comm, struct source *s, int fd, uint64_t *bytes)
{
    int rc = MW_OK;
    const bool first = comm == NULL || comm->rank == 0;
    const bool sends = comm != NULL && comm->n_hosts > 1;
    const bool writes = !first && comm->host_rank == 0;
    const uint64_t room = first ? room_in(fd) : 0;
    uint64_t n = 1;
    *bytes = 0;
    unsigned char *block = mw_alloc("block of a graph", BLOCK, 1);
    if (block == NULL)
        rc = MW_ERR_NOMEM;
    if (comm != NULL)
        rc = mw_comm_agree(comm, rc);
    if (rc < MW_OK) {
        mw_free(block);
        return rc;
    }
    while (n > 0 && (first || sends)) {
        if (first && (rc = copy_block(s, fd, block, *bytes, room, &n)) < MW_OK)
            n = 0;
        if (sends) {
            int sent = mw_comm_broadcast(comm, &n, sizeof n, 0);
            if (sent >= MW_OK && n > 0)
                sent = mw_comm_broadcast(comm, block, n, 0);
            if (sent < MW_OK) {
                mw_free(block);
                return sent;
            }
        }
        if (writes && rc >= MW_OK)
            rc = write_all(fd, block, n, *bytes);
        *bytes += n;
    }
    mw_free(block);
    return rc;
}

/* Collective: what rank 0 looks at becomes a file of each host. */
static int store(struct mw_comm *comm, struct source *s, struct mw_input *out)
{
    int fd = -1;
    uint64_t told[2] = {0, s->converted}; /* bytes, and whether they are converted */
    int rc = make_file(comm, &fd);
    if (rc == MW_OK)
        rc = copy(comm, s, fd, &told[0]);
    if (comm != NULL) {
        rc = mw_comm_agree(comm, rc);
        if (rc == MW_OK)
            rc = mw_comm_broadcast(comm, told, sizeof told, 0);
    }
    if (rc == MW_OK) {
        mw_input_take(out, name_of(s->path), fd, told[0]);
        out->converted = (enum mw_converted)told[1];
    } else if (fd >= 0) {
        close(fd);
    }
    return rc;
}

/* `limit`: the most bytes that unpacking may give; 0: in proportion. */
static int open_source(struct mw_comm *comm, const char *path, uint64_t limit,
                       bool any_kind, struct mw_input *out)
{
    struct source s = {.path = path, .limit = limit, .any_kind = any_kind, .fd = -1};
    bool plain = false;
    uint64_t is_plain;
    *out = (struct mw_input){.fd = -1};
    int rc = MW_OK;
    if (comm == NULL || comm->rank == 0) {
        rc = look(&s, &plain);
        if (rc == MW_OK && !plain)
            rc = start_unpacking(&s);
    }
    is_plain = plain;
    if (comm != NULL) {
        rc = mw_comm_agree(comm, rc);
        if (rc == MW_OK)
            rc = mw_comm_broadcast(comm, &is_plain, sizeof is_plain, 0);
    }
    if (rc == MW_OK && !is_plain)
        rc = store(comm, &s, out);
    close_source(&s);
    if (rc == MW_OK && is_plain) {
        rc = mw_input_open(out, path);
        if (comm != NULL)
            rc = mw_comm_agree(comm, rc);
    }
    return rc;
}

int mw_source_of(struct mw_comm *comm, const struct mw_settings *s, const char *option,
                 struct mw_input *out)
{
    return open_source(comm, mw_setting_text(s, option),
                       mw_setting_number(s, "unpack-limit"),
                       mw_option_find(s->command, "format") == NULL ||
                           mw_setting_number(s, "format") == MW_FORMAT_AUTO,
                       out);
}
