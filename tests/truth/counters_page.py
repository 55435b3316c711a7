#!/usr/bin/env python3
"""Writes docs/counters.md: the virtual GPU's counters beside Nsight Compute's.

    counters_page.py ROOT [--check]      --check: says whether the page is as it should be

The virtual GPU's are those that the test CountersTruth demands: equal to the counters of unoptimised code."""
import collections
import json
import pathlib
import sys

NAMES = ["global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
         "local_load_sectors", "local_store_sectors", "shared_load_requests", "shared_load_wavefronts",
         "shared_load_bank_conflicts", "shared_store_requests", "shared_store_wavefronts", "shared_store_bank_conflicts",
         "divergent_branches"]
TEXT = """# Counters against Nsight Compute

{launches} launches on an NVIDIA H200 under `ncu --clock-control none`, {figures:,} figures: the kernels of the first lessons
in several block shapes, and one-warp patterns (strides, broadcasts, lanes masked off, random addresses; 1 to 16 bytes a lane;
global, shared and local memory). `tests/truth/record_counters.py` records them, the test `CountersTruth` holds the virtual
GPU to them, `tests/truth/counters_page.py` writes this page.

- PTX assembled by `ptxas -O0`, where each PTX instruction is one of the machine: **all {figures:,} equal.**
- By `ptxas -O3`, as programs are built: {equal:,} equal, {percent:.1f} %. The other {different} are below; each is an instruction
  that ptxas made another one of.

| counter | figures | equal at -O0 | equal at -O3 |
|---|---|---|---|
{counters}

## The kernels

The virtual GPU's figure, which is that of -O0, and behind an arrow that of -O3 where it is another one.

| kernel | blocks × threads | {heads} |
|---|---|{rule}
{kernels}

## What ptxas does at -O3

- A bounds check, `@%p bra END; … END: ret;`, becomes a predicated `EXIT`, which is no branch; so in the patterns, whose surplus
  lanes leave that way ({patterns} figures), and in the kernels above. Mandelbrot's loop is a branch in both: there the
  difference is the bounds check's share, to the last one.
- Four neighbouring shared loads of a row of the tiled matrix multiplication become one of 16 bytes: fewer requests and
  wavefronts.
"""
SHOWN = ["global_load_sectors", "global_store_sectors", "shared_load_requests", "shared_load_wavefronts",
         "shared_load_bank_conflicts", "divergent_branches"]


def page(root):
    cases = json.loads(pathlib.Path(root, "tests/truth/counters_h200.json").read_text())
    differing, kernels, patterns = collections.Counter(), [], 0
    for case in cases:
        other = case.get("unoptimised", {})
        differing.update(other.keys())
        if case["kernel"].startswith("pattern_"):
            patterns += len(other)
            continue
        cells = [f"{other[n]:,} → {case['counters'][n]:,}" if n in other else f"{case['counters'][n]:,}" for n in SHOWN]
        shape = ["×".join(str(v) for v in case[k] if v != 1) or "1" for k in ("grid", "block")]
        kernels.append(f"| {case['kernel']} | {shape[0]} × {shape[1]} | " + " | ".join(cells) + " |")
    figures = len(cases) * len(NAMES)
    different = sum(differing.values())
    counters = "\n".join(f"| {n} | {len(cases)} | {len(cases)} | {len(cases) - differing[n]} |" for n in NAMES)
    return TEXT.format(launches=len(cases), figures=figures, equal=figures - different, different=different,
                       percent=100 * (figures - different) / figures, counters=counters, patterns=patterns,
                       heads=" | ".join(n.replace("_", " ") for n in SHOWN), rule="---|" * len(SHOWN),
                       kernels="\n".join(kernels))


def main():
    path = pathlib.Path(sys.argv[1], "docs/counters.md")
    if "--check" in sys.argv:
        return 0 if path.read_text() == page(sys.argv[1]) else "docs/counters.md is not what counters_page.py writes"
    path.write_text(page(sys.argv[1]))


sys.exit(main())
