#!/bin/sh
# test_paper_claims.sh -- the claims in docs/model.md are what the program says. With --update they
# are written.
#
#     test_paper_claims.sh MESHWAY SOURCE_DIR [--update]
set -eu
page=$2/docs/model.md
made=$(mktemp)
trap 'rm -f "$made"' EXIT
head="## The paper's claims, and ours"
grep -qx "$head" "$page"
sed "/^$head\$/,\$d" "$page" >"$made"
cat >>"$made" <<'END_OF_TEXT'
## The paper's claims, and ours

Made by `meshway model --claims --markdown`; the test `paper_claims` compares. Kinds: A arithmetic,
F a functional test on emulation or host, M the model (*modelled* numbers), C measured on
commodity machines. *calibration*: constants were solved from this very number, so agreement
is no evidence. A row that fails stays.

END_OF_TEXT
"$1" model --claims --markdown >>"$made"
if [ "${3:-}" = --update ]; then
    cp "$made" "$page"
else
    diff -u "$page" "$made"
fi
