#!/bin/sh
# mutants.sh -- do the tests notice? Plants one bug at a time in a copy of the tree, builds
# what the named test needs, and expects that test to fail; without bugs it must pass. Run by
# CTest with the label "mutants", apart from the rest: it takes minutes.
#
#     tests/mutants.sh SOURCE_DIR WORK_DIR [NAME...]
#
# The environment's MUTANTS_CMAKE has options of CMake for the build; mutants whose test it lacks are left out.
#
# A mutant is a line of tests/mutants.txt: name | test | file | text | text instead.
# The test is one of CTest's: the program test_<test>, mpi_<noun>_<ranks>, or a script that
# runs meshway. Both texts are literal, but OR stands for ||; the first must occur exactly once.
set -eu
source=$1
work=$2
shift 2
only=" $* "
rm -rf "$work"
mkdir -p "$work/tree"
(cd "$source" && tar cf - --exclude=./build --exclude=./.git .) | (cd "$work/tree" && tar xf -)
# shellcheck disable=SC2086 # several options
cmake -S "$work/tree" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DMW_WITH_BENCH=OFF ${MUTANTS_CMAKE:-} \
    >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
(cd "$work/build" && ctest -N) | sed -n 's/^ *Test *#[0-9]*: //p' >"$work/tests"

# Only what the test needs.
build() {
    case $1 in
    mpi_*) target=${1%_*} ;;
    nccl) target="meshway_faulty nccl_of_host" ;;
    network | *_faults) target=meshway_faulty ;;
    *) [ -f "$work/tree/tests/test_$1.sh" ] && target=meshway || target=test_$1 ;;
    esac
    # shellcheck disable=SC2086 # several targets
    cmake --build "$work/build" --target $target -j2 >"$work/log" 2>&1 </dev/null
}

# Until the first fact fails, which is enough. It may take four times as long as without bugs.
check() {
    limit=$(cat "$work/limit_$1" 2>/dev/null) || limit=600
    : >"$work/tap"
    (cd "$work/build" && CK_TAP_LOG_FILE_NAME="$work/tap" exec timeout "$limit" ctest \
        --no-tests=error --output-on-failure -R "^$1\$") >"$work/log" 2>&1 </dev/null &
    test_pid=$!
    (until grep -q '^not ok' "$work/tap"; do sleep 0.2; done && kill $test_pid) &
    watch_pid=$!
    rc=0
    { wait $test_pid || rc=$?; } 2>/dev/null
    kill $watch_pid 2>/dev/null || true
    return $rc
}

# The first fact that no longer holds, by Check or a script; else how it ended.
why() {
    fact=$(sed -n 's/^not ok [0-9]* - [^:]*:[^:]*:\([a-z0-9_]*\):.*/\1/p' "$work/tap" | head -1)
    [ -n "$fact" ] || fact=$(sed -n 's/^WRONG: //p' "$work/log" | head -1)
    if [ -z "$fact" ]; then
        fact=$(sed -n 's/.*\*\*\*\([A-Z][A-Za-z]*\(: *[A-Z][A-Za-z]*\)*\).*/\1/p' "$work/log" | head -1)
        [ $rc -eq 124 ] && fact="does not end"
        fact="the program: $fact"
    fi
    echo "$fact"
}

# Failing of itself a test would notice everything. Asked once for each test.
is_sound() {
    [ ! -f "$work/limit_$1" ] || return 0
    [ ! -f "$work/unsound_$1" ] || return 1
    if build "$1" && start=$(date +%s) && check "$1"; then
        echo $((4 * ($(date +%s) - start) + 20)) >"$work/limit_$1"
    else
        echo "$1: fails without a bug"
        tail -20 "$work/log" | tee "$work/unsound_$1"
        return 1
    fi
}

plant() {
    python3 - "$work/tree/$1" "$2" "$3" <<'PY'
import sys
path, (old, new) = sys.argv[1], [t.strip().replace(" OR ", " || ") for t in sys.argv[2:4]]
text = open(path).read()
if text.count(old) != 1:
    sys.exit("'%s' occurs %d times in %s" % (old, text.count(old), path))
open(path, "w").write(text.replace(old, new))
PY
}

n=0 n_noticed=0
tab=$(printf '\t')
sed "s/ | /$tab/;s/ | /$tab/;s/ | /$tab/;s/ | /$tab/" "$source/tests/mutants.txt" >"$work/mutants"
while IFS=$tab read -r name test file old new; do
    case $name in '' | '#'*) continue ;; esac
    [ "$only" = "  " ] || case $only in *" $name "*) ;; *) continue ;; esac
    if ! grep -qx "$test" "$work/tests"; then
        echo "$name: left out, this build has no test $test"
        continue
    fi
    n=$((n + 1))
    is_sound "$test" || continue
    cp "$work/tree/$file" "$work/original"
    if ! plant "$file" "$old" "$new"; then
        echo "$name: cannot be planted any more; update tests/mutants.txt"
        continue
    fi
    if ! build "$test"; then
        echo "$name: does not build"
        tail -5 "$work/log"
    elif check "$test"; then
        echo "$name: NOT NOTICED by $test"
    else
        echo "$name: noticed by $test: $(why)"
        n_noticed=$((n_noticed + 1))
    fi
    cp "$work/original" "$work/tree/$file"
    touch "$work/tree/$file"
done <"$work/mutants"
echo "$n_noticed of $n noticed"
[ $n_noticed -eq $n ]
