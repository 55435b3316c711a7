from numba import cuda, uint32


@cuda.jit
def two_ways(x, out, n):
    tile = cuda.shared.array(2048, uint32)
    width = cuda.blockDim.x
    first = 2 * cuda.blockIdx.x * width
    t = cuda.threadIdx.x
    if first + t < n:
        tile[t] = x[first + t]
    if first + width + t < n:
        tile[width + t] = x[first + width + t]
    cuda.syncthreads()
    if first + 2 * t < n:
        even = tile[2 * t]
        for k in range(16):
            even = uint32((even ^ k) * 5)
        tile[2 * t] = even
    if first + 2 * t + 1 < n:
        odd = tile[2 * t + 1]
        for k in range(24):
            odd = uint32((odd ^ k) * 3)
        tile[2 * t + 1] = odd
    cuda.syncthreads()
    if first + t < n:
        out[first + t] = tile[t]
    if first + width + t < n:
        out[first + width + t] = tile[width + t]
