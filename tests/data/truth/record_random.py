#!/usr/bin/env python3
"""Runs random programs on the GPU of this machine and prints a hash of what each leaves in memory.

    WARPLENS_PROGRAMS=programs core_tests --gtest_also_run_disabled_tests --gtest_filter='RandomPrograms*WriteThem'
    record_random.py programs > random_programs_h200.txt      needs ptxas on the PATH, and CuPy
    WARPLENS_PROGRAMS=kernels core_tests --gtest_also_run_disabled_tests --gtest_filter='RandomKernels*WriteThem'
    record_random.py kernels > random_kernels_h200.txt

A file's name says seed, blocks and block shape: 17_2_33_1.ptx, or, of the kernels with three buffers, 17_2_33.ptx."""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

import cupy
import numpy as np


# Kernels that leave other values once ptxas 13.0 has optimised them than unoptimised.
UNOPTIMISED = ["121_2_31", "151_2_31"]


def assemble(path, folder):
    cubin = folder / (path.stem + ".cubin")
    level = "-O0" if path.stem in UNOPTIMISED else "-O3"
    subprocess.run(["ptxas", level, "-arch=sm_90", "-o", cubin, path], check=True)
    return cubin


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def buffers(seed, blocks, x, y=None):
    threads = blocks * x * (y or 1)
    sizes = [16 * threads] if y else [64 * threads, 7 * 64, 64 * threads]
    return [cupy.zeros(size, dtype=np.uint8) for size in sizes]


def main():
    paths = sorted(pathlib.Path(sys.argv[1]).glob("*.ptx"), key=lambda p: int(p.stem.split("_")[0]))
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor() as pool:
            cubins = list(pool.map(lambda path: assemble(path, pathlib.Path(folder)), paths))
        for path, cubin in zip(paths, cubins):
            shape = list(map(int, path.stem.split("_")))
            memory = buffers(*shape)
            module = cupy.RawModule(path=str(cubin))
            module.get_function("test")((shape[1],), tuple(shape[2:]), tuple(memory))
            left = b"".join(buffer.get().tobytes() for buffer in memory)
            print(shape[0], format(fnv(left), "016x"), flush=True)


main()
