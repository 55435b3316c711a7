"""Runs programs of other people's tools on the virtual GPU, through `warplens program`.

  run.py WARPLENS course                    the course scripts (tests/programs/course), each checks itself
  run.py WARPLENS written [FORM…]           every program that `warplens code` writes, against the virtual GPU's own output
  run.py WARPLENS suite NAME [FILE…]        the tests of numba-cuda, numba, numba-cuda-mlir, pycuda, scikit-cuda or cupy; or only these
                                            files, as test_atomics
  run.py WARPLENS part                      a part of numba-cuda's tests that takes half a minute

With suite: -k EXPRESSION as pytest takes it, --jobs N, --limit SECONDS of silence until a test counts as hung, and --write,
which stores the outcomes in tests/programs/outcomes/NAME.txt and makes docs/program-suites.md of all that is stored. `-` in
place of WARPLENS runs the tests on the machine's own driver and GPU; --out FILE stores its outcomes for a comparison:
`diff` of the two files says what differs. With --sanitize races and reads of memory that nobody wrote are searched for (--findings: what is found without), which
takes several times as long: accused.txt lists the findings that are true, by test file, and any other is an error.

Python packages are those of requirements/, in environments of their own in the user's cache folder. Exit status 77 where
none can be made. Failures that are known are in expected_failures.txt, each with its reason: what fails beside them is an
error, and so is one that passes.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import os
import pathlib
import signal
import sys
import tempfile
import threading

import accused
import packages
import report
import suites
import warm
import written

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
# Files of numba-cuda's suite that together use most of the driver, without those that take longest for what they add.
PART = ("test_context_stack", "test_cuda_devicerecord", "test_cuda_memory", "test_deallocations", "test_emm_plugins", "test_events",
        "test_host_alloc", "test_linker", "test_managed_alloc", "test_pinned", "test_reset_device", "test_select_device")


def run_scripts(warplens, python, scripts, jobs):
    def run(script):
        with processes.one() as process:
            return script, *process.run([script], {}, 300)
    with warm.Pool(suites.launcher(warplens), python) as processes, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(run, scripts))
    # Numba links grid.sync() with a library of the CUDA toolkit, which set-up does not bring.
    skipped = [script for script, status, said in results if status != 0 and "libcudadevrt.a not found" in said]
    for script in skipped:
        print(f"{script.name} skipped: libcudadevrt.a is not on this machine; the CUDA toolkit has it")
    failed = [(script, said) for script, status, said in results if status != 0 and script not in skipped]
    for script, said in failed:
        print(f"{script.name} failed:\n{said[-2000:]}")
    print(f"{len(results) - len(failed) - len(skipped)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not results else 0


def run_suite(warplens, suite, options):
    python = packages.environment(suites.SUITES[suite].requirements, suites.launcher(warplens))
    if python is None:
        return SKIPPED
    files = [path for path in suites.SUITES[suite].files(python) if not options.files or
             suites.name_of(suite, path) in options.files]
    if not files:
        print("skipped: no such tests")
        return SKIPPED
    outcomes, storing = {}, threading.Lock()
    whole = not options.files and not options.k
    places = ([pathlib.Path(options.out)] if options.out else []) + ([report.stored(suite)] if options.write else [])
    if whole:
        for place in places:
            place.unlink(missing_ok=True)

    true, wrong = accused.true_findings(suite), []

    @contextlib.contextmanager
    def searched(path):
        """A process of its own for each file, so that its findings are known."""
        with tempfile.TemporaryDirectory() as folder:
            file, name = pathlib.Path(folder) / "report.json", suites.name_of(suite, path)
            with warm.Pool(suites.launcher(warplens, accused.options(file, options.sanitize)), python) as own, own.one() as process:
                yield process
            if accusation := accused.accusation(file, true.get(name, 0)):
                wrong.append(f"{name} {accusation}")

    def run(path):
        with searched(path) if options.sanitize or options.findings else processes.one() as process:
            found = suites.run_file(process, suite, path, options.k, options.limit)
        counts = collections.Counter(outcome.status for outcome in found.values())
        with storing:
            # At once: a run of hours that is ended has not been for nothing.
            outcomes.update(found)
            for place in places:
                report.add_outcomes(place, found)
        print(f"{suites.name_of(suite, path)}: " + (", ".join(f"{n} {status}" for status, n in sorted(counts.items())) or "no tests"), flush=True)
        return found
    with warm.Pool(suites.launcher(warplens), python) as processes, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(run, files))
    if options.write:
        report.write_page()
    wrong += report.unexpected(suite, outcomes, whole) if warplens else []
    for line in wrong:
        print(line)
    counts = collections.Counter(outcome.status for outcome in outcomes.values())
    print(f"{suite}: " + ", ".join(f"{n} {status}" for status, n in sorted(counts.items())))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("warplens")
    parser.add_argument("what", choices=("course", "written", "suite", "part"))
    parser.add_argument("files", nargs="*")
    parser.add_argument("-k", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--limit", type=float, default=suites.SILENCE_S)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--findings", action="store_true", help="what is found without --sanitize, such as missing waits")
    parser.add_argument("--out")
    options = parser.parse_args()
    warplens = None if options.warplens == "-" else pathlib.Path(options.warplens).resolve()
    if options.what == "course":
        python = packages.environment("numba-cuda")
        scripts = sorted((HERE / "course").glob("*.py"))
        return SKIPPED if python is None else run_scripts(warplens, python, scripts, options.jobs)
    if options.what == "written":
        return written.run(warplens, options.files, options.jobs)
    if options.what == "part":
        options.files = list(PART)
        return run_suite(warplens, "numba-cuda", options)
    if not options.files or options.files[0] not in suites.SUITES:
        parser.error("suite needs a name: " + ", ".join(suites.SUITES))
    suite = options.files.pop(0)
    return run_suite(warplens, suite, options)


if __name__ == "__main__":
    suites.end_with_children()
    try:
        sys.exit(main())
    except suites.Ended:
        print("ended before it was done, with all that it had started")
        sys.exit(128 + signal.SIGTERM)
