#!/bin/sh
# mutants.sh -- do the tests notice? Plants one bug at a time in a copy of the tree, builds
# what the named test needs, and expects that test to fail. Run by CTest with the label
# "mutants", apart from the rest: it takes minutes.
#
#     tests/mutants.sh SOURCE_DIR WORK_DIR [NAME...]
#
# A mutant is a line of tests/mutants.txt: name | test | file | text | text instead.
# Both texts are literal, but OR stands for ||; the first must occur exactly once.
set -eu
source=$1
work=$2
shift 2
only=" $* "
rm -rf "$work"
mkdir -p "$work/tree"
(cd "$source" && tar cf - --exclude=./build --exclude=./.git .) | (cd "$work/tree" && tar xf -)
cmake -S "$work/tree" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DMW_WITH_BENCH=OFF \
    >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

build() { cmake --build "$work/build" --target "test_$1" -j2 >"$work/log" 2>&1; }

bad=0
while IFS='|' read -r name test file old new; do
    case $name in '' | '#'*) continue ;; esac
    name=$(echo $name) test=$(echo $test) file=$(echo $file)
    [ "$only" = "  " ] || case $only in *" $name "*) ;; *) continue ;; esac
    cp "$work/tree/$file" "$work/original"
    if ! python3 - "$work/tree/$file" "$old" "$new" <<'PY'
import sys
path, (old, new) = sys.argv[1], [t.strip().replace(" OR ", " || ") for t in sys.argv[2:4]]
text = open(path).read()
if text.count(old) != 1:
    sys.exit("'%s' occurs %d times in %s" % (old, text.count(old), path))
open(path, "w").write(text.replace(old, new))
PY
    then
        echo "$name: cannot be planted any more; update tests/mutants.txt"
        bad=1
        continue
    fi
    if ! build "$test"; then
        echo "$name: does not build"
        tail -5 "$work/log"
        bad=1
    elif (cd "$work/build/tests" && timeout 100 "./test_$test") >"$work/log" 2>&1; then
        echo "$name: NOT NOTICED by test_$test"
        bad=1
    else
        echo "$name: noticed by test_$test"
    fi
    cp "$work/original" "$work/tree/$file"
    touch "$work/tree/$file"
done <"$source/tests/mutants.txt"
exit $bad
