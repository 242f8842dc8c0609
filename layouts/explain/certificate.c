/* certificate.c -- a proof as a file that anyone can check: one rank per node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explain/explain.h"

#include "base/mem.h"

#include "mesh/proof/graph.h"

#include <assert.h>

int mw_certificate_print(const struct mw_layout *l, const struct mw_proof *p, FILE *out)
{
    int rc = MW_OK;
    char name[MW_NODE_NAME];
    uint8_t *used = NULL;
    assert(p->free);
    MW_NEW(rc, used, "nodes that flows use", p->n_nodes);
    MW_TRY(rc, mw_mesh_graph_used(l, p->model, used));
    fprintf(out, "# meshway-certificate 1 model=%s\n", mw_mesh_model_names[p->model]);
    for (mw_mesh_node a = 0; a < p->n_nodes; a++)
        if (used[a] != 0)
            fprintf(out, "%s %u\n", mw_node_name(l, p->model, a, name), p->rank[a]);
end:
    mw_free(used);
    return rc;
}
