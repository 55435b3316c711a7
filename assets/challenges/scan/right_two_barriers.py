from numba import cuda, int32


@cuda.jit
def scan(x, out, n):
    sums = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    sums[t] = x[i] if i < n else 0
    cuda.syncthreads()
    away = 1
    while away < cuda.blockDim.x:
        left = sums[t - away] if t >= away else 0
        cuda.syncthreads()
        sums[t] += left
        cuda.syncthreads()
        away *= 2
    if i < n:
        out[i] = sums[t]
