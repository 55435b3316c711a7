"""The answers of every function of the driver API to use and misuse (tests/cuda/stand_in/driver/call_codes.py), held against NVIDIA's."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRIVER = ROOT / "tests/cuda/stand_in/driver"
SKIPPED = 77


def answers_in(text):
    rows = [line for line in text.splitlines() if line and not line.startswith("#")]
    return dict(line.split(":", 1) for line in rows)


def main():
    library = pathlib.Path(sys.argv[1]).resolve().parent / "driver" / "libcuda.so.1"
    if not library.exists():
        print("skipped: this build has no driver for programs")
        return SKIPPED
    program = DRIVER / "call_codes.py"
    as_there = {**os.environ, "WARPLENS_PROGRAM_DEVICE": "h200"}
    said = subprocess.run([sys.executable, "-B", program, library], check=True, capture_output=True, text=True, env=as_there).stdout
    answers = answers_in(said)
    nvidia = answers_in((DRIVER / "call_codes.txt").read_text(encoding="utf-8"))
    ours = answers_in((DRIVER / "call_codes_ours.txt").read_text(encoding="utf-8"))
    known = nvidia | ours
    wrong = [name for name in sorted(answers.keys() | known.keys()) if answers.get(name) != known.get(name)]
    for name in wrong:
        print(f"{name}\n  is     {answers.get(name)}\n  should {known.get(name)}")
    # A row without a difference hides the next one.
    idle = [name for name in ours if ours[name] == nvidia.get(name)]
    for name in idle:
        print(f"{name}: call_codes_ours.txt has it, but NVIDIA's driver answers the same")
    print(f"{len(answers)} cases, {len(answers) - len(ours)} as NVIDIA's driver, {len(wrong)} differ from what is known")
    return 1 if wrong or idle else 0


sys.exit(main())
