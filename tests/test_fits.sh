#!/bin/sh
# test_fits.sh MESHWAY [MPIEXEC] -- what a run needs is known beforehand: the cores it will have,
# limits on address space, a small /dev/shm.
set -u
meshway=$1
mpiexec=${2:-}
. "$(dirname "$0")/lib.sh"

copies() { sed -n "s/^$1, \([0-9]*\) times .*/\1/p" out; }
# Beside the program itself, which is most of it where a sanitizer is in it.
peak() {
    sed -n -e 's/^program, .* \([0-9.]*\) MiB .*/\1/p' -e 's/^peak *\([0-9.]*\) MiB per rank.*/\1/p' out |
        awk 'NR == 1 { program = $1 } END { print $1 - program }'
}

# --- threads as a run has them -------------------------------------------------------------

unset OMP_NUM_THREADS
cores=$(nproc)
shows 0 "verdict     fits" env OMP_NUM_THREADS=64 "$meshway" plan 16 -v --memory 1Ti
shows 0 "threads     64 per rank" env OMP_NUM_THREADS=64 "$meshway" plan 16 -v --memory 1Ti
[ "$(copies 'next frontier')" = 64 ] || wrong "the lists of 64 cores have no row"
many=$(peak)
shows 0 "threads     1 per rank" "$meshway" plan 16 -v --backend serial
awk "BEGIN { exit !($many > 1.2 * $(peak)) }" || wrong "64 cores take $many MiB, one $(peak)"
shows 0 "threads     $cores per rank" "$meshway" plan 16
shows 0 "threads     $cores per rank" "$meshway" plan 16 --ranks 4 --hosts 4 --memory 1Gi
shows 0 "threads     1 per rank" "$meshway" plan 16 --ranks 4096 --memory 1Pi
shows 0 "threads     7 per rank" "$meshway" plan 16 --ranks 8 --threads 7
shows 0 "threads     65 per rank, backend emul" "$meshway" plan 16 --backend emul
# The run's own preflight: as many as it then has.
said=$("$meshway" run 12 --threads 4 --json none --roots 1 2>/dev/null | sed -n 's/^predicted_rank_bytes: *//p')
own=$(OMP_NUM_THREADS=4 "$meshway" run 12 --json none --roots 1 2>/dev/null |
    sed -n 's/^predicted_rank_bytes: *//p')
awk "BEGIN { d = $said - $own; exit !(d < 2e6 && d > -2e6) }" ||
    wrong "4 threads: $said bytes if asked for, $own from the environment"
# The program itself is in it, as it is now: a sanitizer's memory differs by more than three cores take.
more=no
for _ in 1 2 3; do
    four=$(OMP_NUM_THREADS=4 "$meshway" run 12 --json none --roots 1 2>/dev/null |
        sed -n 's/^predicted_rank_bytes: *//p')
    one=$(OMP_NUM_THREADS=1 "$meshway" run 12 --json none --roots 1 2>/dev/null |
        sed -n 's/^predicted_rank_bytes: *//p')
    [ "$four" -gt "$one" ] && more=yes && break
done
[ $more = yes ] || wrong "4 cores are predicted like one: $four and $one bytes"

# More edges at a vertex than a count holds.
expect 78 "some vertex would have 2^32 edges or more" "$meshway" plan 20 1048576 --ranks 8192 --hosts 8192 --memory 1Ti

# --- address space: 78 beforehand or done, never 71 later -----------------------------------

# A sanitizer maps terabytes, so nothing can be limited there.
# shellcheck disable=SC3045 # dash, bash and ksh have it
if (ulimit -v 4000000 && "$meshway" --version) >/dev/null 2>&1; then
    limit=90000
    begun=false # main() has been reached with a lower limit
    while [ $limit -lt 260000 ]; do
        (ulimit -v $limit && exec "$meshway" run 15 --roots 1 --json none -q --threads 2) >out 2>err
        code=$?
        n_commands=$((n_commands + 1))
        case $code in
        0) begun=true ;;
        127) ;; # not even the libraries could be loaded
        134) [ $begun = false ] || wrong "ulimit -v $limit: aborts" ;; # nor could C++'s begin
        78)
            begun=true
            grep -q "RLIMIT_AS (ulimit -v)" err || wrong "ulimit -v $limit: 78 without the limit" ;;
        *) wrong "ulimit -v $limit: exit $code" ;;
        esac
        limit=$((limit + 17000))
    done
    [ $code -eq 0 ] || wrong "ulimit -v $limit: exit $code, it would suffice"

    # Of shortest paths nobody knows before how much pruning leaves: rows are ordered where there is room for them.
    "$meshway" gen --kind uniform --size 300000 -e 16 --weights -o even.wsg -q -f
    limit=330000
    ordered= # yes and no, as they come
    while [ $limit -lt 600000 ] && [ "$ordered" != "no yes" ]; do
        (ulimit -v $limit && exec "$meshway" run even.wsg --algorithm sssp --roots 2 --json even.json -f -q \
            --threads 2) >out 2>err
        code=$?
        n_commands=$((n_commands + 1))
        [ $code -eq 0 ] || [ $code -eq 78 ] || wrong "sssp, ulimit -v $limit: exit $code"
        if [ $code -eq 0 ]; then
            now=yes
            grep -q '"n_pulled": *0' even.json && now=no
            [ "$now" = "${ordered##* }" ] || ordered="${ordered:+$ordered }$now"
        fi
        limit=$((limit + 15000))
    done
    [ "$ordered" = "no yes" ] || wrong "sssp in little room: rows in order: $ordered"
    rm -f even.wsg even.json

    # shellcheck disable=SC2016 # for the inner shell
    expect 78 "address space" sh -c 'ulimit -v 400000; exec "$0" run 22 --json none -q' "$meshway"
fi

# --- one rank: batches that nobody sends are memory all the same, a huge page of each pool ---

# shellcheck disable=SC3045 # dash, bash and ksh have it
if (ulimit -v 4000000 && "$meshway" --version) >/dev/null 2>&1; then # a sanitizer keeps what is freed
    for words in "8" "8 --no-validate" "8 --tune batch=16Ki" "12 --threads 1"; do
        # shellcheck disable=SC2086 # words
        shows 0 predicted_rank_bytes "$meshway" run $words --roots 4 --json none
        awk '/^predicted_rank_bytes/ { p = $2 } /^peak_rank_bytes/ { k = $2 }
            END { exit !(p > 0 && k > 0 && k < 1.1 * p + 1e6) }' out ||
            wrong "run $words: $(grep -E '^(predicted|peak)_rank_bytes' out | tr -s ' \n' ' ')"
    done
fi

# --- every 71 says what to do ---------------------------------------------------------------

expect 71 "what to do: 'meshway plan'" env MESHWAY_FAIL_ALLOC=30 "$meshway" run 8 --json none
grep -q "out of memory: " err || wrong "71 does not name the block"

# --- /dev/shm ---------------------------------------------------------------------------------

# small SIZE COMMAND...: with a /dev/shm of that size, in a namespace of its own.
small() {
    size=$1
    shift
    # shellcheck disable=SC2016 # for the inner shell
    unshare -m sh -c 'mount -t tmpfs -o size="$0" tmpfs /dev/shm || exit 125; exec "$@"' "$size" "$@"
}
if ! small 8m true 2>/dev/null; then
    echo "not allowed to mount here: /dev/shm is not tested"
elif ! "$meshway" --version | grep -q 'MPICH'; then
    echo "not MPICH: what it takes of /dev/shm is not known"
elif [ -n "$mpiexec" ] && "$meshway" plan 10 -v | grep -q '^shared'; then
    for size in 1m 4m 8m; do
        expect 78 "/dev/shm" small $size "$mpiexec" -n 2 "$meshway" run 8 --json none
        grep -q "enlarge it" err || wrong "$size: nobody says what to do"
        expect 78 "/dev/shm" small $size "$meshway" plan 10 --ranks 2
    done
    expect 0 "" small 1m "$meshway" run 8 --json none # one rank needs none
    expect 0 "" small 10m "$mpiexec" -n 2 "$meshway" run 10 --json none
    # The graph's tables stand there, too: 1 MiB of names at SCALE 18.
    expect 0 "" small 10m "$mpiexec" -n 2 "$meshway" run 18 --json none --roots 1
    expect 78 "needs 16.4 MiB in /dev/shm" small 10m "$mpiexec" -n 2 "$meshway" run 21 --tune columns=table \
        --json none --roots 1
    expect 78 "shared by the 2 ranks" small 10m "$meshway" plan 21 --ranks 2 --tune columns=table
    # Without them it goes, too, and the run says how.
    expect 0 "columns are asked for" small 10m "$mpiexec" -n 2 "$meshway" run 19 --json none --roots 1
fi

exit $failed
