#!/usr/bin/env python3
"""check_docs.py SOURCE_DIR -- every link of a page within the repository leads to a file, and to a
heading where it names one; what docs/architecture.md and docs/tour.md name as `file.c`: `function`, ...
is in that file; docs/install.md has every option of the build; pictures have the numbers of their
tables; prose is wrapped; its sentences are short; and pages that once grew are no longer than agreed.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import re
import sys


def prose(page):
    """The page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)


def anchors(page):
    """What its headings are called in links, as GitHub makes it of them."""
    titles = re.findall(r"^#+ (.*)", prose(page), flags=re.M)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title) for title in titles]
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in plain}


def fault(page, link):
    """What is wrong with the link, or None."""
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists():
        return "no such file"
    if anchor and target.suffix == ".md" and anchor not in anchors(target):
        return "no such heading"
    return None


def misplaced(page, sources):
    """Functions that are not in the file which the page puts them in, and how many there were."""
    n_named = 0
    wrong = []
    for file, names in re.findall(r"`(?:[\w/]+/)?(\w+\.(?:[ch]|[ch]pp))`:\s((?:`\w+`(?:,\s)?)+)", prose(page)):
        text = "\n".join(sources.get(file, []))
        for name in re.findall(r"`(\w+)`", names):
            n_named += 1
            if not re.search(rf"^(?:[\w* ]+[ *])?{name}\(", text, flags=re.M):
                wrong.append(f"{page.name}: {name}() is not in {file}")
    return wrong, n_named


WIDTH = 110  # of prose; tables and commands are as wide as they are


def too_wide(page):
    """Lines of paragraphs and lists that are not wrapped, but for a link or picture that cannot be."""
    lines = prose(page).split("\n")
    return [line for line in lines
            if len(line) > WIDTH and line[:1] not in ("|", "#", "!", "<") and not line.startswith("    ")]


WORDS, LONG, LONG_SHARE = 17, 35, 4  # a sentence's on average; a long one's; percent of long ones


def sentences(page):
    """Words of each: without code, tables, headings and what links lead to. A word in code is one word."""
    lines = [line for line in prose(page).split("\n") if not re.match(r"    |\t|\||#|!\[|<", line)]
    text = re.sub(r"`[^`]*`", "X", "\n".join(lines))
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*] |\s*\d+\. )", text):
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z*_X(])", " ".join(paragraph.split())):
            n = len(re.findall(r"[A-Za-z0-9][\w'.,%/-]*", sentence))
            if n >= 3:
                yield n


def wordy(page, name):
    """What is wrong with its sentences, or None. Pages in docs/lab/ are for those who measure."""
    if "docs/lab/" in name or not (name.startswith("docs/") or name in ("README.md", "CONTRIBUTING.md")):
        return None
    counts = list(sentences(page))
    if not counts:
        return None
    words, share = sum(counts) / len(counts), 100 * sum(n > LONG for n in counts) / len(counts)
    if words <= WORDS and share <= LONG_SHARE:
        return None
    return (f"{words:.1f} words a sentence, {share:.1f} % above {LONG}: "
            f"at most {WORDS} and {LONG_SHARE} %")


SIZES = {"docs/architecture.md": (4000, str.split, "words"), "docs/gpu.md": (250, str.splitlines, "lines"),
         "docs/tour.md": (1500, str.split, "words")}


def too_long(page, name):
    most, parts, unit = SIZES.get(name, (None, None, None))
    n = len(parts(page.read_text(encoding="utf-8"))) if most else 0
    return f"{n} {unit}, at most {most}" if most and n > most else None


# Tables that have a picture: of each its heading, and how many columns are drawn.
PICTURES = {"algorithms.svg": ("All algorithms", 3), "rates.svg": ("Search rates", 6)}


def not_drawn(root, name):
    """Numbers of a table that its picture lacks, or has too many of."""
    heading, n_columns = PICTURES[name]
    below = (root / "docs" / "performance.md").read_text(encoding="utf-8").split(f"\n## {heading}\n")[1]
    rows = [line.strip("|").split("|") for line in re.search(r"(?:^\|.*\n)+", below, flags=re.M)[0].splitlines()[2:]]
    there = [m[0] for row in rows for cell in row[1:1 + n_columns] if (m := re.match(r"[\d.,]+", cell.strip()))]
    axis = {"0.1", "1", "10", "100", "1,000", "10,000"}
    drawn = [text for text in re.findall(r">([\d.,]+)</text>", (root / "docs" / name).read_text(encoding="utf-8"))
             if text not in axis]
    return sorted(set(there) ^ set(drawn)), len(there)


root = pathlib.Path(sys.argv[1])
pages = [page for folder in (".", "docs", "docs/*", "share/**", "tools/**", "python", "examples", "bench", "tests")
         for page in sorted(root.glob(f"{folder}/*.md"))]
n_links = 0
wrong = []
for page in pages:
    for what in (wordy(page, str(page.relative_to(root))), too_long(page, str(page.relative_to(root)))):
        if what is not None:
            wrong.append(f"{page.relative_to(root)}: {what}")
    for line in too_wide(page):
        wrong.append(f"{page.relative_to(root)}: wider than {WIDTH}: {line[:60]}...")
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"\w+:", link):
            continue
        n_links += 1
        what = fault(page, link)
        if what:
            wrong.append(f"{page.relative_to(root)}: {link}: {what}")
sources = {}
for file in sorted(file for folder in ("src", "layouts", "portability") for end in (".[ch]", ".[ch]pp")
                   for file in (root / folder).rglob("*" + end)):
    sources.setdefault(file.name, []).append(file.read_text(encoding="utf-8"))
n_named = 0
for name in ("architecture.md", "tour.md"):
    lost, n = misplaced(root / "docs" / name, sources)
    wrong += lost
    n_named += n
said = set(re.findall(r"^## (\d+)\.", (root / "docs/lab/decisions.md").read_text(encoding="utf-8"), flags=re.M))
listed = set(re.findall(r"^\| \[(\d+)\]", (root / "docs/decisions.md").read_text(encoding="utf-8"), flags=re.M))
ENDED = {"10"}  # modules that ask owners stand in the table since 22
wrong += [f"decisions.md: {number} is not listed" for number in sorted(said - listed - ENDED)]
n_drawn = 0
for name in PICTURES:
    different, n_numbers = not_drawn(root, name)
    n_drawn += n_numbers
    wrong += [f"{name}: {number} stands in one of picture and table (meshway report --table)" for number in different]
options = set()
for file in [root / "CMakeLists.txt", *sorted((root / "cmake").glob("*.cmake"))]:
    text = file.read_text(encoding="utf-8")
    options.update(re.findall(r"option\((MW_\w+) ", text), re.findall(r"set\((MW_\w+) .*CACHE STRING", text))
page = (root / "docs" / "install.md").read_text(encoding="utf-8")
wrong += [f"install.md: {option} is not there" for option in sorted(options) if f"`{option}`" not in page]
for line in wrong:
    print(line)
if n_links < 50 or n_named < 15 or n_drawn < 15 or len(options) < 12:
    wrong.append("nothing is looked at")
print(f"{len(pages)} pages, {n_links} links, {n_named} functions")
sys.exit(1 if wrong else 0)
