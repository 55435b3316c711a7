"""Runs built-in kernels and random programs in the program that is built for a web page and in the native one, and compares
what they say: counters, source lines, findings, faults and every byte of every output.

    compare.py PROGRAM WARPLENS_JS [KERNEL...] [--all] [--random CORE_TESTS [--every N]] [--threads N] [--json FILE]

A kernel whose lesson is its fault has to have the same fault in both, and no output. CORE_TESTS writes the random programs
(tests/core/gpu/exec/random_program.h, tests/core/reference/random_kernel.h). With --threads it is the build with threads, and
runs are on so many of them. With --json the tables are kept for figures.py.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from node import run_commands

HERE = pathlib.Path(__file__).resolve().parent
DEFAULT = ["grayscale", "matmul_tiled", "mandelbrot"]
SAME = ["status", "kernel", "entry", "launch", "counters", "lines", "checks", "sanitize", "findings", "faults"]
ROUNDS = 5
HELD_OR_NOT = (0, 1)  # done, or a fault or a finding that the report tells
# Without an assembler and photographs, as in a page, and with the instructions that every x86-64 has.
NATIVE = {"WARPLENS_PHOTOS_DIR": "none", "WARPLENS_PTXAS": "none", "WARPLENS_PTXAS12": "none", "WARPLENS_ISA": "baseline", "WARPLENS_TIER": "off"}
# NVRTC does not always give the same text for these: what both run is the text that is checked in.
CHECKED_IN = {"local_array": (["--grid", "32", "--block", "128"], HERE.parents[1] / "tests/data/golden/ptx/local_array.ptx")}
RANDOM = {"RandomPrograms": "random programs", "RandomKernels": "random kernels"}
MOST_SHOWN = 5
MOST_IN_A_PROCESS = 100


def words(kernel, out, workers):
    shape, what = CHECKED_IN.get(kernel, (["--check"], kernel))
    return ["run", str(what), "--device", "3060", *shape, "--workers", str(workers), "--json", "-", "--outputs", str(out)]


def random_words(path, out, workers):
    _, blocks, x, y = (path.stem + "_1").split("_")[:4]
    return ["run", str(path), "--device", "3060", "--grid", blocks, "--block", f"{x},{y}", "--workers", str(workers), "--json", "-", "--outputs", str(out)]


def timed(kernel, workers):
    return ["run", kernel, "--device", "3060", "--sanitize", "off", "--workers", str(workers), "--repeat", str(ROUNDS), "--json", "-"]


def run_native(program, command):
    ran = subprocess.run([program, *command], env=os.environ | NATIVE, capture_output=True, text=True)
    if ran.returncode not in HELD_OR_NOT:
        raise SystemExit(f"compare: {' '.join(command)}: status {ran.returncode}\n{ran.stderr}")
    return json.loads(ran.stdout)


def run_web(arguments, commands, folder):
    """In one process of Node.js for some of them at a time: each has a memory of its own, which a process keeps long."""
    said = []
    for first in range(0, len(commands), MOST_IN_A_PROCESS):
        said += run_some(arguments, commands[first:first + MOST_IN_A_PROCESS], folder / str(first))
    return said


def run_some(arguments, commands, folder):
    answers = run_commands(arguments.web, commands, folder, *([arguments.threads] if arguments.threads else []))
    for command, answer in zip(commands, answers):
        if answer["status"] not in HELD_OR_NOT:
            raise SystemExit(f"compare: in a page, {' '.join(command)}: status {answer['status']}\n{answer['complaints']}")
    return [json.loads(answer["said"]) for answer in answers]


def folder_of(scratch, number):
    first = number - number % MOST_IN_A_PROCESS
    return scratch / str(first) / str(number - first)


def bytes_below(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())} if folder.is_dir() else {}


def differences(native, web, native_outputs, web_outputs):
    found = [key for key in SAME if native[key] != web[key]]
    if not native_outputs and native["status"] == "ok":
        found.append("no output")
    names = native_outputs.keys() | web_outputs.keys()
    return found + [name for name in sorted(names) if native_outputs.get(name) != web_outputs.get(name)]


def compared(arguments, commands, scratch):
    """Of each command, which is a function of the folder of outputs: what is not the same, and how much was compared."""
    web = run_web(arguments, [command("/out") for command in commands], scratch / "web")
    for number, command in enumerate(commands):
        out = scratch / "native" / str(number)
        native = run_native(arguments.program, command(out))
        outputs = bytes_below(out)
        yield {"warp_instructions": (native["counters"] or {}).get("warp_instructions", 0),
               "bytes": sum(len(content) for content in outputs.values()),
               "differs": differences(native, web[number], outputs, bytes_below(folder_of(scratch / "web", number)))}


def times_of(native, web):
    return {"native_ms": native["host"]["execute_ms"], "web_ms": web["host"]["execute_ms"]}


def compare_kernels(arguments, kernels, scratch):
    workers = arguments.threads or 1
    rows = list(compared(arguments, [lambda out, kernel=kernel: words(kernel, out, workers) for kernel in kernels], scratch))
    web_times = run_web(arguments, [timed(kernel, workers) for kernel in kernels], scratch / "times")
    print(f"{'kernel':20} {'warp instructions':>17} {'bytes out':>10} {'native ms':>9} {'web ms':>8} {'ratio':>6}  same")
    for kernel, row, web in zip(kernels, rows, web_times):
        row |= {"name": kernel} | times_of(run_native(arguments.program, timed(kernel, workers)), web)
        ran = row["native_ms"] and row["web_ms"]  # to its end
        times = f"{row['native_ms']:>9.1f} {row['web_ms']:>8.1f} {row['web_ms'] / row['native_ms']:>6.2f}" if ran else f"{'-':>9} {'-':>8} {'-':>6}"
        print(f"{kernel:20} {row['warp_instructions']:>17,} {row['bytes']:>10,} {times}  "
              f"{'yes' if not row['differs'] else 'NO: ' + ', '.join(row['differs'])}")
    return rows


def write_programs(core_tests, suite, folder):
    folder.mkdir()
    subprocess.run([core_tests, "--gtest_also_run_disabled_tests", f"--gtest_filter={suite}.*WriteThem"],
                   env=os.environ | {"WARPLENS_PROGRAMS": str(folder)}, stdout=subprocess.DEVNULL, check=True)
    return sorted(folder.iterdir(), key=lambda path: int(path.stem.split("_")[0]))


def compare_random(arguments, scratch):
    rows = []
    for suite, title in RANDOM.items():
        (scratch / suite).mkdir()
        programs = write_programs(arguments.random, suite, scratch / suite / "programs")[::arguments.every]
        if not programs:
            raise SystemExit(f"compare: {arguments.random} wrote no {title}")
        found = list(compared(arguments, [lambda out, path=path: random_words(path, out, arguments.threads or 1) for path in programs], scratch / suite))
        wrong = [(path.name, row["differs"]) for path, row in zip(programs, found) if row["differs"]]
        for name, differs in wrong[:MOST_SHOWN]:
            print(f"{title}: {name} differs: {', '.join(differs)}")
        rows.append({"name": f"{len(found)} {title}", "differs": [name for name, _ in wrong]} |
                    {key: sum(row[key] for row in found) for key in ("warp_instructions", "bytes")})
        print(f"{rows[-1]['name']:20} {rows[-1]['warp_instructions']:>17,} {rows[-1]['bytes']:>10,}  "
              f"{'yes' if not wrong else f'NO: {len(wrong)} of them'}")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("web", help="build/web/warplens.js")
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--all", action="store_true", help="every built-in kernel")
    parser.add_argument("--random", metavar="CORE_TESTS", help="also the random programs that this program writes")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth of them")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="the build with threads, on N of them")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    kernels = arguments.kernels or DEFAULT
    if arguments.all:
        listed = json.loads(subprocess.run([arguments.program, "kernels", "--json"], capture_output=True, check=True).stdout)
        kernels = [kernel["name"] for kernel in listed["kernels"]]
    with tempfile.TemporaryDirectory() as scratch:
        rows = compare_kernels(arguments, kernels, pathlib.Path(scratch))
        rows += compare_random(arguments, pathlib.Path(scratch)) if arguments.random else []
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(rows, indent=1))
    failed = sum(bool(row["differs"]) for row in rows)
    print(f"{len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
