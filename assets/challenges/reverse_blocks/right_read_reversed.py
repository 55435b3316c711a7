from numba import cuda


@cuda.jit
def reverse(x, n):
    first = cuda.blockIdx.x * cuda.blockDim.x
    last = min(first + cuda.blockDim.x, n) - 1
    i = cuda.grid(1)
    value = 0
    if i < n:
        value = x[last - cuda.threadIdx.x]
    cuda.syncthreads()
    if i < n:
        x[i] = value
