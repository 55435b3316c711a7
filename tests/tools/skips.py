#!/usr/bin/env python3
"""How many tests were skipped, and that none was which should have run.

  tests/tools/skips.py build/release/ctest.log [MORE.log…]

Reads what ctest said (`ctest | tee`). skips.txt lists which tests may be skipped, why, and the most of each kind. Exit
status 1 where another one was skipped, or more of a kind than that.
"""
import collections
import fnmatch
import pathlib
import re
import sys

ALLOWED = pathlib.Path(__file__).resolve().parent / "skips.txt"
# "  123/2916 Test  #123: Name of it ....***Skipped   0.02 sec". A name may hold spaces and dots.
LINE = re.compile(r"^\s*\d+/\d+ Test\s+#\d+: (.*?) ?\.*\*\*\*Skipped\b")
# "\t 12 - Name of it (Skipped)", in the list at the end.
LISTED = re.compile(r"^\s*\d+ - (.*) \(Skipped\)$")

Row = collections.namedtuple("Row", "pattern most reason")


def rows_of(text):
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|", 2)]
        if len(parts) != 3 or not parts[1].isdigit() or not parts[2]:
            raise ValueError(f"{ALLOWED.name}:{number}: it is PATTERN | MOST | REASON")
        rows.append(Row(parts[0], int(parts[1]), parts[2]))
    return rows


def skipped_in(log):
    """Names, each once, in the order of the log."""
    found = {}
    for line in log.splitlines():
        match = LISTED.match(line) or LINE.match(line)
        if match:
            found[match[1]] = None
    return list(found)


def wrong_with(names, rows):
    """Lines that say what was skipped; lines that say what should not have been."""
    by_row, others = collections.defaultdict(list), []
    for name in names:
        row = next((row for row in rows if fnmatch.fnmatchcase(name, row.pattern)), None)
        if row is None:
            others.append(name)
        else:
            by_row[row].append(name)
    said = [f"  {len(by_row[row]):5} {row.pattern}: {row.reason}" for row in rows if by_row[row]]
    wrong = [f"skipped, and {ALLOWED.name} does not say why: {name}" for name in others]
    wrong += [f"{len(by_row[row])} of {row.pattern} were skipped, and {row.most} may be: {by_row[row][-1]}" for row in rows
              if len(by_row[row]) > row.most]
    return said, wrong


def self_test():
    rows = rows_of("# why\n\nGpu* | 2 | no GPU\nOne.* | 1 | no other machine\n")
    log = ("  1/9 Test #1: Gpu.A ......***Skipped   0.01 sec\n 2/9 Test  #22: Other.B ....   Passed    0.01 sec\n"
           "3/9 Test #3: One.Has a.name/2 ...***Skipped   0.1 sec\n4/9 Test #4: Other.C ....***Failed  0.1 sec\n"
           "The following tests did not run:\n\t  1 - Gpu.A (Skipped)\n\t 3 - One.Has a.name/2 (Skipped)\n\t 5 - Off.D (Disabled)\n")
    assert skipped_in(log) == ["Gpu.A", "One.Has a.name/2"], skipped_in(log)
    assert wrong_with(skipped_in(log), rows)[1] == []
    assert len(wrong_with(["Gpu.A", "Other.B"], rows)[1]) == 1
    assert len(wrong_with(["Gpu.A", "Gpu.B", "Gpu.C"], rows)[1]) == 1
    for line in ("Gpu*", "Gpu* | many | why", "Gpu* | 2 |"):
        try:
            rows_of(line)
        except ValueError:
            continue
        raise AssertionError(line)


def main():
    self_test()
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    rows, status = rows_of(ALLOWED.read_text(encoding="utf-8")), 0
    for path in sys.argv[1:]:
        names = skipped_in(pathlib.Path(path).read_text(encoding="utf-8", errors="replace"))
        said, wrong = wrong_with(names, rows)
        print("\n".join([f"{path}: {len(names)} tests were skipped", *said, *wrong]))
        status = 1 if wrong else status
    return status


if __name__ == "__main__":
    sys.exit(main())
