#!/bin/sh
# test_install.sh BUILD_DIR SOURCE_DIR CMAKE CC [MPIEXEC] -- is an installation whole, wherever it
# is put, and does another program find and link it? Installs into a temporary prefix and under a
# DESTDIR, tries what --help shows there, builds the examples by CMake package (shared and static)
# and by pkg-config, and runs them alone and on two ranks.
set -eu
build=$1 source=$2 cmake=$3 cc=$4 mpiexec=${5:-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
prefix="$dir/a prefix" # a space, to see that everything is quoted

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# runs FOLDER: its examples give the same answers on any number of ranks.
runs() {
    for example in bfs_from_edges paths_from_edges; do
        "$1/$example" >"$dir/out"
        diff "$source/examples/$example.expected" "$dir/out" || fail "$1/$example"
        [ -n "$mpiexec" ] || continue
        for n in 1 2; do
            "$mpiexec" -n "$n" "$1/$example" >"$dir/out"
            diff "$source/examples/$example.expected" "$dir/out" || fail "$1/$example on $n ranks"
        done
    done
}

"$cmake" --install "$build" --prefix "$prefix" >/dev/null
for file in bin/meshway include/meshway/meshway.h; do
    [ -f "$prefix/$file" ] || fail "$file is not installed"
done
library=$(find "$prefix" -name libmeshway.so)
[ -f "$library" ] || fail "libmeshway.so is not installed"
libdir=${library%/*}

# Layouts, documents, examples; and the documents' links hold.
share="$prefix/share"
[ "$(find "$share/meshway/layouts" -name '*.layout' | wc -l)" -ge 35 ] || fail "layouts are missing"
[ -f "$share/meshway/tools/meshway_sweep/campaign.py" ] || fail "the Python package is not installed"
[ -z "$(find "$share/meshway/tools" -name '__pycache__')" ] || fail "compiled Python is installed"
[ -f "$share/meshway/model/reference.json" ] || fail "the model's profile is not installed"
doc=$(find "$share/doc" -name LICENSE) && doc=${doc%/*}
for file in LICENSE docs/mesh.md docs/result.schema.json docs/pipeline.svg examples/Makefile \
    examples/bfs_from_edges.c examples/paths_from_edges.c; do
    [ -f "$doc/$file" ] || fail "doc: $file is not installed"
done
for page in "$doc/README.md" "$doc"/docs/*.md; do
    sed -n 's/.*](\([^)#]*\)[^)]*).*/\1/p' "$page" | while read -r link; do
        case $link in http*|'') continue ;; esac
        [ -e "$(dirname "$page")/$link" ] || echo "${page#"$doc/"} -> $link"
    done
done >"$dir/links"
[ ! -s "$dir/links" ] || fail "links lead nowhere:" "$(cat "$dir/links")"

# A man page of the program and of each command and verb, and completions that their shells read.
program="$prefix/bin/meshway"
[ "$("$program" --commands | wc -l)" -ge 20 ] || fail "--commands lists too few"
{ echo; "$program" --commands | tr ' ' - | sed 's/^/-/'; } | while read -r name; do
    page="$share/man/man1/meshway$name.1"
    [ -s "$page" ] || fail "$page is not installed"
    [ "$(grep -c '^\.SH' "$page")" -ge 5 ] || fail "$page has too few sections"
done
completions="$share/bash-completion/completions/meshway"
bash -n "$completions" || fail "bash cannot read its completion"
[ "$(bash -c '. "$1"; COMP_WORDS=(meshway run --direction t) COMP_CWORD=3; _meshway
    echo "${COMPREPLY[*]}"' bash "$completions" 2>&1)" = top-down ] || fail "bash completes nothing"
if command -v zsh >/dev/null; then
    zsh -n "$share/zsh/site-functions/_meshway" || fail "zsh cannot read its completion"
fi
[ -s "$share/zsh/site-functions/_meshway" ] || fail "no completion for zsh"
fish="$share/fish/vendor_completions.d/meshway.fish"
[ -s "$fish" ] || fail "no completion for fish"
if command -v fish >/dev/null; then
    HOME=$dir XDG_CONFIG_HOME=$dir fish -c 'source $argv[1]
        complete -C "meshway run --direction t"
        complete -C "meshway sweep st"' "$fish" >"$dir/fish" || fail "fish cannot read its completion"
    grep -q '^top-down' "$dir/fish" || fail "fish completes no word"
    grep -q '^status' "$dir/fish" || fail "fish completes no verb"
fi

# tries_layouts PROGRAM FOLDER: the layout examples of its own --help work, each in a folder with
# nothing in it but what another example has written.
tries_layouts() {
    "$1" --commands | sed -n 's/^layout //p' | while read -r verb; do
        "$1" layout "$verb" --help | sed -n '/^example:/{n;s/^ *//p;}'
    done >"$dir/commands"
    [ "$(wc -l <"$dir/commands")" -ge 12 ] || fail "--help shows too few examples"
    while read -r words; do
        rm -rf "$dir/empty"
        mkdir "$dir/empty"
        case $words in
        *certificate*) (cd "$dir/empty" && "$1" layout check paper --certificate paper.certificate) ;;
        *replay*) (cd "$dir/empty" && "$1" layout check one-router --trace stuck.trace || true) ;;
        esac >/dev/null 2>&1 </dev/null
        (cd "$dir/empty" && PATH=$2:$PATH sh -c "$words" >"$dir/out" 2>&1 </dev/null) && continue
        code=$? # 1 and 3 are verdicts
        [ $code -eq 1 ] || [ $code -eq 3 ] || fail "$words: code $code: $(cat "$dir/out")"
    done <"$dir/commands"
    (cd "$dir/empty" && "$1" layout check paper) | grep -q FREE || fail "paper is not found"
    (cd "$dir/empty" && "$1" layout check share/layouts/xy.layout) | grep -q 'xy.layout:' ||
        fail "share/layouts/xy.layout is not found"
}
# tries PROGRAM: what it finds by its own place.
tries() {
    rm -rf "$dir/empty"
    mkdir "$dir/empty"
    if "$1" --commands | grep -qx 'layout check'; then tries_layouts "$1" "${1%/*}"; fi
    (cd "$dir/empty" && "$1" run 6 --roots 1 --json none --quiet --backend emul --layout paper) \
        >"$dir/out" 2>&1 || fail "run --layout paper: $(cat "$dir/out")"
    # A sweep is found by the program's place, too; code 66: there is no such campaign.
    if python3 -c 'import tomllib' 2>/dev/null; then
        code=0
        "$1" sweep status "$dir/nowhere" 2>"$dir/out" || code=$?
        [ $code -eq 66 ] || fail "sweep status: code $code: $(cat "$dir/out")"
    fi
    "$1" --help | grep -q '/layouts$' || fail "--help does not say where layouts are"
}
tries "$program"
DESTDIR="$dir/dest" "$cmake" --install "$build" --prefix /usr >/dev/null
tries "$dir/dest/usr/bin/meshway"
tries "$build/meshway"

# Nothing is visible but what the header declares, and what plug-ins call (test_plugin.sh).
other=$(nm -D --defined-only "$library" | awk '{print $3}' |
    grep -vE '^(meshway_|mw_|mwo_|_ZNK?3mwk)' || true)
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
runs "$dir/shared"

mkdir "$dir/by static"
sed -e 's/CONFIG REQUIRED/CONFIG REQUIRED COMPONENTS static/' -e 's/meshway::meshway/meshway::static/' \
    "$source/examples/CMakeLists.txt" >"$dir/by static/CMakeLists.txt"
cp "$source/examples/"*_from_edges.c "$dir/by static"
"$cmake" -S "$dir/by static" -B "$dir/static" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
"$cmake" --build "$dir/static" >/dev/null
runs "$dir/static"

# With pkg-config a prefix without a space: it is the caller's shell that splits words.
ln -s "$prefix" "$dir/prefix"
cp "$source/examples/Makefile" "$source/examples/"*_from_edges.c "$dir"
make -s -C "$dir" CC="$cc" PKG_CONFIG_PATH="$dir/prefix/${libdir#"$prefix"/}/pkgconfig"
LD_LIBRARY_PATH=$libdir
export LD_LIBRARY_PATH
runs "$dir"

# The header by itself, as C11 and, where there is a C++ compiler, as C++17.
echo '#include <meshway/meshway.h>' >"$dir/header.c"
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Wundef -Werror -I"$prefix/include" -fsyntax-only "$dir/header.c"
if command -v c++ >/dev/null; then
    c++ -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Wundef -Werror -I"$prefix/include" \
        -fsyntax-only "$dir/header.c"
fi
