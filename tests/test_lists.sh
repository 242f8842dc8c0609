#!/bin/sh
# test_lists.sh MESHWAY [MPIEXEC] -- edge lists with the headers and titles that people's files have:
# any number of ranks reads the same, and what does not fit together is said.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
meshway=$1
mpiexec=${2:-}

# levels_of FILE OPTIONS...: the levels from the root, as lines "vertex level".
levels_of() {
    list=$1
    shift
    answers err 0 "" $launch "$meshway" run -g "$list" --json none --quiet -f --levels l.txt "$@"
    grep -v '^#' l.txt
}

# ---- the same on one, two and three ranks, of which the later ones begin amid the edges ----
awk 'BEGIN {
    srand(7)
    print "weight,To,note,From" >"columns.csv"
    print "% asym unweighted\n% 300 80 80" >"konect"
    print "% bip unweighted\n% 300 80 70" >"bip"
    for (e = 0; e < 300; e++) {
        u = 1 + int(80 * rand()); v = 1 + int(70 * rand())
        print u, v >"plain.el"
        printf "%.2f,%d,\"a, b\",%d\n", rand(), v, u >"columns.csv"
        printf "%d\t%d\n", u, v >"konect"
        printf "%d %d\n", u, v >"bip"
        print u, v + 80 >"sides.el"
    }
    print 80, 80 >"plain.el"; print 80, 150 >"sides.el"
    print "0,80,c,80" >"columns.csv"; print "80\t80" >"konect"; print "80 70" >"bip"
}'
launch=
root=$(awk 'NR == 1 {print $1}' plain.el)
levels_of plain.el --base 1 --directed --root "$root" >want.plain
levels_of sides.el --base 1 --root "$root" >want.sides
levels_of plain.el --compact-ids --directed --root "$root" >want.ids
for n in 1 2 3; do
    [ $n -eq 1 ] || launch="$mpiexec -n $n"
    [ $n -eq 1 ] || [ -n "$mpiexec" ] || break
    levels_of columns.csv --base 1 --directed --root "$root" | cmp -s - want.plain ||
        wrong "other columns on $n ranks"
    levels_of konect --directed --root "$root" | cmp -s - want.plain || wrong "KONECT on $n ranks"
    levels_of konect --directed --compact-ids --root "$root" | cmp -s - want.ids ||
        wrong "KONECT's numbers that occur on $n ranks"
    levels_of bip --root "$root" | cmp -s - want.sides || wrong "two sides on $n ranks"
done
launch=

# ---- titles ----
printf 'target,source\n1,2\n2,3\n' >swapped.csv
[ "$(levels_of swapped.csv --directed --root 3 | tr '\n' ' ')" = "0 -1 1 2 2 1 3 0 " ] ||
    wrong "swapped titles: $(cat l.txt)"
printf 'age,height\n1,2\n' >others.csv
expect 65 "do not name both ends of an edge" "$meshway" info others.csv
shows 0 "vertices    3" "$meshway" info others.csv --header yes
printf 'src dst\n1 2\n' >blank.txt
shows 0 "vertices    3" "$meshway" info blank.txt
printf 'foo bar\n1 2\n' >blank.txt
expect 65 "a line of titles --header yes" "$meshway" info blank.txt
shows 0 "vertices    3" "$meshway" info blank.txt --header yes
printf 'name1,name2\nann,bob\n' >names.csv
expect 0 "its first line is taken for titles; --header no reads it as an edge" \
    "$meshway" info names.csv --names
grep -q "vertices    2" out || wrong "names under titles: $(grep vertices out)"
shows 0 "vertices    4" "$meshway" info names.csv --names --header no
printf 'node1 node2\nnode2 node3\n' >names.txt
shows 0 "vertices    3" "$meshway" info names.txt --names
! grep -q titles err || wrong "names are taken for titles"
printf 'Valjean,Javert\nMarius,Cosette\n' >lesmis.csv
expect 0 "its vertices are taken for names" "$meshway" info lesmis.csv
expect 65 "begins with no number, but with 'Valjean,Javert'" "$meshway" convert lesmis.csv l.mtx
grep -qe "--names" err || wrong "lesmis.csv: no --names"

# ---- counts that do not fit ----
printf '# Nodes: 3 Edges: 2\n10 20\n20 30\n' >sparse.el
sparse="28 of the 31 vertices 0..30 do not occur and are isolated; run and info leave them out with --compact-ids"
expect 0 "$sparse" "$meshway" info sparse.el
! grep -q "a comment says" err || wrong "sparse.el: its comment is right"
expect 0 "$sparse" "$meshway" run -g sparse.el --json none
[ "$(grep -c "do not occur" err)" -eq 1 ] || wrong "sparse.el: not one note"
expect 0 "$sparse" "$meshway" run -g sparse.el --algorithm cc --json none
expect 0 "at least 27 of the 31" "$meshway" convert sparse.el sparse.mtx
[ -z "$mpiexec" ] || expect 0 "$sparse" "$mpiexec" -n 3 "$meshway" run -g sparse.el --json none
for options in --compact-ids --names "--vertices 31"; do
    # shellcheck disable=SC2086 # words
    expect 0 "" "$meshway" info sparse.el $options
    ! grep -q "note:" err || wrong "$options: a note: $(cat err)"
done
shows 0 "components  1;" "$meshway" info sparse.el --compact-ids
printf '# Nodes: 5 Edges: 3\n10 20\n20 30\n' >wrong.el
for options in "" --compact-ids; do
    # shellcheck disable=SC2086 # none or one
    expect 0 "a comment says 5 vertices, but 3 occur" "$meshway" info wrong.el $options
    grep -q "a comment says 3 edges, but the file has 2" err || wrong "wrong.el: nothing of edges"
done
# A vertex with nothing but a loop occurs, too.
printf '# Nodes: 3 Edges: 3\n0 1\n1 0\n2 2\n' >loops.el
expect 0 "" "$meshway" info loops.el
! grep -q "note:" err || wrong "loops.el: a note: $(cat err)"
# KONECT's header explains vertices that do not occur, and may be too small.
printf '%% sym unweighted\n%% 1 50 50\n1 2\n' >header
shows 0 "vertices    50, called 1..50" "$meshway" info header
! grep -q "note:" err || wrong "KONECT's isolated vertices: $(cat err)"
printf '%% asym unweighted\n%% 2 3 3\n1 2\n2 5\n' >small
shows 0 "vertices    5, called 1..5" "$meshway" info small
printf '%% asym unweighted\n%% 2 3 3\n1 2\n2 3\n' >konect.el
shows 0 "vertices    3, called 1..3" "$meshway" info konect.el
shows 0 "components  1;" "$meshway" info konect.el
shows 0 "vertices    4, called 0..3" "$meshway" info konect.el --base 0
printf '%% bip unweighted\n1 1\n' >bare
expect 65 "write '% EDGES LEFT RIGHT' below it" "$meshway" info bare
expect 65 "leave --names out" "$meshway" info bip --names

[ $failed -ne 0 ] || echo "$n_commands commands"
exit $failed
