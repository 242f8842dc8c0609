#!/bin/sh
#BSUB -J "c-1x3[1-2]"
#BSUB -n 1
#BSUB -R "span[ptile=1]"
#BSUB -R "affinity[core(3)]"
#BSUB -R "rusage[mem=65536MB/host]"
#BSUB -gpu "num=2:j_exclusive=yes"
#BSUB -W 63
#BSUB -wt 2
#BSUB -wa USR1
#BSUB -r
#BSUB -env "none"
#BSUB -o lsf-%J_%I.log
#BSUB -q short
#BSUB -P graph
#BSUB of my own
# Ranks: 1, threads of each: 3, points: 2. Made by 'meshway sweep'.
export OMP_PLACES='it'"'"'s $(touch pwned)'
export PATH='@FOLDER@:/usr/bin:/bin'
module() { echo "$UNSET"; }
module load mpi
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
case "$((LSB_JOBINDEX - 1))" in
0) cd '@FOLDER@/c/points'/@1@ && set -- '@FOLDER@/mpiexec' -n 1 '@FOLDER@/meshway' run --roots 4 --threads 3 --scale 8 --routing direct,relay --json result.json ;;
1) cd '@FOLDER@/c/points'/@2@ && set -- '@FOLDER@/mpiexec' -n 1 '@FOLDER@/meshway' run --roots 4 --threads 3 --scale 8 --routing direct,relay --json result.json ;;
*) echo 'no such point' >&2; false ;;
esac || exit 73
one_point "$@"
code=$?
exit "$code"
