#!/bin/sh
# test_plugin.sh BUILD_DIR SOURCE_DIR CMAKE CC PYTHON [MPIEXEC] -- an algorithm from outside the tree: the
# example is built against an installation, for each kind of core, by the CMake function and by the one
# command; runs on every backend that is there, over several ranks and routes; is compared with an
# oracle; and plug-ins that are wrong are refused with a sentence.
build=$1 source=$2 cmake=$3 cc=$4 python=$5 mpiexec=${6:-}
. "$source/tests/lib.sh"

"$cmake" --install "$build" --prefix "$work/a prefix" >install.log || { wrong "no installation"; exit 1; }
prefix="$work/a prefix"
meshway="$prefix/bin/meshway"
internal="$prefix/include/meshway/internal"
example="$source/examples/label_hops.c"
[ "$(wc -l <"$example")" -le 150 ] || wrong "the example has more than 150 lines"

# By the one command, and by the function of a project of its own.
"$cmake" -S "$prefix/share/meshway/algorithm" -B one -DCMAKE_C_COMPILER="$cc" -DFILE="$example" >one.log 2>&1 &&
    "$cmake" --build one >>one.log 2>&1 || { cat one.log >&2; wrong "the command builds nothing"; exit 1; }
mkdir project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(outside LANGUAGES C)
find_package(meshway CONFIG REQUIRED)
meshway_add_algorithm(hops_of_few hops.c KINDS serial)
END
cp "$example" project/hops.c
"$cmake" -S project -B two -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" >two.log 2>&1 &&
    "$cmake" --build two >>two.log 2>&1 || { cat two.log >&2; wrong "the function builds nothing"; exit 1; }
hops=$work/one/liblabel_hops.so
few=$work/two/libhops_of_few.so
[ -f "$hops" ] && [ -f "$few" ] || { wrong "there is no module"; exit 1; }
expect_code() { # CODE COMMAND...
    want=$1
    shift
    "$@" >log 2>&1 </dev/null
    got=$?
    [ $got -eq "$want" ] || { cat log >&2; wrong "$*: code $got, expected $want"; }
}
grep -q 'warning:' one.log two.log && wrong "the example has warnings: $(cat one.log two.log)"
# The numbers of mw_max() are whole ones.
sed -i 's/    level->n_found = \*s->n_fallen;/    level->n_found = mw_max(*s->n_fallen, 0.5);/' project/hops.c
"$cmake" --build two >float.log 2>&1 || wrong "a warning is no error"
grep -q 'float-conversion' float.log || wrong "no warning of a real that loses its fraction: $(cat float.log)"
cp "$example" project/hops.c && "$cmake" --build two >two.log 2>&1 || wrong "the right one again"
sed 's/project(outside/project(wrong/; s/KINDS serial/KINDS vector/' project/CMakeLists.txt >wrong.txt
mkdir wrong && cp wrong.txt wrong/CMakeLists.txt && cp "$example" wrong/hops.c
"$cmake" -S wrong -B three -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" >three.log 2>&1 &&
    wrong "a kind of core that there is not"
grep -q "no cores of kind" three.log || wrong "no sentence about a kind of core: $(cat three.log)"

# ---- right answers: a path, a ring with chords, a star, vertices alone ---------------------------
"$python" - >graph.el <<'END'
import random
random.seed(3)
for i in range(40): print(i, i + 1)
for i in range(50, 120): print(i, 50 + (i - 49) % 70)
for i in range(60): print(random.randrange(50, 300), random.randrange(50, 300))
for i in range(300, 420): print(299, i)
print(430, 430)
END
for kind in '' --directed; do
    for k in 1 2 5; do
        "$python" - "$k" $kind <<'END' >"expected$kind$k.txt"
import sys
k, directed = int(sys.argv[1]), len(sys.argv) > 2
edges = [tuple(map(int, line.split())) for line in open("graph.el")]
label = list(range(431))
for _ in range(k):
    was = label[:]
    for u, v in edges:
        label[v] = min(label[v], was[u])
        if not directed:
            label[u] = min(label[u], was[v])
print("# vertex label")
for v, l in enumerate(label):
    print(v, l)
END
    done
done
on() { # RANKS COMMAND...
    n=$1
    shift
    if [ -z "$mpiexec" ]; then "$@"; else "$mpiexec" -n "$n" "$@"; fi
}
ran=0
for backend in serial openmp emul emul-threads kokkos omptarget; do
    for n in 1 2 3 5; do
        for route in direct relay; do
            for k in 1 2 5; do
                [ -n "$mpiexec" ] || [ $n = 1 ] || continue
                [ "$backend" != emul-threads ] || [ $n$k = 22 ] || continue
                [ $n != 5 ] || [ $k = 2 ] || continue
                [ $n != 1 ] || [ $route = direct ] || continue
                kind=
                [ $n$k != 32 ] || kind=--directed
                # shellcheck disable=SC2086 # an option or none
                on $n "$meshway" run graph.el --algorithm "$hops" --tune hops=$k --backend $backend --routing $route \
                    $kind --roots 2 --json r.json --tree t.txt --force >out 2>err </dev/null
                code=$?
                [ $code -ne 69 ] || continue # this build has no such cores, or they know no directions
                [ $code -eq 0 ] || wrong "$backend, $n ranks, $route, $k hops$kind: exit $code"
                cmp -s t.txt "expected$kind$k.txt" || wrong "$backend, $n ranks, $route, $k hops$kind: other labels"
                grep -q 'validation: *2 of 2 searches passed' out || wrong "$backend, $n ranks: not checked: $(cat out)"
                ran=$((ran + 1))
                echo "$backend" >>backends
            done
        done
    done
done
for backend in serial emul kokkos omptarget; do
    grep -qE "HERE\($backend\)|\(ROW, arg\).*, $backend\)" one/label_hops/kinds.h || [ $backend = emul ] || continue
    grep -qx $backend backends || wrong "$backend is there, and has run nothing"
done
least=50
[ -n "$mpiexec" ] || least=9
[ $ran -ge $least ] || wrong "only $ran runs"
grep -q '"plugin": ".*liblabel_hops.so"' r.json && grep -qE '"plugin_hash": "[0-9a-f]{16}"' r.json ||
    wrong "the result does not say the plug-in"
"$python" -c 'import json; r = json.load(open("r.json")); assert r["configuration"]["algorithm"] == "label_hops", r' ||
    wrong "the result does not say the algorithm"

# A plug-in without kernels of a mesh is the management core's there.
expect 0 "" "$meshway" run 8 --algorithm "$few" --backend emul --json none
shows 0 "verdict     fits" "$meshway" plan 12 --algorithm "$hops"
shows 0 "hops=K" "$meshway" run --algorithm "$hops" --tune help
expect 64 "hops: 0 is out of range" "$meshway" run 8 --algorithm "$hops" --tune hops=0
expect 64 "did you mean hops" "$meshway" run 8 --algorithm "$hops" --tune hop=1
expect 64 "did you mean bfs? there are bfs, cc, sssp, pagerank, core, communities, multi_bfs, betweenness, triangles; a plug-in's path has a slash" "$meshway" run 8 --algorithm bsf

# A result is taken up by the same file only.
"$meshway" run 8 --algorithm "$hops" --roots 2 --json kept.json >out 2>err </dev/null || wrong "a result"
expect 0 "" "$meshway" run 8 --algorithm "$hops" --roots 4 --json kept.json --resume kept.json
cp "$hops" same.so && printf x >>same.so && cp "$hops" was.so && cp same.so "$hops"
expect 64 "plugin_hash" "$meshway" run 8 --algorithm "$hops" --roots 6 --json kept.json --resume kept.json
cp was.so "$hops"

# ---- wrong ones ------------------------------------------------------------------------------------
objects=$(find two -name '*.o' -path '*hops_of_few_*') # no device's, which want a linker of their own
version=$("$cc" -dM -E "$internal/interface.h" | sed -n 's/.*MW_INTERFACE "\(.*\)"/\1/p')
[ -n "$version" ] || wrong "no version of the interface is installed"
variant() { # NAME SED-SCRIPT...: the example, changed, with the kernels of the right one
    name=$1
    shift
    sed "$@" "$example" >"$name.c"
    ! cmp -s "$example" "$name.c" || wrong "$name: nothing is changed"
    # shellcheck disable=SC2086 # objects
    "$cc" -std=c11 -shared -fPIC -fvisibility=hidden -D_DEFAULT_SOURCE -DMW_ROOM=outside \
        -DMW_SKELETON='"traversal/skeleton_steps.h"' -Itwo/hops_of_few -I"$prefix/include" -I"$internal" \
        "$name.c" $objects -o "$name.so" >log 2>&1 || { cat log >&2; wrong "$name is not compiled"; }
}
refused() { # NAME TEXT: on one rank and on two
    expect 65 "$2" "$meshway" run 8 --algorithm "./$1.so" --json none
    [ -z "$mpiexec" ] || expect 65 "$2" "$mpiexec" -n 2 "$meshway" run 8 --algorithm "./$1.so" --json none
}
variant version 's/^#include <meshway.*/&\n#undef MW_INTERFACE\n#define MW_INTERFACE "0.0.1-x"/'
refused version "it was built for Meshway 0.0.1-x, and this is $version: build it again"
variant kernel 's/KERNEL(hear)/.kernel = 77/'
refused kernel "row 2 (hearer) has a kernel that is not in its struct of kernels"
variant lost 's/\(.*"hearer".*\)\.exchanges = 1/\1.exchanges = 2/'
refused lost "row 0 (teller) has records that nobody takes"
variant relay 's/{MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}/{MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_NOWHERE}/'
refused relay "row 1 (relay) has a relay that does not pass its records on"
variant work 's/KERNEL(tell), entries, 1/KERNEL(tell), NULL, 1/'
refused work "row teller is a source and does not say how much work it has"
variant sweep 's/\.reads = "label, next", //'
refused sweep "row 4 (settle) has nothing of what it reads"
variant field 's/\.options_bytes = sizeof(struct hops_options)/.options_bytes = 2/'
refused field "a key of its options is incomplete, or its field is not in the struct"
variant default 's/\.fallback = "3"/.fallback = "0"/'
refused default "the default of a key of its options is not legal"
variant name 's/\.name = "label_hops"/.name = "bfs"/'
refused name "there is an algorithm of its name already (change .name), in Meshway itself"
variant words 's/\.name = "label_hops"/.name = "Label hops"/'
refused words "its name is not one word"
variant start 's/ \.start = start,//'
refused start "has no start, no step"
variant value 's/\.n_values = 1/.n_values = 0/'
refused value "its answer has no value"
variant block 's/offsetof(struct hops, n_fallen)/1000/'
refused block "a block is incomplete, or is not in the state"
variant real 's/MW_VALUE_VERTEX/MW_VALUE_REAL/; s/MW_OF_CORES, MW_PER_PLACE, 0, 0}/MW_OF_CORES, MW_PER_PLACE, sizeof(double), 0}/'
refused real "value 0 (label) is a real, a float of 4 bytes, and an element of its block has 8"
variant count 's/MW_VALUE_VERTEX/MW_VALUE_COUNT/; s/MW_OF_CORES, MW_PER_PLACE, 0, 0}/MW_OF_CORES, MW_PER_PLACE, sizeof(uint32_t), 0}/'
refused count "value 0 (label) is as wide as the graph, which a block says by 0 bytes; this one says 4"
variant check 's/MW_CHECK_BY(expect_labels)/MW_CHECK_BY(NULL)/'
refused check "its check lacks one of open, close, run and sizes, or says nothing to expect"
variant half 's/\.n_values = 1/.n_values = 2/; s/&(const struct mw_value){\(.name = "label", .type = MW_VALUE_VERTEX\)}/(const struct mw_value[]){{\1}, {.name = "again", .type = MW_VALUE_VERTEX}}/'
refused half "its check looks at 1 of 2 values"
variant symbol 's/    (void)key;/    extern void mw_no_such_thing(void);\n    mw_no_such_thing();\n&/'
refused symbol "it cannot be loaded"
mkdir other
sed 's/\(MW_KINDS_OF_CORE(ROW, arg)\)/\1 ROW(arg, vector)/' two/hops_of_few/kinds.h >other/kinds.h
variant kinds 's/^#include <meshway.*/#include "other\/kinds.h"\n&\n#define outside_vector outside_serial/'
refused kinds "it has kernels for vector, and this program knows no such cores: it was built with another"
echo 'int nothing;' >empty.c
"$cc" -shared -fPIC empty.c -o empty.so || wrong "empty.c"
refused empty "it is no plug-in of Meshway: it lacks the symbol mw_plugin_outside"
echo 'no object' >text.so
refused text "it cannot be loaded"
head -c 3000 "$hops" >short.so
refused short "it cannot be loaded"
expect 66 "./nowhere.so: No such file" "$meshway" run 8 --algorithm ./nowhere.so
expect 66 "./project: it is no file" "$meshway" run 8 --algorithm ./project
expect 64 "'nowhere.so' is not known" "$meshway" run 8 --algorithm nowhere.so

# A check that finds a fault, and none at all.
variant mistaken 's/is\[v\] = mw_min(is\[v\], was\[u\]);/is[v] = was[u] + 1;/'
expect 76 "rule 1, the label of vertex" "$meshway" run 8 --algorithm ./mistaken.so --json none
variant unchecked 's/ \.check = &(const struct mw_check)MW_CHECK_BY(expect_labels))/ .asks_names = false)/'
answers out 0 "validation:                     NOT VALIDATED; the algorithm has no check" \
    "$meshway" run 8 --algorithm ./unchecked.so --json none

# From C by the library, which a program may load for itself, so that it shows nothing to others.
library=$(find "$prefix" -name libmeshway.so)
cp "$hops" again.so
for candidate in "$python" /usr/bin/python3; do
    "$candidate" -c 'import numpy' 2>/dev/null || continue
    cat >by_python.py <<'END'
import pathlib, sys
import numpy as np
import meshway
edges = np.array([[0, 1], [1, 2], [2, 3], [3, 4]])
assert meshway.load(sys.argv[1]) == meshway.load(pathlib.Path(sys.argv[1])) == "label_hops"
meshway.configure(tune={"hops": 2})  # a plug-in's key, before its first run
g = meshway.Graph.from_edges(edges)
label = meshway.run(g, sys.argv[1], validate=True)["label"]
assert label.tolist() == [0, 0, 0, 1, 2], label
meshway.configure(tune={"hops": 3})
for name in sys.argv[1], "label_hops":
    assert meshway.run(g, name)["label"].tolist() == [0, 0, 0, 0, 1]
for wrong, said in ("text.so", "cannot be loaded"), ("again.so", "already (change .name), in " + sys.argv[1]):
    try:
        meshway.load(wrong)
    except meshway.DataError as e:
        assert said in str(e), e
    else:
        raise AssertionError(wrong + " is loaded")
END
    MESHWAY_LIBRARY="$library" PYTHONPATH="$source/python" "$candidate" -B by_python.py "$hops" >out 2>err ||
        wrong "by Python: $(cat err)"
    break
done
cat >by_c.c <<'END'
#include <meshway/meshway.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    struct meshway_world *w;
    struct meshway_graph *g;
    struct meshway_traversal *t;
    const uint64_t u[] = {0, 1, 2, 3}, v[] = {1, 2, 3, 4};
    if (argc < 2 || meshway_start(&w) != MESHWAY_OK)
        return 1;
    if (meshway_algorithm_load(argv[1]) != MESHWAY_OK || meshway_tune(w, "hops=1") != MESHWAY_OK) {
        printf("%s\n", meshway_error_text());
        return 2;
    }
    const uint64_t n = meshway_algorithm_load("nothing") != MESHWAY_OK ? 4 : 0;
    if (meshway_graph_new(w, 5, n, u, v, &g) != MESHWAY_OK ||
        meshway_traversal_new(g, "label_hops", &t) != MESHWAY_OK ||
        meshway_traversal_run(t, MESHWAY_NO_VERTEX) != MESHWAY_OK)
        return 3;
    for (uint64_t p = 0; p < 5; p++)
        printf("%d ", (int)meshway_traversal_number(t, p));
    meshway_traversal_free(t);
    meshway_graph_free(g);
    meshway_finish(w);
    return 0;
}
END
if "$cc" by_c.c -I"$prefix/include" -L"${library%/*}" -lmeshway -Wl,-rpath,"${library%/*}" -o by_c >log 2>&1; then
    shows 0 "0 0 1 2 3" ./by_c "$hops"
else
    cat log >&2
    wrong "a program in C"
fi

# What is shown to plug-ins is marked, in the library as in the program.
symbols() { nm -D --defined-only "$1" | awk '{print $3}' | grep -E '^(mw_|mwo_|_ZN3mwk|_ZNK3mwk)' | sort -u; }
symbols "$meshway" >of_program
symbols "$library" >of_library
cmp -s of_program of_library || wrong "library and program show plug-ins different things: $(diff of_program of_library)"
[ "$(wc -l <of_program)" -ge 40 ] && [ "$(wc -l <of_program)" -le 130 ] || wrong "$(wc -l <of_program) functions are shown"

echo "$n_commands commands, $ran runs"
exit $failed
