"""progress.py -- what a sweep says on stderr: a line for each point, and on a terminal one that moves.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import sys
import time
from typing import Any

from .campaign import Campaign, Point

EVERY_S = 0.5


def duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{seconds / 3600:.1f} h"


def label(point: Point, repetitions: int) -> str:
    axes = {k: v for k, v in point.axes.items() if k != "per-rank-scale"}
    words = [f"{k}={v}" if v is not True else k for k, v in axes.items() if v is not False]
    return " ".join(words + ([f"#{point.repetition + 1}"] if repetitions > 1 else []))


def rates(point: Point) -> str:
    """Harmonic means, by way: a first look while it runs."""
    said = []
    for way, result in point.results().items():
        teps = ((result.get("statistics") or {}).get("teps") or {}).get("harmonic_mean")
        if isinstance(teps, (int, float)):
            said.append(f"{way + ' ' if way else ''}{teps / 1e9:.3g}")
    return ", ".join(said) + " GTEPS" if said else ""


class Progress:
    def __init__(self, campaign: Campaign, quiet: bool):
        self.n, self.repetitions, self.quiet = len(campaign.points), campaign.repetitions, quiet
        self.live = sys.stderr.isatty() and not quiet
        self.drawn = 0.0
        self.ratios: list[float] = []  # measured by predicted time of what has run

    def line(self, index: int, point: Point, outcome: dict[str, Any], more: str = "") -> None:
        self.clear()
        if self.quiet and outcome["status"] == "ok":
            return
        wall = outcome.get("wall_s")
        said = [f"[{index + 1:{len(str(self.n))}}/{self.n}]", f"{outcome['status']:11}",
                label(point, self.repetitions)]
        said += [duration(wall)] if wall is not None else []
        said += [rates(point)] if outcome["status"] == "ok" else [outcome["cause"] or ""]
        said += ["[machine drifted]"] if outcome.get("drifted") else []
        say("  ".join(filter(None, [*said, more])))

    def running(self, index: int, point: Point, elapsed_s: float, left_s: float | None) -> None:
        now = time.monotonic()
        if not self.live or now - self.drawn < EVERY_S:
            return
        self.drawn = now
        text = (f"[{index + 1:{len(str(self.n))}}/{self.n}] running      {label(point, self.repetitions)}  "
                f"{duration(elapsed_s)}")
        if left_s is not None:
            text += f"; about {duration(left_s)} left in all"
        width = os.get_terminal_size(sys.stderr.fileno()).columns or 80  # some say 0
        sys.stderr.write("\r\x1b[K" + text[:max(1, width - 1)])
        sys.stderr.flush()

    def clear(self) -> None:
        if self.live and self.drawn:
            sys.stderr.write("\r\x1b[K")
            self.drawn = 0.0


def say(text: str) -> None:
    # A terminal must not do what a file's text tells it.
    text = "".join(c if c.isprintable() else "?" for c in text)
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        pass  # whoever read it has gone; what is kept does not depend on it
