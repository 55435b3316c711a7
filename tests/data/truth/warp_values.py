"""Inputs of the whole-warp cases (tests/data/ptx/*.warp), and the kernel around a form.

Inputs are not stored: they follow from kind and seed, here and in tests/core/gpu/exec/warp_case.cpp. Needs numpy.
"""
import re

import numpy

SEEDS = 16
TILE_BYTES = 8192
FLOATS = {"f16": (5, 10), "bf16": (8, 7), "tf32": (8, 23), "f32": (8, 23), "f64": (11, 52), "e4m3": (4, 3), "e5m2": (5, 2)}
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "s32": 32,
        "b16": 16, "b32": 32, "b64": 64, "pairs": 32, "ones": 32, "row": 32, "slot": 32}
KINDS = ["small", "normal", "middle", "wide", "raw", "edges", "cancel"]
U = numpy.uint64


def mix(z):
    z = (z ^ (z >> U(30))) * U(0xbf58476d1ce4e5b9)
    z = (z ^ (z >> U(27))) * U(0x94d049bb133111eb)
    return z ^ (z >> U(31))


def pick(r, shift, choices):
    table = numpy.array(choices, dtype=numpy.uint64)
    return table[((r >> U(shift)) % U(len(choices))).astype(numpy.int64)]


def draw_float(element, kind, r):
    exponent_bits, mantissa_bits = FLOATS[element]
    bias = (1 << exponent_bits - 1) - 1
    mask = (1 << mantissa_bits) - 1
    more = mix(r)
    sign = r >> U(63)
    mantissa = more & U(mask)
    top = 1 << mantissa_bits - 1
    if kind == "small":
        k = ((r >> U(8)) % U(9)).astype(numpy.int64)
        sign = (k < 4).astype(numpy.uint64)
        size = numpy.abs(k - 4)
        exponent = numpy.array([0, bias, bias + 1, bias + 1, bias + 2], dtype=numpy.uint64)[size]
        mantissa = numpy.array([0, 0, 0, top, 0], dtype=numpy.uint64)[size]
    elif kind == "middle":
        exponent = U(max(1, bias - 14)) + (r >> U(40)) % U(min(29, 2 * bias - 1))
    elif kind == "wide":
        exponent = (r >> U(40)) % U((1 << exponent_bits) - 1)
    elif kind == "raw":
        exponent = (r >> U(40)) % U(1 << exponent_bits)
    else:
        exponent = U(bias - 3) + (r >> U(40)) % U(7)
    if kind == "cancel":
        step = min(11, bias - 3)
        exponent = pick(r, 40, [bias, bias + step, bias - step, bias + 1])
        mantissa = pick(r, 44, [0, 1, mask, top])
    if kind == "edges":
        full = (1 << exponent_bits) - 1
        largest = (full, mask - 1) if element == "e4m3" else (full - 1, mask)
        choice = ((r >> U(48)) % U(128)).astype(numpy.int64)
        for number, (e, m) in enumerate([(full, 0), (full, mask)] + [(0, 0), largest, (0, 1), (0, mask), (1, 0), (bias, 0)] * 4):
            exponent = numpy.where(choice == number, U(e), exponent)
            mantissa = numpy.where(choice == number, U(m), mantissa)
    return sign << U(exponent_bits + mantissa_bits) | exponent << U(mantissa_bits) | mantissa


def draw_integer(element, kind, r):
    bits = BITS[element]
    mask = U((1 << bits) - 1)
    if kind == "small":
        value = (r >> U(8)) % U(9)
        return value if element[0] == "u" else (value - U(4)) & mask
    if kind == "edges":
        top = 1 << bits - 1
        return pick(r, 8, [0, 1, top, top - 1, int(mask), int(mask)])
    return r & mask


def draw(element, kind, r, lane, seed):
    """One element's bits for each lane."""
    if element == "pairs":  # two of four, for sparse matrices
        word = U(0)
        for k in range(8):
            word = word | pick(r, 8 * k, [4, 8, 12, 9, 13, 14]) << U(4 * k)
        return word
    if element == "ones":  # one of two
        word = U(0)
        for k in range(8):
            word = word | pick(r, 8 * k, [4, 14]) << U(4 * k)
        return word
    if element == "row":  # any row of 16 bytes of the tile's first 2 KiB
        return r % U(128) * U(16)
    if element == "slot":  # a row of its own
        return (lane * U(2 * (seed % 16) + 1) + U(seed)) % U(32) * U(16)
    if element in FLOATS:
        return draw_float(element, kind, r)
    return draw_integer(element, kind, r)


class Form:
    def __init__(self, lines, group):
        self.group = group
        self.code, self.ins, self.outs, self.tile_in, self.tile_out, self.kinds = [], [], [], 0, 0, {}
        for line in lines:
            words = line.split()
            if words[0] == "in":
                self.ins.append((words[1], words[2], int(words[3]), words[4]))
            elif words[0] == "out":
                self.outs.append((words[1], words[2], int(words[3])))
            elif words[0] == "tile":
                self.tile_in, self.tile_out = int(words[1]), int(words[2])
            elif words[0] == "=":
                self.kinds[words[1]] = words[2:]
            else:
                self.code.append(line.strip())

    def name(self):
        return self.code[-1].split()[0] if self.code[-1][0] != "@" else self.code[-1]

    # Bytes of a lane: registers in their order, each on its own alignment, then the lane's part of the tile.
    def layout(self, groups, tile):
        at, places = 0, []
        for group in groups:
            size = register_bytes(group[1])
            at = -(-at // size) * size
            places.append(at)
            at += size * group[2]
        tile_at = -(-at // 16) * 16
        return places, tile_at, tile_at + -(-4 * tile // 16) * 16

    def inputs(self, kind, seed):
        """32 lanes of bytes."""
        places, tile_at, stride = self.layout(self.ins, self.tile_in)
        data = numpy.zeros((32, stride), dtype=numpy.uint8)
        lane = numpy.arange(32, dtype=numpy.uint64)
        groups = [(p, g[1], g[2], g[3]) for p, g in zip(places, self.ins)]
        if self.tile_in:
            groups.append((tile_at, "b32", self.tile_in, "b32"))
        for g, (place, register, count, element) in enumerate(groups):
            size = register_bytes(register)
            packed = 8 * size // BITS[element]
            for i in range(count):
                value = numpy.zeros(32, dtype=numpy.uint64)
                for k in range(packed):
                    index = U((g * 64 + i * packed + k) * 32) + lane
                    r = mix(U(seed * 0x9e3779b97f4a7c15 & 0xffffffffffffffff) + index * U(0xd1342543de82ef95) + U(1))
                    value |= draw(element, kind, r, lane, seed) << U(k * BITS[element])
                data[:, place + i * size:place + (i + 1) * size] = value.view(numpy.uint8).reshape(32, 8)[:, :size]
        return data.tobytes()

    def kernel(self, name):
        in_at, in_tile, in_stride = self.layout(self.ins, self.tile_in)
        out_at, out_tile, out_stride = self.layout(self.outs, self.tile_out)
        lines = [f".visible .entry {name}(.param .u64 in, .param .u64 out)", "{"]
        for n, register, count, *_ in self.ins + self.outs:
            lines.append(f"  .reg .{register} %{n}<{count}>;")
        lines += ["  .reg .pred %p<8>;", "  .reg .b32 %w<40>;", "  .reg .b64 %l<20>;", "  .reg .b32 %lane, %block, %thread, %tile, %row;",
                  "  .reg .b64 %in, %out;", f"  .shared .align 128 .b8 tile[{TILE_BYTES}];", "  mov.u32 %lane, %laneid;",
                  "  mov.u32 %block, %ctaid.x;", "  mad.lo.u32 %thread, %block, 32, %lane;", "  ld.param.u64 %in, [in];",
                  f"  mad.wide.u32 %in, %thread, {in_stride}, %in;", "  ld.param.u64 %out, [out];",
                  f"  mad.wide.u32 %out, %thread, {out_stride}, %out;", "  mov.u32 %tile, tile;"]
        for place, (n, register, count, *_) in zip(in_at, self.ins):
            size = register_bytes(register)
            lines += [f"  ld.global.{register} %{n}{i}, [%in+{place + i * size}];" for i in range(count)]
        if self.tile_in:
            lines.append(f"  mad.lo.u32 %row, %lane, {4 * self.tile_in}, %tile;")
            for i in range(self.tile_in):
                lines += [f"  ld.global.b32 %w0, [%in+{in_tile + 4 * i}];", f"  st.shared.b32 [%row+{4 * i}], %w0;"]
        lines.append("  bar.sync 0;")
        for line in self.code:
            for n, _, count, *_ in self.ins + self.outs:
                line = re.sub(r"\{" + n + r"\}", "{" + ", ".join(f"%{n}{i}" for i in range(count)) + "}", line)
            lines.append("  " + line)
        lines.append("  bar.sync 0;")
        for place, (n, register, count) in zip(out_at, self.outs):
            size = register_bytes(register)
            lines += [f"  st.global.{register} [%out+{place + i * size}], %{n}{i};" for i in range(count)]
        if self.tile_out:
            lines.append(f"  mad.lo.u32 %row, %lane, {4 * self.tile_out}, %tile;")
            for i in range(self.tile_out):
                lines += [f"  ld.shared.b32 %w0, [%row+{4 * i}];", f"  st.global.b32 [%out+{out_tile + 4 * i}], %w0;"]
        return "\n".join(lines + ["  ret;", "}"])


def register_bytes(register):
    return int(register[1:]) // 8


def module(kernels):
    return ".version 8.7\n.target sm_90\n.address_size 64\n" + "\n".join(kernels) + "\n"


def fnv(data):
    value = 0x811c9dc5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xffffffff
    return f"{value:08x}"


def read_forms(path):
    forms, group = [], ""
    for line in path.read_text().split("\n"):
        if line.startswith("group "):
            group = line[len("group "):]
        elif line == "form":
            forms.append(([], group))
        elif line.startswith("  "):
            forms[-1][0].append(line)
    return [Form(*form) for form in forms]
