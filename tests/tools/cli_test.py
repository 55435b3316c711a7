#!/usr/bin/env python3
"""Runs the program itself: exit statuses, reports, and the sentences for bad input.

  tests/tools/cli_test.py build/release/warplens     (or WARPLENS_BIN=… tests/tools/cli_test.py)
"""
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

BIN = os.path.abspath(os.environ.get("WARPLENS_BIN") or (sys.argv.pop(1) if len(sys.argv) > 1 else
                                                         "build/release/warplens"))


def run(*arguments, cwd=None, env=None):
    return subprocess.run([BIN, *map(str, arguments)], capture_output=True, cwd=cwd, timeout=120,
                          env={**os.environ, **(env or {})})


def write_png(path, width, height, rgb):
    """8-bit RGB, no filter."""
    rows = b"".join(b"\0" + rgb[y * width * 3:(y + 1) * width * 3] for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def read_gray_png(path):
    """Width, height and bytes of an 8-bit grayscale PNG."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, compressed, width, height = 8, b"", 0, 0
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 0), (depth, colour)
        elif kind == b"IDAT":
            compressed += body
        at += size + 12
    raw, pixels, above = zlib.decompress(compressed), b"", bytes(width)
    for y in range(height):
        kind, row = raw[y * (width + 1)], bytearray(raw[y * (width + 1) + 1:(y + 1) * (width + 1)])
        for x in range(width):
            a, b = (row[x - 1] if x else 0), above[x]
            c = above[x - 1] if x else 0
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[x] = (row[x] + [0, a, b, (a + b) // 2, paeth][kind]) & 255
        pixels += bytes(row)
        above = bytes(row)
    return width, height, pixels


def f32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def gray_of(rgb):
    """The kernel's formula. Products of two floats are exact in a double, so each fma rounds once."""
    red, green, blue = f32(.299), f32(.587), f32(.114)
    known = {}
    out = bytearray()
    for i in range(0, len(rgb), 3):
        pixel = rgb[i:i + 3]
        if pixel not in known:
            r, g, b = pixel
            inner = f32(green * g + f32(red * r))
            known[pixel] = int(f32(f32(blue * b + inner) + .5))
        out.append(known[pixel])
    return bytes(out)


class Cli(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def at(self, *names):
        return os.path.join(self.directory.name, *names)

    def write(self, name, content):
        with open(self.at(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.at(name)

    def report(self, *arguments, status=0):
        done = run(*arguments, "--json", "-")
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return json.loads(done.stdout), done.stderr.decode()

    def bad(self, arguments, words, status=2):
        """Ends with the status and one sentence that has the words; prints nothing else."""
        done = run(*arguments)
        message = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, status, (arguments, message))
        self.assertTrue(message.startswith("warplens: "), message)
        self.assertEqual(message.count("\n"), 1, message)
        self.assertEqual(done.stdout, b"", arguments)
        for word in words if isinstance(words, list) else [words]:
            self.assertIn(word, message, arguments)


RACE = """// warplens: out=float32[64] zero, block=64, grid=1
__global__ void race(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[63 - threadIdx.x];
}
"""


class Diagnostics(unittest.TestCase):
    """--diagnostics, for editors and code hosts."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("race.cu", RACE)

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def here(self, *arguments):
        return run(*arguments, cwd=self.folder.name)

    def test_of_a_kernel(self):
        done = self.here("run", "race.cu", "--diagnostics", "gcc")
        if done.returncode == 3:
            self.skipTest("no compiler of kernels")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.decode().splitlines()
        self.assertRegex(lines[0], r"^race\.cu:4: warning: .* \[race\]$")
        self.assertRegex(lines[1], r"^race\.cu:5: note: ")
        done = self.here("run", "race.cu", "--diagnostics", "sarif=found.sarif", "--json", "-")
        self.assertEqual(json.loads(done.stdout)["findings"][0]["line"], 4)
        with open(os.path.join(self.folder.name, "found.sarif"), encoding="utf-8") as file:
            place = json.load(file)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        self.assertEqual((place["artifactLocation"]["uri"], place["region"]["startLine"]), ("race.cu", 4))
        self.write("wrong.cu", RACE.replace("s[63", "q[63"))
        done = self.here("run", "wrong.cu", "--diagnostics", "gcc")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stdout.decode(), r"^wrong\.cu:5:[0-9]+: error: .* \[compile\]\n")

    def test_of_a_program(self):
        self.write("main.cu", RACE + "int main() { float* a; cudaMalloc(&a, 100); race<<<1, 64>>>(a); cudaDeviceSynchronize(); }\n")
        done = self.here("run", "--diagnostics", "gcc", "main.cu")
        if done.returncode == 3:
            self.skipTest("no compiler of programs")
        self.assertRegex(done.stderr.decode(), r"(?m)^\S*main\.cu:5: error: .* \[out_of_bounds\]$")
        self.assertRegex(done.stderr.decode(), r"(?m)^\S*main\.cu:7: note: The kernel was launched here\.$")
        self.assertEqual(self.here("run", "--diagnostics", "sarif", "main.cu").returncode, 2)
        self.here("run", "--quiet", "--diagnostics", "sarif=found.sarif", "main.cu")
        with open(os.path.join(self.folder.name, "found.sarif"), encoding="utf-8") as file:
            first = json.load(file)["runs"][0]["results"][0]
        self.assertEqual((first["ruleId"], first["level"]), ("out_of_bounds", "error"))
        self.assertEqual(first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "main.cu")

    def test_wrong_use(self):
        for words, why in ((("--diagnostics", "xml"), "gcc, json or sarif"), (("--diagnostics", "gcc", "--json", "-"), "give one of them a file"),
                           (("--diagnostics", "sarif=/nowhere/found.sarif"), "/nowhere")):
            done = self.here("run", "race.cu", *words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(why, done.stderr.decode())


class Basics(Cli):
    def test_version_and_help(self):
        self.assertEqual(run("--version").returncode, 0)
        self.assertIn(b"warplens run grayscale", run("--help").stdout)
        for command in ("run", "occupancy", "compile", "devices", "kernels"):
            self.assertEqual(run(command, "--help").returncode, 0, command)

    def test_lists(self):
        devices = json.loads(run("devices", "--json").stdout)["devices"]
        self.assertGreaterEqual(len(devices), 20)
        names = [kernel["name"] for kernel in json.loads(run("kernels", "--json").stdout)["kernels"]]
        self.assertEqual(names[0], "grayscale")
        self.assertEqual(len(names), len(set(names)))

    def test_no_display(self):
        done = run(env={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)

    def test_a_real_device_is_missing(self):
        self.bad(["run", "vector_add", "--device", "cuda:0"], "cuda:0", status=3)
        self.bad(["run", "vector_add", "--devices", "2"], "--devices is an option of warplens program")
        program = self.write("main.cu", "__global__ void f() {}\nint main() { f<<<1, 1>>>(); }\n")
        for words in (["--device", "cuda:0", "--devices", "2"], ["--devices=2", "--device=cuda:0"], ["--devices", "cuda:0,cuda:1"]):
            self.bad(["run", *words, program], "several devices are virtual ones")

    def test_a_missing_compiler_has_its_own_status(self):
        source = self.write("k.cu", "__global__ void k() {}")
        nowhere = self.at("none.so")
        done = run("compile", source, env={"WARPLENS_NVRTC": nowhere, "WARPLENS_CLANG": nowhere, "LD_LIBRARY_PATH": ""})
        self.assertIn(done.returncode, (0, 3), done.stderr)  # 0 where the system has one of its own
        if done.returncode == 3:
            self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)


    def test_two_compilers_side_by_side(self):
        if run("compile", self.write("k.cu", "__global__ void k() {}"), "--compiler", "clang").returncode == 3:
            self.skipTest("no clang on this machine")
        done = run("compile", "--compare", "matmul_naive", "--json")
        if done.returncode == 3:
            self.skipTest("no NVRTC on this machine")
        compared = json.loads(done.stdout)
        self.assertIn("clang", compared["compilers"][1])
        first, second = compared["figures"]["warp_instructions"]
        self.assertGreater(second, first)  # clang does not unroll this loop as far
        self.assertTrue(any("unrolls loops further" in reason for reason in compared["reasons"]), compared["reasons"])
        self.assertEqual(compared["figures"]["global_sectors"][0], compared["figures"]["global_sectors"][1])
        self.assertTrue(compared["same_outputs"])
        own = self.write("own.cu", "// warplens: out=int32[n] zero, n=100\n__global__ void own(int* out, int n) {\n"
                         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = i;\n}\n")
        self.assertIn(b"The outputs hold the same bytes.", run("compile", "--compare", own).stdout)
        stepped = run("trace", self.write("step.cu", """// warplens: out=int32[n] zero, n=40, block=32
struct Pair { int a, b; };
__global__ void step(int* out, int n) {
  Pair pair{int(threadIdx.x), 7};
  int list[2] = {pair.b, 3};
  out[blockIdx.x * blockDim.x + threadIdx.x] = pair.a + list[threadIdx.x % 2];
}
"""), env={"WARPLENS_COMPILER": "clang"}).stdout
        for variable in (b"pair.a = 0, 1, 2 \xe2\x80\xa6 31", b"pair.b = 7", b"list[0] = 7", b"list[1] = 3", b"n = 40"):
            self.assertIn(variable, stepped)
        self.bad(["compile", "--compare", own, "--out", self.at("x.ptx")], "--out")
        self.bad(["compile", "--compare", "no_such_kernel"], "no_such_kernel")
        self.bad(["compile", "--compare", self.write("k.ptx", ".version 7.0")], "PTX already")
        self.bad(["compile", "--compare", self.write("bad.cu", "__global__ void k() { x; }")], "bad.cu:1")


class Grayscale(Cli):
    def check_picture(self, width, height, *arguments):
        rng = random.Random(width * 10007 + height)
        rgb = rng.randbytes(3 * width * height)
        write_png(self.at("in.png"), width, height, rgb)
        report, _ = self.report("run", "grayscale", "--image", self.at("in.png"), "--out", self.at("out.png"), "--check",
                                *arguments)
        self.assertEqual(report["status"], "ok")
        self.assertTrue(all(check["equal"] for check in report["checks"]))
        self.assertTrue(report["checks"])
        self.assertIsNotNone(report["host"]["cpu_ms"])
        self.assertEqual(read_gray_png(self.at("out.png")), (width, height, gray_of(rgb)))

    def test_pictures_of_odd_sizes(self):
        for width, height in ((1, 1), (1, 4097), (4096, 3), (33, 17)):
            with self.subTest(width=width, height=height):
                self.check_picture(width, height)

    def test_blocks(self):
        for block in ("16x16", "32x1", "1x1", "7x13", "32x32"):
            with self.subTest(block=block):
                self.check_picture(75, 41, "--block", block)

    def test_every_colour_component(self):
        rgb = bytes(v for c in range(3) for i in range(256) for v in [(0, 0, i)[(k + c) % 3] for k in range(3)])
        write_png(self.at("in.png"), 256, 3, rgb)
        self.report("run", "grayscale", "--image", self.at("in.png"), "--out", self.at("out.png"), "--check")
        self.assertEqual(read_gray_png(self.at("out.png"))[2], gray_of(rgb))

    def test_the_sample_photograph(self):
        for block in ("16x16", "7x13"):
            report, _ = self.report("run", "grayscale", "--block", block, "--check")
            self.assertEqual([c["equal"] for c in report["checks"]], [True])

    def test_counts_do_not_depend_on_workers(self):
        one, _ = self.report("run", "grayscale", "--workers", 1)
        two, _ = self.report("run", "grayscale", "--workers", 2)
        self.assertEqual(one["counters"], two["counters"])
        self.assertGreater(one["counters"]["warp_instructions"], 0)
        self.assertEqual(one["lines"], two["lines"])

    def test_nothing_counted_is_null(self):
        report, _ = self.report("run", "grayscale", "--observe", "none", "--check")
        self.assertEqual(set(report["counters"].values()), {None})
        self.assertEqual(report["lines"], [])
        self.assertIsNotNone(report["host"]["execute_ms"])

    def test_a_block_of_1056_threads_is_refused(self):
        report, message = self.report("run", "grayscale", "--block", "32x33", status=2)
        self.assertEqual(report["status"], "refused")
        self.assertEqual(report["cuda_error"], "cudaErrorInvalidConfiguration")
        self.assertEqual(report["launch"]["block"], [32, 33, 1])
        self.assertIsNone(report["counters"]["warp_instructions"])
        self.assertIn("cudaErrorInvalidConfiguration", message)
        self.assertIn("does not check", message)

    def test_zero_and_huge_grids_are_refused(self):
        for grid in ("0,1", "1,0", "4000000000,4000000000,4000000000", "1,65536"):
            report, _ = self.report("run", "grayscale", "--grid", grid, status=2)
            self.assertEqual(report["status"], "refused", grid)


class Kernels(Cli):
    def test_a_program_in_cuda_says_what_runs_of_it(self):
        self.write("whole.cu", "#include <cstdio>\n#include <cuda_runtime.h>\n"
                   "__global__ void scale(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }\n"
                   "template <class T> __global__ void fill(T* x) { *x = 1; }\n"
                   "int main() { float* x; cudaMalloc(&x, 4); scale<<<1, 1>>>(x, 1); printf(\"done\"); }\n")
        # With a kernel's options it is one kernel; a program is compiled and run, if there are a compiler and a
        # driver for it, which a build of only core does not have.
        done = run("run", self.at("whole.cu"))
        if done.returncode == 3:
            self.assertRegex(done.stderr.decode(), "fetch nvcc|driver for programs")
        else:
            self.assertEqual((done.returncode, done.stdout), (0, b"done"), done.stderr)
        # Other commands look at one kernel.
        done = run("trace", self.at("whole.cu"))
        self.assertEqual(done.returncode, 3)
        said = done.stderr.decode()
        self.assertIn("whole.cu:5: this is a program", said)
        self.assertIn("runs it on a virtual GPU", said)
        self.assertIn("--entry scale", said)
        self.assertIn("line 4: fill is a template", said)
        done = run("run", self.at("whole.cu"), "--entry", "scale")
        if done.returncode != 3:  # NVRTC is not on this machine
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_kernels_beside_headers_of_the_host_run(self):
        self.write("said.cu", "#include <stdio.h>\n__global__ void said() { printf(\"thread %d\\n\", threadIdx.x); }\n")
        done = run("run", self.at("said.cu"), "--grid", "1", "--block", "2")
        if done.returncode != 3:  # NVRTC is not on this machine
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(b"thread 1", done.stdout + done.stderr)
        self.write("made.cu", "template <class T> __global__ void made(T* x) { *x = 1; }\n")
        done = run("run", self.at("made.cu"))
        if done.returncode != 3:
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"made is a template, so it is no kernel yet", done.stderr)

    def test_each_kernel_agrees_with_its_reference(self):
        for kernel in json.loads(run("kernels", "--json").stdout)["kernels"]:
            if kernel["intentionally_broken"]:
                continue
            with self.subTest(kernel=kernel["name"]):
                report, _ = self.report("run", kernel["name"], "--check")
                self.assertTrue(report["checks"])

    def test_the_unchecked_add_faults_at_its_line(self):
        report, message = self.report("run", "vector_add_unchecked", "--set", "n=1000", "--block", 256, status=1)
        fault = report["faults"][0]
        self.assertEqual(report["status"], "fault")
        self.assertEqual(fault["kind"], "out_of_bounds")
        self.assertTrue(fault["file"].endswith("vector_add_unchecked.cu"))
        self.assertGreater(fault["line"], 0)
        self.assertEqual((fault["block"], fault["thread"]), ([3, 0, 0], [232, 0, 0]))  # 3 · 256 + 232 = 1000
        self.assertIn("vector_add_unchecked.cu:", message)

    def test_a_kernel_goes_on_after_bad_accesses_where_that_is_asked(self):
        words = ("run", "vector_add_unchecked", "--set", "n=1000", "--block", 256, "--on-fault", "continue")
        report, _ = self.report(*words)
        finding = report["findings"][0]
        self.assertEqual((report["status"], finding["kind"]), ("ok", "out_of_bounds"))
        self.assertEqual((finding["block"], finding["thread"]), ([3, 0, 0], [232, 0, 0]))
        self.assertIn("and the kernel goes on.", finding["message"])
        self.assertEqual(run(*words, "--strict").returncode, 1)

    def test_the_step_budget_ends_a_run(self):
        report, _ = self.report("run", "mandelbrot", "--steps", 1000, status=1)
        self.assertEqual(report["faults"][0]["kind"], "step_limit")

    def test_ctrl_c_cancels_with_a_report(self):
        process = subprocess.Popen([BIN, "run", "mandelbrot", "--repeat", "1000000", "--steps", str(2**60), "--json", "-"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, err)
        self.assertEqual(json.loads(out)["status"], "cancelled")

    def test_ctrl_c_ends_a_trace(self):
        process = subprocess.Popen([BIN, "trace", "matmul_naive", "--set", "k=1024", "--count", "1000000000"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(100_000)  # the output has begun, and the process waits until more of it is read
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn(b"cancelled", err)

    def test_a_full_disk_is_no_success(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([BIN, "kernels"], stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"could not be written", done.stderr)

    def test_every_output_as_a_numpy_file(self):
        """Read back by the format's own description: NumPy may not be here."""
        done = run("run", "vector_add", "--set", "n=1000", "--outputs", self.at("arrays"), "--out", self.at("o.bin"))
        self.assertEqual(done.returncode, 0, done.stderr)
        (name,) = os.listdir(self.at("arrays"))
        with open(self.at("arrays", name), "rb") as file:
            array = file.read()
        self.assertEqual(array[:8], b"\x93NUMPY\x01\x00")
        (length,) = struct.unpack("<H", array[8:10])
        self.assertEqual(eval(array[10:10 + length]), {"descr": "<f4", "fortran_order": False, "shape": (1000,)})
        with open(self.at("o.bin"), "rb") as file:
            self.assertEqual(array[10 + length:], file.read())
        done = run("run", "grayscale", "--image", "rendered", "--outputs", self.at("pictures"))
        with open(self.at("pictures", "gray.npy"), "rb") as file:
            self.assertIn(b"'shape': (512,768,)", file.read(128))

    def test_outputs_where_no_folder_can_be(self):
        self.write("file", "")
        for where in (self.at("file"), self.at("file", "below"), "/proc/none"):
            done = run("run", "vector_add", "--outputs", where)
            self.assertEqual(done.returncode, 2, where)
            self.assertIn(b"--outputs", done.stderr)
        done = run("run", "vector_add_unchecked", "--outputs", self.at("none"))
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"did not run to its end", done.stderr)

    def test_occupancy_of_given_registers(self):
        done = run("occupancy", "grayscale", "--block", "16x16", "--registers", 64, "--device", "3060", "--json")
        occupancy = json.loads(done.stdout)["occupancy"]
        self.assertEqual((occupancy["limit_registers"], occupancy["active_warps_per_sm"]), (4, 32))


class Carried(Cli):
    """The program alone, on a machine that has CUDA's headers and libraries elsewhere than the one that built it."""

    def setUp(self):
        super().setUp()
        if os.environ.get("WARPLENS_LOOKS_FOR_CUDA") == "0":
            self.skipTest("this build was told to do without NVRTC")
        with open("tools/versions.env", encoding="utf-8") as file:
            version = re.search(r"^cuda=(.+)$", file.read(), re.MULTILINE).group(1)
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ.get("HOME", "/"), ".cache")
        self.name = f"cuda-{version}"
        self.cuda = os.path.join(cache, "warplens", self.name)
        self.write("plain.cu", "__global__ void k() {}")
        if not os.path.isdir(self.cuda) or run("compile", self.at("plain.cu")).returncode != 0:
            self.skipTest("there is no CUDA compiler, or no CUDA header, that set-up brought")
        os.makedirs(self.at("there/bin"))
        self.program = shutil.copy(BIN, self.at("there/bin/warplens"))
        os.mkdir(self.at("home"))

    def place(self, folder, libraries):
        """A folder of libraries and headers, with one header more by which it is known."""
        os.makedirs(self.at(folder, "include"))
        os.symlink(os.path.join(self.cuda, "lib"), self.at(folder, libraries))
        for header in os.listdir(os.path.join(self.cuda, "include")):
            os.symlink(os.path.join(self.cuda, "include", header), self.at(folder, "include", header))
        self.write(os.path.join(folder, "include", "only_here.h"), "__device__ int only_here() { return 1; }")

    def compile(self, **variables):
        self.write("k.cu", "#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n#include <only_here.h>\n"
                           "__global__ void k(int* p) { *p = only_here(); }\n")
        gone = ("XDG_CACHE_HOME", "CUDA_HOME", "CUDA_PATH", "WARPLENS_NVRTC", "WARPLENS_CUDA_INCLUDE_DIRS")
        environment = {name: value for name, value in os.environ.items() if name not in gone}
        return subprocess.run([self.program, "compile", self.at("k.cu")], capture_output=True, text=True, timeout=120,
                              env={**environment, "HOME": self.at("home"), **variables})

    def test_a_toolkit_that_the_environment_names(self):
        self.place("toolkit", "lib64")
        done = self.compile(CUDA_HOME=self.at("toolkit"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_users_cache(self):
        self.place(f"home/.cache/warplens/{self.name}", "lib")
        self.assertEqual(self.compile().returncode, 0)
        self.place(f"cache/warplens/{self.name}", "lib")
        shutil.rmtree(self.at("home/.cache"))
        self.assertEqual(self.compile(XDG_CACHE_HOME=self.at("cache")).returncode, 0)

    def test_beside_the_program(self):
        self.place(f"there/share/warplens/{self.name}", "lib")
        self.assertEqual(self.compile().returncode, 0)

    def test_without_headers_it_says_what_to_do(self):
        done = self.compile(WARPLENS_CUDA_INCLUDE_DIRS=self.at("none"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("cooperative_groups.h", done.stderr)
        self.assertIn("run warplens fetch", done.stderr)
        done = self.compile(WARPLENS_NVRTC=self.at("none.so"), WARPLENS_CLANG=self.at("none"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("run warplens fetch", done.stderr.lower())


class Fetch(Cli):
    """No network: what is there, what is asked, and what pip says when it finds nothing."""

    def setUp(self):
        super().setUp()
        nowhere = {name: self.at("none") for name in ("WARPLENS_NVRTC", "WARPLENS_CLANG", "WARPLENS_PTXAS", "WARPLENS_PHOTOS_DIR")}
        self.environment = {"XDG_CACHE_HOME": self.at("cache"), "PIP_NO_INDEX": "1", **nowhere}

    def fetch(self, *arguments):
        return subprocess.run([BIN, "fetch", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env={**os.environ, **self.environment}, timeout=60)

    def test_it_says_what_comes_and_wants_a_word(self):
        done = self.fetch()
        self.assertEqual(done.returncode, 2)
        for word in ("MB", "licence", "photos", "cuda", "ptxas13", self.at("cache")):
            self.assertIn(word, done.stdout)
        self.assertIn("--yes", done.stderr)
        self.assertFalse(os.path.exists(self.at("cache")))

    def test_without_network_nothing_is_left(self):
        done = self.fetch("photos", "--yes")
        self.assertEqual(done.returncode, 1)
        self.assertIn("once this machine is online", done.stderr)
        self.assertEqual(os.listdir(self.at("cache", "warplens")), [])

    def test_what_is_here_is_not_fetched(self):
        with open("tools/versions.env", encoding="utf-8") as file:
            version = re.search(r"^photos=(.+)$", file.read(), re.MULTILINE).group(1)
        os.makedirs(self.at("cache", "warplens", f"photos-{version}"))
        done = self.fetch("photos")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("already", done.stdout)

    def test_parts_that_are_none(self):
        done = self.fetch("everything", "--yes")
        self.assertEqual(done.returncode, 2)
        self.assertIn("photos", done.stderr)

    def test_without_python_it_says_so(self):
        self.environment["PATH"] = self.at("none")
        done = self.fetch("photos", "--yes")
        self.assertEqual(done.returncode, 3)
        self.assertIn("Python 3", done.stderr)


class BadInput(Cli):
    def test_arguments(self):
        self.bad(["fly"], "fly")
        self.bad(["run"], "run --help")
        self.bad(["run", "no_such_kernel"], "grayscale")
        for options, words in ((["--block", "a"], "--block a"), (["--grid", "4e9"], "--grid 4e9"),
                               (["--grid", "-1"], "--grid -1"), (["--grid", "4294967296"], "4294967295"),
                               (["--shared", "1.5"], "--shared"), (["--workers", "-1"], "--workers"),
                               (["--repeat", "0"], "--repeat"), (["--seed", "x"], "--seed"),
                               (["--set", "n=nan"], "n=nan"), (["--set", "n=inf"], "n=inf"),
                               (["--set", "n=1e999"], "n=1e999"), (["--set", "n=1e300"], "n"),
                               (["--set", "n=-5"], "n"), (["--set", "m=1"], "m"), (["--set", "n"], "name=value"),
                               (["--device", "nothing"], "nothing"), (["--observe", "all"], "--observe"),
                               (["--image", "astronaut"], "picture"), (["--bogus"], "--bogus")):
            with self.subTest(options=options):
                self.bad(["run", "vector_add", *options], words)

    def test_pictures(self):
        write_png(self.at("good.png"), 64, 64, bytes(64 * 64 * 3))
        with open(self.at("good.png"), "rb") as file:
            good = file.read()
        huge = bytearray(good)
        huge[16:24] = struct.pack(">II", 30000, 30000)
        huge[29:33] = struct.pack(">I", zlib.crc32(bytes(huge[12:29])))
        for name, content in (("truncated.png", good[:len(good) // 2]), ("empty.png", b""),
                              ("text.png", b"this is no picture"), ("huge.png", bytes(huge)),
                              ("header.png", good[:20]), ("noise.jpg", random.Random(1).randbytes(4000))):
            with self.subTest(name=name):
                self.bad(["run", "grayscale", "--image", self.write(name, content)], name)
        self.bad(["run", "grayscale", "--image", self.at("none.png")], "none.png")
        self.bad(["run", "grayscale", "--image", self.directory.name], self.directory.name)

    def test_outputs_are_refused_before_the_run(self):
        self.bad(["run", "grayscale", "--out", self.at("none/out.png")], ["--out", "none"])
        self.bad(["run", "grayscale", "--out", self.directory.name], "--out")
        self.bad(["run", "grayscale", "--out", self.at("out.txt")], ".png")
        self.bad(["run", "vector_add", "--out", self.at("out.png")], ".bin")
        self.bad(["run", "grayscale", "--json", self.at("none/report.json")], "--json")
        self.assertEqual(os.listdir(self.directory.name), [])

    @unittest.skipIf(hasattr(os, "geteuid") and os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_without_permission(self):
        os.chmod(self.directory.name, 0o500)
        self.addCleanup(os.chmod, self.directory.name, 0o700)
        self.bad(["run", "grayscale", "--out", self.at("out.png")], "out.png")

    def test_a_full_disk_keeps_the_report(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        os.symlink("/dev/full", self.at("full.bin"))
        done = run("run", "grayscale", "--out", self.at("full.bin"), "--json", "-")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(json.loads(done.stdout)["status"], "ok")
        self.assertIn(b"full.bin", done.stderr)

    def test_sources(self):
        self.bad(["run", self.at("mine.cu")], "mine.cu")
        self.bad(["compile", self.at("none.cu")], "none.cu")


ADD = """
.version 7.0
.target sm_50
.address_size 64
.visible .entry add(.param .u64 p_x, .param .u64 p_out, .param .u32 p_n, .param .f32 p_a)
{
  .reg .pred %p<2>;
  .reg .f32 %f<4>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p_x];
  ld.param.u64 %rd2, [p_out];
  ld.param.u32 %r1, [p_n];
  ld.param.f32 %f1, [p_a];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd3, %rd1;
  cvta.to.global.u64 %rd4, %rd2;
  mul.wide.s32 %rd5, %r5, 4;
  add.s64 %rd6, %rd3, %rd5;
  add.s64 %rd7, %rd4, %rd5;
  ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f2, %f1;
  st.global.f32 [%rd7], %f3;
DONE:
  ret;
}
"""


class LaunchFiles(Cli):
    def setUp(self):
        super().setUp()
        self.write("add.ptx", ADD)
        values = [float(i) for i in range(1000)]
        self.write("x.bin", struct.pack("<1000f", *values))
        self.write("want.bin", struct.pack("<1000f", *[v + 0.5 for v in values]))
        self.launch = {"ptx": "add.ptx", "grid": [4], "block": [256],
                       "buffers": [{"name": "x", "file": "x.bin", "dtype": "float32"},
                                   {"name": "out", "bytes": 4000, "dtype": "float32"}],
                       "args": [{"buffer": "x"}, {"buffer": "out"}, {"i32": 1000}, {"f32": 0.5}],
                       "expect": [{"buffer": "out", "file": "want.bin", "dtype": "float32"}]}

    def file(self, **changes):
        return self.write("launch.json", json.dumps({**self.launch, **changes}))

    def test_runs_and_checks(self):
        report, _ = self.report("run", self.file(), "--check")
        self.assertEqual((report["status"], report["entry"], report["kernel"]), ("ok", "add", "add.ptx"))
        self.assertEqual([c["equal"] for c in report["checks"]], [True])
        self.assertEqual(report["counters"]["global_load_requests"], 32)  # 31 warps of 32 and one of 8 lanes
        self.report("run", self.file(), "--check", "--repeat", 3, "--block", 128, "--grid", 8)

    def test_a_difference_is_status_one(self):
        report, message = self.report("run", self.file(args=[*self.launch["args"][:3], {"f32": 0.25}]), "--check", status=1)
        self.assertEqual(report["status"], "check_failed")
        self.assertEqual(report["checks"][0]["mismatches"], 1000)
        self.assertEqual(report["checks"][0]["first_mismatch"], 0)
        self.assertIn("wrong", message)

    def test_not_a_number_stays_out_of_the_json(self):
        arguments = [*self.launch["args"][:3], {"f32": "nan"}]
        done = run("run", self.file(args=arguments), "--check", "--json", "-")
        self.assertEqual(done.returncode, 1)
        self.assertNotIn(b"nan", done.stdout.lower().replace(b"nanosecond", b""))
        json.loads(done.stdout, parse_constant=self.fail)

    def test_raw_output(self):
        self.report("run", self.file(), "--out", self.at("out.bin"))
        with open(self.at("out.bin"), "rb") as out, open(self.at("want.bin"), "rb") as want:
            self.assertEqual(out.read(), want.read())

    def test_steps(self):
        launch = {key: self.launch[key] for key in ("grid", "block", "args")}
        second = {**launch, "args": [{"buffer": "out"}, {"buffer": "out"}, {"i32": 1000}, {"f32": -0.5}]}
        steps = [{"allocate": "x"}, {"copy_in": "x"}, {"launch": launch}, {"free": "x"}, {"launch": second}]
        content = {key: value for key, value in self.launch.items() if key not in launch}
        content["expect"] = [{"buffer": "out", "file": "x.bin"}]
        self.report("run", self.write("steps.json", json.dumps({**content, "steps": steps})), "--check")

    def test_unknown_keys_only_warn(self):
        done = run("run", self.file(colour="red", origin="numba"), "--check")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"launch.json: colour: unknown", done.stderr)
        self.assertNotIn(b"origin", done.stderr)

    def test_broken_files(self):
        args, buffers = self.launch["args"], self.launch["buffers"]
        for changes, words in (({"grid": [-1]}, "grid[0]: must not be negative"),
                               ({"block": None}, "block"),
                               ({"ptx": "none.ptx"}, "no such file"),
                               ({"kernel": "grayscale"}, "keep one"),
                               ({"entry": "sub"}, "add"),
                               ({"args": args[:3]}, "3 arguments"),
                               ({"args": [*args[:2], {"f32": 1000}, args[3]]}, "args[2]"),
                               ({"args": [*args[:2], {"i64": 2**40}, args[3]]}, "args[2]"),
                               ({"args": [*args[:3], {"i32": 1}]}, "args[3]"),
                               ({"args": [{"texture": {}}, *args[1:]]}, "args[0].texture.buffer"),
                               ({"buffers": [{**buffers[0], "bytes": 4004}, buffers[1]]}, "buffers[0].bytes"),
                               ({"buffers": [buffers[0], {**buffers[1], "bytes": 2**40}]}, "buffers[1].bytes"),
                               ({"buffers": [buffers[0], {**buffers[1], "dtype": "float31"}]}, "buffers[1].dtype"),
                               ({"expect": [{"buffer": "out", "file": "add.ptx"}]}, "expect[0].file")):
            with self.subTest(changes=changes):
                self.bad(["run", self.file(**changes), "--check"], words)
        for content in ("", "{", "[]", "null", '{"ptx": 1}', "\x00\xff", "[" * 100000,
                        '{"ptx":"add.ptx","cooperative":' + "[" * 200000 + "]" * 200000 + "}", '{"ptx":"add.ptx"}'):
            with self.subTest(content=content[:20]):
                self.bad(["run", self.write("launch.json", content)], "launch.json")
        self.bad(["run", self.file(), "--set", "n=1"], "--set")

    def test_broken_ptx(self):
        for name, content in (("cut", ADD[:len(ADD) // 2]), ("empty", ""), ("noise", "\x01\x02{{{"),
                              ("unknown", ADD.replace("add.f32", "frobnicate.f32")),
                              ("type", ADD.replace("add.f32 %f3", "add.f32 %rd7")),
                              ("label", ADD.replace("bra DONE", "bra NOWHERE"))):
            with self.subTest(name=name):
                self.write("broken.ptx", content)
                self.bad(["run", self.file(ptx="broken.ptx")], "broken.ptx")

    def test_a_too_large_block_is_refused(self):
        report, _ = self.report("run", self.file(block=[1025]), status=2)
        self.assertEqual(report["cuda_error"], "cudaErrorInvalidConfiguration")


if __name__ == "__main__":
    if not os.access(BIN, os.X_OK):
        sys.exit(f"There is no program {BIN}; build it, or name it in WARPLENS_BIN")
    unittest.main()
