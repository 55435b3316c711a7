# The script reads a mapped array while the kernel still writes it.
# finds missing_wait of [kernel] before [read]
# says cuda.synchronize
import numpy as np
from numba import cuda


@cuda.jit("void(float32[::1], float32[::1])")
def roots(square, root):  # by Newton's method
    i = cuda.grid(1)
    if i < root.size:
        r = square[i]
        for _ in range(100000):
            r = np.float32(0.5) * (r + square[i] / r)
        root[i] = r


n = 1000
wanted = np.arange(1, n + 1, dtype=np.float32)
square = cuda.mapped_array(n, np.float32)
root = cuda.mapped_array(n, np.float32)
square[:] = wanted * wanted
root[:] = 0

roots[8, 128](square, root)  # [kernel]
wrong = np.count_nonzero(np.abs(root - wanted) > 0.01)  # [read]
print("right" if wrong == 0 else f"{wrong} wrong")
cuda.synchronize()
