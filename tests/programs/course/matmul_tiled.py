"""Matrices in tiles of shared memory."""
import numpy as np
from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(a, b, c):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for step in range(a.shape[1] // TILE):
        left[ty, tx] = a[y, step * TILE + tx]
        right[ty, tx] = b[step * TILE + ty, x]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    c[y, x] = total


rng = np.random.default_rng(2)
a = rng.integers(-4, 5, (64, 48)).astype(np.float32)
b = rng.integers(-4, 5, (48, 80)).astype(np.float32)
c = np.zeros((64, 80), np.float32)
matmul[(5, 4), (TILE, TILE)](a, b, c)
assert np.array_equal(c, a @ b)
