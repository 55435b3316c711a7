"""Forms of tests/data/ptx beyond the common ones: carries, bits, packed integers, atomics, wide memory, video."""
import random

from ptx_values import INTS, halves, packed, pairs, rows, singles, triples

NEW = ("8.6", "sm_90")
CARRY = ["variants plain divergent"]
ROOM = ".shared .align 16 .b8 room[4096];"


def carries(add):
    for t in ("u32", "s32", "u64", "s64"):
        data = [a + b for a, b in zip(pairs(t), pairs(t, seed=5))]
        add("addc", f"cc.{t}", [t] * 4, [t] * 3, [f"add.cc.{t} %y0, %x0, %x1;", f"addc.cc.{t} %y1, %x2, %x3;", f"addc.{t} %y2, %x0, %x3;"],
            data, notes=CARRY)
        add("subc", f"cc.{t}", [t] * 4, [t] * 3, [f"sub.cc.{t} %y0, %x0, %x1;", f"subc.cc.{t} %y1, %x2, %x3;", f"subc.{t} %y2, %x0, %x3;"],
            data, notes=CARRY)
        add("add", f"cc.{t}", [t] * 4, [t] * 2, [f"add.cc.{t} %y0, %x0, %x1;", f"subc.{t} %y1, %x2, %x3;"], data[:32], notes=CARRY)
        add("sub", f"cc.{t}", [t] * 4, [t] * 2, [f"sub.cc.{t} %y0, %x0, %x1;", f"addc.{t} %y1, %x2, %x3;"], data[:32], notes=CARRY)
        three = [a + (b[0],) for a, b in zip(triples(t), pairs(t, seed=6))]
        add("mad", f"cc.{t}", [t] * 4, [t] * 3,
            [f"mad.lo.cc.{t} %y0, %x0, %x1, %x2;", f"madc.hi.cc.{t} %y1, %x0, %x1, %x3;", f"addc.{t} %y2, %x2, %x3;"], three, notes=CARRY)
        add("madc", t, [t] * 4, [t] * 4,
            [f"mad.hi.cc.{t} %y0, %x0, %x1, %x2;", f"madc.lo.cc.{t} %y1, %x0, %x3, %x2;", f"madc.lo.{t} %y2, %x1, %x3, %x0;",
             f"add.cc.{t} %y3, %x0, %x1;", f"madc.hi.{t} %y3, %x2, %x3, %x1;"], three, notes=CARRY)


def bits(add):
    rng = random.Random(41)
    masks = [0, 1, 0x80000000, 0xffffffff, 0xaaaaaaaa, 0x55555555, 0x00010000, 0x80000001]
    offsets = [0, 1, -1, 2, -2, 3, 16, -16, 31, 32, -32, 33, 2**31 - 1, -2**31]
    add("fns", "b32", ["b32", "b32", "s32"], ["b32"], ["fns.b32 %y0, %x0, %x1, %x2;"],
        [(rng.choice(masks + [rng.getrandbits(32)] * 8), rng.choice([0, 1, 15, 16, 30, 31, rng.randrange(32)]), rng.choice(offsets)) for _ in range(96)])
    amounts = [0, 1, 2, 7, 8, 15, 16, 30, 31, 32, 33, 63, 64, 255, 256, 0x80000000, 0xffffffff]
    for mode in ("clamp", "wrap"):
        for t in ("u32", "s32"):
            add("szext", f"{mode}.{t}", [t, "u32"], [t], [f"szext.{mode}.{t} %y0, %x0, %x1;"],
                [(rng.choice(masks + [rng.getrandbits(32)] * 4), amounts[i % len(amounts)]) for i in range(68)], target=NEW)
        add("bmsk", f"{mode}.b32", ["b32", "b32"], ["b32"], [f"bmsk.{mode}.b32 %y0, %x0, %x1;"],
            [(a, b) for i, a in enumerate(amounts) for b in amounts[i % 4::4]], target=NEW)
    for op in ("and", "or"):
        body = ["setp.ne.u32 %c, %x3, 0;"]
        for i, lut in enumerate((0x96, 0x80, 0x00, 0xca)):
            body += [f"lop3.{op}.b32 {'%y' + str(i) if i != 2 else '_'}|%p, %x0, %x1, %x2, {lut}, {'!' if i == 3 else ''}%c;",
                     f"selp.u32 %t, {1 << i}, 0, %p;"] + (["mov.u32 %w, %t;"] if i == 0 else ["or.b32 %w, %w, %t;"])
        body += ["mov.u32 %y2, %w;"]
        add("lop3", f"{op}.b32", ["b32"] * 3 + ["u32"], ["b32"] * 4, body, [v + (i & 1,) for i, v in enumerate(triples("u32")[:32])] +
            [(0, 0, 0, 0), (0, 0, 0, 1), (0xffffffff, 0xffffffff, 0xffffffff, 1), (0xffffffff, 0, 0, 0)], target=NEW)
    for opcode in ("min", "max"):
        add(opcode, "relu.s32", ["s32"] * 2, ["s32"], [f"{opcode}.relu.s32 %y0, %x0, %x1;"], pairs("s32"), target=NEW)
    two = [(a | c << 16, b | d << 16) for (a, b), (c, d) in zip(pairs("u16"), reversed(pairs("s16")))]
    for t in ("u16x2", "s16x2"):
        for opcode in ("add", "min", "max"):
            for m in ("", "relu.") if t[0] == "s" and opcode != "add" else ("",):
                add(opcode, f"{m}{t}", ["b32"] * 2, ["b32"], [f"{opcode}.{m}{t} %y0, %x0, %x1;"], two, target=NEW)
    for t in ("u32", "s32", "u16", "s64", "u64", "f32", "f64", "b32", "b64"):
        c = "ne" if t[0] == "b" else "gt"
        add("set", f"bool.{t}", [t, t, "u32"], ["u32", "s32", "f32"], ["setp.ne.u32 %c, %x2, 0;", f"set.{c}.and.u32.{t} %y0, %x0, %x1, %c;",
            f"set.{c}.or.s32.{t} %y1, %x0, %x1, !%c;", f"set.{c}.xor.f32.{t} %y2, %x0, %x1, %c;"],
            [v + (i & 1,) for i, v in enumerate(pairs(t)[:32])])
    add("rcp", "approx.ftz.f64", ["f64"], ["f64"], ["rcp.approx.ftz.f64 %y0, %x0;"], singles("f64"))
    add("rsqrt", "approx.ftz.f64", ["f64"], ["f64"], ["rsqrt.approx.ftz.f64 %y0, %x0;"], singles("f64"))


def place(space, bytes_each=16):
    if space == "shared":
        return [f"mul.lo.u32 %t, %thread, {bytes_each};", "mov.u32 %u, room;", "add.u32 %t, %t, %u;"], "%t"
    return [f"mul.wide.u32 %z, %thread, {bytes_each};", "add.u64 %z, %out, %z;"], "%z"


def atomics(add):
    for t in ("f16", "bf16", "f16x2", "bf16x2"):
        bits_of = "b32" if t.endswith("x2") else "b16"
        data = rows(t, 2, 56) if bits_of == "b16" else [(a[0], b[0]) for a, b in zip(packed(halves(t[:-2], 56)), packed(halves(t[:-2], 96)[40:]))]
        for space in ("global", "shared"):
            body, at = ["add.u64 %z, %out, 8;"], "%z"
            if space == "shared":
                body, at = place("shared")
            tail = [f"ld.{space}.{bits_of} %y1, [{at}];"]
            for opcode, line in (("atom", f"atom.{space}.add.noftz.{t} %y0, [{at}], %x1;"), ("red", f"red.{space}.add.noftz.{t} [{at}], %x1;")):
                outs = [bits_of, "b64" if space == "global" else bits_of]
                last = tail
                if space == "global":
                    last = [f"ld.global.{'u32' if bits_of == 'b32' else 'u16'} %y1, [%z];"]
                add(opcode, f"{space}.add.noftz.{t}", [bits_of] * 2, outs, body + [f"st.{space}.{bits_of} [{at}], %x0;", line] + last +
                    (["mov.%s %%y0, 0;" % bits_of] if opcode == "red" else []), data, declare=ROOM if space == "shared" else "", target=NEW)
    data = [(a, a if i & 1 else b, i) for i, (a, b) in enumerate(pairs("u16")[:24])]
    for space in ("global", "shared"):
        body, at = (["add.u64 %z, %out, 8;"], "%z") if space == "global" else place("shared")
        add("atom", f"{space}.cas.b16", ["b16"] * 3, ["b16", "b64"], body + [f"st.{space}.b16 [{at}], %x0;", f"st.{space}.b16 [{at}+2], 0x1234;",
            f"atom.{space}.cas.b16 %y0, [{at}], %x1, %x2;", f"ld.{space}.u32 %y1, [{at}];"], data, declare=ROOM if space == "shared" else "", target=NEW)
        wide = [(a[0], b[0], a[0] if i % 3 else b[0], b[0] if i % 4 else 7, i, ~i & 0xffff) for i, (a, b) in enumerate(zip(singles("u64", 24), singles("s64", 24)))]
        own, where = place(space)
        reach = ["add.u64 %z, %z, 0;"] if space == "global" else []
        add("atom", f"{space}.cas.b128", ["u64"] * 6, ["u64"] * 4, [".reg .b128 %q0, %q1, %q2;"] + own_wide(space) +
            [f"st.{space}.v2.b64 [{where}], {{%x0, %x1}};", "mov.b128 %q0, {%x2, %x3};", "mov.b128 %q1, {%x4, %x5};",
             f"atom.{space}.cas.b128 %q2, [{where}], %q0, %q1;", "mov.b128 {%y0, %y1}, %q2;", f"ld.{space}.v2.b64 {{%y2, %y3}}, [{where}];"],
            wide, declare=wide_room(space), notes=CARRY, target=NEW)
        add("atom", f"{space}.exch.b128", ["u64"] * 4, ["u64"] * 4, [".reg .b128 %q0, %q2;"] + own_wide(space) +
            [f"st.{space}.v2.b64 [{where}], {{%x0, %x1}};", "mov.b128 %q0, {%x2, %x3};",
             f"atom.{space}.exch.b128 %q2, [{where}], %q0;", "mov.b128 {%y0, %y1}, %q2;", f"ld.{space}.v2.b64 {{%y2, %y3}}, [{where}];"],
            [v[:4] for v in wide], declare=wide_room(space), notes=CARRY, target=NEW)
    vectors(add)
    generic(add)
    hints(add)


# Sixteen aligned bytes for each thread, in a variable of the module.
def wide_room(space):
    return f".{space} .align 16 .b8 room[4096];"


def own_wide(space):
    if space == "shared":
        return place("shared")[0]
    return ["mul.wide.u32 %z, %thread, 16;", "mov.u64 %wide, room;", "add.u64 %z, %z, %wide;"] if False else [
        "mov.u64 %z, room;", "mad.wide.u32 %z, %thread, 16, %z;"]


def vectors(add):
    """atom and red of vectors, to global memory only."""
    kinds = [("add", 2, "f32"), ("add", 4, "f32")]
    kinds += [(o, n, t) for o in ("add", "min", "max") for t in ("f16", "bf16") for n in (2, 4, 8)]
    kinds += [(o, n, t) for o in ("add", "min", "max") for t in ("f16x2", "bf16x2") for n in (2, 4)]
    for o, n, t in kinds:
        width = 32 if t == "f32" or t.endswith("x2") else 16
        each = f"b{width}"
        values = [v[0] for v in singles("f32")] if t == "f32" else [v[0] for v in packed(halves(t.replace("x2", ""), 64))] if width == 32 else halves(t, 64)
        words = max(1, width * n // 64)
        other = values[7:] + values[:7]
        def word(source, i, k):
            per = 64 // width
            return sum(source[(i * 5 + k * per + j) % len(source)] << j * width for j in range(per if n >= per else n))
        data = [tuple(word(values, i, k) for k in range(words)) + tuple(word(other, 3 * i, k) for k in range(words)) for i in range(24)]
        noftz = "" if t == "f32" else ".noftz"
        names = [f"%e{i}" for i in range(n)]
        unpack = lambda r, first, what: [f"mov.b{min(64, width * n)} {{{', '.join(names[k * (64 // width):(k + 1) * (64 // width)])}}}, %{what}{first + k};" for k in range(words)]
        pack = lambda first: [f"mov.b{min(64, width * n)} %y{first + k}, {{{', '.join(names[k * (64 // width):(k + 1) * (64 // width)])}}};" for k in range(words)]
        small = width * n < 64
        slot = "b32" if small else "b64"
        types = [slot] * words
        store = [f"st.global.{slot} [%z+{8 * k}], %x{k};" for k in range(words)]
        load = [f"ld.global.{slot} %y{words + k}, [%z+{8 * k}];" for k in range(words)]
        body = [f".reg .{each} {', '.join(names)};", "mov.u64 %z, room;", "mad.wide.u32 %z, %thread, 16, %z;"] + store + unpack(None, words, "x")
        line = f"global.v{n}.{t}.{o}{noftz}"
        full = f"atom.global.{o}{noftz}.v{n}.{t} {{{', '.join(names)}}}, [%z], {{{', '.join(names)}}};"
        add("atom", f"global.{o}.v{n}.{t}", types * 2, types * 2, body + [full] + pack(0) + load, data,
            declare=".global .align 16 .b8 room[4096];", notes=CARRY, target=NEW)
        full = f"red.global.{o}{noftz}.v{n}.{t} [%z], {{{', '.join(names)}}};"
        add("red", f"global.{o}.v{n}.{t}", types * 2, types * 2, body + [full] + pack(0) + load, data,
            declare=".global .align 16 .b8 room[4096];", notes=CARRY, target=NEW)


def generic(add):
    """Sums through generic addresses: is it the space or the instruction that flushes subnormal numbers?"""
    for t in ("f32", "f64", "f16x2"):
        b = {"f32": "b32", "f64": "b64", "f16x2": "b32"}[t]
        noftz = "noftz." if t == "f16x2" else ""
        data = pairs(t) if t[0:2] != "f1" else [(a[0], b_[0]) for a, b_ in zip(packed(halves("f16", 56)), packed(halves("f16", 96)[40:]))]
        for space in ("shared", "global"):
            own = ["mov.u64 %z, room;"] + (["cvta.shared.u64 %z, %z;"] if space == "shared" else []) + ["mad.wide.u32 %z, %thread, 16, %z;"]
            add("atom", f"generic_{space}.add.{noftz}{t}", [b] * 2, [b] * 2, own + [f"st.{b} [%z], %x0;", f"atom.add.{noftz}{t} %y0, [%z], %x1;", f"ld.{b} %y1, [%z];"],
                data, declare=f".{space} .align 16 .b8 room[4096];", target=NEW)
            add("red", f"generic_{space}.add.{noftz}{t}", [b] * 2, [b], own + [f"st.{b} [%z], %x0;", f"red.add.{noftz}{t} [%z], %x1;", f"ld.{b} %y0, [%z];"],
                data, declare=f".{space} .align 16 .b8 room[4096];", target=NEW)


def hints(add):
    """Cache policies, eviction priorities, scopes: accepted, and without effect on values."""
    policy = ["createpolicy.fractional.L2::evict_last.b64 %z, 0f3F000000;"]
    data = [v for v in pairs("u32")[:8]]
    at = "[%out+8]"
    add("atom", "hints.u32", ["u32"] * 2, ["u32", "b64"], policy + [f"st.global.b32 {at}, %x0;",
        f"atom.global.add.L2::cache_hint.u32 %y0, {at}, %x1, %z;", f"red.relaxed.gpu.global.max.L2::cache_hint.u32 {at}, %x0, %z;",
        f"atom.acq_rel.sys.global.xor.b32 %w, {at}, 3;", f"red.release.cta.global.xor.b32 {at}, 3;", f"ld.global.u32 %y1, {at};"], data, target=NEW)
    add("createpolicy", "fractional", ["u32"], ["u32"], policy + [
        "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %z, 0f3E800000;", "createpolicy.fractional.L2::evict_normal.b64 %z;",
        "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %z, [%in], 128, 256;", "ld.global.L2::cache_hint.b32 %y0, [%in], %z;"],
        [v for v in singles("u32", 8)], target=NEW)
    add("ld", "hints.b32", ["u32"], ["u32"] * 8, policy + [
        "ld.global.L1::evict_last.L2::cache_hint.L2::128B.b32 %y0, [%in], %z;", "ld.global.nc.L1::no_allocate.L2::cache_hint.b32 %y1, [%in], %z;",
        "ld.relaxed.gpu.global.b32 %y2, [%in];", "ld.acquire.sys.b32 %y3, [%in];", "ld.mmio.relaxed.sys.global.b32 %y4, [%in];",
        "ld.volatile.global.b32 %y5, [%in];", "ldu.global.b32 %y6, [%in];", "ld.weak.global.cs.b32 %y7, [%in];"], singles("u32", 16), target=NEW)
    add("st", "hints.b32", ["u32"], ["u32"] * 5, policy + [
        "st.global.L1::evict_first.L2::cache_hint.b32 [%out], %x0, %z;", "ld.global.b32 %y0, [%out];", "st.release.gpu.global.b32 [%out+4], %x0;",
        "ld.global.b32 %y1, [%out+4];", "st.relaxed.cta.b32 [%out+8], %x0;", "ld.b32 %y2, [%out+8];", "st.mmio.relaxed.sys.global.b32 [%out+12], %x0;",
        "ld.global.b32 %y3, [%out+12];", "st.volatile.global.b32 [%out+16], %x0;", "ld.global.b32 %y4, [%out+16];"], singles("u32", 16), target=NEW)
    add("prefetch", "all", ["u32"], ["u32"], ["prefetch.global.L1 [%in];", "prefetch.L2 [%in];", "prefetch.global.L2::evict_last [%in];",
        "prefetchu.L1 [%in];", "ld.global.b32 %y0, [%in];"], singles("u32", 4), target=NEW)
    add("applypriority", "global", ["u32"], ["u32"], ["mov.u64 %z, room;", "applypriority.global.L2::evict_normal [%z], 128;",
        "discard.global.L2 [%z], 128;", "mov.u32 %y0, %x0;"], singles("u32", 4), declare=".global .align 128 .b8 room[128];", target=NEW)


def wide(add):
    """Loads and stores of 128 bits."""
    data = [(a[0], b[0]) for a, b in zip(singles("u64", 16), singles("s64", 16))]
    own = ["mov.u64 %z, room;", "mad.wide.u32 %z, %thread, 16, %z;"]
    declare = ".global .align 16 .b8 room[4096];"
    add("ld", "global.b128", ["u64"] * 2, ["u64"] * 2, [".reg .b128 %q0;"] + own + ["st.global.v2.b64 [%z], {%x0, %x1};", "ld.global.b128 %q0, [%z];",
        "mov.b128 {%y0, %y1}, %q0;"], data, declare=declare, notes=CARRY, target=NEW)
    add("st", "global.b128", ["u64"] * 2, ["u64"] * 2, [".reg .b128 %q0, %q1;"] + own + ["mov.b128 %q0, {%x0, %x1};", "mov.b128 %q1, %q0;" if False else "mov.b128 %q1, {%x0, %x1};",
        "st.global.b128 [%z], %q1;", "ld.global.v2.b64 {%y0, %y1}, [%z];"], data, declare=declare, notes=CARRY, target=NEW)
    add("ld", "shared.b128", ["u64"] * 2, ["u64"] * 2, [".reg .b128 %q0;"] + place("shared")[0] + ["mov.b128 %q0, {%x0, %x1};", "st.shared.b128 [%t], %q0;",
        "ld.shared.v2.u64 {%y0, %y1}, [%t];", "ld.shared.b128 %q0, [%t];", "mov.b128 {%y1, _}, %q0;" if False else "mov.b128 {%y0, %y1}, %q0;"], data, declare=ROOM, notes=CARRY, target=NEW)
    add("mov", "vector", ["b32", "b32", "b32", "b32"], ["b32"] * 4, [".reg .v4 .b32 %v;", ".reg .v2 .b32 %s;", "mov.v4.b32 %v, {%x3, %x2, %x1, %x0};",
        "mov.v2.u32 %s, {%v.y, %v.x};", "mov.v4.b32 {%y0, %y1, %y2, %y3}, %v;", "mov.v2.b32 {%y0, %y1}, {%y1, %y0};", "add.u32 %y2, %y2, %s.x;"],
        [a + b for a, b in zip(pairs("u32")[:16], pairs("u32", seed=5))], notes=CARRY)
    add("ld", "global.f16", ["u64"], ["b16", "b16"], ["ld.global.b16 %y0, [%in];", "ld.global.nc.b16 %y1, [%in+2];"], singles("u64")[:8], target=NEW)
    add("isspacep", "all", ["u32"], ["u32"] * 4, ["and.b32 %t, %x0, 3;", "mov.u64 %z, room;", "cvta.shared.u64 %z, %z;", "setp.eq.u32 %p, %t, 1;",
        "selp.b64 %z, %z, %out, %p;", "isspacep.global %q, %z;", "selp.u32 %y0, 1, 0, %q;", "isspacep.shared %q, %z;", "selp.u32 %y1, 1, 0, %q;",
        "isspacep.local %q, %z;", "selp.u32 %y2, 1, 0, %q;", "isspacep.const %q, %z;", "selp.u32 %y3, 1, 0, %q;"], [(i,) for i in range(4)], declare=ROOM, target=NEW)


def control(add):
    """What needs no other lane, and changes no value."""
    data = singles("u32", 32)
    add("ldu", "global", ["u64", "u64"], ["u64", "u32", "u32", "u32", "u32"], ["ldu.global.u64 %y0, [%in];", "ldu.global.v2.u32 {%y1, %y2}, [%in];",
        "ldu.v2.b32 {%y3, %y4}, [%in+8];"], pairs("u64")[:8])
    add("prefetchu", "L1", ["u32"], ["u32"], ["prefetchu.L1 [%in];", "mov.u32 %y0, %x0;"], data[:4])
    add("membar", "all", ["u32"], ["u32"], ["membar.cta;", "membar.gl;", "membar.sys;", "mov.u32 %y0, %x0;"], data[:4])
    add("fence", "all", ["u32"], ["u32"], [f"fence{sem}.{scope};" for sem in ("", ".sc", ".acq_rel", ".acquire", ".release") for scope in ("cta", "cluster", "gpu", "sys")] +
        ["mov.u32 %y0, %x0;"], data[:4], target=NEW)
    add("nanosleep", "u32", ["u32"], ["u32"], ["nanosleep.u32 20;", "and.b32 %t, %x0, 15;", "nanosleep.u32 %t;", "mov.u32 %y0, %x0;"], data[:4])
    add("griddepcontrol", "all", ["u32"], ["u32"], ["griddepcontrol.launch_dependents;", "griddepcontrol.wait;", "mov.u32 %y0, %x0;"], data[:4], target=NEW)
    add("pmevent", "all", ["u32"], ["u32"], ["pmevent 3;", "pmevent.mask 5;", "mov.u32 %y0, %x0;"], data[:4], target=NEW)
    add("discard", "global", ["u32"], ["u32"], ["mov.u64 %z, room;", "discard.global.L2 [%z], 128;", "discard.L2 [%z], 128;", "mov.u32 %y0, %x0;"],
        data[:4], declare=".global .align 128 .b8 room[128];", target=NEW)
    add("bra", "loop", ["u32"], ["u32"], ["and.b32 %t, %x0, 7;", "mov.u32 %y0, 0;", "AGAIN:", "setp.eq.u32 %p, %t, 0;", "@%p bra DONE;",
        "mad.lo.u32 %y0, %y0, 3, %t;", "sub.u32 %t, %t, 1;", "bra.uni AGAIN;", "DONE:", "add.u32 %y0, %y0, 1;"], data, notes=CARRY)
    for opcode in ("ret", "exit"):
        add(opcode, "some", ["u32"], ["u32"], ["and.b32 %t, %x0, 1;", "setp.eq.u32 %p, %t, 0;", f"@%p {opcode};", "add.u32 %y0, %x0, 1;"], data, notes=CARRY)


def video(add):
    scalar_video(add)
    simd_video(add)


def scalar_video(add):
    """Where the instructions that ptxas makes of them do what the manual says. They do not where .h1 is written, where a part
    of a register is saturated, and where an intermediate result needs more than 32 bits: video_test.cpp has those."""
    types = ("u32", "s32")
    data = triples("u32", 40)
    rng = random.Random(51)
    parts = lambda: "." + rng.choice(("b0", "b1", "b2", "b3", "h0", "h1"))
    written = lambda: "." + rng.choice(("b0", "b1", "b2", "b3", "h0"))
    for op in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
        for a in types:
            for b in types:
                body, n = [], 0
                for d in types:
                    full = f"{op}.{d}.{a}.{b}"
                    second = rng.choice(("add", "min", "max")) if a == b == d else "add"
                    body += [f"{full} %y{n}, %x0, %x1;", f"{full} %y{n + 1}, %x0{parts()}, %x1{parts()};",
                             f"{full}.{second} %y{n + 2}, %x0{parts()}, %x1{parts()}, %x2;",
                             f"{full} %y{n + 3}{written()}, %x0{parts()}, %x1{parts()}, %x2;"]
                    n += 4
                if a == b == "s32":
                    body += [f"{op}.s32.s32.s32.sat %y{n}, %x0, %x1;", f"{op}.s32.s32.s32.sat.add %y{n + 1}, %x0.h1, %x1, %x2;"]
                    n += 2
                add(op, f"{a}.{b}", ["u32"] * 3, ["u32"] * n, body, data)
    for op in ("vshl", "vshr"):
        for a in types:
            body, n = [], 0
            for d in types:
                for mode in ("clamp", "wrap"):
                    full = f"{op}.{d}.{a}.u32.{mode}"
                    body += [f"{full} %y{n}, %x0, %x1;", f"{full}.add %y{n + 1}, %x0{parts()}, %x1, %x2;",
                             f"{full} %y{n + 2}{written()}, %x0{parts()}, %x1{parts()}, %x2;"]
                    n += 3
            add(op, a, ["u32"] * 3, ["u32"] * n, body, [(v[0], rng.choice([0, 1, 5, 8, 31, 32, 33, 64, 255, 256, v[1]]), v[2]) for v in data])
    for a in types:
        for b in types:
            body, n = [], 0
            signed = "s32" if "s32" in (a, b) else "u32"
            both = a == b == "s32"
            for scale in ("", ".shr7", ".shr15") if both else ("",):
                for sat in ("", ".sat") if both else ("",):
                    body += [f"vmad.{signed}.{a}.{b}{sat}{scale} %y{n}, %x0, %x1, %x2;", f"vmad.{signed}.{a}.{b}.po{sat}{scale} %y{n + 1}, %x0.h1, %x1.b2, %x2;",
                             f"vmad.s32.{a}.{b}{sat}{scale} %y{n + 2}, -%x0, %x1.h0, %x2;", f"vmad.s32.{a}.{b}{sat}{scale} %y{n + 3}, %x0, %x1, -%x2;"]
                    n += 4
            add("vmad", f"{a}.{b}", ["u32"] * 3, ["u32"] * n, body, data)
            body, n = [], 0
            for c in ("eq", "ne", "lt", "le", "gt", "ge"):
                body += [f"vset.{a}.{b}.{c} %y{n}, %x0.b1, %x1.h0;", f"vset.{a}.{b}.{c}.add %y{n + 1}, %x0, %x1, %x2;", f"vset.{a}.{b}.{c} %y{n + 2}.h0, %x0, %x1, %x2;"]
                n += 3
            add("vset", f"{a}.{b}", ["u32"] * 3, ["u32"] * n, body, data)


def simd_video(add):
    types = ("u32", "s32")
    data = triples("u32", 40)
    rng = random.Random(52)
    for count in (2, 4):
        letter, most = ("h", 3) if count == 2 else ("b", 7)
        masks = ("h0", "h1", "h10") if count == 2 else ("b0", "b21", "b310", "b3210", "b32")
        pick = lambda: "." + letter + "".join(str(rng.randrange(most + 1)) for _ in range(count))
        for op in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"):
            for a in types:
                for b in types:
                    body, n = [], 0
                    for d in types:
                        full = f"{op}{count}.{d}.{a}.{b}"
                        body += [f"{full} %y{n}, %x0, %x1, %x2;", f"{full}.sat %y{n + 1}.{rng.choice(masks)}, %x0{pick()}, %x1{pick()}, %x2;",
                                 f"{full}.add %y{n + 2}.{rng.choice(masks)}, %x0{pick()}, %x1, %x2;", f"{full}.sat %y{n + 3}, %x0, %x1{pick()}, %x2;"]
                        n += 4
                    add(f"{op}{count}", f"{a}.{b}", ["u32"] * 3, ["u32"] * n, body, data)
        for a in types:
            for b in types:
                body, n = [], 0
                for c in ("eq", "ne", "lt", "le", "gt", "ge"):
                    body += [f"vset{count}.{a}.{b}.{c} %y{n}, %x0{pick()}, %x1{pick()}, %x2;", f"vset{count}.{a}.{b}.{c}.add %y{n + 1}.{rng.choice(masks)}, %x0, %x1, %x2;"]
                    n += 2
                add(f"vset{count}", f"{a}.{b}", ["u32"] * 3, ["u32"] * n, body, data)


def forms(add):
    carries(add)
    bits(add)
    atomics(add)
    wide(add)
    control(add)
    video(add)
