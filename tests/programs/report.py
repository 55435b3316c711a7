"""What is stored of the suites: the outcome of each test, the reasons of those that fail, and the page of the docs."""
import collections
import fnmatch
import pathlib

import suites

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "program-suites.md"


def stored(suite):
    return HERE / "outcomes" / f"{suite}.txt"


def on_gpu(suite):
    """The outcomes of the same tests with the same versions on a real GPU; {} where they were not recorded."""
    path = HERE / "outcomes" / "h200" / f"{suite}.txt"
    return read_outcomes(path) if path.exists() else {}


def by_key(outcomes):
    """The worst outcome of each test over what it was parametrised with."""
    order = ("skipped", "passed", "failed", "crashed", "hung")
    found = {}
    for test, outcome in outcomes.items():
        key = suites.key_of(test)
        if key not in found or order.index(outcome.status) > order.index(found[key].status):
            found[key] = outcome
    return found


def add_outcomes(path, outcomes):
    """Stores outcomes, a test a line, in place of those that the file has of the same tests."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = read_outcomes(path) if path.exists() else {}
    for test, outcome in by_key(outcomes).items():
        lines[test] = outcome.status if outcome.status in ("passed", "skipped") else f"{outcome.status}: {outcome.reason}"
    path.write_text("".join(f"{test} {words}\n" for test, words in sorted(lines.items())), encoding="utf-8")


def read_outcomes(path):
    """test → passed, skipped, or what went wrong in words."""
    return dict(line.split(" ", 1) for line in path.read_text(encoding="utf-8").splitlines())


def expected(suite):
    """(pattern, reason) of the tests that are known to fail."""
    rows = []
    for line in (HERE / "expected_failures.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            of, pattern, reason = (part.strip() for part in line.split("|", 2))
            if suite in of.split():
                rows.append((pattern, reason))
    return rows


def fails(words):
    return words is not None and words not in ("passed", "skipped")


def reason_of(test, rows):
    return next((reason for pattern, reason in rows if fnmatch.fnmatchcase(test, pattern)), None)


def unexpected(suite, outcomes, whole):
    """Sentences: what failed and is not known to, and what is known to and did not."""
    rows, there = expected(suite), on_gpu(suite)
    failed = {test: o for test, o in by_key(outcomes).items() if o.status not in ("passed", "skipped")}
    wrong = [f"not expected: {test} {o.status}: {o.reason}" for test, o in sorted(failed.items())
             if not reason_of(test, rows) and not fails(there.get(test))]
    if whole:
        wrong += [f"none fails any more of {pattern}: take it out of expected_failures.txt" for pattern, _ in rows
                  if not any(fnmatch.fnmatchcase(test, pattern) for test in failed)]
    return wrong


def write_page():
    text = [HEAD]
    for suite in suites.SUITES:
        if stored(suite).exists():
            text.append(page_of(suite))
    PAGE.write_text("\n".join(text), encoding="utf-8")


HEAD = """# The suites of Numba, numba-cuda, Numba-CUDA-MLIR, PyCUDA and scikit-cuda on the virtual GPU

<!-- made by tests/programs/run.py with --write -->

The tests of these packages run unchanged on the driver of WarpLens ([programs.md](programs.md)), with the versions in
`tests/programs/requirements`. The outcome of every test is in `tests/programs/outcomes`. Its folder `h200` has the
outcomes of the same tests, with the same versions, on an NVIDIA H200 (driver 580.159.04, CUDA 12.9's libNVVM, NVRTC and
nvJitLink), recorded there by `python3 tests/programs/run.py - suite NAME --out FILE`. A test can be expected to pass
here only if it passes there.

Numba-CUDA-MLIR 0.6.0 is tested with the tests of 0.5.0, the newest in its repository. On the H200 they ran with CUDA
13.0, cuda-bindings 13.3.1, cuda-core 1.2.0 and NumPy 2.5.2; here with the versions in `tests/programs/requirements`.
The H200's machine has CuPy and PyTorch: tests that need them are skipped here. scikit-cuda, which has bindings of
cuBLAS and similar libraries for PyCUDA, was not run there.
"""


def beside_gpu(found, there):
    """Sentences: how many of the tests that pass on the GPU pass here; the rest by what became of it."""
    passed = [test for test, words in there.items() if words == "passed" and test in found]
    absent = sum(1 for test, words in there.items() if words == "passed" and test not in found)
    here = collections.Counter(found[test].partition(":")[0] for test in passed)
    ran = len(passed) - here["skipped"]
    text = (f"Of the {len(passed)} that pass on the H200, {here['passed']} pass here ({100 * here['passed'] / len(passed):.1f} %), "
            f"{here['skipped']} are skipped here, {ran - here['passed']} fail. Of those that run here, "
            f"{100 * here['passed'] / max(ran, 1):.1f} % pass.")
    return text + (f" {absent} more pass there and were not run here." if absent else "")


def page_of(suite):
    found, rows, there = read_outcomes(stored(suite)), expected(suite), on_gpu(suite)
    kinds = collections.Counter(words.partition(":")[0] for words in found.values())
    failed = {test: words for test, words in found.items() if words not in ("passed", "skipped")}
    ran = len(found) - kinds["skipped"]
    lines = [f"## {suite}", "", f"{len({test.partition('.')[0] for test in found})} files, {len(found)} tests: {kinds['passed']} "
             f"pass, {len(failed)} do not, {kinds['skipped']} are skipped. Of those that ran, "
             f"{100 * kinds['passed'] / max(ran, 1):.1f} % pass; {kinds['crashed']} crashed and {kinds['hung']} hung.", ""]
    if there:
        lines += [beside_gpu(found, there), ""]
    groups = collections.defaultdict(list)
    for test in sorted(failed):
        too = "also fails on the H200" if fails(there.get(test)) else ""
        known = reason_of(test, rows)
        groups["; ".join(part for part in (known, too) if part) or "not known yet"].append(test)
    if groups:
        lines += ["| tests | reason | which |", "|---|---|---|"]
    for reason, tests in sorted(groups.items(), key=lambda group: -len(group[1])):
        lines.append(f"| {len(tests)} | {reason} | {', '.join(f'`{test}`' for test in tests)} |")
    return "\n".join(lines) + "\n"
