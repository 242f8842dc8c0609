#!/usr/bin/env python3
"""check_pictures.py SOURCE_DIR MESHWAY -- every picture of every layout in the source says what
`layout check` and `layout sim` say: no picture is empty, each has the verdicts, a global
deadlock has no core at work in it, and after a deadlock each core is drawn as it stands.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CYCLES = ("--cycles", "5000")
GLYPHS = {"idle": ".", "busy": "+", "blocked": "#", "dma": "~", "ended": "_"}
STATES = ("idle", "busy", "blocked", "dma", "ended")
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
MODELS = ("coupled", "decoupled", "link")
WIDE = 9  # columns of a map with arrows


def run(meshway, *args):
    return subprocess.run([meshway, "layout", *args], capture_output=True, text=True, check=False)


def drawn(meshway, *args):
    done = run(meshway, *args)
    assert done.returncode == 0, f"{args}: exit {done.returncode}: {done.stderr}"
    return done.stdout


def expected_verdicts(meshway, path, sim):
    report = json.loads(run(meshway, "check", path, "--json", "--no-realise").stdout)
    models = [f"{m}: " + ("free" if report["models"][m]["verdict"] == "free" else "can deadlock")
              for m in MODELS]
    if not sim["deadlock"]:
        return models, f"simulated: no deadlock met in {sim['cycles']} cycles"
    words = "global " * sim["global"] + "weak " * sim["weak"] + "local"
    return models, f"simulated: DEADLOCK, seen at cycle {sim['deadlock_cycle']} ({words})"


def check_sim(sim):
    for name, core in sim["cores"].items():
        spent = sum(core[s] for s in STATES)
        assert spent == sim["observed"] > 0, f"core {name}: {spent} of {sim['observed']} cycles"
        assert not sim["global"] or core["end"] in ("idle", "blocked", "ended"), \
            f"a global deadlock, and core {name} is {core['end']}"
    assert sim["observed"] == sim["counted"] or sim["counted"] == 0 and \
        sim["observed"] == sim["cycles"]


def check_map(text, sim, models, simulated):
    lines = text.split("\n")
    assert lines[1:3] == ["; ".join(models), simulated], f"the map says {lines[1:3]}"
    cols = 1 + max(int(name.split(",")[1]) for name in sim["cores"])
    if not sim["deadlock"] or cols > WIDE:
        return
    rows = {int(line[:2]): line for line in lines[4:] if re.match(r"[ 0-9][0-9]  ", line)}
    for name, core in sim["cores"].items():
        row, col = map(int, name.split(","))
        glyph = rows[row][4 + 8 * col + 2:][:1]
        assert glyph == GLYPHS[core["end"]], f"core {name} is {core['end']}, drawn '{glyph}'"


def check_svg(text, sim, models, simulated):
    for verdict in (*models, simulated):
        assert re.search(f">(&#1000[37]; )?{re.escape(verdict)}</text>", text), \
            f"the SVG lacks '{verdict}'"
    for name, core in sim["cores"].items():
        if sim["deadlock"]:
            assert re.search(f"<title>{name} ., at the end {core['end']}</title>", text), \
                f"the SVG does not show core {name} as {core['end']}"


def last_states(film):
    digits = film["share"][-1]
    for i in range(0, len(digits), 4):
        share = dict(zip(("busy", "blocked", "dma", "ended"), digits[i:i + 4]))
        yield next((s for s, d in share.items() if d == DIGITS[63]), "idle")


def check_page(text, sim, models, simulated):
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
    assert [v[0] for v in data["verdicts"]] == [*models, simulated]
    films = {f["kind"]: f for f in data["films"]}
    if sim["deadlock"]:
        ends = [core["end"] for core in sim["cores"].values()]
        assert list(last_states(films["run"])) == ends, "the film ends otherwise"
        assert films["run"]["cycle"] and films["run"]["closed"] < sim["deadlock_cycle"]
    assert ("trace" in films) == (models[0] == "coupled: can deadlock"), \
        f"{models[0]}, films: {list(films)}"
    for core, to in zip(data["cycle"]["cores"], data["cycle"]["cores"][1:]) if data["cycle"] else ():
        row, col = divmod(core, data["cols"])
        assert row == to // data["cols"] or col == to % data["cols"], f"no hop from {core} to {to}"
    if "trace" in films:
        film = films["trace"]
        states = list(last_states(film))
        assert all(states[v] == "blocked" for v in film["cycle"]) and film["cycle"]
        assert len(film["says"]) == len(film["moments"]) - 1


def check(meshway, path, folder):
    sim = json.loads(run(meshway, "sim", path, "--json", *CYCLES).stdout)
    models, simulated = expected_verdicts(meshway, path, sim)
    check_sim(sim)
    check_map(drawn(meshway, "map", path, *CYCLES), sim, models, simulated)
    files = {kind: folder / f"picture.{kind}" for kind in ("svg", "html", "dot")}
    drawn(meshway, "export", path, *CYCLES, "-f",
          *(word for kind, file in files.items() for word in (f"--{kind}", str(file))))
    texts = {kind: file.read_text(encoding="ascii") for kind, file in files.items()}
    check_svg(texts["svg"], sim, models, simulated)
    check_page(texts["html"], sim, models, simulated)
    assert f"(coupled model){models[0][7:]}\"" in texts["dot"], "the graph lacks the verdict"
    return sim["deadlock"], sim["global"]


def main():
    source, meshway = Path(sys.argv[1]), sys.argv[2]
    paths = sorted([*source.glob("share/layouts/*.layout"), *source.glob("tests/layouts/*.layout")])
    seen, wrong = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            if run(meshway, "fmt", str(path)).returncode != 0:
                continue  # a file that is wrong on purpose
            try:
                seen.append(check(meshway, str(path), Path(folder)))
            except (AssertionError, KeyError) as error:
                print(f"{path.name}: {error!r}")
                wrong += 1
    assert len(seen) + wrong > 43, f"only {len(seen)} layouts"
    assert wrong or any(d for d, _ in seen) and any(g for _, g in seen) and \
        any(d and not g for d, g in seen), "no deadlock of each kind was met"
    print(f"{len(seen)} layouts good, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
