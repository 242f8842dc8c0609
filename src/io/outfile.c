/* outfile.c -- see outfile.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANDOM_BYTES = 16, TRIES = 8, HELD_MOST = 8, TEMPORARIES_MOST = 16 };
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

/* ---- Temporary files of the process ------------------------------------------------ */

/* In memory that is never freed, for a signal may ask at any time. */
enum { SLOT_FREE, SLOT_TAKEN, SLOT_ARMED };
static struct {
    uint32_t state; /* one of the above; atomic */
    char path[PATH_MAX];
} temporaries[TEMPORARIES_MOST];

/* Before the file is made. Beyond the last slot, or with a name that no file can have, it is
 * not remembered. */
static uint32_t remember(const char *path)
{
    const size_t bytes = strlen(path) + 1;
    for (uint32_t i = 0; bytes <= PATH_MAX && i < TEMPORARIES_MOST; i++) {
        uint32_t is_free = SLOT_FREE;
        if (!MW_SWAP_ACQ_REL(&temporaries[i].state, &is_free, SLOT_TAKEN))
            continue;
        memcpy(temporaries[i].path, path, bytes);
        MW_STORE_RELEASE(&temporaries[i].state, SLOT_ARMED);
        return i;
    }
    return TEMPORARIES_MOST;
}

static void forget(uint32_t slot)
{
    if (slot < TEMPORARIES_MOST)
        MW_STORE_RELEASE(&temporaries[slot].state, SLOT_FREE);
}

void mw_outfile_remove_temporaries(void)
{
    const int saved = errno;
    for (uint32_t i = 0; i < TEMPORARIES_MOST; i++)
        if (MW_LOAD_ACQUIRE(&temporaries[i].state) == SLOT_ARMED)
            unlink(temporaries[i].path);
    errno = saved;
}

/* ---- What is written directly ------------------------------------------------------ */

/* The descriptor of this process that a path is a name for; -1: it is none. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t n = strlen(folders[i]);
        const char *number = path + n;
        if (strncmp(path, folders[i], n) == 0 && *number != '\0' &&
            number[strspn(number, "0123456789")] == '\0' && strlen(number) < 9)
            return atoi(number);
    }
    return -1;
}

bool mw_outfile_is_direct(const char *path)
{
    struct stat st;
    if (descriptor_of(path) >= 0)
        return true;
    return lstat(path, &st) == 0 && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode));
}

/* FIFOs that were checked and are not yet written. */
static struct {
    dev_t device;
    ino_t inode;
    int fd;
} held[HELD_MOST];
static uint32_t n_held;

/* -1: none; the caller has it now. */
static int take_held(const struct stat *st)
{
    for (uint32_t i = 0; i < n_held; i++)
        if (held[i].device == st->st_dev && held[i].inode == st->st_ino) {
            const int fd = held[i].fd;
            held[i] = held[--n_held];
            return fd;
        }
    return -1;
}

static void hold(int fd)
{
    struct stat st;
    if (n_held == HELD_MOST || fstat(fd, &st) != 0 || !S_ISFIFO(st.st_mode)) {
        close(fd);
        return;
    }
    held[n_held].device = st.st_dev;
    held[n_held].inode = st.st_ino;
    held[n_held++].fd = fd;
}

/* Shares the place in the file with whoever else writes there: opened anew, a file behind
 * /dev/stdout would be written twice from its beginning. */
static int open_descriptor(const char *path, int number)
{
    const int flags = fcntl(number, F_GETFL);
    if (flags < 0)
        return fail_create(path, errno);
    if ((flags & O_ACCMODE) == O_RDONLY)
        return mw_fail(MW_ERR_CREATE, "%s: cannot create: not open for writing", path);
    const int fd = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return fd >= 0 ? fd : fail_create(path, errno);
}

/* The descriptor, or an error. O_NONBLOCK keeps a FIFO without a reader, or a line without a
 * carrier, from keeping us. */
static int open_direct(const char *path)
{
    struct stat st;
    const int number = descriptor_of(path);
    if (number >= 0)
        return open_descriptor(path, number);
    int fd = stat(path, &st) == 0 ? take_held(&st) : -1;
    if (fd >= 0)
        return fd;
    fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 && errno == ENXIO && S_ISFIFO(st.st_mode))
        return mw_fail(MW_ERR_CREATE,
                       "%s: is a pipe that nobody reads; start its reader first", path);
    if (fd < 0)
        return fail_create(path, errno);
    const int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0) {
        const int why = errno;
        close(fd);
        return fail_create(path, why);
    }
    return fd;
}

/* A reader that leaves is an error to report, unless it is that of standard output: then the
 * program ends quietly as every filter does. */
static bool is_piped(const char *path, int fd)
{
    struct stat st;
    const int number = descriptor_of(path);
    return number != STDOUT_FILENO && number != STDERR_FILENO && fstat(fd, &st) == 0 &&
           S_ISFIFO(st.st_mode);
}

/* SIGPIPE while such outputs are open: counted, for there may be several. */
static struct sigaction pipe_before;
static uint32_t n_piped;

static void ignore_broken_pipes(void)
{
    struct sigaction none = {.sa_handler = SIG_IGN};
    sigemptyset(&none.sa_mask);
    if (n_piped++ == 0)
        sigaction(SIGPIPE, &none, &pipe_before);
}

static void mind_broken_pipes(void)
{
    if (--n_piped == 0)
        sigaction(SIGPIPE, &pipe_before, NULL);
}

static int check_direct(const char *path)
{
    const int fd = open_direct(path);
    if (fd < 0)
        return fd;
    if (descriptor_of(path) >= 0)
        close(fd);
    else
        hold(fd);
    return MW_OK;
}

/* ---- Which file is it? ------------------------------------------------------------- */

static bool is_null(const struct stat *st)
{
    struct stat null;
    return S_ISCHR(st->st_mode) && stat("/dev/null", &null) == 0 &&
           null.st_rdev == st->st_rdev;
}

/* The directory of a path, and the name in it; NULL: no memory. */
static const char *stat_folder(const char *path, struct stat *st, bool *exists)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL   ? strdup(".")
                   : slash == path ? strdup("/")
                                   : strndup(path, (size_t)(slash - path));
    *exists = folder != NULL && stat(folder, st) == 0;
    free(folder);
    return slash != NULL ? slash + 1 : path;
}

bool mw_outfile_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    bool a_is = stat(a, &of_a) == 0, b_is = stat(b, &of_b) == 0;
    if (a_is && is_null(&of_a))
        return false;
    if (!a_is && !b_is) {
        const char *const name_a = stat_folder(a, &of_a, &a_is);
        const char *const name_b = stat_folder(b, &of_b, &b_is);
        if (strcmp(name_a, name_b) != 0)
            return false;
    }
    return a_is && b_is && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* ---- Checking, opening ------------------------------------------------------------- */

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

/* A new file next to `path`, open for writing, with the mode that the umask leaves. */
static int open_temporary(const char *path, char **name, uint32_t *slot, int *fd)
{
    for (int i = 0; i < TRIES; i++) {
        const int rc = make_temporary(path, name);
        if (rc < MW_OK)
            return rc;
        *slot = remember(*name);
        *fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (*fd >= 0)
            return MW_OK;
        const int why = errno;
        forget(*slot);
        free(*name);
        *name = NULL;
        if (why != EEXIST)
            return fail_create(path, why);
    }
    return fail_create(path, EEXIST);
}

/* A file that is written anew is open to those that it was open to. */
static int keep_mode(const char *path, int fd)
{
    struct stat before, now;
    if (lstat(path, &before) != 0 || !S_ISREG(before.st_mode) || fstat(fd, &now) != 0)
        return MW_OK;
    const mode_t mode = before.st_mode & 0777;
    return mode == (now.st_mode & 0777) || fchmod(fd, mode) == 0
               ? MW_OK
               : fail_create(path, errno);
}

int mw_outfile_check(const char *path, bool force)
{
    char *name = NULL;
    uint32_t slot;
    int fd = -1;
    if (mw_outfile_is_direct(path))
        return check_direct(path);
    int rc = check_target(path, force);
    if (rc < MW_OK)
        return rc;
    rc = open_temporary(path, &name, &slot, &fd);
    if (rc < MW_OK)
        return rc;
    close(fd);
    unlink(name);
    forget(slot);
    free(name);
    return MW_OK;
}

/* One folder of a path, unless it is there. */
static int make_folder(const char *path, mode_t mode)
{
    struct stat st;
    if (mkdir(path, mode) == 0 || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
        return MW_OK;
    return mw_fail(MW_ERR_CREATE, "%s: cannot create the folder: %s", path,
                   strerror(errno == EEXIST ? ENOTDIR : errno));
}

int mw_outfile_folder(const char *path, mode_t mode)
{
    int rc = MW_OK;
    char *part = strdup(path);
    if (part == NULL)
        return mw_fail(MW_ERR_NOMEM, "name of the folder %s", path);
    for (char *p = part + 1; rc == MW_OK && part[0] != '\0' && *p != '\0'; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        rc = make_folder(part, mode);
        *p = '/';
    }
    free(part);
    return rc == MW_OK ? make_folder(path, mode) : rc;
}

int mw_outfile_open(struct mw_outfile *f, const char *path, bool force)
{
    int fd = -1;
    int rc = MW_OK;
    memset(f, 0, sizeof *f);
    f->force = force;
    if (mw_outfile_is_direct(path)) {
        MW_TRY(rc, fd = open_direct(path));
        f->piped = is_piped(path, fd);
        if (f->piped)
            ignore_broken_pipes();
    } else {
        MW_TRY(rc, check_target(path, force));
        MW_TRY(rc, open_temporary(path, &f->temporary, &f->slot, &fd));
        MW_TRY(rc, keep_mode(path, fd));
    }
    f->path = strdup(path);
    f->stream = f->path != NULL ? fdopen(fd, "w") : NULL;
    if (f->stream == NULL)
        MW_TRY(rc, mw_fail(MW_ERR_NOMEM, "output stream of %s", path));
    return MW_OK;
end:
    if (fd >= 0 && f->stream == NULL)
        close(fd);
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
        forget(f->slot);
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
    if (f->temporary != NULL) {
        unlink(f->temporary);
        forget(f->slot);
    }
    if (f->piped)
        mind_broken_pipes();
    free(f->temporary);
    free(f->path);
    memset(f, 0, sizeof *f);
}
