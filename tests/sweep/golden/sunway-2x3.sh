#!/bin/sh
# Ranks: 2, threads of each: 3, points: 2. Made by 'meshway sweep'.
export OMP_PLACES='it'"'"'s $(touch pwned)'
export PATH='@FOLDER@:/usr/bin:/bin'
# On a login node: sh this-script. NEVER SUBMITTED (docs/sunway.md).
set -u
one_point() {
    if [ -e ended ] && [ "$(head -n 1 ended)" = 0 ]; then return 0; fi
    n=1 resume=
    while [ -e "try-$n" ]; do n=$((n + 1)); done
    if [ -e stdout ] || [ -e ended ]; then
        mkdir "try-$n" || return 73
        for file in *; do
            case $file in try-*|plan.json|cmd.json) ;; *) mv "$file" "try-$n/" || return 73 ;; esac
        done
        n=$((n + 1))
    fi
    case $(head -n 1 "try-$((n - 1))/ended" 2>/dev/null) in
    64|65) ;;
    *) for file in "try-$((n - 1))"/result*.json; do
           if [ -e "$file" ]; then cp "$file" . && resume="--resume result.json"; fi
       done ;;
    esac
    started=$(date -u +%Y-%m-%dT%H:%M:%SZ) begin=$(date +%s) warned= pid=
    trap 'warned=yes; [ -z "$pid" ] || kill -TERM "$pid" 2>/dev/null' USR1 TERM
    "$@" $resume >stdout 2>stderr </dev/null &
    pid=$!
    while :; do
        wait "$pid"
        code=$?
        kill -0 "$pid" 2>/dev/null || break
    done
    trap - USR1 TERM
    printf '%s\n%s\n%s\n' "$code" "$started" $(($(date +%s) - begin)) >.ended && mv .ended ended || return 74
    case $resume$code in --*64|--*65) one_point "$@"; return ;; esac
    return "$code"
}
(cd '@FOLDER@/c/points'/@0@ && one_point bsub -I -b -q short -N 1 -np 2 -cgsp 64 -share_size 6500 -host_stack 512 '@FOLDER@/meshway' run --roots 4 --threads 3 --scale 9 --routing direct,relay --json result.json)
(cd '@FOLDER@/c/points'/@3@ && one_point bsub -I -b -q short -N 1 -np 2 -cgsp 64 -share_size 6500 -host_stack 512 '@FOLDER@/meshway' run --roots 4 --threads 3 --scale 9 --routing direct,relay --json result.json)
exit 0 # how each point ended is for 'meshway sweep collect'
