#!/bin/sh
# test_program.sh -- the complete program on backend "athread", both sides linked as on the
# machine and run on emulated cores: one and several ranks, direct and relay, both forms of
# bottom-up, one cluster and the four of a node. Each must validate on all roots (8, or 64 with
# MW_TEST_LONG), and the timeline must show each module of the message form on a cluster.
#
#     test_program.sh MESHWAY MPIEXEC MACHINE all|few
#
# MACHINE is what athread_on_emul.c is told about its chip.
# SPDX-License-Identifier: Apache-2.0
set -u
program=$1 mpiexec=$2 machine=$3 which=$4
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
trace=$folder/trace.json
failed=0
roots=8
[ -z "${MW_TEST_LONG:-}" ] || roots=64

# run RANKS SCALE CLUSTERS FORM option...: hubs are few, so that there is somebody to ask.
run() {
    ranks=$1 scale=$2 clusters=$3 form=$4
    shift 4
    rm -f "$trace"
    said="$ranks ranks, SCALE $scale, $clusters clusters, $form $*"
    ATHREAD_ON_EMUL=$machine "$mpiexec" -n "$ranks" "$program" run "$scale" \
        --backend athread --engine cpe --tune small-input=0 --clusters "$clusters" \
        --bottom-up "$form" --tune hubs=2:2 --trace "$trace" --roots $roots --json none --quiet "$@" \
        >"$folder/said" 2>&1
    if grep -q "$roots of $roots searches passed" "$folder/said"; then
        echo "$said: $roots of $roots"
    else
        echo "$said: FAILED" >&2
        cat "$folder/said" >&2
        failed=1
    fi
}

# did MODULE...: in the last run. Tracks 0 and 1 are the management core's.
did() {
    for module in "$@"; do
        grep '"tid":[2-9]' "$trace" | grep -q "\"name\":\"$module\"" || {
            echo "$said: no cluster ran the $module" >&2
            failed=1
        }
    done
}

run 1 8 4 messages
did 'forward generator' 'forward handler' 'backward generator' 'backward handler'
run 3 8 4 messages --routing relay --groups 2x2
grep '"ph":"X"' "$trace" | grep -q '"tid":[3-5]' || {
    echo "$said: only the first cluster had work" >&2
    failed=1
}
did 'forward generator' 'forward relay' 'forward handler' \
    'backward generator' 'backward relay' 'backward handler'
if [ "$which" = all ]; then
    run 1 10 1 bitmap
    run 3 8 1 messages --routing direct
    run 3 9 1 bitmap --routing relay --groups 2x2
    run 3 9 4 bitmap --routing direct
fi
exit $failed
