"""pbs.py -- job arrays of PBS. An array has two elements or more; one point is a plain job. Without -V
nothing of the submitting shell's environment goes along.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from .batch import Job, Shape
from .mpiexec import in_job

name = "pbs"
prefix = "#PBS"
index = '"${PBS_ARRAY_INDEX:-0}"'
again = ""
core_groups = 0
tell = 'kill -TERM "$pid"'
listing: list[str] = []


def command(shape: Shape, own: dict[str, Any], mpi: str) -> list[str]:
    return in_job(shape.ranks, own, mpi)


def setup(mpi: str) -> list[str]:
    return []


def header(job: Job) -> list[str]:
    shape = job.shape
    # PBS sets OMP_NUM_THREADS to ompthreads, or else to ncpus: to all cores of a node for each of its ranks.
    chunk = [f"select={shape.nodes}", f"ncpus={shape.per_node * shape.threads}", f"mpiprocs={shape.per_node}",
             f"ompthreads={shape.threads}"]
    chunk += [f"mem={job.memory_mib}mb"] if job.memory_mib else []
    chunk += [f"ngpus={job.gpus_per_node}"] if job.gpus_per_node else []
    # Without scatter two chunks may be on one host.
    lines = [f"-N {job.name[:15]}", f"-l {':'.join(chunk)}", "-l place=scatter", f"-l walltime={job.clock}", "-r y", "-j oe"]
    lines += [f"-J 0-{len(job.points) - 1}"] if len(job.points) > 1 else []
    lines += [f"-q {job.queue}"] if job.queue else []
    lines += [f"-A {job.account}"] if job.account else []
    return lines


def submit(script: Path) -> tuple[list[str], Path | None]:
    return ["qsub", script.name], None
