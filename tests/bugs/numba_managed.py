# The script reads a managed array while the kernel still writes it.
# finds missing_wait of [kernel] before [read]
# says stream.synchronize
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
square = cuda.to_device(wanted * wanted)
root = cuda.managed_array(n, np.float32)
root[:] = 0
stream = cuda.stream()

roots[8, 128, stream](square, root)  # [kernel]
wrong = np.count_nonzero(np.abs(root - wanted) > 0.01)  # [read]
print("right" if wrong == 0 else f"{wrong} wrong")
cuda.synchronize()
