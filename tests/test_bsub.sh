#!/bin/sh
# test_bsub.sh -- that the templates of jobs in share/sunway pass on what they say: every command line of
# Meshway in them is one that `plan` knows, for as many ranks as bsub would start, and its relay, clusters
# and memory are those of the comment and of bsub's own options.
#
#     test_bsub.sh MESHWAY SOURCE_DIR
set -u
meshway=$1 templates=$2/share/sunway
. "$(dirname "$0")/lib.sh"
nodes=512 groups=2 scale=26
seen=0

# after OPTION LINE: the word behind the option, or 1
after() {
    found=$(printf '%s\n' "$2" | sed -n "s/.* $1 \([^ ]*\) .*/\1/p")
    echo "${found:-1}"
}

for file in "$templates"/*.bsub; do
    name=$(basename "$file" .bsub)
    grep -q 'NEVER SUBMITTED' "$file" || wrong "$name: does not say that nobody has submitted it"
    sed -n "s/NODES/$nodes/g; s/GROUPS/$groups/g; s/SCALE/$scale/g; /^bsub.*meshway run/p" "$file" >lines
    while read -r line; do
        seen=$((seen + 1))
        ranks=$(($(after -n "$line") * $(after -N "$line") * $(after -np "$line")))
        given=$(printf '%s\n' "$line" | sed 's/.*meshway run //; s/athread/emul/')
        # shellcheck disable=SC2086 # several words
        "$meshway" plan $given --ranks $ranks --verbose >out 2>err </dev/null
        code=$?
        [ $code -eq 0 ] || [ $code -eq 78 ] || wrong "$name: plan $given: exit $code: $(cat err)"
        grep -qE "^ranks +$ranks on 1 host" out || wrong "$name: not $ranks ranks: $(cat out)"
        printf '%s\n' "$line" | grep -q ' -b ' || wrong "$name: without -b the cores' stacks are no place for DMA"
        case $name in
        nodes) grep -qE '^route +relay, 2 groups of 1024 \(given\)' out || wrong "$name: $(grep '^route' out)" ;;
        pro) grep -q '^route  *relay' out || wrong "$name: $(grep '^route' out)" ;;
        whole-node) grep -qE '^threads +2(57|60) per rank' out || wrong "$name: no four clusters: $(grep '^threads' out)" ;;
        esac
    done <lines
done
[ $seen -eq 4 ] || wrong "$seen command lines of Meshway, not 4"
# shellcheck disable=SC2154 # of lib.sh
exit $failed
