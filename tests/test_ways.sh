#!/bin/sh
# test_ways.sh -- lists on one command line: every way searches every root, its own files, its
# own routing and engine, and what one way is enough for is refused.
#
#     test_ways.sh MESHWAY [MPIEXEC]
meshway=$1
mpiexec=${2:-}
. "$(dirname "$0")/lib.sh"

# Two processes where there is MPI: a relay of one rank is no relay.
run() {
    if [ -n "$mpiexec" ]; then
        "$mpiexec" -n 3 "$meshway" run "$@"
    else
        "$meshway" run "$@"
    fi
}

answers out 0 "by each of 4 ways" run 8 --roots 5 --backend emul --engine mpe,cpe \
    --routing direct,relay --tune small-input=0 --json r.json --trace t.json --progress none
[ "$(grep -c ' 5/5 ' out)" -eq 4 ] || wrong "not all four ways are validated"
for way in mpe-direct mpe-relay cpe-direct cpe-relay; do
    [ -s r.$way.json ] || wrong "no result of $way"
    [ -s t.$way.json ] || wrong "no trace of $way"
    grep -q "\"value\": \"${way%-*}\"" r.$way.json || wrong "$way has another engine"
done
# The management core runs all modules, or none.
grep -q '"C0"' t.cpe-direct.json || wrong "no track of a cluster"
clusters() { tr '{' '\n' <"$1" | grep -c '"tid": *2,.*"ph": *"X"\|"ph": *"X".*"tid": *2,'; }
[ "$(clusters t.mpe-direct.json)" -eq 0 ] || wrong "mpe: a cluster had a job"
[ "$(clusters t.cpe-direct.json)" -gt 0 ] || wrong "cpe: no cluster had a job"
if [ -n "$mpiexec" ]; then
    grep -q '"routing": "relay"' r.cpe-relay.json || wrong "relay went direct"
    grep -q '"routing": "direct"' r.cpe-direct.json || wrong "direct was relayed"
fi

# Teams of threads that take turns.
answers out 0 "by each of 6 ways" run 9 --roots 4 --threads 2 --json none --progress none \
    --direction top-down,bottom-up,auto --bottom-up bitmap,messages
[ "$(grep -c ' 4/4 ' out)" -eq 6 ] || wrong "not all six ways are validated"
answers out 0 "by each of 3 ways" run 8 --roots 2 --backend serial,openmp,emul-threads \
    --json none --progress none

# Modelled times: beside the first way that has any.
answers out 0 "modelled: choosing directions is free" run 8 --roots 2 --backend openmp,emul \
    --direction top-down --json none --progress none
! grep -qiw 'inf\|nan' out || wrong "a rate beside nothing"
grep -q '^openmp .* - *- ' out || wrong "a host has a modelled rate"
grep -q '^emul .* 1  *[0-9]* ' out || wrong "the first modelled rate is not beside itself"
answers out 0 "bytes, those of bitmaps and hubs included" run 8 --roots 2 --backend emul \
    --bottom-up messages,bitmap --json none --progress none
grep -q '^messages .* 1  *[0-9]* ' out || wrong "no modelled rate by messages"
grep '^bitmap ' out | grep -qv ' - ' || wrong "no modelled rate by bitmap"

# Each team says where it is, and the graph's two files tell when a run ends early.
answers err 0 "" run 8 --roots 2 --backend serial,emul --direction top-down,auto --json none
[ "$(grep -c '^  .*cpus\|^  .*core' err)" -ge 2 ] || wrong "a backend does not say where it runs"
# On one rank: what mpiexec answers to a signal is its own affair.
asked '"done":4,' err 75 "by each way; what is finished is in i.cpe.json, i.mpe.json" "$meshway" run \
    12 --roots 5000 --engine cpe,mpe --json i.json --progress json
[ -s i.cpe.json ] && [ -s i.mpe.json ] || wrong "no files of an interrupted run"
! grep -q 'of 5000 searches' err || wrong "more searches than there are roots"

answers err 64 "'auto' and '" run 8 --backend auto,serial,openmp --json none
grep -q 'are both .* here' err || wrong "not said which backend auto is"
answers err 64 "--tree: is of one way to search, but there are 2" run 8 --root 1 --tree t \
    --engine mpe,cpe
answers err 64 "--compat" run 8 --compat --engine mpe,cpe
answers err 64 "names mpe twice" run 8 --engine mpe,mpe
answers err 64 "at most 16" run 8 --engine mpe,cpe --routing direct,relay,auto \
    --direction auto,top-down,bottom-up
answers err 64 "exclude each other" run 8 --groups 1x3 --routing relay,direct
answers out 0 "by each of 6 ways" run 8 --roots 2 --tune batch=512+1Ki+2Ki,alpha=3 --tune follow=auto+off \
    --json k.json --progress none
for way in 512-auto 512-off 1Ki-auto 1Ki-off 2Ki-auto 2Ki-off; do
    tr -d ' \n' <k.$way.json | grep -q "\"follow\":{\"value\":\"${way#*-}\",\"origin\":\"commandline\"" ||
        wrong "$way has another value of follow"
done
tr -d ' \n' <k.1Ki-off.json | grep -q '"batch_bytes":1024,' || wrong "1Ki has other batches"
answers err 64 "heavy takes one value: all ways" run 8 --tune heavy=8+9
answers err 64 "follow: 'off+off' names a value twice" run 8 --tune follow=off+off
answers err 64 "at most 16" run 8 --tune alpha=1+2+3+4+5,beta=1+2+3+4
answers err 64 "alpha and direction=top-down exclude" run 8 --direction auto,top-down --tune alpha=3
answers err 64 "--tune: plan takes one word, not the list" "$meshway" plan 8 --tune alpha=1+2
answers err 64 "--engine: plan takes one word, not the list" "$meshway" plan 8 --engine mpe,cpe
answers err 64 "MESHWAY_ENGINE: plan takes one word" env MESHWAY_ENGINE=cpe,mpe "$meshway" plan 8
answers out 0 "(one or more of cpe, mpe; default" "$meshway" run --help
answers out 0 "(cpe, mpe; default cpe)" "$meshway" plan --help

exit $failed
