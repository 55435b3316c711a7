# The script adds up partial sums while they are still on their way to a pinned array.
# finds missing_wait of [copy] before [read]
# says stream.synchronize
import numpy as np
from numba import cuda, float32

threads = 128


@cuda.jit("void(float32[::1], float32[::1])")
def sums_of_roots(square, partial):  # the roots by Newton's method, and a sum for each block
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    shared = cuda.shared.array(threads, float32)
    r = square[i]
    for _ in range(100000):
        r = np.float32(0.5) * (r + square[i] / r)
    shared[t] = r
    cuda.syncthreads()
    if t == 0:
        total = float32(0)
        for k in range(threads):
            total += shared[k]
        partial[cuda.blockIdx.x] = total


n = 1024
wanted = np.arange(1, n + 1, dtype=np.float32)
stream = cuda.stream()
square = cuda.to_device(wanted * wanted, stream=stream)
partial = cuda.device_array(n // threads, np.float32, stream=stream)
on_host = cuda.pinned_array(n // threads, np.float32)
on_host[:] = 0

sums_of_roots[n // threads, threads, stream](square, partial)
partial.copy_to_host(on_host, stream=stream)  # [copy]
total = on_host.sum()  # [read]
print("right" if abs(total - wanted.sum()) < 10 else "1 wrong")
cuda.synchronize()
