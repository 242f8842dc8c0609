#!/bin/sh
# test_layout_page.sh -- the HTML pages of "layout export" in a headless Chromium: of a layout
# that stops in the warm-up, of one that is free, of one that can stop but did not, and of one
# that was not simulated; and that the trace of every ready layout that can deadlock plays.
# 77: there is no Chromium.
#
#     test_layout_page.sh MESHWAY SOURCE_DIR
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page() {
    name=$1
    shift
    "$meshway" layout export "$source/share/layouts/$name.layout" --html "$work/$name.html" "$@"
    python3 "$source/tests/check_page.py" "$work/$name.html" "$work/$name"
}
meshway=$1 source=$2
page demo-depth
page paper --cycles 20000 --warmup 0
page xy-small --cycles 20000
page chain --no-sim
page escape --cycles 20000
page west-first
page broadcast-square --no-sim
for f in "$source"/share/layouts/*.layout; do
    name=$(basename "$f" .layout)
    "$meshway" layout check "$f" --no-realise >"$work/verdict" 2>&1 && continue
    "$meshway" layout export "$f" --html "$work/$name.stuck.html" --no-sim
    grep -q '"kind":"trace"' "$work/$name.stuck.html" || { echo "$name: no trace to play"; exit 1; }
done
for m in link decoupled; do # knots of FIFOs
    "$meshway" layout export "$source/share/layouts/fully-adaptive.layout" --model $m --html "$work/$m.stuck.html" --no-sim
    "$meshway" layout export "$source/share/layouts/broadcast-square.layout" --model $m --html "$work/all-$m.stuck.html" --no-sim
    grep -q '"kind":"trace"' "$work/$m.stuck.html" && grep -q '"kind":"trace"' "$work/all-$m.stuck.html" ||
        { echo "$m: no trace to play"; exit 1; }
done
first=$(ls "$work"/*.stuck.html | head -n 1)
# shellcheck disable=SC2046 # names without blanks
python3 "$source/tests/check_page.py" "$first" "$work" brief $(ls "$work"/*.stuck.html | tail -n +2)
