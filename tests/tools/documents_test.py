#!/usr/bin/env python3
"""The documents have one version, docs/README.md lists every page, and README.md stays short.

CMakeLists.txt has the version. CHANGELOG.md begins with it (after "Unreleased"), CITATION.cff has it, and names of packages in pages
hold it.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_LINES = 150


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


version = re.search(r"^project\(warplens VERSION ([0-9.]+)", read("CMakeLists.txt"), re.MULTILINE)[1]
wrong = []

cited = re.search(r"^version: (.+)$", read("CITATION.cff"), re.MULTILINE)[1]
if cited != version:
    wrong.append(f"CITATION.cff has version {cited}, CMakeLists.txt {version}")

headings = re.findall(r"^## (.+)$", read("CHANGELOG.md"), re.MULTILINE)
versions = [heading for heading in headings if heading != "Unreleased"]
if not versions or not re.fullmatch(rf"{re.escape(version)} – \d{{4}}-\d\d-\d\d", versions[0]):
    wrong.append(f"CHANGELOG.md: its first version is '{versions[0] if versions else ''}', not '{version} – YEAR-MONTH-DAY'")
for kind in sorted(set(re.findall(r"^### (.+)$", read("CHANGELOG.md"), re.MULTILINE)) - {"Added", "Changed", "Fixed", "Removed"}):
    wrong.append(f"CHANGELOG.md: '### {kind}' is not Added, Changed, Fixed or Removed")

pages = sorted((ROOT / "docs").glob("*.md"))
for page in [ROOT / "README.md", *pages]:
    for named in set(re.findall(r"warplens-(\d+\.\d+\.\d+)", page.read_text(encoding="utf-8"))) - {version}:
        wrong.append(f"{page.relative_to(ROOT)} names a package of version {named}; it is {version} now")

index = read("docs/README.md")
for page in pages:
    if page.name != "README.md" and f"]({page.name})" not in index:
        wrong.append(f"docs/README.md does not list {page.name}")

lines = read("README.md").count("\n")
if lines > MOST_LINES:
    wrong.append(f"README.md has {lines} lines, {lines - MOST_LINES} more than {MOST_LINES}: move something to docs/")

print("\n".join(wrong) or f"version {version}, {len(pages) - 1} pages")
sys.exit(1 if wrong else 0)
