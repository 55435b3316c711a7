"""The Python module over the program that was built: python_test.py PROGRAM. Needs NumPy, and says so where it is not."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def with_numpy():
    """A Python that has NumPy: this one, or the system's."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode == 0:
            return python
    return None


if __name__ == "__main__" and "WARPLENS_PROGRAM" not in os.environ:
    python = with_numpy()
    if python is None:
        print("skipped: no Python here has NumPy (python3-numpy)")
        sys.exit(77)
    os.environ["WARPLENS_PROGRAM"] = os.path.abspath(sys.argv[1])
    os.environ["PYTHONPATH"] = str(ROOT / "app/python")
    sys.exit(subprocess.run([python, __file__], check=False).returncode)

import numpy as np  # noqa: E402

import warplens  # noqa: E402

DEVICE = "rtx_3060"


class Runs(unittest.TestCase):
    def test_report_and_arrays(self):
        report = warplens.run("vector_add", values={"n": 1000}, block=128, device=DEVICE)
        self.assertTrue(report.ok)
        self.assertEqual(report["launch"]["grid"], [8, 1, 1])
        self.assertEqual(report["counters"]["global_load_sectors"], 250)
        self.assertEqual(report.outputs["out"].shape, (1000,))
        self.assertEqual(report.outputs["out"].dtype, np.float32)
        self.assertEqual(report.to_dict()["schema"], 1)
        self.assertIn("vector_add", repr(report))

    def test_a_picture_from_an_array(self):
        rgb = np.random.default_rng(1).integers(0, 256, (37, 53, 3), dtype=np.uint8)
        report = warplens.run("grayscale", image=rgb, block=(16, 16), check=True, device=DEVICE)
        self.assertTrue(report.ok, str(report))
        gray = report.outputs["gray"]
        self.assertEqual(gray.shape, (37, 53))
        want = (rgb @ np.array([0.299, 0.587, 0.114])).astype(np.uint8)
        self.assertLessEqual(np.abs(gray.astype(int) - want).max(), 1)
        inverted = warplens.run("invert", image=rgb[::2, ::-1], device=DEVICE).outputs
        np.testing.assert_array_equal(next(iter(inverted.values())), 255 - rgb[::2, ::-1])

    def test_pictures_that_are_none(self):
        for bad in (np.zeros(3), np.zeros((2, 2), np.float32), np.zeros((2, 2, 4), np.uint8), np.zeros((0, 5), np.uint8)):
            with self.assertRaisesRegex(warplens.WarpLensError, "uint8"):
                warplens.run("grayscale", image=bad, device=DEVICE)

    def test_a_kernel_of_ones_own(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "own.ptx")
            path.write_text(
                "// warplens: arg0=uint32[arg1] zero, arg1=40, grid=2, block=32\n"
                ".version 7.0\n.target sm_50\n.address_size 64\n"
                ".visible .entry own(.param .u64 out, .param .u32 n) {\n"
                ".reg .u32 %r<6>; .reg .u64 %d<3>; .reg .pred %p;\n"
                "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 32, %r1;\n"
                "ld.param.u32 %r4, [n]; setp.ge.u32 %p, %r3, %r4; @%p ret;\n"
                "ld.param.u64 %d1, [out]; mad.wide.u32 %d2, %r3, 4, %d1; st.global.u32 [%d2], %r3; ret; }\n")
            report = warplens.run(path, device=DEVICE)
            self.assertTrue(report.ok, str(report))
            np.testing.assert_array_equal(report.outputs["arg0"], np.arange(40, dtype=np.uint32))

    def test_faults_and_refusals_are_results(self):
        fault = warplens.run("vector_add_unchecked", device=DEVICE)
        self.assertEqual((fault.status, fault.outputs), ("fault", {}))
        self.assertIn("just past the end", str(fault))
        refused = warplens.run("grayscale", block=(32, 33), device=DEVICE)
        self.assertEqual(refused["cuda_error"], "cudaErrorInvalidConfiguration")
        self.assertIn("1,024", str(refused))
        self.assertFalse(any("/tmp" in message for message in refused.messages), refused.messages)

    def test_bad_input_is_the_programs_own_sentence(self):
        for call, words in ((lambda: warplens.run("nothing"), "no built-in kernel"),
                            (lambda: warplens.run("vector_add", values={"m": 1}), "no value named"),
                            (lambda: warplens.run("vector_add", device="voodoo"), "voodoo"),
                            (lambda: warplens.render("grid", "nothing"), "no built-in kernel"),
                            (lambda: warplens.render("grid", "grayscale", size=(0, 0)), "--size")):
            with self.assertRaisesRegex(warplens.WarpLensError, words) as raised:
                call()
            self.assertEqual(raised.exception.status, 2)


class Sweeps(unittest.TestCase):
    def test_columns(self):
        (sweep,) = warplens.sweep("vector_add", blocks=[32, (16, 16), "256"], device=DEVICE)
        self.assertEqual([point["block"] for point in sweep.points], [[32, 1, 1], [16, 16, 1], [256, 1, 1]])
        times = sweep.column("kernel_us.value")
        self.assertEqual(sweep.best, sweep.points[int(np.nanargmin(times))])
        self.assertTrue(np.isnan(sweep.column("measured_us").astype(float)).all())
        with self.assertRaisesRegex(KeyError, "kernel_us"):
            sweep.column("nothing")
        self.assertIn("block", str(sweep))

    def test_sizes(self):
        kinds = {sweep["kind"]: sweep for sweep in warplens.sweep("vector_add", sizes=[100, 1000], device=DEVICE)}
        np.testing.assert_array_equal(kinds["sizes"].column("elements"), [100, 1000])


# Two copies to the device, using only the driver.
COPIES = """
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
context, address = ctypes.c_void_p(), ctypes.c_uint64()
assert cuda.cuInit(0) == 0 and cuda.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
assert cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(4096)) == 0
for size in (4096, 1024):
    assert cuda.cuMemcpyHtoD_v2(address, bytes(size), ctypes.c_size_t(size)) == 0
"""


class Recordings(unittest.TestCase):
    def test_reading(self):
        with tempfile.TemporaryDirectory() as folder:
            path, script = os.path.join(folder, "two copies.warplens"), os.path.join(folder, "copies.py")
            pathlib.Path(script).write_text(COPIES)
            done = subprocess.run([warplens.program(), "program", "--record", path, "--", sys.executable, script],
                                  capture_output=True, text=True, check=False)
            if "is not in this program's folder" in done.stderr:
                self.skipTest("a build without the driver")
            self.assertEqual(done.returncode, 0, done.stderr)
            recording = warplens.read_recording(path)
            np.testing.assert_array_equal(recording.column("copy", "bytes"), [4096, 1024])
            self.assertGreater(recording.column("copy", "device_us").min(), 0)
            self.assertEqual(recording.of("launch"), [])
            self.assertIn("2 copies", repr(recording))
            with self.assertRaisesRegex(warplens.WarpLensError, "launch"):
                warplens.run(path, recorded=1)
            pathlib.Path(path).write_bytes(b"no recording")
            for bad in (path, os.path.join(folder, "absent.warplens")):
                with self.assertRaises(warplens.WarpLensError):
                    warplens.read_recording(bad)


class Files(unittest.TestCase):
    def test_reading(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            subprocess.run([warplens.program(), "run", "vector_add", "--device", DEVICE, "--json", path],
                           capture_output=True, check=True)
            self.assertEqual(warplens.read_report(path)["kernel"], "vector_add")
            with self.assertRaisesRegex(warplens.WarpLensError, "sweeps"):
                warplens.read_sweep(path)
            for text in ("", "[]", "{}", '{"schema": 2, "counters": {}}', '{"schema": 1, "counters": null}', "[" * 99999):
                pathlib.Path(path).write_text(text)
                with self.assertRaises(warplens.WarpLensError, msg=text[:40]):
                    warplens.read_report(path)
            for text in ('{"schema": 1, "sweeps": 5}', '{"schema": 1, "sweeps": [5]}', '{"schema": 1, "sweeps": [{}]}'):
                pathlib.Path(path).write_text(text)
                with self.assertRaises(warplens.WarpLensError, msg=text):
                    warplens.read_sweep(path)
            pathlib.Path(path).write_bytes(b"\xff\xfe")
            with self.assertRaises(warplens.WarpLensError):
                warplens.read_report(path)
            subprocess.run([warplens.program(), "run", "grayscale", "--block", "32x33", "--device", DEVICE, "--json", path],
                           capture_output=True, check=False)
            self.assertEqual(warplens.read_report(path).status, "refused")
            said = subprocess.run([warplens.program(), "sweep", "vector_add", "--blocks", "32,64", "--device", DEVICE,
                                   "--json"], stdout=subprocess.PIPE, check=True).stdout
            pathlib.Path(path).write_bytes(said)
            (sweep,) = warplens.read_sweep(path)
            np.testing.assert_array_equal(sweep.column("block"), [[32, 1, 1], [64, 1, 1]])
            for name in ("block.x", "kernel_us.value.more"):
                with self.assertRaisesRegex(KeyError, "nothing inside"):
                    sweep.column(name)
        with self.assertRaisesRegex(warplens.WarpLensError, "No such file"):
            warplens.read_report(path)


class Pictures(unittest.TestCase):
    def test_two_on_one_page_share_no_names(self):
        one, two = (warplens.render("grid", "vector_add", level="warp", device=DEVICE) for _ in range(2))
        ids = [set(part.split('"')[0] for part in picture._repr_svg_().split('id="')[1:]) for picture in (one, two)]
        self.assertTrue(ids[0])
        self.assertFalse(ids[0] & ids[1])
        for name in ids[0]:
            self.assertNotIn(f'"#{name.partition("-")[2]}"', one._repr_svg_())

    def test_options_and_saving(self):
        picture = warplens.render("grid", "index_map_2d", at=(1, 0), theme="light", text=150, size=(640, 360),
                                  device=DEVICE)
        self.assertIn('width="640', picture.svg)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.svg")
            picture.save(path)
            self.assertEqual(pathlib.Path(path).read_text(encoding="utf-8"), picture.svg)


class Machine(unittest.TestCase):
    def test_lists(self):
        self.assertIn("grayscale", [kernel["name"] for kernel in warplens.kernels()])
        self.assertIn(DEVICE, [device["id"] for device in warplens.devices()])
        self.assertEqual(warplens.doctor()[0]["name"], "program")

    def test_the_command_is_the_program(self):
        done = subprocess.run([sys.executable, "-m", "warplens", "kernels", "--json"], capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([sys.executable, "-m", "warplens", "fly"], capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)

    def test_without_a_program_it_says_so(self):
        environment = {**os.environ, "WARPLENS_PROGRAM": "/nowhere/warplens"}
        done = subprocess.run([sys.executable, "-m", "warplens"], capture_output=True, env=environment, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"warplens:", done.stderr)

    def test_numpy_is_loaded_only_for_arrays(self):
        script = "import sys, warplens.__main__; sys.exit('numpy' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", script], check=False).returncode, 0)


if __name__ == "__main__":
    unittest.main()
