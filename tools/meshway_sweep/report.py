"""report.py -- `meshway report DIR`: one page, and the figures and numbers beside it.

    OUT/index.html             the page; needs nothing beside it to be read
    OUT/figures/NAME.svg, .pdf the figures, for papers
    OUT/data/NAME.tsv          the numbers of each
    OUT/plot.gp                draws them with gnuplot

Where this Python has no matplotlib or no Jinja2, as few virtual environments have, the system's makes the
report if it has more of them. Without matplotlib there are no figures, and the page says so; without Jinja2
there is no page; the rest is written all the same.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from . import gnuplot, options, published, study as studies, tables as all_about
from .campaign import CANNOT_CREATE, IO_ERROR, OK, UNAVAILABLE, SweepError, write_bytes
from .progress import say
from .results import clean
from .tables import Table

# What a report consists of: in a folder with anything else nothing is written.
OURS = {"index.html", "plot.gp", "figures", "data"}
LIBRARIES = ("matplotlib", "jinja2")
SYSTEM = "/usr/bin/python3"
ASK = ("import sys, importlib.util as u; print(*[n for n in sys.argv[1:] if u.find_spec(n) is None]); "
       "sys.exit(sys.version_info < (3, 11))")
# As the program starts this package, but without what an environment tells its own Python (-E).
START = ("import sys; sys.path.insert(0, sys.argv.pop(1)); from meshway_sweep.__main__ import main; "
         "sys.exit(main(sys.argv[1], sys.argv[2:]))")


def main(program: str, words: list[str]) -> int:
    own = options.tables(program)["report"]
    asked = options.settings(options.parse(words, own), own, os.environ.items())
    if asked["table"] is not None:
        leave_to_system(program, words, asked["quiet"], libraries=("matplotlib",))
        try:
            from .chart import chart
        except ImportError as e:
            raise SweepError(UNAVAILABLE, f"no picture: {needs(e, 'matplotlib', 'python3-matplotlib')}") from None
        return chart(asked["campaign"], asked["table"], asked["out"])
    leave_to_system(program, words, asked["quiet"])
    return report(asked["campaign"], asked["out"], asked["published"], asked["force"], asked["quiet"])


def leave_to_system(program: str, words: list[str], quiet: bool, command: str = "report",
                    libraries: tuple[str, ...] = LIBRARIES) -> None:
    """Returns if this Python is the one to make the report."""
    here = {name for name in libraries if importlib.util.find_spec(name) is None}
    if not here or sys.executable == SYSTEM:
        return
    there = lacks_of_system(libraries)
    if there is None or not there < here:
        return
    if not quiet:
        names = " and no ".join(sorted(here - there, key=LIBRARIES.index))
        say(f"meshway: note: python3 ({sys.executable}) has no {names}; {SYSTEM} has, and makes the report")
    tools = str(Path(__file__).resolve().parent.parent)
    os.execv(SYSTEM, [SYSTEM, "-E", "-P", "-B", "-c", START, tools, program, command, *words])


def lacks_of_system(libraries: tuple[str, ...]) -> set[str] | None:
    """None: there is no such Python, or it is too old."""
    try:
        done = subprocess.run([SYSTEM, "-E", "-c", ASK, *libraries], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return set(done.stdout.split())


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
    if "figures" in missing:
        say(f"meshway: warning: no figures: {missing['figures']}; 'gnuplot plot.gp' in {folder} draws simpler ones")
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
    earlier = {path.stem for path in (folder / "data").glob("*.tsv")}
    for table in tables:
        write_bytes(folder / "data" / f"{table.name}.tsv", table.tsv().encode())
    write_bytes(folder / "plot.gp", gnuplot.script(tables, all_about.x_words(study)).encode())
    drawings = draw(study, tables, folder, missing)
    remove_earlier(folder, earlier - {t.name for t in tables}, earlier - drawings.keys())
    try:
        from . import page
    except Exception as e:
        missing["index.html"] = needs(e, "Jinja2", "python3-jinja2")
        return missing
    write_bytes(folder / "index.html", page.render(study, tables, drawings, others).encode())
    return missing


def remove_earlier(folder: Path, tables: set[str], drawings: set[str]) -> None:
    """What an earlier report has left and this one does not make would pass for this one's."""
    for path in (*(folder / "data" / f"{name}.tsv" for name in tables),
                 *(folder / "figures" / f"{name}.{kind}" for name in drawings for kind in ("svg", "pdf"))):
        path.unlink(missing_ok=True)


def draw(study: studies.Study, tables: list[Table], folder: Path, missing: dict[str, str]) -> dict[str, str]:
    try:
        from . import figures
    except Exception as e:  # libraries that do not fit each other raise what they like
        missing["figures"] = needs(e, "matplotlib", "python3-matplotlib")
        return {}
    drawn = figures.draw_all(tables, all_about.x_words(study))
    for name, drawing in drawn.items():
        write_bytes(folder / "figures" / f"{name}.svg", drawing.svg)
        write_bytes(folder / "figures" / f"{name}.pdf", drawing.pdf)
    return {name: drawing.inline for name, drawing in drawn.items()}


def needs(e: Exception, library: str, package: str) -> str:
    absent = isinstance(e, ModuleNotFoundError) and e.name == library.lower()
    return (f"python3 ({sys.executable}) " + (f"has no {library}" if absent else f"cannot load {library}: {clean(str(e))}")
            + f"; on Debian: apt-get install {package}, "
            f"elsewhere: pip install {library}")


def tell(study: studies.Study, folder: Path, missing: dict[str, Any]) -> None:
    done = study.n_points - len(study.troubles)
    print(f"points:    {done} of {study.n_points} with a result")
    for t in study.troubles[:10]:
        print(f"           {clean(t.point)}: {clean(t.status)}: {clean(t.cause)}")
    if "index.html" not in missing:
        print(f"report:    {folder / 'index.html'}")
    print(f"data:      {folder / 'data'}")
