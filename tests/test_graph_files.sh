#!/bin/sh
# test_graph_files.sh -- graphs as they are found: formats that are told apart, or refused with
# what to do, packed files and streams, weights; the same graph gives the same answer.
#
#     test_graph_files.sh MESHWAY UNPACKS [MPIEXEC]
meshway=$1
unpacks=$2 # ON: this build has libarchive
mpiexec=${3:-}
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

# Pajek, and igraph's DIMACS; weights are said to be dropped, once, and in the result.
answers out 0 "" search "$data/small.mtx" 1 want.txt
for file in small.net small_flow.dimacs; do
    answers err 0 "note: $data/$file: weights are not used" search "$data/$file" 1 got.txt \
        --json w.json
    same_levels $file
    grep -q '"not_used": *"weights are not used' w.json || wrong "$file: not in the result"
    answers err 0 "note: $data/$file: weights are not used" search_2 "$data/$file" 1 got.txt
    [ "$(grep -c "weights are not" err)" -eq 1 ] || wrong "$file: said more than once"
    same_levels "$file on two ranks"
done
answers err 0 "columns besides the two vertices" search "$data/small_from1.csv" 1 got.txt --base 1
answers out 0 "" search "$data/small.el" 1 got.txt --json w.json
grep -q '"not_used": *null' w.json || wrong "nothing is dropped, but the result says so"
grep -q '"read_s": *[0-9]' w.json || wrong "the result does not say how long the file was read"
! grep -q "dropped" err || wrong "nothing is dropped, but the run says so"

# Packed files, standard input and pipes: the same answer, and nothing stays in TMPDIR.
mkdir tmp
export TMPDIR="$work/tmp"
answers out 0 "" search "$data/small.el" 0 want.txt
for kind in "gz gzip" "xz xz" "zst zstd" "bz2 bzip2" "lz4 lz4"; do
    packed=$data/small.el.${kind% *}
    if [ "$unpacks" = ON ]; then
        answers out 0 "" search "$packed" 0 got.txt
        same_levels "${kind#* }"
        answers out 0 "" search_2 "$packed" 0 got.txt
        same_levels "${kind#* } on two ranks"
        answers out 0 "" sh -c "'$meshway' run -g - --root 0 --levels got.txt --json none \
            --force <'$packed'"
        same_levels "${kind#* } on standard input"
    else
        answers err 69 "unpack it first: ${kind#* } -d $packed" search "$packed" 0 got.txt
    fi
done
answers out 0 "" sh -c "cat '$data/small.el' | '$meshway' run -g /dev/stdin --root 0 \
    --levels got.txt --force --json none"
same_levels "a pipe"
mkfifo pipe
answers err 66 "pipe: is a pipe that nobody writes to" search pipe 0 got.txt
exec 3<>pipe
# It has to get to the pipe, which takes a busy machine longer.
for seconds in 0.5 5 50; do
    search pipe 0 got.txt --timeout $seconds >out 2>err
    code=$?
    ! grep -qF -e "--timeout) while reading pipe" err || break
done
[ $code -eq 75 ] || wrong "a silent pipe: exit $code"
grep -qF -e "--timeout) while reading pipe" err || wrong "a silent pipe: $(cat err)"
exec 3>&-
answers err 65 "standard input: the file is empty" search - 0 got.txt
answers err 66 "nothing.gz: cannot open" search nothing.gz 0 got.txt
answers err 65 "is a zip file; unpack it first: unzip" sh -c "printf 'PK\003\004......' >a.zip
    '$meshway' run -g a.zip"
if [ "$unpacks" = ON ]; then
    if [ -n "$mpiexec" ]; then # as if every rank had a host of its own
        answers out 0 "" search_2 "$data/small.el.gz" 0 got.txt --ranks-per-host 1
        same_levels "two hosts"
    fi
    head -c 50 "$data/small.el.gz" >cut.gz
    answers err 65 "cut.gz: a damaged or cut gzip file" search_2 cut.gz 0 got.txt
    : | gzip >nothing.gz
    answers err 65 "the file is empty" search nothing.gz 0 got.txt
    tar -cf - -C "$data" small.el | gzip >tar.gz
    answers err 65 "is a tar archive; unpack it first: tar -xf tar.gz" search tar.gz 0 got.txt
    # 20 MB from 20 KB: refused with the numbers, unless it is meant.
    yes "0 1" | head -c 20000000 | gzip >bomb.gz
    for ranks in "" _2; do
        answers err 78 "unpacks to more than 1048576 bytes" search$ranks bomb.gz 0 got.txt \
            --unpack-limit 1Mi
        answers out 0 "" search$ranks bomb.gz 0 got.txt --unpack-limit 20M
    done
    answers err 73 "TMPDIR chooses another folder" env TMPDIR="$work/none" "$meshway" run \
        -g bomb.gz --json none
    answers out 0 "" "$meshway" validate "$data/small.el.xz" "$data/small.tree" --vertices 6
    answers "out err" 0 "7 edges, 5 vertices" "$meshway" convert "$data/small.el.bz2" out.sg
fi

# --- what is written: the name says how, or --to; what neither says is refused ---------------------

digest() { # GRAPH OPTION...: of its edges
    "$meshway" run -g "$@" -n 1 --json none -q </dev/null 2>/dev/null | grep '^edge_list_digest'
}
unsaid="its name says no format that can be written; these do: .el"
for name in k.graphml x.npz y.metis2 road3.foo.gz k none.d/k .el; do
    mkdir -p none.d
    answers err 64 "$name: $unsaid" "$meshway" convert "$data/small.el" $name
    answers err 64 "or --to WORD says it" "$meshway" gen 4 $name
    [ ! -e $name ] || wrong "$name: refused, but written"
done
rmdir none.d
answers "out err" 0 "7 edges" "$meshway" convert "$data/small.el" k.graphml --to edges
"$meshway" gen 8 want.el -q
want=$(digest want.el)
[ -n "$want" ] || wrong "no digest of want.el"
# A matrix and sg do not keep which vertex came first: both are read lesser vertex first.
"$meshway" gen 8 turned.sg -q
turned=$(digest turned.sg)
[ "$turned" != "$want" ] || wrong "sg: says which vertex came first"
for name in w.txt w.csv w.tsv w.mtx w.sg w.bin w.packed12 w.packed16; do
    answers "out err" 0 "256 vertices" "$meshway" gen 8 $name
    same=$(digest $name)
    case $name in *.mtx | *.sg) as=$turned ;; *) as=$want ;; esac
    [ "$same" = "$as" ] || wrong "gen $name: another graph"
    answers "out err" 0 "" "$meshway" convert want.el c$name
    [ "$(digest c$name --vertices 256)" = "$same" ] || wrong "convert c$name: another graph"
    for ending in gz zst xz bz2 lz4; do
        for how in "gen 8 p$name.$ending" "convert want.el p$name.$ending -f"; do
            if [ "$unpacks" = ON ]; then
                # shellcheck disable=SC2086 # several words
                answers "out err" 0 "" "$meshway" $how
                [ "$(digest p$name.$ending --vertices 256)" = "$same" ] || wrong "$how: another graph"
            else
                # shellcheck disable=SC2086
                answers err 69 "this build has no libarchive" "$meshway" $how
            fi
        done
    done
done
[ "$(digest w.packed16)" = "$want" ] || wrong "packed16"
[ "$(wc -c <w.packed16)" -eq 65536 ] || wrong ".packed16 is not of 16 bytes an edge"
if [ "$unpacks" = ON ]; then
    # By the programs that others have, with the header that the plain file has.
    for kind in "gz gzip" "xz xz" "zst zstd" "bz2 bzip2" "lz4 lz4"; do
        command -v "${kind#* }" >/dev/null || continue
        "${kind#* }" -dc "pw.mtx.${kind% *}" | cmp -s - cw.mtx || wrong "${kind#* }: not the plain file"
    done
    "$meshway" convert want.el again.el.gz -q && sleep 1.1 && "$meshway" convert want.el later.el.gz -q
    cmp -s again.el.gz later.el.gz || wrong "the same edges pack into other bytes"
    answers err 73 "again.el.gz: exists" "$meshway" convert want.el again.el.gz
    answers "out err" 0 "" "$meshway" convert want.el again.gz --to mtx
    gzip -dc again.gz | head -n 1 | grep -q '^%%MatrixMarket' || wrong "again.gz --to mtx"
    (ulimit -f 1 && exec "$meshway" gen 12 big.el.gz) >out 2>err # one or half a KiB
    [ $? -eq 74 ] || wrong "a full disk under gzip: $(cat err)"
    [ ! -e big.el.gz ] && [ -z "$(find . -name '.meshway-*')" ] || wrong "half a packed file"
fi
for option in --tree --levels --json --csv --trace; do
    answers err 64 "its name says gzip, but only graphs are packed" "$meshway" run -g want.el --root 1 \
        --json none $option t.gz
    [ ! -e t.gz ] || wrong "$option t.gz is written"
done
answers err 64 "its name says zstd" "$meshway" model --write-profile p.json.zst
! has_layouts || answers err 2 "its name says gzip" "$meshway" layout export one-router --svg p.svg.gz

[ -z "$(ls -A tmp)" ] || wrong "left in TMPDIR: $(ls -A tmp)"

exit $failed
