from numba import cuda, int32


@cuda.jit
def histogram(values, counts, n):
    mine = cuda.shared.array(128, int32)
    for v in range(cuda.threadIdx.x, 128, cuda.blockDim.x):
        mine[v] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        cuda.atomic.add(mine, values[i], 1)
    cuda.syncthreads()
    for v in range(cuda.threadIdx.x, 128, cuda.blockDim.x):
        cuda.atomic.add(counts, v, mine[v])
