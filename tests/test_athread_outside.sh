#!/bin/sh
# test_athread_outside.sh BUILD_DIR SOURCE_DIR CMAKE -- a program for Sunway's athread, outside of the
# tree, on emulated cores: built with what is installed, run, and its record proved.
set -u
build=$1 source=$2 cmake=$3
. "$(dirname "$0")/lib.sh"
# shellcheck disable=SC2154 # of lib.sh
prefix="$work/a prefix"

"$cmake" --install "$build" --prefix "$prefix" >/dev/null || wrong "no installation"
tool="$prefix/bin/meshway-athread"
mkdir outside
cp "$source"/examples/athread/* outside/
cd outside || exit 1
make MESHWAY_ATHREAD="'$tool'" run >out 2>err || wrong "make run: $(cat out err)"
grep -qx '64 cores, 4 messages each, sum 8064' out || wrong "ring: $(cat out)"
[ "$(grep -c '^flow' ring.layout)" -eq 64 ] || wrong "the record: $(cat ring.layout)"

# The record tells what deep FIFOs hide: with more messages the ring hangs, and that is told too.
if "$prefix/bin/meshway" --commands | grep -qx 'layout check'; then
    answers out 1 "is in a CYCLE of 8" "$prefix/bin/meshway" layout check ring.layout
fi
make MESHWAY_ATHREAD="'$tool'" CFLAGS=-DRING_MESSAGES=40 clean ring >out 2>err || wrong "make: $(cat err)"
answers out 1 "the cores hang" ./ring
answers out 0 "40 messages each" env ATHREAD_ON_EMUL=sw26010,recv_depth=40 ./ring
answers out 1 "the cores hang" env ATHREAD_ON_EMUL=sw26010 ATHREAD_LAYOUT_RECORD=hung.layout ./ring
grep -q '^flow 0,7 0,0$' hung.layout || wrong "a program that hangs has no record"

# What is wrong is said.
answers err 64 "is no side" "$tool" -x
answers err 64 "takes -c and a source" "$tool" -slave ring_slave.o
page="$prefix/share/man/man1/meshway-athread.1"
[ "$(grep -c '^\.SH' "$page")" -ge 8 ] || wrong "the man page is not whole"
# Every function that the page names is in the library, or a macro of the headers.
nm "$prefix"/lib*/libmeshway_athread.a "$prefix"/lib*/*/libmeshway_athread.a >symbols 2>/dev/null
sed -n '/^\.SH WHAT/,/^\.SH ENV/p' "$page" | sed 's/([a-z_]*\.h)//g' | grep -oE '\b(athread|simd|register|sw|ldm|dma)_[a-z_]+\b' | sort -u >names
[ "$(wc -l <names)" -gt 20 ] || wrong "the page names few functions"
while read -r name; do
    grep -qE " T (slave_)?(__real_)?$name\$" symbols ||
        grep -rqE "define $name\b" "$prefix/include/meshway/athread" || wrong "$name is not there"
done <names
# shellcheck disable=SC2154 # of lib.sh
exit $failed
