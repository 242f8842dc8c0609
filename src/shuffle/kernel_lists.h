/* kernel_lists.h -- the list of a file's kernels by kind of core: those of this build.
 *
 * The build writes kinds.h, to which each kind of core adds itself (cmake/layers.cmake), so nobody
 * else names them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_KERNEL_LISTS_H
#define MW_KERNEL_LISTS_H

#include "kinds.h"
#include "shuffle/kernels.h"

/* Those of hosts, which are there always. */
#define MW_KINDS_OF_HOSTS(ROW, arg) ROW(arg, serial) ROW(arg, host)

/* The same kinds, and serial kernels that count what they touch. */
#define MW_KINDS_COUNTED(ROW, arg) MW_KINDS_OF_CORE(ROW, arg) ROW(arg, counted)
#define MW_KINDS_OF_DEVICES_COUNTED(ROW, arg)                                            \
    MW_KINDS_OF_DEVICES(ROW, arg) ROW(arg, counted)

/* struct `type` has one constant a kind, type_kind; KINDS is a list of kinds.h. */
#define MW_DECLARE_KERNELS(type, kind) extern const struct type type##_##kind;
#define MW_LIST_KERNELS(type, kind)    {#kind, &type##_##kind},
#define MW_KERNELS_OF(list, type, KINDS)                                                 \
    KINDS(MW_DECLARE_KERNELS, type)                                                      \
    static const struct type type##_none;                                                \
    static const struct mw_kernel_table list[] = {                                       \
        KINDS(MW_LIST_KERNELS, type){NULL, &type##_none}};

/* The same with what is tuned by hand before it: `serial` and `host` for the host's cores, and
 * type_tuned_kind for the kinds of device that have one. */
#define MW_DECLARE_TUNED(type, kind) extern const struct type type##_tuned_##kind;
#define MW_LIST_TUNED(type, kind)    {#kind, &type##_tuned_##kind},
#define MW_KERNELS_OVER(list, type, serial, host, KINDS)                                 \
    KINDS(MW_DECLARE_KERNELS, type)                                                      \
    MW_KINDS_TUNED(MW_DECLARE_TUNED, type)                                               \
    static const struct type type##_none;                                                \
    static const struct mw_kernel_table list[] = {                                       \
        {"serial", serial},                                                              \
        {"host", host},                                                                  \
        MW_KINDS_TUNED(MW_LIST_TUNED, type)                                              \
            KINDS(MW_LIST_KERNELS, type){NULL, &type##_none}};

/* The same where the host's cores, serial or not, have one constant of this file, `hosts`. */
#define MW_KERNELS_BESIDE(list, type, hosts, KINDS)                                      \
    KINDS(MW_DECLARE_KERNELS, type)                                                      \
    static const struct type type##_none;                                                \
    static const struct mw_kernel_table list[] = {                                       \
        {"serial", hosts},                                                               \
        {"host", hosts},                                                                 \
        KINDS(MW_LIST_KERNELS, type){NULL, &type##_none}};

#endif
