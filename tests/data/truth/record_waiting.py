#!/usr/bin/env python3
"""The launches of the lesson "Waiting well" and of its challenges, as a GPU and Nsight Compute see them.

    record_waiting.py waiting_h200.json     on a GPU; needs nvcc and ncu

Each launch runs twice, with the caches as the one before left them; the second one is kept. Shares of states are percent of the cycles of
warps. waiting_test.py holds the lesson's claims against the file.
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

from record_states import profiled

ROOT = pathlib.Path(__file__).resolve().parents[3]
LESSON, LISTS, TURNS = "lessons/waiting_well", "challenges/four_lists", "challenges/enough_to_do"
STATE = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
# Name, file, kernel, block, blocks, bytes of dynamic shared memory, numbers after the arrays.
LAUNCHES = [
    *((f"chains_{chains}", f"{LESSON}/chains.cu", "chains", 128, 132, 0, (16896, 1024, chains)) for chains in (1, 2, 4)),
    ("more_warps_2", f"{LESSON}/chains.cu", "chains", 128, 264, 0, (33792, 1024, 1)),
    ("more_warps_8", f"{LESSON}/chains.cu", "chains", 128, 1056, 0, (135168, 1024, 1)),
    ("follow", f"{LESSON}/follow.cu", "follow", 128, 528, 0, (67584, 8)),
    *((f"batch_{batch}", f"{LESSON}/add_up.cu", "add_up", 128, 132, 0, (16896, batch)) for batch in (1, 4)),
    *((f"turn_{block}", f"{LESSON}/turn.cu", "turn", block, 270336 // block, 0, (270336, 16)) for block in (32, 64, 128, 256, 512, 1024)),
    ("full", f"{LESSON}/chains.cu", "chains", 256, 1056, 0, (270336, 256, 1)),
    ("not_full", f"{LESSON}/chains.cu", "chains", 256, 1056, 100000, (270336, 256, 4)),
    *((f"lists_{name}", f"{LISTS}/{name}.cu", "follow", 128, 128, 0, (65536, 16)) for name in ("starter", "right_two", "right_ifs", "right")),
    ("to_do_start", f"{TURNS}/starter.cu", "turn", 1024, 264, 120000, (270336, 16)),
    *((f"to_do_{block}", f"{TURNS}/starter.cu", "turn", block, 270336 // block, 4 * block, (270336, 16)) for block in (32, 128, 512, 1024)),
]


def digest(file):
    return hashlib.sha256((ROOT / "assets" / file).read_bytes()).hexdigest()[:16]


def program():
    """All kernels, each file in a namespace of its own; arrays of places are a walk, as in the challenge."""
    files = sorted({launch[1] for launch in LAUNCHES})
    space = {file: f"file_{number}" for number, file in enumerate(files)}
    code = "#include <cstdio>\n#include <vector>\n"
    for file in files:
        text = (ROOT / "assets" / file).read_text().replace('extern "C" ', "")
        text = text.replace("extern __shared__ float tile[];", f"extern __shared__ float {space[file]}_tile[]; float* tile = {space[file]}_tile;")
        code += f"namespace {space[file]} {{\n{text}\n}}\n#undef NEXT\n"
    code += """int main() {
  float *in, *out; int *next, *places;
  cudaMalloc(&in, sizeof(float) * 64 * 270336); cudaMalloc(&out, sizeof(float) * 270336);
  cudaMalloc(&next, 4 << 20); cudaMalloc(&places, sizeof(int) * 270336);
  cudaMemset(in, 0, sizeof(float) * 64 * 270336);
  std::vector<int> host(1 << 20);
"""
    for _, file, kernel, block, blocks, shared, numbers in LAUNCHES:
        name = f"{space[file]}::{kernel}"
        many = 1 << 20 if file.startswith(LESSON) else 1 << 16
        arrays = "next, places" if kernel == "follow" else "out" if kernel == "chains" else "in, out"
        if kernel == "follow":
            code += (f"  for (long long i = 0; i < {many}; ++i) host[i] = (40503 * i + 7919) % {many};\n"
                     "  cudaMemcpy(next, host.data(), 4 << 20, cudaMemcpyHostToDevice);\n")
        if shared > 48000:
            code += f"  cudaFuncSetAttribute({name}, cudaFuncAttributeMaxDynamicSharedMemorySize, {shared});\n"
        code += f"  for (int twice = 0; twice < 2; ++twice) {name}<<<{blocks}, {block}, {shared}>>>({arrays}, {', '.join(map(str, numbers))});\n"
    return code + "  return printf(\"%s\\n\", cudaGetErrorString(cudaDeviceSynchronize())) < 0;\n}\n"


def figures(row):
    """The profiler rounds the share of cycles to whole percents, so it is taken from warps by state, of which there are more digits."""
    value = lambda name: float(row[name].replace(",", ""))  # noqa: E731
    states = {name: value(name) for name in row if name.startswith(STATE.partition("{")[0]) and name.endswith(STATE.partition("}")[2])}
    warp_cycles, active = sum(states.values()), value("smsp__warps_active.avg.per_cycle_active")
    share = lambda state: round(100 * states[STATE.format(state)] / warp_cycles, 2)  # noqa: E731
    return {"us": value("gpu__time_duration.sum") / 1000, "issue_slots": round(100 * active / warp_cycles, 2), "active_warps": active,
            "long_scoreboard": share("long_scoreboard"), "wait": share("wait"), "barrier": share("barrier")}


def main():
    out = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder) / "waiting.cu", pathlib.Path(folder) / "waiting"
        source.write_text(program())
        subprocess.run(["nvcc", "-O3", "-arch=native", "-o", binary, source], check=True)
        rows, said = profiled(binary)
    if len(rows) != 2 * len(LAUNCHES):
        sys.exit(f"{len(rows)} launches were profiled, not {2 * len(LAUNCHES)}: {said}")
    device = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True,
                            check=True).stdout.strip()
    files = {file: digest(file) for file in sorted({launch[1] for launch in LAUNCHES})}
    launches = {launch[0]: figures(row) for launch, row in zip(LAUNCHES, rows[1::2])}
    out.write_text(json.dumps({"device": device, "files": files}, indent=1)[:-2] + ',\n "launches": {\n  ' +
                   ",\n  ".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in launches.items()) + "\n }\n}\n")


if __name__ == "__main__":
    main()
