/* energy.c -- see energy.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/energy.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- packages ------------------------------------------------------------------------------ */

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

/* ---- devices ------------------------------------------------------------------------------- */

/* A function of the library; C has no cast for it. */
static void find(void *library, const char *name, void *function)
{
    void *const found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

static void open_devices(struct mw_energy_meter *m)
{
    int (*init)(void) = NULL, (*count)(unsigned *) = NULL,
        (*handle)(unsigned, void **) = NULL;
    unsigned n = 0;
    unsigned long long millijoules;
    m->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (m->library == NULL)
        return;
    find(m->library, "nvmlInit_v2", &init);
    find(m->library, "nvmlDeviceGetCount_v2", &count);
    find(m->library, "nvmlDeviceGetHandleByIndex_v2", &handle);
    find(m->library, "nvmlDeviceGetTotalEnergyConsumption", &m->device_energy);
    if (init == NULL || count == NULL || handle == NULL || m->device_energy == NULL ||
        init() != 0 || count(&n) != 0)
        return;
    for (unsigned i = 0; i < n && m->n_devices < MW_ENERGY_DEVICES; i++) {
        void *device = NULL;
        if (handle(i, &device) == 0 && m->device_energy(device, &millijoules) == 0)
            m->device[m->n_devices++] = device;
    }
}

/* ---- both ---------------------------------------------------------------------------------- */

void mw_energy_open(struct mw_energy_meter *m, const char *powercap)
{
    memset(m, 0, sizeof *m);
    open_packages(m, powercap != NULL ? powercap : "/sys/class/powercap");
    open_devices(m);
}

void mw_energy_close(struct mw_energy_meter *m)
{
    for (uint32_t i = 0; i < m->n_packages; i++)
        close(m->package[i].fd);
    if (m->library != NULL)
        dlclose(m->library);
    memset(m, 0, sizeof *m);
}

void mw_energy_read(struct mw_energy_meter *m, double *packages, double *devices)
{
    *packages = *devices = 0;
    for (uint32_t i = 0; i < m->n_packages; i++) {
        uint64_t now = m->package[i].last;
        if (read_number(m->package[i].fd, &now)) {
            m->package[i].sum += now >= m->package[i].last
                                     ? now - m->package[i].last
                                     : now + m->package[i].range - m->package[i].last;
            m->package[i].last = now;
        }
        *packages += 1e-6 * (double)m->package[i].sum;
    }
    for (uint32_t i = 0; i < m->n_devices; i++) {
        unsigned long long millijoules = 0;
        if (m->device_energy(m->device[i], &millijoules) == 0)
            *devices += 1e-3 * (double)millijoules;
    }
}
