#!/usr/bin/env python3
"""Makes a class of hand-ins, grades it, and holds the table to what it must be: grade_class.py build/release/warplens.

Each row must have a reason that make_hand_ins.py expects of its file, and right ones their stars; the table must be the same
with one worker, with several, and in parts; nothing may be left behind. Prints time and memory. With --quick, the class is
small, and graded with several workers and in parts only: that is what the tests run.
"""
import argparse
import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WAS_HERE = "warplens_was_here"


def graded(program: Path, made: Path, challenge: str, out: Path, *options: str) -> tuple[list[dict], float]:
    begin = time.monotonic()
    done = subprocess.run([program, "grade", made / "hand_ins", "--challenge", challenge, "--csv", out, *options],
                          capture_output=True, text=True)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        raise SystemExit(f"grade {' '.join(options)} ended with {done.returncode}: {done.stderr}{done.stdout}")
    with open(out, newline="") as table:
        return list(csv.DictReader(table)), seconds


def mistakes_in(rows: list[dict], expected: dict[str, dict]) -> list[str]:
    said = [f"{name} has no row" for name in expected if name not in {row["file"] for row in rows}]
    for row in rows:
        want = expected[row["file"]]
        reason = row["reason"] or "none"
        if reason not in want["reasons"]:
            said.append(f"{row['file']}: {reason} {row['kind']}, not {want['reasons']}: {row['message'][:200]}")
        elif want["stars"] is not None and row["stars"] not in ("", str(want["stars"])):
            said.append(f"{row['file']}: {row['stars']} stars, not {want['stars']}")
        if "root:x:0:0" in row["message"]:
            said.append(f"{row['file']}: the table shows a file of this machine")
        if want.get("same") not in (None, row["file"]) and row["same as"] != want["same"]:
            said.append(f"{row['file']}: it is a copy of {want['same']}, and the table says \"{row['same as']}\"")
    return said


def left_behind() -> list[str]:
    return [str(path) for folder in (Path.home(), Path.cwd(), Path("/var/tmp"), Path("/root"))
            if os.access(folder, os.R_OK) for path in folder.glob(WAS_HERE)]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", type=Path)
    arguments.add_argument("--challenge", default="bounds_check")
    arguments.add_argument("--count", type=int, default=200)
    arguments.add_argument("--time", default="10")
    arguments.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments.add_argument("--quick", action="store_true")
    choices = arguments.parse_args()
    program = choices.program.resolve()
    work = Path(tempfile.mkdtemp(prefix="warplens_class_"))
    try:
        subprocess.run([sys.executable, ROOT / "tests/hand_ins/make_hand_ins.py", work / "class", "--challenge",
                        choices.challenge, "--count", str(choices.count)], check=True)
        expected = json.loads((work / "class/expected.json").read_text())
        limits = ["--time", choices.time]
        rows, seconds = graded(program, work / "class", choices.challenge, work / "many.csv", "--workers",
                               str(choices.workers), *limits)
        said = mistakes_in(rows, expected)
        unknown = sum(row["right"] == "?" for row in rows)
        print(f"{len(rows)} hand-ins with {choices.workers} workers: {seconds:.1f} s, {seconds / len(rows):.2f} s each; "
              f"{sum(row['right'] == 'yes' for row in rows)} right, {unknown} that this machine cannot judge; largest "
              f"process {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")
        if not choices.quick:
            _, alone = graded(program, work / "class", choices.challenge, work / "one.csv", "--workers", "1", *limits)
            print(f"the same with one worker: {alone:.1f} s")
            if (work / "one.csv").read_bytes() != (work / "many.csv").read_bytes():
                said.append("one worker and several do not make the same table")
        parts = []
        for part in (1, 2, 3):
            parts += graded(program, work / "class", choices.challenge, work / "part.csv", "--shard", f"{part}/3",
                            "--workers", str(choices.workers), *limits)[0]
        if sorted(parts, key=lambda row: row["file"]) != sorted(rows, key=lambda row: row["file"]):
            said.append("three parts do not make the same table")
        said += [f"something was left behind: {path}" for path in left_behind()]
        print(*said, sep="\n")
        sys.exit(1 if said else 0)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
