"""Runs Python programs, each in a process of its own, which begins with Numba imported and its first kernel compiled: that
takes one and a half seconds of the processor, and dozens of files want it. No process is forked behind cuInit.

Started by warm.py. A line of JSON on standard input is an order: `command`, as it stands behind `python`; `variables` of its
environment; the `folder` that it runs in; the file for its `output`. The answers are the number of the process, and when
it has ended its status, negative for a signal, a line each.
"""
import importlib
import json
import os
import runpy
import sys


def imported(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def warm_up():
    for name in ("numpy", "pytest"):
        imported(name)
    # Its compiler makes threads, and its tests ask what it does without Numba.
    if imported("numba_cuda_mlir.cuda"):
        return
    for name in ("numba.cuda", "numba.cuda.testing"):
        imported(name)
    cuda = sys.modules.get("numba.cuda")
    if cuda is not None:
        from numba import float32, int32
        cuda.compile_ptx(first_kernel(cuda), (float32[:], int32), cc=(8, 6))


def first_kernel(cuda):
    def kernel(values, n):
        i = cuda.grid(1)
        if i < n:
            values[i] += 1.5
    return kernel


def become(order):
    """This process is the program from here on, as far as it can see."""
    os.setsid()
    os.environ.update(order["variables"])
    if order["folder"]:
        os.chdir(order["folder"])
    nothing, output = os.open(os.devnull, os.O_RDONLY), os.open(order["output"], os.O_WRONLY | os.O_APPEND)
    for descriptor, stream in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(descriptor, stream)
    os.close(nothing)
    os.close(output)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # what was read ahead of the orders is not the program's
    command = order["command"]
    if command[0] == "-m":
        sys.argv, sys.path[0] = command[1:], os.getcwd()
        runpy.run_module(command[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv, sys.path[0] = command, os.path.dirname(command[0])
        runpy.run_path(command[0], run_name="__main__")


def answer(words):
    os.write(1, f"{words}\n".encode())


def main():
    warm_up()
    for line in iter(sys.stdin.readline, ""):
        process = os.fork()
        if process == 0:
            become(json.loads(line))
            return
        answer(process)
        answer(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))


if __name__ == "__main__":
    main()
