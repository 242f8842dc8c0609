#!/usr/bin/env python3
"""check_tutorial.py -- runs the commands of a page and compares what they print.

    check_tutorial.py PAGE.md SOURCE_DIR MESHWAY [--update]

A command stands in a ```console block behind "$ "; what follows, up to the next "$ ", is what
it prints, where a line "..." stands for any lines. Commands run one after the other in a
fresh directory with share/ and tests/ of the source at hand and an empty docs/mesh/. Pictures
that they make there are compared with those in the source, byte for byte. --update writes
what is printed and drawn into the source instead.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import subprocess
import sys
import tempfile


def sections(lines):
    """Yields (line number of the command, command, first and last line of its output)."""
    inside = False
    i = 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("```"):
            inside = line.strip() == "```console"
        elif inside and line.startswith("$ "):
            first = i + 1
            last = first
            while not lines[last].startswith(("```", "$ ")):
                last += 1
            yield i, line[2:], first, last
            i = last - 1
        i += 1


def fits(expected, printed):
    """Whether printed lines are those expected, "..." standing for any number of lines."""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(fits(expected[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and expected[0] == printed[0] and fits(expected[1:], printed[1:])


def run(command, where, program):
    env = dict(os.environ, PATH=str(program.parent) + os.pathsep + os.environ["PATH"],
               NO_COLOR="1", LC_ALL="C")
    done = subprocess.run(command, shell=True, cwd=where, env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    return done.stdout.rstrip("\n").split("\n") if done.stdout.strip() else []


def check_pictures(where, source, update, text):
    wrong = 0
    for made in sorted((where / "docs/mesh").iterdir()):
        kept = source / "docs/mesh" / made.name
        if update:
            kept.parent.mkdir(exist_ok=True)
            kept.write_bytes(made.read_bytes())
        elif not kept.exists() or kept.read_bytes() != made.read_bytes():
            print(f"{made.name}: the command draws another picture than docs/mesh/ holds")
            wrong += 1
    for kept in sorted((source / "docs/mesh").iterdir()):
        if f"(mesh/{kept.name})" in text and not (where / "docs/mesh" / kept.name).exists():
            print(f"docs/mesh/{kept.name}: no command of the page makes it")
            wrong += 1
    return wrong


def main():
    update = "--update" in sys.argv
    page, source, program = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
    lines = page.read_text(encoding="utf-8").split("\n")
    result, at, wrong, n = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as directory:
        where = pathlib.Path(directory)
        for name in ("share", "tests"):
            (where / name).symlink_to(source / name)
        (where / "docs/mesh").mkdir(parents=True)
        for i, command, first, last in sections(lines):
            expected = lines[first:last]
            printed = run(command, where, program)
            n += 1
            if update and "..." not in expected:
                result += lines[at:first] + printed
                at = last
            elif not fits(expected, printed):
                print(f"{page.name}:{i + 1}: {command}\nexpected:")
                print("\n".join(expected) + "\nprinted:\n" + "\n".join(printed))
                wrong += 1
        wrong += check_pictures(where, source, update, "\n".join(lines))
    if update:
        page.write_text("\n".join(result + lines[at:]), encoding="utf-8")
    print(f"{n} commands, {wrong} wrong")
    return 1 if wrong or n == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
