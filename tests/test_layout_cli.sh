#!/bin/sh
# test_layout_cli.sh -- "meshway layout" as scripts see it: verdicts, exit codes, files, and
# that the same command gives the same bytes. Run by CTest as "layout_cli".
#
#     test_layout_cli.sh MESHWAY SOURCE_DIR
set -u
meshway=$1
source=$2
layouts=$source/share/layouts
. "$(dirname "$0")/lib.sh"

# same ARGS...: two runs print the same. Under a sanitizer one is enough: it looks at memory.
same() {
    "$meshway" layout "$@" >one 2>&1
    [ -z "${MW_TEST_SANITIZED:-}" ] || return 0
    "$meshway" layout "$@" >two 2>&1
    cmp -s one two || wrong "layout $*: two runs differ"
}

# ---- the examples of the specification ---------------------------------------------------
cp "$layouts/paper.layout" "$layouts/one-router.layout" .
layout_says 0 "paper.layout: FREE (coupled, decoupled, link)  64 cores 150 hops  rank 0..9  single-writer: yes  SPM 32.0K+32.0K/64K  buckets 1024" check paper.layout
layout_says 1 "one-router.layout: DEADLOCK (coupled)   decoupled: free   link: free" check one-router.layout
grep -qF "core 0,1 is in a CYCLE of 2:" out || wrong "cycle line"
grep -qF "  0: 0,1 (T) putc -> 1,1   flow 0,0 > 0,1 > 1,1 > 1,2" out || wrong "first edge"
grep -qF "  1: 1,1 (T) putc -> 0,1   flow 1,0 > 1,1 > 0,1 > 0,2" out || wrong "second edge"
grep -qF "needs 10 messages in flight (fifo 4, send 0); at most 9 is safe.  realised in 38 steps" out || wrong "numbers"
grep -qF "fix: make column 1 one-way (add a second router column), or bound credits to 9." out || wrong "fix: $(grep fix out)"
layout_says 1 "needs 22 messages" check one-router.layout --send 6
layout_says 0 "buckets      1024 of 1024 that fit" budget paper.layout

# ---- certificates, traces -----------------------------------------------------------------
for model in coupled decoupled link; do
    layout_says 0 "FREE ($model)" check paper.layout --model $model --certificate $model.cert
    layout_says 0 "VERIFIED" verify paper.layout $model.cert --model $model
done
awk '$1 == "0,6" { $2 = 9 } { print }' coupled.cert >damaged.cert
layout_says 1 "REFUSED" verify paper.layout damaged.cert
layout_says 2 "" verify paper.layout paper.layout
layout_says 73 "exists" check paper.layout --certificate coupled.cert
layout_says 1 "-> stuck.trace" check one-router.layout --trace stuck.trace
layout_says 1 "DEADLOCK after 38 legal steps, 10 in flight; cycle: 0,1 1,1" replay one-router.layout stuck.trace
sed 5d stuck.trace >damaged.trace
layout_says 2 "step" replay one-router.layout damaged.trace
head -6 stuck.trace >short.trace
layout_says 3 "no deadlock after" replay one-router.layout short.trace

# ---- MESHWAY_MODEL: as --model, refused by its name where the verb cannot take it, outvoted by --model --------
MESHWAY_MODEL=link layout_says 0 "FREE (link)" check one-router.layout
MESHWAY_MODEL=link layout_says 2 "MESHWAY_MODEL: 'link' is not known; expected one of coupled, rma" sim paper.layout
MESHWAY_MODEL=link layout_says 0 "rings of 4 (rma)" sim paper.layout --model rma --cycles 2000
for word in coupled decoupled link rma ends all; do
    for verb in "check paper.layout" "explain paper.layout" "verify paper.layout coupled.cert" "explore row-only" \
        "sim paper.layout -c 99" "sweep paper.layout -c 99" "curve paper.layout -c 999 -p 2 --seeds 1" \
        "map paper.layout -c 99" "export paper.layout --no-sim --dot -"; do
        # shellcheck disable=SC2086 # several words
        MESHWAY_MODEL=$word "$meshway" layout $verb >out 2>err
        code=$?
        [ $code -ne 2 ] || grep -qE "MESHWAY_MODEL: '$word' is not known|--model ends: only with --from|expected the $word model" err out ||
            wrong "MESHWAY_MODEL=$word layout $verb: exit $code"
        # shellcheck disable=SC2086 # several words
        MESHWAY_MODEL=$word "$meshway" layout $verb --model coupled >out 2>err
        [ $? -eq 2 ] && wrong "MESHWAY_MODEL=$word layout $verb --model coupled: refused"
    done
done

# ---- every ready layout says what its comment says ----------------------------------------
for f in "$layouts"/*.layout; do
    "$meshway" layout check "$f" --json >report.json 2>err
    code=$?
    case $code in
    0) grep -q '"verdict": "free"' report.json || wrong "$f: free without saying so" ;;
    1) grep -q '"verdict": "deadlock"' report.json || wrong "$f: deadlock without saying so" ;;
    *) wrong "$f: exit $code: $(cat err)" ;;
    esac
    "$meshway" layout explain "$f" >explained 2>&1
    [ $? -eq $code ] || wrong "explain $f: not the verdict of check"
    [ "$(wc -w <explained)" -gt 40 ] || wrong "explain $f: hardly a word"
    "$meshway" layout fmt "$f" >formatted 2>err || wrong "fmt $f"
    "$meshway" layout fmt formatted 2>err | cmp -s - formatted || wrong "fmt $f: not idempotent"
    "$meshway" layout fmt "$f" --canonical >canonical 2>err || wrong "fmt --canonical $f"
    "$meshway" layout check canonical --json 2>/dev/null | grep -v '"file"' >again.json
    grep -v '"file"' report.json | cmp -s - again.json || wrong "fmt $f: another layout"
done
for kind in paper one-router star ring merged xy torus torus-dateline west-first north-last negative-first odd-even escape; do
    "$meshway" layout gen $kind 4 8 >gen.layout || wrong "gen $kind"
    "$meshway" layout check gen.layout --no-realise >/dev/null 2>&1
    [ $? -le 1 ] || wrong "gen $kind: does not check"
done

# ---- vectors --------------------------------------------------------------------------------
layout_says 0 " 0 wrong" check "$source/tests/vectors/mesh.json"
layout_says 1 "DEADLOCK (coupled, decoupled, link)" check "$source/tests/vectors/mesh.json" F03
layout_says 0 "S08-missing-eos: missing-eos" check "$source/tests/vectors/mesh.json" S08
layout_says 2 "no vector's name" check "$source/tests/vectors/mesh.json" Q
sed 's/"M1":"pass"/"M1":"deadlock"/; s/"M1": "pass"/"M1": "deadlock"/' "$source/tests/vectors/mesh.json" >bad.json
cmp -s bad.json "$source/tests/vectors/mesh.json" && wrong "vectors: nothing was changed"
layout_says 1 "WRONG" check bad.json
layout_says 2 "not JSON" check - <<'END'
{ "format": "meshshuffle-vectors/1",
END
layout_says 0 "" export one-router.layout --json again.json --no-sim --force
layout_says 1 "DEADLOCK (coupled)" check again.json o

# ---- search and simulation ------------------------------------------------------------------
layout_says 1 "14 steps, 4 in flight" explore one-router.layout --depth 1
layout_says 3 "states: met the limit of states, which --limit N raises" explore paper.layout --limit 200000
grep -qE '^searched: no deadlock in [0-9]+ states, which are all that lie within [0-9]+ steps? and some beyond$' out || wrong "explore: what was searched"
grep -qF "proved:   free (coupled), in all states; 'meshway layout check' shows why" out || wrong "explore: what is proved"
grep -qF "undecided by this search: exit code 3" out || wrong "explore: its exit code"
layout_says 3 "can close; 'meshway layout check' shows it, --guided builds the deadlock" explore one-router.layout --limit 100
layout_says 3 "needs at least 10 messages in flight, so none closes here" explore one-router.layout --limit 100 --inflight 9
layout_says 3 '"bounded_by": "states"' explore paper.layout --limit 1000 --json
grep -q '"proof": "free"' out || wrong "explore --json: no proof"
layout_says 0 '"bounded_by": null' explore "$layouts/paper-small.layout" --depth 1 --json
layout_says 3 "1000 states: met the limit of states, which --limit N raises" explore paper.layout --limit 1000
layout_says 0 "no deadlock met" sim paper.layout --cycles 20000
layout_says 1 "DEADLOCK" sim "$layouts/demo-depth.layout" --depth 1
layout_says 0 "Pareto" sweep paper.layout --vary fifo=1,4 --vary roles=PPPPDUKK,PPDDUUKK --cycles 5000
layout_says 1 "Time to deadlock" sweep "$layouts/demo-depth.layout" --vary fifo=1..4*2 --seeds 3
layout_says 2 "cannot be varied" sweep paper.layout --vary colour=1
layout_says 2 "no range" sweep paper.layout --vary fifo=4..1

# ---- what a verb says of its assumptions ---------------------------------------------------
layout_says 0 "free with at most 3 in flight, fifo 1/1/0" explore one-router.layout --depth 1 --inflight 3
layout_says 0 "free, fifo 1/1/0  144 states" explore one-router.layout --depth 1 --model link
layout_says 0 '"inflight": 3' explore one-router.layout --depth 1 --inflight 3 --json
layout_says 3 '"limit": 1000' explore paper.layout --limit 1000 --json
layout_says 1 '"row": 2' check one-router.layout --depth 2 --json
layout_says 1 '"by": "lemma 3"' check one-router.layout --json
layout_says 0 "fall along all 150 edges of the coupled model" verify paper.layout coupled.cert
layout_says 0 "edges of the link model" verify paper.layout link.cert --model link
layout_says 2 "link.cert:1: error: a certificate of the link model, expected the coupled model" verify paper.layout link.cert
printf '# meshway-certificate 1 model=coupled\n0,0 x\n' >odd.cert
layout_says 2 "odd.cert:2: error: expected NODE RANK" verify paper.layout odd.cert
layout_says 0 '"verdict": "verified"' verify paper.layout coupled.cert --json
layout_says 1 '"verdict": "refused"' verify paper.layout damaged.cert --json
layout_says 1 '"verdict": "deadlock"' replay one-router.layout stuck.trace --json
layout_says 3 '"verdict": "undecided"' replay one-router.layout short.trace --json
layout_says 1 "" explore one-router.layout --depth 1 --trace shallow.trace
layout_says 1 "at the trace's depths, fifo 1/1/0 (the layout has 4/4/0)" replay one-router.layout shallow.trace
grep -q "trace's depths" out || wrong "replay: depths on stderr"
"$meshway" layout replay one-router.layout stuck.trace | grep -q "trace's depths" && wrong "replay: depths that are the same"
layout_says 0 "needs of the program: 1 core takes from" check "$layouts/paper-small.layout"

# ---- depth 0: nothing enters, and nothing goes round ---------------------------------------
for model in decoupled link; do
    layout_says 0 "FREE ($model)" check "$layouts/clockwise-turns.layout" --depth 0 --model $model
    grep -q "depth 0: $model: nothing enters any FIFO" out || wrong "depth 0, $model: $(cat out)"
    layout_says 0 "FREE ($model)" explain "$layouts/clockwise-turns.layout" --depth 0 --model $model
    layout_says 0 "free" explore "$layouts/clockwise-turns.layout" --depth 0 --model $model
    layout_says 0 "" check "$layouts/clockwise-turns.layout" --depth 0 --model $model --certificate wall-$model.cert
    layout_says 1 "REFUSED" verify "$layouts/clockwise-turns.layout" wall-$model.cert --model $model
    layout_says 0 "VERIFIED" verify "$layouts/clockwise-turns.layout" wall-$model.cert --model $model --depth 0
done

# ---- options that would be ignored -----------------------------------------------------------
vectors=$source/tests/vectors/mesh.json
for option in "--model link" "--depth 1" "--strict" "--no-realise" "--certificate x" "--trace x"; do
    # shellcheck disable=SC2086 # an option and its value
    layout_says 2 "only for a layout" check "$vectors" P $option
done
for option in "--model link" "--depth 1" "--send 1" "--inflight 3" "--guided" "--trace x"; do
    # shellcheck disable=SC2086
    layout_says 2 "vectors say themselves" explore "$vectors" S06 $option
done
layout_says 1 "DEADLOCK (link)" check "$vectors" F03 --model link
layout_says 2 "NAME: FILE is one layout" check paper.layout P
layout_says 2 "NAME: FILE is one layout" explore paper.layout P
layout_says 0 '"wrong": 0' check "$vectors" P --json
layout_says 1 '"wrong": 0' check "$vectors" F03 --json
layout_says 0 '"facts": 1' explore "$vectors" S06 --json
layout_says 1 "--certificate: nothing is written" check one-router.layout --certificate none.cert
layout_says 0 "--trace: nothing is written" check paper.layout --trace none.trace
layout_says 0 "--trace: nothing is written" explore "$layouts/paper-small.layout" --depth 1 --trace none.trace
if [ -e none.cert ] || [ -e none.trace ]; then wrong "something was written"; fi
layout_says 2 "both write to standard output" check paper.layout --certificate - --trace -
layout_says 2 "--certificate - and --json both write to standard output" check paper.layout --certificate - --json
layout_says 2 "--certificate and --trace both write to x" check paper.layout --certificate x --trace x
layout_says 2 "both write to standard output" explore one-router.layout --trace - --json
layout_says 2 "both write to standard output" sim paper.layout --vcd - --csv -
layout_says 2 "both write to x" sim paper.layout --vcd x --csv x
layout_says 2 "both write to standard output" sim paper.layout --csv - --json
layout_says 2 "both write to standard output" export paper.layout --svg - --dot -
layout_says 2 "both write to x" export paper.layout --svg x --html x
layout_says 2 "FILE and TRACE are both standard input" replay - - </dev/null
# What goes to standard output is alone there, and the report on stderr.
alone() { # CODE FIRST-LINE REPORT ARGS...
    code=$1 first=$2 report=$3
    shift 3
    answers err "$code" "$report" "$meshway" layout "$@"
    head -n 1 out | grep -q "^$first" || wrong "$*: begins with $(head -n 1 out)"
    ! grep -qF -e "$report" out || wrong "$*: the report is on standard output"
}
alone 1 "# meshway-trace" "DEADLOCK" check one-router.layout --depth 1 --trace -
alone 1 "# meshway-trace" "deadlock, fifo" explore one-router.layout --depth 1 --trace -
cp out piped.trace
alone 0 "# meshway-certificate" "FREE" check paper.layout --certificate -
layout_says 1 "DEADLOCK after" replay one-router.layout - <piped.trace
alone 0 "cycle,core," "throughput" sim paper.layout --cycles 300 --csv -
alone 0 '$comment' "throughput" sim paper.layout --cycles 300 --vcd -
alone 0 "{" "throughput" sim paper.layout --cycles 300 --trace -
alone 1 "cycle,core," "deadlock     seen" sim one-router.layout --cycles 20000 --depth 1 --csv -
layout_says 2 "FILE and CERTIFICATE are both standard input" verify - - </dev/null

# ---- outputs are looked at before anything starts ---------------------------------------------
echo mine >there
layout_says 73 "exists" explore paper.layout --limit 4000000000 --trace there
layout_says 73 "exists" sweep paper.layout --cycles 1000000000000 --vary fifo=1,2 -o there
layout_says 73 "exists" export paper.layout --cycles 1000000000000 --svg there
layout_says 73 "exists" map paper.layout --cycles 1000000000000 --svg there
layout_says 73 "exists" check one-router.layout --trace there
layout_says 73 "no/such" explore paper.layout --limit 4000000000 --trace no/such
[ "$(cat there)" = mine ] || wrong "a file that exists was touched"
layout_says 0 "" export one-router.layout --json whole.json --no-sim
n=1
while ! MESHWAY_FAIL_ALLOC=$n "$meshway" layout export one-router.layout --json part.json --no-sim 2>err; do
    if [ -e part.json ] || [ $n -gt 1000 ]; then
        wrong "export without memory (allocation $n)"
        break
    fi
    n=$((n + 1))
done
cmp -s part.json whole.json || wrong "export: another file after $n allocations"

# ---- what a simulation counts and says ---------------------------------------------------------
layout_says 1 "nothing counted: the run ended in the warm-up" sim "$layouts/demo-depth.layout"
grep -q "starved\|fairness" out && wrong "sim: nothing counted, and yet: $(cat out)"
grep -qE '^  2,4 \(T\) holds a message for 5,5, wants 5,4 C 4/4$' out || wrong "sim: who is blocked: $(cat out)"
layout_says 1 '"fairness": null' sim "$layouts/demo-depth.layout" --json
grep -q '"bytes_per_s_simulated": null' out || wrong "sim --json: a number of nothing"
layout_says 0 "nothing counted: no message arrived in 1 cycle" sim paper.layout --cycles 1000 --warmup 0.9995
layout_says 0 '"bytes_per_s_simulated": null' sim paper.layout --cycles 1000 --warmup 0.9995 --json
layout_says 0 "(fitted to the paper's layout: 0.81 of it)" sim paper.layout --send 0 --cycles 20000
grep -qE '^fairness     per source [0-9.]+ \(.,.\) to [0-9.]+ \(.,.\) of the mean' out || wrong "sim: whose share"
grep -q "^try          twice the router columns (then at most 14.45)" out || wrong "sim: nothing to try"
layout_says 0 "more columns of routers and of consumers" sim "$layouts/merged.layout" --cycles 20000
sed 's/D 32 U 32/D 15 U 15/' paper.layout >fast.layout
layout_says 0 "if the memory is the limit, no change" sim fast.layout --send 0 --cycles 20000

# ---- bad input --------------------------------------------------------------------------------
printf 'mesh 8 8\nrolez PPPPDUKK\n' >bad.layout
layout_says 2 "bad.layout:2:1: error: unknown statement 'rolez'" check bad.layout
layout_says 2 "No such file" check no-such.layout
layout_says 2 "did you mean" chekc paper.layout
layout_says 2 "--bogus" check paper.layout --bogus
layout_says 2 "FILE is missing" check
layout_says 2 "" check /dev/null
[ "$("$meshway" layout 2>/dev/null; echo $?)" = 2 ] || wrong "layout without a verb"
"$meshway" layout --help | grep -q explore || wrong "layout --help"
"$meshway" help layout check | grep -q strict || wrong "help layout check"

# Hostile: each ends soon, in little memory, with 2. Soon is processor time: another process may
# take the processor away, which is not our doing.
# shellcheck disable=SC3045 # every shell at hand has ulimit -v
hostile() {
    times >before # no $(): a subshell has children of its own
    (ulimit -v 2000000 && exec "$meshway" layout check "$1" >out 2>err)
    got=$?
    times >after
    took=$(awk '$1 ~ /m/ && FNR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/)
        ms += (NR == FNR ? -1000 : 1000) * (60 * t[1] + t[2]) } } END { printf "%d", ms }' before after)
    [ $got -eq 2 ] || wrong "hostile $1: exit $got"
    [ -s err ] || wrong "hostile $1: no message"
    [ "$took" -le 1000 ] || wrong "hostile $1: took $took ms"
}
if [ -z "${MW_TEST_SANITIZED:-}" ]; then # which take much more of both
    truncate -s 1G nul.layout && hostile nul.layout
    printf 'mesh 1000000000 1000000000\n' >huge.layout && hostile huge.layout
    { printf 'mesh 8 8\n' && yes 'roles PPPPDUKK' | head -n 1000000; } >many.layout && hostile many.layout
    { printf 'mesh 8 8\n' && yes 'flow 0,0 0,1 0,9' | head -n 1000000; } >flows.layout && hostile flows.layout
    { printf 'mesh 8 8\nname ' && head -c 60000000 /dev/zero | tr '\0' a; } >long.layout && hostile long.layout
    head -c 100000 /dev/urandom >noise.layout && hostile noise.layout
fi

# ---- the same bytes ------------------------------------------------------------------------------
same check one-router.layout --json
same explain one-router.layout
same explore one-router.layout
same sim paper.layout --cycles 20000 --json
same sim paper.layout --cycles 3000 --csv - --seed 7
same sim paper.layout --cycles 3000 --vcd -
same sim paper.layout --cycles 3000 --trace -
same sweep paper.layout --vary fifo=1..4 --seeds 2 --cycles 3000 -o -
same map paper.layout --cycles 20000
for form in svg html dot promela json; do
    same export paper.layout --$form - --cycles 20000
done

# ---- a run takes its roles from a layout ----------------------------------------------------------
for f in "$layouts"/*.layout; do
    "$meshway" layout check "$f" --no-realise >/dev/null 2>&1
    verdict=$?
    "$meshway" run 5 --layout "$f" --json none >out 2>err
    code=$?
    [ $verdict -eq 1 ] && [ $code -ne 78 ] && wrong "run --layout $f: exit $code, expected 78"
done
"$meshway" run 5 --layout one-router.layout --json none 2>err
grep -qF "0,1 -> 1,1 -> 0,1" err || wrong "run --layout: no cycle in: $(cat err)"
"$meshway" run 5 --layout bad.layout --json none 2>err
[ $? -eq 65 ] || wrong "run --layout bad.layout: not 65"
grep -qF "bad.layout:2:1: error: unknown statement 'rolez'" err || wrong "run --layout bad.layout: $(cat err)"

exit $failed
