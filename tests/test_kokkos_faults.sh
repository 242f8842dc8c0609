#!/bin/sh
# test_kokkos_faults.sh MESHWAY_FAULTY [MPIEXEC] -- a device that is full, too old, absent, shared, that
# fails in the middle of a search or never comes back (faulty_device.cpp): each a sentence and its
# exit code, on all ranks, and no core file.
set -u
meshway=$1
mpiexec=${2:-}
. "$(dirname "$0")/lib.sh"
ulimit -c unlimited 2>/dev/null # so that a core would be there

run() { faults=$1 && shift && MWT_DEVICE=apart,$faults "$meshway" run 9 --backend kokkos --roots 8 -q --json none "$@"; }
# both FAULTS TEXT...: two ranks, of which the second has them; Hydra may mix in its own KILL.
both() {
    code=$1 faults=$2
    shift 2
    n_commands=$((n_commands + 1))
    MWT_DEVICE=apart,rank=1,$faults timeout -k 5 900 "$mpiexec" -n 2 "$meshway" run 9 --tune devices=all --backend kokkos --roots 8 \
        --json none -q --hang-timeout 1 >out 2>err </dev/null
    got=$?
    leaves_with "$code" $got || wrong "$faults: code $got"
    for text in "$@"; do
        grep -q -e "$text" err || wrong "$faults: no '$text'"
    done
}

# What is known beforehand.
expect 69 "cannot be used: planted: it is older" run old
expect 69 "cannot be used: there is no device" run devices=0
expect 69 "backend 'kokkos' sees 2 here, 0 to 1" run devices=2 --device 2
expect 78 "per rank of its device's memory, but 64.0 KiB are available there (device 0, " run room=65536
grep -q "; SCALE [0-9]* would fit" err || wrong "nobody says what would fit"
expect 78 "are available there (--device-memory)" run room=65536000 --device-memory 64Ki
# A device that has what plan says is enough, and one with less is not. Validation there takes more, where there is room.
for algorithm in sssp bfs; do # with weights and without
    needs=$(MWT_DEVICE=apart "$meshway" run 9 --backend kokkos --roots 1 --no-validate --json none --algorithm $algorithm 2>err |
        sed -n 's/^predicted_device_bytes: *//p')
    took=$(MWT_DEVICE=apart "$meshway" run 9 --backend kokkos --roots 1 --no-validate --json r.json -f --algorithm $algorithm 2>err |
        sed -n 's/^peak_device_bytes: *//p')
    grep -q "\"predicted_device_bytes\": $needs" r.json || wrong "the result does not say what was planned"
    grep -q '"built_by": "device"' r.json || wrong "$algorithm: the host has built"
    awk "BEGIN { exit !($took > 0.8 * $needs && $took < 1.05 * $needs) }" ||
        wrong "$algorithm: $needs bytes planned, $took taken"
    expect 0 "" run room="$needs" --no-validate --algorithm $algorithm
    # With less the host builds, which takes less there; with less than that takes nobody does.
    expect 0 "the host builds it" run room=$((needs - 1)) --no-validate --algorithm $algorithm
done
needs=$(MWT_DEVICE=apart "$meshway" run 9 --backend kokkos --roots 1 --no-validate --tune build=host --json none 2>err |
    sed -n 's/^predicted_device_bytes: *//p')
expect 0 "" run room="$needs" --no-validate --tune build=host
expect 78 "per rank of its device's memory" run room=$((needs - 1)) --no-validate

# What fails in the middle.
expect 70 "device 0 in the middle of a run: planted exception" run throw=60
expect 70 "device 0 has failed in the middle of a run" run abort=60
expect 71 "device 0 in the middle of a run: out of memory: " run full=60
grep -q "what to do: 'meshway plan'" err || wrong "nobody says what to do"
expect 70 "no progress on this host for 1 s (--hang-timeout)" run hang=60 --hang-timeout 1
grep -q "waits for a device" err || wrong "nobody says what was waited for"
for n in 90 110 130 150; do # of these some are the device's
    expect 71 "out of memory" env MESHWAY_FAIL_ALLOC=$n MWT_DEVICE=apart "$meshway" run 9 --backend kokkos \
        --roots 8 --json none -q
done

# Who has a device and does not name a backend hears of it; who names one, or has none, does not.
idle="searches on the .* here"
for words in "MWT_DEVICE=apart" "MWT_DEVICE=apart,old" "MWT_DEVICE=apart MESHWAY_BACKEND=auto" "MWT_OTHER=1"; do
    # shellcheck disable=SC2086 # a list
    expect 0 "" env $words "$meshway" run 6 --roots 1 --json j.json -f
    grep -q '"devices": \[\]' j.json || wrong "$words: the host's cores are called devices"
    [ "$words" != MWT_DEVICE=apart ] || grep -q "^  on cores; '--backend kokkos' $idle" err || wrong "an idle device is not said"
    [ "$words" = MWT_DEVICE=apart ] || ! grep -q "$idle" err || wrong "$words: an idle device is said"
done

# What is finished is kept.
expect 70 "searches are finished; they are in left.json" env MWT_DEVICE=apart,throw=150 "$meshway" run 9 \
    --backend kokkos --roots 8 -q --json left.json
grep -q '"status": "interrupted"' left.json || wrong "what is saved is not said to be a part"
# On several ranks all end.
if [ -n "$mpiexec" ]; then
    # Joules of the devices that ranks run on, of each once: 5 J between two readings, as planted.
    for n in 1 2; do
        answers err 0 "" env MWT_DEVICE=apart,devices=$n "$mpiexec" -n 2 "$meshway" run 8 --tune devices=all --backend kokkos --roots 4 \
            --energy 0.5 --json e.json -f -q
        grep -A1 '^  "devices": \[' e.json | grep -q "\"n_devices\": $n}" || wrong "the result does not count $n devices"
        grep -q "^  \"n_devices\": $n," e.json || wrong "not $n devices have been read"
        awk -v n=$n '/"energy": \{$/ { on = 1 }
            on && $1 == "\"device_joules\":" { j = $2 + 0; on = 0 }
            END { exit !(j == 5 * n) }' e.json || wrong "$n devices have not drawn 5 J each"
    done
    both 70 throw=60 "planted exception" "rank 0 on .*: a device of this host has failed" "rank 1 on "
    both 70 abort=60 "device 0 has failed in the middle of a run"
    both 71 rooms "out of memory of the cores: rooms of kernels, [0-9]* bytes" "rank 0 on .* was full"
    both 71 full=60 "out of memory\|bad_alloc" "rank 0 on .*: a device of this host was full"
    answers err 69 "cannot be used: planted: it is older" env MWT_DEVICE=apart,devices=2,old,rank=1 "$mpiexec" -n 2 \
        "$meshway" run 8 --tune devices=all --backend kokkos --roots 2 --json none -q --tune span=whole+level
    both 70 hang=60 "rank 0 on .*: no progress on this host for 1 s" "rank 1 on .*no progress"
    for hosts in "" "--ranks-per-host 1"; do # whatever they are taken for
        # shellcheck disable=SC2086 # an option and its value
        answers err 0 "2 ranks of this host share a device" env MWT_DEVICE=apart "$mpiexec" -n 2 "$meshway" run 8 --tune devices=all \
            --backend kokkos --roots 2 --json none $hosts
    done
    answers err 0 "" env MWT_DEVICE=apart,devices=2 "$mpiexec" -n 2 "$meshway" run 8 --tune devices=all --backend kokkos --roots 2 \
        --json none
    ! grep -q "share a device" err || wrong "two ranks with a device each are said to share one"
    grep -q "^  all ranks: 2 x " err || wrong "the first lines do not count the devices"
    # Ranks of one real host take its devices in turn, whatever hosts they are taken for.
    answers err 0 "" env MWT_DEVICE=apart,devices=2 "$mpiexec" -n 2 "$meshway" run 8 --tune devices=all --backend kokkos --roots 2 \
        --json none --ranks-per-host 1
    ! grep -q "share a device" err || wrong "two ranks of two pretended hosts are said to share a device"
    answers err 69 "device 1, " env MWT_DEVICE=apart,devices=2,old,rank=1 "$mpiexec" -n 2 "$meshway" run 8 --tune devices=all \
        --backend kokkos --roots 2 --json none --ranks-per-host 1
    answers err 69 "device 3, " env MWT_DEVICE=apart,devices=4,old,rank=3 "$mpiexec" -n 4 "$meshway" run 8 --tune devices=all \
        --backend kokkos --roots 2 --json none --ranks-per-host 2
    answers err 78 "for the 2 ranks that share a device" env MWT_DEVICE=apart,room=100000 "$mpiexec" -n 2 \
        "$meshway" run 8 --tune devices=all --backend kokkos --roots 2 --json none
fi
# A device that has room to search, and not to validate: it is said before, and in the block.
needs=$(MWT_DEVICE=apart "$meshway" run 9 --backend kokkos --roots 1 --json none 2>err |
    sed -n 's/^predicted_device_bytes: *//p')
expect 0 "by plan the device lacks the memory to validate as well: the host's cores then do" env MWT_DEVICE=apart,room=$((needs - 1)) \
    "$meshway" run 9 --backend kokkos --roots 8 --json none --tune build=host
expect 0 "" env MWT_DEVICE=apart,room=1000000000 "$meshway" run 9 --backend kokkos --roots 8 --json none
! grep -q "lacks the memory to validate" err || wrong "a device with room is said to lack it"
shows 0 "validated_by:                   the host's cores, all 8" env MWT_DEVICE=apart,blind "$meshway" run 9 \
    --backend kokkos --roots 8 --json none
list=$((8 * (16 << 9))) # the tuples, which go home where that makes room
shows 0 "validation  by the host's cores, for the device lacks the memory" \
    env MWT_DEVICE=apart,room=$((needs - list - 1)) "$meshway" plan 9 --backend kokkos
expect 0 "" env MWT_DEVICE=apart,room=$((needs - 1)) "$meshway" plan 9 --backend kokkos
! grep -q "by the host's cores" out || wrong "tuples that may go home are counted as the device's"
shows 0 "backend 'kokkos' 8 of 8, by all tuples; of these the host 2" env MWT_DEVICE=apart,tight "$meshway" run 9 \
    --backend kokkos --roots 8 --json none
# What a device takes is measured, stored and planned with.
mkdir -p rates
expect 0 "" env MESHWAY_RESULTS=rates MWT_DEVICE=apart,room=400000000 "$meshway" plan --calibrate --backend kokkos
grep -q '^rates measured on devices of ' out || wrong "rates of a device are not said to be measured"
expect 0 "" env MESHWAY_RESULTS=rates MWT_DEVICE=apart "$meshway" plan 18 --backend kokkos
grep -q '^takes .* modelled: rates measured on devices of ' out || wrong "a plan does not take what was measured"
expect 0 "" env MESHWAY_RESULTS=rates "$meshway" plan 18 --backend serial
grep -q '^takes .* rates of another machine' out || wrong "a device's rates are taken for those of cores"
expect 0 "" env MESHWAY_RESULTS=rates "$meshway" plan --calibrate 12 --backend serial
grep -q '^rates measured on devices of ' out || wrong "rates of cores put those of devices out"
ls core* >/dev/null 2>&1 && wrong "there is a core file"

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
