/* energy.c -- see energy.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/energy.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool read_text(int fd, char *text, size_t room)
{
    const ssize_t n = pread(fd, text, room - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static bool read_file(const char *folder, const char *name, char *text, size_t room)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool good = read_text(fd, text, room);
    close(fd);
    return good;
}

static bool read_number(int fd, uint64_t *number)
{
    char text[32];
    if (!read_text(fd, text, sizeof text))
        return false;
    *number = strtoull(text, NULL, 10);
    return true;
}

/* "intel-rapl:0" of Intel and AMD; what is inside, as "intel-rapl:0:1", a package has counted already. */
static void open_packages(struct mw_energy_meter *m, const char *powercap)
{
    char folder[400], text[64], path[512];
    for (uint32_t i = 0; i < MW_ENERGY_PACKAGES; i++) {
        snprintf(folder, sizeof folder, "%s/intel-rapl:%u", powercap, i);
        if (!read_file(folder, "name", text, sizeof text) ||
            strncmp(text, "package", strlen("package")) != 0 ||
            !read_file(folder, "max_energy_range_uj", text, sizeof text))
            continue;
        const uint64_t range = strtoull(text, NULL, 10);
        snprintf(path, sizeof path, "%s/energy_uj", folder);
        const int fd = open(path, O_RDONLY | O_CLOEXEC); /* root's, as a rule */
        uint64_t now;
        if (fd >= 0 && range > 0 && read_number(fd, &now)) {
            m->package[m->n_packages].fd = fd;
            m->package[m->n_packages].range = range;
            m->package[m->n_packages++].last = now;
        } else if (fd >= 0) {
            close(fd);
        }
    }
}

void mw_energy_open(struct mw_energy_meter *m, const char *powercap)
{
    memset(m, 0, sizeof *m);
    open_packages(m, powercap != NULL ? powercap : "/sys/class/powercap");
}

void mw_energy_close(struct mw_energy_meter *m)
{
    for (uint32_t i = 0; i < m->n_packages; i++)
        close(m->package[i].fd);
    memset(m, 0, sizeof *m);
}

double mw_energy_read(struct mw_energy_meter *m)
{
    double joules = 0;
    for (uint32_t i = 0; i < m->n_packages; i++) {
        uint64_t now = m->package[i].last;
        if (read_number(m->package[i].fd, &now)) {
            m->package[i].sum += now >= m->package[i].last
                                     ? now - m->package[i].last
                                     : now + m->package[i].range - m->package[i].last;
            m->package[i].last = now;
        }
        joules += 1e-6 * (double)m->package[i].sum;
    }
    return joules;
}
