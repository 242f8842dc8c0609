#!/bin/sh
# test_layout_spin.sh -- the same small layouts for Spin: what it says must be what explore
# says. 77: there is no spin.
#
#     test_layout_spin.sh MESHWAY SOURCE_DIR CC
set -eu
command -v spin >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0
compare() { # MESHWAY SOURCE_DIR NAME DEPTH CC [EDGES]
    file=$2/share/layouts/$3.layout
    # depth + 1 messages for every edge of the cycle that a flow causes (layout/promela.c).
    supply=$((($4 + 1) * ${6:-1}))
    "$1" layout export "$file" --depth "$4" --promela model.pml --spin-supply $supply --force
    spin -a model.pml >spin.log
    "$5" -O2 -w -DSAFETY -DCOLLAPSE -DNOFAIR -o pan pan.c
    ./pan -m1000000 >pan.log 2>&1 || true
    code=0
    "$1" layout explore "$file" --depth "$4" -q >explored || code=$?
    if grep -q "errors: 0" pan.log && ! grep -q "max search depth too small" pan.log; then
        says=0
    elif grep -q "invalid end state" pan.log; then
        says=1
    else
        says=undecided
    fi
    echo "$3 depth $4: spin $says, explore $code"
    [ "$says" = $code ] || failed=1
}
for name in pair-exchange one-router clockwise-turns consumers-forward chain \
    paper-small one-way single-writer row-only; do
    compare "$1" "$2" $name 1 "$3"
done
for name in pair-exchange one-router chain; do
    compare "$1" "$2" $name 0 "$3"
done
compare "$1" "$2" request-reply 1 "$3" 2
exit $failed
