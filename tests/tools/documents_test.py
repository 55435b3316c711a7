#!/usr/bin/env python3
"""The documents have one version, docs/README.md lists every page, and README.md stays short.

CMakeLists.txt has the version. CHANGELOG.md begins with it (after "Unreleased"), CITATION.cff has it, and names of packages in pages
hold it. tools/versions.env has the oldest glibc that packages run with. Wheels are named after it, and pages say it:
documents_test.py --write writes names of packages and the version of glibc.
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

glibc = re.search(r"^glibc=(.+)$", read("tools/versions.env"), re.MULTILINE)[1]
OLDEST = "Ubuntu 22.04, Debian 12"  # which systems have that glibc
NAMES = (
    (r"warplens-[0-9.]+-py3-none-manylinux_[0-9]+_[0-9]+_", f"warplens-{version}-py3-none-manylinux_{glibc.replace('.', '_')}_"),
    (r"warplens-[0-9]+\.[0-9]+\.[0-9]+-linux-", f"warplens-{version}-linux-"),
    (r"warplens_[0-9.]+_amd64", f"warplens_{version}_amd64"),
    (r"OWNER/warplens@v[0-9.]+", f"OWNER/warplens@v{version}"),
    (r"glibc [0-9.]+ \([A-Z][^)]*\)", f"glibc {glibc} ({OLDEST})"),
)
pages = sorted((ROOT / "docs").glob("*.md"))
naming = [ROOT / "README.md", ROOT / "cmake/launcher.sh", *pages, *sorted((ROOT / "docs").glob("*/*.yml"))]
for page in naming:
    text = written = page.read_text(encoding="utf-8").replace("@GLIBC@", glibc)
    for name, right in NAMES:
        written = re.sub(name, right, written)
    if written == text:
        continue
    if "--write" in sys.argv[1:] and page.suffix != ".sh":
        page.write_text(written, encoding="utf-8")
    else:
        wrong.append(f"{page.relative_to(ROOT)} has another version of WarpLens or glibc than {version} and {glibc} ({OLDEST}): "
                     "tests/tools/documents_test.py --write corrects names of packages")

index = read("docs/README.md")
for page in pages:
    if page.name != "README.md" and f"]({page.name})" not in index:
        wrong.append(f"docs/README.md does not list {page.name}")

lines = read("README.md").count("\n")
if lines > MOST_LINES:
    wrong.append(f"README.md has {lines} lines, {lines - MOST_LINES} more than {MOST_LINES}: move something to docs/")

print("\n".join(wrong) or f"version {version}, {len(pages) - 1} pages")
sys.exit(1 if wrong else 0)
