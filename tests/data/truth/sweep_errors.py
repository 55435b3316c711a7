#!/usr/bin/env python3
"""How far the time model is from the sweeps that a real GPU was measured in (docs/device-sweeps).

usage: tests/data/truth/sweep_errors.py WARPLENS [--write]

Runs the same sweeps on the virtual device of the same name and holds the modelled times against the measured ones. A second
table says how often the model is right about which of two shapes of one kernel is the faster one, by how much faster it says
that one is. --write puts the modelled times into the CSV files, the tables into docs/device-sweeps.md, and draws
docs/device-sweeps/times.png. Ends with status 1 where the page has other tables.
"""
import csv
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SWEEPS = {
    "grayscale": ["grayscale", "--image", "big.png"],
    "loop_test": ["loop_test", "--set", "n=100000", "--set", "loops=1000"],
    "transpose": ["transpose_naive", "--set", "width=4096", "--set", "height=4096"],
    "reduction": ["reduce_shared", "--set", "n=16777216"],
}
BAND = 1.35  # of a measured device (docs/time-model.md)


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def shape(row):
    return int(row["block_x"]), int(row["block_y"]), int(row["block_z"])


def picture(path):
    """4096 × 4096 pixels of one colour; what a grayscale costs does not depend on what it shows."""
    import struct
    import zlib
    size = 4096
    packed = zlib.compress((b"\0" + bytes(3 * size)) * size, 1)
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", packed) + chunk(b"IEND", b""))


def modelled(program, name, device, shapes, folder):
    table = os.path.join(folder, name + ".csv")
    blocks = ",".join(f"{x}x{y}" for x, y, _ in shapes)
    done = subprocess.run([program, "sweep", *SWEEPS[name], "--device", device, "--blocks", blocks, "--csv", table],
                          capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stderr}")
    # A run that is too long for the virtual GPU has no modelled time.
    return {shape(row): float(row["kernel_us"]) for row in rows(table) if row["kernel_us"]}


def error(pairs):
    """The median of |ln(modelled / measured)|, as percent, and its largest."""
    logs = sorted(abs(math.log(model / measured)) for model, measured in pairs)
    percent = lambda log: 100 * (math.exp(log) - 1)
    return percent(statistics.median(logs)), percent(logs[-1])


def pairs(model, measured, sectors):
    """(modelled gain, measured gain, whether sectors are no more) of each pair of shapes, from the slower one by the model
    to the faster one."""
    shapes = sorted(model)
    for a in shapes:
        for b in shapes:
            if a != b and model[a] > model[b]:
                yield model[a] / model[b], measured[a] / measured[b], sectors[b] <= sectors[a]


def pairs_table(found):
    lines = ["| the model sees at least | pairs of shapes | it is right about | of them with no more sectors | it is right about |",
             "|---|---|---|---|---|"]
    share = lambda gains: f"{100 * sum(g > 1 for g in gains) / len(gains):.0f} %" if gains else "–"
    for least in (1.01, 1.05, 1.1, 1.15, 1.2, 1.3, 1.5):
        gains = [measured for modelled, measured, _ in found if modelled >= least]
        fewer = [measured for modelled, measured, no_more in found if modelled >= least and no_more]
        lines.append(f"| {least:g} times | {len(gains)} | {share(gains)} | {len(fewer)} | {share(fewer)} |")
    return lines


def write_modelled(path, now):
    with open(path, newline="") as file:
        names = next(csv.reader(file))
    lines = [",".join(names)]
    for row in rows(path):
        row["modelled_us"] = f"{now[shape(row)]:.6g}" if shape(row) in now else ""
        lines.append(",".join(f'"{row[n]}"' if n in ("kernel", "device") else row[n] for n in names))
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def draw(program, points, folder):
    times = os.path.join(folder, "times.json")
    with open(times, "w") as file:
        json.dump({"device": "NVIDIA H200, cold L2", "band": BAND, "launches": points}, file)
    subprocess.run([program, "render", "times", times, "--size", "1000x860", "--theme", "light", "--out",
                    f"{root}/docs/device-sweeps/times.png"], check=True, stdout=subprocess.DEVNULL)


def main():
    program, write = os.path.abspath(sys.argv[1]), "--write" in sys.argv
    points, all_pairs = [], []
    errors = ["| sweep | shapes | median | largest |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        picture(os.path.join(folder, "big.png"))
        for name in SWEEPS:
            path = f"{root}/docs/device-sweeps/{name}.csv"
            recorded = [r for r in rows(path) if r["kernel_us"] and r["status"] == "ok"]
            measured = {shape(r): float(r["kernel_us"]) for r in recorded}
            now = modelled(program, name, recorded[0]["device"], list(measured), folder)
            measured = {s: us for s, us in measured.items() if s in now}
            median, largest = error([(now[s], measured[s]) for s in measured])
            errors.append(f"| {name} | {len(measured)} | {median:.0f} % | {largest:.0f} % |")
            counted = {shape(r): int(r["global_sectors"]) for r in recorded if r["global_sectors"] and shape(r) in now}
            all_pairs += pairs({s: now[s] for s in counted}, measured, counted)
            points += [{"kernel": name, "set": "shapes of four sweeps", "measured_us": measured[s], "modelled_us": now[s]}
                       for s in measured]
            if write:
                write_modelled(path, now)
        if write:
            draw(program, points, folder)
    page_path = f"{root}/docs/device-sweeps.md"
    with open(page_path) as file:
        page = file.read()
    for mark, table in (("errors", errors), ("pairs", pairs_table(all_pairs))):
        text = "\n".join(table) + "\n"
        print(text)
        page = re.sub(rf"(<!-- table: {mark} -->\n\n).*?(?=\n<!-- /table -->)", lambda m: m[1] + text, page, flags=re.S)
    if write:
        with open(page_path, "w") as file:
            file.write(page)
    with open(page_path) as file:
        return 0 if file.read() == page else 1


if __name__ == "__main__":
    sys.exit(main())
