#!/bin/sh
# test_effect.sh MESHWAY [MPIEXEC] -- a result says what happened and not what was asked for:
# stamps, the configuration as it was, a warning for each option without effect.
set -u
meshway=$1
mpiexec=${2:-}
. "$(dirname "$0")/lib.sh"

run() { answers out 0 "" "$meshway" run "$@" --json r.json --csv r.csv -f </dev/null; }
# says WORDS: in the result, which is one document whatever its blanks.
flat() { tr -d ' \n' <r.json; }
says() { flat | grep -qF -e "$1" || wrong "the result does not say $1"; }
stamped() { grep -q "^stamp: *$1$" out || wrong "the block is not stamped $1"; }
unstamped() { ! grep -q "^stamp: *$1$" out || wrong "the block is stamped $1"; }
warns() {
    grep -qF -e "warning: $1 has no effect: $2" err || wrong "no warning of $1"
    flat | grep -qF -e "$(printf '%s' "$1 has no effect" | tr -d ' ')" ||
        wrong "no warning of $1 in the result"
}
silent() { ! grep -q 'has no effect' err || wrong "warnings: $(grep 'no effect' err)"; }

# --- stamps ------------------------------------------------------------------------------

OMP_NUM_THREADS=1
export OMP_NUM_THREADS
run 8 --roots 63
stamped "NBFS BELOW 64"
says '"NBFSBELOW64"'
sed 1d r.csv | grep -vq ',"[^"]*NBFS BELOW 64"$' && wrong "a line of the CSV is not stamped"
run 8 --roots 64
unstamped "NBFS BELOW 64"
says '"stamps":[]'
run 8 --root 1,2,3 # given roots are no more of them
stamped "NBFS BELOW 64"
printf '0 1\n1 2\n' >g.el # not the benchmark's graph
run --graph g.el --root 0
unstamped "NBFS BELOW 64"
answers out 0 "NBFS BELOW 64" "$meshway" run 8 --roots 2 --direction top-down,bottom-up --json none

cores=$(env -u OMP_NUM_THREADS nproc) # which it would repeat
OMP_NUM_THREADS=$((cores + 1)) run 8
stamped OVERSUBSCRIBED
says '"OVERSUBSCRIBED"'
says '"oversubscribed":true'
run 8 --threads $((cores + 1))
stamped OVERSUBSCRIBED
run 8 --threads 1
unstamped OVERSUBSCRIBED
says '"oversubscribed":false'

# --- what happened -----------------------------------------------------------------------

run 8
says '"hubs_top_down":0'
says '"hubs_bottom_up":0'
says '"bottom_up":"bitmap"'
says '"engine":"mpe"' # one core
says '"layout":null'
says '"n_peers":0'
silent
run 8 --direction top-down
says '"bottom_up":null'
says '"alpha":null'
run 8 --direction bottom-up
says '"beta":null'
run 8 --threads 2
says '"engine":"cpe"'
says '"n_clusters":1'
run 8 --backend emul --roots 1
says "\"layout\":\"thepaper's\""
says '"engine":"cpe"'

# --- options without effect ----------------------------------------------------------------

run 8 --tune hubs=4:4,batch=1Ki,small-input=2Ki --threads 1 --engine mpe --clusters 2 --groups 1x1 \
    --connections 5 --bottom-up messages --ranks-per-host 4
for option in "tune hubs" groups "tune batch" connections; do
    warns "--$option" "there is one rank"
done
warns --engine "a rank has one core"
warns --clusters "the threads do not suffice"
warns "--tune small-input" "the management core runs"
warns --bottom-up "there is one rank"
warns --ranks-per-host "all ranks fit"
run 8 --routing relay --direction top-down --bottom-up bitmap
warns --routing "there is one rank"
warns --bottom-up "every level is top-down"
run 8 --tune follow=off
warns "--tune follow" "there is one rank"
run 8 --tune heavy=4 --partition 1d
warns "--tune heavy" "there is one rank"
warns --partition "there is one rank"
run 8 --shuffle
warns --shuffle "there is one rank"
run 8 --tune columns=ask
warns "--tune columns" "there is one rank"
says '"columns":"table"'
run 6 --backend emul --threads 3 --roots 1
warns --threads "the backend's clusters have 64 cores"
run 8 --tune span=whole
warns "--tune span" "the management core runs the levels of this backend"
says '"span":"level"'
run 8 --tune hubs=off --bottom-up auto --groups auto
silent
MESHWAY_TUNE=hubs=4:4
export MESHWAY_TUNE
run 8
warns "MESHWAY_TUNE hubs" "there is one rank"
unset MESHWAY_TUNE

if [ -n "$mpiexec" ]; then
    run2() { answers out 0 "" "$mpiexec" -n 2 "$meshway" run "$@" --json r.json --csv r.csv -f </dev/null; }
    run2 8 --tune hubs=4:4
    warns "--tune hubs" "the ranks of one host share"
    [ "$(grep -c 'has no effect' err)" -eq 1 ] || wrong "not one warning of two ranks"
    says '"hubs_top_down":0'
    run2 8 --tune hubs=4:4 --ranks-per-host 1
    silent
    says '"hubs_top_down":16'
    says '"bottom_up":"auto"'
    run2 8 --tune hubs=4:4 --bottom-up messages
    silent
    says '"hubs_bottom_up":16'
    run2 12 --tune heavy=64
    silent
    says '"partition":"1.5d"'
    says '"delegated_rows_from":64'
    run2 12 --tune follow=off,hubs=2:2 --bottom-up messages --roots 2
    silent
    says '"follow_words":0'
    run2 12 --bottom-up messages --tune hubs=2:2 --roots 2
    silent
    grep -q '"n_followed":' r.json || wrong "nobody followed"
    run2 8 --tune follow=off
    warns "--tune follow" "levels by bitmap, and mixed ones, ask nobody"
    run2 10 --tune columns=ask --ranks-per-host 1 --bottom-up bitmap --roots 8
    silent
    says '"columns":"ask"'
    run2 8 --partition 1d --tune heavy=4
    warns "--tune heavy" "partition=1d leaves rows"
    says '"partition":"1d"'
    says '"delegated_rows_from":0'
    # Shuffled on three ranks, and the tree comes out in the order of the vertices all the same.
    "$mpiexec" -n 3 "$meshway" run 10 --shuffle --roots 1 --tree s.tree --levels s.levels --json s.json -f >out 2>err ||
        wrong "--shuffle --tree: code $?"
    "$mpiexec" -n 3 "$meshway" run 10 --roots 1 --levels p.levels --json p.json -f >out 2>err ||
        wrong "--levels: code $?"
    cmp s.levels p.levels >out 2>&1 || wrong "levels of shuffled vertices stand elsewhere: $(cat out)"
    "$meshway" gen 10 g.el -f >out 2>err || wrong "gen: code $?"
    "$meshway" validate g.el s.tree >out 2>err || wrong "a tree of shuffled vertices: $(cat err)"
    run2 10 --shuffle
    silent
    says '"passed":true'
    # In blocks, which a grid has by itself, and single ones: levels stand where they did.
    "$meshway" gen --kind grid --size 20x360 grid.sg -f >out 2>err || wrong "gen: code $?"
    for deal in 1 64 1000 auto; do
        tune="--tune deal=$deal"
        [ $deal != auto ] || tune=
        "$mpiexec" -n 3 "$meshway" run grid.sg --undirected $tune --root 7 --tree d.tree --levels d$deal.levels \
            --json r.json -f >out 2>err || wrong "$tune: code $?: $(cat err)"
        cmp d1.levels d$deal.levels >out 2>&1 || wrong "levels of vertices dealt by $deal stand elsewhere: $(cat out)"
        "$meshway" validate grid.sg d.tree --undirected >out 2>err || wrong "a tree of vertices dealt by $deal: $(cat err)"
        says '"passed":true'
        case $deal in auto) says '"deal":128' ;; 1000) says '"deal":512' ;; *) says "\"deal\":$deal" ;; esac
    done
    "$mpiexec" -n 2 "$meshway" run 8 --shuffle --tune deal=8 >out 2>err && wrong "--shuffle goes with blocks"
    grep -q -e "--shuffle, --tune deal: vertices that are shuffled" err || wrong "--shuffle, blocks: $(cat err)"
    "$mpiexec" -n 1 "$meshway" run 8 --tune deal=8 >out 2>err || wrong "deal by one rank: code $?"
    grep -q "there is one rank, which owns all" err || wrong "--tune deal of one rank: $(cat err)"
    run2 10
    says '"deal":1,'
    # All edges between even vertices: rank 0 of two has all entries, unless they are shuffled.
    seq 0 2 254 | awk '{ print $1, ($1 + 2) % 256; print $1, ($1 + 38) % 256 }' >even.txt
    most_entries() { flat r.json | sed 's/.*"most_entries":\([0-9]*\).*/\1/'; }
    run2 even.txt --roots 1
    plain=$(most_entries)
    run2 even.txt --roots 1 --shuffle
    [ "$plain" -eq 512 ] || wrong "rank 0 has not all entries: $plain"
    [ "$(most_entries)" -lt 400 ] || wrong "shuffled, one rank of two has $(most_entries) of 512 entries"
    run2 8 --groups 2x1
    warns --groups "the route is direct"
    OMP_NUM_THREADS=$cores run2 8
    stamped OVERSUBSCRIBED
    grep -q "2 ranks x $cores thread" err || wrong "the banner does not say how many threads"
fi

exit $failed
