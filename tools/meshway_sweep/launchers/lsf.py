"""lsf.py -- job arrays of LSF, whose elements are counted from one. bsub reads the script from its
standard input.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from .batch import Job

name = "lsf"
index = '"$((LSB_JOBINDEX - 1))"'
again = ""


def command(ranks: int, own: dict[str, Any]) -> list[str]:
    return [own["mpiexec"] or "mpiexec", "-n", str(ranks), *own["launcher-arg"]]


def header(job: Job) -> list[str]:
    lines = [f'-J "{job.name}[1-{len(job.points)}]"', f"-n {job.ranks}", f'-R "span[ptile={job.per_node}]"',
             f'-R "affinity[core({job.threads})]"', f"-W {-(-job.limit_s // 60)}", "-wt 2", "-wa USR1", "-r",
             '-env "none"', "-o lsf-%J_%I.log"]
    lines += [f"-q {job.queue}"] if job.queue else []
    lines += [f"-P {job.account}"] if job.account else []
    return [f"#BSUB {line}" for line in lines]


def submit(script: Path) -> tuple[list[str], Path | None]:
    return ["bsub"], script
