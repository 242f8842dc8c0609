#!/bin/sh
# slave_mode.sh -- the last step of "compiling for the cores" where no such compiler is: joins
# the objects, and gives every symbol the prefix slave_, so that the two sides of a program
# share no name, as the vendor's compiler mode does it. What compilers call on their own stays.
#
#   slave_mode.sh LD OBJCOPY NM out.o in.o...
# SPDX-License-Identifier: Apache-2.0
set -eu
ld=$1 objcopy=$2 nm=$3 out=$4
shift 4
"$ld" -r -o "$out.joined" "$@"
own='_*(asan|ubsan|tsan|sanitizer|stack_chk|start_asan|stop_asan|odr_asan)_|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__start_|__stop_'
"$nm" "$out.joined" | awk '{print $NF}' | sort -u | grep -E "^($own)" |
    sed 's/.*/slave_& &/' >"$out.names" || true
"$objcopy" --prefix-symbols=slave_ "$out.joined" "$out.prefixed"
"$objcopy" --redefine-syms="$out.names" "$out.prefixed" "$out.new"
cmp -s "$out.new" "$out" || cp "$out.new" "$out"
rm -f "$out.new" "$out.joined" "$out.prefixed" "$out.names"
