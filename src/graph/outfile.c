/* outfile.c -- see outfile.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANDOM_BYTES = 16, TRIES = 8 };
static const char prefix[] = ".meshway-";

static int fail_create(const char *path, int why)
{
    return mw_fail(MW_ERR_CREATE, "%s: cannot create: %s", path, strerror(why));
}

static int fail_io(const char *path, const char *what, int why)
{
    return mw_fail(MW_ERR_IO, "%s: cannot %s: %s", path, what,
                   why != 0 ? strerror(why) : "an earlier write failed");
}

/* Something to write into rather than to replace: a device, a pipe, or one of the
 * system's names for an open file (/dev/stdout, /dev/fd/3). */
static bool is_direct(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return false;
    if (S_ISLNK(st.st_mode))
        return strncmp(path, "/dev/", 5) == 0 && stat(path, &st) == 0 &&
               !S_ISDIR(st.st_mode);
    return S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode);
}

static int check_target(const char *path, bool force)
{
    struct stat st;
    const size_t length = strlen(path);
    if (length == 0)
        return mw_fail(MW_ERR_CREATE, "an output file needs a name");
    if (path[length - 1] == '/')
        return fail_create(path, EISDIR);
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? MW_OK : fail_create(path, errno);
    if (S_ISDIR(st.st_mode))
        return fail_create(path, EISDIR);
    if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
        return mw_fail(MW_ERR_CREATE, "%s: exists and is not a file", path);
    if (!force)
        return mw_fail(MW_ERR_CREATE, "%s: exists; --force replaces it", path);
    return MW_OK;
}

/* DIR/.meshway-<random>, in fresh memory. */
static int make_temporary(const char *path, char **out)
{
    unsigned char random[RANDOM_BYTES];
    const char *slash = strrchr(path, '/');
    const size_t n_dir = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *name = malloc(n_dir + sizeof prefix + 2 * RANDOM_BYTES);
    if (name == NULL)
        return mw_fail(MW_ERR_NOMEM, "name of a temporary file for %s", path);
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
        free(name);
        return fail_create(path, errno);
    }
    memcpy(name, path, n_dir);
    memcpy(name + n_dir, prefix, sizeof prefix);
    char *hex = name + n_dir + sizeof prefix - 1;
    for (int i = 0; i < RANDOM_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", random[i]);
    *out = name;
    return MW_OK;
}

/* A new file next to `path`, open for writing. */
static int open_temporary(const char *path, char **name, int *fd)
{
    for (int i = 0; i < TRIES; i++) {
        const int rc = make_temporary(path, name);
        if (rc < MW_OK)
            return rc;
        *fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (*fd >= 0)
            return MW_OK;
        const int why = errno;
        free(*name);
        *name = NULL;
        if (why != EEXIST)
            return fail_create(path, why);
    }
    return fail_create(path, EEXIST);
}

int mw_outfile_check(const char *path, bool force)
{
    char *name = NULL;
    int fd = -1;
    if (is_direct(path))
        return access(path, W_OK) == 0 ? MW_OK : fail_create(path, errno);
    int rc = check_target(path, force);
    if (rc < MW_OK)
        return rc;
    rc = open_temporary(path, &name, &fd);
    if (rc < MW_OK)
        return rc;
    close(fd);
    unlink(name);
    free(name);
    return MW_OK;
}

int mw_outfile_open(struct mw_outfile *f, const char *path, bool force)
{
    int fd = -1;
    int rc = MW_OK;
    memset(f, 0, sizeof *f);
    f->force = force;
    if (is_direct(path)) {
        fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
        if (fd < 0)
            return fail_create(path, errno);
    } else {
        MW_TRY(rc, check_target(path, force));
        MW_TRY(rc, open_temporary(path, &f->temporary, &fd));
    }
    f->path = strdup(path);
    f->stream = f->path != NULL ? fdopen(fd, "w") : NULL;
    if (f->stream == NULL) {
        close(fd);
        rc = mw_fail(MW_ERR_NOMEM, "output stream of %s", path);
        goto fail;
    }
    return MW_OK;
fail:
    mw_outfile_abandon(f);
    return rc;
}

int mw_outfile_write(struct mw_outfile *f, const void *data, size_t bytes)
{
    errno = 0;
    if (fwrite(data, 1, bytes, f->stream) != bytes)
        return fail_io(f->path, "write", errno);
    return MW_OK;
}

/* Gives the finished file its name; without `force` never over another one. */
static int give_name(const struct mw_outfile *f)
{
    if (f->force)
        return rename(f->temporary, f->path) == 0 ? MW_OK
                                                  : fail_io(f->path, "rename", errno);
    if (link(f->temporary, f->path) == 0) {
        unlink(f->temporary);
        return MW_OK;
    }
    if (errno == EEXIST)
        return mw_fail(MW_ERR_CREATE,
                       "%s: appeared while it was being written; --force replaces it",
                       f->path);
    /* A file system without hard links: look once more, then rename. */
    const int rc = check_target(f->path, false);
    if (rc < MW_OK)
        return rc;
    return rename(f->temporary, f->path) == 0 ? MW_OK : fail_io(f->path, "rename", errno);
}

/* The directory entry reaches the disk too, where the system can do that. */
static void sync_directory(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        slash[slash == path ? 1 : 0] = '\0';
    const int fd = open(slash != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

int mw_outfile_commit(struct mw_outfile *f)
{
    int rc = MW_OK;
    errno = 0;
    if (fflush(f->stream) != 0 || ferror(f->stream))
        rc = fail_io(f->path, "write", errno);
    else if (f->temporary != NULL && fsync(fileno(f->stream)) != 0)
        rc = fail_io(f->path, "sync", errno);
    errno = 0;
    if (fclose(f->stream) != 0 && rc == MW_OK)
        rc = fail_io(f->path, "close", errno);
    f->stream = NULL;
    if (rc == MW_OK && f->temporary != NULL)
        rc = give_name(f);
    if (rc == MW_OK && f->temporary != NULL) {
        free(f->temporary);
        f->temporary = NULL;
        sync_directory(f->path);
    }
    mw_outfile_abandon(f);
    return rc;
}

void mw_outfile_abandon(struct mw_outfile *f)
{
    if (f->stream != NULL)
        fclose(f->stream);
    if (f->temporary != NULL)
        unlink(f->temporary);
    free(f->temporary);
    free(f->path);
    memset(f, 0, sizeof *f);
}
