"""samples.py -- statistics of searches: what Graph500 reports, and how sure one may be of it.

Standard library only. Whatever draws at random has a seed that is said beside its result, so that a
report made twice is the same report.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Callable, Sequence

BOOTSTRAP_SEED = 20170529  # of every interval, unless somebody asks for another; any number would do
RESAMPLES = 2000
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Summary:
    """Of rates, by way of their reciprocals: docs/definitions.md, "Statistics"."""

    n: int
    least: float
    first_quartile: float
    median: float
    third_quartile: float
    most: float
    harmonic_mean: float
    harmonic_stddev: float


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """The reference's: means of two neighbours."""
    x, n = sorted(values), len(values)
    return ((x[(n - 1) // 4] + x[n // 4]) / 2, (x[(n - 1) // 2] + x[n // 2]) / 2,
            (x[n - 1 - (n - 1) // 4] + x[n - 1 - n // 4]) / 2)


def median(values: Sequence[float]) -> float:
    return quartiles(values)[1]


def summarize(seconds_per_edge: Sequence[float]) -> Summary:
    n, y = len(seconds_per_edge), seconds_per_edge
    mean = math.fsum(y) / n
    low, middle, high = quartiles(y)
    variance = math.fsum((v - mean) ** 2 for v in y) / (n - 1) if n > 1 else 0.0
    return Summary(n, 1 / max(y), 1 / high, 1 / middle, 1 / low, 1 / min(y), 1 / mean,
                   math.sqrt(variance) / (mean * mean * math.sqrt(n - 1)) if n > 1 else 0.0)


def harmonic_mean(seconds_per_edge: Sequence[float]) -> float:
    return len(seconds_per_edge) / math.fsum(seconds_per_edge)


def median_rate(seconds_per_edge: Sequence[float]) -> float:
    return 1 / median(seconds_per_edge)


STATISTICS: dict[str, Callable[[Sequence[float]], float]] = {"harmonic-mean": harmonic_mean,
                                                             "median": median_rate}


@dataclass(frozen=True)
class Interval:
    low: float
    high: float


def percentile_interval(values: list[float], confidence: float) -> Interval:
    """The middle part of what resampling gave."""
    values.sort()
    cut = (1 - confidence) / 2 * (len(values) - 1)
    return Interval(values[math.floor(cut)], values[len(values) - 1 - math.floor(cut)])


# A side of a comparison: repetitions, each with the searches of one run, seconds per edge.
Runs = Sequence[Sequence[float]]


def flat(runs: Runs) -> list[float]:
    return [y for run in runs for y in run]


def bootstrap(runs: Runs, statistic: Callable[[Sequence[float]], float] = harmonic_mean,
              seed: int = BOOTSTRAP_SEED, resamples: int = RESAMPLES,
              confidence: float = CONFIDENCE) -> Interval:
    """Repetitions are drawn first, then searches of each: what runs differ by counts, too."""
    draw = random.Random(seed)
    values = [statistic(resample(runs, draw)) for _ in range(resamples)]
    return percentile_interval(values, confidence)


def draw_blocks(n: int, draw: random.Random) -> list[int]:
    """n of 0..n-1 with replacement, in stretches of about n^(1/3) that stood side by side. A busy moment of
    the machine lasts longer than a search, so neighbours are alike; one by one they would seem to be more
    evidence than they are."""
    length = round(n ** (1 / 3))
    taken: list[int] = []
    while len(taken) < n:
        first = draw.randrange(n)
        taken += [(first + k) % n for k in range(min(length, n - len(taken)))]
    return taken


def resample(runs: Runs, draw: random.Random) -> list[float]:
    taken: list[float] = []
    for run in draw.choices(runs, k=len(runs)):
        taken += [run[i] for i in draw_blocks(len(run), draw)]
    return taken


def bootstrap_ratio(before: Runs, after: Runs, paired: bool,
                    statistic: Callable[[Sequence[float]], float] = harmonic_mean,
                    seed: int = BOOTSTRAP_SEED, resamples: int = RESAMPLES,
                    confidence: float = CONFIDENCE) -> Interval:
    """Of statistic(after) / statistic(before). `paired`: search i of every run is from the same root on
    the same graph, so the same roots are drawn for both sides, and what roots differ by cancels."""
    draw = random.Random(seed)
    ratios = []
    for _ in range(resamples):
        if paired:
            roots = draw_blocks(len(before[0]), draw)
            sides = [[run[i] for run in draw.choices(side, k=len(side)) for i in roots]
                     for side in (before, after)]
        else:
            sides = [resample(side, draw) for side in (before, after)]
        ratios.append(statistic(sides[1]) / statistic(sides[0]))
    return percentile_interval(ratios, confidence)
