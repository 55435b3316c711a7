#!/usr/bin/env python3
"""Every 16-bit input of the approximate functions of f16 and bf16, and of fma.oob: what the GPU of this machine answers.

    record_wide.py OUT_DIR      needs ptxas on the PATH, and CuPy; one file a function, 65,536 results of 16 bits,
                                and the FNV-1a hash of each file, which tests/core/gpu/exec/approximation_test.cpp holds
"""
import pathlib
import subprocess
import sys
import tempfile

FUNCTIONS = {
    "ex2.f16": "ex2.approx.f16 %r, %a;", "tanh.f16": "tanh.approx.f16 %r, %a;",
    "ex2.bf16": "ex2.approx.ftz.bf16 %r, %a;", "tanh.bf16": "tanh.approx.bf16 %r, %a;",
    "oob_a.f16": "mov.b16 %b, 0x3c00; fma.rn.oob.f16 %r, %a, %b, %b;", "oob_b.f16": "mov.b16 %b, 0x3c00; fma.rn.oob.f16 %r, %b, %a, %b;",
    "oob_c.f16": "mov.b16 %b, 0x3c00; fma.rn.oob.f16 %r, %b, %b, %a;",
    "oob_a.bf16": "mov.b16 %b, 0x3f80; fma.rn.oob.bf16 %r, %a, %b, %b;", "oob_c.bf16": "mov.b16 %b, 0x3f80; fma.rn.oob.bf16 %r, %b, %b, %a;",
}


def module():
    text = ".version 8.6\n.target sm_90\n.address_size 64\n"
    for name, line in FUNCTIONS.items():
        text += f""".visible .entry {name.replace('.', '_')}(.param .u64 out)
{{
  .reg .b16 %a, %b, %r; .reg .b32 %t, %n, %c; .reg .b64 %p;
  ld.param.u64 %p, [out];
  mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %c, %ctaid.x;
  mad.lo.u32 %t, %c, %n, %t;
  cvt.u16.u32 %a, %t;
  mad.wide.u32 %p, %t, 2, %p;
  {line}
  st.global.b16 [%p], %r;
  ret;
}}
"""
    return text


def fnv_1a(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def main():
    import cupy
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = pathlib.Path(folder, "wide.ptx"), pathlib.Path(folder, "wide.cubin")
        ptx.write_text(module())
        subprocess.run(["ptxas", "-arch=sm_90", "--fmad=false", "-o", cubin, ptx], check=True)
        loaded = cupy.RawModule(path=str(cubin))
        for name in FUNCTIONS:
            out = cupy.zeros(65536, dtype=cupy.uint16)
            loaded.get_function(name.replace(".", "_"))((256,), (256,), (out,))
            answers = out.get().tobytes()
            pathlib.Path(sys.argv[1], name + ".bin").write_bytes(answers)
            print(f"{name} {fnv_1a(answers):#018x}")


if __name__ == "__main__":
    main()
