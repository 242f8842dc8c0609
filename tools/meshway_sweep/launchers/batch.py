"""batch.py -- a campaign as scripts for a batch system: an array of jobs for each number of ranks, whose
elements run one point each and need no Python where they run.

What a job leaves in a point's directory is what the runner would (stdout, stderr, result*.json), and
`ended`: its code, when it began, and its seconds. `meshway sweep collect` checks it and writes outcome.json.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import importlib
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ..campaign import DATA, NO_INPUT, UNAVAILABLE, Campaign, Point, SweepError, read_bytes, write_bytes
from ..options import bytes_of, shown, wrong

FIELD = re.compile(r"[A-Za-z0-9_.,=:/+-]*\Z")  # what may stand in a line of directives, which nothing quotes
SUBMITTED = "submitted"  # of DIR/batch: a line for each job
MARGIN_S = 180  # of a job's time beyond a point's wall limit: starting, and the warning two minutes ahead


@dataclass(frozen=True)
class Shape:
    """How the ranks of a point lie on nodes."""

    ranks: int
    threads: int  # of a rank, and so its cores
    per_node: int

    @property
    def nodes(self) -> int:
        return -(-self.ranks // self.per_node)


@dataclass(frozen=True)
class Job:
    """One script: points of one shape."""

    name: str
    shape: Shape
    limit_s: int
    queue: str
    account: str
    memory_mib: int  # of a node; 0: none is asked for
    gpus_per_node: int
    points: tuple[Point, ...]

    @property
    def clock(self) -> str:
        return f"{self.limit_s // 3600:02}:{self.limit_s // 60 % 60:02}:{self.limit_s % 60:02}"


class System(Protocol):
    name: str
    prefix: str  # of directives; "": there are none
    index: str  # which element of the array this is, as the shell says it
    again: str  # a command that queues this element again; "": the system does so itself
    core_groups: int  # ranks of a node where the machine fixes them, on each node as many; 0: it does not
    tell: str  # a command that asks the ranks to save and end
    listing: list[str]  # a command that names the jobs in the queue; []: none is known

    def command(self, shape: Shape, own: dict[str, Any], mpi: str) -> list[str]: ...
    def header(self, job: Job) -> list[str]: ...
    def setup(self, mpi: str) -> list[str]: ...  # lines of the shell, after the user's own
    def submit(self, script: Path) -> tuple[list[str], Path | None]: ...


# One point, in its directory. `set --` holds the exact command. USR1 and TERM are warnings that time
# is over: the ranks save what is finished, and the point is for another time, which goes on from it; what a run
# refuses to go on from (64, 65) is made anew.
POINT = r"""
one_point() {
    if [ -e ended ] && [ "$(head -n 1 ended)" = 0 ]; then return 0; fi
    n=1 resume=
    while [ -e "try-$n" ]; do n=$((n + 1)); done
    if [ -e stdout ] || [ -e ended ]; then
        mkdir "try-$n" || return 73
        for file in *; do
            case $file in try-*|plan.json|cmd.json) ;; *) mv "$file" "try-$n/" || return 73 ;; esac
        done
        n=$((n + 1))
    fi
    case $(head -n 1 "try-$((n - 1))/ended" 2>/dev/null) in
    64|65) ;;
    *) for file in "try-$((n - 1))"/result*.json; do
           if [ -e "$file" ]; then cp "$file" . && resume="--resume result.json"; fi
       done ;;
    esac
    started=$(date -u +%Y-%m-%dT%H:%M:%SZ) begin=$(date +%s) warned= pid=
    trap 'warned=yes; [ -z "$pid" ] || @TELL@ 2>/dev/null' USR1 TERM
    "$@" $resume >stdout 2>stderr </dev/null &
    pid=$!
    while :; do
        wait "$pid"
        code=$?
        kill -0 "$pid" 2>/dev/null || break
    done
    trap - USR1 TERM
    printf '%s\n%s\n%s\n' "$code" "$started" $(($(date +%s) - begin)) >.ended && mv .ended ended || return 74
    case $resume$code in --*64|--*65) one_point "$@"; return ;; esac
    return "$code"
}
"""


def field(value: Any, option: str) -> str:
    if FIELD.match(str(value)) is None:
        raise wrong(f"--{option}: {shown(value)} cannot stand in a job's directives, which have no quotes; letters, "
                    "digits and _.,=:/+- may")
    return str(value)


def most_per_node(system: System, own: dict[str, Any]) -> int:
    return system.core_groups or own["ranks-per-node"]


def shape_of(system: System, axes: dict[str, Any], own: dict[str, Any]) -> Shape:
    ranks = axes["ranks"]
    per_node = min(most_per_node(system, own), ranks)
    if system.core_groups:  # each node has the same number
        per_node = next(n for n in range(per_node, 0, -1) if ranks % n == 0)
    return Shape(ranks, axes.get("threads") or 1, per_node)


def jobs_of(system: System, campaign: Campaign, missing: list[Point]) -> list[Job]:
    own = campaign.options
    shapes: dict[Shape, list[Point]] = {}
    for point in missing:
        shapes.setdefault(shape_of(system, point.axes, own), []).append(point)
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", campaign.name)[:40]
    memory_mib = bytes_of(own["node-memory"] or "0") >> 20
    return [Job(f"{name}-{shape.ranks}x{shape.threads}", shape, int(own["wall-limit"]) + MARGIN_S,
                field(own["queue"] or "", "queue"), field(own["account"] or "", "account"), memory_mib,
                shape.per_node * (own.get("gpus-per-rank") or 0), tuple(points))
            for shape, points in sorted(shapes.items(), key=lambda item: (item[0].ranks, item[0].threads))]


def check_line(system: System, line: str) -> None:
    """A line that the system does not read would end its reading of all that follow."""
    if not line.startswith("#") or not line.isprintable():
        raise wrong(f"--batch-line: {shown(line)} is no line of directives; write one with its first word, as in "
                    f"--batch-line '{system.prefix} ...'")


def read_preamble(path: Path) -> str:
    """Lines of the user's for the shell of each job, in which at least the shell finds no fault."""
    try:
        text = path.read_text()
    except OSError as e:
        raise SweepError(NO_INPUT, f"--preamble: {path}: {e.strerror}") from None
    except UnicodeDecodeError as e:
        raise SweepError(DATA, f"--preamble: {path}: is not UTF-8 at byte {e.start}") from None
    seen = subprocess.run(["sh", "-n"], input=text, capture_output=True, text=True)
    if seen.returncode != 0:
        why = (seen.stderr.strip().splitlines() or ["it does not say why"])[0]
        raise SweepError(DATA, f"--preamble: {path}: sh cannot read it: {why}")
    return text.rstrip("\n")


def script_of(system: System, job: Job, campaign: Campaign) -> str:
    own = campaign.options
    lines = ["#!/bin/sh", *(f"{system.prefix} {line}" for line in system.header(job)), *own.get("batch-line", []),
             f"# Ranks: {job.shape.ranks}, threads of each: {job.shape.threads}, points: "
             f"{len(job.points)}. Made by 'meshway sweep'."]
    lines += [f"export {name}={shlex.quote(value)}" for name, value in sorted(own["job_environment"].items())]
    # Before set -u: files that make 'module' known use variables that are not set.
    lines += [*filter(None, [own.get("preamble_text")]), *system.setup(own.get("mpi", "")), "set -u",
              POINT.strip("\n").replace("@TELL@", system.tell)]
    place = shlex.quote(str(campaign.folder / "points"))
    if not system.index:  # one after the other, from a login node
        for point in job.points:
            lines += [f"(cd {place}/{point.hash} && one_point {shlex.join(point.argv)})"]
        return "\n".join([*lines, "exit 0 # how each point ended is for 'meshway sweep collect'", ""])
    lines += [f"case {system.index} in"]
    for number, point in enumerate(job.points):
        lines += [f"{number}) cd {place}/{point.hash} && set -- {shlex.join(point.argv)} ;;"]
    lines += ["*) echo 'no such point' >&2; false ;;", "esac || exit 73", 'one_point "$@"', "code=$?"]
    if system.again:
        lines += [f'if [ -n "${{warned:-}}" ] && [ "$code" -ne 0 ]; then {system.again}; fi']
    return "\n".join([*lines, 'exit "$code"', ""])


def system_named(name: str) -> System:
    return importlib.import_module(f".{name}", __package__)  # type: ignore[return-value]


def write(system: System, campaign: Campaign, missing: list[Point]) -> list[Path]:
    """DIR/batch, new each time: what is done needs no job."""
    folder = campaign.folder / "batch"
    if folder.is_dir() and not folder.is_symlink():
        for old in folder.glob("*.sh"):
            old.unlink()
    else:
        folder.mkdir()
    scripts = []
    for job in jobs_of(system, campaign, missing):
        path = folder / f"{system.name}-{job.shape.ranks}x{job.shape.threads}.sh"
        write_bytes(path, script_of(system, job, campaign).encode())
        scripts.append(path)
    return scripts


def submit(system: System, script: Path) -> list[str]:
    """What the batch system answers; the campaign keeps it, since a job's number is in it."""
    argv, stdin = system.submit(script)
    if shutil.which(argv[0]) is None:
        raise SweepError(UNAVAILABLE, f"{argv[0]}: is not in PATH; submit {script} where it is")
    with open(stdin or os.devnull, "rb") as f:
        done = subprocess.run(argv, cwd=script.parent, stdin=f, capture_output=True, text=True)
    if done.returncode != 0:
        why = "; ".join(done.stderr.strip().splitlines()[-2:]) or "it said nothing"  # Slurm names the fault first
        raise SweepError(UNAVAILABLE, f"{argv[0]} {script.name}: ended with code {done.returncode}: {why}")
    said = [line for line in done.stdout.splitlines() if line.strip()]
    if system.index:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(script.parent / SUBMITTED, flags, 0o666), "a") as kept:
            kept.writelines(f"{script.name}: {line}\n" for line in said)
    return said


def still_queued(system: System, campaign: Campaign) -> list[str] | None:
    """The jobs submitted for a campaign that the system still knows; None: it cannot be asked."""
    kept = read_bytes(campaign.folder / "batch" / SUBMITTED)
    if not kept:
        return []
    try:
        done = subprocess.run(system.listing or ["false"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    answers = [line.partition(": ")[2] for line in kept.decode(errors="replace").splitlines()]
    known = done.stdout.split()
    return [job for job in dict.fromkeys(re.findall(r"\b[0-9]+\b", " ".join(answers))) if job in known]


def shell_line(system: System, script: Path) -> str:
    """How a person submits it."""
    argv, stdin = system.submit(script)
    line = f"cd {shlex.quote(str(script.parent))} && {shlex.join(argv)}"
    return line + (f" <{shlex.quote(stdin.name)}" if stdin else "")
