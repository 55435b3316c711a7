"""Records the course scripts and runs every launch that can be run again: each must leave in memory what it left there in
the script. Each launch names the script's line that it was called at.

  recorded.py WARPLENS [SCRIPT…]

Exit status 77 where the packages of requirements/numba-cuda.txt cannot be had.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import packages

MOST_LAUNCHES = 12
SKIPPED = 77


def record(warplens, python, script, folder):
    """The path of the recording; None where the script needs what this machine lacks."""
    path = folder / f"{script.stem}.warplens"
    command = [warplens, "program", "--quiet", "--record", path, "--", python, "-W", "ignore", script]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300)
    if "libcudadevrt.a not found" in done.stderr:
        return None
    if done.returncode != 0 or not path.exists():
        raise RuntimeError(f"{script.name}: exit status {done.returncode}: {done.stderr[-500:]}")
    return path


def events_of(warplens, path):
    done = subprocess.run([warplens, "recording", path, "--json", "-"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["events"]


def run_again(warplens, path, number):
    """What was wrong; empty if nothing."""
    command = [warplens, "run", path, "--recorded", str(number), "--sanitize", "off", "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        return f"exit status {done.returncode}: {done.stderr.strip()}"
    report = json.loads(done.stdout)
    if report["status"] != "ok" or not all(check["equal"] for check in report["checks"]):
        return f"{report['status']}: {report['checks']}"
    return "" if report["checks"] else "nothing was compared"


def check(warplens, python, script, folder):
    path = record(warplens, python, script, folder)
    if path is None:
        print(f"{script.name} skipped: libcudadevrt.a is not on this machine; the CUDA toolkit has it")
        return 0, 0
    launches = [event for event in events_of(warplens, path) if event["event"] == "launch"]
    again = [launch for launch in launches if launch["recorded"]][:MOST_LAUNCHES]
    wrong = 0
    for launch in launches:
        place = launch.get("called_at", {})
        if pathlib.Path(place.get("file", "")).name != script.name or not place.get("line"):
            wrong += 1
            print(f"{script.name}: launch {launch['number']} was called at {place}, which is no line of the script")
    for launch in again:
        message = run_again(warplens, path, launch["number"])
        if message:
            wrong += 1
            print(f"{script.name}: launch {launch['number']} of {launch['kernel']}: {message}")
    reasons = sorted({launch["why_not"] for launch in launches if not launch["recorded"]} - {"not recorded"})
    print(f"{script.name}: {len(launches)} launches, {len(again)} run again, {wrong} wrong {reasons or ''}")
    return len(again), wrong


def main():
    warplens = pathlib.Path(sys.argv[1]).resolve()
    python = packages.environment("numba-cuda")
    if python is None:
        return SKIPPED
    scripts = [pathlib.Path(name) for name in sys.argv[2:]] or sorted((packages.HERE / "course").glob("*.py"))
    with tempfile.TemporaryDirectory() as folder:
        counts = [check(warplens, python, script, pathlib.Path(folder)) for script in scripts]
    ran, wrong = (sum(count[i] for count in counts) for i in (0, 1))
    print(f"{ran} launches run again, {wrong} wrong")
    return 1 if wrong or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
