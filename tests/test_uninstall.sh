#!/bin/sh
# test_uninstall.sh BUILD_DIR CMAKE -- does the target uninstall take away what was installed, all of it and
# nothing else, from a prefix with a space, from a DESTDIR, and twice?
set -eu
build=$1 cmake=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
prefix="$dir/a prefix"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

uninstall() {
    "$cmake" --build "$build" --target uninstall >"$dir/out" 2>&1 || fail "$(cat "$dir/out")"
}

"$cmake" --install "$build" --prefix "$prefix" >/dev/null
n=$(find "$prefix" ! -type d | wc -l)
[ "$n" -gt 100 ] || fail "$n files were installed"
mkdir -p "$prefix/share/man/man7"
echo mine >"$prefix/bin/mine"
echo mine >"$prefix/share/meshway/layouts/mine.layout"
mkdir -p "$prefix/lib/python3/dist-packages/meshway/__pycache__"
echo compiled >"$prefix/lib/python3/dist-packages/meshway/__pycache__/graph.pyc"
rm "$prefix/bin/meshway" # somebody else was first
uninstall
grep -q "$((n - 1)) files are gone" "$dir/out" || fail "of $n: $(cat "$dir/out")"
find "$prefix" ! -type d | sort >"$dir/left"
printf '%s\n' "$prefix/bin/mine" "$prefix/share/meshway/layouts/mine.layout" | diff - "$dir/left" || fail "what is left"
for folder in share/doc/meshway include/meshway share/meshway/model lib/python3/dist-packages/meshway \
    lib/python3/dist-packages/meshway-0.2.0.dist-info; do
    [ ! -e "$prefix/$folder" ] || fail "$folder stays, and is empty"
done
for folder in share/man/man7 share/man/man1 include; do
    [ -d "$prefix/$folder" ] || fail "$folder may be somebody's, and is gone"
done
uninstall
grep -q "0 files are gone" "$dir/out" || fail "twice: $(cat "$dir/out")"

# Below a DESTDIR the same, and the prefix itself is let alone.
DESTDIR="$dir/root" "$cmake" --install "$build" --prefix "$prefix" >/dev/null
[ -f "$dir/root$prefix/bin/meshway" ] || fail "no DESTDIR"
(export DESTDIR="$dir/root" && uninstall)
[ -z "$(find "$dir/root" ! -type d)" ] || fail "left: $(find "$dir/root" ! -type d)"
[ -f "$prefix/bin/mine" ] || fail "outside of DESTDIR"

# Without a manifest there is nothing to take away, and that is said.
! "$cmake" -DMANIFEST="$dir/none" -P "$(dirname "$0")/../cmake/uninstall.cmake" 2>"$dir/out" || fail "no manifest"
grep -q "nothing was installed" "$dir/out" || fail "$(cat "$dir/out")"
