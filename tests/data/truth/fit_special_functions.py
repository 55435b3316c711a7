#!/usr/bin/env python3
"""Finds the coefficients of the special function unit in what record_approximations.py recorded.

    fit_special_functions.py RAW_DIR core/gpu/exec/ops/special_functions.def      needs NumPy

In each segment the unit's sum is c0 + c1 * x + c2 * square(x), cut to the 24 bits of the result; square is the unit's
own, from some of the partial products (Oberman and Siu, ARITH-17, 2005). So each recorded result bounds the sum from
below and above. For whole c1 and c2 the bounds on c0 follow at once, and all segments of all functions turn out to have
exactly one pair that leaves any c0: the fit is a proof that the unit computes this.
"""
import pathlib
import sys

import numpy as np

SEGMENT = 1 << 17
ARGUMENT = np.arange(SEGMENT, dtype=np.int64)
# What an argument of 0 gives is wired, and no result of the parabola.
WIRED = {"rsqrt", "sqrt", "lg2"}
# function: its recorded octaves, in the order of the segments; the unit of the sum, 2^-n; what c2 is a multiple of.
FUNCTIONS = {
    "rcp": (["rcp_127"], 40, 2), "rsqrt": (["rsqrt_127", "rsqrt_128"], 40, 4), "sqrt": (["sqrt_127", "sqrt_128"], 40, 2),
    "sin": (["sine_125"], 37, 1), "lg2": (["lg2_127"], 38, 2), "ex2": (["ex2_127"], 37, 1),  # results from 2 to 4 for those from 1 to 2
}
TANH_SEGMENTS = {119: 1, 120: 1, 121: 1, 122: 2, 123: 2, 124: 4, 125: 4, 126: 4, 127: 8, 128: 16, 129: 8}
TANH_UNIT = 39


def squares():
    total = np.zeros(SEGMENT, dtype=np.int64)
    for bit in range(17):
        total += np.where(ARGUMENT >> bit & 1, ARGUMENT >> (18 - bit), 0)
    return total >> 1


SQUARE = squares()


def bounds(bits, unit, kept=0):
    """The least and the greatest sum in units of 2^-unit that gives each f32; `kept`: bits cut off before that."""
    exponent, mantissa = bits >> 23 & 255, (bits & 0x7FFFFF) | 1 << 23
    shift = exponent - 150 + unit
    low = np.where(shift >= 0, mantissa << np.clip(shift, 0, 38), mantissa >> np.clip(-shift, 0, 62))
    return low, low + np.maximum(1 << np.clip(shift, 0, 38), 1 << kept) - 1


def solutions(low, high, c2_step, wired):
    first, every = 1 if wired else 0, SEGMENT // low.size
    low, high, x, square = low[first:], high[first:], ARGUMENT[first::every], SQUARE[first::every]
    matrix = np.stack([np.ones(x.size), x, square]).T.astype(float)
    near = np.linalg.lstsq(matrix, (low + high) / 2.0, rcond=None)[0]
    found = []
    for c2 in range(round(near[2] / c2_step) - 2, round(near[2] / c2_step) + 3):
        for c1 in range(round(near[1]) - 3, round(near[1]) + 4):
            parabola = c1 * x + c2 * c2_step * square
            least, greatest = int((low - parabola).max()), int((high - parabola).min())
            if least <= greatest:
                found.append((least, greatest, c1, c2 * c2_step))
    return found


def roundest(least, greatest):
    """Of the possible c0 the one with the most zero bits behind."""
    for zeros in range(62, -1, -1):
        value = -(-least >> zeros) << zeros
        if value <= greatest:
            return value


def fit(name, bits, unit, c2_step, kept=0):
    rows, size = [], SEGMENT // 2 if name == "rcp" else SEGMENT
    for start in range(0, bits.size, size):
        found = solutions(*bounds(bits[start:start + size], unit, kept), c2_step, start == 0 and name in WIRED)
        if not found:
            return None
        assert len(found) == 1, (name, start // size, found)
        least, greatest, c1, c2 = found[0]
        rows.append((roundest(least, greatest), c1, c2))
    return rows


def octave(folder, name):
    return np.load(pathlib.Path(folder, name + ".npy")).astype(np.int64)


def tanh(folder):
    """The result of the coarsest unit that has one, for each exponent."""
    rows = []
    for exponent, segments in TANH_SEGMENTS.items():
        bits = octave(folder, f"tanh_{exponent}")
        every = bits.size // (segments * SEGMENT)
        assert np.array_equal(np.repeat(bits[::every], every), bits), "tanh cuts its argument elsewhere"
        for unit in range(30, TANH_UNIT + 1):
            found = fit("tanh", bits[::every], unit, 1)
            if found:
                rows.append((exponent, [[c << (TANH_UNIT - unit) for c in row] for row in found]))
                break
        else:
            sys.exit(f"no parabola fits tanh at exponent {exponent}")
    return rows


HEAD = """// Coefficients of the special function unit, from all results of an {device} for one octave of each function
// (tests/data/truth/record_approximations.py). Remade by tests/data/truth/fit_special_functions.py, which shows that no others
// give these results.
//
// MUFU_NAME(c0, c1, c2): in its segment the function is (c0 + c1 · x + c2 · square(x)) / 2^unit, cut; x are the 17 bits
// of the argument behind those that choose the segment, in ascending order; c0 holds the constant that rounds.
//   rcp         of [1, 2), 128 segments, unit 40 (x has 16 bits and a 0)
//   rsqrt sqrt  of [1, 2) and [2, 4), 64 segments each, unit 40
//   sin         of a quarter of a turn, 64 segments, unit 37
//   lg2         of [1, 2), 64 segments, unit 38
//   ex2         of [0, 1), 64 segments, unit 38
//   tanh        of each power of two from 2^-8 to 8 a number of its own, unit 39
"""


def main():
    folder, out = sys.argv[1], pathlib.Path(sys.argv[2])
    names = [*FUNCTIONS, "tanh"]
    text = HEAD.format(device=pathlib.Path(folder, "device.txt").read_text().strip())
    for name in names:
        text += f"#ifndef MUFU_{name.upper()}\n#define MUFU_{name.upper()}(c0, c1, c2)\n#endif\n"
    for name, (octaves, unit, c2_step) in FUNCTIONS.items():
        bits = np.concatenate([octave(folder, o) for o in octaves])
        if name == "sin":  # recorded from 1/4 to 1/2: the quarter backwards
            bits = bits[::-1]
        rows = fit(name, bits, unit, c2_step, 2 if name == "lg2" else 0)
        if rows is None:
            sys.exit(f"no parabola fits {name}")
        text += "\n" + "".join(f"MUFU_{name.upper()}({c0}, {c1}, {c2})\n" for c0, c1, c2 in rows)
    for exponent, rows in tanh(folder):
        text += f"\n// from 2^{exponent - 127}\n" + "".join(f"MUFU_TANH({c0}, {c1}, {c2})\n" for c0, c1, c2 in rows)
    out.write_text(text + "\n" + "".join(f"#undef MUFU_{name.upper()}\n" for name in names))


if __name__ == "__main__":
    main()
