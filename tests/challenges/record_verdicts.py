#!/usr/bin/env python3
"""Judges every answer of every challenge at many seeds, and writes how many verdicts there were and which were false.

record_verdicts.py build/release/core_tests [--seeds 1000] [--jobs 2] [--only NAME…] [--out tests/challenges/verdicts.json]

A seed draws hidden sizes and all data anew; the fixed edge sizes are always among the cases. It takes an hour of one core; what
was judged is written after each challenge, and a challenge that has its seeds already is left out, so it can go on later.
"""
import argparse
import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEST = "Challenges/EveryChallenge.JudgesEachOfItsFilesAsItSays/"


def judged(program: Path, challenge: str, first: int, last: int) -> list[list[str]]:
    """Rows: challenge, file, seed, reason, kind, stars, ok or FALSE."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows"
        environment = dict(os.environ, WARPLENS_CHALLENGE_SEEDS=f"{first}..{last}", WARPLENS_CHALLENGE_VERDICTS=str(rows))
        done = subprocess.run([program, f"--gtest_filter={TEST}{challenge}"], env=environment, capture_output=True, text=True)
        if "[  SKIPPED ]" in done.stdout or not rows.exists():
            raise SystemExit(f"{challenge}: nothing was judged:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        judged_rows = [line.split() for line in rows.read_text().splitlines()]
        # A process that was killed has judged only a part of its files.
        files = {row[1] for row in judged_rows}
        if len(judged_rows) != len(files) * (last - first + 1):
            raise SystemExit(f"{challenge}: {len(judged_rows)} verdicts of {len(files)} files at seeds {first} to {last}:\n{done.stdout[-2000:]}")
        return judged_rows


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", type=Path)
    arguments.add_argument("--seeds", type=int, default=1000)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--only", nargs="*")
    arguments.add_argument("--out", type=Path, default=ROOT / "tests/challenges/verdicts.json")
    choices = arguments.parse_args()
    record = json.loads(choices.out.read_text()) if choices.out.exists() else {}
    names = choices.only or sorted(path.name for path in (ROOT / "assets/challenges").iterdir())
    step = max(1, min(50, choices.seeds // choices.jobs))
    for name in names:
        if record.get(name, {}).get("seeds", 0) >= choices.seeds:
            continue
        chunks = [(first, min(first + step - 1, choices.seeds)) for first in range(1, choices.seeds + 1, step)]
        with ThreadPoolExecutor(choices.jobs) as pool:
            rows = sum(pool.map(lambda chunk: judged(choices.program, name, *chunk), chunks), [])
        false = [" ".join(row[1:6]) for row in rows if row[6] != "ok"]
        record[name] = {"seeds": choices.seeds, "files": len({row[1] for row in rows}), "verdicts": len(rows), "false": false}
        choices.out.write_text(json.dumps(dict(sorted(record.items())), indent=1) + "\n")
        print(f"{name}: {len(rows)} verdicts, {len(false)} false", *false[:5], sep="\n  ")
    print(sum(of["verdicts"] for of in record.values()), "verdicts,", sum(len(of["false"]) for of in record.values()), "false")


if __name__ == "__main__":
    main()
