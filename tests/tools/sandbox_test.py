#!/usr/bin/env python3
"""Answers of others where bubblewrap does not work: as a user of their own, if root can have one, else not at all. And
the recipes of docs/gradebooks.md: run_autograder, and the cell for nbgrader."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CHALLENGE = os.path.join(ROOT, "assets", "challenges", "bounds_check")
PYTHON = """import pathlib
pathlib.Path("{mark}").write_text("x")
"""


def fail(*words):
    print(*words)
    sys.exit(1)


def without_bubblewrap(folder, user):
    """An environment in which bwrap fails, as it does in most containers."""
    programs = os.path.join(folder, "programs")
    os.makedirs(programs, exist_ok=True)
    bwrap = os.path.join(programs, "bwrap")
    with open(bwrap, "w") as file:
        file.write("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    os.chmod(bwrap, 0o755)
    return {**os.environ, "PATH": programs + ":" + os.environ["PATH"], "WARPLENS_JUDGE_USER": user}


def run(words, environment):
    return subprocess.run(words, capture_output=True, text=True, timeout=300, env=environment)


def make_class(folder, mark):
    os.makedirs(folder)
    shutil.copy(os.path.join(CHALLENGE, "right.cu"), os.path.join(folder, "right.cu"))
    with open(os.path.join(folder, "writes.py"), "w") as file:
        file.write(PYTHON.format(mark=mark))


def check_nothing_runs(warplens, folder):
    answers, mark = os.path.join(folder, "answers"), os.path.join(folder, "mark")
    make_class(answers, mark)
    environment = without_bubblewrap(folder, "no_such_user_here")
    table = os.path.join(folder, "table.csv")
    ran = run([warplens, "grade", answers, "--challenge", "bounds_check", "--csv", table], environment)
    if ran.returncode != 3 or "are not run" not in ran.stderr or os.path.exists(table):
        fail("grade ran answers that nothing keeps apart:", ran.returncode, ran.stdout, ran.stderr)
    hand_in = os.path.join(folder, "hand_in.json")
    with open(os.path.join(CHALLENGE, "right.cu")) as source, open(hand_in, "w") as file:
        json.dump({"warplens_hand_in": 1, "challenge": "bounds_check", "language": "cuda", "source": source.read()}, file)
    ran = run([warplens, "judge", "bounds_check", hand_in], environment)
    if ran.returncode != 3 or "not judged" not in ran.stdout:
        fail("judge ran what somebody else handed in:", ran.returncode, ran.stdout, ran.stderr)
    ran = run([warplens, "judge", "bounds_check", os.path.join(answers, "writes.py")], environment)
    if ran.returncode == 0 or os.path.exists(mark):
        fail("an answer in Python ran without a sandbox:", ran.stdout, ran.stderr)
    # One's own source, and the teacher's word for the others.
    own = run([warplens, "judge", "bounds_check", os.path.join(answers, "right.cu")], environment)
    if own.returncode == 3 and "warplens fetch" in own.stderr:
        return False
    if own.returncode != 0 or "this user's rights" not in own.stderr:
        fail("an answer of one's own:", own.returncode, own.stdout, own.stderr)
    ran = run([warplens, "grade", answers, "--challenge", "bounds_check", "--csv", table, "--without-sandbox"],
              environment)
    if ran.returncode != 0 or os.path.exists(mark):
        fail("--without-sandbox:", ran.returncode, ran.stdout, ran.stderr)
    with open(table) as file:
        rows = {line.split(",")[0]: line for line in file}
    if ",yes,3," not in rows["right.cu"] or ",?," not in rows["writes.py"]:
        fail("the table without a sandbox:", rows)
    return True


def check_other_user(warplens, folder):
    if os.geteuid() != 0:
        return print("not root: nothing can run as another user")
    answers = os.path.join(folder, "of_others")
    os.makedirs(answers)
    shutil.copy(os.path.join(CHALLENGE, "right.cu"), answers)
    table = os.path.join(folder, "other_user.csv")
    # By a number that no user of the machine has.
    ran = run([warplens, "grade", answers, "--challenge", "bounds_check", "--csv", table],
              without_bubblewrap(folder, "61235"))
    if "run as the user 61235" not in ran.stderr:
        fail("no other user:", ran.returncode, ran.stdout, ran.stderr)
    with open(table) as file:
        row = file.read().splitlines()[1]
    # That user may not be able to read the compiler of this machine.
    if ",yes,3," not in row and ",?," not in row:
        fail("as another user:", row)
    print("as another user:", row)


def check_recipes(warplens, folder):
    submission = os.path.join(folder, "submission")
    os.makedirs(submission)
    shutil.copy(os.path.join(CHALLENGE, "right.cu"), os.path.join(submission, "answer.cu"))
    environment = {**os.environ, "WARPLENS_AUTOGRADER": folder, "WARPLENS_PROGRAM": warplens,
                   "WARPLENS_CHALLENGE": "bounds_check", "WARPLENS_SEED": "7"}
    ran = run([os.path.join(ROOT, "docs", "gradescope", "run_autograder")], environment)
    if ran.returncode != 0:
        fail("run_autograder:", ran.returncode, ran.stdout, ran.stderr)
    with open(os.path.join(folder, "results", "results.json")) as file:
        results = json.load(file)
    if [test["score"] for test in results["tests"]] != [1, 1, 1]:
        fail("Gradescope's results:", results)
    with open(os.path.join(ROOT, "docs", "gradebooks.md")) as file:
        cell = re.search(r"<!-- recipe: nbgrader -->\n```python\n(.*?)```", file.read(), re.S)[1]
    # A notebook shows the value of the last line.
    lines = cell.rstrip().splitlines()
    program = "\n".join(lines[:-1] + [f"print('POINTS', {lines[-1]})"])
    for name, expected in (("right.cu", "POINTS 3"), ("wrong_no_check.cu", None)):
        shutil.copy(os.path.join(CHALLENGE, name), os.path.join(folder, "answer.cu"))
        path = os.path.dirname(warplens) + ":" + os.environ["PATH"]
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=folder,
                             env={**os.environ, "PATH": path}, timeout=300)
        if expected is None and ("AssertionError" not in ran.stderr or "POINTS" in ran.stdout):
            fail("a wrong answer has points from nbgrader's cell:", ran.stdout, ran.stderr)
        if expected and expected not in ran.stdout:
            fail("nbgrader's cell:", ran.stdout, ran.stderr)


def main():
    warplens = os.path.abspath(sys.argv[1])
    if os.environ.get("WARPLENS_LOOKS_FOR_CUDA") == "0":
        print("no compiler in this build")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        if not check_nothing_runs(warplens, folder):
            print("no compiler on this machine")
            sys.exit(77)
        check_other_user(warplens, folder)
    if run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], os.environ).returncode == 0:
        with tempfile.TemporaryDirectory() as folder:
            check_recipes(warplens, folder)


main()
