#!/bin/sh
# test_async_spin.sh SOURCE_DIR CC -- how runs without levels end (end.pml), and how their work lists are filled
# (worklist.pml), as models: Spin finds no error in all states there are, and finds each of nine that are
# planted. 77: there is no spin.
set -u
command -v spin >/dev/null || exit 77
tests=$1/tests cc=$2
. "$(dirname "$0")/lib.sh"

# searched MODEL [CHANGE]: what Spin says of it, to pan.log
searched() {
    n_commands=$((n_commands + 1))
    # shellcheck disable=SC2086 # one flag or none
    spin -a ${2:+-D$2} "$tests/$1.pml" >spin.log 2>&1 || wrong "spin -a $*: $(cat spin.log)"
    "$cc" -w -O1 -DSAFETY -DNOFAIR -DCOLLAPSE -DMEMLIM=1000 -o pan pan.c || wrong "pan.c $*"
    ./pan -m100000 >pan.log 2>&1
    ! grep -qE "max search depth too small|Search not completed" pan.log || [ $# -gt 1 ] || wrong "not all states: $(cat pan.log)"
}

# free MODEL: in all states nothing is wrong, and every step is made in some
free() {
    searched "$1"
    grep -q "errors: 0" pan.log || wrong "$1: $(cat pan.log)"
    ! grep -q "^	([1-9][0-9]* of [0-9]* states)" pan.log || wrong "$1, a step is never made: $(cat pan.log)"
}

# finds MODEL CHANGE
finds() {
    searched "$1" "$2"
    grep -qE "assertion violated|invalid end state" pan.log || wrong "$1 $2: $(cat pan.log)"
}

free end
finds end ONE_SUM        # equal numbers of one sum are taken for the end
finds end UNEQUAL        # two equal sums, whatever is on its way
finds end IDLE_POLLS     # who has polled in vain for some time ends
finds end FORGETS_QUEUE  # a batch is counted when it comes, and nobody looks whether it was worked on
finds end FORGETS_OUTBOX # a batch is counted when it leaves, and nobody looks whether any is left
free worklist
finds worklist ACTIVATES_FIRST      # the bit is set before the word is lowered
finds worklist BITS_FIRST           # the word of bits is taken before the bit that says so
finds worklist IN_TWO_STEPS         # bits are read, and cleared later: others may be set between
finds worklist LEAVES_IT_TO_OTHERS  # nobody says that a word has bits

[ $failed -eq 0 ] && echo "all $n_commands models are judged right"
exit $failed
