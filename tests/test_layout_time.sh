#!/bin/sh
# test_layout_time.sh -- latencies, traffic and load curves as scripts see them. Run by CTest as
# "layout_time".
#
#     test_layout_time.sh MESHWAY SOURCE_DIR
set -u
meshway=$1
source=$2
layouts=$source/share/layouts
. "$(dirname "$0")/lib.sh"
cp "$layouts/paper.layout" "$layouts/xy-small.layout" .

# same ARGS...: two runs print the same.
same() {
    "$meshway" layout "$@" >one 2>&1
    "$meshway" layout "$@" >two 2>&1
    cmp -s one two || wrong "layout $*: two runs differ"
}

# ---- sim ----------------------------------------------------------------------------------
layout_says 0 "latency      of" sim paper.layout --send 0 --load 0.3 --cycles 20000
grep -qE '^  P > K    creation +[0-9.]+ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$' out || wrong "sim: no class: $(cat out)"
grep -qE '^ +injection +[0-9.]+' out || wrong "sim: nothing from injection"
layout_says 0 "did not arrive in 500 more cycles (--drain); these figures are too small" \
    sim paper.layout --send 0 --load 0.9 --cycles 20000 --drain 500
layout_says 0 "open: " sim paper.layout --send 0 --load 0.9 --cycles 20000 --drain 0
layout_says 0 '"end": "drained"' sim paper.layout --load 0.3 --cycles 20000 --json
layout_says 0 '"latency": null' sim paper.layout --cycles 100 --warmup 0.999 --load 0.001 --json
layout_says 1 "deadlock: " sim "$layouts/demo-depth.layout" --depth 1 --warmup 0

# As many messages in the list as were measured, each after its injection, and as many spans.
"$meshway" layout sim paper.layout --load 0.3 --cycles 20000 --messages list --trace spans --json >report
n=$(awk '$1 == "\"arrived\":" { print $2 + 0; exit }' report)
[ "$n" -gt 1000 ] || wrong "sim: $n messages"
[ "$(tail -n +2 list | wc -l)" -eq "$n" ] || wrong "--messages: not $n lines"
awk -F, 'NR > 1 && !($1 <= $2 && $2 < $3) { exit 1 }' list || wrong "--messages: out of order"
mean=$(awk -F, 'NR > 1 { s += $3 - $1 } END { printf "%.3f", s / (NR - 1) }' list)
told=$(awk '$1 == "\"mean\":" { printf "%.3f", $2; exit }' report)
[ "$mean" = "$told" ] || wrong "--messages: mean $mean, the report says $told"
[ "$(grep -c '"ph":"b"' spans)" -eq "$n" ] && [ "$(grep -c '"ph":"e"' spans)" -eq "$n" ] || wrong "--trace: not $n spans"
if command -v python3 >/dev/null; then
    python3 -m json.tool spans >/dev/null || wrong "--trace: no JSON"
fi

# ---- traffic ------------------------------------------------------------------------------
layout_says 0 "traffic      transpose; what is modelled is for uniform traffic" \
    sim paper.layout --pattern transpose --load 0.1 --cycles 20000
layout_says 2 "none is hot or popular" sim paper.layout --pattern shuffle --hotspot 0.5
layout_says 2 "expected a power of two" sim "$layouts/paper-3x5.layout" --pattern reversal
layout_says 2 "--burst needs --arrivals bursty" sim paper.layout --burst 3
layout_says 2 "uniform, transpose" sim paper.layout --pattern none
for arrivals in even bernoulli bursty; do
    same sim paper.layout --arrivals $arrivals --load 0.2 --cycles 3000 --csv -
done
{ echo cycle,source,sink && tail -n +2 list | awk -F, '{ print $1 "," $4 "," $5 "," $6 "," $7 }' | sort -t, -k1,1n; } >again
layout_says 0 "traffic      as recorded" sim paper.layout --traffic again
layout_says 0 '"arrivals": "recorded"' sim paper.layout --traffic again --json
grep -q "\"created\": $n," out || wrong "--traffic: not all $n are sent"
grep -q '"end": "drained"' out || wrong "--traffic: not all arrived"
layout_says 2 "paper.layout:1: expected the line" sim paper.layout --traffic paper.layout
layout_says 2 "no load, no supply" sim paper.layout --traffic again --load 0.5
layout_says 2 "no arrivals" sim paper.layout --traffic again --arrivals bursty
layout_says 2 "recorded traffic says itself who sends to whom" sim paper.layout --traffic again --skew 1
printf 'cycle,source,sink\n0,"0,6","0,0"\n' >wrong.csv
layout_says 2 "no flow goes from 0,6 to 0,0" sim paper.layout --traffic wrong.csv

# ---- sweep --------------------------------------------------------------------------------
"$meshway" layout sweep paper.layout --vary load=0.1,0.3 --cycles 20000 -o table.csv >/dev/null
head -n 1 table.csv | grep -q 'latency_mean,latency_p50,latency_p95,latency_p99,latency_end$' || wrong "sweep: no latencies"
awk -F, 'NR > 1 && ($(NF) != "drained" || $(NF - 4) < 140) { exit 1 }' table.csv || wrong "sweep: $(cat table.csv)"

# ---- curve --------------------------------------------------------------------------------
layout_says 0 "saturation   at load 0.4" curve paper.layout --send 0 --seeds 2 --cycles 50000 -o curve.csv --svg curve.svg
grep -qE '^0.05 +1.24 +1.24 ' out || wrong "curve: the least load"
grep -qE '^1 +24.7[0-9] +10.0[0-9] .*unstable$' out || wrong "curve: the highest load"
[ "$(wc -l <curve.csv)" -eq 51 ] || wrong "curve: $(wc -l <curve.csv) lines, expected 50 runs"
grep -q "<svg" curve.svg && grep -q "saturated at load 0.4" curve.svg || wrong "curve: no picture"
if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.dom.minidom as x; x.parse("curve.svg")' || wrong "curve: no XML"
fi
layout_says 0 "saturation   none up to load 0.2" curve paper.layout --to 0.2 --points 3 --seeds 1 --cycles 20000
layout_says 0 "saturation   below load 0.8" curve paper.layout --from 0.8 --points 3 --seeds 1 --cycles 20000
layout_says 0 '"unstable_load"' curve paper.layout --send 0 --points 6 --seeds 1 --cycles 20000 --json
layout_says 1 "deadlock in " curve "$layouts/demo-depth.layout" --points 2 --seeds 2 --cycles 20000
layout_says 2 "--from, --to, --points" curve paper.layout --load 0.5
layout_says 2 "expected a lower load first" curve paper.layout --from 0.5 --to 0.5
layout_says 2 "expected at least 1e-6" curve paper.layout --from 0
layout_says 73 "exists" curve paper.layout --svg curve.svg
layout_says 2 "both write to standard output" curve paper.layout --svg - --json
same curve paper.layout --points 3 --seeds 2 --cycles 5000 --pattern complement --arrivals bursty -o -
"$meshway" layout curve paper.layout --points 3 --seeds 3 --cycles 5000 --jobs 1 >one
"$meshway" layout curve paper.layout --points 3 --seeds 3 --cycles 5000 --jobs 3 >two
cmp -s one two || wrong "curve: the number of jobs changes it"
exit $failed
