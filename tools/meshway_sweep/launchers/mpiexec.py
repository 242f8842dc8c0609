"""mpiexec.py -- the MPI library's own launcher, here and now.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence


@dataclass(frozen=True)
class Mpiexec:
    path: str | None  # None: the program was built without MPI, and is one rank
    extra: tuple[str, ...]
    mpi: str

    def command(self, ranks: int, oversubscribed: bool) -> list[str]:
        """The words in front of the program."""
        if self.path is None:
            return []
        # Open MPI refuses by itself what the user has just allowed.
        more = ["--oversubscribe"] if oversubscribed and "Open MPI" in self.mpi else []
        return [self.path, "-n", str(ranks), *more, *unbound(self.mpi, self.extra), *self.extra]

    @property
    def one_host(self) -> bool:
        """Words of the user's own may name hosts; without them all ranks are here."""
        return not self.extra


def unbound(mpi: str, words: Sequence[str]) -> list[str]:
    """Open MPI binds a rank to one core, however many threads it has. Meshway places threads itself."""
    return ["--bind-to", "none"] if "Open MPI" in mpi and not any("bind" in word for word in words) else []


def in_job(ranks: int, own: dict[str, Any], mpi: str) -> list[str]:
    """The same in a job, where mpiexec asks the batch system for the hosts."""
    words = own["launcher-arg"]
    return [own["mpiexec"] or "mpiexec", "-n", str(ranks), *unbound(mpi, words), *words]
