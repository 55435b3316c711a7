#!/usr/bin/env python3
"""Programs in CUDA C++ on the virtual GPU against the same algorithms in OpenMP (tests/bench/programs), two threads each.

    programs.py WARPLENS [NAME…]             prints a table; tools/bench programs calls it
    programs.py WARPLENS --write             also stores it in docs/benchmark-tables.md
    programs.py WARPLENS --small             only checks that they agree, at sizes that take no time

programs.json lists the programs with their sizes. NAME.cu and NAME.cpp print the time of their kernels, without copies: the
shortest of three runs after one that does not count. They also print a checksum of their results, which must agree: exactly,
or within the tolerance of the list. Exit status 1 where one fails or does not agree, 77 where something to build them is missing.
"""
import argparse
import concurrent.futures
import json
import pathlib
import sys
import tempfile

from measuring import SKIPPED, THREADS, Failed, Missing, geometric_mean, markdown, rounded, run, write

FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
PAGE = FOLDER.parents[2] / "docs" / "benchmark-tables.md"
MARKS = "<!-- tools/bench programs --write: from here -->", "<!-- tools/bench programs --write: to here -->"
# std::sqrt would otherwise set errno, which keeps g++ from vectorising a loop with it.
FLAGS = ["-std=c++17", "-O3", "-march=native", "-fopenmp", "-fno-math-errno"]


def lines_of(text):
    """What a program printed, by the first word of each line."""
    return {words[0]: words[1:] for words in map(str.split, text.splitlines()) if words}


def disagreement(ours, twins, tolerance):
    """How the results of two programs differ, or nothing."""
    if "checksum" in ours or "checksum" in twins:
        return "" if ours.get("checksum") == twins.get("checksum") else f"{ours.get('checksum')} is not {twins.get('checksum')}"
    left, right = (list(map(float, lines.get("sums", []))) for lines in (ours, twins))
    if not left or len(left) != len(right):
        return "no sums, or another number of them"
    for a, b in zip(left, right):
        if not abs(a - b) <= tolerance * max(abs(a), abs(b)):  # also where one is not a number
            return f"{a!r} and {b!r} differ by more than {tolerance}"
    return ""


class Bench:
    def __init__(self, warplens, programs, folder):
        self.warplens, self.programs, self.folder = warplens, programs, pathlib.Path(folder)
        self.has_observe = "--observe" in run([warplens, "program", "--help"])

    def twin(self, name, size):
        built = self.folder / name
        run(["g++", *FLAGS, FOLDER / f"{name}.cpp", "-o", built])
        return lines_of(run([built, str(size)]))

    def cuda(self, name, size, *more):
        options = ["--nvcc", self.programs[name]["nvcc"]] if "nvcc" in self.programs[name] else []
        return lines_of(run([self.warplens, "program", "--quiet", *options, *more, "--", FOLDER / f"{name}.cu", str(size)]))

    def row(self, name, size_key):
        """Kernel times in ms: OpenMP's and ours, each by the clock and of the processor; then ours without counters, if possible."""
        program = self.programs[name]
        size = program[size_key]
        twins, ours = self.twin(name, size), self.cuda(name, size)
        if why := disagreement(ours, twins, program.get("tolerance", 0)):
            raise Failed(f"{name}, size {size}: the virtual GPU and OpenMP do not agree: {why}")
        measured = [float(ms) for lines in (twins, ours) for ms in lines["kernel_ms"]]
        if self.has_observe and size_key == "size":
            plain = self.cuda(name, size, "--observe", "none")
            if plain.get("checksum", plain.get("sums")) != ours.get("checksum", ours.get("sums")):
                raise Failed(f"{name}, size {size}: with --observe none the result is another")
            measured.append(float(plain["kernel_ms"][0]))
        return measured


def table(programs, rows):
    """A table in Markdown. `rows` has the measured times of each program by its name."""
    head = ["program", "", "size", "OpenMP, ms", "WarpLens, ms", "ratio", "ratio of processor time"]
    with_plain = all(len(row) == 5 for row in rows.values())
    if with_plain:
        head.append("ratio without counters")
    ratios = {name: [row[2] / row[0], row[3] / row[1], *(row[4] / row[0] for _ in range(with_plain))] for name, row in rows.items()}
    lines = [[name, programs[name]["what"], f"{programs[name]['size']:,}", f"{row[0]:.1f}", f"{row[2]:.0f}", *map(rounded, ratios[name])]
             for name, row in rows.items()]
    columns = list(zip(*ratios.values()))
    for words, of in (("geometric mean", geometric_mean), ("largest", max)):
        lines.append([words, "", "", "", "", *(rounded(of(column)) for column in columns)])
    return markdown(head, lines)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("warplens", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_intermixed_args()
    programs = json.loads((FOLDER / "programs.json").read_text(encoding="utf-8"))
    names = options.names or list(programs)
    if unknown := [name for name in names if name not in programs]:
        parser.error(f"no such program: {', '.join(unknown)}")
    if options.write and len(names) < len(programs):
        parser.error("--write takes all programs")
    try:
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(THREADS if options.small else 1) as pool:
            bench = Bench(options.warplens.resolve(), programs, folder)
            rows = dict(zip(names, pool.map(lambda name: bench.row(name, "small" if options.small else "size"), names)))
        if options.small:
            print(f"{len(rows)} programs agree with their twins")
            return 0
        made = table(programs, rows)
        print(made)
        if options.write:
            write(PAGE, MARKS, made)
    except Missing as missing:
        print("skipped:", missing)
        return SKIPPED
    except Failed as failed:
        print(failed, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
