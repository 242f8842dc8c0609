"""machine.py -- what a campaign knows of the machine and of the program: cores, digest, environment,
and how fast the machine is just now.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from typing import Any

from .campaign import UNAVAILABLE, SweepError

# Points see these and nothing else. Results may depend on the first, which are part of a point's hash and
# frozen with the campaign; the others only let programs start.
RELEVANT = ("OMP_", "KMP_", "GOMP_", "UCX_", "FI_", "MPIR_CVAR_", "HYDRA_", "OMPI_", "PRTE_", "MESHWAY_",
            "HWLOC_", "NCCL_")
USUAL = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TMPDIR", "TZ", "LD_LIBRARY_PATH",
         "OPAL_PREFIX", "PMIX_INSTALL_PREFIX", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "ASAN_OPTIONS",
         "UBSAN_OPTIONS", "TSAN_OPTIONS")
SECRET = re.compile(r"TOKEN|SECRET|PASSW|JWT|CREDENTIAL|_KEY\b|APIKEY", re.IGNORECASE)
LAUNCHED = re.compile(r"(PMI|PMIX|SLURM_(PROCID|STEP_ID)|OMPI_COMM_WORLD)")
# The sweep's own options may come as variables too; they are no part of what a point is.
OWN = re.compile(r"MESHWAY_(RANKS|PER_RANK_SCALE|PRESET|REPETITIONS|SEED|OUT|LAUNCHER|MPIEXEC|LAUNCHER_ARG|QUEUE|"
                 r"ACCOUNT|RANKS_PER_NODE|NODE_MEMORY|GPUS_PER_RANK|BATCH_LINE|PREAMBLE|RATES|LINK|WALL_LIMIT|GRACE|RETRIES|PASS_ENVIRONMENT|JSON|RESULTS)\Z")


def relevant_environment(environment: dict[str, str]) -> dict[str, str]:
    return {k: v for k, v in sorted(environment.items())
            if k.startswith(RELEVANT) and not SECRET.search(k) and not OWN.match(k) and not LAUNCHED.match(k)}


def other_environment(environment: dict[str, str], names: list[str]) -> dict[str, str]:
    """What else points see: the usual, and what the user names ("SSH_*", "KRB5CCNAME")."""
    wanted = [n for text in names for n in text.split(",") if n]
    exact = {*USUAL, *(n for n in wanted if not n.endswith("*"))}
    begins = tuple(n[:-1] for n in wanted if n.endswith("*"))
    return {k: v for k, v in sorted(environment.items())
            if k in exact or (begins and k.startswith(begins) and not SECRET.search(k))}


def n_cores() -> int:
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Program:
    path: str
    version: str
    commit: str
    sha256: str
    mpi: str

    @property
    def document(self) -> dict[str, str]:
        return {"version": self.version, "commit": self.commit, "sha256": self.sha256}


def program_at(path: str) -> Program:
    try:
        with open(path, "rb") as f:
            digest = hashlib.file_digest(f, "sha256").hexdigest()
        build: dict[str, Any] = json.loads(subprocess.run([path, "--version", "--json"], capture_output=True,
                                                          check=True).stdout)
        return Program(path, str(build["version"]), str(build["commit"]) + "+" * bool(build["dirty"]), digest,
                       str(build["mpi"]))
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as e:
        raise SweepError(UNAVAILABLE, f"{path}: does not say what it is: {e}") from None


def find_mpiexec(asked: str | None, mpi: str) -> str | None:
    """The mpiexec of the MPI that the program was built with; None: it needs none."""
    if asked is not None:
        found = shutil.which(asked)
        if found is None:
            raise SweepError(UNAVAILABLE, f"--mpiexec: {asked} is no program that can be started; name a file, or a program in PATH")
        return os.path.abspath(found)
    own = "mpiexec.openmpi" if "Open MPI" in mpi else "mpiexec.mpich" if "MPICH" in mpi else None
    for name in filter(None, (own, "mpiexec")):
        if found := shutil.which(name):
            return os.path.abspath(found)
    return None


# --- a fixed piece of work --------------------------------------------------------------------

_DATA = bytes(range(256)) * (1 << 13)  # 2 MiB: does not fit into most second-level caches


def calibrate() -> float:
    """Seconds that a fixed piece of work takes: arithmetic and memory, about 5 ms, the best of three. It
    says whether two points ran on the same machine in the same state; it says nothing about graphs."""
    best = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        hashlib.sha256(_DATA).digest()
        for _ in range(4):
            bytearray(_DATA)
        best = min(best, time.perf_counter() - begin)
    return best
