"""min and max with three inputs (sm_100). No such GPU was at hand: the results are computed here as the manual defines them
(PTX ISA 9.7.3.11, 9.7.3.12), as two operations of two inputs, one after the other."""
import math
import struct

from ptx_values import triples

CANONICAL_NAN = 0x7FFFFFFF
MODIFIERS = ["", "ftz.", "NaN.", "ftz.NaN.", "abs.", "ftz.abs.", "NaN.abs.", "ftz.NaN.abs."]


def number(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def is_nan(bits):
    return bits & 0x7FFFFFFF > 0x7F800000


def flushed(bits):
    return bits & 0x80000000 if bits & 0x7F800000 == 0 else bits


def of_two(opcode, passes_nan, a, b):
    if is_nan(a) or is_nan(b):
        both = is_nan(a) and is_nan(b)
        return CANONICAL_NAN if passes_nan or both else b if is_nan(a) else a
    # -0 is less than +0.
    order = sorted((a, b), key=lambda bits: (number(bits), math.copysign(1, number(bits))))
    return order[0] if opcode == "min" else order[1]


def of_three(opcode, modifiers, inputs):
    if "ftz" in modifiers:
        inputs = map(flushed, inputs)
    if "abs" in modifiers:
        inputs = (bits & 0x7FFFFFFF for bits in inputs)
    a, b, c = inputs
    passes_nan = "NaN" in modifiers
    return of_two(opcode, passes_nan, of_two(opcode, passes_nan, a, b), c)


def forms(add):
    for opcode in ("min", "max"):
        for modifiers in MODIFIERS:
            vectors = triples("f32")
            form = add(opcode, f"{modifiers}f32.three", ["f32"] * 3, ["f32"], [f"{opcode}.{modifiers}f32 %y0, %x0, %x1, %x2;"], vectors,
                       target=("8.8", "sm_100"))
            for row, vector in zip(form.rows, vectors, strict=True):
                row.results = [f"{of_three(opcode, modifiers, vector):08x}"]
