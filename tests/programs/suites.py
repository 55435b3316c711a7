"""Runs the tests of other people's suites, one process a file (warm.py), and says what became of each test.

A process that says nothing for a while is ended with all that it started; what it was at counts as hung, what ended it by a
signal as crashed. Behind a test that fails the rest of its file is run by a new process: an error of the device stays until
its process ends, and would be counted again for every test that follows.
"""
import collections
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time

import packages

HERE = pathlib.Path(__file__).resolve().parent
NO_TESTS = 5  # pytest's exit status
SILENCE_S = 300  # one test, on a machine that runs other programs at the same time

# `root` gives the folder by which the files are named and below which pytest reads each conftest.py; None: the file's own.
Suite = collections.namedtuple("Suite", "requirements files variables root", defaults=(None,))
Outcome = collections.namedtuple("Outcome", "status reason")


def installed_files(python, package):
    """Test files of a package that brings its tests along, but those that use no GPU."""
    code = f"import importlib.util as u; print(u.find_spec('{package}').submodule_search_locations[0])"
    folder = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.split()[-1]
    folder = pathlib.Path(folder) / "numba" / "cuda" / "tests" if package == "numba_cuda" \
        else pathlib.Path(folder) / "cuda" / "tests"
    return sorted(path for path in folder.rglob("test_*.py") if path.parent.name not in ("nocuda", "cudasim", "core", "benchmarks"))


def files_of_source(package, folder):
    source = packages.source_of(package, package)
    return sorted((source / folder).glob("test_*.py")) if source else []


def mlir_tests():
    """The folder of Numba-CUDA-MLIR's tests, which no package has. Those of a later version are not public yet."""
    source = packages.repository("numba-cuda-mlir", "https://github.com/NVIDIA/numba-cuda-mlir", "v0.5.0",
                                 "10ece76b48edd680c2b9bad05a8081921b46f6fc")
    return source / "tests" if source else None


def mlir_files(_):
    """Its own pyproject.toml leaves out the same two folders."""
    tests = mlir_tests()
    return sorted(path for path in tests.rglob("test_*.py")
                  if path.relative_to(tests).parts[0] not in ("benchmarks", "doc_examples")) if tests else []


# Those of CuPy's 300 files that use cuBLAS, cuRAND and own kernels; with sorts by Thrust.
CUPY_FILES = ("core_tests/test_elementwise", "core_tests/test_raw", "cuda_tests/test_cublas", "cuda_tests/test_curand",
              "linalg_tests/test_product", "random_tests/test_generator", "random_tests/test_init",
              "random_tests/test_permutations", "random_tests/test_random", "random_tests/test_sample", "sorting_tests/test_sort",
              "test_cublas")


def cupy_tests():
    source = packages.source_of("cupy", "cupy")
    return source / "tests" if source else None


def cupy_files(_):
    tests = cupy_tests()
    return [tests / "cupy_tests" / f"{name}.py" for name in CUPY_FILES] if tests else []


SUITES = {
    "numba-cuda": Suite("numba-cuda", lambda python: installed_files(python, "numba_cuda"), {}),
    "numba": Suite("numba", lambda python: installed_files(python, "numba"), {}),
    "numba-cuda-mlir": Suite("numba-cuda-mlir", mlir_files, {}, mlir_tests),
    "pycuda": Suite("pycuda", lambda _: files_of_source("pycuda", "test"), {}),
    "cupy": Suite("cupy", cupy_files, {}, cupy_tests),
    "scikit-cuda": Suite("scikit-cuda", lambda _: files_of_source("scikit-cuda", "tests"), {}),
}


ended = threading.Event()


class Ended(Exception):
    """This process was told to end."""


def end_with_children():
    """From here on a request to end (SIGTERM, SIGINT, SIGHUP) also ends what in_group runs, in sessions of their own, and
    raises Ended there."""
    for what in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(what, lambda *_: ended.set())


def end_group(process):
    """Ends a process and all that it started."""
    for what in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, what)
            process.wait(10)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def in_group(command, variables, limit_s, said=None, cwd=None):
    """Runs a command in a process group of its own: exit status, or None if `said` (a file; the output by default) did
    not grow for limit_s seconds; then the output."""
    if ended.is_set():
        raise Ended
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   env={**os.environ, **variables}, start_new_session=True, cwd=cwd)
        size, since, late = -1, time.monotonic(), False
        while process.poll() is None:
            now = os.path.getsize(said) if said else os.fstat(output.fileno()).st_size
            if now != size:
                size, since = now, time.monotonic()
            if time.monotonic() - since > limit_s or ended.is_set():
                late = True
                break
            time.sleep(0.05)
        end_group(process)
        if ended.is_set():
            raise Ended
        output.seek(0)
        return (None if late else process.returncode), output.read().decode(errors="replace")


def launcher(warplens, more=()):
    """What stands in front of a command: nothing where the machine's own driver is asked for."""
    return [] if warplens is None else [warplens, "program", "--quiet", "--no-lines", *more, "--"]


def root_of(suite, path):
    """The folder by which a test file is named."""
    return SUITES[suite].root() if SUITES[suite].root else path.parent


def name_of(suite, path):
    return path.relative_to(root_of(suite, path)).with_suffix("").as_posix()


def read_progress(path):
    """Outcomes of the tests that ended, and the test that did not."""
    ended, current = {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, test, *rest = line.split("\t") + ["", ""]
        if kind == "start":
            current = test
        elif kind == "end":
            ended[test], current = Outcome(rest[0], rest[1]), None
        elif kind == "broken":
            ended[f"{test}::(whole-file)"] = Outcome("failed", rest[0])
    return ended, current


def run_file(warm, suite, path, only="", limit_s=SILENCE_S):
    """test → outcome of a file."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        progress, leave_out = pathlib.Path(folder) / "progress", pathlib.Path(folder) / "leave_out"
        variables = {"WARPLENS_PROGRESS": str(progress), "WARPLENS_LEAVE_OUT": str(leave_out), **SUITES[suite].variables}
        command = ["-m", "pytest", "-q", "-p", "progress", "-p", "no:cacheprovider", "-o", "consider_namespace_packages=true",
                   "--maxfail=1", "-c", os.devnull, "--rootdir", root_of(suite, path), *(["-k", only] if only else []), path]
        while True:
            progress.write_text("", encoding="utf-8")
            leave_out.write_text("\n".join(found), encoding="utf-8")
            status, said = warm.run(command, variables, limit_s, progress, folder)
            ended, current = read_progress(progress)
            found.update(ended)
            if current is not None:
                found[current] = Outcome("hung", f"nothing was heard for {limit_s} s") if status is None else \
                    Outcome("crashed", f"exit status {status}: {' '.join(said.split())[-200:]}")
            elif status not in (0, NO_TESTS) and not ended:
                found[f"{name_of(suite, path)}::(whole-file)"] = Outcome("crashed", f"exit status {status}: "
                                                              f"{' '.join(said.split())[-200:]}")
            failed = any(outcome.status == "failed" for outcome in ended.values())
            broken = any(test.endswith("(whole-file)") for test in ended)
            if (current is None and not failed) or broken:
                return found


def key_of(test):
    """The test as lists have it: file.Class.test, without what a parametrised test or class (CuPy's) got."""
    return re.sub(r"\[.*", "", re.sub(r"_param_\d+_\{.*\}(?=::)", "", test)).replace("::", ".")
