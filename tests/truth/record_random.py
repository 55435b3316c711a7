#!/usr/bin/env python3
"""Runs random programs on the GPU of this machine and prints a hash of what each leaves in memory.

    WARPLENS_PROGRAMS=programs core_tests --gtest_also_run_disabled_tests --gtest_filter='*WriteThem'
    record_random.py programs > random_programs_h200.txt      needs ptxas on the PATH, and CuPy

A file's name says seed, blocks and block shape: 17_2_33_1.ptx."""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

import cupy
import numpy as np


def assemble(number, paths, folder):
    parts = [".version 7.8\n.target sm_80\n.address_size 64\n"]
    for path in paths:
        body = path.read_text().split(".address_size 64", 1)[1]
        parts.append(re.sub(r"\bentry test\b", "entry test_" + path.stem, body))
    ptx, cubin = folder / f"{number}.ptx", folder / f"{number}.cubin"
    ptx.write_text("\n".join(parts))
    subprocess.run(["ptxas", "-arch=sm_90", "-o", cubin, ptx], check=True)
    return cubin


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def main():
    paths = sorted(pathlib.Path(sys.argv[1]).glob("*.ptx"), key=lambda p: int(p.stem.split("_")[0]))
    with tempfile.TemporaryDirectory() as folder:
        groups = [paths[i::16] for i in range(16)]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            cubins = list(pool.map(lambda n: assemble(n, groups[n], pathlib.Path(folder)), range(16)))
        modules = [cupy.RawModule(path=str(c)) for c in cubins]
        for i, path in enumerate(paths):
            seed, blocks, x, y = map(int, path.stem.split("_"))
            out = cupy.zeros(4 * blocks * x * y, dtype=np.uint32)
            modules[i % 16].get_function("test_" + path.stem)((blocks,), (x, y), (out,))
            print(seed, format(fnv(out.get().tobytes()), "016x"))


main()
