"""gnuplot.py -- plot.gp: commands that draw the same tables where matplotlib is missing.

    cd REPORT && gnuplot plot.gp      makes figures/NAME-gnuplot.svg of each data/NAME.tsv

Names of series come from people. In the script they stand between single quotes, where gnuplot knows no
escapes and a quote is doubled, and without what enhanced text would act on (noenhanced).

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from .results import clean
from .tables import Table, cell

HEAD = """# Made by meshway report. Draws data/*.tsv: gnuplot plot.gp, in this directory.
set datafile separator '\\t'
set datafile missing 'NA'
set terminal svg size 640,420 noenhanced font 'sans,13' background 'white'
set key outside top left noenhanced
set grid ytics lc rgb '#dddbd5'
set border 3
set tics nomirror
"""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6a00", "#555555")


def script(tables: list[Table], x_name: str) -> str:
    return HEAD + "".join(part for t in tables if (part := of_table(t, x_name)))


def quoted(text: str) -> str:
    return "'" + clean(text).replace("'", "''") + "'"


def chosen(column: int, value: str, y: str) -> str:
    """gnuplot's number of a row, or nothing where the row is of another series."""
    return f"(strcol({column + 1}) eq {quoted(value)} ? {y} : NaN)"


def of_table(table: Table, x_name: str) -> str:
    if table.name in ("scaling", "efficiency", "traffic"):
        return lines(table, x_name)
    if table.name in ("memory", "times"):
        return against(table)
    if table.name == "sizes":
        return bars(table, "from_bytes", ["messages_per_search"], "series", "messages a search")
    if table.name == "phases":
        return stacks(table)
    if table.name == "levels":
        return levels(table)
    if table.name == "between":
        return squares(table)
    return ""


def begin(table: Table, x_label: str, y_label: str) -> str:
    return (f"\nset output 'figures/{table.name}-gnuplot.svg'\nset title {quoted(table.title)}\n"
            f"set xlabel {quoted(x_label)}\nset ylabel {quoted(y_label)}\nunset logscale\nset autoscale\n"
            "set xtics autofreq norotate\n")


def values(table: Table, column: str) -> list[str]:
    at = table.column(column)
    return list(dict.fromkeys(cell(row[at]) for row in table.rows))[:len(COLOURS)]


def lines(table: Table, x_name: str) -> str:
    y = {"scaling": "harmonic_mean_GTEPS", "efficiency": "efficiency", "traffic": "bytes_per_edge"}[table.name]
    unit = {"scaling": "GTEPS", "efficiency": "efficiency", "traffic": "bytes an edge"}[table.name]
    series, x, at = table.column("series"), table.column("x") + 1, table.column(y)
    plots = []
    for i, name in enumerate(values(table, "series")):
        style = f"lc rgb '{COLOURS[i]}' dt {i + 1} pt {i + 4}"
        plots.append(f"'data/{table.name}.tsv' skip 1 using {x}:{chosen(series, name, f'column({at + 1})')} "
                     f"with linespoints {style} title {quoted(name)}")
        if table.name == "scaling":
            low, high = table.column("first_quartile_GTEPS") + 1, table.column("third_quartile_GTEPS") + 1
            plots.append(f"'' skip 1 using {x}:{chosen(series, name, f'column({at + 1})')}:{low}:{high} "
                         f"with yerrorbars {style} notitle")
    log = "set logscale x 2\n" if x_name != "SCALE" else ""
    return begin(table, x_name, unit) + log + "set yrange [0:*]\nplot " + ", \\\n     ".join(plots) + "\n"


def against(table: Table) -> str:
    unit = "MiB" if table.name == "memory" else "s"
    group = "series" if table.name == "memory" else "what"
    p, m, at = table.column(f"predicted_{unit}") + 1, table.column(f"measured_{unit}") + 1, table.column(group)
    plots = ["x with lines lc rgb '#5f5e5a' dt 3 title 'equal'"]
    plots += [f"'data/{table.name}.tsv' skip 1 using {p}:{chosen(at, name, f'column({m})')} with points "
              f"lc rgb '{COLOURS[i]}' pt {i + 4} title {quoted(name)}" for i, name in enumerate(values(table, group))]
    return (begin(table, f"predicted, {unit}", f"measured, {unit}") + "set logscale xy\nplot "
            + ", \\\n     ".join(plots) + "\n")


def bars(table: Table, x: str, ys: list[str], group: str, unit: str) -> str:
    plots = []
    for i, name in enumerate(values(table, group)):
        plots.append(f"'data/{table.name}.tsv' skip 1 using {table.column(x) + 1}:"
                     f"{chosen(table.column(group), name, f'column({table.column(ys[0]) + 1})')} with linespoints "
                     f"lc rgb '{COLOURS[i]}' dt {i + 1} pt {i + 4} title {quoted(name)}")
    return begin(table, "bytes of a message, from", unit) + "set logscale x 2\nplot " + ", \\\n     ".join(plots) + "\n"


def stacks(table: Table) -> str:
    plots = [f"'data/{table.name}.tsv' skip 1 using {k + 3}{':xtic(1)' if k == 0 else ''} lc rgb '{COLOURS[k]}' "
             f"title '{name}'" for k, name in enumerate(("generation", "construction", "searches", "validation"))]
    return (begin(table, "", "s") + "set style data histograms\nset style histogram rowstacked\n"
            "set style fill pattern 1 border\nset xtics rotate by -30 noenhanced\nplot " + ", \\\n     ".join(plots) + "\n")


def levels(table: Table) -> str:
    """The last panel, which is the largest run; parts as lines, since gnuplot cannot pivot."""
    panel = cell(table.rows[-1][0])
    parts = list(dict.fromkeys(cell(r[3]) for r in table.rows if cell(r[0]) == panel))[:len(COLOURS)]
    plots = [f"'data/levels.tsv' skip 1 using (column(2)):(strcol(1) eq {quoted(panel)} && strcol(4) eq {quoted(part)} "
             f"? column(6) : NaN) with points lc rgb '{COLOURS[i]}' pt {i + 4} title {quoted(part)}"
             for i, part in enumerate(parts)]
    return begin(table, "level", "ms, mean over ranks") + "plot " + ", \\\n     ".join(plots) + "\n"


def squares(table: Table) -> str:
    """The last panel, row by row from the top, as the page has it."""
    panel = cell(table.rows[-1][0])
    return (begin(table, "to rank", "from rank") + "unset logscale\nset yrange [*:*] reverse\nset offsets 1, 1, 1, 1\n"
            "set palette defined (0 '#f7fbff', 1 '#08306b')\nset cblabel 'bytes a search'\n"
            f"plot 'data/between.tsv' skip 1 using 3:{chosen(0, panel, 'column(2)')}:5 with points pt 5 ps 2 palette "
            f"title {quoted(panel)}\nset offsets 0, 0, 0, 0\nset yrange [*:*] noreverse\n")
