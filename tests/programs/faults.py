"""A mistake of each kind in Numba, on the driver: CUDA's own code reaches the program, and one sentence has the line of the
Python file.

  faults.py WARPLENS

Exit status 77 where the packages of requirements/numba-cuda.txt cannot be had.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import packages

SKIPPED = 77
HEAD = """\
import ctypes
import numpy as np
from numba import cuda

def launch(kernel, *arguments, blocks=1, threads=64, shared=0):
    kernel[blocks, threads, 0, shared](*arguments)
    cuda.synchronize()

one = cuda.to_device(np.zeros(64, np.float32))
"""
# name, additional options of `warplens program`, exit code (0: the program continues), kind of the finding, program.
# The line that the sentence must name ends with "# here"; a mistake of the host's own has none. The script does not
# have to ask for line numbers.
FAULTS = [
    ("out_of_bounds", [], 700, "out_of_bounds", """
@cuda.jit
def kernel(a):
    a[cuda.grid(1) + 1000000] = 1  # here
launch(kernel, one)
"""),
    ("with_its_own_lineinfo", [], 700, "out_of_bounds", """
@cuda.jit(lineinfo=True)
def kernel(a):
    a[cuda.grid(1) + 1000000] = 1  # here
launch(kernel, one)
"""),
    ("with_debug", [], 700, "out_of_bounds", """
@cuda.jit("void(float32[::1])", debug=True, opt=False)
def kernel(a):
    a[cuda.grid(1) + 1000000] = 1  # here
launch(kernel, one)
"""),
    ("without_lines", ["--no-lines"], 700, "out_of_bounds", """
@cuda.jit
def kernel(a):
    a[cuda.grid(1) + 1000000] = 1
launch(kernel, one)
"""),
    ("race", ["--sanitize", "all"], 0, "race", """
@cuda.jit
def kernel(a):
    a[0] += 1  # here
launch(kernel, one)
"""),
    ("endless", ["--steps", "200000"], 702, "step_limit", """
@cuda.jit
def kernel(a):
    while a[0] >= 0:  # here
        a[1] = a[0]
launch(kernel, one)
"""),
    ("deadlock", [], 702, "deadlock", """
@cuda.jit
def kernel(a):
    if cuda.threadIdx.x < 16:
        a[0] = cuda.shfl_sync(0xffffffff, a[1], 0)  # here
    else:
        cuda.syncthreads()
launch(kernel, one, threads=32)
"""),
    # NVIDIA's compiler refuses both with Numba's variables among the line information.
    ("early_return", [], 0, "barrier_divergence", """
from numba import float64
@cuda.jit
def fill(a, out):
    part = cuda.shared.array(128, dtype=float64)
    t = cuda.threadIdx.x
    if t >= 100:
        return
    if a[t] < 0:
        part[t] = 0.0
    else:
        part[t] = a[t] * 2
        cuda.syncthreads()  # here
    if t == 0:
        total = 0.0
        for k in range(100):
            total += part[k]
        out[0] = total
a = np.arange(100, dtype=np.float64)
a[50] = -1
fill[1, 128](a, np.zeros(1))
"""),
    ("early_return_of_a_function", [], 0, "barrier_divergence", """
from numba import int32
@cuda.jit(device=True)
def gather(part, values, t):
    if t >= 20:
        return 0
    if values[t] == 0:
        part[t] = 1
    else:
        part[t] = values[t]
        cuda.syncthreads()  # here
    count = 0
    if t == 0:
        for k in range(20):
            count += part[k]
    return count
@cuda.jit("void(int32[::1], int32[::1])")
def kernel(values, out):
    part = cuda.shared.array(32, int32)
    found = gather(part, values, cuda.threadIdx.x)
    if cuda.threadIdx.x == 0:
        out[0] = found
kernel[1, 32](np.arange(32, dtype=np.int32), np.zeros(1, np.int32))
"""),
    ("misaligned", [], 716, "misaligned", """
record = np.dtype([("tag", np.uint8), ("value", np.float32)], align=False)
odd = cuda.to_device(np.zeros(64, np.uint8))[1:5].view(np.float32)
@cuda.jit
def kernel(a):
    a[0] = 1  # here
launch(kernel, odd)
"""),
    ("use_after_free", [], 700, "out_of_bounds", """
@cuda.jit
def kernel(a):
    a[cuda.grid(1)] = 1  # here
gone = cuda.to_device(np.zeros(64, np.float32))
kept = gone.gpu_data.device_ctypes_pointer.value if hasattr(gone.gpu_data, "device_ctypes_pointer") else 0
kernel[1, 64](gone)
cuda.synchronize()
driver = ctypes.CDLL("libcuda.so.1")
assert driver.cuMemFree_v2(ctypes.c_uint64(gone.__cuda_array_interface__["data"][0])) == 0
launch(kernel, gone)
"""),
    ("host_pointer", [], 700, "out_of_bounds", """
@cuda.jit
def kernel(a):
    a[cuda.grid(1)] = 1  # here
class Host:
    values = np.zeros(64, np.float32)
    __cuda_array_interface__ = {**values.__array_interface__, "version": 2}
launch(kernel, cuda.as_cuda_array(Host()))
"""),
    ("too_much_shared", [], 1, "refused", """
@cuda.jit
def kernel(a):  # here
    a[0] = 1
launch(kernel, one, shared=1 << 20)
"""),
    ("bad_launch", [], 1, "refused", """
@cuda.jit
def kernel(a):  # here
    a[0] = 1
launch(kernel, one, threads=2000)
"""),
    ("freed_twice", [], 1, "call", """
driver = ctypes.CDLL("libcuda.so.1")
address = ctypes.c_uint64(one.__cuda_array_interface__["data"][0])
assert driver.cuMemFree_v2(address) == 0
code = driver.cuMemFree_v2(address)
raise RuntimeError(f"[{code}]")
"""),
    ("other_context", [], 400, "call", """
driver = ctypes.CDLL("libcuda.so.1")
ptx = b".version 7.0\\n.target sm_50\\n.address_size 64\\n.visible .entry k()\\n{\\nret;\\n}\\n"
module, function, context = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
assert driver.cuModuleLoadData(ctypes.byref(module), ptx) == 0
assert driver.cuModuleGetFunction(ctypes.byref(function), module, b"k") == 0
assert driver.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
code = driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None)
raise RuntimeError(f"[{code}]")
"""),
    ("blocks_rounded_down", [], 0, "unwritten", """
@cuda.jit
def kernel(x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = 2 * x[i]
x = cuda.to_device(np.zeros(1000))
y = cuda.device_array(1000)
launch(kernel, x, y, blocks=1000 // 256, threads=256)
y.copy_to_host()  # here
"""),
    ("nothing_written", [], 0, "unwritten", """
@cuda.jit
def kernel(a, b):
    b[cuda.grid(1)] = a[cuda.grid(1)]
result = cuda.device_array(64, np.float32)
launch(kernel, result, one)
result.copy_to_host()  # here
"""),
]


def check(warplens, python, folder, name, options, code, kind, text):
    """What is wrong; empty if nothing."""
    script, report = folder / f"{name}.py", folder / f"{name}.json"
    script.write_text(HEAD + text, encoding="utf-8")
    command = [warplens, "program", *options, "--json", report, "--", python, "-W", "ignore", script]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300)
    if (done.returncode != 0) != (code != 0):
        return f"exit status {done.returncode}: {done.stderr[-800:]}"
    if code != 0 and not re.search(rf"\[{code}\]|\b{code}\b|{CODES[code]}", done.stderr):
        return f"the program was not told {code}: {done.stderr[-800:]}"
    told = json.loads(report.read_text(encoding="utf-8"))
    findings = told["findings"] + told["warnings"]
    if not any(finding["kind"] == kind and (finding.get("cuda_error") or 0) == code for finding in findings):
        return f"no finding {kind} with {code}: {findings}"
    line = next((i for i, row in enumerate((HEAD + text).splitlines(), 1) if row.endswith("# here")), 0)
    said = [row for row in done.stderr.splitlines() if row.startswith("warplens: ")]
    if "--no-lines" in options and any(f"{script.name}:" in row for row in said):
        return f"a line in spite of --no-lines: {said}"
    warned = {place["line"] for warning in told["warnings"] if warning["kind"] == kind for place in warning["lines"]}
    if line and line not in warned and not any(f"{script.name}:{line}:" in row for row in said):
        return f"no sentence with line {line}: {said}"
    return ""


CODES = {1: "INVALID_VALUE", 400: "INVALID_HANDLE", 700: "ILLEGAL_ADDRESS", 702: "LAUNCH_TIMEOUT", 716: "MISALIGNED_ADDRESS"}


def main():
    warplens, python = pathlib.Path(sys.argv[1]).resolve(), packages.environment("numba-cuda")
    if python is None:
        return SKIPPED
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for fault in FAULTS:
            message = check(warplens, python, pathlib.Path(folder), *fault)
            wrong += message != ""
            print(f"{fault[0]}: {message or 'as CUDA has it'}", flush=True)
    print(f"{len(FAULTS)} mistakes, {wrong} told wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
