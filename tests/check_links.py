#!/usr/bin/env python3
"""check_links.py SOURCE_DIR -- every link of a page within the repository leads to a file, and to a heading
where it names one.

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


root = pathlib.Path(sys.argv[1])
pages = [page for folder in (".", "docs", "docs/*", "share/**", "tools/**", "python", "examples", "bench", "tests")
         for page in sorted(root.glob(f"{folder}/*.md"))]
n_links = 0
wrong = []
for page in pages:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"\w+:", link):
            continue
        n_links += 1
        what = fault(page, link)
        if what:
            wrong.append(f"{page.relative_to(root)}: {link}: {what}")
for line in wrong:
    print(line)
if n_links < 50:
    wrong.append("few links")
    print(f"only {n_links} links were found")
print(f"{len(pages)} pages, {n_links} links")
sys.exit(1 if wrong else 0)
