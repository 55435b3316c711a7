"""A blur, again and again: with arrays of NumPy, which cross the bus for each launch, and with `mended` in device memory."""
import sys

import numpy as np
from numba import cuda


@cuda.jit
def blur(source, target):
    x, y = cuda.grid(2)
    if 0 < y < source.shape[0] - 1 and 0 < x < source.shape[1] - 1:
        total = 0.0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                total += source[y + dy, x + dx]
        target[y, x] = total / 9


picture = np.zeros((540, 960), np.float32)
result = np.zeros_like(picture)
if "mended" in sys.argv:
    picture, result = cuda.to_device(picture), cuda.to_device(result)
for _ in range(8):
    blur[(60, 34), (16, 16)](picture, result)
if "mended" in sys.argv:
    result.copy_to_host()
