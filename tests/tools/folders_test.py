#!/usr/bin/env python3
"""A folder of code with more than 25 files says in docs/inside-the-application.md why; one that the page names has so many."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST = 25
PAGE = "docs/inside-the-application.md"
# Folders of data have a file for each case, and those of tests mirror the tree.
CODE = ("app", "core", "cuda", "tools")
SUFFIXES = {".h", ".cpp", ".def", ".py", ".js"}
BEGIN, END = "<!-- folders of more than 25 files -->", "<!-- /folders -->"

count = {}
names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *CODE], cwd=ROOT, capture_output=True, text=True, check=True).stdout
for name in names.split("\0"):
    path = pathlib.PurePath(name)
    if path.suffix in SUFFIXES and (ROOT / name).is_file():
        count[str(path.parent)] = count.get(str(path.parent), 0) + 1

page = (ROOT / PAGE).read_text(encoding="utf-8")
if page.count(BEGIN) != 1 or page.count(END) != 1:
    sys.exit(f"{PAGE} has no table between {BEGIN} and {END}")
named = set(re.findall(r"^\| `([^`]+)` \|", page.split(BEGIN)[1].split(END)[0], re.MULTILINE))
large = {folder for folder, files in count.items() if files > MOST}
wrong = [f"{folder} has {count[folder]} files: split it, or say why in {PAGE}" for folder in sorted(large - named)]
wrong += [f"{PAGE} says why {folder} is large; it has {count.get(folder, 0)} files" for folder in sorted(named - large)]
print("\n".join(wrong) or f"{len(large)} folders have more than {MOST} files, each for a reason")
sys.exit(1 if wrong else 0)
