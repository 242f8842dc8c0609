#!/bin/sh
# test_cli.sh MESHWAY [MPIEXEC] -- the program as a user meets it: exit code and message
# of each command-line fault, help and version with and without a launcher, outputs that
# appear whole or not at all. Row numbers are those of the fault table in the
# documentation of the project. Without MPIEXEC the rows under a launcher are skipped.
set -u
meshway=$1
mpiexec=${2:-}
. "$(dirname "$0")/lib.sh"


# works COMMAND...: code 0 and nothing to say.
works() {
    n_commands=$((n_commands + 1))
    "$@" >out 2>err </dev/null || wrong "$*: code $?"
    [ ! -s err ] || wrong "$*: something on stderr"
}

silent_stdout() { [ ! -s out ] || wrong "$1: something on stdout"; }
one_message() {
    [ "$(grep -c '^meshway: ' err)" -eq 1 ] || wrong "$1: not exactly one message"
}
no_files() {
    [ -z "$(find . -type f ! -name out ! -name err)" ] || wrong "$1: left files behind"
}

# --- 1 to 12: command line and environment -------------------------------------------

expect 64 "usage: meshway" "$meshway" # 1
silent_stdout "no arguments"
for word in --help -h; do # 2
    shows 0 "commands:" "$meshway" $word
    for command in run gen convert validate plan info; do
        shows 0 "usage: meshway $command" "$meshway" $command $word
    done
done
shows 0 "usage: meshway run" "$meshway" help run
for code in 0 1 2 3 64 65 66 69 70 71 73 74 75 76 78 130; do
    "$meshway" --help | grep -q "^ *$code  " || wrong "--help has no exit code $code"
done
# Each heading heads one group of options.
for command in run gen convert validate plan info report compare bench "bench gap" model "sweep run" "sweep plan" layout; do
    # shellcheck disable=SC2086 # two words
    shows 0 "general:" "$meshway" $command --help
    grep '^[a-z].*:$' out | sort | uniq -d >twice
    [ ! -s twice ] || wrong "$command --help: twice: $(cat twice)"
    rm twice
done
for word in dimacs metis; do
    expect 64 "--to: " "$meshway" gen 8 g.out --to $word
done
shows 0 "backends" "$meshway" --version
shows 0 "backends" "$meshway" run --version
shows 0 '"compiler"' "$meshway" --version --json
shows 0 '"compiler"' "$meshway" info --version --json
shows 0 "_meshway" "$meshway" --completion bash
shows 0 ".TH MESHWAY" "$meshway" --man
expect 64 "did you mean --scale?" "$meshway" run --scal 8 # 3
one_message "--scal"
expect 64 "--bogus: unknown option" "$meshway" run --bogus
expect 64 "--root: --algorithm cc starts at no vertex" "$meshway" run 8 --algorithm cc --root 1
expect 64 "--levels: --algorithm cc has none" "$meshway" run 8 --algorithm cc --levels l.txt
expect 64 "--ba: ambiguous option; did you mean --" "$meshway" run --ba 8
expect 64 "did you mean 'run'?" "$meshway" rnu 20
expect 64 "is not a command" "$meshway" frobnicate
for value in abc 8junk '' ' 8' 1e3; do # 4
    expect 64 "--scale: '$value' is not an integer; expected 1..60" \
        "$meshway" run --scale "$value"
done
expect 64 "SCALE: '8junk' is not an integer" "$meshway" 8junk
expect 64 "SCALE: 0 is out of range; expected 1..60" "$meshway" run 0 # 5
expect 64 "SCALE: 0 is out of range" "$meshway" 0
expect 64 "SCALE: -3 is out of range" "$meshway" -- -3
expect 64 "a negative operand goes after --" "$meshway" run -3
expect 64 "--quiet and --verbose exclude each other" "$meshway" run 8 -q -v # 6
expect 64 "SCALE and --graph exclude each other" "$meshway" run 8 --graph x
expect 64 "--format needs --graph" "$meshway" run 8 --format mtx
expect 64 "what graph?" "$meshway" run
expect 64 "FILE is missing" "$meshway" gen 8
expect 0 "did you mean MESHWAY_SCALE?" \
    env MESHWAY_SCALES=9 "$meshway" run 8 --json none # 7
expect 0 "SKIP_VALIDATION=0 is taken as no" \
    env SKIP_VALIDATION=0 TMPFILE= "$meshway" run 8 --json none # 8
grep -q "TMPFILE is the reference's and means no" err || wrong "TMPFILE=: no notice"
grep -q '^validation: *8\?[0-9]* of ' out || wrong "SKIP_VALIDATION=0 skipped validation"
expect 64 "vertex 256 is not in the graph; expected 0..255" \
    "$meshway" run 8 --root 256 --json none # 9
expect 64 "--root: -1 is out of range" "$meshway" run 8 --root=-1 --json none
expect 64 "--root: '' is not an integer" "$meshway" run 8 --root 1,,2 --json none
for option in backend routing direction progress; do # 10
    expect 64 "--$option: 'bogus' is not known; expected one of auto" \
        "$meshway" run 8 --$option bogus
done
expect 64 "--groups: 'bogus' is not a shape" "$meshway" run 8 --groups bogus
expect 78 "61 is beyond the limit of 60" "$meshway" run 61 # 11
expect 78 "64 is beyond the limit of 60" "$meshway" run --scale 64
expect 78 "do not fit a signed 64-bit count" "$meshway" run 60 16 # 12
expect 78 "the edge factor can be 7 at most" "$meshway" plan 60
expect 78 "are available" "$meshway" run 48 # 13
expect 78 "are available" "$meshway" plan 48
expect 78 "SCALE" "$meshway" plan 30 --memory 1Gi
# The answer comes first, and is true of the next SCALE; the table is for those who ask.
shows 0 "largest     SCALE" "$meshway" plan 12 --memory 1Gi
head -n 1 out | grep -q "^verdict     fits: .* of 1.0 GiB available (--memory)" || wrong "the verdict is not first"
head -n 2 out | grep -q "^takes .* s with 64 roots" || wrong "no time beside the verdict"
! grep -q "^structure" out || wrong "a table that nobody asked for"
largest=$(sed -n 's/^largest     SCALE \([0-9]*\) .*/\1/p' out)
shows 0 "structure" "$meshway" plan "$largest" --memory 1Gi --verbose
answers err 78 "SCALE $largest would fit" "$meshway" plan $((largest + 1)) --memory 1Gi
grep -q "^verdict     does not fit: " out || wrong "the verdict of what does not fit"
shows 0 "takes" "$meshway" plan 12 --ranks 4 --hosts 2
grep -q "^more  " out || wrong "two lines of a plan in one"
grep -q "^takes .*; link assumed: 10 Gbit/s, 50 us (--link)$" out || wrong "a link that nobody knows of"
for words in "--hosts 1" "--hosts 2 --link 10gbit,50us"; do
    shows 0 "takes" "$meshway" plan 12 --ranks 4 $words
    ! grep -q "link assumed" out || wrong "plan $words: a link is assumed"
done
expect 78 "3x4" "$meshway" run 8 --routing relay --groups 3x4 --json none # 15
no_files "refused runs"

# --- origins ---------------------------------------------------------------------------

n_commands=$((n_commands + 1))
MESHWAY_EDGEFACTOR=8 "$meshway" run 8 --print-config >out 2>err ||
    wrong "--print-config: code $?"
grep -q '^scale  *= 8  *# command line$' out || wrong "origin of scale"
grep -q '^edgefactor  *= 8  *# environment, MESHWAY_EDGEFACTOR$' out ||
    wrong "origin of edgefactor"
grep -q '^roots  *= 64  *# default$' out || wrong "origin of roots"
no_files "--print-config"

# --- 25: another MPI's launcher ----------------------------------------------------------

expect 69 "mpiexec" env PMI_RANK=0 PMI_SIZE=4 "$meshway" run 8 --json none
expect 69 "mpiexec" env OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4 \
    "$meshway" run 8 --json none
n_commands=$((n_commands + 1))
OMPI_COMM_WORLD_RANK=1 "$meshway" run abc >out 2>err
[ ! -s err ] || wrong "a usage error was printed by rank 1"

# --- a run and its outputs --------------------------------------------------------------

umask 027
shows 0 "bfs  harmonic_mean_TEPS:     !  " "$meshway" run 8 --csv l.csv --quiet
umask 022
[ ! -s err ] || wrong "--quiet: something on stderr"
grep -q '^[^:]*$' out && wrong "a line without a colon on stdout"
json=$(find state -name 'meshway-*.json')
[ -s "$json" ] || wrong "no result file of its own accord"
grep -q '"status": "ok"' "$json" || wrong "the result is not ok"
head -n 1 l.csv | grep -q '^search,root,' || wrong "CSV header"
case $(ls -l "$json") in -rw-r-----*) ;; *) wrong "the result does not follow the umask" ;; esac
rm -f "$json" l.csv

expect 0 "is not in the TEPS statistics" \
    "$meshway" run 10 --root 126 --root 465,458 --json r.json # 52
grep -q '"n_isolated": 2' r.json || wrong "isolated roots are not counted"
grep -q '^NBFS: *1$' out || wrong "isolated roots are in the statistics"
rm -f r.json

shows 0 "NOT VALIDATED" "$meshway" run 8 --no-validate --json r.json --csv l.csv # 54
grep -q '^bfs  min_validate: *-1$' out || wrong "skipped validation has times"
grep -q '"NOT VALIDATED"' r.json || wrong "JSON is not stamped"
grep -q 'NOT VALIDATED' l.csv || wrong "CSV is not stamped"
shows 0 "NOT VALIDATED" env SKIP_VALIDATION=1 "$meshway" run 8 --json none
rm -f r.json l.csv

expect 73 "no/such/r.json" "$meshway" run 20 --json no/such/r.json # 61
silent_stdout "missing directory"
echo precious >r.json # 62
expect 73 "--force" "$meshway" run 20 --json r.json
grep -q precious r.json || wrong "an existing file was touched"
shows 0 SCALE: "$meshway" run 8 --json r.json --force
grep -q '"schema_version": 2' r.json || wrong "--force did not replace"
rm -f r.json
expect 64 "named for two outputs" "$meshway" run 8 --json x --csv x

if [ -w /dev/full ]; then # 63
    n_commands=$((n_commands + 1))
    "$meshway" run 8 --json none >/dev/full 2>err
    rc=$?
    [ $rc -eq 74 ] || wrong "stdout on a full device: code $rc"
    grep -q 'harmonic_mean_TEPS' err || wrong "results were lost with stdout"
    expect 74 '"schema_version"' "$meshway" run 8 --json /dev/full
fi

# --- S8: nothing of the environment but what is allowed --------------------------------

SECRET_TOKEN=xyzzy MESHWAY_ROOTS=4 "$meshway" run 8 --json r.json >out 2>err ||
    wrong "run with a secret: code $?"
grep -q xyzzy r.json out err && wrong "SECRET_TOKEN leaked"
grep -q '"MESHWAY_ROOTS": "4"' r.json || wrong "MESHWAY_ROOTS is not in the result"
rm -f r.json
USER=trillian "$meshway" run 8 --json r.json --anonymize >out 2>err
grep -qe trillian -e "\"$(uname -n)\"" r.json && wrong "--anonymize shows names"
case $(uname -r) in *[!0-9.]*) ! grep -qF "$(uname -r)" r.json || wrong "--anonymize shows whose kernel it is" ;; esac
rm -f r.json

# --- graphs from files -----------------------------------------------------------------

works "$meshway" gen 8 g.bin -q
shows 0 "num_edges:                      4096" "$meshway" run --block --graph g.bin \
    --vertices 256 --root 0 --tree t.txt --levels v.txt --json none
expect 73 "exists" "$meshway" gen 8 g.bin
shows 0 "validation:                     passed" "$meshway" validate g.bin t.txt \
    --vertices 256
sed 's/^\(2[0-9]*\) [0-9][0-9]*$/\1 9/' t.txt >wrong.txt
expect 76 "rule" "$meshway" validate g.bin wrong.txt --vertices 256
works "$meshway" convert g.bin g.mtx -q --vertices 256
shows 0 "num_edges:                      4096" "$meshway" run --block --graph g.mtx --root 1 \
    --json none --quiet
expect 64 "expected 1..256" "$meshway" run --graph g.mtx --root 0 --json none
expect 66 "nowhere" "$meshway" run --graph nowhere --json none
rm -f g.bin g.mtx t.txt v.txt wrong.txt

# --- joules ------------------------------------------------------------------------------

"$meshway" run 10 --roots 2 --energy 0.1 --json r.json -f -q >out 2>err || wrong "--energy: $(cat err)"
grep -qE '^(energy_loop|energy): ' out || wrong "--energy prints nothing: $(cat out)"
grep -qE '"n_searches": [1-9]' r.json || wrong "--energy repeats no search"
grep -q '"mteps_per_watt"' r.json || wrong "--energy is not in the result"
"$meshway" run 10 --roots 2 --json r.json -f -q >out 2>err
grep -q energy out && wrong "energy was not asked for"
grep -q '"mteps_per_watt"' r.json && wrong "energy was not asked for, and is in the result"
rm -f r.json

# --- 65, 66 and the timeout: signals ------------------------------------------------------

n_commands=$((n_commands + 1))
"$meshway" run 14 --roots 1000000 --json s.json --progress json >out 2>err &
pid=$!
until_said '"done":1,' # before it listens, USR1 would end it
until grep -q 'meshway: rank 0: search' err || ! kill -USR1 $pid 2>/dev/null; do sleep 0.1; done
kill -TERM $pid
wait $pid
rc=$?
[ $rc -eq 75 ] || wrong "SIGTERM: code $rc instead of 75"
grep -q 'meshway: rank 0: search' err || wrong "SIGUSR1 shows no state"
grep -q '"status": "interrupted"' s.json || wrong "SIGTERM: no partial result"
silent_stdout "an interrupted run"
rm -f s.json
expect 75 "--timeout" "$meshway" run 14 --roots 1000000 --timeout 0.8 --json none

# --- who ran what when -----------------------------------------------------------------------
shows 0 "NBFS:" "$meshway" run 10 --roots 1 --clusters 2 --threads 3 --trace trace.json --json none --quiet
grep -q '"name":"C1"' trace.json || wrong "--trace: no track of the second cluster"
grep -q '"name":"M0 send"' trace.json || wrong "--trace: no track of the sender"
expect 73 "trace.json" "$meshway" run 10 --roots 1 --trace trace.json --json none
rm -f trace.json

# --- virtual time is said to be modelled, and only where there is any ------------------------
shows 0 "modelled_harmonic_mean_TEPS" "$meshway" run 8 --roots 2 --backend emul \
    --bottom-up messages --json none --quiet
shows 0 "modelled_harmonic_mean_TEPS" "$meshway" run 8 --roots 2 --backend emul \
    --direction bottom-up --bottom-up bitmap --json none --quiet
shows 0 "NBFS:" "$meshway" run 8 --roots 2 --json none --quiet
! grep -q modelled out || wrong "a host has modelled figures"

# --- a route with more connections than there may be -----------------------------------------
expect 78 "direct routing makes a rank talk to 16383 others; --routing relay --groups 128x128 to 254" \
    "$meshway" plan 20 --ranks 16384 --routing direct --connections 12499

expect 78 "no shape does with so few: 2 is the least for 3 ranks" \
    "$meshway" plan 20 --ranks 3 --connections 1
expect 78 "relay 1x3 makes a rank talk to 2 others; no shape" \
    "$meshway" plan 20 --ranks 3 --routing relay --groups 1x3 --connections 1

# --- time, modelled ------------------------------------------------------------------------
shows 0 "stored in rates.json" "$meshway" plan 10 --calibrate --threads 1 --rates rates.json
shows 0 ", 1 rank of 1 thread" "$meshway" plan 16 --rates rates.json
shows 0 "s with 3 roots" "$meshway" plan 16 --rates rates.json --roots 3
shows 0 '"measured_rates": true' "$meshway" plan 16 --rates rates.json --json
python3 -m json.tool out >json || wrong "plan --json: no JSON"
expect 64 "--link: '1parsec' is no link" "$meshway" plan 16 --link 1parsec
expect 64 "rates are measured on the ranks it is started on" "$meshway" plan --calibrate --ranks 4
sed 's/"edge_s": [^,]*/"edge_s": "fast"/' rates.json >damaged.json
expect 65 "damaged.json: edge_s: expected a number" "$meshway" plan 16 --rates damaged.json
expect 66 "no/such/file" "$meshway" plan 16 --rates no/such/file
rm -f rates.json damaged.json json

# --- groups that follow what is near ---------------------------------------------------------
big="--memory 1Ti"
# shellcheck disable=SC2086 # $big is two words
{
    shows 0 "relay, 16 groups of 4 (hosts), 18 peers" "$meshway" plan 20 --ranks 64 --hosts 16 $big
    shows 0 "relay, 4 groups of 4 (near-square), 6 peers" "$meshway" plan 20 --ranks 16 --hosts 16 $big
    echo 'SwitchName=leaf1 Nodes=n[01-04]' >topology
    shows 0 "relay, 4 groups of 4 (switches), 6 peers" "$meshway" plan 20 --ranks 16 --hosts 16 $big \
        --topology topology
    expect 0 "topology has no effect: groups do not follow switches" "$meshway" run 8 --roots 2 \
        --json none --topology topology
}
echo 'SwitchName=leaf1 Nodes=n[01-' >topology
expect 65 "--topology topology: line 1: expected SwitchName=NAME Nodes=HOSTS" "$meshway" run 8 \
    --topology topology
expect 66 "no/such/file" "$meshway" run 8 --topology no/such/file

# --- under a launcher ---------------------------------------------------------------------

if [ -n "$mpiexec" ]; then
    shows 0 "commands:" "$mpiexec" -n 2 "$meshway" --help
    [ "$(grep -c '^commands:' out)" -eq 1 ] || wrong "help was printed by several ranks"
    shows 0 "backends" "$mpiexec" -n 2 "$meshway" --version
    expect 64 "--bogus: unknown option" "$mpiexec" -n 2 "$meshway" run --bogus
    one_message "usage error on two ranks"
    shows 0 "num_mpi_processes:              2" "$mpiexec" -n 2 "$meshway" 8 \
        --json none --quiet
    expect 64 "vertex 999 is not in the graph" "$mpiexec" -n 2 "$meshway" run 8 \
        --root 999 --json none
    one_message "wrong root on two ranks"
    expect 73 "cannot create" "$mpiexec" -n 3 "$meshway" run 8 --json no/such/r.json
    one_message "missing directory on three ranks"
    shows 0 "ranks       2" "$mpiexec" -n 2 "$meshway" info -v
    shows 0 "verdict     fits" "$mpiexec" -n 2 "$meshway" plan 10
    expect 78 "direct routing makes a rank talk to 3 others" "$mpiexec" -n 4 "$meshway" run 8 \
        --routing direct --connections 2 --json none
    one_message "too many connections on four ranks"
    shows 0 "relay 2x2" "$mpiexec" -n 4 "$meshway" run 8 --roots 2 --routing relay \
        --connections 2 --json none --quiet

    n_commands=$((n_commands + 1)) # 67
    "$mpiexec" -n 2 "$meshway" run 14 --roots 1000000 --json "$work/orphan.json" \
        >out 2>err </dev/null &
    pid=$!
    # shellcheck disable=SC2009 # pgrep is not on every machine
    ranks() { ps -eo args | grep -F "$work/orphan.json" | grep -vF -e grep -e mpiexec; }
    until [ "$(ranks | grep -c '^[^ ]*meshway ')" -eq 2 ]; do sleep 0.1; done
    kill -KILL $pid 2>>err
    wait $pid 2>/dev/null
    while ranks >left; do sleep 0.1; done # for ever, if they outlive their launcher
fi

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
