#!/bin/sh
# test_security.sh MESHWAY SOURCE HARDENED -- what SECURITY.md promises of the program's file, of what it
# imports, and of what it leaves. HARDENED is 1 for a release build without sanitizers.
set -u
meshway=$1
source=$2
hardened=$3
. "$(dirname "$0")/lib.sh"

# --- S1: results follow the umask, and so do folders that are named; one in the home is its owner's --
# --- S8: and nobody's secrets are in them ----------------------------------------------------------
secret=planted-7f3a
for name in SECRET_TOKEN AWS_SECRET_ACCESS_KEY MESHWAY_API_TOKEN UCX_PASSWORD OMP_JWT; do
    export $name=$secret
done
# modes UMASK FILES FOLDERS: one output of each kind, in a folder of its own.
modes() {
    mkdir "under$1" && cd "under$1" || exit 1
    umask "$1"
    expect 0 "" "$meshway" run 8 --root 1 --csv l.csv --tree t.txt --levels v.txt --trace c.json --results res/r -v
    cat out err >>../said
    expect 0 "" "$meshway" run 8 --backend emul --root 1 --json e.json --emul-dot e.dot -q
    expect 0 "" "$meshway" gen 8 g.el -q
    expect 0 "" "$meshway" convert g.el g.sg -q
    ! has_layouts || expect 0 "" "$meshway" layout export one-router --svg p.svg
    expect 0 "" "$meshway" model --write-profile p.json
    asked '"done":2,' err 75 "SIGTERM" "$meshway" run 16 --roots 1000000 --json i.json --progress json
    cat out err >>../said
    umask 022
    rm -f out err
    other=$(find . -type f ! -perm "$2")
    [ -z "$other" ] || wrong "umask $1: not $2: $other"
    other=$(find res -type d ! -perm "$3")
    [ -z "$other" ] || wrong "umask $1: not $3: $other"
    [ "$(find . -type f | wc -l)" -ge 9 ] || wrong "umask $1: only $(find . -type f)"
    [ -z "$(find . -name '.meshway-*')" ] || wrong "temporaries are left"
    cd "$work" || exit 1
}
modes 000 666 777
modes 022 644 755
modes 027 640 750
modes 077 600 700
umask 000
expect 0 "" "$meshway" run 8 --root 1 -q
umask 022
[ -z "$(find state -type d -perm /077)" ] || wrong "others may enter the folder in the home"
[ -n "$(find state -name 'meshway-*.json')" ] || wrong "no result to look at"
if leaks=$(grep -rl -e $secret .); then wrong "a secret stands in $leaks"; fi
# The unknown one is named in a warning, without its value.
grep -q MESHWAY_API_TOKEN said || wrong "no word on MESHWAY_API_TOKEN"

# A file that is replaced leaves its mode to the new one.
expect 0 "" "$meshway" gen 8 g.el -q
chmod 600 g.el
expect 0 "" "$meshway" gen 8 g.el -q -f
[ -n "$(find g.el -perm 600)" ] || wrong "--force opens a closed file"

# --- S2: a link where a file will stand is replaced or refused, never followed ------------------
echo precious >victim
for option in --json --csv --tree --trace; do
    ln -s victim link
    expect 73 "link" "$meshway" run 8 --root 1 --json none $option link -q
    expect 0 "" "$meshway" run 8 --root 1 --json none $option link -q --force
    [ "$(cat victim)" = precious ] || wrong "$option wrote through a link"
    [ -f link ] && [ ! -h link ] || wrong "$option --force: the link is still one"
    rm -f link
done

# --- S4, S5: a name is data, whoever starts what --------------------------------------------------
strange='$(touch pwned); `touch pwned`.el'
cp g.el "$strange"
expect 0 "" "$meshway" run "$strange" --root 1 --json "$strange.json" --tree "$strange.t" -q
expect 0 "" "$meshway" run "./$strange" --root 1,2 --resume "$strange.json" -q
[ -s "$strange.json" ] || wrong "no result of a graph with a strange name"
[ ! -e pwned ] || wrong "a name was run"

# --- S13: what others have in shared memory is theirs ---------------------------------------------
others=/dev/shm/meshway-of-others-$$
if (echo precious >"$others") 2>/dev/null; then
    expect 0 "" "$meshway" run 8 --root 1 --json none -q
    [ "$(cat "$others")" = precious ] || wrong "$others has changed"
    rm -f "$others"
fi

# --- what a sanitizer brings along is its own ---------------------------------------------------
if [ "$hardened" = 1 ]; then
    # S3, S4, S10, S14: functions that the program itself does not import.
    nm -D --undefined-only "$meshway" | sed 's/.* U //; s/@.*//' >imports
    [ "$(wc -l <imports)" -gt 50 ] || wrong "nm shows $(wc -l <imports) imports"
    for name in socket bind listen accept connect shm_open shmget mq_open \
        system popen ptrace setuid seteuid mktemp tmpnam tempnam gets; do
        n_commands=$((n_commands + 1))
        ! grep -qx "$name" imports || wrong "$name() is imported"
    done
    # S14: three libraries of a device's maker, by names of their own and never a path; and in one file a
    # plug-in, by the user's path with a slash, and the library that it is part of.
    opened=$(cd "$source" && grep -rhow 'dlopen([^,]*' src layouts portability | sort -u | tr '\n' ' ')
    [ "$opened" = 'dlopen("libcuda.so.1" dlopen("libnvidia-ml.so.1" dlopen(MW_KOKKOS_NCCL dlopen(ours.dli_fname dlopen(path ' ] ||
        wrong "opened are: $opened"
    elsewhere=$(cd "$source" && grep -rlw 'dlopen(\(path\|ours\)' src layouts portability)
    [ "$elsewhere" = src/algorithms/registry.c ] || wrong "opened by a path in: $elsewhere"
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
        "$source/src" "$source/layouts" --exclude=kokkos.cmake && wrong "a build that needs the network"
    # Kokkos is fetched for who asks, by its checksum.
    grep -q '^option(MW_KOKKOS_FETCH .* OFF)$' "$source/cmake/kokkos.cmake" || wrong "Kokkos is fetched unasked"
    grep -A1 'FetchContent_Declare' "$source/cmake/kokkos.cmake" | grep -q 'URL_HASH SHA256=' ||
        wrong "Kokkos is fetched without a checksum"
fi

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
