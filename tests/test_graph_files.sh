#!/bin/sh
# test_graph_files.sh -- graphs as they are found: formats that are told apart, or refused with
# what to do, packed files and streams, weights; the same graph gives the same answer.
#
#     test_graph_files.sh MESHWAY [MPIEXEC]
meshway=$1
mpiexec=${2:-}
data=$(cd "$(dirname "$0")" && pwd)/data
. "$(dirname "$0")/lib.sh"

# On one rank, and on two where there is MPI.
search() { # GRAPH ROOT LEVELS-FILE OPTION...
    graph=$1 root=$2 levels=$3
    shift 3
    "$meshway" run -g "$graph" --root "$root" --levels "$levels" --json none --force "$@" \
        </dev/null
}
search_2() {
    if [ -z "$mpiexec" ]; then
        search "$@"
        return
    fi
    graph=$1 root=$2 levels=$3
    shift 3
    "$mpiexec" -n 2 "$meshway" run -g "$graph" --root "$root" --levels "$levels" --json none \
        --force "$@" </dev/null
}
numbers() { grep -v '^#' "$1" | awk '{ print $2 }'; } # in the order of the vertices
same_levels() { # WHAT: w.txt against got.txt
    numbers want.txt >a
    numbers got.txt >b
    cmp -s a b || wrong "$1: other levels than the edge list's"
}

# A grid of 6 x 5 as an edge list and as METIS has it: told apart by content.
awk 'BEGIN { w = 6; h = 5
    for (v = 0; v < w * h; v++) {
        if (v % w < w - 1) print v, v + 1
        if (v + w < w * h) print v, v + w
    }
}' >grid.el
awk 'BEGIN { w = 6; h = 5; print "% a grid"; print w * h, h * (w - 1) + w * (h - 1)
    for (v = 1; v <= w * h; v++) {
        line = ""
        if (v > w) line = line " " v - w
        if ((v - 1) % w > 0) line = line " " v - 1
        if (v % w > 0) line = line " " v + 1
        if (v + w <= w * h) line = line " " v + w
        print substr(line, 2)
    }
}' >grid.metis
answers out 0 "" search grid.el 0 want.txt
answers out 0 "" search grid.metis 1 got.txt
same_levels "METIS"
answers out 0 "" search_2 grid.metis 1 got.txt --format metis
same_levels "METIS on two ranks"
awk 'BEGIN { w = 6; h = 5
    for (v = 0; v < w * h; v++) {
        line = v
        if (v % w < w - 1) line = line " " v + 1
        if (v + w < w * h) line = line " " v + w
        print line
    }
}' >grid.adj
answers err 65 "--format adjacency" search grid.adj 0 got.txt
answers out 0 "" search_2 grid.adj 0 got.txt --format adjacency
same_levels "adjacency list"
answers err 65 "not symmetric" search "$data/bad_not_symmetric.sg" 0 got.txt
answers err 65 "not symmetric" search_2 "$data/bad_not_symmetric.sg" 0 got.txt

exit $failed
