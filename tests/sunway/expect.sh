#!/bin/sh
# expect.sh -- runs a conformance program and compares what it prints with a file.
#   expect.sh program file
# SPDX-License-Identifier: Apache-2.0
set -eu
out=$("$1")
[ "$out" = "$(cat "$2")" ] || {
    echo "$out" | diff "$2" - >&2
    exit 1
}
