"""launchers -- who starts the ranks of a point: mpiexec at once, or a batch system by scripts.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Iterable

from ..options import wrong

HERE = "mpiexec runs points here and writes no jobs; --launcher slurm, pbs, lsf or sunway does"
NO_MPIEXEC = "starts the ranks itself; --launcher-arg adds words to it"
# Options that a launcher has no word for. They are refused, for nobody would see that they were left out.
LACKS = {
    "mpiexec": dict.fromkeys(("submit", "queue", "account", "ranks-per-node", "node-memory", "gpus-per-rank",
                              "batch-line", "preamble"), HERE),
    "slurm": {"mpiexec": f"srun {NO_MPIEXEC}"},
    "sunway": {"mpiexec": f"bsub {NO_MPIEXEC}",
               "account": "no account of a Sunway machine is known; --launcher-arg adds words to bsub",
               "ranks-per-node": "a rank takes a core group, and a node has 4 of them",
               "gpus-per-rank": "a Sunway machine has no GPUs",
               "batch-line": "its script has no directives; --launcher-arg adds words to bsub"},
}


def check_options(launcher: str, given: Iterable[str], who: Any) -> None:
    """`given`: what the user has said, not what a variable or a default has."""
    for name in given:
        if name in LACKS.get(launcher, {}):
            raise wrong(f"{who(name)}: {LACKS[launcher][name]}")
