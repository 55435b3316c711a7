from numba import cuda, int32


@cuda.jit
def spans(x, span, n):
    high = cuda.shared.array(256, int32)
    low = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    high[t] = x[min(i, n - 1)]
    low[t] = x[min(i, n - 1)]
    cuda.syncthreads()
    half = cuda.blockDim.x // 2
    while half > 0:
        cuda.syncthreads()
        if t < half:
            high[t] = max(high[t], high[t + half])
            low[t] = min(low[t], low[t + half])
        cuda.syncthreads()
        half //= 2
    if t == 0:
        span[cuda.blockIdx.x] = high[0] - low[0]
