#!/bin/sh
# test_outputs.sh -- where results go: nothing blocks on what it is given to write to, nothing is
# written over an input or another output, and what could not be written is said.
#
# Usage: test_outputs.sh MESHWAY STOPPED_CLOCK.so     ("": no preloading)
meshway=$1 clock=${2:-}
layout=$(cd "${0%/*}/.." && pwd)/share/layouts/paper.layout
. "${0%/*}/lib.sh"

# expect CODE TEXT COMMAND...: never for longer than a hang takes.
expect() {
    code=$1 text=$2
    shift 2
    answers "out err" "$code" "$text" timeout -k 5 900 "$@"
}

# no_litter: no temporary file is left.
no_litter() {
    # shellcheck disable=SC2010,SC2012 # names of our own
    left=$(ls -A | grep '^\.meshway-')
    [ -z "$left" ] || wrong "$1: left $left"
}

small="run 8 --roots 2 --quiet"

# --- what blocks when it is opened --------------------------------------------------------------
mkfifo pipe
# shellcheck disable=SC2086 # $small is several words
for option in --json --csv --trace --emul-dot; do
    backend=
    [ $option != --emul-dot ] || backend="--backend emul"
    expect 73 "pipe: is a pipe that nobody reads" "$meshway" $small $backend --json none $option pipe
done
# shellcheck disable=SC2086
for option in --tree --levels; do
    expect 73 "nobody reads" "$meshway" run 8 --json none --root 1 $option pipe
done
expect 73 "nobody reads" "$meshway" gen 8 pipe
"$meshway" gen 8 g.el -q || wrong "gen"
expect 73 "nobody reads" "$meshway" convert g.el pipe
expect 73 "nobody reads" "$meshway" model --write-profile pipe
if has_layouts; then
    expect 73 "nobody reads" "$meshway" layout check "$layout" --certificate pipe
    expect 73 "nobody reads" "$meshway" layout export "$layout" --svg pipe
    expect 73 "nobody reads" "$meshway" layout fmt "$layout" -o pipe
fi
expect 66 "pipe" "$meshway" run -g pipe --json none
expect 66 "pipe" "$meshway" validate pipe g.el
expect 66 "pipe" "$meshway" validate g.el pipe --format edges
expect 66 "pipe" "$meshway" convert pipe x.el

# A FIFO that is read gets the result, and once: its reader does not see an end before.
cat pipe >received &
reader=$!
# shellcheck disable=SC2086
expect 0 "" "$meshway" $small --json pipe
wait $reader
grep -q '"status": *"ok"' received || wrong "a reader of a FIFO got: $(head -c 200 received)"
[ "$(grep -c '"schema_version"' received)" -eq 1 ] || wrong "a FIFO got more than one result"
# One whose reader leaves is an output that was not written.
head -c 1 pipe >received &
reader=$!
expect 74 "pipe: cannot write: Broken pipe" "$meshway" gen 14 pipe
wait $reader

# Standard output under its own name shares the place in the file with everything else.
# shellcheck disable=SC2086
timeout 900 "$meshway" $small --json /dev/stdout >both 2>err || wrong "/dev/stdout: code $?"
grep -q '"checksum"' both && grep -q '"schema_version"' both && grep -q 'SCALE: ' both ||
    wrong "/dev/stdout: result and block lie over each other"
# shellcheck disable=SC2086
expect 0 "" "$meshway" $small --json /dev/null --csv /dev/null --trace /dev/null
expect 73 "not open for writing" sh -c '"$1" gen 8 /dev/stdout >&-' sh "$meshway"

# --- files, not names -----------------------------------------------------------------------------
one="is named for two outputs"
# shellcheck disable=SC2086
for other in ./w.json "$PWD/w.json" ../"$(basename "$PWD")"/w.json; do
    expect 64 "$one" "$meshway" $small --json w.json --csv "$other"
    expect 64 "$one" "$meshway" $small --json w.json --csv "$other" -f
done
[ ! -e w.json ] || wrong "a refused run wrote w.json"
mkdir real && ln -s real alias
# shellcheck disable=SC2086
expect 64 "$one" "$meshway" $small --json real/w --csv alias/w -f
! has_layouts || expect 2 "$one" "$meshway" layout export "$layout" --svg w --html ./w
cp g.el keep.el
ln g.el hard.el
ln -s g.el soft.el
for name in g.el ./g.el hard.el soft.el; do
    expect 64 "is the input g.el" "$meshway" convert g.el $name -f
    expect 64 "is the input g.el" "$meshway" run -g g.el --format edges --root 1 --tree $name -f --json none
    expect 64 "is the input g.el" "$meshway" run -g g.el --format edges -n 1 --json $name -f
done
expect 64 "is the input soft.el" "$meshway" convert soft.el g.el -f
cmp -s g.el keep.el || wrong "an input was destroyed"
cp "$layout" l.layout
if has_layouts; then
    expect 2 "is the input" "$meshway" layout check l.layout --certificate ./l.layout -f
    expect 2 "is the input" "$meshway" layout export l.layout --svg l.layout -f
fi
expect 64 "is the input" "$meshway" run 8 --backend emul --layout l.layout --json ./l.layout -f
cmp -s "$layout" l.layout || wrong "a layout was destroyed"
! has_layouts || expect 0 "" "$meshway" layout fmt l.layout -o l.layout -f
expect 0 "" "$meshway" model --write-profile p.json
expect 64 "is the input" "$meshway" model --profile p.json --write-profile ./p.json -f
expect 0 "" "$meshway" convert g.el other.el
no_litter "files"

# --- what could not be written ----------------------------------------------------------------------
printed="info|plan 10|gen 8 new.el -f|convert g.el new.el -f|--help|--version|--version --json|model --claims
run 8 --roots 2 --json none|run --print-config|run --help"
! has_layouts || printed="$printed|layout check $layout"
for full in /dev/full closed; do
    [ $full = closed ] || [ -w $full ] || continue
    echo "$printed" | tr '|' '\n' >list
    while read -r words; do
        n_commands=$((n_commands + 1))
        if [ $full = closed ]; then
            # shellcheck disable=SC2086
            timeout -k 5 900 "$meshway" $words >&- 2>err </dev/null
        else
            # shellcheck disable=SC2086
            timeout -k 5 900 "$meshway" $words >$full 2>err </dev/null
        fi
        got=$?
        [ $got -eq 74 ] || wrong "$words, standard output $full: code $got"
        grep -q 'standard output\|result block' err || wrong "$words, $full: no message"
    done <list
done
# A reader that has enough is no error to speak of.
for words in "run --help" "layout explain $layout" "info"; do
    [ "${words%% *}" != layout ] || has_layouts || continue
    # shellcheck disable=SC2086
    timeout -k 5 900 "$meshway" $words 2>err </dev/null | head -n 1 >out
    [ ! -s err ] || wrong "$words | head: says something"
done
# A limit on file sizes is a full disk, not the end. (The shell's unit is 512 bytes or 1 KiB.)
for words in "gen 12 big.el" "convert big.bin big.el" "run 8 --roots 64 --json big.json" \
    "run 12 --roots 1 --json none --tree big.tree"; do
    [ -e big.bin ] || "$meshway" gen 12 big.bin -q
    n_commands=$((n_commands + 1))
    # shellcheck disable=SC2086,SC3045
    (ulimit -f 4 && exec timeout -k 5 900 "$meshway" $words) >out 2>err
    got=$?
    [ $got -eq 74 ] || wrong "$words under ulimit -f: code $got"
    [ ! -e big.el ] && [ ! -e big.json ] && [ ! -e big.tree ] || wrong "$words: half a file"
    no_litter "$words under ulimit -f"
done
# --- a clock that stands still ------------------------------------------------------------------------
if [ -n "$clock" ]; then
    [ -e "$clock" ] || wrong "$clock is not built"
    expect 0 "TEPS not available" env LD_PRELOAD="$clock" "$meshway" run 8 --roots 4 --json still.json
    grep -q '^bfs  harmonic_mean_TEPS:     !  not available$' out || wrong "a stopped clock measures rates"
    grep -q '"teps": *null' still.json || wrong "a stopped clock's rate is in the result"
    grep -q '"status": *"ok"' still.json || wrong "a stopped clock fails the run"
fi

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
