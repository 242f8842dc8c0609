/* layout_certificate.h -- the certificate of a proof as text, for the suites about them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef LAYOUT_CERTIFICATE_H
#define LAYOUT_CERTIFICATE_H

#include "base/mem.h"
#include "layouts/explain/explain.h"
#include "mesh/proof/graph.h"
#include "suite.h"

static inline int print_certificate(const struct mw_layout *l, const struct mw_proof *p,
                                    FILE *out)
{
    int rc = MW_OK;
    uint8_t *used = NULL;
    MW_NEW(rc, used, "nodes that flows use", p->n_nodes);
    MW_TRY(rc, mw_mesh_graph_used(l, p->model, used));
    mw_certificate_print(l, p->model, p->n_nodes, used, p->rank, out);
end:
    mw_free(used);
    return rc;
}

/* The caller's to free(). */
static inline char *certificate_of(const struct mw_layout *l, const struct mw_proof *p,
                                   size_t *bytes)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, bytes);
    MUST(f != NULL && print_certificate(l, p, f) == MW_OK);
    fclose(f);
    return text;
}

#endif
