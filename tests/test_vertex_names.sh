#!/bin/sh
# test_vertex_names.sh MESHWAY [MPIEXEC] -- what the input calls its vertices is what --root,
# trees, levels, results and messages call them, on any number of ranks.
set -u
meshway=$1
mpiexec=${2:-}
. "$(dirname "$0")/lib.sh"

# holds FILE TEXT: a line of the file is exactly TEXT.
holds() { grep -qxF -e "$2" "$1" || wrong "$1: no line '$2' in: $(head -n 8 "$1")"; }

# --- counted from 1 ------------------------------------------------------------------------

# 1 - 2 - 3 - 4, and 5 alone, in three formats that count from 1.
printf '%s\n' '%%MatrixMarket matrix coordinate pattern symmetric' '5 5 3' '2 1' '3 2' '4 3' \
    >path.mtx
printf '%s\n' 'p edge 5 3' 'e 1 2' 'e 2 3' 'e 3 4' >path.dimacs
printf '%s\n' '1 2' '2 3' '3 4' '5 5' >path.el
for graph in path.mtx path.dimacs "path.el --base 1"; do
    # shellcheck disable=SC2086 # a name and an option
    expect 0 "from root 4" "$meshway" run --graph $graph --root 4 --tree t.txt --levels l.txt \
        --json r.json --csv r.csv -f
    for line in '# vertex parent' '1 2' '2 3' '3 4' '4 4' '5 -1'; do holds t.txt "$line"; done
    for line in '# vertex level' '1 3' '2 2' '3 1' '4 0' '5 -1'; do holds l.txt "$line"; done
    tr -d ' ' <r.json >r.flat
    grep -q '"root":4,' r.flat || wrong "$graph: the result's root"
    sed -n 2p r.csv | grep -q '^0,4,' || wrong "$graph: the root of the CSV"
    # shellcheck disable=SC2086
    shows 0 "root:                           4" "$meshway" validate $graph t.txt
    sed 's/^1 2$/1 4/' t.txt >bad.txt
    # shellcheck disable=SC2086
    expect 76 "root 4: rule 5, the parent is no neighbour: 1 (level 1) and 4 (level 0)" \
        "$meshway" validate $graph bad.txt
    for root in 0 6; do
        # shellcheck disable=SC2086
        expect 64 "--root: vertex $root is not in the graph; expected 1..5" \
            "$meshway" run --graph $graph --root $root
        # shellcheck disable=SC2086
        expect 64 "--root: vertex $root is not in the graph; expected 1..5" \
            "$meshway" validate $graph t.txt --root $root
    done
    sed 's/^5 -1$/0 -1/' t.txt >bad.txt
    # shellcheck disable=SC2086
    expect 65 "bad.txt:6: 0 is not in 1..5 (n = 5)" "$meshway" validate $graph bad.txt
    # shellcheck disable=SC2086
    expect 0 "" "$meshway" run --graph $graph --root 4 --tree t.bin --json none -f
    od -An -td8 -v t.bin | tr -s ' \n' '  ' >numbers
    grep -qx ' 2 3 4 4 -1 *' numbers || wrong "$graph: t.bin holds $(cat numbers)"
    # shellcheck disable=SC2086
    shows 0 "root:                           4" "$meshway" validate $graph t.bin
done

# Where the format says it, nobody else does.
for base in 0 1; do
    for graph in path.mtx path.dimacs; do
        expect 64 "$graph: --base $base, but the format itself" \
            "$meshway" run --graph $graph --base $base
        expect 64 "$graph: --base $base, but the format itself" \
            "$meshway" validate $graph t.txt --base $base
        expect 64 "$graph: --base $base, but the format itself" \
            "$meshway" convert $graph out.el --base $base
    done
done

# --- numbers far apart ----------------------------------------------------------------------

printf '%s\n' '0 1' '0 570000000' >far.el
printf '%s\n' '7 4000000000' '4000000000 9000000000000000000' >farther.el
for graph in far.el farther.el; do
    expect 78 "$graph: vertices go up to" "$meshway" run --graph $graph
    expect 78 "--compact-ids takes it for those that occur" "$meshway" run --graph $graph
    expect 78 "--compact-ids" "$meshway" validate $graph t.txt
done
expect 78 "far.el: vertices go up to" "$meshway" convert far.el far.sg
[ ! -e far.sg ] || wrong "far.sg was written"
expect 0 "from root 570000000" "$meshway" run --graph far.el --compact-ids --root 570000000 \
    --tree t.txt --levels l.txt --json r.json --csv r.csv -f
for line in '# vertex parent' '0 570000000' '1 0' '570000000 570000000'; do
    holds t.txt "$line"
done
for line in '0 1' '1 2' '570000000 0'; do holds l.txt "$line"; done
grep -q '"root": 570000000' r.json || wrong "the result's root"
sed -n 2p r.csv | grep -q '^0,570000000,' || wrong "the root of the CSV"
shows 0 "root:                           570000000" \
    "$meshway" validate far.el t.txt --compact-ids
expect 64 "--root: vertex 2 is not in the graph; expected one of 3, 0 to 570000000" \
    "$meshway" run --graph far.el --compact-ids --root 2
expect 0 "" "$meshway" run --graph farther.el --compact-ids --root 7 --tree t.bin --json none -f
od -An -td8 -v t.bin | tr -s ' \n' '  ' >numbers
grep -q ' 7 7 4000000000 7 9000000000000000000 4000000000' numbers ||
    wrong "t.bin holds $(cat numbers)"
shows 0 "root:                           7" "$meshway" validate farther.el t.bin --compact-ids
expect 0 "search 2 of 2: 0.0" "$meshway" run --graph far.el --compact-ids --algorithm core --roots 2 \
    --verbose --json none
expect 0 '"done":2,"of":2,"root":null' "$meshway" run --graph far.el --compact-ids --algorithm core \
    --roots 2 --progress json --json none
sed 's/^1 0$/1 570000000/' t.txt >bad.txt
expect 76 "rule 5, the parent is no neighbour: 1 (level 1) and 570000000 (level 0)" \
    "$meshway" validate far.el bad.txt --compact-ids
expect 64 "--compact-ids is for lists that do not say" "$meshway" run --graph path.mtx --compact-ids

# --- names ----------------------------------------------------------------------------------

cat >towns.csv <<'END'
Source;Target;km
"New York";Boston;1
Boston;"Al ""x""";2,5 # a comment
Zürich;Boston;3
-1;Zürich;1
END
expect 0 "from root 'New York'" "$meshway" run --graph towns.csv --names --root "New York" \
    --tree t.txt --levels l.txt --json r.json --csv r.csv -f
for line in '"-1" Zürich' '"Al ""x""" Boston' 'Boston "New York"' '"New York" "New York"' \
    'Zürich Boston'; do
    holds t.txt "$line"
done
holds l.txt '"-1" 3'
grep -q '"root": "New York"' r.json || wrong "the result's root"
sed -n 2p r.csv | grep -q '^0,"New York",' || wrong "the root of the CSV"
shows 0 "root:                           'New York'" "$meshway" validate towns.csv t.txt --names
sed 's/^Zürich Boston$/Zürich "New York"/' t.txt >bad.txt
expect 76 "the parent is no neighbour" "$meshway" validate towns.csv bad.txt --names
expect 64 "--root: vertex 'Rome' is not in the graph" \
    "$meshway" run --graph towns.csv --names --root Rome
expect 64 "names.bin: .bin means numbers" \
    "$meshway" run --graph towns.csv --names --root Boston --tree names.bin
expect 65 "an edge list of names needs --names" "$meshway" run --graph towns.csv --format edges
expect 0 "its vertices are taken for names; --format edges" "$meshway" run --graph towns.csv --roots 3 --json none
expect 0 "" "$meshway" run --graph towns.csv --names --roots 3 --json none

# --- several roots ------------------------------------------------------------------------------

rm -f t.* l.*
expect 0 "vertices at depth 0, 1, ..." "$meshway" run --graph towns.csv --names \
    --root 'New York,"Al ""x"""' --tree t.txt --levels l.txt --json none
grep -qE "^ +'New York' +5 +5 +3  1 1 2 1$" err || wrong "no line of the search from New York"
for root in New%20York Al%20%22x%22; do
    shows 0 "passed" "$meshway" validate towns.csv t.$root.txt --names
    [ -s l.$root.txt ] || wrong "no l.$root.txt"
done
[ ! -e t.txt ] || wrong "t.txt belongs to no root"
holds l.Al%20%22x%22.txt '"New York" 2'
expect 73 "t.New%20York.txt: exists" "$meshway" run --graph towns.csv --names \
    --root 'Boston,New York' --tree t.txt --json none
[ ! -e t.Boston.txt ] || wrong "a search was made before all names were looked at"
expect 0 "" "$meshway" run --graph path.mtx --root 1,4 --tree p.bin --json none
for root in 1 4; do
    shows 0 "root:                           $root" "$meshway" validate path.mtx p.$root.bin
done
expect 0 "" "$meshway" run 5 --roots 3 --tree sampled.txt --json none
[ "$(find . -name 'sampled.*.txt' | wc -l)" -eq 3 ] || wrong "not a tree for each sampled root"

# --- any number of ranks ----------------------------------------------------------------------

if [ -n "$mpiexec" ]; then
    "$meshway" run --graph towns.csv --names --root "New York" --tree t.txt --json none -f \
        >out 2>err
    "$meshway" run --graph farther.el --compact-ids --root 7 --tree t1.bin --json none >out 2>err
    for n in 2 3; do
        expect 0 "" "$mpiexec" -n $n "$meshway" run --graph towns.csv --names --root "New York" \
            --tree t$n.txt --json none
        cmp -s t.txt t$n.txt || wrong "another tree of names on $n ranks"
        expect 0 "" "$mpiexec" -n $n "$meshway" run --graph farther.el --compact-ids --root 7 \
            --tree t$n.bin --json none
        cmp -s t1.bin t$n.bin || wrong "another tree of ids on $n ranks"
        expect 78 "vertices go up to 570000000" "$mpiexec" -n $n "$meshway" run --graph far.el
    done
fi

# --- components: one file, whatever the number of runs; called what the input calls them -----------

printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n5 5 2\n2 1\n5 4\n' >one.mtx
printf '# vertex component\n1 1\n2 1\n3 3\n4 4\n5 4\n' >want
expect 0 "try next: --tree FILE, the component of every vertex" \
    "$meshway" run --graph one.mtx --algorithm cc --json none
expect 0 "" "$meshway" run --graph one.mtx --algorithm cc --tree c.txt --json none
grep -q 'try next' err && wrong "--tree is offered to who has used it"
cmp want c.txt || wrong "components of one.mtx: $(cat c.txt)"
expect 73 "c.txt" "$meshway" run --graph one.mtx --algorithm cc --tree c.txt --json none
[ "$(echo c.*)" = c.txt ] || wrong "components are in several files: $(echo c.*)"
if [ -n "$mpiexec" ]; then
    expect 0 "" "$mpiexec" -n 3 "$meshway" run --graph one.mtx --algorithm cc --tree c.txt \
        --json none -f
    cmp want c.txt || wrong "components of one.mtx on 3 ranks: $(cat c.txt)"
fi

# --- random graphs: the same levels as those of the vertices counted ------------------------------

# random SEED: dense.el with vertices 0 .. 39, and ids.el and names.el with those in order renamed.
random() {
    awk -v seed="$1" 'BEGIN {
        srand(seed)
        for (v = 0; v < 40; v++) id[v] = v * 1000003 * seed + int(1000 * rand())
        for (e = 0; e < 60; e++) {
            u = int(40 * rand()); v = int(40 * rand())
            print u, v >"dense.el"
            printf "%d,%d\n", id[u], id[v] >"ids.el"
            printf "\"v %03d\";\"v %03d\"\n", u, v >"names.el"
            printf "%d %d\n%d %d\n", u, id[u], v, id[v] >"map"
        }
        print u >"root"
    }'
    sort -u map -o map
}
for seed in 1 2 3; do # each on so many ranks
    rm -f map
    random $seed
    root=$(cat root)
    id=$(awk -v u="$root" '$1 == u {print $2}' map)
    expect 0 "" "$meshway" run --graph dense.el --root "$root" --levels l.dense --json none -f
    # Vertices that do not occur are none with ids and names.
    awk 'NR == FNR {id[$1] = $2; next} $1 in id {print id[$1], $2}' map l.dense >l.want
    awk 'NR == FNR {id[$1] = 1; next} $1 in id {printf "\"v %03d\" %s\n", $1, $2}' map l.dense \
        >n.want
    n=$seed launch=
    [ -n "$mpiexec" ] || n=1
    [ $n -eq 1 ] || launch="$mpiexec -n $n"
    # shellcheck disable=SC2086 # words
    expect 0 "" $launch "$meshway" run --graph ids.el --compact-ids --root "$id" \
        --tree t.ids --levels l.ids --json none -f
    grep -v '^#' l.ids | cmp -s - l.want || wrong "seed $seed, $n ranks: levels of ids"
    shows 0 passed "$meshway" validate ids.el t.ids --compact-ids
    # shellcheck disable=SC2086
    expect 0 "" $launch "$meshway" run --graph names.el --names \
        --root "$(printf 'v %03d' "$root")" --tree t.names --levels l.names --json none -f
    grep -v '^#' l.names | cmp -s - n.want || wrong "seed $seed, $n ranks: levels of names"
    shows 0 passed "$meshway" validate names.el t.names --names
done

# --- a signal while the graph is read -------------------------------------------------------------

# stopped REASON: the run in the background has ended with 75 and says so.
stopped() {
    wait "$pid"
    got=$?
    [ $got -eq 75 ] || wrong "$1: exit $got: $(tail -n 1 err)"
    grep -q "interrupted ($1) while" err || wrong "$1: $(tail -n 1 err)"
}
# A comment of 256 GB that takes no room on the disk: reading it would take minutes.
printf '#' >long.el
truncate -s 256G long.el
for options in "" --compact-ids --names; do
    # shellcheck disable=SC2086 # none or one
    "$meshway" run --graph long.el --format edges $options --json none --verbose >out 2>err &
    pid=$!
    until [ -n "$(find "/proc/$pid/fd" -lname '*/long.el' 2>/dev/null)" ] ||
        ! kill -0 $pid 2>/dev/null; do sleep 0.01; done
    kill -TERM $pid
    stopped SIGTERM
done
rm long.el

exit $failed
