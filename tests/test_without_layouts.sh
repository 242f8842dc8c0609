#!/bin/sh
# test_without_layouts.sh -- the program without the tools for layouts: it says what it lacks, and a
# run still reads, proves and refuses layouts. Run by CTest as "without_layouts".
#
#     test_without_layouts.sh MESHWAY SOURCE_DIR
set -u
meshway=$1 source=$2
layouts=$source/share/layouts
. "$(dirname "$0")/lib.sh"

for words in layout "layout check paper" "layout sim paper --cycles 9 --json" "layout nonsense -x"; do
    # shellcheck disable=SC2086 # several words
    expect 69 "layout: this build has no layout tools; configure with -DMW_WITH_LAYOUTS=ON" "$meshway" $words
done
shows 0 "has no layout tools" "$meshway" help layout
shows 0 "has no layout tools" "$meshway" layout --help
shows 0 "missing in this build" "$meshway" --help
shows 0 ".TH" "$meshway" --man layout
shows 0 "_meshway" "$meshway" --completion bash

# What a run needs is there.
run="run 6 --roots 1 --json none --backend emul --engine cpe --layout"
# shellcheck disable=SC2086
{
    expect 0 "" "$meshway" $run "$layouts/paper.layout"
    expect 78 "can deadlock: 2 cores wait" "$meshway" $run "$layouts/one-router.layout"
    expect 65 "" "$meshway" $run "$source/README.md"
}
tools=$(nm "$meshway" | grep -E ' [tT] mw_(explore|sim|trace|film|layout_(explain|fixes)|certificate)')
[ -z "$tools" ] || wrong "the program has tools in it: $tools"
exit $failed
