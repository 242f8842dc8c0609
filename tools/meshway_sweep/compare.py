"""compare.py -- `meshway compare A B`: what changed from A to B, and how sure one may be.

Points are matched by what they are, not by their hash, which holds the program's digest. A ratio is that
of the rates over all searches of all repetitions; where both sides searched the same roots of the same
graph the bootstrap draws the same roots for both, so that what roots differ by cancels.

    slower    the rate fell by more than the threshold, and the interval is below 1: code 1
    faster    it rose by more than that, and the interval is above 1
    same      the interval lies within the threshold
    unsure    anything else: more searches or repetitions would tell

Where a side has run only once, the interval is over roots alone and knows nothing of what runs of one program
differ by. Then only what exceeds the floor is slower or faster, and all else is unsure.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from typing import Any

from . import options, samples, study as studies
from .campaign import DATA, OK, USAGE, SweepError
from .provenance import ITEMS, shown_value, value_at
from .results import clean
from .study import Setting, Study, words_of

REGRESSION = 1  # the exit code
FORMAT = 1

# What both sides must have in common for their rates to mean the same.
MUST_AGREE = (
    ("graph", lambda r: r.graph["digest"]), ("SCALE", lambda r: r.scale),
    ("edge factor", lambda r: r.graph["edgefactor"]), ("ranks", lambda r: r.n_ranks),
    ("algorithm", lambda r: r.configuration.get("algorithm")),
    ("searches that end early", lambda r: "PARTIAL" in r.stamps),
    ("choice of roots", lambda r: r.configuration["key_policy"]))


@dataclass(frozen=True)
class Limits:
    """Parts of a rate."""

    threshold: float  # less is no regression
    floor: float  # the same where a side has run once


@dataclass(frozen=True)
class Change:
    point: str  # what it is, in words
    verdict: str
    ratio: float  # rate of B / rate of A
    low: float
    high: float
    before_teps: float
    after_teps: float
    n_runs: tuple[int, int]
    n_searches: tuple[int, int]
    paired: bool
    construction_ratio: float | None  # seconds of B / seconds of A, medians
    memory_ratio: float | None  # peak bytes of the largest rank
    bytes_ratio: float | None  # sent in a search; null: nothing was
    messages_ratio: float | None
    notes: list[str]


@dataclass(frozen=True)
class Comparison:
    changes: list[Change]
    only_before: list[str]
    only_after: list[str]
    not_comparable: list[str]
    provenance: list[tuple[str, str, str]]
    troubles: list[str]


def main(program: str, words: list[str]) -> int:
    own = options.tables(program)["compare"]
    asked = options.settings(options.parse(words, own), own, os.environ.items())
    if asked["history"]:
        from . import history, report  # history takes table() from here
        if asked["html"] is not None:
            report.leave_to_system(program, words, asked["quiet"], "compare", ("jinja2",))
        return history.asked(asked["before"], asked["after"], asked["statistic"], asked["json"], asked["html"])
    if asked["after"] is None:
        raise SweepError(USAGE, f"compare: B is missing: {own['after'].meaning}; as in '{own['after'].example}'")
    if asked["html"] is not None:
        raise SweepError(USAGE, "--html: is the page of --history")
    return run(asked["before"], asked["after"], Limits(asked["threshold"], asked["floor"]), asked["statistic"],
               asked["json"], asked["quiet"])


def run(before: str, after: str, limits: Limits, statistic: str, as_json: bool, quiet: bool) -> int:
    for name, share in asdict(limits).items():
        if not 0 <= share < 1:
            raise SweepError(USAGE, f"--{name}: {share:g} is no part of a rate; expected 0..1, such as 0.05")
    a, b = studies.load(before), studies.load(after)
    found = compare(a, b, limits, statistic)
    if as_json:
        print(json.dumps(document(found, limits, statistic), indent=1))
    else:
        print(text_of(found, limits, statistic, quiet), end="")
    if not found.changes:
        why = found.not_comparable[0] if found.not_comparable else "no point of one is a point of the other"
        raise SweepError(DATA, f"{clean(before)} and {clean(after)} cannot be compared: {why}")
    slower = [c for c in found.changes if c.verdict == "slower"]
    if slower:
        n = len(found.changes)
        print(f"meshway: {'the one point' if n == 1 else f'{len(slower)} of {n} points'} became slower by more than "
              f"{limits.threshold:.1%}",
              file=sys.stderr)
    return REGRESSION if slower else OK


# --- matching -----------------------------------------------------------------------------------------


def key_of(s: Setting) -> str:
    return json.dumps([s.axes, s.way], sort_keys=True)


def name_of(s: Setting) -> str:
    words = ([s.way] if s.way else []) + [words_of(k, v) for k, v in s.axes.items()]
    return clean(", ".join(words)) or s.first.name


def compare(a: Study, b: Study, limits: Limits, statistic: str = "harmonic-mean") -> Comparison:
    before, after = ({key_of(s): s for s in side.settings} for side in (a, b))
    if a.kind == b.kind == "files" and len(before) == len(after) == 1:
        # Two files that somebody named: they are to be compared, whatever they differ in.
        pairs = [(*before.values(), *after.values())]
        only: tuple[list[str], list[str]] = ([], [])
    else:
        pairs = [(s, after[k]) for k, s in before.items() if k in after]
        only = ([name_of(s) for k, s in before.items() if k not in after],
                [name_of(s) for k, s in after.items() if k not in before])
    changes, not_comparable = [], []
    for x, y in pairs:
        why = differing(x, y)
        if why:
            not_comparable.append(f"{name_of(x)}: {'; '.join(why)}")
        else:
            changes.append(change(x, y, limits, statistic))
    return Comparison(changes, *only, not_comparable, provenance_changes(pairs), troubles_of(a, "A") + troubles_of(b, "B"))


def differing(x: Setting, y: Setting) -> list[str]:
    """Why the two must not be compared."""
    found = []
    for name, value in MUST_AGREE:
        if value(x.first) != value(y.first):
            found.append(f"{name} {clean(shown_value(value(x.first)))} and {clean(shown_value(value(y.first)))}")
    return found


def troubles_of(study: Study, side: str) -> list[str]:
    return [f"{side}: {clean(', '.join([*t.ways, *(words_of(k, v) for k, v in t.axes.items())]))} ({clean(t.point)}): "
            f"{clean(t.status)}: {clean(t.cause)}" for t in study.troubles]


def provenance_changes(pairs: list[tuple[Setting, Setting]]) -> list[tuple[str, str, str]]:
    found = []
    for name, where in ITEMS:
        sides = [list(dict.fromkeys(clean(shown_value(value_at(run, where))) for p in pairs for run in p[i].runs))
                 for i in (0, 1)]
        if set(sides[0]) != set(sides[1]):
            found.append((name, " | ".join(sides[0]), " | ".join(sides[1])))
    return found


# --- one point ----------------------------------------------------------------------------------------


def change(x: Setting, y: Setting, limits: Limits, statistic: str) -> Change:
    rate = samples.STATISTICS[statistic]
    paired = roots_of(x) == roots_of(y) and len(roots_of(x)) == 1
    low_high = samples.bootstrap_ratio(x.samples, y.samples, paired, rate)
    before, after = rate(samples.flat(x.samples)), rate(samples.flat(y.samples))
    ratio = after / before
    return Change(
        point=name_of(x), verdict=verdict(ratio, low_high, limits, once(x, y)), ratio=ratio, low=low_high.low,
        high=low_high.high, before_teps=before, after_teps=after, n_runs=(len(x.samples), len(y.samples)),
        n_searches=(x.summary.n, y.summary.n), paired=paired,
        construction_ratio=quotient(construction_s(y), construction_s(x)),
        memory_ratio=quotient(peak(y), peak(x)),
        bytes_ratio=quotient(y.mean_of(lambda s: s.n_bytes), x.mean_of(lambda s: s.n_bytes)),
        messages_ratio=quotient(y.mean_of(lambda s: s.n_messages), x.mean_of(lambda s: s.n_messages)),
        notes=notes(x, y, limits))


def once(x: Setting, y: Setting) -> bool:
    return len(x.samples) == 1 or len(y.samples) == 1


def verdict(ratio: float, i: samples.Interval, limits: Limits, single: bool) -> str:
    least = max(limits.threshold, limits.floor) if single else limits.threshold
    if ratio < 1 - least and i.high < 1:
        return "slower"
    if ratio > 1 + least and i.low > 1:
        return "faster"
    within = 1 - limits.threshold <= i.low and i.high <= 1 + limits.threshold
    return "same" if within and not single else "unsure"


def roots_of(s: Setting) -> set[tuple[Any, ...]]:
    """One tuple, if all runs searched from the same roots in the same order."""
    return {tuple(search.root for search in run.result.searches) for run in s.runs}


def construction_s(s: Setting) -> float:
    return samples.median([run.result.graph["construction_s"] for run in s.runs])


def peak(s: Setting) -> float:
    return samples.median([run.result.memory["peak_bytes"] for run in s.runs])


def quotient(a: float, b: float) -> float | None:
    return a / b if b > 0 else None


def notes(x: Setting, y: Setting, limits: Limits) -> list[str]:
    found = []
    if once(x, y):
        found.append("one run on a side: the interval covers roots, not what runs differ by, so only a change of more "
                     f"than {max(limits.threshold, limits.floor):.1%} (--floor) is called one")
    watts = [[r.result.mteps_per_watt for r in side.runs if r.result.mteps_per_watt is not None] for side in (x, y)]
    if all(watts):
        found.append("MTEPS per watt: " + " and ".join(f"{samples.median(side):.4g}" for side in watts))
    stamps = {s for side in (x, y) for s in side.stamps} & {"OVERSUBSCRIBED", "DRIFTED", "NOT VALIDATED", "RESUMED"}
    return found + sorted(stamps)


# --- out ------------------------------------------------------------------------------------------------


def document(found: Comparison, limits: Limits, statistic: str) -> dict[str, Any]:
    return {"format": FORMAT, **asdict(limits), "statistic": statistic, "confidence": samples.CONFIDENCE,
            "resamples": samples.RESAMPLES, "seed": samples.BOOTSTRAP_SEED,
            "regression": any(c.verdict == "slower" for c in found.changes),
            "points": [asdict(c) for c in found.changes], "only_in_a": found.only_before, "only_in_b": found.only_after,
            "not_comparable": found.not_comparable,
            "provenance": [{"item": i, "a": a, "b": b} for i, a, b in found.provenance], "troubles": found.troubles}


def text_of(found: Comparison, limits: Limits, statistic: str, quiet: bool) -> str:
    lines = []
    if found.changes and not quiet:
        lines.append(f"rate of B / rate of A, {statistic} of TEPS; {samples.CONFIDENCE:.0%} bootstrap intervals "
                     f"({samples.RESAMPLES} resamples, seed {samples.BOOTSTRAP_SEED}); threshold {limits.threshold:.1%}")
    lines += table([("change", "interval", "GTEPS A", "GTEPS B", "build", "memory", "bytes", "point"),
                    *((f"{c.verdict:6} {c.ratio - 1:+7.1%}", f"{c.low - 1:+.1%} to {c.high - 1:+.1%}",
                       f"{c.before_teps * 1e-9:.4g}", f"{c.after_teps * 1e-9:.4g}", times(c.construction_ratio),
                       times(c.memory_ratio), times(c.bytes_ratio), c.point) for c in found.changes)]
                   ) if found.changes else []
    if not quiet:
        for text in dict.fromkeys(n for c in found.changes for n in c.notes):
            n = sum(text in c.notes for c in found.changes)
            lines.append(f"note: {text} ({n} of {options.plural(len(found.changes), 'point')})")
    lines += [f"not comparable: {text}" for text in found.not_comparable]
    lines += [f"only in A: {text}" for text in found.only_before]
    lines += [f"only in B: {text}" for text in found.only_after]
    lines += [f"no result: {text}" for text in found.troubles]
    if not quiet:
        lines += [f"differs: {name}: {a} -> {b}" for name, a, b in found.provenance]
    return "".join(line + "\n" for line in lines)


def times(ratio: float | None) -> str:
    return "-" if ratio is None else f"x {ratio:.2f}"


def table(rows: list[tuple[str, ...]]) -> list[str]:
    """Columns as wide as they need be; the last one as it is."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    return ["  ".join([*(f"{v:>{w}}" if i > 0 else f"{v:<{w}}" for i, (v, w) in enumerate(zip(row, widths))), row[-1]])
            for row in rows]
