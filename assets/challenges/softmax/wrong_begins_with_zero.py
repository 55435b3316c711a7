import math

from numba import cuda, float32


@cuda.jit
def softmax(x, out, rows, columns, heat):
    if cuda.threadIdx.x > 0:
        return
    r = cuda.blockIdx.x
    largest = float32(0)
    for c in range(columns):
        largest = max(largest, float32(heat) * x[r, c])
    total = float32(0)
    for c in range(columns):
        total += math.exp(float32(heat) * x[r, c] - largest)
    for c in range(columns):
        out[r, c] = math.exp(float32(heat) * x[r, c] - largest) / total
