#!/usr/bin/env python3
"""Runs cases of tests/data/ptx on the GPU of this machine and records what it answers.

    record_ptx.py CASES_DIR TRUTH.json [--new]      needs ptxas on the PATH, and CuPy; --new: only those without answers
    record_ptx.py CASES_DIR --assemble [--new]      only assembles the cases

Cases without textures make one module; each with a texture makes one of its own, so that a form that the driver does not
load takes nothing along. The PTX goes through ptxas with --fmad=false, since the virtual GPU does not fuse. Each form
runs with all of its lanes; the tests derive the guarded and the divergent variants from the same answers.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import texture_objects
from ptx_tables import offsets, read_tables

SENTINEL = 0xA5


def combined(cases):
    """One module of all cases: kernel test_N is case N."""
    parts = [".version 8.6\n.target sm_90\n.address_size 64\n"]
    for n, case in enumerate(cases):
        # Variables belong to the module.
        parts.append(re.sub(r"\b(room|table)\b", rf"\1_{n}", case.kernel(f"test_{n}")))
    return "\n".join(parts)


def assemble(cases, arch):
    """The cubin of a module with these cases; None where ptxas refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = pathlib.Path(folder, "cases.ptx"), pathlib.Path(folder, "cases.cubin")
        ptx.write_text(combined(cases))
        run = subprocess.run(["ptxas", f"-arch={arch}", "--fmad=false", "-o", cubin, ptx], capture_output=True, text=True)
        if run.returncode != 0:
            lines = ptx.read_text().split("\n")
            for message in run.stderr.split("\n")[:60]:
                at = re.search(r"line (\d+);", message)
                print(cases[0].name if len(cases) == 1 else "", message, "|", lines[int(at.group(1)) - 1].strip() if at else "")
            return None
        return cubin.read_bytes()


def modules(cases):
    """Lists of names."""
    return [[name for name in cases if not cases[name].texture]] + [[name] for name in cases if cases[name].texture]


def run_case(cupy, function, case):
    in_at, in_stride = offsets(case.ins)
    out_at, out_stride = offsets(case.outs)
    count = len(case.rows)
    data = bytearray(in_stride * count)
    for r, row in enumerate(case.rows):
        for value, size, at in zip(row.operands, case.ins, in_at):
            data[r * in_stride + at:r * in_stride + at + size] = int(value, 16).to_bytes(size, "little")
    given = cupy.frombuffer(bytes(data), dtype=cupy.uint8)
    result = cupy.full(out_stride * count, SENTINEL, dtype=cupy.uint8)
    handle, keep = texture_objects.create(cupy, case.texture) if case.texture else (0, None)
    function((1,), (count,), (given, result, cupy.uint32(0xffffffff)) + (cupy.uint64(handle),) * bool(case.texture))
    answer = result.get().tobytes()
    return [[answer[r * out_stride + at:r * out_stride + at + size][::-1].hex() for size, at in zip(case.outs, out_at)]
            for r in range(count)]


def main():
    cases = read_tables(pathlib.Path(sys.argv[1]))
    if "--new" in sys.argv:
        cases = {name: case for name, case in cases.items() if not case.is_recorded()}
    groups = [names for names in modules(cases) if names]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        cubins = list(pool.map(lambda names: assemble([cases[name] for name in names], "sm_90"), groups))
    if sys.argv[2] == "--assemble":
        sys.exit("ptxas refuses some cases" if None in cubins else 0)
    import cupy
    results = {}
    for names, cubin in zip(groups, cubins):
        if cubin is None:
            continue
        with tempfile.NamedTemporaryFile(suffix=".cubin", delete=False) as f:
            f.write(cubin)
        try:
            module = cupy.RawModule(path=f.name)
            for n, name in enumerate(names):
                results[name] = run_case(cupy, module.get_function(f"test_{n}"), cases[name])
        except (RuntimeError, cupy.cuda.driver.CUDADriverError) as error:
            print("not recorded:", names[0], error)
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    pathlib.Path(sys.argv[2]).write_text(json.dumps({"device": device, "results": results}))
    print(len(results), "cases on", device)


if __name__ == "__main__":
    main()
