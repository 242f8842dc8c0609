"""tables.py -- the numbers behind each figure, as tables: a figure draws one, the page shows it as its
text alternative, and a .tsv file holds it. Standard library only, so there are tables and gnuplot's
commands where matplotlib is missing.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable

from . import samples
from .published import Published
from .results import Level, Result, clean
from .study import Series, Setting, Study

MOST_BANDS = 4  # series with a band and an ideal line; of more nobody could tell them apart
LEVELS_SHOWN = 12  # of a search; of a longer one the others together
GIGA, MIB = 1e-9, 1 / (1 << 20)


@dataclass(frozen=True)
class Table:
    name: str  # of the files
    title: str
    text: str  # what the numbers say
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    marks: str = ""  # what lines, bands and ticks of the drawing mean

    @property
    def caption(self) -> str:
        """Of a drawing, and what is read out instead of it."""
        return " ".join(filter(None, [self.text, self.marks]))

    def column(self, name: str) -> int:
        return self.columns.index(name)

    def tsv(self) -> str:
        lines = [self.columns, *([cell(v) for v in row] for row in self.rows)]
        return "".join("\t".join(line) + "\n" for line in lines)


def cell(value: Any) -> str:
    """One field: no tab and no line end, whatever a label says."""
    if value is None:
        return "NA"
    if isinstance(value, float):
        return f"{value:.6g}"
    return clean(str(value)) or "-"


def all_tables(study: Study, published: list[Published]) -> list[Table]:
    if not study.settings:
        return []
    made = [scaling(study), efficiency(study), levels(study), traffic(study), sizes(study), between(study), memory(study),
            times(study), phases(study), beside(study, published)]
    return [t for t in made if t is not None and t.rows]


def points_of(study: Study) -> Iterable[tuple[Series, Setting]]:
    return ((line, s) for line in study.series for s in line.settings)


def x_words(study: Study) -> str:
    return {"ranks": "ranks", "threads": "threads a rank", "scale": "SCALE"}[study.x_axis]


def x_text(study: Study, x: Any) -> str:
    """One value of it: "1 rank"."""
    if study.x_axis == "scale":
        return f"SCALE {x}"
    words = {"ranks": "rank", "threads": "thread"}[study.x_axis] + ("" if x == 1 else "s")
    return f"{x} {words}" + (" a rank" if study.x_axis == "threads" else "")


def place_of(study: Study, s: Setting) -> str:
    """Where in a figure a setting stands: "2 ranks, SCALE 17"."""
    x = x_text(study, s.value(study.x_axis))
    return x if study.x_axis == "scale" else f"{x}, SCALE {s.first.scale}"


# --- rates ------------------------------------------------------------------------------------------


def scaling(study: Study) -> Table:
    rows = []
    for line, s in points_of(study):
        u, base = s.summary, line.settings[0]
        ideal = base.summary.harmonic_mean * s.value(study.x_axis) / base.value(study.x_axis)
        rows.append((line.label, s.value(study.x_axis), s.first.n_ranks, s.value("threads"), s.first.scale,
                     len(s.samples), u.n, u.harmonic_mean * GIGA, s.interval.low * GIGA, s.interval.high * GIGA,
                     u.least * GIGA, u.first_quartile * GIGA, u.median * GIGA, u.third_quartile * GIGA,
                     u.most * GIGA, ideal * GIGA if study.grows else None, " ".join(s.stamps)))
    best = max(rows, key=lambda r: r[7], default=None)
    few = len(study.series) <= MOST_BANDS
    text = "" if best is None else (
        f"Harmonic mean, median and quartiles of the searches against {x_words(study)}; measured. "
        f"Highest: {best[7]:.3g} GTEPS, {clean(best[0])}, {x_text(study, best[1])}, SCALE {best[4]}.")
    marks = ("Line with markers: harmonic mean; thin line: median; band: quartiles." if few else
             "Lines: harmonic means; median and quartiles stand in the numbers.")
    marks += " Dotted: the first point's rate times the cores." if study.grows and few else ""
    return Table("scaling", f"Rate against {x_words(study)}", text,
                 ("series", "x", "ranks", "threads", "scale", "runs", "searches", "harmonic_mean_GTEPS",
                  "interval_low_GTEPS", "interval_high_GTEPS", "min_GTEPS", "first_quartile_GTEPS",
                  "median_GTEPS", "third_quartile_GTEPS", "max_GTEPS", "ideal_GTEPS", "stamps"), rows, marks)


def efficiency(study: Study) -> Table | None:
    if not study.grows:
        return None
    rows = []
    for line in study.series:
        base = line.settings[0]
        for s in line.settings if len(line.settings) > 1 else []:
            more = s.value(study.x_axis) / base.value(study.x_axis)
            ratio = s.summary.harmonic_mean / base.summary.harmonic_mean / more
            if s is base:
                rows.append((line.label, s.value(study.x_axis), 1.0, 1.0, 1.0))
                continue
            # Roots of another graph are others: nothing is paired in weak scaling.
            i = samples.bootstrap_ratio(base.samples, s.samples, paired=False)
            rows.append((line.label, s.value(study.x_axis), ratio, i.low / more, i.high / more))
    if not rows:
        return None
    last = rows[-1]
    worst = min(rows, key=lambda r: r[2])
    return Table("efficiency", "Parallel efficiency",
                 "Rate a core relative to the first point, 1 is ideal; derived from measured rates. "
                 f"At {x_text(study, last[1])} {last[2]:.2g} ({clean(last[0])}); lowest: {worst[2]:.2g}.",
                 ("series", "x", "efficiency", "interval_low", "interval_high"), rows,
                 f"Bars: {samples.CONFIDENCE:.0%} bootstrap intervals.")


# --- levels -----------------------------------------------------------------------------------------

WAITING = ("waiting for batches", "collectives")


def panels(study: Study) -> list[tuple[str, Setting]]:
    """The last two series, which are those of the largest graphs, each at its first and last point."""
    chosen = []
    for line in study.series[-2:]:
        ends = line.settings if len(line.settings) == 1 else [line.settings[0], line.settings[-1]]
        for s in ends:
            if s.middle_search is not None and any(level.spent for level in s.middle_search.levels):
                chosen.append((f"{line.label}, {place_of(study, s)}", s))
    return chosen


def shown_levels(s: Setting) -> list[tuple[str, str, list[Level]]]:
    """Number, direction, and the levels that are meant."""
    found = list(s.middle_search.levels)
    shown = [(str(level.number), level.direction, [level]) for level in found[:LEVELS_SHOWN]]
    if len(found) > LEVELS_SHOWN:
        shown.append((f"{found[LEVELS_SHOWN].number} and on", "", found[LEVELS_SHOWN:]))
    return shown


def levels(study: Study) -> Table | None:
    rows = []
    for title, s in panels(study):
        for number, direction, some in shown_levels(s):
            for part in dict.fromkeys(name for level in some for name in level.spent):
                spreads = [level.spent[part] for level in some if part in level.spent]
                rows.append((title, number, direction, part, *(1e3 * sum(getattr(x, k) for x in spreads)
                                                               for k in ("least", "mean", "most")),
                             1e3 * sum(level.longest_work_s for level in some)))
    if not rows:
        return None
    total = sum(r[5] for r in rows if r[0] == rows[-1][0])
    waits = sum(r[5] for r in rows if r[0] == rows[-1][0] and r[3] in WAITING)
    return Table("levels", "Time per level, by module and waiting",
                 "The search whose time is nearest to the median; parts are means over ranks and add up to the "
                 "level; measured. "
                 f"In {clean(rows[-1][0])} {waits / total:.0%} of {total:.3g} ms is waiting for others.",
                 ("panel", "level", "direction", "part", "least_ms", "mean_ms", "most_ms", "longest_work_ms"), rows,
                 "The tick is the rank that worked longest.")


# --- messages ---------------------------------------------------------------------------------------


def traffic(study: Study) -> Table | None:
    rows = []
    for line, s in points_of(study):
        edges = s.mean_of(lambda search: search.n_edges)
        n_bytes = s.mean_of(lambda search: search.n_bytes)
        rows.append((line.label, s.first.routing, s.value(study.x_axis), n_bytes, n_bytes / edges,
                     s.mean_of(lambda search: search.n_messages), s.first.configuration.get("n_peers")))
    if not any(r[3] or r[5] for r in rows):
        return None
    most = max(rows, key=lambda r: r[4])
    return Table("traffic", "Bytes and messages, direct against relay",
                 "Of all ranks, a search on average: bytes between ranks for each traversed edge (with bitmaps "
                 "and hubs), and messages; counted, so it does not depend on the machine. "
                 f"Most: {most[4]:.3g} bytes an edge and {most[5]:.4g} messages, {clean(most[0])}, "
                 f"{x_text(study, most[2])}.",
                 ("series", "routing", "x", "bytes_per_search", "bytes_per_edge", "messages_per_search",
                  "peers_of_a_rank"), rows)


def sizes(study: Study) -> Table | None:
    rows = []
    for line in study.series:
        s = line.settings[-1]
        n = sum(len(run.result.searches) for run in s.runs)
        by_class: dict[int, int] = {}
        for run in s.runs:
            for search in run.result.searches:
                for level in search.levels:
                    for k, count in enumerate(level.by_size):
                        by_class[k] = by_class.get(k, 0) + count
        for k in range(max(by_class, default=-1) + 1):
            rows.append((line.label, s.value(study.x_axis), 1 << k + 4, (1 << k + 5) - 1,
                         by_class.get(k, 0) / n))
    if not any(r[4] for r in rows):
        return None
    all_of_them = sum(r[4] for r in rows)
    small = sum(r[4] for r in rows if r[3] < 1024)
    return Table("sizes", "Sizes of messages",
                 f"Messages of a search by size, at the last point of each series; counted. {small / all_of_them:.0%} "
                 "are below 1 KiB.",
                 ("series", "x", "from_bytes", "to_bytes", "messages_per_search"), rows)


def between(study: Study) -> Table | None:
    """At the last point of the last two series, which are those of the largest graphs."""
    rows: list[tuple[Any, ...]] = []
    for line in study.series[-2:]:
        s = line.settings[-1]
        sent = next((run.result.sent for run in s.runs if run.result.sent is not None), None)
        if sent is None or not any(map(any, sent.n_bytes)):
            continue
        title = f"{line.label}, {place_of(study, s)}"
        rows += [(title, i, k, sent.messages[i][k] / sent.n_searches, sent.n_bytes[i][k] / sent.n_searches)
                 for i in range(len(sent.messages)) for k in range(len(sent.messages))]
    if not rows:
        return None
    most = max(rows, key=lambda r: r[4])
    pairs = [r[4] for r in rows if r[0] == most[0] and r[1] != r[2]]
    return Table("between", "Bytes from rank to rank",
                 "Bytes of messages with records from one rank to another, a search on average; counted. Bitmaps "
                 "and hubs, which collectives share, are not in it. "
                 f"Most: {most[4]:.4g} bytes from rank {most[1]} to rank {most[2]}, {clean(most[0])}, "
                 f"{most[4] * len(pairs) / sum(pairs):.2g} times the mean of its pairs.",
                 ("panel", "from", "to", "messages_per_search", "bytes_per_search"), rows,
                 "Rows send, columns receive.")


# --- predicted against measured ----------------------------------------------------------------------


def memory(study: Study) -> Table | None:
    rows = []
    for line, s in points_of(study):
        for run in s.runs[:1]:
            m = run.result.memory
            predicted = m.get("predicted_bytes")
            if predicted:
                rows.append((line.label, s.value(study.x_axis), s.first.scale, predicted * MIB,
                             m["peak_bytes"] * MIB, m["peak_bytes"] / predicted))
    if not rows:
        return None
    far = max(rows, key=lambda r: abs(r[5] - 1))
    return Table("memory", "Memory of a rank, predicted against measured",
                 "Peak resident set of the largest rank against what the plan says before anything is allocated "
                 f"(modelled). Farthest off: measured {far[5]:.2f} times the prediction, "
                 f"{clean(far[0])}, {x_text(study, far[1])}.",
                 ("series", "x", "scale", "predicted_MiB", "measured_MiB", "ratio"), rows, "Band: 10 %.")


def times(study: Study) -> Table | None:
    rows = []
    seen: set[str] = set()  # points: their ways took one wall time together
    for line, s in points_of(study):
        for run in s.runs:
            wall, search = run.plan.get("time_s"), run.plan.get("search_s")
            took = run.outcome.get("wall_s")
            if is_time(wall) and is_time(took) and run.point not in seen:
                seen.add(run.point)
                rows.append(("whole point", "all ways" if run.way else line.label, s.value(study.x_axis), run.repetition, wall, took,
                             took / wall))
            for what, predicted, measured in phases_of(run.result, search):
                if is_time(predicted) and is_time(measured):
                    rows.append((what, line.label, s.value(study.x_axis), run.repetition, predicted, measured,
                                 measured / predicted))
    if not rows:
        return None
    inside = sum(1 for r in rows if 0.5 <= r[6] <= 2) / len(rows)
    return Table("times", "Time, predicted against measured",
                 "Of whole points what was planned before the first one began, from the rates of this machine where "
                 "'meshway plan --calibrate' has measured them, else a small probe on one core, scaled by edges and "
                 "cores; of parts what each run modelled before it started. All modelled; "
                 f"{inside:.0%} lie within a factor of two.",
                 ("what", "series", "x", "repetition", "predicted_s", "measured_s", "ratio"), rows,
                 "Band: a factor of two.")


def phases_of(result: Result, planned_search_s: Any) -> list[tuple[str, Any, Any]]:
    """What, predicted and measured seconds; older results have no prediction of their own."""
    own = result.prediction or {}
    found: list[tuple[str, Any, Any]] = []
    if result.searches:
        middle = samples.median([x.time_s for x in result.searches])
        found.append(("search (median)", own.get("search_s", planned_search_s), middle))
        judged = [x.validate_s for x in result.searches if x.validate_s is not None]
        if judged:
            found.append(("validation (median)", own.get("validation_s"), samples.median(judged)))
    return [("construction", own.get("construction_s"), result.graph["construction_s"]), *found]


def is_time(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e12


def phases(study: Study) -> Table | None:
    rows = []
    for line, s in points_of(study):
        for run in s.runs[:1]:
            r = run.result
            rows.append((line.label, s.value(study.x_axis), r.graph["generation_s"], r.graph["construction_s"],
                         sum(x.time_s for x in r.searches), sum(x.validate_s or 0 for x in r.searches)))
    if not rows:
        return None
    last = rows[-1]
    whole = sum(last[2:])
    return Table("phases", "Where the time of a run goes",
                 "Generation, construction (kernel 1), searches (kernel 2) and validation of the first repetition; "
                 f"measured. Last point: construction {last[3] / whole:.0%}, searches {last[4] / whole:.0%}, "
                 f"validation {last[5] / whole:.0%}.",
                 ("series", "x", "generation_s", "construction_s", "searches_s", "validation_s"), rows)


# --- others' results ---------------------------------------------------------------------------------


def beside(study: Study, published: list[Published]) -> Table | None:
    """Rates of one node, processor, GPU or core: all that can stand on one axis, and not the same thing."""
    if not published:
        return None
    rows: list[tuple[Any, ...]] = [
        (f"{p.system}{', ' + p.when if p.when else ''}", p.status, p.unit, p.units, p.gteps, p.per_unit)
        for p in published if p.per_unit]
    for line in study.series:
        s = max(line.settings, key=lambda s: s.summary.harmonic_mean / s.runs[0].cores)
        cores, rate = s.runs[0].cores, s.summary.harmonic_mean * GIGA
        rows.append((f"here: {line.label}, {place_of(study, s)}",
                     "here, measured", "core", cores, rate, rate / cores))
    rows.sort(key=lambda r: -r[5])
    return Table("published", "Beside published results",
                 "Rate of one node, processor, GPU or core, at the size of its own system: published by others, "
                 "measured by Meshway's authors, or measured here. A GPU is no core, and a rate on one host needs no "
                 "network: for orientation only.",
                 ("system", "status", "unit", "units", "GTEPS", "GTEPS_per_unit"), rows)
