"""Threads that take different times."""
import numpy as np
from numba import cuda


@cuda.jit
def mandelbrot(out, limit):
    x, y = cuda.grid(2)
    if y >= out.shape[0] or x >= out.shape[1]:
        return
    cr, ci = -2.0 + 3.0 * x / out.shape[1], -1.0 + 2.0 * y / out.shape[0]
    zr = zi = 0.0
    n = 0
    while n < limit and zr * zr + zi * zi <= 4.0:
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
        n += 1
    out[y, x] = n


out = np.zeros((48, 64), np.int32)
mandelbrot[(4, 6), (16, 8)](out, 50)
y, x = np.mgrid[0:48, 0:64]
c = -2.0 + 3.0 * x / 64 + 1j * (-1.0 + 2.0 * y / 48)
z, expected = np.zeros_like(c), np.zeros(c.shape, np.int32)
for _ in range(50):
    inside = z.real**2 + z.imag**2 <= 4.0
    expected += inside
    z = np.where(inside, z * z + c, z)
assert (out == expected).mean() > 0.999
