from numba import cuda, int32


@cuda.jit
def sum(x, total, n):
    sums = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    sums[t] = x[i] if i < n else 0
    cuda.syncthreads()
    half = 128
    while half > 0:
        if t < half and t + half < cuda.blockDim.x:
            sums[t] += sums[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(total, 0, sums[0])
