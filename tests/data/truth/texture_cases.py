"""Forms that read textures and read and write surfaces. A note says what the texture is; its texels follow from their
number alone (texel_bytes), so that the tests make the same ones:

    texture 2d f32 1 13 7 0 wrap clamp clamp linear normalized element
            geometry, type and channels, width height depth (or layers), address modes, filter, coordinates, how it is
            read; of a mipmap also the number of levels and the filter between them
"""
import copy
import random
import struct

ALONE = "variants alone"
GEOMETRIES = {"1d": 1, "2d": 2, "3d": 3, "a1d": 1, "a2d": 2, "cube": 3, "acube": 3, "linear": 1}


def f32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def mixed(k):
    """A number without a pattern for each element: 32 bits."""
    x = (k * 2654435761 + 0x9e3779b9) & 0xffffffff
    x ^= x >> 15
    x = x * 2246822519 & 0xffffffff
    return x ^ x >> 13


def texel_bytes(type_name, count):
    """Elements one after the other; floats lie between -1 and 1."""
    if type_name == "f32":
        return b"".join(struct.pack("<f", (mixed(k) >> 8) / 2**23 - 1) for k in range(count))
    if type_name == "f16":
        return b"".join(struct.pack("<e", ((mixed(k) >> 21) - 1024) / 1024) for k in range(count))
    size = int(type_name[1:]) // 8
    return b"".join((mixed(k) & (1 << 8 * size) - 1).to_bytes(size, "little") for k in range(count))


def line(rng, size, normalized, count):
    """Coordinates along a side: edges, ties, far outside, and everywhere."""
    scale = 1 / size if normalized else 1.0
    places = [0, 0.25, 0.5, 0.75, 1, 1.5, size - 1, size - 0.5, size - 0.25, size, size + 0.5, -0.25, -0.5, -1, -1.5, size + 1, 2 * size,
              -size, -size - 0.5, 2.5 * size, -3.75 * size, 1e9, -1e9]
    places += [2 + k / 1024 for k in range(0, 64)] + [3.5 + (2 * k + 1) / 512 for k in range(0, 24)]
    values = [p * scale for p in places]
    while len(values) < count:
        values.append((rng.random() * 3 - 1) * size * scale)
    return [f32(v) for v in values[:count]]


def scattered(rng, size, normalized, count):
    values = line(rng, size, normalized, 160)
    return [rng.choice(values) if rng.random() < 0.25 else f32((rng.random() * 1.5 - 0.25) * (1 if normalized else size)) for _ in range(count)]


def coordinates(rng, geometry, sizes, normalized, count=192):
    if geometry in ("cube", "acube"):
        rows = [(1, 0.1, 0.2), (-1, 0.3, -0.7), (0.2, 1, 0.6), (0.2, -1, 0.6), (0.3, -0.4, 1), (0.3, -0.4, -1), (1, 1, 1), (-1, 1, -1), (0, 0, 1)]
        rows += [tuple(rng.uniform(-1, 1) for _ in range(3)) for _ in range(count - len(rows))]
        return [tuple(f32(v) for v in row) for row in rows]
    if GEOMETRIES[geometry] == 1:
        return [(v,) for v in line(rng, sizes[0], normalized, count)]
    columns = [scattered(rng, size, normalized, count) for size in sizes[:GEOMETRIES[geometry]]]
    return list(zip(*columns))


def reads(add):
    def tex(geometry, t="f32", channels=1, size=(13, 0, 0), modes="clamp", filter_="linear", normalized=True, read="element", name="", count=192):
        rng = random.Random(f"{geometry}{t}{channels}{modes}{filter_}{normalized}{read}")
        modes = (modes.split() * 3)[:3]
        result = "f32" if t[0] == "f" or read == "normalized" else t[0] + "32"
        where = "normalized" if normalized else "texels"
        rows = coordinates(rng, geometry, size, normalized, count)
        n = len(rows[0])
        ins = ["b32"] * n
        names = [f"%x{i}" for i in range(n)]
        if geometry.startswith("a"):
            rows = [row + (rng.choice([0, 1, 2, 3, 4, 0xffffffff]),) for row in rows]
            ins.append("b32")
            names = [f"%x{n}"] + names
        if len(names) == 3:
            names.append(names[-1])
        g = "1d" if geometry == "linear" else geometry
        body = [f"tex.{g}.v4.{result}.f32 {{%y0, %y1, %y2, %y3}}, [%z, {{{', '.join(names)}}}];"]
        label = name or f"{geometry}.{t}x{channels}.{'.'.join(dict.fromkeys(modes))}.{filter_}.{where}" + (".float" if read == "normalized" else "")
        add("tex", label, ins, ["b32"] * 4, body, rows,
            f"{geometry} {t} {channels} {size[0]} {size[1]} {size[2]} {' '.join(modes)} {filter_} {where} {read}")

    for filter_ in ("point", "linear"):
        for mode in ("wrap", "clamp", "mirror", "border"):
            tex("1d", modes=mode, filter_=filter_)
            tex("2d", modes=mode, filter_=filter_, size=(13, 7, 0), count=128)
        for mode in ("clamp", "border", "wrap"):
            tex("1d", modes=mode, filter_=filter_, normalized=False)
        tex("2d", channels=4, modes="wrap mirror", filter_=filter_, size=(8, 5, 0), count=96)
        tex("2d", modes="clamp", filter_=filter_, normalized=False, size=(13, 7, 0), count=160)
        tex("3d", modes="wrap clamp border", filter_=filter_, size=(6, 5, 4))
        tex("3d", modes="clamp", filter_=filter_, size=(6, 5, 4), normalized=False, count=96)
        tex("a1d", modes="clamp", filter_=filter_, size=(9, 0, 4), count=96)
        tex("a2d", modes="mirror clamp", filter_=filter_, size=(9, 6, 4), count=96)
        tex("cube", filter_=filter_, size=(8, 8, 6), count=96)
        tex("cube", modes="wrap", filter_=filter_, size=(8, 8, 6), count=96)
        tex("cube", "u8", 4, (4, 4, 6), "wrap", filter_, read="normalized", count=64)
        tex("acube", filter_=filter_, size=(4, 4, 12), count=64)
        tex("acube", modes="wrap", filter_=filter_, size=(4, 4, 12), count=64)
        for t in ("u8", "s8", "u16", "s16"):
            tex("2d", t, 4 if t == "u8" else 1, (8, 5, 0), "clamp", filter_, read="normalized", count=96)
        tex("2d", "f16", 2, (8, 5, 0), "clamp", filter_, count=96)
    for t, channels in (("u8", 1), ("u8", 4), ("s8", 2), ("u16", 1), ("s16", 4), ("u32", 1), ("s32", 2), ("u32", 4)):
        tex("2d", t, channels, (8, 5, 0), "wrap", "point", count=48)
    tex("3d", "f16", 2, (6, 5, 4), count=96)
    for t in ("u8", "s8", "s16"):
        tex("3d", t, 1, (6, 5, 4), read="normalized", count=96)
    fetches(add)
    halves(add)
    mipmaps(add)


def halves(add):
    """Results of 16 bits."""
    rows = coordinates(random.Random(51), "2d", (8, 5), True, 64)
    for t, read in (("f32", "element"), ("f16", "element"), ("u8", "normalized"), ("s16", "normalized")):
        for filter_ in ("point", "linear"):
            note = f"2d {t} 4 8 5 0 wrap clamp clamp {filter_} normalized {read}"
            add("tex", f"2d.v4.f16.{t}.{filter_}", ["b32"] * 2, ["b16"] * 4, ["tex.2d.v4.f16.f32 {%y0, %y1, %y2, %y3}, [%z, {%x0, %x1}];"], rows, note)
            add("tex", f"2d.v2.f16x2.{t}.{filter_}", ["b32"] * 2, ["b32"] * 2, ["tex.2d.v2.f16x2.f32 {%y0, %y1}, [%z, {%x0, %x1}];"], rows, note)


def mipmaps(add):
    rng = random.Random(61)
    for g, size, levels in (("1d", (32, 0, 0), 4), ("2d", (16, 8, 0), 5), ("a2d", (16, 8, 3), 4), ("3d", (8, 8, 4), 3), ("cube", (8, 8, 6), 4)):
        for t, read in (("f32", "element"), ("u8", "normalized")):
            for filter_, between in (("point", "point"), ("point", "linear"), ("linear", "point"), ("linear", "linear")):
                if t == "u8" and g != "2d":
                    continue
                rows = coordinates(rng, g, size, True, 96)
                rows = [row + (f32(rng.choice([0, 0.25, 0.5, 1, 1.5, 2.75, -1, 9, rng.uniform(0, levels), rng.uniform(0, levels)])),) for row in rows]
                n = len(rows[0]) - 1
                names = [f"%x{i}" for i in range(n)]
                level, ins = f"%x{n}", ["b32"] * (n + 1)
                if g == "a2d":
                    rows = [row + (rng.choice([0, 1, 2, 5]),) for row in rows]
                    ins.append("b32")
                    names = [f"%x{n + 1}"] + names
                if len(names) == 3:
                    names.append(names[-1])
                add("tex", f"level.mipmap.{g}.{t}.{filter_}.{between}", ins, ["b32"] * 4,
                    [f"mov.b32 %t, {level};", f"tex.level.{g}.v4.f32.f32 {{%y0, %y1, %y2, %y3}}, [%z, {{{', '.join(names)}}}], %t;"], rows,
                    f"{g} {t} 1 {size[0]} {size[1]} {size[2]} wrap clamp clamp {filter_} normalized {read} {levels} {between}")
    rows = coordinates(rng, "2d", (16, 8), True, 48)
    add("tex", "base.mipmap.2d", ["b32"] * 2, ["b32"] * 4, ["tex.base.2d.v4.f32.f32 {%y0, %y1, %y2, %y3}, [%z, {%x0, %x1}];"], rows,
        "2d f32 1 16 8 0 clamp clamp clamp linear normalized element 5 linear")
    add("tex", "mipmap.2d", ["b32"] * 2, ["b32"] * 4, ["tex.2d.v4.f32.f32 {%y0, %y1, %y2, %y3}, [%z, {%x0, %x1}];"], rows,
        "2d f32 1 16 8 0 clamp clamp clamp linear normalized element 5 linear")
    rows = [tuple(v & 0xffffffff for v in (rng.randrange(-1, 17), rng.randrange(-1, 9), rng.randrange(-1, 6))) for _ in range(48)]
    add("tex", "level.mipmap.2d.fetch", ["b32"] * 3, ["b32"] * 4, ["tex.level.2d.v4.f32.s32 {%y0, %y1, %y2, %y3}, [%z, {%x0, %x1}], %x2;"], rows,
        "2d f32 1 16 8 0 clamp clamp clamp point texels element 5 point")


def fetches(add):
    rng = random.Random(31)
    for component in "rg":
        add("tld4", f"{component}.a2d.f32", ["b32"] * 3, ["b32"] * 4, [f"tld4.{component}.a2d.v4.f32.f32 {{%y0, %y1, %y2, %y3}}, [%z, {{%x2, %x0, %x1, %x1}}];"],
            [row + (k % 5,) for k, row in enumerate(coordinates(random.Random(71), "2d", (8, 5), True, 64))], "a2d f32 4 8 5 3 wrap clamp clamp point normalized element")
    for g, size, n in (("linear", (40, 0, 0), 1), ("1d", (13, 0, 0), 1), ("2d", (13, 7, 0), 2), ("3d", (6, 5, 4), 3)):
        for t in ("f32", "u8"):
            for mode in ("clamp", "border") if g != "linear" else ("clamp",):
                names = [f"%x{i}" for i in range(n)] + ["%x2"] * (n == 3)
                rows = [tuple(rng.choice([rng.randrange(-2, size[i] + 3), rng.randrange(size[i]), 0x7fffffff, -0x80000000][:2 if k > 3 else 4]) & 0xffffffff
                              for i in range(n)) for k in range(64)]
                body = [f"tex.{'1d' if g == 'linear' else g}.v4.{'f32' if t == 'f32' else 'u32'}.s32 {{%y0, %y1, %y2, %y3}}, [%z, {{{', '.join(names)}}}];"]
                add("tex", f"{g}.{t}.{mode}.fetch", ["b32"] * n, ["b32"] * 4, body, rows,
                    f"{g} {t} 1 {size[0]} {size[1]} {size[2]} {mode} {mode} {mode} point texels element")
    rows = coordinates(rng, "2d", (13, 7), True, 64)
    for filter_ in ("point", "linear"):
        add("tex", f"level.2d.{filter_}", ["b32"] * 2, ["b32"] * 4, ["mov.f32 %t, 0f40200000;", "tex.level.2d.v4.f32.f32 {%y0, %y1, %y2, %y3}, [%z, {%x0, %x1}], %t;"],
            rows, f"2d f32 1 13 7 0 clamp clamp clamp {filter_} normalized element")
        add("tex", f"grad.2d.{filter_}", ["b32"] * 2, ["b32"] * 4, ["mov.f32 %t, 0f3DCCCCCD;",
            "tex.grad.2d.v4.f32.f32 {%y0, %y1, %y2, %y3}, [%z, {%x0, %x1}], {%t, %t}, {%t, %t};"],
            rows, f"2d f32 1 13 7 0 clamp clamp clamp {filter_} normalized element")
    for component in "rgba":
        for t, result in (("f32", "f32"), ("u8", "u32")):
            add("tld4", f"{component}.2d.{t}", ["b32"] * 2, ["b32"] * 4, [f"tld4.{component}.2d.v4.{result}.f32 {{%y0, %y1, %y2, %y3}}, [%z, {{%x0, %x1}}];"],
                coordinates(rng, "2d", (8, 5), True, 64), f"2d {t} 4 8 5 0 wrap clamp clamp point normalized element")


def surfaces(add):
    rng = random.Random(41)
    sizes = {"1d": (64, 0, 0), "2d": (16, 8, 0), "3d": (8, 4, 4), "a1d": (16, 0, 8), "a2d": (8, 4, 4)}
    for g, size in sizes.items():
        n = GEOMETRIES[g]
        for bits, vector, t, channels in ((8, 1, "u8", 1), (16, 1, "u16", 1), (32, 1, "u32", 1), (32, 1, "u8", 4), (64, 1, "u32", 2), (32, 2, "u32", 2), (32, 4, "u32", 4)):
            if g != "2d" and (bits, vector, channels) not in ((32, 1, 1), (32, 4, 4)):
                continue
            width = int(t[1:]) // 8 * channels
            r = {8: "b16", 16: "b16", 32: "b32", 64: "b64"}[bits]
            outs = [f"%y{i}" for i in range(vector)]
            v = f".v{vector}" if vector > 1 else ""

            def where(x):
                names = [x, "%x1", "%x2"][:n]
                if g.startswith("a"):
                    names = ["%x3"] + names
                return f"[%z, {{{', '.join(names + names[-1:] * (len(names) == 3))}}}]"
            for mode in ("clamp", "zero"):
                rows = [(rng.randrange(-2, size[0] + 3) * width & 0xffffffff, rng.randrange(-1, (size[1] or 1) + 1) & 0xffffffff,
                         rng.randrange(-1, size[2] + 1) & 0xffffffff, rng.randrange(max(size[2], 1))) for _ in range(64)]
                add("suld", f"{g}{v}.b{bits}.{t}x{channels}.{mode}", ["b32"] * 4, [r] * vector,
                    [f"suld.b.{g}{v}.b{bits}.{mode} {{{', '.join(outs)}}}, {where('%x0')};"], rows, f"{g} {t} {channels} {size[0]} {size[1]} {size[2]} clamp clamp clamp point texels surface")
            # Every thread writes its own texel and reads it back; some write outside.
            cells = [(x, y, z) for z in range(max(size[2], 1)) for y in range(max(size[1], 1)) for x in range(size[0])]
            rng.shuffle(cells)
            rows = [(x * width, y, z, z, rng.getrandbits(32)) for x, y, z in cells[:60]] + [(size[0] * width, 0, 0, 0, 1), (0xffffffff & -width, 0, 0, 0, 2)]
            if bits == 64:
                continue
            given = "%h" if bits <= 16 else "%x4"
            head = ["cvt.u16.u32 %h, %x4;"] if bits <= 16 else []
            add("sust", f"{g}{v}.b{bits}.{t}x{channels}", ["b32"] * 5, [r] * vector,
                head + [f"sust.b.{g}{v}.b{bits}.zero {where('%x0')}, {{{', '.join([given] * vector)}}};", f"suld.b.{g}{v}.b{bits}.zero {{{', '.join(outs)}}}, {where('%x0')};"],
                rows, f"{g} {t} {channels} {size[0]} {size[1]} {size[2]} clamp clamp clamp point texels surface")
    formatted(add, copy.copy(rng))
    for op, t in (("add", "u32"), ("add", "s32"), ("min", "u32"), ("min", "s32"), ("max", "u32"), ("max", "s32"), ("and", "b32"), ("or", "b32")):
        cells = [(x, y) for y in range(8) for x in range(16)]
        rng.shuffle(cells)
        rows = [(x * 4, y, rng.getrandbits(32)) for x, y in cells[:60]]
        add("sured", f"b.{op}.2d.{t}", ["b32"] * 3, ["b32"], [f"sured.b.{op}.2d.{t}.zero [%z, {{%x0, %x1}}], %x2;", "suld.b.2d.b32.zero {%y0}, [%z, {%x0, %x1}];"],
            rows, "2d u32 1 16 8 0 clamp clamp clamp point texels surface")


def formatted(add, rng):
    """sust.p converts; what it has stored is read back as bytes."""
    for t, channels in (("u8", 4), ("s8", 2), ("u16", 1), ("s16", 4), ("f16", 2), ("f32", 4), ("u32", 1), ("s32", 2)):
        cells = [(x, y) for y in range(5) for x in range(8)]
        rng.shuffle(cells)
        values = [0, 1, 0xff, 0x100, 0x7f, 0x80, 0xffffffff, 0x80000000, 0x7fffffff, 0xffff, 0x10000] if t[0] != "f" else \
            [f32(v) for v in (0, 1, -1, 0.1, 65504, 65519, 65520, 1e9, 1e-8, 6e-8, -2.0009765625, float("inf"))] + [0x7fc00000]
        rows = [(x, y) + tuple(rng.choice(values) if rng.random() < 0.7 else rng.getrandbits(32) for _ in range(4)) for x, y in cells]
        bits = int(t[1:]) * channels
        vector = {128: "v4.", 64: "v2."}.get(bits, "")
        load, count = (f"suld.b.2d.{vector}b32.zero", max(bits // 32, 1)) if bits >= 32 else (f"suld.b.2d.b{bits}.zero", 1)
        add("sust", f"p.2d.v4.b32.{t}x{channels}", ["b32"] * 6, ["b32" if bits >= 32 else "b16"] * count,
            ["sust.p.2d.v4.b32.zero [%z, {%x0, %x1}], {%x2, %x3, %x4, %x5};", f"mul.lo.u32 %t, %x0, {bits // 8};",
             f"{load} {{{', '.join(f'%y{i}' for i in range(count))}}}, [%z, {{%t, %x1}}];"],
            rows, f"2d {t} {channels} 8 5 0 clamp clamp clamp point texels surface")


def forms(add):
    def with_texture(opcode, name, ins, outs, body, vectors, texture):
        add(opcode, name, ins, outs, body, vectors, notes=[ALONE], texture=texture)
    reads(with_texture)
    surfaces(with_texture)
