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
