/* data_folder.c -- see data_folder.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/data_folder.h"

#include "mw_build.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *mw_text_join(const char *a, const char *b, const char *c)
{
    const size_t room = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(room);
    if (text != NULL)
        snprintf(text, room, "%s%s%s", a, b, c);
    return text;
}

char *mw_own_file(void)
{
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return NULL;
    self[n] = '\0';
    return strdup(self);
}

char *mw_data_folder(const char *installed, const char *built)
{
    const char *const place[] = {"/" MW_BUILD_DATA "/", installed, "/", built};
    char *self = mw_own_file(), *real = NULL;
    char *slash = self != NULL ? strrchr(self, '/') : NULL;
    if (slash != NULL)
        *slash = '\0';
    for (size_t i = 0; slash != NULL && real == NULL && i < 4; i += 2) {
        char *folder = mw_text_join(self, place[i], place[i + 1]);
        real = folder != NULL ? realpath(folder, NULL) : NULL;
        free(folder);
    }
    free(self);
    return real;
}
