"""Tests that run side by side (pytest -n) on the virtual GPU: one summary, one recording, a time line for each worker."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "programs"))
import packages  # noqa: E402

WARPLENS = pathlib.Path(sys.argv[1]).resolve()
SKIPPED = 77

# Sixteen tests that launch i + 1 times each; one waits for the other workers, so that all of them get some.
TESTS = '''
import ctypes, os, pathlib, time
import pytest
PTX = b".version 7.0\\n.target sm_50\\n.address_size 64\\n.visible .entry k()\\n{\\nret;\\n}\\n"

@pytest.fixture(scope="session")
def kernel():
    cuda = ctypes.CDLL("libcuda.so.1")
    context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    assert cuda.cuInit(0) == 0
    assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert cuda.cuCtxSetCurrent(context) == 0
    assert cuda.cuModuleLoadData(ctypes.byref(module), PTX) == 0
    assert cuda.cuModuleGetFunction(ctypes.byref(function), module, b"k") == 0
    here = pathlib.Path(os.environ["MEET"])
    (here / str(os.getpid())).touch()
    begin = time.monotonic()
    while len(list(here.iterdir())) < int(os.environ["WORKERS"]) and time.monotonic() - begin < 60:
        time.sleep(0.01)
    return cuda, function

@pytest.mark.parametrize("i", range(16))
def test_launches(kernel, i):
    cuda, function = kernel
    for _ in range(i + 1):
        assert cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None) == 0
    assert i != 5 or "FAIL" not in os.environ
    if i == 15 and "HANG" in os.environ:
        pathlib.Path(os.environ["HANG"]).touch()
        time.sleep(600)
'''
ALL = sum(range(1, 17))


def launched(said):
    return int(re.search(r"\n  k +([\d,]+)", said)[1].replace(",", ""))


def main():
    if not (WARPLENS.parent / "driver" / "libcuda.so.1").exists():
        print("skipped: this build has no driver for programs")
        return SKIPPED
    python = packages.environment("xdist")
    if python is None:
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        here = pathlib.Path(folder)
        (here / "test_launches.py").write_text(TESTS, encoding="utf-8")

        def command(workers, *options):
            meet = here / f"meet-{time.monotonic_ns()}"
            meet.mkdir()
            pytest = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", folder,
                      "-n", str(workers), here / "test_launches.py"]
            return [WARPLENS, "program", *options, "--", *pytest], {**os.environ, "MEET": str(meet), "WORKERS": str(workers or 1)}

        def run(workers, *options, **more):
            line, variables = command(workers, *options)
            return subprocess.run(line, env={**variables, **more}, capture_output=True, text=True, timeout=300)

        # The line of docs/programs.md for hosted runners, the same in each of its files, as a runner's shell takes it.
        docs = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
        [line] = set(re.findall(r"warplens program .*-- pytest -n 4$", docs, re.M))
        (here / "meet").mkdir()
        done = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "PATH": f"{WARPLENS.parent}:{python.parent}:{os.environ['PATH']}",
                                   "MEET": str(here / "meet"), "WORKERS": "4", "PYTHONDONTWRITEBYTECODE": "1"})
        assert done.returncode == 0 and "16 passed" in done.stdout and launched(done.stderr) == ALL, (done.stdout, done.stderr)
        assert json.loads((here / "cuda.json").read_text(encoding="utf-8"))["processes"] == 4
        assert (here / "cuda.warplens").stat().st_size > 1000

        for workers in (0, 3):
            for record in (False, True):
                file, report = here / f"{workers}.warplens", here / "report.json"
                done = run(workers, "--json", report, *(["--record", file] if record else []))
                assert done.returncode == 0 and "16 passed" in done.stdout, (done.stdout, done.stderr)
                assert done.stderr.count("warplens: NVIDIA") == 1, done.stderr
                assert launched(done.stderr) == ALL, done.stderr
                summary = json.loads(report.read_text(encoding="utf-8"))
                lines = summary["process_lines"]
                assert summary["processes"] == len(lines) == max(workers, 1), summary
                assert sum(line["launches"] for line in lines) == ALL
                if workers:
                    assert f"{workers} processes used it, each with a device clock of its own" in done.stderr, done.stderr
                if not record:
                    assert not file.exists()
                    continue
                told = json.loads(subprocess.run([WARPLENS, "recording", file, "--json", "-"], check=True,
                                                 capture_output=True, text=True).stdout)
                launches = [event for event in told["events"] if event["event"] == "launch"]
                assert [event["number"] for event in launches] == list(range(1, ALL + 1))
                assert {event["process"] for event in launches} == {line["process"] for line in told["process_lines"]}
                for line in told["process_lines"]:
                    of = [event for event in launches if event["process"] == line["process"]]
                    assert len(of) == line["launches"]
                    # In each process one after the other, from its own start on: the same times as in any other.
                    begins = [event["begin_us"] for event in of]
                    assert begins == sorted(begins) and begins[0] < 1000, begins[:3]
                    assert [event["recorded"] for event in of[:4]] == [True, True, True, False][:len(of[:4])]
                if workers:  # they work at the same time
                    latest = max(line["begin_us"] for line in told["process_lines"])
                    assert latest < min(line["end_us"] for line in told["process_lines"]), told["process_lines"]
                picture = here / f"{workers}.svg"
                subprocess.run([WARPLENS, "render", "program", file, "--out", picture], check=True)
                assert picture.stat().st_size > 1000
        # A test that fails, and a run that is told to end: the status is pytest's, and nothing is lost.
        done = run(3, "--record", here / "failed.warplens", FAIL="1")
        assert done.returncode == 1 and launched(done.stderr) == ALL, (done.stdout, done.stderr)
        hangs, file = here / "hangs", here / "ended.warplens"
        line, variables = command(3, "--record", file)
        running = subprocess.Popen(line, env={**variables, "HANG": str(hangs)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, start_new_session=True)
        begin = time.monotonic()
        while not hangs.exists() and running.poll() is None and time.monotonic() - begin < 120:
            time.sleep(0.05)
        time.sleep(1)
        running.send_signal(signal.SIGTERM)
        out, said = running.communicate(timeout=120)
        assert running.returncode == 128 + signal.SIGTERM and launched(said) == ALL, (running.returncode, out, said)
        assert file.exists()
        left = [path.name for path in here.iterdir() if re.match(r"warplens-\w{6}$", path.name)]
        assert left == [], left
    return 0


sys.exit(main())
