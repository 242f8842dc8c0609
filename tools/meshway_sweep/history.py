"""history.py -- `meshway compare --history DIR`: rates over time, of result files and campaigns in one folder.

A group is what may be compared: one graph, algorithm, shape, backend, way and host, and the same options
that were given. Defaults may change from commit to commit: that is what a history shows. Its rows are commits
of a day, oldest first, each with all the searches of its runs. A row says how its rate compares with the row
before it, and leaves the verdict to `meshway compare A B`, which knows repetitions and thresholds.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from . import samples, study as studies
from .campaign import CANNOT_CREATE, DATA, IO_ERROR, NO_INPUT, OK, UNAVAILABLE, USAGE, SweepError
from .compare import table
from .options import plural
from .report import needs
from .results import clean
from .study import Run

UNKNOWN = "not known"
# Options that decide what a search does; the keys of --tune do so, too.
DECISIVE = ("direction", "bottom-up", "partition", "compress", "engine", "clusters", "layout", "groups", "topology",
            "max-depth", "target", "shuffle", "ranks-per-host", "kernels", "compat", "device")


@dataclass(frozen=True)
class Row:
    date: str  # of its first run, UTC
    commit: str
    teps: float  # of the statistic
    low: float
    high: float
    ratio: float | None  # to the row before; None: it is the first
    n_runs: int
    n_searches: int
    stamps: list[str]


@dataclass(frozen=True)
class Group:
    name: str
    host: str
    rows: list[Row]


def show(source: str, statistic: str, as_json: bool, html: str | None) -> int:
    groups, troubles = load(Path(source), statistic)
    if not groups:
        raise SweepError(DATA, f"{clean(source)}: no result has a search that counts" +
                         (f": {troubles[0]}" if troubles else ""))
    if html is not None:
        write_page(Path(html), clean(Path(source).resolve().name), groups, troubles, statistic)
    print(json.dumps({"statistic": statistic, "groups": [asdict(g) for g in groups], "troubles": troubles}, indent=1)
          if as_json else text_of(groups, troubles, statistic), end="\n" if as_json else "")
    return OK


def load(folder: Path, statistic: str) -> tuple[list[Group], list[str]]:
    if not folder.is_dir():
        raise SweepError(NO_INPUT, f"{folder}: is no folder of result files and campaigns")
    places = [folder] if (folder / "campaign.json").exists() else [
        *([folder] if any(folder.glob("*.json")) else []),
        *sorted(p for p in folder.iterdir() if p.is_dir() and ((p / "campaign.json").exists() or any(p.glob("*.json"))))]
    runs: dict[tuple[str, ...], list[Run]] = {}
    troubles = []
    for place in places:
        found = studies.load(place)
        troubles += [clean(f"{found.name}/{t.point}: {t.status}: {t.cause}") for t in found.troubles
                     if t.status != "refused"]
        for run in found.runs:
            if run.result.searches:
                runs.setdefault(key_of(run), []).append(run)
    return [Group(key[0], key[1], rows_of(runs[key], statistic)) for key in sorted(runs)], troubles


def key_of(run: Run) -> tuple[str, ...]:
    """Its words and host; then what two of one name may still differ in."""
    c, graph = run.result.configuration, run.result.graph
    source = Path(graph["file"]).name if graph.get("file") else graph["source"]
    words = [str(c.get("algorithm", "bfs")), f"{source}, SCALE {run.result.scale}, edge factor {graph['edgefactor']:g}",
             f"{run.result.n_ranks}x{c['threads_per_rank']}", str(c["backend"]), run.way or run.result.routing,
             *given(c), *([] if run.result.validated else ["not validated"])]
    machine = run.result.provenance["machine"]
    return (clean(", ".join(words)), clean(f"{machine.get('host') or UNKNOWN}, {machine.get('cpu') or UNKNOWN}"),
            str(graph["digest"]), str(c["key_policy"]))


def given(configuration: dict[str, Any]) -> list[str]:
    """What somebody asked for, of what decides how a search runs."""
    options, keys = (configuration.get(k) or {} for k in ("options", "tune"))
    all_of_them = {**{k: v for k, v in options.items() if k in DECISIVE}, **keys}
    return [f"{k} {json.dumps(v.get('value')).strip(chr(34))}" for k, v in sorted(all_of_them.items())
            if isinstance(v, dict) and v.get("origin", "default") != "default"]


def rows_of(runs: list[Run], statistic: str) -> list[Row]:
    versions: dict[tuple[str, str], list[Run]] = {}
    for run in sorted(runs, key=started):
        versions.setdefault((started(run)[:10] or UNKNOWN, commit_of(run)), []).append(run)
    rows: list[Row] = []
    for (date, commit), of in versions.items():
        y = [run.seconds_per_edge for run in of]
        rate = samples.STATISTICS[statistic]
        teps, interval = rate(samples.flat(y)), samples.bootstrap(y, rate)
        stamps = {s for run in of for s in run.result.stamps} | ({"DRIFTED"} if any(r.drifted for r in of) else set())
        rows.append(Row(clean(date), clean(commit), teps, interval.low, interval.high,
                        teps / rows[-1].teps if rows else None, len(of), sum(map(len, y)), sorted(map(clean, stamps))))
    return rows


def started(run: Run) -> str:
    return str(run.result.provenance.get("started_utc") or "")


def commit_of(run: Run) -> str:
    build = run.result.provenance["build"]
    return f"{build.get('commit') or UNKNOWN}{'+' if build.get('dirty') else ''}"


# --- out ------------------------------------------------------------------------------------------------


def shown(row: Row) -> dict[str, str]:
    return {"date": row.date, "commit": row.commit, "GTEPS": f"{row.teps * 1e-9:.4g}",
            "interval": f"{row.low * 1e-9:.3g} to {row.high * 1e-9:.3g}",
            "against the row before": "" if row.ratio is None else f"{row.ratio - 1:+.1%}",
            "runs": str(row.n_runs), "searches": str(row.n_searches), "stamps": ", ".join(row.stamps)}


def about(statistic: str) -> str:
    return (f"{statistic} of TEPS, {samples.CONFIDENCE:.0%} bootstrap intervals; a + behind a commit: uncommitted "
            "changes. Rates of one run do not tell how runs differ; 'meshway compare A B' judges two.")


def text_of(groups: list[Group], troubles: list[str], statistic: str) -> str:
    lines = [about(statistic)]
    for group in groups:
        rows = [shown(row) for row in group.rows]
        lines += ["", f"{group.name} ({group.host})", *table([tuple(rows[0]), *(tuple(r.values()) for r in rows)])]
    lines += [f"no result: {t}" for t in troubles]
    return "".join(line.rstrip() + "\n" for line in lines)


def write_page(path: Path, name: str, groups: list[Group], troubles: list[str], statistic: str) -> None:
    try:
        from . import page
    except Exception as e:
        raise SweepError(UNAVAILABLE, f"no page: {needs(e, 'Jinja2', 'python3-jinja2')}") from None
    text = page.environment().get_template("history.html.j2").render(
        name=name, about=about(statistic), troubles=troubles, title=plural(len(groups), "group"),
        groups=[{"name": g.name, "host": g.host, "rows": [shown(r) for r in g.rows]} for g in groups])
    try:
        with open(path, "x", encoding="utf-8") as f:
            f.write(text)
    except FileExistsError:
        raise SweepError(CANNOT_CREATE, f"{path}: exists; name another file") from None
    except OSError as e:
        raise SweepError(IO_ERROR, f"{path}: {e.strerror}") from None


def asked(source: str, after: str | None, statistic: str, as_json: bool, html: str | None) -> int:
    if after is not None:
        raise SweepError(USAGE, f"--history: takes one folder, and {clean(after)} is one too many")
    return show(source, statistic, as_json, html)
