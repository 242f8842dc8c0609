"""report.py -- `meshway report DIR`: one page, and the figures and numbers beside it.

    OUT/index.html             the page; needs nothing beside it to be read
    OUT/figures/NAME.svg, .png the figures, for papers
    OUT/data/NAME.tsv          the numbers of each
    OUT/plot.gp                draws them with gnuplot

Without matplotlib there are no figures, without Jinja2 no page; the rest is written all the same.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from . import gnuplot, options, published, study as studies, tables as all_about
from .campaign import CANNOT_CREATE, IO_ERROR, OK, UNAVAILABLE, SweepError, write_bytes
from .results import clean
from .tables import Table

# What a report consists of: in a folder with anything else nothing is written.
OURS = {"index.html", "plot.gp", "figures", "data"}


def main(program: str, words: list[str]) -> int:
    own = options.tables(program)["report"]
    asked = options.settings(options.parse(words, own), own, os.environ.items())
    return report(asked["campaign"], asked["out"], asked["published"], asked["force"], asked["quiet"])


def report(source: str, out: str | None, with_published: bool, force: bool, quiet: bool) -> int:
    study = studies.load(source)
    folder = Path(out) if out else default_folder(source)
    others = published.load() if with_published else []
    tables = all_about.all_tables(study, others)
    check_folder(folder, force)
    try:
        missing = write(study, tables, others, folder)
    except OSError as e:
        raise SweepError(IO_ERROR, f"{e.filename or folder}: {e.strerror}") from None
    if not quiet:
        tell(study, folder, missing)
    if "index.html" in missing:
        raise SweepError(UNAVAILABLE, f"no page: {missing['index.html']}; {folder}/data and plot.gp are written")
    return OK


def default_folder(source: str) -> Path:
    path = Path(source)
    return path / "report" if path.is_dir() else path.with_name(f"{path.stem}-report")


def check_folder(folder: Path, force: bool) -> None:
    """A report replaces a report. Links are not followed: what they lead to is somebody else's."""
    if folder.is_symlink():
        raise SweepError(CANNOT_CREATE, f"{folder}: is a symbolic link; name the directory that it leads to")
    try:
        folder.mkdir(exist_ok=True)
        strange = sorted(p.name for p in folder.iterdir() if p.name not in OURS)
        if strange and not force:
            raise SweepError(CANNOT_CREATE, f"{folder}: has other things than a report, such as {clean(strange[0])}; "
                                            "name another directory, or say --force to write beside them")
        for name in ("figures", "data"):
            if (folder / name).is_symlink():
                raise SweepError(CANNOT_CREATE, f"{folder / name}: is a symbolic link; remove it")
            (folder / name).mkdir(exist_ok=True)
    except OSError as e:
        raise SweepError(CANNOT_CREATE, f"{e.filename or folder}: {e.strerror}") from None


def write(study: studies.Study, tables: list[Table], others: list[published.Published], folder: Path) -> dict[str, str]:
    """What could not be made, and why."""
    missing: dict[str, str] = {}
    for table in tables:
        write_bytes(folder / "data" / f"{table.name}.tsv", table.tsv().encode())
    write_bytes(folder / "plot.gp", gnuplot.script(tables, all_about.x_words(study)).encode())
    drawings = draw(study, tables, folder, missing)
    try:
        from . import page
    except ImportError as e:
        missing["index.html"] = needs(e, "Jinja2", "python3-jinja2")
        return missing
    write_bytes(folder / "index.html", page.render(study, tables, drawings, others).encode())
    return missing


def draw(study: studies.Study, tables: list[Table], folder: Path, missing: dict[str, str]) -> dict[str, str]:
    try:
        from . import figures
    except ImportError as e:
        missing["figures"] = needs(e, "matplotlib", "python3-matplotlib")
        return {}
    drawn = figures.draw_all(tables, all_about.x_words(study))
    for name, drawing in drawn.items():
        write_bytes(folder / "figures" / f"{name}.svg", drawing.svg)
        write_bytes(folder / "figures" / f"{name}.png", drawing.png)
    return {name: drawing.inline for name, drawing in drawn.items()}


def needs(e: ImportError, library: str, package: str) -> str:
    return (f"python3 ({sys.executable}) has no {library} ({e.name or e}); on Debian: apt-get install {package}, "
            f"elsewhere: pip install {library}")


def tell(study: studies.Study, folder: Path, missing: dict[str, Any]) -> None:
    if "figures" in missing:
        print(f"meshway: warning: no figures: {missing['figures']}; 'gnuplot plot.gp' in {folder} draws them",
              file=sys.stderr)
    done = study.n_points - len(study.troubles)
    print(f"points:    {done} of {study.n_points} with a result")
    for t in study.troubles[:10]:
        print(f"           {clean(t.point)}: {clean(t.status)}: {clean(t.cause)}")
    if "index.html" not in missing:
        print(f"report:    {folder / 'index.html'}")
    print(f"data:      {folder / 'data'}")
