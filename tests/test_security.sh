#!/bin/sh
# test_security.sh MESHWAY SOURCE HARDENED -- what SECURITY.md promises of the program's file, of what it
# imports, and of what it leaves. HARDENED is 1 for a release build without sanitizers.
set -u
meshway=$1
source=$2
hardened=$3
. "$(dirname "$0")/lib.sh"

# --- S1: whatever the umask, results are their owner's --------------------------------------
umask 000
expect 0 "" "$meshway" run 8 --root 1 --csv l.csv --tree t.txt --levels v.txt --results res -q
expect 0 "" "$meshway" gen 8 g.el -q
open=$(find . -type f ! -name out ! -name err -perm /077)
[ -z "$open" ] || wrong "others may read $open"
open=$(find res -type d -perm /077)
[ -z "$open" ] || wrong "others may enter $open"
[ -n "$(find res -name 'meshway-*.json')" ] || wrong "no result to look at"
[ -z "$(find . -name '.meshway-*')" ] || wrong "temporaries are left"
umask 022

# --- what a sanitizer brings along is its own ---------------------------------------------------
if [ "$hardened" = 1 ]; then
    # S3, S4, S10, S14: functions that the program itself does not import.
    nm -D --undefined-only "$meshway" | sed 's/.* U //; s/@.*//' >imports
    [ "$(wc -l <imports)" -gt 50 ] || wrong "nm shows $(wc -l <imports) imports"
    for name in socket bind listen accept connect shm_open shmget mq_open \
        system popen ptrace setuid seteuid dlopen mktemp tmpnam tempnam gets; do
        n_commands=$((n_commands + 1))
        ! grep -qx "$name" imports || wrong "$name() is imported"
    done
    # S11
    readelf -hW "$meshway" | grep -q 'Type: *DYN' || wrong "not position independent"
    readelf -dW "$meshway" | grep -q 'BIND_NOW' || wrong "symbols are bound late"
    readelf -lW "$meshway" | grep -q 'GNU_RELRO' || wrong "no RELRO"
    readelf -lW "$meshway" | grep 'GNU_STACK' | grep -q 'RWE' && wrong "an executable stack"
    grep -qx '__stack_chk_fail' imports || wrong "no stack protector"
    grep -q '_chk$' imports || wrong "no fortified calls"
fi

# --- S4, S6, S10: what the sources do not do ------------------------------------------------------
if [ -d "$source/src" ]; then
    grep -rnE '\b(eval|exec)\(|shell=True|import pickle|os\.system' "$source/tools" --include='*.py' &&
        wrong "Python that runs what it reads"
    grep -rnE 'FetchContent|ExternalProject|file\(DOWNLOAD' "$source/cmake" "$source/CMakeLists.txt" \
        "$source/src" && wrong "a build that needs the network"
fi

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
