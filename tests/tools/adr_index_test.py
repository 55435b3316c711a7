#!/usr/bin/env python3
"""docs/adr/README.md lists every record of a decision with its title, and says which ones are superseded.

usage: adr_index_test.py [--write]

A record begins with "# NUMBER: TITLE". One that another takes the place of says so first: "Superseded by [NUMBER](FILE)".
"""
import pathlib
import re
import sys

folder = pathlib.Path(__file__).resolve().parents[2] / "docs/adr"
lines, wrong, seen = [], [], {}
for file in sorted(folder.glob("[0-9]*.md")):
    text = file.read_text()
    title = re.match(r"# (\d{4}): (.+)\n", text)
    if not title or not file.name.startswith(title[1] + "-"):
        wrong.append(f"{file.name}: its first line is not '# {file.name[:4]}: TITLE'")
        continue
    if title[1] in seen:
        wrong.append(f"{file.name} has the number of {seen[title[1]]}")
    seen[title[1]] = file.name
    later = re.match(r"# .+\n\nSuperseded by \[(\d{4})\]\(([^)]+)\)", text)
    if later and not (folder / later[2]).is_file():
        wrong.append(f"{file.name} is superseded by {later[2]}, which is not there")
    note = f" *(superseded by [{later[1]}]({later[2]}))*" if later else ""
    lines.append(f"- [{title[1]}]({file.name}) {title[2]}{note}\n")
index = folder / "README.md"
page = ("# Decisions\n\nWhy things are as they are: what was decided, and against what. A record is not rewritten when the decision changes; another one\n"
        "takes its place. Some numbers are not used.\n\n" + "".join(lines))
if "--write" in sys.argv[1:]:
    index.write_text(page)
elif not index.is_file() or index.read_text() != page:
    wrong.append("docs/adr/README.md is not what the records say: run tests/tools/adr_index_test.py --write, and read the difference")
print("\n".join(wrong) or f"{len(lines)} records are listed")
sys.exit(1 if wrong else 0)
