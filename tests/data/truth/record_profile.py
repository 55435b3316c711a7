#!/usr/bin/env python3
"""What Nsight Compute prints of the built-in kernels and of the programs of tests/outside, under the names of
assets/counters/profile_metrics.json.

    WARPLENS_EXPORT_KERNELS=KERNELS build/release/core_tests --gtest_filter='KernelTruth.*'
    record_profile.py prepare KERNELS FOLDER PTXAS…     machine code, data and the list of metrics; needs no GPU
    FOLDER/record_profile.py record FOLDER TRUTH.json   on a GPU, under ncu; needs nothing but Python and ncu
    record_profile.py launch FOLDER FIRST LAST          what ncu runs: these jobs

The counters of shared memory and of L1 are asked for alone. Asked for together with all sections, the profiler spreads them over
more passes and prints store sectors that are off by a few (27 in place of 32, 897 in place of 892); alone, they are the same each
time.

Machine code is made by the assemblers that this program uses (tools/versions.env: ptxas and ptxas13; of those given, the first
that takes a text), as programs are built by default: -O3, with fused multiply-adds. So registers can be compared. Programs
that only a compiler of CUDA C++ makes are left out.
"""
import csv
import ctypes
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

import texture_objects

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Each is run on its own, so that what is recorded stays if a later one fails.
BATCH = 50
SECTIONS = ["SpeedOfLight", "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis", "SchedulerStats", "WarpStateStats",
            "InstructionStats", "LaunchStats", "Occupancy", "WorkloadDistribution", "SourceCounters"]


def assemble(assemblers, ptx, cubin):
    """What is wrong with the text; empty where an assembler takes it."""
    said = ""
    for ptxas in assemblers:
        done = subprocess.run([ptxas, "-arch=sm_90", "-o", str(cubin), str(ptx)], capture_output=True, text=True)
        if done.returncode == 0:
            return ""
        said = done.stderr[-300:]
    return said


def kernel_jobs(kernels, folder, assemblers):
    for name, case in json.loads((kernels / "kernels.json").read_text()).items():
        if wrong := assemble(assemblers, kernels / f"{name}.ptx", folder / f"{name}.cubin"):
            sys.exit(f"{name}: {wrong}")
        buffers = [{"bytes": b["bytes"], "file": b["file"]} for b in case["buffers"]]
        for made in [*buffers, *case["globals"]]:
            if made["file"]:
                shutil.copy(kernels / made["file"], folder / made["file"])
        launches = []
        for launch in case["launches"]:
            arguments = [[{"buffer": a["buffer"], "offset": 0} if "buffer" in a else a if "texture" in a else
                          {"bytes": a["bits"].to_bytes(8, "little")[:a["bytes"]].hex()}] for a in launch["arguments"]]
            launches.append({"entry": launch["entry"], "grid": launch["grid"], "block": launch["block"], "shared": 0,
                             "cooperative": False, "arguments": arguments})
        yield {"name": name, "cubin": f"{name}.cubin", "buffers": buffers, "globals": case["globals"], "launches": launches}


def outside_jobs(folder, assemblers):
    data = ROOT / "tests/data/outside"
    made = set()
    for path in sorted(data.glob("*.json")):
        document = json.loads(path.read_text())
        if "ptx" not in document:
            continue
        cubin = document["ptx"] + ".cubin"
        if cubin not in made and (wrong := assemble(assemblers, data / document["ptx"], folder / cubin)):
            print(path.name, wrong)
            continue
        made.add(cubin)
        names = [b["name"] for b in document["buffers"]]
        for buffer in document["buffers"]:
            if "file" in buffer:
                shutil.copy(data / buffer["file"], folder / buffer["file"])

        def part(p):
            for kind in {"texture", "surface"} & set(p):
                return {kind: {**p[kind], "buffer": names.index(p[kind]["buffer"])}}
            return {"buffer": names.index(p["buffer"]), "offset": p.get("offset", 0)} if "buffer" in p else p
        arguments = [[part(p) for p in a["struct"]] if "struct" in a else [part(a)] for a in document["args"]]
        yield {"name": "outside/" + path.stem, "cubin": cubin, "globals": [],
               "buffers": [{"bytes": b["bytes"], "file": b.get("file", "")} for b in document["buffers"]],
               "launches": [{"entry": document["entry"], "grid": document["grid"], "block": document["block"],
                             "shared": document["shared_bytes"], "cooperative": document["cooperative"],
                             "arguments": arguments}]}


def prepare(kernels, folder, assemblers):
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [*kernel_jobs(kernels, folder, assemblers), *outside_jobs(folder, assemblers)]
    table = json.loads((ROOT / "assets/counters/profile_metrics.json").read_text())
    metrics = [{"name": row["metric"], "section": section} for section, rows in table["metrics"].items() for row in rows]
    versions = [re.search(r"\bV(\d\S+)", subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout).group(1)
                for ptxas in assemblers]
    (folder / "jobs.json").write_text(json.dumps({"ptxas": versions, "metrics": metrics, "jobs": jobs}))
    for script in (__file__, ROOT / "tests/data/truth/texture_objects.py"):
        shutil.copy(script, folder)
    print(len(jobs), "jobs,", sum(len(job["launches"]) for job in jobs), "launches")


class Driver:
    """As much of the CUDA driver as a launch needs."""

    def __init__(self):
        self.cuda, self.kept = ctypes.CDLL("libcuda.so.1"), []
        context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status:
            raise RuntimeError(f"{name}: CUDA error {status}")

    def run(self, folder, job):
        module, contents = ctypes.c_void_p(), []
        self.call("cuModuleLoadData", ctypes.byref(module), (folder / job["cubin"]).read_bytes())
        addresses = []
        for buffer in job["buffers"]:
            address = ctypes.c_uint64()
            content = (folder / buffer["file"]).read_bytes() if buffer["file"] else bytes(buffer["bytes"])
            self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(1, len(content))))
            self.call("cuMemcpyHtoD_v2", address, content, ctypes.c_size_t(len(content)))
            addresses.append(address.value)
            contents.append(content)
        for variable in job["globals"]:
            address, size, content = ctypes.c_uint64(), ctypes.c_size_t(), (folder / variable["file"]).read_bytes()
            self.call("cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size), module, variable["symbol"].encode())
            self.call("cuMemcpyHtoD_v2", address, content, ctypes.c_size_t(len(content)))
        for launch in job["launches"]:
            self.launch(module, launch, addresses, contents)
        self.call("cuCtxSynchronize")
        for address in addresses:
            self.call("cuMemFree_v2", ctypes.c_uint64(address))
        self.call("cuModuleUnload", module)

    def part(self, part, addresses, contents):
        """The bytes of a part of an argument."""
        if "bytes" in part:
            return bytes.fromhex(part["bytes"])
        spec = part.get("texture") or part.get("surface")
        if not spec:
            return (addresses[part["buffer"]] + part["offset"]).to_bytes(8, "little")
        handle, array = texture_objects.make(spec, contents[spec["buffer"]], addresses[spec["buffer"]], "surface" in part)
        self.kept.append(array)
        return handle.to_bytes(8, "little")

    def launch(self, module, launch, addresses, contents):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, launch["entry"].encode())
        if launch["shared"] > 48 * 1024:
            self.call("cuFuncSetAttribute", function, 8, launch["shared"])
        holders = []
        for parts in launch["arguments"]:
            data = b"".join(self.part(part, addresses, contents) for part in parts)
            holders.append(ctypes.create_string_buffer(data, len(data)))
        pointers = (ctypes.c_void_p * max(1, len(holders)))(*[ctypes.addressof(h) for h in holders])
        shape = [*launch["grid"], *launch["block"], launch["shared"], None, pointers]
        if launch["cooperative"]:
            self.call("cuLaunchCooperativeKernel", function, *shape)
        else:
            self.call("cuLaunchKernel", function, *shape, None)


def launch_jobs(folder, first, last):
    driver = Driver()
    for job in json.loads((folder / "jobs.json").read_text())["jobs"][first:last]:
        driver.run(folder, job)


def profiled(folder, first, last, metrics, sections=SECTIONS):
    """The rows of ncu's raw page; a message where there are none."""
    sections = [word for section in sections for word in ("--section", section)]
    done = subprocess.run(["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                           "--print-kernel-base", "mangled", *sections, "--metrics", ",".join(metrics), sys.executable,
                           __file__, "launch", str(folder), str(first), str(last)], capture_output=True, text=True)
    at = done.stdout.find('"ID"')
    rows = [] if at < 0 else [r for r in csv.DictReader(io.StringIO(done.stdout[at:])) if (r["ID"] or "").strip().isdigit()]
    return rows, done.stdout[:3000] + done.stderr[:3000]


def known_metrics(folder, wanted):
    """Of the metrics that no section brings, those that this ncu has: it names the others, and runs nothing."""
    unknown = []
    for _ in range(20):
        rows, said = profiled(folder, 0, 1, wanted)
        if rows:
            return wanted, unknown
        named = [name for name in wanted if name in said or name.rsplit(".", 1)[0] in said]
        if not named:
            sys.exit("ncu profiles nothing:\n" + said)
        unknown += named
        wanted = [name for name in wanted if name not in named]
    sys.exit("ncu refuses one metric after the other: " + ", ".join(unknown))


def figure(text):
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return int(value) if value == int(value) else float(f"{value:.6g}")


def record(folder, out):
    begin = time.monotonic()
    prepared = json.loads((folder / "jobs.json").read_text())
    names = [m["name"] for m in prepared["metrics"] if m["section"] != "PmSampling"]
    wanted, unknown = known_metrics(folder, [m["name"] for m in prepared["metrics"] if m["section"] not in SECTIONS or
                                             m["section"] in ("ComputeWorkloadAnalysis", "InstructionStats")])
    alone = [m["name"] for m in prepared["metrics"] if m["section"] == "MemoryWorkloadAnalysis_Tables" and
             not m["name"].startswith(("dram", "lts")) and m["name"] not in unknown]
    device = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                            text=True).stdout.strip()
    version = subprocess.run(["ncu", "--version"], capture_output=True, text=True).stdout.strip().splitlines()[-1]
    launches, failed = [], []
    for first in range(0, len(prepared["jobs"]), BATCH):
        jobs = prepared["jobs"][first:first + BATCH]
        rows, said = profiled(folder, first, first + BATCH, wanted)
        counted, said_alone = profiled(folder, first, first + BATCH, alone, [])
        expected = [(job, launch) for job in jobs for launch in job["launches"]]
        if not len(counted) == len(rows) == len(expected):
            failed.append(f"jobs {first} to {first + len(jobs)}: {len(rows)} and {len(counted)} of {len(expected)} launches: "
                          f"{said[-600:]} {said_alone[-600:]}")
        for (job, launch), row, counters in zip(expected, rows, counted):
            row.update({name: counters[name] for name in alone})
            if launch["entry"] != row["Kernel Name"].split("(")[0]:
                failed.append(f"{job['name']}: {row['Kernel Name']} in place of {launch['entry']}")
                break
            launches.append({"name": job["name"], "entry": launch["entry"],
                             "values": [figure(row[name]) if row.get(name) else None for name in names]})
        head = {"device": device, "ncu": version, "ptxas": prepared["ptxas"], "unknown": unknown, "alone": alone, "metrics": names}
        text = json.dumps(head, indent=1)[:-2] + ',\n "launches": [\n  ' + ",\n  ".join(map(json.dumps, launches)) + "\n ]\n}\n"
        out.write_text(text)
        print(f"{len(launches)} launches after {time.monotonic() - begin:.0f} s", flush=True)
    print("unknown to this ncu:", unknown)
    print("failed:", *failed, sep="\n")


def main():
    what, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if what == "prepare":
        prepare(folder, pathlib.Path(sys.argv[3]), sys.argv[4:] or ["ptxas"])
    elif what == "record":
        record(folder, pathlib.Path(sys.argv[3]))
    else:
        launch_jobs(folder, int(sys.argv[3]), int(sys.argv[4]))


if __name__ == "__main__":
    main()
