"""sunway.py -- bsub of Sunway machines, where a compute node may have no shell: each point is a bsub of
its own, interactive, from a script on a login node. As share/sunway/nodes.bsub; never submitted.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from .batch import Job, Shape, field

name = "sunway"
prefix = ""
index = ""
again = ""
core_groups = 4  # of a node of the SW26010; a rank has one, with its 64 cores
tell = 'kill -TERM "$pid"'
listing: list[str] = []


def command(shape: Shape, own: dict[str, Any], mpi: str) -> list[str]:
    return ["bsub", "-I", "-b", "-q", field(own["queue"] or "q_sw_expr", "queue"), "-N", str(shape.nodes),
            "-np", str(shape.per_node), "-cgsp", "64", "-share_size", "6500", "-host_stack", "512", *own["launcher-arg"]]


def setup(mpi: str) -> list[str]:
    return ["# On a login node: sh this-script. NEVER SUBMITTED (docs/sunway.md)."]


def header(job: Job) -> list[str]:
    return []


def submit(script: Path) -> tuple[list[str], Path | None]:
    return ["sh", script.name], None
