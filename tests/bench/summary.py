#!/usr/bin/env python3
"""Writes the short tables of docs/benchmarks.md, from the long ones of docs/benchmark-tables.md.

    summary.py TABLES PAGE          tools/bench --write calls it
"""
import pathlib
import re
import statistics
import sys

SETS = {"avx512": "AVX-512", "avx2": "AVX2", "baseline": "neither"}


def rows_below(text, heading):
    """The first table below a heading, as a list of rows; each row is a dictionary by column. Empty without the heading."""
    found = re.search(rf"^### {re.escape(heading)}$(.*?)(?=^### |\Z)", text, re.DOTALL | re.MULTILINE)
    lines = [line for line in (found.group(1).splitlines() if found else []) if line.startswith("|")]
    if not lines:
        return []
    head, _, *body = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(head, cells)) for cells in body if len(cells) == len(head)]


def table(head, rows):
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(f"| {' | '.join(row)} |" for row in rows)])


def kernels(text):
    of = {name: {row["kernel"]: row for row in rows_below(text, isa) if "1 core" in row} for isa, name in SETS.items()}
    of = {name: rows for name, rows in of.items() if rows}
    if not of:
        raise SystemExit("summary: no table of kernels in docs/benchmark-tables.md: run tools/bench --write")
    first = next(iter(of.values()))
    others = ["PoCL"] if any(row["PoCL"] for row in first.values()) else []  # where it is not installed, its column is empty
    return table(["kernel", *of, *others],
                 [[kernel, *(rows[kernel]["1 core"] for rows in of.values()), *(first[kernel][name] for name in others)] for kernel in first])


def observers(text):
    rows = rows_below(text, "Observation overhead")
    if not rows:
        raise SystemExit("summary: no table of observers in docs/benchmark-tables.md: run tools/bench --write")
    columns = [name for name in rows[0] if name not in ("kernel", "plain, ms")]
    numbers = {name: [float(row[name]) for row in rows] for name in columns}
    return table(["", *columns],
                 [["median of the kernels", *(f"{statistics.median(numbers[name]):.1f}" for name in columns)],
                  ["largest", *(f"{max(numbers[name]):.1f}" for name in columns)]])


def live(text):
    rows = rows_below(text, "Live pictures")
    return table(["kernel", "pictures per second"], [[row["kernel"], row["pictures/s"]] for row in rows])


def with_table(page, name, made):
    begin, end = f"<!-- tools/bench --write, {name}: from here -->", f"<!-- {name}: to here -->"
    if page.count(begin) != 1 or page.count(end) != 1:
        raise SystemExit(f"summary: docs/benchmarks.md has no place for {name}: a line {begin} and a line {end}")
    head, rest = page.split(begin)
    return f"{head}{begin}\n\n{made}\n\n{end}{rest.split(end)[1]}"


def main(tables, page):
    text = pathlib.Path(tables).read_text(encoding="utf-8")
    written = pathlib.Path(page).read_text(encoding="utf-8")
    for name, made in {"kernels": kernels(text), "observers": observers(text), "live": live(text)}.items():
        written = with_table(written, name, made)
    pathlib.Path(page).write_text(written, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
