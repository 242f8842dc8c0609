#!/bin/sh
# test_nccl.sh MESHWAY_FAULTY MPIEXEC NCCL -- devices that trade records themselves: with a library that does it on the host's memory
# (nccl.c), with none, and with one that fails.
set -u
meshway=$1
mpiexec=$2
nccl=$3
. "$(dirname "$0")/lib.sh"
mkdir -p with without
cp "$nccl" with/libnccl.so.2

# on N FOLDER ARGUMENT...: so many ranks, each with a device, of which LATE may say more.
late=
on() {
    n=$1 folder=$2
    shift 2
    LD_LIBRARY_PATH=$PWD/$folder:${LD_LIBRARY_PATH:-} MWT_DEVICE=apart,devices=8$late timeout -k 5 300 "$mpiexec" -n "$n" "$meshway" \
        run --backend kokkos --tune devices=all -q --json r.json -f "$@"
}
# fails CODE TEXT COMMAND...: all ranks end; Hydra may mix in its own KILL.
fails() {
    code=$1 text=$2
    shift 2
    n_commands=$((n_commands + 1))
    "$@" >out 2>err </dev/null
    got=$?
    leaves_with "$code" $got || wrong "$*: code $got"
    grep -qF -e "$text" err || wrong "$*: no '$text'"
}
says() { grep -q "$1" r.json || wrong "the result does not say $1"; }

for n in 2 3 4; do
    expect 0 "" on $n with 10 --roots 8
    says '"exchange": "nccl"'
    says '"roots_checked": 8'
    says '"roots_checked_by_backend": 8' # who hear of each other's parents by the same library
done
expect 0 "" on 3 with 9 --roots 4 --direction top-down --partition 1d
says '"exchange": "nccl"'
expect 0 "" on 3 with 9 --roots 4 --bottom-up messages
expect 0 "" on 4 with 9 --roots 4 --bottom-up mixed
expect 0 "" on 2 with 16 --roots 1 --algorithm cc # some are left after its search
says '"exchange": "nccl"'
# Where devices tell each other they build with weights, too, and prune what they have built.
for n in 2 3 4; do
    for who in host device; do
        [ $who = host ] && tune="--tune build=host" || tune="--tune build=auto"
        # shellcheck disable=SC2086 # two words
        expect 0 "" on $n with 14 --roots 4 --algorithm sssp $tune
        says "\"built_by\": \"$who\""
        says '"roots_checked": 4'
        tr -d ' ' <r.json | sed -n -e '/^"digest"/p' -e '/^"n_entries_searched"/p' -e '/^"delta":[0-9]/p' >$who.facts
    done
    [ "$(wc -l <host.facts)" -eq 3 ] || wrong "facts are missing"
    cmp -s host.facts device.facts || wrong "$n ranks have built another graph"
done
# Values of all vertices stand in a table on each device, which the library passes round, or hosts do; else they are records.
for algorithm in pagerank communities triangles; do
    for n in 2 3; do
        for folder in with without; do
            expect 0 "" on $n $folder 10 --roots 1 --algorithm $algorithm
            says '"roots_checked": 1'
            grep -q '"n_records": [1-9]' r.json && wrong "$algorithm, $folder: a table and records"
        done
        [ $algorithm = triangles ] && continue # has no other way
        expect 0 "" on $n with 10 --roots 1 --algorithm $algorithm --tune table=off
        says '"roots_checked": 1'
        says '"n_records": [1-9]'
    done
done
# Whose steps are kernels and sweeps alone are built by the devices.
for algorithm in pagerank core communities multi_bfs betweenness triangles; do
    expect 0 "" on 2 with 14 --roots 1 --algorithm $algorithm
    says '"built_by": "device"'
    says '"roots_checked": 1'
done
# Levels are the same as by MPI, and so are the records: what is counted is what is sent.
# Two rounds: batches are small.
for how in nccl mpi; do
    expect 0 "" on 2 with 12 --roots 2 --tune batch=512 --direction top-down --partition 1d --tune hubs=off --tune exchange=$how
    says "\"exchange\": \"$how\""
    tr -d ' ' <r.json | tr ',' '\n' | sed -n -e 's/^"n_records"/&/p' -e 's/^"n_found"/&/p' >$how.levels
done
[ -s nccl.levels ] || wrong "there are no levels"
cmp -s nccl.levels mpi.levels || wrong "levels or records differ"

# None is found, or it is too old: records go by MPI, and the result says so; asked for, it is an error.
expect 0 "" on 2 without 9 --roots 2 --tune exchange=mpi
says '"exchange_why": "exchange=mpi"'
# A device is the same one for whatever host its rank is taken.
shared() {
    fails 69 "exchange=nccl: ranks share a device" env LD_LIBRARY_PATH="$PWD/with:${LD_LIBRARY_PATH:-}" MWT_DEVICE=apart,devices=1 \
        timeout -k 5 300 "$mpiexec" -n 2 "$meshway" run 9 --backend kokkos -q --json none --tune exchange=nccl "$@"
}
shared
shared --ranks-per-host 1 --routing direct
for plant in old name init,rank=1; do
    MWT_NCCL=$plant
    export MWT_NCCL
    expect 0 "" on 2 with 9 --roots 2
    says '"exchange": "mpi"'
    fails 69 "exchange=nccl: " on 2 with 9 --roots 2 --tune exchange=nccl
done
# It fails in the middle, also between two rounds of an exchange: all ranks end.
for rank in 0 1; do
    MWT_NCCL=async=3,rank=$rank
    fails 70 "NCCL: records: remote error" on 2 with 9 --roots 8 --direction top-down --partition 1d --tune hubs=off
    fails 70 "NCCL: records: remote error" on 2 with 10 --roots 8 --bottom-up messages --partition 1d --tune hubs=off --tune batch=512
done
# A record that names a child which nobody has: the sentence of batches, whatever the record is about.
for rank in 0 1; do
    MWT_NCCL=damage=3,rank=$rank
    corrupt="corrupt batch from rank $((1 - rank)): it names child 2147483647, this rank has "
    fails 70 "$corrupt" on 2 with 9 --roots 8 --direction top-down --partition 1d --tune hubs=off
    fails 70 "$corrupt" on 2 with 10 --roots 8 --bottom-up messages --partition 1d --tune hubs=off --tune batch=512
    MWT_NCCL=damage=1,rank=$rank
    fails 70 "$corrupt" on 2 with 16 --roots 1 --algorithm cc
done
# It is asked while it is waited for; where it says nothing, the watchdog does.
late=,late=9
unset MWT_NCCL
expect 0 "" on 2 with 9 --roots 4
MWT_NCCL=async=3,asked=5,rank=1
export MWT_NCCL
fails 70 "NCCL: records: remote error" on 2 with 9 --roots 8 --direction top-down --partition 1d --tune hubs=off
late=
MWT_NCCL=stuck=3,rank=1
fails 70 "waits for a device" on 2 with 9 --roots 8 --direction top-down --partition 1d --tune hubs=off --hang-timeout 1
unset MWT_NCCL

# One has no memory for this or that of it: all go on through MPI, or end with the reason.
for k in 312 316 318 320 322 324 328; do
    n_commands=$((n_commands + 1))
    few="run 6 --backend kokkos --roots 1 --json none -q --hang-timeout 20"
    # shellcheck disable=SC2086 # options
    LD_LIBRARY_PATH=$PWD/with:${LD_LIBRARY_PATH:-} MWT_DEVICE=apart,devices=2 timeout -k 5 300 "$mpiexec" -n 1 "$meshway" $few : \
        -n 1 env MESHWAY_FAIL_ALLOC=$k "$meshway" $few >out 2>err </dev/null
    got=$?
    [ $got -eq 0 ] || leaves_with 71 $got || wrong "allocation $k: code $got: $(head -n 2 err)"
done

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
