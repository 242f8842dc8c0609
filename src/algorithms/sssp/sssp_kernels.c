/* sssp_kernels.c -- the modules of shortest paths: elements in patterns.
 *
 * Compiled once per kind of core: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/sssp/sssp_elements.h"

MW_ENTRIES(sssp_relaxer, sssp_state, s->list_end, s->counts->n_listed, mw_any, sssp_relax)
MW_ENTRIES(sssp_leaf_teller, sssp_state, s->told_end, s->rows.n, sssp_has_way,
           sssp_tell_leaf)
MW_UPDATES(sssp_settler, sssp_state, sssp_settle)

MW_KERNEL_TABLE(sssp_kernels, sssp_relaxer, sssp_leaf_teller, sssp_settler)
