/* port_kernels.h -- see port_kernels.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PORT_KERNELS_H
#define PORT_KERNELS_H

#include "cpe/cpe_types.h"

mw_kernel statics_of_the_port_kernel, modest_kernel, greedy_kernel, lonely_kernel;

#endif
