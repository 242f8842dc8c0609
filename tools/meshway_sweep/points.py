"""points.py -- what a sweep asks for, from the command line or a TOML file, as a list of points.

A sweep is lists of values; its points are their product. Lists of words that one run takes
(`--routing direct,relay`) stay together as the ways of a point: each root is searched by all of them in
turn, on one graph, which compares them better than two runs do.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .campaign import DATA, NO_INPUT, SweepError
from .launchers import check_options
from .options import MOST_VALUES, Option, Table, keys_of, settings, shown, split, spread, value_of, wrong, Given

ON_DEVICES = ("kokkos", "omptarget")  # backends

KINDS = ("weak", "strong", "free")
FILE_LIMIT = 1 << 20  # bytes of TOML: a sweep that a person has written
DEEPEST = 32  # brackets in brackets; Python's own reader would recurse on
# What a campaign decides for each point, and what ends a run before it began.
TAKEN = ("json", "resume", "results", "force", "progress", "quiet", "verbose", "print-config", "help", "version",
         "emul-dot")
# Of a point, in its directory.
OUTPUTS = ("csv", "tree", "levels", "trace", "graphalytics", "layout-record", "traffic-record")
RANKS = Option("ranks", "", "count", "LIST", "1", (), "", 1, 1 << 22, -1, 0)
PER_RANK_SCALE = Option("per-rank-scale", "", "count", "LIST", "", (), "", 1, 60, -1, 0)


@dataclass
class Sweep:
    kind: str
    axes: dict[str, list[Any]]  # ranks first, then options of `run`; one value is a list too
    ways: dict[str, list[str]]  # lists that a run takes
    own: dict[str, Any]  # options of the sweep itself, checked
    folder: Path  # what relative names of files start from


@dataclass(frozen=True)
class Spec:
    """A point before anything is known of the machine."""

    axes: dict[str, Any] = field(hash=False)
    ways: list[str] = field(hash=False)
    way_lists: dict[str, list[str]] = field(hash=False)
    repetition: int


# --- from the command line and from files ---------------------------------------------------


def from_command_line(kind: str, given: Given, own: Table, run: Table, environment: dict[str, str]) -> Sweep:
    values = settings(given, own, environment.items())
    check_options(values["launcher"], given.own, lambda name: f"--{name}")
    axes: dict[str, list[Any]] = {}
    for option in (RANKS, PER_RANK_SCALE):
        if values[option.name] is not None:
            axes[option.name] = split(option, values[option.name], f"--{option.name}")
    axes.update(run_axes(given, run))
    return assemble(kind, axes, values, run, Path.cwd())


def run_axes(given: Given, run: Table) -> dict[str, list[Any]]:
    axes: dict[str, list[Any]] = {}
    for name, texts in given.run.items():
        axes.update(keys_of(texts, run, "--tune") if name == "tune" else
                    {name: run_values(run[name], texts, f"--{name}")})
    return axes


def run_values(option: Option, texts: list[Any], who: str) -> list[Any]:
    if option.kind == "flag":
        return [True]
    if option.several == "repeats":
        return [",".join(texts)]  # as `run` itself reads them
    return [value for text in texts for value in split(option, text, who)]


def from_file(name: str, given: Given, own: Table, run: Table, environment: dict[str, str]) -> Sweep:
    """The file's sweep; options on the command line win."""
    path = Path(name)
    text = read_text(path)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        match = re.match(r"(.*) \(at line (\d+), column (\d+)\)$", str(e))
        raise wrong(f"{path}:{match[2]}:{match[3]}: {match[1]}" if match else f"{path}: {e}") from None
    top = {k: v for k, v in document.items() if k != "run"}
    inner = document.get("run", {})
    where = Lines(path, text)
    if not isinstance(inner, dict):
        raise wrong(f"{where('run')}: run is a table of options of 'meshway run'; write them below a line [run]")
    kind = top.pop("kind", "free")
    if kind not in KINDS:
        raise wrong(f"{where('kind')}: kind: {shown(kind)} is none of {', '.join(KINDS)}")
    values = own_values(top, given, own, environment, where)
    check_options(values["launcher"], {**top, **given.own},
                  lambda name: f"--{name}" if name in given.own else f"{where(name)}: {name}")
    axes: dict[str, list[Any]] = {}
    for option in (RANKS, PER_RANK_SCALE):
        said = split(option, given.own[option.name][-1], f"--{option.name}") if option.name in given.own else (
            file_values(option, top[option.name], f"{where(option.name)}: {option.name}")
            if option.name in top else None)
        if said is not None:
            axes[option.name] = said
    for key, value in inner.items():
        who = f"{where(key, 'run')}: {key}"
        if key not in run:
            raise wrong(f"{who}: 'meshway run' has no such option")
        if run[key].tuned:
            raise wrong(f"{who}: now tune.{key}")
        if key != "tune":
            axes[key] = file_values(run[key], value, who)
        elif isinstance(value, dict):
            lists = {k: v if isinstance(v, list) else [v] for k, v in value.items()}
            axes.update(keys_of([f"{k}={'+'.join(map(str, v))}" for k, v in lists.items()], run, who))
        else:
            axes.update(keys_of([str(value)], run, who))
    if not values["trust"]:
        refuse_paths(axes, run, where)
        refuse_paths({k: [v] for k, v in top.items() if k == "rates"}, own, where)
        refuse_lines(top, where)
    axes.update(run_axes(given, run))
    return assemble(kind, axes, values, run, path.absolute().parent, where)


def read_text(path: Path) -> str:
    try:
        data = path.read_bytes()
        text = data.decode()
    except OSError as e:
        raise SweepError(NO_INPUT, f"{path}: {e.strerror}") from None
    except UnicodeDecodeError as e:
        raise SweepError(DATA, f"{path}: is not UTF-8 at byte {e.start}") from None
    if len(data) > FILE_LIMIT:
        raise wrong(f"{path}: has {len(data)} bytes; a sweep file has at most {FILE_LIMIT}")
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        for character in line:
            depth += (character in "[{") - (character in "]}")
            if depth > DEEPEST:
                raise wrong(f"{path}:{number}: more than {DEEPEST} brackets in each other")
    return text


class Lines:
    """Where a key stands: tomllib does not say."""

    def __init__(self, path: Path, text: str):
        self.path, self.at = path, {}
        table = ""
        for number, line in enumerate(text.splitlines(), 1):
            if match := re.match(r"\s*\[\s*([^\]]*?)\s*\]", line):
                table = match[1]
                self.at.setdefault(("", table), number)
            elif match := re.match(r"\s*[\"']?([^\"'=]+?)[\"']?\s*=", line):
                self.at.setdefault((table, match[1]), number)

    def __call__(self, key: str, table: str = "") -> str:
        number = self.at.get((table, key)) or self.at.get(("", f"{table}.{key}"))
        return f"{self.path}:{number}" if number else str(self.path)


def file_values(option: Option, value: Any, who: str) -> list[Any]:
    values = value if isinstance(value, list) else [value]
    if not values:
        raise wrong(f"{who}: an empty list has no points")
    return [v for one in values
            for v in (spread(option, one, who) if isinstance(one, str) else [value_of(option, one, who)])]


def own_values(top: dict[str, Any], given: Given, own: Table, environment: dict[str, str],
               where: Lines) -> dict[str, Any]:
    values = settings(given, own, environment.items())
    for key, value in top.items():
        option = own.get(key)
        if option is None or key in ("help", "file", "of", "out", "trust"):
            raise wrong(f"{where(key)}: {key}: a sweep has no such key; options of 'meshway run' stand "
                        "under [run]")
        if key in given.own or key in ("ranks", "per-rank-scale"):
            continue
        many = value if option.several == "repeats" and isinstance(value, list) else [value]
        checked = [value_of(option, v, f"{where(key)}: {key}") for v in many]
        values[key] = checked if option.several == "repeats" else checked[0]
    return values


def refuse_paths(axes: dict[str, list[Any]], run: Table, where: Lines) -> None:
    """A sweep file from somebody else reads nothing that does not lie beside it."""
    for name, values in axes.items():
        if name not in run or run[name].value not in ("FILE", "DIR"):
            continue
        for value in values:
            if Path(value).is_absolute() or ".." in Path(value).parts:
                raise wrong(f"{where(name, 'run')}: {name}: {shown(value)} is absolute or has '..'; say "
                            "--trust if you trust this file")


def refuse_lines(top: dict[str, Any], where: Lines) -> None:
    """What a job's shell and its batch system would be given as it stands."""
    for key in ("batch-line", "preamble"):
        if key in top:
            raise wrong(f"{where(key)}: {key}: goes into the jobs as it stands; say --trust if you trust this file")


# --- the product ------------------------------------------------------------------------------


def assemble(kind: str, axes: dict[str, list[Any]], own: dict[str, Any], run: Table, folder: Path,
             where: Lines | None = None) -> Sweep:
    apply_preset(kind, axes, own)
    own["repetitions"] = own["repetitions"] or 1
    who = (lambda name: f"{where(name, 'run' if name in run else '')}: {name}") if where else (
        lambda name: f"--{name}")
    for name in axes:
        if name in TAKEN:
            raise wrong(f"{who(name)}: a campaign decides this for each point; leave it out")
        for value in axes[name] if name in OUTPUTS else ():
            if Path(value).name != value:
                raise wrong(f"{who(name)}: {shown(value)}: give a name without a folder; it will stand in "
                            "each point's directory")
        twice = [v for i, v in enumerate(axes[name]) if v in axes[name][:i]]
        if twice:
            raise wrong(f"{who(name)}: {shown(twice[0])} is given twice; --repetitions asks for repetitions")
    check_kind(kind, axes, who)
    axes.setdefault("ranks", [1])
    order = ["ranks", "per-rank-scale", *run]
    axes = {name: axes[name] for name in order if name in axes}
    ways = {} if own["isolate"] else {name: values for name, values in axes.items() if name in run and run[name].kind
                                      == "word" and run[name].several == "lists" and len(values) > 1}
    return Sweep(kind, {n: v for n, v in axes.items() if n not in ways}, ways, own, folder)


def apply_preset(kind: str, axes: dict[str, list[Any]], own: dict[str, Any]) -> None:
    if own["preset"] != "laptop":
        return
    axes.setdefault("ranks", [1, 2])
    axes.setdefault("threads", [1])
    axes.setdefault("roots", [16])
    if kind == "weak":
        axes.setdefault("per-rank-scale", [16, 18])
    elif "graph" not in axes:
        axes.setdefault("scale", [18] if kind == "strong" else [16, 18])
    own["repetitions"] = own["repetitions"] or 3  # without which nothing is known of runs that differ
    own["wall-limit"] = min(own["wall-limit"], 60.0)


def check_kind(kind: str, axes: dict[str, list[Any]], who: Any) -> None:
    if kind == "weak":
        if "per-rank-scale" not in axes:
            raise wrong("a weak sweep grows the graph with the ranks: say --per-rank-scale, as in "
                        "'meshway sweep weak --per-rank-scale 18 --ranks 1,2,4'")
        for name in ("scale", "graph"):
            if name in axes:
                raise wrong(f"{who(name)}: the SCALE of a weak sweep follows from --per-rank-scale and --ranks")
        for ranks in axes.get("ranks", [1]):
            if ranks & (ranks - 1):
                raise wrong(f"{who('ranks')}: {ranks} is no power of two, and a graph of 2^SCALE vertices "
                            f"cannot have the same share on so many; a weak sweep takes "
                            f"{1 << ranks.bit_length() - 1} or {1 << ranks.bit_length()}, a free one any")
        return
    if "per-rank-scale" in axes:
        raise wrong(f"{who('per-rank-scale')}: belongs to weak sweeps; a {kind} one has --scale")
    if "scale" not in axes and "graph" not in axes:
        raise wrong("the sweep has no graph: say --scale, as in 'meshway sweep " + kind + " --scale 20 --ranks 1,2', "
                    "or --graph FILE")


def expand(sweep: Sweep) -> list[Spec]:
    """All points, in the order in which they will run."""
    n = sweep.own["repetitions"]
    for values in sweep.axes.values():
        n *= len(values)
    if n > MOST_VALUES:
        raise wrong(f"these lists make {n} points; a campaign has at most {MOST_VALUES}")
    specs = []
    for repetition in range(sweep.own["repetitions"]):
        for values in itertools.product(*sweep.axes.values()):
            axes = dict(zip(sweep.axes, values))
            if "per-rank-scale" in axes:
                axes["scale"] = axes["per-rank-scale"] + axes["ranks"].bit_length() - 1
            lists = lists_of(sweep.ways, axes, sweep.own)
            ways = [" ".join(words) for words in itertools.product(*lists.values())] if lists else []
            specs.append(Spec(axes, ways, lists, repetition))
    random.Random(sweep.own["seed"]).shuffle(specs)
    return specs


def lists_of(lists: dict[str, list[str]], axes: dict[str, Any], own: dict[str, Any]) -> dict[str, list[str]]:
    """The lists that a point takes. One rank sends nothing, so a first campaign routes it one way only."""
    alone = own["preset"] == "laptop" and axes["ranks"] == 1 and list(lists) == ["routing"]
    return {"routing": lists["routing"][:1]} if alone else lists


def run_words(spec: Spec, run: Table, folder: Path) -> list[str]:
    """The words after "run", with files as seen from a point's directory. Who sweeps over devices wants all of them."""
    lists = {n: ("+" if run[n].tuned else ",").join(v) for n, v in spec.way_lists.items()}
    axes = {**spec.axes, **lists}
    if axes.get("ranks", 1) > 1 and {*ON_DEVICES} & {*str(axes.get("backend", "")).split(",")}:
        axes.setdefault("devices", "all")
    return words_of(axes, run, folder)


def words_of(axes: dict[str, Any], run: Table, folder: Path) -> list[str]:
    """Options one by one, and all keys of --tune in one, in the order of ways' names."""
    words: list[str] = []
    keys = [f"{name}={axes[name]}" for name in run if name in axes and run[name].tuned]
    if keys:
        words += ["--tune", ",".join(keys)]
    for name, value in axes.items():
        if name not in run or value is False or run[name].tuned:
            continue
        words.append(f"--{name}")
        if value is not True:
            words.append(input_path(name, str(value), folder) if run[name].value == "FILE" else str(value))
    return words


def input_path(name: str, value: str, folder: Path) -> str:
    """Of a file that is there; a ready layout is named without being one, outputs are new."""
    path = folder / value
    return str(path) if name not in OUTPUTS and path.exists() else value


def point_hash(words: list[str], launcher: list[str], digest: str, environment: dict[str, str],
               repetition: int) -> str:
    """What a point is: everything that its result depends on, and not where it lies."""
    document = [words, launcher, digest, sorted(environment.items()), repetition]
    return hashlib.sha256(json.dumps(document).encode()).hexdigest()[:16]
