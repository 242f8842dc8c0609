#!/bin/sh
# test_variants.sh -- the paper's four variants, direct or relay times mpe or cpe, on emulated
# core groups, in both forms of bottom-up: each must validate on all 64 roots.
#
#     test_variants.sh MESHWAY MPIEXEC
set -u
failed=0
for routing in "direct" "relay --groups 2x2"; do
    for engine in cpe mpe; do
        for form in bitmap messages; do
            # Every input to the clusters, also the small ones; $routing is two words.
            # shellcheck disable=SC2086
            if "$2" -n 3 "$1" run 10 --backend emul --engine $engine --routing $routing \
                --bottom-up $form --clusters 2 --small-input 0 --json none --quiet 2>/dev/null |
                grep -q '64 of 64 searches passed'; then
                echo "$routing $engine $form: 64 of 64"
            else
                echo "$routing $engine $form: FAILED" >&2
                failed=1
            fi
        done
    done
done
exit $failed
