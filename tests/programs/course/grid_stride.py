"""Fewer threads than elements: each strides over the array."""
import numpy as np
from numba import cuda


@cuda.jit
def scale(x, factor):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        x[i] *= factor


x = np.arange(50_000, dtype=np.float64)
device = cuda.to_device(x)
scale[4, 64](device, 3.0)
assert np.array_equal(device.copy_to_host(), x * 3)
