"""Kernels compiled by Triton for sm_80, where its matrix products become mma.sync. They are compiled only; the
launch is written out here, as Triton's launcher would make it."""
import json
import os

import numpy as np
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from capture import FOLDER, save_ptx

rng = np.random.default_rng(3)


def floats(*shape, dtype=np.float32, scale=1.0):
    return (rng.uniform(-1, 1, shape) * scale).astype(dtype)


def case(name, kernel, signature, constants, arguments, grid, dtype="float32", rtol=0.0, warps=4, stages=2):
    """arguments: name → NumPy array (a buffer) or int/float, in the order of the signature."""
    source = ASTSource(fn=kernel, signature={**signature, **{k: "constexpr" for k in constants}}, constexprs=constants)
    built = triton.compile(source, target=GPUTarget("cuda", 80, 32), options={"num_warps": warps, "num_stages": stages})
    save_ptx("triton_" + name, built.asm["ptx"])
    buffers, parameters = [], []
    for key, value in arguments.items():
        if isinstance(value, np.ndarray):
            value.tofile(os.path.join(FOLDER, f"{name}.b{len(buffers)}.bin"))
            parameters.append({"bytes": "00" * 8, "pointers": [[0, len(buffers), 0]]})
            buffers.append(value.nbytes)
        else:
            scalar = np.float32(value) if isinstance(value, float) else np.int32(value)
            parameters.append({"bytes": scalar.tobytes().hex(), "pointers": []})
    # Newer releases end the parameters with pointers to scratch memory, unused here.
    text = built.asm["ptx"]
    header = text[text.index(".entry"):]
    wanted = header[:header.index(")")].count(".param")
    parameters += [{"bytes": "00" * 8, "pointers": []}] * (wanted - len(parameters))
    launch = {"name": name, "entry": built.metadata.name, "dtype": dtype, "rtol": rtol, "grid": list(grid),
              "block": [32 * warps, 1, 1], "shared_bytes": built.metadata.shared, "cooperative": False,
              "buffers": buffers, "parameters": parameters}
    with open(os.path.join(FOLDER, name + ".launch"), "w") as file:
        json.dump(launch, file)
    print(name, "compiled", flush=True)


def attempt(name, *rest, **more):
    try:
        case(name, *rest, **more)
    except Exception as error:  # one that a release of Triton does not take must not end the others
        print("failed:", name, type(error).__name__, str(error)[:300], flush=True)


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


attempt("triton_add", add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 256},
        {"x": floats(1000), "y": floats(1000), "out": np.zeros(1000, np.float32), "n": 1000}, (4, 1, 1))


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    value = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * columns + at, value / tl.sum(value, axis=0), mask=at < columns)


attempt("triton_softmax", softmax, {"x": "*fp32", "out": "*fp32", "columns": "i32"}, {"BLOCK": 128},
        {"x": floats(12, 100), "out": np.zeros((12, 100), np.float32), "columns": 100}, (12, 1, 1))


@triton.jit
def layer_norm(x, weight, bias, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    value = tl.load(x + row * columns + at, mask=mask, other=0.0)
    mean = tl.sum(value, axis=0) / columns
    centred = tl.where(mask, value - mean, 0.0)
    variance = tl.sum(centred * centred, axis=0) / columns
    scaled = centred * (1.0 / tl.sqrt(variance + eps))
    tl.store(out + row * columns + at, scaled * tl.load(weight + at, mask=mask) + tl.load(bias + at, mask=mask), mask=mask)


attempt("triton_layer_norm", layer_norm,
        {"x": "*fp32", "weight": "*fp32", "bias": "*fp32", "out": "*fp32", "columns": "i32", "eps": "fp32"},
        {"BLOCK": 128}, {"x": floats(6, 120), "weight": floats(120), "bias": floats(120),
                         "out": np.zeros((6, 120), np.float32), "columns": 120, "eps": 1e-5}, (6, 1, 1))


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        left = tl.load(a + rows[:, None] * K + (k + inner)[None, :], mask=(k + inner)[None, :] < K, other=0.0)
        right = tl.load(b + (k + inner)[:, None] * N + columns[None, :], mask=(k + inner)[:, None] < K, other=0.0)
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * N + columns[None, :], total)


HALF = {"a": "*fp16", "b": "*fp16", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}
BRAIN = {"a": "*bf16", "b": "*bf16", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}
SINGLE = {"a": "*fp32", "b": "*fp32", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}
BYTES = {"a": "*i8", "b": "*i8", "c": "*i32", "M": "i32", "N": "i32", "K": "i32"}
TILE = {"BM": 32, "BN": 32, "BK": 32}


def bfloat16(array):
    return (array.view(np.uint32) >> 16).astype(np.uint16)


def product(a, b, dtype=np.float32):
    return {"a": a, "b": b, "c": np.zeros((64, 64), dtype), "M": 64, "N": 64, "K": 64}


attempt("triton_matmul_f16", matmul, HALF, TILE,
        product(floats(64, 64, dtype=np.float16), floats(64, 64, dtype=np.float16)), (2, 2, 1))
attempt("triton_matmul_bf16", matmul, BRAIN, TILE,
        product(bfloat16(floats(64, 64)), bfloat16(floats(64, 64))), (2, 2, 1))
attempt("triton_matmul_tf32", matmul, SINGLE, TILE, product(floats(64, 64), floats(64, 64)), (2, 2, 1))


@triton.jit
def matmul_int(a, b, c, K, BM: tl.constexpr, BK: tl.constexpr):
    rows = tl.arange(0, BM)
    inner = tl.arange(0, BK)
    left = tl.load(a + rows[:, None] * K + inner[None, :])
    right = tl.load(b + inner[:, None] * BM + rows[None, :])
    tl.store(c + rows[:, None] * BM + rows[None, :], tl.dot(left, right))


attempt("triton_matmul_s8", matmul_int, {"a": "*i8", "b": "*i8", "c": "*i32", "K": "i32"}, {"BM": 32, "BK": 64},
        {"a": rng.integers(-100, 100, (32, 64)).astype(np.int8), "b": rng.integers(-100, 100, (64, 32)).astype(np.int8),
         "c": np.zeros((32, 32), np.int32), "K": 64}, (1, 1, 1), dtype="int32")


@triton.jit
def attention(q, k, v, out, length, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    depth = tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + depth[None, :])
    top = tl.full((BM,), -float("inf"), tl.float32)
    norm = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for start in range(0, length, BN):
        keys = start + tl.arange(0, BN)
        key = tl.load(k + keys[None, :] * D + depth[:, None])
        score = tl.dot(query, key) * scale
        best = tl.maximum(top, tl.max(score, axis=1))
        weight = tl.exp(score - best[:, None])
        shrink = tl.exp(top - best)
        norm = norm * shrink + tl.sum(weight, axis=1)
        value = tl.load(v + keys[:, None] * D + depth[None, :])
        total = total * shrink[:, None] + tl.dot(weight.to(tl.float16), value)
        top = best
    tl.store(out + rows[:, None] * D + depth[None, :], total / norm[:, None])


attempt("triton_attention", attention,
        {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp32", "length": "i32", "scale": "fp32"},
        {"D": 32, "BM": 32, "BN": 32},
        {"q": floats(64, 32, dtype=np.float16), "k": floats(96, 32, dtype=np.float16), "v": floats(96, 32, dtype=np.float16),
         "out": np.zeros((64, 32), np.float32), "length": 96, "scale": 0.17677669}, (2, 1, 1))


@triton.jit
def row_argmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    tl.store(out + row, tl.argmax(value, axis=0))


attempt("triton_argmax", row_argmax, {"x": "*fp32", "out": "*i32", "columns": "i32"}, {"BLOCK": 128},
        {"x": floats(16, 100), "out": np.zeros(16, np.int32), "columns": 100}, (16, 1, 1), dtype="int32")


@triton.jit
def row_cumsum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    tl.store(out + row * columns + at, tl.cumsum(value, axis=0), mask=at < columns)


attempt("triton_cumsum", row_cumsum, {"x": "*fp32", "out": "*fp32", "columns": "i32"}, {"BLOCK": 128},
        {"x": floats(8, 100), "out": np.zeros((8, 100), np.float32), "columns": 100}, (8, 1, 1))


@triton.jit
def histogram(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(out + value, 1, mask=at < n)


attempt("triton_atomic_add", histogram, {"x": "*i32", "out": "*i32", "n": "i32"}, {"BLOCK": 256},
        {"x": rng.integers(0, 16, 1000).astype(np.int32), "out": np.zeros(16, np.int32), "n": 1000}, (4, 1, 1),
        dtype="int32")


@triton.jit
def dropout(x, out, n, seed, p, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    value = tl.load(x + at, mask=mask)
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, value / (1 - p), 0.0), mask=mask)


attempt("triton_dropout_philox", dropout, {"x": "*fp32", "out": "*fp32", "n": "i32", "seed": "i32", "p": "fp32"},
        {"BLOCK": 256}, {"x": floats(1000), "out": np.zeros(1000, np.float32), "n": 1000, "seed": 42, "p": 0.3},
        (4, 1, 1))


@triton.jit
def sort_rows(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.sort(tl.load(x + at)))


attempt("triton_sort", sort_rows, {"x": "*fp32", "out": "*fp32"}, {"BLOCK": 128},
        {"x": floats(4, 128), "out": np.zeros((4, 128), np.float32)}, (4, 1, 1))
