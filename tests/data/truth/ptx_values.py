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


# 16-bit floats: zeros, ones, infinities, NaNs, subnormals, the ends of the range, ties of what they convert to.
F16 = [0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01, 0x7fff, 0x0001, 0x8001, 0x03ff, 0x83ff,
       0x0400, 0x8400, 0x7bff, 0xfbff, 0x3800, 0xb800, 0x3e00, 0x4100, 0xc100, 0x3bff, 0x3c01, 0x1400, 0x1000, 0x6400,
       0x6401, 0x57f0, 0x5800, 0x5bf8, 0xd800, 0xd804, 0x5c00, 0x77ff, 0x7800, 0xf800, 0x4248, 0x2e66, 0x3555, 0x0200,
       0x4d00, 0xcd00, 0x5640, 0x7000, 0x0c00]
BF16 = [0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81, 0x7fff, 0x0001, 0x8001, 0x007f, 0x807f,
        0x0080, 0x8080, 0x7f7f, 0xff7f, 0x3f00, 0xbf00, 0x3fc0, 0x4020, 0xc020, 0x3f7f, 0x3f81, 0x3c00, 0x3b80, 0x4300,
        0x4301, 0x42fe, 0x42ff, 0x437f, 0xc300, 0xc301, 0x4380, 0x46ff, 0x4700, 0xc700, 0x4049, 0x3dcd, 0x3eab, 0x0040,
        0x4f00, 0xcf00, 0x4f80, 0x5f00, 0xdf00, 0x5f80, 0x477f, 0x4780, 0x3300, 0x3380, 0x32ff]
# f32 around what f16, bf16, tf32, e4m3 and e5m2 can hold: ties and their neighbours, largest and smallest numbers.
F32_NARROW = [0x3f801000, 0x3f803000, 0x3f801001, 0x3f800fff, 0x477fe000, 0x477fefff, 0x477ff000, 0xc77ff000, 0x477ff001,
              0x33800000, 0x33000000, 0x33000001, 0x33c00000, 0x32ffffff, 0x387fc000, 0x387fe000, 0x387fffff, 0x38800000, 0xb3400000,
              0x3f808000, 0x3f818000, 0x3f808001, 0x3f807fff, 0x7f7f7fff, 0x7f7f8000, 0xff7f8000, 0x00008000, 0x00018000, 0x00007fff,
              0x807f8000, 0x3f802000, 0x3f806000, 0x7f7ff000, 0x7f7fefff, 0x00001000, 0x00003000, 0x007ff000, 0x43e00000, 0x43e80000,
              0x43e7ffff, 0x43e80001, 0xc3f00000, 0x3b000000, 0x3a800000, 0x3a800001, 0x3ac00000, 0x3c7f0000, 0x3c740000, 0x3c7c0000,
              0x47600000, 0x47700000, 0x476fffff, 0x47700001, 0xc7800000, 0x37800000, 0x37000000, 0x37000001, 0x37400000, 0x387f0000,
              0x40280000, 0x40380000, 0x40300000, 0x41880000, 0x41980000, 0x3d8c0000]


def halves(t, count=64, eighth=False):
    """f16 or bf16 numbers; eighth: between the numbers of 8-bit floats too."""
    rng = random.Random(17)
    values = list(F16 if t == "f16" else BF16)
    if eighth:
        values += [0x5f00, 0x5f40, 0x5f3f, 0x5f41, 0xdf80, 0x7b00, 0x7b80, 0x7b7f, 0x1800, 0x1400, 0x1401, 0x1600, 0x2400, 0x23c0, 0x23e0, 0x00ff, 0x0100, 0x0080, 0x0081, 0x0180]
    while len(values) < count:
        if t == "f16":
            values.append(rng.getrandbits(1) << 15 | rng.randrange(1, 31) << 10 | rng.getrandbits(10))
        else:
            values.append(rng.getrandbits(1) << 15 | rng.randrange(100, 150) << 7 | rng.getrandbits(7))
    return values[:count]


def rows(t, args, count=64, seed=21):
    """Operands of 16-bit floats: every edge with others, then random numbers near one another."""
    rng = random.Random(seed)
    edge = F16 if t == "f16" else BF16
    if args == 1:
        return [(v,) for v in halves(t, count)]
    result = []
    for i in range(count):
        if i < len(edge):
            result.append((edge[i],) + tuple(edge[(5 * i * (k + 1) + 2 + seed) % len(edge)] for k in range(args - 1)))
            continue
        exponent = rng.randrange(8, 22) if t == "f16" else rng.randrange(110, 140)
        bits = 10 if t == "f16" else 7
        near = [rng.getrandbits(1) << 15 | (exponent + rng.randrange(-3, 4)) << bits | rng.getrandbits(bits) for _ in range(args)]
        if args == 3 and rng.random() < 0.5:
            near[2] = rng.choice([0x0001, 0x8001, 0x0400, 0x1000, 0x9400, near[2]])
        result.append(tuple(near))
    return result


def packed(values):
    return [(v | values[(3 * i + 1) % len(values)] << 16,) for i, v in enumerate(values)]


def narrowing(t):
    """f32 or f64 that are narrowed to 16 bits or less."""
    if t == "f32":
        return [(v,) for v in F32[:28] + F32_NARROW] + [(v[0],) for v in singles("f32", 96)[-32:]]
    wide = [0x3ff0020000000000, 0x3ff0060000000000, 0x3ff0020000000001, 0x40effc0000000000, 0x40effdffffffffff, 0x40effe0000000000,
            0xc0effe0000000000, 0x3e70000000000000, 0x3e60000000000000, 0x3e60000000000001, 0x3e78000000000000, 0x3f0ff80000000000,
            0x3f0ffc0000000000, 0x3ff0100000000000, 0x3ff0300000000000, 0x3ff0100000000001, 0x47eff00000000000, 0x47efefffffffffff,
            0x37a0000000000000, 0x3790000000000000, 0x3790000000000001, 0x37b8000000000000, 0x380fe00000000000, 0x380ff00000000000]
    return [(v,) for v in F64[:26] + wide] + [v for v in singles("f64", 80)[-24:]]
