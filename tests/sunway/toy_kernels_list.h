/* toy_kernels_list.h -- the kernels of test_athread: the library's relay, the toy's three, and
 * those that show what a mesh does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOY_KERNELS_LIST_H
#define TOY_KERNELS_LIST_H

#define MW_ATHREAD_KERNELS(FUNCTION, TABLE)                                              \
    FUNCTION(mw_relay_on_mesh)                                                           \
    TABLE(toy_mesh, 3)                                                                   \
    FUNCTION(who_am_i_kernel)                                                            \
    FUNCTION(ring_kernel)                                                                \
    FUNCTION(late_kernel)                                                                \
    FUNCTION(order_kernel)                                                               \
    FUNCTION(stride_kernel)                                                              \
    FUNCTION(sync_kernel)                                                                \
    FUNCTION(atomic_kernel)                                                              \
    FUNCTION(wait_kernel)                                                                \
    FUNCTION(probe_kernel)                                                               \
    FUNCTION(statics_of_the_port_kernel)                                                 \
    FUNCTION(modest_kernel)                                                              \
    FUNCTION(greedy_kernel)                                                              \
    FUNCTION(lonely_kernel)

#endif
