# The event is recorded before the kernel rather than after it.
# finds missing_wait of [roots] before [add]
# says event
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


@cuda.jit("void(float32[::1], float32[::1])")
def add(a, b):
    i = cuda.grid(1)
    if i < b.size:
        b[i] += a[i]


n = 1000
wanted = np.arange(1, n + 1, dtype=np.float32)
square = cuda.to_device(wanted * wanted)
root = cuda.to_device(np.zeros(n, np.float32))
total = cuda.to_device(np.zeros(n, np.float32))
add[8, 128](total, total)  # so that the first kernel is not waited for while this one is loaded
cuda.synchronize()
first = cuda.stream()
second = cuda.stream()
event = cuda.event()

event.record(first)
roots[8, 128, first](square, root)  # [roots]
event.wait(second)
add[8, 128, second](root, total)  # [add]
cuda.synchronize()
wrong = np.count_nonzero(np.abs(total.copy_to_host() - wanted) > 0.01)
print("right" if wrong == 0 else f"{wrong} wrong")
