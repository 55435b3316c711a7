#!/usr/bin/env python3
"""How far the time model is from the sweeps that a real GPU was measured in (docs/device-sweeps).

usage: tests/truth/sweep_errors.py WARPLENS

Runs the same sweeps on the virtual device of the same name and holds the modelled times against the measured ones,
beside those of the model when the sweeps were recorded. The rate at which blocks start was read off `grayscale` alone;
the other sweeps are held out. A second table says how often the model is right about which of two shapes of one kernel is
the faster one, by how much faster it says that one is (core/job/tried_fixes.h, least_gain). Ends with status 1 where a held-out sweep is not better than it was, or any is worse.
"""
import csv
import math
import os
import statistics
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SWEEPS = {
    "grayscale": ["grayscale", "--image", "big.png"],
    "loop_test": ["loop_test", "--set", "n=100000", "--set", "loops=1000"],
    "transpose": ["transpose_naive", "--set", "width=4096", "--set", "height=4096"],
    "reduction": ["reduce_shared", "--set", "n=16777216"],
}
FITTED = {"grayscale"}


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
    return {shape(row): float(row["modelled_us"] or row["kernel_us"]) for row in rows(table)}


def error(pairs):
    """The middle of |ln(modelled / measured)|, as percent, and its largest."""
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


def main():
    program = os.path.abspath(sys.argv[1])
    bad, lines, held_out_pairs = False, [], []
    with tempfile.TemporaryDirectory() as folder:
        picture(os.path.join(folder, "big.png"))
        for name in SWEEPS:
            recorded = [r for r in rows(f"{root}/docs/device-sweeps/{name}.csv") if r["modelled_us"]]
            now = modelled(program, name, recorded[0]["device"], [shape(r) for r in recorded], folder)
            before = error([(float(r["modelled_us"]), float(r["kernel_us"])) for r in recorded])
            after = error([(now[shape(r)], float(r["kernel_us"])) for r in recorded])
            held_out = name not in FITTED
            if held_out:
                held_out_pairs += pairs(now, {shape(r): float(r["kernel_us"]) for r in recorded},
                                        {shape(r): int(r["global_sectors"]) for r in recorded})
            bad |= after[0] > before[0] + 1 or after[1] > before[1] + 1 or (held_out and name != "loop_test" and
                                                                           not after[1] < before[1])
            lines.append(f"| {name} | {'held out' if held_out else 'the rate is from here'} | {len(recorded)} | "
                         f"{before[0]:.0f} % | {before[1]:.0f} % | {after[0]:.0f} % | {after[1]:.0f} % |")
    print("\n".join(lines + [""] + pairs_table(held_out_pairs)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
