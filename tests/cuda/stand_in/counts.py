#!/usr/bin/env python3
"""How many cases and assertions test what stands in for CUDA's libraries: the table of docs/programs.md, "How it is tested".

usage: counts.py                     compares what can be counted in files (tools.counts does it)
       counts.py WARPLENS --write    runs the programs too, and writes the table (some minutes)
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = ROOT / "docs" / "programs.md"
BEGIN = "<!-- made by tests/cuda/stand_in/counts.py -->\n"


def answers_in(name):
    rows = [line for line in (HERE / "driver" / name).read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return dict(line.split(":", 1) for line in rows)


def codes_row():
    nvidia, ours = answers_in("call_codes.txt"), answers_in("call_codes_ours.txt")
    cases = len(nvidia.keys() | ours.keys())
    crashes = sum("crash" in nvidia.get(name, "") for name in ours)
    return (f"| `driver/call_codes.py`: calls with right and wrong arguments | {cases:,} cases: {cases - len(ours):,} as NVIDIA's driver; "
            f"in {crashes} of the other {len(ours)} NVIDIA's crashes |\n")


def programs_in(folder):
    return sorted((HERE / folder).glob("*.cu"))


def assertions_of(warplens, program):
    name = pathlib.Path("..") / program.parent.name / program.name
    done = subprocess.run([sys.executable, HERE / "runtime" / "run.py", warplens, name], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{program}: {done.stdout}{done.stderr}")
    return sum(int(count) for count in re.findall(r"^\d+ of (\d+) hold$", done.stdout, re.M))


def assertions_row(folder, what, count):
    return f"| `{folder}`: {what} | {len(programs_in(folder))} programs, {count} assertions |\n"


FOLDERS = (("runtime", "programs in CUDA C++"), ("libraries", "with cuBLAS and the other libraries"))


def main():
    page = PAGE.read_text(encoding="utf-8")
    begin = page.index(BEGIN) + len(BEGIN)
    end = page.index("\n\n", begin) + 1
    table = page[begin:end]
    if "--write" in sys.argv:
        rows = [assertions_row(folder, what, f"{sum(assertions_of(sys.argv[1], one) for one in programs_in(folder)):,}") for folder, what in FOLDERS]
        made = "| tests/cuda/stand_in | |\n|---|---|\n" + codes_row() + "".join(rows)
        PAGE.write_text(page[:begin] + made + page[end:], encoding="utf-8")
        return 0
    without_sums = re.sub(r"[\d,]+ assertions", "some assertions", table)
    known = [codes_row(), *(assertions_row(folder, what, "some") for folder, what in FOLDERS)]
    if not all(row in without_sums for row in known):
        print("docs/programs.md: the table of tests is old: python3 tests/cuda/stand_in/counts.py build/release/warplens --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
