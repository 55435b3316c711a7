#!/usr/bin/env python3
"""Writes patterns.ptx (one kernel per kind and width of access) and counter_cases.json: the launches whose counters
are recorded on real hardware and compared with the virtual GPU's. record_counters.py fills in the counters.

    counter_cases.py DIR
"""
import json
import pathlib
import random
import sys

OFF = 0xFFFFFFFF  # a lane that takes no part

WIDTHS = {1: ("u8", 1), 2: ("u16", 1), 4: ("b32", 1), 8: ("b32", 2), 16: ("b32", 4)}


def access(bytes_):
    t, n = WIDTHS[bytes_]
    vector = f".v{n}" if n > 1 else ""
    registers = [f"%v{i}" for i in range(n)]
    return f"{vector}.{t}", registers[0] if n == 1 else "{" + ", ".join(registers) + "}", registers


def kernel(space, op, bytes_):
    form, data, registers = access(bytes_)
    name = f"pattern_{space}_{op}_{bytes_}"
    lines = [f".visible .entry {name}(.param .u64 offsets, .param .u64 data)", "{",
             "  .reg .b32 %o, %t, %v0, %v1, %v2, %v3;", "  .reg .b64 %offsets, %data, %at, %z;", "  .reg .pred %p;"]
    if space == "shared":
        lines.append("  .shared .align 16 .b8 room[16384];")
    if space == "local":
        lines.append("  .local .align 16 .b8 own[512];")
    lines += ["  ld.param.u64 %offsets, [offsets];", "  ld.param.u64 %data, [data];", "  mov.u32 %t, %tid.x;",
              "  mad.wide.u32 %offsets, %t, 4, %offsets;", "  mad.wide.u32 %z, %t, 4, %data;",
              "  ld.global.u32 %o, [%offsets];", "  setp.eq.u32 %p, %o, 0xffffffff;", "  @%p bra END;",
              "  mov.b32 %v0, %t;", "  mov.b32 %v1, %t;", "  mov.b32 %v2, %t;", "  mov.b32 %v3, %t;",
              "  cvt.u64.u32 %at, %o;"]
    base = {"shared": "room", "local": "own"}.get(space)
    if base:
        lines += [f"  mov.u64 %data, {base};"]
    lines += ["  add.u64 %at, %data, %at;"]
    volatile = space if space == "local" else "volatile." + space
    if space == "local":  # something to load, and something that wants what was stored
        lines += ["  mov.u64 %z, own;", "  mad.wide.u32 %z, %t, 4, %z;"]
        if op == "load":
            lines += ["  st.local.u32 [%z], %t;", f"  ld.local{form} {data}, [%at];"]
        else:
            lines += [f"  st.local{form} [%at], {data};", "  ld.local.u32 %v0, [%z];"]
        lines += ["  ld.param.u64 %data, [data];", "  mad.wide.u32 %z, %t, 4, %data;"]
        lines += [f"  xor.b32 %v0, %v0, {r};" for r in registers[1:]] if op == "load" else []
        lines.append("  st.global.u32 [%z], %v0;")
    elif op == "load":
        lines.append(f"  ld.{volatile}{form} {data}, [%at];")
        for r in registers[1:]:
            lines.append(f"  xor.b32 %v0, %v0, {r};")
        lines.append("  st.global.u32 [%z], %v0;")
    else:
        lines.append(f"  st.{volatile}{form} [%at], {data};")
    lines += ["END:", "  ret;", "}"]
    return name, "\n".join(lines)


# Atomics on shared memory: name, instruction, bytes. A float's addition is a loop in machine code.
ATOMICS = [("add", "atom.shared.add.u32 %v0, [%at], %v1;", 4), ("reduce", "red.shared.add.u32 [%at], %v1;", 4),
           ("max", "atom.shared.max.s32 %v0, [%at], %v1;", 4), ("exchange", "atom.shared.exch.b32 %v0, [%at], %v1;", 4),
           ("swap", "atom.shared.cas.b32 %v0, [%at], %v1, %v2;", 4), ("wide", "atom.shared.add.u64 %w, [%at], %w;", 8),
           ("float", "red.shared.add.f32 [%at], 0f3F800000;", 4)]
# Background copies: bytes of a lane, and which end has the pattern.
COPIES = [("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)]


def head(name):
    return [f".visible .entry {name}(.param .u64 offsets, .param .u64 data)", "{",
            "  .reg .b32 %o, %t, %v0, %v1, %v2, %s, %d;", "  .reg .b64 %offsets, %data, %at, %z, %w;", "  .reg .pred %p;",
            "  .shared .align 16 .b8 room[16384];", "  ld.param.u64 %offsets, [offsets];", "  ld.param.u64 %data, [data];",
            "  mov.u32 %t, %tid.x;", "  mad.wide.u32 %offsets, %t, 4, %offsets;", "  mad.wide.u32 %z, %t, 4, %data;",
            "  ld.global.u32 %o, [%offsets];", "  setp.eq.u32 %p, %o, 0xffffffff;", "  @%p bra END;",
            "  mov.b32 %v0, %t;", "  mov.b32 %v1, %t;", "  mov.b32 %v2, %t;", "  cvt.u64.u32 %w, %t;"]


def atomic_kernel(operation, text):
    name = f"pattern_shared_atomic_{operation}"
    lines = head(name) + ["  cvt.u64.u32 %at, %o;", "  mov.u64 %data, room;", "  add.u64 %at, %data, %at;", "  " + text]
    if "%v0" in text:
        lines.append("  st.global.u32 [%z], %v0;")
    return name, "\n".join(lines + ["END:", "  ret;", "}"])


def copy_kernel(way, bytes_, end):
    name = f"pattern_copy_{end}_{way}_{bytes_}"
    lines = head(name) + [f"  mul.lo.u32 %s, %t, {bytes_};", "  mov.u32 %d, room;"]
    lines += ["  add.u32 %d, %d, %s;", "  cvt.u64.u32 %at, %o;"] if end == "source" else ["  add.u32 %d, %d, %o;", "  cvt.u64.u32 %at, %s;"]
    lines += ["  add.u64 %at, %data, %at;", f"  cp.async.{way}.shared.global [%d], [%at], {bytes_};", "  cp.async.wait_all;"]
    return name, "\n".join(lines + ["END:", "  ret;", "}"])


def further_cases():
    """Shared atomics and background copies."""
    kernels, cases = [], []

    def add(name, text, bytes_):
        kernels.append(text)
        for label, places in patterns(bytes_).items():
            offsets = [p if p == OFF else p * bytes_ for p in places]
            cases.append({"ptx": "tests/data/truth/patterns.ptx", "kernel": name, "pattern": label, "grid": [1, 1, 1],
                          "block": [32, 1, 1], "args": [{"words": offsets}, {"bytes": 65536}]})

    for operation, text, bytes_ in ATOMICS:
        add(*atomic_kernel(operation, text), bytes_)
    for way, bytes_ in COPIES:
        for end in ("source", "target"):
            add(*copy_kernel(way, bytes_, end), bytes_)
    return kernels, cases


def patterns(bytes_):
    """Offsets in units of the access's size."""
    rng = random.Random(bytes_)
    room = 2048 // bytes_ * 4
    result = {}
    for stride in (0, 1, 2, 3, 4, 8, 16, 17, 32):
        if 31 * stride < room:
            result[f"stride {stride}"] = [lane * stride for lane in range(32)]
    result["reversed"] = list(range(31, -1, -1))
    result["pairs"] = [lane // 2 for lane in range(32)]
    result["halves the same"] = [lane % 16 for lane in range(32)]
    result["quarters the same"] = [lane % 8 for lane in range(32)]
    result["even lanes"] = [lane if lane % 2 == 0 else OFF for lane in range(32)]
    result["upper half"] = [lane if lane >= 16 else OFF for lane in range(32)]
    result["one lane"] = [5 if lane == 7 else OFF for lane in range(32)]
    for n in range(3):
        result[f"random {n}"] = [rng.randrange(room) for _ in range(32)]
    result["random, some lanes"] = [rng.randrange(room) if rng.random() < .6 else OFF for _ in range(32)]
    return result


def pattern_cases():
    kernels, cases = [], []
    for space, widths in (("global", (1, 4, 8, 16)), ("shared", (1, 2, 4, 8, 16)), ("local", (4, 8, 16))):
        for op in ("load", "store"):
            for bytes_ in widths:
                name, text = kernel(space, op, bytes_)
                kernels.append(text)
                for label, places in patterns(bytes_).items():
                    if space == "local" and (label not in ("stride 0", "even lanes", "random 0", "one lane")):
                        continue
                    offsets = [p if p == OFF else p * bytes_ for p in places]
                    if space == "local":
                        offsets = [o if o == OFF else o % 512 for o in offsets]
                    cases.append({"ptx": "tests/data/truth/patterns.ptx", "kernel": name, "pattern": label, "grid": [1, 1, 1],
                                  "block": [32, 1, 1], "args": [{"words": offsets}, {"bytes": 65536}]})
    more = further_cases()
    kernels, cases = kernels + more[0], cases + more[1]
    return ".version 7.8\n.target sm_80\n.address_size 64\n\n" + "\n\n".join(kernels) + "\n", cases


def built_in_cases():
    def case(kernel_, grid, block, *args):
        return {"ptx": f"tests/data/golden/ptx/{kernel_}.ptx", "kernel": kernel_, "grid": grid, "block": block, "args": list(args)}

    cases = []
    for n, block in ((1000, 256), (4096, 128), (77, 32), (1025, 96)):
        cases.append(case("vector_add", [-(-n // block), 1, 1], [block, 1, 1], {"bytes": 4 * n}, {"bytes": 4 * n}, {"bytes": 4 * n}, {"i32": n}))
    for grid, block in ((4, 256), (7, 33)):
        size = {"bytes": 4 * grid * block}
        cases.append(case("vector_add_unchecked", [grid, 1, 1], [block, 1, 1], size, size, size))
    for w, h, bx, by in ((64, 48, 16, 16), (61, 45, 16, 16), (100, 37, 32, 8), (50, 20, 7, 13), (33, 9, 32, 1)):
        grid = [-(-w // bx), -(-h // by), 1]
        cases.append(case("grayscale", grid, [bx, by, 1], {"bytes": 3 * w * h}, {"bytes": w * h}, {"i32": w}, {"i32": h}))
        cases.append(case("mandelbrot", grid, [bx, by, 1], {"bytes": 3 * w * h}, {"i32": w}, {"i32": h}, {"f32": -0.5}, {"f32": 0.0},
                          {"f32": 3.0 / w}, {"i32": 40}))
    for m, n, k in ((32, 32, 32), (64, 48, 80), (33, 17, 40), (1, 1, 1)):
        cases.append(case("matmul_tiled", [-(-n // 16), -(-m // 16), 1], [16, 16, 1], {"bytes": 4 * m * k}, {"bytes": 4 * k * n},
                          {"bytes": 4 * m * n}, {"i32": m}, {"i32": n}, {"i32": k}))
    for n, block in ((4096, 256), (1000, 96)):
        rng = random.Random(n)
        picture = {"words": [rng.randrange(1 << 32) for _ in range(-(-n // 4))]}
        cases.append(case("histogram_shared", [-(-n // block), 1, 1], [block, 1, 1], picture, {"bytes": 1024}, {"i32": n}))
        cases.append(case("reduce_shared", [-(-n // block), 1, 1], [block, 1, 1], {"bytes": 4 * n}, {"bytes": 4 * n}, {"i32": n}))
    return cases


def main():
    folder = pathlib.Path(sys.argv[1])
    text, cases = pattern_cases()
    (folder / "patterns.ptx").write_text(text)
    cases = built_in_cases() + cases
    (folder / "counter_cases.json").write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
    print(len(cases), "launches")


if __name__ == "__main__":
    main()
