#!/usr/bin/env python3
"""Records what Nsight Compute says of the caches for the launches below, on the GPU of this machine.

    record_caches.py caches_h200.json      runs itself under ncu (needs ncu, ptxas and CuPy)"""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
METRICS = {
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1_load_hit_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1_store_hit_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum",
    "l2_read_sectors": "lts__t_sectors_srcunit_tex_op_read.sum",
    "l2_write_sectors": "lts__t_sectors_srcunit_tex_op_write.sum",
    "l2_sectors": "lts__t_sectors_srcunit_tex.sum",
    "l2_hit_sectors": "lts__t_sectors_srcunit_tex_lookup_hit.sum",
    "l2_miss_sectors": "lts__t_sectors_srcunit_tex_lookup_miss.sum",
    "dram_read_bytes": "dram__bytes_read.sum",
    "dram_write_bytes": "dram__bytes_write.sum",
}
# kernel, grid, block, n, floats in a, b and c
CASES = [
    ["stream_add", [4096, 1], [256, 1], 1 << 20, 1 << 20, 1 << 20, 1 << 20],
    ["stream_add", [128, 1], [256, 1], 1 << 15, 1 << 15, 1 << 15, 1 << 15],
    ["strided_sum", [512, 1], [256, 1], 1 << 17, 1 << 20, 1, 1 << 17],
    ["reread", [132, 1], [256, 1], 4096, 4096, 1, 132 * 256],
    ["reread", [132, 1], [256, 1], 32768, 32768, 1, 132 * 256],
    ["reread", [132, 1], [256, 1], 49152, 49152, 1, 132 * 256],
    ["reread", [132, 1], [256, 1], 65536, 65536, 1, 132 * 256],
    ["reread", [132, 1], [256, 1], 98304, 98304, 1, 132 * 256],
    ["reread", [132, 1], [256, 1], 131072, 131072, 1, 132 * 256],
    ["reread", [528, 1], [256, 1], 16384, 16384, 1, 528 * 256],
    ["blur3", [64, 64], [16, 16], 1024, 1 << 20, 1, 1 << 20],
    ["blur3", [32, 128], [32, 8], 1024, 1 << 20, 1, 1 << 20],
    ["matmul", [16, 16], [16, 16], 256, 1 << 16, 1 << 16, 1 << 16],
    ["matmul", [32, 32], [16, 16], 512, 1 << 18, 1 << 18, 1 << 18],
    ["matmul", [16, 64], [32, 8], 512, 1 << 18, 1 << 18, 1 << 18],
    ["transpose", [64, 64], [16, 16], 1024, 1 << 20, 1, 1 << 20],
    ["transpose", [32, 128], [32, 8], 1024, 1 << 20, 1, 1 << 20],
    ["gather", [264, 1], [256, 1], 1 << 14, 1 << 14, 1, 264 * 256],
    ["gather", [264, 1], [256, 1], 1 << 16, 1 << 16, 1, 264 * 256],
    ["gather", [264, 1], [256, 1], 1 << 20, 1 << 20, 1, 264 * 256],
    ["gather", [1056, 1], [256, 1], 1 << 24, 1 << 24, 1, 1056 * 256],
    ["store_then_load", [1024, 1], [256, 1], 0, 1 << 18, 1, 1 << 18],
    ["atomics", [1024, 1], [256, 1], 1 << 16, 1 << 16, 1, 1],
    ["atomics", [1024, 1], [256, 1], 32, 32, 1, 1],
]


def launch_all():
    import cupy
    import numpy
    with tempfile.NamedTemporaryFile(suffix=".cubin") as cubin:
        subprocess.run(["ptxas", "-arch=sm_90", "-o", cubin.name, HERE / "cache_cases.ptx"], check=True)
        module = cupy.RawModule(path=cubin.name)
        module.get_function("blur3")
    for kernel, grid, block, n, *floats in CASES:
        buffers = [cupy.zeros(count, dtype="float32") for count in floats]
        module.get_function(kernel)(tuple(grid), tuple(block), (*buffers, numpy.int32(n)))
        cupy.cuda.runtime.deviceSynchronize()


def main():
    if sys.argv[1] == "--launch":
        return launch_all()
    run = subprocess.run(["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--kernel-name",
                          "regex:" + "|".join(sorted({c[0] for c in CASES})), "--metrics", ",".join(METRICS.values()),
                          sys.executable, __file__, "--launch"], capture_output=True, text=True)
    table = run.stdout[run.stdout.find('"ID"'):]
    rows = [r for r in csv.DictReader(io.StringIO(table)) if r["ID"].strip().isdigit()]
    if len(rows) != len(CASES):
        sys.exit(f"{len(rows)} launches recorded, {len(CASES)} expected\n" + run.stdout[-2000:] + run.stderr[-2000:])
    lines = []
    for case, row in zip(CASES, rows):
        kernel, grid, block, n, *floats = case
        counted = {name: int(float(row[metric].replace(",", ""))) for name, metric in METRICS.items()}
        lines.append(json.dumps({"kernel": kernel, "grid": grid, "block": block, "n": n, "floats": floats, "counters": counted}))
    pathlib.Path(sys.argv[1]).write_text("[\n" + ",\n".join(lines) + "\n]\n")


main()
