#!/bin/sh
# test_surface.sh MESHWAY [MPIEXEC] -- what a run leaves behind and says while it runs: results
# in their folder and nowhere else, JSON on standard output, progress, errors first.
set -u
meshway=$1
mpiexec=${2:-}
. "$(dirname "$0")/lib.sh"


# --- where results go -------------------------------------------------------------------

# litter: names in the folder that the program was started in, but for the test's own.
litter() { find . -mindepth 1 ! -name out ! -name err ! -path './home*' ! -path './state*'; }
umask 022
# leaves FOLDER [MODE]: one result, in a folder of that mode (private, where nobody has named it),
# named on stderr; then removed.
leaves() {
    [ "$(find "$1" -name 'meshway-*.json' 2>/dev/null | wc -l)" -eq 1 ] || {
        wrong "$1: not one result"
        return
    }
    case $(ls -ld "$1") in ${2:-drwx------}*) ;; *) wrong "$1 is not ${2:-drwx------}" ;; esac
    case $(ls -l "$1"/meshway-*.json) in -rw-r--r--*) ;; *) wrong "the result is not 0644" ;; esac
    [ "$(grep -c "^result: $1/meshway-.*json$" err)" -eq 1 ] || wrong "$1: not said in one line"
    rm -rf "$1"
}
mkdir home
expect 0 "result: $work/state/meshway/" "$meshway" run 6
leaves "$work/state/meshway"
expect 0 "" env XDG_STATE_HOME= HOME="$work/home" "$meshway" run 6
leaves "$work/home/.local/state/meshway"
[ -z "$(litter)" ] || wrong "a plain run leaves" "$(litter)"
expect 0 "" env XDG_STATE_HOME=not/absolute HOME="$work/home" "$meshway" run 6
leaves "$work/home/.local/state/meshway"
expect 0 "" env -u XDG_STATE_HOME -u HOME "$meshway" run 6
leaves ./meshway-results
expect 0 "" env -u XDG_STATE_HOME HOME=/nonexistent "$meshway" run 6
leaves ./meshway-results
expect 0 "" "$meshway" run 6 --results deep/er
leaves deep/er drwxr-xr-x
expect 0 "" env MESHWAY_RESULTS="$work/of environment" "$meshway" run 6
leaves "$work/of environment" drwxr-xr-x
rm -rf deep
touch file
expect 73 "file: cannot create the folder: Not a directory; --results DIR" "$meshway" run 20 --results file/results
rm -f file
expect 0 "" "$meshway" run 6 --json none
[ -z "$(litter)" ] || wrong "runs leave" "$(litter)"

# --- JSON on standard output ---------------------------------------------------------------

expect 0 "harmonic_mean_TEPS" "$meshway" run 8 --json -
head -n 1 out | grep -q '^{$' || wrong "--json -: no JSON on stdout"
[ "$(wc -c <out)" -lt 109000 ] || wrong "--json -: $(wc -c <out) bytes for 64 searches"
grep -q harmonic_mean_TEPS: out && wrong "--json -: the block is on stdout"
grep -q '^result:' err && wrong "--json -: names a file"
expect 0 "validation:                     64 of 64" "$meshway" run 8 --json none --csv - -q
head -n 1 out | grep -q '^search,root,' || wrong "--csv -: no CSV on stdout"
expect 64 "-: is named for two outputs" "$meshway" run 8 --json - --csv -

# Every other output that is called so: alone on standard output, the block on stderr, no file.
alone() { # FIRST-LINE OPTION...: the run's only words on standard output
    first=$1
    shift
    expect 0 "harmonic_mean_TEPS" "$meshway" run 8 -n 1 --json none "$@" -
    head -n 1 out | grep -q "^$first" || wrong "$*: standard output begins with $(head -n 1 out)"
    grep -q harmonic_mean_TEPS: out && wrong "$* -: the block is on stdout"
    [ ! -e ./- ] || { wrong "$* -: a file of that name" && rm -f ./-; }
}
alone '# vertex parent' --tree
[ "$(grep -c '^[0-9]* -\{0,1\}[0-9]*$' out)" -eq 256 ] || wrong "--tree -: not one line a vertex"
alone '# vertex level' --levels
alone '{' --trace
alone '# vertex component' --algorithm cc --tree
expect 0 "harmonic_mean_TEPS" "$meshway" run 8 --root 1 --json none --backend emul --emul-dot -
[ ! -s out ] || wrong "--emul-dot -: nothing is wrong, and standard output has $(head -n 1 out)"
for two in "--tree - --levels -" "--json - --tree -" "--csv - --levels -" "--trace - --json -"; do
    # shellcheck disable=SC2086 # several words
    expect 64 "-: is named for two outputs" "$meshway" run 8 --root 1 $two
done
expect 64 "--tree -: standard output holds the tree of one root, but there are 64" \
    "$meshway" run 8 --json none --tree -
expect 64 "--levels -: standard output holds the tree of one root, but there are 2" \
    "$meshway" run 8 --json none --levels - --root 1,3
expect 64 "--trace -: standard output holds one result" "$meshway" run 8 --json none --trace - \
    --direction auto,top-down
expect 64 "--results -: is a folder" "$meshway" run 8 --results -
expect 0 "-: 48 edges" "$meshway" gen 4 -e 3 - --to edges
grep -c '^[0-9]* [0-9]*$' out | grep -qx 48 || wrong "gen -: not the edges"
cp out g.el
expect 0 "48 edges" "$meshway" convert g.el - --to mtx --vertices 16
head -n 1 out | grep -q '^%%MatrixMarket' || wrong "convert -: not the matrix"
expect 0 "48 edges" sh -c '"$1" convert - - --to packed12 <g.el' sh "$meshway"
[ "$(wc -c <out)" -eq 576 ] || wrong "convert - -: $(wc -c <out) bytes"
rm -f g.el
expect 64 "--write-profile -: standard output has the figures" "$meshway" model --write-profile -
expect 64 "--svg -: is a folder" "$meshway" model --figure 5 --svg -
expect 64 "--calibrate and --rates=- exclude each other" "$meshway" plan --calibrate --rates -
[ ! -e ./- ] || wrong "a file that is called -"
[ -z "$(litter)" ] || wrong "what goes to standard output leaves" "$(litter)"

expect 64 "--json -: standard output holds one result" "$meshway" run 8 --json - \
    --direction auto,top-down
asked '"done":2,' err 75 "what is finished is in standard output" "$meshway" run 14 \
    --roots 1000000 --json - --progress json
grep -q '"status": "interrupted"' out || wrong "--json -: an interrupted run says nothing"
if [ -w /dev/full ]; then
    n_commands=$((n_commands + 1))
    "$meshway" run 8 --json - >/dev/full 2>err
    rc=$?
    [ $rc -eq 74 ] || wrong "--json - on a full device: code $rc"
    grep -q '"schema_version"' err || wrong "the result was lost with stdout"
fi
[ -z "$(litter)" ] || wrong "--json - leaves" "$(litter)"

# --- the size of a result -------------------------------------------------------------------

expect 0 "" "$meshway" run 14 --no-validate --json r.json
n_levels=$(grep -c '"level": ' r.json)
n_lines=$(wc -l <r.json)
[ "$n_levels" -gt 128 ] || wrong "64 searches have $n_levels levels"
# One line per level, one per search, and a head of a hundred lines or two.
[ "$n_lines" -lt $((n_levels + 64 + 300)) ] || wrong "$n_lines lines for $n_levels levels"
# A level was 587 bytes, most of them blanks and line feeds.
bytes=$(wc -c <r.json)
[ "$bytes" -lt $((n_levels * 520 + 64 * 300 + 20000)) ] || wrong "$bytes bytes, $n_levels levels"
rm -f r.json

# --- progress --------------------------------------------------------------------------------

expect 0 "search 64 of 64 (after " "$meshway" run 8 --json none --progress text
grep -q '^generation (after ' err || wrong "--progress text: no phase"
expect 0 "" "$meshway" run 8 --json none
grep -q '(after ' err && wrong "a file gets progress without being asked for it"
expect 64 "exclude each other" "$meshway" run 8 --json none --progress text --quiet
if [ -n "$mpiexec" ]; then
    # Nobody draws for a launcher: lines, every ten seconds.
    n_commands=$((n_commands + 1))
    "$mpiexec" -n 2 "$meshway" run 12 --roots 1000000 --json none >out 2>err </dev/null &
    pid=$!
    until_said '^search [0-9]* of [0-9]* (after [0-9.]* s), [0-9]* s left$'
    kill -TERM $pid 2>/dev/null
    wait $pid
    grep -q ' s left$' err || wrong "no progress under a launcher"
    [ "$(grep -c '(after ' err)" -le 10 ] || wrong "lines more often than every ten seconds"
    expect 75 "" "$mpiexec" -n 2 "$meshway" run 16 --roots 1000000 --timeout 2 --json none \
        --progress none
    grep -q '(after ' err && wrong "--progress none: progress"
fi

# --- errors come first ---------------------------------------------------------------------

first_is_error() { head -n 1 err | grep -q '^meshway: .*'"$1" || wrong "the error is not first"; }
printf '0 1\n2 x\n' >bad.el
printf '0 0\n1 1\n' >loops.el
expect 65 "bad.el" "$meshway" run --graph bad.el --json none
first_is_error bad.el
expect 65 "self-loops" "$meshway" run --graph loops.el --json none
first_is_error self-loops
shows 0 "num_vertices:                   2" "$meshway" run --graph loops.el --root 1 --json none -q --block
printf '0 1\n' >one.el
expect 64 "--root" "$meshway" run --graph one.el --root 7 --json none
first_is_error --root
rm -f ./*.el

# --- a graph by its file's name alone ---------------------------------------------------------

printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n' >karate.mtx
cp karate.mtx plain
cp karate.mtx 20
cp karate.mtx 2nd.mtx
for words in karate.mtx "run karate.mtx" ./karate.mtx "run plain" plain 2nd.mtx ./20; do
    # shellcheck disable=SC2086 # two words
    shows 0 ": 3 vertices, 2 edges, gone along both ways" "$meshway" $words --root 1 --json none -q
done
cp karate.mtx 10
shows 0 "num_vertices:                   1024" "$meshway" 10 --roots 1 --json none -q
shows 0 "num_vertices:                   1024" "$meshway" run 10 --roots 1 --json none -q
shows 0 "vertices    3" "$meshway" plan karate.mtx
expect 66 "nowhere.mtx" "$meshway" nowhere.mtx
expect 66 "no/where" "$meshway" run no/where
expect 64 "is not a command" "$meshway" nowhere
expect 64 "'nowhere' is neither SCALE nor a file that is here" "$meshway" run nowhere
expect 64 "SCALE: '20.5' is not an integer" "$meshway" run 20.5
expect 64 "EDGEFACTOR and FILE exclude each other" "$meshway" karate.mtx 5
expect 64 "and FILE exclude each other" "$meshway" karate.mtx --scale 5
shows 0 "| FILE]" "$meshway" run --help
rm -f karate.mtx plain 10 20 2nd.mtx

# --- what is said of one, and what is offered next ----------------------------------------------

printf '0 0\n' >one.el
printf '0 1\n' >two.el
expect 0 "" "$meshway" info one.el
grep -q '1 self-loop$' out && grep -q 'the largest has 1 vertex (' out || wrong "info: not of one: $(cat out)"
shows 0 "1 edge, 1 vertex" "$meshway" convert one.el one.mtx
shows 0 "1 vertex down to level 0" "$meshway" run two.el --root 0 --max-depth 0 --json none
expect 0 "1 level, 1 vertex" "$meshway" run one.el --root 0 --json one.json -v
expect 0 "has all 1 search:" "$meshway" run one.el --root 0 --resume one.json
offers() { # TEXT OPTION...: the line "try next"
    text=$1
    shift
    expect 0 "$text" "$meshway" run two.el --json none "$@"
}
offers "try next: --tree FILE with --root V, then meshway validate GRAPH FILE"
offers "try next: --tree FILE, then meshway validate GRAPH FILE" --root 0
offers "try next: meshway validate GRAPH TREE" --root 0 --tree t.txt
grep -q 'try next.*--tree' err && wrong "--tree is offered after --tree"
offers "try next: --tree FILE, the component of every vertex" --algorithm cc
offers "" --algorithm cc --tree c.txt
grep -q 'try next' err && wrong "--tree is offered after --tree"
offers "" --root 0 --target 1 --tree t.txt -f
grep -q 'try next' err && wrong "the tree of a search that ends early is offered to validate"
"$meshway" gen 8 many.el -q
many=$(seq -s, 0 19)
expect 0 "and 4 more; --csv FILE" "$meshway" run many.el --root "$many" --json none
expect 0 "and 4 more" "$meshway" run many.el --root "$many" --json none --csv many.csv
grep -q 'more; --csv' err && wrong "--csv is offered after --csv"
rm -f one.* two.el 1.el t.txt c.txt many.*

expect 0 "" "$meshway" model --figure 11 --svg deep/drawings
[ -s deep/drawings/figure-11.svg ] || wrong "model --svg does not make its folder"
rm -rf deep

# --- the list of backends -------------------------------------------------------------------

shows 0 "" "$meshway" --version
grep -qE '[a-z](built in|not built)' out && wrong "a backend's name runs into its state"
grep -qE '^  emul-threads +(not )?built in' out || wrong "no line on emul-threads"

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
