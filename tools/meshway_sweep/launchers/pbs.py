"""pbs.py -- job arrays of PBS. An array has two elements or more; one point is a plain job. Without -V
nothing of the submitting shell's environment goes along.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from .batch import Job

name = "pbs"
index = '"${PBS_ARRAY_INDEX:-0}"'
again = ""


def command(ranks: int, own: dict[str, Any]) -> list[str]:
    return [own["mpiexec"] or "mpiexec", "-n", str(ranks), *own["launcher-arg"]]


def header(job: Job) -> list[str]:
    lines = [f"-N {job.name[:15]}",
             f"-l select={job.nodes}:ncpus={job.per_node * job.threads}:mpiprocs={job.per_node}",
             f"-l walltime={job.clock}", "-r y", "-j oe"]
    lines += [f"-J 0-{len(job.points) - 1}"] if len(job.points) > 1 else []
    lines += [f"-q {job.queue}"] if job.queue else []
    lines += [f"-A {job.account}"] if job.account else []
    return [f"#PBS {line}" for line in lines]


def submit(script: Path) -> tuple[list[str], Path | None]:
    return ["qsub", script.name], None
