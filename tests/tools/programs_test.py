"""The launcher from outside, and the course scripts (tests/programs/course) on the virtual GPU."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARPLENS = pathlib.Path(sys.argv[1]).resolve()
SKIPPED = 77


def run(*arguments, **more):
    return subprocess.run([WARPLENS, *arguments], capture_output=True, text=True, **more)


# A program that uses the driver by itself: no package is needed.
SCRIPT = """
import ctypes, os, sys
cuda = ctypes.CDLL("libcuda.so.1")
context, size, module, function = ctypes.c_void_p(), 4096, ctypes.c_void_p(), ctypes.c_void_p()
address = ctypes.c_uint64()
assert cuda.cuInit(0) == 0
assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0
data = (ctypes.c_uint32 * (size // 4))()
assert cuda.cuMemAlloc_v2(ctypes.byref(address), size) == 0
assert cuda.cuMemcpyHtoD_v2(address, data, size) == 0
if "wrong" in sys.argv:
    cuda.cuMemFree_v2(address)
    cuda.cuMemFree_v2(address)
print("out", flush=True)
sys.exit(int(os.environ.get("LEAVES", "0")))
"""


def test_launcher():
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "script.py"
        script.write_text(SCRIPT, encoding="utf-8")
        left = sorted(os.listdir(tempfile.gettempdir()))
        report = pathlib.Path(folder) / "report.json"
        done = run("program", "--device", "h200", "--json", str(report), "--", sys.executable, str(script))
        assert done.returncode == 0, done.stderr
        assert done.stdout == "out\n", done.stdout
        assert "NVIDIA H200" in done.stderr and "host to device" in done.stderr, done.stderr
        summary = json.loads(report.read_text(encoding="utf-8"))
        assert summary["copies"] == [
            {"direction": "host to device", "copies": 1, "bytes": 4096, "device_us": summary["copies"][0]["device_us"]}]
        assert summary["allocations"] == 1 and summary["processes"] == 1 and summary["findings"] == []
        # The exit status is the program's own; nothing of ours is said under --quiet.
        done = run("program", "--quiet", "--", sys.executable, str(script), env={**os.environ, "LEAVES": "5"})
        assert done.returncode == 5 and done.stderr == "", (done.returncode, done.stderr)
        done = run("program", "--strict", "--", sys.executable, str(script), "wrong")
        assert done.returncode == 1 and "freed twice" in done.stderr, (done.returncode, done.stderr)
        # `run script.py` is the same, with arguments that look like ours.
        done = run("run", str(script), "wrong", "--check")
        assert done.returncode == 0 and "freed twice" in done.stderr, (done.returncode, done.stderr)
        done = run("program", "--", "no-such-program-anywhere")
        assert done.returncode == 3 and "cannot be started" in done.stderr, done.stderr
        assert run("program").returncode == 2
        assert run("program", "--device", "nobody", "--", "true").returncode == 2
        done = run("program", "--", "sh", "-c", "kill -TERM $$")
        assert done.returncode == 128 + 15
        assert "did not use CUDA" in done.stderr
        now = [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("warplens-") and name not in left]
        assert now == [], f"left behind: {now}"


def main():
    if not (WARPLENS.parent / "driver" / "libcuda.so.1").exists():
        print("skipped: this build has no driver for programs")
        return SKIPPED
    test_launcher()
    return subprocess.run([sys.executable, ROOT / "tests" / "programs" / "run.py", WARPLENS, "course"]).returncode


sys.exit(main())
