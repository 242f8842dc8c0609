"""provenance.py -- what tells where a result comes from, item by item.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
from typing import Any

from .study import Run

# What tells where a result comes from, as (name, where it stands). What every point has another value of by
# its nature, such as its start, is no difference.
ITEMS = (
    *((f"program, {k.replace('_', ' ')}", ("provenance", "build", k)) for k in
      ("version", "commit", "dirty", "build_type", "compiler", "flags", "target", "mpi")),
    *((k.replace("_", " "), ("provenance", "machine", k)) for k in
      ("host", "kernel", "cpu", "n_cpus", "n_numa", "governor", "smt", "transparent_hugepage", "cpuset", "cgroup_cpu",
       "cgroup_memory_bytes", "memory_bytes", "container")),
    *((k.replace("_", " "), ("configuration", k)) for k in
      ("n_hosts", "backend", "engine", "heads", "bottom_up", "key_policy", "clock")),
    ("edge factor", ("graph", "edgefactor")), ("seeds", ("graph", "seeds")))


def value_at(run: Run, where: tuple[str, ...]) -> Any:
    value: Any = {"provenance": run.result.provenance, "configuration": run.result.configuration,
                  "graph": run.result.graph}
    for key in where:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def shown_value(value: Any) -> str:
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value)
