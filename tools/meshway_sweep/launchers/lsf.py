"""lsf.py -- job arrays of LSF, whose elements are counted from one. bsub reads the script from its
standard input.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from .batch import Job, Shape
from .mpiexec import in_job

name = "lsf"
prefix = "#BSUB"
index = '"$((LSB_JOBINDEX - 1))"'
again = ""
core_groups = 0
tell = 'kill -TERM "$pid"'
listing: list[str] = []


def command(shape: Shape, own: dict[str, Any], mpi: str) -> list[str]:
    return in_job(shape.ranks, own, mpi)


def setup(mpi: str) -> list[str]:
    return []


def header(job: Job) -> list[str]:
    lines = [f'-J "{job.name}[1-{len(job.points)}]"', f"-n {job.shape.ranks}", f'-R "span[ptile={job.shape.per_node}]"',
             f'-R "affinity[core({job.shape.threads})]"']
    # A site's default may be another unit, and each task instead of each host.
    lines += [f'-R "rusage[mem={job.memory_mib}MB/host]"'] if job.memory_mib else []
    lines += [f'-gpu "num={job.gpus_per_node}:j_exclusive=yes"'] if job.gpus_per_node else []
    lines += [f"-W {-(-job.limit_s // 60)}", "-wt 2", "-wa USR1", "-r", '-env "none"', "-o lsf-%J_%I.log"]
    lines += [f"-q {job.queue}"] if job.queue else []
    lines += [f"-P {job.account}"] if job.account else []
    return lines


def submit(script: Path) -> tuple[list[str], Path | None]:
    return ["bsub"], script
