/* ready_layout.c -- see ready_layout.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/ready_layout.h"

#include "mw_build.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char in_source[] = "share/layouts/", suffix[] = ".layout";

/* "A/B/C" from malloc(); NULL: no memory. */
static char *join(const char *a, const char *b, const char *c)
{
    const size_t room = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(room);
    if (text != NULL)
        snprintf(text, room, "%s%s%s", a, b, c);
    return text;
}

char *mw_ready_layouts_folder(void)
{
    /* Installed; in a build folder. */
    static const char *const places[] = {"/" MW_BUILD_DATA "/layouts/",
                                         "/share/layouts/"};
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return NULL;
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    if (slash != NULL)
        *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *folder = join(self, places[i], "");
        char *real = folder != NULL ? realpath(folder, NULL) : NULL;
        free(folder);
        if (real != NULL)
            return real;
    }
    return NULL;
}

/* NULL: it has no such layout. */
static char *look(const char *folder, const char *name)
{
    char *stem = join(folder, "/", name);
    char *path = stem != NULL ? join(stem, suffix, "") : NULL;
    if (stem != NULL && access(stem, F_OK) == 0) {
        free(path);
        return stem;
    }
    free(stem);
    if (path != NULL && access(path, F_OK) == 0)
        return path;
    free(path);
    return NULL;
}

int mw_ready_layout_find(const char *name, char **out)
{
    const size_t n = strlen(in_source);
    const char *bare = strncmp(name, in_source, n) == 0 ? name + n : name;
    *out = NULL;
    if (access(name, F_OK) != 0 && bare[0] != '\0' && strchr(bare, '/') == NULL) {
        char *folder = mw_ready_layouts_folder();
        *out = folder != NULL ? look(folder, bare) : NULL;
        free(folder);
    }
    if (*out == NULL)
        *out = strdup(name);
    return *out != NULL ? MW_OK : mw_fail(MW_ERR_NOMEM, "%s: its name", name);
}
