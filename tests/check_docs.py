#!/usr/bin/env python3
"""check_docs.py SOURCE_DIR -- every link of a page within the repository leads to a file, and to a
heading where it names one; what docs/architecture.md names as `file.c`: `function`, ... is in that
file; docs/install.md has every option of the build; and prose is wrapped.

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
    for file, names in re.findall(r"`(\w+\.[ch])`: ((?:`\w+`(?:, )?)+)", prose(page)):
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


root = pathlib.Path(sys.argv[1])
pages = [page for folder in (".", "docs", "docs/*", "share/**", "tools/**", "python", "examples", "bench", "tests")
         for page in sorted(root.glob(f"{folder}/*.md"))]
n_links = 0
wrong = []
for page in pages:
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
for file in sorted(file for folder in ("src", "layouts") for file in (root / folder).rglob("*.[ch]")):
    sources.setdefault(file.name, []).append(file.read_text(encoding="utf-8"))
lost, n_named = misplaced(root / "docs" / "architecture.md", sources)
wrong += lost
options = set()
for file in [root / "CMakeLists.txt", *sorted((root / "cmake").glob("*.cmake"))]:
    text = file.read_text(encoding="utf-8")
    options.update(re.findall(r"option\((MW_\w+) ", text), re.findall(r"set\((MW_\w+) .*CACHE STRING", text))
page = (root / "docs" / "install.md").read_text(encoding="utf-8")
wrong += [f"install.md: {option} is not there" for option in sorted(options) if f"`{option}`" not in page]
for line in wrong:
    print(line)
if n_links < 50 or n_named < 15 or len(options) < 12:
    wrong.append("nothing is looked at")
print(f"{len(pages)} pages, {n_links} links, {n_named} functions")
sys.exit(1 if wrong else 0)
