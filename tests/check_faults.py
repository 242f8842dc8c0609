#!/usr/bin/env python3
"""check_faults.py SOURCE_DIR -- docs/reliability.md has a line for each fault, 1 to 71 and S1 to S15, and
what its last column names is there: `file` `text` pairs, each text in its file; or "none: why"."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
expected = [str(n) for n in range(1, 72)] + [f"S{n}" for n in range(1, 16)]
wrong = []
found = []
for line in (source / "docs/reliability.md").read_text(encoding="utf-8").splitlines():
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if not re.fullmatch(r"S?\d+", cells[0]):
        continue
    number, test = cells[0], cells[-1]
    found.append(number)
    if len(cells) != (4 if number.startswith("S") else 5):
        wrong.append(f"{number}: {len(cells)} columns")
    pairs = re.findall(r"`([^`]+)` `([^`]+)`", test)
    if not pairs and not re.match(r"none: .{20}", test):
        wrong.append(f"{number}: neither a test nor 'none:' with a reason")
    for file, text in pairs:
        path = source / file
        if not path.is_file():
            wrong.append(f"{number}: there is no {file}")
        elif text not in path.read_text(encoding="utf-8", errors="replace"):
            wrong.append(f"{number}: '{text}' is not in {file}")
for number in expected:
    if found.count(number) != 1:
        wrong.append(f"{number}: {found.count(number)} lines")
wrong += [f"{number}: no such fault" for number in found if number not in expected]
print("\n".join(wrong) or f"{len(found)} faults are listed")
sys.exit(bool(wrong))
