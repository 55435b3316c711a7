"""Lucas numbers: 2, 1, 3, 4, 7, 11, … by a device function."""
import numpy as np
from numba import cuda


@cuda.jit(device=True)
def lucas(n):
    a, b = 2, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@cuda.jit
def fill(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = lucas(i)


out = cuda.device_array(60, np.int64)
fill[1, 64](out)
expected = [2, 1]
while len(expected) < 60:
    expected.append(expected[-1] + expected[-2])
assert out.copy_to_host().tolist() == expected
