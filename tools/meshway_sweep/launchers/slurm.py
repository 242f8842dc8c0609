"""slurm.py -- job arrays of Slurm. USR1 comes two minutes before the limit, to the batch shell only (B:); an
element that was warned or pre-empted is queued again.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from .batch import Job

name = "slurm"
index = '"$SLURM_ARRAY_TASK_ID"'
again = ('[ "${SLURM_RESTART_COUNT:-0}" -lt 3 ] && scontrol requeue '
         '"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"')


def command(ranks: int, own: dict[str, Any]) -> list[str]:
    return ["srun", "-n", str(ranks), *own["launcher-arg"]]


def header(job: Job) -> list[str]:
    lines = [f"--job-name={job.name}", f"--array=0-{len(job.points) - 1}", f"--nodes={job.nodes}",
             f"--ntasks={job.ranks}", f"--ntasks-per-node={job.per_node}", f"--cpus-per-task={job.threads}",
             f"--time={job.clock}", "--signal=B:USR1@120", "--requeue", "--open-mode=append", "--export=NONE",
             "--output=slurm-%A_%a.log"]
    lines += [f"--partition={job.queue}"] if job.queue else []
    lines += [f"--account={job.account}"] if job.account else []
    # With --export=NONE srun would pass nothing on either.
    return [f"#SBATCH {line}" for line in lines] + ["export SLURM_EXPORT_ENV=ALL"]


def submit(script: Path) -> tuple[list[str], Path | None]:
    return ["sbatch", script.name], None
