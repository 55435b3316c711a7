"""Compiles and runs a program of tests/runtime: on the virtual GPU, or with `-` in place of the launcher's path by NVIDIA's
own compiler and library on a real GPU.

    run.py build/release/warplens memory.cu
    run.py - linked
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77


def find_nvcc():
    for path in (os.environ.get("WARPLENS_NVCC"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc",
                 *map(str, (pathlib.Path.home() / ".cache" / "warplens").glob("nvcc-*/nvidia/cu13/bin/nvcc"))):
        if path and os.access(path, os.X_OK):
            return path
    return None


def main():
    launcher, name = sys.argv[1], sys.argv[2]
    if not find_nvcc():
        print("skipped: there is no nvcc on this machine (warplens fetch nvcc brings one)")
        return SKIPPED
    in_front = [] if launcher == "-" else [launcher, "program", "--quiet", "--"]
    own = ["ARCH=-arch=native"] if launcher == "-" else []
    flags = "-arch=native" if launcher == "-" else "-arch=sm_50"
    with tempfile.TemporaryDirectory() as folder:
        if name == "linked":
            command = ["make", "-s", "-f", str(HERE / "linked" / "Makefile"), f"OUT={folder}", "run", *own]
        else:
            command = ["sh", "-c", f'nvcc -std=c++17 {flags} "$0" -o "$1/program" -lcuda && "$1/program"', str(HERE / name), folder]
        done = subprocess.run([*in_front, *command], capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr, end="")
    counts = [(int(held), int(all_of)) for held, all_of in re.findall(r"^(\d+) of (\d+) hold$", done.stdout, re.M)]
    right = done.returncode == 0 and counts and all(held == all_of > 0 for held, all_of in counts)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
