#!/usr/bin/env python3
"""picture_of_table.py PAGE HEADING OUT.svg -- a table of docs/performance.md as bars on a logarithmic axis, for the
README: "All algorithms" or "Search rates". The numbers stand in the picture as they stand in the page;
tests/check_docs.py compares them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import matplotlib.pyplot as plt  # noqa: E402

from meshway_sweep.figures import INK, MUTED, PALETTE, STYLE, log_axis  # noqa: E402

# By heading: what the axis says, its ends, how high the picture is, and of each series what the page calls its column,
# what the picture calls it, and its colour.
PICTURES = {
    "All algorithms": ("milliseconds (logarithmic; shorter is faster)", (0.08, 40000), 4.6, "upper right", (
        ("GAPBS, ms", "GAPBS, 16 cores", MUTED), ("16 cores, ms", "Meshway, 16 cores", PALETTE[0]),
        ("one H100, ms", "Meshway, one H100", PALETTE[1]))),
    "Search rates": ("billion edges a second (logarithmic; longer is faster)", (0.04, 4000), 3.9, "upper right", (
        ("Meshway", "Meshway", PALETTE[0]), ("RIKEN", "RIKEN's code", PALETTE[4]), ("GAPBS by degree", "GAPBS by degree", PALETTE[5]),
        ("GAPBS", "GAPBS", MUTED), ("cuGraph", "cuGraph", PALETTE[1]), ("reference", "the reference", INK)))}


def table_of(page: str, heading: str) -> list[dict[str, str]]:
    """The first table below the heading."""
    below = page[page.index(f"\n## {heading}\n"):]
    lines = [[cell.strip() for cell in line.strip("|").split("|")]
             for line in re.search(r"(?:^\|.*\n)+", below, flags=re.M)[0].splitlines()]
    return [dict(zip(lines[0], cells)) for cells in lines[2:]]


def number(cell: str) -> str:
    """As it is written; "": the cell has none."""
    found = re.match(r"[\d.,]+", cell)
    return found[0] if found else ""


def draw(rows: list[dict[str, str]], heading: str, out: Path) -> None:
    axis, ends, height, place, series = PICTURES[heading]
    with plt.rc_context({**STYLE, "svg.fonttype": "none", "svg.hashsalt": out.name}):
        figure, axes = plt.subplots(figsize=(7.6, height))
        labelled = set()
        for at, row in enumerate(rows):
            drawn = [(text, *look) for column, *look in series if (text := number(row[column]))]
            step = min(0.27, 0.84 / max(1, len(drawn)))
            for i, (text, label, colour) in enumerate(drawn):
                value, y = float(text.replace(",", "")), at + step * (i - (len(drawn) - 1) / 2)
                axes.barh(y, value - ends[0] / 2, left=ends[0] / 2, height=0.92 * step, color=colour,
                          label=None if label in labelled else label)
                labelled.add(label)
                axes.text(value * 1.12, y, text, va="center", fontsize=8, color=INK)
        axes.set_xscale("log")
        log_axis(axes.xaxis)
        axes.set_xlim(*ends)
        axes.set_yticks(range(len(rows)), [next(iter(row.values())).replace("the same", "shortest paths") for row in rows])
        axes.invert_yaxis()
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(axis)
        axes.legend(loc=place)
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    draw(table_of(Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[2]), sys.argv[2], Path(sys.argv[3]))
