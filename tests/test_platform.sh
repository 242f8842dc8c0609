#!/bin/sh
# test_platform.sh MESHWAY MPIEXEC THREAD_LEVEL.so -- a platform that is not as it should be: an MPI
# that allows too few threads, a topology of another machine, hosts that differ. ("": no preloading)
set -u
meshway=$1
mpiexec=$2
level=${3:-} # none where sanitizers want to be loaded first
. "$(dirname "$0")/lib.sh"

small="run 8 --roots 2 -q"

# --- 26: the thread level is lower than asked for ------------------------------------------
if [ -n "$level" ]; then
    # shellcheck disable=SC2086
    {
        expect 0 "" env LD_PRELOAD="$level" MWT_THREAD_LEVEL=funneled "$meshway" $small --threads 2 --json none
        expect 0 "" env LD_PRELOAD="$level" MWT_THREAD_LEVEL=single "$meshway" $small --threads 1 --json none
        expect 69 "thread level SINGLE, not FUNNELED" env LD_PRELOAD="$level" MWT_THREAD_LEVEL=single \
            "$meshway" $small --threads 2 --json none
        grep -q -e "--threads 1" err || wrong "SINGLE: nobody says what to do"
    }
fi

# --- 28: hwloc describes another machine -----------------------------------------------------
if ldd "$meshway" | grep -q libhwloc; then
    # shellcheck disable=SC2086
    expect 0 "" env HWLOC_SYNTHETIC="core:2 pu:1" "$meshway" $small --json planned.json
    grep -q '"OTHER TOPOLOGY"' planned.json || wrong "HWLOC_SYNTHETIC is not stamped"
    grep -q 'not bound: HWLOC_SYNTHETIC describes another machine' planned.json ||
        wrong "HWLOC_SYNTHETIC: the result does not say who is bound"
    grep -q '^stamp: *OTHER TOPOLOGY$' out || wrong "HWLOC_SYNTHETIC: the block is not stamped"
    # shellcheck disable=SC2086
    expect 0 "" "$meshway" $small --json own.json
    grep -q '"OTHER TOPOLOGY"' own.json && wrong "this machine's own topology is stamped"
fi

# --- 31: all ranks on one core -------------------------------------------------------------------
if [ "$(nproc)" -gt 1 ] && command -v taskset >/dev/null; then
    one=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
    # shellcheck disable=SC2086
    expect 0 "all 2 ranks are bound to processor $one alone; start without" taskset -c "$one" \
        "$mpiexec" -n 2 "$meshway" $small --json none
    [ "$(grep -c 'are bound to processor' err)" -eq 1 ] || wrong "one core: not one warning"
fi

# --- 34: no device, for there is nothing to drive one ------------------------------------------
# shellcheck disable=SC2086
"$meshway" info 2>&1 | grep -q 'kokkos 0: ' || # else test_device.sh asks for one that is not there
    expect 69 "this build has no Kokkos (-DMW_WITH_KOKKOS=ON, docs/gpu.md)" "$meshway" $small --backend kokkos --json none
# shellcheck disable=SC2086
"$meshway" info 2>&1 | grep -q 'omptarget 0: ' ||
    expect 69 "this build has no OpenMP offloading (-DMW_WITH_OMPTARGET=ON, docs/gpu.md)" "$meshway" $small \
        --backend omptarget --json none

# A device is of a backend, and the host's cores have none: refused, and not only warned of.
# shellcheck disable=SC2086
expect 64 "device needs --backend: without it the host's cores search" "$meshway" $small --device 0 --json none
# shellcheck disable=SC2086
expect 64 "exclude each other: auto takes the host's cores" "$meshway" $small --device 0 --backend auto --json none

# --- 32: a build for CUDA starts without a driver, and says that there is none ---------------------
if ldd "$meshway" | grep -q libcudart; then
    for file in "$meshway" "$(dirname "$meshway")/libmeshway.so"; do
        ! { [ -e "$file" ] && readelf -dW "$file" | grep -q 'NEEDED.*libcuda\.so'; } || wrong "$file needs a driver to start"
    done
    if ! { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q 'libcuda\.so\.1'; then
        shows 0 "kokkos 0: CUDA, memory not known; cannot be used: no driver of NVIDIA was found here" "$meshway" info
        # shellcheck disable=SC2086
        expect 69 "cannot be used: no driver of NVIDIA was found here" "$meshway" $small --backend kokkos --json none
        # shellcheck disable=SC2086
        expect 0 "" "$meshway" $small --json none
        shows 0 "verdict     fits" "$meshway" plan 20 --backend kokkos --device-memory 80Gi
    fi
fi

# --- 33: another program on another host -----------------------------------------------------
cp "$meshway" other
printf 'x' >>other
[ -e share ] || ln -s "$(dirname "$meshway")/share" share
for hosts in "--ranks-per-host 1" ""; do
    # shellcheck disable=SC2086
    expect 78 "rank 1 runs another meshway than rank 0" "$mpiexec" -n 1 "$meshway" $small $hosts \
        --json none : -n 1 ./other $small $hosts --json none
    grep -q "$(uname -n)" err || wrong "hosts that differ are not named"
    [ "$(grep -c '^meshway: ' err)" -eq 1 ] || wrong "hosts differ: not exactly one message"
done
# shellcheck disable=SC2086
expect 0 "" "$mpiexec" -n 1 "$meshway" $small --json none : -n 1 "$meshway" $small --json none

# Other settings on another host: variables that a launcher does not pass on.
small="$small --ranks-per-host 1 --json none"
for other in MESHWAY_DIRECTION=top-down MESHWAY_TUNE=columns=ask SKIP_VALIDATION=1; do
    # shellcheck disable=SC2086
    expect 64 ": not as at rank 0; start all ranks with the same options and variables" \
        "$mpiexec" -n 1 env $other "$meshway" $small : -n 1 "$meshway" $small
done
# shellcheck disable=SC2086
expect 64 "run: not as at rank 0" "$mpiexec" -n 1 "$meshway" plan 8 : -n 1 "$meshway" $small
# shellcheck disable=SC2086
expect 0 "" "$mpiexec" -n 1 env OMP_NUM_THREADS=1 "$meshway" $small --threads 1 : -n 1 "$meshway" $small --threads 2

# --- 37: the graph's file is not the same everywhere -----------------------------------------
mkdir a b
"$meshway" gen 8 a/g.el -q || wrong "gen"
sed '1s/.*/3 4/' a/g.el >b/g.el
n_bytes=$(wc -c <a/g.el)
for other in b c; do
    words="run -g g.el --format edges --vertices 256 --root 1 -q --json none"
    [ $other = b ] || { mkdir c && head -n 100 a/g.el >c/g.el; }
    # shellcheck disable=SC2086
    expect 66 "g.el: rank 1 sees another file than rank 0" "$mpiexec" -n 1 -wdir "$PWD/a" \
        "$meshway" $words : -n 1 -wdir "$PWD/$other" "$meshway" $words
    grep -q "and $n_bytes bytes" err || wrong "files differ: not rank 0's size"
    grep -q "$(uname -n)" err || wrong "files differ: the host is not named"
done

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
