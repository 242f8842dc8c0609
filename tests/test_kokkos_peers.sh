#!/bin/sh
# test_kokkos_peers.sh MESHWAY_FAULTY MPIEXEC -- searches of several ranks whose devices reach each other's memory: a
# kernel each, which run at once, and validate each other's parts of the trees. One device is enough, which stands for all (faulty_device.cpp, devices=N): kernels
# then take turns. Where there is no such kernel, levels are the host's, and the result says why.
set -u
meshway=$1
mpiexec=$2
. "$(dirname "$0")/lib.sh"

several() { # RANKS SCALE OPTIONS...
    ranks=$1 scale=$2
    shift 2
    answers out 0 "16 of 16" env MWT_DEVICE=apart,devices="$ranks" "$mpiexec" -n "$ranks" "$meshway" run "$scale" \
        --backend kokkos --roots 16 --confirm 4 --force --json r.json "$@"
    grep -q '"roots_checked_by_backend": 16' r.json || wrong "the devices have not validated"
}
spans() { # SPAN WHY
    grep -q "\"span\": \"$1\"" r.json || wrong "the span is not '$1'"
    grep -q "\"span_why\": $2" r.json || wrong "$2 is not why"
}

# Where searches are whole, devices have built what they search; with --tune build=host it is the same graph.
is_there() {
    grep -q "^construction_pieces_time:" out || wrong "the devices have not built"
}
several 2 14
if grep -q '"span": "whole"' r.json; then
    span=whole why=null
else
    span=level why="\"the management core runs the levels of this backend\""
fi
spans $span "$why"
[ $span = level ] || is_there
several 2 14 --tune build=host
spans $span "$why"
several 3 14 --partition 1d
spans $span "$why"
several 2 9 # fewer labels than their bitmaps have lines for
[ $span = level ] || spans level "\"the graph is directed, wide, without a table of names, or small\""
if [ $span = whole ]; then
    several 4 16
    spans whole null
    is_there
    several 5 16 --tune heavy=64
    spans whole null
    several 8 17
    spans whole null
    several 8 17 --tune build=host --tune heavy=64
    spans whole null
    several 2 14 --tune exchange=mpi
    spans level '"the exchange is given"'
    # One device has room for the graph, and not to build it: then nobody builds there.
    answers out 0 "construction_pieces_time" env MWT_DEVICE=apart,devices=2 "$mpiexec" -n 2 "$meshway" run 24 --backend kokkos \
        --roots 4 --no-validate --force --json none
    needs=$(sed -n 's/^predicted_device_bytes: *//p' out)
    answers out 0 "construction_time" env MWT_DEVICE=apart,devices=2,rank=1,room=$((needs - 1)) "$mpiexec" -n 2 "$meshway" \
        run 24 --backend kokkos --roots 4 --no-validate --force --json none
    ! grep -q "^construction_pieces_time:" out || wrong "somebody has built there"
    grep -q "some device has not the memory to build the graph: the host builds it" err || wrong "nobody says why"
    # Ranks that know that they share a device.
    answers out 0 "8 of 8" env MWT_DEVICE=apart,devices=1 "$mpiexec" -n 2 "$meshway" run 14 --backend kokkos --roots 8 \
        --force --json none
    ! grep -q "^construction_pieces_time:" out || wrong "ranks that share a device have built there"
fi

[ $failed -eq 0 ] && echo "all $n_commands commands behave ($span)"
exit $failed
