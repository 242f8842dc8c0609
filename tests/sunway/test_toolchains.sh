#!/bin/sh
# test_toolchains.sh -- the toolchain files and `cmake/sunway.cmake`, with stand_in.sh for the
# vendor's driver: configures and builds the program and the library, runs the program, and
# links an example with what was installed. It shows that both sides are compiled by their
# own flags and meet in one link; nothing about the vendor's compiler.
#
#     test_toolchains.sh thl|pro CMAKE MPICC SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
set -eu
chip=$1 cmake=$2 STAND_IN_CC=$3 source=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
STAND_IN_SLAVE_MODE=$source/portability/athread/slave_mode.sh
STAND_IN_ATHREAD=$folder/athread.o
export STAND_IN_CC STAND_IN_ATHREAD STAND_IN_SLAVE_MODE

mkdir "$folder/bin"
ln -s "$source/tests/sunway/stand_in.sh" "$folder/bin/mpicc"
ln -s "$(command -v ar)" "$folder/bin/sw5ar"
ln -s "$(command -v ar)" "$folder/bin/sw9ar"
PATH=$folder/bin:$PATH

said() { # what a step has said is of interest if it fails
    "$@" >"$folder/said" 2>&1 || {
        tail -30 "$folder/said" >&2
        echo "FAILED: $*" >&2
        exit 1
    }
}

for part in athread_on_emul athread_on_emul_cores; do
    "$STAND_IN_CC" -std=gnu11 -O1 -fPIC -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE \
        -I"$source/portability/athread/include" -I"$source/src" -I"$source/portability" \
        -c "$source/portability/athread/$part.c" -o "$folder/$part.o"
done
ld -r "$folder/athread_on_emul.o" "$folder/athread_on_emul_cores.o" -o "$STAND_IN_ATHREAD"

# The machine's own sw_slave.h has assembler statements.
said "$cmake" -S "$source" -B "$folder/build" \
    -DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/sunway-$chip.cmake" \
    -DMW_ATHREAD_INCLUDE="$source/portability/athread/include" -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_C_FLAGS=-O0 -DMW_WITH_TESTS=OFF -DMW_WITH_BENCH=OFF -DMW_WITH_OPENMP=OFF \
    -DMW_WITH_HWLOC=OFF -DCMAKE_INSTALL_LIBDIR=lib
grep 'libmeshway: the archive only' "$folder/said"
# One chip's whole program is enough: of thl only both sides of the cores, without MW_TEST_LONG.
if [ "$chip" = thl ] && [ -z "${MW_TEST_LONG:-}" ]; then
    sides=$("$cmake" --build "$folder/build" --target help | grep -o 'mw_core[a-z_]*$' | sort -u)
    [ "$(echo "$sides" | wc -l)" -gt 4 ] || exit 1
    # shellcheck disable=SC2086 # several targets
    said "$cmake" --build "$folder/build" -j 2 --target $sides mw_cpe
    echo "$chip: both sides compile"
    exit 0
fi
said "$cmake" --build "$folder/build" -j 2
said "$cmake" --install "$folder/build" --prefix "$folder/installed"

ATHREAD_ON_EMUL=sw26010
[ "$chip" = thl ] || ATHREAD_ON_EMUL=pro
export ATHREAD_ON_EMUL
said "$folder/installed/bin/meshway" run 8 --backend athread --clusters 4 --tune small-input=0 \
    --bottom-up messages --tune hubs=2:2 --json none --quiet
grep '64 of 64 searches passed' "$folder/said"

# By pkg-config, and by the CMake package.
# shellcheck disable=SC2046
mpicc -host "$source/examples/bfs_from_edges.c" -o "$folder/by_pc" \
    $(PKG_CONFIG_PATH=$folder/installed/lib/pkgconfig pkg-config --cflags --libs meshway)
said "$cmake" -S "$source/examples" -B "$folder/example" -DCMAKE_PREFIX_PATH="$folder/installed" \
    -DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/sunway-$chip.cmake"
said "$cmake" --build "$folder/example"
for program in "$folder/by_pc" "$folder/example/bfs_from_edges"; do
    "$program" | diff "$source/examples/bfs_from_edges.expected" -
    echo "$chip: ${program##*/} links and finds the tree"
done
