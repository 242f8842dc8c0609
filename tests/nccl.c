/* nccl.c -- a library with the functions of NCCL that the program uses, between processes of one host: sockets whose
 * names are the group's. What lies in the memory of a CUDA device goes through the host, so that many ranks may share
 * one device, which NCCL refuses. MWT_NCCL plants
 *
 *      old      it is of a release that is too old
 *      name     no group can be named
 *      init     this rank cannot come to one
 *      async=N  after the N-th group of sends and receives, the communicator has failed;
 *               with asked=N it is said at the N-th question after a group
 *      damage=N the first record that comes, with the N-th group or later, names a child that nobody has
 *      stuck=N  the N-th group never ends
 *      rank=R   of this rank only, but for old and name
 *
 * Groups are counted, from 0 on, which opens the ways; gathers and broadcasts are not where each is alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { GOOD = 0, SYSTEM = 2, ARGUMENT = 4, REMOTE = 6, RANKS = 128, OPS = 8 * RANKS };

struct name {
    char internal[128];
};
struct op {
    char *at, *first, *there; /* there: of a device; then first is a draft of it */
    size_t left;
    int fd;
    bool sends;
};
struct ncclComm {
    int rank, n, fd[RANKS]; /* -1: myself */
    int n_groups;
    long n_asked;
    bool failed;
};

/* As nccl.h has them; the program looks them up by their names. */
#pragma GCC visibility push(default)
int ncclGetVersion(int *version);
int ncclGetUniqueId(struct name *out);
int ncclCommInitRank(struct ncclComm **out, int n, struct name name, int rank);
int ncclCommDestroy(struct ncclComm *c);
int ncclCommAbort(struct ncclComm *c);
const char *ncclGetErrorString(int rc);
int ncclCommGetAsyncError(struct ncclComm *c, int *out);
int ncclGroupStart(void);
int ncclGroupEnd(void);
int ncclSend(const void *at, size_t n, int type, int peer, struct ncclComm *c,
             void *queue);
int ncclRecv(void *at, size_t n, int type, int peer, struct ncclComm *c, void *queue);
int ncclAllGather(const void *mine, void *all, size_t n, int type, struct ncclComm *c,
                  void *queue);
int ncclBroadcast(const void *from, void *to, size_t n, int type, int root,
                  struct ncclComm *c, void *queue);

#pragma GCC visibility pop

static struct op op[OPS];
static int n_ops, n_open; /* operations, and groups in each other */
static bool of_all;       /* a gather or a broadcast, which plants do not count */
static struct ncclComm *of_group;

static bool planted(const char *word, int rank, long *number)
{
    const char *text = getenv("MWT_NCCL");
    const char *only = text != NULL ? strstr(text, "rank=") : NULL;
    const char *at = text != NULL ? strstr(text, word) : NULL;
    if (at == NULL || (only != NULL && rank >= 0 && atoi(only + 5) != rank))
        return false;
    if (number != NULL && at[strlen(word)] == '=')
        *number = atol(at + strlen(word) + 1);
    return true;
}

int ncclGetVersion(int *version)
{
    *version = planted("old", -1, NULL) ? 2604 : 22803;
    return GOOD;
}

int ncclGetUniqueId(struct name *out)
{
    static int n_names;
    memset(out, 0, sizeof *out);
    snprintf(out->internal, sizeof out->internal, "mwt-nccl-%ld-%ld-%d", (long)getpid(),
             (long)time(NULL), n_names++);
    return planted("name", -1, NULL) ? SYSTEM : GOOD;
}

static struct sockaddr_un address(const struct name *name, int rank, socklen_t *length)
{
    struct sockaddr_un a;
    memset(&a, 0, sizeof a);
    a.sun_family = AF_UNIX; /* no file: the name begins with a zero */
    const int n =
        snprintf(a.sun_path + 1, sizeof a.sun_path - 1, "%.80s.%d", name->internal, rank);
    *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    return a;
}

static int call(const struct name *name, int rank)
{
    socklen_t length;
    const struct sockaddr_un a = address(name, rank, &length);
    for (int i = 0; i < 2000; i++) {
        const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(fd, (const struct sockaddr *)&a, length) == 0)
            return fd;
        close(fd);
        usleep(10000);
    }
    return -1;
}

/* Each calls those below and hears those above. */
int ncclCommInitRank(struct ncclComm **out, int n, struct name name, int rank)
{
    struct ncclComm *c = calloc(1, sizeof *c);
    socklen_t length;
    const struct sockaddr_un mine = address(&name, rank, &length);
    const int hears = socket(AF_UNIX, SOCK_STREAM, 0);
    if (n > RANKS || planted("init", rank, NULL)) {
        for (int r = 0; r < rank; r++) /* they hear that it has gone */
            close(call(&name, r));
        free(c);
        close(hears);
        return n > RANKS ? ARGUMENT : SYSTEM;
    }
    c->rank = rank;
    c->n = n;
    c->n_groups = -1;
    c->fd[rank] = -1;
    if (bind(hears, (const struct sockaddr *)&mine, length) != 0 ||
        listen(hears, RANKS) != 0)
        return SYSTEM;
    for (int r = 0; r < rank; r++) {
        c->fd[r] = call(&name, r);
        if (c->fd[r] < 0 || write(c->fd[r], &rank, sizeof rank) != sizeof rank)
            return REMOTE;
    }
    for (int k = rank + 1; k < n; k++) {
        struct pollfd p = {.fd = hears, .events = POLLIN};
        int who, fd;
        if (poll(&p, 1, -1) != 1 || (fd = accept(hears, NULL, NULL)) < 0 ||
            read(fd, &who, sizeof who) != sizeof who)
            return REMOTE;
        c->fd[who] = fd;
    }
    close(hears);
    *out = c;
    return GOOD;
}

int ncclCommDestroy(struct ncclComm *c)
{
    for (int r = 0; r < c->n; r++)
        if (c->fd[r] >= 0)
            close(c->fd[r]);
    free(c);
    return GOOD;
}

int ncclCommAbort(struct ncclComm *c)
{
    return ncclCommDestroy(c);
}

const char *ncclGetErrorString(int rc)
{
    return rc == SYSTEM   ? "planted system error"
           : rc == REMOTE ? "remote error"
                          : "error";
}

int ncclCommGetAsyncError(struct ncclComm *c, int *out)
{
    long when = 0;
    (void)planted("asked", c->rank, &when);
    *out = c->failed && ++c->n_asked >= when ? REMOTE : GOOD;
    return GOOD;
}

int ncclGroupStart(void)
{
    if (n_open++ > 0)
        return GOOD;
    n_ops = 0;
    of_group = NULL;
    return GOOD;
}

/* ---- devices --------------------------------------------------------------------------------- */

/* The driver's functions, where there is one; addresses are of devices or of the host alike. */
static struct {
    int (*attribute)(void *out, int which, unsigned long long at);
    int (*copy)(unsigned long long to, unsigned long long from, size_t n);
    int (*finish_all)(void);
} driver;

static bool find_driver(void)
{
    static bool looked;
    void *const d = looked ? NULL : dlopen("libcuda.so.1", RTLD_NOW);
    looked = true;
    if (d != NULL) {
        *(void **)&driver.attribute = dlsym(d, "cuPointerGetAttribute");
        *(void **)&driver.copy = dlsym(d, "cuMemcpy");
        *(void **)&driver.finish_all = dlsym(d, "cuCtxSynchronize");
    }
    return driver.attribute != NULL && driver.copy != NULL && driver.finish_all != NULL;
}

static bool is_of_device(const void *at)
{
    enum { MEMORY_TYPE = 2, DEVICE = 2 };
    unsigned type = 0;
    return find_driver() &&
           driver.attribute(&type, MEMORY_TYPE, (unsigned long long)(size_t)at) == 0 &&
           type == DEVICE;
}

/* All that is queued is over before and after. */
static bool copy(void *to, const void *from, size_t n)
{
    if (!is_of_device(to) && !is_of_device(from)) {
        memcpy(to, from, n);
        return true;
    }
    return driver.finish_all() == 0 &&
           driver.copy((unsigned long long)(size_t)to, (unsigned long long)(size_t)from,
                       n) == 0 &&
           driver.finish_all() == 0;
}

/* Drafts of what devices have or get. */
static bool open_drafts(void)
{
    bool good = true;
    for (int i = 0; i < n_ops && good; i++) {
        struct op *const o = &op[i];
        if (o->left == 0 || !is_of_device(o->at))
            continue;
        o->there = o->at;
        o->at = o->first = malloc(o->left);
        good = o->at != NULL && (!o->sends || copy(o->at, o->there, o->left));
    }
    return good;
}
static bool close_drafts(void)
{
    bool good = true;
    for (int i = 0; i < n_ops; i++) {
        struct op *const o = &op[i];
        if (o->there == NULL)
            continue;
        good = good && (o->sends || copy(o->there, o->first, (size_t)(o->at - o->first)));
        free(o->first);
    }
    return good;
}

/* ---- sends and receives ---------------------------------------------------------------------- */

static int note(const void *at, size_t n, int peer, struct ncclComm *c, bool sends)
{
    if (n_ops == OPS)
        return ARGUMENT;
    op[n_ops++] = (struct op){.at = (char *)(size_t)at,
                              .first = (char *)(size_t)at,
                              .left = n,
                              .fd = c->fd[peer],
                              .sends = sends};
    of_group = c;
    return GOOD;
}

/* Those of a way go one after the other. */
static bool is_next(int i)
{
    for (int k = 0; k < i; k++)
        if (op[k].left > 0 && op[k].fd == op[i].fd && op[k].sends == op[i].sends)
            return false;
    return op[i].left > 0;
}

int ncclSend(const void *at, size_t n, int type, int peer, struct ncclComm *c,
             void *queue)
{
    (void)type, (void)queue;
    return note(at, n, peer, c, true);
}

int ncclRecv(void *at, size_t n, int type, int peer, struct ncclComm *c, void *queue)
{
    (void)type, (void)queue;
    return note(at, n, peer, c, false);
}

static void to_myself(void)
{
    for (int i = 0; i < n_ops; i++)
        for (int k = 0; op[i].fd < 0 && op[i].sends && k < n_ops; k++)
            if (op[k].fd < 0 && !op[k].sends) {
                memcpy(op[k].at, op[i].at, op[i].left);
                op[k].at += op[i].left;
                op[i].left = op[k].left = 0;
            }
}

/* Groups since the one that the list names; -1: it has not come, or names none. */
static long since(const char *word)
{
    long when = 0;
    if (of_group == NULL || !planted(word, of_group->rank, &when) ||
        of_group->n_groups < when)
        return -1;
    return of_group->n_groups - when;
}

/* A record of 8 bytes begins with its child. */
static void damage(void)
{
    for (int i = 0; i < n_ops; i++)
        if (!op[i].sends && op[i].fd >= 0) {
            memcpy(op[i].first, &(int){INT_MAX}, sizeof(int));
            return;
        }
}

int ncclGroupEnd(void)
{
    if (--n_open > 0)
        return GOOD;
    if (of_group != NULL && !of_all) {
        of_group->n_groups++;
        of_group->n_asked = 0;
    }
    while (!of_all && since("stuck") == 0)
        pause();
    if (!open_drafts())
        return SYSTEM;
    to_myself();
    for (;;) {
        struct pollfd p[OPS];
        int n = 0, which[OPS];
        for (int i = 0; i < n_ops; i++)
            if (is_next(i)) {
                which[n] = i;
                p[n++] = (struct pollfd){.fd = op[i].fd,
                                         .events = op[i].sends ? POLLOUT : POLLIN};
            }
        if (n == 0)
            break;
        if (poll(p, (nfds_t)n, -1) < 0) {
            if (errno == EINTR)
                continue;
            return SYSTEM;
        }
        for (int k = 0; k < n; k++) {
            struct op *const o = &op[which[k]];
            if (p[k].revents == 0)
                continue;
            const ssize_t did =
                o->sends ? send(o->fd, o->at, o->left, MSG_DONTWAIT | MSG_NOSIGNAL)
                         : recv(o->fd, o->at, o->left, MSG_DONTWAIT);
            if (did == 0 || (did < 0 && errno != EAGAIN))
                return REMOTE;
            if (did > 0) {
                o->at += did;
                o->left -= (size_t)did;
            }
        }
    }
    if (!of_all && since("async") == 0)
        of_group->failed = true;
    if (!of_all && since("damage") >= 0)
        damage();
    return close_drafts() ? GOOD : SYSTEM;
}

int ncclAllGather(const void *mine, void *all, size_t n, int type, struct ncclComm *c,
                  void *queue)
{
    of_all = true;
    int rc = ncclGroupStart();
    for (int r = 0; r < c->n && rc == GOOD; r++) {
        char *const its = (char *)all + (size_t)r * n;
        if (r == c->rank) {
            if (its != mine)
                rc = copy(its, mine, n) ? GOOD : SYSTEM;
            continue;
        }
        rc = ncclSend(mine, n, type, r, c, queue);
        if (rc == GOOD)
            rc = ncclRecv(its, n, type, r, c, queue);
    }
    const int ended = ncclGroupEnd();
    of_all = false;
    return rc != GOOD ? rc : ended;
}

int ncclBroadcast(const void *from, void *to, size_t n, int type, int root,
                  struct ncclComm *c, void *queue)
{
    of_all = true;
    int rc = ncclGroupStart();
    if (c->rank != root)
        rc = ncclRecv(to, n, type, root, c, queue);
    else if (to != from)
        rc = copy(to, from, n) ? GOOD : SYSTEM;
    for (int r = 0; r < c->n && c->rank == root && rc == GOOD; r++)
        if (r != root)
            rc = ncclSend(from, n, type, r, c, queue);
    const int ended = ncclGroupEnd();
    of_all = false;
    return rc != GOOD ? rc : ended;
}
