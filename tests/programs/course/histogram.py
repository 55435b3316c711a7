"""Atomics on global memory."""
import numpy as np
from numba import cuda


@cuda.jit
def count(values, bins):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(bins, values[i], 1)


values = np.random.default_rng(3).integers(0, 32, 20_000)
bins = cuda.to_device(np.zeros(32, np.int32))
count[(values.size + 127) // 128, 128](values, bins)
assert np.array_equal(bins.copy_to_host(), np.bincount(values, minlength=32))
