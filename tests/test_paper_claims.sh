#!/bin/sh
# test_paper_claims.sh -- docs/paper-claims.md is what the program says. With --update it is
# written.
#
#     test_paper_claims.sh MESHWAY SOURCE_DIR [--update]
set -eu
page=$2/docs/paper-claims.md
made=$(mktemp)
trap 'rm -f "$made"' EXIT
cat >"$made" <<'END'
# The paper's claims, and ours

Made by `meshway model --claims --markdown`; the test `paper_claims` compares. Kinds: A arithmetic,
F a functional test on emulation or host, M the model (*modelled* numbers), C measured on
commodity machines. *calibration*: constants were solved from this very number, so agreement
is no evidence. A row that fails stays. [model.md](model.md) says how the model works and why
it may miss.

END
"$1" model --claims --markdown >>"$made"
if [ "${3:-}" = --update ]; then
    cp "$made" "$page"
else
    diff -u "$page" "$made"
fi
