#!/usr/bin/env python3
"""Writes the whole-warp cases: tests/data/ptx/*.warp, with the answers that are known already.

    warp_forms.py CASES_DIR            rewrites the files; forms that are new have no answers yet
    warp_forms.py CASES_DIR --check    tells which forms ptxas refuses (needs ptxas)
    warp_forms.py CASES_DIR --fill TRUTH.json     puts in what record_warp.py recorded
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from warp_values import BITS, KINDS, module, read_forms

INT_KINDS = ["small", "raw", "edges"]


def registers(element, elements):
    """Register type and count that hold so many elements of a lane."""
    if element in ("f64", "f32", "s32"):
        return ("f64" if element == "f64" else "b32"), elements
    return "b32", max(1, elements * BITS[element] // 32)


def mma_form(name, m, n, k, a, b, d, c, sparse=None, selector=0):
    if (m, n, k) == (8, 8, 4) and a == "f16":  # four products at once, each on a quarter of the lanes
        counts = {"a": 4, "b": 4, "c": 8, "d": 8}
    else:
        counts = {"a": m * k // (2 if sparse else 1) // 32, "b": n * k // 32, "c": m * n // 32, "d": m * n // 32}
    extra = f", %e0, {selector:#x}" if sparse else ""
    lines = [f"{name} {{d}}, {{a}}, {{b}}, {{c}}{extra};"]
    for g, element in (("a", a), ("b", b), ("c", c)):
        shown = "b32" if element == "b1" else element
        register, count = registers(element, counts[g])
        lines.append(f"in {g} {register} {count} {shown}")
    if sparse:
        lines.append(f"in e b32 1 {sparse}")
    register, count = registers(d, counts["d"])
    lines.append(f"out d {register} {count}")
    return lines, KINDS if d[0] == "f" else INT_KINDS


BITS["b1"] = 1


def dense():
    yield "f16", [mma_form(f"mma.sync.aligned.m8n8k4.{x}.{y}.{d}.f16.f16.{c}", 8, 8, 4, "f16", "f16", d, c)
                  for x in ("row", "col") for y in ("row", "col") for d, c in (("f16", "f16"), ("f32", "f16"), ("f32", "f32"))]
    yield "f16", [mma_form(f"mma.sync.aligned.m16n8k{k}.row.col.{d}.f16.f16.{d}", 16, 8, k, "f16", "f16", d, d) for k in (8, 16) for d in ("f16", "f32")]
    yield "bf16", [mma_form(f"mma.sync.aligned.m16n8k{k}.row.col.f32.bf16.bf16.f32", 16, 8, k, "bf16", "bf16", "f32", "f32") for k in (8, 16)]
    yield "tf32", [mma_form(f"mma.sync.aligned.m16n8k{k}.row.col.f32.tf32.tf32.f32", 16, 8, k, "tf32", "tf32", "f32", "f32") for k in (4, 8)]
    yield "f64", [mma_form(f"mma.sync.aligned.m{m}n8k{k}.row.col.f64.f64.f64.f64", m, 8, k, "f64", "f64", "f64", "f64") for m, k in ((8, 4), (16, 4), (16, 8), (16, 16))]
    fp8 = ("e4m3", "e5m2")
    yield "fp8", [mma_form(f"mma.sync.aligned.m16n8k{k}.row.col.{d}.{a}.{b}.{d}", 16, 8, k, a, b, d, d) for k in (16, 32) for d in ("f32", "f16") for a in fp8 for b in fp8]
    for types, shapes in ((("s8", "u8"), ((8, 16), (16, 16), (16, 32))), (("s4", "u4"), ((8, 32), (16, 32), (16, 64)))):
        yield types[0], [mma_form(f"mma.sync.aligned.m{m}n8k{k}.row.col{sat}.s32.{a}.{b}.s32", m, 8, k, a, b, "s32", "s32")
                         for m, k in shapes for a in types for b in types for sat in ("", ".satfinite")]
    yield "b1", [mma_form(f"mma.sync.aligned.m{m}n8k{k}.row.col.s32.b1.b1.s32.{op}.popc", m, 8, k, "b1", "b1", "s32", "s32")
                 for m, k in ((8, 128), (16, 128), (16, 256)) for op in ("xor", "and")]


def sparse():
    for order in ("", "::ordered_metadata"):
        head = f"mma.sp{order}.sync.aligned"
        for t in ("f16", "bf16"):
            yield "sparse." + t, [mma_form(f"{head}.m16n8k{k}.row.col.{d}.{t}.{t}.{d}", 16, 8, k, t, t, d, d, "pairs", s)
                                  for k, ss in ((16, range(4)), (32, range(2))) for d in (("f16", "f32") if t == "f16" else ("f32",)) for s in ss]
        yield "sparse.tf32", [mma_form(f"{head}.m16n8k{k}.row.col.f32.tf32.tf32.f32", 16, 8, k, "tf32", "tf32", "f32", "f32", "ones", s)
                              for k, ss in ((8, range(4)), (16, range(2))) for s in ss]
        for types, shapes in ((("s8", "u8"), ((32, range(2)), (64, range(1)))), (("s4", "u4"), ((64, range(2)), (128, range(1))))):
            pairs = [(types[0], types[0], ""), (types[1], types[0], ".satfinite"), (types[0], types[1], ""), (types[1], types[1], ".satfinite")]
            yield "sparse." + types[0], [mma_form(f"{head}.m16n8k{k}.row.col{sat}.s32.{a}.{b}.s32", 16, 8, k, a, b, "s32", "s32", "pairs", s)
                                         for k, ss in shapes for a, b, sat in pairs for s in ss]
        yield "sparse.fp8", [mma_form(f"{head}.m16n8k64.row.col.{d}.{a}.{b}.{d}", 16, 8, 64, a, b, d, d, "pairs", 0)
                             for d in ("f32",) for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")]


# Registers of wmma's fragments, PTX ISA 9.7.14.2.
def wmma_count(part, shape, element):
    if part in "cd":
        return {"f16": 4, "f32": 8, "s32": 2 if shape in ("m8n8k32", "m8n8k128") else 8, "f64": 2}[element]
    if element == "f16":
        return 8
    small = {"m16n16k16": (4, 4), "m8n32k16": (2, 8), "m32n8k16": (8, 2)}
    if element == "bf16":
        return small[shape][part == "b"]
    if element in ("s8", "u8"):
        return small[shape][part == "b"] // 2
    return 4 if element == "tf32" else 1


WMMA = [(s, a, d) for s in ("m16n16k16", "m8n32k16", "m32n8k16") for a, ds in (("f16", ("f16", "f32")), ("bf16", ("f32",)), ("s8", ("s32",)), ("u8", ("s32",))) for d in ds]
WMMA += [("m16n16k8", "tf32", "f32"), ("m8n8k4", "f64", "f64"), ("m8n8k32", "s4", "s32"), ("m8n8k32", "u4", "s32"), ("m8n8k128", "b1", "s32")]


def sides(shape):
    m, rest = shape[1:].split("n")
    n, k = rest.split("k")
    return int(m), int(n), int(k)


def reg_type(element):
    return {"f64": "f64", "f32": "f32", "s32": "b32"}.get(element, "b32")


def wmma_load(part, layout, shape, element, stride, space=".shared", address="%tile"):
    return f"wmma.load.{part}.sync.aligned.{layout}.{shape}{space}.{element} {{{part}}}, [{address}], {stride};"


def wmma_stride(part, layout, shape):
    m, n, k = sides(shape)
    rows, columns = {"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}[part]
    return columns if layout == "row" else rows


def declare(part, shape, element):
    return f".reg .{reg_type(element)} %{part}<{wmma_count(part, shape, element)}>;"


def wmma_loads():
    seen = set()
    for shape, a, d in WMMA:
        bit = a in ("s4", "u4", "b1")
        wanted = [("a", l, a) for l in (("row",) if bit else ("row", "col"))] + [("b", l, a) for l in (("col",) if bit else ("row", "col"))]
        wanted += [("c", l, d) for l in ("row", "col")]
        for part, layout, element in wanted:
            if (part, layout, element, shape) in seen:
                continue
            seen.add((part, layout, element, shape))
            stride = wmma_stride(part, layout, shape)
            out = [f"out {part} {reg_type(element)} {wmma_count(part, shape, element)}", "tile 16 0"]
            yield part, ([wmma_load(part, layout, shape, element, stride)] + out, ["raw"])
            if part == "c":
                store = f"wmma.store.d.sync.aligned.{layout}.{shape}.shared.{element} [%tile], {{d}}, {stride};"
                kept = f"in d {reg_type(element)} {wmma_count(part, shape, element)} {'b64' if element == 'f64' else 'b32'}"
                yield "store", ([store, kept, "tile 16 16"], ["raw"])


def wmma_products():
    for shape, a, d in WMMA:
        bit = a in ("s4", "u4", "b1")
        for x, y in ([("row", "col")] if bit else [(x, y) for x in ("row", "col") for y in ("row", "col")]):
            variants = []
            head = f"wmma.mma.sync.aligned.{x}.{y}.{shape}"
            if a == "f16":
                variants = [f"{head}.{d}.{d}", f"{head}.{d}.{'f32' if d == 'f16' else 'f16'}"] if (x, y) == ("row", "col") else [f"{head}.{d}.{d}"]
            elif a == "b1":
                variants = [f"wmma.mma.{op}.popc.sync.aligned.row.col.{shape}.s32.b1.b1.s32" for op in ("xor", "and")]
            else:
                variants = [f"{head}.{d}.{a}.{a}.{d}"] + ([f"{head}.s32.{a}.{a}.s32.satfinite"] if d == "s32" and (x, y) == ("row", "col") else [])
            for text in variants:
                c = text.split(".")[-1] if a == "f16" else d
                # The operands come from the tile, drawn as elements; b lies behind a.
                m, n, k = sides(shape)
                a_bytes, b_bytes = m * k * BITS[a] // 8, k * n * BITS[a] // 8
                shown = "b32" if a == "b1" else a
                register = "b64" if a == "f64" else "b32"
                words = 64 if a == "f64" else 32
                code = [declare("a", shape, a), declare("b", shape, a)]
                ins = []
                for part, size, base in (("a", a_bytes, 0), ("b", b_bytes, 4096)):
                    count = size * 8 // words // 32
                    ins.append(f"in {part}m {register} {max(1, count)} {shown}")
                    bytes_ = words // 8
                    if count == 0:
                        raise ValueError(text)
                    code += [f"mad.lo.u32 %row, %lane, {count * bytes_}, %tile;"]
                    code += [f"st.shared.{register} [%row+{base + bytes_ * i}], %{part}m{i};" for i in range(count)]
                def plain(line, part, element):
                    return line.replace(f"{{{part}}}", "{" + ", ".join(f"%{part}{i}" for i in range(wmma_count(part, shape, element))) + "}")
                code += ["bar.sync 0;", plain(wmma_load("a", x, shape, a, wmma_stride("a", x, shape)), "a", a),
                         "add.u32 %row, %tile, 4096;", plain(wmma_load("b", y, shape, a, wmma_stride("b", y, shape), address="%row"), "b", a)]
                ab = plain(plain("{a}, {b}", "a", a), "b", a)
                code.append(f"{text} {{d}}, {ab}, {{c}};")
                ins.append(f"in c {reg_type(c)} {wmma_count('c', shape, c)} {c}")
                yield (a, (code + ins + [f"out d {reg_type(d)} {wmma_count('d', shape, d)}"], KINDS if d[0] == "f" else INT_KINDS))


def matrices():
    for op, n, trans in [(op, n, t) for op in ("ldmatrix", "stmatrix") for n in (1, 2, 4) for t in ("", ".trans")]:
        vector = "{" + ", ".join(f"%d{i}" for i in range(n)) + "}"
        head = f"{op}.sync.aligned.m8n8.x{n}{trans}.shared.b16"
        if op == "ldmatrix":
            yield op, (["add.u32 %a0, %a0, %tile;", f"{head} {vector}, [%a0];", "in a b32 1 row", f"out d b32 {n}", "tile 16 0"], ["raw"])
        else:
            yield op, (["add.u32 %a0, %a0, %tile;", f"{head} [%a0], {vector};", "in a b32 1 slot", f"in d b32 {n} b32", "tile 16 16"], ["raw"])
    yield "movmatrix", (["movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a0;", "in a b32 1 b32", "out d b32 1"], ["raw"])


def copies():
    for cache, size, more in [("ca", 4, ""), ("ca", 8, ""), ("ca", 16, ""), ("cg", 16, ""), ("ca", 4, ", 0"), ("ca", 8, ", 3"), ("ca", 16, ", 5"), ("cg", 16, ", %w1"), ("ca", 8, ", %p0"), ("cg", 16, ", %p0")]:
        code = ["mad.lo.u32 %row, %lane, 64, %tile;", "and.b32 %w1, %lane, 15;", "setp.lt.u32 %p0, %lane, 11;",
                f"cp.async.{cache}.shared.global [%row+16], [%in], {size}{more};"]
        yield "cp", (code + ["cp.async.wait_all;", "tile 16 16"], ["raw"])
    three = [f"cp.async.ca.shared.global [%row+{at}], [%in+{at + 16}], 4;" for at in (0, 4, 8)]
    grouped = ["mad.lo.u32 %row, %lane, 64, %tile;", three[0], "cp.async.commit_group;", three[1], "cp.async.commit_group;", three[2], "cp.async.commit_group;"]
    yield "cp", (grouped + ["cp.async.wait_group 1;", "ld.shared.b32 %d0, [%row];", "ld.shared.b32 %d1, [%row+4];", "cp.async.wait_group 0;",
                            "ld.shared.b32 %d2, [%row+8];", "out d b32 3", "tile 16 16"], ["raw"])


def barriers():
    start = ["setp.eq.u32 %p0, %lane, 0;"]

    def case(steps, count):
        code = start + [f"mov.b64 %d{i}, 0;" for i in range(count)]
        return code + [f"@%p0 {s}" for s in steps] + [f"out d b64 {count}"], ["raw"]

    def tested(form, d):
        return [f"mbarrier.{form};", f"selp.b64 %d{d}, 1, 0, %p1;"]

    b = "shared.b64"
    tx = "relaxed.cta.shared::cta.b64 [%tile]"
    for n in (1, 2, 3, 5, 1000, 1048575):
        yield case([f"mbarrier.init.{b} [%tile], {n};", f"mbarrier.arrive.{b} %d0, [%tile];", "mbarrier.pending_count.b64 %w0, %d0;", "cvt.u64.u32 %d1, %w0;"]
                   + tested(f"test_wait.{b} %p1, [%tile], %d0", 2), 3)
    yield case([f"mbarrier.init.{b} [%tile], 3;"] + [x for i in range(7) for x in [f"mbarrier.arrive.{b} %d{2 * i}, [%tile];"]
               + tested(f"test_wait.parity.{b} %p1, [%tile], {i // 3 % 2}", 2 * i + 1)], 14)
    yield case([f"mbarrier.init.{b} [%tile], 9;", f"mbarrier.arrive.noComplete.{b} %d0, [%tile], 4;", f"mbarrier.arrive_drop.{b} %d1, [%tile];",
                f"mbarrier.arrive_drop.noComplete.{b} %d2, [%tile], 2;", f"mbarrier.arrive.{b} %d3, [%tile], 2;", "mbarrier.pending_count.b64 %w0, %d3;", "cvt.u64.u32 %d4, %w0;"]
               + tested(f"test_wait.{b} %p1, [%tile], %d0", 5) + [f"mbarrier.arrive.{b} %d6, [%tile], 6;"] + tested(f"test_wait.{b} %p1, [%tile], %d6", 7)
               + [f"mbarrier.arrive.{b} %d8, [%tile];"], 9)
    yield case([f"mbarrier.init.{b} [%tile], 2;", f"mbarrier.expect_tx.{tx}, 100;", f"mbarrier.arrive.expect_tx.{b} %d0, [%tile], 28;", f"mbarrier.complete_tx.{tx}, 120;",
                f"mbarrier.arrive.{b} %d1, [%tile];"] + tested(f"test_wait.{b} %p1, [%tile], %d1", 2) + [f"mbarrier.complete_tx.{tx}, 8;"]
               + tested(f"try_wait.{b} %p1, [%tile], %d1", 3) + [f"mbarrier.arrive.{b} %d4, [%tile];"], 5)
    yield case([f"mbarrier.init.{b} [%tile], 2;", f"mbarrier.complete_tx.{tx}, 16;", f"mbarrier.arrive.{b} %d0, [%tile], 2;"] + tested(f"test_wait.{b} %p1, [%tile], %d0", 1)
               + [f"mbarrier.expect_tx.{tx}, 16;", f"mbarrier.arrive.{b} %d2, [%tile];", f"mbarrier.inval.{b} [%tile];"], 3)


def all_tables():
    """opcode -> group -> forms"""
    tables = {}

    def group(opcode, name):
        return tables.setdefault(opcode, {}).setdefault(name, [])
    for name, forms in list(dense()) + list(sparse()):
        group("mma", name).extend(forms)
    for part, form in wmma_loads():
        group("wmma", "store" if part == "store" else "load").append(form)
    for a, form in wmma_products():
        group("wmma", f"mma.{a}").append(form)
    for op, form in matrices():
        group(op, "b16").append(form)
    for _, form in copies():
        group("cp", "async").append(form)
    group("mbarrier", "one_thread").extend(barriers())
    return tables


def form_text(lines, kinds, known):
    answers = known.get(tuple(l for l in lines if l.split()[0] not in ("in", "out", "tile")), {})
    return "form\n" + "".join(f"  {line}\n" for line in lines) + "".join(f"  = {k} {' '.join(answers.get(k, ['?']))}\n" for k in kinds)


def write(root, truth):
    for opcode, groups in all_tables().items():
        path = root / f"{opcode}.warp"
        known = {tuple(code.split("\n")): kinds for code, kinds in truth.get(opcode, {}).items()}
        if path.exists():
            known = {tuple(f.code): f.kinds for f in read_forms(path)} | known
        parts = [f"# Forms of {opcode}, and what an NVIDIA H200 answered. README.md explains the lines.\n"]
        parts += [f"group {name}\n" + "".join(form_text(*form, known) for form in forms) for name, forms in groups.items()]
        path.write_text("\n".join(parts))


def check(root):
    for path in sorted(root.glob("*.warp")):
        forms = read_forms(path)
        with tempfile.TemporaryDirectory() as folder:
            ptx = pathlib.Path(folder, "t.ptx")
            for form in forms:
                ptx.write_text(module([form.kernel("test")]))
                run = subprocess.run(["ptxas", "-arch=sm_90", "-o", "/dev/null", ptx], capture_output=True, text=True)
                if run.returncode:
                    print(path.relative_to(root), form.code[-1], run.stderr.split("\n")[0])
        print(path.relative_to(root), len(forms), "forms", flush=True)


if __name__ == "__main__":
    cases = pathlib.Path(sys.argv[1])
    if sys.argv[2:] == ["--check"]:
        check(cases)
    else:
        write(cases, json.loads(pathlib.Path(sys.argv[3]).read_text())["results"] if sys.argv[2:] else {})
