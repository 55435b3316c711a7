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

METRICS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "local_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "local_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_load_bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_store_bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "shared_load_requests": "smsp__sass_inst_executed_op_shared_ld.sum",
    "shared_store_requests": "smsp__sass_inst_executed_op_shared_st.sum",
    "divergent_branches": "smsp__sass_branch_targets_threads_divergent.sum",
    "branch_targets": "smsp__sass_branch_targets.sum",
    "warp_instructions": "smsp__inst_executed.sum",
}
LEVEL = [a for a in sys.argv if a.startswith("-O")]
NAMES = "regex:pattern_|grayscale|mandelbrot|matmul_tiled|vector_add"


def cases_of(root):
    return json.loads(pathlib.Path(root, "tests/truth/counter_cases.json").read_text())


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
    run = subprocess.run(["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--kernel-name", NAMES,
                          "--metrics", ",".join(METRICS.values()), sys.executable, __file__, root, "--launch", *level],
                         capture_output=True, text=True)
    table = run.stdout[run.stdout.find('"ID"'):]
    rows = [r for r in csv.DictReader(io.StringIO(table)) if r["ID"].strip().isdigit()]
    cases = cases_of(root)
    if len(rows) != len(cases):
        sys.exit(f"{len(rows)} of {len(cases)} launches were recorded\n{run.stdout[-3000:]}\n{run.stderr[-3000:]}")
    counters = []
    for case, row in zip(cases, rows):
        assert case["kernel"] in row["Kernel Name"], (case["kernel"], row["Kernel Name"])
        counters.append({ours: int(float(row[m].replace(",", ""))) for ours, m in METRICS.items() if row.get(m, "") not in ("", "n/a")})
    return counters


def main():
    root, out = sys.argv[1], sys.argv[2]
    if out == "--launch":
        return launch_all(root)
    cases = cases_of(root)
    for case, usual, unoptimised in zip(cases, record(root, []), record(root, ["-O0"])):
        case["counters"] = usual
        other = {k: v for k, v in unoptimised.items() if k not in ("branch_targets", "warp_instructions") and v != usual[k]}
        if other:
            case["unoptimised"] = other
    pathlib.Path(out).write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
    print(len(cases), "launches recorded;", "metrics:", sorted(cases[0]["counters"]))


if __name__ == "__main__":
    main()
