"""Builds and runs other people's programs in CUDA C++, unchanged, on the virtual GPU, and says what became of each.

  cplusplus.py WARPLENS COLLECTION FOLDER [NAME…]     all that counts, or only programs whose path ends in one of the names

FOLDER has the collection's own files (a clone of the repository that collections/COLLECTION.txt names). Its programs are
built in there, by their own CMake files, Makefiles or command lines, and run in the folder that was built. With --write the
outcomes are stored in outcomes/COLLECTION.txt, and docs/programs.md gets the table of all that is stored. `-` in place of
WARPLENS builds and runs on the machine's own driver and GPU. --limit SECONDS a program may run (120), --build does no more
than that, --keep shows all that a program said, --jobs so many at a time. With --sanitize all that is right is searched for races
and for reads of memory that nobody wrote: accused.txt lists the findings that are true, and any other must be looked into.

An outcome is `right` (exit status 0, and the words that the list asks for, and none that says that something failed),
`refused` (a CUDA error, a sentence of ours, or the program's own word that it cannot run here; also where it was not built),
`timed out`, `wrong`, or `accused` of what is found.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import accused

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "programs.md"
MARKS = "<!-- made by tests/programs/cplusplus.py --write -->", "<!-- the end of what it makes -->"
TIMED_OUT = "the launch timed out and was terminated"  # cudaErrorLaunchTimeout: of steps (warplens program --steps)
WAIVED = 2  # what NVIDIA's samples end with where the device lacks something
BUILD_S = 900
FAILED = re.compile(r"\bFAIL(ED|URE)?\b|[Tt]est failed|\*\*\*corrupted|\bNOT OK\b|DON'T Match|\bMISMATCH\b|^Error at|Assertion .* failed",
                    re.M)
REFUSED = re.compile(r"^warplens: .*|.*CUDA [Ee]rror.*|.*CUDA_ERROR_.*|.*cudaError[A-Z].*|.*code=\d+\(.*|.*[Ww]aiv.*|"
                     r".*(is|are) not (provided|supported|simulated).*", re.M)

Program = collections.namedtuple("Program", "path words reason options")


def programs_of(collection):
    """The programs of a list, those that do not count among them: these have a reason."""
    rows = []
    for line in (HERE / "collections" / f"{collection}.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "build ", "run ")):
            path, counts, rest, options = (part.strip() for part in (line + " | |").split("|")[:4])
            rows.append(Program(path, rest if counts == "counts" else "", rest if counts == "no" else "", options))
    return rows


def command_of(collection, what):
    """The line `build …` or `run …` of a list: a command of the shell; empty where there is none."""
    lines = (HERE / "collections" / f"{collection}.txt").read_text(encoding="utf-8").splitlines()
    return next((line.split(" ", 1)[1] for line in lines if line.startswith(what + " ")), "")


def run(command, cwd, limit_s, variables):
    """Exit status, or None if it was ended after limit_s seconds; then what it said and the seconds."""
    with tempfile.TemporaryFile() as output:
        began = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd=cwd,
                                   env={**os.environ, **variables}, start_new_session=True)
        try:
            status = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            status = None
        took = time.monotonic() - began
        for what in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, what)
                process.wait(10)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue
        process.wait()
        output.seek(0)
        return status, output.read().decode(errors="replace"), took


def short(text, limit=200):
    return " ".join(text.split())[:limit]


def outcome_of(status, said, words):
    """An outcome in words."""
    if status is None or (status != 0 and TIMED_OUT in said):
        return "timed out"
    failed = FAILED.search(said)
    if status == 0 and words in said and not failed:
        return "right"
    refusal = REFUSED.search(said)
    if refusal or status == WAIVED:
        return "refused: " + short(refusal.group() if refusal else said.strip().rpartition("\n")[2])
    if status < 0 or status > 128:
        return f"wrong: ended by signal {-status if status < 0 else status - 128}"
    return "wrong: " + short(failed.group() if failed else f"exit status {status}: {said.strip()[-160:]}")


class Runner:
    def __init__(self, options):
        self.front = [] if options.warplens == "-" else [str(pathlib.Path(options.warplens).resolve()), "program", "--quiet", "--"]
        self.collection, self.folder = options.collection, pathlib.Path(options.folder).resolve()
        self.limit_s, self.keep, self.sanitize = options.limit, options.keep, options.sanitize
        self.true_findings = accused.true_findings(self.collection)
        file = self.folder / "test_args.json"  # NVIDIA's own arguments for its samples
        self.arguments = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    def variables(self, program):
        path = pathlib.PurePath(program.path)
        return {"FOLDER": str(self.folder), "PROGRAM": program.path, "NAME": path.name, "STEM": path.stem,
                "PARENT": str(path.parent), "OPTIONS": program.options}

    def shell(self, text, cwd, limit_s, program, more=()):
        front = [*self.front[:-1], *more, *self.front[-1:]]
        return run([*front, "bash", "-c", text], cwd, limit_s, self.variables(program))

    def build(self, program):
        """Empty, or why it was not built."""
        command = command_of(self.collection, "build")
        status, said, _ = self.shell(command, self.folder, BUILD_S, program)
        if self.keep and status != 0:
            print(said)
        if status == 0:
            return ""
        error = re.search(r".*(error|Error|undefined reference|No rule).*", said)
        return "refused: not built: " + short(error.group() if error else said[-160:])

    def runs(self, program):
        """The command lines of a program's runs."""
        given = self.arguments.get(pathlib.PurePath(program.path).name, {})
        return [" ".join([command_of(self.collection, "run"), *one.get("args", [])]) for one in given.get("runs", [given])]

    def outcome(self, program):
        found, all_took = "right", 0.0
        for command in self.runs(program):
            with tempfile.TemporaryDirectory() as folder:
                report = pathlib.Path(folder) / "report.json"
                searched = accused.options(report, self.sanitize) if self.front else ()
                status, said, took = self.shell(command, self.folder, self.limit_s - all_took, program, searched)
                accusation = accused.accusation(report, self.true_findings.get(program.path, 0)) if self.front else ""
            all_took += took
            if self.keep:
                print(said)
            found = outcome_of(status, said, program.words).replace(f"{self.folder}/", "")
            if found == "right" and accusation:
                found = accusation
            if found != "right":
                break
        return found, all_took


def stored(collection):
    return HERE / "outcomes" / f"{collection}.txt"


def read_outcomes(collection):
    lines = stored(collection).read_text(encoding="utf-8").splitlines() if stored(collection).exists() else []
    return dict(line.split(" ", 1) for line in lines)


def add_outcome(collection, path, outcome):
    lines = {**read_outcomes(collection), path: outcome}
    counting = {program.path for program in programs_of(collection) if not program.reason}
    text = "".join(f"{at} {words}\n" for at, words in sorted(lines.items()) if at in counting)
    stored(collection).write_text(text, encoding="utf-8")


def table():
    rows = ["| programs | count | right | wrong | refused | timed out |", "|---|---|---|---|---|---|"]
    for file in sorted((HERE / "collections").glob("*.txt")):
        found = read_outcomes(file.stem)
        if found:
            kinds = collections.Counter(words.partition(":")[0] for words in found.values())
            of = len(programs_of(file.stem))
            rows.append(f"| {file.stem} | {len(found)} of {of} | {kinds['right']} ({100 * kinds['right'] / len(found):.0f} %) | "
                        f"{kinds['wrong']} | {kinds['refused']} | {kinds['timed out']} |")
    return "\n".join(rows)


def write_page():
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(MARKS[0], 1)
    after = rest.split(MARKS[1], 1)[1]
    PAGE.write_text(f"{before}{MARKS[0]}\n{table()}\n\n{MARKS[1]}{after}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("warplens")
    parser.add_argument("collection", choices=sorted(file.stem for file in (HERE / "collections").glob("*.txt")))
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--sanitize", action="store_true")
    options = parser.parse_args()
    runner = Runner(options)
    chosen = [program for program in programs_of(options.collection) if not program.reason and
              (not options.names or any(program.path.endswith(name) for name in options.names))]
    found = {}

    def tried(program):
        outcome, took = runner.build(program), 0.0
        if not options.build and not outcome:
            outcome, took = runner.outcome(program)
        return program, outcome, took

    # The pool is left at once where the caller ends.
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    for done in concurrent.futures.as_completed([pool.submit(tried, program) for program in chosen]):
        program, outcome, took = done.result()
        found[program.path] = outcome or "built"
        print(f"{program.path}: {found[program.path]}" + (f" ({took:.1f} s)" if took else ""), flush=True)
        if options.write and not options.build and not options.sanitize:
            add_outcome(options.collection, program.path, outcome)
    if options.write:
        write_page()
    counts = collections.Counter(words.partition(":")[0] for words in found.values())
    print(f"{options.collection}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())))
    return 1 if counts["wrong"] or counts["accused"] else 0


if __name__ == "__main__":
    sys.exit(main())
