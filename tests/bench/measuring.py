"""What programs.py and public_programs.py share: runs with two threads, their failures, and tables in Markdown."""
import math
import os
import subprocess

SKIPPED, MISSING = 77, 3  # MISSING: what `warplens` ends with where a compiler is not installed
THREADS = 2
# Waiting threads sleep, so that their processor time is work.
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": str(THREADS), "OMP_WAIT_POLICY": "passive", "WARPLENS_PROGRAM_WORKERS": str(THREADS)}


class Failed(Exception):
    """A program that was not built, did not run or gave another result, in words."""


class Missing(Exception):
    """Something that this machine does not have."""


def run(command, folder=None, **more):
    """What a command printed. `more` are further variables of its environment."""
    environment = {**ENVIRONMENT, **more}
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=folder, env=environment, check=False)
    except FileNotFoundError as missing:
        raise Missing(f"{command[0]} is not on this machine") from missing
    if done.returncode != 0:
        kind = Missing if done.returncode == MISSING else Failed
        raise kind(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def markdown(head, rows):
    lines = ["".join(f"| {cell} " if cell else "| " for cell in row) + "|" for row in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def rounded(ratio):
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.3g}"


def write(page, marks, made):
    """Puts a table between two lines of a page."""
    text = page.read_text(encoding="utf-8")
    if any(text.count(mark) != 1 for mark in marks):
        raise Failed(f"{page.name} has no place for the table: a line {marks[0]} and a line {marks[1]}")
    head, rest = text.split(marks[0])
    page.write_text(f"{head}{marks[0]}\n\n{made}\n\n{marks[1]}{rest.split(marks[1])[1]}", encoding="utf-8")
