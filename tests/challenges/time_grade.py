#!/usr/bin/env python3
"""How long a class takes to be graded: the figures of docs/grading.md.

time_grade.py [build/release/warplens] [--answers 200] [--challenge NAME …] [--python]

Makes a folder of as many answers as asked for, from the right and wrong ones of a challenge, each with a line of its own so that none is
a copy of another, and times `warplens grade` on it.
"""
import argparse
import subprocess
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def timed(program: Path, challenge: str, answers: int, ending: str) -> float:
    files = sorted(path for path in (ROOT / "assets/challenges" / challenge).glob("*" + ending) if path.stem != "starter")
    if not files:
        raise SystemExit(f"{challenge} has no answers *{ending}")
    comment = "#" if ending == ".py" else "//"
    with tempfile.TemporaryDirectory() as folder:
        for number, file in enumerate(islice(cycle(files), answers)):
            (Path(folder) / f"answer{number}{ending}").write_text(f"{file.read_text()}\n{comment} {number}\n")
        begin = time.monotonic()
        done = subprocess.run([program, "grade", folder, "--challenge", challenge, "--csv", folder + ".csv"], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise SystemExit(done.stdout + done.stderr)
        seconds = time.monotonic() - begin
        Path(folder + ".csv").unlink()
        return seconds


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", type=Path, nargs="?", default=ROOT / "build/release/warplens")
    arguments.add_argument("--answers", type=int, default=200)
    arguments.add_argument("--challenge", nargs="*", default=["bounds_check", "tiled_multiply"])
    arguments.add_argument("--python", action="store_true", help="answers in Python with Numba")
    choices = arguments.parse_args()
    for challenge in choices.challenge:
        seconds = timed(choices.program, challenge, choices.answers, ".py" if choices.python else ".cu")
        print(f"{challenge}: {choices.answers} answers in {seconds:.1f} s")


if __name__ == "__main__":
    main()
