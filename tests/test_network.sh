#!/bin/sh
# test_network.sh MESHWAY_FAULTY MPIEXEC -- the whole program on a network that misbehaves
# (faulty_transport.h): what no promise forbids changes nothing, what breaks one ends all ranks with
# 70 and with what each knows, whatever flows meanwhile.
set -u
meshway=$1
mpiexec=$2
. "$(dirname "$0")/lib.sh"

# ends FAULTS TEXT...: with 70 on all ranks, which Hydra may mix with its own KILL; err has the texts.
more=
ends() {
    # shellcheck disable=SC2086 # options
    faults=$1
    shift
    n_commands=$((n_commands + 1))
    MWT_FAULTS=$faults timeout -k 5 900 "$mpiexec" -n 2 "$meshway" run 10 --roots 8 --json none -q \
        --hang-timeout 1 $more >out 2>err </dev/null
    code=$?
    leaves_with 70 $code || wrong "$faults: code $code"
    for text in "$@"; do
        grep -q -e "$text" err || wrong "$faults: no '$text'"
    done
}

"$mpiexec" -n 2 "$meshway" run 10 --root 1 --levels right.txt --json none -q >out 2>err ||
    wrong "without faults: code $?"
for seed in 1 2; do
    n_commands=$((n_commands + 1))
    MWT_FAULTS=seed=$seed,delay=30 "$mpiexec" -n 2 "$meshway" run 10 --root 1 --levels late.txt \
        --json none -q -f >out 2>err || wrong "late batches: code $?"
    cmp -s right.txt late.txt || wrong "late batches change levels"
done

# Whoever is called like the program and is not of the run is left alone.
cp "$(command -v sleep)" "$(basename "$meshway")"
"./$(basename "$meshway")" 100000 &
bystander=$!

# Livelock: messages flow, and nothing is done.
for faults in flood refused; do
    ends $faults "rank 0 on .*: no progress on this host for 1 s (--hang-timeout): construction" \
        "rank 1 on .*: no progress on this host for 1 s (--hang-timeout): construction" \
        "waits in a pipeline: run 1; .*; port [0-9]*: [01] of 2 closed"
done
ends back "came back to its sender, rank"
ends twice=30 "out of order"
ends lost=30 "out of order\|no progress"
more="--ranks-per-host 1 --compress packed"
ends flip=1 "corrupt batch from rank .: its check does not hold\|no progress"

# A deep graph: between two levels of questions lie as many runs without as a byte can count.
awk 'BEGIN { L = 255
    for (i = 0; i < L; i++) print i, i + 1
    for (a = 0; a < 10; a++) { print L, L + 1 + a; for (b = 0; b < a; b++) print L + 1 + a, L + 1 + b } }' >deep.el
shows 0 "1 of 1 searches passed" "$mpiexec" -n 2 "$meshway" run -g deep.el -r 0 --partition 1d --tune hubs=off \
    --bottom-up messages --hang-timeout 20 --json none

# Of two hosts one has no memory for this or that: both end, with the reason. Under a sanitizer not each time;
# test_alloc_failure.c has ranks without memory there.
small="run 6 --roots 2 --ranks-per-host 1 --threads 1 --json none -q --hang-timeout 20"
allocations="20 45 70 95 120 145 156 157 158 159 160 161 162 170 180 186 187 188 189 190 191 192 193 194 195 196 197 198"
[ -z "${MW_TEST_SHORT:-}" ] || allocations="45 95 145 158 161 180 188 191 194 197"
for n in $allocations; do
    # shellcheck disable=SC2086 # options
    expect 71 "out of memory" "$mpiexec" -n 1 "$meshway" $small : -n 1 env MESHWAY_FAIL_ALLOC=$n "$meshway" $small
done

# Stopped between the last search and the result: all searches are in it, none was saved last second.
more="--root 1,2,3 --json stopped.json -q"
for where in report free; do
    n_commands=$((n_commands + 1))
    rm -f stopped.json
    MWT_STOP=$where timeout -k 5 900 "$mpiexec" -n 2 "$meshway" run 10 --hang-timeout 1 -f $more >out 2>err </dev/null
    code=$?
    [ $code -eq 0 ] || leaves_with 70 $code || wrong "stopped at $where: code $code"
    grep -q "stands still, as if stopped" err || wrong "nobody saw that it was stopped at $where"
    [ "$(grep -c '"root": [0-9]' stopped.json)" = 3 ] || wrong "$where: not all searches are in the result"
done

kill -0 $bystander 2>/dev/null || wrong "the bystander of the same name is gone"
kill $bystander
wait $bystander 2>/dev/null

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
