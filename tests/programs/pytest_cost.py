"""What `pytest --warplens` costs beside `warplens program -- pytest`: pytest_cost.py WARPLENS [--tests N] [--rounds N].

A session of small tests, each a copy in, a launch of Numba's and a copy back, by both, one after the other, and with recordings
of failed tests asked for. Prints the shortest time of each. Exit status 1 where the plug-in takes more than 1.5 times the launcher's.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import packages

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
LIMIT = 1.5

TESTS = """
import numpy as np
import pytest
from numba import cuda

@cuda.jit
def add_one(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1

@pytest.mark.parametrize("i", range({tests}))
def test_small(i):
    a = cuda.to_device(np.full(256, i, np.float32))
    add_one[1, 256](a)
    assert a.copy_to_host()[255] == i + 1
"""


def seconds(command, folder, variables):
    begin = time.monotonic()
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    taken = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return taken


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("warplens", type=pathlib.Path)
    parser.add_argument("--tests", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    python = packages.environment("numba-cuda")
    if python is None:
        return SKIPPED
    warplens = options.warplens.resolve()
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "test_small.py").write_text(TESTS.format(tests=options.tests), encoding="utf-8")
        variables = {**os.environ, "PYTHONPATH": str(ROOT / "app/python"), "WARPLENS_PROGRAM": str(warplens), "TMPDIR": folder}
        pytest = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        ways = {
            "warplens program -- pytest": [warplens, "program", "--quiet", "--", *pytest],
            "pytest --warplens": [*pytest, "-p", "warplens_pytest", "--warplens"],
            "pytest --warplens --warplens-record DIR": [*pytest, "-p", "warplens_pytest", "--warplens", "--warplens-record", "kept"],
        }
        times = {name: [] for name in ways}
        for _ in range(options.rounds):
            for name, command in ways.items():
                times[name].append(seconds(command, folder, variables))
    launcher = min(times["warplens program -- pytest"])
    for name, taken in times.items():
        print(f"{name:<42}{min(taken):7.2f} s  {min(taken) / launcher:.2f} times")
    return 0 if min(times["pytest --warplens"]) <= LIMIT * launcher else 1


sys.exit(main())
