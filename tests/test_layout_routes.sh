#!/bin/sh
# test_layout_routes.sh -- "meshway layout check --from" as scripts see it: verdicts, exit codes,
# files, and what is refused. Run by CTest as "layout_routes".
#
#     test_layout_routes.sh MESHWAY SOURCE_DIR
set -u
meshway=$1
source=$2
networks=$source/share/networks
. "$(dirname "$0")/lib.sh"

# ---- every ready network says what its comment says ---------------------------------------
layout_says 1 "DEADLOCK (link, ends, coupled)" check "$networks/ring.csv" --from routes
layout_says 0 "FREE (link)" check "$networks/dateline.csv" --from routes
layout_says 1 "arb-b is in a CYCLE of 2" check "$networks/held.json" --from routes
layout_says 0 "FREE (link)" check "$networks/four.vtr" --from vtr
layout_says 1 "DEADLOCK (ends)   link: free" check "$networks/pipeline.mlir" --from aie
grep -q "is safe" out && wrong "a bound where places are held"
grep -qF "(arbiter 0 is free there)" out || wrong "no free arbiter is named"
layout_says 0 "FREE (link, ends)" check "$networks/pipeline-mended.mlir" --from aie
layout_says 0 "FREE (link)" check "$networks/pipeline.mlir" --from aie --model link
layout_says 1 "DEADLOCK (ends)" check "$networks/dateline.csv" --from routes --model ends
layout_says 1 "standard input: DEADLOCK" check - --from routes <"$networks/ring.csv"

# ---- depths, traces, JSON ------------------------------------------------------------------
layout_says 1 "realised in 4 steps, 4 packets" check "$networks/ring.csv" --from routes --depth 1
layout_says 1 "realised in 8 steps, 8 packets" check "$networks/ring.csv" --from routes --trace t
grep -qx "needs 8 packets in flight; at most 7 is safe" out || wrong "the bound of the ring: $(cat out)"
[ "$(wc -l <t)" -eq 8 ] || wrong "the trace has $(wc -l <t) lines"
layout_says 73 "exists" check "$networks/ring.csv" --from routes --trace t
layout_says 0 "nothing is written, no deadlock was reached" check "$networks/dateline.csv" --from routes --trace u
layout_says 1 '"decided_by": "ends"' check "$networks/pipeline.mlir" --from aie --json
grep -qF '"in_flight": 5' out || wrong "--json: no messages in flight"
layout_says 3 "CYCLE of 5" check "$networks/pipeline.mlir" --from aie --no-realise
grep -q realised out && wrong "--no-realise realises"

# ---- what is open --------------------------------------------------------------------------
cat >copies.mlir <<'END'
aie.device(npu1) {
%a = aie.tile(0, 2)
%b = aie.tile(0, 3)
%c = aie.tile(1, 2)
aie.packet_flow(4) { aie.packet_source<%a, DMA : 0> aie.packet_dest<%b, DMA : 1>
aie.packet_dest<%c, DMA : 0> } }
END
layout_says 3 "UNDECIDED" check copies.mlir --from aie
grep -q "1 routes share a packet with another" out || wrong "a copy is not told"
sed '/packet_dest<%c/s/.*/} }/' copies.mlir >flow.mlir
layout_says 3 "1 packet flows are routed by no box" check flow.mlir --from aie
layout_says 3 '"unrouted": 1' check flow.mlir --from aie --json
sed 's/aie.packet_flow.*/aie.flow(%a, DMA : 0, %b, DMA : 1)/; /packet_dest<%c/s/.*/}/' copies.mlir >circuit.mlir
layout_says 0 "FREE" check circuit.mlir --from aie # a circuit has no arbiters
# Two inputs of one node through one arbiter: fine unless the node insists on one of them.
printf 'source,destination,hops,channel\na,c,,x! ac\nb,c,,x! bc\n' >join.csv
layout_says 0 "(ordered-get; first c, through x)" check join.csv --from routes
layout_says 0 '"ordered_get": 1' check join.csv --from routes --json
printf 'source,destination,hops,channel\na,c,,x! ac\nb,c,,x! ac\n' >one.csv
layout_says 0 "FREE" check one.csv --from routes
grep -q ordered-get out && wrong "one input is called two"
# A circle of held places that no packets reach: x and y are only ever taken behind z.
cat >guarded.csv <<'END'
source,destination,hops,channel,depth
a,b,,z! x! y! ab,1
c,d,,z! y! x! cd,1
END
layout_says 3 "its routes alone never close it" check guarded.csv --from routes

# ---- everything that can happen -----------------------------------------------------------
layout_says 1 "deadlock (link)  1150 states  8 steps, 8 in flight" explore "$networks/ring.csv" --from routes
layout_says 0 "free (link)" explore "$networks/dateline.csv" --from routes --depth 1
layout_says 1 "deadlock (ends)" explore "$networks/pipeline.mlir" --from aie
layout_says 3 "--limit N raises" explore "$networks/ring.csv" --from routes --limit 10
layout_says 1 '"in_flight": 8' explore "$networks/ring.csv" --from routes --json
layout_says 2 "--guided: not with --from" explore "$networks/ring.csv" --from routes --guided

# ---- remote puts ----------------------------------------------------------------------------
# Two cores that put to each other: as coupled, state for state.
layout_says 1 "deadlock, fifo 1/1/0  16 states  6 steps, 4 in flight" explore pair-exchange --depth 1
layout_says 1 "deadlock (rma)  16 states  6 steps, 4 in flight" explore pair-exchange --model rma --depth 1
layout_says 1 "realised in 18 steps, 10 packets in flight" check pair-exchange --model rma
grep -q "cores that take messages while they wait" out || wrong "rma: no advice"
layout_says 0 "FREE (rma)  48 nodes 512 places 512 routes  rank 0..2" check paper --model rma
layout_says 0 "FREE (rma)" check one-router --model rma
layout_says 1 "DEADLOCK (rma)" check xy --model rma --no-realise
layout_says 0 "FREE (rma)  5 nodes 4 places 4 routes" check broadcast-tree --model rma
layout_says 1 "DEADLOCK (rma)  16 nodes 240 places 240 routes" check west-first --model rma --no-realise
layout_says 1 "deadlock (rma)" explore broadcast-pair --model rma --depth 1
layout_says 0 "A broadcast is a put to each core that keeps a copy" explain broadcast-tree
layout_says 2 "--model rma: of a layout" check "$networks/ring.csv" --from routes --model rma
layout_says 2 "--strict: not with --model rma" check paper --model rma --strict

layout_says 0 "Free: no core puts to one that puts back" explain paper
layout_says 1 "Deadlock: 2 cores put to each other in a circle," explain xy
grep -qE '^  0,1 -> 0,0\.$|^  0,0 -> 0,1\.$' out || wrong "explain: the circle: $(tail -5 out)"
layout_says 1 "Free: no core" explain one-router

# Too many puts are not proved unasked.
row=SAAAAAAAAAAAAAAAAAAA
printf 'mesh 20 20\nroles %s\nsource A\nsink AS\nadaptive west-first\n' $row >large.layout
layout_says 0 "Not proved here: 151620 messages are more than 131072." explain large.layout --model link
layout_says 1 "DEADLOCK (rma)" check large.layout --model rma --no-realise

# Simulated: the store of the consumers is the limit of the paper's layout, no router is in the way.
layout_says 0 "throughput   14.45 GB/s simulated; no bound is modelled of remote puts" sim paper --model rma
grep -qE '^D +8 +0.0% +0.0% +100.0%' out || wrong "sim of puts: routers: $(cat out)"
layout_says 1 "  0,0 holds a message for 0,1, wants 0,1 ring 1/1" sim pair-exchange --model rma --depth 1
grep -q "rings of 1 (rma)" out || wrong "sim of puts: $(cat out)"
layout_says 1 '"class": "ring"' sim pair-exchange --model rma --depth 1 --json
grep -q '"model": "rma"' out && grep -q '"rings": 1' out || wrong "sim of puts: $(cat out)"
layout_says 0 "rings of 4 (rma)" sim west-first --model rma --cycles 5000
# A broadcast is a put to each core that keeps a copy: two receivers, twice the messages of a source.
layout_says 0 "throughput   2.86 GB/s simulated" sim broadcast-pair --model rma
layout_says 1 "wants 0,1 ring 1/1" sim broadcast-pair --model rma --depth 1
printf 'cycle,source,sink\n0,"0,0","0,1"\n' >copy.csv
layout_says 2 "core number 0 puts nothing to 1" sim broadcast-pair --model rma --traffic copy.csv
layout_says 2 "--send: not with --model rma" sim paper --model rma --send 2
layout_says 2 "--skew: not with --model rma" sim paper --model rma --skew 1
# A sweep, a curve and a map of puts: the runs of sim, and the verdict of check.
layout_says 0 "rings of 2 (rma) (simulated)" curve paper --model rma --depth 2 -p 3 --seeds 1 -c 30000 -o curve.csv --svg curve.svg
grep -q "14.4[0-9] GB/s: all seeds are stable" out || wrong "curve of puts: the memory is the limit: $(cat out)"
grep -q "by remote puts" curve.svg || wrong "curve of puts: the picture does not say so"
layout_says 0 '"rings": 4' curve star --model rma -p 2 --seeds 1 -c 2000 --json
layout_says 0 "ring slots of the fullest core down" sweep paper --model rma --vary fifo=1,3 --seeds 2 -c 20000 -o sweep.csv
head -n 1 sweep.csv | grep -q '^fifo,seed,rma,' || wrong "sweep of puts: $(cat sweep.csv)"
for row in $(sed 1d sweep.csv); do
    depth=${row%%,*} rate=$(echo "$row" | cut -d, -f4) slots=$(echo "$row" | cut -d, -f12)
    "$meshway" layout sim paper --model rma --depth "$depth" --seed "$(echo "$row" | cut -d, -f2)" -c 20000 --json >out
    simulated=$(sed -n 's/^.*"bytes_per_s_simulated": \([0-9]*\).*/\1/p' out | awk '{ printf "%.4f", $1 / 1e9 }')
    [ "$rate" = "$simulated" ] || wrong "sweep of puts: $row: sim says $simulated"
    [ "$slots" -eq $((32 * depth)) ] || wrong "sweep of puts: $row: not a ring for each of 32 producers"
done
layout_says 1 "Time to deadlock" sweep pair-exchange --model rma --depth 1 -c 1000
for axis in row col send hotspot skew supply; do
    layout_says 2 "--vary $axis: not with --model rma" sweep paper --model rma --vary $axis=1
done
layout_says 2 "--depth and --vary fifo exclude" sweep paper --model rma --vary fifo=1 --depth 2
layout_says 0 "cycle, each can wait for the next: 0," map xy --model rma -c 2000
grep -q '^rma: can deadlock$' out || wrong "map of puts: $(cat out)"
layout_says 0 "DEADLOCK, each waits for the next: 0,0 -> 0,1 -> 0,0" map pair-exchange --model rma --depth 1
layout_says 0 "" map paper --model rma -c 2000 --svg map.svg
grep -q '<path class="mw-\(row\|col\)' map.svg && wrong "map of puts: hops that no put takes"
printf 'mesh 2 2\nflow 0,0 0,1 1,1\nflow 1,1 1,0 0,0\n' >across.layout
layout_says 0 "DEADLOCK, each waits for the next: 0,0 -> 1,1 -> 0,0" map across.layout --model rma --depth 1
layout_says 0 "" gen paper 8 9 -o wide.layout
layout_says 78 "rma: more than 64 cores" sim wide.layout --model rma
printf 'mesh 1 2\nflow 0,0 0,1 0,0\n' >own.layout
layout_says 78 "rma: no core puts to another" sim own.layout --model rma
printf 'cycle,source,sink\n0,"0,0","0,4"\n5,"1,0","2,4"\n' >two.csv
layout_says 0 "of 2 messages" sim star --model rma --traffic two.csv --cycles 1000
printf 'cycle,source,sink\n0,"1,0","0,1"\n' >none.csv
layout_says 2 "core number 5 puts nothing to 1" sim star --model rma --traffic none.csv

# ---- two layouts side by side -----------------------------------------------------------------
layout_says 0 "" compare paper merged --html page.html
grep -qE '^buckets +1024 \* +512$' out || wrong "compare: buckets: $(cat out)"
grep -qE '^throughput, simulated +10.38 GB/s \* +2.84 GB/s$' out || wrong "compare: throughput: $(cat out)"
[ "$(grep -c '<td class="better">' page.html)" -eq "$(grep -c ' \*' out)" ] || wrong "compare: the page marks others"
layout_says 1 '"a": "free"' compare paper one-router --json
[ "$(grep -c '"b": "deadlock"' out)" -eq 1 ] || wrong "compare --json: $(cat out)"
# Several ways beside one, and beside several: the verdicts are those of check.
column() { # ROW SIDE
    sed -n "s/^$1  *//p" out | sed 's/ \*//g' | awk -F '  +' -v i="$2" '{ print $i }'
}
for pair in "escape xy-small" "broadcast-tree broadcast-square" "west-first odd-even" "paper-step broadcast-pair"; do
    # shellcheck disable=SC2086 # two names
    "$meshway" layout compare $pair --cycles 20000 --html ways.html --force >out 2>err
    [ $? -le 1 ] || wrong "compare $pair: $(cat err)"
    side=1
    for name in $pair; do
        for model in coupled decoupled link rma; do
            "$meshway" layout check "$name" --model $model --no-realise >checked 2>/dev/null
            [ $? -eq 0 ] && expected=free || expected=deadlock
            row=$model
            [ $model = rma ] && row='rma (SW26010-Pro)'
            [ "$(column "$row" $side)" = $expected ] || wrong "compare $pair: $name, $model: $(cat out)"
        done
        "$meshway" layout sim "$name" --cycles 20000 >simulated
        rate=$(sed -n 's/^throughput *\([0-9.]* GB\/s\) simulated.*/\1/p' simulated)
        grep -q DEADLOCK simulated && rate=deadlock
        [ "$(column 'throughput, simulated' $side)" = "$rate" ] || wrong "compare $pair: $name: $rate: $(cat out)"
        "$meshway" layout sim "$name" --model rma --cycles 20000 >simulated 2>&1
        rate=$(sed -n 's/^throughput *\([0-9.]* GB\/s\) simulated.*/\1/p' simulated)
        grep -q DEADLOCK simulated && rate=deadlock
        [ -n "$rate" ] || wrong "$name is not simulated by puts: $(cat simulated)"
        [ "$(column 'throughput by puts, simulated' $side)" = "$rate" ] || wrong "compare $pair: $name: puts $rate: $(cat out)"
        side=2
    done
    [ "$(grep -c '<td class="better">' ways.html)" -eq "$(grep -c ' \*' out)" ] || wrong "compare $pair: the page"
done
layout_says 1 '"key": "safe_window"' compare west-first broadcast-tree --cycles 2000 --json
layout_says 0 "cores that must select              0 *                     1" compare broadcast-tree paper-small --cycles 2000
layout_says 1 "one-router.layout" compare one-router paper
grep -qE '^coupled +deadlock +free \*$' out || wrong "compare: verdicts: $(cat out)"
layout_says 2 "both standard input" compare - -
layout_says 73 "exists" compare paper merged --html page.html

# ---- what is refused -----------------------------------------------------------------------
printf 'source,destination\na,b\nc\n' >bad.csv
layout_says 2 "bad.csv:3:1: error: 1 fields; the first line has 2" check bad.csv --from routes
printf '{ "format": "meshway-routes/1",\n "routes": [\n { "source": "a", "destination": "b" },\n { "source": "b", "hop": "c" } ] }' >bad.json
layout_says 2 'bad.json:4:1: error: unknown field "hop" of a route' check bad.json --from routes
printf '{ "format":\n x' >bad.json
layout_says 2 "bad.json:2:" check bad.json --from routes
printf 'aie.device(npu1) {\n%%t = aie.tile(0)\n}\n' >bad.mlir
layout_says 2 "bad.mlir:2:1: error: expected ,, got ')'" check bad.mlir --from aie
echo "source,destination" >none.csv
layout_says 2 "no route is in it" check none.csv --from routes
layout_says 2 "--strict: not with --from" check "$networks/ring.csv" --from routes --strict
layout_says 2 "--certificate: not with --from" check "$networks/ring.csv" --from routes --certificate c
layout_says 2 "--model decoupled: not with --from" check "$networks/ring.csv" --from routes --model decoupled
layout_says 2 "--model coupled: not with --from aie" check "$networks/pipeline.mlir" --from aie --model coupled
layout_says 2 "--model ends: only with --from" check xy --model ends
# shellcheck disable=SC2154 # of lib.sh
exit $failed
