"""Kernels compiled by CuPy: element-wise, reductions, its own templates, RawKernel, jit, fusion, CUB blocks."""
import math
import os

import cupy as cp
import numpy as np
from cupyx import jit

from capture import capture

os.environ["CUPY_CACHE_IN_MEMORY"] = "1"
cp.cuda.set_allocator(None)
rng = np.random.default_rng(2)
N = 1000


def floats(n=N, dtype=np.float32, low=-2.0, high=2.0):
    return cp.asarray(rng.uniform(low, high, n).astype(dtype))


def ints(n=N, low=-1000, high=1000, dtype=np.int32):
    return cp.asarray(rng.integers(low, high, n).astype(dtype))


def run(name, body, dtype="float32", rtol=0.0):
    with capture(name, dtype, rtol):
        body()
        cp.cuda.runtime.deviceSynchronize()


x, y, i, j = floats(), floats(), ints(), ints(low=1)
run("cupy_add", lambda: x + y)
run("cupy_divide_int", lambda: i // j, "int32")
run("cupy_remainder", lambda: cp.remainder(i, j), "int32")
run("cupy_power", lambda: cp.power(cp.abs(x), y))
run("cupy_where", lambda: cp.where(x > y, x, y))
run("cupy_clip", lambda: cp.clip(x, -0.5, 0.5))
run("cupy_half_multiply", lambda: x.astype(cp.float16) * y.astype(cp.float16), "float16")
run("cupy_half_exp", lambda: cp.exp(x.astype(cp.float16)), "float16")
run("cupy_cast_uint8", lambda: (cp.abs(x) * 100).astype(cp.uint8), "uint8")
run("cupy_complex_abs", lambda: cp.abs((x + 1j * y).astype(cp.complex64)))
run("cupy_sin_double", lambda: cp.sin(x.astype(cp.float64)), "float64")
run("cupy_arctan2", lambda: cp.arctan2(x, y))
run("cupy_logical", lambda: cp.logical_xor(x > 0, y > 0), "uint8")
run("cupy_bit_shift", lambda: cp.left_shift(cp.bitwise_and(i, 255), 3), "int32")
run("cupy_sum", lambda: x.sum())
run("cupy_sum_axis", lambda: floats(960).reshape(24, 40).sum(axis=1))
run("cupy_argmax", lambda: cp.argmax(x), "int64")
run("cupy_mean_double", lambda: x.astype(cp.float64).mean(), "float64")
run("cupy_any", lambda: cp.any(x > 1.99), "uint8")
run("cupy_max_int", lambda: i.max(), "int32")
run("cupy_cumsum", lambda: cp.cumsum(i), "int64")
run("cupy_arange", lambda: cp.arange(777, dtype=cp.float32))
run("cupy_take", lambda: x[cp.asarray(rng.integers(0, N, 300))])
run("cupy_transpose_copy", lambda: cp.ascontiguousarray(floats(30 * 40).reshape(30, 40).T))
run("cupy_matmul_int", lambda: cp.matmul(ints(30 * 20).reshape(30, 20), ints(20 * 25).reshape(20, 25)), "int32")
run("cupy_bincount", lambda: cp.bincount(cp.abs(i) % 32), "int64")
run("cupy_searchsorted", lambda: cp.searchsorted(cp.arange(-2, 2, 0.1, dtype=cp.float32), x), "int64")
run("cupy_interp", lambda: cp.interp(x, cp.linspace(-2, 2, 20), cp.linspace(0, 1, 20) ** 2), "float64")
run("cupy_tril", lambda: cp.tril(floats(900).reshape(30, 30)))

from cupyx.scipy import ndimage  # noqa: E402

picture = floats(40 * 33).reshape(40, 33)
run("cupy_ndimage_convolve", lambda: ndimage.convolve(picture, cp.ones((3, 3), cp.float32) / 9))
run("cupy_ndimage_median", lambda: ndimage.median_filter(picture, size=3))
run("cupy_ndimage_rotate", lambda: ndimage.rotate(picture, 30, order=1))

squared = cp.ElementwiseKernel("float32 x, float32 y, int32 k", "float32 z", "z = x * x + y * k", "squared_kernel")
run("cupy_elementwise_kernel", lambda: squared(x, y, 3))
norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm_kernel")
run("cupy_reduction_kernel", lambda: norm(x))
scale = cp.ElementwiseKernel("raw T x, int32 stride", "T z", "z = x[(i * stride) % 1000]", "raw_kernel")
run("cupy_raw_index", lambda: scale(x, 7, cp.empty(500, cp.float32)))


@cp.fuse
def fused(a, b):
    return cp.where(a > b, a * b, a - b) + 1


run("cupy_fuse", lambda: fused(x, y))


@jit.rawkernel()
def jit_reduce(values, out, size):
    shared = jit.shared_memory(cp.float32, 64)
    t = jit.threadIdx.x
    total = cp.float32(0)
    for k in range(t, size, jit.blockDim.x):
        total += values[k]
    shared[t] = total
    jit.syncthreads()
    if t == 0:
        total = cp.float32(0)
        for m in range(jit.blockDim.x):
            total += shared[m]
        out[0] = total


run("cupy_jit_shared", lambda: jit_reduce[1, 64](x, cp.zeros(1, cp.float32), np.uint32(N)))


@jit.rawkernel()
def jit_atomic(values, out):
    k = jit.grid(1)
    if k < 1000:
        jit.atomic_add(out, values[k] & 7, 1)


run("cupy_jit_atomic", lambda: jit_atomic[8, 128](i, cp.zeros(8, cp.int32)), "int32")

RAW = r"""
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/block/block_histogram.cuh>
extern "C" __global__ void reduce(const int* x, int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage room;
  int sum = Reduce(room).Sum(x[blockIdx.x * 128 + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
extern "C" __global__ void scan(const float* x, float* out) {
  using Scan = cub::BlockScan<float, 96>;
  __shared__ typename Scan::TempStorage room;
  float value = x[blockIdx.x * 96 + threadIdx.x], sum;
  Scan(room).InclusiveSum(value, sum);
  out[blockIdx.x * 96 + threadIdx.x] = sum;
}
extern "C" __global__ void sort(const int* x, int* out) {
  using Sort = cub::BlockRadixSort<int, 64, 4>;
  __shared__ typename Sort::TempStorage room;
  int items[4];
  for (int k = 0; k < 4; ++k) items[k] = x[threadIdx.x * 4 + k];
  Sort(room).Sort(items);
  for (int k = 0; k < 4; ++k) out[threadIdx.x * 4 + k] = items[k];
}
extern "C" __global__ void warp_max(const float* x, float* out) {
  using Reduce = cub::WarpReduce<float>;
  __shared__ typename Reduce::TempStorage room[2];
  int warp = threadIdx.x / 32;
  float top = Reduce(room[warp]).Reduce(x[threadIdx.x], [](float a, float b) { return a > b ? a : b; });
  if (threadIdx.x % 32 == 0) out[warp] = top;
}
extern "C" __global__ void block_histogram(const unsigned char* x, unsigned* out) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 4, 256>;
  __shared__ typename Histogram::TempStorage room;
  __shared__ unsigned bins[256];
  unsigned char items[4];
  for (int k = 0; k < 4; ++k) items[k] = x[threadIdx.x * 4 + k];
  Histogram(room).Histogram(items, bins);
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += 64) out[k] = bins[k];
}
"""
cub = cp.RawModule(code=RAW, options=("-std=c++17",), backend="nvrtc")
run("cub_block_reduce", lambda: cub.get_function("reduce")((4,), (128,), (ints(512), cp.zeros(4, cp.int32))), "int32")
run("cub_block_scan", lambda: cub.get_function("scan")((3,), (96,), (floats(288), cp.zeros(288, cp.float32))))
run("cub_block_radix_sort", lambda: cub.get_function("sort")((1,), (64,), (ints(256), cp.zeros(256, cp.int32))), "int32")
run("cub_warp_reduce", lambda: cub.get_function("warp_max")((1,), (64,), (floats(64), cp.zeros(2, cp.float32))))
run("cub_block_histogram", lambda: cub.get_function("block_histogram")(
    (1,), (64,), (ints(256, 0, 256, np.uint8), cp.zeros(256, cp.uint32))), "uint32")

from cupyx.scipy import special, signal  # noqa: E402

run("cupy_special_erf", lambda: special.erf(x))
run("cupy_special_gamma", lambda: special.gamma(cp.abs(x) + 0.5))
run("cupy_bilinear_fft_shift", lambda: cp.roll(floats(30 * 20).reshape(30, 20), 5, axis=0))
run("cupy_percentile", lambda: cp.percentile(x, 30), "float64", 1e-6)
run("cupy_medfilt2d", lambda: signal.medfilt2d(picture, 3))
