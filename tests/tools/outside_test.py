#!/usr/bin/env python3
"""Runs the programs of tests/outside, which other people's tools compiled, and compares their outputs with those
of an NVIDIA H200: `warplens run FILE.json --check` must exit with 0.

  tests/tools/outside_test.py build/release/warplens [--table docs/outside-programs.md]

refused.txt lists those that do not run yet; the test fails when one of them starts to. With --table the page of
counts is written again; without it the test fails if the page differs.
"""
import collections
import concurrent.futures
import glob
import json
import os
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
DATA = os.path.join(ROOT, "tests/data/outside")
TOOLS = {"numba": "Numba", "cupy": "CuPy", "cub": "CUB, through CuPy's RawModule", "triton": "Triton, for sm_80",
         "cuda": "nvcc, for compute_80"}


def read_list(path):
    with open(path) as file:
        return {line.split("#")[0].strip() for line in file} - {""}


def run(program, path):
    # One worker: blocks that wait for one another spin as often as their turns fall.
    done = subprocess.run([program, "run", path, "--check", "--json", "-", "--device", "H200", "--workers", "1"],
                          capture_output=True, text=True, timeout=120, env={**os.environ, "XDG_DATA_HOME": ""})
    try:
        report = json.loads(done.stdout)
    except ValueError:
        report = {}
    return done.returncode, (done.stderr.strip() or report.get("message") or "").split("\n")[0], report


def table(results):
    """The page: a line a program, by tool, with what the virtual GPU counted."""
    groups = collections.defaultdict(list)
    for name, (_, _, report) in sorted(results.items()):
        groups[name.split("_")[0]].append((name, report))
    lines = ["# Kernels compiled by other tools", "",
             "Kernels that other tools compiled, with their inputs and the outputs of an NVIDIA H200 (PTX linked with `-fmad=false`).",
             "The virtual GPU gives the same outputs: bit for bit, or within the `rtol` in the launch file if floating-point atomics",
             "add in an order that a GPU does not fix. `tests/outside/record.py` records the outputs on a GPU;",
             "`tests/tools/outside_test.py` runs the kernels and writes this page (`--table`). The counts are the virtual GPU's.",
             ""]
    for prefix, title in TOOLS.items():
        rows = groups.get(prefix, [])
        lines += [f"## {title}: {len(rows)}", "", "| program | entry | blocks × threads | warp instructions | "
                  "global sectors read, written | shared wavefronts | rtol |", "|---|---|---|---|---|---|---|"]
        for name, report in rows:
            with open(os.path.join(DATA, name + ".json")) as file:
                launch = json.load(file)
            counters = report.get("counters") or {}
            blocks, threads = (launch[k][0] * launch[k][1] * launch[k][2] for k in ("grid", "block"))
            entry = launch["entry"] if len(launch["entry"]) <= 40 else launch["entry"][:37] + "…"
            shared = (counters.get("shared_load_wavefronts") or 0) + (counters.get("shared_store_wavefronts") or 0)
            lines.append(f"| {name.split('_', 1)[1]} | `{entry}` | {blocks} × {threads} | "
                         f"{counters.get('warp_instructions', 0):,} | {counters.get('global_load_sectors', 0):,}, "
                         f"{counters.get('global_store_sectors', 0):,} | {shared:,} | "
                         f"{max(e['rtol'] for e in launch['expect']):g} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def main():
    program = os.path.abspath(sys.argv[1])
    paths = sorted(glob.glob(os.path.join(DATA, "*.json")))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip((os.path.basename(p)[:-5] for p in paths), pool.map(lambda p: run(program, p), paths)))
    refused = read_list(os.path.join(ROOT, "tests/outside/refused.txt"))
    wrong = []
    # cuRAND's kernels are compiled when they run, where there is a compiler.
    skipped = {name for name, (status, _, _) in results.items() if status == 3}
    for name in skipped:
        print(f"skipped {name}: {results[name][1]}")
    for name, (status, message, _) in results.items():
        if name in skipped:
            continue
        if status != 0 and name not in refused:
            wrong.append(f"{name}: status {status}: {message}")
        if status == 0 and name in refused:
            wrong.append(f"{name} runs: take it off tests/outside/refused.txt")
    wrong += [f"refused.txt names {name}, which is not there" for name in refused - set(results)]
    print("\n".join(wrong))
    print(f"{sum(r[0] == 0 for r in results.values())} of {len(results)} programs run and agree with the GPU")
    if skipped:
        return 1 if wrong else 0
    text = table({n: r for n, r in results.items() if r[0] == 0})
    page = os.path.join(ROOT, "docs/outside-programs.md")
    if "--table" in sys.argv:
        with open(page, "w") as file:
            file.write(text)
    elif not os.path.exists(page) or open(page).read() != text:
        wrong.append("page")
        print("docs/outside-programs.md differs: tests/tools/outside_test.py PROGRAM --table writes it again")
    return 1 if wrong else 0


sys.exit(main())
