"""A picture: two dimensions, three channels."""
import numpy as np
from numba import cuda


@cuda.jit
def gray(rgb, out):
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = (77 * rgb[y, x, 0] + 150 * rgb[y, x, 1] + 29 * rgb[y, x, 2]) >> 8


rng = np.random.default_rng(1)
rgb = rng.integers(0, 256, (67, 101, 3), dtype=np.int32)
out = np.zeros(rgb.shape[:2], np.int32)
gray[(7, 5), (16, 16)](rgb, out)
assert np.array_equal(out, (77 * rgb[..., 0] + 150 * rgb[..., 1] + 29 * rgb[..., 2]) >> 8)
