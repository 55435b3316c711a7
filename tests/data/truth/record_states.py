#!/usr/bin/env python3
"""What Nsight Compute says of the schedulers and of what warps wait for.

    record_states.py FOLDER TRUTH.json [--limit SECONDS]   the launches of `record_profile.py prepare` in FOLDER, on a GPU
    record_states.py --times TRUTH.json                    those of time_cases.py, in sizes and block shapes; needs nvcc and ptxas

The first resumes: launches that TRUTH.json has already are not run again. Caches stay as the launch before left them
(--cache-control none), and each launch is measured as the profiler replays it.
"""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import time

# Of the raw page, what begins so.
WANTED = ("smsp__average_warp", "smsp__warps_active", "smsp__warps_eligible", "smsp__issue_active", "smsp__issue_inst0",
          "smsp__inst_executed", "smsp__inst_issued", "smsp__cycles_active", "smsp__maximum_warps", "smsp__thread_inst",
          "sm__cycles_active", "sm__cycles_elapsed", "gpc__cycles_elapsed", "gpu__time_duration", "sm__warps_active",
          "launch__waves", "launch__occupancy_limit", "launch__registers_per_thread", "launch__thread_count", "launch__grid_size",
          "launch__block_size")
SPREADS = (".sum", ".min", ".max", ".sum.per_cycle_active", ".min.per_cycle_active", ".max.per_cycle_active",
           "pct_of_peak_sustained_active", "pct_of_peak_sustained_elapsed")
EXTRA = ["gpu__time_duration.sum", "smsp__inst_executed.sum", "smsp__cycles_active.avg", "sm__cycles_active.avg",
         "sm__cycles_elapsed.max", "sm__warps_active.avg.pct_of_peak_sustained_active"]
BATCH = 25


def figure(text):
    try:
        value = float((text or "").replace(",", ""))
    except ValueError:
        return None
    return int(value) if value == int(value) else float(f"{value:.6g}")


def profiled(*command, options=()):
    done = subprocess.run(["ncu", "--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                           "--print-kernel-base", "mangled", "--section", "WarpStateStats", "--section", "SchedulerStats",
                           "--section", "LaunchStats", "--section", "Occupancy", "--metrics", ",".join(EXTRA), *options, *command],
                          capture_output=True, text=True, check=False)
    at = done.stdout.find('"ID"')
    rows = [] if at < 0 else [r for r in csv.DictReader(io.StringIO(done.stdout[at:])) if (r["ID"] or "").strip().isdigit()]
    return rows, (done.stdout[:2000] + done.stderr[:2000])


class Truth:
    def __init__(self, path):
        self.path = path
        before = json.loads(path.read_text()) if path.exists() else {}
        self.launches, self.metrics = before.get("launches", []), before.get("metrics", [])
        self.known = {launch["name"] for launch in self.launches}

    def add(self, name, entry, grid, block, row):
        self.metrics = self.metrics or [name for name in row if name.startswith(WANTED) and
                                        (name in EXTRA or not name.endswith(SPREADS))]
        if name not in self.known:
            self.launches.append({"name": name, "entry": entry, "grid": grid, "block": block,
                                  "values": [figure(row.get(metric)) for metric in self.metrics]})

    def write(self):
        device = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True,
                                check=True).stdout.strip()
        ncu = subprocess.run(["ncu", "--version"], capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1]
        self.path.write_text(json.dumps({"device": device, "ncu": ncu, "metrics": self.metrics}, indent=1)[:-2] + ',\n "launches": [\n  ' +
                             ",\n  ".join(map(json.dumps, self.launches)) + "\n ]\n}\n")


def record_prepared(folder, truth, limit):
    began = time.monotonic()
    jobs = json.loads((folder / "jobs.json").read_text())["jobs"]
    for first in range(0, len(jobs), BATCH):
        if time.monotonic() - began > limit:
            print("the limit is reached")
            break
        part = jobs[first:first + BATCH]
        if all(job["name"] in truth.known for job in part):
            continue
        rows, said = profiled(sys.executable, str(folder / "record_profile.py"), "launch", str(folder), str(first), str(first + BATCH))
        expected = [(job, launch) for job in part for launch in job["launches"]]
        if len(rows) != len(expected):
            print(f"jobs {first} to {first + len(part)}: {len(rows)} of {len(expected)} launches: {said[-500:]}")
            continue
        for (job, launch), row in zip(expected, rows):
            truth.add(job["name"], launch["entry"], launch["grid"], launch["block"], row)
        truth.write()
        print(f"{len(truth.launches)} launches after {time.monotonic() - began:.0f} s", flush=True)


def record_times(truth):
    """Each launch of time_cases.py once, warm."""
    here = pathlib.Path(__file__).resolve().parent
    sys.path.insert(0, str(here))
    import time_cases
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for kernel in sorted({case["kernel"] for case in time_cases.all_cases()}):
            subprocess.run(["ptxas", "-arch=sm_90", str(here.parent / f"golden/ptx/{kernel}.ptx"), "-o", str(work / f"{kernel}.cubin")], check=True)
        subprocess.run(["nvcc", "-cubin", "-arch=sm_90", str(here.parents[2] / "cuda/calibration/issue.cu"), "-o", str(work / "delay.cubin")],
                       check=True)
        subprocess.run(["nvcc", "-O2", "-std=c++17", str(here / "time_launches.cu"), "-o", str(work / "time_launches"), "-lcuda"], check=True)
        lines = subprocess.run([sys.executable, str(here / "time_cases.py"), "lines", folder], capture_output=True, text=True, check=True).stdout
        (work / "lines").write_text(lines)
        rows, said = profiled(str(work / "time_launches"), str(work / "lines"), str(work / "delay.cubin"), "profile",
                              options=["--profile-from-start", "off"])
    names = [line.split() for line in lines.splitlines() if line.strip()]
    if len(rows) != len(names):
        sys.exit(f"{len(rows)} of {len(names)} launches: {said[-1500:]}")
    for words, row in zip(names, rows):
        truth.add(words[0], words[2], [int(n) for n in words[3:6]], [int(n) for n in words[6:9]], row)
    truth.write()
    print(len(truth.launches), "launches")


def main():
    truth = Truth(pathlib.Path(sys.argv[2]))
    if sys.argv[1] == "--times":
        return record_times(truth)
    limit = float(sys.argv[sys.argv.index("--limit") + 1]) if "--limit" in sys.argv else float("inf")
    return record_prepared(pathlib.Path(sys.argv[1]), truth, limit)


if __name__ == "__main__":
    main()
