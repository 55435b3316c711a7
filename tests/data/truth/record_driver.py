#!/usr/bin/env python3
"""Writes registers_driver_h200.txt: what the driver of the GPU of this machine says of programs of registers.txt for sm_90.

    record_driver.py ROOT CUBINS > tests/data/truth/registers_driver_h200.txt

CUBINS has FILE.cubin for each program, as ptxas 13.5 assembles it. A line an entry: its resources in the loaded cubin, then
those that the driver's own compiler gives the PTX: registers, local, static shared and constant bytes.
"""
import ctypes
import pathlib
import sys

cuda = ctypes.CDLL("libcuda.so.1")
ATTRIBUTES = {"shared": 1, "const": 2, "local": 3, "registers": 4}


def check(result, what):
    if result != 0:
        raise RuntimeError(f"{what}: {result}")


def resources(image, entry):
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    check(cuda.cuModuleLoadData(ctypes.byref(module), image), "cuModuleLoadData")
    check(cuda.cuModuleGetFunction(ctypes.byref(function), module, entry.encode()), "cuModuleGetFunction")
    values = []
    for name in ("registers", "local", "shared", "const"):
        value = ctypes.c_int()
        check(cuda.cuFuncGetAttribute(ctypes.byref(value), ATTRIBUTES[name], function), name)
        values.append(value.value)
    cuda.cuModuleUnload(module)
    return values


def main():
    root, cubins = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    check(cuda.cuInit(0), "cuInit")
    context = ctypes.c_void_p()
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0), "context")
    check(cuda.cuCtxSetCurrent(context), "context")
    print("# By record_driver.py on an H200: file, entry, then registers, local, shared and constant bytes of the cubin by ptxas 13.5,")
    print("# and of the driver's own compiler")
    for line in (root / "tests/data/truth/registers.txt").read_text().splitlines():
        words = line.split()
        if line.startswith("#") or words[1] != "0" or words[2] != "90":
            continue
        file, entry = words[0], words[3]
        try:
            mine = resources((cubins / (file.replace("/", "_") + ".cubin")).read_bytes(), entry)
            theirs = resources((root / file).read_bytes() + b"\0", entry)
        except (RuntimeError, OSError) as error:
            print(f"# {file} {entry}: {error}")
            continue
        print(file, entry, *mine, *theirs)


if __name__ == "__main__":
    main()
