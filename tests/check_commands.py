#!/usr/bin/env python3
"""check_commands.py SOURCE_DIR MESHWAY [MPIEXEC] -- of every `meshway` command in blocks of README and the user pages:
the command and each of its options exist. Those of pages that check_tutorial.py does not run (it compares what
```console blocks print) run here, page by page in a folder of its own, where files of the names that they take are
made before. Graphs are small instead: SCALE 10. ELSEWHERE says which do not run here, and why.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root, meshway = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2])
mpiexec = sys.argv[3] if len(sys.argv) > 3 else ""
SCALE = "10"
ELSEWHERE = {  # in the line, or the command's first words
    r"^srun|--launcher slurm|sweep collect|report big": "a cluster: test sweep_slurm, and batch_* for scripts",
    r"\.so\b": "a plug-in: test plugin",
    r"graphalytics": "a data set of LDBC: test graphalytics",
    r"^[\w/]*meshway (sweep|report|compare)\b": "campaigns of minutes: tests sweep*, report and history",
    r"--exchange|exchange=nccl": "two devices and NCCL: test nccl",
    r"plan --calibrate --backend": "a device: test kokkos_faults",
    r"reference\.json|--svg DIR": "a profile of a run of minutes: tests model_cli and claims",
}
NOT_ASKED = {69: "what it asks for is not in this build, or not on this machine",
             78: "this machine is too small for it"}  # run's own words for why not
options = {}
for line in subprocess.run([meshway, "--options"], capture_output=True, text=True, check=True).stdout.splitlines():
    command, name, letter, *_ = line.split("\t")
    options.setdefault(command.removesuffix(" --tune"), set()).update({f"--{name}", f"--no-{name}", f"-{letter.strip()}"})


def commands(page):
    """Words behind the program's name; comments, pipes and redirections end them."""
    text = re.sub(r"\\\n\s*", " ", page.read_text(encoding="utf-8"))
    for line in re.findall(r"^(?:    |\$ |    \$ )(.*)", text, flags=re.M):
        found = re.match(r"(?:(?:mpiexec|srun) .*?|\w+=\S+ )*(?:\S+/)?meshway (.*)", line)
        if found:
            words = re.findall(r"(?:'[^']*'|\"[^\"]*\"|[^\s'\"])+", re.split(r"\s[|&;<>]|\s#|&&", found[1])[0])
            yield line, [re.sub(r"['\"]", "", word) for word in words]


def make_files(folder):
    """What the pages call a graph of one's own."""
    gen = [meshway, "gen", "--quiet", "--force"]
    roads = ["--kind", "roads", "20x20"]
    for words in (["10", "graph.el"], [*roads, "road.sg"], [*roads, "--weights", "roads.mtx"], [*roads, "--weights", "road.wsg"],
                  *([["10", "web.mtx"]] if folder.name != "README" else [])):  # README makes its own
        subprocess.run([*gen, *words], cwd=folder, capture_output=True, check=True)
    (folder / "graph.txt").write_bytes((folder / "graph.el").read_bytes())
    edges = "\n".join(f"{i},{(7 * i + 1) % 40},{i % 5 + 0.5}" for i in range(40))
    (folder / "own.csv").write_text("source,target,weight\n" + edges + "\n")
    (folder / "roads.txt").write_text(edges.replace(",", " ") + "\n")


def smaller(words):
    """Generated graphs of SCALE 10, and no more threads than a small machine has."""
    out = [SCALE if re.fullmatch(r"1[1-9]|[2-3][0-9]", word) and (i == 1 or words[i - 1] != "--threads") and
           not words[i - 1].startswith("--") else word for i, word in enumerate(words)]
    return [word for i, word in enumerate(out) if word != "--threads" and (i == 0 or out[i - 1] != "--threads")]


def run(page, line, words, folder):
    """Whether it has run here."""
    if page.name.startswith("mesh") or any(re.search(where, line) for where in ELSEWHERE):
        return False
    ranks = re.match(r"mpiexec -n (\d+) ", line)
    if ranks and not mpiexec:
        return False
    asked = words if words[0] in ("plan", "model", "info") and "--calibrate" not in words else smaller(words)
    if words[0] == "run":
        (folder / "r.json").unlink(missing_ok=True)  # of the page's command before
    start = [mpiexec, "-n", str(min(int(ranks[1]), 4))] if ranks else []
    done = subprocess.run([*start, meshway, *asked], cwd=folder, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "HOME": str(folder), "MESHWAY_RESULTS": str(folder / "results")})
    if done.returncode not in (0, *NOT_ASKED):
        wrong.append(f"{page.name}: {line}: code {done.returncode}: {done.stderr.strip()[-300:]}")
    return True


n_seen = n_run = 0
wrong = []
scratch = tempfile.TemporaryDirectory()
for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
    folder = pathlib.Path(scratch.name) / page.stem
    folder.mkdir()
    make_files(folder)
    for line, words in commands(page):
        if not words or not re.fullmatch(r"[a-z]+", words[0]) or words[0] == "help":
            continue
        n_seen += 1
        name = " ".join(words[:2]) if " ".join(words[:2]) in options else words[0]
        if name not in options:
            wrong.append(f"{page.name}: no command '{name}': {line}")
            continue
        known = options[name] | {"--help"} | (options["run"] if name.startswith("sweep ") else set())  # and all of a run's
        own = words[:words.index("--")] if "--" in words else words
        wrong += [f"{page.name}: '{name}' has no {word}: {line}" for word in own
                  if (long := re.match(r"--[a-z][\w-]*", word)) and long[0] not in known]
        n_run += run(page, line, words, folder)
print(*wrong, f"{n_seen} commands, {n_run} run here", sep="\n")
sys.exit(1 if wrong or n_seen < 50 or n_run < 30 else 0)
