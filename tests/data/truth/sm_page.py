#!/usr/bin/env python3
"""Puts the tables of docs/sm-model.md in anew, and the errors that the profiler's page shows (assets/timing/sm_errors.json): the model
of an SM against Nsight Compute on an H200.

  sm_page.py            from sm_model.jsonl, what the model says, and states_times_h200.json, what the profiler says
  sm_page.py --check    fails where the page has other tables, or the program other errors
  sm_page.py --record CORE_TESTS [WORD]   writes sm_model.jsonl first: all launches of a full wave, or those whose names have WORD
                        and compares them with the file
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[2] / "docs/sm-model.md"
ROWS = HERE / "sm_model.jsonl"
ERRORS = HERE.parents[2] / "assets/timing/sm_errors.json"
sys.path.insert(0, str(HERE))
import time_cases  # noqa: E402

SETS = {"seen": ("seen", "later seen"), "held out": ("held out",), "held out, later": ("later held out",), "held out, last": ("last held out",)}
FAR = 0.25
ISSUE, ELIGIBLE, ACTIVE = (f"smsp__{what}.avg.per_cycle_active" for what in ("issue_active", "warps_eligible", "warps_active"))
LATENCIES = "smsp__average_warp_latency_per_inst_issued.ratio", "smsp__average_warps_active_per_inst_executed.ratio"
# The figures of the profiler's page that the model makes: of a row of its own, and of what the profiler shows.
FIGURES = {
    "smsp__issue_active.avg.pct_of_peak_sustained_active": (lambda row: row["issue"], lambda one: one.issue),
    ISSUE: (lambda row: row["issue"], lambda one: one.issue),
    "smsp__issue_inst0.avg.pct_of_peak_sustained_active": (lambda row: 1 - row["issue"], lambda one: 1 - one.issue),
    ACTIVE: (lambda row: row["active"], lambda one: one.active),
    ELIGIBLE: (lambda row: row["eligible"], lambda one: one.eligible),
    **{name: (lambda row: row["active"] / row["issue"], lambda one, name=name: one.truth[name]) for name in LATENCIES},
}
# Why launches of a kernel miss by more, where something measured says so.
REASONS = {
    "grayscale": "bytes in many lines: the [time model](time-model.md#known-errors) is too short there, too",
    "grayscale_row_on_x": "as grayscale",
    "transpose_naive": "stores of parts of sectors: on the hardware warps drain longer",
    "index_map_2d": "on the hardware, warps of these small blocks drain for 300 cycles, in the model for 30",
    "matmul_tiled": "warps wait twice as long for memory and at barriers; the number of instructions agrees",
}


def record(core_tests, word, out):
    with tempfile.TemporaryDirectory() as folder:
        time_cases.launches(folder)
        subprocess.run([core_tests, "--gtest_filter=SmTruth.Record"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "WARPLENS_TIME_LAUNCHES": folder, "WARPLENS_SM_ROWS": str(out), "WARPLENS_SM_ONLY": word})


def rows_of(path):
    return {row["name"]: row for row in map(json.loads, path.read_text().splitlines())}


class Launch:
    def __init__(self, case, truth, row):
        self.case, self.row, self.truth = case, row, truth
        shown = lambda name: truth[name] or 0
        self.stalls = {name.split("stalled_")[1].removesuffix("_per_issue_active.ratio"): value or 0
                       for name, value in truth.items() if "issue_stalled" in name}
        self.issue, self.eligible, self.active = shown(ISSUE), shown(ELIGIBLE), shown(ACTIVE)
        self.cycles = shown("smsp__cycles_active.avg")
        self.executed = shown("smsp__inst_executed.sum")

    def instructions(self):
        """Machine instructions of a warp: the model's and the profiler's."""
        warps = -(-self.case["block"][0] * self.case["block"][1] // 32)
        blocks = self.case["grid"][0] * self.case["grid"][1]
        return self.row["instructions"] / self.row["blocks"] / warps, self.executed / blocks / warps

    def errors(self):
        """Of issue slots, eligible warps, active warps, cycles: relative; none where the profiler shows 0."""
        row = self.row
        pairs = ((row["issue"], self.issue), (row["eligible"], self.eligible), (row["active"], self.active), (row["cycles"], self.cycles))
        return [ours / theirs - 1 if theirs else None for ours, theirs in pairs]

    @staticmethod
    def largest(states):
        return max((name for name in states if name not in ("selected", "not_selected")), key=lambda name: states[name])

    def theirs(self):
        return self.largest(self.stalls)

    def ours(self):
        return self.largest(self.row["states"])


def launches():
    truth = json.loads((HERE / "states_times_h200.json").read_text())
    cases = {case["name"]: case for case in time_cases.all_cases()}
    rows = rows_of(ROWS)
    return [Launch(cases[one["name"]], dict(zip(truth["metrics"], one["values"])), rows[one["name"]])
            for one in truth["launches"] if one["name"] in rows]


def percent(value, digits=0):
    return f"{100 * value:.{digits}f} %"


def median_error(launches_, which):
    errors = [abs(e) for one in launches_ if (e := one.errors()[which]) is not None]
    return statistics.median(errors) if errors else None


def median(launches_, which):
    error = median_error(launches_, which)
    return "shown as 0" if error is None else percent(error, 1)


def errors_table(all_):
    lines = ["| | launches | largest stall equal | issue slots | eligible warps | active warps | cycles: median | mean |", "|---|---|---|---|---|---|---|---|"]
    for name, halves in [*SETS.items(), ("all", sum(SETS.values(), ()))]:
        some = [one for one in all_ if one.case["half"] in halves]
        equal = sum(one.ours() == one.theirs() for one in some)
        mean = statistics.mean(abs(e) for one in some if (e := one.errors()[3]) is not None)
        lines.append(f"| {name} | {len(some)} | {equal} ({percent(equal / len(some))}) | {median(some, 0)} | {median(some, 1)} | {median(some, 2)} "
                     f"| {median(some, 3)} | {percent(mean, 1)} |")
    return "\n".join(lines)


def stalls_table(all_):
    names = sorted({one.theirs() for one in all_}, key=lambda name: (-sum(one.theirs() == name for one in all_), name))
    lines = ["| largest by the profiler | launches | the model's is the same | or else |", "|---|---|---|---|"]
    for name in names:
        some = [one for one in all_ if one.theirs() == name]
        others = {}
        for one in some:
            if one.ours() != name:
                others[one.ours()] = others.get(one.ours(), 0) + 1
        lines.append(f"| {name} | {len(some)} | {sum(one.ours() == name for one in some)} | " +
                     ", ".join(f"{other} {count}" for other, count in sorted(others.items(), key=lambda pair: (-pair[1], pair[0]))) + " |")
    return "\n".join(lines)


def kernels_table(all_):
    lines = ["| kernel | launches | largest stall equal | instructions a warp | issue slots | cycles | off by more than 25 % | why |",
             "|---|---|---|---|---|---|---|---|"]
    for kernel in sorted({one.case["kernel"] for one in all_}):
        some = [one for one in all_ if one.case["kernel"] == kernel]
        far = [one for one in some if any(e is not None and abs(e) > FAR for e in (one.errors()[0], one.errors()[3]))]
        shapes = ", ".join(sorted(one.case["name"].removeprefix(kernel + "-") for one in far))
        counts = statistics.median(ours / theirs - 1 for ours, theirs in (one.instructions() for one in some))
        why = REASONS.get(kernel) or ("the number of instructions" if abs(counts) > 0.1 else "not known")
        lines.append(f"| {kernel} | {len(some)} | {sum(one.ours() == one.theirs() for one in some)} | {100 * counts:+.0f} % | {median(some, 0)} "
                     f"| {median(some, 3)} | {shapes} | {why if far else ''} |")
    return "\n".join(lines)


def tables():
    all_ = launches()
    return {"errors": errors_table(all_), "stalls": stalls_table(all_), "kernels": kernels_table(all_)}


def figure_error(all_, figure):
    ours, theirs = figure
    return statistics.median(abs(ours(one.row) / theirs(one) - 1) for one in all_ if theirs(one))


def errors_file():
    """What the program shows beside its figures. Figures that the profiler shows as 0 are left out, as in the tables."""
    all_ = launches()
    device = json.loads((HERE / "states_times_h200.json").read_text())["device"].split(",")[0]
    return json.dumps({
        "about": "The model of an SM against Nsight Compute, by tests/data/truth/sm_page.py; docs/sm-model.md explains it. Errors are medians of "
                 "|modelled - measured| / measured over the launches.",
        "device": device,
        "launches": len(all_),
        "largest_stall_equal": sum(one.ours() == one.theirs() for one in all_),
        "cycles": round(median_error(all_, 3), 4),
        "metrics": {name: round(figure_error(all_, figure), 4) for name, figure in FIGURES.items()},
    }, indent=1) + "\n"


def with_tables(text):
    for name, table in tables().items():
        mark = f"<!-- table: {name} -->"
        if mark not in text:
            sys.exit(f"{PAGE} has no {mark}")
        text = re.sub(re.escape(mark) + r".*?<!-- /table -->", lambda _: f"{mark}\n\n{table}\n\n<!-- /table -->", text, count=1, flags=re.S)
    return text


def compare(core_tests, word):
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "rows"
        record(core_tests, word, made)
        rows, known = rows_of(made), rows_of(ROWS)
    if not rows:
        sys.exit(f"no launch has {word} in its name")
    for name, row in rows.items():
        if row != known.get(name):
            sys.exit(f"{name}: the model says\n{row}\nand sm_model.jsonl has\n{known.get(name)}\nRun sm_page.py --record {core_tests}")
    print(f"{len(rows)} launches as in {ROWS.name}")


def main():
    words = sys.argv[1:]
    if words[:1] == ["--record"] and len(words) == 3:
        return compare(words[1], words[2])
    if words[:1] == ["--record"] and len(words) == 2:
        record(words[1], "", ROWS)
    elif words not in ([], ["--check"]):
        sys.exit(__doc__)
    text = PAGE.read_text(encoding="utf-8")
    files = {PAGE: with_tables(text), ERRORS: errors_file()}
    for path, made in files.items():
        if words != ["--check"]:
            path.write_text(made, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != made:
            sys.exit(f"{path} is not what {ROWS.name} says: run {__file__}")
    return None


if __name__ == "__main__":
    main()
