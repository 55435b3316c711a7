#!/usr/bin/env python3
"""Writes registers.txt: what `ptxas -v` says of programs of this repository, for the test RegistersTruth.

    record_registers.py ROOT PTXAS12 PTXAS13 > tests/data/truth/registers.txt

A line a program, architecture and entry; 12.9 assembles for devices older than sm_75, 13.x for the others, as the program
does. `-` where ptxas prints no number (13.x prints none for parameters). The reading here and the program's own
(core/compile) share no code.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

OLD = (61, 75, 86, 90, 120)
NEW = (80, 86, 89, 90, 120)


def programs(root):
    """(file, cap, architectures)."""
    rows = [(f, 0, OLD) for f in sorted((root / "tests/data/golden/ptx").glob("*.ptx"))]
    rows += [(root / "tests/data/truth/registers.ptx", cap, OLD) for cap in (0, 24, 32, 64)]
    rows += [(root / "tests/data/golden/ptx/register_spill.ptx", cap, OLD) for cap in (24, 32, 64)]
    newer = [f for f in sorted((root / "tests/data/outside").rglob("*.ptx")) + sorted((root / "tests/data/bugs/ptx").glob("*.ptx"))
             if re.search(r"^\.target sm_80$", f.read_text(errors="replace"), re.M)]
    return rows + [(f, 0, NEW) for f in newer[:: max(1, len(newer) // 50)]]


def number(pattern, text):
    found = re.search(pattern, text)
    return found.group(1) if found else None


def entries(log):
    """Per entry: its numbers, as text."""
    result = {}
    parts = re.split(r"Compiling entry function '([^']+)' for '[^']+'", log)
    for name, text in zip(parts[1::2], parts[2::2]):
        text = text[text.index("Function properties for " + name):]
        result[name] = [number(r"Used (\d+) registers", text), number(r"(\d+) bytes stack frame", text),
                        number(r"(\d+) bytes spill stores", text), number(r"(\d+) bytes spill loads", text),
                        number(r"(\d+) bytes smem", text) or "0", number(r"used (\d+) barriers", text) or "0",
                        number(r"(\d+) bytes cmem\[0\]", text) or "-", number(r"(\d+) bytes cmem\[3\]", log) or "-"]
    return result


def main():
    root, older, newer = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    print("# By record_registers.py. registers: file, cap, sm, entry, registers, stack, spill stores, spill loads, shared,")
    print("# barriers, parameters and constants in bytes (cmem[0], cmem[3])")
    with tempfile.TemporaryDirectory() as folder:
        for file, cap, architectures in programs(root):
            for sm in architectures:
                line = [older if sm < 75 else newer, "-v", f"-arch=sm_{sm}", str(file), "-o", folder + "/x.cubin"]
                if cap:
                    line.append(f"-maxrregcount={cap}")
                run = subprocess.run(line, capture_output=True, text=True)
                if run.returncode != 0:
                    sys.exit(f"{file} for sm_{sm}: {run.stderr}")
                for entry, numbers in sorted(entries(run.stderr + run.stdout).items()):
                    print(file.relative_to(root), cap, sm, entry, *numbers)


if __name__ == "__main__":
    main()
