#!/bin/sh
# test_emul_cli.sh MESHWAY [MPIEXEC] -- the emulated machine's parameters on the command line,
# and what a user sees when a mistake of a core ends a run.
set -u
meshway=$1
mpiexec=${2:-}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
bad=0

# expect CODE TEXT COMMAND...: the code, and TEXT somewhere in the output.
expect() {
    code=$1
    text=$2
    shift 2
    timeout 60 "$@" >out 2>&1 </dev/null
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
small="--backend emul --small-input 0 --bottom-up messages --hubs off"

# The list, with origins; and what is refused.
expect 0 "recv_depth" "$meshway" run --emul help
says "recalled"
expect 64 "no parameter 'depth'" $run --backend emul --emul depth=1 --json none
expect 64 "recv_depth" $run --backend emul --emul recv_depth=65 --json none
expect 64 "is not emulated" $run --backend serial --emul recv_depth=1 --json none

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
expect 70 "local store overflow (heap)" $run $small --json none --emul stack_bytes=63500 \
    --emul-dot waits.dot
says "skeleton_mesh.h:"
says "what its emulated cores were doing"
says "cluster 0: "
says "waits.dot"
grep -q '^digraph' waits.dot && grep -q 'c63 \[label=' waits.dot || {
    echo "FAILED: no graph" >&2
    bad=1
}
expect 70 "--emul-dot" $run $small --json none --emul stack_bytes=63500 --emul-dot no/such.dot
if [ -n "$mpiexec" ]; then
    timeout 60 "$mpiexec" -n 3 $run $small --json none --emul stack_bytes=63500 --emul-dot ranks.dot \
        >out 2>&1 </dev/null && { echo "FAILED: no code" >&2; bad=1; }
    says "local store overflow (heap)"
    says "what its emulated cores were doing"
    [ -s ranks.dot ] || { echo "FAILED: no graph of three ranks" >&2; bad=1; }
fi
exit $bad
