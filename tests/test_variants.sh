#!/bin/sh
# test_variants.sh -- the paper's four variants, direct or relay times mpe or cpe, on emulated
# core groups, in both forms of bottom-up: each must validate on all roots. Then the same at
# every depth of the FIFOs, with all that the emulation can check. With MW_TEST_LONG on 64
# roots, else on 8.
#
#     test_variants.sh MESHWAY MPIEXEC
set -u
meshway=$1
mpiexec=$2
failed=0
many=8 larger=0
[ -z "${MW_TEST_LONG:-}" ] || many=64 larger=1
checks=atomics=0,stale_reads=1,single_writer=1

# variant WHAT SCALE ROOTS OPTION...: every input to the clusters, also the small ones.
variant() {
    what=$1
    scale=$2
    roots=$3
    shift 3
    if "$mpiexec" -n 3 "$meshway" run "$scale" --roots "$roots" --backend emul --clusters 2 \
        --tune small-input=0 --json none --quiet "$@" 2>/dev/null |
        grep -q "$roots of $roots searches passed"; then
        echo "$what: $roots of $roots"
    else
        echo "$what: FAILED" >&2
        failed=1
    fi
}

for routing in "direct" "relay --groups 2x2"; do
    for engine in cpe mpe; do
        # $routing is two words.
        for form in bitmap messages; do
            # shellcheck disable=SC2086
            variant "$routing $engine $form" 10 $many --engine $engine --routing $routing \
                --bottom-up $form
        done
        for depths in recv_depth=1,send_depth=1 recv_depth=1,send_depth=0 \
            recv_depth=4,send_depth=6,arbitration=5; do
            # shellcheck disable=SC2086
            variant "$routing $engine $depths" 8 8 --engine $engine --routing $routing \
                --bottom-up messages --tune hubs=off --emul $depths,$checks
        done
    done
done

# all WHAT SCALE ROOTS OPTION...: the four in turn, on larger graphs.
all() {
    what=$1
    scale=$2
    roots=$3
    shift 3
    n=$("$mpiexec" -n 4 "$meshway" run "$scale" --roots "$roots" --engine cpe,mpe \
        --routing direct,relay --json none --quiet "$@" 2>/dev/null |
        grep -c " $roots/$roots ")
    if [ "$n" -eq 4 ]; then
        echo "$what, SCALE $scale: $roots of $roots by all four"
    else
        echo "$what, SCALE $scale: only $n of four variants validate" >&2
        failed=1
    fi
}
all emul $((11 + larger)) "$many" --backend emul
all emul $((12 + 2 * larger)) 4 --backend emul --bottom-up messages
all openmp 15 "$many" --backend openmp --threads 2 --clusters 2
exit $failed
