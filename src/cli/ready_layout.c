/* ready_layout.c -- see ready_layout.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/ready_layout.h"

#include "cli/data_folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char in_source[] = "share/layouts/", suffix[] = ".layout";

char *mw_ready_layouts_folder(void)
{
    return mw_data_folder("layouts", "share/layouts");
}

/* NULL: it has no such layout. */
static char *find_in_folder(const char *folder, const char *name)
{
    char *stem = mw_text_join(folder, "/", name);
    char *path = stem != NULL ? mw_text_join(stem, suffix, "") : NULL;
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
        *out = folder != NULL ? find_in_folder(folder, bare) : NULL;
        free(folder);
    }
    if (*out == NULL)
        *out = strdup(name);
    return *out != NULL ? MW_OK : mw_fail(MW_ERR_NOMEM, "%s: its name", name);
}
