#!/bin/sh
# test_families.sh MESHWAY [MPIEXEC] -- meshway gen --kind: every kind in every format is one graph, with the
# digest that info and run print; the digests of the documentation; sizes that are refused.
set -u
meshway=$1
page=$(cd "$(dirname "$0")" && pwd)/../docs/formats.md
. "$(dirname "$0")/lib.sh"

# made: the digest that gen has just printed; of the edges alone, without their weights.
made() { sed -n 's/^meshway: digest //p' out; }
of_edges() { cut -d- -f1-3; }
info() { "$meshway" info "$@" </dev/null 2>/dev/null | sed -n 's/^digest *//p'; }
run() { "$meshway" run -g "$@" -n 1 --json none -q </dev/null 2>/dev/null | sed -n 's/^edge_list_digest: *//p'; }

# --- one graph in every format --------------------------------------------------------------

for words in "grid 30x20" "grid 5x6x7" "roads 50x40" "geometric 500" "uniform 200"; do
    want=
    for name in g.el g.csv g.mtx g.sg g.wsg g.bin g.packed16; do
        # shellcheck disable=SC2086 # several words
        shows 0 "edges of" "$meshway" gen --kind $words $name -f
        got=$(made)
        want=${want:-$got}
        [ -n "$got" ] && [ "$got" = "$want" ] || wrong "gen $words $name: $got, not $want"
        [ "$(info $name)" = "$want" ] || wrong "info $name ($words): not $want"
        [ "$(run $name)" = "$want" ] || wrong "run $name ($words): not $want"
    done
    for name in g.el g.mtx g.wsg g.bin; do # and with weights
        # shellcheck disable=SC2086
        shows 0 "" "$meshway" gen --kind $words $name -f --weights
        [ "$(made | of_edges)" = "$want" ] || wrong "gen $words $name --weights: other edges"
        [ "$(info $name)" = "$want" ] || wrong "info $name ($words, weights): not $want"
        weighted=$(made)
        [ "$(run $name --algorithm sssp)" = "$weighted" ] || wrong "sssp $name ($words): not $weighted"
    done
done
# A header that cannot be written again knows the number of edges all the same.
expect 0 "edges of" "$meshway" gen --kind roads 50x40 - --to mtx
sed -n 2p out | awk '{ print $3 }' >said
[ "$(sed 1,2d out | wc -l)" -eq "$(cat said)" ] || wrong "gen - --to mtx: $(cat said) edges announced"
shows 0 "" "$meshway" gen 8 k.el
[ "$(info k.el)" = "$(made)" ] || wrong "info k.el: not $(made)"

# --- what is asked for ------------------------------------------------------------------------

shows 0 "1150 edges of 600 vertices" "$meshway" gen --kind grid 30x20 a.el
shows 0 "1150 edges of 600 vertices" "$meshway" gen b.el --size 30x20 --kind grid
shows 0 "1150 edges of 600 vertices" "$meshway" gen -o c.el --size=30x20 -k grid
shows 0 "1150 edges of 600 vertices" env MESHWAY_SEED1=9 "$meshway" gen --kind roads 30x20 d.el --keep 1
cmp -s a.el b.el && cmp -s a.el c.el && cmp -s a.el d.el || wrong "the same grid, said in four ways"
shows 0 "3200 edges of 200 vertices" "$meshway" gen --kind uniform 200 u.el
shows 0 "600 edges of 200 vertices" "$meshway" gen --kind uniform 200 u.el -f --edgefactor 3
shows 0 ": 0 edges of 500 vertices" "$meshway" gen --kind geometric 500 n.bin --degree 0
for seeds in "--seed1 4" "--seed2 4"; do
    # shellcheck disable=SC2086
    shows 0 "" "$meshway" gen --kind roads 50x40 r.el -f $seeds
    made
done | sort -u | wc -l | grep -qx '2' || wrong "two seeds give one graph"
"$meshway" gen --kind roads 50x40 w.el --weights -q
sed 1d w.el | awk '$3 !~ /^[0-9]+$/ || $3 < 1 || $3 > 255' >odd
[ ! -s odd ] || wrong "weights that are no numbers from 1 to 255: $(head -n 3 odd)"

# Levels are Manhattan distances, whoever searches.
"$meshway" run -g a.el --root 311 --levels l.txt --json none -q >out 2>err </dev/null || wrong "run a.el"
grep -v '^#' l.txt | awk '{ dx = $1 % 30 - 11; dy = int($1 / 30) - 10
    if ($2 != (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy)) print }' >odd
[ ! -s odd ] || wrong "a level is no distance: $(head -n 3 odd)"

# --- what is refused ----------------------------------------------------------------------------

refused() { # CODE TEXT WORDS...
    code=$1 text=$2
    shift 2
    expect "$code" "$text" "$meshway" gen "$@" no.el
    [ ! -e no.el ] || wrong "$*: refused, but written"
}
refused 64 "SIZE: 0 is out of range; expected 1.." --kind grid 0x5
refused 64 "SIZE: '' is not an integer" --kind grid 1x
refused 64 "SIZE: '5x5x5x5' is no grid; expected two or three sides" --kind grid 5x5x5x5
refused 64 "--size: '5' is no grid; expected two or three sides" --kind roads --size 5
refused 64 "SIZE: '5*5' is not an integer" --kind roads '5*5'
refused 64 "SIZE: '5x5' is no number of vertices" --kind uniform 5x5
refused 64 "out of range" --kind grid 99999999999999999999x2
refused 78 "1 to 2^48 are possible" --kind grid 16777217x16777217
refused 78 "1 to 2^48 are possible" --kind grid 4294967296x4294967296
refused 78 "beyond 2^63" --kind uniform 281474976710656 -e 1048576
refused 78 "each of 5 points has 4 others" --kind geometric 5
refused 64 "SCALE: '30x20' is not an integer" 30x20
refused 64 "--size needs --kind: a Kronecker graph has a SCALE" --size 30x20 8
refused 64 "--scale and --kind=grid exclude each other: it has a SIZE" --kind grid --scale 8 5x5
refused 64 "--keep needs --kind=roads" --kind grid 5x5 --keep 0.5
refused 64 "--degree needs --kind=geometric" --kind grid 5x5 --degree 5
refused 64 "--edgefactor and --kind=roads exclude each other" --kind roads 5x5 -e 5
expect 64 "FILE is missing" "$meshway" gen --kind grid 5x5
expect 64 "FILE is missing" "$meshway" gen --kind grid --size 5x5
expect 64 "GAP serialised weighted graph has no weights from 0 to 1" "$meshway" gen 8 no.wsg --weights
expect 64 "GAP serialised graph has no weights" "$meshway" gen --kind grid 5x5 no.sg --weights

# --- every row of the documentation -------------------------------------------------------------

sed -n 's/^| `meshway \(gen --kind [^`]*\)` .* `\([0-9a-f-]*\)` |$/\1 = \2/p' "$page" >rows
[ "$(wc -l <rows)" -ge 5 ] || wrong "$page: no table of kinds"
while read -r row; do
    # shellcheck disable=SC2086
    shows 0 "" "$meshway" ${row% = *} -f
    [ "$(made)" = "${row#* = }" ] || wrong "${row% = *}: digest $(made), not ${row#* = }"
done <rows

# --- what to do next -------------------------------------------------------------------------

expect 0 "" "$meshway" gen --kind grid 5x5 n.wsg -f --weights
expect 0 "meshway validate GRAPH FILE" "$meshway" run n.wsg -n 1 --json none
expect 0 "reached" "$meshway" run n.wsg -n 1 --json none --algorithm sssp
! grep -q "meshway validate" out err || wrong "parents of shortest paths are taken for a breadth-first tree"

exit $failed
