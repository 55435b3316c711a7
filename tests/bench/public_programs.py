#!/usr/bin/env python3
"""Programs of other people: their CUDA version in WarpLens against their own OpenMP version, two threads each.

    public_programs.py FOLDER [NAME…]        prints a table; FOLDER holds the clones that public_programs.json names
        --build BUILD                        the build of WarpLens; the default is build/release
        --rounds N                           runs of each, of which the shortest counts; the default is 2
        --against BUILD                      also measures another build
        --write                              stores the table in docs/benchmarks.md; takes all 24 programs

public_programs.json says how each is compiled and called, what is changed in its text and why, and which input files are made.
Copies of the sources, programs and inputs are in FOLDER/built and kept from call to call. The times are those of CUDA's launches
and of OpenMP's parallel regions (public_clock.c), each summed over the program. A program whose regions are short, such as
hotspot, needs a quiet machine: its threads sleep between them. Results are compared where both versions give the same or the
program checks itself. Exit status 1 where one fails or does not agree, 77 where a compiler is missing.
"""
import argparse
import hashlib
import json
import math
import os
import pathlib
import random
import re
import shlex
import shutil
import sys
import tempfile

from measuring import SKIPPED, Failed, Missing, geometric_mean, markdown, rounded, run, write
from public_inputs import INPUTS

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
MARKS = "<!-- public_programs.py --write: from here -->", "<!-- public_programs.py --write: to here -->"
OPENMP_FLAGS = ["-O3", "-march=native", "-fopenmp", "-w"]
CUDA_FLAGS = ["-O3", "-w"]
VERSIONS = "cuda", "openmp"
WALL, PROCESSOR = 0, 1  # the two times of a run


def replaced(text, change, where):
    if change["from"] not in text:
        raise Failed(f"{where} has no {change['from']!r}: is the clone at the commit that public_programs.json names?")
    return text.replace(change["from"], change["to"])


def with_sizes(text, sizes):
    """PolyBench's sizes are defined in headers; nvcc cannot take them as options, because its own headers have an N."""
    for name, size in sizes.items():
        text = re.sub(rf"(#\s*define\s+{name})\s+\d+", rf"\1 {size}", text)
    return text


class Program:
    """One program in its two versions."""

    def __init__(self, name, data, collection, folder):
        self.name, self.data, self.collection = name, data, collection
        self.clone = folder / collection["folder"]
        self.built = folder / "built" / name

    def copy(self, version, to):
        for part in [self.data[version]["folder"], *self.data[version].get("also", []), *self.collection.get("also", {}).get(version, [])]:
            shutil.copytree(self.clone / part, to / part, dirs_exist_ok=True)
        for change in self.data.get("changes", []):
            if change.get("version", version) != version:
                continue
            path = to / self.data[version]["folder"] / change["file"]
            path.write_text(replaced(path.read_text(errors="surrogateescape"), change, path), errors="surrogateescape")
        if "sizes" in self.data and version == "cuda":
            for path in (to / self.data[version]["folder"]).glob("*.cu*"):
                path.write_text(with_sizes(path.read_text(), self.data["sizes"]))

    def command(self, version, warplens, made):
        of = self.data[version]
        sources = [*of["sources"], *self.collection.get("sources", {}).get(version, [])]
        flags = [*self.collection.get("flags", {}).get(version, []), *of.get("flags", [])]
        if version == "cuda":
            return [warplens, "program", "--quiet", "--", "nvcc", "--add-options", *CUDA_FLAGS, *flags, *sources, "-o", made]
        flags += [f"-D{name}={size}" for name, size in self.data.get("sizes", {}).items()]
        compiler = "gcc" if all(source.endswith(".c") for source in sources) else "g++"
        return [compiler, *OPENMP_FLAGS, *flags, *sources, "-o", made, "-lm"]

    def compile(self, version, warplens):
        made, stamp, sources = (self.built / f"{version}{ending}" for ending in ("", ".stamp", "-sources"))
        words = [str(word) for word in self.command(version, "warplens", made)]
        key = hashlib.sha256(json.dumps([self.data, self.collection, words]).encode()).hexdigest()
        if made.exists() and stamp.exists() and stamp.read_text() == key:
            return
        shutil.rmtree(sources, ignore_errors=True)
        self.copy(version, sources)
        run(self.command(version, warplens, made), sources / self.data[version]["folder"])
        stamp.write_text(key)

    def inputs(self):
        """Name for the program, path, kind and size of each file that it reads."""
        return [(name, self.built / f"{kind}-{count}", kind, count) for name, (kind, count) in self.data.get("inputs", {}).items()]

    def make_inputs(self):
        for _, path, kind, count in self.inputs():
            if not path.exists():
                unnamed = path.with_suffix(f".{os.getpid()}")
                unnamed.write_text("\n".join(INPUTS[kind](count, random.Random(1))) + "\n")
                unnamed.rename(path)

    def prepare(self, warplens):
        self.built.mkdir(parents=True, exist_ok=True)
        self.make_inputs()
        for version in VERSIONS:
            self.compile(version, warplens)

    def run(self, version, runs, clock, before=()):
        """The times by the clock and of the processor, in ms, and what the program printed. It runs in a new folder of `runs`."""
        folder, times = runs / version, runs / version / "clock"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, path, *_ in self.inputs():
            (folder / name).symlink_to(path)
        arguments = shlex.split(self.data[version].get("arguments", ""))
        printed = run([*before, self.built / version, *arguments], folder, LD_PRELOAD=str(clock), PUBLIC_CLOCK=str(times))
        if not times.exists():
            raise Failed(f"{self.name}: {version} has called nothing that is measured")
        # Results, and not what else it says.
        (folder / "printed").write_text("\n".join(line for line in printed.splitlines() if line.count(" ") > 100))
        lines = [list(map(float, line.split())) for line in times.read_text().splitlines()]
        return sum(line[0] for line in lines), sum(line[1] for line in lines), printed

    def disagreement(self, runs, printed):
        """How the results differ, or nothing. `printed` is what the CUDA version printed."""
        if (says := self.data.get("says")) and not re.search(says, printed):
            return f"it has not printed {says!r}, but {printed[-500:]!r}"
        for name, tolerance in self.data.get("same", {}).items():
            left, right = ((runs / version / name).read_text(errors="replace") for version in VERSIONS)
            if why := difference(left, right, tolerance):
                return f"{name}: {why}"
        return ""


def is_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True


def numbers_in(text):
    words = text.replace(",", " ").split()
    try:
        return list(map(float, words))  # most texts have nothing else, and millions of them
    except ValueError:
        return [float(word) for word in words if is_number(word)]


def difference(left, right, tolerance):
    """Where the numbers of two texts differ by more than the tolerance, relative to the larger, or to 1 if that is larger."""
    if left == right and left.strip():
        return ""
    left, right = numbers_in(left), numbers_in(right)
    if not left or len(left) != len(right):
        return f"{len(left)} numbers, and {len(right)} of OpenMP"
    for at, (a, b) in enumerate(zip(left, right)):
        if not (abs(a - b) <= tolerance * max(abs(a), abs(b), 1) or (math.isnan(a) and math.isnan(b))):
            return f"number {at} is {a!r}, and {b!r} of OpenMP: they differ by more than {tolerance}"
    return ""


def made_clock(folder):
    """The library that measures. It takes its place at once: another run may have loaded the one before."""
    folder.mkdir(exist_ok=True)
    unnamed, clock = folder / f"libclock.{os.getpid()}", folder / "libclock.so"
    run(["gcc", "-O2", "-shared", "-fPIC", HERE / "public_clock.c", "-o", unnamed, "-ldl"])
    return unnamed.rename(clock)


class Bench:
    def __init__(self, folder, build, against, rounds):
        self.warplens, self.rounds = build / "warplens", rounds
        # Each column: what is run, and how.
        self.columns = {"openmp": None, "now": [self.warplens], "plain": [self.warplens, "--observe", "none"]}
        if against:
            self.columns["before"] = [against / "warplens"]
        self.clock = made_clock(folder / "built")

    def once(self, program, column, runs):
        """The times of a run, by the clock and of the processor."""
        warplens = self.columns[column]
        if warplens is None:
            return program.run("openmp", runs, self.clock)[:2]
        before = [warplens[0], "program", "--quiet", *warplens[1:], *program.data["cuda"].get("options", []), "--"]
        *times, printed = program.run("cuda", runs, self.clock, before)
        if why := program.disagreement(runs, printed):
            raise Failed(f"{' '.join(map(str, warplens))} does not agree with OpenMP: {why}")
        return times

    def row(self, program):
        """The shortest times of each column, by the clock and of the processor."""
        program.prepare(self.warplens)
        with tempfile.TemporaryDirectory(dir=program.built) as folder:
            rounds = [{column: self.once(program, column, pathlib.Path(folder)) for column in self.columns} for _ in range(self.rounds)]
        return {column: tuple(min(one[column][i] for one in rounds) for i in range(2)) for column in self.columns}


def shown(program, version):
    """The cell of the table with the arguments."""
    if "sizes" in program.data:
        sizes = " ".join(f"{name}={size}" for name, size in program.data["sizes"].items())
        return f"sizes `{sizes}`" if version == "cuda" else "the same"
    of = program.data[version]
    return ", ".join([f"`{of['arguments']}`", *([of["shown"]] if "shown" in of else [])])


def table(programs, rows):
    against = all("before" in row for row in rows.values())
    head = ["program", "CUDA", "OpenMP", "OpenMP, ms", "WarpLens, ms", *(["ratio before"] if against else []), "ratio",
            "ratio of processor time", "ratio without counters"]
    kinds = [*([("before", WALL)] if against else []), ("now", WALL), ("now", PROCESSOR), ("plain", WALL)]
    ratios = {name: [row[column][kind] / row["openmp"][kind] for column, kind in kinds] for name, row in rows.items()}
    lines = [[name, shown(programs[name], "cuda"), shown(programs[name], "openmp"), f"{row['openmp'][0]:.1f}", f"{row['now'][0]:.0f}",
              *map(rounded, ratios[name])] for name, row in rows.items()]
    lines.append(["geometric mean", "", "", "", "", *(rounded(geometric_mean(column)) for column in zip(*ratios.values()))])
    return markdown(head, lines)


def check_clones(folder, programs):
    for program in programs:
        for version in VERSIONS:
            if not (program.clone / program.data[version]["folder"]).is_dir():
                clones = [f"  git clone https://github.com/{of['repository']} && git -C {of['folder']} checkout {of['commit']}"
                          for of in COLLECTIONS.values()]
                raise Failed("\n".join([f"{program.clone / program.data[version]['folder']} is not there. {folder} must hold these clones:",
                                        *clones]))


DATA = json.loads((HERE / "public_programs.json").read_text(encoding="utf-8"))
COLLECTIONS = DATA["collections"]


def parsed():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_intermixed_args()
    if unknown := [name for name in options.names if name not in DATA["programs"]]:
        parser.error(f"no such program: {', '.join(unknown)}")
    if options.write and options.names:
        parser.error("--write takes all programs")
    if options.rounds < 1:
        parser.error("--rounds takes a number from 1")
    for build in filter(None, (options.build, options.against)):
        if not (build / "warplens").exists():
            parser.error(f"{build} has no program warplens: build it there, or name another build")
    return options


def measure(bench, programs):
    """The rows of the programs, and the reasons of those that have none."""
    rows, failures = {}, []
    for name, program in programs.items():
        try:
            rows[name] = bench.row(program)
            print(f"{name}: {rows[name]['now'][0] / rows[name]['openmp'][0]:.3g}", file=sys.stderr, flush=True)
        except Failed as failed:
            failures.append(f"{name}: {failed}")
            print(failures[-1], file=sys.stderr, flush=True)
    return rows, failures


def main():
    options = parsed()
    folder = options.folder.resolve()
    try:
        programs = {name: Program(name, DATA["programs"][name], COLLECTIONS[DATA["programs"][name]["collection"]], folder)
                    for name in options.names or DATA["programs"]}
        check_clones(folder, programs.values())
        bench = Bench(folder, options.build.resolve(), options.against and options.against.resolve(), options.rounds)
        rows, failures = measure(bench, programs)
        if rows:
            print(made := table(programs, rows))
        if options.write and not failures:
            write(PAGE, MARKS, made)
        return 1 if failures else 0
    except Missing as missing:
        print("skipped:", missing)
        return SKIPPED
    except Failed as failed:
        print(failed, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
