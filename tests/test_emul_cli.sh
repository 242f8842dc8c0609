#!/bin/sh
# test_emul_cli.sh MESHWAY UNFIT [MPIEXEC] -- the emulated machine's parameters on the command line,
# and what a user sees when a mistake of a core ends a run.
set -u
meshway=$1
unfit=$2 # the same, but nobody checks that programs fit the stores (unfit.c)
mpiexec=${3:-}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
bad=0

# expect CODE TEXT COMMAND...: the code, and TEXT somewhere in the output.
expect() {
    code=$1
    text=$2
    shift 2
    "$@" >out 2>&1 </dev/null
    rc=$?
    if [ "$rc" -ne "$code" ] || ! grep -qF -e "$text" out; then
        echo "FAILED: $*: code $rc, wanted $code and '$text'" >&2
        sed 's/^/    /' out >&2
        bad=1
    fi
}
says() {
    grep -qF -e "$1" out && return
    echo "FAILED: no '$1'" >&2
    sed 's/^/    /' out >&2
    bad=1
}

run="$meshway run 8 --roots 2 --quiet"
spoilt="$unfit run 8 --roots 2 --quiet"
small="--backend emul --tune small-input=0 --bottom-up messages --tune hubs=off"

# The list, with origins; and what is refused.
expect 0 "recv_depth" "$meshway" run --emul help
says "recalled"
expect 64 "--emul: no parameter 'depth'" $run --backend emul --emul depth=1 --json none
expect 64 "no parameter 'recv_dept'; did you mean recv_depth" $run --backend emul \
    --emul recv_dept=1 --json none
expect 64 "MESHWAY_EMUL: parameter atomics is 2, not in 0..1" env MESHWAY_EMUL=atomics=2 \
    $run --backend emul --json none
expect 64 "--emul: parameter mem_lat_cycles is 1125899906842624, not in 0..4294967296" \
    $run --backend emul --emul mem_lat_cycles=1125899906842624 --json none
expect 64 "recv_depth" $run --backend emul --emul recv_depth=65 --json none
expect 64 "--emul: backend 'serial' is not emulated" $run --backend serial --emul recv_depth=1 \
    --json none
expect 64 "--emul-dot: backend 'serial' is not emulated" $run --backend serial --emul-dot d.dot \
    --json none

# Recorded.
expect 0 "2 of 2 searches passed" $run $small --emul recv_depth=1,send_depth=0 --json a.json
grep -q '"recv_depth": 1,' a.json && grep -q '"stale_reads": 0,' a.json || {
    echo "FAILED: the parameters are not in the result" >&2
    bad=1
}

# A cluster that never comes back: the run ends all the same.
expect 70 "a cluster of cores does not come back" $run $small --json none --hang-timeout 1 \
    --emul launch_cycles=4294967296,poll_cycles=1
says "no progress on this host"

# A stack that leaves the heap too little: named, with the cores and the graph.
expect 70 "local store overflow (heap)" $spoilt $small --json none --emul stack_bytes=63500 \
    --emul-dot waits.dot
says "skeleton_mesh.h:"
says "what its emulated cores were doing"
says "cluster 0: "
says "waits.dot"
grep -q '^digraph' waits.dot && grep -q 'c63 \[label=' waits.dot || {
    echo "FAILED: no graph" >&2
    bad=1
}
# Its file is looked at beforehand, as all others.
expect 73 "no/such.dot" $run $small --json none --emul-dot no/such.dot
expect 73 "waits.dot" $run $small --json none --emul-dot waits.dot
expect 0 "2 of 2 searches passed" $run $small --json none --emul-dot waits.dot --force
expect 64 "x.dot: is named for two outputs" $run $small --json x.dot --emul-dot x.dot
# A store too small for what the cores' programs take is refused, and not found out by a core.
cat >small.layout <<'TEXT'
mesh 8 8
roles PPPPDUKK
route P: down->D up->U same->D|U
route D: col-to-row, then K
route U: col-to-row, then K
spm 5K reserve 1K batch 256 buffers 1
TEXT
expect 78 "of local store" $run $small --layout small.layout --json none

# The ways that messages took, as a layout: those of the paper, and nothing else.
expect 0 "" $run $small --json none --layout-record ways.layout
[ "$(grep -c '^flow' ways.layout)" -ge 150 ] || {
    echo "FAILED: few flows in ways.layout" >&2
    bad=1
}
if "$meshway" --commands | grep -qx 'layout check'; then
    expect 0 "FREE (coupled, decoupled, link)  64 cores 150 hops  rank 0..9" \
        "$meshway" layout check ways.layout
    # By another layout other ways.
    expect 0 "" $run $small --json none --layout merged --layout-record merged.layout
    expect 0 "FREE (coupled, decoupled, link)  64 cores 154 hops" "$meshway" layout check merged.layout
fi
expect 73 "ways.layout" $run $small --json none --layout-record ways.layout
expect 64 "--layout-record: backend 'serial' is not emulated" $run --backend serial \
    --layout-record x.layout --json none
expect 0 "nothing is written, no emulated core put a message" $run --backend emul --json none \
    --layout-record none.layout
[ ! -e none.layout ] || { echo "FAILED: an empty record" >&2; bad=1; }
# A run that a core's mistake ends has its record up to then.
expect 70 "local store overflow" $spoilt $small --json none --emul stack_bytes=63500 \
    --layout-record spoilt.layout
# Processes are nodes: two runs take the same time, by the machine's clock; and one that is no node has none.
modelled() {
    "$mpiexec" -n "$1" "$meshway" run 9 --roots 2 --backend emul --engine "$2" --json none --progress none \
        2>/dev/null </dev/null | grep modelled_harmonic
}
if [ -n "$mpiexec" ]; then
    for engine in cpe mpe; do
        once=$(modelled 4 "$engine")
        again=$(modelled 4 "$engine")
        case $once in
        *modelled_harmonic_mean_TEPS*) ;;
        *) echo "FAILED: no modelled rate of four nodes: $once" >&2; bad=1 ;;
        esac
        [ "$once" = "$again" ] || { echo "FAILED: $once, then $again" >&2; bad=1; }
    done
    expect 0 "ranks that share a host are no nodes" "$mpiexec" -n 2 "$meshway" run 8 --roots 1 --backend emul \
        --ranks-per-host 2 --json none --progress none
fi
expect 0 "what its elements touch in memory is not counted" "$meshway" run 8 --algorithm sssp --roots 1 \
    --backend emul --json none --progress none
if [ -n "$mpiexec" ]; then
    "$mpiexec" -n 3 $run $small --json none --layout-record three.layout >out 2>&1 </dev/null ||
        { echo "FAILED: three ranks" >&2; bad=1; }
    [ "$(grep '^flow' three.layout | wc -l)" -ge "$(grep '^flow' ways.layout | wc -l)" ] ||
        { echo "FAILED: three ranks record less than one" >&2; bad=1; }
fi

# The messages of the kernel that sent most, for the simulation: from producers to consumers of the
# layout, in the order of time, the same in every run; each arrives there.
level="$meshway run 13 --quiet --direction top-down --backend emul --tune hubs=off --root 1 --json none"
expect 0 "" $level --traffic-record level.csv
expect 0 "" $level --traffic-record again.csv
cmp -s level.csv again.csv || { echo "FAILED: two records of one run" >&2; bad=1; }
awk -F'[,"]+' 'NR > 1 { if ($3 > 3 || $5 < 6 || $1 < last) exit 1; last = $1 }
    END { exit NR > 100 ? 0 : 1 }' level.csv ||
    { echo "FAILED: a record of messages: $(head -n 3 level.csv)" >&2; bad=1; }
if "$meshway" --commands | grep -qx 'layout sim'; then
    expect 0 "of $(($(wc -l <level.csv) - 1)) messages" "$meshway" layout sim paper --traffic level.csv \
        --cycles 10000000
    expect 2 "" "$meshway" layout sim merged --traffic level.csv # which has no such flows
fi
expect 73 "level.csv" $level --traffic-record level.csv
expect 64 "--traffic-record: backend 'serial' is not emulated" $run --backend serial \
    --traffic-record x.csv --json none
expect 0 "no core of backend emul put a message" $run --backend emul-threads --tune small-input=0 \
    --json none --traffic-record none.csv
[ ! -e none.csv ] || { echo "FAILED: an empty record" >&2; bad=1; }

# So does a store, or a stack, of the machine: planned and run alike.
little=ldm_bytes=16384,stack_bytes=14336
for command in "plan 6" "run 6 --json none"; do
    expect 78 "B of local store, of which 14336 B are stack, and has 16384 B" \
        "$meshway" $command --backend emul --emul $little
    says "backend emul: core "
    expect 0 "" "$meshway" $command --backend emul --emul ldm_bytes=16384
done
if [ -n "$mpiexec" ]; then
    "$mpiexec" -n 3 $spoilt $small --json none --emul stack_bytes=63500 --emul-dot ranks.dot \
        >out 2>&1 </dev/null && { echo "FAILED: no code" >&2; bad=1; }
    says "local store overflow (heap)"
    says "what its emulated cores were doing"
    [ -s ranks.dot ] || { echo "FAILED: no graph of three ranks" >&2; bad=1; }
fi
exit $bad
