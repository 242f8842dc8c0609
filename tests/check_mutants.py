"""check_mutants.py SOURCE_DIR -- every mutant of tests/mutants.txt can still be planted: its text
occurs exactly once in its file. Running them takes minutes (mutants.sh); this does not."""
import pathlib
import sys

source = pathlib.Path(sys.argv[1])
wrong = 0
for line in (source / "tests/mutants.txt").read_text().splitlines():
    if not line.strip() or line.startswith("#"):
        continue
    name, _, file, old, _ = (field.strip() for field in line.split(" | ", 4))
    found = (source / file).read_text().count(old.replace(" OR ", " || "))
    if found != 1:
        print(f"{name}: '{old}' occurs {found} times in {file}")
        wrong += 1
sys.exit(wrong > 0)
