#!/bin/sh
# test_layout_page.sh -- the HTML pages of "layout export" in a headless Chromium: one of a
# layout that deadlocks, one of a layout that is free. 77: there is no Chromium.
#
#     test_layout_page.sh MESHWAY SOURCE_DIR
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in demo-depth paper; do
    "$1" layout export "$2/share/layouts/$name.layout" --html "$work/$name.html"
    python3 "$2/tests/check_page.py" "$work/$name.html" "$work/$name"
done
