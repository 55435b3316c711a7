"""The pytest plug-in of the wheel (docs/pytest.md), from outside: sessions of pytest in folders of their own."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "programs"))
import packages  # noqa: E402

WARPLENS = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
SKIPPED = 77
PYTHON = {}  # by the name of the environment

HEADER = """
import os, pytest, signal, subprocess, sys
from gpu import Gpu

@pytest.fixture(scope="session")
def gpu():
    return Gpu()

"""
PAST_THE_END = "just past the end of array"


def install(site):
    """The package as pip installs it: with the entry point by which pytest finds the plug-in."""
    for part in ("warplens", "warplens_pytest.py"):
        (site / part).symlink_to(ROOT / "app/python" / part)
    (site / "gpu.py").symlink_to(ROOT / "tests" / "tools" / "pytest_plugin" / "gpu.py")
    information = site / "warplens-0.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: warplens\nVersion: 0.0\n")
    project = (ROOT / "app/python" / "pyproject.toml").read_text(encoding="utf-8")
    [rows] = re.findall(r"^\[project\.entry-points\.pytest11\]\n((?:\w.*\n)+)", project, re.M)
    (information / "entry_points.txt").write_text("[pytest11]\n" + rows.replace('"', ""))
    (information / "RECORD").write_text("warplens/__init__.py,,\nwarplens/_program.py,,\nwarplens_pytest.py,,\n")


class Session(unittest.TestCase):
    """A folder with one file of tests."""

    def setUp(self):
        self.top = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.top, ignore_errors=True)
        self.here, self.temporary, site = self.top / "project", self.top / "tmp", self.top / "site"
        for folder in (self.here, self.temporary, site):
            folder.mkdir()
        install(site)
        self.variables = {**os.environ, "PYTHONPATH": str(site), "WARPLENS_PROGRAM": str(WARPLENS), "TMPDIR": str(self.temporary),
                          "PYTHONDONTWRITEBYTECODE": "1"}

    def tearDown(self):
        left = [path.name for path in self.temporary.iterdir() if path.name.startswith("warplens-")]
        self.assertEqual(left, [], "left behind")

    def command(self, *options, python="xdist"):
        return [PYTHON[python], "-m", "pytest", "-p", "no:cacheprovider", *map(str, options)]

    def run_tests(self, text, *options, python="xdist", **more):
        (self.here / "test_it.py").write_text(HEADER + text, encoding="utf-8")
        done = subprocess.run(self.command(*options, python=python), cwd=self.here, env={**self.variables, **more},
                              capture_output=True, text=True, timeout=300)
        self.said = done.stdout + done.stderr
        return done

    def expect(self, done, status, *words, **counts):
        self.assertEqual(done.returncode, status, self.said)
        for word in words:
            self.assertIn(word, self.said)
        summary = done.stdout.rstrip().rpartition("\n")[2]
        for outcome, count in counts.items():
            self.assertRegex(summary, rf"\b{count} {outcome}", self.said)

    def section(self, test):
        """What pytest prints of a test that failed."""
        found = re.search(rf"^_+ (?:\w+ at \w+ of )?{re.escape(test)} _+$(.*?)(?=^_{{3,}} .* _{{3,}}$|^=+ )", self.said, re.M | re.S)
        self.assertIsNotNone(found, f"no section of {test}:\n{self.said}")
        return found[1]

    def recordings(self):
        return sorted(path.name for path in (self.here / "kept").iterdir())

    def launches_in(self, name):
        said = subprocess.run([WARPLENS, "recording", self.here / "kept" / name, "--json", "-"], check=True,
                              capture_output=True, text=True).stdout
        return [event for event in json.loads(said)["events"] if event["event"] == "launch"]


class NotGiven(Session):
    def test_it_costs_and_says_nothing(self):
        text = """
@pytest.mark.warplens(device="Tesla T4", sanitize="all")
def test_nothing_is_loaded():
    assert [name for name in sys.modules if name.startswith("warplens")] == ["warplens_pytest"]
    assert not [name for name in os.environ if name.startswith("WARPLENS_PYTEST")]
"""
        done = self.run_tests(text, "--strict-markers", "-W", "error")
        self.expect(done, 0, passed=1)
        self.assertNotIn("warplens:", self.said)
        self.assertNotIn("warplens-", re.sub(r"plugins: .*", "", self.said))

    def test_it_can_be_left_out(self):
        self.expect(self.run_tests("def test_it():\n    assert 'warplens_pytest' not in sys.modules\n", "-p", "no:warplens"), 0)
        self.expect(self.run_tests("def test_it(): pass\n", "-p", "no:warplens", "--warplens"), 4, "unrecognized arguments: --warplens")

    def test_help_starts_nothing(self):
        self.expect(self.run_tests("def test_it(): pass\n", "--warplens", "--help"), 0, "--warplens-strict")


FINDINGS = """
def test_passes(gpu):
    assert gpu.launch() == 0 and gpu.word() == 42

def test_without_a_gpu():
    pass

def test_faults(gpu):
    assert gpu.launch(offset=4) == 700
    assert gpu.launch() == 700, "as on a GPU, until the test is over"

@pytest.mark.parametrize("i", [1, 2])
def test_after_it(gpu, i):
    assert gpu.launch() == 0

def test_faults_and_fails(gpu):
    print("to be captured")
    assert gpu.launch(offset=4) == 0

@pytest.fixture
def bad_setup(gpu):
    gpu.launch(offset=4)

def test_setup(bad_setup):
    pass

@pytest.fixture
def bad_teardown(gpu):
    yield
    gpu.launch(offset=4)

def test_teardown(bad_teardown):
    pass

@pytest.mark.warplens(strict=False)
def test_may(gpu):
    gpu.launch(offset=4)

@pytest.mark.xfail(strict=True)
def test_expected(gpu):
    gpu.launch(offset=4)
    assert "STRICT" in os.environ

def test_unread_error(gpu):
    gpu.cuda.warplens_failed(b"cudaMalloc", b"cudaErrorMemoryAllocation")

def test_error_that_was_seen(gpu):
    gpu.cuda.warplens_failed(b"cudaFree", b"cudaErrorInvalidValue")
    pytest.fail("saw it")

def test_child():
    subprocess.run([sys.executable, "-c", "from gpu import Gpu; Gpu().launch(offset=4)"], check=True)
"""


class Findings(Session):
    def test_they_are_in_the_report_of_their_test(self):
        done = self.run_tests(FINDINGS, "--warplens", "--junitxml=report.xml")
        self.expect(done, 1, "warplens: NVIDIA GeForce RTX 3060", "warplens: rtx_3060", passed=10, failed=2, xfailed=1)
        section = self.section("test_faults_and_fails")
        self.assertIn("WarpLens: findings", section)
        self.assertRegex(section, r"k: block \(0,0,0\) thread \(0,0,0\) reads 4 bytes, just past the end of array")
        self.assertIn("launched at gpu.py:", section)
        self.assertIn("assert 700 == 0", section, "pytest's own explanation of the assertion")
        self.assertIn("to be captured", section)
        self.assertNotIn("findings", self.section("test_error_that_was_seen"))
        # The summary names those of tests that passed, too, each once.
        summary = self.said[self.said.index("= warplens: "):]
        found = re.findall(r"^  test_it\.py::(\w+): ", summary, re.M)
        self.assertEqual(found, ["test_faults", "test_faults_and_fails", "test_setup", "test_teardown", "test_may", "test_expected",
                                 "test_unread_error", "test_child"], self.said)
        self.assertRegex(summary, r"test_unread_error: cudaMalloc( at \S+)? returned cudaErrorMemoryAllocation")
        self.assertRegex(summary, r"\n11 tests used it: 10 launches, ")
        self.assertNotIn("test_without_a_gpu", summary)
        cases = xml.etree.ElementTree.parse(self.here / "report.xml").iter("testcase")
        marked = {case.get("name") for case in cases if case.find("properties/property[@name='warplens_finding']") is not None}
        self.assertEqual(marked, set(found))

    def test_strict(self):
        done = self.run_tests(FINDINGS, "--warplens", "--warplens-strict", STRICT="1")
        self.expect(done, 1, passed=7, failed=4, errors=3, xfailed=1)
        for test in ("test_faults", "test_setup", "test_teardown", "test_child", "test_unread_error"):
            self.assertIn("1 finding of WarpLens, the first: ", self.section(test))
        self.assertNotIn("FAILED test_it.py::test_may", self.said)
        self.expect(self.run_tests("def test_it(gpu): gpu.launch()\n", "--warplens", "--warplens-strict"), 0, passed=1)

    def test_side_by_side(self):
        done = self.run_tests(FINDINGS, "--warplens", "-n", "2")
        self.expect(done, 1, PAST_THE_END, "10 launches", passed=10, failed=2, xfailed=1)
        self.assertIn("WarpLens: findings", self.section("test_faults_and_fails"))
        self.assertEqual(self.said.count("= warplens: NVIDIA"), 1)

    def test_what_is_printed_is_pytests_alone(self):
        done = self.run_tests("def test_it(gpu):\n    print('seen'); gpu.launch(offset=4)\n", "--warplens", "-s", "-q")
        self.expect(done, 0, passed=1)
        self.assertTrue(done.stdout.startswith("seen\n"), done.stdout)
        self.assertEqual(done.stderr, "")

    def test_outside_of_the_tests(self):
        done = self.run_tests("gpu = Gpu()\ngpu.launch(offset=4)\ndef test_it():\n    assert gpu.launch() == 0\n", "--warplens")
        self.expect(done, 0, "outside of the tests: ", PAST_THE_END, passed=1)
        self.expect(self.run_tests("def test_it(): pass\n", "--warplens"), 0, "warplens: no test used CUDA")


MARKS = """
pytestmark = pytest.mark.warplens(device="NVIDIA H200")

def test_module(gpu):
    assert gpu.device_name() == "NVIDIA H200"

@pytest.mark.warplens(device="Tesla T4", sanitize="all")
class TestClass:
    def test_unwritten(self, gpu):
        print("said elsewhere")
        assert gpu.device_name() == "Tesla T4"
        gpu.launch(array=gpu.allocate(64))
        assert gpu.launch() == 1

    @pytest.mark.warplens(sanitize="off")
    def test_nearest_wins(self, gpu):
        assert gpu.device_name() == "Tesla T4"
        assert gpu.launch(array=gpu.allocate(64)) == 0

    @pytest.mark.skipif("DIE" not in os.environ, reason="not asked for")
    def test_dies(self, gpu):
        gpu.launch(offset=4)
        os.kill(os.getpid(), signal.SIGKILL)

    def test_after_it(self, gpu, tmp_path):
        assert gpu.launch() == 0

@pytest.mark.warplens(device="rtx_3060")
def test_here(gpu):
    assert gpu.device_name() == "NVIDIA GeForce RTX 3060"
"""


class Marks(Session):
    def test_device_and_sanitize(self):
        for options in ((), ("-n", "2")):
            done = self.run_tests(MARKS, "--warplens", "--junitxml=report.xml", "-v", *options)
            self.expect(done, 1, passed=4, failed=1, skipped=1)
            section = self.section("TestClass.test_unwritten")
            self.assertIn("which no thread has written", section)
            self.assertIn("said elsewhere", section)
            self.assertIn("assert 0 == 1", section)
            report = (self.here / "report.xml").read_text(encoding="utf-8")
            self.assertEqual(report.count("<testcase "), 6)

    def test_a_process_that_dies_is_one_failure(self):
        done = self.run_tests(MARKS, "--warplens", "--warplens-record", "kept", DIE="1")
        self.expect(done, 1, passed=4, failed=2)
        section = self.section("TestClass.test_dies")
        self.assertIn("The process for Tesla T4, sanitize all ended in this test, with status 137", section)
        self.assertIn(PAST_THE_END, section)
        self.assertIn("test_it.py.TestClass.test_dies.warplens", self.recordings())

    def test_what_a_mark_does_not_take(self):
        for mark in ("colour=1", "sanitize='some'", "'Tesla T4'", "strict=1", "device=3"):
            done = self.run_tests(f"@pytest.mark.warplens({mark})\ndef test_it(): pass\n", "--warplens")
            self.expect(done, 4, "test_it.py::test_it: @pytest.mark.warplens does not take", mark)
        done = self.run_tests("@pytest.mark.warplens(device='voodoo')\ndef test_it(): pass\n", "--warplens")
        self.expect(done, 1, "voodoo", failed=1)
        self.expect(self.run_tests("def test_it(): pass\n", "--warplens", "--warplens-device", "voodoo"), 2, "voodoo")


RECORDED = """
def test_passes(gpu):
    for _ in range(4):
        gpu.launch("first")

@pytest.mark.parametrize("name", ["a/b", "a_b"])
def test_fails(gpu, name):
    before = gpu.word()
    gpu.launch("first")
    gpu.launch("second")
    assert gpu.word() == before

def test_fails_without_a_gpu():
    assert False

def test_dies(gpu):
    gpu.launch("third")
    if "DIE" in os.environ:
        os.kill(os.getpid(), signal.SIGKILL)
"""


class Recordings(Session):
    def test_each_failed_test_has_one(self):
        for options in ((), ("-n", "2")):
            done = self.run_tests(RECORDED, "--warplens", "--warplens-record", "kept", *options)
            self.expect(done, 1, "recorded: ", "`warplens FILE` opens", passed=2, failed=3)
            names = self.recordings()
            self.assertEqual(len(names), 2, names)
            for name in names:
                self.assertRegex(name, r"^test_it\.py\.test_fails\[a_b\](-\w{8})?\.warplens$")
                launches = self.launches_in(name)
                self.assertEqual([(launch["kernel"], launch["recorded"]) for launch in launches], [("first", True), ("second", True)])
                self.assertLess(launches[0]["begin_us"], 1000, "by the test's own clock")
                done = subprocess.run([WARPLENS, "run", self.here / "kept" / name, "--recorded", "2", "--json", "-"],
                                      capture_output=True, text=True)
                report = json.loads(done.stdout)
                self.assertTrue(report["checks"] and all(check["equal"] for check in report["checks"]), report)
            shutil.rmtree(self.here / "kept")

    def test_a_test_that_ends_its_process(self):
        done = self.run_tests(RECORDED, "--warplens", "--warplens-record", "kept", DIE="1")
        self.assertEqual(done.returncode, 128 + signal.SIGKILL, self.said)
        self.assertIn("pytest was ended (SIGKILL) in test_it.py::test_dies", done.stderr)
        self.assertEqual([launch["kernel"] for launch in self.launches_in("test_it.py.test_dies.warplens")], ["third"])
        shutil.rmtree(self.here / "kept")
        done = self.run_tests(RECORDED, "--warplens", "--warplens-record", "kept", "-n", "2", DIE="1")
        self.expect(done, 1, "crashed while running 'test_it.py::test_dies'", failed=4, passed=1)
        self.assertEqual([launch["kernel"] for launch in self.launches_in("test_it.py.test_dies.warplens")], ["third"])

    def test_a_folder_that_cannot_be_made(self):
        (self.here / "kept").write_text("a file")
        self.expect(self.run_tests(RECORDED, "--warplens", "--warplens-record", "kept"), 4, "--warplens-record", "File exists")


class Starting(Session):
    def test_who_may_start_it(self):
        (self.here / "test_it.py").write_text("def test_it(): pass\n")
        done = subprocess.run([WARPLENS, "program", "--quiet", "--", *self.command("--warplens")], cwd=self.here, env=self.variables,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("runs under `warplens program` already", done.stderr)
        done = subprocess.run([PYTHON["xdist"], "-c", "import pytest; raise SystemExit(pytest.main(['--warplens']))"], cwd=self.here,
                              env=self.variables, capture_output=True, text=True)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("warplens program -- python SCRIPT", done.stderr)
        done = self.run_tests("def test_it(): pass\n", "--warplens", WARPLENS_PROGRAM="/nowhere/warplens")
        self.expect(done, 3, "/nowhere/warplens does not start")

    def test_from_its_configuration_and_by_its_script(self):
        (self.here / "pytest.ini").write_text("[pytest]\naddopts = --warplens\n")
        (self.here / "test_it.py").write_text(HEADER + "def test_it(gpu):\n    assert gpu.launch() == 0\n")
        script = pathlib.Path(PYTHON["xdist"]).parent / "pytest"
        done = subprocess.run([script, "-p", "no:cacheprovider"], cwd=self.here, env=self.variables, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 test used it: 1 launch", done.stdout)

    def test_sessions_inside_tests(self):
        text = """
pytest_plugins = ["pytester"]

@pytest.mark.parametrize("how", ["subprocess", "inprocess"])
def test_it(pytester, gpu, how):
    pytester.makepyfile(test_inner="from gpu import Gpu\\ndef test_inner():\\n    Gpu().launch('inner', offset=4)\\n")
    run = pytester.runpytest_subprocess if how == "subprocess" else pytester.runpytest_inprocess
    plain, active = run("-q"), run("--warplens", "-p", "no:cacheprovider")
    assert plain.ret == active.ret == 0
    assert "warplens" not in plain.stdout.str()
    active.stdout.fnmatch_lines(["*test_inner.py::test_inner: inner: *past the end*"])
    assert gpu.launch("outer") == 0

def test_after_it(gpu):
    assert gpu.launch() == 0
"""
        done = self.run_tests(text, "--warplens")
        self.expect(done, 0, passed=3)
        # What the inner session did without the plug-in is the outer test's; with it, its own.
        summary = self.said[self.said.index("= warplens: "):]
        self.assertEqual(re.findall(r"^  (\S+): inner: ", summary, re.M),
                         ["test_it.py::test_it[subprocess]", "test_it.py::test_it[inprocess]"], self.said)

    def test_a_request_to_end_ends_all(self):
        text = "import time\ndef test_it(gpu):\n    gpu.launch()\n    open('ready', 'w').write(str(os.getpid()))\n    time.sleep(600)\n"
        (self.here / "test_it.py").write_text(HEADER + text)
        for what in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            ready = self.here / "ready"
            ready.unlink(missing_ok=True)
            running = subprocess.Popen(self.command("--warplens"), cwd=self.here, env=self.variables, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
            begin = time.monotonic()
            while not (ready.exists() and ready.read_text()) and running.poll() is None and time.monotonic() - begin < 60:
                time.sleep(0.05)
            inner = int(ready.read_text())
            running.send_signal(what)
            out, error = running.communicate(timeout=60)
            self.assertEqual(running.returncode, {signal.SIGINT: 2, signal.SIGTERM: 143, signal.SIGKILL: -9}[what], out + error)
            begin = time.monotonic()
            while pathlib.Path(f"/proc/{inner}").exists() and time.monotonic() - begin < 30:
                time.sleep(0.05)
            self.assertFalse(pathlib.Path(f"/proc/{inner}").exists(), what)
            if what == signal.SIGINT:
                self.assertIn("KeyboardInterrupt", out)
            if what == signal.SIGTERM:
                self.assertIn("pytest was ended (SIGTERM) in test_it.py::test_it", error)
        for left in self.temporary.glob("warplens-*"):  # left by a process that could not remove it
            shutil.rmtree(left)


NUMBA = """
import numpy as np
from numba import cuda

@cuda.jit
def shift(dst, src):
    i = cuda.grid(1)
    dst[i] = src[i + 1]

def test_kernel():
    src, dst = cuda.to_device(np.zeros(64, np.float32)), cuda.device_array(64, np.float32)
    shift[1, 64](dst, src)
    cuda.synchronize()

def test_after_it():
    a = cuda.to_device(np.ones(4))
    assert a.copy_to_host().sum() == 4
"""


class Numba(Session):
    def test_a_fault_names_its_line(self):
        if "numba-cuda" not in PYTHON:
            self.skipTest("numba-cuda could not be installed")
        done = self.run_tests(NUMBA, "--warplens", python="numba-cuda")
        self.expect(done, 1, passed=1, failed=1)
        section = self.section("test_kernel")
        self.assertRegex(section, r"shift: \S*test_it\.py:16: block \(0,0,0\) thread \(63,0,0\) reads 4 bytes, just past the end")
        self.assertIn("The element is src[64]", section)


if __name__ == "__main__":
    if not (WARPLENS.parent / "driver" / "libcuda.so.1").exists():
        print("skipped: this build has no driver for programs")
        sys.exit(SKIPPED)
    for name in ("xdist", "numba-cuda"):
        if python := packages.environment(name):
            PYTHON[name] = str(python)
    if "xdist" not in PYTHON:
        sys.exit(SKIPPED)
    unittest.main()
