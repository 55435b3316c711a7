"""Kernels compiled by Numba: jit, vectorize, reductions, random numbers."""
import gc
import math

import numpy as np

if not hasattr(np, "row_stack"):  # NumPy 2.5 took the name away that this release of Numba still asks for
    np.row_stack = np.vstack
from numba import cuda, float32, float64, int32, int64, uint8, vectorize
from numba.cuda.random import (create_xoroshiro128p_states, xoroshiro128p_normal_float32,
                               xoroshiro128p_uniform_float32)

from capture import capture, save_ptx

rng = np.random.default_rng(1)
N = 1000


def floats(n=N, low=-2.0, high=2.0, dtype=np.float32):
    return rng.uniform(low, high, n).astype(dtype)


def ints(n=N, low=-1000, high=1000, dtype=np.int32):
    return rng.integers(low, high, n).astype(dtype)


def on_device(*arrays):
    return [cuda.to_device(a) for a in arrays]


def launch(name, kernel, grid, block, *arguments, dtype="float32", rtol=0.0, shared=0):
    moved = [cuda.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments]
    with capture(name, dtype, rtol):
        kernel[grid, block, 0, shared](*moved)
        cuda.synchronize()


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


launch("numba_add", add, 8, 128, floats(), floats(), np.zeros(N, np.float32))
launch("numba_add_int64", add, 8, 128, ints(dtype=np.int64), ints(dtype=np.int64), np.zeros(N, np.int64), dtype="int64")


@cuda.jit
def saxpy_stride(a, x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] = a * x[i] + y[i]


launch("numba_saxpy_grid_stride", saxpy_stride, 3, 64, np.float32(1.5), floats(), floats())


@cuda.jit
def mandelbrot(low_x, low_y, step, out, limit):
    x, y = cuda.grid(2)
    if x < out.shape[1] and y < out.shape[0]:
        c = complex(low_x + x * step, low_y + y * step)
        z = 0j
        count = 0
        while count < limit and z.real * z.real + z.imag * z.imag < 4.0:
            z = z * z + c
            count += 1
        out[y, x] = count


launch("numba_mandelbrot", mandelbrot, (4, 4), (8, 8), -2.0, -1.2, 0.075, np.zeros((32, 31), np.int32), 50, dtype="int32")

TILE = 8


@cuda.jit
def matmul(a, b, c):
    sa = cuda.shared.array((TILE, TILE), float32)
    sb = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0.0)
    for tile in range((a.shape[1] + TILE - 1) // TILE):
        sa[ty, tx] = 0
        sb[ty, tx] = 0
        if y < a.shape[0] and tile * TILE + tx < a.shape[1]:
            sa[ty, tx] = a[y, tile * TILE + tx]
        if x < b.shape[1] and tile * TILE + ty < b.shape[0]:
            sb[ty, tx] = b[tile * TILE + ty, x]
        cuda.syncthreads()
        for k in range(TILE):
            total += sa[ty, k] * sb[k, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


launch("numba_matmul_shared", matmul, (4, 4), (TILE, TILE), floats(30 * 27).reshape(30, 27),
       floats(27 * 29).reshape(27, 29), np.zeros((30, 29), np.float32))


@cuda.jit
def block_sums(x, out):
    part = cuda.shared.array(128, float64)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    part[t] = x[i] if i < x.size else 0.0
    cuda.syncthreads()
    step = 64
    while step > 0:
        if t < step:
            part[t] += part[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = part[0]


launch("numba_block_sums", block_sums, 8, 128, floats(dtype=np.float64), np.zeros(8), dtype="float64")


@cuda.jit
def histogram(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(out, x[i] % out.size, 1)


launch("numba_histogram", histogram, 8, 128, ints(low=0), np.zeros(16, np.int32), dtype="int32")


@cuda.jit
def atomics(x, low, high, swapped, sums):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.max(high, 0, x[i])
        cuda.atomic.min(low, 0, x[i])
        cuda.atomic.cas(swapped, i % 8, 0, 7)
        cuda.atomic.add(sums, i % 4, x[i])


launch("numba_atomics", atomics, 4, 256, ints(dtype=np.int64), np.full(1, 10**6, np.int64), np.full(1, -10**6, np.int64),
       np.zeros(8, np.int64), np.zeros(4, np.int64), dtype="int64")


@cuda.jit
def float_atomics(x, high, low):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.max(high, 0, x[i])
        cuda.atomic.min(low, 0, x[i])


launch("numba_float_atomic_max", float_atomics, 4, 256, floats(), np.full(1, -1e9, np.float32), np.full(1, 1e9, np.float32))


@cuda.jit
def double_atomic_add(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(out, i % 8, x[i])


launch("numba_double_atomic_add", double_atomic_add, 4, 256, floats(dtype=np.float64), np.zeros(8), dtype="float64", rtol=1e-12)


@cuda.jit
def warp_sums(x, out):
    i = cuda.grid(1)
    value = x[i]
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
    if cuda.laneid == 0:
        out[i // 32] = value


launch("numba_warp_sums", warp_sums, 4, 128, floats(512), np.zeros(16, np.float32))


@cuda.jit
def warp_votes(x, out):
    i = cuda.grid(1)
    ballot = cuda.ballot_sync(0xFFFFFFFF, x[i] > 0)
    most = cuda.all_sync(0xFFFFFFFF, x[i] > -900)
    some = cuda.any_sync(0xFFFFFFFF, x[i] > 900)
    same = cuda.match_any_sync(0xFFFFFFFF, x[i] % 4)
    out[i] = ballot ^ same ^ (1 if most else 0) ^ (2 if some else 0) ^ cuda.popc(ballot) ^ cuda.ffs(ballot)


launch("numba_warp_votes", warp_votes, 2, 96, ints(192), np.zeros(192, np.int64), dtype="int64")


@cuda.jit
def block_votes(x, out):
    i = cuda.grid(1)
    count = cuda.syncthreads_count(x[i] > 0)
    every = cuda.syncthreads_and(x[i] > -999)
    some = cuda.syncthreads_or(x[i] > 990)
    out[i] = count * 4 + every * 2 + some


launch("numba_block_votes", block_votes, 4, 96, ints(384), np.zeros(384, np.int32), dtype="int32")


@cuda.jit
def local_sort(x, out):
    values = cuda.local.array(16, float32)
    i = cuda.grid(1)
    for k in range(16):
        values[k] = x[i, k]
    for a in range(16):
        for b in range(15 - a):
            if values[b] > values[b + 1]:
                values[b], values[b + 1] = values[b + 1], values[b]
    for k in range(16):
        out[i, k] = values[k]


launch("numba_local_sort", local_sort, 2, 32, floats(64 * 16).reshape(64, 16), np.zeros((64, 16), np.float32))

TABLE = np.arange(17, dtype=np.float32) ** 2


@cuda.jit
def constant_table(index, out):
    table = cuda.const.array_like(TABLE)
    i = cuda.grid(1)
    if i < index.size:
        out[i] = table[index[i] % 17]


launch("numba_const_table", constant_table, 8, 128, ints(low=0), np.zeros(N, np.float32))


@cuda.jit
def dynamic_reverse(x, out):
    shared = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    shared[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    out[cuda.grid(1)] = shared[cuda.blockDim.x - 1 - t]


launch("numba_dynamic_shared", dynamic_reverse, 4, 64, floats(256), np.zeros(256, np.float32), shared=256)


@cuda.jit(device=True, inline="never")
def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@cuda.jit
def gcds(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = gcd(x[i], y[i])


launch("numba_device_function", gcds, 8, 128, ints(low=1), ints(low=1), np.zeros(N, np.int32), dtype="int32")


@cuda.jit
def integer_division(x, y, quotient, remainder, shifted):
    i = cuda.grid(1)
    if i < x.size:
        quotient[i] = x[i] // y[i]
        remainder[i] = x[i] % y[i]
        shifted[i] = (x[i] << 3) ^ (y[i] >> 2) | (x[i] & y[i])


launch("numba_integer_division", integer_division, 8, 128, ints(), ints(low=1, high=50), np.zeros(N, np.int32),
       np.zeros(N, np.int32), np.zeros(N, np.int32), dtype="int32")


@cuda.jit
def bits(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = cuda.popc(x[i]) + 100 * cuda.clz(x[i]) + 10000 * cuda.ffs(x[i]) + cuda.brev(x[i]) % 97


launch("numba_bit_functions", bits, 8, 128, ints(dtype=np.uint32), np.zeros(N, np.int64), dtype="int64")


@cuda.jit
def float_math(x, out):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i]
        out[i, 0] = math.sin(v)
        out[i, 1] = math.exp(v)
        out[i, 2] = math.log(abs(v) + 1)
        out[i, 3] = math.sqrt(abs(v))
        out[i, 4] = math.tanh(v)
        out[i, 5] = math.atan2(v, math.float32(0.5)) if False else math.atan(v)
        out[i, 6] = math.floor(v) + math.ceil(v)
        out[i, 7] = math.erf(v)


launch("numba_float_math", float_math, 4, 64, floats(256), np.zeros((256, 8), np.float32))


@cuda.jit
def double_math(x, out):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i]
        out[i, 0] = math.cos(v)
        out[i, 1] = math.exp(v)
        out[i, 2] = math.log1p(abs(v))
        out[i, 3] = math.pow(abs(v), 1.7)
        out[i, 4] = math.gamma(abs(v) + 0.5)
        out[i, 5] = math.hypot(v, 3.0)
        out[i, 6] = math.fmod(v, 0.3)
        out[i, 7] = math.asinh(v)


launch("numba_double_math", double_math, 4, 64, floats(256, dtype=np.float64), np.zeros((256, 8)), dtype="float64")


@cuda.jit(fastmath=True)
def fast_math(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = math.sin(x[i]) / (math.exp(x[i]) + float32(1.0)) + math.sqrt(abs(x[i]))


launch("numba_fastmath", fast_math, 4, 64, floats(256), np.zeros(256, np.float32))


@cuda.jit
def complex_multiply(x, y, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] * y[i] + x[i].conjugate()


cx = (floats(300) + 1j * floats(300)).astype(np.complex64)
cy = (floats(300) + 1j * floats(300)).astype(np.complex64)
launch("numba_complex", complex_multiply, 4, 96, cx, cy, np.zeros(300, np.complex64))

RECORD = np.dtype([("a", np.int32), ("b", np.float64), ("c", np.uint8)], align=True)


@cuda.jit
def records(r):
    i = cuda.grid(1)
    if i < r.size:
        r[i]["b"] = r[i]["a"] * 0.5
        r[i]["c"] = (r[i]["a"] >> 2) & 255


record_data = np.zeros(200, RECORD)
record_data["a"] = ints(200)
launch("numba_records", records, 4, 64, record_data, dtype="uint8")


@cuda.jit
def strided(x, out):
    x_index, y_index = cuda.grid(2)
    if x_index < out.shape[0] and y_index < out.shape[1]:
        out[x_index, y_index] = x[y_index, x_index] * 2


launch("numba_transpose_strided", strided, (3, 5), (16, 8), floats(40 * 48).reshape(40, 48),
       np.zeros((48, 40), np.float32))


@cuda.jit(debug=True, opt=False)
def debug_add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


launch("numba_debug", debug_add, 4, 64, floats(200), floats(200), np.zeros(200, np.float32))


@cuda.jit(lineinfo=True)
def wave(u, previous, out):
    x, y = cuda.grid(2)
    if 0 < x < u.shape[1] - 1 and 0 < y < u.shape[0] - 1:
        laplace = u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1] - float32(4) * u[y, x]
        out[y, x] = float32(2) * u[y, x] - previous[y, x] + float32(0.1) * laplace


launch("numba_wave_lineinfo", wave, (4, 8), (8, 4), floats(1024).reshape(32, 32), floats(1024).reshape(32, 32),
       np.zeros((32, 32), np.float32))


@cuda.jit
def half_floats(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] * x[i] + x[i]


launch("numba_float16", half_floats, 4, 64, floats(256).astype(np.float16), np.zeros(256, np.float16), dtype="float16")


@cuda.jit
def random_walk(states, out, steps):
    i = cuda.grid(1)
    if i < out.size:
        place = float32(0.0)
        for _ in range(steps):
            place += xoroshiro128p_uniform_float32(states, i) - float32(0.5)
        out[i] = place


launch("numba_random_uniform", random_walk, 2, 64, create_xoroshiro128p_states(128, seed=7), np.zeros(128, np.float32), 20)


@cuda.jit
def normals(states, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = xoroshiro128p_normal_float32(states, i)


launch("numba_random_normal", normals, 2, 64, create_xoroshiro128p_states(128, seed=7), np.zeros(128, np.float32))


@cuda.jit
def cooperative_sum(x, rounds):
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    for r in range(rounds):
        left = x[(i + 1) % x.size]
        grid.sync()
        x[i] = x[i] * 0.5 + left * 0.5
        grid.sync()


launch("numba_grid_sync", cooperative_sum, 4, 64, floats(256, dtype=np.float64), 3, dtype="float64")


@vectorize([float32(float32, float32)], target="cuda")
def ufunc_hypot(a, b):
    return math.sqrt(a * a + b * b)


@vectorize([int64(int64, int64)], target="cuda")
def ufunc_add(a, b):
    return a + b


@vectorize([float64(float64)], target="cuda")
def ufunc_sigmoid(a):
    return 1.0 / (1.0 + math.exp(-a))


with capture("numba_ufunc_hypot", "float32", 0.0):
    ufunc_hypot(floats(), floats())
with capture("numba_ufunc_add", "int64"):
    ufunc_add(np.array([1, 2, 3, 4]), np.array([10, 20, 30, 40]))
with capture("numba_ufunc_sigmoid", "float64", 1e-15):
    ufunc_sigmoid(floats(dtype=np.float64))


@cuda.reduce
def total(a, b):
    return a + b


@cuda.reduce
def largest(a, b):
    return max(a, b)


with capture("numba_reduce_sum", "float64"):
    total(floats(3000, dtype=np.float64))
with capture("numba_reduce_max", "int32"):
    largest(ints(3000))


@cuda.jit
def fibonacci(n, out):
    i = cuda.grid(1)
    if i < out.size:
        a, b = 0, 1
        for _ in range(i % n):
            a, b = b, a + b
        out[i] = a


launch("numba_fibonacci", fibonacci, 2, 64, 40, np.zeros(128, np.int64), dtype="int64")

seen = set()
for thing in gc.get_objects():
    if type(thing).__name__ == "CUDADispatcher":
        try:
            for text in thing.inspect_asm().values():
                if text not in seen:
                    seen.add(text)
                    save_ptx(f"numba{len(seen)}", text)
        except Exception as error:
            print("no PTX of", thing, error)
print(len(seen), "modules of Numba")
