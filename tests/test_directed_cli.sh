#!/bin/sh
# test_directed_cli.sh -- what the program says about direction, searches along edges, and searches
# that end early: notes, results, levels against a search in Python, trees that are refused.
#
#     test_directed_cli.sh MESHWAY [MPIEXEC]
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
meshway=$1
mpiexec=${2:-}

# 0 -> 1 -> 2 -> 3 -> 1, 4 -> 0, and a loop.
edges='0 1\n1 2\n2 3\n3 1\n4 0\n2 2\n'
# shellcheck disable=SC2059 # formats, on purpose
printf "$edges" >plain.el
# shellcheck disable=SC2059
printf "# Directed graph: five\n$edges" >said.el
# shellcheck disable=SC2059
printf "# Undirected graph: five\n$edges" >none.el
# The real header of web-Google; its edges have a direction.
printf '# Directed graph (each unordered pair of nodes is saved once): web-Google.txt\n0 1\n1 2\n' \
    >snap.txt
printf '%% sym unweighted\n%% 6 5 5\n1 2\n2 3\n3 4\n4 2\n5 1\n3 3\n' >konect.el
cat >general.mtx <<'EOF'
%%MatrixMarket matrix coordinate pattern general
5 5 6
1 2
2 3
3 4
4 2
5 1
3 3
EOF
sed 's/general/symmetric/' general.mtx >symmetric.mtx

run() {
    "$meshway" run --json none "$@"
}

# ---- what is said, once ----
answers err 0 "have a direction, which is not looked at" run -g said.el
answers err 0 "have a direction, which is not looked at" run -g general.mtx
answers err 0 "nothing says whether its edges have a direction" run -g plain.el
answers out 0 "no; the file says: not said" run -g plain.el
answers out 0 "no; the file says: yes" run -g general.mtx
answers out 0 "yes; the file says: yes" run -g general.mtx --directed
answers err 0 "--directed changes nothing" run -g symmetric.mtx --directed
answers out 0 "no; the file says: no" run -g konect.el
answers out 0 "yes; the file says: no" run -g konect.el --directed
for input in none.el konect.el; do # only a comment
    answers err 0 "a comment says that its edges have no direction, but --directed" \
        run -g $input --directed
done
for input in said.el plain.el general.mtx symmetric.mtx konect.el; do
    answers out 0 "directed:                       no" run -g $input --undirected
done
answers err 64 "edges go one way or both" run -g plain.el --directed --undirected
answers err 64 "edges go one way or both" "$meshway" validate plain.el t --directed --undirected
answers err 64 "have no direction" run 8 --undirected
for input in symmetric.mtx konect.el none.el "said.el --directed" "plain.el --directed" \
    "said.el --undirected" "plain.el --undirected" "general.mtx --undirected"; do
    # shellcheck disable=SC2086 # two words
    answers err 0 "" run -g $input
    ! grep -q "note:.*direction" err || wrong "$input: a note"
done
answers err 0 "" run -g said.el
[ "$(grep -c "note:.*direction" err)" -eq 1 ] || wrong "said.el: not one note"
answers err 0 "have a direction" "$meshway" run -g general.mtx --json r.json
grep -q '"file_says_directed": *"yes"' r.json || wrong "no file_says_directed in the result"
grep -q '"directed": *false' r.json || wrong "not directed: false in the result"
answers err 64 "have no direction" run 8 --directed

answers out 0 "columns inwards" "$meshway" plan -v -g general.mtx --directed
answers out 0 "verdict" "$meshway" plan -g symmetric.mtx --directed
! grep -q "columns inwards" out || wrong "plan: two sets of rows of a symmetric matrix"
answers out 0 "verdict" "$meshway" plan -g general.mtx --undirected
! grep -q "columns inwards" out || wrong "plan: two sets of rows of --undirected"
answers err 64 "one way or both" "$meshway" plan -g general.mtx --undirected --directed
answers err 64 "have no direction" "$meshway" plan 8 --directed

# ---- what is written ----
for to in el mtx sg; do
    answers out 0 "" "$meshway" convert general.mtx "to.$to"
    answers out 0 "no; the file says: yes" run -g "to.$to"
    answers out 0 "" "$meshway" convert symmetric.mtx "both.$to"
    answers out 0 "no; the file says: no" run -g "both.$to"
done
# asked for by hand, also against what the file says; a matrix that is symmetric stays so
answers out 0 "" "$meshway" convert plain.el one.mtx --directed
answers out 0 "no; the file says: yes" run -g one.mtx
! grep -q "note:.*direction" err || grep -q "not looked at" err || wrong "one.mtx: another note"
answers out 0 "" "$meshway" convert general.mtx two.mtx --undirected
answers out 0 "no; the file says: no" run -g two.mtx
answers out 0 "" "$meshway" convert snap.txt snap.mtx
grep -q "pattern general" snap.mtx || wrong "a directed SNAP file becomes symmetric"
answers err 0 "--directed changes nothing" "$meshway" convert symmetric.mtx three.mtx --directed
grep -q "pattern symmetric" three.mtx || wrong "a symmetric matrix becomes general"
answers err 64 "one way or both" "$meshway" convert plain.el x.el --directed --undirected
answers out 0 "target at depth 3, path 0 1 2 3" run -g to.sg --directed --root 0 --target 3
answers err 0 "does not say" "$meshway" convert general.mtx to.packed12
answers err 0 "says that its edges have none" "$meshway" convert plain.el plain.sg
answers out 0 "" "$meshway" gen 5 gen.el
answers out 0 "no; the file says: no" run -g gen.el

# ---- levels and trees ----
levels() {
    grep -v '^#' "$1" | cut -d' ' -f2 | tr '\n' ' '
}
answers err 0 "" run -g said.el --directed --root 0 --levels d.txt --tree d.tree
[ "$(levels d.txt)" = "0 1 2 3 -1 " ] || wrong "directed levels: $(levels d.txt)"
answers err 0 "" run -g snap.txt --directed --root 2 --levels s.txt
[ "$(levels s.txt)" = "-1 -1 0 " ] || wrong "levels of a directed SNAP file: $(levels s.txt)"
answers err 0 "" run -g snap.txt --undirected --root 2 --levels s.txt -f
[ "$(levels s.txt)" = "2 1 0 " ] || wrong "levels of it, both ways: $(levels s.txt)"
answers err 0 "" run -g said.el --root 0 --levels u.txt --tree u.tree
[ "$(levels u.txt)" = "0 1 2 2 1 " ] || wrong "undirected levels: $(levels u.txt)"
answers out 0 "passed" "$meshway" validate said.el d.tree --directed
answers err 76 "rule 3, levels of an edge" "$meshway" validate said.el d.tree
answers err 76 "rule 5, no edge leads from the parent" "$meshway" validate said.el u.tree --directed
sed 's/^3 2$/3 0/' d.tree >wrong.tree # no such edge
answers err 76 "rule 5" "$meshway" validate said.el wrong.tree --directed
sed 's/^3 2$/3 -1/' d.tree >wrong.tree # 2 -> 3 leaves the tree
answers err 76 "rule 4" "$meshway" validate said.el wrong.tree --directed
sed 's/^3 2$/3 1/' d.tree >wrong.tree # 3 -> 1 exists, not 1 -> 3
answers err 76 "rule 5" "$meshway" validate said.el wrong.tree --directed

# ---- searches that end early ----
answers out 0 "target at depth 3, path 0 1 2 3" run -g said.el --directed --root 0 --target 3
answers out 0 "target at depth 0, path 2" run -g said.el --directed --root 2 --target 2
answers out 0 "target not reachable" run -g said.el --directed --root 0 --target 4
answers out 0 "target at depth 3, path 1 2 3 4" run -g general.mtx --directed --root 1 --target 4
answers out 0 "target not reached down to level 1" run -g said.el --root 0 --target 3 --max-depth 1
answers err 64 "--target" run -g said.el --target 5
answers err 64 "--target" run -g general.mtx --target 0
answers out 0 "3 vertices down to level 2" run -g said.el --directed --root 0 --max-depth 2 --tree two.tree
answers out 0 "PARTIAL" run -g said.el --root 0 --max-depth 2
! grep -q TEPS out || wrong "TEPS of a search that ended early"
answers out 0 "2 of 2 searches passed" run 8 --roots 2 --max-depth 1
answers out 0 "NOT VALIDATED" run 8 --roots 2 --max-depth 1 --no-validate
answers out 0 "passed" "$meshway" validate said.el two.tree --directed --max-depth 2
answers err 76 "rule 4" "$meshway" validate said.el two.tree --directed
answers err 76 "ended at level 2" "$meshway" validate said.el d.tree --directed --max-depth 2
answers err 64 "no TEPS" run 8 --max-depth 1 --routing direct,relay

# ---- against a search in Python: loops, duplicates, antiparallel edges, parts out of reach ----
cat >oracle.py <<'EOF'
import random
import sys

random.seed(int(sys.argv[1]))
n = 400
edges = [(random.randrange(int(n ** random.random())), random.randrange(n)) for _ in range(900)]
edges += [(v, u) for u, v in edges[:60]] + edges[:60] + [(n - 1, 0)]
with open("random.el", "w", encoding="utf-8") as f:
    f.writelines(f"{u} {v}\n" for u, v in edges)
level = {0: 0}
queue = [0]
for u in queue:
    for a, v in edges:
        if a == u and v not in level:
            level[v] = level[u] + 1
            queue.append(v)
with open("oracle.txt", "w", encoding="utf-8") as f:
    f.writelines(f"{v} {level.get(v, -1)}\n" for v in range(n))
EOF
same_levels() {
    what=$*
    answers err 0 "" "$@" run -g random.el --directed --root 0 --json none --quiet -f \
        --levels got.txt --direction "$direction" --bottom-up "$form"
    grep -v '^#' got.txt | cmp -s - oracle.txt || wrong "$what: other levels ($direction, $form)"
}
for seed in 1 2; do
    python3 oracle.py $seed || wrong "python3"
    for direction in auto top-down bottom-up; do
        for form in bitmap messages; do
            same_levels "$meshway"
            [ -z "$mpiexec" ] || same_levels "$mpiexec" -n 2 "$meshway"
        done
    done
    [ -z "$mpiexec" ] || same_levels "$mpiexec" -n 3 "$meshway"
done

[ $failed -ne 0 ] || echo "$n_commands commands"
exit $failed
