/* judges.h -- a check with two judges: the cores that have searched, where they can judge an answer beside it,
 * and the host's, who confirm what the others find and say what is wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_JUDGES_H
#define MW_JUDGES_H

#include "traversal/traversal.h"

MW_BEGIN_DECLS

/* Collective, as mw_check.run. */
typedef int mw_judge_run(void *judge, const struct mw_traversal *t, mw_vid key,
                         struct mw_verdict *out);

/* What mw_check.open() puts out, or what that begins with. */
struct mw_judges {
    struct mw_world *world; /* that searches */
    struct mw_edges *edges; /* come home when the host judges */
    void *host, *cores;     /* cores: NULL: the host does it all */
    mw_judge_run *by_host;
    /* Either says what is wrong, or counts it and leaves that to the host. MW_ERR_NOMEM at all ranks: the host
     * judges. */
    mw_judge_run *by_cores;
};

/* Local: do the cores that search judge as well, if they can? A device's do, which have all beside them, and
 * those of a rank that is alone, who need no records for it. */
bool mw_cores_judge(const struct mw_backend *backend, uint32_t n_ranks);

/* As mw_check.run and mw_check.confirm, of a struct mw_judges. */
int mw_judges_run(void *judges, const struct mw_traversal *t, mw_vid key,
                  struct mw_verdict *out) MW_NODISCARD;
int mw_judges_confirm(void *judges, const struct mw_traversal *t, mw_vid key,
                      struct mw_verdict *out) MW_NODISCARD;

MW_END_DECLS
#endif
