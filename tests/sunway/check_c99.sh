#!/bin/sh
# check_c99.sh -- the sources that a Sunway compiler sees, through this one as C99: the cores'
# side pedantically, with the emulation's headers and with the machines' (whose assembler
# statements nothing here can check); the management core's side as gnu99.
#   check_c99.sh CC source-folder
# SPDX-License-Identifier: Apache-2.0
set -eu
cc=$1
cd "$2"
ours="-Isrc -Iportability -Iportability/athread/include -Itests"
include=$ours
slave() { # machine header, table or function of the file, source
    "$cc" -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only $include \
        -DMW_CPE_HEADER="\"$1\"" -DMW_KERNELS="$2" -D_POSIX_C_SOURCE=200809L \
        '-DMW_SKELETON="shuffle/skeleton_mesh.h"' \
        '-DMW_ATHREAD_LIST="athread/kernels.h"' "$3"
}
for machine in cpe/cpe_athread.h cpe/cpe_rma.h; do
    slave $machine none src/cpe/athread_kernels.c
    slave $machine none src/shuffle/lane.c
    slave $machine mw_relay_on_mesh src/relay/relay_kernels.c
    slave $machine toy_mesh tests/toy_kernels.c
done
slave cpe/cpe_rma.h none src/cpe/athread_rma.c
slave none none tests/sunway/conform_slave.c
slave none none tests/sunway/rma_slave.c
for chip in sw26010=cpe/cpe_athread.h sw26010pro=cpe/cpe_rma.h; do
    include="-Iportability/athread/${chip%=*} $ours"
    slave "${chip#*=}" none src/cpe/athread_kernels.c
    slave "${chip#*=}" mw_relay_on_mesh src/relay/relay_kernels.c
    "$cc" -std=gnu99 -Wall -Wextra -Werror -fsyntax-only $include \
        -DMW_ATHREAD_PERSISTENT=1 src/cpe/cluster_athread.c
done
slave cpe/cpe_rma.h none tests/sunway/rma_slave.c
include="-Iportability/athread/sw26010 $ours"
slave none none tests/sunway/conform_slave.c
include=$ours
for source in src/cpe/cluster_athread.c src/cpe/athread_tokens.c tests/sunway/conform.c \
    tests/sunway/rma.c; do
    "$cc" -std=gnu99 -Wall -Wextra -Werror -fsyntax-only $include \
        -DMW_ATHREAD_PERSISTENT=1 '-DMW_ATHREAD_LIST="athread/kernels.h"' "$source"
done
