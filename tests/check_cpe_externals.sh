#!/bin/sh
# check_cpe_externals.sh -- the cores of a Sunway machine have no malloc, no files, no MPI and
# no compare-and-swap: an object of their side (slave_mode.sh has given it the prefix) may name
# only what is listed here. Run by CTest once per such object.
#
#   check_cpe_externals.sh NM object [further name...]
# SPDX-License-Identifier: Apache-2.0
set -eu
nm=$1 object=$2
shift 2
allowed="
athread_get athread_put athread_get_id athread_syn dma_wait _MYID _CGN _ROW _COL _PEN
register_put_row register_put_col register_get_row register_get_col
athread_dma_wait_value athread_rma_iput athread_rma_wait_value
athread_ssync_array athread_ssync athread_stime_cycle
ldm_malloc ldm_free get_allocatable_size
sw_row_empty sw_col_empty sw_put_blocks sw_cycles sw_memb sw_spin
sw_load sw_store sw_add1 sw_add1_long
memcpy memset memcmp
$*"
found=$("$nm" -u "$object" | awk '{print $NF}' |
    grep -vE '^(_GLOBAL_OFFSET_TABLE_|_*(asan|ubsan|sanitizer)_.*|_*stack_chk_.*)$' || true)
bad=""
for name in $found; do
    plain=${name#slave_}
    [ "$plain" != "$name" ] || bad="$bad $name(no-prefix)"
    case " $(echo $allowed) " in
    *" $plain "*) ;;
    *) bad="$bad $plain" ;;
    esac
done
if [ -n "$bad" ]; then
    echo "$object: the cores have no$bad" >&2
    exit 1
fi
[ -n "$found" ] || { echo "$object names nothing: is it the right file?" >&2; exit 1; }
