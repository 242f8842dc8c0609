#!/bin/sh
# check_c99.sh -- the sources that a Sunway compiler sees, through this one as C99: the cores'
# side pedantically, with the emulation's headers and with the machines' (whose assembler
# statements nothing here can check); the management core's side as gnu99.
#   check_c99.sh CC source-folder
# SPDX-License-Identifier: Apache-2.0
set -eu
cc=$1
cd "$2"
ours="-Isrc -Iportability -Iinclude -Iportability/athread/include -Itests"
include=$ours
old=-U__ATOMIC_RELAXED # sw5cc is older than __atomic, and base.h goes round it
slave() { # machine header, table or function of the file, source
    "$cc" -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only $include $old \
        -DMW_CPE_HEADER="\"$1\"" -DMW_KERNELS="$2" -D_POSIX_C_SOURCE=200809L \
        '-DMW_SKELETON="shuffle/skeleton_mesh.h"' \
        '-DMW_ATHREAD_LIST="athread/kernels.h"' "$3"
}
# file=table, as CMake knows them
kernels=$(sed -n 's|.*SOURCE_DIR}/\(src/[a-z_/.]*=[a-z_]*\).*|\1|p' cmake/core_sources.cmake)
kernels="$kernels $(sed -n 's/^ *[A-Z]*(arg, \([a-z_0-9]*\), \([a-z_0-9]*\),.*/src\/algorithms\/\1\/\2.c=\2_mesh/p' src/algorithms/rooms.h)"
[ -n "${kernels# }" ] || { echo "cmake/core_sources.cmake names no kernels" >&2; exit 1; }
for machine in cpe/cpe_athread.h cpe/cpe_rma.h; do
    slave $machine none src/cpe/athread_kernels.c
    slave $machine none src/shuffle/lane.c
    for pair in $kernels; do
        slave $machine "${pair#*=}" "${pair%=*}"
    done
done
slave cpe/cpe_rma.h none src/cpe/athread_rma.c
old=
slave cpe/cpe_athread.h toy_mesh tests/toy_kernels.c
slave cpe/cpe_rma.h toy_mesh tests/toy_kernels.c
old=-U__ATOMIC_RELAXED
slave none none tests/sunway/conform_slave.c
slave none none tests/sunway/rma_slave.c
for chip in sw26010=cpe/cpe_athread.h sw26010pro=cpe/cpe_rma.h; do
    include="-Iportability/athread/${chip%=*} $ours"
    slave "${chip#*=}" none src/cpe/athread_kernels.c
    for pair in $kernels; do
        slave "${chip#*=}" "${pair#*=}" "${pair%=*}"
    done
    "$cc" -std=gnu99 -Wall -Wextra -Werror -fsyntax-only $include \
        -DMW_ATHREAD_PERSISTENT=1 src/cpe/athread_group.c
done
slave cpe/cpe_rma.h none tests/sunway/rma_slave.c
include="-Iportability/athread/sw26010 $ours"
slave none none tests/sunway/conform_slave.c
include=$ours
for source in src/cpe/cluster_athread.c src/cpe/athread_group.c src/cpe/athread_tokens.c tests/sunway/conform.c \
    tests/sunway/rma.c; do
    "$cc" -std=gnu99 -Wall -Wextra -Werror -fsyntax-only $include \
        -DMW_ATHREAD_PERSISTENT=1 '-DMW_ATHREAD_LIST="athread/kernels.h"' "$source"
done
