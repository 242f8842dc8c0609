#!/bin/sh
# test_layout_spin.sh -- every ready layout as a model for Spin, which must come to the verdict of
# "layout check": find the deadlock, or no error in all states there are. 77: there is no spin.
#
# Free layouts of up to 9 cores are exhausted at depth 1, and Spin's states are then twice those of
# "layout explore" (the gate is open or closed). The others have more states than either tool can hold
# (beyond ten million at depth 1 already). Star is searched as far as a bit table of 2^16 goes, and
# with MW_TEST_LONG all of them are, up to 2^18, without an error there. Else it is only seen that
# Spin takes their models, which a compiler needs seconds for. No ready layout is left out.
#
#     test_layout_spin.sh MESHWAY SOURCE_DIR CC
set -u
command -v spin >/dev/null || exit 77
meshway=$1 layouts=$2/share/layouts cc=$3
. "$(dirname "$0")/lib.sh"
bits=16 long=
[ -z "${MW_TEST_LONG:-}" ] || bits=18 long=long

# model FILE ARGS...: to model.pml and pan.c
model() {
    file=$1
    shift
    "$meshway" layout export "$file" --promela model.pml --force "$@" 2>err || wrong "export $file $*"
    spin -a model.pml >spin.log 2>&1 || wrong "spin -a of $file: $(cat spin.log)"
    vector=$(sed -n 's/.*-DVECTORSZ=\([0-9]*\).*/\1/p' model.pml)
}

# search FLAGS PAN_ARGS...: what Spin says of pan.c: 0, 1 or "open"
search() {
    flags=$1
    shift
    # shellcheck disable=SC2086 # several flags
    "$cc" -w -DSAFETY -DNOFAIR -DMEMLIM=1000 "-DVECTORSZ=$vector" $flags -o pan pan.c || wrong "$file: pan.c"
    ./pan "$@" >pan.log 2>&1
    if grep -q "^pan:1: invalid end state" pan.log; then
        says=1
    elif grep -q "errors: 0" pan.log && ! grep -qE "max search depth too small|Search not completed" pan.log; then
        says=0
    elif grep -q "errors: 0" pan.log; then
        says=open
    else
        says="nothing: $(head -n 5 pan.log)"
    fi
}

# agrees NAME EXPECTED
agrees() {
    echo "$1: spin $says"
    [ "$says" = "$2" ] || wrong "$1: spin says $says, check $2"
}

for path in "$layouts"/*.layout; do
    name=$(basename "$path" .layout)
    "$meshway" layout check "$path" --no-realise >out 2>/dev/null
    verdict=$?
    case $verdict:$name in
    1:opposite-consumers) # the usual order takes Spin too long
        model "$path"
        search "-O0 -DCOLLAPSE -DREVERSE -DT_REVERSE" -m100000
        agrees "$name" 1
        ;;
    1:*)
        model "$path"
        search "-O0 -DCOLLAPSE" -m100000
        agrees "$name" 1
        ;;
    0:broadcast-tree | 0:chain | 0:one-way | 0:paper-small | 0:paper-swapped | 0:row-only | 0:single-writer | 0:two-writers)
        model "$path" --depth 1
        search "-O1 -DCOLLAPSE" -m1000000
        agrees "$name" 0
        states=$(sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' pan.log)
        explored=$("$meshway" layout explore "$path" --depth 1 2>/dev/null | sed -n 's/.*  \([0-9]*\) states.*/\1/p')
        # Listed flows are messages of their own for Spin, and one for explore where they go on alike.
        grep -q '^flow' "$path" || [ "$states" = $((2 * explored)) ] ||
            wrong "$name: $states states, explore has $explored"
        ;;
    0:*)
        model "$path" --depth 1
        [ "$name" = star ] || [ -n "$long" ] || { echo "$name: spin takes it" && continue; }
        search "-O0 -DBITSTATE" -w$bits -m2000
        [ "$says" = 0 ] && says=open # of a bit table: never all states
        agrees "$name" open
        ;;
    *) wrong "check $path: exit $verdict" ;;
    esac
done

# The least layout for which 8 messages per flow are too few: it is not to be had in silence.
printf 'mesh 1 3\nflow 0,0 0,1 0,0 0,2\n' >least.layout
model least.layout
grep -q '^int left_0 = 10; ' model.pml || wrong "least.layout: the supply is not in the model"
search "-O0" -m100000
agrees least 1
model least.layout --spin-supply 9
search "-O0" -m100000
agrees "least with 9" 0
grep -q "takes up to 10 messages of one flow" err || wrong "--spin-supply 9: no word of 10"

# With a send buffer, and with FIFOs of depth 0.
for options in "--send 1 --depth 1" "--depth 0"; do
    for name in pair-exchange one-router chain row-only request-reply-classes; do
        "$meshway" layout check "$layouts/$name.layout" --no-realise >out 2>&1
        verdict=$?
        # shellcheck disable=SC2086 # several options
        model "$layouts/$name.layout" $options
        search "-O0 -DCOLLAPSE" -m1000000
        agrees "$name $options" $verdict
    done
done
# shellcheck disable=SC2154 # of lib.sh
exit $failed
