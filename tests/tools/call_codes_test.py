"""The answers of every function of the driver API to use and misuse (tests/driver/call_codes.py)."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
library = pathlib.Path(sys.argv[1]).resolve().parent / "driver" / "libcuda.so.1"
if not library.exists():
    print("skipped: this build has no driver for programs")
    sys.exit(SKIPPED)
program, wanted = ROOT / "tests" / "driver" / "call_codes.py", ROOT / "tests" / "driver" / "call_codes.txt"
said = subprocess.run([sys.executable, "-B", program, library], check=True, capture_output=True, text=True).stdout
if "--write" in sys.argv:
    wanted.write_text(said, encoding="utf-8")
answers = dict(line.split(":", 1) for line in said.splitlines())
known = dict(line.split(":", 1) for line in wanted.read_text(encoding="utf-8").splitlines())
wrong = [name for name in sorted(answers.keys() | known.keys()) if answers.get(name) != known.get(name)]
for name in wrong:
    print(f"{name}\n  is     {answers.get(name)}\n  should {known.get(name)}")
# A function that neither a case nor a test in C++ uses as it is meant is not tested.
print(f"{len(answers)} cases, {len(wrong)} differ")
sys.exit(1 if wrong else 0)
