"""chart.py -- `meshway report PAGE --table HEADING`: a table of a page in Markdown as bars on a logarithmic axis. The
README's pictures are made so, of docs/performance.md; the test `report` makes them again. The numbers stand in the
picture as they stand in the page; tests/check_docs.py compares them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt

from .campaign import DATA, IO_ERROR, NO_INPUT, OK, SweepError, write_bytes
from .figures import INK, MUTED, PALETTE, STYLE, log_axis

# Of our own pages, by heading: what the axis says, its ends, how high the picture is, and of each series what the page calls its column,
# what the picture calls it, and its colour.
PICTURES = {
    "All algorithms": ("milliseconds (logarithmic; shorter is faster)", (0.08, 40000), 4.6, "upper right", (
        ("GAPBS, ms", "GAPBS, 32 cores", MUTED), ("32 cores, ms", "Meshway, 32 cores", PALETTE[0]),
        ("one H200, ms", "Meshway, one H200", PALETTE[1]))),
    "Search rates": ("billion edges a second (logarithmic; longer is faster)", (0.04, 4000), 3.9, "upper right", (
        ("Meshway", "Meshway", PALETTE[0]), ("RIKEN", "RIKEN's code", PALETTE[4]), ("GAPBS by degree", "GAPBS by degree", PALETTE[5]),
        ("GAPBS", "GAPBS", MUTED), ("cuGraph", "cuGraph", PALETTE[1]), ("reference", "the reference", INK)))}


def table_of(page: str, heading: str) -> list[dict[str, str]]:
    """The first table below the heading; of no rows: there is none."""
    below = re.split(rf"^#+ {re.escape(heading)}\n", page, maxsplit=1, flags=re.M)[1:]
    found = re.search(r"(?:^\|.*(?:\n|\Z))+", below[0], flags=re.M) if below else None
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in found[0].splitlines()] if found else []
    return [dict(zip(lines[0], cells)) for cells in lines[2:] if len(cells) >= len(lines[0])]


def number(cell: str) -> str:
    """As it is written; "": the cell has none."""
    found = re.match(r"[\d.,]+", cell)
    return found[0] if found else ""


def look_of(rows: list[dict[str, str]]) -> tuple[Any, ...]:
    """Of a table that is none of ours: all columns behind the first."""
    values = [float(text.replace(",", "")) for row in rows for cell in list(row.values())[1:] if (text := number(cell))]
    return ("", (min(values) / 3, max(values) * 6), 1.2 + 0.7 * len(rows), "best",
            tuple((name, name, PALETTE[i % len(PALETTE)]) for i, name in enumerate(list(rows[0])[1:])))


def draw(rows: list[dict[str, str]], heading: str) -> bytes:
    axis, ends, height, place, series = PICTURES.get(heading) or look_of(rows)
    svg = io.BytesIO()
    with plt.rc_context({**STYLE, "svg.hashsalt": heading}):
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
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(figure)
    return svg.getvalue()


def chart(source: str, heading: str, out: str | None) -> int:
    try:
        rows = table_of(Path(source).read_text(encoding="utf-8"), heading)
    except (OSError, UnicodeDecodeError) as e:
        raise SweepError(NO_INPUT, f"{source}: cannot read: {e}") from None
    if not any(number(cell) for row in rows for cell in list(row.values())[1:]):
        raise SweepError(DATA, f"{source}: no table with numbers below a heading '{heading}'")
    target = Path(out or Path(source).with_suffix(".svg"))
    try:
        write_bytes(target, draw(rows, heading))
    except OSError as e:
        raise SweepError(IO_ERROR, f"{target}: {e.strerror}") from None
    print(f"picture:   {target}")
    return OK
