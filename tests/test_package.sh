#!/bin/sh
# test_package.sh BUILD_DIR CMAKE -- the Debian package: has it what an installation has, and nothing else;
# does it depend on what its binaries are linked with; does it run where it is unpacked; and what does lintian
# say, where it is? Ends with 77, skipped, where dpkg-deb, dpkg-shlibdeps (dpkg-dev) or file are missing.
set -eu
build=$1 cmake=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

for tool in dpkg-deb dpkg-shlibdeps readelf file; do
    command -v $tool >/dev/null || { echo "SKIPPED: there is no $tool (apt-get install dpkg-dev binutils file)"; exit 77; }
done

# With CPack's own name for Makefiles it would build everything once more, beside other tests.
"${cmake%cmake}cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$dir" -D CPACK_CMAKE_GENERATOR=Ninja \
    -D CPACK_PACKAGE_CONTACT="A Builder <builder@meshway.dev>" >"$dir/log" 2>&1 || { cat "$dir/log"; fail "cpack"; }
deb=$(find "$dir" -maxdepth 1 -name 'meshway_*.deb')
[ -f "$deb" ] || fail "no package: $(cat "$dir/log")"
dpkg-deb --info "$deb" >"$dir/info"
dpkg-deb --extract "$deb" "$dir/root"

# The same files as an installation, links too; owned by root, written by nobody else.
"$cmake" --install "$build" --prefix "$dir/installed" >/dev/null
(cd "$dir/installed" && find . ! -type d | sed '/man1/s/$/.gz/' && printf '%s\n' ./share/doc/meshway/copyright \
    ./share/doc/meshway/changelog.gz) | sort >"$dir/expected"
(cd "$dir/root/usr" && find . ! -type d | sort) >"$dir/packed"
[ "$(wc -l <"$dir/expected")" -gt 100 ] || fail "an installation of so few files: $(cat "$dir/expected")"
diff "$dir/expected" "$dir/packed" || fail "installed (<) and packed (>) differ"
[ "$(ls "$dir/root")" = usr ] || fail "beside /usr: $(ls "$dir/root")"
dpkg-deb --contents "$deb" >"$dir/contents"
! grep -vE '^[-dl]...(r-x|r--|rwx).{3} root/root ' "$dir/contents" | grep -v '^l' || fail "owner"
! grep -E '^[-d]....w|^[-d].......w' "$dir/contents" || fail "written by others than root"

# Whatever the binaries need comes from a package that stands in Depends.
sed -n 's/^ Depends: //p' "$dir/info" | tr ',' '\n' | sed 's/^ *//; s/ .*//' >"$dir/depends"
library=$(find "$dir/root" -name 'libmeshway.so.*.*.*')
for file in "$dir/root/usr/bin/meshway" "$library"; do
    readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$dir/needed"
    [ -s "$dir/needed" ] || fail "$file needs no library"
    while read -r soname; do
        path=$(ldd "$file" | sed -n "s|^[[:space:]]*$soname => \([^ ]*\) .*|\1|p")
        [ -n "$path" ] || continue # the loader itself
        owner=$(dpkg-query -S "$(realpath "$path")" "$path" 2>/dev/null | sed 's/:.*//' | sort -u | head -n 1)
        [ -n "$owner" ] || continue # of no package: not Debian's
        grep -qx "$owner" "$dir/depends" || fail "needs $soname of $owner, but depends on" "$(cat "$dir/depends")"
    done <"$dir/needed"
done
grep -qx libc6 "$dir/depends" || fail "does not depend on libc6"

# It runs from there, and its man page is one.
"$dir/root/usr/bin/meshway" run 8 --roots 2 --json none >"$dir/out" 2>&1 || fail "$(cat "$dir/out")"
grep -q 'num_vertices: *256' "$dir/out" || fail "no result: $(cat "$dir/out")"
"$dir/root/usr/bin/meshway" run 6 --roots 1 --json none --backend emul --layout paper >"$dir/out" 2>&1 || fail "its layouts: $(cat "$dir/out")"
gzip -dc "$dir/root/usr/share/man/man1/meshway-run.1.gz" | grep -q '^\.TH' || fail "no man page"
gzip -dc "$dir/root/usr/share/doc/meshway/changelog.gz" | grep -q "^meshway (" || fail "no changelog"

# Debian's Python imports the package and finds the library; NetworkX would find the backend.
if python3 -c 'import numpy' 2>/dev/null; then
    python3 -B -I -c 'if True:
        import importlib.metadata as m, sys
        sys.path.insert(0, sys.argv[1])
        import meshway
        assert meshway.__file__.startswith(sys.argv[1]) and meshway.bfs(meshway.Graph.from_edges([0], [1]), 0).levels[1] == 1
        assert m.version("meshway") == meshway.__version__ and len(meshway.results.__all__) > 0
        assert {e.group for e in m.distribution("meshway").entry_points} == {"networkx.backends", "networkx.backend_info"}
        ' "$dir/root/usr/lib/python3/dist-packages" || fail "the Python package"
else
    echo "left out: Python's import, for there is no NumPy (python3-numpy)"
fi

# One package holds library, header and program, whichever the name: so the two of `expected` stay.
if command -v lintian >/dev/null; then
    lintian --no-cfg --allow-root "$deb" >"$dir/lintian" 2>&1 || true
    expected='maintscript-calls-ldconfig|package-name-doesnt-match-sonames|link-to-shared-library-in-wrong-package'
    expected="$expected|pkg-config-unavailable-for-cross-compilation"
    ! grep -E '^[EW]:' "$dir/lintian" | grep -vE "$expected" || fail "lintian"
fi
echo "${deb##*/}: $(wc -l <"$dir/packed") files, depends on $(paste -sd ' ' "$dir/depends")"
