/* results_folder.c -- see results_folder.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/results_folder.h"

#include "io/outfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The XDG specification: a path that is not absolute is as if it were not there. */
static const char *absolute(const char *variable)
{
    const char *path = getenv(variable);
    return path != NULL && path[0] == '/' ? path : NULL;
}

int mw_results_folder_name(const char *given, char **out)
{
    const char *state = absolute("XDG_STATE_HOME"), *home = absolute("HOME");
    const char *first = "", *second = "./meshway-results";
    if (given != NULL) {
        first = given;
        second = "";
    } else if (state != NULL) {
        first = state;
        second = "/meshway";
    } else if (home != NULL && is_folder(home)) { /* "/nonexistent" is nobody's home */
        first = home;
        second = "/.local/state/meshway";
    }
    const size_t room = strlen(first) + strlen(second) + 1;
    *out = malloc(room);
    if (*out == NULL)
        return mw_fail(MW_ERR_NOMEM, "name of the results folder: %zu bytes", room);
    snprintf(*out, room, "%s%s", first, second);
    return MW_OK;
}

int mw_results_folder_make(const char *path, bool named)
{
    const int rc = mw_outfile_folder(path, named ? 0777 : 0700);
    if (rc != MW_ERR_CREATE)
        return rc;
    char why[512];
    snprintf(why, sizeof why, "%s", mw_error_text());
    return mw_fail(rc,
                   "%s; --results DIR puts results elsewhere, --json FILE names one, "
                   "--json none writes none",
                   why);
}
