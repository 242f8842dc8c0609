"""page.py -- the report as one page: a template, filled with text.

Whatever comes from a file is text to the template, which escapes it, after control characters were taken
out. The only markup that is handed in are the drawings, which are ours.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
import platform
from collections import Counter
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from . import samples
from .campaign import DRIFT
from .options import plural
from .provenance import ITEMS, shown_value, value_at
from .published import Published
from .results import clean
from .study import Run, Setting, Study, words_of
from .tables import GIGA, MIB, Table, cell, x_text

ROWS_SHOWN = 200  # of a table under a figure; the file has all


def render(study: Study, tables: list[Table], drawings: dict[str, str], published: list[Published]) -> str:
    """`drawings`: SVG by the name of the table; a table without one is shown as numbers."""
    return environment().get_template("page.html.j2").render(
        study=study, all_points=all_of(study.n_points, "point"), folder=study.folder.name, lead=lead(study),
        tiles=tiles(study, tables), cautions=cautions(study),
        figures=[figure(t, drawings) for t in tables], settings=settings(study), troubles=troubles(study),
        drifts=drifts(study), drift_limit=f"{DRIFT:.0%}", warnings=warnings(study), provenance=provenance(study),
        provenance_text=provenance_text(study), methods=methods(study, bool(published)),
        published=[p.shown() for p in published], python=platform.python_version())


def environment() -> jinja2.Environment:
    return jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
                              autoescape=True, undefined=jinja2.StrictUndefined, finalize=harmless,
                              trim_blocks=False, keep_trailing_newline=True)


def harmless(value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, Markup):
        return clean(" ".join(value.split()))
    return value


def figure(table: Table, drawings: dict[str, str]) -> dict[str, Any]:
    drawn = table.name in drawings
    return {"table": table, "caption": table.caption if drawn else table.text, "rows": [[cell(v) for v in row] for row in table.rows[:ROWS_SHOWN]],
            "svg": Markup(drawings.get(table.name, "")), "drawn": drawn}


# --- the top ------------------------------------------------------------------------------------------


def all_of(n: int, word: str) -> str:
    return f"the one {word}" if n == 1 else f"all {plural(n, word)}"


def span(values: set[int]) -> str:
    return f"{min(values)}" if len(values) == 1 else f"{min(values)} to {max(values)}"


def lead(study: Study) -> str:
    if not study.runs:
        return f"{plural(study.n_points, 'point')}, none with a result."
    ranks = {s.first.n_ranks for s in study.settings}
    scales = {s.first.scale for s in study.settings}
    kind = "weak" if study.weak and study.x_axis == "ranks" and len(ranks) > 1 else study.kind
    what = {"weak": "Weak scaling", "strong": "Strong scaling", "free": "A sweep", "files": "Results"}.get(kind, "Results")
    version = study.runs[0].result.provenance["build"]
    return (f"{what} of {study.runs[0].result.configuration.get('algorithm', 'bfs')}: "
            f"{span(ranks)} {'rank' if ranks == {1} else 'ranks'}, SCALE {span(scales)}, "
            f"{plural(study.n_points, 'point')}. Meshway {version.get('version', '?')} "
            f"({version.get('commit', '?')})" + (f", {study.created}." if study.created else "."))


def tiles(study: Study, tables: list[Table]) -> list[dict[str, str]]:
    by_name = {t.name: t for t in tables}
    made = []
    if (scaling := by_name.get("scaling")) is not None and scaling.rows:
        at = scaling.column("harmonic_mean_GTEPS")
        best = max(scaling.rows, key=lambda r: r[at])
        made.append({"name": "Highest rate, measured", "value": f"{best[at]:.3g} GTEPS",
                     "note": f"{best[0]}, {x_text(study, best[1])}, SCALE {best[4]}"})
    if (efficiency := by_name.get("efficiency")) is not None:
        x = max(r[1] for r in efficiency.rows)
        last = sorted((r for r in efficiency.rows if r[1] == x), key=lambda r: r[2])
        low, high = last[0], last[-1]
        value = f"{low[2]:.2g}" if len(last) == 1 else f"{low[2]:.2g} to {high[2]:.2g}"
        note = f"{low[0]}, {low[3]:.2g} to {low[4]:.2g}" if len(last) == 1 else f"lowest {low[0]}, highest {high[0]}"
        made.append({"name": f"Parallel efficiency, {x_text(study, x)}", "value": value, "note": note})
    done = study.n_points - len(study.troubles)
    made.append({"name": "Points with a result", "value": f"{done} of {study.n_points}",
                 "note": plural(sum(len(r.result.searches) for r in study.runs), "search")})
    made.append({"name": "Validated", "value": validated_words(study.runs) if study.runs else "-",
                 "note": "all five rules, every search" if study.runs and all(r.result.validated for r in study.runs)
                 else "see stamps"})
    return made


def validated_words(runs: list[Run]) -> str:
    n = sum(r.result.validated for r in runs)
    return "yes" if n == len(runs) else "NO" if n == 0 else f"{n} of {plural(len(runs), 'run')}"


def cautions(study: Study) -> list[str]:
    stamps = Counter(s for setting in study.settings for s in setting.stamps)
    n = len(study.settings)
    texts = {"OVERSUBSCRIBED": "more ranks or threads than cores: times say how they took turns",
             "NOT VALIDATED": "answers were not checked",
             "NBFS BELOW 64": "fewer than 64 searches: no submission to Graph500",
             "PARTIAL": "searches ended early", "DRIFTED": "the machine was in another state than it mostly was",
             "RESUMED": "a run was interrupted and taken up: its searches were not made in one go"}
    return [f"{stamp}: {stamps[stamp]} of {n} rows below; {text}" for stamp, text in texts.items() if stamps[stamp]]


# --- tables --------------------------------------------------------------------------------------------


def settings(study: Study) -> list[dict[str, Any]]:
    return [row_of(line.label, s) for line in study.series for s in line.settings]


def row_of(label: str, s: Setting) -> dict[str, Any]:
    u = s.summary
    constructions = [r.result.graph["construction_s"] for r in s.runs]
    return {"label": label, "shape": f"{s.first.n_ranks} \N{MULTIPLICATION SIGN} {s.value('threads')}",
            "scale": s.first.scale, "searches": f"{len(s.samples)} \N{MULTIPLICATION SIGN} {u.n // len(s.samples)}",
            "rate": f"{u.harmonic_mean * GIGA:.4g}",
            "interval": f"{s.interval.low * GIGA:.3g}\N{EN DASH}{s.interval.high * GIGA:.3g}",
            "quartiles": f"{u.first_quartile * GIGA:.3g}\N{EN DASH}{u.third_quartile * GIGA:.3g}",
            "construction": f"{samples.median(constructions):.3g}",
            "memory": f"{max(r.result.memory['peak_bytes'] for r in s.runs) * MIB:,.0f}",
            "power": power_words(s), "validated": validated_words(s.runs), "stamps": s.stamps}


def power_words(s: Setting) -> str:
    """MTEPS per watt, where energy was measured: the median of the runs."""
    found = [r.result.mteps_per_watt for r in s.runs if r.result.mteps_per_watt is not None]
    return f"{samples.median(found):.4g}" if found else ""


def what(axes: dict[str, Any], repetition: int, n_repetitions: int) -> str:
    words = [words_of(k, v) for k, v in axes.items()]
    if n_repetitions > 1:
        words.append(f"repetition {repetition + 1}")
    return ", ".join(words)


def troubles(study: Study) -> list[dict[str, str]]:
    return [{"point": t.point, "what": what(t.axes, t.repetition, study.repetitions), "status": t.status,
             "cause": t.cause, "command": t.command} for t in study.troubles]


def drifts(study: Study) -> list[dict[str, str]]:
    times = {r.point: t for r in study.runs if isinstance(t := r.outcome.get("calibration_s"), (int, float)) and t > 0}
    middle = samples.median(list(times.values())) if times else 0
    found = {r.point: r for r in study.runs if r.drifted and r.point in times}
    return [{"point": p, "what": what(r.axes, r.repetition, study.repetitions), "time": f"{1e3 * times[p]:.3g}",
             "off": f"{times[p] / middle - 1:+.0%}"} for p, r in found.items()]


def warnings(study: Study) -> list[tuple[str, int]]:
    return Counter(w for r in study.runs for w in r.result.warnings).most_common(30)


def provenance(study: Study) -> list[dict[str, Any]]:
    items = []
    for name, where in ITEMS:
        found: dict[str, list[Run]] = {}
        for run in study.runs:
            found.setdefault(shown_value(value_at(run, where)), []).append(run)
        items.append({"name": name, "found": [(v, places(study, runs, len(found))) for v, runs in found.items()]})
    variables = {k for r in study.runs for k in r.result.provenance["environment"]}
    for name in sorted(variables):
        found = {}
        for run in study.runs:
            found.setdefault(shown_value(run.result.provenance["environment"].get(name, "not set")), []).append(run)
        items.append({"name": f"variable {name}", "found": [(v, places(study, runs, len(found)))
                                                             for v, runs in found.items()]})
    return items if study.runs else []


def places(study: Study, runs: list[Run], n_values: int) -> str:
    """Which runs have this value, where not all have the same."""
    if n_values == 1:
        return ""
    points = list(dict.fromkeys(r.point for r in runs))
    names = ", ".join(points[:3]) + (f" and {len(points) - 3} more" if len(points) > 3 else "")
    return f"{plural(len(points), 'point')}: {names}"


def provenance_text(study: Study) -> str:
    n = sum(len(item["found"]) > 1 for item in provenance(study))
    if n == 0:
        return "The same for " + all_of(len(study.runs), "result") + "."
    return (f"{plural(n, 'item')} {'differs' if n == 1 else 'differ'} between results; marked \N{NOT EQUAL TO}. "
            "Rates of runs that differ in one compare these, too.")


# --- methods -------------------------------------------------------------------------------------------


def both(values: list[str]) -> str:
    return values[0] if len(values) == 1 else ", ".join(values[:-1]) + " and " + values[-1]


def methods(study: Study, with_published: bool) -> list[str]:
    if not study.runs:
        return ["There is nothing to describe: no point has a result."]
    first = study.runs[0].result
    return [graph_method(study), run_method(study, first), statistics_method(study, with_published)]


def graph_method(study: Study) -> str:
    graphs = {r.result.graph["source"] for r in study.runs}
    scales = {r.result.scale for r in study.runs}
    factors = sorted({r.result.graph["edgefactor"] for r in study.runs})
    seeds = sorted({" and ".join(shown_value(s) for s in r.result.graph.get("seeds") or []) for r in study.runs})
    build, machine = study.runs[0].result.provenance["build"], study.runs[0].result.provenance["machine"]
    graph = (f"Kronecker graphs with Graph500's parameters, SCALE {span(scales)}, edge factor "
             f"{both([str(f) for f in factors])}, seeds {'; '.join(seeds)}" if graphs == {"kronecker"} else
             "graphs from files")
    hosts = {r.result.configuration["n_hosts"] for r in study.runs}
    ways = f", {plural(len(study.runs), 'result')} as each way counts as one" if any(r.way for r in study.runs) else ""
    n_points = len({r.point for r in study.runs})
    return (f"{plural(n_points, 'run')}{ways}, of Meshway {build.get('version', '?')} (commit "
            f"{build.get('commit', '?')}{', with uncommitted changes' if build.get('dirty') else ''}; "
            f"{build.get('compiler', '?')}, {build.get('build_type', '?')}; {build.get('mpi', '?')}) on "
            f"{span(hosts)} {'host' if hosts == {1} else 'hosts'} ({machine.get('cpu', '?')}, "
            f"processors: {machine.get('n_cpus', '?')}, kernel {machine.get('kernel', '?')}), on {graph}.")


def run_method(study: Study, first: Any) -> str:
    searches = {len(r.result.searches) for r in study.runs}
    ways = sorted({r.way for r in study.runs if r.way})
    n_searches = sum(len(r.result.searches) for r in study.runs)
    text = (f"Each run made {span(searches)} {'search' if searches == {1} else 'searches'} from sampled roots "
            f"({first.configuration['key_policy']}), after one warm-up that does not count. A search is timed from its "
            "start until all parents are in memory, in the numbering of the input; resetting arrays is outside the "
            "clock. Edges are input tuples of the component that was searched, duplicates counted, self-loops not. ")
    if ways:
        text += f"{both(ways)} took turns on each root of the same graph. "
    if study.repetitions > 1 and study.kind != "files":
        text += f"Each point ran {study.repetitions} times"
        text += f", all in an order shuffled with seed {study.seed}. " if study.seed is not None else ". "
    checked = sum(len(r.result.searches) for r in study.runs if r.result.validated)
    everyone = all_of(n_searches, "search")
    text += (f"{everyone[0].upper()}{everyone[1:]} passed" if checked == n_searches else
             f"{checked} of {plural(n_searches, 'search')} were checked and passed") + (
                 " the five rules of the specification. " if checked else ". ")
    return text.strip()


def statistics_method(study: Study, with_published: bool) -> str:
    repeated = any(len(s.samples) > 1 for s in study.settings)
    return ("Rates are harmonic means of edges a second over the searches of all runs of a point; quartiles are "
            f"Graph500's. Intervals are {samples.CONFIDENCE:.0%} percentile bootstrap intervals of "
            f"{samples.RESAMPLES} resamples, drawn with seed {samples.BOOTSTRAP_SEED} "
            + ("over repetitions and the searches in each. " if repeated else
               "over the searches of the one run there is, so they do not tell how runs differ from each other. ")
            + "Searches are drawn in stretches that followed each other, for a busy moment lasts longer than one. "
            + "Measured: times, rates, waiting, peak memory. Counted: edges, messages, bytes. Derived from measured "
            "numbers: efficiency and the ideal line. Modelled: predicted memory, which is the plan that a run makes "
            "before it allocates, and predicted time."
            + (" Published: what the section of that name lists, drawn as reference lines." if with_published else ""))
