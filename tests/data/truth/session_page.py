#!/usr/bin/env python3
"""Puts the tables of docs/profile-session.md in anew: a public exercise with the profiler, followed without a GPU.

usage: tests/data/truth/session_page.py WARPLENS FOLDER    the folder exercises/hw8 of github.com/olcf/cuda-training-series

Beside WarpLens's figures stand those of the profiler on an H200 (session_h200.json, typed off from the exercise's own
command lines). Fails where a figure that WarpLens marks as exact is another one, other than those that the page names.
"""
import csv
import io
import json
import pathlib
import re
import subprocess
import sys

if len(sys.argv) != 3:
    sys.exit(__doc__)
root = pathlib.Path(__file__).resolve().parents[3]
page = root / "docs/profile-session.md"
truth = json.loads(pathlib.Path(__file__).with_name("session_h200.json").read_text())
# What the hardware counts besides (the page says what).
busy_pipe = re.compile(r"l1tex__data_(pipe_lsu_wavefronts|bank_conflicts_pipe_lsu)_mem_shared")
seconds = {"s": 1e6, "ms": 1e3, "us": 1.0, "ns": 1e-3}


def profile(task, metrics):
    file = pathlib.Path(sys.argv[2]) / task / f"{task}_solution.cu"
    run = subprocess.run([sys.argv[1], "profile", str(file), "--device", "H200", "--csv", "--metrics", ",".join(metrics)],
                         capture_output=True, text=True, check=True)
    lines = [line for line in run.stdout.splitlines() if line.startswith('"')]
    rows = csv.DictReader(io.StringIO("\n".join(lines)))
    figures = {}
    for row in rows:
        value = float(row["Metric Value"].replace(",", "")) if row["Metric Value"] != "n/a" else None
        if row["Metric Name"].startswith("gpu__time"):
            value *= seconds[row["Metric Unit"]]
        figures[row["Metric Name"]] = (value, row["Mark"])
    return figures


def shown(value):
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


text, wrong = page.read_text(), []
for task, theirs in truth["tasks"].items():
    asked = [name for name in theirs if task != "task1" or "shared" not in name]
    ours = profile(task, asked)
    table = "| metric | profiler | WarpLens | |\n|---|---|---|---|\n"
    for name in asked:
        value, mark = ours[name]
        table += f"| `{name}` | {shown(theirs[name])} | {shown(round(value, 2))} | {mark} |\n"
        if mark == "exact" and round(value, 2) != theirs[name] and not busy_pipe.match(name):
            wrong.append(f"{task}: {name} is {value}, on the GPU {theirs[name]}")
    mark = f"<!-- table: {task} -->"
    text = re.sub(re.escape(mark) + r".*?<!-- /table -->", lambda _: f"{mark}\n\n{table}\n<!-- /table -->", text, count=1, flags=re.S)
page.write_text(text)
sys.exit("\n".join(wrong) or 0)
