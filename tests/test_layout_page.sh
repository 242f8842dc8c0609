#!/bin/sh
# test_layout_page.sh -- the HTML pages of "layout export" in a headless Chromium: of a layout
# that stops in the warm-up, of one that is free, of one that can stop but did not, and of one
# that was not simulated. 77: there is no Chromium.
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
