#!/usr/bin/env python3
"""The answers in Python are judged as their challenge says, where this machine has Python with Numba and bubblewrap.

  tests/tools/python_answers_test.py build/release/warplens [--all]

One right and one wrong answer of every third challenge; with --all, every one of all challenges."""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/programs"))
import packages  # noqa: E402
STARS = {"right": 3, "right two": 2, "right one": 1}


def answers(everything):
    """(challenge, file, what challenge.md says of it)"""
    folders = sorted(path for path in (ROOT / "assets/challenges").iterdir() if list(path.glob("*.py")))
    for folder in folders if everything else folders[::3]:
        rows = re.search(r"^```files\n(.*?)^```", (folder / "challenge.md").read_text(), re.M | re.S)[1]
        python = [row.split(": ", 1) for row in rows.splitlines() if ".py: " in row and not row.endswith("starter")]
        wrong = [row for row in python if row[1] not in STARS]
        for name, said in python if everything else [python[0], wrong[0]]:
            yield folder.name, name, said


def judged(program, challenge, name, said):
    """What is wrong with the verdict; None if this machine cannot judge Python."""
    done = subprocess.run([program, "judge", challenge, ROOT / "assets/challenges" / challenge / name, "--json"],
                          capture_output=True, text=True)
    if done.returncode == 3:
        return None
    verdict = json.loads(done.stdout)
    where = f"{challenge}/{name}"
    if said in STARS:
        if not verdict["right"] or verdict["stars"] != STARS[said]:
            return f"{where}: {verdict['stars']} stars, not {STARS[said]}: {verdict['reason']} {verdict['message']}"
        return ""
    reason, _, kind = said.split(" at ")[0].partition(" ")
    if verdict["right"] or verdict["reason"] != reason or (kind and verdict["kind"] != kind):
        return f"{where}: {verdict['reason']} {verdict['kind']}, not {said}: {verdict['message']}"
    return ""


def main():
    program = os.path.abspath(sys.argv[1])
    # The suites' own environment, where this machine's Python has no Numba.
    if "WARPLENS_PYTHON" not in os.environ and subprocess.run(["python3", "-c", "import numba.cuda"],
                                                              capture_output=True).returncode != 0:
        python = packages.environment("numba-cuda")
        if python is not None:
            os.environ["WARPLENS_PYTHON"] = str(python)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda answer: judged(program, *answer), answers("--all" in sys.argv)))
    if None in said:
        print("no Python with Numba, or no bubblewrap")
        sys.exit(77)
    wrong = [text for text in said if text]
    print(*wrong, f"{len(said)} answers, {len(wrong)} judged wrongly", sep="\n")
    sys.exit(1 if wrong else 0)


main()
