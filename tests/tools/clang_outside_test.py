#!/usr/bin/env python3
"""The CUDA sources of tests/outside, compiled by clang with our own headers: each of their launches gives what an NVIDIA H200
gave for NVIDIA's compiler.

  tests/tools/clang_outside_test.py build/release/warplens

Which products and sums are fused differs between the compilers, so floats may differ where LAST_PLACES names the
launch. Skipped where there is no clang.
"""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
OUTSIDE = os.path.join(ROOT, "tests/outside")
DATA = os.path.join(ROOT, "tests/data/outside")
SOURCES = ("cuda_programs", "texture_programs", "curand_programs")
# Not compiled, with the reason.
LEFT_OUT = {
    "wide_integers": "clang before 16 has no division of 128-bit integers for a GPU",
}
# Relative, with the reason.
LAST_PLACES = {
    "cuda_curand_normal": 2e-6,
    "cuda_determinants": 1e-3,  # sums of products that nearly cancel
    "cuda_float_intrinsics": 1e-6,
    "cuda_special_functions": 2e-15,
}


def source_of(described):
    """The program whose kernel a launch runs: it names PTX, or the source where PTX would be large."""
    return os.path.splitext(os.path.basename(described.get("ptx") or described.get("source", "")))[0]


def without(source, kernel):
    """The source without one kernel, which ends where the next line begins with something else."""
    return re.sub(r'extern "C" __global__ void ' + kernel + r"\(.*?\n}\n", "", source, flags=re.S)


def compile_source(program, name, left_out, folder):
    with open(os.path.join(OUTSIDE, "programs", name + ".cu")) as file:
        source = file.read()
    for kernel in left_out:
        source = without(source, kernel)
    path = os.path.join(folder, name + ".cu")
    with open(path, "w") as file:
        file.write(source)
    return subprocess.run([program, "compile", path, "--compiler", "clang", "--device", "H200", "--out",
                           os.path.join(folder, name + ".ptx")], capture_output=True, text=True)


def run(program, launch, folder):
    """What is wrong with it; empty if nothing is."""
    name = os.path.splitext(os.path.basename(launch))[0]
    with open(launch) as file:
        described = json.load(file)
    for part in described["buffers"] + described.get("expect", []):
        if "file" in part:
            part["file"] = os.path.join(DATA, part["file"])
    described["ptx"] = source_of(described) + ".ptx"
    described.pop("source", None)
    if name in LAST_PLACES:
        for part in described["expect"]:
            part["rtol"] = LAST_PLACES[name]
    path = os.path.join(folder, name + ".json")
    with open(path, "w") as file:
        json.dump(described, file)
    done = subprocess.run([program, "run", path, "--check", "--json", "-", "--device", "H200", "--workers", "1"],
                          capture_output=True, text=True, timeout=120, env={**os.environ, "XDG_DATA_HOME": ""})
    if done.returncode == 0:
        return ""
    try:
        report = json.loads(done.stdout)
        return report.get("message") or json.dumps(report["checks"])[:300]
    except ValueError:
        return done.stderr.strip().split("\n")[0]


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        compiled = {}
        left_out = dict(LEFT_OUT)
        for name in SOURCES:
            done = compile_source(program, name, left_out, folder)
            if done.returncode == 3:
                print("skipped: " + done.stderr.strip())
                return 77
            if done.returncode != 0:
                print(done.stdout + done.stderr)
                return 1
            compiled[name] = done.stdout.split("\n")[0]
            print(compiled[name])
        launches = []
        for path in sorted(glob.glob(os.path.join(DATA, "*.json"))):
            with open(path) as file:
                described = json.load(file)
            if source_of(described) in SOURCES and described["entry"] not in left_out:
                launches.append(path)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda path: run(program, path, folder), launches))
    wrong = 0
    for path, what in zip(launches, found):
        if what:
            wrong += 1
            print(f"WRONG {os.path.basename(path)}: {what}")
    print(f"{len(launches) - wrong} of {len(launches)} launches are right by clang")
    return 1 if wrong or len(launches) < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
