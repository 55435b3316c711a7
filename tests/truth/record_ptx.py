#!/usr/bin/env python3
"""Runs cases of tests/ptx on the GPU of this machine and records what it answers.

    record_ptx.py CASES_DIR TRUTH.json [--new]      needs ptxas on the PATH, and CuPy; --new: only those without answers
    record_ptx.py CASES_DIR --assemble [--new]      only assembles the cases

Cases without textures make one module; each with a texture makes one of its own, so that a form that the driver does not
load (txq of a bindless object) takes nothing along. The PTX goes through ptxas with --fmad=false, since the virtual GPU does not fuse. Each form runs with all of its
lanes; the tests derive the guarded and the divergent variants from the same answers.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import texture_objects

SENTINEL = 0xA5


def combined(cases):
    """One module of all cases: kernel test_N is case N."""
    parts = [".version 8.6\n.target sm_90\n.address_size 64\n"]
    for n, path in enumerate(cases):
        body = path.read_text().split(".address_size 64", 1)[1]
        body = re.sub(r"\bentry test\b", f"entry test_{n}", body)
        body = re.sub(r"\b(AGAIN|DONE)\b", rf"\1_{n}", body)
        parts.append(re.sub(r"\b(room|table)\b", rf"\1_{n}", body))
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
                print(cases[0] if len(cases) == 1 else "", message, "|", lines[int(at.group(1)) - 1].strip() if at else "")
            return None
        return cubin.read_bytes()


def modules(cases):
    plain = [c for c in cases if "// texture " not in c.read_text()]
    return [plain] * bool(plain) + [[c] for c in cases if c not in plain]


def offsets(sizes):
    at, places = 0, []
    for s in sizes:
        at = (at + s - 1) // s * s
        places.append(at)
        at += s
    return places, (at + 7) // 8 * 8


def read_case(path):
    lines = path.read_text().split("\n")
    header = {l.split()[1]: [int(x) for x in l.split()[2:]] for l in lines if re.match(r"// (in|out) ", l)}
    rows = [[int(v, 16) for v in re.split(r" = ", l[5:])[0].split()] for l in lines if l.startswith("// :")]
    texture = next((l[len("// texture "):] for l in lines if l.startswith("// texture ")), "")
    return header["in"], header["out"], rows, texture


def run_case(cupy, function, case):
    ins, outs, rows, texture = case
    in_at, in_stride = offsets(ins)
    out_at, out_stride = offsets(outs)
    data = bytearray(in_stride * len(rows))
    for r, row in enumerate(rows):
        for value, size, at in zip(row, ins, in_at):
            data[r * in_stride + at:r * in_stride + at + size] = value.to_bytes(size, "little")
    given = cupy.frombuffer(bytes(data), dtype=cupy.uint8)
    result = cupy.full(out_stride * len(rows), SENTINEL, dtype=cupy.uint8)
    handle, keep = texture_objects.create(cupy, texture) if texture else (0, None)
    function((1,), (len(rows),), (given, result, cupy.uint32(0xffffffff)) + (cupy.uint64(handle),) * bool(texture))
    answer = result.get().tobytes()
    return [[answer[r * out_stride + at:r * out_stride + at + size][::-1].hex() for size, at in zip(outs, out_at)]
            for r in range(len(rows))]


def main():
    cases = sorted(pathlib.Path(sys.argv[1]).glob("*/*.ptx"))
    if "--new" in sys.argv:
        cases = [c for c in cases if " = ?" in c.read_text()]
    groups = modules(cases)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        cubins = list(pool.map(lambda group: assemble(group, "sm_90"), groups))
    if sys.argv[2] == "--assemble":
        sys.exit("ptxas refuses some cases" if None in cubins else 0)
    import cupy
    results = {}
    for group, cubin in zip(groups, cubins):
        if cubin is None:
            continue
        with tempfile.NamedTemporaryFile(suffix=".cubin", delete=False) as f:
            f.write(cubin)
        try:
            module = cupy.RawModule(path=f.name)
            for n, path in enumerate(group):
                results[str(path.relative_to(sys.argv[1]))] = run_case(cupy, module.get_function(f"test_{n}"), read_case(path))
        except (RuntimeError, cupy.cuda.driver.CUDADriverError) as error:
            print("not recorded:", *(path.relative_to(sys.argv[1]) for path in group[:1]), error)
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    pathlib.Path(sys.argv[2]).write_text(json.dumps({"device": device, "results": results}))
    print(len(results), "cases on", device)


if __name__ == "__main__":
    main()
