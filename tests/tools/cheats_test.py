#!/usr/bin/env python3
"""Every answer of tests/data/cheats is rejected for the reason that stands in cheats.json, and docs/grading.md lists them all.

  tests/tools/cheats_test.py build/release/warplens [NAME…]
  tests/tools/cheats_test.py --table

The second prints the table for docs/grading.md. A row with "stars" is a right answer that tries for more stars than it earns. Cheats in Python are left out where this machine has no Python with Numba, or no bubblewrap."""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests/data/cheats"
sys.path.insert(0, str(ROOT / "tests/programs"))
import packages  # noqa: E402


def rows():
    return json.loads((FOLDER / "cheats.json").read_text())


def table():
    lines = ["| file | challenge | what it tries | what the judge says |", "|---|---|---|---|"]
    for row in rows():
        says = f"right, {row['stars'] * '★'} and no more" if "stars" in row else " or ".join(f"`{reason}`" for reason in row["reasons"])
        lines.append(f"| `{row['file']}` | `{row['challenge']}` | {row['tries']} | {says} |")
    return "\n".join(lines)


def judge(program, challenge, file, *options):
    return subprocess.run([program, "judge", challenge, file, "--json", *options], capture_output=True, text=True)


def fits(verdict, reasons):
    said = f"{verdict['reason']} {verdict['kind'] or ''}".strip()
    return not verdict["right"] and any(said == reason or verdict["reason"] == reason for reason in reasons)


def mistake(program, row):
    """What is wrong with the verdict of a cheat; empty if nothing is."""
    done = judge(program, row["challenge"], FOLDER / row["file"], "--seed", str(row.get("seed", 1)), "--time",
                 str(row.get("time", 120)))
    try:
        verdict = json.loads(done.stdout)
    except json.JSONDecodeError:
        return f"{row['file']}: no verdict (status {done.returncode}): {done.stdout[:200]}{done.stderr[:200]}"
    status = 0 if "stars" in row else 1
    return mistake_in(verdict, row) or ("" if done.returncode == status else f"{row['file']}: status {done.returncode}, and not {status}")


def mistake_in(verdict, row):
    if "stars" in row:
        return "" if verdict["right"] and verdict["stars"] == row["stars"] else f"{row['file']}: {verdict['stars']} stars, and not {row['stars']}"
    if fits(verdict, row["reasons"]) and verdict["stars"] == 0:
        return ""
    return (f"{row['file']}: {'right' if verdict['right'] else verdict['reason']} {verdict['kind'] or ''}, "
            f"{verdict['stars']} stars, and not {' or '.join(row['reasons'])}: {verdict['message'][:200]!r}")


def files_without_a_row():
    named = {row["file"] for row in rows()} | {"cheats.json"}
    return [path.name for path in sorted(FOLDER.iterdir()) if path.is_file() and path.name not in named]


def main():
    if sys.argv[1] == "--table":
        print(table())
        return
    program = os.path.abspath(sys.argv[1])
    wrong = [f"{name} has no row in cheats.json" for name in files_without_a_row()]
    if table() not in (ROOT / "docs/grading.md").read_text():
        wrong.append("the table in docs/grading.md is not that of cheats.json: tests/tools/cheats_test.py --table prints it")
    # The suites' own environment, where this machine's Python has no Numba.
    if "WARPLENS_PYTHON" not in os.environ and subprocess.run(["python3", "-c", "import numba.cuda"],
                                                              capture_output=True).returncode != 0:
        python = packages.environment("numba-cuda")
        if python is not None:
            os.environ["WARPLENS_PYTHON"] = str(python)
    # A right answer in each language tells what this machine can judge.
    right = ROOT / "assets/challenges/bounds_check"
    if judge(program, "bounds_check", right / "right.cu").returncode == 3:
        print("no compiler on this machine")
        sys.exit(1 if wrong else 77)
    python_works = judge(program, "bounds_check", right / "right.py").returncode != 3
    wanted = [row for row in rows() if (len(sys.argv) < 3 or row["file"] in sys.argv[2:])
              and (python_works or not row["file"].endswith(".py"))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong += [text for text in pool.map(lambda row: mistake(program, row), wanted) if text]
    print(*wrong, f"{len(wanted)} cheats; {len(wrong)} mistakes"
          + ("" if python_works else "; Python was left out"), sep="\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
