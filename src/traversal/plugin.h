/* plugin.h -- an algorithm that is written in one file (include/meshway/algorithm.h), and how a
 * program finds it in a shared object (algorithms/registry.h).
 *
 *      MW_KERNEL_TABLE(struct's name, kernels...)    the elements' kernels, for each kind of core
 *      MW_ALGORITHM_OF(struct's name, .name = ...)  the constant, once
 *
 * The build compiles the file once for each kind of core and once for the constant, and gives each
 * pass its skeleton. MW_ROOM is the algorithm's prefix; outside the tree it is `outside`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PLUGIN_H
#define MW_PLUGIN_H

#include "interface.h"
#include "shuffle/kernel_lists.h"
#include "traversal/algorithm.h"

MW_BEGIN_DECLS

struct mw_plugin {
    const char *interface; /* MW_INTERFACE; stays the first, whatever follows */
    const struct mw_algorithm *algorithm;
    uint32_t n_kernels; /* pointers in its struct of kernels */
};
#define MW_PLUGIN_SYMBOL "mw_plugin_outside"

/* Expanded first, then joined. */
#define MW_JOIN(a, b)       MW_JOIN_WORDS(a, b)
#define MW_JOIN_WORDS(a, b) a##_##b

#define MW_DECLARE_OWN(type, kind) extern const struct type MW_JOIN(MW_ROOM, kind);
#define MW_LIST_OWN(type, kind)    {#kind, &MW_JOIN(MW_ROOM, kind)},

/* Modules and sweeps are of one struct; the sweeps of a mesh are its management core's. */
#define MW_ALGORITHM_OF(type, ...)                                                       \
    MW_KINDS_OF_CORE(MW_DECLARE_OWN, type)                                               \
    static const struct type type##_none;                                                \
    static const struct mw_kernel_table type##_modules[] = {                             \
        MW_KINDS_OF_CORE(MW_LIST_OWN, type){NULL, &type##_none}};                        \
    static const struct mw_kernel_table type##_sweeps[] = {                              \
        MW_KINDS_WITHOUT_MESH(MW_LIST_OWN, type){NULL, &type##_none}};                   \
    extern const struct mw_algorithm MW_JOIN(mw_algorithm, MW_ROOM);                     \
    const struct mw_algorithm MW_JOIN(mw_algorithm, MW_ROOM) = {                         \
        .kernels = type##_modules, .sweeps = type##_sweeps, __VA_ARGS__};                \
    extern const struct mw_plugin MW_JOIN(mw_plugin, MW_ROOM);                           \
    MW_SHOWN const struct mw_plugin MW_JOIN(mw_plugin, MW_ROOM) = {                      \
        MW_INTERFACE, &MW_JOIN(mw_algorithm, MW_ROOM),                                   \
        sizeof(struct type) / sizeof(mw_kernel *)};

MW_END_DECLS
#endif
