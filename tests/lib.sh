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
    # Hydra's mpiexec dies of SIGPIPE now and then where ranks refuse at once: 14 of 1249 such runs on a busy machine.
    [ $got -ne 141 ] || { "$@" >out 2>err && got=0 || got=$?; }
    answered $got "$@"
}

# The same with TEXT on stderr, on stdout, and in either of `meshway layout ARGS...`.
expect() { answers err "$@" </dev/null; }
shows() { answers out "$@" </dev/null; }
layout_says() { # CODE TEXT ARGS...
    code=$1 text=$2
    shift 2
    answers "out err" "$code" "$text" "$meshway" layout "$@"
}

# Whether the program has the tools for layouts (MW_WITH_LAYOUTS).
has_layouts() { "$meshway" --commands | grep -qx 'layout check'; }

answered() { # CODE COMMAND...: what answers() was to see
    got=$1
    shift
    [ $got -eq "$code" ] || wrong "$*: exit $got, expected $code"
    # shellcheck disable=SC2086 # names without blanks
    [ -z "$text" ] || grep -qF -e "$text" $files || wrong "$*: no '$text' in: $(head -n 5 $files)"
}

# leaves_with CODE GOT: whether mpiexec may say GOT where ranks leave with CODE. Hydra ends the last ranks when it
# sees the first go, by HUP (1) or KILL (9), and returns the codes ORed, or the signal alone.
leaves_with() { case $2 in "$1" | 1 | 9 | $(($1 | 1)) | $(($1 | 9))) ;; *) false ;; esac; }

# asked WHEN FILES CODE TEXT COMMAND...: the same of a command that gets TERM once its err says WHEN,
# however long that takes on a busy machine.
asked() {
    when=$1 files=$2 code=$3 text=$4
    shift 4
    n_commands=$((n_commands + 1))
    "$@" >out 2>err </dev/null &
    pid=$!
    until_said "$when"
    kill -TERM $pid 2>/dev/null
    wait $pid
    answered $? "$@"
}

# until_said TEXT: in err, or the program in the background, $pid, has ended.
until_said() {
    until grep -qe "$1" err || ! kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
}
