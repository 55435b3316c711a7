#!/usr/bin/env python3
"""Writes the data-driven instruction tests: tests/data/ptx/<opcode>.cases, their operands, and, where a recording of real
hardware is given, what the hardware answered. The file format: tests/data/ptx/README.md.

    ptx_cases.py                      list the forms
    ptx_cases.py write DIR            write the tables; a form that is new, or asks for something else than the table
                                      that is there, has '?' in place of results
    ptx_cases.py fill DIR TRUTH.json  put the recorded results into the tables (record_ptx.py makes TRUTH.json)
"""
import json
import pathlib
import random
import sys

import texture_cases
import ptx_half_cases
import ptx_more_cases
import three_input_cases
import warp_cases
from ptx_tables import TARGET, Case, Row, read_tables, write_tables
from ptx_values import FLOATS, INTS, pairs, shifts, singles, triples

BITS = {"u8": 8, "s8": 8, "b8": 8, "u16": 16, "s16": 16, "b16": 16, "u32": 32, "s32": 32, "b32": 32, "u64": 64,
        "s64": 64, "b64": 64, "f32": 32, "f64": 64, "f16": 16, "bf16": 16, "f16x2": 32, "bf16x2": 32}
LOGIC = ["b16", "b32", "b64"]


def register_bits(type_name):
    return max(16, BITS[type_name])


def register_bytes(types):
    return [register_bits(t) // 8 for t in types]


def hexadecimal(value, type_name):
    bits = register_bits(type_name)
    return f"{value & (1 << bits) - 1:0{bits // 4}x}"


FORMS = {}


def add(opcode, name, ins, outs, body, vectors, declare="", notes=(), texture="", target=TARGET):
    rows = [Row([hexadecimal(v, t) for v, t in zip(vector, ins)], ["?"] * len(outs)) for vector in vectors]
    form = Case(name, register_bytes(ins), register_bytes(outs), list(body), rows, [declare] * bool(declare), list(notes), texture, target)
    FORMS[f"{opcode}/{name}"] = form
    return form


def binary(opcode, mods, t, out=None, vectors=None, **kw):
    full = f"{opcode}.{mods}" if mods else opcode
    name = full[len(opcode) + 1:]
    add(opcode, f"{name}.{t}" if name else t, [t, t], [out or t], [f"{full}.{t} %y0, %x0, %x1;"],
        vectors or pairs(t), **kw)


def integers():
    for t in INTS[2:]:
        for opcode in ("add", "sub", "div", "rem", "min", "max"):
            binary(opcode, "", t)
        binary("mul", "lo", t)
        binary("mul", "hi", t)
        w = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}.get(t)
        for half in ("lo", "hi"):
            add("mad", f"{half}.{t}", [t] * 3, [t], [f"mad.{half}.{t} %y0, %x0, %x1, %x2;"], triples(t))
        if w:
            binary("mul", "wide", t, out=w)
            add("mad", f"wide.{t}", [t, t, w], [w], [f"mad.wide.{t} %y0, %x0, %x1, %x2;"],
                [(a, b, c[0]) for (a, b), c in zip(pairs(t), singles(w, 64))])
        add("sad", t, [t] * 3, [t], [f"sad.{t} %y0, %x0, %x1, %x2;"], triples(t))
        if t[0] == "s":
            for opcode in ("abs", "neg"):
                add(opcode, t, [t], [t], [f"{opcode}.{t} %y0, %x0;"], singles(t))
    for opcode in ("add", "sub"):
        binary(opcode, "sat", "s32")
    add("mad", "hi.sat.s32", ["s32"] * 3, ["s32"], ["mad.hi.sat.s32 %y0, %x0, %x1, %x2;"], triples("s32"))
    for t in ("u32", "s32"):
        for half in ("lo", "hi"):
            binary("mul24", half, t)
            add("mad24", f"{half}.{t}", [t] * 3, [t], [f"mad24.{half}.{t} %y0, %x0, %x1, %x2;"], triples(t))
    add("mad24", "hi.sat.s32", ["s32"] * 3, ["s32"], ["mad24.hi.sat.s32 %y0, %x0, %x1, %x2;"], triples("s32"))
    for t in ("b32", "b64"):
        for opcode in ("popc", "clz"):
            add(opcode, t, [t], ["u32"], [f"{opcode}.{t} %y0, %x0;"], singles(t))
        add("brev", t, [t], [t], [f"brev.{t} %y0, %x0;"], singles(t))
        add("bfi", t, [t, t, "u32", "u32"], [t], [f"bfi.{t} %y0, %x0, %x1, %x2, %x3;"], fields(t, 2))
    for t in ("u32", "s32", "u64", "s64"):
        add("bfe", t, [t, "u32", "u32"], [t], [f"bfe.{t} %y0, %x0, %x1, %x2;"], fields(t, 1))
        add("bfind", t, [t], ["u32", "u32"], [f"bfind.{t} %y0, %x0;", f"bfind.shiftamt.{t} %y1, %x0;"], singles(t))
    for a in ("u32", "s32"):
        for b in ("u32", "s32"):
            add("dp4a", f"{a}.{b}", ["b32"] * 3, ["b32"], [f"dp4a.{a}.{b} %y0, %x0, %x1, %x2;"], triples("u32"))
            add("dp2a", f"{a}.{b}", ["b32"] * 3, ["b32", "b32"], [f"dp2a.lo.{a}.{b} %y0, %x0, %x1, %x2;",
                f"dp2a.hi.{a}.{b} %y1, %x0, %x1, %x2;"], triples("u32"))
    carries()


def carries():
    for t in ("u32", "u64"):
        add("addc", t, [t] * 4, [t, t], [f"add.cc.{t} %y0, %x0, %x1;", f"addc.{t} %y1, %x2, %x3;"],
            [a + b for a, b in zip(pairs(t), pairs(t, seed=5))], notes=["variants plain divergent"])
        add("subc", t, [t] * 4, [t, t], [f"sub.cc.{t} %y0, %x0, %x1;", f"subc.{t} %y1, %x2, %x3;"],
            [a + b for a, b in zip(pairs(t), pairs(t, seed=5))], notes=["variants plain divergent"])


def fields(t, values):
    rng = random.Random(7)
    bits = BITS[t]
    lengths = [0, 1, 2, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 255, 256, 257, 0xffffffff]
    places = [0, 1, 5, 8, 16, 30, 31, 32, 33, 62, 63, 64, 255, 256, 0x80000000]
    data = [v[0] for v in singles(t, 24)]
    result = []
    for i in range(64):
        result.append(tuple(rng.choice(data + [rng.getrandbits(bits)]) for _ in range(values)) +
                      (rng.choice(places), rng.choice(lengths)))
    return result


def logic():
    for t in LOGIC:
        for opcode in ("and", "or", "xor"):
            binary(opcode, "", t)
        for opcode in ("not", "cnot"):
            add(opcode, t, [t], [t], [f"{opcode}.{t} %y0, %x0;"], singles(t))
        add("shl", t, [t, "u32"], [t], [f"shl.{t} %y0, %x0, %x1;"], shifts(t))
    for t in LOGIC + INTS[2:]:
        add("shr", t, [t, "u32"], [t], [f"shr.{t} %y0, %x0, %x1;"], shifts(t))
    for side in "lr":
        for mode in ("clamp", "wrap"):
            add("shf", f"{side}.{mode}.b32", ["b32", "b32", "u32"], ["b32"], [f"shf.{side}.{mode}.b32 %y0, %x0, %x1, %x2;"],
                [(a, b, n) for (a, b), (_, n) in zip(pairs("u32"), shifts("b32"))])
    for mode in ("", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        name = f"b32.{mode}" if mode else "b32"
        rng = random.Random(11)
        add("prmt", name, ["b32"] * 3, ["b32"], [f"prmt.{name} %y0, %x0, %x1, %x2;"],
            [(rng.getrandbits(32), rng.getrandbits(32), c) for c in
             [0, 1, 2, 3, 0x3210, 0x7654, 0xba98, 0xfedc, 0x8888, 0xffff, 0x12345678] + [rng.getrandbits(32) for _ in range(21)]])
    for lut in (0x00, 0x01, 0x80, 0x96, 0xe8, 0xca, 0xff, 0x1b, 0x35):
        add("lop3", f"b32.{lut:02x}", ["b32"] * 3, ["b32"], [f"lop3.b32 %y0, %x0, %x1, %x2, {lut};"], triples("u32")[:16])
    # Predicates as operands.
    for opcode in ("and", "or", "xor"):
        add(opcode, "pred", ["u32", "u32"], ["u32"],
            ["setp.ne.u32 %p, %x0, 0;", "setp.ne.u32 %q, %x1, 0;", f"{opcode}.pred %c, %p, %q;", "selp.u32 %y0, 1, 0, %c;"],
            [(0, 0), (0, 1), (1, 0), (1, 1)])
    add("not", "pred", ["u32"], ["u32"], ["setp.ne.u32 %p, %x0, 0;", "not.pred %q, %p;", "selp.u32 %y0, 1, 0, %q;"], [(0,), (1,)])
    add("mov", "pred", ["u32"], ["u32"] * 4,
        ["setp.ne.u32 %p, %x0, 0;", "mov.pred %q, %p;", "selp.u32 %y0, 1, 0, %q;", "mov.pred %q, 0;",
         "selp.u32 %y1, 1, 0, %q;", "mov.pred %q, -1;", "selp.u32 %y2, 1, 0, %q;", "mov.pred %q, 1;", "selp.u32 %y3, 1, 0, %q;"],
        [(0,), (1,)] * 16)


def rounded(opcode, t, args, vectors, flags):
    inputs = ", ".join(f"%x{i}" for i in range(args))
    rounds = ["rn", "rz", "rm", "rp"]
    for f in flags:
        name = f"{f}.{t}" if f else t
        add(opcode, name, [t] * args, [t] * 4,
            [f"{opcode}.{r}{'.' + f if f else ''}.{t} %y{i}, {inputs};" for i, r in enumerate(rounds)], vectors)


def floats():
    f32 = ["", "ftz", "sat", "ftz.sat"]
    for opcode in ("add", "sub", "mul"):
        rounded(opcode, "f32", 2, pairs("f32"), f32)
        rounded(opcode, "f64", 2, pairs("f64"), [""])
        for t in ("f32", "f64"):
            add(opcode, f"default.{t}", [t] * 2, [t], [f"{opcode}.{t} %y0, %x0, %x1;"], pairs(t))
    rounded("fma", "f32", 3, triples("f32"), f32)
    rounded("fma", "f64", 3, triples("f64"), [""])
    rounded("mad", "f32", 3, triples("f32")[:32], [""])
    for opcode in ("div",):
        rounded(opcode, "f32", 2, pairs("f32"), ["", "ftz"])
        rounded(opcode, "f64", 2, pairs("f64"), [""])
    for opcode in ("sqrt", "rcp"):
        rounded(opcode, "f32", 1, singles("f32"), ["", "ftz"])
        rounded(opcode, "f64", 1, singles("f64"), [""])
    for opcode in ("min", "max"):
        for mods in ("", "ftz", "NaN", "ftz.NaN"):
            binary(opcode, mods, "f32")
        binary(opcode, "", "f64")
    for opcode in ("neg", "abs"):
        for name in ("f32", "ftz.f32", "f64"):
            t = name[-3:]
            add(opcode, name, [t], [t], [f"{opcode}.{name} %y0, %x0;"], singles(t))
    for t in ("f32", "f64"):
        binary("copysign", "", t)
        for what in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            add("testp", f"{what}.{t}", [t], ["u32"], [f"testp.{what}.{t} %p, %x0;", "selp.u32 %y0, 1, 0, %p;"], singles(t))
    approximations()


def approximations():
    for opcode in ("rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"):
        for ftz in ("", "ftz.") if opcode != "tanh" else ("",):
            add(opcode, f"approx.{ftz}f32", ["f32"], ["f32"], [f"{opcode}.approx.{ftz}f32 %y0, %x0;"], singles("f32", 64))
    for kind in ("approx", "full"):
        for ftz in ("", "ftz."):
            add("div", f"{kind}.{ftz}f32", ["f32"] * 2, ["f32"], [f"div.{kind}.{ftz}f32 %y0, %x0, %x1;"], pairs("f32"))
    add("rsqrt", "approx.f64", ["f64"], ["f64"], ["rsqrt.approx.f64 %y0, %x0;"], singles("f64"))


SIGNED = ["eq", "ne", "lt", "le", "gt", "ge"]
UNSIGNED = SIGNED + ["lo", "ls", "hi", "hs"]
FLOAT = SIGNED + ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]


def comparisons(t):
    return FLOAT if t[0] == "f" else ["eq", "ne"] if t[0] == "b" else UNSIGNED if t[0] == "u" else SIGNED


def compare():
    for t in LOGIC + INTS[2:] + FLOATS:
        for ftz in ("", "ftz.") if t == "f32" else ("",):
            body = ["mov.u32 %y0, 0;"]
            for i, c in enumerate(comparisons(t)):
                body += [f"setp.{c}.{ftz}{t} %p, %x0, %x1;", f"selp.u32 %t, {1 << i}, 0, %p;", "or.b32 %y0, %y0, %t;"]
            add("setp", f"{ftz}{t}", [t, t], ["u32"], body, pairs(t))
            if ftz == "":
                combined(t)
            for d in ("u32", "s32", "f32"):
                ops = comparisons(t)
                ops = [ops[0], ops[2 % len(ops)], ops[-1]]
                add("set", f"{ftz}{d}.{t}", [t, t], [d] * 3,
                    [f"set.{c}.{ftz}{d}.{t} %y{i}, %x0, %x1;" for i, c in enumerate(ops)], pairs(t)[:32])
    for t in LOGIC + INTS[2:] + FLOATS:
        add("selp", t, [t, t, "u32"], [t, t], ["setp.ne.u32 %p, %x2, 0;", f"selp.{t} %y0, %x0, %x1, %p;",
            f"selp.{t} %y1, %x1, 7, %p;" if t[0] != "f" else f"selp.{t} %y1, %x1, %x0, %p;"],
            [(a, b, i & 1) for i, (a, b) in enumerate(pairs(t)[:16])])
        for c in ("s32", "f32", "ftz.f32"):
            mods = f"ftz.{t}.f32" if c == "ftz.f32" else f"{t}.{c}"
            add("slct", mods, [t, t, c[-3:]], [t], [f"slct.{mods} %y0, %x0, %x1, %x2;"],
                [(1, 2, v[0]) for v in singles(c[-3:], 32)])
    for d in ("u32", "f32"):
        body = []
        for i, b in enumerate(("and", "or", "xor")):
            body += [f"set.lt.{b}.{d}.s32 %y{2 * i}, %x0, %x1, %p;", f"set.lt.{b}.{d}.s32 %y{2 * i + 1}, %x0, %x1, !%p;"]
        add("set", f"bool.{d}.s32", ["s32", "s32", "u32"], [d] * 6, ["setp.ne.u32 %p, %x2, 0;"] + body,
            [(a, b, i & 1) for i, (a, b) in enumerate(pairs("s32")[:16])])


def combined(t):
    c = "lt" if t[0] != "b" else "ne"
    body = ["mov.u32 %y0, 0;", "setp.ne.u32 %c, %x2, 0;"]
    bit = 0
    for b in ("and", "or", "xor"):
        for negated in ("", "!"):
            body += [f"setp.{c}.{b}.{t} %p|%q, %x0, %x1, {negated}%c;"]
            for p in "pq":
                body += [f"selp.u32 %t, {1 << bit}, 0, %{p};", "or.b32 %y0, %y0, %t;"]
                bit += 1
    body += [f"setp.{c}.{t} %p|%q, %x0, %x1;"]
    for p in "pq":
        body += [f"selp.u32 %t, {1 << bit}, 0, %{p};", "or.b32 %y0, %y0, %t;"]
        bit += 1
    add("setp", f"bool.{t}", [t, t, "u32"], ["u32"], body, [(a, b, i & 1) for i, (a, b) in enumerate(pairs(t)[:32])])


def in_register(t, at_least=32):
    return t if BITS[t] >= at_least else ("s" if t[0] == "s" else "u") + str(at_least)


def span(t):
    bits = BITS[t]
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if t[0] == "s" else (0, (1 << bits) - 1)


def convert():
    for s in INTS:
        for width in (16, 32):
            if BITS[s] > 8 and width == 16:
                continue
            source = in_register(s, width)
            outs = [in_register(d, 32) for d in INTS]
            values = singles(source) if BITS[s] >= 32 else [(v,) for v in garbage(s, width)]
            add("cvt", f"{s}.in{width}", [source], outs, [f"cvt.{d}.{s} %y{i}, %x0;" for i, d in enumerate(INTS)], values)
            if width == 16:
                continue
            sat = [d for d in INTS if not (span(d)[0] <= span(s)[0] and span(d)[1] >= span(s)[1])]
            add("cvt", f"sat.{s}", [source], [in_register(d) for d in sat],
                [f"cvt.sat.{d}.{s} %y{i}, %x0;" for i, d in enumerate(sat)], values)
    # Narrow results in 16-bit and 64-bit registers.
    narrow = ["u8", "s8", "u16", "s16"]
    add("cvt", "narrow_to_16.s32", ["s32"], [in_register(d, 16) for d in narrow],
        [f"cvt.{d}.s32 %y{i}, %x0;" for i, d in enumerate(narrow)], singles("s32"))
    add("cvt", "narrow_to_64.s32", ["s32"], ["u64", "s64", "u64", "s64"],
        [f"cvt.{d}.s32 %y{i}, %x0;" for i, d in enumerate(narrow)], singles("s32"))
    for f in FLOATS:
        for r in ("rni", "rzi", "rmi", "rpi"):
            for ftz in ("", "ftz.") if f == "f32" else ("",):
                add("cvt", f"{r}.{ftz}int.{f}", [f], [in_register(d) for d in INTS],
                    [f"cvt.{r}.{ftz}{d}.{f} %y{i}, %x0;" for i, d in enumerate(INTS)], singles(f))
                for sat in ("", "sat."):
                    add("cvt", f"{r}.{ftz}{sat}{f}.{f}", [f], [f], [f"cvt.{r}.{ftz}{sat}{f}.{f} %y0, %x0;"], singles(f))
        ins = [in_register(s) for s in INTS]
        columns = [[v[0] for v in singles(t)] for t in ins]
        rows = [tuple(c[i % len(c)] for c in columns) for i in range(64)]
        for sat in ("", "sat.") if f == "f32" else ("",):
            for r in ("rn", "rz", "rm", "rp"):
                add("cvt", f"{r}.{sat}{f}.int", ins, [f] * 8, [f"cvt.{r}.{sat}{f}.{s} %y{i}, %x{i};" for i, s in enumerate(INTS)], rows)
    for mods in ("", "ftz.", "sat.", "ftz.sat."):
        add("cvt", f"{mods}f64.f32", ["f32"], ["f64"], [f"cvt.{mods}f64.f32 %y0, %x0;"], singles("f32"))
        add("cvt", f"{mods}f32.f32", ["f32"], ["f32"], [f"cvt.{mods}f32.f32 %y0, %x0;"], singles("f32"))
        add("cvt", f"{mods}f32.f64", ["f64"], ["f32"] * 4,
            [f"cvt.{r}.{mods}f32.f64 %y{i}, %x0;" for i, r in enumerate(("rn", "rz", "rm", "rp"))], singles("f64", narrowing=True))


def garbage(t, width):
    rng = random.Random(3)
    low = [v[0] for v in singles({8: "u16", 16: "u16"}[BITS[t]], 16)] + list(range(0, 256, 17)) + [127, 128, 129]
    return [(v & (1 << BITS[t]) - 1) | (rng.choice([0, -1, rng.getrandbits(32)]) << BITS[t]) & (1 << width) - 1 for v in low][:32]


def moves():
    for t in LOGIC + INTS[2:] + FLOATS:
        add("mov", t, [t], [t, t], [f"mov.{t} %y0, %x0;", f"mov.{t} %y1, {'-1' if t[0] != 'f' else '0f3F800000' if t == 'f32' else '0d3FF0000000000000'};"],
            singles(t)[:16])
    add("mov", "pack.b32", ["b16", "b16"], ["b32"], ["mov.b32 %y0, {%x0, %x1};"], pairs("u16")[:16])
    add("mov", "pack2.b64", ["b32", "b32"], ["b64"], ["mov.b64 %y0, {%x0, %x1};"], pairs("u32")[:16])
    add("mov", "pack4.b64", ["b16"] * 4, ["b64"], ["mov.b64 %y0, {%x0, %x1, %x2, %x3};"],
        [a + b for a, b in zip(pairs("u16")[:16], pairs("u16", seed=4))])
    add("mov", "unpack.b32", ["b32"], ["b16", "b16"], ["mov.b32 {%y0, %y1}, %x0;"], singles("u32")[:16])
    add("mov", "unpack2.b64", ["b64"], ["b32", "b32"], ["mov.b64 {%y0, %y1}, %x0;"], singles("u64")[:16])
    add("mov", "unpack4.b64", ["b64"], ["b16"] * 4, ["mov.b64 {%y0, %y1, %y2, %y3}, %x0;"], singles("u64")[:16])
    add("mov", "unpack_sink.b64", ["b64"], ["b32"], ["mov.b64 {_, %y0}, %x0;"], singles("u64")[:16])


def memory():
    types = ["b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64"]
    for t in types:
        for width in (16, 32, 64):
            if width < BITS[t]:
                continue
            r = f"b{width}"
            add("ld", f"global.{t}.to{width}", ["u64"], [r], [f"ld.global.{t} %y0, [%in];"], singles("u64")[:16])
            add("st", f"global.{t}.from{width}", [r], ["b64"], [f"st.global.{t} [%out], %x0;", "ld.global.b64 %y0, [%out];"],
                [(v[0],) for v in singles("u" + str(width))][:16])
    for n, t in ((2, "u8"), (4, "u8"), (2, "s16"), (4, "u16"), (2, "b32"), (4, "s32"), (2, "f32"), (4, "f32"), (2, "u64"), (2, "f64")):
        outs = [in_register(t) if t[0] != "f" else t] * n
        add("ld", f"global.v{n}.{t}", ["u64", "u64"], outs, [f"ld.global.v{n}.{t} {{{', '.join(f'%y{i}' for i in range(n))}}}, [%in];"],
            pairs("u64")[:8])
        add("st", f"global.v{n}.{t}", outs, ["b64", "b64"],
            [f"st.global.v{n}.{t} [%out], {{{', '.join(f'%x{i}' for i in range(n))}}};", "ld.global.b64 %y0, [%out];", "ld.global.b64 %y1, [%out+8];"],
            [tuple(v[0] for v in (singles(outs[0]) * 2)[k:k + n]) for k in range(0, 16, 2)])
    spaces()
    atomics()


def spaces():
    for s, declare in (("shared", ".shared .align 16 .b8 room[1024];"), ("local", None)):
        own = [] if declare else [".local .align 16 .b8 room[32];"]
        place = ["mul.lo.u32 %t, %thread, 16;", "mov.u32 %u, room;", "add.u32 %t, %t, %u;"] if declare else ["mov.u32 %t, room;", "add.u32 %t, %t, 8;"]
        body = own + place + [f"st.{s}.u64 [%t], %x0;", f"ld.{s}.u64 %y0, [%t];", f"ld.{s}.u8 %y1, [%t+3];", f"ld.{s}.s16 %y2, [%t+6];",
                f"st.{s}.u16 [%t+2], %x1;", f"ld.{s}.v2.b32 {{%y3, %y4}}, [%t];"]
        add("ld", f"{s}.widths", ["u64", "b16"], ["u64", "u32", "s32", "b32", "b32"], body,
            [(a[0], b[0]) for a, b in zip(singles("u64"), singles("u16"))][:16], declare=declare or "",
            notes=["variants plain divergent"] if own else [])
        generic = own + ([f"mov.u64 %z, room;", f"cvta.{s}.u64 %z, %z;"] + (["mad.wide.u32 %z, %thread, 16, %z;"] if declare else [])) + [
            "st.u64 [%z], %x0;", "ld.u32 %y0, [%z+4];", "ld.s8 %y1, [%z+1];", f"cvta.to.{s}.u64 %z, %z;", f"ld.{s}.u64 %y2, [%z];"]
        add("cvta", f"{s}.u64", ["u64"], ["u32", "s32", "u64"], generic, [v for v in singles("u64")][:16], declare=declare or "",
            notes=["variants plain divergent"] if own else [])
    table = ".const .align 8 .u32 table[4] = {0x11223344, 0x55667788, 0x99aabbcc, 0xddeeff00};"
    add("ld", "const", ["u32"], ["u32", "s32", "u64"], ["and.b32 %t, %x0, 3;", "mov.u64 %z, table;", "mad.wide.u32 %z, %t, 4, %z;",
        "ld.const.u32 %y0, [%z];", "ld.const.s8 %y1, [%z+3];", "ld.const.u64 %y2, [table+8];"], [(i,) for i in range(4)], declare=table)
    add("ld", "global.variable", ["u32"], ["u32", "u64"], ["and.b32 %t, %x0, 3;", "mov.u64 %z, table;", "mad.wide.u32 %z, %t, 4, %z;",
        "ld.global.u32 %y0, [%z];", "ld.u64 %y1, [table+8];"], [(i,) for i in range(4)], declare=table.replace(".const", ".global"))
    add("ld", "generic", ["u64"], ["u32", "s32", "u64"], ["ld.u32 %y0, [%in+4];", "ld.s8 %y1, [%in+1];", "ld.v2.b32 {%t, %u}, [%in];",
        "mov.b64 %y2, {%u, %t};"], singles("u64")[:16])


def atomics():
    kinds = [("add", t) for t in ("u32", "s32", "u64", "f32", "f64")] + [(o, t) for o in ("min", "max") for t in ("u32", "s32", "u64", "s64")]
    kinds += [(o, t) for o in ("and", "or", "xor", "exch") for t in ("b32", "b64")] + [("inc", "u32"), ("dec", "u32")]
    declare = ".shared .align 16 .b8 room[1024];"
    for o, t in kinds:
        vectors = pairs(t)
        if o in ("inc", "dec"):
            vectors = [(3, 5), (5, 5), (6, 5), (0, 5), (1, 5), (0, 0), (0xffffffff, 5), (5, 0xffffffff)] + vectors[:24]
        for s in ("global", "shared"):
            place = ["add.u64 %z, %out, 8;"] if s == "global" else ["mul.lo.u32 %t, %thread, 16;", "mov.u32 %u, room;", "add.u32 %t, %t, %u;"]
            at = "%z" if s == "global" else "%t"
            body = place + [f"st.{s}.b{BITS[t]} [{at}], %x0;", f"atom.{s}.{o}.{t} %y0, [{at}], %x1;", f"ld.{s}.b{BITS[t]} %y1, [{at}];"]
            outs = [t, t if BITS[t] == 64 else "b64"]
            if BITS[t] == 32:
                body[-1] = f"ld.{s}.b32 %w, [{at}];"
                body.append("cvt.u64.u32 %y1, %w;")
            add("atom", f"{s}.{o}.{t}", [t, t], outs, body, vectors, declare=declare if s == "shared" else "")
            if o != "exch":
                red = [l.replace(f"atom.{s}.{o}.{t} %y0, [{at}], %x1;", f"red.{s}.{o}.{t} [{at}], %x1;") for l in body]
                add("red", f"{s}.{o}.{t}", [t, t], ["b32", outs[1]], red + ["mov.u32 %y0, 0;"], vectors[:16],
                    declare=declare if s == "shared" else "")
    for t in ("b32", "b64"):
        body = ["add.u64 %z, %out, 8;", f"st.global.{t} [%z], %x0;", f"atom.global.cas.{t} %y0, [%z], %x1, %x2;", f"ld.global.{t} %y1, [%z];"]
        if t == "b32":
            body = body[:-1] + ["ld.global.b32 %w, [%z];", "cvt.u64.u32 %y1, %w;"]
        vectors = [(a, a if i & 1 else b, i) for i, (a, b) in enumerate(pairs(t.replace("b", "u"))[:16])]
        add("atom", f"global.cas.{t}", [t] * 3, [t, "b64"], body, vectors)
        add("atom", f"generic.cas.{t}", [t] * 3, [t, "b64"], [l.replace("atom.global", "atom") for l in body], vectors)


def forms():
    integers()
    logic()
    floats()
    compare()
    convert()
    moves()
    memory()
    warp_cases.forms(add)
    texture_cases.forms(add)
    ptx_half_cases.forms(add)
    ptx_more_cases.forms(add)
    three_input_cases.forms(add)
    return FORMS


def write(folder):
    known, wanted = read_tables(folder), forms()
    for name, form in wanted.items():
        if name in known and known[name].asks_the_same(form):
            form.rows = known[name].rows
    write_tables(folder, wanted)


def fill(folder, truth_file):
    cases = read_tables(folder)
    for name, results in json.loads(truth_file.read_text())["results"].items():
        for row, answer in zip(cases[name].rows, results, strict=True):
            row.results = answer
    write_tables(folder, cases)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "write":
        write(pathlib.Path(sys.argv[2]))
    elif len(sys.argv) == 4 and sys.argv[1] == "fill":
        fill(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        print("\n".join(forms()))
