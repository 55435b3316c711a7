"""Memory of the host that a kernel writes to."""
import numpy as np
from numba import cuda


@cuda.jit
def fill(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = i * i


mapped = cuda.mapped_array(1000, np.int64)
managed = cuda.managed_array(1000, np.int64)
for array in (mapped, managed):
    fill[8, 128](array)
    cuda.synchronize()
    assert np.array_equal(np.asarray(array), np.arange(1000) ** 2)
pinned = cuda.pinned_array(1000, np.int64)
cuda.to_device(np.asarray(managed)).copy_to_host(pinned)
assert np.array_equal(pinned, np.arange(1000) ** 2)
