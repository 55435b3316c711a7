"""A tree of sums in shared memory, and one atomic a block."""
import numpy as np
from numba import cuda, int64


@cuda.jit
def total(x, out):
    tile = cuda.shared.array(256, int64)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    tile[t] = x[i] if i < x.size else 0
    cuda.syncthreads()
    step = 128
    while step > 0:
        if t < step:
            tile[t] += tile[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        cuda.atomic.add(out, 0, tile[0])


x = np.arange(100_001, dtype=np.int64)
out = cuda.to_device(np.zeros(1, np.int64))
total[(x.size + 255) // 256, 256](x, out)
assert out.copy_to_host()[0] == x.sum()
