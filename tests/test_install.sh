#!/bin/sh
# test_install.sh BUILD_DIR SOURCE_DIR CMAKE CC [MPIEXEC] -- does another program find and
# link an installed Meshway? Installs into a temporary prefix, builds the example by CMake
# package (shared and static) and by pkg-config, and runs it alone and on two ranks.
set -eu
build=$1 source=$2 cmake=$3 cc=$4 mpiexec=${5:-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
prefix="$dir/a prefix" # a space, to see that everything is quoted

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# runs PROGRAM: the same answer on any number of ranks.
runs() {
    "$1" >"$dir/out"
    diff "$source/examples/bfs_from_edges.expected" "$dir/out" || fail "$1"
    [ -n "$mpiexec" ] || return 0
    for n in 1 2; do
        "$mpiexec" -n "$n" "$1" >"$dir/out"
        diff "$source/examples/bfs_from_edges.expected" "$dir/out" || fail "$1 on $n ranks"
    done
}

"$cmake" --install "$build" --prefix "$prefix" >/dev/null
for file in bin/meshway include/meshway/meshway.h; do
    [ -f "$prefix/$file" ] || fail "$file is not installed"
done
library=$(find "$prefix" -name libmeshway.so)
[ -f "$library" ] || fail "libmeshway.so is not installed"
libdir=${library%/*}

# Nothing is visible but what the header declares.
other=$(nm -D --defined-only "$library" | awk '{print $3}' | grep -v '^meshway_' || true)
[ -z "$other" ] || fail "libmeshway.so shows" "$other"
nm -D --defined-only "$library" | awk '{print $3}' >"$dir/shown"
sed -n 's/^MESHWAY_[AC].*[ *]\(meshway_[a-z_]*\)(.*/\1/p' "$prefix/include/meshway/meshway.h" \
    >"$dir/declared"
[ "$(wc -l <"$dir/declared")" -gt 20 ] || fail "the header's functions are not found"
while read -r name; do
    grep -qx "$name" "$dir/shown" || fail "libmeshway.so lacks $name"
done <"$dir/declared"

"$cmake" -S "$source/examples" -B "$dir/shared" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
"$cmake" --build "$dir/shared" >/dev/null
runs "$dir/shared/bfs_from_edges"

mkdir "$dir/by static"
sed -e 's/CONFIG REQUIRED/CONFIG REQUIRED COMPONENTS static/' -e 's/meshway::meshway/meshway::static/' \
    "$source/examples/CMakeLists.txt" >"$dir/by static/CMakeLists.txt"
cp "$source/examples/bfs_from_edges.c" "$dir/by static"
"$cmake" -S "$dir/by static" -B "$dir/static" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
"$cmake" --build "$dir/static" >/dev/null
runs "$dir/static/bfs_from_edges"

# With pkg-config a prefix without a space: it is the caller's shell that splits words.
ln -s "$prefix" "$dir/prefix"
cp "$source/examples/Makefile" "$source/examples/bfs_from_edges.c" "$dir"
make -s -C "$dir" CC="$cc" PKG_CONFIG_PATH="$dir/prefix/${libdir#"$prefix"/}/pkgconfig"
LD_LIBRARY_PATH=$libdir
export LD_LIBRARY_PATH
runs "$dir/bfs_from_edges"

# The header by itself, as C11 and, where there is a C++ compiler, as C++17.
echo '#include <meshway/meshway.h>' >"$dir/header.c"
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Wundef -Werror -I"$prefix/include" -fsyntax-only "$dir/header.c"
if command -v c++ >/dev/null; then
    c++ -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Wundef -Werror -I"$prefix/include" \
        -fsyntax-only "$dir/header.c"
fi
