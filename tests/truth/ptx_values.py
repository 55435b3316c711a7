"""Operands that are worth trying: edges of each type first, then random ones from a fixed seed."""
import random

INTS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]
FLOATS = ["f32", "f64"]

F32 = [0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001,
       0x7fffffff, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff,
       0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x3f7fffff, 0x3f800001, 0x34000000, 0x33800000,
       0x4b000000, 0x4b000001, 0x4b7fffff, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000,
       0x5effffff, 0x5f000000, 0xdf000000, 0x5f7fffff, 0x5f800000, 0x42fe0000, 0x42ff0000, 0x43000000, 0xc3000000,
       0xc3008000, 0x437f0000, 0x437f8000, 0x43800000, 0x46fffe00, 0x46ffff00, 0x477fff00, 0x477fff80, 0x40490fdb,
       0x3dcccccd, 0x3eaaaaab, 0x42c80000, 0xc2c80000, 0x00400000, 0x01000000, 0x7e800000, 0x20000000, 0x60000000]
F64 = [0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000,
       0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000123, 0x7ff0000000000001, 0x7fffffffffffffff,
       0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff, 0x800fffffffffffff, 0x0010000000000000,
       0x8010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x3fe0000000000000, 0xbfe0000000000000,
       0x3ff8000000000000, 0x4004000000000000, 0xc004000000000000, 0x3fefffffffffffff, 0x3ff0000000000001,
       0x3cb0000000000000, 0x3ca0000000000000, 0x4330000000000000, 0x4330000000000001, 0x43e0000000000000,
       0xc3e0000000000000, 0x43dfffffffffffff, 0x43f0000000000000, 0x43efffffffffffff, 0x41dfffffffc00000,
       0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x41f0000000000000,
       0x405fc00000000000, 0x4060000000000000, 0xc060200000000000, 0x406fe00000000000, 0x406ff00000000000,
       0x40dfffc000000000, 0x40effff000000000, 0x3fb999999999999a, 0x3fd5555555555555, 0x400921fb54442d18]
# Around what f32 can hold: ties, subnormal f32, overflow.
F64_NARROW = [0x3ff0000010000000, 0x3ff0000030000000, 0x3ff0000010000001, 0xbff0000010000000, 0x36a0000000000000,
              0x3690000000000000, 0x3690000000000001, 0x380fffffffffffff, 0x380ffffff0000000, 0x380fffffe0000000,
              0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0xc7effffff0000000, 0x3800000000000000]


def edges(t):
    if t == "f32":
        return F32
    if t == "f64":
        return F64
    bits = int(t[1:])
    top = 1 << bits - 1
    full = (1 << bits) - 1
    values = [0, 1, 2, 3, 7, full, full - 1, top, top - 1, top + 1, 1 << bits // 2, (1 << bits // 2) - 1, 0x55555555555555555 & full,
              0xaaaaaaaaaaaaaaaaa & full, 100, full - 99, 10, 0x7f, 0x80, 0xff, 0x100, 0x800001 & full, 0xffffff & full]
    return [v & full for v in values]


def random_value(t, rng):
    if t == "f32":
        return rng.getrandbits(1) << 31 | rng.randrange(100, 156) << 23 | rng.getrandbits(23)
    if t == "f64":
        return rng.getrandbits(1) << 63 | rng.randrange(990, 1060) << 52 | rng.getrandbits(52)
    bits = int(t[1:])
    return rng.getrandbits(rng.choice([bits, bits // 2, bits]))


def singles(t, count=None, narrowing=False):
    rng = random.Random(1)
    values = list(edges(t)) + (F64_NARROW if narrowing else [])
    while len(values) < (count or 64):
        values.append(random_value(t, rng))
    return [(v,) for v in values[:count or max(64, len(values))]]


def pairs(t, seed=2, count=64):
    """Every edge meets others on both sides: a fixed choice of 40 pairs of edges, then random ones."""
    t = t.replace("b", "u")
    rng = random.Random(seed)
    e = edges(t)
    specials = e[:17] if t[0] == "f" else e[:10]
    result = [(a, specials[(3 * i + 1) % len(specials)]) for i, a in enumerate(specials)]
    result += [(specials[(5 * i + 2) % len(specials)], a) for i, a in enumerate(specials)]
    result += [(a, a) for a in specials[:8]]
    if t[0] != "f":
        top = 1 << int(t[1:]) - 1
        result += [(top, 2 * top - 1), (top - 1, 0), (top, 0), (0, 0), (top, 1), (7, 2 * top - 2), (2 * top - 7, 2)]
    else:
        # Opposite signs (exact zero), ties and near-cancellation.
        sign = 1 << (31 if t == "f32" else 63)
        result += [(e[2], e[2] ^ sign), (e[24], e[2] ^ sign), (e[2], e[26]), (e[24], e[26]), (e[2], e[25]), (e[16], e[26]), (e[16], e[16]), (e[14], e[23])]
    while len(result) < count:
        result.append((rng.choice(e + [random_value(t, rng)] * 30), rng.choice(e + [random_value(t, rng)] * 30)))
    return result[:count]


def triples(t, count=64):
    rng = random.Random(9)
    e = edges(t)
    result = []
    for i, (a, b) in enumerate(pairs(t, count=count)):
        result.append((a, b, e[(7 * i) % len(e)] if i % 3 else random_value(t, rng)))
    return result


def shifts(t):
    amounts = [0, 1, 4, 7, 8, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 128, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff]
    values = [v[0] for v in singles(t.replace("b", "u") if t[0] == "b" else t, 24)]
    return [(values[(i * 7 + i // 22) % len(values)], amounts[i % len(amounts)]) for i in range(66)][:64]
