#!/usr/bin/env python3
"""check_commands.py SOURCE_DIR MESHWAY -- of every `meshway` command in blocks of README and the user pages: the
command and each of its options exist. Runs of a generated graph are asked for their configuration, so their
values are looked at too; nothing is searched. What pages with ```console blocks print, check_tutorial.py compares.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import re
import subprocess
import sys

root, meshway = pathlib.Path(sys.argv[1]), sys.argv[2]
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


n_seen = n_run = 0
wrong = []
for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
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
        if name == "run" and len(words) > 1 and words[1].isdigit() and not re.search(r"[A-Z]{3,}|\.\.\.", line):
            done = subprocess.run([meshway, *words, "--print-config"], capture_output=True, text=True)
            n_run += 1
            if done.returncode not in (0, *NOT_ASKED):
                wrong.append(f"{page.name}: {line}: {done.stderr.strip()}")
print(*wrong, f"{n_seen} commands, {n_run} asked for their configuration", sep="\n")
sys.exit(1 if wrong or n_seen < 50 or n_run < 10 else 0)
