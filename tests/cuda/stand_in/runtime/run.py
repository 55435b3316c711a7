"""Compiles and runs a program of tests/cuda/stand_in/runtime or tests/cuda/stand_in/libraries: on the virtual GPU, or with `-` in place of the launcher's path by NVIDIA's
own compiler and library on a real GPU.

    run.py build/release/warplens memory.cu
    run.py - linked
    run.py - ../libraries/blas_gemm.cu
    run.py build/release/warplens memory.cu clang      by clang and headers of our own, without a file of NVIDIA's
    run.py build/release/warplens ../libraries/nccl_streams.cu devices=3 stream-order=late    with these options of the launcher
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


def lacks_headers(nvcc, text):
    """Whether a program of cuBLAS or its like cannot be compiled: NVIDIA's compiler alone has no headers for them."""
    top = pathlib.Path(nvcc).resolve().parents[1]
    return any(f"<{name}>" in text and not (top / "include" / name).exists() for name in ("cublas_v2.h", "cublasLt.h", "curand.h", "curand_kernel.h", "cufft.h", "cusolverDn.h", "cusparse.h"))


def has_clang(launcher):
    """Whether the launcher finds a clang that compiles programs, where it is the chosen compiler."""
    told = subprocess.run([launcher, "doctor"], capture_output=True, text=True, check=False)
    return "programs with a main() by clang" in told.stdout


def choose_compiler(launcher, by_clang):
    """Chooses the compiler for all that is started, and says why programs cannot be compiled by it; None if they can."""
    os.environ["WARPLENS_COMPILER"] = "clang" if by_clang else "nvrtc"
    if by_clang and not has_clang(launcher):
        return "skipped: there is no clang on this machine (apt install clang)"
    if not by_clang and not find_nvcc():
        return "skipped: there is no nvcc on this machine (warplens fetch nvcc brings one)"
    return None


def main():
    launcher, name = sys.argv[1], sys.argv[2]
    by_clang = "clang" in sys.argv[3:]
    given = [word.split("=") for word in sys.argv[3:] if "=" in word]
    if why := choose_compiler(launcher, by_clang):
        print(why)
        return SKIPPED
    own = ["ARCH=-arch=native"] if launcher == "-" else []
    flags = "-arch=native" if launcher == "-" else "-arch=sm_50"
    text = "" if name == "linked" else (HERE / name).read_text(encoding="utf-8")
    for header in re.findall(r'^#include "(.*)"', text, re.M):
        text += ((HERE / name).parent / header).read_text(encoding="utf-8")
    # A program may name the launcher's options that it needs: "// warplens: …"
    options = " ".join(re.findall(r"^// warplens:(.*)", text, re.M)).split()
    for option, value in given:  # in place of the program's own
        options = [word for at, word in enumerate(options) if f"--{option}" not in options[max(at - 1, 0):at + 1]] + [f"--{option}", value]
    in_front = [] if launcher == "-" else [launcher, "program", "--quiet", *options, "--"]
    if not by_clang and lacks_headers(find_nvcc(), text):
        print("skipped: NVIDIA's headers of cuBLAS and the other libraries are not on this machine")
        return SKIPPED
    if name != "linked":  # a program may begin with the options that it needs: "// nvcc: …"
        flags += "".join(re.findall(r"\A// nvcc:( .*)", text))
    with tempfile.TemporaryDirectory() as folder:
        if name == "linked":
            command = ["make", "-s", "-f", str(HERE / "linked" / "Makefile"), f"OUT={folder}", "run", *own]
        else:
            command = ["sh", "-c", f'nvcc -std=c++17 "$0" {flags} -o "$1/program" -lcuda && "$1/program"', str(HERE / name), folder]
        done = subprocess.run([*in_front, *command], capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr, end="")
    counts = [(int(held), int(all_of)) for held, all_of in re.findall(r"^(\d+) of (\d+) hold$", done.stdout, re.M)]
    right = done.returncode == 0 and counts and all(held == all_of > 0 for held, all_of in counts)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
