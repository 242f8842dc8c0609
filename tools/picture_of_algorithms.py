#!/usr/bin/env python3
"""picture_of_algorithms.py PAGE OUT.svg -- the table "All algorithms" of docs/performance.md as bars, for the
README: milliseconds, on a logarithmic axis. The numbers stand in the picture as they stand in the page;
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

# What the page calls a column, what the picture calls it, and its colour.
SERIES = (("GAPBS, ms", "GAPBS, 16 cores", MUTED), ("16 cores, ms", "Meshway, 16 cores", PALETTE[0]),
          ("one H100, ms", "Meshway, one H100", PALETTE[1]))


def table_of(page: str) -> list[dict[str, str]]:
    """The first table below the heading."""
    below = page[page.index("\n## All algorithms\n"):]
    lines = [[cell.strip() for cell in line.strip("|").split("|")]
             for line in re.search(r"(?:^\|.*\n)+", below, flags=re.M)[0].splitlines()]
    return [dict(zip(lines[0], cells)) for cells in lines[2:]]


def number(cell: str) -> str:
    """As it is written; "": the cell has none."""
    found = re.match(r"[\d.,]+", cell)
    return found[0] if found else ""


def draw(rows: list[dict[str, str]], out: Path) -> None:
    with plt.rc_context({**STYLE, "svg.fonttype": "none", "svg.hashsalt": out.name}):
        figure, axes = plt.subplots(figsize=(7.6, 4.6))
        for i, (column, label, colour) in enumerate(SERIES):
            for at, row in enumerate(rows):
                text = number(row[column])
                if not text:
                    continue
                value, y = float(text.replace(",", "")), at + 0.27 * (i - 1)
                axes.barh(y, value, height=0.25, color=colour, label=label if at == 0 else None)
                axes.text(value * 1.12, y, text, va="center", fontsize=8, color=INK)
        axes.set_xscale("log")
        log_axis(axes.xaxis)
        axes.set_xlim(0.08, 40000)
        axes.set_yticks(range(len(rows)), [row["algorithm"].replace("the same", "shortest paths") for row in rows])
        axes.invert_yaxis()
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("milliseconds (logarithmic; shorter is faster)")
        axes.legend(loc="upper right")
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    draw(table_of(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))
