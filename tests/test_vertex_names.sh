#!/bin/sh
# test_vertex_names.sh MESHWAY [MPIEXEC] -- what the input calls its vertices is what --root,
# trees, levels, results and messages call them, on any number of ranks.
set -u
meshway=$1
mpiexec=${2:-}
. "$(dirname "$0")/lib.sh"

expect() { answers err "$@" </dev/null; }
shows() { answers out "$@" </dev/null; }
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

exit $failed
