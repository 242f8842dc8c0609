#!/bin/sh
# test_shown_text.sh -- what files and arguments say, in messages and in JSON: nothing that a
# terminal obeys, nothing cut at a newline, nothing lost; and a list of roots with repeats.
#
#     test_shown_text.sh MESHWAY
meshway=$1
data=$(cd "$(dirname "$0")" && pwd)/data
. "$(dirname "$0")/lib.sh"

harmless() { # WHAT: neither output holds a control character but the ends of its lines
    for stream in out err; do
        [ "$(LC_ALL=C tr -cd '\000-\011\013-\037\177' <$stream | wc -c)" -eq 0 ] ||
            wrong "$1: control characters on $stream"
    done
}
shows() { # CODE TEXT COMMAND...
    answers "out err" "$@"
    harmless "$*"
}

hostile=$(printf 'a\nb\033[31m\302\233\342\200\256\377 \303\266.el')
shown='a\nb\x1b[31m\xc2\x9b\xe2\x80\xae\xff ö.el'
shows 66 "$shown: cannot open" "$meshway" run -g "$hostile" --json none
shows 66 "$shown: cannot open" "$meshway" convert "$hostile" x.el
shows 66 "$shown: cannot open" "$meshway" plan -g "$hostile"
! has_layouts || shows 2 "$shown" "$meshway" layout check "$hostile"
shows 64 "'$shown' is not known" "$meshway" run 6 --direction "$hostile"
shows 66 "$shown: cannot open" "$meshway" run "$hostile" --json none
shows 64 "$shown" "$meshway" run 6 --threads "$hostile"
shows 73 "$shown" "$meshway" run 6 --json "none/$hostile"
shows 0 "$shown" "$meshway" run 6 --json "$hostile" --print-config
shows 0 "" "$meshway" run 6 --json "$hostile"
cp "$data/small_from1.csv" "$hostile"
shows 0 "$shown: columns besides" "$meshway" run -g "$hostile" --base 1 --json none
shows 0 "" "$meshway" info "$hostile"
shows 0 "$shown" "$meshway" convert "$hostile" "$hostile.sg"
shows 0 "$shown.el: 16 edges" "$meshway" gen 4 -e 1 "$hostile.el"
shows 0 "" "$meshway" plan -g "$hostile.sg"
printf '0 1\n1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n7 8\n8 9\n9 1\n2 \033]0;x\007\377\n' >bad.el
shows 65 "bad.el:11: expected 'vertex vertex': '2 \\x1b]0;x\\x07\\xff'" "$meshway" run -g bad.el \
    --json none
printf 'mesh 2 2\nname "\033[31m\n' >bad.layout
! has_layouts || shows 2 "bad.layout:2:" "$meshway" layout check bad.layout

# JSON holds names whole: with bytes that are no UTF-8 they stand in a form of their own.
in_json() { # NAME TEXT, as JSON has it
    cp "$data/small.el" "$1"
    shows 0 "" "$meshway" run -g "$1" --root 0 --json w.json --force
    grep -qF "\"file\": \"$2\"" w.json || wrong "JSON has $(grep '"file"' w.json)"
}
in_json "$(printf 'x\377\\y.el')" 'x\\xff\\\\y.el'
in_json 'x\x41.el' 'x\\\\x41.el'
in_json 'x\y.el' 'x\\y.el'
in_json "$(printf 'x\n\303\266.el')" 'x\nö.el'
layout=$(printf 'l\377.layout')
cp "$data/../../share/layouts/one-router.layout" "$layout"
if has_layouts; then
    answers out 1 '"l\\xff.layout"' "$meshway" layout check "$layout" --json
    answers out 1 'l\xff.layout: DEADLOCK' "$meshway" layout check "$layout"
fi

# A root that is named twice is searched from once.
shows 0 "note: --root: 2 repeated; each of the 2 is searched from once" "$meshway" run \
    -g "$data/small.el" --root 2,1,2,01 --json w.json --force
[ "$(grep -c '"root": [12],' w.json)" -eq 2 ] || wrong "not two searches"
grep -q '^roots: *2$' out || wrong "not two roots"
shows 0 "" "$meshway" run -g "$data/small.el" --root 1,2 --json none
! grep -q repeated err || wrong "nothing is repeated, but that is said"

exit $failed
