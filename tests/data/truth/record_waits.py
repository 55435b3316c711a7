#!/usr/bin/env python3
"""Runs the programs of tests/bugs on the GPU of this machine, to show that the wrong ones are wrong there.

    record_waits.py OUT [--python PYTHON] [--runs N] [--limit SECONDS]      needs nvcc on the PATH

A line of OUT: the program, in how many runs it did not print "right", and what such a run printed first (else what all did).
The programs with Numba run by PYTHON. What would begin after the limit is not run.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bugs"))
from bugs import options_of, programs

RUN_S, COMPILE_S = 20, 90
# A kernel that is loaded at its first launch may wait for those that run, which hides what is missing.
EAGER = {**os.environ, "CUDA_MODULE_LOADING": "EAGER"}
# Several at once: most of a run is CUDA's start.
JOBS = 4


def said_by(command, limit_s=RUN_S):
    """The exit status and the output of a command; no status if it cannot start or hangs."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit_s, env=EAGER, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, "", str(error)
    return done.returncode, done.stdout, done.stderr


def first_line(text):
    return next((line.replace("\t", " ") for line in text.splitlines() if line.strip()), "")


def outcome(command, runs):
    wrong, seen = 0, ""
    for _ in range(runs):
        status, output, errors = said_by(command)
        if status == 0 and "right" in output.splitlines():
            seen = seen or "right"
        else:
            wrong += 1
            seen = first_line(output) or (f"exit status {status}: {first_line(errors[-200:])}" if status else "nothing")
        if status is None:
            return f"{wrong} of {wrong}", f"no end in {RUN_S} s"
    return f"{wrong} of {runs}", seen


def build(source, folder):
    """The program's path; None, and what the compiler said."""
    program = pathlib.Path(folder, source.stem)
    command = ["nvcc", "-std=c++17", "-arch=native", *options_of(source), str(source), "-o", str(program)]
    status, output, errors = said_by(command, COMPILE_S)
    return (program, "") if status == 0 else (None, first_line(errors or output))


def machine():
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    compiler = said_by(["nvcc", "--version"])[1].splitlines()
    return f"{first_line(said_by(query)[1])}; nvcc {next((line for line in compiler if 'release' in line), '')}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("out")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=200)
    options = parser.parse_args()
    end = time.monotonic() + options.limit
    numba = said_by([options.python, "-c", "import numba.cuda"])[0] == 0
    rights, wrongs = zip(programs(".cu"), programs(".py"))
    with tempfile.TemporaryDirectory() as folder, open(options.out, "w", encoding="utf-8") as out:
        def run(source):
            if time.monotonic() > end:
                return source, "0 of 0", "not run: no time left"
            if source.suffix == ".py":
                if not numba:
                    return source, "0 of 0", "not run: no Numba"
                return source, *outcome([options.python, "-W", "ignore", str(source)], options.runs)
            program, why = built[source].result()
            if program is None:
                return source, "0 of 0", f"does not compile: {why}"
            return source, *outcome([str(program)], options.runs)

        print(f"# {machine()}\n# program\twrong\tfirst line", file=out)
        with concurrent.futures.ThreadPoolExecutor() as compilers, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            sources = [*sum(wrongs, []), *sum(rights, [])]
            built = {source: compilers.submit(build, source, folder) for source in sources if source.suffix == ".cu"}
            concurrent.futures.wait(built.values())  # a busy processor comes late to what it reads too early
            for source, wrong, said in pool.map(run, sources):
                print(source.name, wrong, said, sep="\t", file=out, flush=True)
    print(pathlib.Path(options.out).read_text(encoding="utf-8"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
