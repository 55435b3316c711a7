import math

from numba import cuda, float32


@cuda.jit
def softmax(x, out, rows, columns, heat):
    if cuda.threadIdx.x > 0:
        return
    r = cuda.blockIdx.x
    total = float32(0)
    for c in range(columns):
        total += math.exp(float32(heat) * x[r, c])
    for c in range(columns):
        out[r, c] = math.exp(float32(heat) * x[r, c]) / total
