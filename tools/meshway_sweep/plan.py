"""plan.py -- what a point will need and take, before the first one starts.

Memory is what `meshway plan` says. So is time, where `meshway plan --calibrate` has measured the rates of
this machine. Else one small run, the probe, tells what an edge costs to generate, to build in, to search
and to validate, on one core; a point has more edges and more cores. That leaves out caches and networks,
so it is a guess of the right order. The report shows either beside what was measured.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import concurrent.futures
import re
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .campaign import INTERNAL, REFUSED, read_json
from .machine import n_cores
from .options import Table, plural
from .points import ON_DEVICES, Spec, words_of
from .process import run_for

PROBE_SCALE, PROBE_ROOTS, PROBE_LIMIT_S = 14, 4, 60
AT_A_TIME = 8
UNITS = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "PiB": 1 << 50}
RATES = re.compile(r"^time +modelled: rates measured on ", re.MULTILINE)
SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
DEVICES = "rates measured on devices of "  # a build for GPUs plans so
UNTIMED = re.compile(r"^time +not known: (.+)", re.MULTILINE)
ORIGIN = re.compile(r"^takes .* modelled: (rates measured on .+)", re.MULTILINE)
OF_FILE = "the memory of a graph from a file is known when it has been read"
PEAK = re.compile(r"^peak +([0-9.]+) (\w+) per rank", re.MULTILINE)


@dataclass(frozen=True)
class Probe:
    """Seconds per edge on one core, and of a start."""

    make_s: float
    search_s: float
    validate_s: float
    start_s: float


def probe(command: list[str], environment: dict[str, str]) -> tuple[Probe | None, str]:
    """`command` runs one rank, up to and with the word "run". And why there is none."""
    words = ["--scale", str(PROBE_SCALE), "--roots", str(PROBE_ROOTS), "--threads", "1", "--json", "probe.json",
             "--progress", "none"]
    with tempfile.TemporaryDirectory(prefix="meshway-probe-") as folder:
        begin = time.monotonic()
        code, said = run_for(command + words, Path(folder), environment, PROBE_LIMIT_S)
        wall = time.monotonic() - begin
        result = read_json(Path(folder, "probe.json"))
    if result is None:
        return None, f"the probe ended with code {code}: {last_line(said)}"
    try:
        edges = result["graph"]["n_edges"]
        make = result["graph"]["generation_s"] + result["graph"]["construction_s"]
        search = statistics.median(s["time_s"] for s in result["searches"])
        validate = statistics.median(s["validate_s"] for s in result["searches"])
    except (KeyError, TypeError, statistics.StatisticsError):
        return None, "the probe's result has no times"
    start = max(0.0, wall - make - PROBE_ROOTS * (search + validate))
    return Probe(make / edges, search / edges, validate / edges, start), ""


def last_line(text: bytes) -> str:
    lines = text.decode(errors="replace").strip().splitlines()
    said = [line for line in lines if line.startswith("meshway: ") and not re.match("meshway: (warning:|.raised at )", line)]
    return (said or lines or ["it said nothing"])[-1].removeprefix("meshway: ")


def backends_of(spec: Spec) -> list[str]:
    return [str(spec.axes.get("backend", "")), *spec.way_lists.get("backend", [])]


def predict(spec: Spec, measured: Probe | None) -> tuple[float | None, float | None]:
    """Seconds of the whole point, and of one search; None: there is nothing to go by."""
    axes = spec.axes
    if measured is None or "scale" not in axes or axes.get("algorithm", "bfs") != "bfs" or any(
            b.startswith(("emul", *ON_DEVICES)) for b in backends_of(spec)):
        return None, None
    edges = axes.get("edgefactor", 16) * 2.0 ** axes["scale"]
    n_roots = len(str(axes["root"]).split(",")) if "root" in axes else axes.get("roots", 64)
    here = n_cores()
    threads = axes.get("threads") or max(1, here // axes["ranks"])
    cores = min(axes["ranks"] * threads, here)
    search = measured.search_s * edges / cores
    validate = 0 if axes.get("no-validate") else measured.validate_s * edges / cores
    # What a start takes grows with the ranks that share a core.
    start = measured.start_s * max(1.0, axes["ranks"] / here)
    return start + measured.make_s * edges / cores + max(1, len(spec.ways)) * n_roots * (search + validate), search


def modelled(text: str, what: str) -> float:
    """Seconds of a line of `meshway plan`; 0: it has none."""
    match = re.search(rf"^{what} +([0-9.e+-]+) (s|ms|us)\b", text, re.MULTILINE)
    return float(match[1]) * SECONDS[match[2]] if match else 0.0


def modelled_times(texts: list[str], start_s: float) -> tuple[float | None, float | None]:
    """Of a point, from what plan says of each of its ways; None where a way has no measured rates. The
    graph is made once, for all of them."""
    if not texts or not all(RATES.search(text) for text in texts):
        return None, None
    made = modelled(texts[0], "generation") + modelled(texts[0], "construct")
    runs = [modelled(text, "run") for text in texts]
    return start_s + made + sum(max(0.0, run - made) for run in runs), modelled(texts[0], "search")


class Planner:
    """Asks the program about each point once; repetitions are one question. The answers wait more (for
    MPI to start) than they compute, so several are asked for at a time."""

    def __init__(self, program: str, plan_table: Table, run_table: Table, folder: Path,
                 environment: dict[str, str], measured: Probe | None, more: list[str], per_node: int = 0,
                 memory: str = ""):
        """`more`: words of a plan; `per_node`: ranks of a node, 0 for all on this one; `memory`: of a node, ""
        for this one's."""
        self.more = more
        self.program, self.plan_table, self.run_table = program, plan_table, run_table
        self.folder, self.environment, self.measured = folder, environment, measured
        self.per_node, self.memory = per_node, memory
        self.known: dict[tuple[str, ...], tuple[int, str]] = {}

    def ask(self, words: list[str]) -> tuple[int, str]:
        key = tuple(words)
        if key not in self.known:
            done = subprocess.run([self.program, *words], cwd=self.folder, env=self.environment,
                                  capture_output=True, stdin=subprocess.DEVNULL)
            said = done.stdout.decode(errors="replace")
            if done.returncode != 0:
                said += last_line(done.stderr)
            self.known[key] = done.returncode, said
        return self.known[key]

    def plan_all(self, asked: list[tuple[Spec, list[str]]]) -> list[dict[str, Any]]:
        """For each of the specs with its words, which do not say the ranks."""
        keys = [(spec.axes["ranks"], *words) for spec, words in asked]
        first = dict(zip(reversed(keys), reversed(asked)))
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            plans = dict(zip(first, pool.map(lambda pair: self.plan(*pair), first.values())))
        return [plans[key] for key in keys]

    def plan(self, spec: Spec, words: list[str]) -> dict[str, Any]:
        """The document plan.json; its code is 0 for a point that may run."""
        time_s, search_s = predict(spec, self.measured)
        code, text = self.ask(["run", *words, "--print-config"])
        memory = None
        said: list[str] = []
        if code == 0 and "graph" not in spec.axes:
            # A point of several ways needs what its hungriest way does.
            for way in ways_of(spec):
                code, text = self.ask(["plan", "--verbose", *self.plan_words(spec, way)])
                if match := PEAK.search(text):
                    memory = max(memory or 0, round(float(match[1]) * UNITS.get(match[2], 0)))
                if code != 0:
                    break
                said.append(text)
        elif code == 0:
            text = OF_FILE
        here = max(1.0, spec.axes["ranks"] / n_cores())
        ours = modelled_times(said, self.measured.start_s * here if self.measured else 0.0)
        of_devices = {*ON_DEVICES} & {*backends_of(spec)}
        if code == 0 and ours[0] is not None and (not of_devices or all(DEVICES in text for text in said)):
            time_s, search_s = ours
        cause = None
        if code != 0:
            cause = text.strip().splitlines()[-1] if text.strip() else f"meshway plan ended with code {code}"
            code = code if code > 0 else INTERNAL
        return {"code": code, "cause": cause, "memory_bytes_per_rank": memory, "time_s": time_s,
                "search_s": search_s, "text": text}

    def plan_words(self, spec: Spec, way: dict[str, str]) -> list[str]:
        ranks = spec.axes["ranks"]
        hosts = -(-ranks // self.per_node) if self.per_node else 1
        words = ["--ranks", str(ranks), "--hosts", str(hosts), *(["--memory", self.memory] if self.memory else []),
                 *self.more]
        both = {name: option for name, option in self.plan_table.items() if name in self.run_table}
        return words + words_of({**spec.axes, **way}, both, self.folder)


def origin(plans: list[dict[str, Any]]) -> str:
    """What times hang on; plans of several hosts say most."""
    return max((match[1] for p in plans if (match := ORIGIN.search(p["text"]))), key=len, default="a small run")


def why_untimed(text: str, backends: list[str]) -> str:
    if text == OF_FILE:
        return "the graph is in a file, which nobody has read"
    match = UNTIMED.search(text)
    device = next((f" --backend {name}" for name in backends if name in ON_DEVICES), "")
    return match[1] if match else f"run `meshway plan --calibrate{device}` on a node"


def ways_of(spec: Spec) -> list[dict[str, str]]:
    ways: list[dict[str, str]] = [{}]
    for name, values in spec.way_lists.items():
        ways = [{**way, name: value} for way in ways for value in values]
    return ways


def oversubscribed(spec: Spec, cores: int) -> bool:
    return spec.axes["ranks"] * max(1, spec.axes.get("threads") or 1) > cores


def refusal(spec: Spec, cores: int) -> dict[str, Any]:
    axes = spec.axes
    threads = f" of {axes['threads']} threads" if axes.get("threads", 1) > 1 else ""
    cause = (f"{plural(axes['ranks'], 'rank')}{threads} on {plural(cores, 'core')}: times would say how they take turns; "
             "--oversubscribe runs and stamps such points")
    return {"code": REFUSED, "cause": cause, "memory_bytes_per_rank": None, "time_s": None, "search_s": None,
            "text": cause}
