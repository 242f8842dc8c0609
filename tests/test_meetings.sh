#!/bin/sh
# test_meetings.sh SOURCE_DIR CC -- how kernels of several devices meet, as a model (meetings.pml): Spin finds no error
# in all states there are, and finds each of four that are planted. 77: there is no spin.
set -u
command -v spin >/dev/null || exit 77
model=$1/tests/meetings.pml cc=$2
. "$(dirname "$0")/lib.sh"

# searched [CHANGE]: what Spin says of the model, to pan.log
searched() {
    n_commands=$((n_commands + 1))
    # shellcheck disable=SC2086 # one flag or none
    spin -a ${1:+-D$1} "$model" >spin.log 2>&1 || wrong "spin -a $*: $(cat spin.log)"
    "$cc" -w -O1 -DSAFETY -DNOFAIR -DCOLLAPSE -DMEMLIM=1000 -o pan pan.c || wrong "pan.c $*"
    ./pan -m10000 >pan.log 2>&1
    ! grep -qE "max search depth too small|Search not completed" pan.log || [ $# -gt 0 ] || wrong "not all states: $(cat pan.log)"
}

searched
grep -q "errors: 0" pan.log || wrong "$(cat pan.log)"
! grep -q "^	([1-9][0-9]* of [0-9]* states)" pan.log || wrong "a step is never made: $(cat pan.log)"
searched HALVES=1 # mail in one half: a fast rank's next word is stored over the one that a slow block waits for
grep -q "invalid end state" pan.log || wrong "one half of mail: $(cat pan.log)"
searched READS_LATE # counts that are read when others may go on already
grep -q "assertion violated (heard.*(2-rank)" pan.log || wrong "counts read late: $(cat pan.log)"
searched RESETS # a counter of who has come that is set back when all may go on already
grep -q "invalid end state" pan.log || wrong "a counter set back late: $(cat pan.log)"
searched KEEPS_TALLIES # counts that are not forgotten before they are used again
grep -q "assertion violated (heard\[0\]" pan.log || wrong "tallies that are kept: $(cat pan.log)"

[ $failed -eq 0 ] && echo "all $n_commands models are judged right"
exit $failed
