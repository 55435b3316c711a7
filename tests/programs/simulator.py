"""Numba's simulator (NUMBA_ENABLE_CUDASIM=1) beside the virtual GPU: simulator.py WARPLENS [--rounds N] prints a table.

The same Python text runs in both: a process each, and in it every kernel twice, so that what is compiled once stands apart. The
times are the shortest of the rounds. Each result is compared with NumPy's.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

import packages

SKIPPED = 77

PROGRAM = '''
import json, sys, time
began = time.perf_counter()
import numpy as np
from numba import cuda, float32

@cuda.jit
def add(out, a, b):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]

@cuda.jit
def block_sum(out, a):
    shared = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    shared[t] = a[i] if i < a.size else 0
    cuda.syncthreads()
    s = 32
    while s > 0:
        if t < s:
            shared[t] += shared[t + s]
        cuda.syncthreads()
        s //= 2
    if t == 0:
        out[cuda.blockIdx.x] = shared[0]

@cuda.jit
def multiply(c, a, b):
    x, y = cuda.grid(2)
    if x < c.shape[1] and y < c.shape[0]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[y, k] * b[k, x]
        c[y, x] = total

def ways():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 9, (2, 16384)).astype(np.float32)
    yield "vector addition, 16,384 elements", add, (64, 256), [np.zeros_like(a), a, b], a + b
    yield "sums of blocks, 4,096 elements, shared memory", block_sum, (64, 64), [np.zeros(64, np.float32), a[:4096]], \\
        a[:4096].reshape(64, 64).sum(1)
    m, n = rng.integers(0, 9, (2, 32, 32)).astype(np.float32)
    yield "product of 32 × 32 matrices", multiply, ((2, 2), (16, 16)), [np.zeros_like(m), m, n], m @ n

rows = {"import": time.perf_counter() - began}
for name, kernel, shape, arrays, want in ways():
    times = []
    for _ in range(2):
        given = [cuda.to_device(array) for array in arrays]
        start = time.perf_counter()
        kernel[shape](*given)
        cuda.synchronize()
        times.append(time.perf_counter() - start)
        assert (given[0].copy_to_host() == want).all(), name
    rows[name] = times
print(json.dumps(rows))
'''


def measure(command, python, variables):
    done = subprocess.run([*command, python, "-W", "ignore", "-c", PROGRAM], env={**os.environ, **variables},
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return json.loads(done.stdout)


def text(seconds):
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("warplens", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    python = packages.environment("numba-cuda")
    if python is None:
        return SKIPPED
    runs = {"simulator": ([], {"NUMBA_ENABLE_CUDASIM": "1"}),
            "virtual GPU": ([options.warplens.resolve(), "program", "--quiet", "--"], {}),
            "with `--sanitize all`": ([options.warplens.resolve(), "program", "--quiet", "--sanitize", "all", "--"], {})}
    all_rows = {name: [] for name in runs}
    for _ in range(options.rounds):
        for name, (command, variables) in runs.items():
            all_rows[name].append(measure(command, python, variables))
    print("| a launch | " + " | ".join(runs) + " |\n|---|" + "---|" * len(runs))
    for what in all_rows["simulator"][0]:
        cells = []
        for rows in all_rows.values():
            if what == "import":
                cells.append(text(min(row[what] for row in rows)))
            else:
                first, second = (min(row[what][i] for row in rows) for i in range(2))
                cells.append(f"{text(second)} (the first: {text(first)})")
        print(f"| {what} | " + " | ".join(cells) + " |")
    return 0


sys.exit(main())
