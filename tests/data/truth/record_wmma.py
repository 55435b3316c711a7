#!/usr/bin/env python3
"""Records what wmma.load and wmma.store of one warp cost on the GPU of this machine.

    record_wmma.py wmma_h200.json     runs itself under ncu (needs ncu, ptxas and CuPy)
    record_wmma.py --launch           the launches alone

Every form is a kernel, load_m16n16k16_a_f16_row_global, launched with strides of 128, 80 and 144 bytes."""
import collections
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

REGISTERS = {
    "m16n16k16": {"a": {"f16": 8, "bf16": 4, "s8": 2}, "b": {"f16": 8, "s8": 2}, "c": {"f16": 4, "f32": 8, "s32": 8}},
    "m32n8k16": {"a": {"f16": 8, "s8": 4}, "b": {"f16": 8, "s8": 1}, "c": {"f16": 4}},
    "m8n32k16": {"a": {"bf16": 2, "s8": 1}, "b": {"f16": 8}, "c": {"f16": 4, "f32": 8}},
    "m16n16k8": {"a": {"tf32": 4}, "b": {"tf32": 4}},
    "m8n8k4": {"a": {"f64": 1}, "c": {"f64": 2}},
}
METRICS = {
    "requests": "l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum",
    "sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum",
    "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum",
}
LDMATRIX = "smsp__sass_inst_executed_op_ldsm.sum"


def forms():
    for shape, parts in REGISTERS.items():
        for part, types in parts.items():
            for kind, count in types.items():
                for layout in ("row", "col"):
                    for space in ("global", "shared"):
                        yield "load", shape, part, kind, layout, space, count
                        if part == "c":
                            yield "store", shape, "d", kind, layout, space, count


def strides(kind):
    size = {"f16": 2, "bf16": 2, "s8": 1, "f64": 8}.get(kind, 4)
    return [128 // size, 80 // size, 144 // size]


# A load's registers are kept alive by stores to global memory, whose counters are not looked at; and so on.
def kernel(operation, shape, part, kind, layout, space, count):
    register = kind if kind in ("f32", "f64") else "b32"
    size = 8 if kind == "f64" else 4
    registers = ", ".join(f"%x{i}" for i in range(count))
    where = "%room" if space == "shared" else "%in"
    lines = [f".reg .{register} %x<{count}>; .reg .b64 %in, %out, %room, %own; .reg .b32 %stride, %thread;",
             ".shared .align 128 .b8 room[16384];",
             "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u32 %stride, [stride];",
             "mov.u32 %thread, %tid.x; mad.wide.u32 %out, %thread, 64, %out;",
             "mov.u64 %room, room; cvt.u64.u32 %own, %thread; add.u64 %own, %own, %room;"]
    form = f"sync.aligned.{layout}.{shape}.{space}.{kind}"
    if operation == "load":
        if space == "shared":
            lines.append("st.volatile.shared.u8 [%own], 7; bar.sync 0;")
        lines.append(f"wmma.load.{part}.{form} {{{registers}}}, [{where}], %stride;")
        lines += [f"st.global.{register} [%out+{size * i}], %x{i};" for i in range(count)]
    else:
        lines += [f"ld.global.{register} %x{i}, [%out+{size * i}];" for i in range(count)]
        lines.append(f"wmma.store.d.{form} [{where}], {{{registers}}}, %stride;")
        if space == "shared":
            lines.append("bar.sync 0; ld.volatile.shared.u8 %thread, [%own]; st.global.u32 [%out], %thread;")
    name = "_".join((operation, shape, part, kind, layout, space))
    return f".visible .entry {name}(.param .u64 in, .param .u64 out, .param .u32 stride)\n{{\n" + "\n".join(lines) + "\nret;\n}\n"


def launch():
    import cupy
    import numpy
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = pathlib.Path(folder, "wmma.ptx"), pathlib.Path(folder, "wmma.cubin")
        ptx.write_text(".version 7.8\n.target sm_80\n.address_size 64\n" + "".join(kernel(*f) for f in forms()))
        subprocess.run(["ptxas", "-arch=sm_90", "-o", cubin, ptx], check=True)
        module = cupy.RawModule(path=str(cubin))
        memory = [cupy.zeros(1 << 16, dtype=numpy.uint8) for _ in range(2)]
        for form in forms():
            for stride in strides(form[3]):
                module.get_function("_".join(form[:6]))((1,), (32,), (*memory, numpy.uint32(stride)))
        cupy.cuda.runtime.deviceSynchronize()


def record(path):
    metrics = [m.format(op) for m in METRICS.values() for op in ("ld", "st")] + [LDMATRIX]
    text = subprocess.run(["ncu", "--clock-control", "none", "--csv", "--print-units", "base", "-k", "regex:load_|store_",
                           "--metrics", ",".join(metrics), sys.executable, __file__, "--launch"],
                          check=True, capture_output=True, text=True).stdout
    launches = collections.defaultdict(dict)
    for row in csv.DictReader(io.StringIO(text[text.index('"ID"'):])):
        launches[int(row["ID"]), row["Kernel Name"]][row["Metric Name"]] = row["Metric Value"].replace(",", "")
    rows, seen = [], collections.Counter()
    for (_, name), values in sorted(launches.items()):
        operation, _, _, kind, _, space = name.split("_")
        row = {"kernel": name, "stride": strides(kind)[seen[name]]}
        seen[name] += 1
        for key in ("requests", "sectors") if space == "global" else ("wavefronts", "conflicts"):
            row[key] = int(float(values[METRICS[key].format("ld" if operation == "load" else "st")]))
        if space == "shared" and operation == "load":
            row["ldmatrix"] = int(float(values[LDMATRIX]))
        rows.append(row)
    pathlib.Path(path).write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


launch() if sys.argv[1] == "--launch" else record(sys.argv[1])
