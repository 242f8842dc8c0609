#!/bin/sh
# test_device.sh BACKEND MESHWAY [MPIEXEC] -- the program on a backend of devices: validated runs on one
# rank and more, what is said of the device, and what cannot be. Of `kokkos` it is the one that has the host's cores
# behave as a device does (faulty_device.cpp).
set -u
backend=$1
meshway=$2
mpiexec=${3:-}
. "$(dirname "$0")/lib.sh"
[ "$backend" != kokkos ] || export MWT_DEVICE=apart

answers out 0 "validation:                     64 of 64" "$meshway" run 10 --backend "$backend" --json r.json
grep -q "\"backend\": \"$backend\"" r.json || wrong "the result does not say the backend"
grep -q '"device": "0: ' r.json || wrong "the result does not say the device"
grep -q '"device": {"device": "0: ' r.json || wrong "the result does not say what the device did"
grep -q '^  device 0: ' err || wrong "the device is not said"
grep -q '"engine": "cpe"' r.json || wrong "the device's cores are taken for the management core"

# The device validates, and the host some of it.
if [ "$backend" = kokkos ]; then
    grep -q "^validated_by: *backend 'kokkos' 64 of 64, by all tuples; of these the host 2" out ||
        wrong "the block does not say who has validated"
    [ "$(grep -c '"validated_by": "backend"' r.json)" -eq 62 ] || wrong "not all but two are the backend's"
    [ "$(grep -c '"validated_by": "backend and host"' r.json)" -eq 2 ] || wrong "not two are confirmed"
    answers out 0 "of these the host 5" "$meshway" run 8 --backend kokkos --json none --roots 9 --confirm 5
    answers out 0 "of these the host 0" "$meshway" run 8 --backend kokkos --json none --roots 3 --confirm 0
    answers out 0 "backend 'kokkos' 3 of 3" "$meshway" run 8 --backend kokkos --json none --roots 3 --max-depth 1
else
    grep -q '"validated_by": "host"' r.json || wrong "the result does not say that the host has validated"
fi
expect 0 "confirm has no effect" "$meshway" run 8 --backend serial --json none --roots 3 --confirm 1
expect 0 "confirm has no effect" "$mpiexec" -n 2 "$meshway" run 8 --backend serial --json none --roots 3 --confirm 1 --algorithm sssp
for algorithm in sssp cc; do # a rank that is alone judges these itself
    answers out 0 "of these the host 1" "$meshway" run 8 --backend serial --json none --roots 3 --confirm 1 --algorithm $algorithm
    grep -q "confirm has no effect" err && wrong "--confirm $algorithm: it has"
done

for direction in top-down bottom-up; do
    answers out 0 "4 of 4" "$meshway" run 9 --backend "$backend" --json none --roots 4 --direction $direction
done
answers out 0 "components:" "$meshway" run 10 --backend "$backend" --algorithm cc --json none

# Levels of few vertices, and of a few thousand: as many as the host finds, of as many vertices.
for graph in "grid 70x70" "grid 1x900" "grid 30x30x30" "roads 120x120" "geometric 9000"; do
    # shellcheck disable=SC2086 # a kind and a size
    expect 0 "" "$meshway" gen -q --force --kind $graph small.packed12
    for cores in "$backend" serial; do
        answers out 0 "8 of 8" "$meshway" run small.packed12 --backend "$cores" --roots 8 --json small.json --force
        grep -o '"n_levels": [0-9]*\|"n_reached": [0-9]*' small.json >small_"$cores"
    done
    [ "$(grep -c n_levels small_serial)" -eq 8 ] || wrong "no levels of $graph"
    cmp -s small_"$backend" small_serial || wrong "$graph has other levels than on the host"
done

# Shortest paths of rounds that are small, and that are not; whole where the device has that, and round by round.
for graph in "70x70" "30x30x30" "1x900"; do
    expect 0 "" "$meshway" gen -q --force --kind grid --weights $graph small.packed12
    for tune in span=auto span=level span=auto,prune=off,delta=1000000 span=auto,delta=1; do
        answers out 0 "4 of 4" "$meshway" run small.packed12 --backend "$backend" --algorithm sssp --roots 4 \
            --json none --tune $tune
    done
done
# The second has more labels than a whole search queues.
for tune in span=auto span=level span=auto,prune=off span=auto,prune=off,delta=1000000; do
    answers out 0 "4 of 4" "$meshway" run 13 --backend "$backend" --algorithm sssp --roots 4 --json none --tune $tune
    answers out 0 "1 of 1" "$meshway" run 18 --edgefactor 8 --backend "$backend" --algorithm sssp --roots 1 \
        --json paths.json --force --tune $tune
    [ "$tune" != span=level ] || ! grep -q '"n_levels": 1,' paths.json || wrong "span=level has no rounds"
done
if [ -n "$mpiexec" ]; then
    answers out 0 "64 of 64" "$mpiexec" -n 2 "$meshway" run 10 --tune devices=all --backend "$backend" --json none
    answers out 0 "16 of 16" "$mpiexec" -n 3 "$meshway" run 9 --tune devices=all --backend "$backend" --json none --roots 16 \
        --ranks-per-host 1 --bottom-up messages
    answers out 0 "components:" "$mpiexec" -n 2 "$meshway" run 9 --tune devices=all --backend "$backend" --algorithm cc --json none
fi

# The host's cores build and validate.
answers out 0 "4 of 4" "$meshway" run 9 --backend "$backend" --threads 2 --roots 4 --json two.json
grep -q '"threads_per_rank": 2' two.json || wrong "the result does not say the host's threads"
grep -q 'no effect' err && wrong "the host's threads are said to be of no use"
expect 64 "with option backend \"$backend\", and this run has \"auto\"" "$meshway" run 9 --threads 2 --roots 4 \
    --resume two.json

# A graph of the user's, against another backend: the same levels, whatever the trees.
printf '%s\n' '0 1' '1 2' '2 3' '3 0' '5 6' >g.txt
expect 0 "" "$meshway" run g.txt --backend "$backend" --root 0 --levels device.txt --json none
expect 0 "" "$meshway" run g.txt --backend serial --root 0 --levels serial.txt --json none
cmp -s device.txt serial.txt || wrong "levels differ from the serial backend's"

# With weights the device builds what the host would, of a generated list and of files, pruned or not.
if [ "$backend" = kokkos ]; then
    expect 0 "" "$meshway" gen 10 w.txt --weights
    for input in 10 13 "w.txt" "g.txt" "16 --tune prune=off" "16"; do
        for who in host device; do
            [ $who = host ] && tune="--tune build=host" || tune=
            # shellcheck disable=SC2086 # lists
            answers out 0 "1 of 1" "$meshway" run $input $tune --backend kokkos --algorithm sssp --root 1 \
                --values distance=$who.txt --json $who.json -f
            grep -q "\"built_by\": \"$who\"" $who.json || wrong "$input: not built by $who"
            sed -n 's/^ *\("digest": .*\)/\1/p' $who.json >$who.digest
        done
        [ -s host.txt ] && cmp -s host.txt device.txt || wrong "$input: other distances"
        [ -s host.digest ] && cmp -s host.digest device.digest || wrong "$input: another list"
    done
fi

# Devices.
shows 0 "$backend 0: " "$meshway" info
[ "$backend" != kokkos ] || grep -q '^  *Kokkos [0-9]' out || wrong "what drives the device is not said"
answers out 0 "\"backend\": \"$backend\"" "$meshway" info --json
for key in links driver library clock_mhz power_w; do
    grep -q "\"$key\": " out || wrong "info does not tell the device's $key"
done
expect 0 "" "$meshway" run 6 --backend "$backend" --device 0 --json none
expect 69 "'meshway info' lists them" "$meshway" run 6 --backend "$backend" --device 63 --json none
expect 64 "the openmp backend has no devices" "$meshway" run 6 --backend openmp --device 0 --json none

# Plans: a device's memory has a sum of its own, of all ranks that share it, and need not be at hand.
plan() { "$meshway" plan "$@" --backend "$backend" --memory 64Ti --device-memory 80Gi; }
shows 0 " for the 1 rank on a device" plan 26 --verbose
grep -q '^columns, of cores (device) ' out || wrong "the graph on the device has no row"
grep -q '^available *80.0 GiB per device (--device-memory)' out || wrong "the device's room is not said"
expect 78 "per rank of its device's memory, but 80.0 GiB are available there (--device-memory); SCALE " plan 33
fits=$(sed -n 's/.*; SCALE \([0-9]*\) would fit.*/\1/p' err)
shows 0 "verdict     fits" plan "$fits"
expect 78 "SCALE $fits would fit" plan $((fits + 1))
shows 0 " for the 1 rank on a device" plan 26 --ranks 4
shows 0 " for the 4 ranks on a device" plan 26 --ranks 4 --device 0
four=$(sed -n 's/^device.*, \([0-9.]*\) GiB for the 4.*/\1/p' out)
shows 0 " for the 1 rank on a device" plan 26 --tune build=host # as several ranks' is
one=$(sed -n 's/^device *\([0-9.]*\) GiB per rank.*/\1/p' out)
awk "BEGIN { exit !($four > 0.9 * $one) }" || wrong "four ranks on a device take less than one"
expect 78 "for the 4 ranks that share a device" plan $((fits + 1)) --ranks 4 --device 0
expect 64 "the openmp backend has no devices" "$meshway" plan 20 --backend openmp --device-memory 1Gi

# As many ways as there may be.
answers out 0 "way " "$meshway" run 6 --backend "$backend" --roots 1 --json none --algorithm cc --direction auto,bottom-up \
    --bottom-up auto,messages,bitmap,mixed --partition 1.5d,1d

# Where Kokkos was built for the host's cores they are a team, and build, search and validate.
unset MWT_DEVICE
if [ "$backend" = kokkos ] && "$meshway" info | grep -q "kokkos 0: .*the host's cores"; then
    answers out 0 "64 of 64" "$meshway" run 10 --backend kokkos --threads 2 --confirm 1 --json team.json
    grep -q "confirm has no effect: the host's cores validate every search" err || wrong "a team is taken for a device"
    grep -q '"validated_by": "host"' team.json || wrong "the result does not say that the host has validated"
    grep -q '"device": "0: .*, the host.s cores' team.json || wrong "the result does not say whose the cores are"
    answers out 0 "components:" "$meshway" run 10 --backend kokkos --algorithm cc --json none
    [ -z "$mpiexec" ] || answers out 0 "64 of 64" "$mpiexec" -n 2 "$meshway" run 10 --tune devices=all --backend kokkos --json none
    expect 69 "backend 'kokkos' sees 1 here, 0 to 0" "$meshway" run 6 --backend kokkos --device 2 --json none
fi

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
