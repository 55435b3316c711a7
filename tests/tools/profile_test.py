#!/usr/bin/env python3
"""The profile as scripts read it: its CSV through Python's csv module, and a program's launches.

  tests/tools/profile_test.py build/release/warplens
"""
import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/warplens")
LAUNCH = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size",
          "Device", "CC"]
DETAILS = LAUNCH + ["Section Name", "Metric Name", "Metric Unit", "Metric Value", "Rule Name", "Rule Type",
                    "Rule Description", "Estimated Speedup Type", "Estimated Speedup"]
MARKS = {"exact", "modelled", "not known"}

# Launches one kernel three times, with 1, 2 and 3 blocks, using only the driver.
SCRIPT = """
import ctypes, sys
PTX = b'''.version 7.0
.target sm_80
.address_size 64
.visible .entry store(.param .u64 to)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
  ret;
}
'''
cuda = ctypes.CDLL("libcuda.so.1")
context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
address = ctypes.c_uint64()
assert cuda.cuInit(0) == 0
assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0
assert cuda.cuMemAlloc_v2(ctypes.byref(address), 4096) == 0
assert cuda.cuModuleLoadData(ctypes.byref(module), PTX) == 0
assert cuda.cuModuleGetFunction(ctypes.byref(function), module, b"store") == 0
parameters = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(address), ctypes.c_void_p))
for blocks in ((1, 2, 3) if "none" not in sys.argv else ()):
    assert cuda.cuLaunchKernel(function, blocks, 1, 1, 64, 1, 1, 0, None, parameters, None) == 0
assert cuda.cuCtxSynchronize() == 0
print("done", *sys.argv[1:])
"""


def run(*arguments, **more):
    return subprocess.run([BIN, "profile", *map(str, arguments)], capture_output=True, text=True, timeout=120, **more)


def rows_of(done):
    return list(csv.DictReader(io.StringIO(done.stdout)))


class Csv(unittest.TestCase):
    def test_details_have_the_profilers_columns_and_numbers(self):
        done = run("vector_add", "--device", "3060", "--set", "n=1000", "--block", 128, "--csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = rows_of(done)
        self.assertEqual(list(rows[0]), DETAILS + ["Mark", "Median Error (%)"])
        metrics = [row for row in rows if row["Metric Name"]]
        for row in metrics:
            self.assertIn(row["Mark"], MARKS)
            if row["Mark"] == "not known":
                self.assertEqual(row["Metric Value"], "n/a", row)
            else:
                float(row["Metric Value"])
            self.assertEqual((row["Block Size"], row["Grid Size"]), ("(128, 1, 1)", "(8, 1, 1)"))
        value = {(row["Section Name"], row["Metric Name"]): row["Metric Value"] for row in metrics}
        self.assertEqual(value["Launch Statistics", "Grid Size"], "8")
        self.assertEqual(value["Memory Workload Analysis Tables", "Global Store Sectors"], "125")
        self.assertEqual(value["Warp State Statistics", "Avg. Not Predicated Off Threads Per Warp"], "n/a")
        self.assertTrue(0 < float(value["Scheduler Statistics", "No Eligible"]) < 100)
        rules = [row for row in rows if row["Rule Name"]]
        self.assertTrue(rules)
        for row in rules:
            self.assertIn(row["Rule Type"], ("OPT", "INF", "WRN", "ERR"))
            self.assertTrue(row["Rule Description"])
            self.assertEqual(bool(row["Estimated Speedup"]), row["Estimated Speedup Type"] == "global")

    def test_raw_has_a_row_a_launch_and_one_of_units(self):
        done = run("reduce_two_launches", "--device", "3060", "--page", "raw", "--csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        units, first, second = rows_of(done)
        self.assertEqual(list(units)[:len(LAUNCH)], LAUNCH)
        self.assertEqual([units[name] for name in LAUNCH], [""] * len(LAUNCH))
        self.assertEqual(units["launch__registers_per_thread"], "register/thread")
        self.assertEqual((first["ID"], second["ID"]), ("0", "1"))
        for row in (first, second):
            for name in list(row)[len(LAUNCH):]:
                if row[name] != "n/a":
                    float(row[name])

    def test_metrics_by_name_alone(self):
        done = run("vector_add", "--device", "3060", "--metrics", "launch__grid_size,group:memory__dram_table", "--page",
                   "raw", "--csv")
        _, row = rows_of(done)
        self.assertEqual(list(row)[len(LAUNCH):], ["dram__bytes_read.sum", "dram__bytes_write.sum", "dram__sectors_read.sum",
                                                   "dram__sectors_write.sum", "launch__grid_size"])

    def test_source_names_lines(self):
        done = run("vector_add", "--device", "3060", "--page", "source", "--csv")
        rows = list(csv.reader(io.StringIO(done.stdout)))
        self.assertEqual(rows[0][0], "File Path")
        self.assertEqual(rows[1], ["Function Name", "vector_add"])
        self.assertEqual(rows[2][:3], ["Line No", "Source", "Instructions Executed"])
        for row in rows[3:]:
            self.assertEqual(len(row), len(rows[2]))
            self.assertGreater(int(row[0]), 0)
            self.assertTrue(row[1].strip())


# Two kernels and three launches, one of them of a template; the last two are of one kernel.
CUDA_PROGRAM = """#include <cstdio>
template <class T> __global__ void fill(T* x, T value) { x[threadIdx.x] = value; }
__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
int main(int argc, char** argv) {
  float* x;
  cudaMalloc(&x, 4096);
  fill<float><<<1, 32>>>(x, 3);
  scale<<<1, 64>>>(x, 64);
  scale<<<2, 64>>>(x, 128);
  cudaDeviceSynchronize();
  printf("done %s\\n", argc > 1 ? argv[1] : "");
}
"""


class CudaPrograms(unittest.TestCase):
    """A file in CUDA C++ with a main() is compiled, run, and each of its launches is profiled."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.folder.name) / "whole.cu"
        self.file.write_text(CUDA_PROGRAM, encoding="utf-8")

    def tearDown(self):
        self.folder.cleanup()

    def profiled(self, *arguments):
        done = run(self.file, *arguments)
        if done.returncode == 3:
            self.assertRegex(done.stderr, "nvcc|driver for programs|no runtime library")
            self.skipTest("no CUDA compiler on this machine, or no driver in this build")
        return done

    def test_each_launch_is_profiled_and_output_is_not_on_the_page(self):
        done = self.profiled("--csv", "--page", "raw", "--", "argument")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("done argument", done.stderr)
        _, *launches = rows_of(done)
        self.assertEqual([(row["Kernel Name"], row["Block Size"], row["Grid Size"]) for row in launches],
                         [("fill<float>", "(32, 1, 1)", "(1, 1, 1)"), ("scale", "(64, 1, 1)", "(1, 1, 1)"),
                          ("scale", "(64, 1, 1)", "(2, 1, 1)")])
        self.assertEqual([row["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] for row in launches], ["4", "8", "16"])
        self.assertEqual({row["Process Name"] for row in launches}, {"whole.cu"})

    def test_one_launch(self):
        done = self.profiled("--launch", 3, "--csv", "--page", "raw")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, launch = rows_of(done)
        self.assertEqual((launch["ID"], launch["launch__grid_size"]), ("2", "2"))

    def test_launches_are_chosen_as_by_ncu(self):
        # As in the profiler's tutorials: ncu --set full -k regex:… -s 1 -c 1 ./program
        done = self.profiled("--set", "full", "-k", "regex:^sc", "-s", 1, "-c", 1, "--csv", "--page", "raw")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, *launches = rows_of(done)
        self.assertEqual([(row["Kernel Name"], row["launch__grid_size"]) for row in launches], [("scale", "2")])
        done = self.profiled("--kernel-name", "fill", "--csv", "--page", "raw")
        _, *launches = rows_of(done)
        self.assertEqual([row["Kernel Name"] for row in launches], ["fill<float>"])
        done = self.profiled("-k", "no_such_kernel")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no launch is left", done.stderr)
        done = run("vector_add", "-k", "regex:(")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no regular expression", done.stderr)

    def test_a_file_that_does_not_compile_has_the_compilers_words(self):
        self.file.write_text(CUDA_PROGRAM + "int x = no_such_name;\n", encoding="utf-8")
        done = self.profiled()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no_such_name", done.stderr)
        self.assertIn("whole.cu does not compile", done.stderr)

    def test_options_of_a_kernel_are_refused(self):
        for option in (("--block", 32), ("--grid", 1), ("--set", "n=1")):
            done = run(self.file, *option)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(f"{option[0]}: {self.file} is a program", done.stderr)

    def test_one_of_its_kernels_alone(self):
        done = run(self.file, "--entry", "scale", "--block", 64, "--set", "n=64", "--csv", "--page", "raw")
        if done.returncode == 3:
            self.skipTest("NVRTC is not on this machine")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, launch = rows_of(done)
        self.assertEqual((launch["Kernel Name"], launch["Block Size"]), ("scale", "(64, 1, 1)"))


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.script = pathlib.Path(self.folder.name) / "script.py"
        self.script.write_text(SCRIPT, encoding="utf-8")
        probe = subprocess.run([BIN, "program", "--quiet", "--", sys.executable, "-c", "0"], capture_output=True)
        if probe.returncode != 0:
            self.skipTest("this build has no driver for programs")

    def tearDown(self):
        self.folder.cleanup()

    def test_each_launch_of_a_script_is_profiled(self):
        done = run(self.script, "--csv", "--page", "raw", "--", "one", "--two")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("done one --two", done.stderr)
        _, *launches = rows_of(done)
        self.assertEqual([row["launch__grid_size"] for row in launches], ["1", "2", "3"])
        self.assertEqual([row["ID"] for row in launches], ["0", "1", "2"])
        self.assertEqual({row["Kernel Name"] for row in launches}, {"store"})
        self.assertEqual([row["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] for row in launches], ["8", "16", "24"])

    def test_one_launch_of_a_script(self):
        done = run("script.py", "--launch", 3, "--csv", "--page", "raw", cwd=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        _, launch = rows_of(done)
        self.assertEqual((launch["ID"], launch["launch__grid_size"]), ("2", "3"))
        done = run(self.script, "--launch", 4)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("it has 1 to 3", done.stderr)

    def test_a_script_that_launches_nothing_or_fails(self):
        done = run(self.script, "--", "none")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("launched no kernel", done.stderr)
        self.script.write_text("raise SystemExit(3)", encoding="utf-8")
        done = run(self.script)
        self.assertEqual(done.returncode, 2)
        self.assertIn("exit status 3", done.stderr)


if __name__ == "__main__":
    unittest.main()
