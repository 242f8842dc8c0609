#!/bin/sh
# stand_in.sh -- in place of the vendor's compiler driver, for test_toolchains.sh: one command
# for both sides of a program, the mode given at each call.
#
#      -host, -mhost      the management core
#      -slave, -mslave    the cores: the object gets the prefix
#      -hybrid, -mhybrid  a link of both; the driver adds the thread library
#
# STAND_IN_CC: a compiler that knows MPI; STAND_IN_ATHREAD: the thread library's object;
# STAND_IN_SLAVE_MODE: slave_mode.sh.
# SPDX-License-Identifier: Apache-2.0
set -eu
slave=no library='' out=''
n=$#
while [ $n -gt 0 ]; do
    case $1 in
    -host | -mhost | -msimd | -mieee | -mftz | -faddress_align=* | -lm_slave) ;;
    -slave | -mslave) slave=yes ;;
    -hybrid | -mhybrid) library=$STAND_IN_ATHREAD ;;
    -o)
        out=$2
        set -- "$@" "$1" "$2"
        shift
        n=$((n - 1))
        ;;
    *) set -- "$@" "$1" ;;
    esac
    shift
    n=$((n - 1))
done
if [ $slave = no ]; then
    exec "$STAND_IN_CC" ${library:+"$library"} "$@" ${library:+-lpthread}
fi
"$STAND_IN_CC" -fPIC -fno-stack-protector "$@"
rm -f "$out.mode"
"$STAND_IN_SLAVE_MODE" ld objcopy nm "$out.mode" "$out"
mv "$out.mode" "$out"
