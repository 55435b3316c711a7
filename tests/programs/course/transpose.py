"""A tile of shared memory with a column more, so that no banks conflict."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def transpose(a, out):
    tile = cuda.shared.array((16, 17), float32)
    bx, by, tx, ty = cuda.blockIdx.x, cuda.blockIdx.y, cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = a[by * 16 + ty, bx * 16 + tx]
    cuda.syncthreads()
    out[bx * 16 + ty, by * 16 + tx] = tile[tx, ty]


a = np.arange(64 * 96, dtype=np.float32).reshape(64, 96)
out = np.zeros((96, 64), np.float32)
transpose[(6, 4), (16, 16)](a, out)
assert np.array_equal(out, a.T)
