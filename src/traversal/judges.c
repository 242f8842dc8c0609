/* judges.c -- see judges.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/judges.h"

#include "devices/list_there.h"

#include <stdio.h>

bool mw_cores_judge(const struct mw_backend *backend, uint32_t n_ranks)
{
    return backend->devices != NULL || n_ranks == 1;
}

static int by_host(const struct mw_judges *j, const struct mw_traversal *t, mw_vid key,
                   struct mw_verdict *out)
{
    int rc;
    *out = (struct mw_verdict){.by = MW_BY_HOST};
    MW_TRY(rc, mw_comm_agree(j->world->comm, mw_list_come_home(j->world, j->edges)));
    rc = j->by_host(j->host, t, key, out);
    out->by = MW_BY_HOST;
end:
    return rc;
}

/* "of root 7 ", or nothing where there is none. */
static const char *of_root(mw_vid key, char text[32])
{
    text[0] = '\0';
    if (key != MW_NO_VERTEX)
        snprintf(text, 32, "of root %llu ", (unsigned long long)key);
    return text;
}

/* The first rule that is broken; 0: none is. */
static uint32_t broken_rule(const struct mw_verdict *v)
{
    for (uint32_t r = 1; r < MW_CHECK_RULES; r++)
        if (v->n_wrong[r] > 0)
            return r;
    return 0;
}

int mw_judges_run(void *judges, const struct mw_traversal *t, mw_vid key,
                  struct mw_verdict *out)
{
    const struct mw_judges *j = judges;
    struct mw_verdict host;
    char text[32];
    int rc;
    if (j->cores == NULL || t->world->backend != j->world->backend)
        return by_host(j, t, key, out);
    rc = j->by_cores(j->cores, t, key, out);
    if (rc == MW_ERR_NOMEM) { /* at all ranks */
        mw_error_clear();
        return by_host(j, t, key, out);
    }
    if (rc != MW_OK)
        return rc;
    out->by = MW_BY_CORES;
    const uint32_t rule = broken_rule(out);
    if (rule == 0)
        return MW_OK;
    MW_TRY(rc, by_host(j, t, key, &host));
    rc = mw_fail(MW_ERR_INVALID,
                 "validation failed: %sbackend '%s' finds rule %u broken %llu times, and "
                 "the host's cores do not",
                 of_root(key, text), j->world->backend->name, rule,
                 (unsigned long long)out->n_wrong[rule]);
end:
    return rc;
}

/* The same at all ranks. */
static int must_agree(const struct mw_judges *j, mw_vid key,
                      const struct mw_verdict *host, const struct mw_verdict *cores)
{
    char text[32];
    if (host->n_reached == cores->n_reached && host->n_edges == cores->n_edges &&
        host->n_self_loops == cores->n_self_loops && host->n_levels == cores->n_levels)
        return MW_OK;
    return mw_fail(
        MW_ERR_INVALID,
        "validation failed: %sthe host's cores find %llu vertices "
        "on %u levels, %llu edges and %llu self-loops, those of backend '%s' "
        "%llu on %u, %llu and %llu",
        of_root(key, text), (unsigned long long)host->n_reached, host->n_levels,
        (unsigned long long)host->n_edges, (unsigned long long)host->n_self_loops,
        j->world->backend->name, (unsigned long long)cores->n_reached, cores->n_levels,
        (unsigned long long)cores->n_edges, (unsigned long long)cores->n_self_loops);
}

int mw_judges_confirm(void *judges, const struct mw_traversal *t, mw_vid key,
                      struct mw_verdict *out)
{
    const struct mw_judges *j = judges;
    struct mw_verdict host;
    if (out->by == MW_BY_HOST)
        return MW_OK;
    MW_NEED(by_host(j, t, key, &host));
    out->by |= MW_BY_HOST;
    return must_agree(j, key, &host, out);
}
