#!/bin/sh
# test_async_cli.sh -- runs without levels by the program: validated, noted in results, and refused with a
# sentence where there is no such form.
#
#     test_async_cli.sh MESHWAY [MPIEXEC]
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
meshway=$1
mpiexec=${2:-}

for algorithm in bfs sssp cc pagerank; do
    for start in "" ${mpiexec:+"$mpiexec -n 3"}; do
        # shellcheck disable=SC2086 # several words
        shows 0 "validation:" $start "$meshway" run 10 --mode async --algorithm $algorithm --json r.json -f
        grep -qE "validation: +([0-9]+) of \1 " out || wrong "$algorithm: $(grep validation: out)"
        grep -q '"mode": *"async"' r.json || wrong "$algorithm: no mode in the result"
        grep -q "n_refills" out || wrong "$algorithm: no count of refills"
    done
done
shows 0 "validation:" "$meshway" run 10 --mode async --tune priority=off -n 2 --json none
shows 0 "validation:" "$meshway" run 10 --mode levels -n 2 --json r.json -f
grep -q '"mode": *"levels"' r.json || wrong "no mode in the result"

expect 64 "--mode async: --algorithm core has no such form" "$meshway" run 8 --mode async --algorithm core
expect 64 "has no levels to end at" "$meshway" run 8 --mode async --max-depth 3
expect 64 "--levels: --algorithm bfs has none" "$meshway" run 8 --mode async --levels l.txt
expect 69 "runs on the cores of hosts" "$meshway" run 8 --mode async --backend emul --json none
shows 0 "" "$meshway" plan 20 --mode async

[ $failed -eq 0 ] && echo "$n_commands commands answer as they should"
exit $failed
