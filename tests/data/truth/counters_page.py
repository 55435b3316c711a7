#!/usr/bin/env python3
"""Writes docs/counters.md, the virtual GPU's counters beside Nsight Compute's, and assets/counters/ncu_names.json for
`warplens run --ncu-names`.

    counters_page.py ROOT [--check]      --check: says whether the page is as it should be

The virtual GPU's are those that the test CountersTruth demands: equal to the counters of unoptimised code."""
import collections
import json
import pathlib
import sys

NAMES = ["global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
         "local_load_sectors", "local_store_sectors", "shared_load_requests", "shared_load_wavefronts",
         "shared_load_bank_conflicts", "shared_store_requests", "shared_store_wavefronts", "shared_store_bank_conflicts",
         "shared_atomic_requests", "shared_atomic_wavefronts", "shared_atomic_bank_conflicts", "async_copy_requests",
         "async_copy_global_sectors", "async_copy_shared_wavefronts", "async_copy_bank_conflicts", "atomic_requests",
         "atomic_sectors", "divergent_branches"]
LOOPS = ("pattern_shared_atomic_float", "pattern_shared_atomic_wide")


def otherwise(case, name):
    """What the profiler counts otherwise; the test CountersTruth has the same rule."""
    if case["kernel"] in LOOPS:
        return name.startswith("shared_") or name == "divergent_branches"
    return "_cg_" in case["kernel"] and (name == "global_load_sectors" or (
        name == "async_copy_shared_wavefronts" and case.get("pattern") == "stride 3"))


TEXT = """# Counters against Nsight Compute

We compared {figures:,} figures of {launches} launches with an NVIDIA H200 under `ncu --clock-control none`: the kernels of the
first lessons in several block shapes, and patterns of one warp (strides, broadcasts, lanes masked off, random addresses; 1 to 16
bytes a lane; global, shared and local memory, atomics on shared memory, background copies). `tests/data/truth/record_counters.py`
records them, the test `CountersTruth` compares the virtual GPU with them, and `tests/data/truth/counters_page.py` writes this page.

- With `ptxas -O0`, each PTX instruction becomes one machine instruction: **{compared:,} figures are equal**, and {others} are
  counted differently by the profiler (see below).
- With `ptxas -O3`, as programs are built, {different} of these differ, each because ptxas replaced an instruction by another one.

`warplens run KERNEL --ncu-names` prints each counter with the profiler's metric. An unknown number is `null` in the report,
never 0. Without observation (`--observe none`), all of them are unknown.

| counter | figures | equal at -O0 | equal at -O3 | counted differently |
|---|---|---|---|---|
{counters}

## The kernels

The table shows the virtual GPU's figure, which is that of -O0, and after an arrow the figure of -O3 if it differs.

| kernel | blocks × threads | {heads} |
|---|---|{rule}
{kernels}

## What ptxas does at -O3

- A bounds check, `@%p bra END; … END: ret;`, becomes a predicated `EXIT`, which is no branch. This happens in the patterns, whose
  surplus lanes exit in this way ({patterns} figures), and in the kernels above. Mandelbrot's loop is a branch in both: there the
  difference is exactly the share of the bounds check.
- Four neighbouring shared loads of a row of the tiled matrix multiplication become one of 16 bytes: fewer requests and
  wavefronts.
- `atomicAdd(&own[bin], 1)` on shared memory whose old value is not used becomes an instruction that counts lanes
  (`ATOMS.POPC.INC`): lanes at one word take one wavefront together. The shared histogram then has 408 atomic wavefronts, not 453.

## Atomics on shared memory

Atomics on shared memory are neither loads nor stores. Lanes do not share a word, so 32 lanes at one word take 32 wavefronts, 31
of them conflicts. A compare and swap (`atom.cas`) takes twice as many wavefronts, since it has two operands, and as many
conflicts. Machine code has no addition of floats or of 64-bit values in shared memory: these are loops around a compare and swap,
with their own loads. The virtual GPU counts one request, as the PTX says; the profiler counts each iteration of the loop.

## Background copies

`cp.async` is neither a global load nor a shared store. Its counters are `async_copy_*`, which are the profiler's
`smsp__sass_l1tex_…_ldgsts`. The profiler's `l1tex__t_…_op_ld` includes copies, so `global_load_*` is that number without the
copies. A copy that bypasses L1 (`cp.async.cg`) requests a sector for each lane, unless eight lanes copy a line to a line; l1tex
counts these differently. For lanes that are 48 bytes apart, an H200 takes 24 wavefronts and the virtual GPU 32: that rule is not
known.
"""
SHOWN = ["global_load_sectors", "global_store_sectors", "shared_load_requests", "shared_load_wavefronts",
         "shared_load_bank_conflicts", "divergent_branches"]


def page(root):
    cases = json.loads(pathlib.Path(root, "tests/data/truth/counters_h200.json").read_text())
    differing, kernels, patterns = collections.Counter(), [], 0
    for case in cases:
        other = case.get("unoptimised", {})
        other = {k: v for k, v in other.items() if k in NAMES and not otherwise(case, k)}
        differing.update(other.keys())
        if case["kernel"].startswith("pattern_"):
            patterns += len(other)
            continue
        cells = [f"{other[n]:,} → {case['counters'][n]:,}" if n in other else f"{case['counters'][n]:,}" for n in SHOWN]
        shape = ["×".join(str(v) for v in case[k] if v != 1) or "1" for k in ("grid", "block")]
        kernels.append(f"| {case['kernel']} | {shape[0]} × {shape[1]} | " + " | ".join(cells) + " |")
    figures = len(cases) * len(NAMES)
    different = sum(differing.values())
    left_out = {n: sum(otherwise(c, n) for c in cases) for n in NAMES}
    counters = "\n".join(f"| {n} | {len(cases)} | {len(cases) - left_out[n]} | {len(cases) - left_out[n] - differing[n]} | {left_out[n]} |"
                         for n in NAMES)
    others = sum(left_out.values())
    return TEXT.format(launches=len(cases), figures=figures, compared=figures - others, others=others, different=different,
                       counters=counters, patterns=patterns,
                       heads=" | ".join(n.replace("_", " ") for n in SHOWN), rule="---|" * len(SHOWN),
                       kernels="\n".join(kernels))


# Every counter of the report, with the profiler's metric, and why machine code may count otherwise.
METRICS = {
    "warp_instructions": ("smsp__inst_executed.sum", "a PTX instruction may be none, one or several of the machine"),
    "thread_instructions": ("smsp__thread_inst_executed.sum", "as warp_instructions"),
    "branches": ("smsp__sass_branch_targets.sum", "a bounds check becomes a predicate; an address of a loop may go"),
    "divergent_branches": ("smsp__sass_branch_targets_threads_divergent.sum", "a bounds check becomes a predicated exit, which is no branch"),
    "barriers": ("", "no metric of the profiler counts warps at barriers"),
    "global_load_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "the profiler's holds background copies, too"),
    "global_load_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "the profiler's holds background copies, too"),
    "global_store_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", ""),
    "global_store_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", ""),
    "shared_load_requests": ("smsp__sass_inst_executed_op_shared_ld.sum", "neighbouring loads become one of 16 bytes"),
    "shared_load_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "neighbouring loads become one of 16 bytes"),
    "shared_load_bank_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", ""),
    "shared_store_requests": ("smsp__sass_inst_executed_op_shared_st.sum", ""),
    "shared_store_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", ""),
    "shared_store_bank_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", ""),
    "shared_atomic_requests": ("smsp__inst_executed_op_shared_atom.sum", "sums of floats and of 64 bits are loops in machine code"),
    "shared_atomic_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "an addition of 1 becomes a count of lanes"),
    "shared_atomic_bank_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", "an addition of 1 becomes a count of lanes"),
    "async_copy_requests": ("smsp__sass_inst_executed_op_ldgsts.sum", ""),
    "async_copy_global_sectors": ("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", ""),
    "async_copy_shared_wavefronts": ("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum", ""),
    "async_copy_bank_conflicts": ("smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum", ""),
    "local_load_sectors": ("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "what ptxas spills is not in the PTX"),
    "local_store_sectors": ("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "what ptxas spills is not in the PTX"),
    "constant_load_requests": ("smsp__inst_executed_op_ldc.sum", "the profiler's holds parameters of kernels, too; a constant is often an operand"),
    "texture_requests": ("l1tex__t_requests_pipe_tex.sum", ""),
    "texture_sectors": ("l1tex__t_sectors_pipe_tex.sum", ""),
    "atomic_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum + …_op_red.sum", "sums of one value by all lanes become one"),
    "atomic_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum + …_op_red.sum", "sums of one value by all lanes become one"),
    "l1_hit_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "by a model of the caches: docs/caches.md"),
    "l2_read_sectors": ("lts__t_sectors_srcunit_tex_op_read.sum", "by a model of the caches: docs/caches.md"),
    "dram_read_bytes": ("dram__bytes_read.sum", "by a model of the caches: docs/caches.md"),
    "dram_write_bytes": ("dram__bytes_write.sum", "by a model of the caches: docs/caches.md"),
}


def names(root):
    """Per counter: the metric, in how many launches it was compared, how many -O3 differs in, and the largest ratio there."""
    cases = json.loads(pathlib.Path(root, "tests/data/truth/counters_h200.json").read_text())
    rows = []
    for name, (metric, why) in METRICS.items():
        row = {"counter": name, "metric": metric, "compared": 0, "differ": 0, "most_percent": None, "why": why}
        if name in NAMES:
            for case in cases:
                if otherwise(case, name):
                    continue
                row["compared"] += 1
                usual = case["counters"][name]
                ours = case.get("unoptimised", {}).get(name, usual)
                if ours != usual:
                    row["differ"] += 1
                    row["most_percent"] = max(row["most_percent"] or 0, round(100 * abs(ours - usual) / max(usual, ours)))
        rows.append(row)
    return json.dumps({"launches": len(cases), "device": "NVIDIA H200", "counters": rows}, indent=1, ensure_ascii=False) + "\n"


def main():
    listed = pathlib.Path(sys.argv[1], "assets/counters/ncu_names.json")
    path = pathlib.Path(sys.argv[1], "docs/counters.md")
    if "--check" in sys.argv:
        right = path.read_text() == page(sys.argv[1]) and listed.read_text() == names(sys.argv[1])
        return 0 if right else "docs/counters.md is not what counters_page.py writes"
    path.write_text(page(sys.argv[1]))
    listed.write_text(names(sys.argv[1]))


sys.exit(main())
