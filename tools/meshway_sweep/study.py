"""study.py -- what there is to report on or to compare: the runs of a campaign, or of result files.

    Study -> Run       one way of one point, or one file
          -> Setting   the runs that are repetitions of each other
          -> Series    the settings that a line of a figure joins
          -> Trouble   what gave no result, and why

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from . import campaign as campaigns
from . import results, samples
from .campaign import DATA, NO_INPUT, SweepError
from .results import Result

# Of a file that no campaign has run, these say what it was.
AXES_OF_FILES = ("n_ranks", "threads_per_rank", "backend", "routing", "engine", "n_clusters", "direction", "compress",
                 "algorithm")
NAMES_OF_AXES = {"n_ranks": "ranks", "threads_per_rank": "threads", "n_clusters": "clusters"}


@dataclass(frozen=True)
class Run:
    point: str  # hash, or name of the file
    axes: dict[str, Any]
    way: str  # "": the only one
    repetition: int
    result: Result
    outcome: dict[str, Any]
    plan: dict[str, Any]

    @property
    def drifted(self) -> bool:
        return bool(self.outcome.get("drifted"))

    @property
    def seconds_per_edge(self) -> list[float]:
        return [s.seconds_per_edge for s in self.result.searches]

    @property
    def cores(self) -> int:
        return self.result.n_ranks * self.result.configuration["threads_per_rank"]


@dataclass(frozen=True)
class Trouble:
    point: str
    axes: dict[str, Any]
    ways: list[str]
    repetition: int
    status: str
    cause: str
    command: str  # what a shell would be given in the campaign's directory; "": there is none


@dataclass
class Setting:
    axes: dict[str, Any]
    way: str
    runs: list[Run] = field(default_factory=list)

    @cached_property
    def samples(self) -> list[list[float]]:
        return [run.seconds_per_edge for run in self.runs if run.result.searches]

    @cached_property
    def summary(self) -> samples.Summary | None:
        y = samples.flat(self.samples)
        return samples.summarize(y) if y else None

    @cached_property
    def interval(self) -> samples.Interval:
        return samples.bootstrap(self.samples)

    @property
    def first(self) -> Result:
        return self.runs[0].result

    @property
    def stamps(self) -> list[str]:
        return sorted({s for run in self.runs for s in run.result.stamps} |
                      ({"DRIFTED"} if any(run.drifted for run in self.runs) else set()) |
                      ({"RESUMED"} if any(run.result.n_resumed for run in self.runs) else set()))

    def value(self, axis: str) -> Any:
        known = {"ranks": self.first.n_ranks, "threads": self.first.configuration["threads_per_rank"],
                 "scale": self.first.scale}
        return known[axis] if axis in known else self.axes.get(axis)

    @cached_property
    def middle_search(self) -> results.Search | None:
        """The search whose time is nearest to the median of all."""
        all_of_them = [s for run in self.runs for s in run.result.searches]
        if not all_of_them:
            return None
        middle = samples.median([s.time_s for s in all_of_them])
        return min(all_of_them, key=lambda s: abs(s.time_s - middle))

    def mean_of(self, count: Any) -> float:
        """Of a search, over all that count."""
        values = [count(s) for run in self.runs for s in run.result.searches]
        return sum(values) / len(values)


@dataclass
class Series:
    label: str
    settings: list[Setting]  # by x


@dataclass
class Study:
    name: str
    kind: str  # weak, strong, free; files: results of no campaign
    created: str
    folder: Path
    meshway: dict[str, Any]
    options: dict[str, Any]
    n_points: int
    repetitions: int
    seed: int | None
    runs: list[Run]
    troubles: list[Trouble]

    @cached_property
    def settings(self) -> list[Setting]:
        found: dict[str, Setting] = {}
        for run in self.runs:
            key = json.dumps([run.axes, run.way], sort_keys=True)
            found.setdefault(key, Setting(run.axes, run.way)).runs.append(run)
        return [s for s in found.values() if s.summary is not None]

    @cached_property
    def x_axis(self) -> str:
        """What figures are drawn against: ranks where they vary, else what does."""
        for axis in ("ranks", "threads", "scale"):
            if len({s.value(axis) for s in self.settings}) > 1:
                return axis
        return "ranks"

    @cached_property
    def grows(self) -> bool:
        """Whether x is more cores, so that there is an ideal line."""
        return self.x_axis != "scale"

    @cached_property
    def scale_follows(self) -> bool:
        """Whether the graph grows with x: one SCALE for each, all else being equal."""
        found: dict[str, set[int]] = {}
        for s in self.settings:
            rest = {k: v for k, v in s.axes.items() if k not in (self.x_axis, "scale")}
            found.setdefault(json.dumps([rest, s.way, s.value(self.x_axis)], sort_keys=True), set()).add(s.first.scale)
        return all(len(scales) == 1 for scales in found.values())

    @cached_property
    def weak(self) -> bool:
        """The same share of vertices for each unit of x."""
        return self.grows and self.scale_follows and all(
            len({2.0 ** s.first.scale / s.value(self.x_axis) for s in line.settings}) == 1 for line in self.series)

    @cached_property
    def series(self) -> list[Series]:
        follows = {self.x_axis} | ({"scale"} if self.scale_follows else set())
        keys = [k for k in dict.fromkeys(k for s in self.settings for k in s.axes) if k not in follows]
        varying = [k for k in keys if len({json.dumps(s.axes.get(k)) for s in self.settings}) > 1]
        ways = list(dict.fromkeys(s.way for s in self.settings))
        found: dict[str, Series] = {}
        # Points ran in a shuffled order; a legend has another.
        for s in sorted(self.settings, key=lambda s: ([natural(s.axes.get(k)) for k in varying], ways.index(s.way))):
            words = [s.way] if s.way else []
            words += [words_of(k, s.axes.get(k)) for k in varying]
            label = ", ".join(words) or s.first.routing
            found.setdefault(label, Series(label, [])).settings.append(s)
        for line in found.values():
            line.settings.sort(key=lambda s: s.value(self.x_axis))
        return list(found.values())


def natural(value: Any) -> tuple[bool, float, str]:
    """Numbers by size and before words."""
    number = isinstance(value, (int, float))
    return not number, float(value) if number else 0.0, "" if number else str(value)


SUPERSCRIPTS = str.maketrans("0123456789", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")


def words_of(axis: str, value: Any) -> str:
    if value is True:
        return axis
    if value is None:
        return f"{axis} by default"
    if axis == "per-rank-scale":
        return f"2{str(value).translate(SUPERSCRIPTS)} vertices a rank"
    if axis in ("threads", "ranks"):
        return f"{value} {axis.removesuffix('s') if value == 1 else axis}"
    return f"{'SCALE' if axis == 'scale' else axis} {value}"


# --- from a directory or files ------------------------------------------------------------------


def load(path: Path | str) -> Study:
    path = Path(path)
    if path.is_dir() and (path / "campaign.json").exists():
        return of_campaign(campaigns.load(path))
    if path.is_dir():
        files = sorted(p for p in path.glob("*.json") if p.is_file())
        if not files:
            raise SweepError(NO_INPUT, f"{path}: is no campaign, and has no result files (*.json)")
        return of_files(path.name or str(path), path, files, strict=False)
    if not path.exists():
        raise SweepError(NO_INPUT, f"{path}: there is no such file or directory")
    return of_files(path.name, path.parent, [path], strict=True)


def of_files(name: str, folder: Path, files: list[Path], strict: bool) -> Study:
    runs: list[Run] = []
    troubles: list[Trouble] = []
    for path in files:
        try:
            data = results.read_bytes(path)
            result = results.from_document(results.parse(data, str(path)), str(path))
            if not results.checksum_holds(data):
                raise SweepError(DATA, f"{path}: its checksum does not hold; it was changed after it was "
                                       "written")
        except SweepError as e:
            if strict:
                raise
            troubles.append(Trouble(path.name, {}, [], 0, "not read", str(e), ""))
            continue
        axes = {NAMES_OF_AXES.get(k, k): v for k in AXES_OF_FILES
                if (v := result.configuration.get(k)) is not None}
        axes |= {"scale": result.scale, "edgefactor": result.graph["edgefactor"]}
        if result.status != "ok":
            troubles.append(Trouble(path.name, axes, [], 0, result.status, result.reason or "", ""))
            continue
        alike = sum(1 for r in runs if r.axes == axes)
        runs.append(Run(path.name, axes, "", alike, result, {"status": "ok"}, {}))
    if not runs and not troubles:
        raise SweepError(DATA, f"{folder}: has no results")
    return Study(name, "files", "", folder, {}, {}, len(files), 1 + max((r.repetition for r in runs), default=0),
                 None, runs, troubles)


def of_campaign(c: campaigns.Campaign) -> Study:
    runs: list[Run] = []
    troubles: list[Trouble] = []
    for point in c.points:
        outcome = point.outcome or {}
        plan = point.plan or {}
        if not point.done:
            troubles.append(trouble_of(point, outcome, plan))
            continue
        try:
            for way, document in point.results().items():
                name = campaigns.way_file(point.ways, way)
                result = results.from_document(document, f"{point.hash}/{name}")
                runs.append(Run(point.hash, point.axes, way, point.repetition, result, outcome, plan))
        except SweepError as e:
            troubles.append(trouble_of(point, {"status": "not read", "cause": str(e)}, plan))
    return Study(c.name, c.kind, c.created, c.folder, c.meshway, c.options, len(c.points), c.repetitions, c.seed,
                 runs, troubles)


def trouble_of(point: campaigns.Point, outcome: dict[str, Any], plan: dict[str, Any]) -> Trouble:
    status = "begun, no end" if point.begun else str(outcome.get("status", "not run"))
    cause = outcome.get("cause") or plan.get("cause") or ("it runs, or its node is gone" if point.begun else None)
    if not cause and status == "ok":
        status, cause = "not valid", "the result file is missing, was cut, or was changed after it was written"
    if not cause and outcome.get("signal"):
        cause = f"ended by signal {outcome['signal']}"
    if not cause and outcome.get("code") is not None:
        cause = f"ended with code {outcome['code']}"
    command = f"cd points/{point.hash} && {shlex.join(point.argv)}" if point.argv else ""
    return Trouble(point.hash, point.axes, point.ways, point.repetition, status,
                   str(cause or "its turn has not come"), command)
