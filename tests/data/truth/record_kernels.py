#!/usr/bin/env python3
"""Runs the built-in kernels on the GPU of this machine and records a hash of every output.

    WARPLENS_EXPORT_KERNELS=FOLDER build/dev/core_tests --gtest_filter=KernelTruth.*
    record_kernels.py FOLDER TRUTH.json       (needs ptxas, CuPy and NumPy)
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import cupy
import numpy

import texture_objects


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def module_of(ptx):
    # Nothing is fused that the PTX does not fuse, as on the virtual GPU.
    cubin = tempfile.NamedTemporaryFile(suffix=".cubin", delete=False).name
    subprocess.run(["ptxas", "-arch=sm_90", "--fmad=false", "-o", cubin, str(ptx)], check=True)
    return cupy.RawModule(path=cubin)


def scalar(argument):
    return numpy.array([argument["bits"]], dtype="uint64").view({1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64"}[argument["bytes"]])[0]


def outputs_of(folder, name, case):
    module = module_of(folder / f"{name}.ptx")
    arrays = []
    for buffer in case["buffers"]:
        data = numpy.zeros(buffer["bytes"], dtype="uint8")
        if buffer["file"]:
            data = numpy.fromfile(folder / buffer["file"], dtype="uint8")
        arrays.append(cupy.asarray(data))
    for variable in case["globals"]:
        data = cupy.asarray(numpy.fromfile(folder / variable["file"], dtype="uint8"))
        module.get_global(variable["symbol"]).copy_from_device(data.data, data.nbytes)
    keep = []

    def argument(a):
        if "texture" not in a:
            return arrays[a["buffer"]] if "buffer" in a else scalar(a)
        handle, array = texture_objects.make(a["texture"], arrays[a["texture"]["buffer"]].get().tobytes())
        keep.append(array)
        return numpy.uint64(handle)
    for launch in case["launches"]:
        arguments = [argument(a) for a in launch["arguments"]]
        module.get_function(launch["entry"])(tuple(launch["grid"]), tuple(launch["block"]), tuple(arguments))
    cupy.cuda.runtime.deviceSynchronize()
    return {b["name"]: fnv(array.get().tobytes()) for b, array in zip(case["buffers"], arrays) if b["output"]}


def main():
    folder = pathlib.Path(sys.argv[1])
    truth = {}
    for name, case in json.loads((folder / "kernels.json").read_text()).items():
        try:
            truth[name] = outputs_of(folder, name, case)
        except Exception as error:  # one kernel that fails must not lose the others
            print(name, error, file=sys.stderr)
    pathlib.Path(sys.argv[2]).write_text(json.dumps(truth, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
