"""Forms of tests/data/ptx with 16-bit and narrower floats: arithmetic, comparison, conversion."""
import random

from ptx_values import INTS, halves, narrowing, packed, pairs, rows, singles

NEW = ("8.6", "sm_90")
COMPARE = ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]


def one(t):
    return {"f16x2": "f16", "bf16x2": "bf16"}.get(t, t)


def lanes(t, args, count=64):
    """Rows of operands: packed types hold two independent values each."""
    if t.endswith("x2"):
        low, high = rows(one(t), args, count, seed=21), rows(one(t), args, count, seed=22)
        return [tuple(l | h << 16 for l, h in zip(a, b)) for a, b in zip(low, reversed(high))]
    return rows(t, args, count, seed=21)


def arithmetic(add):
    for t in ("f16", "f16x2", "bf16", "bf16x2"):
        is_f16 = t[0] == "f"
        mods = ["", "ftz", "sat", "ftz.sat"] if is_f16 else [""]
        for opcode in ("add", "sub", "mul"):
            for m in mods:
                name = f"{m}.{t}" if m else t
                add(opcode, name, [t] * 2, [t, t], [f"{opcode}.{name} %y0, %x0, %x1;", f"{opcode}.rn.{name} %y1, %x0, %x1;"],
                    lanes(t, 2), target=NEW)
        for m in (["", "ftz.", "sat.", "ftz.sat.", "relu.", "ftz.relu.", "oob.", "oob.relu."] if is_f16 else ["", "relu.", "oob.", "oob.relu."]):
            add("fma", f"{m}{t}", [t] * 3, [t], [f"fma.rn.{m}{t} %y0, %x0, %x1, %x2;"], lanes(t, 3, 96), target=NEW)
        for opcode in ("neg", "abs"):
            for m in ["", "ftz."] if is_f16 else [""]:
                add(opcode, f"{m}{t}", [t], [t], [f"{opcode}.{m}{t} %y0, %x0;"], lanes(t, 1), target=NEW)
        for opcode in ("min", "max"):
            for m in (["", "ftz.", "NaN.", "ftz.NaN.", "xorsign.abs.", "NaN.xorsign.abs.", "ftz.NaN.xorsign.abs."] if is_f16 else ["", "NaN.", "xorsign.abs.", "NaN.xorsign.abs."]):
                add(opcode, f"{m}{t}", [t] * 2, [t], [f"{opcode}.{m}{t} %y0, %x0, %x1;"], lanes(t, 2), target=NEW)
        add("ex2", f"approx.{'' if is_f16 else 'ftz.'}{t}", [t], [t], [f"ex2.approx.{'' if is_f16 else 'ftz.'}{t} %y0, %x0;"],
            lanes(t, 1), target=NEW)
        add("tanh", f"approx.{t}", [t], [t], [f"tanh.approx.{t} %y0, %x0;"], lanes(t, 1), target=NEW)
    for opcode in ("min", "max"):
        for m in ("xorsign.abs", "ftz.xorsign.abs", "NaN.xorsign.abs", "ftz.NaN.xorsign.abs"):
            add(opcode, f"{m}.f32", ["f32"] * 2, ["f32"], [f"{opcode}.{m}.f32 %y0, %x0, %x1;"], pairs("f32"), target=NEW)


def comparisons(add):
    for t in ("f16", "bf16", "f16x2", "bf16x2"):
        for ftz in ("", "ftz.") if t[0] == "f" else ("",):
            body = ["mov.u32 %y0, 0;"]
            for i, c in enumerate(COMPARE):
                body += [f"setp.{c}.{ftz}{t} {'%p|%q' if t.endswith('x2') else '%p'}, %x0, %x1;", f"selp.u32 %t, {1 << i}, 0, %p;", "or.b32 %y0, %y0, %t;"]
                if t.endswith("x2"):
                    body += [f"selp.u32 %t, {1 << i + 16}, 0, %q;", "or.b32 %y0, %y0, %t;"]
            add("setp", f"{ftz}{t}", [t, t], ["u32"], body, lanes(t, 2), target=NEW)
            combined = ["mov.u32 %y0, 0;", "setp.ne.u32 %c, %x2, 0;"]
            bit = 0
            for b in ("and", "or", "xor"):
                for negated in ("", "!"):
                    second = t.endswith("x2")
                    combined += [f"setp.lt.{b}.{ftz}{t} %p{'|%q' if second else ''}, %x0, %x1, {negated}%c;"]
                    for p in "pq" if second else "p":
                        combined += [f"selp.u32 %t, {1 << bit}, 0, %{p};", "or.b32 %y0, %y0, %t;"]
                        bit += 1
            add("setp", f"bool.{ftz}{t}", [t, t, "u32"], ["u32"], combined, [v + (i & 1,) for i, v in enumerate(lanes(t, 2, 32))], target=NEW)
            results = {"f16": ["u16", "s16", "u32", "s32", "f16"], "bf16": ["u16", "s16", "u32", "s32", "bf16"], "f16x2": ["u32", "s32", "f16x2"],
                       "bf16x2": ["u32", "s32", "bf16x2"]}[t]
            add("set", f"{ftz}{t}", [t, t], results * 2,
                [f"set.{c}.{ftz}{d}.{t} %y{i + k * len(results)}, %x0, %x1;" for k, c in enumerate(("lt", "neu")) for i, d in enumerate(results)],
                lanes(t, 2), target=NEW)
            add("set", f"bool.{ftz}{t}", [t, t, "u32"], results, ["setp.ne.u32 %c, %x2, 0;"] +
                [f"set.ge.{('and', 'or', 'xor')[i % 3]}.{ftz}{d}.{t} %y{i}, %x0, %x1, {'!' if i & 1 else ''}%c;" for i, d in enumerate(results)],
                [v + (i & 1,) for i, v in enumerate(lanes(t, 2, 32))], target=NEW)
    for d in ("f16", "bf16"):
        for s in ("b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64"):
            cs = ("eq", "ne") if s[0] == "b" else ("lt", "neu" if s[0] == "f" else "ge")
            add("set", f"{d}.{s}", [s, s, "u32"], [d] * 3, ["setp.ne.u32 %c, %x2, 0;"] +
                [f"set.{c}.{d}.{s} %y{i}, %x0, %x1;" for i, c in enumerate(cs)] + [f"set.{cs[0]}.or.{d}.{s} %y2, %x0, %x1, !%c;"],
                [v + (i & 1,) for i, v in enumerate(pairs(s)[:24])], target=NEW)


def conversions(add):
    to_float(add)
    from_float(add)
    between(add)
    packs(add)


def to_float(add):
    """Integers and floats to f16 and bf16."""
    ints = [t if t[1:] != "8" else t[0] + "32" for t in INTS]
    columns = [[v[0] for v in singles(t)] for t in ints]
    data = [tuple(c[(i * (k + 1)) % len(c)] for k, c in enumerate(columns)) for i in range(64)]
    # Halfway between neighbours that are far apart, with a bit far below.
    data += [(200, 200, 2049, 2051, 2053, 2055, k, k) for k in ((1 << 63) | (1 << 55) | 1, (1 << 63) | (1 << 55), (1 << 62) + (1 << 54) + 1, (1 << 54) + (1 << 46), 65519, 65520, 65521, 2049)]
    for d in ("f16", "bf16"):
        for r in ("rn", "rz", "rm", "rp"):
            skip = 0 if d == "f16" else 2  # no 8-bit integers with bf16
            for sat in ("", "sat.") if d == "f16" and r == "rn" else ("",):
                add("cvt", f"{r}.{sat}{d}.int", ints[skip:], [d] * (8 - skip),
                    [f"cvt.{r}.{sat}{d}.{s} %y{i}, %x{i};" for i, s in enumerate(INTS[skip:])], [v[skip:] for v in data], target=NEW)
        for s in ("f32", "f64"):
            mods = [""] if d == "bf16" else ["", "ftz.", "sat.", "ftz.sat."] if s == "f32" else ["", "sat."]
            for m in mods:
                rounds = ("rn", "rz", "rm", "rp")
                add("cvt", f"{m}{d}.{s}", [s], [d] * 4, [f"cvt.{r}.{m}{d}.{s} %y{i}, %x0;" for i, r in enumerate(rounds)],
                    narrowing(s), target=NEW)
        limits = [("rn.relu", "rz.relu"), ("rn.satfinite", "rz.satfinite"), ("rn.relu.satfinite", "rz.relu.satfinite")]
        for mods in limits:
            add("cvt", f"{mods[0][3:]}.{d}.f32", ["f32"], [d] * 2, [f"cvt.{m}.{d}.f32 %y{i}, %x0;" for i, m in enumerate(mods)],
                narrowing("f32"), target=NEW)


def from_float(add):
    """f16 and bf16 to integers and wider floats."""
    for s in ("f16", "bf16"):
        values = [(v,) for v in halves(s, 96)]
        for r in ("rni", "rzi", "rmi", "rpi"):
            ints = INTS if s == "f16" else INTS[2:]
            add("cvt", f"{r}.int.{s}", [s], [t if t[1:] != "8" else t[0] + "32" for t in ints],
                [f"cvt.{r}.{d}.{s} %y{i}, %x0;" for i, d in enumerate(ints)], values, target=NEW)
            add("cvt", f"{r}.{s}.{s}", [s], [s], [f"cvt.{r}.{s}.{s} %y0, %x0;"], values, target=NEW)
            if s == "f16":
                add("cvt", f"{r}.sat.{s}.{s}", [s], [s], [f"cvt.{r}.sat.{s}.{s} %y0, %x0;"], values, target=NEW)
        for d in ("f32", "f64"):
            for m in ["", "ftz.", "sat.", "ftz.sat."] if (s, d) == ("f16", "f32") else ["", "sat."] if s == "f16" else [""]:
                add("cvt", f"{m}{d}.{s}", [s], [d], [f"cvt.{m}{d}.{s} %y0, %x0;"], values, target=NEW)
        for m in ("", "sat."):
            if s == "f16":
                add("cvt", f"{m}f16.f16", ["f16"], ["f16"], [f"cvt.{m}f16.f16 %y0, %x0;"], values, target=NEW)
    for a, b in (("f16", "bf16"), ("bf16", "f16")):
        add("cvt", f"{a}.{b}", [b], [a] * 4, [f"cvt.{r}.{a}.{b} %y{i}, %x0;" for i, r in enumerate(("rn", "rz", "rm", "rp"))],
            [(v,) for v in halves(b, 96)], target=NEW)


def between(add):
    """tf32 and the 8-bit floats."""
    for m in ("rna", "rna.satfinite", "rn", "rz", "rn.relu", "rz.relu", "rn.satfinite", "rn.satfinite.relu"):
        version = NEW if "satfinite" not in m and "rna" in m else ("8.6", "sm_90")
        if "satfinite" in m and m[:3] != "rna":
            continue  # sm_100
        add("cvt", f"{m}.tf32.f32", ["f32"], ["b32"], [f"cvt.{m}.tf32.f32 %y0, %x0;"], narrowing("f32"), target=version)
    wide = [v[0] for v in narrowing("f32")]
    for t in ("e4m3x2", "e5m2x2"):
        for relu in ("", ".relu"):
            add("cvt", f"satfinite{relu}.{t}.f32", ["f32", "f32"], ["b16"], [f"cvt.rn.satfinite{relu}.{t}.f32 %y0, %x0, %x1;"],
                [(a, wide[(7 * i + 3) % len(wide)]) for i, a in enumerate(wide)], target=NEW)
            add("cvt", f"satfinite{relu}.{t}.f16x2", ["f16x2"], ["b16"], [f"cvt.rn.satfinite{relu}.{t}.f16x2 %y0, %x0;"],
                packed(halves("f16", 128, eighth=True)), target=NEW)
            add("cvt", f"rn{relu}.f16x2.{t}", ["b16"], ["f16x2"], [f"cvt.rn{relu}.f16x2.{t} %y0, %x0;"],
                [(i << 8 | (255 - i),) for i in range(256)], target=NEW)


def packs(add):
    wide = [v[0] for v in narrowing("f32")]
    both = [(a, wide[(11 * i + 5) % len(wide)]) for i, a in enumerate(wide)]
    for t in ("f16x2", "bf16x2"):
        for m in ("", ".relu", ".satfinite", ".relu.satfinite"):
            add("cvt", f"{(m + '.')[1:]}{t}.f32", ["f32", "f32"], [t] * 2, [f"cvt.{r}{m}.{t}.f32 %y{i}, %x0, %x1;" for i, r in enumerate(("rn", "rz"))],
                both, target=NEW)
    rng = random.Random(31)
    edges = [0, 1, -1, 127, 128, -128, -129, 255, 256, 7, 8, -8, -9, 15, 16, 3, 4, -2, -3, 32767, 32768, -32768, -32769, 65535, 65536, 2**31 - 1, -2**31]
    data = [(rng.choice(edges), rng.choice(edges), rng.getrandbits(32)) for _ in range(48)]
    for t in ("u16", "s16"):
        add("cvt", f"pack.{t}.s32", ["s32", "s32"], ["b32"], [f"cvt.pack.sat.{t}.s32 %y0, %x0, %x1;"], [d[:2] for d in data], target=NEW)
    for t in ("u8", "s8", "u4", "s4", "u2", "s2"):
        add("cvt", f"pack.{t}.s32.b32", ["s32", "s32", "b32"], ["b32"], [f"cvt.pack.sat.{t}.s32.b32 %y0, %x0, %x1, %x2;"], data, target=NEW)


def forms(add):
    arithmetic(add)
    comparisons(add)
    conversions(add)
