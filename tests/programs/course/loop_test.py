"""10,000 numbers, each added 10,000 times, one thread a number."""
import numpy as np
from numba import cuda


@cuda.jit
def loops(out):
    i = cuda.grid(1)
    if i < out.size:
        total = 0.0
        for j in range(10_000):
            total += i * 0.5
        out[i] = total


out = cuda.device_array(1000, np.float64)
loops[8, 128](out)
expected = np.arange(1000) * 0.5 * 10_000
assert np.array_equal(out.copy_to_host(), expected)
