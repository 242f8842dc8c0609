#!/bin/sh
# test_answers.sh -- what an answer says of a graph with little in it.
#
#     test_answers.sh MESHWAY MESHWAY_DEGREES [MPIEXEC]
meshway=$1
degrees=$2 # a program with --algorithm degrees, which has no check, and answers that are no vertices
mpiexec=${3:-}
. "$(dirname "$0")/lib.sh"

banner='%%MatrixMarket matrix coordinate pattern symmetric'
printf '%s\n3 3 0\n' "$banner" >iso.mtx
printf '%s\n3 3 1\n2 2\n' "$banner" >loop.mtx
printf '%s\n0 0 0\n' "$banner" >none.mtx
printf '# vertex component\n1 1\n2 2\n3 3\n' >alone.txt

on() { # RANKS COMMAND...: under MPI, if there is any
    n=$1
    shift
    if [ -z "$mpiexec" ]; then "$@"; else "$mpiexec" -n "$n" "$@"; fi
}
has() { # FILE LINE...: whole lines, blanks squeezed
    file=$1
    shift
    for line; do
        tr -s ' ' <"$file" | grep -qxF "$line" || wrong "no line '$line' in $file"
    done
}

# Components of a graph without an edge: each vertex is one.
for graph in iso loop; do
    backends='serial openmp kokkos omptarget emul'
    [ $graph = iso ] || backends='openmp kokkos'
    for n in 1 2 3; do
        for backend in $backends; do
            on "$n" "$meshway" run $graph.mtx --algorithm cc --roots 2 --backend $backend --json none \
                --tree tree.txt --force >out 2>err </dev/null
            code=$?
            [ $code -ne 69 ] || continue # this build has no such cores
            [ $code -eq 0 ] || wrong "components of $graph on $n ranks by $backend: exit $code"
            has out 'validation: 2 of 2 searches passed' 'n_components: 3' 'n_isolated: 3' 'n_largest: 1'
            cmp -s tree.txt alone.txt || wrong "$graph on $n ranks by $backend: other components than $(cat alone.txt)"
            ! grep -q 'has no neighbour' err || wrong "components begin at no root, but one has no neighbour"
        done
    done
    shows 0 "verdict     fits" "$meshway" plan $graph.mtx --algorithm cc
    shows 0 "MiB per rank" "$meshway" info $graph.mtx
done
expect 0 "no vertex of the graph has an edge" "$meshway" run iso.mtx --algorithm cc --json none

# Ranks and core numbers are right by their checks, and the same on any cores and ranks.
for n in 2 3; do
    for backend in serial openmp kokkos omptarget emul; do
        routing=relay
        [ $((n % 2)) = 0 ] || routing=direct
        for algorithm in pagerank core; do
            on "$n" "$meshway" run 7 --algorithm $algorithm --roots 1 --backend $backend --routing $routing --json none \
                --tree $algorithm.txt --force >out 2>err </dev/null
            code=$?
            [ $code -ne 69 ] || continue # this build has no such cores
            [ $code -eq 0 ] || wrong "$algorithm on $n ranks by $backend: exit $code: $(cat err)"
            has out 'validation: 1 of 1 searches passed'
            [ $algorithm = pagerank ] || {
                [ -f cores.txt ] || cp core.txt cores.txt
                cmp -s core.txt cores.txt || wrong "core numbers on $n ranks by $backend differ"
            }
        done
    done
done
printf '%s\n4 4 3\n2 1\n3 1\n3 2\n' "$banner" >three.mtx
for n in 1 2; do
    answers err 0 "" on $n "$meshway" run three.mtx --algorithm core --roots 1 --json none --tree c.txt --force
    printf '# vertex core\n1 2\n2 2\n3 2\n4 0\n' | cmp -s - c.txt || wrong "cores of a triangle: $(cat c.txt)"
    answers err 0 "" on $n "$meshway" run three.mtx --algorithm pagerank --tune tolerance=0,iterations=1 --roots 1 \
        --json none --tree p.txt --force # (0.15 + 0.85 / 4) / 4 for all, and 0.85 / 4 from two neighbours
    printf '# vertex rank\n1 0.303125\n2 0.303125\n3 0.303125\n4 0.090625\n' >ranks.txt
    awk 'NR == FNR { is[NR] = $2; next } FNR > 1 && ($2 - is[FNR]) ^ 2 > 1e-14 { exit 1 }' ranks.txt p.txt ||
        wrong "ranks of a triangle on $n ranks: $(cat p.txt)"
done
printf '0 1\n' >arc.el
expect 78 "algorithm core: edges count both ways, but this graph has directions" \
    "$meshway" run arc.el --directed --algorithm core --json none
expect 64 "damping" "$meshway" run three.mtx --algorithm pagerank --tune damping=1.5 --json none

# A search needs a vertex to begin at, and any will do that is given.
expect 65 "iso.mtx: the graph has no edges: there is nothing to search from" "$meshway" run iso.mtx
expect 65 "no edges but 1 self-loop: there is nothing to search from" "$meshway" run loop.mtx
expect 0 "no search reached an edge" "$meshway" run iso.mtx --root 2 --levels l.txt --json none
printf '# vertex level\n1 -1\n2 0\n3 -1\n' | cmp -s - l.txt || wrong "levels from a vertex alone: $(cat l.txt)"
shows 0 "verdict     fits" "$meshway" plan iso.mtx

# No vertex, no answer.
for command in "run --algorithm cc" run info; do
    # shellcheck disable=SC2086 # words
    expect 65 "none.mtx: 0 vertices by its header" "$meshway" $command none.mtx
done
printf '0 0\n' >none.graph
expect 65 "none.graph: 0 vertices by its header" "$meshway" run --format metis none.graph
: >nothing.el
expect 65 "an empty graph needs the number of its vertices" "$meshway" run nothing.el --algorithm cc
shows 0 "n_components:                   4" "$meshway" run nothing.el --vertices 4 --algorithm cc --json none

# An algorithm without a check runs, and everything says that nobody has looked.
printf '1 2\n2 3\n' >path.el
for n in 1 2; do
    answers err 0 "has no check" on $n "$degrees" run path.el --base 1 --algorithm degrees --roots 2 --json r.json \
        --csv r.csv --tree d.txt --force
    has out 'validation: NOT VALIDATED; the algorithm has no check'
    for line in '"level": "none",' '"passed": null' '"NOT VALIDATED"'; do
        grep -qF "$line" r.json || wrong "no $line in the result of an algorithm without a check"
    done
    ! grep -qF '"teps": 1' r.json || wrong "a rate of edges that nobody has counted"
    [ "$(grep -c 'NOT VALIDATED' r.csv)" -ge 2 ] || wrong "r.csv is not stamped"
    printf '# vertex degree\n1 1\n2 2\n3 1\n' | cmp -s - d.txt || wrong "degrees have a base: $(cat d.txt)"
done
answers out 0 "verdict     fits" "$degrees" plan loop.mtx --algorithm degrees
expect 64 "--validate: --algorithm degrees has no check" "$degrees" run path.el --algorithm degrees --validate 1

# Some searches are validated: the first, the last, others between; and everything says so.
expect 0 "" "$meshway" run 8 --roots 8 --validate 3 --json part.json --csv part.csv
grep -qx 'validation:  *3 of 8 searches passed, 5 not looked at' out || wrong "the block: $(grep validation out)"
has out 'stamp: PARTLY VALIDATED'
for line in '"level": "part"' '"roots_checked": 3,' '"PARTLY VALIDATED"'; do
    grep -qF "$line" part.json || wrong "no $line in part.json"
done
grep -A6 '"validation"' part.json | grep -q '"passed": null' || wrong "some searches are taken for all"
checked=$(grep -F ',yes,' part.csv | cut -d, -f1 | sort -u | xargs)
[ "$checked" = "0 3 7" ] || wrong "validated were $checked"
expect 0 "" "$meshway" run 8 --roots 8 --validate 8 --json all.json
grep -q '"passed": true' all.json || wrong "8 of 8 are not all"
has out 'validation: 8 of 8 searches passed'
expect 64 "one asks for some, the other for none" "$meshway" run 8 --validate 3 --no-validate
run_of() { "$meshway" plan 20 -v --roots 64 "$@" | sed -n 's/^run *\([0-9.]*\) s.*/\1/p'; }
awk "BEGIN { exit !($(run_of --validate 2) < $(run_of)) }" || wrong "plan: two validations take as long as 64"

# Counts are no vertices, whatever vertices are called.
degrees_of() { # GRAPH OPTION...
    graph=$1
    shift
    answers err 0 "" "$degrees" run "$graph" --algorithm degrees --roots 1 --json none --tree d.txt --force "$@"
}
printf '10 20\n20 30\n' >ids.el
degrees_of ids.el --compact-ids
printf '# vertex degree\n10 1\n20 2\n30 1\n' | cmp -s - d.txt || wrong "degrees are ids: $(cat d.txt)"
printf 'ann bob\nbob cyd\n' >names.el
degrees_of names.el --names
printf '# vertex degree\nann 1\nbob 2\ncyd 1\n' | cmp -s - d.txt || wrong "degrees are names: $(cat d.txt)"
for options in '--base 1' --compact-ids; do
    # shellcheck disable=SC2086 # words
    answers err 0 "" "$degrees" run ids.el $options --algorithm degrees --roots 1 --json none --tree d.bin --force
    od -An -v -t d8 -w8 d.bin | tr -d ' ' | sort | uniq -c | tr -s ' ' >counts
    grep -qx ' [12] 2' counts && ! grep -qx ' [12] 3' counts || wrong "$options: degrees in binary: $(cat counts)"
done

# Values by their names, a real among them; a vertex without edges has none.
printf '%s\n4 4 2\n2 1\n3 1\n' "$banner" >two.mtx
for n in 1 2 3; do
    answers err 0 "" on $n "$degrees" run two.mtx --algorithm degrees --roots 2 --json r.json \
        --values share=s.txt,degree=d.txt --force
    printf '# vertex share\n1 0.5\n2 0.25\n3 0.25\n4 nan\n' | cmp -s - s.txt || wrong "shares on $n ranks: $(cat s.txt)"
    printf '# vertex degree\n1 2\n2 1\n3 1\n4 0\n' | cmp -s - d.txt || wrong "degrees on $n ranks: $(cat d.txt)"
    answers err 0 "" on $n "$degrees" run two.mtx --algorithm degrees --roots 1 --json none --values share=s.bin --force
    [ "$(od -An -v -t f8 -w8 s.bin | tr -d ' ' | head -3 | xargs)" = "0.5 0.25 0.25" ] || wrong "shares in binary"
done
tr -d ' \n' <r.json | grep -qF '"values":[{"name":"degree","type":"count","unit":"edges","joined":"sum",' ||
    wrong "the result does not say what the values are"
expect 64 "--values: two files for parent" "$meshway" run path.el --root 1 --values parent=p.txt --tree t.txt --json none
expect 64 "--values: bfs has no value 'parents'; did you mean parent?" "$meshway" run path.el --values parents=p.txt
expect 64 "--values: 'parent' names no file; expected NAME=FILE" "$meshway" run path.el --values parent
expect 64 "--values: parent: give a file; --tree - writes parent to" "$meshway" run path.el --root 1 --values parent=-
expect 64 "is of one way to search" "$meshway" run path.el --root 1 --values parent=p.txt --engine cpe,mpe
expect 0 "" "$meshway" run path.el --base 1 --root 1 --root 2 --values parent=p.txt --json none --force
printf '# vertex parent\n1 2\n2 2\n3 2\n' | cmp -s - p.2.txt || wrong "parents from 2: $(cat p.2.txt)"
expect 64 "--shuffle: --algorithm cc takes vertices in their order" "$meshway" run 8 --algorithm cc --shuffle
expect 78 "algorithm cc: vertices are met in their order, but these are shuffled" "$meshway" plan 8 --algorithm cc --shuffle
expect 78 "algorithm cc: edges count both ways, but this graph has directions" \
    "$meshway" run path.el --base 1 --directed --algorithm cc --json none
expect 64 "--direction: algorithm degrees has no such key" "$degrees" run path.el --algorithm degrees --direction top-down
expect 64 "'alpha' is no key here" "$degrees" run path.el --algorithm degrees --tune alpha=3
answers out 0 "  none" "$degrees" run --algorithm degrees --tune help

# Levels and components are no parents.
printf '# vertex level\n1 0\n2 1\n3 2\n' >levels.txt
expect 65 "levels.txt: it holds the level of every vertex, expected the parent" \
    "$meshway" validate path.el levels.txt --base 1

echo "$n_commands commands"
exit $failed
