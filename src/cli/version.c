/* version.c -- see version.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/version.h"

#include "cli/provenance.h"
#include "cpe/cluster.h"
#include "mpe/comm.h"
#include "mw_build.h"

#include <stdlib.h>

const char *mw_version(void)
{
    return MW_BUILD_VERSION;
}

const char *mw_commit(void)
{
    return MW_BUILD_DIRTY ? MW_BUILD_COMMIT "+" : MW_BUILD_COMMIT;
}

static void print_backends(FILE *f)
{
    for (const struct mw_backend *const *b = mw_backends; *b != NULL; b++) {
        const char *why = (*b)->disabled;
        fprintf(f, "  %-14s%s%s\n", (*b)->name,
                why != NULL ? "not built in: " : "built in", why != NULL ? why : "");
    }
}

int mw_version_print(FILE *f, bool json)
{
    if (json) {
        char *text;
        const int rc = mw_provenance_build_text(&text);
        if (rc < MW_OK)
            return rc;
        fprintf(f, "%s\n", text);
        free(text);
        return MW_OK;
    }
    fprintf(f,
            "meshway %s\ncommit      %s%s\nbuild       %s for %s\ncompiler    %s\n"
            "flags       %s\nMPI         %s\nbackends\n",
            MW_BUILD_VERSION, MW_BUILD_COMMIT,
            MW_BUILD_DIRTY ? ", with changes that are not committed" : "", MW_BUILD_TYPE,
            MW_BUILD_TARGET, MW_BUILD_COMPILER, MW_BUILD_FLAGS, mw_mpi_version());
    print_backends(f);
    return MW_OK;
}
