from numba import cuda, int32


@cuda.jit
def bend(x, out, n):
    tile = cuda.shared.array(258, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t + 1] = x[i] if i < n else 0
    if t == 0:
        tile[0] = 0
        tile[cuda.blockDim.x + 1] = 0
    cuda.syncthreads()
    if i < n:
        out[i] = tile[t] - 2 * tile[t + 1] + tile[t + 2]
