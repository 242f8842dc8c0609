#!/bin/sh
# test_testbed.sh MESHWAY MPIEXEC SOURCE_DIR -- scripts/testbed: hosts that share nothing but links,
# the program on them, what happens when a host or a link goes, and that nothing is left. 77 where
# there may be no such hosts.
set -u
meshway=$1
mpiexec=$2
testbed=$3/scripts/testbed
. "$(dirname "$0")/lib.sh"

"$testbed" 1 --by-hand -- true >out 2>err
case $? in
0) ;;
69)
    echo "skipped: $(cat err)"
    exit 77
    ;;
*) wrong "a host that does nothing: code $?" ;;
esac
bed() { "$testbed" "$@"; }
flat() { tr -d ' \n' <"$1"; }
says() { flat r.json | grep -qF -e "$1" || wrong "the result does not say $1"; }

# --- options ------------------------------------------------------------------------------

expect 64 "hosts: '0' is not a number from 1 to 250" bed 0 -- true
expect 64 "unknown option --links" bed 2 --links -- true
expect 64 "-- and a program are missing" bed 2 --by-hand
expect 64 "--rate: '5mph' is not a rate" bed 2 --rate 5mph -- true
expect 64 "--delay: '5' is not a time" bed 2 --delay 5 -- true
expect 69 "there is no no/such/mpiexec" bed 2 --mpiexec no/such/mpiexec -- true
shows 0 "scripts/testbed N [options] -- PROGRAM ARGUMENTS..." bed --help
expect 7 "" bed 1 --by-hand -- sh -c 'exit 7'

# --- hosts and links ----------------------------------------------------------------------

# Names, addresses and memory of their own; two beds at once do not see each other.
cat >look.sh <<'SH'
rsh() { "$HYDRA_LAUNCHER_EXEC" "$@"; }
rsh host0 '"touch"' /dev/shm/mine
rsh host1 '"hostname"'
rsh host1 '"ls"' /dev/shm
rsh host1 '"ip"' -brief address show eth0
tc qdisc show
tc -n host1 qdisc show
echo "$1" >"$1.here"
until [ -e "$2.here" ]; do sleep 0.05; done
ls /run/netns
SH
bed 2 --by-hand --rate 100mbit -- sh look.sh a b >a.out 2>a.err &
shows 0 "10.0.0.2/24" bed 2 --by-hand -- sh look.sh b a
wait $! || wrong "the first of two beds: $(cat a.err)"
grep -q '^host1$' out || wrong "host1 has another name"
! grep -q '^mine$' out || wrong "hosts share /dev/shm"
[ "$(grep -c 'tbf.*rate 100Mbit' a.out)" -eq 3 ] || wrong "links have no rate: $(cat a.out)"
! grep -q tbf out || wrong "links without --rate have one"
[ "$(grep -c '^host[01]$' a.out)" -eq 3 ] || wrong "a bed sees another's hosts"
if bed 2 --by-hand --delay 1ms -- tc -n host0 qdisc show >out 2>err; then
    grep -q 'netem.*delay 1' out || wrong "links have no delay"
else
    expect 69 "this kernel has no netem" bed 2 --by-hand --delay 1ms -- true
fi

# --- the program on them ------------------------------------------------------------------

run="$meshway run 10 --threads 1 --json r.json -f --progress none"
# shellcheck disable=SC2086 # $run is several words
{
    shows 0 "64 of 64 searches passed" bed 2 --mpiexec "$mpiexec" -- $run
    says '"n_hosts":2'
    says '"host":"host0"'
    says '"host":"host1"'
    # What a link carries is measured beside rates of one host; no more than its rate.
    shows 0 "stored in rates.json" "$meshway" plan 10 --calibrate --threads 1 --rates rates.json
    shows 0 "stored in rates.json" bed 2 --rate 100mbit --mpiexec "$mpiexec" -- "$meshway" plan --calibrate --threads 1 --rates rates.json
    awk '/"link_bytes_per_s"/ { gsub(/[^0-9.]/, "", $2); found = $2 + 0 > 0 && $2 + 0 < 14e6 } END { exit !found }' rates.json ||
        wrong "a link of 100 Mbit: $(grep link_bytes rates.json)"
    shows 0 "2 of 2 searches passed" bed 2 --rate 100mbit --mpiexec "$mpiexec" -- $run --roots 2 \
        --compress packed --direction top-down --tune hubs=off
    says '"compress":"packed"'
    says '"n_coded":'
    # TCP carries it, and UCX has been told to send at once, unless somebody has said otherwise.
    if ldd "$meshway" | grep -q libucp && ! [ -e /sys/class/infiniband ]; then
        says '"UCX_RNDV_THRESH":"inf"'
        UCX_RNDV_THRESH=48k bed 2 --mpiexec "$mpiexec" -- $run --roots 1 >out 2>err ||
            wrong "a threshold of one's own: code $?"
        says '"UCX_RNDV_THRESH":"48k"'
        "$mpiexec" -n 2 $run --roots 1 >out 2>err || wrong "one host: code $?"
        ! flat r.json | grep -q UCX_RNDV_THRESH || wrong "one host was told how to send"
    fi
    for groups in 2x2 1x4; do
        shows 0 "2 of 2 searches passed" bed 2 --ranks 2 --mpiexec "$mpiexec" -- $run --roots 2 \
            --routing relay --groups $groups
        says "\"n_groups\":${groups%x*},\"group_width\":${groups#*x}"
    done
    # Who ends without MPI_Finalize() has told Hydra, which else kills the host's other ranks.
    HYDRA_DEBUG=1 bed 2 --ranks 2 --mpiexec "$mpiexec" -- $run --roots 1 >out 2>err || wrong "debug: code $?"
    [ "$(cat out err | grep -c 'cmd=finalize_ack')" -eq 4 ] || wrong "Hydra heard of $(cat out err | grep -c 'cmd=finalize_ack') ends"
}

# --- faults -------------------------------------------------------------------------------

# Rank 0 is on host0. Each script does what it does once three searches are done.
cat >fault.sh <<'SH'
done_so_far() { grep -c '"done"' fault.err; }
more() { # than there were
    now=$(done_so_far)
    until [ "$(done_so_far)" -gt $((now + 3)) ] || ! kill -0 $run 2>/dev/null; do sleep 0.05; done
}
ranks_gone() { until ! pgrep -x meshway >/dev/null; do sleep 0.05; done; }
rm -f r.json
"$mpiexec" -n 2 "$meshway" run 10 --roots 200000 --threads 1 --json r.json --progress json \
    --hang-timeout "$1" >fault.out 2>fault.err &
run=$!
more
eval "$2"
wait $run
echo "mpiexec: $?"
SH
export mpiexec meshway
fault() { # HANG_TIMEOUT WHAT
    n_commands=$((n_commands + 1))
    bed 2 --by-hand -- sh fault.sh "$@" >out 2>err || wrong "$2: code $?"
    [ -s r.json ] || wrong "$2: no result"
    grep -q '"status": *"interrupted"' r.json || wrong "$2: the result does not say interrupted"
}

fault 60 'ip link set host1 down; sleep 1; ip link set host1 up; more; kill -TERM $run'
grep -q 'interrupted (\(SIGTERM\|another rank was told to end\))' fault.err || wrong "a link that was down for 1 s: $(tail -n 3 fault.err)"
fault 60 'kill -KILL $(ip netns pids host1)'
fault 1 'ip link set host1 down; ranks_gone; kill -KILL $run'
grep -q 'no progress on this host for 1 s (--hang-timeout): search' fault.err ||
    wrong "a link that is down for ever: $(tail -n 3 fault.err)"

# --- nothing is left ----------------------------------------------------------------------

# Whoever ends the bed: what runs in it is known by the length of its sleep.
for signal in TERM KILL; do
    nap=$((1000000000 + $$))
    "$testbed" 2 --by-hand -- sh -c "echo up; sleep $nap" >out 2>err &
    pid=$!
    until grep -q up out || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
    kill -$signal $pid
    wait $pid
    until ! pgrep -f "^sleep $nap\$" >/dev/null; do sleep 0.05; done
done
[ ! -e /run/netns/host0 ] && [ ! -e /run/testbed ] || wrong "names are left in /run"
! ip link show switch >/dev/null 2>&1 || wrong "a bridge is left"

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
