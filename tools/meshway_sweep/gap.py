"""gap.py -- `meshway bench gap`: GAP's kernels with its numbers of trials, in the lines that GAP prints.

One `meshway run` makes all trials of a kernel on a graph. Every figure comes from its result file.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import options, results
from .campaign import CANNOT_CREATE, DATA, INTERNAL, INVALID, NO_INPUT, OK, SweepError, write_bytes
from .machine import n_cores
from .plan import last_line
from .process import run_for
from .progress import say
from .results import Place
from .runner import launcher_of, world_of

# By GAP's name: ours, the trials of GAP's own benchmark, and words for `meshway run`.
KERNELS: dict[str, tuple[str, int, list[str]]] = {
    "bfs": ("bfs", 64, []),
    "sssp": ("sssp", 64, []),
    "pr": ("pagerank", 16, ["--tune", "tolerance=1e-4,iterations=1000"]),
    "cc": ("cc", 16, []),
    "bc": ("betweenness", 16, ["--tune", "sources=4"]),
    "tc": ("triangles", 3, []),
}
PACKED = re.compile(r"\.(gz|xz|zst|bz2|lz4)\Z")
LIMIT_S = 1e6  # `meshway run` has --timeout for those who want less
OURS = ("MESHWAY_GRAPH", "MESHWAY_KERNELS")  # which mean something else to a run


def main(program: str, words: list[str]) -> int:
    tables = options.tables(program)
    own = tables["bench gap"]
    end = words.index("--") if "--" in words else len(words)
    asked = options.settings(options.parse(words[1:end], own), own, os.environ.items())
    kernels = asked["kernels"].split(",")
    if strange := [k for k in kernels if k not in KERNELS]:
        raise options.wrong(f"--kernels: {options.shown(strange[0])} is none of {', '.join(KERNELS)}")
    ranks = asked["ranks"]
    crowded = ranks * (asked["threads"] or 1) > n_cores()
    front = launcher_of(asked, world_of(program, tables, [])).command(ranks, crowded) if ranks > 1 else []
    check_names(asked["graph"])
    bench = Bench([*front, program, "run"], asked, words[end + 1:], len(kernels) * len(asked["graph"]) > 1)
    bench.check_outputs(kernels)
    for graph in asked["graph"]:
        bench.run_graph(graph, kernels)
    return bench.code


def name_of(graph: str) -> str:
    """As in GAP's names of output files: "road" of graphs/road.wsg."""
    return f"kron{graph}" if graph.isdecimal() else Path(PACKED.sub("", graph)).stem


def check_names(graphs: list[str]) -> None:
    """Files of one name and one folder are one graph in two forms, with weights and without; others are not."""
    folder: dict[str, Path] = {}
    for graph in graphs:
        if graph == "-":
            raise options.wrong("bench gap: -: each kernel reads the graph again; give a file")
        if folder.setdefault(name_of(graph), Path(graph).parent) != Path(graph).parent:
            raise options.wrong(f"bench gap: {options.shown(graph)} and another graph are both called {name_of(graph)}")


@dataclass
class Bench:
    command: list[str]  # up to and with the word "run"
    asked: dict[str, Any]
    rest: list[str]  # of the user, for `meshway run`
    titled: bool = False  # stdout has several blocks
    code: int = OK  # of the first that went wrong
    done: set[str] = field(default_factory=set)

    def check_outputs(self, kernels: list[str]) -> None:
        """Before hours of work: the folder is there, and nothing in it would be replaced unasked."""
        if self.asked["out"] is None:
            return
        try:
            Path(self.asked["out"]).mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise SweepError(CANNOT_CREATE, f"{self.asked['out']}: {e.strerror}") from None
        for path in [Path(self.asked["out"], f"{k}-{name_of(g)}.out") for g in self.asked["graph"] for k in kernels]:
            if path.exists() and not self.asked["force"]:
                raise SweepError(CANNOT_CREATE, f"{path} exists; --force replaces it")

    def run_graph(self, graph: str, kernels: list[str]) -> None:
        weighted = True  # as far as is known
        for kernel in kernels:
            label = f"{kernel}-{name_of(graph)}"
            if label in self.done:
                say(f"meshway: {kernel} on {graph}: skipped; {label} is done already")
                continue
            code, top = self.run_kernel(kernel, graph) if weighted or kernel != "sssp" else (OK, None)
            weighted = weighted and (top is None or has_weights(top.at("graph")))
            if kernel == "sssp" and not weighted:
                say(f"meshway: sssp on {graph}: skipped; the graph has no weights")
            elif top is not None:
                self.put(label, block(top))
            self.code = self.code or code
            if code in (DATA, NO_INPUT):
                return  # whatever the kernel

    def run_kernel(self, kernel: str, graph: str) -> tuple[int, Place | None]:
        """The run's code, and its result if it has one."""
        algorithm, trials, words = KERNELS[kernel]
        trials = self.asked["trials"] or trials
        scale, threads = graph.isdecimal(), self.asked["threads"]
        argv = [*self.command, "--scale" if scale else "--graph", graph, "--algorithm", algorithm, "--roots", str(trials),
                "--quiet", *words, *(["--threads", str(threads)] if threads else []), *self.rest]
        # A file of properties says whether its edges have a direction.
        if not scale and "--undirected" not in self.rest and not graph.endswith(".properties"):
            argv.append("--undirected" if kernel in ("cc", "tc") else "--directed")
        environment = {k: v for k, v in os.environ.items() if k not in OURS}
        if not self.asked["quiet"]:
            say(f"meshway: {kernel} on {graph}: {options.plural(trials, 'trial')}")
        with tempfile.TemporaryDirectory(prefix="meshway-gap-") as folder:
            file = Path(folder, "result.json")
            code, said = run_for([*argv, "--json", str(file)], Path.cwd(), environment, LIMIT_S)
            for line in said.decode(errors="replace").splitlines():
                if line.startswith("meshway: warning:"):
                    say(line)
            if code != OK:
                say(f"meshway: {kernel} on {graph}: {last_line(said)}")
            if code in (OK, INVALID) and file.exists():
                top = Place(results.parse(results.read_bytes(file), "result"), "result")
                if (n := len(list(top.at("searches").each()))) < trials and code == OK:
                    say(f"meshway: {kernel} on {graph}: {options.plural(n, 'trial')} only; a root is taken once")
                return code, top
        if code == OK:
            say(f"meshway: {kernel} on {graph}: the run left no result of one way")
        return code if code > 0 else INTERNAL, None

    def put(self, label: str, text: str) -> None:
        self.done.add(label)
        print(f"==> {label}.out <==\n" * self.titled + text, end="", flush=True)
        if self.asked["out"] is not None:
            write_bytes(Path(self.asked["out"], f"{label}.out"), text.encode())


def has_weights(graph: Place) -> bool:
    """The kernel has dropped or used them; a generated graph has them if they are asked for."""
    return graph.at("source").text() != "file" or graph.has("not_used") or graph.at("weights").value == "file"


def timed(label: str, seconds: float) -> str:
    return f"{label + ':':21}{seconds:.5f}\n"


def block(top: Place) -> str:
    """Of one kernel and graph. An invalid result has no times."""
    graph = results.graph_of(top.at("graph"))
    n, m = graph["n_vertices"], graph["n_edges_kept"]
    m = graph["n_edges"] if m is None else m  # rows of a part: nobody counts distinct edges
    made = ("Read Time", graph["read_s"]) if graph["source"] == "file" else ("Generate Time", graph["generation_s"])
    text = timed(*made) + timed("Build Time", graph["construction_s"])
    text += f"Graph has {n} nodes and {m} {'' if graph['directed'] else 'un'}directed edges for degree: {m // max(n, 1)}\n"
    times = []
    for trial in top.at("searches").each():
        if trial.has("time_s"):
            times.append(trial.at("time_s").seconds())
            text += timed("Trial Time", times[-1])
        if trial.has("validate_s") or trial.at("status").text() != "ok":
            text += f"{'Verification:':21}{'PASS' if trial.at('status').text() == 'ok' else 'FAIL':>7}\n"
        if trial.has("validate_s"):
            text += timed("Verification Time", trial.at("validate_s").seconds())
    return text + (timed("Average Time", sum(times) / len(times)) if times else "")
