#!/usr/bin/env python3
"""The programs of `tools/bench programs` compile, run and agree with their twins in OpenMP, at small sizes; and a wrong result would
be noticed."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARPLENS = pathlib.Path(sys.argv[1]).resolve()
SKIPPED = 77
sys.path.insert(0, str(ROOT / "tests" / "bench"))
sys.dont_write_bytecode = True
import programs  # noqa: E402


def test_disagreement():
    sums = {"sums": ["100", "nan"]}
    assert not programs.disagreement({"checksum": ["1f"]}, {"checksum": ["1f"]}, 0)
    assert programs.disagreement({"checksum": ["1f"]}, {"checksum": ["2f"]}, 1)
    assert programs.disagreement({"checksum": ["1f"]}, {"sums": ["1"]}, 1)
    assert not programs.disagreement({"sums": ["100"]}, {"sums": ["100.01"]}, 1e-3)
    assert programs.disagreement({"sums": ["100"]}, {"sums": ["100.01"]}, 1e-5)
    assert programs.disagreement({"sums": ["100"]}, {"sums": ["100", "1"]}, 1)
    assert programs.disagreement(sums, sums, 1) and programs.disagreement({}, {}, 1)


def test_table():
    listed = {"one": {"what": "first", "size": 1000}, "two": {"what": "second", "size": 5}}
    rows = {"one": [10.0, 20.0, 40.0, 20.0, 20.0], "two": [1.0, 2.0, 16.0, 32.0, 8.0]}
    assert programs.table(listed, rows).splitlines()[2:] == [
        "| one | first | 1,000 | 10.0 | 40 | 4 | 1 | 2 |", "| two | second | 5 | 1.0 | 16 | 16 | 16 | 8 |",
        "| geometric mean | | | | | 8 | 4 | 4 |", "| largest | | | | | 16 | 16 | 8 |"]


def has_openmp():
    with tempfile.TemporaryDirectory() as folder:
        command = ["g++", *programs.FLAGS, "-x", "c++", "-", "-o", f"{folder}/a"]
        try:
            return subprocess.run(command, input="#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }", text=True,
                                  capture_output=True, check=False).returncode == 0
        except FileNotFoundError:
            return False


def main():
    test_disagreement()
    test_table()
    if not (WARPLENS.parent / "driver" / "libcuda.so.1").exists():
        print("skipped: this build has no driver for programs")
        return SKIPPED
    if not has_openmp():
        print("skipped: there is no g++ with OpenMP on this machine")
        return SKIPPED
    return subprocess.run([sys.executable, "-B", ROOT / "tests" / "bench" / "programs.py", WARPLENS, "--small"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
