#!/bin/sh
# test_vectors_cli.sh -- vector files and sweeps as scripts see them: exit codes, and that an
# option is either obeyed or refused. Run by CTest as "vectors_cli".
#
#     test_vectors_cli.sh MESHWAY SOURCE_DIR
set -u
meshway=$1
source=$2
paper=$source/share/layouts/paper.layout
. "$(dirname "$0")/lib.sh"

# ---- bounded is neither right nor wrong ----------------------------------------------------
vectors=$source/tests/vectors/mesh.json
layout_says 0 " 0 wrong" check "$vectors"
layout_says 3 "open  F01-pair-exchange-1x2: coupled: not realised at depth 1: bounded" check "$vectors" --limit 3
layout_says 3 "1 search bounded; --limit N raises the limit of states" check "$vectors" S04-exchange-4 --limit 3
layout_says 3 "1 bounded; --limit N raises the limit of states" explore "$vectors" S04-exchange-4 --limit 3
layout_says 3 "open  S04-exchange-4-cap4: bounded" check "$vectors" S04-exchange-4 --limit 3
layout_says 3 "open  S04-exchange-4-cap4: bounded" explore "$vectors" S04-exchange-4 --limit 3
layout_says 3 "open  F01-pair-exchange-1x2: coupled, depth 1: 3 in flight bounded" explore "$vectors" F01 --limit 3

# ---- classes ----------------------------------------------------------------------------------
waits=$source/tests/vectors/waits.json
layout_says 0 " 0 wrong" check "$waits"
layout_says 0 " 0 wrong, 0 bounded" explore "$waits"
sed 's/"class reply"/"class replay"/' "$waits" >bad.json
layout_says 2 "flows: expected \"class \" and one of the classes, got \"class replay\"" check bad.json
sed 's/"pass"/"deadlock"/' "$waits" >bad.json
layout_says 1 "WRONG C02-request-reply-two-classes: link: free, expected deadlock" check bad.json
"$meshway" layout export "$source/share/layouts/torus-dateline.layout" --no-sim --json torus.json
layout_says 1 "ok    $source/share/layouts/torus-dateline.layout: link: free, expected free" check torus.json

# ---- remote puts -------------------------------------------------------------------------------
rma=$source/tests/vectors/rma.json
layout_says 0 " 0 wrong" check "$rma"
layout_says 1 "rma: circle of 3, expected 3" check "$rma" R07
layout_says 1 "R01-pair-exchange: rma: realised at depth 1: deadlock in 6 steps, 4 in flight" check "$rma" R01
sed 's/"rma": 2/"rma": 3/' "$rma" >bad.json
layout_says 1 "WRONG R12-broadcast-beside-a-flow: rma: circle of 2, expected 3" check bad.json
sed 's/"rma": 2/"rma": "deadlock"/' "$rma" >bad.json
layout_says 2 "rma: expected an integer 0..4096" check bad.json

# Of several ways: the text, which the verdicts are of; all commands of vectors take it.
for name in escape west-first fully-adaptive broadcast-pair broadcast-square broadcast-tree; do
    file=$source/share/layouts/$name.layout
    "$meshway" layout export "$file" --no-sim --json ways.json --force || wrong "export --json $name"
    "$meshway" layout check "$file" --no-realise >/dev/null
    layout_says $? "ok    $file: link: " check ways.json --no-realise
    grep -q " 0 wrong" out || wrong "$name as a vector: $(cat out)"
    "$meshway" layout fmt "$file" --canonical >is.text
    printf '%b' "$(sed -n 's/^ *"text": "\(.*\)",*$/\1/p' ways.json)" |
        cmp -s - is.text || wrong "$name as a vector: another text"
done
"$meshway" layout export "$file" --no-sim --depth 2 --json ways.json --force
grep -q 'fifo row 2 col 2' ways.json || wrong "export --json: --depth is ignored"

# ---- what is wrong in a file: the file, the vector, the field --------------------------------
cat >bad.json <<'END'
{"format": "meshshuffle-vectors/1", "scripts": [
 {"name": "far\u001b[31m", "expect": "free", "cap": 1, "programs": {"0,0": [["putR", "1,1"]]}}]}
END
layout_says 2 "bad.json: error: scripts[0] 'far\\u001b[31m': programs: 0,0[0]: expected another core of its row, got \"1,1\"" check bad.json
layout_says 2 "bad.json: error: scripts[0]" explore bad.json
sed 's/"1,1"/"0,1"/' bad.json >good.json
layout_says 0 "far\\u001b[31m" check good.json
[ "$(tr -d '\n' <out | tr -d '[:print:]' | wc -c)" -eq 0 ] || wrong "a name with control characters"
sed 's/^ *"exhaust": \[\["M1", 0\]/"exhaust": [["M1", -1]/; s/\["M1", *0\]/["M1",-1]/; s/"M1", *0$/"M1", -1/' "$vectors" >deep.json
cmp -s deep.json "$vectors" || layout_says 2 "depth: expected an integer 0..1024, got -1" explore deep.json

# ---- sweeps: options first, then the axes -----------------------------------------------------
sweep() {
    layout_says 0 "" sweep "$paper" --cycles 2000 -o - "$@"
}
sweep --vary fifo=1,16
cut -d, -f1,4 out >one
sed -n 2p out | cut -d, -f4 >rate_1
sed -n 3p out | cut -d, -f4 >rate_16
cmp -s rate_1 rate_16 && wrong "sweep: the depth makes no difference"
sweep --vary row=16 --vary col=1,16
sed -n 3p out | cut -d, -f5 | cmp -s - rate_16 || wrong "sweep: row and col are not fifo"
sweep --depth 16 --vary load=1
sed -n 2p out | cut -d, -f4 | cmp -s - rate_16 || wrong "sweep: --depth is ignored"
sweep --send 6 --vary fifo=16
sed -n 2p out | grep -q ',38,' || wrong "sweep: --send is ignored beside fifo: $(sed -n 2p out)"
for pair in "--depth 1 --vary fifo=1,2" "--depth 1 --vary row=1,2" "--depth 1 --vary col=1,2" \
    "--send 1 --vary send=1,2" "--load 1 --vary load=0.5" "--supply 9 --vary supply=5" \
    "--hotspot 0.1 --vary hotspot=0.2" "--skew 1 --vary skew=0" "--latency 9 --vary latency=5" \
    "--warmup 0 --vary warmup=0.1" "--detect 9 --vary detect=64" "--no-memory --vary dma=1G"; do
    # shellcheck disable=SC2086 # words
    layout_says 2 "exclude each other" sweep "$paper" $pair
done
layout_says 2 "fifo is row and col at once" sweep "$paper" --vary fifo=1 --vary row=2
layout_says 2 "--hotspot-core needs --hotspot or --vary hotspot" sweep "$paper" --hotspot-core 0,6
sweep --hotspot-core 0,6 --vary hotspot=0,0.5
sweep --vary clock=1.45G,2G
layout_says 2 "at msg=16: a payload of 32 bytes in messages of 16" sweep "$paper" --vary msg=16
layout_says 2 "is no range" sweep "$paper" --vary fifo=1..99999999999999999999
layout_says 2 "out of range" sweep "$paper" --vary fifo=1..2000 -o none.csv
[ -e none.csv ] && wrong "sweep: a file in spite of an error"

# ---- a supply has no warm-up --------------------------------------------------------------------
counted() {
    layout_says 0 "" sim "$paper" --supply 20 --cycles 200000 --json "$@"
    sed -n 's/.*"counted": \([0-9]*\).*/\1/p' out
}
[ "$(counted)" -gt 0 ] || wrong "sim --supply: nothing counted"
[ "$(counted --warmup 0.1)" -eq 0 ] || wrong "sim --supply --warmup: the warm-up is ignored"
layout_says 0 "" sim "$paper" --supply 20 --json
sed -n 's/.*"cycles": \([0-9]*\).*/\1/p' out | head -1 >run_cycles
sed -n 's/.*"counted": \([0-9]*\).*/\1/p' out | cmp -s - run_cycles || wrong "sim --supply: not all counted"
layout_says 0 "" sweep "$paper" --vary supply=20,40 -o -
cut -d, -f4 out | grep -qx '0.0000' && wrong "sweep of the supply: nothing counted"

# ---- Promela -----------------------------------------------------------------------------------------
"$meshway" layout gen paper 16 16 >large.layout
layout_says 78 "--promela: 257 processes and" export large.layout --promela big.pml --no-sim
"$meshway" layout gen paper 64 64 >large.layout
layout_says 78 "--promela: 3440640 flows of more than 100000 cores" export large.layout --promela big.pml --no-sim
[ -e big.pml ] && wrong "export --promela: a file in spite of an error"
layout_says 0 "" export "$paper" --promela paper.pml --no-sim

exit $failed
