/* kernels.h -- an algorithm's kernels, found by the kind of core.
 *
 * An algorithm's kernel file is compiled once per skeleton (mw_add_kernels), which makes one
 * constant struct of pointers per kind: "serial", "host", "mesh". A list names what there is; a
 * backend says which kind its cores run, and whose its management core runs in their place, the
 * delegate. So no caller asks what a backend is.
 *
 *      MW_KERNELS_OF(kernels, my_kernels, MW_KINDS_OF_CORE)
 *          {"serial", &my_kernels_serial}, {"host", &my_kernels_host}, ... {NULL, &my_kernels_none}
 *
 * (kernel_lists.h). A kind may stand there several times: a kernel is that of its first table that has one, so
 * what is tuned by hand stands before what all kinds have. The last entry ends the list; its table of
 * NULLs is that of cores for which there is none, and then the management core runs the module.
 *
 * "counted" are serial kernels that count what they touch (skeleton_counted.h), which the management core of an
 * emulation runs; where a list has none the serial ones stand in.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_KERNELS_H
#define MW_KERNELS_H

#include "cpe/cluster.h"

MW_BEGIN_DECLS

struct mw_kernel_table {
    const char *kind;
    const void *kernels; /* the algorithm's struct of mw_kernel pointers */
};

/* Local: entry i of those for the cores of a backend's clusters, and for its management core. NULL: there is
 * none. */
mw_kernel *mw_kernel_of_cores(const struct mw_kernel_table *list,
                              const struct mw_backend *backend, uint32_t i);
mw_kernel *mw_kernel_of_mpe(const struct mw_kernel_table *list,
                            const struct mw_backend *backend, uint32_t i);

/* Local, of lists where each kind stands once: what the cores of a backend's clusters run, and what its management core does. */
const void *mw_kernels_of_cores(const struct mw_kernel_table *list,
                                const struct mw_backend *backend);
const void *mw_kernels_of_mpe(const struct mw_kernel_table *list,
                              const struct mw_backend *backend);

MW_END_DECLS
#endif
