from numba import cuda, int32


@cuda.jit
def bend(x, out, n):
    tile = cuda.shared.array(258, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t + 1] = x[i] if i < n else 0
    if t < 2:  # two threads of warp 0 load both ends
        place = t * (cuda.blockDim.x + 1)
        source = cuda.blockIdx.x * cuda.blockDim.x - 1 + place
        tile[place] = x[source] if 0 <= source < n else 0
    cuda.syncthreads()
    if i < n:
        out[i] = tile[t] - 2 * tile[t + 1] + tile[t + 2]
