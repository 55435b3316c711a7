#!/usr/bin/env python3
"""Every 32-bit input of the approximate functions: what the GPU of this machine answers.

    record_approximations.py OUT.txt [--raw RAW_DIR]      needs ptxas on the PATH, and CuPy
    record_approximations.py --ptx                        prints the module that runs, approximations.ptx

OUT.txt has for each form and each of the 512 signs and exponents (upper 9 bits of the input) one line: a checksum over
all 2^23 results, and the results of four inputs. Where the function is one of f64, the input is the upper word; where
it is a quotient, a number that both operands are made of. The test ApproximationTruth holds the virtual GPU to it, with
the same module, and says how checksum and inputs are made. RAW_DIR gets all results of the octaves that
fit_special_functions.py needs; for sin the factor 1/2pi in the machine code is replaced by 1, so that every argument of
the unit is seen.
"""
import pathlib
import subprocess
import sys
import tempfile

SINGLE = [f"{opcode}.approx.{ftz}f32" for opcode in ("rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2")
          for ftz in ("", "ftz.")] + ["tanh.approx.f32"]
QUOTIENTS = ["div.approx.f32", "div.approx.ftz.f32", "div.full.f32", "div.full.ftz.f32"]
DOUBLE = ["rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64", "rsqrt.approx.f64"]
OCTAVES = {"rcp": [127], "rsqrt": [127, 128], "sqrt": [127, 128], "sine": [125], "lg2": [127], "ex2": [127],
           "tanh": range(119, 130)}
HASH = "mul.lo.u32 {x}, {x}, 0x{a:X}; shr.u32 %t, {x}, 15; xor.b32 {x}, {x}, %t; mul.lo.u32 {x}, {x}, 0x{b:X}; shr.u32 %t, {x}, 13; xor.b32 {x}, {x}, %t;"


def body(form):
    if form in SINGLE:
        return f"  {form} %r, %x;\n"
    if form in QUOTIENTS:
        first, second = HASH.format(x="%r", a=0x9E3779B1, b=0x85EBCA77), HASH.format(x="%x", a=0xC2B2AE3D, b=0x27D4EB2F)
        return f"  mov.b32 %r, %x;\n  {first}\n  add.u32 %x, %x, %r;\n  {second}\n  {form} %r, %r, %x;\n"
    low = "mul.lo.u32 %t, %x, 0x9E3779B1;" if form == "rsqrt.approx.f64" else "mov.u32 %t, 0;"
    return (f"  {low}\n  mov.b64 %d, {{%t, %x}};\n  {form} %d, %d;\n  mov.b64 {{%t, %x}}, %d;\n"
            "  mul.lo.u32 %t, %t, 0x9E3779B1;\n  xor.b32 %r, %t, %x;\n")


def module():
    text = ".version 7.8\n.target sm_80\n.address_size 64\n"
    for form in SINGLE + QUOTIENTS + DOUBLE:
        text += (f"\n// {form}\n.visible .entry {form.replace('.', '_')}(.param .u64 in, .param .u64 out)\n{{\n"
                 "  .reg .b64 %in, %out, %at;\n  .reg .f64 %d;\n  .reg .b32 %x, %r, %t, %block, %size;\n"
                 "  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n  mov.u32 %t, %tid.x;\n"
                 "  mov.u32 %block, %ctaid.x;\n  mov.u32 %size, %ntid.x;\n  mad.lo.u32 %t, %block, %size, %t;\n"
                 "  mul.wide.u32 %at, %t, 4;\n  add.s64 %in, %in, %at;\n  add.s64 %out, %out, %at;\n"
                 "  ld.global.b32 %x, [%in];\n"
                 f"{body(form)}  st.global.b32 [%out], %r;\n  ret;\n}}\n")
    return text


def assemble(patched):
    folder = tempfile.mkdtemp()
    ptx, cubin = pathlib.Path(folder, "a.ptx"), pathlib.Path(folder, "a.cubin")
    ptx.write_text(module())
    subprocess.run(["ptxas", "-arch=sm_90", "--fmad=false", "-o", cubin, ptx], check=True)
    if patched:
        factor, one = 0x3E22F983.to_bytes(4, "little"), 0x3F800000.to_bytes(4, "little")
        code = cubin.read_bytes()
        assert code.count(factor) == 4  # sin and cos, with and without .ftz
        cubin.write_bytes(code.replace(factor, one))
    return str(cubin)


CHECKSUM = """
__device__ unsigned long long mixed(unsigned result, unsigned long long place) {
  unsigned long long z = ((unsigned long long)result << 32 | (place & 0x7fffff)) * 0x9E3779B97F4A7C15ull;
  z ^= z >> 32;
  z *= 0xD6E8FEB86659FD93ull;
  return z ^ z >> 32;
}
"""


def chosen_inputs():
    """Of each sign and exponent: its first, its last, and two more."""
    rows = []
    for chunk in range(512):
        mantissas = [0, (chunk * 2654435761 + 40503) & 0x7FFFFF, (chunk * 2246822519 + 12345) & 0x7FFFFF, 0x7FFFFF]
        rows += [chunk << 23 | m for m in mantissas]
    return rows


def main():
    if sys.argv[1:] == ["--ptx"]:
        return print(module(), end="")
    import cupy
    plain = cupy.RawModule(path=assemble(False))
    inputs, results = cupy.arange(1 << 32, dtype=cupy.uint64).astype(cupy.uint32), cupy.empty(1 << 32, dtype=cupy.uint32)
    sums = cupy.RawKernel(CHECKSUM + """
extern "C" __global__ void sums(const unsigned* results, unsigned long long* out) {
  const unsigned long long first = (unsigned long long)blockIdx.x << 15;
  unsigned long long sum = 0;
  for (unsigned i = threadIdx.x; i < 1 << 15; i += blockDim.x) sum += mixed(results[first + i], first + i);
  atomicAdd(out + (first >> 23), sum);
}""", "sums")
    chosen = cupy.asarray(chosen_inputs(), dtype=cupy.uint32)
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    text = f"# {device}: form, then for each sign and exponent checksum and four results\n"
    raw = pathlib.Path(sys.argv[sys.argv.index("--raw") + 1]) if "--raw" in sys.argv else None
    for form in SINGLE + QUOTIENTS + DOUBLE:
        plain.get_function(form.replace(".", "_"))((1 << 24,), (256,), (inputs, results))
        total = cupy.zeros(512, dtype=cupy.uint64)
        sums((1 << 17,), (256,), (results, total))
        samples = results[chosen].get().reshape(512, 4)
        text += form + "\n"
        for value, row in zip(total.get(), samples):
            text += f"{int(value) >> 32:08x} " + " ".join(f"{int(r):08x}" for r in row) + "\n"
        opcode = form.split(".")[0]
        if raw and form in SINGLE and opcode in OCTAVES and (".ftz" in form or opcode == "tanh"):
            save(cupy, raw, opcode, results)
    pathlib.Path(sys.argv[1]).write_text(text)
    if raw:
        patched = cupy.RawModule(path=assemble(True))
        patched.get_function("sin_approx_ftz_f32")((1 << 24,), (256,), (inputs, results))
        save(cupy, raw, "sine", results)
        (raw / "device.txt").write_text(device + "\n")


def save(cupy, folder, name, results):
    folder.mkdir(parents=True, exist_ok=True)
    for exponent in OCTAVES[name]:
        cupy.save(folder / f"{name}_{exponent}.npy", results[exponent << 23:(exponent + 1) << 23])


if __name__ == "__main__":
    main()
