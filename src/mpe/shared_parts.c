/* shared_parts.c -- see shared_parts.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include "mpe/shared_parts.h"

#include "base/mem.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 * 1024 * 1024, PAGE = 4096 };
enum {
    COLLAPSE = 25
}; /* MADV_COLLAPSE, which older headers lack; older kernels refuse it */

uint64_t mw_shared_part_bytes(uint64_t bytes, uint32_t n_parts)
{
    return mw_round_up((bytes + n_parts - 1) / n_parts, HUGE_PAGE);
}

void mw_shared_part_make(uint64_t bytes, struct mw_shared_part *out)
{
    struct stat s;
    const int fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    *out = (struct mw_shared_part){.process = getpid(), .fd = -1};
    if (fd < 0)
        return;
    if (ftruncate(fd, (off_t)bytes) != 0 || fstat(fd, &s) != 0) {
        close(fd);
        return;
    }
    out->fd = fd;
    out->device = s.st_dev;
    out->file = s.st_ino;
}

static bool map_part(const struct mw_shared_part *part, uint64_t bytes, char *at)
{
    char name[64];
    struct stat s;
    snprintf(name, sizeof name, "/proc/%lld/fd/%lld", (long long)part->process,
             (long long)part->fd);
    const int fd = open(name, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool mapped =
        fstat(fd, &s) == 0 && s.st_dev == part->device && s.st_ino == part->file &&
        mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) !=
            MAP_FAILED;
    close(fd);
    return mapped;
}

void mw_shared_parts_unmap(void *parts, uint64_t bytes)
{
    munmap(parts, bytes);
}

void *mw_shared_parts_map(const struct mw_shared_part *part, uint32_t n_parts,
                          uint64_t part_bytes, uint64_t bytes)
{
    bool mapped = true;
    /* Addresses that nobody uses. */
    char *const base = mw_map(mw_round_up(bytes, PAGE), PROT_NONE);
    if (base == NULL)
        return NULL;
    for (uint32_t i = 0; i < n_parts && i * part_bytes < bytes && mapped; i++) {
        const uint64_t from = i * part_bytes;
        mapped = part[i].fd >= 0 &&
                 map_part(&part[i], mw_min(part_bytes, bytes - from), base + from);
    }
    if (!mapped) {
        mw_shared_parts_unmap(base, bytes);
        return NULL;
    }
    return base;
}

void mw_shared_part_touch(void *p, uint64_t bytes)
{
    volatile char *const all = p;
    char *const first = (char *)mw_round_up((uintptr_t)p, HUGE_PAGE);
    const uint64_t before = mw_min(bytes, (uint64_t)(first - (char *)p));
    const uint64_t whole = (bytes - before) / HUGE_PAGE * HUGE_PAGE;
    for (uint64_t i = 0; i < whole; i += HUGE_PAGE)
        all[before + i] = 0;
    if (whole > 0)
        (void)madvise(first, whole, COLLAPSE);
    for (uint64_t i = 0; i < bytes; i += PAGE)
        all[i] = 0;
}
