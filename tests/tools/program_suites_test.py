"""A part of numba-cuda's own tests on the virtual GPU, and the launches of some course scripts recorded and run again.

tools/check programs takes all of both."""
import pathlib
import subprocess
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "programs"
WARPLENS = pathlib.Path(sys.argv[1]).resolve()
SKIPPED = 77

if not (WARPLENS.parent / "driver" / "libcuda.so.1").exists():
    print("skipped: this build has no driver for programs")
    sys.exit(SKIPPED)
SCRIPTS = sorted((PROGRAMS / "course").glob("*.py"))[::10]
for arguments in (["run.py", WARPLENS, "part", "--jobs", "1"], ["recorded.py", WARPLENS, *SCRIPTS]):
    status = subprocess.run([sys.executable, "-B", PROGRAMS / arguments[0], *arguments[1:]]).returncode
    if status != 0:
        sys.exit(status)
