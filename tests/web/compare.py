"""Runs built-in kernels in the program that is built for a web page and in the native one, and compares what they say:
counters, source lines, findings, faults and every byte of every output.

    compare.py PROGRAM WARPLENS_JS [KERNEL...|--all]

A kernel whose lesson is its fault has to have the same fault in both, and no output.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DEFAULT = ["grayscale", "matmul_tiled", "mandelbrot"]
SAME = ["status", "kernel", "entry", "launch", "counters", "lines", "checks", "sanitize", "findings", "faults"]
ROUNDS = 5
HELD_OR_NOT = (0, 1)  # done, or a fault or a finding that the report tells
# Without an assembler and photographs, as in a page, and with the instructions that every x86-64 has.
NATIVE = {"WARPLENS_PHOTOS_DIR": "none", "WARPLENS_PTXAS": "none", "WARPLENS_PTXAS12": "none", "WARPLENS_ISA": "baseline", "WARPLENS_TIER": "off"}


def words(kernel, out):
    return ["run", kernel, "--device", "3060", "--check", "--workers", "1", "--json", "-", "--outputs", str(out)]


def timed(kernel):
    return ["run", kernel, "--device", "3060", "--sanitize", "off", "--workers", "1", "--repeat", str(ROUNDS), "--json", "-"]


def run_native(program, command):
    ran = subprocess.run([program, *command], env=os.environ | NATIVE, capture_output=True, text=True)
    if ran.returncode not in HELD_OR_NOT:
        raise SystemExit(f"compare: {' '.join(command)}: status {ran.returncode}\n{ran.stderr}")
    return json.loads(ran.stdout)


def run_web(program, commands, folder):
    text = "\n".join(json.dumps(command) for command in commands)
    ran = subprocess.run(["node", str(HERE / "run.js"), str(program), str(folder)], input=text, capture_output=True, text=True)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    if ran.returncode or len(answers) != len(commands):
        raise SystemExit(f"compare: Node.js ended with status {ran.returncode}:\n{ran.stderr[-3000:]}")
    for command, answer in zip(commands, answers):
        if answer["status"] not in HELD_OR_NOT:
            raise SystemExit(f"compare: in a page, {' '.join(command)}: status {answer['status']}\n{answer['complaints']}")
    return [json.loads(answer["said"]) for answer in answers]


def bytes_below(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())} if folder.is_dir() else {}


def differences(native, web, native_outputs, web_outputs):
    found = [key for key in SAME if native[key] != web[key]]
    if not native_outputs and native["status"] == "ok":
        found.append("no output")
    names = native_outputs.keys() | web_outputs.keys()
    return found + [name for name in sorted(names) if native_outputs.get(name) != web_outputs.get(name)]


def times(native, web):
    native_ms, web_ms = native["host"]["execute_ms"], web["host"]["execute_ms"]
    if not native_ms or not web_ms:  # it did not run to its end
        return f"{'-':>9} {'-':>8} {'-':>6}"
    return f"{native_ms:>9.1f} {web_ms:>8.1f} {web_ms / native_ms:>6.2f}"


def main():
    native_program, web_program = sys.argv[1:3]
    kernels = sys.argv[3:] or DEFAULT
    if kernels == ["--all"]:
        listed = json.loads(subprocess.run([native_program, "kernels", "--json"], capture_output=True, check=True).stdout)
        kernels = [kernel["name"] for kernel in listed["kernels"]]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        web = run_web(web_program, [words(kernel, "/out") for kernel in kernels], scratch / "web")
        web_times = run_web(web_program, [timed(kernel) for kernel in kernels], scratch / "times")
        print(f"{'kernel':20} {'warp instructions':>17} {'bytes out':>10} {'native ms':>9} {'web ms':>8} {'ratio':>6}  same")
        for number, kernel in enumerate(kernels):
            out = scratch / f"native-{kernel}"
            native = run_native(native_program, words(kernel, out))
            outputs = bytes_below(out)
            found = differences(native, web[number], outputs, bytes_below(scratch / "web" / str(number)))
            failed += bool(found)
            size = sum(len(content) for content in outputs.values())
            print(f"{kernel:20} {(native['counters'] or {}).get('warp_instructions', 0):>17,} {size:>10,} "
                  f"{times(run_native(native_program, timed(kernel)), web_times[number])}  "
                  f"{'yes' if not found else 'NO: ' + ', '.join(found)}")
    print(f"{len(kernels) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
