#!/bin/sh
# lib.sh -- what the tests in shell share: a folder of their own, what is wrong, and what a
# command must answer. Sourced first; a test ends with `exit $failed`.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# What a plain run leaves goes here and not into the home of who tests.
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
failed=0
n_commands=0

# wrong WORDS...: the test fails, and shows what the last command said.
# shellcheck disable=SC2034 # the tests exit with it
wrong() {
    echo "WRONG: $*" >&2
    [ ! -s err ] || head -n 10 err | sed 's/^/    /' >&2
    failed=1
}

# answers FILES CODE TEXT COMMAND...: the exit code, and a text in one of FILES, which are out
# and err ("" for any text).
answers() {
    files=$1 code=$2 text=$3
    shift 3
    n_commands=$((n_commands + 1))
    "$@" >out 2>err
    got=$?
    [ $got -eq "$code" ] || wrong "$*: exit $got, expected $code"
    # shellcheck disable=SC2086 # names without blanks
    [ -z "$text" ] || grep -qF -e "$text" $files || wrong "$*: no '$text' in: $(head -n 5 $files)"
}
