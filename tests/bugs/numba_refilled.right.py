# As numba_refilled.py, but the script waits before it fills the array again.
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


n, batches = 1000, 3
wanted = np.arange(1, n + 1, dtype=np.float32)
stream = cuda.stream()
square = cuda.pinned_array(n, np.float32)
on_device = cuda.device_array(n, np.float32, stream=stream)
root = [cuda.device_array(n, np.float32, stream=stream) for _ in range(batches)]

for batch in range(batches):
    square[:] = (wanted + batch) * (wanted + batch)
    on_device.copy_to_device(square, stream=stream)
    roots[8, 128, stream](on_device, root[batch])
    stream.synchronize()
cuda.synchronize()
wrong = 0
for batch in range(batches):
    wrong += np.count_nonzero(np.abs(root[batch].copy_to_host() - wanted - batch) > 0.01)
print("right" if wrong == 0 else f"{wrong} wrong")
