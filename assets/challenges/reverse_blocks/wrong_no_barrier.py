from numba import cuda, int32


@cuda.jit
def reverse(x, n):
    first = cuda.blockIdx.x * cuda.blockDim.x
    count = min(cuda.blockDim.x, n - first)
    t = cuda.threadIdx.x
    tile = cuda.shared.array(256, int32)
    if t < count:
        tile[t] = x[first + t]
    if t < count:
        x[first + t] = tile[count - 1 - t]
