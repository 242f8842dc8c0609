#!/bin/sh
# test_omptarget_faults.sh MESHWAY_FAULTY [MPIEXEC] -- devices of OpenMP that are absent, shared, full, lost or never come
# back (faulty_omptarget.c): each a sentence and its exit code, on all ranks, and no core file.
set -u
meshway=$1
mpiexec=${2:-}
. "$(dirname "$0")/lib.sh"
export OMP_NUM_THREADS=1
ulimit -c unlimited 2>/dev/null # so that a core would be there

run() { faults=$1 && shift && MWT_OMPTARGET=$faults,devices=1 "$meshway" run 9 --backend omptarget --roots 8 -q --json none "$@"; }
# both CODE FAULTS TEXT...: two ranks, of which the second has them; Hydra may mix in its own KILL, and
# ended with 1 once in some hundred runs in which both ranks had said TEXT.
both() {
    code=$1 faults=$2
    shift 2
    n_commands=$((n_commands + 1))
    MWT_OMPTARGET=$faults,devices=1,rank=1 timeout -k 5 900 "$mpiexec" -n 2 "$meshway" run 9 --backend omptarget \
        --roots 8 --json none -q --hang-timeout 1 >out 2>err </dev/null
    got=$?
    leaves_with "$code" $got || wrong "$faults: code $got"
    for text in "$@"; do
        grep -q -e "$text" err || wrong "$faults: no '$text'"
    done
}

# The pretended device is one that all goes well on.
answers out 0 "8 of 8" run none
# What is known beforehand, or found out when the device is opened.
expect 69 "backend 'omptarget' sees 2 here, 0 to 1" run devices=2 --device 63
expect 69 "device 0 cannot be used: OpenMP's runtime has ended it, see above" run lost=1
expect 71 "out of memory of OpenMP's device 0: " run full=1
# A program without code for the device: its regions come back to the host.
expect 69 "cannot be used: this build has no code for it" run no_code=1

"$meshway" info | grep -q "omptarget 0: the host's cores" && expect 69 "OMP_TARGET_OFFLOAD=mandatory, and there is no device" \
    env OMP_TARGET_OFFLOAD=mandatory "$meshway" run 6 --backend omptarget --json none

# What fails in the middle.
for n in 20 60; do
    expect 70 "device 0 has failed in the middle of a run, in a region: OpenMP's runtime has ended it, see above" run lost=$n
    grep -q "planted" err || wrong "what the runtime says is lost"
done
expect 70 "device 0 in the middle of a run: a copy of " run copy=20
expect 71 "out of memory of OpenMP's device 0: " run full=20
grep -q "what to do: 'meshway plan'" err || wrong "nobody says what to do"
expect 70 "no progress on this host for 1 s (--hang-timeout)" run hang=60 --hang-timeout 1
grep -q "waits for a device" err || wrong "nobody says what was waited for"

# What is finished is kept.
expect 70 "searches are finished; they are in left.json" env MWT_OMPTARGET=devices=1,lost=60 "$meshway" run 9 \
    --backend omptarget --roots 8 -q --json left.json
grep -q '"status": "interrupted"' left.json || wrong "what is saved is not said to be a part"

# On several ranks all end.
if [ -n "$mpiexec" ]; then
    both 70 lost=60 "device 0 has failed in the middle of a run, in a region" \
        "rank 0 on .*: a device of this host has failed" "rank 1 on "
    both 71 full=12 "out of memory of OpenMP's device 0: "
    both 69 lost=1 "device 0 cannot be used" "rank 0 on .*: a device of this host cannot be used"
    both 70 hang=60 "rank 0 on .*: no progress on this host for 1 s" "rank 1 on .*no progress"
    answers err 0 "2 ranks of this host share a device" env MWT_OMPTARGET=devices=1 "$mpiexec" -n 2 "$meshway" run 8 \
        --backend omptarget --roots 2 --json none
fi
ls core* >/dev/null 2>&1 && wrong "there is a core file"

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
