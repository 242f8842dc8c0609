"""sunway.py -- bsub of Sunway machines, where a compute node may have no shell: each point is a bsub of
its own, interactive, from a script on a login node. As share/sunway/nodes.bsub; never submitted.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from .batch import Job, field

name = "sunway"
index = ""
again = ""
CORE_GROUPS = 4  # of a node of the SW26010


def command(ranks: int, own: dict[str, Any]) -> list[str]:
    per_node = min(CORE_GROUPS, ranks)
    return ["bsub", "-I", "-b", "-q", field(own["queue"] or "q_sw_expr", "queue"), "-N", str(-(-ranks // per_node)),
            "-np", str(per_node), "-cgsp", "64", "-share_size", "6500", "-host_stack", "512", *own["launcher-arg"]]


def header(job: Job) -> list[str]:
    return ["# On a login node: sh this-script. NEVER SUBMITTED (docs/sunway.md)."]


def submit(script: Path) -> tuple[list[str], Path | None]:
    return ["sh", script.name], None
