import math

from numba import cuda, float32


@cuda.jit
def softmax(x, out, rows, columns, heat):
    powers = cuda.shared.array(1024, float32)
    found = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    threads = cuda.blockDim.x
    r = cuda.blockIdx.x
    largest = float32(-math.inf)
    for c in range(t, columns, threads):
        powers[c] = float32(heat) * x[r, c]
        largest = max(largest, powers[c])
    found[t] = largest
    cuda.syncthreads()
    half = threads // 2
    while half > 0:
        if t < half:
            found[t] = max(found[t], found[t + half])
        cuda.syncthreads()
        half //= 2
    largest = found[0]
    cuda.syncthreads()
    total = float32(0)
    for c in range(t, columns, threads):
        powers[c] = math.exp(powers[c] - largest)
        total += powers[c]
    found[t] = total
    cuda.syncthreads()
    half = threads // 2
    while half > 0:
        if t < half:
            found[t] += found[t + half]
        cuda.syncthreads()
        half //= 2
    for c in range(t, columns, threads):
        out[r, c] = powers[c] / found[0]
