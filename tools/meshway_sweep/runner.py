"""runner.py -- makes a campaign, and runs what is missing in it, one point after the other.

Whatever is killed, and whenever: a point is run again unless its results are valid, and is never run
again once they are. At most one runner works on a campaign (a lock that dies with it), each point's
processes end with it, and what a runner that was killed left running is ended before anything is begun.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import dataclasses
import datetime
import errno
import os
import secrets
import signal
import statistics
import time
from pathlib import Path
from typing import Any

from . import campaign as files
from . import machine, points, process
from .campaign import Campaign, Point, SweepError
from .launchers.mpiexec import Mpiexec
from .options import Table
from .plan import Planner, Probe, oversubscribed, probe, refusal
from .progress import Progress, label, say

# A try that ended like this ends the same way the next time.
FINAL = (files.USAGE, files.DATA, files.NO_INPUT, files.UNAVAILABLE, files.CANNOT_CREATE, files.INVALID,
         files.REFUSED)
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS)
NO_FILES = ("plan.json",)  # of a point's directory: no part of a try
RESUME = ["--resume", "result.json"]  # after a run's words: it goes on from what an earlier try has finished


def utc_now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


# --- a new campaign -----------------------------------------------------------------------------


@dataclasses.dataclass
class World:
    """The machine and the program, as a campaign needs them."""

    program: machine.Program
    tables: dict[str, Table]
    relevant: dict[str, str]  # variables that results may depend on
    other: dict[str, str]

    @property
    def environment(self) -> dict[str, str]:
        return {**self.other, **self.relevant}


def world_of(program: str, tables: dict[str, Table], passed: list[str],
             relevant: dict[str, str] | None = None) -> World:
    variables = dict(os.environ)
    if relevant is None:
        relevant = machine.relevant_environment(variables)
    return World(machine.program_at(program), tables, relevant, machine.other_environment(variables, passed))


def launcher_of(own: dict[str, Any], world: World) -> Mpiexec:
    path = machine.find_mpiexec(own["mpiexec"], world.program.mpi)
    return Mpiexec(path, tuple(own["launcher-arg"]), world.program.mpi)


def draft(sweep: points.Sweep, world: World, folder: Path, command: Any, cores: int | None
          ) -> tuple[Campaign, dict[str, dict[str, Any]]]:
    """The campaign and its plans, in memory. `command(spec)`: the words in front of the program;
    `cores`: of this host, None where the points will run on others."""
    run = world.tables["run"]
    own = sweep.own
    if own["seed"] is None:
        own["seed"] = secrets.randbelow(1 << 31)
    specs = points.expand(sweep)
    measured, why = probe([*command(points.Spec({"ranks": 1}, [], {}, 0)), world.program.path, "run"],
                          world.environment) if cores is not None else (None, "the points run elsewhere")
    if measured is None and cores is not None:
        say(f"meshway: warning: times are not predicted: {why}")
    # Of nodes elsewhere nothing is known but what the user says of them.
    elsewhere = (own["ranks-per-node"], own["node-memory"] or "1152921504606846976")
    planner = planner_of(world, sweep.folder, measured, own, *(elsewhere if own["launcher"] != "mpiexec" else ()))
    made: list[Point] = []
    plans: dict[str, dict[str, Any]] = {}
    asked = [(spec, points.run_words(spec, run, sweep.folder)) for spec in specs]
    for (spec, words), answer in zip(asked, planner.plan_all(asked)):
        front = command(spec)
        digest = points.point_hash(words, front, world.program.sha256, world.relevant, spec.repetition)
        too_many = cores is not None and oversubscribed(spec, cores) and not own["oversubscribe"]
        plans[digest] = refusal(spec, cores or 0) if too_many and answer["code"] == 0 else answer
        made.append(Point(folder / "points" / digest, digest, spec.axes, spec.repetition, spec.ways,
                          [*front, world.program.path, "run", *words, "--json", "result.json"]))
    if plans and all(p["code"] == files.USAGE for p in plans.values()):
        raise SweepError(files.USAGE, next(iter(plans.values()))["cause"])
    options = {**{k: v for k, v in own.items() if k not in ("help", "quiet", "file", "of")},
               "axes": sweep.axes, "ways": sweep.ways, "folder": str(sweep.folder),
               "program": world.program.path, "environment": world.relevant}
    document = {**world.program.document, "probe": dataclasses.asdict(measured) if measured else None}
    return Campaign(folder, folder.name, sweep.kind, utc_now(), document, own["seed"], own["repetitions"],
                    options, made), plans


def planner_of(world: World, folder: Path, measured: Probe | None, own: dict[str, Any], *nodes: Any) -> Planner:
    more = [word for name in ("rates", "link") if own.get(name) for word in (f"--{name}", own[name])]
    stored = {name: os.environ[name] for name in ["MESHWAY_RESULTS"] if name in os.environ}  # where rates are, too
    return Planner(world.program.path, world.tables["plan"], world.tables["run"], folder,
                   {**world.environment, **stored}, measured, more, *nodes)


# --- running ------------------------------------------------------------------------------------


class Runner:
    def __init__(self, campaign: Campaign, world: World, limits: dict[str, Any], quiet: bool):
        self.campaign, self.world = campaign, world
        self.wall_limit, self.grace, self.retries = limits["wall-limit"], limits["grace"], limits["retries"]
        self.calibrations = [t for p in campaign.points
                             if (t := (p.outcome or {}).get("calibration_s")) is not None]
        self.progress = Progress(campaign, quiet)
        self.planner = planner_of(world, Path(campaign.options["folder"]), probe_of(campaign), campaign.options)
        self.ratios: list[float] = []

    def run_all(self, signals: process.Signals) -> None:
        """Returns when nothing is left to be tried, or a signal came; SweepError when the disk is full."""
        for index, point in enumerate(self.campaign.points):
            if signals.number:
                return
            if point.done:
                continue
            try:
                self.run_point(index, point, signals)
            except OSError as e:
                raise self.lost(e, point) from e

    def run_point(self, index: int, point: Point, signals: process.Signals) -> None:
        point.folder.mkdir(exist_ok=True)
        if self.take_over(point):
            return self.progress.line(index, point, point.outcome or {"status": "ok"}, "(had ended already)")
        refused = self.refused(point)
        if refused is not None:
            put_aside(point)
            self.keep(point, refused)
            return self.progress.line(index, point, refused)
        for left in range(self.retries, -1, -1):
            outcome = self.try_once(index, point, signals)
            again = outcome["status"] == "failed" and left > 0 and (
                outcome["code"] not in FINAL or outcome["resumed"])
            self.progress.line(index, point, outcome, "(trying again)" if again else "")
            if outcome["code"] == files.IO_ERROR and outcome["status"] == "failed":
                raise OSError(errno.ENOSPC, outcome["cause"])
            if not again:
                return

    def take_over(self, point: Point) -> bool:
        """What a runner that was killed has left: its processes are ended; a run that had come to its
        end is taken as it is."""
        command = files.read_json(point.folder / "cmd.json")
        if command is None or (point.folder / "outcome.json").exists():
            return False
        token = command.get("environment", {}).get(process.TOKEN)
        if isinstance(token, str) and len(token) == 32:
            process.sweep_up(token, self.grace)
        if anew(command) != self.argv(point) or not all(
                files.whole_digest(point.folder / name) and
                files.checksum_holds((point.folder / name).read_bytes()) for name in point.result_names):
            return False
        wall = (point.result() or {}).get("provenance", {}).get("elapsed_s")
        self.keep(point, {"status": "ok", "code": None, "signal": None, "cause": None, "adopted": True,
                          "started": command.get("started"), "wall_s": wall,
                          "calibration_s": command.get("calibration_s"), "drifted": False})
        return True

    def refused(self, point: Point) -> dict[str, Any] | None:
        """A plan that said no is asked for again: there may be more memory now."""
        plan = point.plan
        if plan is None or plan.get("code") != 0:
            options = self.campaign.options
            spec = points.Spec(point.axes, point.ways, points.lists_of(options["ways"], point.axes, options), point.repetition)
            words = points.run_words(spec, self.world.tables["run"], Path(options["folder"]))
            if not options["oversubscribe"] and not options["launcher-arg"] and oversubscribed(
                    spec, machine.n_cores()):
                plan = refusal(spec, machine.n_cores())
            else:
                plan = self.planner.plan(spec, words)
            files.write_json(point.folder / "plan.json", plan)
        if plan["code"] == 0:
            return None
        return {"status": "refused", "code": plan["code"], "signal": None, "cause": plan["cause"],
                "started": utc_now(), "wall_s": None, "calibration_s": None, "drifted": False}

    def argv(self, point: Point) -> list[str]:
        """As the campaign says, by the program that is used now."""
        recorded = self.campaign.options["program"]
        return [self.world.program.path if word == recorded else word for word in point.argv]

    def words_of_resume(self, point: Point) -> list[str]:
        """What the last try has finished is put in place to go on from, if it was this program's and did not
        refuse that itself. The run looks whether it fits."""
        last = point.folder / f"try-{next_try(point.folder) - 1}"
        command = files.read_json(last / "cmd.json")
        code = (files.read_json(last / "outcome.json") or {}).get("code")
        if command is None or anew(command) != self.argv(point) or code in FINAL or (
                command.get("meshway") != self.world.program.document):
            return []
        taken = []
        for name in point.result_names:
            data = files.read_bytes(last / name)
            if data is not None and files.checksum_holds(data):
                files.write_bytes(point.folder / name, data)
                taken += [name]
        return RESUME if taken else []

    def try_once(self, index: int, point: Point, signals: process.Signals) -> dict[str, Any]:
        put_aside(point)
        resume = self.words_of_resume(point)
        calibration = machine.calibrate()
        environment = {**self.world.environment, process.TOKEN: secrets.token_hex(16)}
        argv, started = [*self.argv(point), *resume], utc_now()
        # Where the user's things lie is nobody's business in an anonymous campaign.
        shown = {k: "" if point.axes.get("anonymize") and k in machine.USUAL else v for k, v in environment.items()}
        files.write_json(point.folder / "cmd.json", {
            "argv": argv, "environment": shown, "axes": point.axes, "repetition": point.repetition,
            "ways": point.ways, "started": started, "calibration_s": calibration, "runner": os.getpid(),
            "meshway": self.world.program.document})
        child = start(point, argv, environment)
        timed_out = stopped = False
        try:
            until = child.begin + self.wall_limit
            while not child.wait(signals, min(until, time.monotonic() + 0.5 if self.progress.live else until)):
                timed_out, stopped = child.elapsed_s >= self.wall_limit, signals.number != 0
                if timed_out or stopped:
                    child.end(signals, self.grace)
                    break
                self.progress.running(index, point, child.elapsed_s, self.time_left(index, child.elapsed_s))
        except BaseException:
            child.end(signals, 0)
            raise
        finally:
            elapsed = child.elapsed_s
            if child.process.returncode != 0:  # mpiexec may be gone without its ranks
                process.sweep_up(child.token, self.grace)
            child.close()
        code = child.process.returncode
        outcome = {**self.judge(point, code, timed_out, stopped and signals.number), "started": started,
                   "resumed": bool(resume), "wall_s": round(elapsed, 6), "calibration_s": round(calibration, 9),
                   "drifted": files.drifted(calibration, self.median([*self.calibrations, calibration]))}
        self.calibrations.append(calibration)
        self.keep(point, outcome)
        predicted = (point.plan or {}).get("time_s")
        if outcome["status"] == "ok" and predicted:
            self.ratios.append(elapsed / predicted)
        return outcome

    def judge(self, point: Point, code: int, timed_out: bool, signal_number: int) -> dict[str, Any]:
        """mpiexec's code is a hint; what counts is a whole result that says "ok"."""
        killed = -code if code < 0 else None
        status, cause = "failed", None
        if code not in (files.IO_ERROR,) and all(files.whole_digest(point.folder / n) for n in point.result_names):
            status = "ok"
        elif signal_number:
            status, cause = "interrupted", f"the sweep was ended by {signal.Signals(signal_number).name}"
        elif timed_out:
            status, cause = "timeout", f"ran for {self.wall_limit:g} s (--wall-limit)"
        elif not point.folder.is_dir():
            cause = "its directory has vanished"
        else:
            cause = complaint(point.folder / "stderr")
            if killed is not None:
                cause = f"the launcher was killed by {signal_name(killed)}" + (f"; {cause}" if cause else "")
            elif code == 0:
                cause = "ended with code 0, but without a whole result" + (f"; {cause}" if cause else "")
            elif not cause:
                cause = f"ended with code {code} and said nothing"
        return {"status": status, "code": code if code >= 0 else None, "signal": killed, "cause": cause}

    def keep(self, point: Point, outcome: dict[str, Any]) -> None:
        keep(point, outcome, self.world.program.sha256,
             oversubscribed(points.Spec(point.axes, [], {}, 0), machine.n_cores()))

    def lost(self, error: OSError, point: Point) -> SweepError:
        folder = self.campaign.folder
        if not (folder / "campaign.json").exists():
            return SweepError(files.IO_ERROR, f"{folder}: has vanished; when it is there again, "
                              f"'meshway sweep resume {folder}' goes on")
        if error.errno in FULL:
            return SweepError(files.IO_ERROR, f"{folder}: cannot be written ({error.strerror}); what is "
                              f"finished is whole; make room, then 'meshway sweep resume {folder}' goes on")
        return SweepError(files.CANNOT_CREATE, f"{error.filename or point.folder}: {error.strerror}; "
                          f"'meshway sweep resume {folder}' goes on when that is mended")

    def time_left(self, index: int, elapsed_s: float) -> float | None:
        times = [(p.plan or {}).get("time_s") for p in self.campaign.points[index:] if not p.done]
        if not times or None in times:
            return None
        ratio = self.median(self.ratios) or 1.0
        return max(0.0, sum(times) * ratio - elapsed_s)  # type: ignore[arg-type]

    @staticmethod
    def median(values: list[float]) -> float | None:
        return statistics.median(values) if values else None


def keep(point: Point, outcome: dict[str, Any], program_sha256: str, is_oversubscribed: bool) -> None:
    """The last step of a try: from here on it is done, or known not to be."""
    outcome["tries"] = 1 + sum(1 for _ in point.folder.glob("try-*")) if point.folder.is_dir() else 1
    outcome["oversubscribed"] = is_oversubscribed
    outcome["program_sha256"] = program_sha256
    sums = {name: files.whole_digest(point.folder / name) for name in point.result_names}
    outcome["results"] = sums if outcome["status"] == "ok" else {}
    point.folder.mkdir(exist_ok=True)  # it may have vanished; its campaign has not
    files.write_json(point.folder / "outcome.json", outcome)


def anew(command: dict[str, Any]) -> list[str] | None:
    """The words of a try, as if it had gone on from nothing."""
    argv = command.get("argv")
    return argv[:-len(RESUME)] if isinstance(argv, list) and argv[-len(RESUME):] == RESUME else argv


def probe_of(campaign: Campaign) -> Probe | None:
    values = campaign.meshway.get("probe")
    return Probe(**values) if values else None


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def open_new(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)


def start(point: Point, argv: list[str], environment: dict[str, str]) -> process.Child:
    out = open_new(point.folder / "stdout")
    try:
        err = open_new(point.folder / "stderr")
        try:
            return process.Child(argv, point.folder, environment, out, err)
        finally:
            os.close(err)
    finally:
        os.close(out)


def complaint(path: Path) -> str:
    """The program's own sentence of what went wrong: the last one that is no warning."""
    try:
        with open(path, "rb") as f:
            f.seek(max(0, os.fstat(f.fileno()).st_size - 65536))
            lines = f.read().decode(errors="replace").splitlines()
    except OSError:
        return ""
    said = [line.removeprefix("meshway: ") for line in lines
            if line.startswith("meshway: ") and "warning:" not in line]
    return said[-1] if said else next((line for line in reversed(lines) if line.strip()), "")[:300]


def next_try(folder: Path) -> int:
    n = 1
    while (folder / f"try-{n}").exists():
        n += 1
    return n


def put_aside(point: Point) -> None:
    """An earlier try moves into try-N, whole: it is collected in a folder that gets its name last, so
    that a kill in between leaves nothing that the next call does not finish."""
    folder, aside = point.folder, point.folder / "aside"
    left = [e.name for e in os.scandir(folder)
            if e.name not in NO_FILES and not e.name.startswith("try-") and e.name != "aside"]
    for name in [n for n in left if n.startswith(".")]:
        (folder / name).unlink()  # a temporary of somebody who was killed
        left.remove(name)
    if left:
        aside.mkdir(exist_ok=True)
        # What says that a point is done goes first: never a verdict without what it is about.
        for name in sorted(left, key=lambda n: n != "outcome.json"):
            os.rename(folder / name, aside / name)
    if aside.exists():
        os.rename(aside, folder / f"try-{next_try(folder)}")
