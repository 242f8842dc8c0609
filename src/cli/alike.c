/* alike.c -- see alike.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/alike.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char of_a_rank[] =
    "threads|device|device-memory|json|results|csv|tree|levels|graphalytics|trace|"
    "progress|quiet|verbose|force";

static uint64_t hash(const char *text)
{
    return text != NULL ? mw_hash(MW_HASH_OF_NOTHING, text, strlen(text)) : 0;
}

static int other(const char *what)
{
    return mw_fail(MW_ERR_USAGE,
                   "%s: not as at rank 0; start all ranks with the same options and "
                   "variables",
                   what);
}

/* The reference's variable, which is no option of ours. */
static const char skip[] = "SKIP_VALIDATION";

int mw_settings_alike(const struct mw_settings *s, struct mw_comm *comm)
{
    const size_t n = s->command->n_options;
    const uint64_t command = hash(s->command->name);
    uint64_t first = command, *mine = NULL, *of_first = NULL;
    int rc = MW_OK;
    if (comm->size == 1)
        return MW_OK;
    MW_TRY(rc, mw_comm_broadcast(comm, &first, sizeof first, 0));
    MW_TRY(rc, mw_comm_agree(comm, first != command ? other(s->command->name) : MW_OK));
    mine = mw_alloc("settings", n + 1, sizeof *mine);
    of_first = mw_alloc("settings of rank 0", n + 1, sizeof *of_first);
    MW_TRY(rc,
           mw_comm_agree(comm, mine == NULL || of_first == NULL ? MW_ERR_NOMEM : MW_OK));
    for (size_t i = 0; i < n; i++)
        mine[i] = hash(s->value[i].text) ^ s->value[i].number;
    mine[n] = hash(getenv(skip));
    memcpy(of_first, mine, (n + 1) * sizeof *mine);
    MW_TRY(rc, mw_comm_broadcast(comm, of_first, (n + 1) * sizeof *mine, 0));
    for (size_t i = 0; i <= n && rc == MW_OK; i++) {
        const char *name = i < n ? s->command->option[i].name : skip;
        if (mine[i] != of_first[i] && mw_word_index(of_a_rank, name) == SIZE_MAX)
            rc = other(name);
    }
    rc = mw_comm_agree(comm, rc);
end:
    MW_FREE_ALL(mine, of_first);
    return rc;
}
