"""slurm.py -- job arrays of Slurm. USR1 comes two minutes before the limit, to the batch shell only (B:); an
element that was warned or pre-empted is queued again.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from .batch import Job, Shape

name = "slurm"
prefix = "#SBATCH"
index = '"$SLURM_ARRAY_TASK_ID"'
again = ('[ "${SLURM_RESTART_COUNT:-0}" -lt 3 ] && scontrol requeue '
         '"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"')
core_groups = 0
tell = 'scancel --signal=TERM "$SLURM_JOB_ID"'  # reaches all steps; TERM to srun makes it kill its ranks at once
listing: list[str] = ["squeue", "-h", "-o", "%F"]  # of an array the one number that sbatch has said


def command(shape: Shape, own: dict[str, Any], mpi: str) -> list[str]:
    # Since 22.05 srun does not take -c from the job: each rank would have one core. Ranks of a node
    # reach each other's devices, which a binding of devices to tasks would hide.
    unhidden = ["--gpu-bind=none"] if own.get("gpus-per-rank") else []
    return ["srun", "-n", str(shape.ranks), "-c", str(shape.threads), *unhidden, *own["launcher-arg"]]


def setup(mpi: str) -> list[str]:
    # With --export=NONE srun would pass nothing on either. Where a site has no MpiDefault, srun starts ranks
    # that do not find each other.
    kind = "pmix" if "Open MPI" in mpi else "pmi2"
    return ["export SLURM_EXPORT_ENV=ALL",
            "if [ -z \"${SLURM_MPI_TYPE:-}\" ] && scontrol show config | grep -q '^MpiDefault *= *none' &&",
            f"    srun --mpi=list 2>&1 | grep -qw {kind}; then export SLURM_MPI_TYPE={kind}; fi"]


def header(job: Job) -> list[str]:
    shape = job.shape
    lines = [f"--job-name={job.name}", f"--array=0-{len(job.points) - 1}", f"--nodes={shape.nodes}",
             f"--ntasks={shape.ranks}", f"--ntasks-per-node={shape.per_node}", f"--cpus-per-task={shape.threads}",
             f"--time={job.clock}", "--signal=B:USR1@120", "--requeue", "--open-mode=append", "--export=NONE",
             "--output=slurm-%A_%a.log"]
    lines += [f"--mem={job.memory_mib}M"] if job.memory_mib else []
    lines += [f"--gpus-per-node={job.gpus_per_node}"] if job.gpus_per_node else []
    lines += [f"--partition={job.queue}"] if job.queue else []
    lines += [f"--account={job.account}"] if job.account else []
    return lines


def submit(script: Path) -> tuple[list[str], Path | None]:
    return ["sbatch", script.name], None
