#!/usr/bin/env python3
"""Records Nsight Compute's counters of the launches in counter_cases.json on the GPU of this machine.

    record_counters.py ROOT TRUTH.json        runs itself under ncu (needs ncu, ptxas and CuPy)
    record_counters.py ROOT --launch [-O0]    the launches alone

Twice: as ptxas optimises by default (-O3), and with -O0, where every PTX instruction is one of the machine; of the second,
the counters that differ are kept as "unoptimised".
"""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

# Ours, and the profiler's: the first of each that this version of ncu knows; a sum where several are joined by +.
METRICS = {
    "global_load_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
    "global_load_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    "global_store_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    "global_store_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "local_load_sectors": ["l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"],
    "local_store_sectors": ["l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"],
    "shared_load_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    "shared_load_bank_conflicts": ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"],
    "shared_store_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    "shared_store_bank_conflicts": ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"],
    "shared_load_requests": ["smsp__sass_inst_executed_op_shared_ld.sum"],
    "shared_store_requests": ["smsp__sass_inst_executed_op_shared_st.sum"],
    "shared_atomic_requests": ["smsp__inst_executed_op_shared_atom.sum", "smsp__sass_inst_executed_op_shared_atom.sum"],
    "shared_atomic_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"],
    "shared_atomic_bank_conflicts": ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"],
    "async_copy_requests": ["smsp__sass_inst_executed_op_ldgsts.sum", "smsp__inst_executed_op_ldgsts.sum"],
    "async_copy_global_sectors": ["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum+smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum"],
    "async_copy_shared_wavefronts": ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"],
    "async_copy_bank_conflicts": ["smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum"],
    "atomic_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum+l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"],
    "atomic_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum+l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"],
    "constant_load_requests": ["smsp__inst_executed_op_ldc.sum", "smsp__sass_inst_executed_op_constant.sum", "idc__requests.sum"],
    "divergent_branches": ["smsp__sass_branch_targets_threads_divergent.sum"],
    "branch_targets": ["smsp__sass_branch_targets.sum"],
    "warp_instructions": ["smsp__inst_executed.sum"],
    "thread_instructions": ["smsp__thread_inst_executed.sum"],
}


def known_metrics():
    """Per counter of ours, the names that this ncu knows."""
    listed = subprocess.run(["ncu", "--query-metrics"], capture_output=True, text=True).stdout
    listed += subprocess.run(["ncu", "--query-metrics-collection", "pmsampling", "--query-metrics"], capture_output=True, text=True).stdout
    bases = {line.split()[0] for line in listed.splitlines() if line.strip()}
    chosen = {}
    for ours, candidates in METRICS.items():
        for candidate in candidates:
            names = candidate.split("+")
            if all(n.rsplit(".", 1)[0] in bases for n in names):
                chosen[ours] = names
                break
        else:
            print("no metric for", ours, file=sys.stderr)
    return chosen


LEVEL = [a for a in sys.argv if a.startswith("-O")]
NAMES = "regex:pattern_|grayscale|mandelbrot|matmul_tiled|vector_add|histogram_shared|reduce_shared"


def cases_of(root):
    return json.loads(pathlib.Path(root, "tests/data/truth/counter_cases.json").read_text())


def launch_all(root):
    import cupy
    import numpy
    modules = {}
    for case in cases_of(root):
        if case["ptx"] not in modules:
            cubin = tempfile.NamedTemporaryFile(suffix=".cubin", delete=False).name
            subprocess.run(["ptxas", *LEVEL, "-arch=sm_90", "--fmad=false", "-o", cubin, str(pathlib.Path(root, case["ptx"]))], check=True)
            modules[case["ptx"]] = cupy.RawModule(path=cubin)
        args = []
        for a in case["args"]:
            if "bytes" in a:
                args.append(cupy.asarray(numpy.zeros(a["bytes"], dtype="uint8")))
            elif "words" in a:
                args.append(cupy.asarray(numpy.array(a["words"], dtype="uint32")))
            else:
                args.append(numpy.int32(a["i32"]) if "i32" in a else numpy.float32(a["f32"]))
        modules[case["ptx"]].get_function(case["kernel"])(tuple(case["grid"]), tuple(case["block"]), tuple(args))
    cupy.cuda.runtime.deviceSynchronize()


def record(root, level):
    """Per case its counters, with ptxas's options `level`."""
    metrics = known_metrics()
    wanted = sorted({name for names in metrics.values() for name in names})
    run = subprocess.run(["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--kernel-name", NAMES,
                          "--metrics", ",".join(wanted), sys.executable, __file__, root, "--launch", *level],
                         capture_output=True, text=True)
    table = run.stdout[run.stdout.find('"ID"'):]
    rows = [r for r in csv.DictReader(io.StringIO(table)) if r["ID"].strip().isdigit()]
    cases = cases_of(root)
    if len(rows) != len(cases):
        sys.exit(f"{len(rows)} of {len(cases)} launches were recorded\n{run.stdout[-3000:]}\n{run.stderr[-3000:]}")
    counters = []
    for case, row in zip(cases, rows):
        assert case["kernel"] in row["Kernel Name"], (case["kernel"], row["Kernel Name"])
        counters.append({ours: sum(int(float(row[m].replace(",", ""))) for m in names) for ours, names in metrics.items()
                         if all(row.get(m, "") not in ("", "n/a") for m in names)})
    return counters, metrics


def main():
    root, out = sys.argv[1], sys.argv[2]
    if out == "--launch":
        return launch_all(root)
    cases = cases_of(root)
    (all_usual, metrics), (all_unoptimised, _) = record(root, []), record(root, ["-O0"])
    for case, usual, unoptimised in zip(cases, all_usual, all_unoptimised):
        case["counters"] = usual
        other = {k: v for k, v in unoptimised.items() if k not in ("branch_targets", "warp_instructions", "thread_instructions") and v != usual[k]}
        if other:
            case["unoptimised"] = other
    pathlib.Path(out).write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
    print(len(cases), "launches recorded;", json.dumps(metrics, indent=1))


if __name__ == "__main__":
    main()
