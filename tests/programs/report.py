"""What is stored of the suites: the outcome of each test, the reasons of those that fail, and the page of the docs."""
import collections
import fnmatch
import pathlib

import suites

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "program-suites.md"


def stored(suite):
    return HERE / "outcomes" / f"{suite}.txt"


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


def reason_of(test, rows):
    return next((reason for pattern, reason in rows if fnmatch.fnmatchcase(test, pattern)), None)


def unexpected(suite, outcomes, whole):
    """Sentences: what failed and is not known to, and what is known to and did not."""
    rows = expected(suite)
    failed = {test: o for test, o in by_key(outcomes).items() if o.status not in ("passed", "skipped")}
    wrong = [f"not expected: {test} {o.status}: {o.reason}" for test, o in sorted(failed.items()) if not reason_of(test, rows)]
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


HEAD = """# The suites of Numba, numba-cuda and PyCUDA on the virtual GPU

<!-- made by tests/programs/run.py with --write -->

The tests of these packages run unchanged on the driver of WarpLens ([programs.md](programs.md)), with the versions of
`tests/programs/requirements`. The outcome of every test is in `tests/programs/outcomes`. Which of them pass on a real GPU with
the same versions has not been recorded: a test that fails here may fail there, too. On a machine with a GPU,
`python3 tests/programs/run.py - suite NAME --out FILE` runs the same tests on NVIDIA's driver and writes the same list, so
that `diff` shows what differs.
"""


def page_of(suite):
    found, rows = read_outcomes(stored(suite)), expected(suite)
    kinds = collections.Counter(words.partition(":")[0] for words in found.values())
    failed = {test: words for test, words in found.items() if words not in ("passed", "skipped")}
    ran = len(found) - kinds["skipped"]
    lines = [f"## {suite}", "", f"{len({test.partition('.')[0] for test in found})} files, {len(found)} tests: {kinds['passed']} "
             f"pass, {len(failed)} do not, {kinds['skipped']} skip themselves. Of those that ran, "
             f"{100 * kinds['passed'] / max(ran, 1):.1f} % pass; {kinds['crashed']} crashed and {kinds['hung']} hung.", ""]
    groups = collections.defaultdict(list)
    for test in sorted(failed):
        groups[reason_of(test, rows) or "not known yet"].append(test)
    if groups:
        lines += ["| tests | reason | which |", "|---|---|---|"]
    for reason, tests in sorted(groups.items(), key=lambda group: -len(group[1])):
        lines.append(f"| {len(tests)} | {reason} | {', '.join(f'`{test}`' for test in tests)} |")
    return "\n".join(lines) + "\n"
