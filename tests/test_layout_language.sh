#!/bin/sh
# test_layout_language.sh -- what "meshway layout" says of files that are not right, or no files,
# and exit codes, JSON and tables that leave nothing out. Run by CTest as "layout_language".
#
#     test_layout_language.sh MESHWAY SOURCE_DIR
set -u
meshway=$1
source=$2
layouts=$source/share/layouts
. "$(dirname "$0")/lib.sh"

# refused TEXT ADVICE: a layout that is an error, and what is said of it.
# shellcheck disable=SC2059 # it has newlines
refused() {
    printf "$1" >bad.layout
    layout_says 2 "$2" check bad.layout
    grep -qE '^ +[0-9]+ \| ' err || wrong "$1: the line is not shown"
    grep -qE '^ +\| +\^$|^ +\| \^$' err || wrong "$1: no caret"
}

# ---- errors say what to write -------------------------------------------------------------
refused 'mesh 8 8\nrolez PPPPDUKK\n' "bad.layout:2:1: error: unknown statement 'rolez'; did you mean 'roles'?"
refused 'mesh 8,8\n' "write 'mesh 8 8'"
refused 'mesh 2 2\nflow 0,0 0,*\n' "got '0,*'; a flow lists its cores one by one"
refused 'mesh 2 4\nroles PDUK\nroute P: down -> D\n' "write 'down->D'"
refused 'mesh 2 4\nroles PDUK\nroute P: down->D up->U same->D\nroute U: col-to-row, then K\n' \
    "role D has no route: write 'route D: col-to-row, then K'"
layout_says 0 "cost Q has no effect: no core has role Q" check - <<'END'
mesh 1 2
roles PK
route P: then K
cost Q 3
END
grep -qF "    4 | cost Q 3" err || wrong "a warning without its line"
for f in "$layouts"/*.layout; do
    "$meshway" layout check "$f" --no-realise 2>&1 >out | grep -q "no effect" && wrong "$f: says what has no effect"
done

# ---- what is no file ----------------------------------------------------------------------
# A FIFO without a writer: without an answer the limit of the test ends this, and nothing else.
mkfifo fifo
cp "$layouts/pair-exchange.layout" pair.layout
for verb in check explain explore budget map sim fmt; do
    layout_says 2 "fifo: is a pipe that nobody writes into" $verb fifo
done
layout_says 2 "fifo: is a pipe that nobody writes into" verify pair.layout fifo
layout_says 2 "fifo: is a pipe that nobody writes into" replay pair.layout fifo
layout_says 2 ".: is a directory" check .
layout_says 2 "/dev/zero: is a device" check /dev/zero
cat pair.layout | "$meshway" layout check /dev/stdin >out 2>err # opened by its name
grep -q "/dev/stdin: DEADLOCK" out || wrong "a pipe with a writer is not read"
layout_says 1 "standard input: DEADLOCK" check - <pair.layout

# ---- nothing is left out --------------------------------------------------------------------
layout_says 0 "" check "$layouts/paper-small.layout" --json
for model in decoupled link; do
    "$meshway" layout check "$layouts/paper-small.layout" --model $model --certificate $model.cert -f >/dev/null
    "$meshway" layout check "$layouts/paper-small.layout" --model $model --json |
        sed -n '/"rank"/,/}/s/^ *"\([0-9].*\)": \([0-9]*\),*$/\1 \2/p' >ranks
    grep -v '^#' $model.cert | cmp -s - ranks || wrong "check --json: the ranks of $model are not those of the certificate"
    grep -q ' 0$' ranks || wrong "check --json: no node of rank 0 in $model"
done

# ---- messages with several ways, and meshes beyond 64x64 ------------------------------------
layout_says 0 "rank 0..6, though all ways together" check "$layouts/escape.layout" --model link --certificate escape.cert
layout_says 0 "VERIFIED" verify "$layouts/escape.layout" escape.cert --model link
sed 's/ [1-9][0-9]*$/ 0/' escape.cert >flat.cert
layout_says 1 "some message has no way that leads to lower ranks" verify "$layouts/escape.layout" flat.cert --model link
sed '$d' escape.cert >short.cert
layout_says 1 "REFUSED" verify "$layouts/escape.layout" short.cert --model link
layout_says 0 '"acyclic_indirect": true' check "$layouts/escape.layout" --model link --json
layout_says 1 '"knot": ' check "$layouts/broadcast-pair.layout" --json
layout_says 1 "a knot and no mere cycle" explain "$layouts/broadcast-pair.layout"
layout_says 0 "one of its ways leads to lower ranks only" explain "$layouts/west-first.layout" --model link
layout_says 1 "realised in" check "$layouts/fully-adaptive.layout" --model link --trace knot.trace
grep -q " way 1" knot.trace || wrong "a trace of several ways says nowhere which"
layout_says 1 "DEADLOCK after" replay "$layouts/fully-adaptive.layout" knot.trace --quiet
sed 's/way 1/way 7/' knot.trace >astray.trace
layout_says 2 "there is no way 7" replay "$layouts/fully-adaptive.layout" astray.trace --quiet
layout_says 3 "proved:   the rules allow a knot of 2" explore "$layouts/escape.layout" --limit 100
layout_says 3 '"proof": "knot"' explore "$layouts/escape.layout" --limit 100 --json
layout_says 3 "proved:   free (link)" explore "$layouts/odd-even.layout" --limit 100 --model link
layout_says 1 "knot: 1,1 2,1" sim "$layouts/west-first.layout"
layout_says 1 "  1,1 (A) holds a message for 3,1, wants 2,1 C 4/4" sim "$layouts/west-first.layout"
layout_says 0 "no bound is modelled of several ways" sim "$layouts/escape.layout" --cycles 5000
layout_says 0 '"modelled": null' sim "$layouts/escape.layout" --cycles 5000 --json
layout_says 78 "need FIFOs of depth 1 at least" sim "$layouts/escape.layout" --depth 0
layout_says 0 "0.0625 " curve "$layouts/escape.layout" --cycles 2000
layout_says 0 "none in time" sweep "$layouts/escape.layout" --vary fifo=4,16 --cycles 3000
layout_says 0 "coupled: can deadlock" map "$layouts/escape.layout" --cycles 3000
layout_says 1 "fix: take 'adaptive odd-even', or add 'escape xy class e'" check "$layouts/fully-adaptive.layout" --model link
layout_says 1 '"text": "drop broadcast 0 (of 0,0)"' check "$layouts/broadcast-pair.layout" --json
layout_says 1 "  - drop broadcast 0 (of 0,0)  (proved free on the changed layout)" explain "$layouts/broadcast-pair.layout"
"$meshway" layout gen xy 256 256 >huge.layout
layout_says 1 "link: free: no row and no column has a cycle, 4261478400 edges" check huge.layout
layout_says 0 '"rows": 256' check huge.layout --model link --json
layout_says 2 "not of a mesh beyond 64x64" check huge.layout --trace t
layout_says 2 "expected an integer 1..64" explore huge.layout
sed 's/^roles A/roles B/' huge.layout >mixed.layout
layout_says 2 "a mesh beyond 64x64 has one role everywhere" check mixed.layout

# ---- 3 is what is too large ---------------------------------------------------------------
"$meshway" layout gen xy 16 16 >large.layout
layout_says 3 "nothing was explored" explore large.layout
layout_says 3 '"verdict": "bounded"' explore large.layout --json

# ---- a sweep of the work compares nothing across it -----------------------------------------
layout_says 0 "compared at the same load" sweep "$layouts/paper.layout" --vary load=0.2,0.5,1 --cycles 3000
[ "$(grep -cE '^(0.2|0.5|1) ' out)" -eq 3 ] || wrong "sweep of the load: $(cat out)"
layout_says 0 "" sweep "$layouts/paper.layout" --vary load=0.01,0.5 --vary fifo=4,16 --cycles 3000
grep -qE '^0.01 +4 ' out || wrong "sweep: nothing for a small load"
layout_says 0 "Pareto" sweep "$layouts/paper.layout" --vary fifo=4,16 --cycles 3000
grep -q "compared at" out && wrong "sweep of the depth: compared at the same depth"
# shellcheck disable=SC2154 # of lib.sh
exit $failed
