#!/bin/sh
#SBATCH --job-name=c-2x3
#SBATCH --array=0-1
#SBATCH --nodes=1
#SBATCH --ntasks=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=3
#SBATCH --time=01:03:00
#SBATCH --signal=B:USR1@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --export=NONE
#SBATCH --output=slurm-%A_%a.log
#SBATCH --mem=65536M
#SBATCH --gpus-per-node=4
#SBATCH --partition=short
#SBATCH --account=graph
#SBATCH of my own
# Ranks: 2, threads of each: 3, points: 2. Made by 'meshway sweep'.
export OMP_PLACES='it'"'"'s $(touch pwned)'
export PATH='@FOLDER@:/usr/bin:/bin'
module() { echo "$UNSET"; }
module load mpi
export SLURM_EXPORT_ENV=ALL
if [ -z "${SLURM_MPI_TYPE:-}" ] && scontrol show config | grep -q '^MpiDefault *= *none' &&
    srun --mpi=list 2>&1 | grep -qw pmi2; then export SLURM_MPI_TYPE=pmi2; fi
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
    trap 'warned=yes; [ -z "$pid" ] || scancel --signal=TERM "$SLURM_JOB_ID" 2>/dev/null' USR1 TERM
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
case "$SLURM_ARRAY_TASK_ID" in
0) cd '@FOLDER@/c/points'/@0@ && set -- srun -n 2 -c 3 --gpu-bind=none '@FOLDER@/meshway' run --roots 4 --threads 3 --scale 9 --routing direct,relay --json result.json ;;
1) cd '@FOLDER@/c/points'/@3@ && set -- srun -n 2 -c 3 --gpu-bind=none '@FOLDER@/meshway' run --roots 4 --threads 3 --scale 9 --routing direct,relay --json result.json ;;
*) echo 'no such point' >&2; false ;;
esac || exit 73
one_point "$@"
code=$?
if [ -n "${warned:-}" ] && [ "$code" -ne 0 ]; then [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ] && scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"; fi
exit "$code"
