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
    answers out 0 "16 of 16" env MWT_DEVICE=apart,devices="$ranks" "$mpiexec" -n "$ranks" "$meshway" run "$scale" --tune devices=all \
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
    answers out 0 "construction_pieces_time" env MWT_DEVICE=apart,devices=2 "$mpiexec" -n 2 "$meshway" run 24 --tune devices=all --backend kokkos \
        --roots 4 --no-validate --force --json none
    needs=$(sed -n 's/^predicted_device_bytes: *//p' out)
    answers out 0 "construction_time" env MWT_DEVICE=apart,devices=2,rank=1,room=$((needs - 1)) "$mpiexec" -n 2 "$meshway" \
        run 24 --tune devices=all --backend kokkos --roots 4 --no-validate --force --json none
    ! grep -q "^construction_pieces_time:" out || wrong "somebody has built there"
    grep -q "some device has not the memory to build the graph: the host builds it" err || wrong "nobody says why"
    # Ranks that know that they share a device.
    answers out 0 "8 of 8" env MWT_DEVICE=apart,devices=1 "$mpiexec" -n 2 "$meshway" run 14 --tune devices=all --backend kokkos --roots 8 \
        --force --json none
    ! grep -q "^construction_pieces_time:" out || wrong "ranks that share a device have built there"
fi

# One device that has the room runs alone where that was measured to be faster; the other ranks wait, and end with it.
alone() { # RANKS-THAT-RUN DEVICE OPTIONS...
    runs=$1 device=$2
    shift 2
    answers out 0 "num_mpi_processes:              $runs" env MWT_DEVICE=apart,devices=3$device "$mpiexec" -n 3 "$meshway" run 12 \
        --backend kokkos --roots 4 --force --json r.json "$@"
    grep -q "4 of 4 searches passed" out || wrong "$* $device: not validated"
}
alone 1 ""
grep -q "rank 0 alone runs, of 3" err || wrong "nobody says that ranks wait"
alone 1 "" --algorithm sssp
alone 1 "" --algorithm cc
grep -q '"n_ranks_waiting": 2' r.json || wrong "the result does not count who waits"
alone 1 "" --algorithm pagerank
alone 3 "" --tune devices=all
# A search to a depth is as whole as others.
answers out 0 "4 of 4 searches passed" env MWT_DEVICE=apart,devices=3 "$mpiexec" -n 3 "$meshway" run 12 --backend kokkos \
    --roots 4 --max-depth 2 --force --json depth.json
grep -q '"n_ranks_waiting": 2' depth.json || wrong "searches to a depth keep all devices"
grep -q '"built_by": "device"' depth.json || wrong "the host builds for searches to a depth"
# A run is taken up by as many ranks as it had.
answers out 0 "num_mpi_processes:              3" env MWT_DEVICE=apart,devices=3 "$mpiexec" -n 3 "$meshway" run 12 \
    --backend kokkos --roots 8 --resume r.json
alone 1 ""
expect 64 "n_ranks" env MWT_DEVICE=apart,devices=3 "$mpiexec" -n 3 "$meshway" run 12 --backend kokkos --roots 8 \
    --resume r.json --tune devices=all
alone 3 "" --tune exchange=mpi
alone 3 "" --ranks-per-host 1 # hosts are not left out
answers err 78 "per rank of its device" env MWT_DEVICE=apart,devices=3,room=1000000 "$mpiexec" -n 3 "$meshway" run 12 --backend kokkos --json none
! grep -q "alone runs" err || wrong "one runs alone where it has no room"
expect 64 "devices" "$meshway" run 12 --backend kokkos --tune devices=some --json none
# Whatever becomes of it, nobody is left behind: a file that cannot be, a device that hangs, a rank that is killed.
expect 73 "cannot create" env MWT_DEVICE=apart,devices=2 "$mpiexec" -n 2 "$meshway" run 9 --backend kokkos --json /nonexistent/r.json
n_commands=$((n_commands + 1))
MWT_DEVICE=apart,devices=2,hang=60 timeout -k 5 300 "$mpiexec" -n 2 "$meshway" run 9 --backend kokkos --json none --hang-timeout 1 \
    >out 2>err </dev/null
got=$?
leaves_with 70 $got || wrong "a device that hangs: code $got"
grep -q "no progress on this host for 1 s" err || wrong "a hanging device is not found"
n_commands=$((n_commands + 1))
MWT_DEVICE=apart,devices=2 "$mpiexec" -n 2 "$meshway" run 12 --backend kokkos --roots 4096 --no-validate --energy 300 --json none \
    >out 2>err </dev/null &
all=$!
for _ in $(seq 300); do
    grep -q "alone runs" err && break
    sleep 0.1
done
grep -q "alone runs" err || wrong "nobody waits"
sleep 1
pkill -KILL -P "$all" # the launcher's proxy, whose children ranks are
wait "$all"
[ $? -ne 0 ] || wrong "a launcher without its proxy ends well"
for _ in $(seq 300); do
    pgrep -f "$meshway run 12 --backend kokkos --roots 4096" >/dev/null || break
    sleep 0.1
done
! pgrep -f "$meshway run 12 --backend kokkos --roots 4096" >/dev/null || wrong "ranks outlive their launcher"

[ $failed -eq 0 ] && echo "all $n_commands commands behave ($span)"
exit $failed
