"""figures.py -- tables drawn with matplotlib: SVG and PDF files for papers, and the SVG in the page.

What tells series apart is never colour alone: lines differ in style and marker, bars in hatches. Colours
are Okabe and Ito's, which the colour-blind can tell apart. The page's drawings have no colours of their
own but names of them (var(--s1)), so that the page's light and dark both fit.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import html
import io
import math
import re
from dataclasses import dataclass
from typing import Any, Callable

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import FuncFormatter, NullFormatter  # noqa: E402

from .results import clean  # noqa: E402
from .tables import MOST_BANDS, WAITING, Table  # noqa: E402

# Light, name on the page. The page knows what they are in the dark.
INK, MUTED, GRID, PAPER = "#1a1a19", "#5f5e5a", "#dddbd5", "#ffffff"
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6a00", "#555555")
NAMES = {INK: "var(--ink)", MUTED: "var(--muted)", GRID: "var(--grid)", PAPER: "none",
         **{colour: f"var(--s{i + 1})" for i, colour in enumerate(PALETTE)}}
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 2)), (0, (8, 2)), (0, (3, 3)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES = ("", "///", "..", "xx", "\\\\\\", "++", "--", "||")
MOST_SERIES = len(PALETTE)
WIDTH = 5.2  # inches

STYLE = {
    "font.size": 10.5, "font.family": "sans-serif", "axes.titlesize": 10.5, "axes.labelsize": 10.5,
    "xtick.labelsize": 9.5, "ytick.labelsize": 9.5, "legend.fontsize": 9.5, "legend.frameon": False,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": MUTED, "axes.labelcolor": INK,
    "text.color": INK, "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK, "axes.grid": True, "axes.grid.axis": "y", "grid.color": GRID, "grid.linewidth": 0.7,
    "axes.axisbelow": True, "figure.facecolor": PAPER, "axes.facecolor": "none", "savefig.facecolor": PAPER,
    "hatch.linewidth": 0.7, "lines.linewidth": 1.6, "lines.markersize": 5.5, "text.parse_math": False,
    "figure.constrained_layout.use": True, "svg.fonttype": "none", "pdf.fonttype": 42,
    # Measured with the first; the next are no wider. Every browser has the last.
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "Helvetica", "sans-serif"],
}


@dataclass(frozen=True)
class Drawing:
    svg: bytes  # a file: its text is text, which can be searched and edited
    pdf: bytes  # its fonts are in it, so it looks the same everywhere
    inline: str  # for the page


def draw_all(tables: list[Table], x_name: str) -> dict[str, Drawing]:
    """By the name of the table; those that there is no drawing for are only tables."""
    drawn = {}
    others = [r for t in tables if t.name == "published" for r in t.rows if not r[1].startswith("here")]
    for table in tables:
        if (draw := DRAW.get(table.name)) is not None:
            with matplotlib.rc_context(STYLE):
                figure = draw(table, x_name)
                if table.name == "scaling":
                    reference_lines(figure.axes[0], others)
                drawn[table.name] = saved(figure, table)
                plt.close(figure)
    return drawn


# --- one figure each ------------------------------------------------------------------------------


def rows_by(table: Table, column: str) -> dict[str, list[tuple[Any, ...]]]:
    """In the order of the table, and no more than there are styles for."""
    at, found = table.column(column), {}
    for row in table.rows:
        found.setdefault(row[at], []).append(row)
    return dict(list(found.items())[:MOST_SERIES])


def label_of(text: Any, most: int = 44) -> str:
    text = clean(str(text))
    return text if len(text) <= most else text[:most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def lines_axes(height: float = 3.5) -> tuple[Figure, Axes]:
    figure, axes = plt.subplots(figsize=(WIDTH, height))
    return figure, axes


def plain(value: float, _: Any = None) -> str:
    return f"{value:,.0f}" if value >= 1000 and value == round(value) else f"{value:g}"


def log_axis(axis: Any, ticks: list[float] | None = None) -> None:
    axis.set_major_formatter(FuncFormatter(plain))
    axis.set_minor_formatter(NullFormatter())
    if ticks is not None:
        axis.set_ticks(ticks)


def x_of_cores(axes: Axes, xs: list[float], x_name: str) -> None:
    """Powers of two are at equal distances; each point has its tick."""
    ticks = sorted(set(xs))
    if x_name != "SCALE" and len(ticks) > 1:
        axes.set_xscale("log", base=2)
        axes.set_xlim(ticks[0] / 1.15, ticks[-1] * 1.15)
    log_axis(axes.xaxis, ticks if len(ticks) <= 12 else None)
    axes.set_xlabel(x_name)


MARKED, IDEAL = "oversubscribed or drifted", "ideal"
NO_SERIES = (MARKED, IDEAL)


def legend(axes: Axes, columns: int = 2) -> None:
    handles, labels = axes.get_legend_handles_labels()
    own = [i for i, label in enumerate(labels) if label not in NO_SERIES]
    order = own + [i for i in range(len(labels)) if i not in own]
    handles, labels = [handles[i] for i in order], [labels[i] for i in order]
    if max((len(label) for label in labels), default=0) > 26:
        columns = 1
    rows = math.ceil(len(labels) / columns)
    axes.figure.set_figheight(axes.figure.get_figheight() + 0.19 * max(0, rows - 2))  # not out of the axes
    axes.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, borderaxespad=0.2,
                handlelength=2.6, columnspacing=1.4)


def draw_scaling(table: Table, x_name: str) -> Figure:
    figure, axes = lines_axes()
    at = {name: table.column(name) for name in table.columns}
    xs: list[float] = []
    few = len({r[0] for r in table.rows}) <= MOST_BANDS
    for i, (label, rows) in enumerate(rows_by(table, "series").items()):
        x = [r[at["x"]] for r in rows]
        xs += x
        mean = [r[at["harmonic_mean_GTEPS"]] for r in rows]
        if few:
            axes.fill_between(x, [r[at["first_quartile_GTEPS"]] for r in rows],
                              [r[at["third_quartile_GTEPS"]] for r in rows], color=PALETTE[i], alpha=0.18, linewidth=0)
            if len(x) == 1:  # a band of no width is not seen
                axes.vlines(x, rows[0][at["first_quartile_GTEPS"]], rows[0][at["third_quartile_GTEPS"]],
                            color=PALETTE[i], alpha=0.35, linewidth=5)
            axes.plot(x, [r[at["median_GTEPS"]] for r in rows], color=PALETTE[i], linestyle=LINES[i], linewidth=0.7)
        axes.plot(x, mean, color=PALETTE[i], linestyle=LINES[i], marker=MARKERS[i], label=label_of(label))
        marked = [k for k, r in enumerate(rows) if "OVERSUBSCRIBED" in r[at["stamps"]] or "DRIFTED" in r[at["stamps"]]]
        if marked:
            axes.plot([x[k] for k in marked], [mean[k] for k in marked], linestyle="none", marker="o",
                      markersize=12, markerfacecolor="none", markeredgecolor=INK,
                      label=None if MARKED in axes.get_legend_handles_labels()[1] else MARKED)
        if few and rows[0][at["ideal_GTEPS"]] is not None and len(rows) > 1:
            axes.plot(x, [r[at["ideal_GTEPS"]] for r in rows], color=PALETTE[i], linewidth=1.1, linestyle=":",
                      label=None if IDEAL in axes.get_legend_handles_labels()[1] else IDEAL)
    x_of_cores(axes, xs, x_name)
    axes.set_ylabel("GTEPS")
    axes.set_ylim(bottom=0)
    values = [r[at["harmonic_mean_GTEPS"]] for r in table.rows]
    if max(values) / min(values) > 20:
        axes.set_ylim(bottom=min(values) / 2)
        axes.set_yscale("log")
        log_axis(axes.yaxis)
    legend(axes)
    return figure


MOST_REFERENCES = 6


def reference_lines(axes: Axes, others: list[tuple[Any, ...]]) -> None:
    """Of others' whole systems, those whose rates are on this figure's scale, from the highest down."""
    low, high = axes.get_ylim()
    if axes.get_yscale() == "linear":
        high *= 1.15
        axes.set_ylim(low, high)
    near = sorted((r for r in others if max(low, high / 50) < r[4] < high), key=lambda r: -r[4])
    shown: list[float] = []
    for r in near:
        if len(shown) == MOST_REFERENCES:
            break
        if any(abs(r[4] - other) < (high - low) * 0.05 for other in shown):
            continue  # their names would lie on each other
        shown.append(r[4])
        axes.axhline(r[4], color=MUTED, linewidth=0.8, linestyle=(0, (6, 3)))
        axes.annotate(f"{r[1]}: {label_of(r[0])}", (0.02, r[4]), xycoords=axes.get_yaxis_transform(), fontsize=7.5,
                      color=MUTED, va="bottom")


def draw_efficiency(table: Table, x_name: str) -> Figure:
    figure, axes = lines_axes(3.0)
    xs: list[float] = []
    for i, (label, rows) in enumerate(rows_by(table, "series").items()):
        x, y = [r[1] for r in rows], [r[2] for r in rows]
        xs += x
        bars = [[max(0.0, r[2] - r[3]) for r in rows], [max(0.0, r[4] - r[2]) for r in rows]]
        axes.errorbar(x, y, yerr=bars, color=PALETTE[i], linestyle=LINES[i], marker=MARKERS[i], capsize=3,
                      elinewidth=1, label=label_of(label))
    axes.axhline(1, color=MUTED, linewidth=0.8, linestyle=":")
    x_of_cores(axes, xs, x_name)
    axes.set_ylim(0, max(1.1, min(2.0, max(r[4] for r in table.rows) * 1.05)))
    axes.set_ylabel("efficiency")
    legend(axes)
    return figure


# Work first, the most telling hatches on what is not work.
def part_order(parts: list[str]) -> list[str]:
    last = ["moving batches", "rest", "collectives", "waiting for batches"]
    return [p for p in parts if p not in last] + [p for p in last if p in parts]


MOST_PARTS = 5  # rows of the table with a colour of their own; the others share one


def draw_levels(table: Table, _: str) -> Figure:
    panels = rows_by(table, "panel")
    totals: dict[str, float] = {}
    for row in table.rows:
        totals[row[3]] = totals.get(row[3], 0) + row[5]
    fixed = ("moving batches", "rest", *WAITING)
    own = sorted((p for p in totals if p not in fixed), key=lambda p: -totals[p])
    parts = own[:MOST_PARTS] + (["other rows"] if len(own) > MOST_PARTS else []) + [
        p for p in ("moving batches", "rest", "collectives", "waiting for batches") if p in totals]
    colour, hatch = styles_of_parts(parts)
    rows_of_legend = (len(parts) + 1) // 2
    heights = [0.22 * rows_of_legend, *(0.55 + 0.21 * len({r[1] for r in rows}) for rows in panels.values())]
    figure, all_axes = plt.subplots(len(heights), 1, figsize=(WIDTH, 0.4 + sum(heights)), squeeze=False,
                                    height_ratios=heights)
    for axes, (title, rows) in zip(all_axes[1:, 0], panels.items()):
        draw_panel(axes, title, rows, parts, colour, hatch)
    longest = [axes.get_xlim()[1] for axes in all_axes[1:, 0]]
    if max(longest) < 8 * min(longest):  # else the short ones would not be seen
        for axes in all_axes[1:, 0]:
            axes.set_xlim(0, max(longest))
    all_axes[-1, 0].set_xlabel("ms, mean over ranks")
    handles, labels = all_axes[1, 0].get_legend_handles_labels()
    all_axes[0, 0].axis("off")
    all_axes[0, 0].legend([handles[labels.index(p)] for p in parts], parts, loc="upper left", ncols=2,
                          handlelength=2.2, borderaxespad=0, bbox_to_anchor=(-0.25, 1))
    return figure


def styles_of_parts(parts: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    colour = {"moving batches": PALETTE[4], "rest": GRID, "collectives": PAPER, "waiting for batches": PAPER}
    hatch = {"moving batches": "", "rest": "", "collectives": "///", "waiting for batches": ".."}
    own = [p for p in parts if p not in colour]
    for i, (c, h) in enumerate(zip((0, 5, 2, 3, 1, 7), ("", "\\\\\\", "", "xx", "", "||"))):
        if i < len(own):
            colour[own[i]], hatch[own[i]] = PALETTE[c], h
    return colour, hatch


def draw_panel(axes: Axes, title: str, rows: list[tuple[Any, ...]], parts: list[str], colour: dict[str, str],
               hatch: dict[str, str]) -> None:
    levels = list(dict.fromkeys(r[1] for r in rows))
    direction = {r[1]: r[2] for r in rows}
    longest = {r[1]: r[7] for r in rows}
    left = [0.0] * len(levels)
    for part in parts:
        named = {r[3] for r in rows if r[3] in parts}
        width = [sum(r[5] for r in rows if r[1] == level and
                     (r[3] == part or (part == "other rows" and r[3] not in named))) for level in levels]
        axes.barh(range(len(levels)), width, left=left, color=colour[part], hatch=hatch[part], height=0.72,
                  edgecolor=INK, linewidth=0.5, label=part)
        left = [a + b for a, b in zip(left, width)]
    axes.plot([longest[level] for level in levels], range(len(levels)), linestyle="none", marker="|", markersize=11,
              markeredgewidth=1.8, color=INK)
    arrows = {"top-down": "\N{BLACK DOWN-POINTING TRIANGLE} top-down ",
              "bottom-up": "\N{BLACK UP-POINTING TRIANGLE} bottom-up "}
    axes.set_yticks(range(len(levels)), [f"{arrows.get(direction[k], '')}{k}" for k in levels])
    axes.invert_yaxis()
    axes.set_title(label_of(title, 60), loc="left")
    axes.grid(axis="x")
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)


def draw_traffic(table: Table, x_name: str) -> Figure:
    figure, both = plt.subplots(2, 1, figsize=(WIDTH, 4.6), sharex=True)
    xs: list[float] = []
    for i, (label, rows) in enumerate(rows_by(table, "series").items()):
        x = [r[2] for r in rows]
        xs += x
        for axes, column in zip(both, (4, 5)):
            axes.plot(x, [r[column] for r in rows], color=PALETTE[i], linestyle=LINES[i], marker=MARKERS[i],
                      markersize=8 - i if i < 4 else 4, label=label_of(label))
    both[0].set_ylabel("bytes an edge")
    both[1].set_ylabel("messages a search")
    for axes, column in zip(both, (4, 5)):
        top = max(r[column] for r in table.rows)
        axes.set_ylim(0, top * 1.1 if top > 0 else 1)
    x_of_cores(both[1], xs, x_name)
    legend(both[0])
    return figure


def draw_sizes(table: Table, x_name: str) -> Figure:
    figure, axes = lines_axes(3.2)
    series = rows_by(table, "series")
    lows = sorted({r[2] for r in table.rows})
    used = [low for low in lows if any(r[2] == low and r[4] > 0 for r in table.rows)]
    lows = [low for low in lows if used[0] <= low <= used[-1]]
    width = 0.84 / len(series)
    for i, (label, rows) in enumerate(series.items()):
        count = {r[2]: r[4] for r in rows}
        axes.bar([k + (i - (len(series) - 1) / 2) * width for k in range(len(lows))],
                 [count.get(low, 0) for low in lows], width=width, color=PALETTE[i], hatch=HATCHES[i],
                 edgecolor=INK, linewidth=0.5, label=f"{label_of(label)}, {rows[0][1]} {x_name}")
    axes.set_xticks(range(len(lows)), [bytes_word(low) for low in lows], rotation=45 if len(lows) > 8 else 0)
    axes.set_xlabel("bytes of a message: from, to below the next")
    axes.set_ylabel("messages a search")
    legend(axes, 1)
    return figure


def draw_between(table: Table, _: str) -> Figure:
    """Dark is much, in steps of one colour, so that it reads in greyscale; the scale is that of all panels."""
    panels = rows_by(table, "panel")
    figure, all_axes = plt.subplots(1, len(panels), figsize=(WIDTH, 3.1 if len(panels) > 1 else 3.6), squeeze=False)
    most = max(r[4] for r in table.rows)
    for axes, (title, rows) in zip(all_axes[0], panels.items()):
        n = max(r[1] for r in rows) + 1
        grid = [[0.0] * n for _ in range(n)]
        for r in rows:
            grid[r[1]][r[2]] = r[4]
        mesh = axes.pcolormesh(range(n + 1), range(n + 1), grid, cmap="Blues", vmin=0, vmax=most, linewidth=0)
        axes.set_aspect("equal")
        axes.invert_yaxis()
        axes.grid(visible=False)
        step = max(1, -(-n // 8))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_ticks([k + 0.5 for k in range(0, n, step)], [str(k) for k in range(0, n, step)])
        axes.set_title("\n".join(label_of(part, 30) for part in title.split(", ", max(1, title.count(", ") - 1))), loc="left", fontsize=9)
        axes.set_xlabel("to rank")
    all_axes[0][0].set_ylabel("from rank")
    bar = figure.colorbar(mesh, ax=list(all_axes[0]), location="bottom", aspect=40, format=FuncFormatter(si_word))
    bar.solids.set_rasterized(False)  # the page has no images
    bar.solids.set_edgecolor("face")
    bar.set_label("bytes a search")
    bar.outline.set_visible(False)
    return figure


def si_word(value: float, _: Any = None) -> str:
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:g} {unit}"
    return f"{value:g}"


def bytes_word(n: int) -> str:
    for unit, size in (("Mi", 1 << 20), ("Ki", 1 << 10)):
        if n >= size:
            return f"{n // size}{unit}"
    return str(n)


def name_apart(axes: Axes, points: list[tuple[float, float, str]], span: float) -> None:
    """The ends of a series first, then those whose names lie on no other's. `span`: of the axes, which are
    logarithmic and as long as each other."""
    placed: list[tuple[float, float]] = []
    points = list({name: (x, y, name) for x, y, name in reversed(points)}.values())[::-1]
    for x, y, name in [*points[-1:], *points[:-1]]:
        at = math.log(x) / math.log(span), math.log(y) / math.log(span)
        if all(abs(at[0] - other[0]) > 0.08 or abs(at[1] - other[1]) > 0.05 for other in placed):
            axes.annotate(name, (x, y), textcoords="offset points", xytext=(7, -10), fontsize=8.5, color=MUTED)
            placed.append(at)


def against(table: Table, column: str, series: str, unit: str, band: float, factor: bool, x_name: str) -> Figure:
    """Predicted across, measured up; on the diagonal they are equal."""
    figure, axes = lines_axes(4.2)
    p, m, x = table.column("predicted_" + column), table.column("measured_" + column), table.column("x")
    values = [r[p] for r in table.rows] + [r[m] for r in table.rows]
    low, high = min(values) / 1.6, max(values) * 1.6
    edges = (1 / band, band) if factor else (1 - band, 1 + band)
    axes.fill_between([low, high], [low * edges[0], high * edges[0]], [low * edges[1], high * edges[1]], color=MUTED,
                      alpha=0.15, linewidth=0)
    axes.plot([low, high], [low, high], color=MUTED, linewidth=0.9, linestyle=":")
    for i, (label, rows) in enumerate(rows_by(table, series).items()):
        axes.plot([r[p] for r in rows], [r[m] for r in rows], linestyle="none", marker=MARKERS[i],
                  markeredgecolor=PALETTE[i], markerfacecolor="none" if i % 2 else PALETTE[i], markersize=9 - i % 4,
                  markeredgewidth=1.5, label=label_of(label))
        if i == 0 or series == "what":
            name_apart(axes, [(r[p], r[m], f"{r[x]}") for r in rows], high / low)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(low, high)
    axes.set_ylim(low, high)
    axes.set_aspect("equal")
    for axis in (axes.xaxis, axes.yaxis):
        log_axis(axis)
        if high / low < 30:
            axis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
    axes.grid(axis="x")
    axes.set_xlabel(f"predicted, {unit}; numbers: {x_name}")
    axes.set_ylabel(f"measured, {unit}")
    legend(axes)
    return figure


def draw_memory(table: Table, x_name: str) -> Figure:
    return against(table, "MiB", "series", "MiB a rank", 0.1, False, x_name)


def draw_times(table: Table, x_name: str) -> Figure:
    return against(table, "s", "what", "s", 2, True, x_name)


def draw_published(table: Table, _: str) -> Figure:
    rows = table.rows
    figure, axes = lines_axes(0.9 + 0.21 * len(rows))
    looks = {"published": (PALETTE[7], "o", "none"), "measured": (PALETTE[0], "s", PALETTE[0]),
             "here, measured": (PALETTE[1], "D", PALETTE[1])}
    for status, (colour, marker, fill) in looks.items():
        at = [i for i, r in enumerate(rows) if r[1] == status]
        axes.plot([rows[i][5] for i in at], at, linestyle="none", marker=marker, color=colour, markerfacecolor=fill,
                  label={"measured": "measured by Meshway's authors"}.get(status, status))
    middle = math.sqrt(rows[0][5] * rows[-1][5])
    for i, r in enumerate(rows):  # names stand where there is room, and need no column of their own
        left = r[5] > middle
        axes.annotate(f"{label_of(r[0], 40)} ({r[2]})", (r[5], i), textcoords="offset points", xytext=(-7 if left else 7, 0),
                      ha="right" if left else "left", va="center", fontsize=8.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.invert_yaxis()
    axes.set_xscale("log")
    log_axis(axes.xaxis)
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("GTEPS of one unit")
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, borderaxespad=0.2,
                handletextpad=0.2, columnspacing=0.8, fontsize=9)
    return figure


def draw_phases(table: Table, x_name: str) -> Figure:
    rows = table.rows[:16]
    figure, axes = lines_axes(1.3 + 0.3 * len(rows))
    left = [0.0] * len(rows)
    for i, (name, hatch) in enumerate((("generation", ".."), ("construction", ""), ("searches", "///"),
                                       ("validation", "xx"))):
        width = [r[2 + i] for r in rows]
        axes.barh(range(len(rows)), width, left=left, color=(PALETTE[5], PALETTE[0], PALETTE[4], GRID)[i], hatch=hatch,
                  edgecolor=INK, linewidth=0.5, height=0.7, label=name)
        left = [a + b for a, b in zip(left, width)]
    axes.set_yticks(range(len(rows)), [f"{label_of(r[0])}, {r[1]}" for r in rows])
    axes.invert_yaxis()
    axes.grid(axis="x")
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(f"s; after the series: {x_name}")
    legend(axes)
    return figure


DRAW: dict[str, Callable[[Table, str], Figure]] = {
    "scaling": draw_scaling, "efficiency": draw_efficiency, "levels": draw_levels, "traffic": draw_traffic,
    "sizes": draw_sizes, "between": draw_between, "memory": draw_memory, "times": draw_times, "phases": draw_phases,
    "published": draw_published}


# --- files and the page -----------------------------------------------------------------------------


def saved(figure: Figure, table: Table) -> Drawing:
    svg, pdf = io.BytesIO(), io.BytesIO()  # made twice, they are the same files
    with matplotlib.rc_context({"svg.hashsalt": table.name}):
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    figure.set_layout_engine("none")  # it stays as it is; to find it takes longer than to draw
    figure.savefig(pdf, format="pdf", metadata={"CreationDate": None, "Creator": None, "Producer": None})
    return Drawing(svg.getvalue(), pdf.getvalue(), inlined(svg.getvalue().decode(), table))


def inlined(svg: str, table: Table) -> str:
    """A drawing as part of the page: its names are its own, its colours are the page's, and who cannot
    see it is told what it shows."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="([^"]*)"', rf'id="{table.name}-\1"', svg)
    svg = re.sub(r'url\(#', f"url(#{table.name}-", svg)
    svg = re.sub(r'xlink:href="#', f'href="#{table.name}-', svg)
    svg = re.sub(r'\b(fill|stroke)="(#[0-9a-f]{6})"', lambda m: f'style="{m[1]}: {NAMES.get(m[2], m[2])}"', svg)
    svg = re.sub(r'(fill|stroke): (#[0-9a-f]{6})', lambda m: f"{m[1]}: {NAMES.get(m[2], m[2])}", svg)
    svg = re.sub(r"font: ([0-9.]+)px [^;\"]*", r"font-size: \1px", svg)
    head, rest = svg.split(">", 1)
    head = re.sub(r'\s(width|height|version|xmlns:xlink)="[^"]*"', "", head)
    head += f' role="img" aria-labelledby="{table.name}-title {table.name}-text"'
    return (f'{head}><title id="{table.name}-title">{html.escape(table.title)}</title>'
            f'<desc id="{table.name}-text">{html.escape(table.caption)}</desc>{rest}')
