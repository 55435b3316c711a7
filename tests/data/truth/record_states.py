#!/usr/bin/env python3
"""What Nsight Compute says of the schedulers and of what warps wait for, for the launches that record_profile.py prepares.

    record_states.py FOLDER TRUTH.json [--limit SECONDS]   on a GPU; FOLDER is of `record_profile.py prepare`

It resumes: launches that TRUTH.json has already are not run again. Caches stay as the launch before left them
(--cache-control none), and each launch is measured as the profiler replays it.
"""
import csv
import io
import json
import pathlib
import subprocess
import sys
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


def profiled(folder, first, last):
    done = subprocess.run(["ncu", "--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                           "--print-kernel-base", "mangled", "--section", "WarpStateStats", "--section", "SchedulerStats",
                           "--section", "LaunchStats", "--section", "Occupancy", "--metrics", ",".join(EXTRA), sys.executable,
                           str(folder / "record_profile.py"), "launch", str(folder), str(first), str(last)],
                          capture_output=True, text=True, check=False)
    at = done.stdout.find('"ID"')
    rows = [] if at < 0 else [r for r in csv.DictReader(io.StringIO(done.stdout[at:])) if (r["ID"] or "").strip().isdigit()]
    return rows, (done.stdout[:2000] + done.stderr[:2000])


def main():
    folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    limit = float(sys.argv[sys.argv.index("--limit") + 1]) if "--limit" in sys.argv else float("inf")
    began = time.monotonic()
    jobs = json.loads((folder / "jobs.json").read_text())["jobs"]
    kept = json.loads(out.read_text())["launches"] if out.exists() else []
    known = {launch["name"] for launch in kept}
    device = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True,
                            check=True).stdout.strip()
    ncu = subprocess.run(["ncu", "--version"], capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1]
    metrics = json.loads(out.read_text())["metrics"] if out.exists() else []
    for first in range(0, len(jobs), BATCH):
        if time.monotonic() - began > limit:
            print("the limit is reached")
            break
        part = jobs[first:first + BATCH]
        if all(job["name"] in known for job in part):
            continue
        rows, said = profiled(folder, first, first + BATCH)
        expected = [(job, launch) for job in part for launch in job["launches"]]
        if len(rows) != len(expected):
            print(f"jobs {first} to {first + len(part)}: {len(rows)} of {len(expected)} launches: {said[-500:]}")
            continue
        metrics = metrics or [name for name in rows[0] if name.startswith(WANTED) and (name in EXTRA or not name.endswith(SPREADS))]
        for (job, launch), row in zip(expected, rows):
            if job["name"] not in known:
                kept.append({"name": job["name"], "entry": launch["entry"], "grid": launch["grid"], "block": launch["block"],
                             "values": [figure(row.get(name)) for name in metrics]})
        out.write_text(json.dumps({"device": device, "ncu": ncu, "metrics": metrics}, indent=1)[:-2] + ',\n "launches": [\n  ' +
                       ",\n  ".join(map(json.dumps, kept)) + "\n ]\n}\n")
        print(f"{len(kept)} launches after {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
