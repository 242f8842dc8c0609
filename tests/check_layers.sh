#!/bin/sh
# check_layers.sh -- the layer diagram, enforced. Run by CTest as "layers".
set -eu
cd "${1:-.}"
layers="base mesh cpe shuffle relay mpe graph io devices traversal algorithms graph500 model" # lowest first
tops="cli api" # on all of them, side by side: neither includes the other

check() { # layer or folder, the layers it may include
    folder=src/$1
    [ "$1" = base ] && folder=portability/base
    [ -d "$folder" ] || folder=$1
    grep -rE '^ *# *include "[a-z0-9_]+/' "$folder" --include='*.[ch]' |
        sed 's/^\([^:]*\):.*"\([a-z0-9_]*\)\/.*/\1 \2/' |
        while read -r file target; do
            case " $2 " in
            *" $target "*) ;;
            *) echo "$file includes $target/: not below $1/" ;;
            esac
        done
}
# Rooms of a folder, lowest first: folder, prefix of its includes, rooms.
rooms() {
    folder=$1 prefix=$2
    shift 2
    below=""
    for room in "$@"; do
        below="$below $room"
        grep -rE "^ *# *include \"$prefix/" "$folder/$room" --include='*.[ch]' |
            sed "s/^\([^:]*\):.*\"$prefix\/\([a-z]*\)\/.*/\1 \2/" |
            while read -r file target; do
                case " $below " in
                *" $target "*) ;;
                *) echo "$file includes $prefix/$target/: not below $prefix/$room/" ;;
                esac
            done
    done
}
# The tools for layouts are outside: the core includes none of them, and only their verbs see more
# of it than language and proof.
tools() {
    grep -rE '^ *# *include "layouts/' src portability --include='*.[ch]' --include='*.[ch]pp' |
        sed 's/:.*/ needs tools for layouts/'
    for room in ways explain sim explore routes draw verbs; do
        sees="base mesh layouts"
        [ "$room" = verbs ] && sees="$sees cpe io cli"
        check layouts/$room "$sees"
    done
}
# An algorithm's room is its own: others see its constant, options and all, and its validator.
algorithms() {
    grep -rE '^ *# *include "algorithms/[a-z0-9_]+/' src/algorithms --include='*.[ch]' |
        sed 's/^src\/algorithms\/\([^:]*\):.*"algorithms\/\([a-z0-9_]*\)\/\([a-z0-9_.]*\)".*/\1 \2 \3/' |
        while read -r file room header; do
            case $file in "$room"/*) continue ;; esac
            [ "$header" = "$room.h" ] || [ "$header" = "${room}_validate.h" ] || echo "src/algorithms/$file includes $room/$header: ask $room.h"
        done
}
# Outside src/algorithms/ nobody names one. Those that do are about a search:
#   forecast, timing's model of it; calibrate, which measures it; survey, which info asks; the paper's
#   model of the paper's search; validate, which judges the tree of one that a file holds.
rooms_of_algorithms() {
    grep -rE '^ *# *include "algorithms/[a-z0-9_]+/' src layouts --include='*.[ch]' |
        sed 's/^\([^:]*\):.*"\(algorithms\/[a-z0-9_/.]*\)".*/\1 \2/' |
        while read -r file header; do
            case $file in
            src/algorithms/* | src/graph500/forecast.[ch] | src/graph500/calibrate.c | src/graph500/survey.c) ;;
            src/model/model_profile.h | src/cli/run/cmd_validate.c) ;;
            *) echo "$file includes $header: ask the constant (traversal/algorithm.h)" ;;
            esac
        done
}
check_all() {
    rooms_of_algorithms
    below=""
    for layer in $layers; do
        below="$below $layer"
        check "$layer" "$below"
    done
    for top in $tops; do check "$top" "$below $top"; done
    rooms src/mesh mesh lang proof
    rooms layouts layouts ways explain sim explore routes draw verbs
    tools
    algorithms
    for folder in src/*/; do
        folder=$(basename "$folder")
        case " $layers $tops " in
        *" $folder "*) ;;
        *) echo "src/$folder has no place in the diagram" ;;
        esac
    done
}

# Headers that we write: what they declare has a prefix, so that a search finds one thing. Vendors'
# functions have their own names.
prefixes() {
    named=$(sed -n 's/^ *[A-Z]*(arg, \([a-z_0-9]*\),.*/|\1/p' src/algorithms/rooms.h | tr -d '\n')
    find src layouts portability -name '*.h' ! -path '*/athread/include/*' ! -path '*/athread/sw26010*' \
        -exec grep -nE '^[A-Za-z_][^;="#(]*[ *][a-z][a-z0-9_]*\(|^(struct|enum|union) [a-z0-9_]+ [{]' '{}' + |
        sed -E 's/^([^:]*:[0-9]+):(struct|enum|union) ([a-z0-9_]+) [{].*/\1 \3/; s/^([^:]*:[0-9]+):[^(]*[ *]([a-z0-9_]+)\(.*/\1 \2/' |
        grep -vE " (mw|mwo|meshway|emul|pipeline|athread|run|sim$named)(_|\$)" | sed 's/$/: a header has names with a prefix/'
}

only_in() { # pattern, allowed files (shell glob), why
    grep -rlE "$1" src layouts portability --include='*.[ch]' --include='*.[ch]pp' | while read -r f; do
        # shellcheck disable=SC2254
        case $f in $2) ;; *) echo "$f: $3" ;; esac
    done
}
out=$(
    check_all
    prefixes
    only_in '^#include <mpi\.h>' 'src/mpe/*_mpi.[ch]' 'MPI belongs to src/mpe/*_mpi.c'
    only_in '^#include <hwloc' 'src/mpe/placement.c' 'hwloc belongs to src/mpe/placement.c'
    only_in '^#include <(athread|slave|crts)\.h>' 'src/cpe/*athread*' 'athread belongs to src/cpe/*athread*' |
        grep -vE '^(portability/athread/|src/cpe/cpe_rma\.h:)' || true
    only_in '^#include <Kokkos' 'portability/kokkos/*' 'Kokkos belongs to portability/kokkos/'
    # One maker's words are in files that cmake/kokkos.cmake chooses; what all devices share knows no warp and no
    # instruction of theirs.
    only_in '\basm\b|\b__(shfl|ballot|any|all|activemask|sync|popc|ffs|ldg|threadfence|shared__|global__|device__)|(thread|block)Idx\b|warpSize|<<<|\bcu(da)?[A-Z][A-Za-z]+\(|<cuda|Kokkos::Cuda' \
        'portability/kokkos/*_cuda.cpp' "CUDA's belongs to files for CUDA" |
        grep -vE '^(portability/kokkos/whole/(bottom_up|linked|paths|peers|phases|ptx|queues|search|setting|small_rounds_cuda|team|top_down)\.hpp|src/cpe/|portability/(athread|base)/)' || true
    only_in '^#include "kokkos/whole/(bottom_up|linked|linked_cuda|paths|peers|phases|ptx|queues|search|setting|small_levels_cuda|small_rounds_cuda|team|top_down)\.hpp"' 'portability/kokkos/whole/*' \
        'a header for CUDA alone'
    grep -lE '^#include "kokkos/whole/(search|peers|phases|queues|top_down|bottom_up|linked|setting|team|paths|small_levels|small_rounds)' portability/kokkos/whole/whole_none.cpp | sed 's/$/: is compiled for all devices/' || true
    only_in '\bhip[A-Z][A-Za-z]+\(|<hip/|Kokkos::HIP' 'portability/kokkos/devices_hip.cpp' "HIP's belongs to devices_hip.cpp"
    only_in 'sycl::|<sycl/|Kokkos::SYCL|Kokkos::Experimental::SYCL' 'portability/kokkos/devices_sycl.cpp' \
        "SYCL's belongs to devices_sycl.cpp"
    only_in 'omp target' 'portability/omptarget/*' 'target regions belong to portability/omptarget/'
    # A file of elements, patterns and steps has all patterns in every pass.
    sed -n 's/^ \*      \(MW_[A-Z_]*\)  *[a-z-].*/\1/p; s/^#define \(MW_LANE_[A-Z]*\)(name.*/\1/p' src/shuffle/patterns.h |
        while read -r pattern; do
            grep -q "define $pattern(" src/shuffle/skeleton_none.h || echo "src/shuffle/skeleton_none.h lacks $pattern"
        done
    only_in '\bmw_world_run\(' 'src/mpe/*' 'all that runs on cores is a row: src/mpe/row.h'
    # One word, one meaning; an emitter is the skeleton's that a file is compiled for.
    grep -rhoE '^(struct|enum|union) mw_[a-z0-9_]+ \{' src layouts portability --include='*.h' --include='*.hpp' |
        sed 's/^[a-z]* //' | sort | uniq -d | grep -v '^mw_emitter ' | sed 's/{/is defined in two headers/' || true
    only_in '^#include <meshway/meshway' 'src/api/*' 'the public header is for src/api and for users'
    grep -rnE '% *[a-z_>.-]*(\bsize|n_ranks)\b' src --include='*.[ch]' |
        grep -vE '^src/(graph/partition\.h|relay/groups\.h|mpe/exchange_mpi\.c):' |
        sed 's/$/ <- owners are computed by src\/graph\/partition.h/' || true
    # Not those of CUDA, which are of 32 bits, and whose registers count.
    only_in '(<<|>>) *[A-Za-z0-9_.>()-]*label_bits' 'src/graph/partition.h' 'what a column is says src/graph/partition.h' |
        grep -v '^portability/kokkos/whole/' || true
    only_in '__atomic_|__sync_|_Atomic|<stdatomic|\batomic_[a-z]+\(' 'portability/base/base.h' \
        'an atomic of its own: base.h has MW_LOAD_RELAXED and the like' |
        grep -v '^portability/kokkos/' || true # devices have Kokkos'
    # An algorithm of one file has its steps behind one (docs/your-own-traversal.md).
    grep -rnE '^ *# *(if|ifdef|elif)\b' src layouts | grep -vE '^src/algorithms/.*:#ifdef MW_STEPS ' || true
    grep -rnE '^ *# *(if|ifdef|elif)\b' include | grep -v '#ifdef __cplusplus$' || true
)
if [ -n "$out" ]; then
    echo "$out" >&2
    exit 1
fi
