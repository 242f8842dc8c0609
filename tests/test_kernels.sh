#!/bin/sh
# test_kernels.sh -- shortest paths from the command line: the benchmark's kernel 3, and files.
#
#     test_kernels.sh MESHWAY [MPIEXEC]
meshway=$1
mpiexec=${2:-}
. "$(dirname "$0")/lib.sh"

# Kernels 2 and 3 on one graph: the reference's 55 lines, and no others with --compat.
"$meshway" run 9 --kernels 2,3 --compat --roots 8 --json r.json >block 2>err || wrong "kernels 2,3: $(cat err)"
[ "$(wc -l <block)" -eq 55 ] || wrong "55 lines, not $(wc -l <block)"
for key in 'bfs  min_time' 'sssp min_time' min_nedge 'bfs  harmonic_mean_TEPS' 'sssp harmonic_mean_TEPS' \
    'sssp harmonic_stddev_TEPS' 'bfs  min_validate' 'sssp stddev_validate'; do
    grep -q "^$key:" block || wrong "no line $key"
done
for kernel in 2 3; do
    [ -s r.$kernel.json ] || wrong "no result of kernel $kernel"
done
grep -q '"algorithm": "sssp"' r.3.json || wrong "kernel 3 is not shortest paths"
grep -q '"prepare_s"' r.3.json || wrong "the result does not say how long pruning took"
shows 0 "sssp harmonic_mean_TEPS" "$meshway" run 9 --kernels 3 --roots 4 --json none
shows 0 "bfs  harmonic_mean_TEPS" "$meshway" run 9 --kernels 2 --roots 4 --json none
expect 64 "exclude each other" "$meshway" run 9 --kernels 3 --algorithm bfs
expect 64 "'nonsense' is no key here" "$meshway" run 9 --kernels 2,3 --tune nonsense=1
expect 0 "" "$meshway" run 8 --kernels 2,3 --tune alpha=10,delta=0.1 --roots 2 --json none

shows 0 "8 of 8 searches passed" "$meshway" run 9 --kernels 2,3 --roots 4 --json none
shows 0 "bfs  min_time" "$meshway" run 9 --kernels 3,2 --roots 2 --json none
"$meshway" run 9 --kernels 3,2 --compat --roots 2 --json none 2>err | sed -n '7p;14p' | cut -c1-13 >block
printf 'bfs  min_time\nsssp min_time\n' | cmp -s - block || wrong "kernels 3,2: kernel 2 does not come first: $(cat block)"
expect 64 "'alpha' is no key here" "$meshway" run 9 --kernels 3 --tune alpha=10
expect 64 "'delta' is no key here" "$meshway" run 9 --kernels 2 --tune delta=0.1
expect 64 "'sources' is no key here" "$meshway" run 9 --kernels 3 --tune sources=2
expect 64 "has no levels to end at" "$meshway" run 9 --kernels 3 --max-depth 2
expect 64 "--max-depth: " "$meshway" run 9 --kernels 2,3 --max-depth 2

# A plan of both: all have memory at once, and kernel 3 has no model of its time.
shows 0 "bfs alone: " "$meshway" plan 12 -v --kernels 2,3
for text in 'sssp alone: .*, which is most' "another way's search and check" 'time        modelled' 'time        not known: times are modelled'; do
    grep -q "$text" out || wrong "plan --kernels 2,3 does not say '$text'"
done
grep -A1 'way         sssp, alone' out | grep -q 'not known' || wrong "the kernel without a model has no name"
for order in 2,3 3,2; do
    "$meshway" plan 12 --kernels $order --json | python3 -c 'import json, sys
plan = json.load(sys.stdin)
way = {w["algorithm"]: w for w in plan["ways"]}
alone = [w["memory_bytes_per_rank"] for w in way.values()]
assert max(alone) < plan["memory_bytes_per_rank"] < sum(alone), alone
assert plan["time"] is None and way["sssp"]["time"] is None and way["bfs"]["time"]["search_s"] > 0' ||
        wrong "plan --kernels $order --json"
done
shows 0 "bfs alone: " "$meshway" plan 12 --kernels 2,3 --tune alpha=10,delta=0.1
expect 64 "'nonsense' is no key here" "$meshway" plan 12 --kernels 2,3 --tune nonsense=1
expect 64 "exclude each other" "$meshway" plan 12 --kernels 3 --algorithm bfs
expect 64 "--engine: plan takes one word, not the list" "$meshway" plan 12 --kernels 2,3 --engine mpe,cpe

# Every kind of core, rank count and route, with and without pruning; all are validated. Under a sanitizer not all
# together: test_sssp.c and mpi_sssp.c have the pairs that are left out.
for backend in serial openmp emul kokkos omptarget; do
    for n in 1 2 3; do
        tunes="prune=auto prune=off"
        [ -z "${MW_TEST_SHORT:-}" ] || case $n in 2) tunes=prune=off ;; *) tunes=prune=auto ;; esac
        for tune in $tunes; do
            route=direct
            [ $n -lt 3 ] || route=relay
            if [ -n "$mpiexec" ]; then set -- "$mpiexec" -n $n; else set --; fi
            "$@" "$meshway" run 8 --algorithm sssp --roots 3 --backend $backend --routing $route --tune $tune \
                --json none >out 2>err </dev/null
            code=$?
            [ $code -ne 69 ] || continue # this build has no such cores
            [ $code -eq 0 ] || wrong "sssp by $backend on $n ranks, $tune: exit $code: $(tail -1 err)"
            grep -q 'validation:  *3 of 3 searches passed' out || wrong "sssp by $backend on $n ranks, $tune: $(grep validation out)"
        done
    done
done

# Files: weights are read, and given back as distances.
printf '0 1 2.5\n1 2 0.5\n0 2 4\n3 4 1\n' >g.txt
expect 0 "" "$meshway" run g.txt --undirected --algorithm sssp --root 0 --values parent=p.txt --values distance=d.txt --json none
printf '# vertex parent\n0 0\n1 0\n2 1\n3 -1\n4 -1\n' | cmp -s - p.txt || wrong "parents: $(cat p.txt)"
printf '# vertex distance\n0 0\n1 2.5\n2 3\n3 inf\n4 inf\n' | cmp -s - d.txt || wrong "distances: $(cat d.txt)"
expect 0 "" "$meshway" run g.txt --directed --algorithm sssp --root 1 --values distance=d.txt --json none --force
printf '# vertex distance\n0 inf\n1 0\n2 0.5\n3 inf\n4 inf\n' | cmp -s - d.txt || wrong "directed: $(cat d.txt)"
printf '0 1\n1 2\n' >w.txt
expect 0 "w.txt: it has no weights; all are 1" "$meshway" run w.txt --undirected --algorithm sssp --root 0 --json none
printf '0 1 1\n1 2 -2\n' >w.txt
expect 65 "w.txt:2: a negative weight" "$meshway" run w.txt --algorithm sssp --root 0 --json none
printf '0 1 1\n1 2 nan\n' >w.txt
expect 65 "w.txt:2:" "$meshway" run w.txt --algorithm sssp --root 0 --json none
echo "$n_commands commands"
exit $failed
